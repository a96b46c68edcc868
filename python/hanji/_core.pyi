# SPDX-License-Identifier: Apache-2.0
"""
The compiled part of hanji; use hanji.aead, hanji.hashes, hanji.hazmat and hanji.fleet.
"""

from typing import Any, NoReturn, Self, final

import hanji._typing


class HanjiError(Exception):
    """Base of the errors that are hanji's own."""

class InvalidTag(HanjiError):
    """
    The tag does not match: the message was altered, or key, nonce or associated data differ.
    """

class LimitError(HanjiError):
    """
    The data limit of this key would be exceeded; change the key, or raise the limit explicitly.
    """

def version() -> str:
    """The version of the library."""

def algorithms() -> list[dict[str, Any]]:
    """See hanji.algorithms."""

def tiers() -> list[dict[str, Any]]:
    """See hanji.backends."""

def kernels() -> list[dict[str, Any]]:
    """See hanji.kernels."""

def selftest() -> dict[str, bool]:
    """See hanji.selftest."""

def force(tier: str | None) -> None:
    """See hanji.force."""

@final
class Schwaemm256_128:
    """
    SCHWAEMM256-128: authenticated encryption with associated data; the one to take when nothing speaks for another.

    Key 16 bytes, nonce 32, tag 16; 120 bits of security, at most 2^68 bytes per key. A nonce is used once per key, ever; nonces from
    generate_nonce() may be taken at random without fear of repetition. The key is copied, and erased with the object. Objects do not
    change: threads and forked processes may share them. Does not commit to its key.

    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.
    Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.
    """

    def __init__(self, key: hanji._typing.BytesLike) -> None:
        """Take a key of key_size bytes; ValueError for another size."""

    name: str = 'schwaemm256-128'

    key_size: int = 16

    nonce_size: int = 32

    tag_size: int = 16

    @staticmethod
    def generate_key() -> bytes:
        """
        A new random key from the operating system: key_size bytes. HanjiError when the system gives none.
        """

    @staticmethod
    def generate_nonce() -> bytes:
        """
        A new random nonce from the operating system: nonce_size bytes. HanjiError when the system gives none.
        """

    def encrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Seal: ciphertext followed by the tag, len(data) + tag_size bytes. The nonce must be new under this key.
        """

    def decrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Open what encrypt returned: len(data) - tag_size bytes. InvalidTag, and no plaintext, unless everything matches.
        """

    def encrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int:
        """
        Seal into the first len(data) + tag_size bytes of buf and return that number. buf may begin at the same byte as data.
        """

    def decrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int:
        """
        Open into the first len(data) - tag_size bytes of buf and return that number. buf may begin at the same byte as data.

        InvalidTag when anything does not match: those bytes of buf are then zero (in place, the ciphertext is lost).
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

@final
class Schwaemm192_192:
    """
    SCHWAEMM192-192: authenticated encryption with associated data and a longer key.

    Key 24 bytes, nonce 24, tag 24; 184 bits of security, at most 2^68 bytes per key. A nonce is used once per key, ever. The key is
    copied, and erased with the object. Objects do not change: threads and forked processes may share them. Does not commit to its key.

    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.
    Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.
    """

    def __init__(self, key: hanji._typing.BytesLike) -> None:
        """Take a key of key_size bytes; ValueError for another size."""

    name: str = 'schwaemm192-192'

    key_size: int = 24

    nonce_size: int = 24

    tag_size: int = 24

    @staticmethod
    def generate_key() -> bytes:
        """
        A new random key from the operating system: key_size bytes. HanjiError when the system gives none.
        """

    @staticmethod
    def generate_nonce() -> bytes:
        """
        A new random nonce from the operating system: nonce_size bytes. HanjiError when the system gives none.
        """

    def encrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Seal: ciphertext followed by the tag, len(data) + tag_size bytes. The nonce must be new under this key.
        """

    def decrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Open what encrypt returned: len(data) - tag_size bytes. InvalidTag, and no plaintext, unless everything matches.
        """

    def encrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int:
        """
        Seal into the first len(data) + tag_size bytes of buf and return that number. buf may begin at the same byte as data.
        """

    def decrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int:
        """
        Open into the first len(data) - tag_size bytes of buf and return that number. buf may begin at the same byte as data.

        InvalidTag when anything does not match: those bytes of buf are then zero (in place, the ciphertext is lost).
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

