# SPDX-License-Identifier: Apache-2.0
"""The header and the frames of a sealed file, byte by byte as docs/format.md gives them."""

from __future__ import annotations

import enum
import functools
import itertools
import struct
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from hanji import _core
from hanji._bytes import compare_digest, random_bytes
from hanji._catalogue import shown, similar
from hanji._derive import (
    SALT_SIZE,
    Argon2Parameters,
    ParameterError,
    WrongPassphraseError,
    expand,
    stretch,
)
from hanji._text import described
from hanji.aead import AsconAEAD128, Schwaemm256_128
from hanji.files._errors import (
    DamagedHeaderError,
    EmptyFileError,
    ForeignFileError,
    KeyNeededError,
    PassphraseNeededError,
    TruncatedError,
    UnsupportedVersionError,
    WrongKeyError,
)
from hanji.hashes import Esch256
from hanji.keys import DEFAULT_ALGORITHM as DEFAULT_KEY_ALGORITHM
from hanji.keys import KEY_ID_SIZE, Key, Passphrase

MAGIC = b"\x89hanji\r\n"
VERSION = 1
DEFAULT_ALGORITHM = DEFAULT_KEY_ALGORITHM
HEADER_SIZE = 128
FRAME_SIZE = 16
KEY_SIZE = 16  # of all algorithms
TAG_SIZE = 16
MIN_CHUNK_LOG2 = 12
MAX_CHUNK_LOG2 = 24
DEFAULT_CHUNK_SIZE = 1 << 16

Suite = type[AsconAEAD128] | type[Schwaemm256_128]
_SUITES: dict[int, Suite] = {1: Schwaemm256_128, 2: AsconAEAD128}
_NUMBERS = {suite.name: number for number, suite in _SUITES.items()}
_COMMITMENT_SIZE = 32
_CHECKSUM_SIZE = 32
# magic, version, algorithm, key source, log2 of the chunk size, Argon2 passes, lanes, zero, Argon2
# memory, zero, key id
_FIELDS = struct.Struct("<8sHBBBBBBI4s8s")
_FRAME = struct.Struct("<QIB3s")
_FRAME_FIELDS = "QIB3x"
_SALT_AT = _FIELDS.size
_COMMITMENT_AT = _SALT_AT + SALT_SIZE
_CHECKSUM_AT = _COMMITMENT_AT + _COMMITMENT_SIZE
_NO_KEY_ID = bytes(KEY_ID_SIZE)
SHARED_SALT_SIZE = 16  # of the salt of a header, what the files of one run have in common


class Reader(Protocol):
    """A binary file object open for reading."""

    def read(self, size: int, /) -> bytes | None: ...


class KeySource(enum.IntEnum):
    """Where the secret of a sealed file comes from."""

    KEY = 1
    PASSPHRASE = 2
    SHARED_PASSPHRASE = 3  # stretched once for several files

    @classmethod
    def _missing_(cls, value: object) -> Any:
        raise ValueError(
            "a key source is 1 (key), 2 (passphrase) or 3 (passphrase stretched for several files), "
            f"not {described(value)}"
        )


