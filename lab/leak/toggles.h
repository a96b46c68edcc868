// SPDX-License-Identifier: Apache-2.0
// A receiver of Verilator's traces that counts toggles instead of writing a file.
//
// The code that `verilator --trace` generates includes "verilated_vcd_c.h", declares every net to a
// VerilatedVcd, and after each evaluation hands the value of every net that may have changed to a
// VerilatedVcd::Buffer. The build puts this file into the folder of the generated code under that
// name, so that it takes the place of the writer of VCD files. Written for the interface of
// Verilator 5.006; another version that differs does not compile.
#ifndef HANJI_LAB_TOGGLES_H
#define HANJI_LAB_TOGGLES_H

#include "verilated.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct VerilatedTraceConfig {
    VerilatedTraceConfig(bool, bool, bool)
    {
    }
};

class VerilatedVcd
{
  public:
    struct Net {
        std::string name;
        uint32_t code, bits;
    };

    struct Event {
        uint32_t code, toggles;
    };

    // Values are kept under the net's code, in 32-bit words.
    class Buffer
    {
      public:
        std::vector<uint32_t> old;
        std::vector<Event> events; // of the present cycle
        uint32_t count = 0, total = 0;

        uint32_t *oldp(uint32_t code)
        {
            return old.data() + code;
        }

        void fullBit(uint32_t *to, CData value)
        {
            *to = value;
        }
        void fullCData(uint32_t *to, CData value, int)
        {
            *to = value;
        }
        void fullSData(uint32_t *to, SData value, int)
        {
            *to = value;
        }
        void fullIData(uint32_t *to, IData value, int)
        {
            *to = value;
        }

        void fullQData(uint32_t *to, QData value, int)
        {
            to[0] = static_cast<uint32_t>(value);
            to[1] = static_cast<uint32_t>(value >> 32);
        }

        void fullWData(uint32_t *to, const WData *value, int bits)
        {
            for (int i = 0; i < (bits + 31) / 32; i++)
                to[i] = value[i];
        }

        void chgBit(uint32_t *to, CData value)
        {
            narrow(to, value);
        }
        void chgCData(uint32_t *to, CData value, int)
        {
            narrow(to, value);
        }
        void chgSData(uint32_t *to, SData value, int)
        {
            narrow(to, value);
        }
        void chgIData(uint32_t *to, IData value, int)
        {
            narrow(to, value);
        }

        void chgQData(uint32_t *to, QData value, int bits)
        {
            const QData changed = value ^ (to[0] | static_cast<QData>(to[1]) << 32);
            if (changed) {
                fullQData(to, value, bits);
                note(to, static_cast<uint32_t>(__builtin_popcountll(changed)));
            }
        }

        void chgWData(uint32_t *to, const WData *value, int bits)
        {
            uint32_t toggles = 0;
            for (int i = 0; i < (bits + 31) / 32; i++) {
                toggles += static_cast<uint32_t>(__builtin_popcount(to[i] ^ value[i]));
                to[i] = value[i];
            }
            if (toggles)
                note(to, toggles);
        }

      private:
        void narrow(uint32_t *to, uint32_t value)
        {
            const uint32_t changed = *to ^ value;
            if (changed) {
                *to = value;
                note(to, static_cast<uint32_t>(__builtin_popcount(changed)));
            }
        }

        void note(const uint32_t *at, uint32_t toggles)
        {
            events[count++] = {static_cast<uint32_t>(at - old.data()), toggles};
            total += toggles;
        }
    };

    using Init = void (*)(void *, VerilatedVcd *, uint32_t);
    using Dump = void (*)(void *, Buffer *);
    using Cleanup = void (*)(void *, VerilatedVcd *);

    std::vector<Net> nets; // every name; several may share a code
    Buffer buffer;

    // What generated code calls to declare itself and its nets.

    void addModel(VerilatedModel *)
    {
    }
    void addInitCb(Init call, void *on)
    {
        init = {call, on};
    }
    void addFullCb(Dump call, void *on)
    {
        full = {call, on};
    }
    void addChgCb(Dump call, void *on)
    {
        change = {call, on};
    }
    void addCleanupCb(Cleanup call, void *on)
    {
        cleanup = {call, on};
    }
    void scopeEscape(char)
    {
    }

    void pushNamePrefix(const std::string &name)
    {
        prefixes.push_back(prefixes.back() + name);
    }

    void popNamePrefix(unsigned count = 1)
    {
        while (count--)
            prefixes.pop_back();
    }

    void declBit(uint32_t code, const char *name, bool array, int i)
    {
        declare(code, name, array, i, 1);
    }

    void declBus(uint32_t code, const char *name, bool array, int i, int msb, int lsb)
    {
        declare(code, name, array, i, std::abs(msb - lsb) + 1);
    }

    void declQuad(uint32_t code, const char *name, bool array, int i, int msb, int lsb)
    {
        declare(code, name, array, i, std::abs(msb - lsb) + 1);
    }

    void declArray(uint32_t code, const char *name, bool array, int i, int msb, int lsb)
    {
        declare(code, name, array, i, std::abs(msb - lsb) + 1);
    }

    // What the test bench calls.

    void open()
    {
        init.call(init.on, this, 1);
        size_t words = 0;
        for (const Net &net : nets)
            words = std::max<size_t>(words, net.code + (net.bits + 31) / 32);
        buffer.old.assign(words, 0);
        buffer.events.resize(words);
    }

    // Count the toggles since the last call into buffer.events; the first call sets all values.
    void cycle()
    {
        buffer.count = buffer.total = 0;
        (seen ? change : full).call((seen ? change : full).on, &buffer);
        cleanup.call(cleanup.on, this);
        seen = true;
    }

  private:
    template <typename Function> struct Callback {
        Function call = nullptr;
        void *on = nullptr;
    };

    void declare(uint32_t code, const char *name, bool array, int i, int bits)
    {
        std::string whole = prefixes.back() + name;
        if (array)
            whole += "[" + std::to_string(i) + "]";
        nets.push_back({whole, code, static_cast<uint32_t>(bits)});
    }

    Callback<Init> init;
    Callback<Dump> full, change;
    Callback<Cleanup> cleanup;
    std::vector<std::string> prefixes = {""};
    bool seen = false;
};

class VerilatedVcdC
{
  public:
    VerilatedVcd *spTrace()
    {
        return &receiver;
    }
    bool isOpen() const
    {
        return false;
    }

  private:
    VerilatedVcd receiver;
};

#endif
