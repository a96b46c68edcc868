# SPDX-License-Identifier: Apache-2.0
"""Rainbow, in a library of its own that the first use loads: it needs OpenSSL's libcrypto. The
public classes are in hanji/sign.py.
"""

from __future__ import annotations

import ctypes
import secrets
import threading
import weakref
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import hanji
from hanji import _core

if TYPE_CHECKING:
    from hanji._typing import BytesLike

SEEDS = 64  # a private key here: the seed of the secret key, then that of the public key
STANDARD = "Ding et al., Rainbow, NIST PQC round-3 finalist (2020), not selected"
STATUS = "BROKEN: keys are recovered from public keys (Beullens, CRYPTO 2022); for study and old data only, never to protect anything"
BROKEN = True


class Set(NamedTuple):
    """One parameter set, as the C library has it (a test compares them)."""

    name: str
    public_key_size: int
    secret_key_size: int
    signature_size: int
    digest: str


SETS = (
    Set("rainbow-i-classic", 161600, 103648, 66, "sha256"),
    Set("rainbow-i-cz", 60192, 103648, 66, "sha256"),
    Set("rainbow-i-compressed", 60192, 64, 66, "sha256"),
    Set("rainbow-iii-classic", 882080, 626048, 164, "sha384"),
    Set("rainbow-iii-cz", 264608, 626048, 164, "sha384"),
    Set("rainbow-iii-compressed", 264608, 64, 164, "sha384"),
    Set("rainbow-v-classic", 1930600, 1408736, 212, "sha512"),
    Set("rainbow-v-cz", 536136, 1408736, 212, "sha512"),
    Set("rainbow-v-compressed", 536136, 64, 212, "sha512"),
)


class _Context(ctypes.Structure):
    """hanji_rainbow_signing_key and hanji_rainbow_verifying_key, which have the same members."""

    _fields_ = (("set", ctypes.c_void_p), ("key", ctypes.c_void_p), ("expanded", ctypes.c_uint32))


@cache
def library() -> ctypes.CDLL:
    """The library. HanjiError when this installation has none, or libcrypto is missing."""
    path = Path(__file__).with_name("_librainbow.so")
    try:
        found = ctypes.CDLL(str(path))
    except OSError as error:
        raise hanji.HanjiError(
            f"Rainbow is not in this installation ({error}): it is built where OpenSSL 3 and its headers are"
            " (Debian: apt-get install libssl-dev), and needs libcrypto.so.3 to run"
        ) from None
    found.hanji_rainbow_set_at.restype = ctypes.c_void_p
    for name in (
        "keypair_scratch",
        "sign_scratch",
        "verify_scratch",
        "signing_area",
        "verifying_area",
    ):
        function = getattr(found, f"hanji_rainbow_{name}_bytes")
        function.restype, function.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
    found.hanji_error_text.restype = ctypes.c_char_p
    force(next((row["name"] for row in reversed(hanji.backends()) if row["selected"]), None), found)
    return found


def force(tier: str | None, loaded: ctypes.CDLL | None = None) -> None:
    """Cap its kernels like those of the package; nothing when it has not been loaded."""
    if loaded is None:
        if not library.cache_info().currsize:
            return
        loaded = library()
    loaded.hanji_force(None if tier is None else tier.encode())


def _check(code: int) -> None:
    if code != 0:
        raise hanji.HanjiError(f"Rainbow: {library().hanji_error_text(code).decode()}")


