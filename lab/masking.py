# SPDX-License-Identifier: Apache-2.0
"""What the header of a masked kernel says about its shares: the key `masking`.

    masking:
      order: 1
      model: value, arch, pipe, bus, ibex
      shares: { state: {bytes: 80, shares: 2, layout: share-major} }
      random: { guard: {buffer: state, at: 80, bytes: 8, use: guard} }
      public: [rounds]
      outputs: { state: uniform, guard: uniform }
      loop: { head: round, carries: [state, guard] }

Every byte of every buffer, and every value argument, must be accounted for: it holds shares, random
bytes, or something public. docs/leakage.md explains the keys.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

KEYS = ("order", "model", "shares", "random", "public", "outputs", "loop")
MODELS = ("value", "arch", "pipe", "bus", "ports", "alu", "ibex", "joint")
# Models that are meant where a header names none; an instruction set that is not here has no model.
DEFAULT_MODELS = {
    "rv32i": ("value", "arch", "pipe", "bus", "ibex"),
    "armv6m": ("value", "arch", "pipe", "bus"),
    "armv7m": ("value", "arch", "pipe", "bus"),
    "armv7em": ("value", "arch", "pipe", "bus"),
}
LAYOUTS = ("share-major", "word-major", "half-major")
USES = ("fresh", "guard")
PROMISES = ("uniform", "any")
WORD = 4  # bytes
ORDERS = (1, 2)


class MaskingError(Exception):
    """The key `masking` of a header is not as it must be; the text says which part and why."""


@dataclass(frozen=True)
class Region:
    """Bytes `at` to `at + bytes` of a buffer argument, under a name of its own."""

    name: str
    buffer: str
    at: int
    bytes: int


@dataclass(frozen=True)
class Shared(Region):
    """A secret in shares whose exclusive or it is; `bytes` counts all shares together."""

    shares: int
    layout: str

    @property
    def secret_bytes(self) -> int:
        """The length of the secret."""
        return self.bytes // self.shares

    def place(self, share: int, byte: int) -> int:
        """Where in the region a byte of a share is.

        share-major: the shares one after the other. word-major: the shares of each 32-bit word side
        by side. half-major: the low halves of all 64-bit words, share after share, then the high
        halves in the same way.
        """
        if self.layout == "share-major":
            return share * self.secret_bytes + byte
        if self.layout == "word-major":
            return (byte // WORD * self.shares + share) * WORD + byte % WORD
        half = self.secret_bytes // 2
        word, high = byte // (2 * WORD), byte // WORD % 2
        return (high * self.shares + share) * half + word * WORD + byte % WORD


@dataclass(frozen=True)
class Random(Region):
    """Random bytes: `fresh` ones are read once; a `guard` is carried over from call to call."""

    use: str


@dataclass(frozen=True)
class Loop:
    """A loop whose passes a proof may join: the label of its head, and what a pass hands on."""

    head: str
    carries: tuple[str, ...]


@dataclass(frozen=True)
class Masking:
    """The shares of a kernel. `outputs` says of regions that the kernel writes whether the caller
    may rely on uniform shares behind the call.
    """

    order: int
    model: tuple[str, ...]
    shares: tuple[Shared, ...]
    random: tuple[Random, ...]
    public: tuple[str, ...]
    outputs: Mapping[str, str]
    loop: Loop | None

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions of shares and of random bytes."""
        return (*self.shares, *self.random)


