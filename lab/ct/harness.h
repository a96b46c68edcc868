/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the constant-time checks have in common: marking secrets, releasing what the world may know, and counting what memcheck finds.
 *
 * A secret is memory that memcheck takes for undefined. It then reports every conditional jump and every address that depends on it.
 */
#ifndef HANJI_LAB_CT_HARNESS_H
#define HANJI_LAB_CT_HARNESS_H

#include <stddef.h>
#include <stdint.h>

/* From here on these bytes are secret. */
void secret(const void *memory, size_t bytes);
/* From here on these bytes are public; the reason says why they may be. */
void released(const void *memory, size_t bytes, const char *reason);

/* Everything between begin and end is one check of `subject`; the errors in between are its errors. */
void begin(const char *group, const char *subject, const char *secrets);
void end(void);

/* Stop with a message unless this holds: then the check did not test what it says. */
void expect(int holds, const char *what);

/* Checks that must find an error and checks that must not, whatever the library does. */
void run_controls(void);

#endif
