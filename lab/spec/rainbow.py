# SPDX-License-Identifier: Apache-2.0
"""Rainbow (NIST PQC round-3 specification): key generation, signing and verification of the nine
parameter sets. Rainbow is broken: for study only.

Coefficients are kept as the specification's matrices: a block over two groups of variables is a
list of rows, and a row is the packed coefficient vectors of its pairs, one element per equation of
the layer, one vector after the other. Triangles are squares whose lower half is zero.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .aes import VARIANTS as AES
from .aes import _xor
from .field import FIELDS, Field

Block = list[bytes]  # rows
Matrix = list[bytes]  # columns, one element per byte
Layer = dict[str, Block]

GROUPS = ("VV", "VA", "VB", "AA", "AB", "BB")
CENTRAL = {1: ("VV", "VA"), 2: ("VV", "VA", "VB", "AA", "AB")}  # blocks that the central map has
# in the order of keys and generators
DRAWN = [(layer, name) for layer in (1, 2) for name in CENTRAL[layer]]
# of a public key that is not classic
STORED = [(1, "VB"), (1, "AA"), (1, "AB"), (1, "BB"), (2, "BB")]
DRAWS = 128


class Generator:
    """CTR_DRBG of NIST SP 800-90A with AES-256, without derivation function; how a stream is split
    over calls matters.
    """

    def __init__(self, seed: bytes) -> None:
        self.key, self.counter = bytes(32), 0
        self._restart(seed)

    def _blocks(self, size: int) -> bytes:
        counter = ((self.counter + 1) % (1 << 128)).to_bytes(16, "big")
        made = AES["aes256"].stream(size, counter, AES["aes256"].expand(self.key))
        self.counter = (self.counter + (size + 15) // 16) % (1 << 128)
        return made

    def _restart(self, data: bytes) -> None:
        fresh = _xor(self._blocks(48), data)
        self.key, self.counter = fresh[:32], int.from_bytes(fresh[32:], "big")

    def draw(self, size: int) -> bytes:
        """The next bytes: the rest of the last block is dropped, and the key changes."""
        made = self._blocks(size)
        self._restart(bytes(48))
        return made


@dataclass(frozen=True)
class Rainbow:
    """One parameter set; sizes in bytes, `v`, `o1`, `o2` in variables."""

    name: str
    variant: str
    field: Field
    v: int
    o1: int
    o2: int
    hash: str

    def packed(self, elements: int) -> int:
        """Bytes of a packed vector."""
        return elements * self.field.bits // 8

    @cached_property
    def size(self) -> dict[str, int]:
        """Variables of each group."""
        return {"V": self.v, "A": self.o1, "B": self.o2}

    @cached_property
    def width(self) -> dict[int, int]:
        """Bytes of a coefficient vector of each layer."""
        return {1: self.packed(self.o1), 2: self.packed(self.o2)}

    @cached_property
    def _scalings(self) -> list[bytes]:
        """For each constant the table that multiplies a packed byte by it."""
        if self.field.bits == 8:
            return self.field.table
        return [
            bytes(row[low] | row[high] << 4 for high in range(16) for low in range(16))
            for row in self.field.table
        ]

    def combine(self, constants: Sequence[int], rows: Sequence[bytes]) -> bytes:
        """The sum of constants[k] * rows[k]."""
        total = 0
        for constant, row in zip(constants, rows, strict=True):
            if constant:
                total ^= int.from_bytes(row.translate(self._scalings[constant]), "big")
        return total.to_bytes(len(rows[0]), "big")

    # Blocks and matrices

    def length(self, layer: int, name: str) -> int:
        """Bytes of a block in a key."""
        rows, columns = self.size[name[0]], self.size[name[1]]
        return (rows * (rows + 1) // 2 if name[0] == name[1] else rows * columns) * self.width[
            layer
        ]

    def parse(self, data: bytes, layer: int, name: str) -> Block:
        """The block that the bytes of a key hold."""
        rows, row = self.size[name[0]], self.size[name[1]] * self.width[layer]
        block, at = [], 0
        for i in range(rows):
            skipped = i * self.width[layer] if name[0] == name[1] else 0
            block.append(bytes(skipped) + data[at : at + row - skipped])
            at += row - skipped
        return block

    def serial(self, block: Block, layer: int, name: str) -> bytes:
        """The other way."""
        return b"".join(
            row[i * self.width[layer] if name[0] == name[1] else 0 :] for i, row in enumerate(block)
        )

    def matrix(self, data: bytes, rows: int) -> Matrix:
        """A matrix from its packed columns."""
        step = self.packed(rows)
        return [self.field.unpack(data[at : at + step]) for at in range(0, len(data), step)]

    @staticmethod
    def turned(block: Block, width: int) -> Block:
        """M': rows become columns."""
        return [
            b"".join(row[at : at + width] for row in block) for at in range(0, len(block[0]), width)
        ]

    @staticmethod
    def added(*blocks: Block) -> Block:
        """Sum."""
        total = blocks[0]
        for block in blocks[1:]:
            total = [_xor(a, b) for a, b in zip(total, block, strict=True)]
        return total

    def left(self, t: Matrix, block: Block) -> Block:
        """T' M."""
        return [self.combine(column, block) for column in t]

    def right(self, block: Block, t: Matrix, width: int) -> Block:
        """M T."""
        return self.turned(self.left(t, self.turned(block, width)), width)

    def fold(self, block: Block, width: int) -> Block:
        """The upper triangular matrix with the same polynomial."""
        both = self.added(block, self.turned(block, width))
        return [
            bytes(i * width) + row[i * width : (i + 1) * width] + two[(i + 1) * width :]
            for i, (row, two) in enumerate(zip(block, both, strict=True))
        ]

    def sym(self, block: Block, width: int) -> Block:
        """M + M'."""
        return self.added(block, self.turned(block, width))

    def zero(self, layer: int, name: str) -> Block:
        """A block without coefficients."""
        return [bytes(self.size[name[1]] * self.width[layer])] * self.size[name[0]]

    # Section 5: the maps

    def forward(self, f: Layer, layer: int, t1: Matrix, t2: Matrix, t3: Matrix) -> Layer:
        """Q = fold(T' F T) by blocks."""
        w = self.width[layer]
        f = {name: f.get(name) or self.zero(layer, name) for name in GROUPS}
        half = self.added(self.right(f["VV"], t2, w), self.right(f["VA"], t3, w), f["VB"])
        vb = self.added(
            self.right(self.sym(f["VV"], w), t2, w), self.right(f["VA"], t3, w), f["VB"]
        )
        return {
            "VV": f["VV"],
            "VA": self.added(f["VA"], self.right(self.sym(f["VV"], w), t1, w)),
            "AA": self.added(
                self.fold(self.left(t1, self.added(self.right(f["VV"], t1, w), f["VA"])), w),
                f["AA"],
            ),
            "VB": vb,
            "AB": self.added(
                self.left(t1, vb),
                self.right(self.turned(f["VA"], w), t2, w),
                self.right(self.sym(f["AA"], w), t3, w),
                f["AB"],
            ),
            "BB": self.fold(
                self.added(
                    self.left(t2, half),
                    self.left(t3, self.added(self.right(f["AA"], t3, w), f["AB"])),
                ),
                w,
            ),
        }

    def backward(self, q: Layer, layer: int, t1: Matrix, t4: Matrix, t3: Matrix) -> Layer:
        """F from the blocks of Q that it has."""
        w = self.width[layer]
        f = {"VV": q["VV"], "VA": self.added(q["VA"], self.right(self.sym(q["VV"], w), t1, w))}
        if layer == 2:
            f["VB"] = self.added(
                q["VB"], self.right(self.sym(q["VV"], w), t4, w), self.right(q["VA"], t3, w)
            )
            f["AA"] = self.added(
                q["AA"],
                self.fold(self.left(t1, self.added(self.right(q["VV"], t1, w), q["VA"])), w),
            )
            f["AB"] = self.added(
                self.left(t1, f["VB"]),
                self.right(self.turned(q["VA"], w), t4, w),
                self.right(self.sym(q["AA"], w), t3, w),
                q["AB"],
            )
        return f

    def mixed(self, first: Block, second: Block, s1: Matrix) -> Block:
        """For every pair the vector of layer 1, and S1 times that of layer 2 added."""
        w1, w2 = self.width[1], self.width[2]
        columns = [self.field.pack(column) for column in s1]
        rows = []
        for one, two in zip(first, second, strict=True):
            products = (
                self.combine(self.field.unpack(two[at : at + w2]), columns)
                for at in range(0, len(two), w2)
            )
            rows.append(_xor(one, b"".join(products)))
        assert all(len(row) % w1 == 0 for row in rows)
        return rows

    # Sections 6 and 7: keys

    def digest(self, data: bytes) -> bytes:
        """The hash of the level."""
        return hashlib.new(self.hash, data).digest()

    def generator(self, seed: bytes) -> Generator:
        """From a seed that its hash fills up, or that is cut, to 48 bytes."""
        return Generator((seed + self.digest(seed))[:48])

    def secret(self, seed: bytes) -> tuple[dict[str, Any], Generator]:
        """S1, T1, T2, T3 and T4 from the seed of the secret key, and the generator, which the
        classic variant draws on.
        """
        g = self.generator(seed)
        v, a, b = self.size.values()
        found: dict[str, Any] = {}
        for name, rows, columns in (("S1", a, b), ("T1", v, a), ("T2", v, b), ("T3", a, b)):
            found[name] = self.matrix(g.draw(columns * self.packed(rows)), rows)
        found["T4"] = [
            bytes(
                x ^ y
                for x, y in zip(
                    self.field.unpack(
                        self.combine(column, [self.field.pack(t) for t in found["T1"]])
                    ),
                    own,
                    strict=True,
                )
            )
            for column, own in zip(found["T3"], found["T2"], strict=True)
        ]
        return found, g

    def draw(self, g: Generator) -> dict[int, Layer]:
        """The blocks of the central map, or the like-named ones of a public map, one call each."""
        layers: dict[int, Layer] = {1: {}, 2: {}}
        for layer, name in DRAWN:
            layers[layer][name] = self.parse(g.draw(self.length(layer, name)), layer, name)
        return layers

    def maps(self, sk_seed: bytes, pk_seed: bytes) -> dict[str, Any]:
        """All that a key is made of: S1, T1 .. T4, and the layers of F, Q and P."""
        s, g = self.secret(sk_seed)
        t = (s["T1"], s["T2"], s["T3"])
        if self.variant == "classic":
            f = self.draw(g)
            q = {layer: self.forward(f[layer], layer, *t) for layer in (1, 2)}
        else:
            known = self.draw(self.generator(pk_seed))
            back = (s["T1"], s["T4"], s["T3"])
            undone = {
                name: self.mixed(known[1][name], known[2][name], s["S1"]) for name in CENTRAL[1]
            }
            f = {1: self.backward(undone, 1, *back), 2: self.backward(known[2], 2, *back)}
            q = {layer: self.forward(f[layer], layer, *t) for layer in (1, 2)}
            assert all(q[2][name] == known[2][name] for name in CENTRAL[2])
        p = {1: {name: self.mixed(q[1][name], q[2][name], s["S1"]) for name in GROUPS}, 2: q[2]}
        return s | {"F": f, "Q": q, "P": p}

    def keypair(self, seeds: bytes) -> tuple[bytes, bytes]:
        """(public key, secret key) from the seeds of the secret and of the public key, 32 bytes
        each; the classic variant has only the first.
        """
        sk_seed, pk_seed = seeds[:32], seeds[32:64]
        made = self.maps(sk_seed, pk_seed)
        if self.variant == "classic":
            public = self.whole(made["P"])
        else:
            public = pk_seed + b"".join(
                self.serial(made["P"][layer][name], layer, name) for layer, name in STORED
            )
        if self.variant == "compressed":
            return public, pk_seed + sk_seed
        matrices = b"".join(
            self.field.pack(column) for name in ("S1", "T1", "T4", "T3") for column in made[name]
        )
        return public, sk_seed + matrices + b"".join(
            self.serial(made["F"][layer][name], layer, name) for layer, name in DRAWN
        )

    def pairs(self, layers: dict[int, Layer]) -> Iterator[bytes]:
        """Of every pair of variables the vectors of both layers side by side, in the order of a
        classic public key.
        """
        groups = [(name, i) for name in "VAB" for i in range(self.size[name])]
        for place, (x, i) in enumerate(groups):
            for y, j in groups[place:]:
                yield b"".join(
                    layers[layer][x + y][i][j * w : (j + 1) * w] for layer, w in self.width.items()
                )

    def whole(self, layers: dict[int, Layer]) -> bytes:
        """A classic public key."""
        return b"".join(self.pairs(layers))

    # Section 8: signing

    def target(self, digest: bytes, salt: bytes) -> bytes:
        """z: the hash of both, continued by the hash of each block."""
        block = made = self.digest(digest + salt)
        while len(made) < self.width[1] + self.width[2]:
            block = self.digest(block)
            made += block
        return made[: self.width[1] + self.width[2]]

    def form(self, block: Block, x: bytes, width: int) -> bytes:
        """A triangular block at a point."""
        rows = [
            self.combine(x, [row[at : at + width] for at in range(0, len(row), width)])
            for row in block
        ]
        return self.combine(x, rows)

    def columns(self, x: bytes, block: Block, width: int) -> list[bytes]:
        """The columns of the matrix that a block becomes when its first variables are set."""
        row = self.combine(x, block)
        return [row[at : at + width] for at in range(0, len(row), width)]

    def long_key(self, secret_key: bytes) -> bytes:
        """The secret key in its long form."""
        if self.variant != "compressed":
            return secret_key
        return VARIANTS[self.name.replace("compressed", "cz")].keypair(
            secret_key[32:] + secret_key[:32]
        )[1]

    def sign(self, secret_key: bytes, message: bytes) -> bytes:
        """A signature; ValueError when 127 draws did not suffice."""
        signature: bytes = self.signing(secret_key, message)["signature"]
        return signature

    def signing(self, secret_key: bytes, message: bytes) -> dict[str, Any]:
        """A signature with what led to it, by the specification's names."""
        field, (w1, w2) = self.field, self.width.values()
        parts, at = {}, 32
        key = self.long_key(secret_key)
        for name, rows, columns in (
            ("S1", self.o1, self.o2),
            ("T1", self.v, self.o1),
            ("T4", self.v, self.o2),
            ("T3", self.o1, self.o2),
        ):
            step = self.packed(rows)
            parts[name] = [key[at + i * step : at + (i + 1) * step] for i in range(columns)]
            at += columns * step
        f: dict[int, Layer] = {1: {}, 2: {}}
        for layer, name in DRAWN:
            f[layer][name] = self.parse(key[at : at + self.length(layer, name)], layer, name)
            at += self.length(layer, name)
        digest = self.digest(message)
        seed = self.digest(key[:32] + digest)
        g, draws = self.generator(seed), 0
        seen: dict[str, Any] = {"digest": digest, "signing_generator_seed": seed}
        zero = bytes(self.o1)

        def tried() -> int:
            if draws == DRAWS:
                raise ValueError(f"no signature after {DRAWS} draws")
            return draws + 1

        while True:
            draws = tried()
            vinegars = g.draw(self.packed(self.v))
            a = field.unpack(vinegars)
            m1 = self.columns(a, f[1]["VA"], w1)
            if field.solve([field.unpack(column) for column in m1], zero) is not None:
                break
        c1, c2 = self.form(f[1]["VV"], a, w1), self.form(f[2]["VV"], a, w2)
        n, r_columns = self.columns(a, f[2]["VB"], w2), self.columns(a, f[2]["VA"], w2)
        seen |= {
            "vinegar_draws": draws,
            "vinegars": vinegars,
            "M1": m1,
            "c1": c1,
            "c2": c2,
            "N": n,
            "R": r_columns,
        }
        while True:
            draws = tried()
            salt = g.draw(16)
            z = self.target(digest, salt)
            y1, y2 = _xor(z[:w1], self.combine(field.unpack(z[w1:]), parts["S1"])), z[w1:]
            b = field.solve([field.unpack(column) for column in m1], field.unpack(_xor(y1, c1)))
            assert b is not None
            right = _xor(
                _xor(_xor(y2, c2), self.combine(b, r_columns)), self.form(f[2]["AA"], b, w2)
            )
            m2 = [
                _xor(one, two) for one, two in zip(n, self.columns(b, f[2]["AB"], w2), strict=True)
            ]
            last = field.solve([field.unpack(column) for column in m2], field.unpack(right))
            if last is not None:
                break
        if draws >= DRAWS:
            raise ValueError(f"no signature after {DRAWS} draws")
        s_v = _xor(_xor(vinegars, self.combine(b, parts["T1"])), self.combine(last, parts["T4"]))
        s = s_v + _xor(field.pack(b), self.combine(last, parts["T3"])) + field.pack(last)
        seen |= {
            "salt_draws": draws - seen["vinegar_draws"],
            "salt": salt,
            "z": z,
            "y1": y1,
            "y2": y2,
            "b": field.pack(b),
            "r": right,
            "M2": m2,
        }
        return seen | {"g": field.pack(last), "s": s, "signature": s + salt}

    # Section 9: verification

    def public_pairs(self, public_key: bytes) -> Iterator[bytes]:
        """The coefficients of a public key, as `pairs` has them."""
        if self.variant == "classic":
            width = self.width[1] + self.width[2]
            return (public_key[at : at + width] for at in range(0, len(public_key), width))
        layers, at = self.draw(self.generator(public_key[:32])), 32
        for layer, name in STORED:
            layers[layer][name] = self.parse(
                public_key[at : at + self.length(layer, name)], layer, name
            )
            at += self.length(layer, name)
        return self.pairs(layers)

    def public_map(self, public_key: bytes, s: bytes) -> bytes:
        """P at the packed vector s."""
        x = self.field.unpack(s)
        products = [
            self.field.multiply(x[i], x[j]) for i in range(len(x)) for j in range(i, len(x))
        ]
        return self.combine(products, list(self.public_pairs(public_key)))

    @property
    def signature_size(self) -> int:
        """Bytes of a signature."""
        return self.packed(self.v + self.o1 + self.o2) + 16

    def verify(self, public_key: bytes, message: bytes, signature: bytes) -> bool:
        """Whether it is a signature of the message."""
        if len(signature) != self.signature_size:
            return False
        s, salt = signature[:-16], signature[-16:]
        return self.public_map(public_key, s) == self.target(self.digest(message), salt)


def _sets() -> Iterator[Rainbow]:
    for level, field, *numbers, hash_ in (
        ("i", "gf16", 36, 32, 32, "sha256"),
        ("iii", "gf256", 68, 32, 48, "sha384"),
        ("v", "gf256", 96, 36, 64, "sha512"),
    ):
        for variant in ("classic", "cz", "compressed"):
            v, o1, o2 = (int(number) for number in numbers)
            yield Rainbow(
                f"rainbow-{level}-{variant}", variant, FIELDS[str(field)], v, o1, o2, str(hash_)
            )


VARIANTS = {found.name: found for found in _sets()}
