# SPDX-License-Identifier: Apache-2.0
"""Other libraries to compare with; today Crypto++, through a small library that is compiled when
first needed.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from hanji import HanjiError

SOURCE = Path(__file__).with_name("cryptopp_peer.cpp")
PACKAGE = "libcrypto++-dev"
CIPHERS = (
    "speck-64/96", "speck-64/128", "speck-128/128", "speck-128/192", "speck-128/256",
    "simon-64/96", "simon-64/128", "simon-128/128", "simon-128/192", "simon-128/256",
    "simeck-32/64", "simeck-64/128",
    "cham-64/128-original", "cham-128/128-original", "cham-128/256-original",
)  # fmt: skip

_FLAGS = ("-std=c++17", "-O2", "-shared", "-fPIC")


class PeerUnavailableError(HanjiError):
    """The other library or the compiler for its wrapper is not on this machine; the message says
    which.
    """


class CryptoPP:
    """Crypto++'s block ciphers, by hanji's names and in hanji's byte order.

    CHAM is there only with the round counts of 2017. In counter mode SIMECK and CHAM have no
    counterpart: the counter runs over bytes, and Crypto++ orders the bytes of these two otherwise
    (the specification, section 1.1).
    """

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        number = library.hanji_peer_version()
        self.name = f"Crypto++ {number // 100}.{number // 10 % 10}.{number % 10}"

    def ecb(self, cipher: str, key: bytes, data: bytes, *, decrypt: bool = False) -> bytes:
        """Whole blocks through one cipher, in library byte order. Errors: ValueError."""
        key, data = bytes(key), bytes(data)
        out = ctypes.create_string_buffer(max(len(data), 1))
        swapped_key, swapped = (
            swap_order(cipher, key, len(key)),
            swap_order(cipher, data, _block_size(cipher)),
        )
        self._check(
            self._library.hanji_peer_ecb(
                cipher.encode(), int(decrypt), swapped_key, _size(key), swapped, out, _size(data)
            ),
            cipher,
        )
        return swap_order(cipher, out.raw[: len(data)], _block_size(cipher))

    def ctr(self, cipher: str, key: bytes, iv: bytes, data: bytes) -> bytes:
        """Counter mode of SPECK and SIMON. Errors: ValueError, also for the families whose byte
        order differs.
        """
        if _family(cipher) not in ("speck", "simon"):
            raise ValueError(
                f"counter mode of {cipher} cannot be compared: Crypto++ counts in another byte "
                "order"
            )
        key, iv, data = bytes(key), bytes(iv), bytes(data)
        out = ctypes.create_string_buffer(max(len(data), 1))
        self._check(
            self._library.hanji_peer_ctr(
                cipher.encode(), key, _size(key), iv, _size(iv), data, out, _size(data)
            ),
            cipher,
        )
        return out.raw[: len(data)]

    def ctr_seconds(self, cipher: str, length: int, runs: int, repeats: int) -> float:
        """Seconds for one message of ``length`` bytes in counter mode, the best of ``runs`` runs."""
        seconds = ctypes.c_double()
        key = bytes(int(cipher.split("/")[1].split("-")[0]) // 8)
        self._check(
            self._library.hanji_peer_ctr_seconds(
                cipher.encode(),
                key,
                _size(key),
                ctypes.c_size_t(length),
                runs,
                repeats,
                ctypes.byref(seconds),
            ),
            cipher,
        )
        return seconds.value

    @staticmethod
    def _check(code: int, cipher: str) -> None:
        if code == -1:
            raise ValueError(f"Crypto++ has no {cipher} with a key of this length")
        if code:
            raise ValueError(
                f"the data or the counter block has a length that does not fit {cipher}"
            )


def _size(data: bytes) -> ctypes.c_size_t:
    return ctypes.c_size_t(len(data))


def _family(cipher: str) -> str:
    return cipher.split("-")[0]


def _block_size(cipher: str) -> int:
    return int(cipher.split("-")[1].split("/")[0]) // 8


def swap_order(cipher: str, data: bytes, unit: int) -> bytes:
    """Between hanji's byte order and Crypto++'s, for blocks or keys of ``unit`` bytes; its own
    inverse.

    SPECK and SIMON agree; SIMECK reverses the whole unit; CHAM reverses the bytes of each word and
    keeps the words (the specification, section 1.1).
    """
    family = _family(cipher)
    if family in ("speck", "simon"):
        return data
    step = unit if family == "simeck" else _block_size(cipher) // 4
    return b"".join(data[i : i + step][::-1] for i in range(0, len(data), step))


@functools.cache
def cryptopp() -> CryptoPP:
    """Crypto++, its wrapper compiled into the user's cache folder the first time.

    Errors: PeerUnavailableError when there is no C++ compiler or no Crypto++.
    """
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise PeerUnavailableError("no C++ compiler; install the Debian package g++")
    version = subprocess.run([compiler, "--version"], capture_output=True, check=False).stdout
    stamp = hashlib.sha256(
        b"\0".join([SOURCE.read_bytes(), " ".join(_FLAGS).encode(), version])
    ).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hanji" / "peers"
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = cache / f"cryptopp-{stamp}.so"
    if not target.exists():
        _compile(compiler, target)
    try:
        return CryptoPP(ctypes.CDLL(os.fspath(target)))
    except OSError as error:
        raise PeerUnavailableError(
            f"the Crypto++ wrapper does not load ({error}); remove {target}"
        ) from None


def _compile(compiler: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        built = Path(folder) / "peer.so"
        command = [compiler, *_FLAGS, os.fspath(SOURCE), "-o", os.fspath(built), "-lcryptopp"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            if "cryptopp" in result.stderr:
                raise PeerUnavailableError(f"no Crypto++; install the Debian package {PACKAGE}")
            raise PeerUnavailableError(
                f"the Crypto++ wrapper does not compile: {result.stderr.strip()[-500:]}"
            )
        built.replace(target)
