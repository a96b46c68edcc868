# SPDX-License-Identifier: Apache-2.0
"""What the scan for leaks (taint.py) knows of a value: data; what nobody gave the function; public,
and nothing more; a number out of a few; an address in the frame (base and possible distances), in a
table, of a constant, of functions. And what it knows of values that are computed from such values.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple


class Known(NamedTuple):
    """One of five things, and nothing more."""

    what: str


class Low(NamedTuple):
    """Public in so many low bytes, and not known above."""

    size: int


class Number(NamedTuple):
    """One of these numbers, of 64 bits."""

    values: frozenset[int]


class Frame(NamedTuple):
    """An address in a frame: how far from its base; None is anywhere in it."""

    base: str
    offsets: frozenset[int] | None


class Functions(NamedTuple):
    """The address of one of these functions."""

    names: frozenset[str]


Value = Known | Low | Number | Frame | Functions
ADDRESSES = (Frame, Functions)  # that nothing but the function itself may use
DATA = Known("data")
LEFT = Known("left")  # by the caller or a call: data, but that nobody asks for it
PUBLIC = Known("public")
TABLE = Known("table")
CONSTANTS = Known("constants")
SECRETS = (DATA, LEFT)
PLAIN = (PUBLIC, CONSTANTS, TABLE)
NUMBERS_MAX = 80  # different numbers that one register may hold before only `public` is known
GIVEN = "given "  # the base of addresses in the caller's frame, and the register that had the first

MASK = (1 << 64) - 1


def number(*values: int) -> Value:
    """One of these numbers, of 64 bits."""
    return (
        Number(frozenset(value & MASK for value in values))
        if len(values) <= NUMBERS_MAX
        else PUBLIC
    )


def frame(base: str, offsets: Collection[int] | None) -> Frame:
    """An address in the function's frame; None is anywhere in it."""
    known = offsets is not None and len(offsets) <= NUMBERS_MAX
    return Frame(base, frozenset(offsets or ()) if known else None)


def only_number(value: Value) -> int | None:
    """The number that a value is, if it can be one alone."""
    if isinstance(value, Number) and len(value.values) == 1:
        return min(value.values)
    return None


def only_place(value: Value) -> tuple[str, int] | None:
    """Base and distance of the one place in a frame that a value is the address of."""
    if isinstance(value, Frame) and value.offsets is not None and len(value.offsets) == 1:
        return value.base, min(value.offsets)
    return None


def whole(value: Value) -> Value:
    """All of a register."""
    return LEFT if isinstance(value, Low) else value


def met(one: Value, two: Value) -> Value:
    """What is known of a value that is one of two."""
    if one == two:
        return one
    if one in SECRETS or two in SECRETS:
        return DATA if DATA in (one, two) else LEFT
    if isinstance(one, Low) or isinstance(two, Low):
        sizes = [value.size for value in (one, two) if isinstance(value, Low)]
        followed = not isinstance(one, ADDRESSES) and not isinstance(two, ADDRESSES)
        return Low(min(sizes)) if followed else DATA
    if isinstance(one, Number) and isinstance(two, Number):
        return number(*(one.values | two.values))
    if isinstance(one, Frame) and isinstance(two, Frame):
        if one.base != two.base:
            return DATA
        if one.offsets is None or two.offsets is None:
            return frame(one.base, None)
        return frame(one.base, one.offsets | two.offsets)
    if isinstance(one, Functions) and isinstance(two, Functions):
        return Functions(one.names | two.names)
    if isinstance(one, ADDRESSES) or isinstance(two, ADDRESSES):
        return DATA  # may lie in the frame or elsewhere: not to be used
    return PUBLIC


def passed(value: Value, register: str, numbers: bool) -> Value:
    """What a function knows of an argument, with its value where `numbers` are followed."""
    if numbers and isinstance(value, Number):
        return value
    if isinstance(value, Frame):
        return frame(GIVEN + register, {0})
    if isinstance(value, Functions):
        return DATA
    return value if value in (DATA, LEFT, TABLE, CONSTANTS) else PUBLIC


def computed(*values: Value) -> Value:
    """What is computed from values, when nothing more is known of it."""
    return (
        DATA
        if any(value in SECRETS or isinstance(value, Frame | Functions | Low) for value in values)
        else PUBLIC
    )


def cut(value: Value, size: int, high: bool = False) -> Value:
    """The low bytes of a value."""
    if value in SECRETS or value == PUBLIC:
        return value
    if isinstance(value, Low):
        return PUBLIC if size <= value.size and not high else LEFT
    if isinstance(value, Number) and not high:
        return number(*(one & ((1 << 8 * size) - 1) for one in value.values))
    return computed(value)


def added(one: Value, two: Value) -> Value:
    """The sum of two values."""
    if one in SECRETS or two in SECRETS:
        return DATA
    if isinstance(one, Number) and not isinstance(two, Number):
        one, two = two, one
    if isinstance(two, Number):
        numbers = two.values
        if isinstance(one, Number):
            if len(one.values) * len(numbers) > NUMBERS_MAX:
                return PUBLIC
            return number(*(a + b for a in one.values for b in numbers))
        if isinstance(one, Frame):
            if one.offsets is None or len(one.offsets) * len(numbers) > NUMBERS_MAX:
                return Frame(one.base, None)
            return frame(one.base, {a + signed_of(b) for a in one.offsets for b in numbers})
        if isinstance(one, Functions):
            return one if numbers == {0} else DATA
        return one  # within a table, constants, anything public
    if isinstance(one, Frame) and isinstance(two, Frame):
        return DATA
    for held, other in ((one, two), (two, one)):
        if isinstance(held, Frame):
            return Frame(held.base, None) if other == PUBLIC else DATA
    if isinstance(one, Functions) or isinstance(two, Functions):
        return DATA
    if CONSTANTS in (one, two) and PUBLIC in (one, two):
        return CONSTANTS
    return PUBLIC


def signed_of(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def negated(value: Value) -> Value:
    """The value with the other sign."""
    if isinstance(value, Number):
        return number(*(-one for one in value.values))
    if value in (TABLE, CONSTANTS):
        return PUBLIC
    return value if value in (*SECRETS, PUBLIC) else DATA


def scaled(value: Value, scale: int) -> Value:
    """The value times a scale of an address."""
    if isinstance(value, Number):
        return number(*(one * scale for one in value.values))
    return value if value in (*SECRETS, PUBLIC) else computed(value)
