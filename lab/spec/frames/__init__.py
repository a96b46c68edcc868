# SPDX-License-Identifier: Apache-2.0
"""Frames of other people's devices: what LoRaWAN, wireless M-Bus and DLMS share.

A frame is opened in three steps: parse it without keys, look its identity up in a table of keys,
then check and decrypt it. What a frame says of its own protection is public and unverified, so the
row of the table decides which protection is asked for. Payload that no MAC covers is only ever in
`Result.unverified_payload`, and only when the row allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache, partial
from typing import Any, Literal

from ..aes import VARIANTS
from ..modes import cmac as cmac_of_blocks

COUNTER_END = 1 << 32
WINDOW = 64  # counters below the largest that a window still accepts, once each


class Status(IntEnum):
    """What became of a frame. The numbers up to -23 are those of hanji/telemetry.h where it has
    them.
    """

    OPENED = 0  # what the family can verify is right; `authenticated` says whether that was a MAC
    FORGED = -3
    TRUNCATED = -16
    OVERLONG = -17
    UNKNOWN_VERSION = -18
    UNKNOWN_ALGORITHM = -19
    UNKNOWN_DEVICE = -20
    REPLAYED = -21  # authentic, and its payload is there, but the counter was accepted before
    NULL = -22
    UNSUPPORTED = -23  # a legal form that is not read
    MALFORMED = -24
    NOT_ENCRYPTED = -25
    WRONG_KEY = -26  # no MAC exists, and the check bytes inside the ciphertext do not fit
    DAMAGED = -27  # a CRC of the link layer is wrong
    FRAGMENT = -28
    NOT_OF_THIS_FAMILY = -29
    UNAUTHENTICATED = -30  # the MAC that the row asks for is missing or cannot be checked
    KEY_SIZE = -31

    @property
    def word(self) -> str:
        """The name in tables and messages, "not of this family" for example."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True)
class Result:
    """One frame: its status, the row of the table that opened it, and what came out.

    `payload` is authenticated, `unverified_payload` is not; at most one of them is present.
    `fields` has what the family reads from the frame. After a failure it holds what helps to find
    the device, and that is not verified.
    """

    status: Status
    row: int | None = None
    authenticated: bool = False
    payload: bytes | None = None
    unverified_payload: bytes | None = None
    fields: dict[str, Any] = field(default_factory=dict)


Place = tuple[str, int]  # a field, and its offset in the frame


class Refusal(Exception):
    """Ends the reading of a frame with a status; the openers turn it into a Result.

    Parsers say at which field, and where it begins. Of a truncated frame, that is the field that is
    missing; of an overlong one, the offset is that of the first byte that is too many.
    """

    def __init__(self, status: Status, place: Place | None = None, /, **fields: Any) -> None:
        super().__init__(status.word)
        self.status, self.place, self.fields = status, place, fields


class Reader:
    """Takes fields off a frame, one after the other; the frame is truncated where one does not fit.

    `parts` has the offset and the size of every field that was taken, by its name.
    """

    def __init__(self, data: bytes, order: Literal["little", "big"], at: int = 0) -> None:
        self.rest, self.order, self.at = data, order, at
        self.parts: dict[str, tuple[int, int]] = {}

    def take(self, name: str, size: int, **fields: Any) -> bytes:
        """The next bytes. `fields` go with the refusal."""
        if size > len(self.rest):
            raise Refusal(Status.TRUNCATED, (name, self.at), **fields)
        self.parts[name] = (self.at, size)
        taken, self.rest = self.rest[:size], self.rest[size:]
        self.at += size
        return taken

    def number(self, name: str, size: int, **fields: Any) -> int:
        """The next bytes as a number."""
        return int.from_bytes(self.take(name, size, **fields), self.order)

    def end(self, name: str) -> bytes:
        """All bytes that are left."""
        return self.take(name, len(self.rest))

    def place(self, name: str) -> Place:
        """Where a field that was taken lies, for a Refusal."""
        return name, self.parts[name][0]

    def inner(self, name: str, size: int) -> Reader:
        """A reader of the next bytes alone, whose fields are also parts of this one."""
        at = self.at
        inner = Reader(self.take(name, size), self.order, at)
        inner.parts = self.parts
        return inner


