# SPDX-License-Identifier: Apache-2.0
"""What is run on a machine: a kernel with its inputs and the outputs that the executable
specification wants.

A kernel's header says which argument is which buffer, and which specification it must equal. The
names of buffers and values are those of the contract in src/support/kernel.h; `BINDERS` says for
every operation what stands in them:

    in, out              blocks (encrypt, decrypt) or bytes (ctr)
    keys, rk             round keys, laid out as the header's `layout` says: a name in layouts.LAYOUTS, by default canonical
    counter              the block-sized big-endian counter of ctr, advanced by the call
    state, states        permutation states, 32-bit words (absorb_blocks, seal_blocks, open_blocks,
                         too)
    big                  with a state of lanes: a mask for each lane, all ones where it gets the big number of steps
    nonce, key           bytes (start, finish)
    groups, steps        values
    in_bytes, ad_bytes   values: lengths of a text and its associated data (seal, open, digest)

A specification outside of the laboratory (spec/outside.py) has the buffers and values that the
kernel's signature names.
"""

from __future__ import annotations

import ast
import operator
import random
import re
import shlex
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import spec
from .checkout import LabError
from .kernels import Kernel
from .layouts import LAYOUTS
from .results import Provenance, sources
from .spec import outside
from .spec.ascon import Aead, Hash, Permutation
from .spec.block import BlockCipher
from .spec.esch import Esch
from .spec.keccak import Keccak
from .spec.schwaemm import Schwaemm
from .spec.sparkle import Sparkle

Contents = Mapping[str, bytes]


class CaseError(LabError):
    """A kernel did something wrong on a machine: an output, a register, or a byte outside of its
    buffers.
    """


class UnsupportedError(LabError):
    """A kernel needs an instruction that a machine does not have."""


@dataclass(frozen=True)
class Buffer:
    """A buffer argument: contents before the call, access (r, w or rw), the alignment that it
    needs, and whether it is secret.
    """

    name: str
    data: bytes
    access: str
    align: int
    secret: bool

    @property
    def written(self) -> bool:
        """Whether the kernel may change it."""
        return "w" in self.access


@dataclass(frozen=True)
class Call:
    """One call: register -> buffer or value, and what the buffers hold afterwards as a function of
    what they held before.

    The header of a kernel in C has names of parameters instead of registers; then the keys are "0",
    "1", ... in the order of SIGNATURES.
    """

    arguments: dict[str, Buffer | int]
    expect: Callable[[Contents], dict[str, bytes]]

    @property
    def buffers(self) -> list[Buffer]:
        """The buffers, in the order of the arguments."""
        return [argument for argument in self.arguments.values() if isinstance(argument, Buffer)]

    def contents(self) -> dict[str, bytes]:
        """What the buffers hold before the call."""
        return {buffer.name: buffer.data for buffer in self.buffers}

    def after(self, calls: int) -> dict[str, bytes]:
        """What the buffers hold after so many calls on the same buffers."""
        held = self.contents()
        for _ in range(calls):
            held |= self.expect(held)
        return held


@dataclass(frozen=True)
class Case:
    """A kernel function with the files that hold it and the calls to make: the first is measured,
    the others only check.
    """

    root: Path
    kernel: Kernel
    files: tuple[Path, ...]
    flags: tuple[str, ...]
    calls: tuple[Call, ...]
    bytes: int  # that one call processes
    operation: str  # as results call it
    beside: tuple[Path, ...] = ()  # a specification that is a file

    @property
    def symbol(self) -> str:
        """The name of the function for the linker."""
        return self.kernel.symbol

    def provenance(
        self, tools: Sequence[str], flags: str, command: str, also: Sequence[str] = ()
    ) -> Provenance:
        """Where figures of this case come from; `also` are patterns of further files of the
        checkout that were compiled in.
        """
        inside = [
            path.relative_to(self.root).as_posix()
            for path in (*self.files, *self.beside)
            if path.is_relative_to(self.root)
        ]
        outside = {
            str(path): sources(path.parent, [path.name])[path.name]
            for path in (*self.files, *self.beside)
            if not path.is_relative_to(self.root)
        }
        return Provenance(
            sources(self.root, [*inside, *also]) | outside, list(tools), flags, command
        )


