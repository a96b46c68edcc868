# SPDX-License-Identifier: Apache-2.0
"""Many traces of one kernel, in batches that are kept: a run that was interrupted continues, and
one with more traces takes those that are there.

A batch is stored when its outputs were right, whole or not at all, under the digest of all that
decides it; its last bytes are a digest of the others and of its name, so that a file that is
damaged, or is another batch under this name, is made again.
"""

from __future__ import annotations

import hashlib
import io
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from ..cases import CaseError
from ..checkout import LabError
from .subject import Batch, Bytes, Subject
from .welch import Statistics, added

INPUTS = Path(__file__).with_name("subject.py")  # makes the inputs of a batch
BATCH = 1000  # traces; fewer in the last batch
Tell = Callable[[int], None]  # how many traces there are


class Machine(Protocol):
    """Something whose traces are tested."""

    subject: Subject
    name: str
    listing: dict[int, str]

    def prepare(self) -> None:
        """Build what is needed; LabError where that fails."""

    def key(self) -> bytes:
        """What decides the traces, besides their inputs."""

    def tools(self) -> list[str]:
        """The versions on which the traces depend."""

    def traced(self, batch: Batch) -> tuple[Statistics, list[int], dict[str, Bytes]]:
        """The statistics of a batch, the address of the instruction in each cycle, and the written
        buffers behind each call.
        """

    def net_names(self, net: int) -> list[str]:
        """The names of a net, the shortest first."""

    def about(self) -> Mapping[str, int]:
        """How much is looked at, such as the number of nets."""


@dataclass(frozen=True)
class Made:
    """The statistics of a number of traces, and the address of the instruction in each cycle."""

    statistics: Statistics
    path: list[int]


class Campaign:
    """The traces of a kernel on a prepared machine, kept below `home`."""

    def __init__(self, machine: Machine, home: Path, seed: int) -> None:
        self.machine, self.seed = machine, seed
        key = (
            machine.key()
            + INPUTS.read_bytes()
            + f"{machine.name} {seed} {machine.subject.key()}".encode()
        )
        self.folder = home / hashlib.sha256(key).hexdigest()[:16]

    def batches(self, traces: int) -> list[tuple[int, int]]:
        """Number and size of each batch of so many traces."""
        return [(i // BATCH, min(BATCH, traces - i)) for i in range(0, traces, BATCH)]

    def forget(self) -> None:
        """Remove what is kept."""
        for file in self.folder.glob("*.npz"):
            try:
                file.unlink(missing_ok=True)
            except OSError as problem:
                raise LabError(f"{file} cannot be removed: {problem.strerror}") from None

    def run(self, traces: int, jobs: int, tell: Tell) -> Made:
        """The statistics of so many traces; `jobs` batches are made at the same time."""
        found: dict[int, Made] = {}
        missing = []
        for number, size in self.batches(traces):
            if made := self._read(number, size):
                found[number] = made
            else:
                missing.append((number, size))
        done = traces - sum(size for _, size in missing)
        tell(done)
        for number, size, made in self._made(missing, jobs):
            found[number] = made
            done += size
            tell(done)
        ordered = [found[number] for number in sorted(found)]
        for number, made in found.items():
            if made.path != ordered[0].path:
                raise CaseError(
                    f"{self.machine.subject.kernel.name} on {self.machine.name}: batch {number} "
                    "takes another path than batch 0; a kernel whose time or path depends on its "
                    "inputs cannot be tested (see hanji-lab ct)"
                )
        return Made(added([made.statistics for made in ordered]), ordered[0].path)

    def _made(self, missing: list[tuple[int, int]], jobs: int) -> Iterator[tuple[int, int, Made]]:
        pool = ThreadPoolExecutor(max_workers=jobs)
        waiting: dict[Future[Made], tuple[int, int]] = {}
        left = iter(missing)
        try:
            while True:
                while len(waiting) < jobs and (following := next(left, None)):
                    waiting[pool.submit(self._one, *following)] = following
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    number, size = waiting.pop(future)
                    yield number, size, future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _one(self, number: int, size: int) -> Made:
        subject = self.machine.subject
        batch = subject.batch(self.seed, number, size)
        statistics, path, after = self.machine.traced(batch)
        subject.check(batch, after, f"{self.machine.name}, batch {number}")
        made = Made(statistics, path)
        self._write(number, size, made)
        return made

    def _file(self, number: int, size: int) -> Path:
        return self.folder / f"{number:06}-{size}.npz"

    def _write(self, number: int, size: int, made: Made) -> None:
        data = io.BytesIO()
        np.savez_compressed(
            data,
            traces=np.array(made.statistics.traces),
            places=made.statistics.places,
            sums=made.statistics.sums,
            path=np.array(made.path, np.int64),
        )
        whole = data.getvalue()
        file = self._file(number, size)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as half:
                half_file = Path(half.name)
                try:
                    half.write(whole + self._digest(number, size, whole))
                    half.flush()
                    half_file.replace(file)
                finally:
                    half_file.unlink(missing_ok=True)
        except OSError as problem:
            raise LabError(f"{file} cannot be written: {problem.strerror}") from None

    def _read(self, number: int, size: int) -> Made | None:
        try:
            data = self._file(number, size).read_bytes()
        except OSError:
            return None
        whole, digest = data[:-32], data[-32:]
        if self._digest(number, size, whole) != digest:
            return None
        with np.load(io.BytesIO(whole), allow_pickle=False) as held:
            traces = (int(held["traces"][0]), int(held["traces"][1]))
            statistics = Statistics(traces, held["places"], held["sums"])
            return Made(statistics, held["path"].tolist())

    def _digest(self, number: int, size: int, whole: bytes) -> bytes:
        name = f"{self.folder.name}/{self._file(number, size).name}"
        return hashlib.sha256(f"{name}\n".encode() + whole).digest()
