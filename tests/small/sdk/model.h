/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Non-volatile memory on the host, whose power can be cut at every step. Erasing sets the bits of a
 * page, programming only clears bits of a word. A step that is cut leaves any of the bits that it
 * would have changed as they were.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { MODEL_BYTES = 8192 };

/* 0 when done, else an error: of the driver, or for what this memory cannot do. */
int model_erase(size_t at, size_t bytes, size_t page_bytes);
int model_program(size_t at, const void *data, size_t bytes, size_t word_bytes);
/* A byte of an EEPROM is erased and written in one step: cut, it may hold anything. */
void model_replace(size_t at, uint8_t byte);
int model_read(void *out, size_t at, size_t bytes);

#endif
