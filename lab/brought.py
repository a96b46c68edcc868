# SPDX-License-Identifier: Apache-2.0
"""A file with a kernel that a user brings: what the command line says of it, or its headers.

A signature is a list of arguments in their order: `out,in,groups,keys`. The laboratory knows the
sizes of buffers of its own specifications. For others they are written down: `out:8,in:8,key:16`,
`state:16:rw`, with sizes in bytes that may use `groups`; `rounds=32` is a value.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import spec
from .cases import SIGNATURES
from .checkout import LabError, any_compiler, find_program, run
from .kernels import HeaderError, Kernel, isa_flags, known_isas, parse, split_name
from .layouts import LAYOUTS
from .machines.mcu.boards import ARM as CORTEX_COMPILER
from .machines.mcu.boards import AVR as AVR_COMPILER
from .machines.rv32.harness import COMPILER as RV32_COMPILER
from .machines.rv32.harness import FLAGS as RV32_FLAGS
from .machines.rv32.harness import PACKAGE as RV32_PACKAGE
from .prove.ptx_text import entry_names
from .spec import outside
from .spec.ascon import Aead, Hash, Permutation
from .spec.block import BlockCipher
from .spec.esch import Esch
from .spec.keccak import Keccak
from .spec.schwaemm import Schwaemm
from .spec.sparkle import Sparkle
from .trace import AARCH64

ARGUMENTS = tuple(f"a{i}" for i in range(8))
RV32, ARM = ("rv32i", "zbkb"), ("a64", "neon", "pmull", "sha3")
# Compiler, package, and a processor of each instruction set.
MICROCONTROLLERS = {
    "armv6m": (*CORTEX_COMPILER, ("-mcpu=cortex-m0", "-mthumb")),
    "armv7m": (*CORTEX_COMPILER, ("-mcpu=cortex-m4", "-mthumb")),
    "armv7em": (*CORTEX_COMPILER, ("-mcpu=cortex-m4", "-mthumb")),
    "avr": (*AVR_COMPILER, ("-mmcu=atmega328p",)),
}
PLAIN = ("c", "ptx")  # what no kernel file of the library's build is called after
# A platform may reserve these; a kernel that uses one is told so, unless it is allowed.
RESERVED = ("x18", *(f"x{i}" for i in range(19, 29)), *(f"d{i}" for i in range(8, 16)), "gp", "tp")
ACCESS = {"out": "w", "tag": "w", "counter": "rw", "state": "rw", "states": "rw"}
SECRET = ("in", "keys", "rk", "key", "state", "states")
Sizes = dict[str, int | str]
TEXT, WITH_TAG = "in_bytes", "in_bytes + {tag}"


@dataclass(frozen=True)
class Said:
    """What a command line says of a file; `spec` None where the file has headers."""

    spec: str | None = None
    isa: str | None = None
    blocks: int = 1
    function: str | None = None
    signature: str | None = None
    layout: str = "canonical"
    allow: tuple[str, ...] = ()
    values: tuple[tuple[str, int], ...] = ()


def kernels(path: Path, root: Path, said: Said) -> list[Kernel]:
    """The kernels of a file that a user brings; LabError that says what is missing."""
    if strange := [name for name in said.allow if name not in RESERVED]:
        raise LabError(f"--allow {strange[0]} given, one of {', '.join(RESERVED)} expected")
    if said.spec is None:
        own = dict(said.values) or None
        return [
            replace(kernel, allow=said.allow, values=own) for kernel in _headed(path, root, said)
        ]
    if said.spec.endswith(".py"):
        raise LabError(f"--spec {said.spec} names no function: {said.spec}:FUNCTION expected")
    wanted = said.spec
    if outside.is_outside(wanted) and (cipher := outside.cipher(wanted)) is not None:
        try:
            wanted = f"{spec.register(cipher)}.{wanted.rpartition('.')[2]}"
        except ValueError as problem:
            raise LabError(f"--spec {wanted}: {problem}") from None
        said = replace(said, spec=wanted)
    isa = said.isa or _isa(path, root)
    if isa not in (*known_isas(root), *PLAIN):
        raise LabError(
            f"--isa {isa} given, one of {', '.join([*known_isas(root), *PLAIN])} expected"
        )
    if outside.is_outside(wanted):
        operation = wanted.rpartition(":")[2]
        name = f"{outside.path(wanted).resolve()}:{operation}"
        args, values = _outside_arguments(said)
    else:
        try:
            spec.resolve(wanted)
        except spec.UnknownSpecificationError as problem:
            raise LabError(str(problem)) from None
        name, operation = wanted, wanted.partition(".")[2]
        args, values = arguments(said, operation), {}
    function = _function(path, root, isa, said)
    kernel = Kernel(
        name=function,
        spec=name,
        isa=isa,
        operation=operation,
        blocks=said.blocks,
        source=str(path.resolve()),
        args=args,
        secrets=tuple(
            str(what["buffer"]) for what in args.values() if what.get("buffer") in SECRET
        ),
        layout=said.layout,
        function=function,
    )
    return [replace(kernel, allow=said.allow, values={**values, **dict(said.values)} or None)]


def _headed(path: Path, root: Path, said: Said) -> list[Kernel]:
    try:
        found = parse(path.resolve(), path.resolve().parent, known_isas(root), free=True)
    except HeaderError as problem:
        without = "/* kernel:" not in path.read_text(encoding="utf-8")
        hint = "; a file without header needs --spec, and --isa where its name has none"
        raise LabError(f"{problem}{hint if without else ''}") from None
    there = [kernel.symbol for kernel in found]
    found = [kernel for kernel in found if said.function in (None, kernel.symbol, kernel.name)]
    if not found:
        raise LabError(
            f"{path} has no header for {said.function!r}, but for {', '.join(there)};"
            " give --spec, or write one (CONTRIBUTING.md)"
        )
    return [replace(kernel, source=str(path.resolve())) for kernel in found]


def _isa(path: Path, root: Path) -> str:
    """The instruction set by the file's name; assembly whose name has none must be told."""
    if path.suffix == ".c":
        return "c"
    if path.suffix == ".ptx":
        return "ptx"
    if named := split_name(path, known_isas(root)):
        return named[1]
    raise LabError(
        f"{path.name} does not say for which processor it is: give --isa"
        f" ({', '.join([*RV32, *ARM, *MICROCONTROLLERS])}), or call it NAME_ISA{path.suffix}"
    )


