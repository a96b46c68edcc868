# SPDX-License-Identifier: Apache-2.0
"""Verdicts: one kernel at a time, kept by the digests of all that they depend on.

proved: for all inputs of every task; counterexample: inputs for which the kernel is wrong, written
as a case; refused: the kernel does what no kernel may; open: the prover cannot tell, and says why.
"""

from __future__ import annotations

import gc
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal

from .. import spec
from ..checkout import LabError
from ..fingerprints import digest
from ..kernels import Kernel
from ..spec import outside
from . import extensions, laps, promises
from .ascon_lanes import ascon_lane_tasks
from .avr import AVR
from .build import COMPILERS, code_at, image_of, linked, version
from .contracts import APART, EACH, HERE, ISAS, NoHarnessError, Task, tasks
from .cuts import CutCall, CutTask, cut_tasks
from .digests import DigestCall, DigestTask, digest_tasks
from .engines import EngineCall, EngineTask
from .fields import SIZES, FieldCall, FieldTask, field_tasks
from .fleets import LANES, FleetCall, FleetTask, fleet_tasks
from .forms import Forms
from .graph import Blind, BudgetError, Graph, Veiled
from .induct import Call, Counterexample, MismatchError
from .inner import inner_of
from .launch import Grid, Launch, Ragged, launches
from .messages import message_tasks
from .neon_lanes import RunCall, RunTask, neon_lane_tasks
from .origin import Sources, closure, contract, rules, specification
from .own import OwnGrid, OwnLaunch, own_launches, own_tasks
from .pcode import Image, OpenError
from .ptx import Program, program_of
from .ptx_sponges import SpongeLaunch, Sponges, sponge_launches
from .ragged import call_of, ragged_tasks
from .rows import RowTask, row_tasks
from .solving import SolveCall, SolveTask, Tabled, solve_tasks
from .sponges import ROUND, engine_tasks
from .thumb import THUMB
from .values import RefusedError, UndecidedError
from .x86 import X86

Said = Literal["proved", "counterexample", "open", "refused"]
VERDICTS: tuple[Said, ...] = ("proved", "counterexample", "open", "refused")
ANY = "any"
SECONDS = 600.0  # of processor time for one task
# What states the proofs of a kernel, in the order in which it is asked, and what else runs them.
CLAIMS: tuple[Callable[[Kernel], Iterator[FieldTask | EngineTask | FleetTask]], ...] = (
    engine_tasks,
    ascon_lane_tasks,
    neon_lane_tasks,
    cut_tasks,
    digest_tasks,
    row_tasks,
    field_tasks,
    solve_tasks,
    fleet_tasks,
    message_tasks,
    ragged_tasks,
)
WHOLE_GROUPS = ("contracts", "induct", "laps", "inner", "counting")
LAUNCHES = ("launch", "ptx_sponges")


@dataclass(frozen=True)
class Verdict:
    """What is known of one kernel. `scope` says for which public values; seconds are of processor
    time, of the run that found it.
    """

    kernel: str
    function: str
    spec: str
    isa: str
    source: str
    verdict: Said
    why: str = ""
    scope: dict[str, str] = field(default_factory=dict)  # task -> numbers of groups
    seconds: float = 0.0
    instructions: int = 0
    nodes: int = 0
    joins: dict[str, int] = field(default_factory=dict)
    mnemonics: list[str] = field(default_factory=list)
    case: dict[str, object] | None = None
    cached: bool = False
    binary: str = ""  # the compiler whose machine code was proved
    source_sha256: str = ""  # of what was proved: origin.py says of which files
    binary_sha256: str = ""  # of the contract, and of the linked file or the PTX
    rules_sha256: str = ""  # of the rules that proved it: origin.rules


