/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions through which `hanji-lab sweep` measures a build of the library. It compiles
 * sweep_calls.c once for each of the two builds, with the headers of that build, and loads both
 * into one process. These declarations must therefore stay the same when the public interface of
 * the library changes.
 */
#ifndef HANJI_LAB_SWEEP_H
#define HANJI_LAB_SWEEP_H

#include <stddef.h>
#include <stdint.h>

/*
 * One call to measure. Both builds get the same buffers, so that neither has a warmer cache. The
 * buffers are aligned to 64 bytes and filled with the same bytes.
 */
typedef struct sweep_point {
    const char *algorithm, *operation; /* such as "speck-64/128" and "ctr, key in the call" */
    size_t bytes;                      /* of each message; 0 in a fleet: lengths differ */
    size_t messages;                   /* in a fleet; otherwise 1 */
    const int64_t *offsets;            /* messages + 1 */
    uint8_t *in, *out;                 /* all messages */
    uint8_t *keys, *nonces, *tags;     /* 64 bytes for each message */
    int8_t *status;                    /* 1 byte for each message */
} sweep_point;

/* Results of sweep_open. */
enum { SWEEP_READY = 0, SWEEP_UNKNOWN = 1, SWEEP_FAILED = 2 };

/* A control: sweep_run makes 10 % more calls where messages have this length. */
extern size_t sweep_planted;
/* How many calls sweep_run has made. */
extern unsigned long sweep_made;
/* Use only the kernels of a tier. 0 if this build and this machine have it. */
int sweep_force(const char *tier);
/* Size of a task in bytes; the caller allocates it. */
size_t sweep_task_bytes(void);
/* Prepare a task: find the functions, set the key. SWEEP_UNKNOWN if this build lacks the call. */
int sweep_open(void *task, const sweep_point *point);
/* Make `calls` calls. 0 if one of them failed. */
int sweep_run(void *task, unsigned long calls);

#endif
