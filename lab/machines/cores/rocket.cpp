// SPDX-License-Identifier: Apache-2.0
// Rocket (RV64, 16 KiB caches) on AXI: RAM at 0x80000000, and on the bus for devices a boot ROM at
// 0x10000000 and the console at 0x20000000. A page table in the last page of RAM shows physical
// 0x80000000 at 0x40000000 and the devices at their own addresses, so that a program for RV32 whose
// registers are sign-extended to 64 bits finds everything below 2 GiB (rewrite.py says why).
#include <deque>

#include "Vtop.h"
#include "soc.h"

namespace
{

constexpr uint32_t ram = 0x80000000, devices = 0x20000000, rom_base = 0x10000000;
constexpr uint32_t page_table = ram + Soc::ram_bytes - 4096;

uint8_t rom[4096];

uint64_t read64(Soc &soc, uint32_t address)
{
    address &= ~7u;
    if (address - rom_base < sizeof rom) {
        uint64_t data;
        std::memcpy(&data, rom + (address - rom_base), 8);
        return data;
    }
    return soc.read(address) | static_cast<uint64_t>(soc.read(address + 4)) << 32;
}

void write64(Soc &soc, uint32_t address, uint64_t data, unsigned strobe)
{
    address &= ~7u;
    if (strobe & 15)
        soc.write(address, static_cast<uint32_t>(data), strobe & 15);
    if (strobe >> 4)
        soc.write(address + 4, static_cast<uint32_t>(data >> 32), strobe >> 4);
}

struct Read {
    int id, beats_left, bytes;
    uint32_t address;
};

// One AXI port: reads answered in order, one write at a time.
struct Port {
    std::deque<Read> reads;
    std::deque<int> responses;
    bool writing = false;
    int id = 0, bytes = 0;
    uint32_t address = 0;
};

} // namespace

// The two ports have the same signals under different names.
#define DRIVE(port, bus)                                        \
    do {                                                        \
        core.bus##_ar_ready = 1;                                \
        core.bus##_aw_ready = !port.writing;                    \
        core.bus##_w_ready = port.writing;                      \
        core.bus##_r_valid = !port.reads.empty();               \
        if (!port.reads.empty()) {                              \
            const Read &read = port.reads.front();              \
            core.bus##_r_bits_id = read.id;                     \
            core.bus##_r_bits_data = read64(soc, read.address); \
            core.bus##_r_bits_resp = 0;                         \
            core.bus##_r_bits_last = read.beats_left == 0;      \
        }                                                       \
        core.bus##_b_valid = !port.responses.empty();           \
        if (!port.responses.empty()) {                          \
            core.bus##_b_bits_id = port.responses.front();      \
            core.bus##_b_bits_resp = 0;                         \
        }                                                       \
    } while (0)

#define ACCEPT(port, bus)                                                               \
    do {                                                                                \
        if (core.bus##_r_valid && core.bus##_r_ready) {                                 \
            Read &read = port.reads.front();                                            \
            read.address += static_cast<uint32_t>(read.bytes);                          \
            if (read.beats_left-- == 0)                                                 \
                port.reads.pop_front();                                                 \
        }                                                                               \
        if (core.bus##_b_valid && core.bus##_b_ready)                                   \
            port.responses.pop_front();                                                 \
        if (core.bus##_w_ready && core.bus##_w_valid) {                                 \
            write64(soc, port.address, core.bus##_w_bits_data, core.bus##_w_bits_strb); \
            port.address += static_cast<uint32_t>(port.bytes);                          \
            if (core.bus##_w_bits_last) {                                               \
                port.writing = false;                                                   \
                port.responses.push_back(port.id);                                      \
            }                                                                           \
        } else if (core.bus##_aw_ready && core.bus##_aw_valid) {                        \
            port.writing = true;                                                        \
            port.address = static_cast<uint32_t>(core.bus##_aw_bits_addr);              \
            port.id = core.bus##_aw_bits_id;                                            \
            port.bytes = 1 << core.bus##_aw_bits_size;                                  \
        }                                                                               \
        if (core.bus##_ar_valid)                                                        \
            port.reads.push_back({core.bus##_ar_bits_id, core.bus##_ar_bits_len,        \
                                  1 << core.bus##_ar_bits_size,                         \
                                  static_cast<uint32_t>(core.bus##_ar_bits_addr)});     \
    } while (0)

int main(int argc, char **argv)
{
    if (argc != 3)
        return Soc::bad_image;
    static Soc soc(argv[1], ram, devices);
    FILE *boot = std::fopen(argv[2], "rb");
    if (!boot || std::fread(rom, 1, sizeof rom, boot) == 0)
        return Soc::bad_image;
    std::fclose(boot);
    // Sv39 (RISC-V Privileged Architecture 1.12, section 4.4): giga-pages, valid, all access,
    // accessed and dirty.
    constexpr uint32_t leaf = 0xcf;
    soc.write(page_table + 0, leaf, 15);
    soc.write(page_table + 8, (ram >> 12 << 10) | leaf, 15);

    static Vtop core;
    Port memory, device;
    while (!soc.done()) {
        const bool reset = soc.in_reset();
        core.reset = core.resetctrl_hartIsInReset_0 = core.debug_reset =
            core.debug_clockeddmi_dmiReset = reset;
        core.clock = core.debug_clock = core.debug_clockeddmi_dmiClock = 0;
        core.interrupts = 0;
        core.debug_dmactiveAck = 0;
        if (!reset) {
            DRIVE(memory, mem_axi4_0);
            DRIVE(device, mmio_axi4_0);
        }
        core.eval();
        if (!reset) {
            ACCEPT(memory, mem_axi4_0);
            ACCEPT(device, mmio_axi4_0);
        }
        core.clock = core.debug_clock = core.debug_clockeddmi_dmiClock = 1;
        core.eval();
        soc.cycle();
    }
    std::fflush(stdout);
    return soc.status();
}