class Prover:
    """Proves kernels of a checkout. `groups` is "any" or a number; `seconds` bounds a task;
    `compiler` makes the machine code of kernels for x86-64.
    """

    def __init__(
        self,
        root: Path,
        groups: str = ANY,
        seconds: float = SECONDS,
        kept: Path | None = None,
        compiler: str = COMPILERS[0],
    ) -> None:
        if compiler not in COMPILERS:
            raise LabError(f"{compiler!r} given, one of {', '.join(COMPILERS)} expected")
        if groups != ANY and not groups.isdecimal():
            raise LabError(f"--groups {groups!r} given, 'any' or a number expected")
        self.root, self.groups, self.seconds = root, groups, seconds
        self.cache, self.compiler = kept, compiler
        self.directory = tempfile.TemporaryDirectory(prefix="hanji-prove-")
        self.images: dict[tuple[str, str], Image] = {}
        self.programs: dict[tuple[str, str], Program] = {}

    def program(self, kernel: Kernel) -> Program:
        """The entry of a kernel in PTX."""
        key = (kernel.source, kernel.symbol)
        if key not in self.programs:
            self.programs[key] = program_of(self._path(kernel), kernel.symbol)
        return self.programs[key]

    def _path(self, kernel: Kernel) -> Path:
        source = Path(kernel.source)
        return source if source.is_absolute() else self.root / source

    def image(self, kernel: Kernel) -> Image:
        """The linked file of a kernel."""
        key = (kernel.source, kernel.isa)
        if key not in self.images:
            source = self._path(kernel)
            directory = Path(self.directory.name)
            program = linked(self.root, source, kernel.isa, directory, self.compiler)
            self.images[key] = image_of(program, kernel.isa)
            if source.suffix != ".c":  # whatever it says of the file that it was made of
                self.images[key].anywhere = True
        return self.images[key]

    def prove(self, kernel: Kernel) -> Verdict:
        """The verdict on a kernel, from the cache where nothing has changed."""
        blank = Verdict(kernel.name, kernel.symbol, kernel.spec, kernel.isa, kernel.source, "open")
        blank = self._with_origin(blank, kernel)
        try:
            listed = list(proofs_of(kernel))
            promises.check(kernel, self._path(kernel))
        except NoHarnessError as problem:
            return replace(blank, why=str(problem))
        except RefusedError as problem:
            return replace(blank, verdict="refused", why=str(problem))
        try:
            image = self._linked(kernel)
        except OpenError as problem:
            return replace(blank, why=str(problem))
        except RefusedError as problem:
            return replace(blank, verdict="refused", why=str(problem))
        in_ptx = isinstance(image, Program)
        blank = replace(
            blank,
            binary="" if in_ptx else version(kernel, self.compiler),
            binary_sha256=digest(contract(kernel), image.digest),
        )
        of_engine = isinstance(listed[0], EngineTask)  # its functions have other symbols
        if not of_engine and kernel.symbol not in image.symbols:
            return replace(blank, verdict="refused", why=f"the file has no {kernel.symbol}")
        kept = self._kept(kernel, image)
        if kept and kept.is_file():
            found = replace(Verdict(**json.loads(kept.read_text())), cached=True)
            return self._with_origin(found, kernel)  # which makes the same binary
        with _no_collections():
            found = self._proved_inside(kernel, blank, image, listed)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(asdict(found)))
        return found

    def explained(self, kernel: Kernel, found: Verdict) -> Verdict:
        """A verdict with the instruction at the first address in its reason, and its source line. A
        reason from PTX has these already.
        """
        place = re.search(r"\b0x([0-9a-f]{3,8})\b", found.why)
        if place is None or kernel.source.endswith(".ptx") or kernel.isa not in ISAS:
            return found
        source, directory = self._path(kernel), Path(self.directory.name)
        at = int(place[1], 16)
        code = code_at(self.root, source, kernel.isa, directory, at, self.compiler)
        return replace(found, why=f"{found.why} ({code})") if code else found

    def _linked(self, kernel: Kernel) -> Image | Program:
        return self.program(kernel) if kernel.source.endswith(".ptx") else self.image(kernel)

    def confirmed(self, kernel: Kernel, held: Verdict) -> Verdict | None:
        """A verdict whose sources have changed, where these make the binary that was proved; None
        where they make another one.
        """
        try:
            now = digest(contract(kernel), self._linked(kernel).digest)
        except (OpenError, RefusedError):
            return None
        if held.binary_sha256 != now:
            return None
        return replace(held, source_sha256=Sources(self.root).digest(kernel, self.compiler))

    def _with_origin(self, found: Verdict, kernel: Kernel) -> Verdict:
        source = Sources(self.root).digest(kernel, self.compiler)
        return replace(found, source_sha256=source, rules_sha256=rules_of(kernel))

    def _kept(self, kernel: Kernel, image: Image | Program) -> Path | None:
        own = outside.is_outside(kernel.spec) or kernel.spec.partition(".")[0] in spec.REGISTERED
        if self.cache is None or own:  # a file of the user's may import anything
            return None
        proved = [contract(kernel), specification(kernel.spec), rules_of(kernel)]
        name = digest(kernel.source, image.digest, proved, self.groups, self.seconds)
        return self.cache / f"{name}.json"

    def _proved_inside(
        self,
        kernel: Kernel,
        blank: Verdict,
        image: Image | Program,
        listed: Sequence[Task | Launch | FieldTask | EngineTask | FleetTask],
    ) -> Verdict:
        """The verdict on a kernel, by the function to which it hands its calls on, if that has one
        that is good; a counterexample is always one of the kernel itself.
        """
        first = listed[0]
        ours = not outside.is_outside(kernel.spec)
        if ours and self.groups == ANY and isinstance(first, Task) and isinstance(image, Image):
            inner = inner_of(kernel, image, first)
            if inner:
                found = self.proved(blank, image, list(tasks(inner.kernel)))
                if found.verdict == "proved":
                    names = {*found.mnemonics, *map(image.mnemonic, inner.executed)}
                    found = replace(found, mnemonics=sorted(names))
                    return self._within(found, image, inner.executed)
        return self.proved(blank, image, listed)

    def proved(
        self,
        found: Verdict,
        image: Image | Program,
        listed: Sequence[Task | Launch | FieldTask | EngineTask | FleetTask],
    ) -> Verdict:
        """The verdict on a linked file, task by task."""
        start = time.process_time()
        executed: set[int] = set()
        lowest = 0
        methods: Counter[str] = Counter()
        scope: dict[str, str] = {}
        implied: dict[str, str] = {}  # of tasks in place, by those with buffers apart
        g = Graph(seconds=self.seconds)
        for task in listed:
            if task.name in implied:
                scope[task.name] = implied[task.name]
                continue
            begins = isinstance(task, Task) and task.begins
            call: Call | FieldCall | EngineCall | FleetCall | Grid | None = None
            if task.shared and g.known is not None and not begins:
                g.deadline = time.process_time() + self.seconds
                g.forget_joins()
            elif isinstance(task, FieldTask):
                g = (Tabled if isinstance(task, SolveTask) else Forms)(seconds=self.seconds)
            else:
                g = graph_of(task)(seconds=self.seconds)
                g.known = {} if task.shared else None
                gc.collect()
            verdict: Said = "proved"
            why, case = "", None
            try:
                if isinstance(task, Task):
                    assert isinstance(image, Image)
                    call = Call(g, image, task)
                elif isinstance(task, EngineTask):
                    assert isinstance(image, Image)
                    call = engine_call(task)(g, image, task)
                elif isinstance(task, SolveTask):
                    assert isinstance(image, Image)
                    assert isinstance(g, Tabled)
                    call = SolveCall(g, image, task)
                elif isinstance(task, FieldTask):
                    assert isinstance(image, Image)
                    assert isinstance(g, Forms)
                    call = FieldCall(g, image, task)
                elif isinstance(task, FleetTask):
                    assert isinstance(image, Image)
                    call = call_of(task)(g, image, task)
                else:
                    assert isinstance(image, Program)
                    kind = Ragged if task.looped else Grid
                    kind = OwnGrid if isinstance(task, OwnLaunch) else kind
                    call = (Sponges if isinstance(task, SpongeLaunch) else kind)(g, image, task)
                scope[task.name] = self._task(call)
                if (
                    isinstance(call, Call)
                    and isinstance(task, Task | FleetTask)
                    and not task.in_place
                    and call.reads_first
                ):
                    implied[task.name.replace(APART, HERE, 1)] = scope[task.name]
            except MismatchError as problem:
                verdict, why = "counterexample", f"{task.name}: {problem}"
                case = _case(task, problem.case)
            except (UndecidedError, OpenError, BudgetError, NoHarnessError) as problem:
                verdict, why = "open", f"{task.name}: {problem}"
            except RefusedError as problem:
                verdict, why = "refused", f"{task.name}: {problem}"
            if not isinstance(call, SolveCall):
                methods.update(g.methods())
            if isinstance(call, Sponges | SolveCall):
                methods.update(call.methods)
            found = replace(
                found,
                verdict=verdict,
                why=why,
                case=case,
                instructions=found.instructions + (call.evidence.instructions if call else 0),
                nodes=max(found.nodes, call.nodes if isinstance(call, SolveCall) else g.size),
            )
            executed |= call.evidence.executed if call else set()
            lowest = min(lowest, call.evidence.lowest if call else 0)
            if verdict != "proved":
                break
        found = replace(
            found,
            scope=scope,
            seconds=round(time.process_time() - start, 2),
            joins=dict(methods),
            mnemonics=sorted({image.mnemonic(pc) for pc in executed}),
        )
        found = self._within(found, image, executed)
        if found.verdict != "proved" or isinstance(image, Program):
            return found
        why = promises.stack_differs(listed[0].kernel, image, executed, lowest)
        return replace(found, verdict="refused", why=why) if why else found

    def _within(self, found: Verdict, image: Image | Program, executed: Collection[int]) -> Verdict:
        """The verdict, refused where a proof ran over what the instruction set does not have."""
        if found.verdict != "proved" or isinstance(image, Program):
            return found
        try:
            extensions.check(image, found.isa, executed)
        except RefusedError as problem:
            return replace(found, verdict="refused", why=str(problem))
        return found

    def _task(self, call: Call | FieldCall | EngineCall | FleetCall | Grid) -> str:
        """Prove one task; for which numbers of groups."""
        if isinstance(call, EngineCall):
            return call.prove(self.seconds, None if self.groups == ANY else int(self.groups))
        if isinstance(call, Grid | FieldCall | FleetCall):
            return call.prove()
        if not call.task.counted:
            self._fixed(call, 1)
            return "one"
        if self.groups != ANY:
            self._fixed(call, int(self.groups))
            return self.groups
        self._fixed(call, 1)
        try:
            laps.any_number(call)
        except (OpenError, RefusedError) as problem:
            try:
                self._fixed(call, 2)  # raises what is wrong with the kernel, if it is the kernel
            except OpenError:
                raise OpenError(f"one group is right; for more: {problem}") from problem
            raise OpenError(f"one and two groups are right; for more: {problem}") from problem
        return call.none()

    def _fixed(self, call: Call, groups: int) -> None:
        """A call with so many groups."""
        try:
            call.fixed(groups)
        except OpenError:
            if isinstance(
                call.g, Blind
            ):  # with zeros for what is unknown there may be a counterexample
                Call(Graph(seconds=self.seconds), call.image, call.task).fixed(groups)
            raise


