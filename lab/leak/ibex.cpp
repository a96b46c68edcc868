// SPDX-License-Identifier: Apache-2.0
// Ibex with the toggles of all nets: runs a program once for every trace of a batch, and adds up
// the toggles and their squares for each cycle, net and class.
//
//     simulator --nets                 one line for each name of a net: code, bits, name
//     simulator PROGRAM BATCH RESULT   files; lab/leak/rtl.py writes BATCH and reads RESULT
//
// The program waits in a loop. A store to `begin` starts a trace and a store to `end` ends it; the
// bench writes the buffers of the next trace while the core is between the two. Inputs of the core
// change behind the clock edge and before the nets are looked at: an input that changed later would
// meet the registers of the next cycle for one look, which no settled cycle has.
#include "Vtop.h"
#include "verilated_vcd_c.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace
{

const uint32_t BASE = 0x40000000, RAM_BYTES = 1 << 20;
const uint32_t BEGIN = 0xf0000010, END = 0xf0000014;
const uint32_t CYCLES_MOST = 1 << 18; // of one trace
const uint32_t MAGIC = 0x6b61656c;
enum {
    GOOD = 0,
    BAD_FILE = 98,
    BAD_ADDRESS = 100,
    NO_END = 102,
    OTHER_PATH = 103,
    BAD_STORE = 104
};

struct Sums {
    uint32_t sum, squares; // 32 bits are enough: rtl.py bounds the traces of a batch
};

struct Total {
    uint64_t sum, squares;
};

struct Region {
    uint32_t address, bytes, written;

    bool holds(uint32_t byte) const
    {
        return byte - address < bytes;
    }
};

std::vector<uint32_t> ram(RAM_BYTES / 4);

std::vector<uint8_t> contents(const char *path)
{
    std::vector<uint8_t> held;
    if (FILE *file = std::fopen(path, "rb")) {
        uint8_t piece[65536];
        size_t n;
        while ((n = std::fread(piece, 1, sizeof piece, file)) > 0)
            held.insert(held.end(), piece, piece + n);
        std::fclose(file);
    }
    return held;
}

bool inside(uint32_t address)
{
    return address - BASE < RAM_BYTES;
}

uint8_t *bytes_at(uint32_t address)
{
    return reinterpret_cast<uint8_t *>(ram.data()) + (address - BASE);
}

int list_nets(const VerilatedVcd &trace)
{
    for (const VerilatedVcd::Net &net : trace.nets)
        std::printf("%u %u %s\n", net.code, net.bits, net.name.c_str());
    return GOOD;
}

template <typename Type> bool put(FILE *file, const Type *data, size_t count)
{
    return std::fwrite(data, sizeof(Type), count, file) == count;
}

} // namespace

