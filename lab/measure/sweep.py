# SPDX-License-Identifier: Apache-2.0
"""Compare the speed of two builds of the library, or of two tiers of one build, at every small
size, and find the calls that became slower.

Both builds are loaded into this process, and slices of a few microseconds alternate between them
(sweep_runner.c). The address at which the linker places a function can change its speed by more
than 10 %, even when the function itself is unchanged. Both libraries are therefore linked at
several addresses, and the best time of each build counts. A point that seems slower is measured
again from the start, and is reported only if it is slower again.
"""

from __future__ import annotations

import ctypes
import io
import math
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path
from statistics import geometric_mean

from .. import depends
from ..checkout import (
    FAST,
    LabError,
    build_library,
    exclusive,
    fast_build,
    find_compiler,
    find_program,
    run,
)
from . import one_processor

TREES = "build/lab/sweep"  # in the checkout: one folder per revision, with its sources
# The files that a build of the C library reads. Not every revision has all of them.
SOURCES = ("CMakeLists.txt", "cmake", "include", "src", "tiny")
HERE = "lab/measure"

LONGEST = 2048
# Every length up to 130 bytes; from there on, for every multiple of 64 bytes, the multiple itself,
# its two neighbours and a length half-way to the multiple before.
LENGTHS = (
    *range(131),
    *sorted({m + d for m in range(192, LONGEST + 1, 64) for d in (-33, -1, 0, 1)} - {LONGEST + 1}),
)
COUNTS = tuple(range(1, 131))
FLEET_BYTES = (16, 64, 0)  # bytes of each message of a fleet; 0: the lengths differ
UNEQUAL = 1024  # the greatest length where lengths differ

BLOCK_CIPHERS = (
    "speck-64/128", "speck-128/128", "simon-64/128", "simon-128/128", "simeck-64/128",
    "cham-64/128", "cham-128/128",
)  # fmt: skip
ONE_MESSAGE = (
    *(
        (name, f"{mode}{key}")
        for mode in ("ctr", "cmac", "eax")
        for name in BLOCK_CIPHERS
        for key in ("", ", key in the call")
    ),
    *(("ascon-aead128", what) for what in ("encrypt", "encrypt, key kept", "decrypt")),
    *((f"schwaemm{name}", "encrypt") for name in ("256-128", "192-192", "128-128", "256-256")),
    ("schwaemm256-128", "decrypt"),
    *((name, "hash") for name in ("ascon-hash256", "ascon-xof128", "esch256", "esch384")),
)  # fmt: skip
FLEETS = (
    *((name, f"fleet ctr{key}") for name in BLOCK_CIPHERS for key in ("", ", one key")),
    *(
        (name, f"fleet {mode}")
        for mode in ("cmac", "eax")
        for name in ("speck-64/128", "speck-128/128", "cham-128/128")
    ),
    *(("ascon-aead128", f"fleet {what}") for what in ("encrypt", "decrypt")),
    ("schwaemm256-128", "fleet encrypt"),
    ("ascon-hash256", "fleet hash"),
    ("esch256", "fleet hash"),
)  # fmt: skip

PLACES = (0, 16, 32, 48)  # bytes of padding in front of the code of both libraries
ROUNDS = 3  # each round visits every point, so the measurements of a point are minutes apart
SLICE = 1e-5  # seconds
AGAIN = len(PLACES)  # how many times a point that seems slower is measured again
SHARE_AGAIN = 0.25  # share of the time that is kept for measuring again
MOST_SLICES = 2000
_TASK_ALIGNMENT = 4096


@dataclass(frozen=True, order=True)
class Point:
    """One call to measure. `size` is the bytes of a message; in a fleet, 0 stands for messages of
    different lengths.
    """

    algorithm: str
    operation: str
    size: int
    messages: int = 1

    @property
    def series(self) -> tuple[str, str]:
        """The algorithm and the operation (for a fleet with the size of its messages), which all
        points of a table row have in common.
        """
        if self.operation.startswith("fleet"):
            each = f"{self.size} B" if self.size else f"1 to {UNEQUAL} B"
            return self.algorithm, f"{self.operation}, {each} each"
        return self.algorithm, self.operation

    @property
    def place(self) -> int:
        """Position in the series: bytes of the message, or messages of the fleet."""
        return self.messages if self.operation.startswith("fleet") else self.size