@final
class Schwaemm128_128:
    """
    SCHWAEMM128-128: authenticated encryption with associated data and the smallest state, for the smallest devices.

    Key 16 bytes, nonce 16, tag 16; 120 bits of security, at most 2^68 bytes per key. A nonce is used once per key, ever; with 16 bytes
    a counter is better than chance for very many messages. The key is copied, and erased with the object. Objects do not change: threads
    and forked processes may share them. Does not commit to its key.

    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.
    Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.
    """

    def __init__(self, key: hanji._typing.BytesLike) -> None:
        """Take a key of key_size bytes; ValueError for another size."""

    name: str = 'schwaemm128-128'

    key_size: int = 16

    nonce_size: int = 16

    tag_size: int = 16

    @staticmethod
    def generate_key() -> bytes:
        """
        A new random key from the operating system: key_size bytes. HanjiError when the system gives none.
        """

    @staticmethod
    def generate_nonce() -> bytes:
        """
        A new random nonce from the operating system: nonce_size bytes. HanjiError when the system gives none.
        """

    def encrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Seal: ciphertext followed by the tag, len(data) + tag_size bytes. The nonce must be new under this key.
        """

    def decrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Open what encrypt returned: len(data) - tag_size bytes. InvalidTag, and no plaintext, unless everything matches.
        """

    def encrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int:
        """
        Seal into the first len(data) + tag_size bytes of buf and return that number. buf may begin at the same byte as data.
        """

    def decrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int:
        """
        Open into the first len(data) - tag_size bytes of buf and return that number. buf may begin at the same byte as data.

        InvalidTag when anything does not match: those bytes of buf are then zero (in place, the ciphertext is lost).
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

@final
class Schwaemm256_256:
    """
    SCHWAEMM256-256: authenticated encryption with associated data and the longest key.

    Key 32 bytes, nonce 32, tag 32; 248 bits of security, at most 2^133 bytes per key. A nonce is used once per key, ever. The key is
    copied, and erased with the object. Objects do not change: threads and forked processes may share them. Does not commit to its key.

    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.3.
    Status: finalist of the NIST lightweight competition (2021), not selected; no known attack on the mode; nonce-respecting.
    """

    def __init__(self, key: hanji._typing.BytesLike) -> None:
        """Take a key of key_size bytes; ValueError for another size."""

    name: str = 'schwaemm256-256'

    key_size: int = 32

    nonce_size: int = 32

    tag_size: int = 32

    @staticmethod
    def generate_key() -> bytes:
        """
        A new random key from the operating system: key_size bytes. HanjiError when the system gives none.
        """

    @staticmethod
    def generate_nonce() -> bytes:
        """
        A new random nonce from the operating system: nonce_size bytes. HanjiError when the system gives none.
        """

    def encrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Seal: ciphertext followed by the tag, len(data) + tag_size bytes. The nonce must be new under this key.
        """

    def decrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Open what encrypt returned: len(data) - tag_size bytes. InvalidTag, and no plaintext, unless everything matches.
        """

    def encrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int:
        """
        Seal into the first len(data) + tag_size bytes of buf and return that number. buf may begin at the same byte as data.
        """

    def decrypt_into(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None, buf: hanji._typing.BytesLike) -> int:
        """
        Open into the first len(data) - tag_size bytes of buf and return that number. buf may begin at the same byte as data.

        InvalidTag when anything does not match: those bytes of buf are then zero (in place, the ciphertext is lost).
        """

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

@final
class Esch256:
    """
    ESCH256: a hash function with 32-byte digests, shaped like those of hashlib.

    128 bits of security against collisions and preimages. Threads may share an object: each call is whole. Not for passwords.

    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.
    Status: part of a finalist of the NIST lightweight competition (2021), not selected; no known attack.
    """

    def __init__(self, data: hanji._typing.BytesLike = b'') -> None:
        """Begin a message, with its first piece if there is one."""

    name: str = 'esch256'

    block_size: int = 16

    def update(self, data: hanji._typing.BytesLike) -> None:
        """Append data to the message."""

    def copy(self) -> Self:
        """A copy that goes on independently from here."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

    digest_size: int = 32

    def digest(self) -> bytes:
        """
        The digest of the message so far: digest_size bytes. The message may go on.
        """

    def hexdigest(self) -> str:
        """digest() as text: two hexadecimal digits per byte."""

