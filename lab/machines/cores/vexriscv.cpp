// SPDX-License-Identifier: Apache-2.0
// VexRiscv with caches on two Wishbone buses whose memory acknowledges every word in the cycle in
// which it is asked.
#include "Vtop.h"
#include "soc.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return Soc::bad_image;
    static Soc soc(argv[1], 0x40000000, 0xf0000000);
    static Vtop core;
    core.externalResetVector = 0x40000000;
    core.timerInterrupt = core.softwareInterrupt = 0;
    core.externalInterruptArray = 0;
    core.iBusWishbone_ERR = core.dBusWishbone_ERR = 0;
    while (!soc.done()) {
        core.reset = soc.in_reset();
        core.clk = 0;
        core.iBusWishbone_ACK = core.dBusWishbone_ACK = 0;
        core.eval();
        if (!soc.in_reset()) {
            if (core.iBusWishbone_CYC && core.iBusWishbone_STB) {
                core.iBusWishbone_DAT_MISO = soc.read(core.iBusWishbone_ADR << 2);
                core.iBusWishbone_ACK = 1;
            }
            if (core.dBusWishbone_CYC && core.dBusWishbone_STB) {
                const uint32_t address = core.dBusWishbone_ADR << 2;
                if (core.dBusWishbone_WE)
                    soc.write(address, core.dBusWishbone_DAT_MOSI, core.dBusWishbone_SEL);
                else
                    core.dBusWishbone_DAT_MISO = soc.read(address);
                core.dBusWishbone_ACK = 1;
            }
            core.eval();
        }
        core.clk = 1;
        core.eval();
        soc.cycle();
    }
    std::fflush(stdout);
    return soc.status();
}
