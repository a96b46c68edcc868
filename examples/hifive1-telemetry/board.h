/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the application needs of the machine: a console, time, storage, and how it ends. Addresses:
 * SiFive, FE310-G002 Manual v1p5.
 */
#ifndef BOARD_H
#define BOARD_H

#include "epoch.h"

void board_start(void);
void board_print(const char *text);
uint32_t board_stack_used(void); /* bytes, since the start */
void board_wait(void);           /* until the next reading */
_Noreturn void board_end(int code);

/* Options of this run, for tests; on the board there are none and `otherwise` is returned. */
uint32_t board_option(const char *name, uint32_t otherwise);

extern const epoch_storage board_storage;

#endif