def proofs_of(kernel: Kernel) -> Iterator[Task | Launch | FieldTask | EngineTask | FleetTask]:
    """Every proof that a kernel needs; NoHarnessError where the prover cannot state it."""
    if outside.is_outside(kernel.spec):
        yield from own_launches(kernel) if kernel.source.endswith(".ptx") else own_tasks(kernel)
        return
    others = [task for claim in CLAIMS for task in claim(kernel)]
    if others:
        yield from others
        return
    if not kernel.source.endswith(".ptx"):
        yield from tasks(kernel)
    elif kernel.operation in ("seal", "open"):
        yield from sponge_launches(kernel)
    else:
        yield from launches(kernel)


def graph_of(task: Task | Launch | EngineTask | FleetTask) -> type[Graph]:
    """What a task is proved on."""
    if isinstance(task, Task) and task.veiled:
        return Veiled
    blind = isinstance(task, Task | EngineTask | FleetTask) and task.blind
    return Blind if blind else Graph


def engine_call(task: EngineTask) -> type[EngineCall]:
    """What runs a task."""
    if isinstance(task, DigestTask):
        return DigestCall
    if isinstance(task, RowTask):
        return task.call
    if isinstance(task, RunTask):
        return RunCall
    return CutCall if isinstance(task, CutTask) else EngineCall


