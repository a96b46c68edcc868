/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin of qemu-user that watches marked regions of a program: how often each instruction ran,
 * which way the program counter went, and which addresses were read and written. __init__.py
 * compiles it and reads what it writes.
 *
 * A region lies between two instructions that do nothing on the machine and that mark.h makes:
 * "begin" and "end". They are not counted.
 *
 * Arguments: out=FILE, mode=count (fast) or mode=trace (also hashes of the path and of the
 * addresses), detail=no (one line per region), detail=yes, or detail=order (of a trace: every
 * instruction as it ran, too). Output: "ran PC" in order, then "region INSTRUCTIONS PATH
 * ADDRESSES", then "at PC TIMES ADDRESSES TEXT" for each instruction that ran in it.
 *
 * The declarations below are those of version 1 of qemu's plugin interface, which qemu 4.2 to 8.2
 * offer; Debian has no package with its header. One thread: counters of a guest with several would
 * miss increments.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
typedef struct {
    const char *target_name;
    struct {
        int min, cur;
    } version;
    bool system_emulation;
} plugin_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void translated_fn(plugin_id id, struct qemu_plugin_tb *tb);
typedef void executed_fn(unsigned vcpu, void *data);
typedef void accessed_fn(unsigned vcpu, uint32_t info, uint64_t address, void *data);
typedef void exited_fn(plugin_id id, void *data);

enum { INLINE_ADD_U64 = 0, NO_REGISTERS = 0, READS_AND_WRITES = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, translated_fn *callback);
void qemu_plugin_register_atexit_cb(plugin_id id, exited_fn *callback, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int operation,
                                                void *counter, uint64_t amount);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, executed_fn *callback,
                                            int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, accessed_fn *callback,
                                      int flags, int direction, void *data);
bool qemu_plugin_mem_is_store(uint32_t info);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const plugin_info *info, int argc, char **argv);

/* One instruction of the program. */
typedef struct {
    uint64_t pc, times, before; /* before: times at the last begin */
    uint64_t addresses;         /* hash of what it accessed since then */
    char *text;
} site;

/* Instructions that run one after the other: of a translated block, the part between marks. */
typedef struct {
    uint64_t pc, instructions;
} stretch;

static site **sites; /* open addressing by pc */
static size_t capacity, used;
static uint32_t begin_mark, end_mark;
static bool traces, details = true, ordered, inside;
static uint64_t path, addresses, ran;
static FILE *out;

static void stop(const char *why)
{
    fprintf(stderr, "hanji-lab plugin: %s\n", why);
    exit(70);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u; /* 2^64 over the golden ratio */
    return hash ^ hash >> 29;
}

static site **slot(site **table, size_t size, uint64_t pc)
{
    size_t i = mix(0, pc) & (size - 1);
    while (table[i] && table[i]->pc != pc)
        i = (i + 1) & (size - 1);
    return &table[i];
}

static site *site_of(const struct qemu_plugin_insn *insn)
{
    const uint64_t pc = qemu_plugin_insn_vaddr(insn);
    if (2 * used >= capacity) {
        const size_t size = capacity ? 2 * capacity : 1 << 14;
        site **table = calloc(size, sizeof *table);
        if (!table)
            stop("out of memory");
        for (size_t i = 0; i < capacity; i++)
            if (sites[i])
                *slot(table, size, sites[i]->pc) = sites[i];
        free(sites);
        sites = table;
        capacity = size;
    }
    site **place = slot(sites, capacity, pc);
    if (!*place) {
        *place = calloc(1, sizeof **place);
        if (!*place)
            stop("out of memory");
        (*place)->pc = pc;
        (*place)->text = qemu_plugin_insn_disas(insn);
        used++;
    }
    return *place;
}

static void begin(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    if (inside)
        stop("a region begins inside a region");
    inside = true;
    path = addresses = ran = 0;
    for (size_t i = 0; i < capacity; i++)
        if (sites[i]) {
            sites[i]->before = sites[i]->times;
            sites[i]->addresses = 0;
        }
}

static void end(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    if (!inside)
        stop("a region ends that did not begin");
    inside = false;
    uint64_t total = ran;
    for (size_t i = 0; i < capacity; i++)
        if (sites[i])
            total += sites[i]->times - sites[i]->before;
    fprintf(out, "region %llu %016llx %016llx\n", (unsigned long long)total,
            (unsigned long long)path, (unsigned long long)addresses);
    for (size_t i = 0; details && i < capacity; i++)
        if (sites[i] && sites[i]->times != sites[i]->before)
            fprintf(out, "at %llx %llu %016llx %s\n", (unsigned long long)sites[i]->pc,
                    (unsigned long long)(sites[i]->times - sites[i]->before),
                    (unsigned long long)sites[i]->addresses, sites[i]->text ? sites[i]->text : "?");
}