@dataclass
class Counter:
    """The largest accepted counter of a device, and which of the WINDOW below it were accepted.

    Bit d of `seen` stands for `last` - d. `last` is None until a frame was accepted: the first
    counter of a device is believed.
    """

    last: int | None = None
    seen: int = 1

    def accept(self, counter: int, window: bool = False) -> bool:
        """Whether an authentic counter is new; it is remembered then. Call it after the MAC was
        right.

        Strict: only counters above the largest are new. With a window, older ones that are less
        than WINDOW below the largest are accepted once, for data out of order. There is no way from
        2^32 - 1 back to 0.
        """
        if self.last is None or counter > self.last:
            ahead = WINDOW if self.last is None else counter - self.last
            self.seen = (self.seen << ahead | 1) % (1 << WINDOW) if ahead < WINDOW else 1
            self.last = counter
            return True
        behind = self.last - counter
        if not window or behind >= WINDOW or self.seen >> behind & 1:
            return False
        self.seen |= 1 << behind
        return True


class Table:
    """Rows of keys by the identity of their devices, and what is remembered of each row.

    `counters` is None (nothing is a replay), "strict" or "window". `state` has the counters by row
    and name: keep it between runs. `failures` counts forged frames by row, because tags of 4 bytes
    let one random frame in 2^32 pass.
    """

    def __init__(
        self,
        rows: Sequence[Any],
        identity: Callable[[Any], Hashable],
        counters: str | None = "strict",
    ) -> None:
        if counters not in (None, "strict", "window"):
            raise ValueError(f"counters: {counters!r} given, None, 'strict' or 'window' expected")
        for number, row in enumerate(rows):
            try:
                row.check()
            except ValueError as problem:
                raise ValueError(f"row {number}: {problem}") from None
        self.rows, self.rule = list(rows), counters
        self.state: dict[tuple[int, Hashable], Counter] = {}
        self.failures = [0] * len(self.rows)
        self._by_identity: dict[Hashable, list[int]] = {}
        for number, row in enumerate(self.rows):
            if row.usable():
                self._by_identity.setdefault(identity(row), []).append(number)

    def find(self, identity: Hashable) -> list[int]:
        """The numbers of all rows of an identity, in the order of the table. A row without keys is
        none.
        """
        found = self._by_identity.get(identity)
        if found is None:
            raise Refusal(Status.UNKNOWN_DEVICE)
        return found

    def first(self, identity: Hashable, attempt: Callable[[int], Result]) -> Result:
        """The result of the first row of an identity that authenticates the frame, else of the
        first that opens it without, else of the first one.
        """
        results = {}
        for row in self.find(identity):
            results[row] = read(partial(attempt, row))
            if results[row].authenticated:
                return results[row]
        for result in results.values():
            if result.status == Status.OPENED:
                return result
        for row, result in results.items():
            self.failures[row] += result.status == Status.FORGED
        return next(iter(results.values()))

    def last(self, row: int, name: Hashable = "") -> int | None:
        """The largest accepted counter, or None."""
        return self.state.get((row, name), Counter()).last if self.rule else None

    def accept(self, row: int, counter: int, name: Hashable = "") -> Status:
        """OPENED or REPLAYED, for a frame whose MAC was right."""
        if self.rule is None:
            return Status.OPENED
        state = self.state.setdefault((row, name), Counter())
        fresh = state.accept(counter, self.rule == "window")
        return Status.OPENED if fresh else Status.REPLAYED


def check_keys(row: Any, sizes: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse a row with a field of a wrong size; None is no key, and allowed."""
    for name, allowed in sizes.items():
        value = getattr(row, name)
        if value is not None and len(value) not in allowed:
            expected = " or ".join(str(size) for size in allowed)
            raise ValueError(f"{name}: {len(value)} bytes given, {expected} expected")


def alone(row: Any, opened: Callable[[], Result]) -> Result:
    """One frame with a row of its own, as in SQL: a wrong size is a status there, not an error."""
    try:
        row.check()
    except ValueError:
        return Result(Status.KEY_SIZE)
    return opened()


def read(opened: Callable[[], Result]) -> Result:
    """The Result of a function that may end with a Refusal."""
    try:
        return opened()
    except Refusal as refusal:
        return Result(refusal.status, fields=refusal.fields)


@lru_cache(256)
def _round_keys(key: bytes) -> bytes:
    return VARIANTS[f"aes{8 * len(key)}"].expand(key)


def encrypt(key: bytes) -> Callable[[bytes], bytes]:
    """AES of whole blocks under a key of 16 or 32 bytes."""
    return partial(VARIANTS[f"aes{8 * len(key)}"].encrypt, keys=_round_keys(key))


def decrypt(key: bytes) -> Callable[[bytes], bytes]:
    """The inverse of `encrypt`."""
    return partial(VARIANTS[f"aes{8 * len(key)}"].decrypt, keys=_round_keys(key))


def cmac(key: bytes, message: bytes) -> bytes:
    """AES-CMAC (RFC 4493), 16 bytes."""
    return cmac_of_blocks(encrypt(key), 16, message)