class SharedPassphrase:
    """A passphrase for many sealed files, stretched with Argon2id once and not once per file.

    :func:`hanji.files.seal` and :func:`hanji.files.open` take it in place of a passphrase. All
    files that are sealed with one object have its 16-byte random salt, and so anybody sees that
    they belong together; each has 16 random bytes of its own, too, and a key of its own. An object
    opens files with few of these salts without stretching again. ``passphrase`` may be a function,
    which is called once. Keep the object no longer than the run: it holds the stretched passphrase.
    Status: see :mod:`hanji.files`. Source: docs/format.md, "Header".
    """

    _KEPT = 16  # stretched secrets, so that many strangers' files do not fill the memory

    def __init__(self, passphrase: Passphrase, argon2: Argon2Parameters | None = None) -> None:
        if not isinstance(passphrase, str) and not callable(passphrase):
            raise TypeError(
                f"passphrase must be a str or a function, not {type(passphrase).__name__}"
            )
        if argon2 is not None and not isinstance(argon2, Argon2Parameters):
            raise TypeError(f"argon2 must be Argon2Parameters, not {type(argon2).__name__}")
        self._passphrase = passphrase
        self.argon2 = argon2 or Argon2Parameters()
        self.salt = random_bytes(SHARED_SALT_SIZE)
        self._stretched: dict[tuple[bytes, Argon2Parameters], bytes] = {}

    def __repr__(self) -> str:
        return "SharedPassphrase(...)"

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("a passphrase is not pickled or copied")

    def _secret(self, salt: bytes, argon2: Argon2Parameters) -> bytes:
        """The 32 secret bytes for this salt."""
        found = self._stretched.pop((salt, argon2), None)
        if found is None:
            if callable(self._passphrase):
                self._passphrase = self._passphrase()
            found = stretch(self._passphrase, salt, argon2)
            while len(self._stretched) >= self._KEPT:
                del self._stretched[next(iter(self._stretched))]  # the one not used for longest
        self._stretched[salt, argon2] = found
        return found


@dataclass(frozen=True)
class Header:
    """What a sealed file says about itself before any secret is used.

    Sizes: ``chunk_size`` in bytes; ``key_id`` 8 bytes, zero for a passphrase; ``salt`` 32 bytes.
    ``argon2`` is None where a key is the source. ``algorithm`` is that of the chunks.
    Nothing here is secret; it is genuine only once the file opens.
    Source: docs/format.md, "Header".
    """

    key_source: KeySource
    chunk_size: int
    key_id: bytes
    salt: bytes
    argon2: Argon2Parameters | None = None
    algorithm: str = DEFAULT_ALGORITHM

    def __post_init__(self) -> None:
        object.__setattr__(self, "key_source", KeySource(self.key_source))
        for name in ("key_id", "salt"):
            object.__setattr__(self, name, _core.to_bytes(getattr(self, name), name))
        if not isinstance(self.chunk_size, int):
            raise TypeError(f"chunk_size must be an int, not {type(self.chunk_size).__name__}")
        if not 0 < self.chunk_size < 1 << 32:
            raise ValueError(f"chunk_size is {described(self.chunk_size)}; see DEFAULT_CHUNK_SIZE")
        if self.argon2 is not None and not isinstance(self.argon2, Argon2Parameters):
            raise TypeError(f"argon2 must be Argon2Parameters, not {type(self.argon2).__name__}")
        suite(self.algorithm)

    def _fields(self) -> bytes:
        passes, memory, lanes = (0, 0, 0)
        if self.argon2 is not None:
            passes, memory, lanes = self.argon2.passes, self.argon2.memory_kib, self.argon2.lanes
        log2 = self.chunk_size.bit_length() - 1
        return _FIELDS.pack(
            MAGIC, VERSION, _NUMBERS[self.algorithm], self.key_source, log2, passes, lanes, 0, memory, bytes(4), self.key_id
        )  # fmt: skip


def random_salt() -> bytes:
    return random_bytes(SALT_SIZE)


def check_chunk_size(size: int) -> None:
    if not isinstance(size, int):
        raise TypeError(f"chunk size must be an int, not {type(size).__name__}")
    if not 1 << MIN_CHUNK_LOG2 <= size <= 1 << MAX_CHUNK_LOG2 or size.bit_count() != 1:
        raise ValueError(
            f"chunk size is {described(size)}; it must be a power of two from {1 << MIN_CHUNK_LOG2} to "
            f"{1 << MAX_CHUNK_LOG2} bytes"
        )


def suite(algorithm: str) -> Suite:
    """The class that seals chunks; ValueError for an algorithm that seals no files."""
    if not isinstance(algorithm, str):
        raise TypeError(f"algorithm must be a str, not {type(algorithm).__name__}")
    if algorithm not in _NUMBERS:
        hint = similar(algorithm, _NUMBERS, f"there are {', '.join(sorted(_NUMBERS))}")
        raise ValueError(f"no files are sealed with {shown(algorithm)}; {hint}")
    return _SUITES[_NUMBERS[algorithm]]


