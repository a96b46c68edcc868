# SPDX-License-Identifier: Apache-2.0
"""Executable specifications: what every kernel must equal.

Short rather than fast: each module follows its paper and computes on words through `word`, so that
ints, arrays and symbolic terms all pass. They do not hide secrets (Python integers take varying
time): never use them to protect data.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from . import (
    aes,
    aimer,
    aimer3,
    ascon,
    cham,
    esch,
    field,
    keccak,
    modes,
    rainbow,
    schwaemm,
    simeck,
    simon,
    slhdsa,
    sparkle,
    speck,
)
from .block import BlockCipher

# What a kernel can be told to equal, by kind of algorithm.
OPERATIONS = {
    BlockCipher: (
        "encrypt",
        "decrypt",
        "ctr",
        "short",
        "once",
        "streams",
        "uniform",
        "ragged",
        "chains",
        "macs",
        "cmac",
        "eax_seal",
        "eax_open",
        "expand",
        "encrypt_words",
        "decrypt_words",
    ),
    sparkle.Sparkle: (
        "permute",
        "permute_slim",
        "permute_big",
        "inverse",
        "permute_words",
        "inverse_words",
    ),
    schwaemm.Schwaemm: (
        "seal",
        "open",
        "initial_words",
        "absorb_words",
        "absorb_blocks",
        "tag_words",
    ),
    esch.Esch: ("digest", "absorb_words", "absorb_blocks", "end"),
    ascon.Permutation: ("permute", "permute_slim", "permute_big", "permute_words"),
    ascon.Aead: (
        "seal",
        "open",
        "initial_words",
        "absorb_words",
        "tag_words",
        "start",
        "finish",
        "absorb_blocks",
        "seal_blocks",
        "open_blocks",
    ),
    ascon.Hash: ("digest", "absorb_words", "absorb_blocks"),
    keccak.Keccak: ("permute", "permute_words"),
    aimer.Shares: ("prepare", "apply", "products", "power"),
    aimer.Aimer: ("keypair", "sign", "verify"),
    slhdsa.SlhDsa: ("keypair", "sign", "verify"),
    field.Field: ("multiply", "prepare", "accumulate", "solve", "evaluate", "form"),
    aes.Aes: ("expand", "encrypt", "decrypt", "stream"),
    rainbow.Rainbow: ("keypair", "sign", "verify"),
}

# Modes over any block function.
MODES = ("ctr", "cmac", "eax_seal", "eax_open")

ALGORITHMS: dict[str, Any] = {
    **speck.VARIANTS,
    **simon.VARIANTS,
    **simeck.VARIANTS,
    **cham.VARIANTS,
    **sparkle.VARIANTS,
    **schwaemm.VARIANTS,
    **esch.VARIANTS,
    **ascon.VARIANTS,
    **keccak.VARIANTS,
    **aimer.SHARES,
    **slhdsa.VARIANTS,
    **aimer3.VARIANTS,
    **aimer.VARIANTS,
    **rainbow.VARIANTS,
}


def families(kind: type = BlockCipher) -> list[str]:
    """The families of a kind of algorithm, block ciphers for example, in the order of the list."""
    of_kind = (name for name, found in ALGORITHMS.items() if isinstance(found, kind))
    return list(dict.fromkeys(re.split("[-0-9]", name)[0] for name in of_kind))


REGISTERED: set[str] = set()  # identifiers of what a user's file has registered


def register(algorithm: Any) -> str:
    """Let kernels equal an algorithm of a user's file, such as a BlockCipher; its identifier.

    ValueError for a name that another algorithm has.
    """
    name = identifier(algorithm.name)
    if _BY_IDENTIFIER.get(name, algorithm) != algorithm:
        raise ValueError(f"the laboratory has an algorithm {name} already; choose another name")
    if name not in _BY_IDENTIFIER:
        REGISTERED.add(name)
        ALGORITHMS[algorithm.name] = _BY_IDENTIFIER[name] = algorithm
        _names.cache_clear()
    return name


class UnknownSpecificationError(LookupError):
    """No executable specification has that name."""


def identifier(name: str) -> str:
    """The spelling for code: speck-32/64 is speck32_64, schwaemm256-128 is schwaemm256_128, ascon-p
    is ascon_p.
    """
    family, dash, rest = name.partition("-")
    if dash and family.isalpha() and family != "ascon":
        name = family + rest
    return name.replace("/", "_").replace("-", "_")


# Fields of Rainbow and the cipher of its generator are no algorithms for users, but kernels compute
# in them.
_BY_IDENTIFIER = (
    {identifier(name): algorithm for name, algorithm in ALGORITHMS.items()}
    | field.FIELDS
    | aes.VARIANTS
)


def algorithm(name: str) -> Any:
    """The specification of an algorithm by its name (speck-32/64) or its identifier (speck32_64)."""
    found = ALGORITHMS.get(name) or _BY_IDENTIFIER.get(name)
    if found is None:
        raise UnknownSpecificationError(_unknown(name, [*ALGORITHMS, *_BY_IDENTIFIER]))
    return found


@cache
def _names() -> dict[str, None]:
    of_algorithms = [
        f"{key}.{operation}"
        for key, found in _BY_IDENTIFIER.items()
        for kind, operations in OPERATIONS.items()
        if isinstance(found, kind)
        for operation in operations
    ]
    return dict.fromkeys([*of_algorithms, *(f"modes.{mode}" for mode in MODES)])


def names() -> list[str]:
    """Every name that `resolve` knows."""
    return list(_names())


def resolve(name: str) -> Callable[..., Any]:
    """The function that a kernel header names, for instance resolve("speck32_64.encrypt")."""
    if name not in _names():
        raise UnknownSpecificationError(_unknown(name, names()))
    key, _, operation = name.partition(".")
    function: Callable[..., Any] = getattr(
        modes if key == "modes" else _BY_IDENTIFIER[key], operation
    )
    return function


def _unknown(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=4)
    hint = f"close to it are {', '.join(close)}" if close else "`hanji-lab specs` lists all names"
    return f"no specification is named {name!r}; {hint}"
