# SPDX-License-Identifier: Apache-2.0
"""What the rules for x86-64 and AArch64 have in common: look-ups by data in a register, and
products of polynomials over GF(2).
"""

from __future__ import annotations

from collections.abc import Sequence

from .graph import Bits, Graph
from .words import xor


def looked_up(g: Graph, products: Sequence[Bits], index: Bits) -> Bits:
    """A byte of a table of 16 by the low four bits of an index; `products` is what `spread` makes
    of the table.
    """
    terms = []
    for k, part in enumerate(products):
        term = int(any(part))  # no product that nothing needs
        for i in range(4):
            if k >> i & 1:
                term = g.and_(term, index[i])
        terms.append(term)
    return tuple(
        g.dot((part[bit], term) for part, term in zip(products, terms, strict=True) if part[bit])
        for bit in range(8)
    )


def spread(g: Graph, table: Sequence[Bits]) -> list[Bits]:
    """The coefficients of the products of bits of the index: each is the sum of the entries whose
    index has no other bits. Where entries are linear in the index, all but five are zero.
    """
    out = list(table)
    for i in range(4):
        out = [xor(g, x, out[k ^ 1 << i]) if k >> i & 1 else x for k, x in enumerate(out)]
    return out


def entry_at(g: Graph, entries: Sequence[Bits], index: Bits) -> Bits:
    """The entry of an index of as many bits as there are entries for."""
    for bit in index:
        entries = [g.chosen(bit, y, x) for x, y in zip(entries[::2], entries[1::2], strict=True)]
    (found,) = entries
    return found


def carryless(g: Graph, a: Bits, b: Bits) -> Bits:
    """The product of two polynomials over GF(2). In a square every product of two different bits
    comes twice.
    """
    if a == b:
        return tuple(x for bit in a for x in (bit, 0))
    n = len(a)
    return tuple(
        g.dot((a[i], b[k - i]) for i in range(max(0, k - n + 1), min(k, n - 1) + 1))
        for k in range(2 * n)
    )