def sealing_key(key: Key | bytes, algorithm: str | None) -> Key:
    """A key for sealed files; plain bytes are one for `algorithm`. ValueError when the key is for
    something else.
    """
    if not isinstance(key, Key):
        key = Key(algorithm or DEFAULT_ALGORITHM, _core.to_bytes(key, "key"))
    if key.kind != "secret" or key.algorithm not in _NUMBERS:
        known = " or ".join(sorted(_NUMBERS))
        raise ValueError(
            f"the key is a {key.kind} key for {key._shown}; sealed files need a secret key for "
            f"{known} (hanji keygen makes one)"
        )
    if algorithm is not None and key.algorithm != algorithm:
        raise ValueError(
            f"the key is for {key.algorithm}, and the file is to be sealed with {shown(algorithm)}; leave "
            "the algorithm out"
        )
    return key


def _derive(secret: bytes, header: Header) -> tuple[bytes, bytes]:
    """The per-file key and the commitment to it."""
    both = expand(
        "hanji sealed file v1",
        secret,
        header.salt,
        header._fields(),
        length=KEY_SIZE + _COMMITMENT_SIZE,
    )
    return both[:KEY_SIZE], both[KEY_SIZE:]


def build_header(header: Header, secret: bytes) -> tuple[bytes, bytes]:
    """Header bytes and per-file key for a new sealed file."""
    file_key, commitment = _derive(secret, header)
    covered = header._fields() + header.salt + commitment
    return covered + Esch256(covered).digest(), file_key


def read_header_bytes(source: Reader) -> bytes:
    """Exactly 128 bytes, or the error that says what the input is instead."""
    raw = bytearray()
    while len(raw) < HEADER_SIZE:
        piece = source.read(HEADER_SIZE - len(raw))
        if not piece:
            break
        raw += piece
    if not raw:
        raise EmptyFileError(
            "the input is empty; a sealed file is never empty, not even around an empty file"
        )
    if not raw.startswith(MAGIC[: len(raw)]):
        raise ForeignFileError(
            "this is not a hanji sealed file: it does not begin with the hanji mark"
        )
    if len(raw) < HEADER_SIZE:
        raise TruncatedError(
            f"the file is cut off inside its header: {len(raw)} of {HEADER_SIZE} bytes are there"
        )
    return bytes(raw)


def parse_header(raw: bytes) -> Header:
    """Check everything about a header that needs no secret.

    Errors: ForeignFileError, UnsupportedVersionError, DamagedHeaderError, ParameterError, before
    any allocation or computation that depends on a field.
    """
    magic, version, algorithm, source, log2, passes, lanes, zero, memory, zeros, key_id = (
        _FIELDS.unpack_from(raw)
    )
    if magic != MAGIC:
        raise ForeignFileError(
            "this is not a hanji sealed file: it does not begin with the hanji mark"
        )
    if version != VERSION:
        raise UnsupportedVersionError(
            f"the file states format version {version}; this hanji reads version {VERSION}. A "
            "newer hanji may read it, or the header is damaged"
        )
    if not compare_digest(Esch256(raw[:_CHECKSUM_AT]).digest(), raw[_CHECKSUM_AT:]):
        raise DamagedHeaderError(
            "the header is damaged: its checksum does not match; restore the file from a copy"
        )
    if algorithm not in _SUITES:
        known = ", ".join(f"{number} ({one.name})" for number, one in _SUITES.items())
        raise UnsupportedVersionError(
            f"the file is sealed with algorithm number {algorithm}; this hanji opens numbers "
            f"{known}"
        )
    if source not in KeySource.__members__.values() or zero or any(zeros):
        raise DamagedHeaderError("the header is not valid: an undefined value stands in it")
    if not MIN_CHUNK_LOG2 <= log2 <= MAX_CHUNK_LOG2:
        raise ParameterError(
            f"the file asks for chunks of 2^{log2} bytes; hanji accepts 2^{MIN_CHUNK_LOG2} to "
            f"2^{MAX_CHUNK_LOG2}"
        )
    argon2 = None
    if source != KeySource.KEY:
        argon2 = Argon2Parameters(passes, memory, lanes)
    elif passes or memory or lanes:
        raise DamagedHeaderError(
            "the header is not valid: it has Argon2id parameters but no passphrase"
        )
    if source != KeySource.KEY and key_id != _NO_KEY_ID:
        raise DamagedHeaderError("the header is not valid: it has both a key id and a passphrase")
    return Header(
        KeySource(source),
        1 << log2,
        key_id,
        raw[_SALT_AT:_COMMITMENT_AT],
        argon2,
        _SUITES[algorithm].name,
    )


