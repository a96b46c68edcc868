// SPDX-License-Identifier: Apache-2.0
// What surrounds a simulated core: 1 MiB of RAM with the program in it, a console, a cycle counter,
// and an end. Addresses from `io`: +0 write a byte to the console, +4 end with this status, +8 read
// the cycle counter.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

class Soc
{
  public:
    static constexpr uint32_t ram_bytes = 1u << 20;
    // Status of the simulation when the program did not end by itself.
    enum { bad_access = 100, trapped = 101, too_long = 102, bad_image = 103 };

    Soc(const char *image, uint32_t base, uint32_t io) : base_(base), io_(io)
    {
        FILE *file = std::fopen(image, "rb");
        if (!file || std::fread(ram_, 1, ram_bytes, file) == 0) {
            std::fprintf(stderr, "cannot read the program %s\n", image);
            std::exit(bad_image);
        }
        std::fclose(file);
    }

    uint32_t read(uint32_t address)
    {
        address &= ~3u;
        if (address - base_ < ram_bytes) {
            uint32_t word;
            std::memcpy(&word, ram_ + (address - base_), 4);
            return word;
        }
        // Caches and prefetchers may read what no instruction asked for: only writes can be wrong.
        return address == io_ + 8 ? static_cast<uint32_t>(cycles_) : 0;
    }

    void write(uint32_t address, uint32_t data, unsigned byte_enable)
    {
        address &= ~3u;
        if (address - base_ < ram_bytes) {
            for (int i = 0; i < 4; i++)
                if (byte_enable >> i & 1)
                    ram_[address - base_ + i] = static_cast<uint8_t>(data >> 8 * i);
        } else if (address == io_) {
            std::putchar(static_cast<int>(data & 255));
        } else if (address == io_ + 4) {
            end(static_cast<int>(data));
        } else {
            std::fprintf(stderr, "write of %08x to %08x in cycle %llu, where nothing is\n", data,
                         address, static_cast<unsigned long long>(cycles_));
            end(bad_access);
        }
    }

    void cycle()
    {
        if (++cycles_ >= limit && !done_) {
            std::fprintf(stderr, "no end after %llu cycles\n",
                         static_cast<unsigned long long>(limit));
            end(too_long);
        }
    }

    void end(int status)
    {
        done_ = true;
        status_ = status;
    }

    bool in_reset() const
    {
        return cycles_ < reset_cycles;
    }
    bool done() const
    {
        return done_;
    }
    int status() const
    {
        return status_;
    }

  private:
    static constexpr uint64_t limit = 5000000, reset_cycles = 40;
    uint8_t ram_[ram_bytes] = {};
    uint32_t base_, io_;
    uint64_t cycles_ = 0;
    bool done_ = false;
    int status_ = 0;
};
