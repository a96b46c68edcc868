/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Under qemu: the two slots in a file of the host, through semihosting (RISC-V Semihosting, version
 * 0.4; Arm's operation numbers). A slot is first overwritten with ff, as erasing does, and then
 * written byte by byte. The option cut=N ends the program after N bytes that went to storage, as a
 * loss of power would.
 */
#include "board.h"

enum {
    SYS_OPEN = 1,
    SYS_CLOSE = 2,
    SYS_WRITE = 5,
    SYS_READ = 6,
    SYS_SEEK = 0x0a,
    SYS_GET_CMDLINE = 0x15,
    SYS_EXIT_EXTENDED = 0x20
};
enum { READ_BINARY = 1, UPDATE_BINARY = 3, APPLICATION_EXIT = 0x20026, CUT = 77 };

static long semihosting(long operation, const void *arguments)
{
    register long a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = arguments;
    __asm__ volatile(".balign 16\n"
                     ".option push\n.option norvc\n"
                     "slli zero, zero, 0x1f\n"
                     "ebreak\n"
                     "srai zero, zero, 7\n"
                     ".option pop\n"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
}

_Noreturn void board_end(int code)
{
    const long arguments[2] = {APPLICATION_EXIT, code};
    semihosting(SYS_EXIT_EXTENDED, arguments);
    for (;;)
        ;
}

void board_wait(void)
{
}

uint32_t board_option(const char *name, uint32_t otherwise)
{
    static char line[128];
    long arguments[2] = {(long)line, sizeof line};
    if (semihosting(SYS_GET_CMDLINE, arguments) != 0)
        return otherwise;
    for (const char *p = line; *p != '\0'; p++) {
        const char *word = p, *n = name;
        while (*n != '\0' && *word == *n) {
            word++;
            n++;
        }
        if (*n == '\0' && *word == '=' && (p == line || p[-1] == ' ')) {
            uint32_t value = 0;
            for (word++; *word >= '0' && *word <= '9'; word++)
                value = (value << 3) + (value << 1) + (uint32_t)(*word - '0');
            return value;
        }
    }
    return otherwise;
}

static const char path[] = "epoch.bin";

/* A handle of the file at the place of a slot, or -1. */
static long open_at(unsigned slot, long mode)
{
    const long open[3] = {(long)path, mode, sizeof path - 1};
    const long file = semihosting(SYS_OPEN, open);
    const long seek[2] = {file, (long)(slot * EPOCH_RECORD_BYTES)};
    return file >= 0 && semihosting(SYS_SEEK, seek) == 0 ? file : -1;
}

static int file_read(unsigned slot, uint8_t record[EPOCH_RECORD_BYTES])
{
    const long file = open_at(slot, READ_BINARY);
    const long read[3] = {file, (long)record, EPOCH_RECORD_BYTES};
    const int failed = file < 0 || semihosting(SYS_READ, read) != 0;
    if (file >= 0)
        semihosting(SYS_CLOSE, &file);
    return failed;
}

static int put(long file, const uint8_t *byte)
{
    static uint32_t written;
    const long write[3] = {file, (long)byte, 1};
    if (written++ == board_option("cut", UINT32_MAX)) {
        semihosting(SYS_CLOSE, &file);
        board_end(CUT);
    }
    return semihosting(SYS_WRITE, write) != 0;
}

static int file_write(unsigned slot, const uint8_t record[EPOCH_RECORD_BYTES])
{
    static const uint8_t erased = 0xff;
    int failed = 0;
    for (int pass = 0; pass < 2; pass++) {
        const long file = open_at(slot, UPDATE_BINARY);
        if (file < 0)
            return 1;
        for (int i = 0; i < EPOCH_RECORD_BYTES; i++)
            failed |= put(file, pass == 0 ? &erased : record + i);
        semihosting(SYS_CLOSE, &file);
    }
    return failed;
}

const epoch_storage board_storage = {file_read, file_write};