@final
class Esch384:
    """
    ESCH384: a hash function with 48-byte digests, shaped like those of hashlib.

    192 bits of security against collisions and preimages. Threads may share an object: each call is whole. Not for passwords.

    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.
    Status: part of a finalist of the NIST lightweight competition (2021), not selected; no known attack.
    """

    def __init__(self, data: hanji._typing.BytesLike = b'') -> None:
        """Begin a message, with its first piece if there is one."""

    name: str = 'esch384'

    block_size: int = 16

    def update(self, data: hanji._typing.BytesLike) -> None:
        """Append data to the message."""

    def copy(self) -> Self:
        """A copy that goes on independently from here."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

    digest_size: int = 48

    def digest(self) -> bytes:
        """
        The digest of the message so far: digest_size bytes. The message may go on.
        """

    def hexdigest(self) -> str:
        """digest() as text: two hexadecimal digits per byte."""

@final
class XOEsch256:
    """
    XOESCH256: as many bytes of output as wanted, from a message given in pieces; shaped like hashlib.shake_128.

    128 bits of security with 32 bytes of output or more. digest(n) is the first n bytes of the output; read(n) is the next n bytes, and ends the
    message. Threads may share an object: each call is whole. Not for passwords.

    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.
    Status: part of a finalist of the NIST lightweight competition (2021), not selected; no known attack.
    """

    def __init__(self, data: hanji._typing.BytesLike = b'') -> None:
        """Begin a message, with its first piece if there is one."""

    name: str = 'xoesch256'

    block_size: int = 16

    def update(self, data: hanji._typing.BytesLike) -> None:
        """Append data to the message."""

    def copy(self) -> Self:
        """A copy that goes on independently from here."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

    digest_size: int = 0

    def digest(self, length: int) -> bytes:
        """
        The first length bytes of the output for the message so far. Does not disturb read().
        """

    def hexdigest(self, length: int) -> str:
        """digest(length) as text: two hexadecimal digits per byte."""

    def read(self, length: int) -> bytes:
        """
        The next length bytes of the output. The message is complete from here on: update() is then a ValueError.
        """

@final
class XOEsch384:
    """
    XOESCH384: as many bytes of output as wanted, from a message given in pieces; shaped like hashlib.shake_256.

    192 bits of security with 48 bytes of output or more. digest(n) is the first n bytes of the output; read(n) is the next n bytes, and ends the
    message. Threads may share an object: each call is whole. Not for passwords.

    Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.
    Status: part of a finalist of the NIST lightweight competition (2021), not selected; no known attack.
    """

    def __init__(self, data: hanji._typing.BytesLike = b'') -> None:
        """Begin a message, with its first piece if there is one."""

    name: str = 'xoesch384'

    block_size: int = 16

    def update(self, data: hanji._typing.BytesLike) -> None:
        """Append data to the message."""

    def copy(self) -> Self:
        """A copy that goes on independently from here."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

    digest_size: int = 0

    def digest(self, length: int) -> bytes:
        """
        The first length bytes of the output for the message so far. Does not disturb read().
        """

    def hexdigest(self, length: int) -> str:
        """digest(length) as text: two hexadecimal digits per byte."""

    def read(self, length: int) -> bytes:
        """
        The next length bytes of the output. The message is complete from here on: update() is then a ValueError.
        """

@final
class Block:
    """A block cipher with a key; made by hanji.hazmat.block."""

    def __init__(self, name: str, key: hanji._typing.BytesLike) -> None: ...

    def encrypt(self, blocks: hanji._typing.BytesLike) -> bytes:
        """
        Encrypt whole blocks, each on its own; ValueError when blocks is not a multiple of block_size.
        """

    def decrypt(self, blocks: hanji._typing.BytesLike) -> bytes:
        """
        Decrypt whole blocks, each on its own; ValueError when blocks is not a multiple of block_size.
        """

    @property
    def name(self) -> str:
        """Name of the block cipher."""

    @property
    def block_size(self) -> int:
        """Bytes per block."""

    @property
    def key_size(self) -> int:
        """Bytes of the key."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

