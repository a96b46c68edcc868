# SPDX-License-Identifier: Apache-2.0
"""Which kernels are measured on which machines: those of the library, those for research, plain C,
and a file that a user brings.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from . import spec
from .cases import SIGNATURES, Case, cases, measurable
from .checkout import LabError
from .kernels import HeaderError, Kernel, known_isas, parse, scan
from .layouts import LAYOUTS
from .machines import Machine
from .results import Result
from .spec.block import BlockCipher
from .spec.sparkle import Sparkle

RESEARCH = "lab/research"
ARGUMENTS = ("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7")
ACCESS = {"out": "w", "in": "r", "keys": "r", "rk": "r", "counter": "rw"}


def research(root: Path) -> list[Kernel]:
    """The kernels under lab/research: for comparison, not part of the library."""
    isas = known_isas(root)
    return [
        kernel
        for path in sorted((root / RESEARCH).rglob("*.*"))
        if path.suffix in (".S", ".ptx")
        for kernel in parse(path, root, isas)
    ]


def _arguments(
    cipher: BlockCipher, operation: str, blocks: int, signature: str, layout: str
) -> dict[str, dict[str, object]]:
    """The `args` of a header for a block cipher kernel with these parameters, for one group."""
    if layout not in LAYOUTS:
        raise LabError(
            f"layout {layout!r} given, one of {', '.join(LAYOUTS)} expected (lab/layouts.py)"
        )
    key_bytes = len(LAYOUTS[layout](cipher, cipher.round_keys(bytes(cipher.key_size))))
    data = (
        f"{blocks * cipher.block_size} * groups"
        if "groups" in signature
        else blocks * cipher.block_size
    )
    sizes: dict[str, object] = {
        "out": data,
        "in": data,
        "keys": key_bytes,
        "rk": key_bytes,
        "counter": cipher.block_size,
    }
    args: dict[str, dict[str, object]] = {}
    for register, name in zip(ARGUMENTS, signature.split(","), strict=False):
        if name == "groups":
            args[register] = {"value": name}
        elif name in sizes:
            args[register] = {"buffer": name, "bytes": sizes[name], "access": ACCESS[name]}
        else:
            raise LabError(
                f"argument {name!r} given in --signature, some of {', '.join([*sizes, 'groups'])} expected"
            )
    return args


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
                    args=_arguments(cipher, operation, 1, ",".join(signature), "canonical"),
                    secrets=("in", "keys"),
                    function=f"hanji_{identifier}_{operation}_x1",
                )
            )
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
                source=f"{RESEARCH}/sparkle_generic.c",
                function=f"hanji_{name}_generic",
            )
            found += [portable, generic]
    return found


def brought(
    path: Path,
    root: Path,
    name: str | None,
    blocks: int,
    function: str | None,
    signature: str | None,
    layout: str,
) -> list[Kernel]:
    """The kernels of a file that a user brings: by its headers, or by what the command line says of
    it.
    """
    if name is None:
        try:
            found = parse(path.resolve(), path.resolve().parent, known_isas(root))
        except HeaderError as problem:
            raise LabError(f"{problem}; a file without header needs --spec and --blocks") from None
        found = [kernel for kernel in found if function in (None, kernel.symbol, kernel.name)]
        if not found:
            raise LabError(
                f"{path} has no header for {function!r}; give --spec and --blocks, or write one (CONTRIBUTING.md)"
            )
        return [replace(kernel, source=str(path.resolve())) for kernel in found]
    try:
        spec.resolve(name)
    except spec.UnknownSpecificationError as problem:
        raise LabError(str(problem)) from None
    algorithm, _, operation = name.partition(".")
    cipher = spec.algorithm(algorithm)
    if not isinstance(cipher, BlockCipher) or operation not in SIGNATURES:
        raise LabError(
            f"--spec {name} needs a kernel header in {path}; without one, encrypt, decrypt and ctr of a block cipher are understood"
        )
    if function is None:
        declared = re.findall(
            r"^\s*\.glob(?:a)?l\s+(.+)$", path.read_text(encoding="utf-8"), re.MULTILINE
        )
        names = [
            part.strip() for line in declared for part in re.sub(r"(//|#).*", "", line).split(",")
        ]
        if len(names) != 1:
            raise LabError(
                f"{path} has {len(names)} global symbols ({', '.join(names) or 'none'}); say which with --kernel FUNCTION"
            )
        function = names[0]
    return [
        Kernel(
            name=function,
            spec=name,
            isa="c" if path.suffix == ".c" else "rv32i",
            operation=operation,
            blocks=blocks,
            source=str(path.resolve()),
            args=_arguments(
                cipher, operation, blocks, signature or ",".join(SIGNATURES[operation]), layout
            ),
            secrets=("in", "keys"),
            layout=layout,
            function=function,
        )
    ]


def known(root: Path) -> list[Kernel]:
    """Every kernel that the laboratory can call; LabError when a header is wrong."""
    found, errors = scan(root)
    if errors:
        raise LabError("\n".join(map(str, errors)))
    return [
        kernel
        for kernel in [*found, *research(root), *portable(root), *permutations()]
        if measurable(kernel)
    ]


def chosen(root: Path, pattern: str, of: Sequence[Kernel] | None = None) -> list[Kernel]:
    """Every kernel (of those given, or that the laboratory can call) whose name matches; LabError
    when nothing does.
    """
    matching = [kernel for kernel in of or known(root) if fnmatchcase(kernel.name, pattern)]
    if not matching:
        raise LabError(
            f"no kernel that can be measured matches {pattern!r}; `hanji-lab kernels` lists the names, * stands for any part of one"
        )
    return matching


def pairs(
    kernels: Sequence[Kernel],
    machines: Sequence[Machine],
    root: Path,
    groups: int = 1,
    flags: str = "",
) -> Iterator[tuple[Case, Machine]]:
    """Every case of every kernel with every machine that runs its instruction set."""
    for kernel in kernels:
        for machine in machines:
            if kernel.isa in machine.isas:
                for case in cases(root, kernel, groups, flags=flags):
                    yield case, machine


def measure(
    kernels: Sequence[Kernel],
    machines: Sequence[Machine],
    root: Path,
    arguments: Sequence[str],
    groups: int = 1,
    flags: str = "",
) -> list[Result]:
    """The figures of all cases; LabError if no machine runs any of the kernels."""
    command = shlex.join(["hanji-lab", "cycles", *arguments])
    found = [
        result
        for case, machine in pairs(kernels, machines, root, groups, flags)
        for result in machine.measure(case, command)
    ]
    if not found:
        isas = ", ".join(sorted({kernel.isa for kernel in kernels}))
        runs = "; ".join(
            f"{machine.name} runs {', '.join(sorted(machine.isas))}" for machine in machines
        )
        raise LabError(f"none of the machines runs {isas}: {runs}")
    return found
