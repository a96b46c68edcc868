# SPDX-License-Identifier: Apache-2.0
"""AIMer v3.0 (August 2026) with the one-way function AIM3: six parameter sets.

What agrees with v2.1 is in hanji_lab.spec.aimer; here is what differs: the one-way function with
its relations, a mask for every relation, the context string, and keys that are refused. Sections
are those of the AIMer submission document, version 3.0: one-way function, key generation, signing,
verification.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .aimer import Aimer, Public, Random, apply

EXPONENTS = {
    128: (3, 7, 11),
    192: (11, 23, 47),
    256: (3, 7, 11, 19),
}  # of the input S-boxes, and of the output
CONTEXT_MAX = 255


class ZeroInputError(ValueError):
    """An S-box input is zero, for which AIM3 is not defined: it is no key."""


@dataclass(frozen=True)
class Aimer3(Aimer):
    """One parameter set of v3; `id` is the first byte of what is hashed to mu."""

    @property
    def masks(self) -> int:
        """Number of masks a of a party, and so of its alphas: one for every relation."""
        return self.sboxes + 1

    @property
    def exponents(self) -> Sequence[int]:
        """e of the input S-boxes, and of the output."""
        return EXPONENTS[self.n]

    # The one-way function.

    def affine(self, iv: bytes) -> tuple[list[list[int]], list[int]]:
        """A_1 .. A_2S by columns, and b_1 .. b_{S+1}; A_j = L_j U_j."""
        n, size, count = self.n, self.size, 2 * self.sboxes
        words = self.elements(self.xof(iv, (count * n + self.sboxes + 1) * size))
        matrices = []
        for j in range(count):
            columns = words[j * n : (j + 1) * n]
            lower = [word >> (r + 1) << (r + 1) | 1 << r for r, word in enumerate(columns)]
            matrices.append(
                [apply(lower, word & ((1 << r) - 1) | 1 << r) for r, word in enumerate(columns)]
            )
        return matrices, words[count * n :]

    def sbox(self, x: int, exponent: int) -> int:
        """x^(2^e - 1) + x^-1, which satisfies x * y = x^(2^e) + 1. ZeroInputError for x = 0, for
        which nothing does.
        """
        if x == 0:
            raise ZeroInputError("an input of an S-box is zero")
        return self.field.power(x, 2**exponent - 1) ^ self.field.power(x, 2**self.n - 2)

    def inputs(
        self, key: int, t: Sequence[int], public: Public, constants: bool = True
    ) -> list[int]:
        """x_1 .. x_{S+1}, which are affine in key and t_1 .. t_S; linear without the constants b."""
        matrices, vectors, _ = public
        x = [apply(matrix, key) for matrix in matrices[: self.sboxes]]
        last = 0
        for matrix, element in zip(matrices[self.sboxes :], t, strict=True):
            last ^= apply(matrix, element)
        return [element ^ b * constants for element, b in zip((*x, last), vectors, strict=True)]

    def evaluate(self, key: int, public: Public) -> tuple[list[int], int]:
        """t_1 .. t_S and ct. ZeroInputError when it is no key."""
        x = self.inputs(key, [0] * self.sboxes, public)
        *inner, outer = self.exponents
        t = [self.sbox(element, e) for element, e in zip(x[:-1], inner, strict=True)]
        return t, self.sbox(self.inputs(key, t, public)[-1], outer) ^ key

    def one_way(self, key: bytes, iv: bytes) -> bytes:
        """ct. ZeroInputError when it is no key."""
        return self.encode(
            self.evaluate(int.from_bytes(key, "little"), self.public(iv, bytes(self.size)))[1]
        )

    def keypair(self, random: Random) -> tuple[bytes, bytes]:
        """(public key, secret key); `random` gives as many bytes as asked, and more when what it
        gave is no key.
        """
        while True:
            key, iv = random(self.size), random(self.size)
            try:
                public = iv + self.one_way(key, iv)
            except ZeroInputError:
                continue
            return public, key + public

    # Simulation of parties.

    def relations(
        self, share: Sequence[int], public: Public, is_corrected: bool
    ) -> tuple[list[int], list[int], list[int]]:
        """x, y and z of the relations x_k * y_k = z_k = x_k^(2^e_k) + 1 for one party's share (key,
        t_1 .. t_S).

        The party that `is_corrected` adds the constants: b, ct and the ones.
        """
        key, *t = share
        x = self.inputs(key, t, public, is_corrected)
        y = [*t, key ^ public[2] * is_corrected]
        return (
            x,
            y,
            [
                self.field.sqr(element, e) ^ is_corrected
                for element, e in zip(x, self.exponents, strict=True)
            ],
        )

    # Signing and verifying.

    def digest_message(self, iv: bytes, ct: bytes, message: bytes, context: bytes = b"") -> bytes:
        """mu. ValueError for a context that is too long."""
        if len(context) > CONTEXT_MAX:
            raise ValueError(
                f"a context has at most {CONTEXT_MAX} bytes; {len(context)} were given"
            )
        return self.xof(
            bytes([self.id]) + iv + ct + bytes([len(context)]) + context + message, 2 * self.size
        )

    def sign(
        self, secret_key: bytes, message: bytes, random: Random, context: bytes = b""
    ) -> bytes:
        """The detached signature. ValueError for a context that is too long, ZeroInputError for
        what is no key.
        """
        key, iv, ct = self.parts(secret_key)
        secret = int.from_bytes(key, "little")
        t, _ = self.evaluate(secret, self.public(iv, ct))
        return self.prove(
            [secret, *t], iv, ct, self.digest_message(iv, ct, message, context), random
        )

    def verify(
        self, public_key: bytes, message: bytes, signature: bytes, context: bytes = b""
    ) -> bool:
        """Whether the signature is that of this message with this context."""
        if len(public_key) != self.public_key_size or len(context) > CONTEXT_MAX:
            return False
        iv, ct = public_key[: self.size], public_key[self.size :]
        return self.check(iv, ct, self.digest_message(iv, ct, message, context), signature)


def _sets() -> Iterator[Aimer3]:
    for level, (n, fast, small) in enumerate(((128, 33, 17), (192, 49, 25), (256, 65, 33))):
        yield Aimer3(f"aimer3-{n}f", 3, n, 0x20 * level, fast, 16, 4)
        yield Aimer3(f"aimer3-{n}s", 3, n, 0x20 * level + 0x10, small, 256, 8)


VARIANTS = {one.name: one for one in _sets()}