@final
class CTR:
    """A stream in counter mode; made by hanji.hazmat.ctr."""

    def __init__(self, name: str, key: hanji._typing.BytesLike, iv: hanji._typing.BytesLike, limit: int | None = None) -> None: ...

    def update(self, data: hanji._typing.BytesLike) -> bytes:
        """
        Encrypt or decrypt the next bytes of the stream. LimitError past the limit: the stream is then as before.
        """

    def update_into(self, data: hanji._typing.BytesLike, buf: hanji._typing.BytesLike) -> int:
        """
        update() into the first len(data) bytes of buf; returns that number. buf may begin at the same byte as data.
        """

    @property
    def name(self) -> str:
        """Name of the block cipher."""

    @property
    def block_size(self) -> int:
        """Bytes per block."""

    @property
    def key_size(self) -> int:
        """Bytes of the key."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

    @property
    def remaining(self) -> int:
        """Blocks that the limit still allows under this key."""

@final
class CMAC:
    """A message whose CMAC is computed; made by hanji.hazmat.cmac."""

    def __init__(self, name: str, key: hanji._typing.BytesLike, limit: int | None = None) -> None: ...

    def update(self, data: hanji._typing.BytesLike) -> None:
        """
        Append data to the message. LimitError past the limit: the message is then as before.
        """

    def digest(self, tag_size: int | None = None) -> bytes:
        """
        The tag of the message so far: tag_size bytes, by default a whole block. The message may go on.
        """

    def verify(self, tag: hanji._typing.BytesLike, tag_size: int | None = None) -> None:
        """
        Compare with a received tag in constant time; InvalidTag when it differs or has not tag_size bytes (by default a whole block).
        """

    def copy(self) -> Self:
        """
        A copy that goes on independently. It shares the key, and the data limit counts for both together.
        """

    @property
    def name(self) -> str:
        """Name of the block cipher."""

    @property
    def block_size(self) -> int:
        """Bytes per block."""

    @property
    def key_size(self) -> int:
        """Bytes of the key."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

    @property
    def remaining(self) -> int:
        """Blocks that the limit still allows under this key."""

@final
class EAX:
    """EAX with a key; made by hanji.hazmat.eax."""

    def __init__(self, name: str, key: hanji._typing.BytesLike, tag_size: int | None = None, limit: int | None = None) -> None: ...

    def encrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Seal: ciphertext followed by the tag, len(data) + tag_size bytes. The nonce (one byte or more) must be new under this key.
        """

    def decrypt(self, nonce: hanji._typing.BytesLike, data: hanji._typing.BytesLike, associated_data: hanji._typing.BytesLike | None = None) -> bytes:
        """
        Open what encrypt returned: len(data) - tag_size bytes. InvalidTag, and no plaintext, unless everything matches.
        """

    @property
    def tag_size(self) -> int:
        """Bytes of the tag."""

    @property
    def name(self) -> str:
        """Name of the block cipher."""

    @property
    def block_size(self) -> int:
        """Bytes per block."""

    @property
    def key_size(self) -> int:
        """Bytes of the key."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> NoReturn: ...

    @property
    def remaining(self) -> int:
        """Blocks that the limit still allows under this key."""

def sparkle(bits: int, state: hanji._typing.BytesLike, steps: int) -> bytes:
    """SPARKLE on states; see hanji.hazmat.sparkle."""

def fleet(algorithm: str, operation: str, cipher: str, offsets: hanji._typing.BytesLike | int, data: hanji._typing.BytesLike, out: hanji._typing.BytesLike | None, ad_offsets: hanji._typing.BytesLike | None, ad: hanji._typing.BytesLike | None, keys: hanji._typing.BytesLike | None, one_key: bool, nonces: hanji._typing.BytesLike | None, nonce_size: int, tags: hanji._typing.BytesLike | None, tag_size: int, status: hanji._typing.BytesLike, limit: int, threads: int) -> int:
    """
    One fleet call; see hanji.fleet. `offsets` may be the bytes of every message instead.
    """

def aimer_sets() -> list[dict[str, Any]]:
    """The parameter sets of AIMer with their sizes in bytes."""

def aimer_keypair(name: str) -> tuple[bytes, bytes]:
    """A new key pair: public key, private key."""

class AimerKey:
    """An expanded key of AIMer; see hanji.sign."""

    def __init__(self, name: str, raw: hanji._typing.BytesLike, private: bool) -> None: ...

    def sign(self, message: hanji._typing.BytesLike) -> bytes:
        """The signature of a message."""

    def verify(self, signature: hanji._typing.BytesLike, message: hanji._typing.BytesLike) -> bool:
        """Whether the signature is right."""

    def sign_batch(self, messages: list[hanji._typing.BytesLike]) -> list[bytes]:
        """The signatures of many messages."""

    def verify_batch(self, signatures: list[hanji._typing.BytesLike], messages: list[hanji._typing.BytesLike]) -> list[bool]:
        """Whether each signature is right."""

class AimerMessage:
    """A message in pieces, for one key of AIMer; see hanji.sign."""

    def __init__(self, key: AimerKey) -> None: ...

    def update(self, data: hanji._typing.BytesLike) -> None:
        """The next piece."""

    def sign(self) -> bytes:
        """The signature of what came so far."""

    def verify(self, signature: hanji._typing.BytesLike) -> bool:
        """Whether the signature is that of what came so far."""
