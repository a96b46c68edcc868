/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two slots of epoch.h on an nRF52840 DK: the first two pages of storage_partition, 4 KiB each.
 * native_sim has a partition of this name in its simulated flash.
 */
#include "readings.h"

#if defined(CONFIG_BOARD_NRF52840DK_NRF52840) || defined(CONFIG_BOARD_NATIVE_SIM)

#include <zephyr/storage/flash_map.h>

enum { PAGE_BYTES = 4096 };

static int read_slot(unsigned slot, uint8_t record[EPOCH_RECORD_BYTES])
{
    const struct flash_area *area;
    if (flash_area_open(FIXED_PARTITION_ID(storage_partition), &area) != 0)
        return 1;
    const int rc = flash_area_read(area, (off_t)slot * PAGE_BYTES, record, EPOCH_RECORD_BYTES);
    flash_area_close(area);
    return rc != 0;
}

static int write_slot(unsigned slot, const uint8_t record[EPOCH_RECORD_BYTES])
{
    const struct flash_area *area;
    const off_t at = (off_t)slot * PAGE_BYTES;
    if (flash_area_open(FIXED_PARTITION_ID(storage_partition), &area) != 0)
        return 1;
    int rc = flash_area_erase(area, at, PAGE_BYTES);
    if (rc == 0)
        rc = flash_area_write(area, at, record, EPOCH_RECORD_BYTES);
    flash_area_close(area);
    return rc != 0;
}

const epoch_storage board_storage = {read_slot, write_slot};

#else
#error "storage.c is for the nRF52840 DK and native_sim: write read_slot() and write_slot() for \
this board, two records of 16 bytes in erase units of their own, as epoch.h says"
#endif
