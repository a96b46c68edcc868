/* SPDX-License-Identifier: Apache-2.0 */
/* What storage.c uses of Zephyr's flash map, over the model: pages of 4 KiB, words of 4 bytes. */
#include <sys/types.h>

#include "model.h"

struct flash_area {
    uint8_t id;
};
#define FIXED_PARTITION_ID(label) FIXED_PARTITION_ID_##label
enum { FIXED_PARTITION_ID_storage_partition = 3 };

static inline int flash_area_open(uint8_t id, const struct flash_area **area)
{
    static const struct flash_area storage = {FIXED_PARTITION_ID_storage_partition};
    *area = &storage;
    return id == storage.id ? 0 : -2;
}

static inline void flash_area_close(const struct flash_area *area)
{
    (void)area;
}

static inline int flash_area_read(const struct flash_area *area, off_t at, void *to, size_t bytes)
{
    (void)area;
    return model_read(to, (size_t)at, bytes);
}

static inline int flash_area_erase(const struct flash_area *area, off_t at, size_t bytes)
{
    (void)area;
    return model_erase((size_t)at, bytes, 4096);
}

static inline int flash_area_write(const struct flash_area *area, off_t at, const void *from,
                                   size_t bytes)
{
    (void)area;
    return model_program((size_t)at, from, bytes, 4);
}
