# SPDX-License-Identifier: Apache-2.0
"""The forms of instructions that the rules for x86-64 may be used for: one list, x86_forms.txt.

A form is a name with the kinds of its operands: general registers by their bits (h8 for ah to dh),
vectors x, y and z, masks k, numbers i, memory m with its bytes, elements in memory that are
repeated (m4b16), and {k} or {k}{z} behind a result under a mask. A name ends in ! where the
encoding is that of AVX-512, EVEX. The lifter takes no other form, and the tests run every form of
the list on a processor, so no rule is used for what nobody has tried. `tools/x86_forms.py` writes
the list.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

LIST = Path(__file__).with_name("x86_forms.txt")


@cache
def forms() -> frozenset[str]:
    """The forms of the list."""
    found = set()
    for line in LIST.read_text(encoding="utf-8").splitlines():
        name, colon, operands = line.partition(":")
        if colon and not line.startswith("#"):
            found |= {f"{name} {one}".strip() for one in operands.strip().split(" ")}
    return frozenset(found)


def listed(found: set[str]) -> str:
    """The text of the list: one line for each name."""
    by_name: dict[str, list[str]] = {}
    for one in sorted(found):
        name, _, operands = one.rpartition(" ")
        if not name:
            name, operands = one, ""
        by_name.setdefault(name, []).append(operands)
    lines = [f"{name}: {' '.join(operands)}".rstrip() for name, operands in sorted(by_name.items())]
    return "\n".join(
        ["# Written by tools/x86_forms.py; forms_x86.py says what a form is.", *lines, ""]
    )
