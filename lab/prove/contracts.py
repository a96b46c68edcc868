# SPDX-License-Identifier: Apache-2.0
"""What a kernel's header promises, as tasks for the prover: its buffers, who may alias whom, its
stack, and the values for which it is proved.

A header cannot widen what a kernel may do: access and sizes of buffers follow from the operation
(src/support/kernel.h) and the specification, and a header that says otherwise is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from .. import spec
from ..cases import BY_THE_LAYOUT, arguments_of, evaluate
from ..checkout import LabError
from ..kernels import Kernel
from ..layouts import LAYOUTS
from ..spec.ascon import Permutation
from ..spec.block import BlockCipher
from ..spec.keccak import Keccak
from ..spec.sparkle import Sparkle
from . import lift
from .avr import AVR
from .graph import Graph
from .lift import Lifted
from .pcode import A64, ISA, RV32
from .thumb import THUMB
from .values import RefusedError
from .x86 import X86

ISAS: dict[str, ISA] = {
    "rv32i": RV32,
    "zbkb": RV32,
    "a64": A64,
    "neon": A64,
    "sha3": A64,
    "pmull": A64,
    "avx2": X86,
    "avx512": X86,
    **THUMB,
    "avr": AVR,
}
KEYS = ("keys", "rk", "round_keys")
ACCESS = {
    "out": "w",
    "in": "r",
    "counter": "rw",
    "state": "rw",
    "states": "rw",
    "big": "r",
} | dict.fromkeys(KEYS, "r")
WORD = 4  # the most that a header may ask of the addresses of buffers, in bytes
EACH = ", state "  # in the name of a task about one of them
WORK = 600_000  # blocks * rounds * bits of a word in one proof: more do not fit
COUNTED = 4  # times as many nodes in CTR
APART, HERE = "separate", "in place"  # how names of tasks begin
SOME = ", blocks "  # in the name of a task about some of a group
NARROW = ("steps",)  # uint32_t in every prototype: the upper half of its register is anything


class NoHarnessError(LabError):
    """The prover does not know how to state what a kernel must do: the verdict is open."""


@dataclass(frozen=True)
class Task:
    """One proof: a kernel with fixed public values, and its buffers apart or in place."""

    kernel: Kernel
    isa: ISA
    name: str
    in_place: bool
    values: dict[str, int]
    absent: tuple[str, ...]  # buffers that are NULL
    lifted: Callable[[Graph], Lifted]
    shared: bool = False  # whether tasks of the kernel share a graph and its inputs
    blind: bool = False  # whether there are bytes of which nothing is known: graph.Blind
    begins: bool = False  # whether it shares no graph with the tasks before it
    veiled: bool = False  # whether its counters are behind a veil: graph.Veiled

    @property
    def counted(self) -> bool:
        """Whether the kernel takes a number of groups."""
        return any(what.get("value") == "groups" for what in self.arguments.values())

    @property
    def arguments(self) -> dict[str, dict[str, object]]:
        """Register -> what it is."""
        return arguments_of(self.kernel)


def _checked(kernel: Kernel, lifted: Lifted, absent: tuple[str, ...]) -> None:
    """RefusedError where the header does not say what the specification needs."""
    expected = {name: (0, len(data)) for name, data in lifted.fixed.items()}
    for name in (lifted.source, lifted.target):
        expected[name] = (lifted.size, 0)
    seen = set()
    for what in arguments_of(kernel).values():
        if "value" in what:
            continue
        name = what["buffer"]
        if name in absent:
            continue
        if name not in expected:
            raise NoHarnessError(f"buffer {name!r} is none of {', '.join(sorted(expected))}")
        seen.add(name)
        sizes = []
        per, fixed = expected[name]
        public = {"blocks": kernel.blocks}
        if kernel.source.endswith(".c"):  # headers of templates count in blocks of the cipher
            public["block"] = lifted.size // kernel.blocks
        for groups in (0, 1, 2):
            if what["bytes"] == BY_THE_LAYOUT and name in KEYS:
                sizes.append(fixed)
                continue
            try:
                sizes.append(evaluate(what["bytes"], public | {"groups": groups}))
            except LabError as problem:
                raise NoHarnessError(str(problem)) from None
        counted = "groups" in str(what["bytes"])
        wanted = [per * n + fixed for n in (0, 1, 2)] if counted or not per else [per] * 3
        if sizes != wanted:
            raise RefusedError(
                f"the header gives {name} {what['bytes']} bytes, {per or fixed}"
                f"{' per group' if counted else ''} expected"
            )
        if what["access"] != ACCESS[name]:
            raise RefusedError(
                f"the header gives {name} access {what['access']!r}, {ACCESS[name]!r} expected"
            )
        if name not in ("big", "out") and name not in kernel.secrets:
            raise RefusedError(f"the header does not name {name} among the secrets")
        if name == "big" and name in kernel.secrets:
            raise NoHarnessError("the masks are secret, and the prover knows them as public only")
    if missing := set(expected) - seen:
        raise RefusedError(f"the header has no argument for {', '.join(sorted(missing))}")


def _named(kernel: Kernel, names: tuple[str, ...]) -> str:
    held = [what["buffer"] for what in (kernel.args or {}).values() if "buffer" in what]
    for name in names:
        if name in held:
            return name
    raise NoHarnessError(f"none of the buffers is called {' or '.join(names)}")


def align_of(kernel: Kernel, buffer: str = "") -> int:
    """What the address of a kernel's buffer is a multiple of: on a host of nothing, as callers give
    any; elsewhere of what the header says of all buffers or of this one, and the dispatcher copies
    what is aligned less.
    """
    if ISAS[kernel.isa] in (X86, A64):
        return 1
    own = [what["align"] for what in arguments_of(kernel).values() if _of(what, buffer)]
    return min(own[0] if own else kernel.align, WORD)


def _of(what: Mapping[str, object], buffer: str) -> bool:
    return what.get("buffer") == buffer and "align" in what


def tasks(kernel: Kernel) -> Iterator[Task]:
    """Every proof that a kernel needs; NoHarnessError where the prover cannot state it."""
    if kernel.isa not in ISAS:
        raise NoHarnessError(f"no front end for {kernel.isa}")
    if not kernel.args:
        raise NoHarnessError("the kernel has no header")
    isa = ISAS[kernel.isa]
    found = spec.algorithm(kernel.spec.partition(".")[0])
    operation = kernel.operation
    arguments = arguments_of(kernel)
    values = {what["value"] for what in arguments.values() if "value" in what}
    if values - {"groups", "steps"}:
        raise NoHarnessError(f"no meaning for the argument {sorted(values)[0]!r}")
    many = "in place" not in kernel.aliasing
    if kernel.aliasing not in ("in place", "out == in allowed", "none"):
        raise NoHarnessError(f"no meaning for aliasing: {kernel.aliasing}")
    if isinstance(found, BlockCipher) and operation in ("encrypt", "decrypt", "ctr"):
        if kernel.layout not in LAYOUTS:
            raise NoHarnessError(f"no layout {kernel.layout!r} in lab/layouts.py")
        keys, cipher = _named(kernel, KEYS), found

        def block_lift(only: range | None) -> Callable[[Graph], Lifted]:
            def build(g: Graph) -> Lifted:
                lifted = lift.blocks(g, cipher, operation, kernel.blocks, keys, kernel.layout, only)
                _checked(kernel, lifted, ())
                return lifted

            return build

        if not many:
            raise NoHarnessError("a block cipher kernel that works in place alone")
        for only in _parts(kernel, cipher):
            made, name = block_lift(only), f"{SOME}{only[0]} to {only[-1]}" if only else ""
            for in_place in (False, True) if kernel.aliasing != "none" else (False,):
                yield Task(
                    *(kernel, isa, (HERE if in_place else APART) + name, in_place),
                    *({}, (), made, True),
                    blind=only is not None,
                    begins=not in_place,
                    veiled=operation == "ctr",
                )
        return
    if isinstance(found, Sparkle | Permutation) and operation in (
        "permute",
        "permute_slim",
        "permute_big",
    ):
        if many:
            raise NoHarnessError("a permutation that does not work in place")
        buffer = _named(kernel, ("states", "state"))
        if any(what.get("buffer") == "big" for what in arguments.values()):
            if not isinstance(found, Sparkle):
                raise NoHarnessError("lanes of another permutation than SPARKLE")
            yield from _lane_tasks(kernel, isa, found, buffer)
            return
        numbers = {
            "permute": (found.slim, found.big),
            "permute_slim": (found.slim,),
            "permute_big": (found.big,),
        }[operation]
        for steps in numbers:
            yield Task(
                kernel,
                isa,
                f"{steps} steps",
                True,
                {"steps": steps},
                (),
                _state_lift(kernel, found, buffer, steps),
            )
        return
    if isinstance(found, Keccak) and operation == "permute":
        if many:
            raise NoHarnessError("a permutation that does not work in place")
        buffer = _named(kernel, ("states", "state"))

        def keccak_lift(g: Graph) -> Lifted:
            lifted = lift.keccak(g, found, buffer, kernel.blocks)
            _checked(kernel, lifted, ())
            return lifted

        yield Task(kernel, isa, "24 rounds", True, {}, (), keccak_lift)
        return
    raise NoHarnessError(f"no harness for {kernel.spec}")


def _parts(kernel: Kernel, cipher: BlockCipher) -> list[range | None]:
    """Blocks of a group that are proved at a time; None for all of them."""
    work = kernel.blocks * cipher.rounds * cipher.width
    if kernel.operation == "ctr":
        work *= COUNTED  # one group, the step and the end have counters of their own
    many = min(-(-work // WORK), kernel.blocks)
    if many < 2:
        return [None]
    each = -(-kernel.blocks // many)
    return [range(at, min(at + each, kernel.blocks)) for at in range(0, kernel.blocks, each)]


def _state_lift(
    kernel: Kernel, found: Sparkle | Permutation, buffer: str, steps: int
) -> Callable[[Graph], Lifted]:
    def made(g: Graph) -> Lifted:
        if kernel.layout == "lanes" and isinstance(found, Permutation):
            lifted = lift.word_lanes(g, found, buffer, kernel.blocks, steps)
        else:
            lifted = lift.permutations(g, found, buffer, kernel.blocks, steps)
        _checked(kernel, lifted, ())
        return lifted

    return made


def _lane_tasks(kernel: Kernel, isa: ISA, found: Sparkle, buffer: str) -> Iterator[Task]:
    def made(masks: int | None) -> Callable[[Graph], Lifted]:
        def build(g: Graph) -> Lifted:
            lifted = lift.lanes(g, found, buffer, kernel.blocks, masks)
            _checked(kernel, lifted, ("big",) if masks is None else ())
            return lifted

        return build

    yield Task(kernel, isa, "no masks", True, {}, ("big",), made(None), True)
    for masks in range(1 << kernel.blocks):
        name = f"masks {masks:0{kernel.blocks}b}"
        yield Task(kernel, isa, name, True, {}, (), made(masks), True)
