# SPDX-License-Identifier: Apache-2.0
"""Speed on this machine: the C library in core cycles (host.py), the Python package beside C, and
`hanji seal`.

Wall-clock figures of a shared machine are noisy: cycles are counted against a chain of additions in
the same round, and everything else is a ratio within one run.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from .. import depends
from ..checkout import FAST, LabError, build_library, fast_build, find_compiler, run
from ..kernels import own_tiers
from ..processor import machine, processor
from ..results import Provenance, Result, tool_version
from . import quiet

SEALED_BYTES = 1 << 30
SEAL_MEMORY_GOAL = 100 << 20


class Harness:
    """lab/measure/host.c with the C library of the checkout, compiled and loaded.

    `variant` names a library that differs from the library in the values of these macros: for
    measuring what to choose.
    """

    def __init__(
        self,
        root: Path,
        family: str = "gcc",
        variant: str = "",
        macros: Mapping[str, int] | None = None,
    ) -> None:
        self.root = root
        self.compiler = find_compiler(family)
        name = fast_build(family, variant)
        flags = " ".join((FAST, *(f"-D{macro}={value}" for macro, value in (macros or {}).items())))
        archive = build_library(root, name, self.compiler, flags, "hanji_static")
        target = archive.with_name("host.so")
        source = root / "lab/measure/host.c"
        run(
            [
                self.compiler,
                "-O2",
                "-std=gnu11",
                "-shared",
                "-fPIC",
                "-I",
                root / "include",
                "-I",
                root / "src",
                source,
                archive,
                "-o",
                target,
            ]
        )
        self.path = target
        self._library = ctypes.CDLL(str(target))
        self._library.core_hertz.restype = ctypes.c_double
        # one that was loaded before is the same library, and may have been left with another tier
        self.force(own_tiers(root)[-1])

    def force(self, tier: str) -> None:
        """Keep to the kernels of a tier from now on."""
        if self._library.force(tier.encode()):
            raise LabError(f"this machine or this build has no tier {tier!r}")

    def measure_fleet(
        self, name: str, messages: int, size: int, rounds: int = 21, longest: int = 0
    ) -> float:
        """Median core cycles of sealing so many messages of `size` bytes, each under its own key,
        or of hashing them, in one call.

        With `longest`: of messages from `size` to `longest` bytes, as `fleet_bytes` adds them up.
        """
        return self._fleet(name, messages, size, rounds, longest)[0]

    def fleet_seconds(self, name: str, messages: int, size: int, rounds: int = 21) -> float:
        """Least seconds of one such call."""
        return self._fleet(name, messages, size, rounds, 0)[2]

    def fleet_bytes(self, messages: int, size: int, longest: int) -> int:
        """The bytes of all messages of such a fleet: their lengths come from a generator that
        always begins alike.
        """
        return self._fleet("esch256", messages, size, 1, longest)[1]

    def _fleet(
        self, name: str, messages: int, size: int, rounds: int, longest: int
    ) -> tuple[float, int, float]:
        cycles, seconds, total = ctypes.c_double(), ctypes.c_double(), ctypes.c_size_t()
        sizes = (ctypes.c_size_t(number) for number in (messages, size, longest or size))
        code = self._library.measure_fleet(
            ctypes.byref(cycles),
            ctypes.byref(seconds),
            ctypes.byref(total),
            name.encode(),
            *sizes,
            rounds,
        )
        if code:
            raise LabError(
                f"the harness cannot measure {messages} messages of {size} bytes (code {code})"
            )
        quiet.hear(self._library.disturbed_figures())
        return cycles.value, total.value, seconds.value

    def measure(
        self, name: str, operation: str, size: int, rounds: int = 41
    ) -> tuple[float, float]:
        """Median core cycles and least seconds of one call over `size` bytes."""
        cycles, seconds = ctypes.c_double(), ctypes.c_double()
        code = self._library.measure(
            ctypes.byref(cycles),
            ctypes.byref(seconds),
            name.encode(),
            operation.encode(),
            ctypes.c_size_t(size),
            rounds,
        )
        if code:
            raise LabError(
                f"the harness cannot measure {operation} of {name} over {size} bytes (code {code})"
            )
        quiet.hear(self._library.disturbed_figures())
        return cycles.value, seconds.value

    def measure_aimer(self, name: str, operation: str, seconds: float) -> float:
        """Median core cycles of an operation of a set of AIMer, over as many rounds as take about
        so long, 3 to 201.
        """
        cycles, once = ctypes.c_double(), ctypes.c_double()
        rounds = 1
        for _ in range(2):
            code = self._library.measure_aimer(
                ctypes.byref(cycles), ctypes.byref(once), name.encode(), operation.encode(), rounds
            )
            if code:
                raise LabError(f"the harness cannot measure {operation} of {name} (code {code})")
            rounds = max(3, min(201, int(seconds / max(once.value, 4e-5))))
        quiet.hear(self._library.disturbed_figures())
        return cycles.value

    def measure_keccak(self, kernel: str, rounds: int = 201) -> float:
        """Median core cycles of one call of a kernel of Keccak-f[1600]."""
        cycles, seconds = ctypes.c_double(), ctypes.c_double()
        code = self._library.measure_keccak(
            ctypes.byref(cycles), ctypes.byref(seconds), kernel.encode(), rounds
        )
        if code:
            raise LabError(f"the harness cannot measure {kernel} (code {code})")
        quiet.hear(self._library.disturbed_figures())
        return cycles.value

    def profile_aimer(self, name: str, operation: str, count: int = 2000) -> list[int]:
        """So many samples of the program counter, 100 microseconds apart, while an operation of
        AIMer repeats.
        """
        samples = (ctypes.c_size_t * count)()
        code = self._library.profile_aimer(
            samples, ctypes.c_size_t(count), name.encode(), operation.encode()
        )
        if code:
            raise LabError(f"the harness cannot profile {operation} of {name} (code {code})")
        return list(samples)

    def address(self, function: str) -> int:
        """Where a function of the harness is in memory."""
        return ctypes.cast(getattr(self._library, function), ctypes.c_void_p).value or 0

    def hertz(self) -> float:
        """Cycles per second of the core now."""
        return float(self._library.core_hertz(41))

    def provenance(
        self,
        command: str,
        *units: str,
        tier: str = "portable",
        named: Collection[str] | None = None,
        more: tuple[str, ...] = (),
    ) -> Provenance:
        """Where a figure comes from: the units of the library that it runs through with the kernels
        of a tier (depends.library), and `more`.
        """
        own = ("lab/measure/host.c", "lab/measure/chain.h")
        measured = depends.library(self.root, units, depends.TIERS[tier], named, (*own, *more))
        return Provenance(measured, [tool_version(self.compiler), processor()], FAST, command)


def sponges(
    harness: Harness, command: str, *algorithms: str, tier: str = "", more: tuple[str, ...] = ()
) -> Provenance:
    """Where a figure of algorithms over SPARKLE comes from; without a tier, with the best of this
    machine.
    """
    named = set().union(*map(depends.sponge, algorithms))
    return harness.provenance(
        command, *depends.SPONGE, tier=tier or own_tiers(harness.root)[-1], named=named, more=more
    )


def _best(call: Callable[[], object], runs: int, repeats: int) -> float:
    best = float("inf")
    for _ in range(runs):
        begin = time.perf_counter()
        for _ in range(repeats):
            call()
        best = min(best, (time.perf_counter() - begin) / repeats)
    return best


def python(harness: Harness, command: str) -> Iterator[Result]:
    """The Python package beside C in the same process, turn by turn: ratio at 1 MiB, and seconds of
    a 16-byte message.
    """
    from hanji.aead import Schwaemm256_128
    from hanji.hashes import Esch256

    provenance = sponges(
        harness,
        command,
        "schwaemm256-128",
        "esch256",
        more=("python/src/*.[ch]pp", "python/hanji/aead.py", "python/hanji/hashes.py"),
    )
    where = machine()
    cipher, nonce, big = Schwaemm256_128(bytes(16)), bytes(32), bytearray((1 << 20) + 16)
    text, short = memoryview(big)[: 1 << 20], bytes(16)
    calls: list[tuple[str, str, int, Callable[[], object], int]] = [
        (
            "schwaemm256-128",
            "encrypt",
            1 << 20,
            lambda: cipher.encrypt_into(nonce, text, None, big),
            1,
        ),
        ("esch256", "hash", 1 << 20, lambda: Esch256(text).digest(), 1),
        ("schwaemm256-128", "encrypt", 16, lambda: cipher.encrypt(nonce, short, None), 2000),
    ]
    for name, operation, size, call, repeats in calls:
        ours, c = float("inf"), float("inf")
        for _ in range(12):
            ours = min(ours, _best(call, 3, repeats))
            c = min(c, harness.measure(name, operation, size, 3)[1])
        yield Result(
            f"{name} python", where, "host", operation, size, provenance,
            more={"microseconds": round(ours * 1e6, 3), "ratio_to_c": round(ours / c, 3)},
        )  # fmt: skip


def seal(harness: Harness, command: str, size: int = SEALED_BYTES) -> Iterator[Result]:
    """`hanji seal` and `hanji open` of a file in memory on one processor and on all; beside them,
    turn by turn, `cp`, `dd` with pieces of 1 MiB, the raw kernel for as many chunks side by side,
    and the same command for a file of one byte: their times, and peak memory. Then the same on
    disk beside `age`, where that is installed.

    Seconds are processor time, but those of all processors and those on disk, which are those that
    pass. `share_of_raw_speed` is the time of the kernel over the time of the command on one
    processor; `ratio_to_cp_and_raw` and `ratio_to_dd_and_raw` are the latter over those of a copy
    and of the kernel together. `cp` lets Linux copy from file to file, in one pass over memory;
    `dd` reads and writes, as a program must that changes the text. On disk every file is synced,
    and `ratio_to_age` is the time of hanji over that of `age`, both on one processor.
    """
    extra = ("python/src/*.[ch]pp", "python/hanji/*.py", "python/hanji/files/*.py")
    name, lanes, chunk = "schwaemm256-128", 16, 1 << 16
    where, provenance = machine(), sponges(harness, command, name, more=extra)
    for operation, in_memory, on_disk in zip(
        ("seal", "open"),
        _in_memory(harness, name, lanes, chunk, size),
        _beside_age(name, size),
        strict=True,
    ):
        yield Result(
            f"hanji {operation}", where, "host", operation, size, provenance,
            more=in_memory | on_disk,
        )  # fmt: skip


# Of `seal`: a virtual machine may give free memory back to its host every two seconds, and who
# writes next pays for a gigabyte of new pages (1 to 2 s). Each command runs several times in a row
# and each turn begins elsewhere in these seconds; what counts is the least.
_TURNS, _IN_A_ROW = 4, 2


class _Files(NamedTuple):
    """A text of `size` bytes and one of one byte, both sealed as well, and a name for what a
    command makes.
    """

    key: Path
    plain: Path
    sealed: Path
    small: Path
    small_sealed: Path
    made: Path


def _program() -> Path:
    return Path(sys.executable).with_name("hanji")


@contextlib.contextmanager
def _files(folder: Path | None, algorithm: str, size: int) -> Iterator[_Files]:
    with tempfile.TemporaryDirectory(prefix="hanji-measure-", dir=folder) as place:
        files = _Files(*(Path(place) / name for name in _Files._fields))
        run([_program(), "keygen", "-a", algorithm, "-o", files.key])
        files.small.write_bytes(b"x")
        piece = os.urandom(1 << 20)
        with files.plain.open("wb") as out:
            for done in range(0, size, len(piece)):
                out.write(piece[: size - done])
        for text, result in ((files.plain, files.sealed), (files.small, files.small_sealed)):
            run([_program(), "seal", text, "-o", result, "--key", files.key])
        yield files


def _memory_folder(size: int) -> Path | None:
    """A folder whose files lie in memory and that has room for a text, what is made of it and one
    more; None where there is none.
    """
    folder = Path("/dev/shm")
    try:
        return folder if shutil.disk_usage(folder).free > 4 * size else None
    except OSError:
        return None


def _in_memory(
    harness: Harness, name: str, lanes: int, chunk: int, size: int
) -> Iterator[dict[str, float | str]]:
    """Figures of sealing, then of opening."""
    program, folder = _program(), _memory_folder(size)
    with _files(folder, name, size) as files:
        for operation, given, least_given in (
            ("seal", files.plain, files.small),
            ("open", files.sealed, files.small_sealed),
        ):
            made, end = files.made, ("-o", files.made, "--key", files.key)
            commands: dict[str, list[str | Path]] = {
                "seconds": [program, operation, given, *end],
                "seconds_of_one_byte": [program, operation, least_given, *end],
                "seconds_of_cp": ["cp", given, made],
                "seconds_of_dd": ["dd", "bs=1M", "status=none", f"if={given}", f"of={made}"],
            }
            took = dict.fromkeys([*commands, "seconds_of_aead"], float("inf"))
            passed = together = float("inf")
            peak = 0
            for _ in range(_TURNS):
                with one_processor():
                    least = harness.fleet_seconds(name, lanes, chunk) * size / (lanes * chunk)
                    took["seconds_of_aead"] = min(took["seconds_of_aead"], least)
                    for what, words in commands.items():
                        for one in (_seconds(words, made) for _ in range(_IN_A_ROW)):
                            took[what] = min(took[what], one.of_processors)
                            if what == "seconds":
                                passed = min(passed, one.passed)
                for once in (_seconds(commands["seconds"], made) for _ in range(_IN_A_ROW)):
                    together, peak = min(together, once.passed), max(peak, once.peak_bytes)
            alone, raw = took["seconds"], took["seconds_of_aead"]
            yield {
                **{what: round(seconds, 3) for what, seconds in took.items()},
                "seconds_of_all_processors": round(together, 3),
                "share_of_raw_speed": round(raw / alone, 3),
                "ratio_to_cp_and_raw": round(alone / (took["seconds_of_cp"] + raw), 3),
                "ratio_to_dd_and_raw": round(alone / (took["seconds_of_dd"] + raw), 3),
                "ratio_of_threads": round(passed / together, 3),
                "peak_memory_bytes": peak,
                "threads": len(os.sched_getaffinity(0)),
                "files_in": "memory" if folder else "temporary folder",
            }


# The recipient and its identity are made for one run; `sync` waits for the disk as hanji does.
_AGE = {
    "seal": 'age -r "$(age-keygen -y "$3")" -o "$2" "$1" && sync "$2"',
    "open": 'age -d -i "$3" -o "$2" "$1" && sync "$2"',
}


def _beside_age(name: str, size: int) -> Iterator[dict[str, float]]:
    """Figures of sealing on disk, then of opening; none where there is no `age`."""
    if shutil.which("age") is None or shutil.which("age-keygen") is None:
        yield from ({}, {})
        return
    program = _program()
    with _files(None, name, size) as files:
        identity, its_sealed = files.made.with_name("identity"), files.made.with_name("age")
        run(["age-keygen", "-o", identity])
        run(["sh", "-c", _AGE["seal"], "age", files.plain, its_sealed, identity])
        for operation, given, its_given in (
            ("seal", files.plain, files.plain),
            ("open", files.sealed, its_sealed),
        ):
            ours = theirs = float("inf")
            end = ("-o", files.made, "--key", files.key)
            its = ("sh", "-c", _AGE[operation], "age", its_given, files.made, identity)
            for _ in range(_TURNS):
                with one_processor():
                    for _ in range(_IN_A_ROW):
                        one = _seconds([program, operation, given, *end], files.made)
                        ours = min(ours, one.passed)
                    for _ in range(_IN_A_ROW):
                        theirs = min(theirs, _seconds([*its], files.made).passed)
            yield {
                "seconds_on_disk": round(ours, 3),
                "seconds_of_age_on_disk": round(theirs, 3),
                "ratio_to_age": round(ours / theirs, 3),
            }


@contextlib.contextmanager
def one_processor() -> Iterator[None]:
    """This process and those that it starts meanwhile run on one processor."""
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(usable)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usable)


class _Took(NamedTuple):
    """What a command took: seconds that passed, those of processors, and the most memory."""

    passed: float
    of_processors: float
    peak_bytes: int


def _seconds(command: list[str | Path], made: Path) -> _Took:
    """What a command takes that makes a file; the file is removed."""
    peak = 0
    before = _processor_seconds()
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        while child.poll() is None:
            peak = max(peak, peak_memory(child.pid))
            time.sleep(0.005)
    passed = time.perf_counter() - begin
    if child.returncode:
        raise LabError(f"{Path(command[0]).name} ended with status {child.returncode}")
    made.unlink()
    return _Took(passed, _processor_seconds() - before, peak)


def _processor_seconds() -> float:
    """Of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_memory(pid: int) -> int:
    """The most memory, in bytes, that a process has had since it began its program; what wait4 says
    counts its parent's, too. 0 when it has ended.
    """
    try:
        found = re.search(
            r"^VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE
        )
    except OSError:
        found = None
    return int(found[1]) << 10 if found else 0
