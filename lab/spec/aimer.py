# SPDX-License-Identifier: Apache-2.0
"""AIMer v2.1 (Korean post-quantum competition) and v1.0 (NIST additional signatures, round 1): 18
parameter sets, all broken.

What a signature proves is that somebody knows a witness, which is key, t_1 .. t_S that satisfy the
relations of the one-way function. The relations of both versions have witnesses that are no keys,
made from a public key alone (ePrint 2026/2235): hanji_lab.forge.

Field elements are integers, bit j the coefficient of x^j. Sections are those of the AIMer
submission documents: one-way function, key generation, signing, verification.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from .word import REDUCTION

EXPONENTS = {  # version, n: exponents of the input S-boxes, and of the output
    (2, 128): ((49, 91), 3),
    (2, 192): ((17, 47), 5),
    (2, 256): ((11, 141, 7), 3),
    (1, 128): ((3, 27), 5),
    (1, 192): ((5, 29), 7),
    (1, 256): ((3, 53, 7), 5),
}
# The first 1408 bits of the fractional part of pi, cut in order.
GAMMA = {
    128: (0x243F6A8885A308D313198A2E03707344, 0xA4093822299F31D0082EFA98EC4E6C89),
    192: (
        0x452821E638D01377BE5466CF34E90C6CC0AC29B7C97C50DD,
        0x3F84D5B5B54709179216D5D98979FB1BD1310BA698DFB5AC,
    ),
    256: (
        0x2FFD72DBD01ADFB7B8E1AFED6A267E96BA7C9045F12C7F9924A19947B3916CF7,
        0x0801F2E2858EFC16636920D871574E69A458FEA3F4933D7E0D95748F728EB658,
        0x718BCD5882154AEE7B54A41DC25A59B59C30D5392AF26013C5D1B023286085F0,
    ),
}

Random = Callable[[int], bytes]
Public = tuple[list[list[int]], list[int], int]  # matrices by their columns, vectors, ct


class Field:
    """GF(2^n) = GF(2)[x] / (x^n + tail)."""

    def __init__(self, n: int, tail: int | None = None) -> None:
        self.n, self.tail, self.mask = n, REDUCTION[n] if tail is None else tail, (1 << n) - 1

    def reduce(self, a: int) -> int:
        """Modulo x^n + tail."""
        while high := a >> self.n:
            a &= self.mask
            for shift in range(self.tail.bit_length()):
                if self.tail >> shift & 1:
                    a ^= high << shift
        return a

    def mul(self, a: int, b: int) -> int:
        """a * b."""
        product = 0
        while b:
            low = b & -b
            product ^= a << (low.bit_length() - 1)
            b ^= low
        return self.reduce(product)

    def sqr(self, a: int, times: int = 1) -> int:
        """a^(2^times)."""
        for _ in range(times):
            a = self.reduce(int(bin(a)[2:], 4))
        return a

    def power(self, a: int, exponent: int) -> int:
        """a^exponent."""
        result = 1
        for bit in bin(exponent)[2:]:
            result = self.sqr(result)
            if bit == "1":
                result = self.mul(result, a)
        return result


def apply(columns: Sequence[int], vector: int) -> int:
    """M v for a bit matrix given by its columns."""
    result = 0
    while vector:
        low = vector & -vector
        result ^= columns[low.bit_length() - 1]
        vector ^= low
    return result


class Shares:
    """What the kernels over shares compute, element by element; n is 64 * words."""

    name = "aimer"

    def prepare(self, columns: Sequence[int]) -> list[int]:
        """The form of a matrix is the kernel's own: its meaning is the matrix."""
        return list(columns)

    def apply(self, columns: Sequence[int], vector: int) -> int:
        """M v."""
        return apply(columns, vector)

    def products(self, base: int, terms: Sequence[tuple[int, int]], words: int) -> int:
        """base + the sum of the products."""
        field = Field(64 * words)
        for share, coefficient in terms:
            base ^= field.mul(share, coefficient)
        return base

    def power(self, base: int, squarings: int, factor: int, words: int) -> int:
        """base^(2^squarings) * factor."""
        field = Field(64 * words)
        return field.mul(field.sqr(base, squarings), factor)


