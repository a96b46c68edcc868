/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What storage.c uses of ESP-IDF's partitions, over the model: sectors of 4 KiB; the SPI flash
 * programs the bytes of a page together.
 */
#include <string.h>

#include "model.h"

typedef int esp_err_t;
#define ESP_OK 0
typedef enum { ESP_PARTITION_TYPE_APP = 0, ESP_PARTITION_TYPE_DATA = 1 } esp_partition_type_t;
typedef enum { ESP_PARTITION_SUBTYPE_ANY = 0xff } esp_partition_subtype_t;
typedef struct {
    const char *label;
} esp_partition_t;

static inline const esp_partition_t *esp_partition_find_first(esp_partition_type_t type,
                                                              esp_partition_subtype_t subtype,
                                                              const char *label)
{
    static const esp_partition_t epochs = {"epochs"};
    return (int)type == 0x40 && subtype == ESP_PARTITION_SUBTYPE_ANY &&
                   strcmp(label, epochs.label) == 0
               ? &epochs
               : NULL;
}

static inline esp_err_t esp_partition_read(const esp_partition_t *partition, size_t at, void *to,
                                           size_t bytes)
{
    (void)partition;
    return model_read(to, at, bytes);
}

static inline esp_err_t esp_partition_erase_range(const esp_partition_t *partition, size_t at,
                                                  size_t bytes)
{
    (void)partition;
    return model_erase(at, bytes, 4096);
}

static inline esp_err_t esp_partition_write(const esp_partition_t *partition, size_t at,
                                            const void *from, size_t bytes)
{
    (void)partition;
    return model_program(at, from, bytes, 16);
}