def points(
    pattern: Sequence[str] = (),
    lengths: Sequence[int] = LENGTHS,
    counts: Sequence[int] = COUNTS,
) -> list[Point]:
    """All points whose "ALGORITHM OPERATION" matches one of the patterns; LabError if none
    matches.
    """
    every = [Point(*call, length) for call in ONE_MESSAGE for length in lengths]
    every += [
        Point(*call, size, count) for call in FLEETS for size in FLEET_BYTES for count in counts
    ]
    found = [
        point
        for point in every
        if not pattern
        or any(fnmatch(f"{point.algorithm} {point.operation}", glob) for glob in pattern)
    ]
    if not found:
        names = ", ".join(sorted({f"{name} {what}" for name, what in (*ONE_MESSAGE, *FLEETS)}))
        raise LabError(f"--only {' '.join(pattern)} matches none of: {names}")
    return found


@dataclass(frozen=True)
class Comparison:
    """The times of a point in both builds: the least seconds of a call in any slice, and in
    `paired` the median of new / old over pairs of neighbouring slices.
    """

    point: Point
    old: float
    new: float
    paired: float
    confirmed: bool = False  # slower when it was measured again as well

    @property
    def ratio(self) -> float:
        """Time of the new build divided by time of the old one."""
        return self.new / self.old

    @property
    def slower(self) -> float:
        """How much slower the new build is, by the lower of two statistics. A disturbance that hits
        or spares a single slice can move the least time, but not the median as well.
        """
        return min(self.ratio, self.paired) - 1


# ---- the two sides


@dataclass(frozen=True)
class Side:
    """One of the two builds: the name the user gave it, its sources, the static library, and the
    tier that its calls are limited to (None: the best of the machine).
    """

    name: str
    root: Path
    archive: Path
    tier: str | None

    def shim(self, checkout: Path, family: str, folder: Path, moved: int) -> Path:
        """Link the library and sweep_calls.c into a shared object in `folder`, with `moved` bytes
        of padding in front of the code of the library.

        Revisions can differ in their public interface, so this takes the first file that compiles
        with the headers of this build: lab/measure/sweep_calls*.c of the checkout, then
        sweep_calls.c of the build's own sources.
        """
        candidates = sorted((checkout / HERE).glob("sweep_calls*.c"), key=lambda path: path.stem)
        candidates += (self.root / HERE).glob("sweep_calls.c")
        target = folder / f"shim-{len(list(folder.iterdir()))}.so"
        errors = []
        for source in candidates:
            command: list[str | Path] = [
                find_compiler(family), "-O2", "-std=gnu11", "-shared", "-fPIC",
                f'-DSWEEP_PAD="{moved}"',
                "-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types",
                "-Werror=int-conversion",
                "-Wl,-Bsymbolic,--exclude-libs,ALL", "-I", checkout / HERE,
                "-I", self.root / "include", source, self.archive, "-o", target,
            ]  # fmt: skip
            try:
                run(command)
            except LabError as error:
                errors.append(f"{source.name}: {error}")
            else:
                return target
        raise LabError(
            f"no {HERE}/sweep_calls*.c compiles with the headers of {self.name}: after a change of "
            "the public interface, keep the file for the old one as sweep_calls_NAME.c.\n"
            + "\n".join(errors)
        )


def _revision(checkout: Path, text: str) -> str | None:
    """The commit that has this name in git, or None."""
    if text.startswith(("-", ".")) or shutil.which("git") is None:
        return None
    done = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{text}^{{commit}}"],
        cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or None


