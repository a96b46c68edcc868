// SPDX-License-Identifier: Apache-2.0
// Ibex with a memory of two ports that answers in the next cycle: its tightly coupled SRAM.
#include "Vtop.h"
#include "soc.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return Soc::bad_image;
    static Soc soc(argv[1], 0x40000000, 0xf0000000);
    static Vtop core;
    bool instruction_valid = false, data_valid = false;
    uint32_t instruction = 0, data = 0;
    while (!soc.done()) {
        core.rst_n = !soc.in_reset();
        core.clk = 0;
        core.instr_rvalid = instruction_valid;
        core.instr_rdata = instruction;
        core.data_rvalid = data_valid;
        core.data_rdata = data;
        core.eval();
        instruction_valid = data_valid = false;
        if (!soc.in_reset()) {
            if (core.instr_req) {
                instruction_valid = true;
                instruction = soc.read(core.instr_addr);
            }
            if (core.data_req) {
                data_valid = true;
                if (core.data_we)
                    soc.write(core.data_addr, core.data_wdata, core.data_be);
                else
                    data = soc.read(core.data_addr);
            }
        }
        core.clk = 1;
        core.eval();
        soc.cycle();
    }
    std::fflush(stdout);
    return soc.status();
}
