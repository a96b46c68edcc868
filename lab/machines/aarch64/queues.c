// SPDX-License-Identifier: Apache-2.0
// The model of the Cortex-A72 that pipeline.py describes: instructions go in order into short
// queues, and from each the oldest that is ready.
#include <stdint.h>
#include <stdlib.h>

enum { QUEUES = 8, ENTRIES = 64, NEEDS = 16, PARTS = 64 };
// The queues: two for integers, one for shifts, two for vectors, loads, branches, stores; and which
// of them each kind of pipe may use.
static const int32_t kinds[][2] = {{0, 1}, {2, 2}, {3, 4}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}};

typedef struct {
    int64_t index;
    int64_t needs[NEEDS];
    int32_t count, latency;
} entry;

typedef struct {
    entry held[ENTRIES];
    int32_t length;
} queue;

// How many operands, registers or pipes each operation has stands in `counts`, three for each:
// pipes, registers read, registers written. The numbers themselves follow each other in `values`.
typedef struct {
    int64_t operations;
    const int32_t *counts, *values, *latencies;
    int32_t registers, width, entries, vector_entries, window;
} machine;

static int32_t least(const queue *queues, const int32_t *added, int32_t kind)
{
    const int32_t one = kinds[kind][0], other = kinds[kind][1];
    return queues[other].length + added[other] < queues[one].length + added[one] ? other : one;
}

// The first operand of an entry whose result is not there in this cycle keeps it back.
static int ready(const entry *e, const int64_t *ready_at, int64_t cycle)
{
    for (int32_t i = 0; i < e->count; i++)
        if (ready_at[e->needs[i]] < 0 || ready_at[e->needs[i]] > cycle)
            return 0;
    return 1;
}

// Cycles until `repeats` passes are complete; negative: -1 no memory, -2 an operation with more
// operands or parts than there is room for, -3 a queue longer than there is room for, -4 a wrong
// number.
int64_t simulate(const machine *m, int64_t repeats)
{
    if (m->entries > ENTRIES || m->vector_entries > ENTRIES || m->entries < 1 ||
        m->vector_entries < 1)
        return -3;
    const int64_t total = m->operations * repeats;
    int64_t *ready_at = malloc(sizeof(int64_t) * (size_t)(total + 1));
    int32_t *left = malloc(sizeof(int32_t) * (size_t)(total + 1));
    int64_t *start = malloc(sizeof(int64_t) * (size_t)(m->operations + 1));
    int64_t *writer = malloc(sizeof(int64_t) * (size_t)(m->registers + 1));
    queue *queues = calloc(QUEUES, sizeof(queue));
    int64_t result = -1;
    if (!ready_at || !left || !start || !writer || !queues)
        goto done;
    start[0] = 0;
    for (int64_t i = 0; i < m->operations; i++) {
        const int32_t *c = m->counts + 3 * i;
        result = c[0] > PARTS || c[1] > NEEDS ? -2 : -4;
        if (result == -2)
            goto done;
        start[i + 1] = start[i] + c[0] + c[1] + c[2];
        for (int64_t v = start[i]; v < start[i + 1]; v++)
            if (m->values[v] < 0 ||
                m->values[v] >= (v < start[i] + c[0] ? (int32_t)(sizeof kinds / sizeof kinds[0])
                                                     : m->registers))
                goto done;
    }
    for (int32_t i = 0; i < m->registers; i++)
        writer[i] = -1;
    int64_t taken = 0, retired = 0, cycle = 0;
    for (; retired < total; cycle++) {
        while (retired < taken && ready_at[retired] >= 0 && ready_at[retired] <= cycle)
            retired++;
        for (int32_t q = 0; q < QUEUES; q++)
            for (int32_t place = 0; place < queues[q].length; place++) {
                entry *e = &queues[q].held[place];
                if (!ready(e, ready_at, cycle))
                    continue;
                if (--left[e->index] == 0)
                    ready_at[e->index] = cycle + e->latency;
                queues[q].length--;
                for (int32_t after = place; after < queues[q].length; after++)
                    queues[q].held[after] = queues[q].held[after + 1];
                break;
            }
        for (int32_t slot = 0; slot < m->width && taken < total && taken - retired < m->window;
             slot++) {
            const int64_t at = taken % m->operations;
            const int32_t *c = m->counts + 3 * at, *pipes = m->values + start[at],
                          *reads = pipes + c[0], *writes = reads + c[1];
            int32_t chosen[PARTS], added[QUEUES] = {0}, full = 0;
            for (int32_t i = 0; i < c[0] && !full; i++) {
                chosen[i] = least(queues, added, pipes[i]);
                const int32_t room =
                    chosen[i] == 3 || chosen[i] == 4 ? m->vector_entries : m->entries;
                /* A division has more parts than a queue has places: an empty one takes it. */
                full = queues[chosen[i]].length != 0 &&
                       queues[chosen[i]].length + added[chosen[i]] >= room;
                added[chosen[i]]++;
            }
            if (full)
                break;
            entry e = {.index = taken, .latency = m->latencies[at]};
            for (int32_t i = 0; i < c[1]; i++)
                if (writer[reads[i]] >= 0)
                    e.needs[e.count++] = writer[reads[i]];
            left[taken] = c[0];
            ready_at[taken] = c[0] == 0 ? cycle : -1;
            for (int32_t i = 0; i < c[0]; i++)
                queues[chosen[i]].held[queues[chosen[i]].length++] = e;
            for (int32_t i = 0; i < c[2]; i++)
                writer[writes[i]] = taken;
            taken++;
        }
    }
    result = cycle;
done:
    free(ready_at);
    free(left);
    free(start);
    free(writer);
    free(queues);
    return result;
}
