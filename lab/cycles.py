# SPDX-License-Identifier: Apache-2.0
"""Which kernels are measured on which machines: those of the library, those of papers/, plain C,
and those of a file that a user brings (brought.py).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from . import brought, spec
from .cases import SIGNATURES, Case, cases, measurable
from .checkout import LabError
from .kernels import Kernel, known_isas, parse, scan, split_name
from .layouts import LAYOUTS
from .machines import Machine
from .results import Result
from .spec.block import BlockCipher
from .spec.sparkle import Sparkle

GENERIC = "papers/sparkle-armv8/kernels/sparkle_generic.c"
GROUPS = {"ptx": 32}  # per call, where it is not one: threads of a warp


def of_papers(root: Path) -> list[Kernel]:
    """The kernels under papers/*/kernels: for comparison, not part of the library. A file there
    whose name has no instruction set belongs to a program of the comparison and has no kernels.
    """
    isas = known_isas(root)
    return [
        kernel
        for path in sorted(root.glob("papers/*/kernels/**/*.*"))
        if path.suffix in (".S", ".ptx") and split_name(path, isas)
        for kernel in parse(path, root, isas)
    ]


def portable(root: Path) -> list[Kernel]:
    """The portable kernels of all block ciphers for one block, as plain C for any machine."""
    found = []
    for name, cipher in spec.ALGORITHMS.items():
        if not isinstance(cipher, BlockCipher):
            continue
        identifier = spec.identifier(name)
        family = re.split(r"\d", identifier)[0]
        for operation, signature in SIGNATURES.items():
            found.append(
                Kernel(
                    name=f"{identifier}_portable_x1",
                    spec=f"{identifier}.{operation}",
                    isa="c",
                    operation=operation,
                    blocks=1,
                    source=f"src/{family}/{family}.c",
                    args=brought.arguments(
                        brought.Said(f"{identifier}.{operation}", signature=",".join(signature)),
                        operation,
                    ),
                    secrets=("in", "keys"),
                    function=f"hanji_{identifier}_portable_{operation}_x1",
                )
            )
    return found


def expansions() -> list[Kernel]:
    """The functions that make the round keys of the RV32 kernels from canonical ones: what a key
    costs before the first block.
    """
    found = []
    for name, source, layout in (
        ("speck32_64", "src/speck/speck32_rv32i.c", "pairs_slices"),
        ("cham64_128", "src/cham/cham64_rv32i.c", "pairs_slices_numbered"),
    ):
        cipher = spec.algorithm(name)
        keys = cipher.round_keys(bytes(cipher.key_size))
        sizes = {"area": len(LAYOUTS[layout](cipher, keys)), "rk": 2 * len(keys)}
        args = {
            f"a{i}": {"buffer": buffer, "bytes": sizes[buffer], "access": access}
            for i, (buffer, access) in enumerate((("area", "w"), ("rk", "r")))
        }
        made = Kernel(
            name=f"{name}_rv32i_expand_slices",
            spec=f"{name}.expand",
            isa="rv32i",
            operation="expand",
            blocks=1,
            source=source,
            args=args,
            secrets=("rk",),
            layout=layout,
        )
        found.append(made)
    return found


def permutations() -> list[Kernel]:
    """The permutations in C for any machine: the portable kernels for one state, and one function
    for all widths.
    """
    found = []
    for name, sparkle in spec.ALGORITHMS.items():
        if isinstance(sparkle, Sparkle):
            states = {"buffer": "states", "bytes": f"{sparkle.state_size} * groups", "access": "rw"}
            portable = Kernel(
                name=f"{name}_portable_x1",
                spec=f"{name}.permute",
                isa="c",
                operation="permute",
                blocks=1,
                source="src/sparkle/sparkle.c",
                args={"a0": states, "a1": {"value": "groups"}, "a2": {"value": "steps"}},
                secrets=("states",),
                function=f"hanji_{name}_portable_x1",
            )
            generic = replace(
                portable,
                name=f"{name}_generic",
                source=GENERIC,
                function=f"hanji_{name}_generic",
            )
            found += [portable, generic]
    return found


def known(root: Path) -> list[Kernel]:
    """Every kernel that the laboratory can call; LabError when a header is wrong."""
    found, errors = scan(root)
    if errors:
        raise LabError("\n".join(map(str, errors)))
    return [
        kernel
        for kernel in [*found, *of_papers(root), *portable(root), *permutations(), *expansions()]
        if measurable(kernel)
    ]


def chosen(root: Path, pattern: str, of: Sequence[Kernel] | None = None) -> list[Kernel]:
    """Every kernel (of those given, or that the laboratory can call) whose name matches; LabError
    when nothing does.
    """
    matching = [kernel for kernel in of or known(root) if fnmatchcase(kernel.name, pattern)]
    if not matching:
        raise LabError(
            f"no kernel that can be measured matches {pattern!r}; `hanji-lab kernels` lists "
            "the names, * stands for any part of one"
        )
    return matching


def pairs(
    kernels: Sequence[Kernel],
    machines: Sequence[Machine],
    root: Path,
    groups: int | None = None,
    flags: str = "",
) -> Iterator[tuple[Case, Machine]]:
    """Every case of every kernel with every machine that runs its instruction set."""
    for kernel in kernels:
        for machine in machines:
            if kernel.isa in machine.isas:
                for case in cases(root, kernel, groups or GROUPS.get(kernel.isa, 1), flags=flags):
                    yield case, machine


def measure(
    kernels: Sequence[Kernel],
    machines: Sequence[Machine],
    root: Path,
    arguments: Sequence[str],
    groups: int | None = None,
    flags: str = "",
) -> list[Result]:
    """The figures of all cases."""
    command = shlex.join(["hanji-lab", "cycles", *arguments])
    return [
        result
        for case, machine in pairs(kernels, machines, root, groups, flags)
        for result in machine.measure(case, command)
    ]


def refuse_others(kernels: Sequence[Kernel], machines: Sequence[Machine]) -> None:
    """LabError if no machine runs any of the kernels."""
    if not any(kernel.isa in machine.isas for kernel in kernels for machine in machines):
        isas = ", ".join(sorted({kernel.isa for kernel in kernels}))
        runs = "; ".join(
            f"{machine.name} runs {', '.join(sorted(machine.isas))}" for machine in machines
        )
        raise LabError(f"none of the machines runs {isas}: {runs}")
