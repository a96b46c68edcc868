# SPDX-License-Identifier: Apache-2.0
"""What the parts of a run on a GPU share: the device, its kernels, how much is done, and what is
measured so far.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from .. import results
from ..checkout import LabError
from ..results import Provenance, Result
from . import plain, ptx, ptx_path
from .device import CudaError, Device, Kernel, Module

COMMAND = "lab/gpu/run-all"

# One thread counts clocks until so many have gone by: with the time, that is the clock of the
# multiprocessors.
CLOCK = f""".version {ptx.VERSION}
.target {ptx.TARGET}
.address_size 64
.visible .entry hanji_clock(
    .param .u64 out,
    .param .u32 ticks
)
.maxntid 1, 1, 1
{{
    .reg .b64 %d<6>;
    .reg .b32 %r<2>;
    .reg .pred %p<2>;
    ld.param.u64 %d1, [out];
    ld.param.u32 %r1, [ticks];
    cvta.to.global.u64 %d1, %d1;
    cvt.u64.u32 %d2, %r1;
    mov.u64 %d3, %clock64;
again:
    mov.u64 %d4, %clock64;
    sub.u64 %d5, %d4, %d3;
    setp.lt.u64 %p1, %d5, %d2;
    @%p1 bra again;
    st.global.u64 [%d1], %d5;
    ret;
}}
"""


@dataclass(frozen=True)
class Sizes:
    """How much is done: the real thing, or little of everything, for tests."""

    stream_bytes: int = 1 << 31
    fleet_messages: int = 1 << 26
    sponge_messages: int = 1 << 22
    copy_bytes: int = 1 << 28
    chunk_bytes: int = 1 << 25
    chunks: int = 64
    repeats: int = 7
    table_repeats: int = 50
    seconds: float = 0.1  # of one repeat
    ticks: int = 100_000_000
    call_messages: int = 1 << 20
    call_repeats: int = 5


FULL = Sizes()
SHORT = Sizes(1 << 16, 1 << 12, 64, 1 << 16, 1 << 15, 4, 2, 2, 0.0, 1000, 300, 2)


@dataclass
class Session:
    """One run: the device, the kernels, what is done, and where results go."""

    root: Path
    device: Device
    wheel: Path | None  # None: the hanji that is installed
    folder: Path  # where the wheel is unpacked
    out: Path | None  # None: results go nowhere
    sizes: Sizes
    log: TextIO
    command: str = COMMAND
    quiet: bool = False
    images: dict[str, str] = field(default_factory=dict)
    stack: ExitStack = field(default_factory=ExitStack)
    modules: dict[str, Module] = field(default_factory=dict)
    made: dict[str, Any] = field(default_factory=dict)  # results as they are stored, by item
    wrong: dict[str, str] = field(default_factory=dict)
    deadline: float = 0.0
    cut: list[str] = field(default_factory=list)
    clock: float = 0.0  # Hz, of the multiprocessors
    copy: float = 0.0  # bytes read and written per second
    two_way: float = 0.0  # bytes per second in each direction, both at once

    @property
    def machine(self) -> str:
        return f"gpu:{slug(self.device.name)}"

    def say(self, text: str) -> None:
        if self.quiet:
            return
        line = f"{time.strftime('%H:%M:%S')} {text}"
        print(line, flush=True)
        self.log.write(line + "\n")
        self.log.flush()

    def module(self, name: str) -> Module:
        """A PTX file of the library, from the wheel, or, for the paper's kernels, of the checkout;
        `plain`, the compiled C kernels; or `clock`.
        """
        if name not in self.modules:
            self.modules[name] = self.stack.enter_context(self.device.module(self.image(name)))
        return self.modules[name]

    def image(self, name: str) -> bytes:
        if name == "clock":
            return CLOCK.encode()
        if name == "plain":
            return (
                plain.CUBIN.read_bytes() if self.device.capability == 90 else plain.PTX.read_bytes()
            )
        text = self.images.get(name) or (self.root / ptx_path(name)).read_text(encoding="ascii")
        return text.encode()

    def kernel(self, file: str, name: str) -> Kernel:
        try:
            return self.module(file).kernel(name)
        except CudaError:
            if file != "plain" or plain.PTX.read_bytes() == self.image(file):
                raise
            # A driver older than the compiler may refuse its machine code; it compiles the PTX.
            self.say("the driver refuses the machine code of the C kernels; their PTX is used")
            self.modules["plain"] = self.stack.enter_context(
                self.device.module(plain.PTX.read_bytes())
            )
            return self.modules["plain"].kernel(name)

    def sources(self, file: str) -> dict[str, str]:
        paths = {
            "plain": [
                "lab/gpu/plain.cu",
                "lab/gpu/generated/plain_sm90.cubin",
                "lab/gpu/generated/plain_sm75.ptx",
            ],
            "clock": ["lab/gpu/session.py"],
        }
        return results.sources(self.root, paths.get(file, [ptx_path(file)]))

    def provenance(self, file: str) -> Provenance:
        tools = [f"driver for CUDA {self.device.driver_version()}"]
        tools += [f"{self.wheel.name} sha256 {digest(self.wheel)[:16]}"] if self.wheel else []
        return Provenance(
            self.sources(file),
            [*tools, *([plain.COMPILER] if file == "plain" else [])],
            "",
            self.command,
        )

    def add(self, item: str, result: Result) -> None:
        """Keep a result, and write all that there are."""
        self.made[item] = result.to_json()
        self.save()

    def save(self) -> None:
        if self.out is None:
            return
        name = f"gpu-{slug(self.device.name)}"
        results.write_text(self.out / f"{name}.json", results.text(self.made.values()))
        state = {
            "wheel": digest(self.wheel),
            "items": list(self.made),
            "wrong": self.wrong,
            "clock": self.clock,
            "copy": self.copy,
        }
        results.write_text(
            self.out / f"{name}.state",
            json.dumps(state | {"two_way": self.two_way}, indent=1) + "\n",
        )

    def resume(self) -> None:
        """Take up what an earlier run with the same wheel has done."""
        if self.out is None:
            return
        name = f"gpu-{slug(self.device.name)}"
        try:
            state = json.loads((self.out / f"{name}.state").read_text(encoding="utf-8"))
            entries = results.read(self.out / f"{name}.json")
        except (OSError, ValueError, LabError):
            return
        if state.get("wheel") == digest(self.wheel) and len(state["items"]) == len(entries):
            self.made, self.wrong = dict(zip(state["items"], entries, strict=True)), state["wrong"]
            self.clock, self.copy, self.two_way = state["clock"], state["copy"], state["two_way"]

    def todo(self, item: str) -> bool:
        """Whether an item is still to do and there is time for it."""
        if item in self.made:
            return False
        if time.monotonic() < self.deadline:
            return True
        self.cut.append(item)
        return False

    def mark_wrong(self, name: str, what: str) -> None:
        """Name what is wrong with a kernel or a call."""
        self.wrong[name] = what
        self.say(f"WRONG: {name}: {what}")


def slug(name: str) -> str:
    """A device's name as part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("nvidia", "")).strip("-")


def digest(path: Path | None) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path else ""