def defined(path: Path, root: Path, isa: str) -> list[str]:
    """The functions that a file defines for others, as its assembler or compiler sees them."""
    if isa == "ptx":
        return entry_names(path.read_text(encoding="utf-8"))
    compiler, flags = _compiler(root, isa)
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as folder:
        made = Path(folder, "kernel.o")
        include = [f"-I{root / 'include'}", f"-I{root / 'src'}"]
        try:
            run([compiler, *flags, *include, "-c", path, "-o", made])
        except LabError as error:
            raise LabError(_not_made(path, isa, str(error))) from None
        listed = run([re.sub(r"(gcc|clang)(-\d+)?$", "nm", compiler), "-g", made])
    foreign = [one.split()[-1] for one in listed.splitlines() if " U " in one]
    library = ("memcpy", "memset")
    if missing := [one for one in foreign if isa in RV32 and not one.startswith(("__", *library))]:
        raise LabError(f"{path.name} calls {', '.join(missing)}, which is not in it")
    return [one.split()[-1] for one in listed.splitlines() if re.search(r" [TtWV] [A-Za-z_]", one)]


def _not_made(path: Path, isa: str, said: str) -> str:
    """What a compiler or assembler says of a file, by its first error."""
    errors = re.findall(r":(\d+)(?::\d+)?: (?:fatal )?[Ee]rror: (.*)", said)
    if not errors:
        return said
    (line, first), more = errors[0], len(errors) - 1
    others = f", and {more} more error{'s' * (more > 1)}" if more else ""
    hint = "" if isa == "c" else "; is --isa right?"
    return f"{path.name} is no code for {isa}{hint} Line {line}: {first}{others}"


