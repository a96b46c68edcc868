# SPDX-License-Identifier: Apache-2.0
"""Building blocks with sharp edges: block ciphers by name, CTR, CMAC and EAX over them, the bare
permutations, and Ascon-AEAD128 with short tags.

For data, take `hanji.aead`. These parts protect only experts: a bare block cipher shows equal
blocks, CTR keeps no integrity, and 32- and 48-bit blocks are toys.

Names are "speck-64/128", "simon-128/256", "simeck-64/128", "cham-64/128" and so on;
"cham-64/128-original" is the cipher of 2017, to read old data.

Byte order is the library order everywhere. Papers print words instead; `from_printed` and
`to_printed` convert.

Limits. CTR, CMAC and EAX count blocks against the default limit of the cipher (for example 2^20
blocks under one key for 64-bit blocks). Past the limit they raise LimitError and write nothing.
`limit=` (in blocks) raises the limit, 2**64 - 1 removes it. An object counts alone: it does not
know other objects, processes or machines with the same key. A fork copies a CTR stream with its
position: only one of the two processes may continue the stream.

Threads may share every object: calls run one after the other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, overload

from hanji import _core
from hanji._core import AsconAEAD128ShortTag

if TYPE_CHECKING:
    from hanji import gpu
    from hanji._typing import BytesLike

__all__ = [
    "AsconAEAD128ShortTag",
    "ascon",
    "block",
    "ciphers",
    "cmac",
    "ctr",
    "ctr_message",
    "eax",
    "from_printed",
    "sparkle",
    "to_printed",
]

_SIZES: dict[str, tuple[int, int]] = {
    row["name"]: (row["block_size"], row["key_size"])
    for row in _core.algorithms()
    if row["kind"] == "block"
}
_STEPS = {256: {"slim": 7, "big": 10}, 384: {"slim": 7, "big": 11}, 512: {"slim": 8, "big": 12}}


def ciphers() -> list[str]:
    """The names of all block ciphers."""
    return list(_SIZES)


def _known(name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"name must be a str such as 'speck-64/128', not {type(name).__name__}")
    if name not in _SIZES:
        from hanji._catalogue import similar
        from hanji._text import described

        hint = similar(name, _SIZES, "hazmat.ciphers() lists the names")
        raise ValueError(f"no block cipher has this name ({described(name)}); {hint}")
    return name


def block(name: str, key: BytesLike) -> _core.Block:
    """A block cipher with a key: `encrypt(blocks)` and `decrypt(blocks)` treat whole blocks, each
    on its own.

    The key has the cipher's size in library order; ValueError otherwise, or for an unknown name.
    Does not count against the data limit.
    Source and status: by cipher, see `hanji.algorithms()`.
    """
    return _core.Block(_known(name), key)


@overload
def ctr(
    name: str,
    key: BytesLike,
    iv: BytesLike,
    limit: int | None = None,
    *,
    device: None = None,
    verify: Literal["none", "sample", "all"] = "none",
) -> _core.CTR: ...
@overload
def ctr(
    name: str,
    key: BytesLike,
    iv: BytesLike,
    limit: int | None = None,
    *,
    device: Any,
    verify: Literal["none", "sample", "all"] = "none",
) -> gpu.CTR: ...
def ctr(
    name: str,
    key: BytesLike,
    iv: BytesLike,
    limit: int | None = None,
    *,
    device: Any = None,
    verify: Literal["none", "sample", "all"] = "none",
) -> _core.CTR | gpu.CTR:
    """A stream in counter mode: `update(data)` encrypts or decrypts the next bytes, continuing at
    any byte.

    `iv` is the first counter block, one block long; the whole block counts up as a big-endian
    integer and wraps. Ranges of counters under one key must not overlap. LimitError past `limit`
    blocks (default by block size). No integrity. With `device` ("cuda", "cuda:1", "cuda:all") the
    work is done on GPUs, for host memory and device arrays, and `verify` compares with the
    processor: see `hanji.gpu`. DeviceError, UnsupportedError.
    Source: NIST SP 800-38A, section 6.5. Status: sound up to the birthday bound of the block size.
    """
    if device is not None:
        from hanji import gpu

        return gpu.CTR(_known(name), key, iv, limit, device, verify)
    if verify != "none":
        raise ValueError(
            "verify= was given without device=; the processor is what is compared with"
        )
    return _core.CTR(_known(name), key, iv, limit)


def ctr_message(name: str, key: BytesLike, iv: BytesLike, data: BytesLike) -> bytes:
    """One message in counter mode under a key of its own: `ctr(name, key, iv).update(data)` in one
    call, in less time, because no round keys are kept.

    `iv` is the first counter block, one block long. For many messages take `hanji.fleet.ctr`.
    LimitError when data has more blocks than the cipher takes under one key
    (Limits, above); nobody counts over several calls. No integrity.
    Source: NIST SP 800-38A, section 6.5. Status: sound up to the birthday bound of the block size.
    """
    return _core.ctr_message(_known(name), key, iv, data)


def cmac(name: str, key: BytesLike, limit: int | None = None) -> _core.CMAC:
    """A message authentication code in pieces: `update(data)`, then `digest(tag_size)` or
    `verify(tag)`.

    For ciphers with 8- or 16-byte blocks; the tag has 1 byte to a whole block. For several messages
    under one key take `copy()` of a fresh object each time, so that one limit covers all.
    LimitError past `limit` blocks, InvalidTag from `verify`.
    Source: NIST SP 800-38B. Status: sound up to the birthday bound; with tags below 8 bytes limit
    the failed verifications.
    """
    return _core.CMAC(_known(name), key, limit)


def eax(
    name: str, key: BytesLike, tag_size: int | None = None, limit: int | None = None
) -> _core.EAX:
    """Authenticated encryption over a block cipher: `encrypt(nonce, data, associated_data)` and
    `decrypt`, as in `hanji.aead`.

    For ciphers with 8- or 16-byte blocks; nonces of one byte and more, once per key; tags of 1 byte
    to a whole block, by default the latter. LimitError past `limit` blocks over all messages,
    InvalidTag when anything does not match.
    Source: Bellare, Rogaway and Wagner, FSE 2004. Status: proved up to the birthday bound of the
    block size.
    """
    return _core.EAX(_known(name), key, tag_size, limit)


def sparkle(bits: int, state: BytesLike, steps: int | str) -> bytes:
    """SPARKLE256, 384 or 512 on a state, or on several that lie one after the other.

    A state is bits / 8 bytes; steps are "slim", "big", or 1 to 64. ValueError for other sizes.
    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.1.
    Status: distinguishers reach 6 (384) and 7 (512) steps of the bare permutation; the modes are
    not touched by them.
    """
    if bits not in _STEPS:
        raise ValueError("SPARKLE has states of 256, 384 and 512 bits; bits is something else")
    count = _STEPS[bits].get(steps) if isinstance(steps, str) else steps
    if not isinstance(count, int) or not 1 <= count <= 64:
        raise ValueError("steps must be 'slim', 'big' or 1 to 64")
    return _core.sparkle(bits, state, count)


def ascon(state: BytesLike, rounds: int) -> bytes:
    """Ascon-p on a state of 40 bytes, or on several that lie one after the other: the last 1 to 16
    of 16 rounds.

    The algorithms use 8 and 12 rounds. ValueError for other sizes.
    Source: NIST SP 800-232, August 2025, section 3. Status: bare permutation, for building and
    research.
    """
    return _core.ascon(state, rounds)


AsconAEAD128ShortTag.__module__ = __name__


def _reorder(name: str, data: bytes) -> bytes:
    # Printed words have their most significant byte first. SPECK, SIMON and SIMECK print the last
    # word first, CHAM the first.
    if not name.startswith("cham"):
        return data[::-1]
    word = _word_size(name)
    return b"".join(data[i : i + word][::-1] for i in range(0, len(data), word))


def _word_size(name: str) -> int:
    return _SIZES[name][0] // (4 if name.startswith("cham") else 2)


def from_printed(name: str, text: str) -> bytes:
    """One key or one block as papers print it, in hexadecimal words, converted to the bytes that
    this library takes.

    >>> from_printed("speck-64/128", "3b726574 7475432d").hex()
    '2d4375747465723b'

    Spaces do not matter. ValueError unless the text is exactly one block or one key of the cipher;
    the message never shows the text, which may be a key.
    """
    block_size, key_size = _SIZES[_known(name)]
    if not isinstance(text, str):
        raise TypeError(f"text must be a str of hexadecimal words, not {type(text).__name__}")
    wrong = re.search(r"[^0-9a-fA-F\s]", text)
    if wrong:
        raise ValueError(
            f"printed words are pairs of hexadecimal digits; character {wrong.start() + 1} of "
            f"{len(text)} is none"
        )
    digits = re.sub(r"\s+", "", text)
    if len(digits) % 2:
        raise ValueError(
            f"printed words are pairs of hexadecimal digits; {len(digits)} digits were given"
        )
    data = bytes.fromhex(digits)
    if len(data) not in (block_size, key_size):
        raise ValueError(
            f"the text has {len(data)} bytes; {name} has blocks of {block_size} and keys of "
            f"{key_size}"
        )
    return _reorder(name, data)


def to_printed(name: str, data: BytesLike) -> str:
    """One key or one block as papers print it: hexadecimal words with spaces between them; the
    inverse of `from_printed`.
    """
    block_size, key_size = _SIZES[_known(name)]
    raw = _core.to_bytes(data, "data")
    if len(raw) not in (block_size, key_size):
        raise ValueError(
            f"data has {len(raw)} bytes; {name} has blocks of {block_size} and keys of {key_size}"
        )
    return _reorder(name, raw).hex(" ", -_word_size(name))
