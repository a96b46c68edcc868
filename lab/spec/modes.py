# SPDX-License-Identifier: Apache-2.0
"""CTR, CMAC and EAX over any block function of n bytes.

CTR: NIST SP 800-38A section 6.5, counter as in appendix B.1 over the whole block. CMAC: NIST SP
800-38B section 6. EAX: Bellare, Rogaway, Wagner, "The EAX Mode of Operation", FSE 2004. None of
them counts blocks: the library does.
"""

from __future__ import annotations

from collections.abc import Callable

from .word import REDUCTION, Word, add, check_length

BlockFunction = Callable[[bytes], bytes]

SIZES = (8, 16)  # block lengths for which SP 800-38B, section 5.3, has a polynomial


class InvalidTag(Exception):
    """The tag does not belong to the data: nothing of the plaintext is known to be right."""


def xor(a: bytes, b: bytes) -> bytes:
    """a ^ b over the length of the shorter."""
    return bytes(p ^ q for p, q in zip(a, b, strict=False))


def numbered(first: Word, i: int, size: int) -> Word:
    """The counter block `i` blocks behind `first`, as numbers: modulo the whole block of `size`
    bytes (SP 800-38A, appendix B.1).
    """
    return add(first, i, 8 * size)


def ctr(encrypt: BlockFunction, size: int, iv: bytes, data: bytes) -> bytes:
    """Encrypt or decrypt `data`: block i is xored with E(iv + i), a big-endian integer modulo the
    whole block.
    """
    check_length("iv", iv, size)
    first = int.from_bytes(iv, "big")
    out = bytearray()
    for i in range(-(-len(data) // size)):
        counter = numbered(first, i, size)
        out += xor(data[i * size : (i + 1) * size], encrypt(counter.to_bytes(size, "big")))
    return bytes(out)


def double(block: bytes) -> bytes:
    """The block times x in GF(2^(8n)), big-endian, without a decision on its bits (SP 800-38B
    section 6.1).
    """
    size = len(block)
    value = int.from_bytes(block, "big")
    top = value >> (8 * size - 1)
    doubled = (value << 1) & ((1 << 8 * size) - 1)
    return (doubled ^ (REDUCTION[8 * size] & -top)).to_bytes(size, "big")


def cmac(encrypt: BlockFunction, size: int, message: bytes, tag_size: int | None = None) -> bytes:
    """The first `tag_size` bytes (by default all) of the CMAC of a message of any length."""
    _check_mode("CMAC", size)
    tag_size = _checked_tag_size(tag_size, size)
    k1 = double(encrypt(bytes(size)))
    k2 = double(k1)
    count = max(1, -(-len(message) // size))
    last = message[(count - 1) * size :]
    last = (
        xor(last, k1)
        if len(last) == size
        else xor(last + b"\x80" + bytes(size - 1 - len(last)), k2)
    )
    chain = bytes(size)
    for i in range(count - 1):
        chain = encrypt(xor(chain, message[i * size : (i + 1) * size]))
    return encrypt(xor(chain, last))[:tag_size]


def eax_seal(
    encrypt: BlockFunction,
    size: int,
    nonce: bytes,
    associated_data: bytes,
    plaintext: bytes,
    tag_size: int | None = None,
) -> bytes:
    """Ciphertext || tag. The tag has `tag_size` bytes, by default a whole block."""
    _check_mode("EAX", size)
    tag_size = _checked_tag_size(tag_size, size)
    start = _omac(encrypt, size, 0, nonce)
    ciphertext = ctr(encrypt, size, start, plaintext)
    return ciphertext + _eax_tag(encrypt, size, start, associated_data, ciphertext)[:tag_size]


def eax_open(
    encrypt: BlockFunction,
    size: int,
    nonce: bytes,
    associated_data: bytes,
    sealed: bytes,
    tag_size: int | None = None,
) -> bytes:
    """Plaintext of ciphertext || tag, or InvalidTag; the tag is checked before anything is
    decrypted.
    """
    _check_mode("EAX", size)
    tag_size = _checked_tag_size(tag_size, size)
    if len(sealed) < tag_size:
        raise InvalidTag(f"{len(sealed)} bytes are shorter than the tag of {tag_size} bytes")
    ciphertext, tag = sealed[:-tag_size], sealed[-tag_size:]
    start = _omac(encrypt, size, 0, nonce)
    if _eax_tag(encrypt, size, start, associated_data, ciphertext)[:tag_size] != tag:
        raise InvalidTag("EAX: the tag does not match")
    return ctr(encrypt, size, start, ciphertext)


def _omac(encrypt: BlockFunction, size: int, number: int, data: bytes) -> bytes:
    return cmac(encrypt, size, number.to_bytes(size, "big") + data)


def _eax_tag(
    encrypt: BlockFunction, size: int, start: bytes, associated_data: bytes, ciphertext: bytes
) -> bytes:
    return xor(
        xor(start, _omac(encrypt, size, 1, associated_data)), _omac(encrypt, size, 2, ciphertext)
    )


def _check_mode(mode: str, size: int) -> None:
    if size not in SIZES:
        raise ValueError(
            f"{mode}: a block of {8 * size} bits given, 64 or 128 expected; smaller and "
            "other blocks have CTR only"
        )


def _checked_tag_size(tag_size: int | None, size: int) -> int:
    tag_size = size if tag_size is None else tag_size
    if not 1 <= tag_size <= size:
        raise ValueError(f"tag length: {tag_size} bytes given, 1 to {size} expected")
    return tag_size