def _compiler(root: Path, isa: str) -> tuple[str, list[str]]:
    if isa in RV32:
        march = "-march=rv32i" if isa == "rv32i" else "-march=rv32i_zbkb"
        found = find_program(RV32_COMPILER, RV32_PACKAGE, "an RV32 kernel")
        return found, [march, *RV32_FLAGS.split()]
    if isa in ARM:
        found = find_program(AARCH64.compiler, AARCH64.package, "an AArch64 kernel")
        return found, isa_flags(root, isa)
    if isa in MICROCONTROLLERS:
        compiler, package, flags = MICROCONTROLLERS[isa]
        return find_program(compiler, package, "a kernel of a microcontroller"), list(flags)
    # Only names are asked for, and hanji refuses to be compiled without optimisation.
    return any_compiler(), ["-O1"] if isa == "c" else isa_flags(root, isa)


def _function(path: Path, root: Path, isa: str, said: Said) -> str:
    there = defined(path, root, isa)
    shown = ", ".join(there) or "none"
    if said.function is None:
        if len(there) != 1:
            raise LabError(
                f"{path} defines {len(there)} functions ({shown}); say which with --kernel FUNCTION"
            )
        return there[0]
    if said.function not in there:
        hint = "" if there else "; is its symbol declared with .globl?"
        raise LabError(f"{path} defines no function {said.function!r}, but {shown}{hint}")
    return said.function


@dataclass(frozen=True)
class _Kind:
    """What the kernels of an operation take: their arguments, and the sizes of the buffers."""

    signature: str
    sizes: Callable[[Any, Said, bool], Sizes]


def _of_blocks(cipher: Any, said: Said, grouped: bool) -> Sizes:
    if said.layout not in LAYOUTS:
        raise LabError(
            f"layout {said.layout!r} given, one of {', '.join(LAYOUTS)} expected (lab/layouts.py)"
        )
    whole = said.blocks * cipher.block_size
    data: int | str = f"{whole} * groups" if grouped else whole
    keys = len(LAYOUTS[said.layout](cipher, cipher.round_keys(bytes(cipher.key_size))))
    return {"out": data, "in": data, "keys": keys, "rk": keys, "counter": cipher.block_size}


def _of_states(permutation: Any, said: Said, grouped: bool) -> Sizes:
    whole = said.blocks * getattr(permutation, "state_size", 200)
    data: int | str = f"{whole} * groups" if grouped else whole
    return {"state": data, "states": data}


def _of_sealed(aead: Any, said: Said, grouped: bool) -> Sizes:
    tagged = WITH_TAG.format(tag=aead.tag_size)
    alone = "tag" in (said.signature or "").split(",")
    opening = (said.spec or "").endswith(".open")
    sealed = TEXT if alone else tagged
    return {
        "out": TEXT if opening else sealed,
        "in": sealed if opening else TEXT,
        "ad": "ad_bytes",
        "nonce": aead.nonce_size,
        "key": aead.key_size,
        "tag": aead.tag_size,
    }


def _of_digest(function: Any, said: Said, grouped: bool) -> Sizes:
    return {"out": function.digest_size or 32, "in": TEXT}


SEALING = "out,in,in_bytes,ad,ad_bytes,nonce,key"
KINDS: dict[tuple[type, ...], dict[str, _Kind]] = {
    (BlockCipher,): {
        operation: _Kind(",".join(names), _of_blocks) for operation, names in SIGNATURES.items()
    },
    (Sparkle, Permutation, Keccak): {
        "permute": _Kind("state,steps", _of_states),
        "permute_slim": _Kind("state", _of_states),
        "permute_big": _Kind("state", _of_states),
    },
    (Aead, Schwaemm): {"seal": _Kind(SEALING, _of_sealed), "open": _Kind(SEALING, _of_sealed)},
    (Hash, Esch): {"digest": _Kind("out,in,in_bytes", _of_digest)},
}
VALUES = ("groups", "steps", "in_bytes", "ad_bytes")