def _one_of(value: object, known: Iterable[str]) -> str:
    names = list(known)
    near = difflib.get_close_matches(str(value), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"one of {', '.join(names)} expected{hint}"


def _mapping(what: str, value: object, known: tuple[str, ...] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise MaskingError(f"{what}: {value!r} given, keys and values expected")
    for key in value:
        if not isinstance(key, str):
            raise MaskingError(f"{what}: key {key!r} given, a name expected")
        if known is not None and key not in known:
            raise MaskingError(f"{what}: there is no key {key!r}; {_one_of(key, known)}")
    return value


def _number(what: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise MaskingError(f"{what}: {value!r} given, a whole number from {least} expected")
    return value


def _names(what: str, value: object) -> tuple[str, ...]:
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise MaskingError(f"{what}: {value!r} given, a list of names expected")
    names = tuple(one.strip() for one in listed)
    if "" in names:
        raise MaskingError(f"{what}: {value!r} has an empty name")
    if len(set(names)) < len(names):
        raise MaskingError(f"{what}: {next(one for one in names if names.count(one) > 1)!r} twice")
    return names


def _region(what: str, name: str, given: dict[str, Any], sizes: Mapping[str, int | str]) -> Region:
    buffer = given.get("buffer", name)
    if buffer not in sizes:
        raise MaskingError(
            f"{what}: {buffer!r} is no buffer argument; {_one_of(buffer, sizes)} (key buffer)"
        )
    size = sizes[buffer]
    at = _number(f"{what}: at", given.get("at", 0), 0)
    if "bytes" not in given and not isinstance(size, int):
        raise MaskingError(
            f"{what}: buffer {buffer!r} has {size!r} bytes, which is no number; give bytes"
        )
    length = _number(f"{what}: bytes", given.get("bytes", size), 1)
    if isinstance(size, int) and at + length > size:
        raise MaskingError(
            f"{what}: bytes {at} to {at + length - 1} given, but buffer {buffer!r} has {size} bytes"
        )
    return Region(name, buffer, at, length)


def _shared(name: str, value: object, order: int, sizes: Mapping[str, int | str]) -> Shared:
    what = f"shares: {name}"
    given = _mapping(what, value, ("buffer", "at", "bytes", "shares", "layout"))
    region = _region(what, name, given, sizes)
    if "shares" not in given:
        raise MaskingError(f"{what}: shares is missing, the number of shares")
    count = _number(f"{what}: shares", given["shares"], 2)
    if count <= order:
        raise MaskingError(
            f"{what}: {count} shares given, but order {order} needs at least {order + 1}"
        )
    layout = given.get("layout", LAYOUTS[0])
    if layout not in LAYOUTS:
        raise MaskingError(f"{what}: layout {layout!r} given, {_one_of(layout, LAYOUTS)}")
    unit = (2 if layout == "half-major" else 1) * WORD * count
    if region.bytes % unit or region.at % WORD:
        raise MaskingError(
            f"{what}: {region.bytes} bytes from {region.at} on given; {count} shares in layout "
            f"{layout} need a multiple of {unit} bytes, from a multiple of {WORD} on"
        )
    return Shared(region.name, region.buffer, region.at, region.bytes, count, layout)


def _random(name: str, value: object, sizes: Mapping[str, int | str]) -> Random:
    what = f"random: {name}"
    given = _mapping(what, value, ("buffer", "at", "bytes", "use"))
    region = _region(what, name, given, sizes)
    use = given.get("use", USES[0])
    if use not in USES:
        raise MaskingError(f"{what}: use {use!r} given, {_one_of(use, USES)}")
    return Random(region.name, region.buffer, region.at, region.bytes, use)


def _covered(
    regions: tuple[Region, ...], public: tuple[str, ...], sizes: Mapping[str, int | str]
) -> None:
    """Check that regions do not overlap, and that nothing is left out."""
    for buffer, size in sizes.items():
        inside = sorted(
            (one for one in regions if one.buffer == buffer), key=lambda region: region.at
        )
        if buffer in public:
            if inside:
                raise MaskingError(f"public: buffer {buffer!r} also holds {inside[0].name!r}")
            continue
        end = 0
        for region in inside:
            if region.at < end:
                raise MaskingError(
                    f"{region.name!r} begins at byte {region.at} of buffer {buffer!r}, which "
                    "another region holds"
                )
            if region.at > end:
                break
            end = region.at + region.bytes
        if not isinstance(size, int) or end < size:
            raise MaskingError(
                f"bytes from {end} on of buffer {buffer!r} are neither shares nor random; list it "
                "in public, or say what they are"
            )


def parse(
    content: object, args: Mapping[str, Mapping[str, Any]], isa: str, secrets: tuple[str, ...]
) -> Masking:
    """The key `masking` of a header with these `args`, `isa` and `secrets`; MaskingError says what
    is wrong with it.
    """
    given = _mapping("masking", content, KEYS)
    for key in ("order", "shares", "outputs"):
        if key not in given:
            raise MaskingError(f"{key} is missing")
    order = _number("order", given["order"], 1)
    if order not in ORDERS:
        raise MaskingError(f"order: {order} given, {' or '.join(map(str, ORDERS))} expected")
    if isa not in DEFAULT_MODELS:
        raise MaskingError(f"isa is {isa!r}; masked kernels are for {', '.join(DEFAULT_MODELS)}")
    model = _names("model", given.get("model", list(DEFAULT_MODELS[isa])))
    for one in model:
        if one not in MODELS:
            raise MaskingError(f"model: {one!r} given, {_one_of(one, MODELS)}")
    sizes = {str(what["buffer"]): what["bytes"] for what in args.values() if "buffer" in what}
    written = {str(what["buffer"]) for what in args.values() if "w" in what.get("access", "")}
    values = [str(what["value"]) for what in args.values() if "value" in what]
    shares = tuple(
        _shared(name, value, order, sizes)
        for name, value in _mapping("shares", given["shares"]).items()
    )
    if "random" in given:
        random = tuple(
            _random(name, value, sizes)
            for name, value in _mapping("random", given["random"]).items()
        )
    else:
        random = ()
    regions: tuple[Region, ...] = (*shares, *random)
    names = [region.name for region in regions]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise MaskingError(f"{twice!r} is both in shares and in random")
    for region in shares:
        if region.buffer not in secrets:
            raise MaskingError(
                f"shares: {region.name}: buffer {region.buffer!r} is not in the header's secrets"
            )
    public = _names("public", given.get("public", []))
    for one in public:
        if one not in (*sizes, *values):
            raise MaskingError(f"public: {one!r} is no argument; {_one_of(one, [*sizes, *values])}")
    if hidden := [value for value in values if value not in public]:
        raise MaskingError(f"value argument {hidden[0]!r} is not in public")
    _covered(regions, public, sizes)
    outputs = _mapping("outputs", given["outputs"])
    for name, promise in outputs.items():
        found = next((region for region in regions if region.name == name), None)
        if found is None:
            raise MaskingError(f"outputs: {name!r} is no region; {_one_of(name, names)}")
        if found.buffer not in written:
            raise MaskingError(f"outputs: {name}: the kernel does not write {found.buffer!r}")
        if promise not in PROMISES:
            raise MaskingError(f"outputs: {name}: {promise!r} given, {_one_of(promise, PROMISES)}")
    if not any(region.name in outputs for region in shares):
        raise MaskingError("outputs: none of the shares is in it")
    return Masking(order, model, shares, random, public, outputs, _loop(given, names))


def _loop(given: dict[str, Any], names: list[str]) -> Loop | None:
    if "loop" not in given:
        return None
    content = _mapping("loop", given["loop"], ("head", "carries"))
    head = content.get("head")
    if not isinstance(head, str) or not re.fullmatch(r"[.\w$]+", head):
        raise MaskingError(f"loop: head is {head!r}, a label expected")
    carries = _names("loop: carries", content.get("carries", []))
    for name in carries:
        if name not in names:
            raise MaskingError(f"loop: carries: {name!r} is no region; {_one_of(name, names)}")
    return Loop(head, carries)