int main(int argc, char **argv)
{
    Verilated::traceEverOn(true);
    static Vtop core;
    static VerilatedVcdC writer;
    core.trace(&writer, 99);
    VerilatedVcd &trace = *writer.spTrace();
    trace.open();
    if (argc == 2 && !std::strcmp(argv[1], "--nets"))
        return list_nets(trace);
    if (argc != 4)
        return BAD_FILE;

    const std::vector<uint8_t> program = contents(argv[1]), batch = contents(argv[2]);
    if (program.empty() || program.size() > RAM_BYTES || batch.size() < 24)
        return BAD_FILE;
    std::memcpy(ram.data(), program.data(), program.size());
    // Magic, traces, regions, code of the net that holds the program counter, first byte and size of
    // the stack.
    uint32_t head[6];
    std::memcpy(head, batch.data(), sizeof head);
    const uint32_t traces = head[1], codes = static_cast<uint32_t>(trace.buffer.old.size());
    if (head[0] != MAGIC || !traces || head[3] >= codes)
        return BAD_FILE;
    const Region stack = {head[4], head[5], 1};
    size_t at = sizeof head;
    std::vector<Region> regions(head[2]);
    if (batch.size() < at + regions.size() * sizeof(Region))
        return BAD_FILE;
    std::memcpy(regions.data(), batch.data() + at, regions.size() * sizeof(Region));
    at += regions.size() * sizeof(Region);
    size_t each = 4; // the class, then the contents of the buffers
    for (const Region &region : regions) {
        if (!inside(region.address) || !inside(region.address + region.bytes - 1))
            return BAD_FILE;
        each += region.bytes;
    }
    if (batch.size() != at + each * traces)
        return BAD_FILE;

    // Trace -1 brings caches and registers into the state of all others, and is not counted.
    long now = -1;
    uint32_t kind = 0;
    auto load = [&]() {
        const uint8_t *from =
            now < 0 ? nullptr : batch.data() + at + each * static_cast<size_t>(now);
        kind = now < 0 ? 0 : from[0] & 1;
        size_t place = 4;
        for (const Region &region : regions) {
            if (from)
                std::memcpy(bytes_at(region.address), from + place, region.bytes);
            else
                std::memset(bytes_at(region.address), 0, region.bytes);
            place += region.bytes;
        }
    };
    load();

    std::vector<Sums> sums[2];
    std::vector<Total> totals[2];
    std::vector<uint32_t> path, counters;
    std::vector<uint8_t> results;
    uint32_t made[2] = {0, 0};
    bool running = false, instruction_valid = false, data_valid = false;
    uint32_t instruction = 0, data = 0, idle = 0;
    for (uint64_t cycle = 0; now < static_cast<long>(traces); cycle++) {
        const bool reset = cycle < 40;
        core.rst_n = !reset;
        core.clk = 0;
        core.eval();
        core.clk = 1;
        core.eval();
        core.instr_rvalid = instruction_valid;
        core.instr_rdata = instruction;
        core.data_rvalid = data_valid;
        core.data_rdata = data;
        core.eval();
        trace.cycle();
        if (running) {
            const size_t i = counters.size();
            counters.push_back(trace.buffer.old[head[3]]);
            if (now < 0) {
                if (i >= CYCLES_MOST)
                    return NO_END;
            } else if (i >= path.size() || path[i] != counters[i]) {
                std::printf("%ld %zu %u\n", now, i, counters[i]);
                return OTHER_PATH;
            } else {
                Sums *row = sums[kind].data() + i * codes;
                for (uint32_t k = 0; k < trace.buffer.count; k++) {
                    const VerilatedVcd::Event event = trace.buffer.events[k];
                    row[event.code].sum += event.toggles;
                    row[event.code].squares += event.toggles * event.toggles;
                }
                const uint64_t all = trace.buffer.total;
                totals[kind][i].sum += all;
                totals[kind][i].squares += all * all;
            }
        } else if (++idle > CYCLES_MOST) {
            return NO_END;
        }
        instruction_valid = data_valid = false;
        if (reset)
            continue;
        if (core.instr_req) {
            instruction_valid = true;
            instruction = inside(core.instr_addr) ? ram[(core.instr_addr - BASE) / 4] : 0;
        }
        if (!core.data_req)
            continue;
        data_valid = true;
        const uint32_t address = core.data_addr;
        if (core.data_we && address == BEGIN) {
            running = true;
            idle = 0;
            counters.clear();
        } else if (core.data_we && address == END && running) {
            running = false;
            if (now < 0) {
                path = counters;
                for (int k = 0; k < 2; k++) {
                    sums[k].assign(path.size() * codes, {0, 0});
                    totals[k].assign(path.size(), {0, 0});
                }
            } else {
                if (counters.size() != path.size()) {
                    std::printf("%ld %zu 0\n", now, counters.size());
                    return OTHER_PATH;
                }
                made[kind]++;
                for (const Region &region : regions)
                    if (region.written)
                        results.insert(results.end(), bytes_at(region.address),
                                       bytes_at(region.address) + region.bytes);
            }
            if (++now < static_cast<long>(traces))
                load();
        } else if (!inside(address)) {
            std::printf("%u\n", address);
            return BAD_ADDRESS;
        } else if (core.data_we) {
            uint32_t mask = 0;
            for (int i = 0; i < 4; i++)
                mask |= core.data_be >> i & 1 ? 255u << 8 * i : 0;
            for (uint32_t i = 0; i < 4; i++) {
                const uint32_t byte = (address & ~3u) + i;
                bool allowed = !(core.data_be >> i & 1) || stack.holds(byte);
                for (const Region &region : regions)
                    allowed = allowed || (region.written && region.holds(byte));
                if (!allowed) {
                    std::printf("%u\n", byte);
                    return BAD_STORE;
                }
            }
            uint32_t &word = ram[(address - BASE) / 4];
            word = (word & ~mask) | (core.data_wdata & mask);
        } else {
            data = ram[(address - BASE) / 4];
        }
    }

    FILE *out = std::fopen(argv[3], "wb");
    if (!out)
        return BAD_FILE;
    struct Entry {
        uint32_t cycle, code;
        uint64_t sum[2], squares[2];
    };
    std::vector<Entry> entries;
    for (uint32_t i = 0; i < path.size(); i++) {
        entries.push_back({i,
                           UINT32_MAX,
                           {totals[0][i].sum, totals[1][i].sum},
                           {totals[0][i].squares, totals[1][i].squares}});
        for (uint32_t code = 0; code < codes; code++) {
            const Sums &a = sums[0][i * codes + code], &b = sums[1][i * codes + code];
            if (a.sum || b.sum)
                entries.push_back({i, code, {a.sum, b.sum}, {a.squares, b.squares}});
        }
    }
    const uint32_t said[6] = {MAGIC,
                              made[0],
                              made[1],
                              static_cast<uint32_t>(path.size()),
                              static_cast<uint32_t>(entries.size()),
                              static_cast<uint32_t>(results.size())};
    const bool good = put(out, said, 6) && put(out, path.data(), path.size()) &&
                      put(out, entries.data(), entries.size()) &&
                      put(out, results.data(), results.size());
    return std::fclose(out) == 0 && good ? GOOD : BAD_FILE;
}
