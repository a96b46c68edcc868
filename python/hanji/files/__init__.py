# SPDX-License-Identifier: Apache-2.0
"""Sealed files: a file of any size, encrypted and authenticated chunk by chunk with Ascon-AEAD128
or SCHWAEMM256-128.

docs/format.md describes the format. :func:`seal` and :func:`open` work on binary file objects,
:func:`seal_file` and :func:`open_file` on paths; there the result appears whole or not at all.
Memory use does not depend on the size.
Status: Ascon-AEAD128 is a NIST standard (SP 800-232, 2025). SCHWAEMM was a finalist of the same
competition; NIST did not select it. No attack on the full algorithms is known.
"""

from hanji._atomic import AtomicOutput, remove_leftovers
from hanji.files._errors import (
    AlteredChunkError,
    AppendedDataError,
    DamagedHeaderError,
    DuplicatedChunkError,
    EmptyFileError,
    ForeignFileError,
    KeyNeededError,
    PassphraseNeededError,
    ReorderedChunkError,
    SealedFileError,
    TruncatedError,
    UnsupportedVersionError,
    WrongKeyError,
)
from hanji.files._format import (
    DEFAULT_CHUNK_SIZE,
    Header,
    KeySource,
    SharedPassphrase,
    read_header,
)
from hanji.files._stream import open, open_file, seal, seal_file
from hanji.keys import Argon2Parameters, ParameterError, WrongPassphraseError

__all__ = [
    "DEFAULT_CHUNK_SIZE",
    "AlteredChunkError",
    "AppendedDataError",
    "Argon2Parameters",
    "AtomicOutput",
    "DamagedHeaderError",
    "DuplicatedChunkError",
    "EmptyFileError",
    "ForeignFileError",
    "Header",
    "KeyNeededError",
    "KeySource",
    "ParameterError",
    "PassphraseNeededError",
    "ReorderedChunkError",
    "SealedFileError",
    "SharedPassphrase",
    "TruncatedError",
    "UnsupportedVersionError",
    "WrongKeyError",
    "WrongPassphraseError",
    "open",
    "open_file",
    "read_header",
    "remove_leftovers",
    "seal",
    "seal_file",
]
