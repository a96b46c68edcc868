# SPDX-License-Identifier: Apache-2.0
"""Authenticated encryption with associated data: the four SCHWAEMM instances.

    key = Schwaemm256_128.generate_key()
    nonce = Schwaemm256_128.generate_nonce()
    sealed = Schwaemm256_128(key).encrypt(nonce, b"23.5 C", b"sensor 7")
    Schwaemm256_128(key).decrypt(nonce, sealed, b"sensor 7")

A nonce is used once per key, ever. Objects do not change after they are made: threads may share them, and so may forked processes. From 2 KiB of
data up other Python threads run during a call; leave writable buffers alone until it returns.
"""

from hanji._core import Schwaemm128_128, Schwaemm192_192, Schwaemm256_128, Schwaemm256_256

__all__ = ["Schwaemm128_128", "Schwaemm192_192", "Schwaemm256_128", "Schwaemm256_256"]

for _class in (Schwaemm128_128, Schwaemm192_192, Schwaemm256_128, Schwaemm256_256):
    _class.__module__ = __name__
del _class