@dataclass(frozen=True)
class Aimer:
    """One parameter set; sizes in bytes.

    What versions have in common is here; where they differ, a method asks for the version, or v3
    has its own.
    """

    name: str
    version: int
    n: int
    id: int
    repetitions: int
    parties: int
    depth: int

    @property
    def size(self) -> int:
        """Bytes of a field element, a seed, iv and key."""
        return self.n // 8

    @property
    def sboxes(self) -> int:
        """Number of input S-boxes."""
        return 3 if self.n == 256 else 2

    @property
    def salt_size(self) -> int:
        """Bytes of the salt."""
        return self.size * (2 if self.version == 1 else 1)

    @property
    def masks(self) -> int:
        """Number of masks a of a party, and so of its alphas: one for all relations."""
        return 1

    @property
    def row_size(self) -> int:
        """Bytes of one repetition in a signature: path, commitment, corrections, alphas."""
        return (self.depth + 2 + self.sboxes + 2 + self.masks) * self.size

    @property
    def public_key_size(self) -> int:
        """Bytes of a public key."""
        return 2 * self.size + (self.version == 1)

    @property
    def secret_key_size(self) -> int:
        """Bytes of a secret key."""
        return 3 * self.size + (self.version == 1)

    @property
    def signature_size(self) -> int:
        """Bytes of a signature."""
        return self.salt_size + 4 * self.size + self.repetitions * self.row_size

    @property
    def exponents(self) -> Sequence[int]:
        """e of the input S-boxes, and of the output."""
        inputs, output = EXPONENTS[self.version, self.n]
        return *inputs, output

    @property
    def gamma(self) -> Sequence[int]:
        """The constants that v2.1 adds to the key before its S-boxes."""
        return GAMMA[self.n]

    @cached_property
    def field(self) -> Field:
        """GF(2^n)."""
        return Field(self.n)

    def xof(self, data: bytes, size: int) -> bytes:
        """SHAKE128 or SHAKE256, by n."""
        return (hashlib.shake_128 if self.n == 128 else hashlib.shake_256)(data).digest(size)

    def encode(self, element: int) -> bytes:
        """Little-endian."""
        return element.to_bytes(self.size, "little")

    def elements(self, data: bytes) -> list[int]:
        """All elements of a byte string."""
        return [
            int.from_bytes(data[i : i + self.size], "little")
            for i in range(0, len(data), self.size)
        ]

    # The one-way function.

    def affine(self, iv: bytes) -> tuple[list[list[int]], list[int]]:
        """A_1 .. A_S by columns, and b alone in a list; A_s = L_s U_s."""
        n, size = self.n, self.size
        half = sum((r + 7) // 8 for r in range(n))
        per = n * size if self.version == 2 else 2 * half
        stream = self.xof(iv, self.sboxes * per + size)
        at, matrices = 0, []

        def read(count: int) -> int:
            nonlocal at
            at += count
            return int.from_bytes(stream[at - count : at], "little")

        for _ in range(self.sboxes):
            lower, upper = [], []
            for r in range(n):
                word = (
                    read(size)
                    if self.version == 2
                    else read(size - (r + 1) // 8) << 8 * ((r + 1) // 8)
                )
                lower.append(word >> (r + 1) << (r + 1) | 1 << r)
                if self.version == 2:
                    upper.append(word & ((1 << r) - 1) | 1 << r)
            if self.version == 1:
                upper = [read((r + 7) // 8) & ((1 << r) - 1) | 1 << r for r in range(n)]
            matrices.append([apply(lower, column) for column in upper])
        return matrices, [read(size)]

    def public(self, iv: bytes, ct: bytes) -> Public:
        """What the relations take of a public key."""
        return (*self.affine(iv), int.from_bytes(ct, "little"))

    def sbox_outputs(self, key: int) -> list[int]:
        """t_1 .. t_S."""
        exponents = self.exponents[:-1]
        if self.version == 1:
            return [self.field.power(key, 2**e - 1) for e in exponents]
        order = 2**self.n - 1
        return [
            self.field.power(key ^ g, pow(2**e - 1, -1, order))
            for e, g in zip(exponents, self.gamma, strict=True)
        ]

    def one_way(self, key: bytes, iv: bytes) -> bytes:
        """ct."""
        matrices, (x,) = self.affine(iv)
        secret = int.from_bytes(key, "little")
        for matrix, t in zip(matrices, self.sbox_outputs(secret), strict=True):
            x ^= apply(matrix, t)
        return self.encode(self.field.power(x, 2 ** self.exponents[-1] - 1) ^ secret)

    def keypair(self, random: Random) -> tuple[bytes, bytes]:
        """(public key, secret key); `random` gives as many bytes as asked."""
        first, second = random(self.size), random(self.size)
        iv, key = (first, second) if self.version == 1 else (second, first)
        head = bytes([self.id]) if self.version == 1 else b""
        public = iv + self.one_way(key, iv)
        return head + public, head + key + public

    # Hash inputs.

    def expand(self, salt: bytes, repetition: int, number: int, seed: bytes, leaf: bool) -> bytes:
        """Children of a node, or commitment and tape of a leaf; nodes are numbered from 1."""
        size = 2 * self.size + (self.sboxes + 2 + self.masks) * self.size * leaf
        if self.version > 1:
            return self.xof(bytes([4 + leaf]) + salt + bytes([repetition, number]) + seed, size)
        number -= not leaf
        index = repetition.to_bytes(2, "little") + number.to_bytes(2, "little")
        return self.xof(
            b"\x04" + salt + index + seed if leaf else b"\x03" + seed + salt + index, size
        )

    def grow(self, salt: bytes, repetition: int, nodes: dict[int, bytes]) -> None:
        """Fill the tree from the nodes that are known."""
        for number in range(1, 1 << self.depth):
            depth = number.bit_length() - 1
            if number in nodes and ((number - (1 << depth)) << (self.depth - depth)) < self.parties:
                both = self.expand(salt, repetition, number, nodes[number], False)
                nodes.setdefault(2 * number, both[: self.size])
                nodes.setdefault(2 * number + 1, both[self.size :])

    def hidden_parties(self, h2: bytes) -> list[int]:
        """One party per repetition; v1.0 rejects numbers that are too large."""
        width = 2 if self.parties > 256 else 1
        stream = self.xof(h2, width * self.repetitions * 8)
        numbers = (
            int.from_bytes(stream[i : i + width], "little") % (1 << self.depth)
            for i in range(0, len(stream), width)
        )
        kept = (number for number in numbers if number < self.parties)
        return [next(kept) for _ in range(self.repetitions)]

    def path(self, hidden: int) -> Iterator[int | None]:
        """The siblings of the hidden path, deepest first; None where v1.0 has cut the node off."""
        for k in range(self.depth):
            position = hidden >> k ^ 1
            yield None if position << k >= self.parties else (1 << (self.depth - k)) + position

    @property
    def corrected(self) -> int:
        """The party that takes the corrections and b."""
        return 0 if self.version == 1 else self.parties - 1

    # Simulation of parties.

    def relations(
        self, share: Sequence[int], public: Public, is_corrected: bool
    ) -> tuple[list[int], list[int], list[int]]:
        """x, y and z of the relations x_k * y_k = z_k for one party's share (key, t_1 .. t_S); one
        y may serve all.

        The party that `is_corrected` adds the constants.
        """
        matrices, (b,), ct = public
        *exponents, out = self.exponents
        key, *x = share
        if self.version == 1:
            z = [self.field.sqr(key, e) for e in exponents]
        else:
            z = [
                self.field.sqr(t, e) ^ self.field.mul(g, t)
                for t, e, g in zip(x, exponents, self.gamma, strict=True)
            ]
        last = b if is_corrected else 0
        for matrix, t in zip(matrices, x, strict=True):
            last ^= apply(matrix, t)
        return [*x, last], [key], [*z, self.field.sqr(last, out) ^ self.field.mul(ct, last)]

    def holds(self, witness: Sequence[int], public: Public) -> list[bool]:
        """Of each relation, whether the witness (key, t_1 .. t_S) satisfies it."""
        x, y, z = self.relations(witness, public, True)
        return [
            self.field.mul(left, y[k % len(y)]) == right
            for k, (left, right) in enumerate(zip(x, z, strict=True))
        ]

    def body2(self, alphas: Sequence[Sequence[int]], values: Sequence[int]) -> bytes:
        """What h2 takes of a repetition."""
        if self.version > 1:
            return b"".join(map(self.encode, [*(a for party in alphas for a in party), *values]))
        return b"".join(
            self.encode(a) + self.encode(v) for (a,), v in zip(alphas, values, strict=True)
        )

    def simulate(
        self,
        shares: dict[int, list[int]],
        public: Public,
        epsilon: Sequence[int],
        opened: dict[int, list[int]],
    ) -> bytes:
        """body2 of one repetition; `opened` has the alphas of a party without share."""
        mul, masks = self.field.mul, self.masks
        alphas, values = [[0] * masks] * self.parties, [0] * self.parties
        multipliers, zs = {}, {}
        for i, share in shares.items():
            *linear, _ = share
            x, multipliers[i], zs[i] = self.relations(linear[:-masks], public, i == self.corrected)
            alphas[i] = linear[-masks:]
            for k, (e, element) in enumerate(zip(epsilon, x, strict=True)):
                alphas[i][k % masks] ^= mul(e, element)
        for i, own in opened.items():
            alphas[i] = own
        total = [0] * masks
        for party in alphas:
            total = [x ^ y for x, y in zip(total, party, strict=True)]
        rest = 0
        for i, share in shares.items():
            values[i] = share[-1]
            for alpha, y in zip(total, multipliers[i], strict=True):
                values[i] ^= mul(alpha, y)
            for e, element in zip(epsilon, zs[i], strict=True):
                values[i] ^= mul(e, element)
            rest ^= values[i]
        for i in opened:
            values[i] = rest
        return self.body2(alphas, values)

    # Signing and verifying.

    def digest_message(self, iv: bytes, ct: bytes, message: bytes) -> bytes:
        """mu (v2.1), or the text itself (v1.0)."""
        return (
            self.xof(b"\x00" + iv + ct + message, 2 * self.size)
            if self.version == 2
            else message + iv + ct
        )

    def challenge(self, h1: bytes) -> list[int]:
        """All epsilons, S + 1 per repetition."""
        return self.elements(self.xof(h1, self.repetitions * (self.sboxes + 1) * self.size))

    def parts(self, secret_key: bytes) -> list[bytes]:
        """key, iv and ct of a secret key."""
        b = self.size
        return [secret_key[-3 * b + i * b : len(secret_key) - 2 * b + i * b] for i in range(3)]

    def sign(self, secret_key: bytes, message: bytes, random: Random) -> bytes:
        """The detached signature."""
        key_bytes, iv, ct = self.parts(secret_key)
        key = int.from_bytes(key_bytes, "little")
        return self.prove(
            [key, *self.sbox_outputs(key)], iv, ct, self.digest_message(iv, ct, message), random
        )

    def prove(
        self, witness: Sequence[int], iv: bytes, ct: bytes, text: bytes, random: Random
    ) -> bytes:
        """The signature that a witness (key, t_1 .. t_S) makes; `text` is what digest_message()
        gives.

        It is right when the relations hold, whether or not the witness is a key.
        """
        b, count, masks = self.size, self.sboxes, self.masks
        if self.version > 1:
            stream = self.xof(
                b"\x03" + self.encode(witness[0]) + text + random(b), b + self.repetitions * b
            )
            salt, roots = stream[:b], [stream[i : i + b] for i in range(b, len(stream), b)]
        else:
            salt, roots = random(2 * b), [random(b) for _ in range(self.repetitions)]
        public = self.public(iv, ct)
        _, multipliers, _ = self.relations(witness, public, True)
        trees, commitments, shares, corrections = [], [], [], []
        for e, root in enumerate(roots):
            nodes = {1: root}
            self.grow(salt, e, nodes)
            leaves = [
                self.expand(salt, e, i, nodes[(1 << self.depth) + i], True)
                for i in range(self.parties)
            ]
            tapes = [self.elements(leaf[2 * b :]) for leaf in leaves]
            sums = [0] * len(tapes[0])
            for tape in tapes:
                sums = [x ^ y for x, y in zip(sums, tape, strict=True)]
            delta = [x ^ y for x, y in zip(witness, sums, strict=False)]
            delta.append(sums[-1])
            for a, y in zip(sums[-1 - masks : -1], multipliers, strict=True):
                delta[-1] ^= self.field.mul(a, y)
            tapes[self.corrected] = self.correct(tapes[self.corrected], delta)
            trees.append(nodes)
            commitments.append([leaf[: 2 * b] for leaf in leaves])
            shares.append(tapes)
            corrections.append(b"".join(map(self.encode, delta)))
        body1 = b"".join(b"".join(c) + d for c, d in zip(commitments, corrections, strict=True))
        h1 = self.xof(b"\x01" + text + salt + body1, 2 * b)
        epsilon = self.challenge(h1)
        texts = [
            self.simulate(
                dict(enumerate(tapes)), public, epsilon[e * (count + 1) : (e + 1) * (count + 1)], {}
            )
            for e, tapes in enumerate(shares)
        ]
        h2 = self.xof(
            b"\x02" + (salt + h1 if self.version == 1 else h1 + salt) + b"".join(texts), 2 * b
        )
        signature = salt + h1 + h2
        for e, hidden in enumerate(self.hidden_parties(h2)):
            path = b"".join(
                bytes(b) if number is None else trees[e][number] for number in self.path(hidden)
            )
            at = hidden * b * (2 if self.version == 1 else masks)
            signature += (
                path + commitments[e][hidden] + corrections[e] + texts[e][at : at + masks * b]
            )
        return signature

    @staticmethod
    def correct(share: Sequence[int], delta: Sequence[int]) -> list[int]:
        """The share with the corrections of key, t_1 .. t_S and c, which is its last element; masks
        are not corrected.
        """
        *first, last = delta
        shifted = [x ^ y for x, y in zip(share, first, strict=False)]
        return [*shifted, *share[len(first) : -1], share[-1] ^ last]

    def verify(self, public_key: bytes, message: bytes, signature: bytes) -> bool:
        """Strictly: the key's id must be right, and path entries without a node must be zero."""
        head = bytes([self.id]) if self.version == 1 else b""
        if len(public_key) != self.public_key_size or not public_key.startswith(head):
            return False
        iv, ct = public_key[-2 * self.size : -self.size], public_key[-self.size :]
        return self.check(iv, ct, self.digest_message(iv, ct, message), signature)

    def check(self, iv: bytes, ct: bytes, text: bytes, signature: bytes) -> bool:
        """Whether the signature is right; `text` is what digest_message() gives."""
        b, count, masks = self.size, self.sboxes, self.masks
        if len(signature) != self.signature_size:
            return False
        salt, rest = signature[: self.salt_size], signature[self.salt_size :]
        h1, h2, rows = rest[: 2 * b], rest[2 * b : 4 * b], rest[4 * b :]
        epsilon = self.challenge(h1)
        public = self.public(iv, ct)
        body1, texts = b"", b""
        for e, hidden in enumerate(self.hidden_parties(h2)):
            row = rows[e * self.row_size : (e + 1) * self.row_size]
            nodes = {}
            for k, number in enumerate(self.path(hidden)):
                entry = row[k * b : (k + 1) * b]
                if number is not None:
                    nodes[number] = entry
                elif any(entry):
                    return False
            self.grow(salt, e, nodes)
            own = row[self.depth * b : (self.depth + 2) * b]
            delta, opened = row[(self.depth + 2) * b : -masks * b], self.elements(row[-masks * b :])
            shares = {}
            for i in range(self.parties):
                if i == hidden:
                    body1 += own
                    continue
                leaf = self.expand(salt, e, i, nodes[(1 << self.depth) + i], True)
                body1 += leaf[: 2 * b]
                shares[i] = self.elements(leaf[2 * b :])
                if i == self.corrected:
                    shares[i] = self.correct(shares[i], self.elements(delta))
            body1 += delta
            texts += self.simulate(
                shares, public, epsilon[e * (count + 1) : (e + 1) * (count + 1)], {hidden: opened}
            )
        right1 = self.xof(b"\x01" + text + salt + body1, 2 * b) == h1
        return (
            right1
            and self.xof(b"\x02" + (salt + h1 if self.version == 1 else h1 + salt) + texts, 2 * b)
            == h2
        )


def _sets() -> Iterator[Aimer]:
    for n, fast, small in ((128, 33, 17), (192, 49, 25), (256, 65, 33)):
        yield Aimer(f"aimer2-{n}f", 2, n, 0, fast, 16, 4)
        yield Aimer(f"aimer2-{n}s", 2, n, 0, small, 256, 8)
    number = 0
    for n, rows in (
        (128, ((33, 16), (23, 57), (17, 256), (13, 1615))),
        (192, ((49, 16), (33, 64), (25, 256), (19, 1621))),
        (256, ((65, 16), (44, 62), (33, 256), (25, 1623))),
    ):
        for parameter, (repetitions, parties) in enumerate(rows, start=1):
            number += 1
            level = {128: 1, 192: 3, 256: 5}[n]
            yield Aimer(
                f"aimer1-l{level}-param{parameter}",
                1,
                n,
                number,
                repetitions,
                parties,
                (parties - 1).bit_length(),
            )


VARIANTS = {aimer.name: aimer for aimer in _sets()}
SHARES = {"aimer": Shares()}
