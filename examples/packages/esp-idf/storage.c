/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two slots of epoch.h on an ESP32-DevKitC: the two sectors of 4 KiB of the partition "epochs",
 * which partitions.csv makes.
 */
#include "readings.h"
#include "sdkconfig.h"

#ifdef CONFIG_IDF_TARGET_ESP32

#include "esp_partition.h"

enum { SECTOR_BYTES = 4096, EPOCHS_TYPE = 0x40 };

static const esp_partition_t *epochs(void)
{
    return esp_partition_find_first((esp_partition_type_t)EPOCHS_TYPE, ESP_PARTITION_SUBTYPE_ANY,
                                    "epochs");
}

static int read_slot(unsigned slot, uint8_t record[EPOCH_RECORD_BYTES])
{
    const esp_partition_t *partition = epochs();
    return partition == NULL ||
           esp_partition_read(partition, slot * SECTOR_BYTES, record, EPOCH_RECORD_BYTES) != ESP_OK;
}

static int write_slot(unsigned slot, const uint8_t record[EPOCH_RECORD_BYTES])
{
    const esp_partition_t *partition = epochs();
    const size_t at = slot * SECTOR_BYTES;
    return partition == NULL || esp_partition_erase_range(partition, at, SECTOR_BYTES) != ESP_OK ||
           esp_partition_write(partition, at, record, EPOCH_RECORD_BYTES) != ESP_OK;
}

const epoch_storage board_storage = {read_slot, write_slot};

#else
#error \
    "storage.c is for the ESP32-DevKitC: write read_slot() and write_slot() for this board, two \
records of 16 bytes in erase units of their own, as epoch.h says"
#endif
