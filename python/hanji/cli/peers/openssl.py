# SPDX-License-Identifier: Apache-2.0
"""OpenSSL's AES-128 in CTR and GCM and its ChaCha20-Poly1305 through ctypes, as context for our
figures: ciphers that processors and libraries are made for.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import time

from . import PeerUnavailableError

CONTEXT = ("aes-128-ctr", "aes-128-gcm", "chacha20-poly1305")
TAG_SIZE = 16
_IV_SIZES = {"aes-128-ctr": 16, "aes-128-gcm": 12, "chacha20-poly1305": 12}
_KEY_SIZES = {"aes-128-ctr": 16, "aes-128-gcm": 16, "chacha20-poly1305": 32}
_CTRL_GET_TAG = 0x10  # EVP_CTRL_AEAD_GET_TAG, <openssl/evp.h>
_POINTERS = (
    "EVP_CIPHER_CTX_new",
    "EVP_aes_128_ctr",
    "EVP_aes_128_gcm",
    "EVP_chacha20_poly1305",
    "OpenSSL_version",
)


class OpenSSL:
    """libcrypto's ciphers of CONTEXT, one message after the other under one key. `name` is the library
    with its version.
    """

    def __init__(self, library: ctypes.CDLL) -> None:
        for function in _POINTERS:
            getattr(library, function).restype = ctypes.c_void_p
        self._library = library
        library.OpenSSL_version.restype = ctypes.c_char_p
        words = library.OpenSSL_version(0).decode().split()
        self.name = " ".join(words[:2])
        self._context = ctypes.c_void_p(library.EVP_CIPHER_CTX_new())

    def __del__(self) -> None:
        self._library.EVP_CIPHER_CTX_free(self._context)

    def begin(self, cipher: str, key: bytes) -> None:
        """Take a cipher of CONTEXT and its key. Errors: ValueError."""
        if cipher not in CONTEXT or len(key) != _KEY_SIZES[cipher]:
            raise ValueError(
                f"{cipher} with a key of {len(key)} bytes given; expected one of "
                f"{', '.join(CONTEXT)} with its own key size"
            )
        kind = ctypes.c_void_p(getattr(self._library, "EVP_" + cipher.replace("-", "_"))())
        self._check(self._library.EVP_EncryptInit_ex(self._context, kind, None, key, None))
        self._cipher = cipher

    def encrypt_into(
        self,
        iv: bytes,
        data: ctypes.Array[ctypes.c_char],
        out: ctypes.Array[ctypes.c_char],
        size: int,
    ) -> bytes:
        """One message from one buffer to another; the tag, or nothing where there is none. Errors:
        ValueError.
        """
        if len(iv) != _IV_SIZES[self._cipher]:
            raise ValueError(
                f"an iv of {len(iv)} bytes given; {self._cipher} takes {_IV_SIZES[self._cipher]}"
            )
        library, context, written = self._library, self._context, ctypes.c_int()
        self._check(library.EVP_EncryptInit_ex(context, None, None, None, iv))
        self._check(library.EVP_EncryptUpdate(context, out, ctypes.byref(written), data, size))
        if self._cipher == "aes-128-ctr":
            return b""
        tag = ctypes.create_string_buffer(TAG_SIZE)
        self._check(library.EVP_EncryptFinal_ex(context, tag, ctypes.byref(written)))
        self._check(library.EVP_CIPHER_CTX_ctrl(context, _CTRL_GET_TAG, TAG_SIZE, tag))
        return tag.raw

    def seconds(self, cipher: str, size: int, runs: int, repeats: int) -> float:
        """Seconds for one message of ``size`` bytes, the best of ``runs`` runs; the calls through
        ctypes are in it.
        """
        self.begin(cipher, bytes(_KEY_SIZES[cipher]))
        iv, buffer, best = (
            bytes(_IV_SIZES[cipher]),
            ctypes.create_string_buffer(max(size, 1)),
            float("inf"),
        )
        for _ in range(runs):
            begin = time.perf_counter()
            for _ in range(repeats):
                self.encrypt_into(iv, buffer, buffer, size)
            best = min(best, (time.perf_counter() - begin) / repeats)
        return best

    @staticmethod
    def _check(code: int) -> None:
        if code != 1:
            raise PeerUnavailableError(f"a call of OpenSSL's libcrypto failed with {code}")


@functools.cache
def openssl() -> OpenSSL:
    """OpenSSL's libcrypto as the system has it. Errors: PeerUnavailableError when it is not there
    or has not these ciphers.
    """
    path = ctypes.util.find_library("crypto")
    if path is None:
        raise PeerUnavailableError("no OpenSSL; install the Debian package libssl3")
    try:
        return OpenSSL(ctypes.CDLL(path))
    except (OSError, AttributeError) as error:
        raise PeerUnavailableError(
            f"{path} is not an OpenSSL with AES-128 and ChaCha20-Poly1305: {error}"
        ) from None
