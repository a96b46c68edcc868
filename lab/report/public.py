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
    """A public program for whole messages: its name and core cycles of a call by bytes of the
    message.
    """

    name: str
    cycles: dict[int, float]


ASCON_SOURCE = (
    "The Ascon team's C for 64-bit machines (github.com/ascon/ascon-c at 446347f, opt64) is in no "
    "package: its figures are those of 22 November 2026 on one Zen 5 core, medians of 31, built "
    "with -march=native. One message after the other, no associated data."
)
ASCON = {
    ("ascon-aead128", "encrypt"): (
        Calls("ascon-c opt64, clang 14", {16: 333, 64: 552, 1024: 4938, 16384: 74947}),
        Calls("ascon-c opt64, gcc 12", {16: 328, 64: 565, 1024: 5315, 16384: 81225}),
    ),
    ("ascon-hash256", "hash"): (
        Calls("ascon-c opt64, clang 14", {16: 702, 64: 1352, 1024: 14383, 16384: 222424}),
        Calls("ascon-c opt64, gcc 12", {16: 700, 64: 1387, 1024: 15109, 16384: 234618}),
    ),
}
ASCON_SIZES = (16, 64, 1024, 16384)