def export(checkout: Path, commit: str) -> Path:
    """Extract the sources of a commit into a folder, unless that was done before."""
    folder = checkout / TREES / commit
    with exclusive(checkout / TREES):
        if not folder.exists():
            listed = run(["git", "ls-tree", "--name-only", commit], cwd=checkout).split("\n")
            paths = [path for path in SOURCES if path in listed]
            if "CMakeLists.txt" not in paths:
                raise LabError(
                    f"revision {commit} has no CMakeLists.txt; a revision of hanji expected"
                )
            calls = run(
                ["git", "ls-tree", "--name-only", commit, f"{HERE}/sweep_calls.c"], cwd=checkout
            )
            packed = subprocess.run(
                ["git", "archive", "--format=tar", commit, *paths, *calls.split()],
                cwd=checkout, capture_output=True, check=True,
            )  # fmt: skip
            with (
                tempfile.TemporaryDirectory(dir=checkout / TREES) as unfinished,
                tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive,
            ):
                archive.extractall(Path(unfinished) / commit, filter="data")
                (Path(unfinished) / commit).rename(folder)
    return folder


def side(checkout: Path, text: str, family: str = "gcc") -> Side:
    """The build that the user named: a git revision, a source tree or a CMake build folder, with an
    optional @TIER that limits it to the kernels of a tier.
    """
    name, at, tier = text.rpartition("@")
    if not at or tier not in depends.TIERS:
        if at and re.fullmatch(r"[a-z0-9-]+", tier) and "/" not in tier and name:
            raise LabError(
                f"{text}: tier {tier!r} given, one of {', '.join(depends.TIERS)} expected"
            )
        name, tier = text, ""
    commit = _revision(checkout, name)
    folder = Path(name)
    if commit is not None:
        root = export(checkout, commit)
    elif (folder / "CMakeCache.txt").is_file():
        return Side(text, *_built(folder), tier or None)
    elif (folder / "include/hanji/common.h").is_file():
        root = folder.resolve()
    else:
        raise LabError(
            f"{name!r} is neither a revision of this repository, nor a source tree of hanji, nor a "
            "CMake build folder (if it is a revision that a shallow clone lacks, run "
            "git fetch --unshallow)"
        )
    archive = build_library(root, fast_build(family), find_compiler(family), FAST, "hanji_static")
    return Side(text, root, archive, tier or None)


def _built(folder: Path) -> tuple[Path, Path]:
    """Sources and archive of a CMake build folder, which is built first."""
    cache = (folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    home = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.+)$", cache, re.MULTILINE)
    if home is None or not (Path(home[1]) / "include/hanji/common.h").is_file():
        raise LabError(
            f"{folder} is a CMake build folder of another project; one of hanji expected"
        )
    cmake = find_program("cmake", "cmake", "building the C library")
    run([cmake, "--build", folder, "--target", "hanji_static", "--parallel", "2"])
    return Path(home[1]), (folder / "libhanji.a").resolve()


# ---- measuring


class _Point(ctypes.Structure):
    """sweep_point of sweep.h."""

    _fields_ = (
        ("algorithm", ctypes.c_char_p),
        ("operation", ctypes.c_char_p),
        ("bytes", ctypes.c_size_t),
        ("messages", ctypes.c_size_t),
        ("offsets", ctypes.c_void_p),
        ("input", ctypes.c_void_p),
        ("out", ctypes.c_void_p),
        ("keys", ctypes.c_void_p),
        ("nonces", ctypes.c_void_p),
        ("tags", ctypes.c_void_p),
        ("status", ctypes.c_void_p),
    )


def _lengths(point: Point) -> list[int]:
    """The bytes of each message."""
    if point.size or (point.messages == 1 and not point.operation.startswith("fleet")):
        return [point.size] * point.messages
    return [1 + (1103 * i + 37) % UNEQUAL for i in range(point.messages)]