def _kind(name: str, algorithm: Any, operation: str) -> _Kind:
    for types, operations in KINDS.items():
        if isinstance(algorithm, types) and operation in operations:
            kind = operations[operation]
            if isinstance(algorithm, Keccak):
                return replace(kind, signature="state")
            return kind
    known = ", ".join(dict.fromkeys(one for kinds in KINDS.values() for one in kinds))
    raise LabError(
        f"--spec {name} needs a kernel header; without one these operations are understood: {known}"
    )


def arguments(said: Said, operation: str) -> dict[str, dict[str, object]]:
    """The `args` of a header for a kernel of one of the laboratory's specifications."""
    assert said.spec
    algorithm = spec.algorithm(said.spec.partition(".")[0])
    kind = _kind(said.spec, algorithm, operation)
    signature = said.signature or kind.signature
    names = [part.strip() for part in signature.split(",")]
    sizes = kind.sizes(algorithm, said, "groups" in names)
    args: dict[str, dict[str, object]] = {}
    for register, name in zip(_registers(names), names, strict=True):
        if name in VALUES:
            args[register] = {"value": name}
        elif name in sizes:
            access = ACCESS.get(name, "r")
            args[register] = {"buffer": name, "bytes": sizes[name], "access": access}
        else:
            raise LabError(
                f"argument {name!r} given in --signature,"
                f" some of {', '.join([*sizes, *VALUES])} expected"
            )
    return args


PART = re.compile(r"(\w+)(?:=(\d+)|:([^:]+)(?::(r|w|rw))?)?")


def _outside_arguments(said: Said) -> tuple[dict[str, dict[str, object]], dict[str, int]]:
    """The arguments of a kernel whose specification is a file; sizes come from the signature."""
    assert said.spec
    taken = outside.parameters(said.spec)
    if not said.signature:
        raise LabError(
            f"--spec {said.spec} needs --signature with sizes in bytes,"
            f" such as out:8,{','.join(f'{name}:8' for name in taken)}"
        )
    parts = [part.strip() for part in said.signature.split(",")]
    args: dict[str, dict[str, object]] = {}
    values: dict[str, int] = {}
    for register, part in zip(_registers(parts), parts, strict=True):
        found = PART.fullmatch(part)
        if not found:
            raise LabError(
                f"{part!r} given in --signature, NAME:BYTES, NAME:BYTES:rw or NAME=NUMBER expected"
            )
        name, value, size, access = found.groups()
        if size is None:
            if value is None and name != "groups":
                raise LabError(f"{name!r} in --signature has no size; write {name}:BYTES")
            values |= {name: int(value)} if value is not None else {}
            args[register] = {"value": name}
        else:
            access = access or ("r" if name in taken else "w")
            whole: int | str = int(size) if size.isdigit() else size
            args[register] = {"buffer": name, "bytes": whole, "access": access}
    named = [str(what.get("buffer", what.get("value"))) for what in args.values()]
    if strange := [name for name in taken if name not in named]:
        raise LabError(
            f"{said.spec} takes {strange[0]!r}, which is none of the kernel's arguments"
            f" {', '.join(named)}"
        )
    if not any("w" in str(what.get("access", "")) for what in args.values()):
        raise LabError("no buffer of --signature is written; say which one is, such as state:16:rw")
    return args, values


def _registers(names: list[str]) -> tuple[str, ...]:
    if len(names) > len(ARGUMENTS):
        raise LabError(f"{len(names)} arguments given, {len(ARGUMENTS)} at most expected")
    return ARGUMENTS[: len(names)]
