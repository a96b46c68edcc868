# SPDX-License-Identifier: Apache-2.0
"""One message of Ascon beside RustCrypto's crates: the ratio of both in turns of one run.

    python -m hanji_lab.measure.beside_rust

The crates have fixed versions (rustcrypto/Cargo.toml), cargo fetches and builds them, for the
processor that runs. The results of both are compared first.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path

from ..checkout import FAST, LabError, build_library, fast_build, find_compiler, find_program

CRATE = Path(__file__).resolve().parent / "rustcrypto"
SIZES = (16, 64, 1024, 16384)
SEAL = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.c_char_p,
    ctypes.c_char_p,
)
HASH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)


def build(root: Path) -> ctypes.CDLL:
    """The crate as a library; LabError when cargo is missing or fails."""
    cargo = find_program("cargo", "cargo", "RustCrypto's Ascon")
    target = root / "build/beside-rust"
    done = subprocess.run(
        [cargo, "build", "--release", "--locked", "--quiet"],
        cwd=CRATE,
        env=os.environ | {"CARGO_TARGET_DIR": str(target), "RUSTFLAGS": "-C target-cpu=native"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise LabError(f"cargo does not build {CRATE}: {done.stderr[-1000:]}")
    return ctypes.CDLL(str(target / "release/libbeside.so"))


def library(root: Path) -> Path:
    """Ours, as `hanji-lab measure host` builds it."""
    return build_library(root, fast_build("gcc"), find_compiler("gcc"), FAST, "hanji_shared")


class Beside:
    """Ours and RustCrypto's functions, with the same arguments."""

    def __init__(self, root: Path) -> None:
        self.rust = build(root)
        ours = ctypes.CDLL(str(library(root)))
        self.seals = [
            SEAL(("hanji_ascon_aead128_encrypt", ours)),
            SEAL(("beside_seal", self.rust)),
        ]
        self.hashes = [HASH(("hanji_ascon_hash256", ours)), HASH(("beside_hash", self.rust))]

    def sealed(self, key: bytes, nonce: bytes, text: bytes, ad: bytes) -> list[bytes]:
        """Ciphertext and tag of each."""
        found = []
        for seal in self.seals:
            out = ctypes.create_string_buffer(len(text) + 16)
            if seal(out, text, len(text), ad, len(ad), nonce, key):
                raise LabError("a call that seals failed")
            found.append(out.raw)
        return found

    def digests(self, text: bytes) -> list[bytes]:
        """The digest of each."""
        found = []
        for function in self.hashes:
            out = ctypes.create_string_buffer(32)
            if function(out, text, len(text)):
                raise LabError("a call that hashes failed")
            found.append(out.raw)
        return found

    def times(self, operation: str, size: int, turns: int) -> tuple[float, float]:
        """The least nanoseconds of a call of ours and of theirs."""
        least = (ctypes.c_double * 2)()
        seal = self.seals[0] if operation == "seal" else SEAL()
        hash_ = self.hashes[0] if operation == "hash" else HASH()
        calls = max(1, 4096 // (size + 64))
        if self.rust.beside_times(
            seal,
            hash_,
            ctypes.c_size_t(size),
            ctypes.c_size_t(calls),
            ctypes.c_size_t(turns),
            least,
        ):
            raise LabError(f"a call of {operation} with {size} bytes failed")
        return least[0], least[1]


def different(beside: Beside, messages: int) -> list[str]:
    """Random messages on which both do not agree, a sentence each."""
    found = []
    for _ in range(messages):
        text, ad = (secrets.token_bytes(secrets.randbelow(200)) for _ in range(2))
        key, nonce = secrets.token_bytes(16), secrets.token_bytes(16)
        what = f"key {key.hex()}, nonce {nonce.hex()}, text {text.hex()}, ad {ad.hex()}"
        if len(set(beside.sealed(key, nonce, text, ad))) != 1:
            found.append(f"sealed differently: {what}")
        if len(set(beside.digests(text))) != 1:
            found.append(f"hashed differently: {text.hex()}")
    return found


def ratios(beside: Beside, turns: int) -> Iterator[tuple[str, int, float, float]]:
    """Operation, bytes, and nanoseconds of ours and theirs."""
    for operation in ("seal", "hash"):
        for size in SIZES:
            yield operation, size, *beside.times(operation, size, turns)


def main() -> int:
    """Print the table."""
    beside = Beside(Path(__file__).resolve().parents[2])
    if found := different(beside, 1000):
        print("\n".join(found))
        return 1
    print("1,000 random messages: both agree")
    for operation, size, ours, theirs in ratios(beside, 2000):
        print(
            f"{operation} {size:6} bytes: {ours:9.1f} ns, RustCrypto {theirs:9.1f} ns,"
            f" ratio {ours / theirs:.2f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
