# SPDX-License-Identifier: Apache-2.0
"""What is tested: a masked kernel, the inputs of its traces, and what must come out.

The inputs come from SHAKE128 under the seed and the number of the batch, so that a batch is the
same whenever and wherever it is made. Of every trace a random bit says whether its secrets are the
fixed ones or random ones. Masks and random bytes are fresh in both classes.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import spec
from ..cases import CaseError, evaluate
from ..checkout import LabError
from ..kernels import Kernel
from ..masking import Masking, Shared
from ..spec import outside

Bytes = npt.NDArray[np.uint8]
ALIKE = {"rounds": "steps", "steps": "rounds"}  # two names of the same value argument


@dataclass(frozen=True)
class Batch:
    """The inputs of some traces: their classes (0 fixed, 1 random), and a row of bytes each for the
    contents of every buffer before the call.
    """

    classes: Bytes
    contents: Mapping[str, Bytes]
    secrets: Mapping[str, Bytes]


@dataclass(frozen=True)
class Subject:
    """A masked kernel with its file and the values of its arguments."""

    kernel: Kernel
    file: Path
    values: Mapping[str, int]

    @property
    def masking(self) -> Masking:
        """What its header says of shares."""
        assert self.kernel.masking
        return self.kernel.masking

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The bytes of each buffer argument."""
        given = {"blocks": self.kernel.blocks, "groups": 1, **self.values}
        return {
            str(what["buffer"]): evaluate(what["bytes"], given)
            for what in (self.kernel.args or {}).values()
            if "buffer" in what
        }

    @cached_property
    def written(self) -> tuple[str, ...]:
        """The buffers that the kernel may change."""
        return tuple(
            str(what["buffer"])
            for what in (self.kernel.args or {}).values()
            if "w" in what.get("access", "")
        )

    @cached_property
    def arguments(self) -> list[tuple[int, str | int]]:
        """Of each argument the number of its register, and the name of its buffer or its value."""
        found: list[tuple[int, str | int]] = []
        for i, (register, what) in enumerate((self.kernel.args or {}).items()):
            number = int(register[1:]) if register[:1] in "ar" and register[1:].isdecimal() else i
            found.append(
                (number, str(what["buffer"]))
                if "buffer" in what
                else (number, self._value(str(what["value"])))
            )
        return found

    def _value(self, name: str) -> int:
        for one in (name, ALIKE.get(name, name)):
            if one in self.values:
                return self.values[one]
        raise LabError(
            f"{self.kernel.name}: argument {name!r} has no value; give --value {name}=NUMBER"
        )

    def key(self) -> str:
        """What decides the inputs and outputs, for the name of stored results: which of the kernels
        of a file it is, and what a specification in a file of the user says today.
        """
        about = self.kernel
        says = outside.path(about.spec).read_bytes() if outside.is_outside(about.spec) else b""
        given = (about.symbol, about.spec, says, about.args, about.blocks, self.masking)
        return repr((*given, sorted(self.values.items())))

    def batch(self, seed: int, number: int, traces: int) -> Batch:
        """The inputs of one batch."""
        masking = self.masking
        drawn = [("class", 1)]
        for region in masking.shares:
            drawn += [(region.name, region.secret_bytes)]
            drawn += [(f"{region.name} {s}", region.secret_bytes) for s in range(1, region.shares)]
        drawn += [(region.name, region.bytes) for region in masking.random]
        stream = _stream(f"traces {seed} {number}", traces * sum(size for _, size in drawn))
        rows = np.frombuffer(stream, np.uint8).reshape(traces, -1)
        columns, at = {}, 0
        for name, size in drawn:
            columns[name] = rows[:, at : at + size]
            at += size
        classes = columns["class"][:, 0] & np.uint8(1)
        contents = {
            buffer: np.tile(self._public(seed, buffer), (traces, 1)) for buffer in self.sizes
        }
        secrets: dict[str, Bytes] = {}
        for region in masking.shares:
            fixed = self.fixed(seed, region)
            secret = np.where(classes[:, None] == 1, columns[region.name], fixed[None, :])
            secrets[region.name] = secret
            first = secret
            into = contents[region.buffer]
            places = np.arange(region.secret_bytes)
            for share in range(1, region.shares):
                mask = columns[f"{region.name} {share}"]
                first = first ^ mask
                into[:, region.at + _places(region, share)] = mask[:, places]
            into[:, region.at + _places(region, 0)] = first
        for drawn_region in masking.random:
            end = drawn_region.at + drawn_region.bytes
            contents[drawn_region.buffer][:, drawn_region.at : end] = columns[drawn_region.name]
        return Batch(classes, contents, secrets)

    def fixed(self, seed: int, region: Shared) -> Bytes:
        """The secret of the fixed class."""
        return np.frombuffer(_stream(f"fixed {seed} {region.name}", region.secret_bytes), np.uint8)

    def _public(self, seed: int, buffer: str) -> Bytes:
        return np.frombuffer(_stream(f"public {seed} {buffer}", self.sizes[buffer]), np.uint8)

    def check(self, batch: Batch, after: Mapping[str, Bytes], where: str) -> None:
        """Compare the secrets behind the calls with the specification; CaseError names the first
        trace that is wrong.
        """
        wanted = [region for region in self.masking.shares if region.name in self.masking.outputs]
        got = {region.name: joined(region, after[region.buffer]) for region in wanted}
        public = {
            name: batch.contents[name][0].tobytes()
            for name in self.sizes
            if name in self.masking.public
        }
        fixed: dict[str, bytes] | None = None
        for i, kind in enumerate(batch.classes.tolist()):
            if kind or fixed is None:
                secrets = {name: values[i].tobytes() for name, values in batch.secrets.items()}
                want = self.expected({**public, **secrets})
            else:
                want = fixed
            if not kind:
                fixed = want
            for region in wanted:
                have = got[region.name][i].tobytes()
                if have != want[region.name]:
                    at = next(j for j, byte in enumerate(want[region.name]) if byte != have[j])
                    raise CaseError(
                        f"{self.kernel.name} on {where}: trace {i}: byte {at} of {region.name}, "
                        f"all shares together: {have[at : at + 4].hex()} given, "
                        f"{want[region.name][at : at + 4].hex()} expected by {self.kernel.spec}"
                    )

    def expected(self, held: Mapping[str, bytes]) -> dict[str, bytes]:
        """What the specification makes of secrets and public buffers."""
        name = self.kernel.spec
        function = _specification(name)
        given: dict[str, Any] = {}
        for parameter, about in inspect.signature(function).parameters.items():
            if parameter in held:
                given[parameter] = held[parameter]
            elif found := {parameter, ALIKE.get(parameter, parameter)} & set(self.values):
                given[parameter] = self.values[found.pop()]
            elif about.default is inspect.Parameter.empty:
                raise LabError(
                    f"{self.kernel.name}: {name} takes {parameter!r}, which is no share, no public "
                    f"buffer and no value of the header ({', '.join([*held, *self.values])})"
                )
        made = function(**given)
        sizes = {
            region.name: region.secret_bytes
            for region in self.masking.shares
            if region.name in self.masking.outputs
        }
        if not isinstance(made, dict):
            made = {next(iter(sizes)): made}
        for region, size in sizes.items():
            if region not in made or len(made[region]) != size:
                raise LabError(
                    f"{self.kernel.name}: {name} gives "
                    f"{ {key: len(value) for key, value in made.items()} } (name: bytes), but the "
                    f"header wants {size} bytes of {region!r}"
                )
        return {str(key): bytes(value) for key, value in made.items()}


