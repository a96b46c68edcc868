# SPDX-License-Identifier: Apache-2.0
"""The memory of a call on any machine: an arena of its buffers, each between guard bytes.

After the call everything in it must be what the specification says: the outputs, the inputs as they
were, the guards as they were.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..cases import Call, Case, CaseError

GUARD = bytes(range(0xA0, 0xB0)) * 4


@dataclass(frozen=True)
class Arena:
    """The memory of one call: where each buffer begins, and the bytes before the call."""

    offsets: dict[str, int]
    image: bytes


def arena(call: Call, roomy: bool) -> Arena:
    """Lay out a call's buffers between guards; `roomy`: on 64-byte lines, else aligned as little as
    the kernel allows.
    """
    image = bytearray(GUARD)
    offsets = {}
    for buffer in call.buffers:
        if roomy:
            image += GUARD[: -len(image) % 64]
        else:
            image += GUARD[: -len(image) % buffer.align]
            if len(image) % (2 * buffer.align) == 0:
                image += GUARD[: buffer.align]
        offsets[buffer.name] = len(image)
        image += buffer.data
        image += GUARD[:32]
    return Arena(offsets, bytes(image) + GUARD[: -len(image) % 4])


def expected(call: Call, laid_out: Arena, calls: int) -> bytes:
    """The arena after so many calls."""
    image = bytearray(laid_out.image)
    for name, data in call.after(calls).items():
        image[laid_out.offsets[name] : laid_out.offsets[name] + len(data)] = data
    return bytes(image)


def arenas(case: Case) -> list[Arena]:
    """The arena of every call of a case."""
    return [arena(call, roomy=i == 0) for i, call in enumerate(case.calls)]


def compare(case: Case, machine: str, number: int, found: bytes, wanted: bytes) -> None:
    """CaseError that names the first byte of an arena that is not as it must be."""
    place = next((i for i, (a, b) in enumerate(zip(found, wanted, strict=True)) if a != b), None)
    if place is None:
        return
    call = case.calls[number]
    offsets = arena(call, roomy=number == 0).offsets
    for buffer in call.buffers:
        inside = place - offsets[buffer.name]
        if 0 <= inside < len(buffer.data):
            if buffer.written:
                start = offsets[buffer.name]
                got, want = (
                    found[start : start + len(buffer.data)],
                    wanted[start : start + len(buffer.data)],
                )
                problem = (
                    f"byte {inside} of {buffer.name}: {got.hex()} given, {want.hex()} expected "
                    f"by {case.kernel.spec}"
                )
            else:
                problem = (
                    f"byte {inside} of {buffer.name} was written, but the header gives only "
                    f"access {buffer.access}"
                )
            raise CaseError(f"{case.kernel.name} on {machine}: call {number}: {problem}")
    nearest = min(
        call.buffers,
        key=lambda buffer: min(
            abs(place - offsets[buffer.name]), abs(place - offsets[buffer.name] - len(buffer.data))
        ),
    )
    distance = place - offsets[nearest.name]
    where = (
        f"{-distance} bytes before"
        if distance < 0
        else f"{distance - len(nearest.data)} bytes past the end of"
    )
    raise CaseError(
        f"{case.kernel.name} on {machine}: call {number}: writes outside of its buffers, "
        f"{where} {nearest.name}"
    )
