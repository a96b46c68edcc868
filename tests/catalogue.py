# SPDX-License-Identifier: Apache-2.0
"""What the catalogue of the library says that tests have to cover: lists of families and files come
from here, not from memory.
"""

from __future__ import annotations

import re

import vectors_io

import hanji

# Kind of algorithm -> where its vectors are: in files that name the algorithm, or the mode, or in a
# folder of their own.
NAMED = ("block", "aead", "hash", "xof", "permutation")
MODES = ("mode",)
FOLDERS = ("signature",)


def algorithms(*kinds: str) -> list[str]:
    """The names of the algorithms of these kinds; of all kinds where none is given."""
    return [one.name for one in hanji.algorithms() if not kinds or one.kind in kinds]


def families(kind: str = "block") -> list[str]:
    """The families of the algorithms of a kind, in the order of the catalogue."""
    return list(dict.fromkeys(re.split("[-0-9]", name)[0] for name in algorithms(kind)))


def files(*kinds: str) -> tuple[str, ...]:
    """The files in tests/vectors that have tests of algorithms of these kinds; of all kinds where
    none is given.
    """
    wanted = set(algorithms(*kinds))
    found = [
        name
        for name in vectors_io.names()
        if any(test["variant"] in wanted for test in vectors_io.document(name)["tests"])
    ]
    assert found, f"no file in tests/vectors has tests of {', '.join(kinds)}"
    return tuple(found)


def without_vectors() -> list[str]:
    """One sentence for each algorithm of the catalogue that no vector file names."""
    tests = [test for name in vectors_io.names() for test in vectors_io.document(name)["tests"]]
    variants, modes = {test["variant"] for test in tests}, {test["mode"].lower() for test in tests}
    stored = {path.name for path in vectors_io.DIRECTORY.iterdir() if path.is_dir()}
    missing = []
    for one in hanji.algorithms():
        if one.kind in NAMED and one.name not in variants:
            missing.append(f"{one.name}: no file in tests/vectors has tests of it")
        elif one.kind in MODES and one.name not in modes:
            missing.append(f"{one.name}: no file in tests/vectors has tests of this mode")
        elif one.kind in FOLDERS and not any(
            one.name.replace("-", "").startswith(family) for family in stored
        ):
            missing.append(f"{one.name}: tests/vectors has no folder for its family")
        elif one.kind not in (*NAMED, *MODES, *FOLDERS):
            missing.append(
                f"{one.name}: tests/catalogue.py does not know where vectors of kind {one.kind} are"
            )
    return missing
