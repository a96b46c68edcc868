// SPDX-License-Identifier: Apache-2.0
// PicoRV32 with a memory that answers in the cycle in which it is asked: its fastest.
#include "Vtop.h"
#include "bench.h"

class PicoRv32 : public Bench
{
  public:
    void cycle(Soc &soc) override
    {
        core_.resetn = !soc.in_reset();
        core_.clk = 0;
        core_.mem_ready = 0;
        core_.irq = 0;
        core_.pcpi_wr = core_.pcpi_wait = core_.pcpi_ready = 0;
        core_.eval();
        if (!soc.in_reset() && core_.mem_valid) {
            if (core_.mem_wstrb)
                soc.write(core_.mem_addr, core_.mem_wdata, core_.mem_wstrb);
            else
                core_.mem_rdata = soc.read(core_.mem_addr);
            core_.mem_ready = 1;
            core_.eval();
        }
        if (core_.trap && !soc.in_reset())
            soc.end(Soc::trapped);
        core_.clk = 1;
        core_.eval();
    }

  private:
    Vtop core_;
};

int main(int argc, char **argv)
{
    return simulate<PicoRv32>(argc, argv);
}
