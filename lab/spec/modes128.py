# SPDX-License-Identifier: Apache-2.0
"""CCM, GCM and CBC over a cipher with blocks of 128 bits, as the frames of others use them.

CCM: NIST SP 800-38C (2004, updated 2007), which is RFC 3610. GCM: NIST SP 800-38D (2007). CBC: NIST
SP 800-38A (2001), section 6.2; it authenticates nothing. Functions of the cipher take any number of
whole blocks. None of these modes counts blocks: the library does.
"""

from __future__ import annotations

from collections.abc import Callable

from .modes import InvalidTag, xor

Blocks = Callable[[bytes], bytes]

SIZE = 16
CCM_TAGS = (4, 6, 8, 10, 12, 14, 16)
CCM_NONCES = range(7, 14)
# Section 5.2.1.2; 4 and 8 only under the limits of appendix C. The library takes 12 to 16.
GCM_TAGS = (4, 8, 12, 13, 14, 15, 16)
GCM_TEXT_MAX = (1 << 36) - 32
GCM_DATA_MAX = (1 << 61) - 1
GCM_REDUCTION = 0xE1 << 120  # x^128 = x^7 + x^2 + x + 1; the first bit of a block is x^0


def cbc_encrypt(encrypt: Blocks, iv: bytes, plaintext: bytes) -> bytes:
    """Encrypt whole blocks without padding: C[i] = E(P[i] ^ C[i-1]), and C[-1] is the IV."""
    _check_blocks(iv, plaintext)
    chain, out = iv, b""
    for at in range(0, len(plaintext), SIZE):
        chain = encrypt(xor(chain, plaintext[at : at + SIZE]))
        out += chain
    return out


def cbc_decrypt(decrypt: Blocks, iv: bytes, ciphertext: bytes) -> bytes:
    """Decrypt whole blocks, and leave any padding where it is."""
    _check_blocks(iv, ciphertext)
    return xor(decrypt(ciphertext), iv + ciphertext)


def ccm_seal(
    encrypt: Blocks, nonce: bytes, associated_data: bytes, plaintext: bytes, tag_size: int
) -> bytes:
    """Ciphertext || tag. Nonce and tag sizes belong to the key; they are part of what is
    authenticated (SP 800-38C, section 6.1).

    Nonces have 7 to 13 bytes, and a text has fewer than 2^(8 (15 - nonce size)) bytes.
    """
    _check_ccm(nonce, tag_size)
    if len(plaintext) >> 8 * (15 - len(nonce)):
        raise ValueError(
            f"text: {len(plaintext)} bytes given, fewer than 2^{8 * (15 - len(nonce))} expected "
            f"with a nonce of {len(nonce)} bytes"
        )
    tag = _ccm_tag(encrypt, nonce, associated_data, plaintext, tag_size)
    return _ccm_ctr(encrypt, nonce, plaintext) + tag


def ccm_open(
    encrypt: Blocks, nonce: bytes, associated_data: bytes, sealed: bytes, tag_size: int
) -> bytes:
    """Plaintext of ciphertext || tag, or InvalidTag (section 6.2)."""
    _check_ccm(nonce, tag_size)
    ciphertext, tag = _split(sealed, tag_size)
    if len(ciphertext) >> 8 * (15 - len(nonce)):
        raise InvalidTag("CCM: the text is longer than this size of nonces allows")
    plaintext = _ccm_ctr(encrypt, nonce, ciphertext)
    if _ccm_tag(encrypt, nonce, associated_data, plaintext, tag_size) != tag:
        raise InvalidTag("CCM: the tag does not match")
    return plaintext


def gcm_seal(
    encrypt: Blocks, nonce: bytes, associated_data: bytes, plaintext: bytes, tag_size: int = 16
) -> bytes:
    """Ciphertext || tag (SP 800-38D, section 7.1). The nonce has one byte or more; 12 are usual."""
    _check_gcm(nonce, associated_data, len(plaintext), tag_size)
    start = _gcm_start(encrypt, nonce)
    ciphertext = _gcm_ctr(encrypt, start, plaintext)
    return ciphertext + _gcm_tag(encrypt, start, associated_data, ciphertext)[:tag_size]


def gcm_open(
    encrypt: Blocks, nonce: bytes, associated_data: bytes, sealed: bytes, tag_size: int = 16
) -> bytes:
    """Plaintext of ciphertext || tag, or InvalidTag; the tag is checked before anything is
    decrypted (section 7.2).
    """
    ciphertext, tag = _split(sealed, tag_size)
    _check_gcm(nonce, associated_data, len(ciphertext), tag_size)
    start = _gcm_start(encrypt, nonce)
    if _gcm_tag(encrypt, start, associated_data, ciphertext)[:tag_size] != tag:
        raise InvalidTag("GCM: the tag does not match")
    return _gcm_ctr(encrypt, start, ciphertext)


def multiply(a: int, b: int) -> int:
    """The product of two blocks as big-endian numbers, in the field of GHASH (section 6.3)."""
    product = 0
    for i in range(127, -1, -1):
        product ^= b & -(a >> i & 1)
        b = (b >> 1) ^ (GCM_REDUCTION & -(b & 1))
    return product


