/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file telemetry.h
 * @brief Columns of telemetry frames (docs/telemetry.md): open and seal many devices' frames in one
 * pass.
 *
 * Frames lie as in Apache Arrow: one data buffer and n + 1 offsets, frame i being bytes offsets[i]
 * .. offsets[i + 1]. A call reads the headers, finds the master keys, derives the epoch keys
 * (version 2 of the derivation) and runs the AEAD, the last two with the kernels of fleet.h. The
 * master keys of all devices lie in a table that is built once, in memory of the caller.
 *
 * - Outputs share no byte with anything else of the call, the call itself and the table included;
 *   there is no in place. Else HANJI_E_ARGUMENT, and nothing is written.
 * - Device numbers, epochs, numbers and sizes are public; master keys and payloads are secret.
 * - Not in freestanding builds.
 */
#ifndef HANJI_TELEMETRY_H
#define HANJI_TELEMETRY_H

#include "hanji/common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HANJI_FRAME_HEADER_BYTES 16         /**< Header of a frame, which is its associated data. */
#define HANJI_FRAME_PAYLOAD_BYTES_MAX 65535 /**< The largest payload of a frame. */

#define HANJI_FRAME_SCHWAEMM256_128 1 /**< Algorithm 1 of a frame: SCHWAEMM256-128. */
#define HANJI_FRAME_SPECK64_128_EAX 2 /**< Algorithm 2 of a frame: SPECK-64/128 in EAX. */
#define HANJI_FRAME_ASCON_AEAD128 3   /**< Algorithm 3 of a frame: Ascon-AEAD128. */

/*
 * The status of a frame is HANJI_OK (opened or sealed), HANJI_E_TAG (forged), HANJI_E_LENGTH (a
 * payload too long to be sealed), HANJI_E_LIMIT, or one of these.
 */
#define HANJI_FRAME_TRUNCATED (-16) /**< It is shorter than a header, or than its header tells. */
#define HANJI_FRAME_OVERLONG (-17)  /**< It is longer than its header tells. */
#define HANJI_FRAME_VERSION (-18)   /**< Its version is not 2. */
#define HANJI_FRAME_ALGORITHM (-19) /**< Its algorithm is none of those above. */
#define HANJI_FRAME_DEVICE (-20)    /**< There is no master key of its device. */
#define HANJI_FRAME_REPLAYED (-21)  /**< No function here gives it: for callers that keep count. */
#define HANJI_FRAME_NULL (-22)      /**< No function here gives it: for columns with nulls. */

/** One word for the status of a frame, "forged" for example; NULL for a number that is none. */
HANJI_API const char *hanji_frame_status_name(int status);

/**
 * Who seals. Each direction has keys of its own, so that a command never has the key and nonce of
 * a reading.
 */
typedef enum hanji_direction {
    HANJI_FROM_DEVICE = 0, /**< readings, sealed by devices */
    HANJI_TO_DEVICE = 1    /**< commands, sealed for devices */
} hanji_direction;

#define HANJI_MASTER_BYTES_MIN 16 /**< The shortest master key that a table takes. */
#define HANJI_MASTER_BYTES_MAX 64 /**< The longest master key that a table takes. */

/** The master keys of devices: a hash table in memory of the caller, or one key for all. */
typedef struct hanji_master_keys {
    uint8_t *slots;                      /**< the table; NULL: `one` is the key of every device */
    size_t capacity;                     /**< slots of it, for three devices each */
    size_t stride;                       /**< bytes from one slot to the next */
    size_t master_bytes;                 /**< size of each master key; 0: not ready */
    uint64_t factors[2];                 /**< random: where the search for a device begins */
    uint8_t one[HANJI_MASTER_BYTES_MAX]; /**< the one key */
} hanji_master_keys;

/**
 * How much memory the table of `devices` master keys needs: about 48 bytes a device for keys of 16
 * bytes. 0 when it is more than a size can say, or the size of the keys is not taken.
 */