def _case(
    task: Task | Launch | FieldTask | EngineTask | FleetTask, case: Counterexample
) -> dict[str, object]:
    kernel = task.kernel
    return {
        "kernel": kernel.name,
        "function": kernel.symbol,
        "source": kernel.source,
        "spec": kernel.spec,
        "isa": kernel.isa,
        "in_place": task.in_place,
        "values": task.values | ({"groups": case.groups} if task.counted else {}),
        "contents": case.contents,
        "wanted": case.wanted,
        "found": case.found,
    }


def trusted(lab: Path) -> list[Path]:
    """The files of the laboratory, which lies there, that can change a verdict."""
    prove = lab / "prove"
    return sorted(
        {
            *closure([prove / "report.py"]),
            prove / "core.cpp",
            prove / "x86_forms.txt",
            *(lab / "spec").glob("*.py"),
            *(lab / name for name in ("layouts.py", "cases.py", "kernels.py")),
        }
    )


def rules_of(kernel: Kernel) -> str:
    """The digest of the rules that prove this kernel; empty where no proof of it can be stated."""
    if outside.is_outside(kernel.spec):
        return ""
    try:
        claims = [claim.__module__ for claim in CLAIMS if next(iter(claim(kernel)), None)]
    except (NoHarnessError, RefusedError):
        return ""
    in_ptx = kernel.source.endswith(".ptx")
    names = [one.rpartition(".")[2] for one in claims] or (LAUNCHES if in_ptx else WHOLE_GROUPS)
    found = ISAS.get(kernel.isa)
    front = (
        "ptx"
        if in_ptx
        else "x86"
        if found is X86
        else "avr"
        if found is AVR
        else "thumb"
        if kernel.isa in THUMB
        else "pcode"
    )
    return rules(front, tuple(sorted(names)))


@contextmanager
def _no_collections() -> Iterator[None]:
    """Without the collector of cycles, which would look at millions of words again and again."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def shown_scope(verdict: Verdict) -> str:
    """For which public values a kernel is proved: the tasks, or how many they are."""
    names = list(verdict.scope)
    if all(EACH in name for name in names):
        return ", ".join(
            sorted({f"{name.partition(EACH)[0]}, states one by one" for name in names})
        )
    if all(LANES in name for name in names):
        return ", ".join(sorted({f"{name.partition(LANES)[0]}, lanes apart" for name in names}))
    if len(names) < 5:
        return ", ".join(names)
    rounds = all(name.endswith(" rounds") or name.startswith(ROUND) for name in names)
    kind = "sizes" if SIZES in verdict.scope.values() else "rounds" if rounds else "masks"
    return f"{len(names)} choices of {kind}"


def write_case(verdict: Verdict, directory: Path) -> Path | None:
    """Write the case of a counterexample; its path."""
    if verdict.case is None:
        return None
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{verdict.kernel}.json"
    path.write_text(json.dumps(verdict.case, indent=1) + "\n")
    return path
