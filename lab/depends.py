# SPDX-License-Identifier: Apache-2.0
"""Which files of the library can change a figure: the translation units that run, and the headers
that they include.

A figure is stale when one of its sources has changed. So the sources are no more than what can
change it: not the kernels of another processor, nor those of another cipher in the same room, nor a
header that nothing of it includes.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from . import spec
from .checkout import LabError
from .fingerprints import fingerprint
from .kernels import known_isas
from .spec.esch import Esch
from .spec.schwaemm import Schwaemm

KERNELS = "cmake/kernels.cmake"  # which kernel file gets which flags
SUPPORT = tuple(f"src/support/{name}.c" for name in ("cpu", "kernel", "secret"))
CTR = ("src/modes/ctr.c", "src/modes/block.c")
CMAC = ("src/modes/cmac.c", "src/modes/block.c")
EAX = (*CTR, "src/modes/cmac.c", "src/modes/eax.c")
CTR_FLEET = (*CTR, "src/modes/ctr_fleet.c", "src/fleet/*.c")
CMAC_FLEET = (*CMAC, "src/modes/cmac_fleet.c", "src/modes/chain_lanes.c", "src/fleet/*.c")
EAX_FLEET = (*EAX, "src/modes/eax_fleet.c", "src/modes/chain_lanes.c", "src/fleet/*.c")
SPONGE = ("src/sparkle/*", "src/fleet/*.c")
ASCON = ("src/ascon/*", "src/fleet/*.c")
AIMER = ("src/aimer/*", "src/keccak/*")
SLHDSA = ("src/slhdsa/*", "src/keccak/*")
# Tier: the instruction sets of its kernel files. A tier uses those before it, too.
TIERS: dict[str, tuple[str, ...]] = {
    "portable": (),
    "avx2": ("avx2",),
    "avx512": ("avx2", "avx512"),
}
TIERS |= {
    "neon": ("a64", "neon"),
    "crypto": ("a64", "neon", "pmull"),
    "sha3": ("a64", "neon", "pmull", "sha3"),
}
# Headers of src/lanes that only kernels of these instruction sets have code of, whoever includes
# them.
MACHINES = {"neon.h": {"neon"}, "x86.h": {"avx2", "avx512"}}
SPONGES = ("esch", "schwaemm")  # files of theirs begin with these names
_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([\w./-]+)[>"]', re.MULTILINE)


def sponge(algorithm: str) -> set[str]:
    """What the files are called that serve an algorithm over SPARKLE: schwaemm256-128 has those of
    sparkle384, schwaemm and schwaemm256.
    """
    made = spec.algorithm(algorithm)
    assert isinstance(made, Schwaemm | Esch)
    kind, number = re.findall(r"[a-z]+|\d+", algorithm.removeprefix("xo"))[:2]
    return {made.permutation.name, kind, f"{kind}{number}"}


def runs(path: Path, root: Path, isas: Collection[str]) -> bool:
    """Whether a file has code for these instruction sets: it is for none, or for one of them."""
    return set(known_isas(root)) & set(path.stem.split("_")[1:]) <= set(isas)


def serves(path: Path, named: Collection[str]) -> bool:
    """Whether a file is not one of another algorithm: speck64_avx2.c serves speck64 alone, speck.c
    and cham_word.h all of their room.
    """
    first = path.stem.split("_")[0]
    return first in named if re.fullmatch(r"[a-z]+\d+", first) or first in SPONGES else True


def included(text: str, folders: Sequence[Path]) -> Iterator[Path]:
    """The headers that a file with this text itself includes, as far as they are in these folders:
    each in the first that has it.
    """
    for name in _INCLUDE.findall(text):
        found = (header for folder in folders if (header := folder / name).is_file())
        yield from itertools.islice(found, 1)


def headers(root: Path, units: Iterable[Path], isas: Collection[str]) -> set[Path]:
    """All headers of the checkout that files include, and those include."""
    found: set[Path] = set()
    waiting = list(units)
    while waiting:
        path = waiting.pop()
        for header in included(
            path.read_text("utf-8"), (path.parent, root / "src", root / "include")
        ):
            if header not in found and not (
                header.name in MACHINES and MACHINES[header.name].isdisjoint(isas)
            ):
                found.add(header)
                waiting.append(header)
    return found


def library(
    root: Path,
    units: Iterable[str],
    isas: Collection[str] = (),
    named: Collection[str] | None = None,
    more: Iterable[str] = (),
) -> dict[str, str]:
    """Path and fingerprint of every file that can change what these units do.

    `units` are globs of .c and .S files; of kernels only those for `isas` count, and with `named`
    only what serves these algorithms. `more` are globs of whatever else was measured. A glob
    matches in the folder `generated`, too. LabError when one matches nothing.
    """

    def matching(patterns: Iterable[str]) -> Iterator[Path]:
        for pattern in patterns:
            folder, _, name = pattern.rpartition("/")
            here = [
                path
                for each in (pattern, f"{folder}/generated/{name}")
                for path in sorted(root.glob(each))
                if path.is_file()
            ]
            if not here:
                raise LabError(f"no file of the checkout matches {pattern!r}")
            yield from here

    kept = [
        path
        for path in matching((*units, *SUPPORT))
        if path.suffix in (".c", ".S")
        and runs(path, root, isas)
        and (named is None or serves(path, named))
    ]
    every = {*kept, *headers(root, kept, isas), root / KERNELS, *matching(more)}
    return {path.relative_to(root).as_posix(): fingerprint(path) for path in sorted(every)}
