# SPDX-License-Identifier: Apache-2.0
"""Keys from keys and keys from passphrases, shared by sealed files and key files (docs/format.md)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from hanji._core import HanjiError
from hanji._text import described
from hanji.hashes import XOEsch256

SALT_SIZE = 32
STRETCHED_SIZE = 32

# Bounds that are checked before a parameter from a file is used: a stranger's file must not be able
# to ask for all memory or an hour of work.
MAX_PASSES = 16
MAX_LANES = 16
MAX_MEMORY_KIB = 1 << 20


class ParameterError(HanjiError):
    """A stated cost or size lies outside the bounds that hanji accepts; nothing was computed with
    it.
    """


class WrongPassphraseError(HanjiError):
    """The passphrase does not belong to this file or key."""


@dataclass(frozen=True)
class Argon2Parameters:
    """Cost of turning a passphrase into a key with Argon2id version 1.3 (RFC 9106).

    Sizes: ``passes`` 1 to 16, ``lanes`` 1 to 16, ``memory_kib`` from 8 * lanes to 1048576 KiB (1
    GiB). The default is the second recommendation of RFC 9106, section 4: 3 passes, 4 lanes, 64
    MiB.
    Errors: :class:`ParameterError` outside these bounds, at construction.
    """

    passes: int = 3
    memory_kib: int = 64 << 10
    lanes: int = 4

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("passes", self.passes, 1, MAX_PASSES),
            ("lanes", self.lanes, 1, MAX_LANES),
            ("memory_kib", self.memory_kib, 8 * self.lanes, MAX_MEMORY_KIB),
        ):
            if not isinstance(value, int):
                raise TypeError(f"Argon2id {name} must be an int, not {type(value).__name__}")
            if not low <= value <= high:
                raise ParameterError(
                    f"Argon2id {name} is {described(value)}; hanji accepts {low} to {high}. Refused before "
                    "any work was done."
                )


def expand(label: str, *fields: bytes, length: int) -> bytes:
    """Derive ``length`` bytes from secret and public fields with XOESCH256.

    Every field, the label first, is preceded by its length as 8 bytes little-endian, so that two
    different lists of fields never give the same input. Source: docs/format.md, section
    "Derivation".
    """
    xof = XOEsch256()
    for field in (label.encode("ascii"), *fields):
        xof.update(len(field).to_bytes(8, "little"))
        xof.update(field)
    return xof.digest(length)


def stretch(passphrase: str, salt: bytes, parameters: Argon2Parameters) -> bytes:
    """Turn a passphrase into 32 secret bytes with Argon2id.

    The passphrase is taken in Unicode normal form C as UTF-8, so that the same characters typed on
    two systems agree.
    Errors: ValueError for an empty passphrase, HanjiError when the memory that the parameters ask
    for is not there, ImportError when argon2-cffi is missing. Source: RFC 9106.
    """
    if not isinstance(passphrase, str):
        raise TypeError(f"passphrase must be str, not {type(passphrase).__name__}")
    if not passphrase:
        raise ValueError("the passphrase is empty; give at least one character")
    normal = unicodedata.normalize("NFC", passphrase)
    # encode() would put the passphrase into its exception
    if any("\ud800" <= character <= "\udfff" for character in normal):
        raise ValueError(
            "the passphrase is not valid Unicode text: it holds bytes that are not UTF-8, or half "
            "of a surrogate pair"
        )
    try:
        from argon2.exceptions import HashingError
        from argon2.low_level import Type, hash_secret_raw
    except ImportError as error:
        raise ImportError(
            "passphrases need the package argon2-cffi; install it with: pip install argon2-cffi"
        ) from error
    try:
        return hash_secret_raw(
            secret=normal.encode("utf-8"),
            salt=salt,
            time_cost=parameters.passes,
            memory_cost=parameters.memory_kib,
            parallelism=parameters.lanes,
            hash_len=STRETCHED_SIZE,
            type=Type.ID,
            version=0x13,
        )
    except HashingError as error:
        raise HanjiError(
            f"Argon2id with {parameters.memory_kib} KiB of memory failed: {error}"
        ) from error