class Buffers:
    """The memory that the calls of both builds read and write."""

    def __init__(self) -> None:
        messages = max(COUNTS)
        capacity = messages * max(UNEQUAL, LONGEST) + 64
        rows = 64 * messages
        self._sizes = {
            "input": capacity, "out": capacity,
            "keys": rows, "nonces": rows, "tags": rows, "status": rows,
        }  # fmt: skip
        self._memory = {
            name: (ctypes.c_uint8 * (size + 64))() for name, size in self._sizes.items()
        }
        self.at = {
            name: -(-ctypes.addressof(memory) // 64) * 64 for name, memory in self._memory.items()
        }
        self._offsets = (ctypes.c_int64 * (messages + 1))()
        self._fill = bytes((11 * i + 5) % 251 for i in range(capacity))

    def point(self, point: Point) -> _Point:
        """Fill the buffers and describe the point to the shims."""
        lengths = _lengths(point)
        total = sum(lengths)
        for name, size in self._sizes.items():
            ctypes.memmove(self.at[name], self._fill, total if name in ("input", "out") else size)
        for i, length in enumerate(lengths):
            self._offsets[i + 1] = self._offsets[i] + length
        address = ctypes.addressof(self._offsets)
        self._used = total
        return _Point(
            point.algorithm.encode(), point.operation.encode(), point.size, point.messages,
            address,
            *(self.at[name] for name in ("input", "out", "keys", "nonces", "tags", "status")),
        )  # fmt: skip

    def contents(self) -> tuple[bytes, ...]:
        """The texts and tags after a call; decryption writes to "input"."""
        return (
            ctypes.string_at(self.at["input"], self._used),
            ctypes.string_at(self.at["out"], self._used),
            ctypes.string_at(self.at["tags"], self._sizes["tags"]),
        )


class _Loaded:
    """A shim that is loaded into this process."""

    def __init__(self, shim: Path, tier: str | None, folder: Path) -> None:
        # The loader returns the library that it has if the file is the same, so load a copy.
        handle, name = tempfile.mkstemp(dir=folder, suffix=".so")
        os.close(handle)
        shutil.copyfile(shim, name)
        library = ctypes.CDLL(name, mode=os.RTLD_LOCAL | os.RTLD_NOW)
        Path(name).unlink()
        if tier is not None and library.sweep_force(tier.encode()):
            raise LabError(f"tier {tier!r} is not available in this build or on this machine")
        library.sweep_task_bytes.restype = ctypes.c_size_t
        size = library.sweep_task_bytes()
        self._memory = (ctypes.c_uint8 * (size + _TASK_ALIGNMENT))()
        start = ctypes.addressof(self._memory)
        self.task = ctypes.c_void_p(-(-start // _TASK_ALIGNMENT) * _TASK_ALIGNMENT)
        self.open = library.sweep_open
        self.run = library.sweep_run
        self.run.argtypes = (ctypes.c_void_p, ctypes.c_ulong)
        self._library = library

    def plant(self, size: int) -> None:
        """Make 10 % more calls where messages have this length."""
        ctypes.c_size_t.in_dll(self._library, "sweep_planted").value = size

    @property
    def made(self) -> int:
        """How many calls of the library this shim has made."""
        return ctypes.c_ulong.in_dll(self._library, "sweep_made").value


class UnknownCallError(LabError):
    """One of the builds lacks an algorithm or an operation."""


class Pair:
    """Both builds; `reload` loads them. `planted` is a control: where messages have this length,
    the new build makes 10 % more calls than are counted.
    """

    def __init__(
        self,
        checkout: Path,
        old: Side,
        new: Side,
        family: str,
        folder: Path,
        planted: int | None = None,
    ) -> None:
        self._folder, self._planted = folder, planted
        self._sides = (old, new)
        self._shims = [
            [side.shim(checkout, family, folder, moved) for side in self._sides] for moved in PLACES
        ]
        runner = folder / "runner.so"
        source = checkout / HERE / "sweep_runner.c"
        options = ("-O2", "-std=gnu11", "-shared", "-fPIC", "-o")
        run([find_compiler(family), *options, runner, source])
        self._runner = ctypes.CDLL(str(runner))
        self._runner.sweep_hertz.restype = ctypes.c_double
        self._runner.sweep_calls_in.restype = ctypes.c_ulong
        self._buffers = Buffers()

    def reload(self, turn: int) -> None:
        """Load both libraries at other addresses than in the turn before."""
        self._old, self._new = (
            _Loaded(shim, side.tier, self._folder)
            for shim, side in zip(self._shims[turn % len(PLACES)], self._sides, strict=True)
        )
        if self._planted is not None:
            self._new.plant(self._planted)

    def set_clock(self, clock: Callable[[int], float]) -> None:
        """For tests: replace the clock of the slices by a function that gets the number of calls
        that both builds have made, and returns seconds.
        """
        kind = ctypes.CFUNCTYPE(ctypes.c_double)
        self._clock = kind(lambda: clock(self._old.made + self._new.made))
        self._runner.sweep_set_clock(self._clock)

    def hertz(self) -> float:
        """Cycles per second of the core now."""
        return float(self._runner.sweep_hertz())

    def compare(self, point: Point, seconds: float) -> Comparison:
        """Measure a point for about `seconds`. UnknownCallError if a build lacks the call, LabError
        if a call fails or the results of the builds differ.
        """
        made = []
        for loaded, which in ((self._old, self._sides[0]), (self._new, self._sides[1])):
            given = self._buffers.point(point)
            code = loaded.open(loaded.task, ctypes.byref(given))
            what = f"{' '.join(point.series)}, {point.size} bytes"
            if code == 1:
                raise UnknownCallError(f"{which.name} has no {what}")
            if code or not loaded.run(loaded.task, 1):
                raise LabError(f"{which.name}: {what} failed")
            made.append(self._buffers.contents())
        if made[0] != made[1]:
            raise LabError(f"the two builds give different results: {what}")
        runs = [ctypes.cast(side.run, ctypes.c_void_p) for side in (self._old, self._new)]
        calls = self._runner.sweep_calls_in(runs[0], self._old.task, ctypes.c_double(SLICE))
        if calls > 5:
            calls = -(-calls // 10) * 10  # a multiple of 10, so that the control adds 10 %
        found = (ctypes.c_double * 3)()
        slices, once = 5, float("inf")
        total: Comparison | None = None
        begin = time.perf_counter()
        while True:
            ratios = (ctypes.c_double * slices)()
            arguments = (runs[0], self._old.task, runs[1], self._new.task)
            ok = self._runner.sweep_compare(
                found, ratios, *arguments, ctypes.c_ulong(calls), ctypes.c_uint(slices)
            )
            if not ok:
                raise LabError(f"{what} failed while it was measured")
            now = Comparison(point, *found)
            total = now if total is None else merged(total, now)
            spent = time.perf_counter() - begin
            once = min(once, spent / slices)
            left = int((seconds - spent) / max(once, 1e-7))
            if slices > 5 or left < 5:
                return total
            slices = min(left, MOST_SLICES)


def merged(one: Comparison, other: Comparison) -> Comparison:
    """Two measurements of a point in one."""
    return replace(
        one,
        old=min(one.old, other.old),
        new=min(one.new, other.new),
        paired=math.sqrt(one.paired * other.paired),
    )


Measure = Callable[[Point, float], Comparison]


def judged(
    chosen: Sequence[Point],
    measure: Measure,
    reload: Callable[[int], object],
    minutes: float,
    tolerance: float,
    tell: Callable[[str, float], object] = lambda what, done: None,
) -> Iterator[Comparison]:
    """Measure every point, and mark those that became slower as confirmed.

    `tolerance` is how much slower a call may be: .05 for 5 %. Points that seem slower than that are
    measured `AGAIN` more times, at another address each time (`reload`). They are confirmed if
    these later measurements, taken together, exceed the tolerance.
    """
    budget = 60 * minutes
    found: dict[Point, Comparison] = {}
    each = budget * (1 - SHARE_AGAIN) / ROUNDS / len(chosen)
    unknown: set[Point] = set()
    for turn in range(ROUNDS):
        reload(turn)
        for number, point in enumerate(chosen):
            if point in unknown:
                continue
            try:
                now = measure(point, each)
            except UnknownCallError:
                unknown.add(point)
                continue
            found[point] = merged(found[point], now) if point in found else now
            tell(
                f"round {turn + 1} of {ROUNDS}: {' '.join(point.series)}",
                (turn * len(chosen) + number + 1) / (ROUNDS * len(chosen)) * (1 - SHARE_AGAIN),
            )
    if not found:
        raise LabError("none of these calls is in both builds")
    # The threshold is below the tolerance, so that noise in the first rounds hides nothing.
    suspects = [point for point, seen in found.items() if seen.slower > 0.7 * tolerance]
    again: dict[Point, Comparison] = {}
    longer = min(10 * each, budget * SHARE_AGAIN / AGAIN / max(1, len(suspects)))
    for turn in range(AGAIN if suspects else 0):
        reload(turn)
        for number, point in enumerate(suspects):
            now = measure(point, max(longer, each / 2))
            again[point] = merged(again[point], now) if point in again else now
            part = (turn * len(suspects) + number + 1) / (AGAIN * len(suspects))
            tell(
                f"again, {turn + 1} of {AGAIN}: {' '.join(point.series)}",
                1 - SHARE_AGAIN * (1 - part),
            )
    for point, seen in found.items():
        last = again.get(point, seen)
        yield replace(last, confirmed=point in again and last.slower > tolerance)


def sweep(
    checkout: Path,
    old: Side,
    new: Side,
    chosen: Sequence[Point],
    minutes: float = 10,
    tolerance: float = 0.05,
    family: str = "gcc",
    tell: Callable[[str, float], object] = lambda what, done: None,
    planted: int | None = None,
    clock: Callable[[int], float] | None = None,
) -> tuple[list[Comparison], float]:
    """Compare all points of two builds. Returns the comparisons, and the cycles per second of the
    core. `planted` and `clock` are for controls and tests; see Pair.
    """
    with tempfile.TemporaryDirectory(prefix="hanji-sweep-") as place, one_processor():
        pair = Pair(checkout, old, new, family, Path(place), planted)
        if clock is not None:
            pair.set_clock(clock)
        hertz = [pair.hertz()]
        found = list(judged(chosen, pair.compare, pair.reload, minutes, tolerance, tell))
        hertz.append(pair.hertz())
    return found, max(hertz)


# ---- reporting


@dataclass(frozen=True)
class Stretch:
    """Consecutive points of a series that all became slower."""

    series: tuple[str, str]
    first: int
    last: int
    worst: Comparison


def stretches(found: Iterable[Comparison]) -> list[Stretch]:
    """The confirmed points, with consecutive ones joined, the worst first."""
    by_series: dict[tuple[str, str], list[Comparison]] = {}
    for one in found:
        by_series.setdefault(one.point.series, []).append(one)
    made = []
    for series, members in by_series.items():
        ordered = sorted(members, key=lambda member: member.point.place)
        for confirmed, group in groupby(ordered, key=lambda member: member.confirmed):
            if confirmed:
                neighbours = list(group)
                worst = max(neighbours, key=lambda member: member.slower)
                places = neighbours[0].point.place, neighbours[-1].point.place
                made.append(Stretch(series, *places, worst))
    return sorted(made, key=lambda stretch: -stretch.worst.slower)


def averages(found: Sequence[Comparison]) -> dict[tuple[str, str], tuple[float, float, float]]:
    """For each series the geometric mean of new / old, its least and its greatest value."""
    by_series: dict[tuple[str, str], list[float]] = {}
    for one in found:
        by_series.setdefault(one.point.series, []).append(one.ratio)
    return {
        series: (geometric_mean(ratios), min(ratios), max(ratios))
        for series, ratios in by_series.items()
    }


def average(found: Sequence[Comparison]) -> float:
    """The geometric mean of the averages of all series, with equal weights."""
    return geometric_mean([mean for mean, _, _ in averages(found).values()])
