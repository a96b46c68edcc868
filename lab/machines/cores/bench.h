// SPDX-License-Identifier: Apache-2.0
// The interface between a core and the laboratory: one class with one function, which makes one
// clock cycle of the core. See docs/own-kernel.md; picorv32.cpp is the example.
//
// The program begins at address 0x40000000, where 1 MiB of RAM is. `soc.read` gives the word that
// contains an address, `soc.write` stores the bytes of a word that are enabled. A core that traps
// calls `soc.end(Soc::trapped)`.
#pragma once
#include "soc.h"

class Bench
{
  public:
    static constexpr uint32_t ram = 0x40000000, io = 0xf0000000;

    virtual ~Bench() = default;
    // One cycle: both edges of the clock, and the answers of the memory. `soc.in_reset()` says
    // whether the reset is still asserted.
    virtual void cycle(Soc &soc) = 0;
};

// The program that simulates: a core until its program ends, from the image in the first argument.
template <class Core> int simulate(int argc, char **argv)
{
    if (argc != 2)
        return Soc::bad_image;
    static Soc soc(argv[1], Bench::ram, Bench::io);
    static Core core;
    while (!soc.done()) {
        core.cycle(soc);
        soc.cycle();
    }
    std::fflush(stdout);
    return soc.status();
}
