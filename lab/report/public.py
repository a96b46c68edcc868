# SPDX-License-Identifier: Apache-2.0
"""Public programs that are in no package, so that they cannot be measured beside ours in every
run: their figures, as data with their source.
"""

from __future__ import annotations

from dataclasses import dataclass

OPERATION = "ctr, key and message"
SOURCE = (
    "The NSA's programs (github.com/nsacyber/simon-speck-supercop, crypto_stream) are in no "
    "package: their figures are those of 22 November 2026 on one Zen 5 core, built with gcc 12 -O3."
)


@dataclass(frozen=True)
class Program:
    """A public program for one cipher: its name and core cycles per byte by bytes of the message."""

    name: str
    figures: dict[int, float]


CTR = {
    "speck-64/128": (
        Program("NSA avx2", {16: 9.9, 64: 2.48, 1024: 0.94, 16384: 0.88, 1 << 20: 0.88}),
        Program("NSA avx512", {16: 9.9, 64: 2.24, 1024: 0.46, 16384: 0.41, 1 << 20: 0.41}),
    ),
    "speck-128/128": (
        Program("NSA avx512", {16: 6.6, 64: 3.5, 1024: 0.58, 16384: 0.49, 1 << 20: 0.48}),
    ),
    "simon-64/128": (
        Program("NSA avx2", {16: 23.7, 64: 6.4, 1024: 1.62, 16384: 1.04, 1 << 20: 1.00}),
    ),
    "simon-128/128": (
        Program("NSA avx2", {16: 28.9, 64: 10.7, 1024: 1.98, 16384: 1.43, 1 << 20: 1.40}),
    ),
}


@dataclass(frozen=True)
class Calls:
    """A program for whole messages: its name and core cycles of a call by bytes of the message."""

    name: str
    cycles: dict[int, float]


ASCON_SOURCE = (
    "The Ascon team's C for 64-bit machines (github.com/ascon/ascon-c at 446347f, opt64) is in no "
    "package. All figures are of one run on 29 November 2026, on one Zen 5 core that others used as "
    "well: in turns, the least of 4,000 (16 KiB: of 3,000), by the time stamp counter, with a loop "
    "of additions in every turn for the length of a core cycle. ascon-c was built with -O3 "
    "-march=native, hanji by gcc 12 as CMake builds it. One message after the other, no associated "
    "data."
)
ASCON = {
    "ascon-aead128": (
        Calls("hanji portable", {16: 515, 64: 750, 1024: 5498, 16384: 81137}),
        Calls("hanji avx2", {16: 316, 64: 526, 1024: 4735, 16384: 70966}),
        Calls("ascon-c opt64, clang 14", {16: 332, 64: 547, 1024: 4907, 16384: 74356}),
        Calls("ascon-c opt64, gcc 12", {16: 336, 64: 572, 1024: 5293, 16384: 80365}),
    ),
    "ascon-hash256": (
        Calls("hanji portable", {16: 922, 64: 1629, 1024: 15738, 16384: 241084}),
        Calls("hanji avx2", {16: 653, 64: 1274, 1024: 13768, 16384: 212876}),
        Calls("ascon-c opt64, clang 14", {16: 698, 64: 1348, 1024: 14229, 16384: 220111}),
        Calls("ascon-c opt64, gcc 12", {16: 700, 64: 1379, 1024: 14996, 16384: 232168}),
    ),
}
ASCON_SIZES = (16, 64, 1024, 16384)