def ghash(key: int, data: bytes) -> int:
    """GHASH of whole blocks (section 6.4), as a big-endian number."""
    chain = 0
    for at in range(0, len(data), SIZE):
        chain = multiply(chain ^ int.from_bytes(data[at : at + SIZE], "big"), key)
    return chain


def _padded(data: bytes) -> bytes:
    """The data with zeros up to a whole block; none behind nothing."""
    return data + bytes(-len(data) % SIZE)


def _ccm_counters(nonce: bytes, first: int, count: int) -> bytes:
    """Counter blocks (appendix A.3): their flags state the size of the counter alone."""
    room = 15 - len(nonce)
    head = bytes([room - 1]) + nonce
    return b"".join(head + i.to_bytes(room, "big") for i in range(first, first + count))


def _ccm_ctr(encrypt: Blocks, nonce: bytes, text: bytes) -> bytes:
    return xor(text, encrypt(_ccm_counters(nonce, 1, -(-len(text) // SIZE))))


def _ccm_tag(
    encrypt: Blocks, nonce: bytes, associated_data: bytes, plaintext: bytes, tag_size: int
) -> bytes:
    """CBC-MAC of the formatted input (appendix A.2), enciphered with counter 0."""
    room = 15 - len(nonce)
    flags = 64 * bool(associated_data) + 8 * ((tag_size - 2) // 2) + room - 1
    blocks = bytes([flags]) + nonce + len(plaintext).to_bytes(room, "big")
    if associated_data:
        blocks += _padded(_ccm_length(len(associated_data)) + associated_data)
    chain = cbc_encrypt(encrypt, bytes(SIZE), blocks + _padded(plaintext))[-SIZE:]
    return xor(chain, encrypt(_ccm_counters(nonce, 0, 1)))[:tag_size]


def _ccm_length(size: int) -> bytes:
    """The size of associated data, of 2, 6 or 10 bytes (appendix A.2.2)."""
    if size < (1 << 16) - (1 << 8):
        return size.to_bytes(2, "big")
    if size < 1 << 32:
        return b"\xff\xfe" + size.to_bytes(4, "big")
    return b"\xff\xff" + size.to_bytes(8, "big")


def _gcm_start(encrypt: Blocks, nonce: bytes) -> bytes:
    """The first counter block, which enciphers the tag (section 7.1, step 2)."""
    if len(nonce) == 12:
        return nonce + b"\x00\x00\x00\x01"
    key = int.from_bytes(encrypt(bytes(SIZE)), "big")
    sizes = bytes(8) + (8 * len(nonce)).to_bytes(8, "big")
    return ghash(key, _padded(nonce) + sizes).to_bytes(SIZE, "big")


def _gcm_ctr(encrypt: Blocks, start: bytes, text: bytes) -> bytes:
    """CTR from the block behind `start`; only the last four bytes count (section 6.5)."""
    first = int.from_bytes(start[12:], "big")
    counters = b"".join(
        start[:12] + ((first + 1 + i) % (1 << 32)).to_bytes(4, "big")
        for i in range(-(-len(text) // SIZE))
    )
    return xor(text, encrypt(counters))


def _gcm_tag(encrypt: Blocks, start: bytes, associated_data: bytes, ciphertext: bytes) -> bytes:
    key = int.from_bytes(encrypt(bytes(SIZE)), "big")
    sizes = (8 * len(associated_data)).to_bytes(8, "big") + (8 * len(ciphertext)).to_bytes(8, "big")
    hashed = ghash(key, _padded(associated_data) + _padded(ciphertext) + sizes)
    return xor(hashed.to_bytes(SIZE, "big"), encrypt(start))


def _split(sealed: bytes, tag_size: int) -> tuple[bytes, bytes]:
    if len(sealed) < tag_size:
        raise InvalidTag(f"{len(sealed)} bytes are shorter than the tag of {tag_size} bytes")
    return sealed[: len(sealed) - tag_size], sealed[len(sealed) - tag_size :]


def _check_ccm(nonce: bytes, tag_size: int) -> None:
    if tag_size not in CCM_TAGS:
        raise ValueError(f"tag: {tag_size} bytes given, 4, 6, 8, 10, 12, 14 or 16 expected")
    if len(nonce) not in CCM_NONCES:
        raise ValueError(f"nonce: {len(nonce)} bytes given, 7 to 13 expected")


def _check_gcm(nonce: bytes, associated_data: bytes, text_size: int, tag_size: int) -> None:
    if tag_size not in GCM_TAGS:
        raise ValueError(f"tag: {tag_size} bytes given, 4, 8 or 12 to 16 expected")
    if not nonce:
        raise ValueError("nonce: 0 bytes given, at least 1 expected")
    if text_size > GCM_TEXT_MAX or len(associated_data) > GCM_DATA_MAX:
        raise ValueError("at most 2^36 - 32 bytes of text and 2^61 - 1 of associated data")


def _check_blocks(iv: bytes, text: bytes) -> None:
    if len(iv) != SIZE:
        raise ValueError(f"iv: {len(iv)} bytes given, 16 expected")
    if len(text) % SIZE:
        raise ValueError(f"text: {len(text)} bytes given, a multiple of 16 expected")
