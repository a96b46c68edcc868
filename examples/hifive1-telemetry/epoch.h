/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Epoch keys: how a device that has no random generator, and may lose its power at any time, never
 * uses a nonce twice under a key.
 *
 * A key lives for one epoch, and the nonce is the number of the message in it. The epoch is in
 * storage and grows there before its first use: at every start, and when its messages are used up.
 * The number of the message needs no storage. docs/telemetry.md has the format. It needs hanji.h
 * and nothing else.
 */
#ifndef EPOCH_H
#define EPOCH_H

#include "hanji.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EPOCH_RECORD_BYTES 16     /* what a slot holds */
#define EPOCH_LAST UINT32_MAX     /* never reached: at one start a second it takes 136 years */
#define EPOCH_MASTER_BYTES_MIN 16 /* of a master key */
#define EPOCH_MASTER_BYTES_MAX 64

/* Besides HANJI_OK and the codes of hanji. */
#define EPOCH_E_STORAGE \
    (-100) /* storage could not be read or written, or does not hold what was written */
#define EPOCH_E_DAMAGED \
    (-101) /* neither slot holds an epoch, though one did: nothing says which nonces were used */

/*
 * Two slots that keep a record each without power, in erase units of their own. Both functions
 * return 0 when all went well. A slot that was never written reads as bytes ff. A slot whose
 * writing was cut off may read as anything: where the memory reports an error then, because its
 * error correction fails, `read` fills the record with zeros and returns 0. It returns another
 * number only when the memory does not answer, because the device must stop then.
 */
typedef struct epoch_storage {
    int (*read)(unsigned slot, uint8_t record[EPOCH_RECORD_BYTES]);
    int (*write)(unsigned slot, const uint8_t record[EPOCH_RECORD_BYTES]);
} epoch_storage;

typedef struct epoch_state {
    const epoch_storage *storage;
    uint32_t epoch;
    uint32_t used;  /* messages of this epoch */
    uint32_t limit; /* messages per epoch */
    unsigned slot;  /* where this epoch is stored; the next goes to the other */
} epoch_state;

/*
 * Read the last epoch and store the next: HANJI_OK when `state` may be used. HANJI_E_LIMIT after
 * EPOCH_LAST.
 */
HANJI_MUST_CHECK int epoch_start(epoch_state *state, const epoch_storage *storage,
                                 uint32_t messages_per_epoch);

/*
 * The number of the next message in `*number`. When those of the epoch are used up the next epoch
 * is stored and begun first; `*fresh` is then 1, and the keys are to be made anew. On an error no
 * number is given, nor later: the state is spent.
 */
HANJI_MUST_CHECK int epoch_next(uint32_t *number, int *fresh, epoch_state *state);

/*
 * The key of a device in an epoch: XOESCH256 over the master key, a label that says what the key is
 * for, the epoch and the device. The device keeps keys and nonces apart where two devices have one
 * master key by mistake; it does not help when one of them is read out. A master key has
 * EPOCH_MASTER_BYTES_MIN to EPOCH_MASTER_BYTES_MAX bytes; any other size is HANJI_E_LENGTH. On an
 * error `key` is zeroed.
 */
HANJI_MUST_CHECK int epoch_key(uint8_t *key, size_t key_bytes, const uint8_t *master,
                               size_t master_bytes, const char *label, uint32_t device,
                               uint32_t epoch);

#ifdef __cplusplus
}
#endif
#endif
