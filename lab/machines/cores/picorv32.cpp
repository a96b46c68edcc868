// SPDX-License-Identifier: Apache-2.0
// PicoRV32 with a memory that answers in the cycle in which it is asked: its fastest.
#include "Vtop.h"
#include "soc.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return Soc::bad_image;
    static Soc soc(argv[1], 0x40000000, 0xf0000000);
    static Vtop core;
    while (!soc.done()) {
        core.resetn = !soc.in_reset();
        core.clk = 0;
        core.mem_ready = 0;
        core.irq = 0;
        core.pcpi_wr = core.pcpi_wait = core.pcpi_ready = 0;
        core.eval();
        if (!soc.in_reset() && core.mem_valid) {
            if (core.mem_wstrb)
                soc.write(core.mem_addr, core.mem_wdata, core.mem_wstrb);
            else
                core.mem_rdata = soc.read(core.mem_addr);
            core.mem_ready = 1;
            core.eval();
        }
        if (core.trap && !soc.in_reset())
            soc.end(Soc::trapped);
        core.clk = 1;
        core.eval();
        soc.cycle();
    }
    std::fflush(stdout);
    return soc.status();
}
