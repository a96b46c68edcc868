# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with a sealed file, one class each."""

from __future__ import annotations

from hanji._core import HanjiError


class SealedFileError(HanjiError):
    """A sealed file that cannot be opened; the subclass and the message say why."""


class EmptyFileError(SealedFileError):
    """The input has no bytes at all; a sealed file has at least 160, even around an empty file."""


class ForeignFileError(SealedFileError):
    """The input does not begin as a hanji sealed file does."""


class UnsupportedVersionError(SealedFileError):
    """The file states a format version or an algorithm that this hanji does not know."""


class DamagedHeaderError(SealedFileError):
    """The header's checksum, its fields or its key commitment do not fit together."""


class WrongKeyError(SealedFileError):
    """The file was sealed with another key; the message names both key ids."""


class KeyNeededError(SealedFileError):
    """The file was sealed with a key and none was given."""


class PassphraseNeededError(SealedFileError):
    """The file was sealed with a passphrase and none was given."""


class TruncatedError(SealedFileError):
    """The file ends before its final chunk is complete."""


class AppendedDataError(SealedFileError):
    """There are bytes after the final chunk."""


class ChunkError(SealedFileError):
    """A chunk is not what was sealed in its place; ``chunk`` counts from 0."""

    def __init__(self, message: str, chunk: int) -> None:
        super().__init__(message)
        self.chunk = chunk


class AlteredChunkError(ChunkError):
    """A chunk does not verify: at least one of its bits, its frame's or its tag's was changed."""


class DuplicatedChunkError(ChunkError):
    """A genuine earlier chunk of the same file stands here a second time."""


class ReorderedChunkError(ChunkError):
    """A genuine later chunk of the same file stands here: chunks were exchanged or removed."""