def _stream(what: str, size: int) -> bytes:
    return hashlib.shake_128(f"hanji-lab leak: {what}".encode()).digest(size)


def _places(region: Shared, share: int) -> npt.NDArray[np.intp]:
    return np.array([region.place(share, byte) for byte in range(region.secret_bytes)], np.intp)


def joined(region: Shared, buffer: Bytes) -> Bytes:
    """The secrets of a region, from the contents of its buffer in each trace."""
    secret = np.zeros((len(buffer), region.secret_bytes), np.uint8)
    for share in range(region.shares):
        secret ^= buffer[:, region.at + _places(region, share)]
    return secret


def value_names(kernel: Kernel) -> set[str]:
    """The names of the values that a masked kernel takes: its value arguments, names in the sizes
    of its buffers, and what else its specification takes.
    """
    args = (kernel.args or {}).values()
    buffers = {str(what["buffer"]) for what in args if "buffer" in what}
    shares = {region.name for region in kernel.masking.shares} if kernel.masking else set()
    sizes = " ".join(str(what["bytes"]) for what in args if "buffer" in what)
    taken = inspect.signature(_specification(kernel.spec)).parameters
    return {
        *(str(what["value"]) for what in args if "value" in what),
        *re.findall(r"[A-Za-z_]\w*", sizes),
        *({*taken} - buffers - shares),
    }


def _specification(name: str) -> Any:
    return outside.function(name) if outside.is_outside(name) else spec.resolve(name)


def is_known(name: str, names: set[str]) -> bool:
    """Whether a value is one of these, also under its other name."""
    return name in names or ALIKE.get(name) in names


def subject(kernel: Kernel, file: Path, values: Mapping[str, int]) -> Subject:
    """A kernel as a subject; LabError where its header says nothing of shares."""
    if kernel.masking is None:
        raise LabError(
            f"{kernel.name}: its header has no key masking, so nobody knows which bytes are shares;"
            " docs/leakage.md says how to write it"
        )
    made = Subject(kernel, file, {**(kernel.values or {}), **values})
    assert made.arguments is not None  # every value is there
    made.expected(
        {
            **{region.name: bytes(region.secret_bytes) for region in made.masking.shares},
            **{name: bytes(made.sizes[name]) for name in made.sizes if name in made.masking.public},
        }
    )
    return made
