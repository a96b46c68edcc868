/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of optimisation at which the library erases its stack. */
#ifndef HANJI_SUPPORT_LEVEL_H
#define HANJI_SUPPORT_LEVEL_H

/*
 * Without optimisation every variable has a place on the stack, and frames reach deeper than the
 * wiping behind a call: words of keys would stay there.
 */
#if !defined(__OPTIMIZE__) && !defined(HANJI_ALLOW_O0)
#error "hanji at -O0 leaves keys on the stack: use -O1 or -Os, or with test keys -DHANJI_ALLOW_O0"
#endif

#endif