static void executed(unsigned vcpu, void *data)
{
    (void)vcpu;
    if (inside) {
        site *here = data;
        here->times++;
        path = mix(path, here->pc);
        if (ordered)
            fprintf(out, "ran %llx\n", (unsigned long long)here->pc);
    }
}

static void accessed(unsigned vcpu, uint32_t info, uint64_t address, void *data)
{
    (void)vcpu;
    if (inside) {
        site *here = data;
        here->addresses = mix(here->addresses, address);
        addresses = mix(addresses, 2 * address + qemu_plugin_mem_is_store(info));
    }
}

/*
 * Without details a trace needs one call for each stretch instead of one for each instruction. The
 * stretches that run follow from the path, and the path from the stretches, because qemu ends a
 * translated block at every branch and begins the next one where the branch goes.
 */
static void stretch_executed(unsigned vcpu, void *data)
{
    (void)vcpu;
    if (inside) {
        const stretch *here = data;
        ran += here->instructions;
        path = mix(path, here->pc);
    }
}

static void stretch_accessed(unsigned vcpu, uint32_t info, uint64_t address, void *data)
{
    (void)vcpu;
    (void)data;
    if (inside)
        addresses = mix(addresses, 2 * address + qemu_plugin_mem_is_store(info));
}

static stretch *begin_stretch(struct qemu_plugin_insn *insn)
{
    stretch *here = calloc(1, sizeof *here);
    if (!here)
        stop("out of memory");
    here->pc = qemu_plugin_insn_vaddr(insn);
    qemu_plugin_register_vcpu_insn_exec_cb(insn, stretch_executed, NO_REGISTERS, here);
    return here;
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    (void)id;
    stretch *here = NULL;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint32_t word = 0;
        if (qemu_plugin_insn_size(insn) == sizeof word)
            memcpy(&word, qemu_plugin_insn_data(insn), sizeof word);
        if (word == begin_mark || word == end_mark) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, word == begin_mark ? begin : end,
                                                   NO_REGISTERS, NULL);
            here = NULL;
        } else if (traces && !details) {
            if (!here)
                here = begin_stretch(insn);
            here->instructions++;
            qemu_plugin_register_vcpu_mem_cb(insn, stretch_accessed, NO_REGISTERS, READS_AND_WRITES,
                                             NULL);
        } else if (traces) {
            site *one = site_of(insn);
            qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, NO_REGISTERS, one);
            qemu_plugin_register_vcpu_mem_cb(insn, accessed, NO_REGISTERS, READS_AND_WRITES, one);
        } else
            qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &site_of(insn)->times,
                                                       1);
    }
}

static void finished(plugin_id id, void *data)
{
    (void)id;
    (void)data;
    fputs(inside ? "open\n" : "done\n", out);
    fclose(out);
}

int qemu_plugin_install(plugin_id id, const plugin_info *info, int argc, char **argv)
{
    if (info->version.min > 1 || info->version.cur < 1)
        stop("this qemu does not offer version 1 of the plugin interface");
    if (strcmp(info->target_name, "aarch64") == 0) {
        begin_mark = 0x5289083F; /* movz wzr, #0x4841 */
        end_mark = 0x5289085F;   /* movz wzr, #0x4842 */
    } else if (strcmp(info->target_name, "riscv32") == 0) {
        begin_mark = 0x4A102013; /* slti zero, zero, 0x4a1: a hint that is free for custom use */
        end_mark = 0x4A202013;
    } else
        stop("marks are known for aarch64 and riscv32 only");
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], "out=", 4) == 0)
            out = fopen(argv[i] + 4, "w");
        else if (strcmp(argv[i], "mode=trace") == 0)
            traces = true;
        else if (strcmp(argv[i], "detail=no") == 0)
            details = false;
        else if (strcmp(argv[i], "detail=order") == 0)
            ordered = true;
        else if (strcmp(argv[i], "mode=count") != 0 && strcmp(argv[i], "detail=yes") != 0)
            stop("unknown argument");
    if (!out)
        stop("out=FILE is missing or cannot be written");
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