_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def evaluate(size: int | str, values: Mapping[str, int]) -> int:
    """A size of a kernel header: a number, or an expression with + - * // over `blocks` and the
    value arguments, such as `64 * groups`.
    """

    def value(node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in values:
            return values[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        raise LabError(
            f"size {size!r}: a number or an expression with + - * // over "
            f"{', '.join(values) or 'no values'} expected"
        )

    try:
        return value(ast.parse(str(size), mode="eval").body)
    except SyntaxError:
        raise LabError(f"size {size!r} is not an expression") from None


# The parameters of the kernels of a block cipher (src/support/kernel.h), in their order.
SIGNATURES = {
    "encrypt": ("out", "in", "groups", "keys"),
    "decrypt": ("out", "in", "groups", "keys"),
    "ctr": ("out", "in", "groups", "counter", "keys"),
}


def arguments_of(kernel: Kernel) -> dict[str, dict[str, Any]]:
    """The `args` of a header, each with what it is; of a template in C all parameters, in order."""
    args = kernel.args or {}
    if (
        kernel.args
        and kernel.source.endswith(".c")
        and kernel.operation in SIGNATURES
        and set(args) <= set(SIGNATURES["ctr"])
    ):
        return {
            str(i): args.get(name, {"value": name})
            for i, name in enumerate(SIGNATURES[kernel.operation])
        }
    return args


# What the header of a template says instead of a size, where that depends on the cipher.
BY_THE_LAYOUT = "round keys in canonical layout"

Bound = tuple[dict[str, bytes], Callable[[Contents], dict[str, bytes]]]
# (kernel, specification, value arguments, size of each buffer by its name, source of random bytes)
# -> (contents, what a call makes of contents)
Binder = Callable[
    [Kernel, Any, Mapping[str, int], Mapping[str, Any], Callable[[int], bytes]], Bound
]


def _keys(
    kernel: Kernel, cipher: BlockCipher, sizes: Mapping[str, Any], key: bytes
) -> dict[str, bytes]:
    """The round keys in the layout that the kernel takes, under the name that its header uses."""
    name = next((name for name in ("keys", "rk", "round_keys") if name in sizes), None)
    if name is None:
        raise LabError(
            f"{kernel.name}: no buffer is called keys or rk; the laboratory would not know "
            "where the round keys go"
        )
    if kernel.layout not in LAYOUTS:
        raise LabError(
            f"{kernel.name}: layout {kernel.layout!r} given, one of {', '.join(LAYOUTS)} "
            "expected (lab/layouts.py)"
        )
    return {name: LAYOUTS[kernel.layout](cipher, cipher.round_keys(key))}


def _blocks(
    kernel: Kernel,
    cipher: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    key = fresh(cipher.key_size)
    held = _keys(kernel, cipher, sizes, key) | {
        "in": fresh(sizes["in"]),
        "out": fresh(sizes["out"]),
    }
    crypt = cipher.encrypt if kernel.operation == "encrypt" else cipher.decrypt
    return held, lambda before: {"out": crypt(before["in"], key)}


def _ctr(
    kernel: Kernel,
    cipher: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    key, size = fresh(cipher.key_size), cipher.block_size
    held = _keys(kernel, cipher, sizes, key) | {
        "in": fresh(sizes["in"]),
        "out": fresh(sizes["out"]),
        "counter": fresh(size),
    }

    def call(before: Contents) -> dict[str, bytes]:
        number = int.from_bytes(before["counter"], "big") + len(before["in"]) // size
        advanced = (number % (1 << 8 * size)).to_bytes(size, "big")
        return {"out": cipher.ctr(before["in"], key, before["counter"]), "counter": advanced}

    return held, call


def _lanes(words: bytes, lanes: int) -> list[bytes]:
    """The states of lanes 0 to 3, whose words are side by side, and of the lanes behind them, each
    in one piece; to and fro.
    """
    size = len(words) // lanes
    four = [
        b"".join(words[at + 4 * lane : at + 4 * lane + 4] for at in range(0, 4 * size, 16))
        for lane in range(4)
    ]
    return four + [words[at : at + size] for at in range(4 * size, len(words), size)]


def _in_lanes(states: Sequence[bytes]) -> bytes:
    """The inverse of _lanes."""
    four = b"".join(
        states[lane][at : at + 4] for at in range(0, len(states[0]), 4) for lane in range(4)
    )
    return four + b"".join(states[4:])


def _permute_lanes(
    kernel: Kernel, sparkle: Any, sizes: Mapping[str, Any], fresh: Callable[[int], bytes]
) -> Bound:
    big = [bool(byte & 1) for byte in fresh(kernel.blocks)]
    masks = b"".join((b"\xff" if one else b"\x00") * 4 for one in big)

    def call(before: Contents) -> dict[str, bytes]:
        states = _lanes(before["state"], kernel.blocks)
        return {
            "state": _in_lanes(
                [
                    sparkle.permute(state, sparkle.big if one else sparkle.slim)
                    for state, one in zip(states, big, strict=True)
                ]
            )
        }

    return {"state": fresh(sizes["state"]), "big": masks[: sizes["big"]]}, call


def _permute(
    kernel: Kernel,
    sparkle: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    if "big" in sizes:
        return _permute_lanes(kernel, sparkle, sizes, fresh)
    name = next(name for name in ("states", "state", "out") if name in sizes)
    steps = values.get("steps", sparkle.big if kernel.operation == "permute_big" else sparkle.slim)
    size = sparkle.state_size

    def call(before: Contents) -> dict[str, bytes]:
        states = [before[name][at : at + size] for at in range(0, len(before[name]), size)]
        return {name: b"".join(sparkle.permute(state, steps) for state in states)}

    def call_in_lanes(before: Contents) -> dict[str, bytes]:
        words = _transposed(before[name], kernel.blocks)
        states = [words[at : at + size] for at in range(0, len(words), size)]
        made = b"".join(sparkle.permute(state, steps) for state in states)
        return {name: _transposed(made, size // 8)}

    return {name: fresh(sizes[name])}, call_in_lanes if kernel.layout == "lanes" else call


def _transposed(words: bytes, columns: int) -> bytes:
    """Rows of so many 64-bit words, as columns."""
    size = 8 * columns
    return b"".join(
        words[at : at + 8] for column in range(0, size, 8) for at in range(column, len(words), size)
    )


def _expand(
    kernel: Kernel,
    cipher: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    keys = cipher.round_keys(fresh(cipher.key_size))
    held = {"area": fresh(sizes["area"]), "rk": LAYOUTS["canonical"](cipher, keys)}
    return held, lambda before: {"area": LAYOUTS[kernel.layout](cipher, keys)}


def _permute_keccak(
    kernel: Kernel,
    keccak: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    name = next(name for name in ("states", "state", "out") if name in sizes)

    def call(before: Contents) -> dict[str, bytes]:
        states = [before[name][at : at + 200] for at in range(0, len(before[name]), 200)]
        return {name: b"".join(map(keccak.permute, states))}

    return {name: fresh(sizes[name])}, call


def _seal(
    kernel: Kernel,
    aead: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    held = {name: fresh(sizes[name]) for name in sizes}

    def call(before: Contents) -> dict[str, bytes]:
        sealed = aead.seal(before["nonce"], before.get("ad", b""), before["in"], before["key"])
        if "tag" not in before:
            return {"out": sealed}
        return {"out": sealed[: -aead.tag_size], "tag": sealed[-aead.tag_size :]}

    return held, call


def _open(
    kernel: Kernel,
    aead: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    """Only sealed texts that are genuine: what a kernel does with others shows in its result."""
    held = {name: fresh(sizes[name]) for name in sizes}
    text = fresh(values["in_bytes"])
    held["in"] = aead.seal(held["nonce"], held.get("ad", b""), text, held["key"])
    return held, lambda before: {"out": text}


def _digest(
    kernel: Kernel,
    function: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    held = {name: fresh(sizes[name]) for name in sizes}
    size = None if function.digest_size else sizes["out"]
    return held, lambda before: {"out": function.digest(before["in"], size)}


def _absorb(
    kernel: Kernel,
    algorithm: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    """Whole blocks into a state of Ascon, and out of it where there is text."""

    def call(before: Contents) -> dict[str, bytes]:
        made = getattr(algorithm, kernel.operation)(before["state"], before["in"])
        return dict(
            zip(("state", "out"), made if isinstance(made, tuple) else (made,), strict=False)
        )

    return {name: fresh(sizes[name]) for name in sizes}, call


def _ends(
    kernel: Kernel,
    aead: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    """What is in front of associated data and text of Ascon, and behind them."""
    first = "nonce" if kernel.operation == "start" else "state"
    made = getattr(aead, kernel.operation)
    held = {name: fresh(sizes[name]) for name in sizes}
    return held, lambda before: {"state": made(before[first], before["key"])}


def _outside(
    kernel: Kernel,
    name: Any,
    values: Mapping[str, int],
    sizes: Mapping[str, Any],
    fresh: Callable[[int], bytes],
) -> Bound:
    function, taken = outside.function(kernel.spec), outside.parameters(kernel.spec)
    written = [
        what["buffer"]
        for what in (kernel.args or {}).values()
        if "buffer" in what and "w" in what["access"]
    ]

    def call(before: Contents) -> dict[str, bytes]:
        given = {key: before[key] if key in before else values[key] for key in taken}
        try:
            made = function(**given)
        except Exception as error:
            line = traceback.extract_tb(error.__traceback__)[-1].lineno
            sizes = ", ".join(f"{key}:{len(data)}" for key, data in before.items() if key in taken)
            raise LabError(
                f"{kernel.spec} ends with {type(error).__name__} in line {line}: {error}"
                f" (it was given {sizes or 'no bytes'})"
            ) from None
        if isinstance(made, bytes | bytearray) and len(written) == 1:
            made = {written[0]: bytes(made)}
        if not isinstance(made, dict) or set(made) != set(written):
            raise LabError(
                f"{kernel.spec} gives {type(made).__name__},"
                f" bytes or a dict with {', '.join(written)} expected"
            )
        for key, data in made.items():
            if len(data) != len(before[key]):
                raise LabError(
                    f"{kernel.spec} gives {len(data)} bytes of {key}, {len(before[key])} expected"
                )
        return made

    return {key: fresh(size) for key, size in sizes.items()}, call


BINDERS: dict[tuple[type, str], Binder] = {
    (BlockCipher, "encrypt"): _blocks,
    (BlockCipher, "decrypt"): _blocks,
    (BlockCipher, "ctr"): _ctr,
    (BlockCipher, "expand"): _expand,
    (Sparkle, "permute"): _permute,
    (Sparkle, "permute_slim"): _permute,
    (Sparkle, "permute_big"): _permute,
    (Permutation, "permute"): _permute,
    (Permutation, "permute_slim"): _permute,
    (Permutation, "permute_big"): _permute,
    (Keccak, "permute"): _permute_keccak,
    (Aead, "seal"): _seal,
    (Schwaemm, "seal"): _seal,
    (Aead, "open"): _open,
    (Schwaemm, "open"): _open,
    (Aead, "start"): _ends,
    (Aead, "finish"): _ends,
    (Aead, "absorb_blocks"): _absorb,
    (Aead, "seal_blocks"): _absorb,
    (Aead, "open_blocks"): _absorb,
    (Hash, "absorb_blocks"): _absorb,
    (Hash, "digest"): _digest,
    (Esch, "digest"): _digest,
}


def measurable(kernel: Kernel) -> bool:
    """Whether the laboratory knows how to call a kernel: it has a header, and a binder for its
    operation.
    """
    return bool(kernel.args) and _binder(kernel) is not None


def _binder(kernel: Kernel) -> Binder | None:
    if outside.is_outside(kernel.spec):
        return _outside
    algorithm = kernel.spec.partition(".")[0]
    if algorithm == "modes":
        return None
    found = spec.algorithm(algorithm)
    return next(
        (
            binder
            for (kind, operation), binder in BINDERS.items()
            if isinstance(found, kind) and operation == kernel.operation
        ),
        None,
    )


def make_call(kernel: Kernel, values: Mapping[str, int], fresh: Callable[[int], bytes]) -> Call:
    """A call of a kernel with the given value arguments and buffers filled by `fresh`."""
    binder = _binder(kernel)
    if binder is None or not kernel.args:
        raise LabError(
            f"{kernel.name}: the laboratory does not know how to call {kernel.spec}; see "
            "BINDERS in lab/cases.py"
        )
    named = {**values, "blocks": kernel.blocks}
    if isinstance(cipher := _algorithm(kernel), BlockCipher):
        named["block"] = cipher.block_size
    args = arguments_of(kernel)
    sizes = {
        what["buffer"]: evaluate(what["bytes"], named) if what["bytes"] != BY_THE_LAYOUT else None
        for what in args.values()
        if "buffer" in what
    }
    held, expect = binder(kernel, _algorithm(kernel), values, sizes, fresh)
    arguments: dict[str, Buffer | int] = {}
    for register, what in args.items():
        if "value" in what:
            arguments[register] = values[what["value"]]
            continue
        name = what["buffer"]
        if name not in held:
            raise LabError(
                f"{kernel.name}: buffer {name!r} is none of {', '.join(held)}, which "
                f"{kernel.spec} has"
            )
        if sizes[name] not in (None, len(held[name])):
            raise LabError(
                f"{kernel.name}: buffer {name!r} has {sizes[name]} bytes by the header, but "
                f"{len(held[name])} by {kernel.spec} ({kernel.layout})"
            )
        arguments[register] = Buffer(
            name,
            held[name],
            what["access"],
            what.get("align", kernel.align),
            name in kernel.secrets,
        )
    return Call(arguments, expect)


def _algorithm(kernel: Kernel) -> Any:
    """The algorithm of a kernel's specification; of one outside of the laboratory its name."""
    if outside.is_outside(kernel.spec):
        return kernel.spec
    return spec.algorithm(kernel.spec.partition(".")[0])


def default_values(kernel: Kernel, groups: int = 1) -> dict[str, int]:
    """The value arguments of a measured call: one group, the number of steps that the specification
    names or else the slim one, and messages of 64 bytes with 16 of associated data.
    """
    steps = "big" if kernel.operation == "permute_big" else "slim"
    values = {"groups": groups, "steps": getattr(_algorithm(kernel), steps, 0)}
    values |= {"in_bytes": 64, "ad_bytes": 16} | (kernel.values or {})
    named = [what["value"] for what in arguments_of(kernel).values() if "value" in what]
    if unknown := [name for name in named if name not in values]:
        raise LabError(
            f"{kernel.name}: value {unknown[0]!r} given in the header, one of "
            f"{', '.join(values)} expected"
        )
    sized = [name for name in ("groups", "in_bytes", "ad_bytes") if name in _sizes(kernel)]
    return {name: values[name] for name in dict.fromkeys([*named, *sized])}


def _sizes(kernel: Kernel) -> set[str]:
    """The names in the sizes of a kernel's buffers."""
    texts = " ".join(str(what.get("bytes", "")) for what in arguments_of(kernel).values())
    return set(re.findall(r"[A-Za-z_]\w*", texts))


EDGES = (b"\x00", b"\xff", b"\x80\x00", b"\xff\x7f")


def cases(
    root: Path, kernel: Kernel, groups: int = 1, checks: int = 5, seed: int = 1, flags: str = ""
) -> list[Case]:
    """The cases of a kernel: one, or for a permutation with the argument `steps` one for the slim
    and one for the big number.

    The first call has random contents. Of the others, which only check, the first is random with
    one group more, and then come edges: all zero, all ones, carries out of every second byte;
    `checks` says how many of them.
    """
    values = default_values(kernel, groups)
    either = kernel.operation == "permute" and "steps" not in (kernel.values or {})
    if "steps" not in values or not either:
        return [
            _case(root, kernel, values, kernel.operation.replace("_", "-"), checks, seed, flags)
        ]
    sparkle = _algorithm(kernel)
    numbers = {"permute-slim": sparkle.slim, "permute-big": sparkle.big}
    return [
        _case(root, kernel, values | {"steps": number}, name, checks, seed, flags)
        for name, number in numbers.items()
    ]


def _case(
    root: Path,
    kernel: Kernel,
    values: Mapping[str, int],
    operation: str,
    checks: int,
    seed: int,
    flags: str,
) -> Case:
    source = random.Random(f"{seed} {kernel.name} {operation}")

    def pattern(edge: bytes) -> Callable[[int], bytes]:
        return lambda size: (edge * size)[:size]

    calls = [make_call(kernel, values, source.randbytes)]
    more = {**values, "groups": values["groups"] + 1} if "groups" in values else values
    checking = [(more, source.randbytes), *((values, pattern(edge)) for edge in EDGES)]
    checking = checking[:checks]
    if "in_bytes" in values and "in_bytes" not in (kernel.values or {}):
        # a text of no bytes, of one, and those that end around a block; no associated data, too
        odd = {name: n for name, n in (("ad_bytes", 0),) if name in values}
        lengths = [{"in_bytes": 0} | odd, *({"in_bytes": n} for n in (1, 15, 16, 33, 65))]
        checking += [({**values, **one}, source.randbytes) for one in lengths if checks]
    calls += [make_call(kernel, with_values, fresh) for with_values, fresh in checking]
    data = [b for b in calls[0].buffers if b.name == "in"]
    data = data or [b for b in calls[0].buffers if b.name in ("state", "states")]
    data = data or [buffer for buffer in calls[0].buffers if buffer.written]
    processed = max(len(buffer.data) for buffer in data)
    return Case(
        root,
        kernel,
        _files(root, kernel),
        tuple(shlex.split(flags)),
        tuple(calls),
        processed,
        operation,
        (outside.path(kernel.spec),) if outside.is_outside(kernel.spec) else (),
    )


def _files(root: Path, kernel: Kernel) -> tuple[Path, ...]:
    """The files to compile: assembly stands alone; C of the library may call the kernels beside it,
    and wipes what it leaves on the stack.
    """
    path = root / kernel.source
    if path.suffix != ".c" or not path.is_relative_to(root / "src"):
        return (path,)
    beside = {
        other for suffix in ("c", "S") for other in path.parent.rglob(f"*_{kernel.isa}*.{suffix}")
    } - {path}
    return (path, *sorted(beside), root / "src/support/secret.c")
