# SPDX-License-Identifier: Apache-2.0
"""Telemetry at scale: hanji_telemetry_open alone, and millions of frames from Parquet to Parquet,
beside the engine that copies the same files and opens nothing.

Figures are processor time of all threads, in nanoseconds a frame with 64 bytes of payload: the
least of some turns, the ways taking turns. Wall time and peak memory stand beside them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .. import depends
from ..checkout import FAST, LabError, build_library, exclusive, fast_build, find_compiler, run
from ..kernels import own_tiers
from ..processor import machine, processor
from ..results import Provenance, Result, tool_version
from . import peak_memory

SOURCE, EXAMPLES = "lab/measure/telemetry.c", "examples/telemetry"
DEVICES, FRAMES, PAYLOAD = 1_000_000, 10_000_000, 64
TABLES = (1_000, DEVICES)  # devices whose frames hanji_telemetry_open opens
COLUMN, REPEATS = 1_000_000, 7  # frames in one call, and turns of such calls
TURNS = 3  # of copying and opening
ENGINES = ("", "polars")  # of `hanji telemetry open`
PYTHON = ("python/hanji/telemetry.py", "python/hanji/_telemetry_*.py", "python/src/*.[ch]pp")
SHARES = {"forged": 10, "replayed": 10, "unknown device": 1}  # of a thousand frames


def host(root: Path, family: str, command: str) -> Iterator[Result]:
    """All of it, on this machine."""
    yield from columns(root, family, command)
    yield from lake(root, family, command)


def _provenance(root: Path, family: str, command: str, *more: str) -> Provenance:
    named = depends.sponge("schwaemm256-128") | depends.sponge("esch256")
    units = ("src/telemetry/*", *depends.SPONGE)
    measured = depends.library(root, units, depends.TIERS[own_tiers(root)[-1]], named, more)
    return Provenance(measured, [tool_version(find_compiler(family)), processor()], FAST, command)


def columns(
    root: Path,
    family: str,
    command: str,
    tables: tuple[int, ...] = TABLES,
    frames: int = COLUMN,
    repeats: int = REPEATS,
) -> Iterator[Result]:
    """hanji_telemetry_open: one thread, two at once, and its parts; by devices in the table."""
    compiler = find_compiler(family)
    archive = build_library(root, fast_build(family), compiler, FAST, "hanji_static")
    program = archive.with_name("telemetry")
    with exclusive(archive.parent):
        options: list[str | Path] = ["-O2", "-std=gnu11", "-pthread", "-I", root / "include"]
        run([compiler, *options, root / SOURCE, archive, "-o", program])
    origin = _provenance(root, family, command, SOURCE)
    for devices in tables:
        words = [str(program), str(devices), str(frames), str(repeats)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LabError(f"{program.name} {devices} {frames} ended with {done.returncode}")
        more: dict[str, Any] = json.loads(done.stdout)
        yield Result("hanji_telemetry_open", machine(), "host", "open", PAYLOAD, origin, more=more)


@dataclass(frozen=True)
class _Cost:
    """What a command took: seconds of processors, seconds, and bytes at most."""

    processor: float
    wall: float
    memory: int
    said: str


def lake(
    root: Path,
    family: str,
    command: str,
    frames: int = FRAMES,
    devices: int = DEVICES,
    turns: int = TURNS,
    engines: tuple[str, ...] = ENGINES,
) -> Iterator[Result]:
    """Frames from Parquet to Parquet: Polars that copies, and Polars that opens, in turn; then
    `hanji telemetry open`, which looks for replays and keeps what did not open.
    """
    extra = (*PYTHON, f"{EXAMPLES}/make_frames.py", f"{EXAMPLES}/polars_open.py")
    origin = _provenance(root, family, command, *extra)
    origin.tools.extend(f"{name} {version(name)}" for name in ("polars", "pyarrow", "numpy"))
    about = {"frames": frames, "devices": devices}
    with tempfile.TemporaryDirectory(prefix="hanji-measure-") as name:
        folder = Path(name)
        needed = 350 * frames  # bytes: the frames, and twice what is made of them
        if shutil.disk_usage(folder).free < needed:
            raise LabError(
                f"{folder.parent} has no room for {needed >> 20} MiB of frames; "
                "TMPDIR names another folder"
            )
        _script(root, "make_frames.py", folder / "data", frames, devices)
        least: dict[str, list[float]] = {}
        for _ in range(turns):
            for way in ("pass", "open"):
                words = ["pass"] if way == "pass" else []
                said = _script(root, "polars_open.py", folder / "data", *words)
                figures = _polars(said, frames)
                least[way] = list(map(min, zip(least.get(way, figures), figures, strict=True)))
                if way == "open":
                    _check_polars(said, frames)
                for made in (folder / "data").glob("*.parquet"):
                    if made.name != "masters.parquet":
                        made.unlink()
        for way, (spent, wall) in least.items():
            more: dict[str, Any] = about | _figures(frames, spent, wall)
            if way == "open":
                added = spent - least["pass"][0]
                more["added_nanoseconds"] = round(added * 1e9 / frames, 1)
                more["ratio_to_pass"] = round(spent / least["pass"][0], 3)
            yield Result("Polars", machine(), "host", way, PAYLOAD, origin, more=more)
        for engine in engines:
            cost = _command(folder, engine)
            _check_command(cost.said, frames)
            more = about | _figures(frames, cost.processor, cost.wall)
            more |= {"peak_memory_bytes": cost.memory}
            way = f"open with {engine}" if engine else "open"
            yield Result("hanji telemetry open", machine(), "host", way, PAYLOAD, origin, more=more)


def _figures(frames: int, spent: float, wall: float) -> dict[str, Any]:
    return {
        "seconds_of_processors": round(spent, 3),
        "seconds": round(wall, 3),
        "nanoseconds": round(spent * 1e9 / frames, 1),
        "processors": len(os.sched_getaffinity(0)),
    }


def _script(root: Path, name: str, *words: object) -> str:
    """What one of the examples says."""
    line = [sys.executable, str(root / EXAMPLES / name), *map(str, words)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise LabError(f"{name} ended with {done.returncode} and said {last!r}")
    return done.stdout


def _polars(said: str, frames: int) -> tuple[float, float]:
    """Seconds of processors and seconds, as polars_open.py says them."""
    pattern = r"(\d+) frames, ([\d.]+) s of processor time, ([\d.]+) s of wall time"
    found = re.match(pattern, said)
    if not found or int(found[1]) != frames:
        raise LabError(f"polars_open.py said {said.splitlines()[:1]}, {frames} frames expected")
    return float(found[2]), float(found[3])


def _expected(frames: int) -> dict[str, int]:
    """How many frames of each kind make_frames.py makes: of every million, and of the rest."""
    counts = dict.fromkeys(SHARES, 0)
    for first in range(0, frames, 1_000_000):
        rows = min(1_000_000, frames - first)
        bounds = (0, rows // 100, rows // 50, rows * 21 // 1000)
        for name, low, high in zip(SHARES, bounds, bounds[1:], strict=False):
            counts[name] += high - low
    return counts


def _check_polars(said: str, frames: int) -> None:
    """LabError unless the statuses are those that were made; replays open, for Polars does not look
    for them.
    """
    made = _expected(frames)
    bad = {name: count for name, count in made.items() if name != "replayed" and count}
    wanted = {"opened": frames - sum(bad.values())} | bad
    counted = (line.split(": ") for line in said.splitlines()[1:])
    found = {name: int(number) for name, number in counted}
    if found != wanted:
        raise LabError(f"Polars counted {found}, {wanted} expected")


def _check_command(said: str, frames: int) -> None:
    about = json.loads(said)
    made = {name: count for name, count in _expected(frames).items() if count}
    wanted = {"opened": frames - sum(made.values())} | made
    if about["reasons"] != wanted or about["opened"] + about["rejected"] != frames:
        raise LabError(f"hanji telemetry open counted {about['reasons']}, {wanted} expected")


def _command(folder: Path, engine: str) -> _Cost:
    """`hanji telemetry open` of all frames, and what it took; its outputs are removed."""
    words = [sys.executable, "-m", "hanji.cli", "telemetry", "open"]
    words += [str(folder / "data/in/*.parquet"), "-o", str(folder / "opened"), "--json"]
    words += ["--masters", str(folder / "data/masters.parquet")]
    words += ["--rejected", str(folder / "rejected"), "--engine", engine]
    peak, begin = 0, time.perf_counter()
    with (folder / "said").open("w+") as said:
        child = subprocess.Popen(words, stdout=said, stderr=subprocess.PIPE, text=True)
        done, status, usage = os.wait4(child.pid, os.WNOHANG)
        while not done:
            peak = max(peak, peak_memory(child.pid))
            time.sleep(0.01)
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        complaint = child.stderr.read() if child.stderr else ""
        if child.returncode:
            raise LabError(f"hanji telemetry open: {complaint.strip()}")
        said.seek(0)
        text = said.read()
    for name in ("opened", "rejected"):
        shutil.rmtree(folder / name)
    return _Cost(usage.ru_utime + usage.ru_stime, wall, peak, text)