HANJI_API size_t hanji_master_keys_bytes(size_t devices, size_t master_bytes);
/**
 * Build the table: `masters` holds `count` keys of `master_bytes` bytes side by side, the
 * key of device devices[i] at place i. A multiple of 64 is the best address for `memory`. The table
 * refers to `memory` until hanji_master_keys_wipe().
 * HANJI_E_LENGTH for a size of keys out of bounds; HANJI_E_RANDOM without random bytes: a keyed
 * hash keeps anybody from choosing device numbers with slow searches; HANJI_E_ARGUMENT when the
 * memory is too small, or a device comes twice: *duplicate (may be NULL) is then the later of its
 * places, and `count` otherwise.
 */
HANJI_API HANJI_MUST_CHECK int hanji_master_keys_init(hanji_master_keys *keys, size_t *duplicate,
                                                      uint8_t *memory, size_t memory_bytes,
                                                      const uint32_t *devices,
                                                      const uint8_t *masters, size_t count,
                                                      size_t master_bytes);
/** One master key for all devices: for tests, or the keys of one device. Errors as above. */
HANJI_API HANJI_MUST_CHECK int hanji_master_keys_one(hanji_master_keys *keys, const uint8_t *master,
                                                     size_t master_bytes);
/** Overwrite the table and its memory. */
HANJI_API void hanji_master_keys_wipe(hanji_master_keys *keys);

/**
 * The size of the memory that a call works in. At the end, what the call wrote there of keys,
 * payloads and tags is wiped; public values, such as headers, stay.
 */
#define HANJI_TELEMETRY_SCRATCH_BYTES 393216

/** The arrays of hanji_telemetry_open(). */
typedef struct hanji_telemetry_opening {
    size_t frames;                 /**< n; 0 is allowed */
    const int64_t *offsets;        /**< n + 1, never decreasing, the first >= 0 */
    const uint8_t *input;          /**< the frames */
    const hanji_master_keys *keys; /**< the master keys */
    hanji_direction direction;     /**< who has sealed the frames */
    /**
     * n each; 0 for frames without a whole header. Unverified where the frame did not open.
     */
    uint32_t *device;
    uint32_t *epoch;          /**< see `device` */
    uint32_t *number;         /**< see `device` */
    uint8_t *payload;         /**< payloads side by side; nothing of frames left shut */
    size_t payload_bytes;     /**< room for payloads: at least offsets[n] - offsets[0] */
    int64_t *payload_offsets; /**< n + 1, written: the first is 0 */
    int8_t *status;           /**< n */
    uint8_t *scratch;         /**< HANJI_TELEMETRY_SCRATCH_BYTES bytes, of any alignment */
} hanji_telemetry_opening;

/** The arrays of hanji_telemetry_seal(). */
typedef struct hanji_telemetry_sealing {
    size_t frames;                  /**< n; 0 is allowed */
    const uint32_t *device;         /**< n */
    const uint32_t *epoch;          /**< n */
    const uint32_t *number;         /**< n; no (device, epoch, number) may ever come twice */
    const int64_t *payload_offsets; /**< n + 1, never decreasing, the first >= 0 */
    const uint8_t *payload;         /**< the payloads */
    const hanji_master_keys *keys;  /**< the master keys */
    hanji_direction direction;      /**< who seals the frames */
    int algorithm;                  /**< HANJI_FRAME_SCHWAEMM256_128, ... */
    uint8_t *output;                /**< frames side by side; nothing of failed ones */
    /** room for frames: at least payload_offsets[n] - payload_offsets[0] + 32 n */
    size_t output_bytes;
    int64_t *offsets; /**< n + 1, written: the first is 0 */
    int8_t *status;   /**< n */
    uint8_t *scratch; /**< HANJI_TELEMETRY_SCRATCH_BYTES bytes, of any alignment */
} hanji_telemetry_sealing;

/**
 * Open n frames. Returns the number of frames left shut, or a negative code when the call
 * as a whole is refused; nothing is then written. If others change the offsets during the call, it
 * returns HANJI_E_ARGUMENT, zeroes the payloads and sets every status to HANJI_E_ARGUMENT.
 * Replays are not looked for: (device, epoch, number) of opened frames tells them.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_telemetry_open(const hanji_telemetry_opening *call);
/**
 * Seal n payloads. Returns the number of unsealed frames, or a negative code when the
 * call as a whole is refused; nothing is then written.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_telemetry_seal(const hanji_telemetry_sealing *call);

#ifdef __cplusplus
}
#endif
#endif