class _Memory:
    """A buffer that is overwritten when it goes."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.buffer = ctypes.create_string_buffer(max(size, 1))
        weakref.finalize(self, ctypes.memset, self.buffer, 0, max(size, 1))


class Key:
    """A public key, or the two seeds of a key pair, expanded on first use. Messages are hashed by
    hashlib, in pieces if need be.
    """

    def __init__(self, index: int, raw: bytes, private: bool) -> None:
        self._index, self._raw, self._private = index, raw, private
        self._lock = threading.Lock()
        self._ready: tuple[Any, _Context, list[_Memory]] | None = None
        self._public = b""

    def _expanded(self) -> tuple[Any, _Context]:
        with self._lock:
            if self._ready is None:
                self._ready = self._expand()
            return self._ready[:2]

    def _expand(self) -> tuple[Any, _Context, list[_Memory]]:
        lib, about, context = library(), SETS[self._index], _Context()
        pointer = ctypes.c_void_p(lib.hanji_rainbow_set_at(ctypes.c_size_t(self._index)))
        if not self._private:
            key, kind, init = (
                _Memory(len(self._raw)),
                "verify",
                lib.hanji_rainbow_verifying_key_init,
            )
            key.buffer.raw = self._raw
            area = _Memory(lib.hanji_rainbow_verifying_area_bytes(pointer))
        else:
            key, kind, init = (
                _Memory(about.secret_key_size),
                "sign",
                lib.hanji_rainbow_signing_key_init,
            )
            public = ctypes.create_string_buffer(about.public_key_size)
            scratch = _Memory(lib.hanji_rainbow_keypair_scratch_bytes(pointer))
            size = ctypes.c_size_t(scratch.size)
            _check(
                lib.hanji_rainbow_keypair_from_seeds(
                    public, key.buffer, self._raw, scratch.buffer, size, pointer
                )
            )
            self._public = public.raw
            area = _Memory(lib.hanji_rainbow_signing_area_bytes(pointer))
        scratch = _Memory(getattr(lib, f"hanji_rainbow_{kind}_scratch_bytes")(pointer))
        sizes = [ctypes.c_size_t(memory.size) for memory in (area, key, scratch)]
        _check(
            init(
                area.buffer,
                sizes[0],
                key.buffer,
                sizes[1],
                scratch.buffer,
                sizes[2],
                pointer,
                ctypes.byref(context),
            )
        )
        return pointer, context, [key, area]

    def public(self) -> bytes:
        """The public key that belongs to the seeds."""
        self._expanded()
        return self._public

    def hash(self) -> Any:
        """The hash function of messages, begun."""
        import hashlib

        return hashlib.new(SETS[self._index].digest, usedforsecurity=True)

    def sign_digest(self, digest: bytes) -> bytes:
        """The signature of a message with this digest."""
        pointer, context = self._expanded()
        signature = ctypes.create_string_buffer(SETS[self._index].signature_size)
        scratch = _Memory(library().hanji_rainbow_sign_scratch_bytes(pointer))
        _check(
            library().hanji_rainbow_sign_digest(
                signature,
                digest,
                scratch.buffer,
                ctypes.c_size_t(scratch.size),
                ctypes.byref(context),
            )
        )
        return signature.raw

    def verify_digest(self, signature: BytesLike, digest: bytes) -> bool:
        """Whether it is the signature of a message with this digest."""
        given = _core.to_bytes(signature, "signature")
        if len(given) != SETS[self._index].signature_size:
            return False
        pointer, context = self._expanded()
        scratch = _Memory(library().hanji_rainbow_verify_scratch_bytes(pointer))
        code = library().hanji_rainbow_verify_digest(
            given,
            ctypes.c_size_t(len(given)),
            digest,
            scratch.buffer,
            ctypes.c_size_t(scratch.size),
            ctypes.byref(context),
        )
        if code not in (0, -3):  # HANJI_OK, HANJI_E_TAG
            _check(code)
        return bool(code == 0)

    def sign(
        self, message: BytesLike, context: BytesLike, check: bool, deterministic: bool
    ) -> bytes:
        """The signature of a whole message. ValueError for a context that is not empty."""
        state = Message(self, context, "message")
        state.update(message)
        return state.sign(check, deterministic)

    def verify(self, signature: BytesLike, message: BytesLike, context: BytesLike) -> bool:
        """Whether it is the signature of a whole message. ValueError for a context that is not
        empty.
        """
        _core.require_bytes(signature, "signature")
        state = Message(self, context, "message")
        state.update(message)
        return state.verify(signature)


class Message:
    """A message that comes in pieces. ValueError for a context that is not empty: Rainbow has none."""

    def __init__(self, key: Key, context: BytesLike, what: str = "data") -> None:
        _core.require_bytes(context, "context")
        if len(bytes(context)):
            raise ValueError(f"{SETS[key._index].name} takes no context string; AIMer v3 does")
        self._key, self._hash, self._what = key, key.hash(), what

    def update(self, data: BytesLike) -> None:
        """The next piece."""
        _core.require_bytes(data, self._what)
        self._hash.update(data)

    def sign(self, check: bool, deterministic: bool) -> bytes:
        """Its signature, which is always deterministic. TypeError for a public key, HanjiError when
        a check fails.
        """
        if not self._key._private:
            raise TypeError("a public key cannot sign; use the private key")
        digest = self._hash.digest()
        signature = self._key.sign_digest(digest)
        if check and not Key(self._key._index, self._key.public(), False).verify_digest(
            signature, digest
        ):
            raise hanji.HanjiError(
                "the signature that was made does not verify, and was thrown away: this machine computes wrong"
            )
        return signature

    def verify(self, signature: BytesLike) -> bool:
        """Whether it is its signature. TypeError for a private key."""
        if self._key._private:
            raise TypeError("a private key does not verify; use its public_key")
        return self._key.verify_digest(signature, self._hash.digest())


def seeds() -> bytes:
    """The seeds of a new key pair."""
    return secrets.token_bytes(SEEDS)


# SHA-256 of the signatures of b"hanji" under the seeds 0, 1, .. 63: SETS in their order. Compressed
# keys sign as circumzenithal ones do.
_ANSWERS = {
    "rainbow-i-classic": "b3a0381cd16446c642bfe2a19529b7fe9c4870970c1d251e2cc1c7522791602a",
    "rainbow-i-cz": "98c24772222329d9eaa1e5098609a5ed6489857e29f360bdca153ba078552c7f",
    "rainbow-iii-classic": "6df6ea0ac653bf07e2c03a34577dd55667c3e6add904a21efea948a4c23cb831",
    "rainbow-iii-cz": "dc69eb0e043059e376dc9e259ada8f512cc69357d65a40d6e58cbffc52ff7c2e",
    "rainbow-v-classic": "4f654790d3b63325b18c237fb425d5f2737733fcfa03bf97310187b5b7e5acee",
    "rainbow-v-cz": "c981d5803e3471eb7427d3d2dd4ebe854854649c8284a91c524a6d4bfc705684",
}


def selftest() -> dict[str, bool]:
    """Whether each set gives its known answer and verifies it; empty when the library is not there."""
    import hashlib

    try:
        library()
    except hanji.HanjiError:
        return {}
    right = {}
    for index, row in enumerate(SETS):
        private = Key(index, bytes(range(SEEDS)), True)
        signature = private.sign(b"hanji", b"", False, True)
        known = (
            hashlib.sha256(signature).hexdigest()
            == _ANSWERS[row.name.replace("-compressed", "-cz")]
        )
        right[row.name] = known and Key(index, private.public(), False).verify(
            signature, b"hanji", b""
        )
    return right
