# SPDX-License-Identifier: Apache-2.0
"""TDEA (SP 800-67), encryption only, to test the modes on a foreign cipher with small blocks."""

from __future__ import annotations

# Tables of SP 800-67 appendix A; bit 1 is the most significant.
IP = [
    58 + 2 * (i // 8) - 8 * (i % 8) if i < 32 else 57 + 2 * ((i - 32) // 8) - 8 * (i % 8)
    for i in range(64)
]
EXPANSION = [(4 * (i // 6) + i % 6 - 1) % 32 + 1 for i in range(48)]
P = [16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10]
P += [2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25]
PC1 = [
    57,
    49,
    41,
    33,
    25,
    17,
    9,
    1,
    58,
    50,
    42,
    34,
    26,
    18,
    10,
    2,
    59,
    51,
    43,
    35,
    27,
    19,
    11,
    3,
    60,
    52,
    44,
    36,
]
PC1 += [
    63,
    55,
    47,
    39,
    31,
    23,
    15,
    7,
    62,
    54,
    46,
    38,
    30,
    22,
    14,
    6,
    61,
    53,
    45,
    37,
    29,
    21,
    13,
    5,
    28,
    20,
    12,
    4,
]
PC2 = [14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2]
PC2 += [
    41,
    52,
    31,
    37,
    47,
    55,
    30,
    40,
    51,
    45,
    33,
    48,
    44,
    49,
    39,
    56,
    34,
    53,
    46,
    42,
    50,
    36,
    29,
    32,
]
SHIFTS = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]
# One hex digit per entry, four rows of 16.
DES_SBOXES = [
    "e4d12fb83a6c5907" "0f74e2d1a6cb9538" "41e8d62bfc973a50" "fc8249175b3ea06d",
    "f18e6b34972dc05a" "3d47f28ec01a69b5" "0e7ba4d158c6932f" "d8a13f42b67c05e9",
    "a09e63f51dc7b428" "d709346a285ecbf1" "d6498f30b12c5ae7" "1ad069874fe3b52c",
    "7de3069a1285bc4f" "d8b56f03472c1ae9" "a690cb7df13e5284" "3f06a1d8945bc72e",
    "2c417ab6853fd0e9" "eb2c47d150fa3986" "421bad78f9c5630e" "b8c71e2d6f09a453",
    "c1af92680d34e75b" "af427c9561de0b38" "9ef528c3704a1db6" "432c95fabe17608d",
    "4b2ef08d3c975a61" "d0b7491ae35c2f86" "14bdc37eaf680592" "6bd814a7950fe23c",
    "d2846fb1a93e50c7" "1fd8a374c56b0e92" "7b419ce206adf358" "21e74a8dfc90356b",
]  # fmt: skip


def _bits(data: bytes) -> list[int]:
    return [byte >> (7 - i) & 1 for byte in data for i in range(8)]


def _pick(bits: list[int], table: list[int]) -> list[int]:
    return [bits[i - 1] for i in table]


def _des_round_keys(key: bytes) -> list[list[int]]:
    bits = _pick(_bits(key), PC1)
    c, d = bits[:28], bits[28:]
    keys = []
    for shift in SHIFTS:
        c, d = c[shift:] + c[:shift], d[shift:] + d[:shift]
        keys.append(_pick(c + d, PC2))
    return keys


def _des(bits: list[int], keys: list[list[int]]) -> list[int]:
    bits = _pick(bits, IP)
    left, right = bits[:32], bits[32:]
    for key in keys:
        mixed = [a ^ b for a, b in zip(_pick(right, EXPANSION), key, strict=True)]
        out: list[int] = []
        for i, box in enumerate(DES_SBOXES):
            a, b, c, d, e, f = mixed[6 * i : 6 * i + 6]
            value = int(box[16 * (2 * a + f) + 8 * b + 4 * c + 2 * d + e], 16)
            out += [value >> 3 & 1, value >> 2 & 1, value >> 1 & 1, value & 1]
        left, right = right, [a ^ b for a, b in zip(left, _pick(out, P), strict=True)]
    final = right + left
    return [final[IP.index(i + 1)] for i in range(64)]


def tdea(key: bytes, block: bytes) -> bytes:
    """One block under a key of 24 bytes: encrypt, decrypt, encrypt."""
    bits = _bits(block)
    for i in range(3):
        keys = _des_round_keys(key[8 * i : 8 * i + 8])
        bits = _des(bits, keys[::-1] if i == 1 else keys)
    return bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, 64, 8))
