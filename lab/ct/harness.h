/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the constant-time checks have in common: marking secrets, releasing what the world may know,
 * and counting what memcheck finds.
 *
 * A secret is memory that memcheck takes for undefined. It then reports every conditional jump and
 * every address that depends on it. Where everything is done several times instead, secrets have
 * other values each time, and nothing else may change.
 */
#ifndef HANJI_LAB_CT_HARNESS_H
#define HANJI_LAB_CT_HARNESS_H

#include <stddef.h>
#include <stdint.h>

/* From here on these bytes are secret; where secrets vary, they change. */
void secret(void *memory, size_t bytes);
/*
 * The number of the turn, from 1, where secrets have other values each time, so that nothing makes
 * one public again; else 0.
 */
uint32_t secret_turn(void);
/* From here on these bytes are public; the reason says why they may be. */
void released(const void *memory, size_t bytes, const char *reason);

/*
 * The same, of what decides where the program goes next, as the challenge of a signature does: then
 * paths differ, and traces are not compared.
 */
void steers(const void *memory, size_t bytes, const char *reason);

/*
 * Everything between begin and end is one check of `subject`; the errors in between are its errors.
 */
void begin(const char *group, const char *subject, const char *secrets);
void end(void);

/* Stop with a message unless this holds: then the check did not test what it says. */
void expect(int holds, const char *what);

/* Checks that must find an error and checks that must not, whatever the library does. */
void run_controls(void);
/* Every kind of planted leak in front of real kernels (plants.c). */
void run_plants(void);

#endif
