# SPDX-License-Identifier: Apache-2.0
"""Memory safety of portable C: Frama-C Eva over harnesses that call public functions.

Eva follows every path for all contents of the buffers; lengths are numbers. No alarm means: no
access outside of an object, no read of what has no value, no division by zero, no shift too far, no
overflow of a signed number, no comparison of pointers for order in different objects. The harness
must reach its end, so that a path that stops early cannot pass for safe.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..checkout import find_program

TEXT_MOST, AD_MOST = 70, 37
DEFINES = (
    *("-DHANJI_FREESTANDING", "-DHANJI_PORTABLE", "-DNDEBUG", "-DHANJI_KEY_AREA_BYTES=0"),
    # Eva knows these functions by their own names
    *("-D__builtin_memcpy=memcpy", "-D__builtin_memset=memset", "-D__builtin_memmove=memmove"),
    *("-include", "string.h"),
)
# `!=` of pointers to different objects is defined (C17, 6.5.9); Eva warns of pointers just behind
# an object, which may equal one to the next. Addresses are ordered as numbers alone.
OPTIONS = (
    *("-machdep", "gcc_x86_64", "-eva", "-eva-precision", "5", "-eva-no-show-progress"),
    *("-eva-warn-undefined-pointer-comparison", "none"),
    "-eva-msg-key=-initial-state,-final-states",
)
SUPPORT = ("error", "kernel", "cpu", "secret")
ASCON = ("aead", "hash", "ascon", "ascon_kernels", "permute")
SPARKLE = ("schwaemm", "esch", "sparkle", "sparkle_kernels", "permute")


@dataclass(frozen=True)
class Harness:
    """A file of tests/proofs/eva with its definitions, and the room whose sources it calls."""

    name: str
    file: str
    defines: tuple[str, ...]
    room: str
    sources: tuple[str, ...]


def _aead(name: str, prefix: str, sizes: Sequence[int], room: str) -> Harness:
    key, nonce, tag = sizes
    defines = (
        f"-DNAME(f)=hanji_{prefix}_##f",
        *(f"-DKEY={key}", f"-DNONCE={nonce}", f"-DTAG={tag}", "-DOTHER=33"),
    )
    return Harness(name, "aead.c", defines, room, ASCON if room == "ascon" else SPARKLE)


def _hash(name: str, prefix: str, context: str, digest: int, room: str) -> Harness:
    defines = (
        f"-DNAME(f)=hanji_{prefix}_##f",
        f"-DNAMED=hanji_{prefix}",
        *(f"-DCONTEXT={context}", f"-DDIGEST={digest}"),
    )
    return Harness(name, "hash.c", defines, room, ASCON if room == "ascon" else SPARKLE)


HARNESSES = (
    _aead("ascon-aead128", "ascon_aead128", (16, 16, 16), "ascon"),
    _hash("ascon-hash256", "ascon_hash256", "hanji_ascon_hash_ctx", 32, "ascon"),
    _aead("schwaemm256-128", "schwaemm256_128", (16, 32, 16), "sparkle"),
    _aead("schwaemm192-192", "schwaemm192_192", (24, 24, 24), "sparkle"),
    _aead("schwaemm128-128", "schwaemm128_128", (16, 16, 16), "sparkle"),
    _aead("schwaemm256-256", "schwaemm256_256", (32, 32, 32), "sparkle"),
    _hash("esch256", "esch256", "hanji_esch_ctx", 32, "sparkle"),
    _hash("esch384", "esch384", "hanji_esch_ctx", 48, "sparkle"),
)


# The text of a line whose alarm is none, what the alarm says, and why it cannot happen.
EXPLAINED = {
    "memset(ctx->pending + ctx->pending_bytes + 1, 0, RATE - 1 - ctx->pending_bytes);": (
        "memset: precondition 'valid_s'",
        "Eva takes the two uses of pending_bytes apart; it is below RATE, and start and length"
        " add up to the end of `pending`",
    ),
}


def explained(root: Path, alarm: str) -> bool:
    """Whether an alarm is of a line of EXPLAINED, and says what is explained there."""
    found = re.match(r"(src/\S+\.[ch]):(\d+): ", alarm.replace(f"{root}/", ""))
    if not found:
        return False
    line = (root / found[1]).read_text().splitlines()[int(found[2]) - 1].strip()
    return line in EXPLAINED and EXPLAINED[line][0] in alarm


@dataclass(frozen=True)
class Found:
    """What Eva said: its alarms, the functions of the library that it went through, and whether the
    harness ended.
    """

    alarms: tuple[str, ...]
    functions: int
    ended: bool

    @property
    def safe(self) -> bool:
        """No alarm, to the end."""
        return self.ended and not self.alarms and self.functions > 5


def analysed(
    root: Path,
    harness: Harness,
    first: int = 0,
    last: int = TEXT_MOST,
    at_start: bool = False,
    room: Path | None = None,
) -> Found:
    """Run Eva for texts of `first` to `last` bytes; `room` has other sources in the place of the
    harness's.
    """
    program = find_program("frama-c", "frama-c-base", "the proofs of memory safety")
    room = room or root / "src" / harness.room
    bounds = (f"-DFIRST={first}", f"-DLAST={last}", f"-DAT_START={int(at_start)}")
    options = " ".join(
        f"'{word}'"
        for word in (
            f"-I{root / 'include'}", f"-I{room.parent}", f"-I{root / 'src'}",
            *DEFINES, *harness.defines, *bounds,
        )
    )  # fmt: skip
    files = [
        root / "tests/proofs/eva" / harness.file,
        *(room / f"{name}.c" for name in harness.sources),
        *(root / "src/support" / f"{name}.c" for name in SUPPORT),
    ]
    done = subprocess.run(
        [program, *OPTIONS, f"-cpp-extra-args={options}", *map(str, files)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = read(done.stdout + done.stderr)
    left = tuple(alarm for alarm in found.alarms if not explained(root, alarm))
    return Found(left, found.functions, found.ended)


def read(said: str) -> Found:
    """What Eva's output says."""
    lines = said.replace("\n  ", " ").splitlines()
    alarms = [line.removeprefix("[eva:alarm] ") for line in lines if line.startswith("[eva:alarm]")]
    counted = re.search(r"(\d+) alarms? generated by the analysis", said)
    if not counted:
        alarms.append("Eva gave no summary: " + said[-600:])
    elif counted[1] != "0" and not alarms:
        alarms.append(counted[0])
    if found := re.search(r"by the (?:Eva analyzer|Frama-C kernel): +([1-9]\d*) errors", said):
        alarms.append(f"{found[1]} errors of Frama-C")
    functions = re.search(r"(\d+) functions analyzed", said)
    ended = "Frama_C_show_each_end" in said
    return Found(tuple(dict.fromkeys(alarms)), int(functions[1]) if functions else 0, ended)
