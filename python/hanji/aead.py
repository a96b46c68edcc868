# SPDX-License-Identifier: Apache-2.0
"""Authenticated encryption with associated data: Ascon-AEAD128, the NIST standard, and the four
SCHWAEMM instances.

    >>> key = AsconAEAD128.generate_key()
    >>> nonce = AsconAEAD128.generate_nonce()
    >>> sealed = AsconAEAD128(key).encrypt(nonce, b"23.5 C", b"sensor 7")
    >>> AsconAEAD128(key).decrypt(nonce, sealed, b"sensor 7")
    b'23.5 C'

Use a nonce once per key, ever. Objects are constant, except the count of blocks of AsconAEAD128:
threads and forked processes may share them. From 2 KiB of data up other Python threads run during a
call; leave writable buffers alone until it returns.
"""

from hanji._core import (
    AsconAEAD128,
    Schwaemm128_128,
    Schwaemm192_192,
    Schwaemm256_128,
    Schwaemm256_256,
)

__all__ = [
    "AsconAEAD128",
    "Schwaemm128_128",
    "Schwaemm192_192",
    "Schwaemm256_128",
    "Schwaemm256_256",
]

for _class in (AsconAEAD128, Schwaemm128_128, Schwaemm192_192, Schwaemm256_128, Schwaemm256_256):
    _class.__module__ = __name__
del _class