def read_header(source: Reader) -> Header:
    """Read and check the 128-byte header of a sealed file, without any secret.

    Errors: EmptyFileError, ForeignFileError, TruncatedError, UnsupportedVersionError,
    DamagedHeaderError, ParameterError. Source: docs/format.md, "Header".
    """
    return parse_header(read_header_bytes(source))


def stretch_salt(header: Header) -> bytes:
    """The part of the salt that goes into Argon2id."""
    shared = header.key_source == KeySource.SHARED_PASSPHRASE
    return header.salt[:SHARED_SALT_SIZE] if shared else header.salt


def unlock(
    header: Header,
    raw: bytes,
    key: Key | bytes | None,
    passphrase: Passphrase | SharedPassphrase | None,
) -> bytes:
    """The per-file key, after the commitment was checked; ``passphrase`` may be a function that
    asks for it.
    """
    if header.key_source == KeySource.KEY:
        if key is None:
            raise KeyNeededError(
                f"the file was sealed with key {header.key_id.hex()}; give that key"
            )
        given = sealing_key(key, None if isinstance(key, Key) else header.algorithm)
        if given.algorithm != header.algorithm or given.key_id != header.key_id:
            problem = f"wrong key: the file was sealed with key {header.key_id.hex()}, you gave {given.key_id.hex()}"
            if given.algorithm != header.algorithm:
                problem += f"; that is for {given.algorithm}, and the file for {header.algorithm}"
            raise WrongKeyError(problem)
        secret = given.material
    else:
        if passphrase is None:
            raise PassphraseNeededError(
                "the file was sealed with a passphrase, not with a key; give the passphrase"
            )
        assert header.argon2 is not None
        if not isinstance(passphrase, SharedPassphrase):
            passphrase = SharedPassphrase(passphrase)
        secret = passphrase._secret(stretch_salt(header), header.argon2)
    file_key, commitment = _derive(secret, header)
    if not compare_digest(commitment, raw[_COMMITMENT_AT:_CHECKSUM_AT]):
        if header.key_source != KeySource.KEY:
            raise WrongPassphraseError("wrong passphrase (or the header was altered on purpose)")
        raise DamagedHeaderError("the header was altered: it does not fit the key that it names")
    return file_key


@functools.lru_cache(16)
def _frames(count: int, padding: int) -> struct.Struct:
    """So many frames one after the other, each with zeros behind it."""
    return struct.Struct("<" + f"{_FRAME_FIELDS}{padding}x" * count)


def pack_frames(chunks: Collection[tuple[int, int, bool]]) -> bytes:
    """The frames of chunks of which index, length and last flag are given."""
    return _frames(len(chunks), 0).pack(*itertools.chain.from_iterable(chunks))


def pack_nonces(chunks: Collection[tuple[int, int, bool]], nonce_size: int) -> bytes:
    """Their nonces: the frames, and zeros where nonces are longer."""
    padding = nonce_size - FRAME_SIZE
    return _frames(len(chunks), padding).pack(*itertools.chain.from_iterable(chunks))


def parse_frame(
    frame: bytes | bytearray | memoryview, chunk_size: int
) -> tuple[int, int, bool] | None:
    """Index, plaintext length and last flag; None when no writer makes such a frame."""
    index, length, last, zeros = _FRAME.unpack(frame)
    if any(zeros) or last > 1:
        return None
    shortest = int(index > 0) if last else chunk_size
    return (index, length, bool(last)) if shortest <= length <= chunk_size else None
