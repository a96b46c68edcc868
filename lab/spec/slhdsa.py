# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA with SHAKE: NIST FIPS 205, "Stateless Hash-Based Digital Signature Standard", 2024.

Integers in addresses, indices and encodings are big-endian. Sections, algorithms and equations are
those of FIPS 205. Where the standard passes an address that each function changes, these functions
take the layer and the tree index, and write every address out in full.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from .word import check_length

CONTEXT_MAX = 255  # bytes: the length is encoded in one
DIGIT = 4  # lg_w: bits of a digit that one WOTS+ chain signs (section 11, table 2)
STEPS = (1 << DIGIT) - 1  # w - 1: steps of a whole chain


class Kind(IntEnum):
    """The type of an address (section 4.2)."""

    WOTS_HASH = 0
    WOTS_PK = 1
    TREE = 2
    FORS_TREE = 3
    FORS_ROOTS = 4
    WOTS_PRF = 5
    FORS_PRF = 6


# Layer, tree index, type and three words that depend on the type. The tree index has 96 bits in the
# standard, of which no parameter set uses more than 64.
ADDRESS = struct.Struct(">I4xQ4I")


@dataclass(frozen=True)
class PreHash:
    """A function that hashes the message first: the last byte of its object identifier, its output
    in bytes, and its strength against collisions in bits.
    """

    function: Callable[[bytes], Any]
    oid: int
    size: int
    strength: int


# Section 10.2.2. The standard allows other hash functions, which are not offered here.
PRE_HASHES = {
    "SHAKE128": PreHash(hashlib.shake_128, 11, 32, 128),
    "SHAKE256": PreHash(hashlib.shake_256, 12, 64, 256),
}
# DER encoding of 2.16.840.1.101.3.4.2, the arc of the hash functions; one more byte follows.
HASH_ARC = bytes.fromhex("06096086480165030402")


def base_2b(data: bytes, bits: int, count: int) -> list[int]:
    """The first `count` numbers of `bits` bits in a byte string, from its most significant bit on
    (section 4.4, algorithm 4).
    """
    number = int.from_bytes(data, "big") >> (8 * len(data) - bits * count)
    return [number >> bits * i & ((1 << bits) - 1) for i in reversed(range(count))]


def pieces(data: bytes, *sizes: int) -> Iterator[bytes]:
    """Consecutive pieces of a byte string; ValueError unless they are all of it."""
    check_length("data to cut up", data, sum(sizes))
    at = 0
    for size in sizes:
        yield data[at : at + size]
        at += size


@dataclass(frozen=True)
class SlhDsa:
    """One parameter set (section 11, table 2).

    n: bytes of a hash value; h: height of the hypertree; d: its layers; a: height of a FORS tree;
    k: number of FORS trees. Nothing here hides secrets.
    """

    name: str
    n: int
    h: int
    d: int
    a: int
    k: int

    # Sizes.

    @property
    def height(self) -> int:
        """h': height of one XMSS tree."""
        return self.h // self.d

    @property
    def len1(self) -> int:
        """Digits of a value that WOTS+ signs (equation 5.2)."""
        return 8 * self.n // DIGIT

    @property
    def len2(self) -> int:
        """Digits of its checksum (equation 5.3)."""
        return ((self.len1 * STEPS).bit_length() - 1) // DIGIT + 1

    @property
    def chains(self) -> int:
        """len: chains of a WOTS+ key (equation 5.4)."""
        return self.len1 + self.len2

    @property
    def digest_parts(self) -> tuple[int, int, int]:
        """Bytes of the digest for FORS, for the index of the tree and for that of the leaf."""
        return (
            (self.k * self.a + 7) // 8,
            (self.h - self.height + 7) // 8,
            (self.height + 7) // 8,
        )

    @property
    def digest_size(self) -> int:
        """m: length of the message digest in bytes."""
        return sum(self.digest_parts)

    @property
    def public_key_size(self) -> int:
        """Length of PK.seed || PK.root in bytes (section 9.1)."""
        return 2 * self.n

    @property
    def secret_key_size(self) -> int:
        """Length of SK.seed || SK.prf || PK.seed || PK.root in bytes (section 9.1)."""
        return 4 * self.n

    @property
    def fors_size(self) -> int:
        """Length of a FORS signature in bytes: per tree one secret and a path."""
        return self.k * (1 + self.a) * self.n

    @property
    def xmss_size(self) -> int:
        """Length of an XMSS signature in bytes: a WOTS+ signature and a path."""
        return (self.chains + self.height) * self.n

    @property
    def signature_size(self) -> int:
        """Length of a signature in bytes: R, a FORS signature, one XMSS signature per layer
        (section 9.2).
        """
        return self.n + self.fors_size + self.d * self.xmss_size

    def values(self, data: bytes) -> list[bytes]:
        """The hash values of n bytes that a byte string consists of."""
        return [data[at : at + self.n] for at in range(0, len(data), self.n)]

    # Hash functions (section 11.1).

    def hash(self, pk_seed: bytes, data: bytes, *address: int) -> bytes:
        """F, H, T_l and, of SK.seed, PRF: with SHAKE they are one function, of n bytes."""
        return hashlib.shake_256(pk_seed + ADDRESS.pack(*address) + data).digest(self.n)

    def prf_msg(self, sk_prf: bytes, opt_rand: bytes, message: bytes) -> bytes:
        """R, n bytes."""
        return hashlib.shake_256(sk_prf + opt_rand + message).digest(self.n)

    def h_msg(self, r: bytes, public_key: bytes, message: bytes) -> bytes:
        """The digest of a message, m bytes."""
        return hashlib.shake_256(r + public_key + message).digest(self.digest_size)

    # WOTS+ (section 5).

    def chain(self, x: bytes, start: int, steps: int, pk_seed: bytes, *place: int) -> bytes:
        """`steps` steps of one chain from step `start` on (algorithm 5); `place` is layer, tree,
        leaf and chain.
        """
        layer, tree, leaf, i = place
        for j in range(start, start + steps):
            x = self.hash(pk_seed, x, layer, tree, Kind.WOTS_HASH, leaf, i, j)
        return x

    def wots_digits(self, message: bytes) -> list[int]:
        """Digits of n bytes and of their checksum (algorithm 7)."""
        digits = base_2b(message, DIGIT, self.len1)
        checksum = sum(STEPS - digit for digit in digits) << -self.len2 * DIGIT % 8
        size = (self.len2 * DIGIT + 7) // 8
        return digits + base_2b(checksum.to_bytes(size, "big"), DIGIT, self.len2)

    def wots_sign(
        self,
        digits: Sequence[int],
        sk_seed: bytes,
        pk_seed: bytes,
        layer: int,
        tree: int,
        leaf: int,
    ) -> list[bytes]:
        """The value of each chain after as many steps as its digit says (section 5.2)."""
        values = []
        for i, digit in enumerate(digits):
            secret = self.hash(pk_seed, sk_seed, layer, tree, Kind.WOTS_PRF, leaf, i, 0)
            values.append(self.chain(secret, 0, digit, pk_seed, layer, tree, leaf, i))
        return values

    def wots_public(
        self, ends: Sequence[bytes], pk_seed: bytes, layer: int, tree: int, leaf: int
    ) -> bytes:
        """The compressed public key, from the ends of all chains (algorithm 6)."""
        return self.hash(pk_seed, b"".join(ends), layer, tree, Kind.WOTS_PK, leaf, 0, 0)

    def wots_from_signature(
        self, signature: bytes, message: bytes, pk_seed: bytes, layer: int, tree: int, leaf: int
    ) -> bytes:
        """The public key that a signature of n bytes leads to (section 5.3, algorithm 8)."""
        digits = self.wots_digits(message)
        ends = [
            self.chain(value, digit, STEPS - digit, pk_seed, layer, tree, leaf, i)
            for i, (value, digit) in enumerate(zip(self.values(signature), digits, strict=True))
        ]
        return self.wots_public(ends, pk_seed, layer, tree, leaf)

    # XMSS (section 6).

    def xmss_node(
        self, sk_seed: bytes, i: int, z: int, pk_seed: bytes, layer: int, tree: int
    ) -> bytes:
        """Node i at height z of a tree (section 6.1, algorithm 9); the leaves are public keys of
        WOTS+ (section 5.1).
        """
        if z == 0:
            whole = [STEPS] * self.chains
            ends = self.wots_sign(whole, sk_seed, pk_seed, layer, tree, i)
            return self.wots_public(ends, pk_seed, layer, tree, i)
        children = b"".join(
            self.xmss_node(sk_seed, child, z - 1, pk_seed, layer, tree)
            for child in (2 * i, 2 * i + 1)
        )
        return self.hash(pk_seed, children, layer, tree, Kind.TREE, 0, z, i)

    def xmss_sign(
        self, message: bytes, sk_seed: bytes, leaf: int, pk_seed: bytes, layer: int, tree: int
    ) -> bytes:
        """A WOTS+ signature of n bytes and the path of its key (section 6.2, algorithm 10)."""
        digits = self.wots_digits(message)
        path = (
            self.xmss_node(sk_seed, leaf >> z ^ 1, z, pk_seed, layer, tree)
            for z in range(self.height)
        )
        return b"".join((*self.wots_sign(digits, sk_seed, pk_seed, layer, tree, leaf), *path))

    def xmss_root(
        self, leaf: int, signature: bytes, message: bytes, pk_seed: bytes, layer: int, tree: int
    ) -> bytes:
        """The root that a signature leads to (section 6.3, algorithm 11)."""
        wots, path = pieces(signature, self.chains * self.n, self.height * self.n)
        node = self.wots_from_signature(wots, message, pk_seed, layer, tree, leaf)
        return self.climb(node, leaf, path, pk_seed, layer, tree, Kind.TREE, 0)

    def climb(self, node: bytes, index: int, path: bytes, pk_seed: bytes, *place: int) -> bytes:
        """The root above a leaf, by its path (algorithms 11 and 17); `place` is the address up to
        the height.
        """
        for z, sibling in enumerate(self.values(path), start=1):
            children = sibling + node if index & 1 else node + sibling
            index >>= 1
            node = self.hash(pk_seed, children, *place, z, index)
        return node

    # The hypertree (section 7).

    def way_up(self, tree: int, leaf: int) -> Iterator[tuple[int, int, int]]:
        """Layer, tree and leaf of each XMSS signature, from the bottom to the top."""
        for layer in range(self.d):
            yield layer, tree, leaf
            tree, leaf = tree >> self.height, tree & ((1 << self.height) - 1)

    def ht_sign(
        self, message: bytes, sk_seed: bytes, pk_seed: bytes, tree: int, leaf: int
    ) -> bytes:
        """One XMSS signature per layer, each of the root below (section 7.1, algorithm 12)."""
        signatures = []
        for layer, at, key in self.way_up(tree, leaf):
            signatures.append(self.xmss_sign(message, sk_seed, key, pk_seed, layer, at))
            message = self.xmss_root(key, signatures[-1], message, pk_seed, layer, at)
        return b"".join(signatures)

    def ht_root(
        self, message: bytes, signature: bytes, pk_seed: bytes, tree: int, leaf: int
    ) -> bytes:
        """The root that a signature leads to (section 7.2, algorithm 13)."""
        layers = pieces(signature, *[self.xmss_size] * self.d)
        for part, (layer, at, key) in zip(layers, self.way_up(tree, leaf), strict=True):
            message = self.xmss_root(key, part, message, pk_seed, layer, at)
        return message

    # FORS (section 8). Leaves are numbered through all k trees.

    def fors_secret(self, sk_seed: bytes, pk_seed: bytes, tree: int, leaf: int, i: int) -> bytes:
        """The secret of leaf i (section 8.1, algorithm 14)."""
        return self.hash(pk_seed, sk_seed, 0, tree, Kind.FORS_PRF, leaf, 0, i)

    def fors_leaf(self, secret: bytes, pk_seed: bytes, tree: int, leaf: int, i: int) -> bytes:
        """Leaf i, which is the hash of its secret (algorithm 15)."""
        return self.hash(pk_seed, secret, 0, tree, Kind.FORS_TREE, leaf, 0, i)

    def fors_node(
        self, sk_seed: bytes, i: int, z: int, pk_seed: bytes, tree: int, leaf: int
    ) -> bytes:
        """Node i at height z (section 8.2, algorithm 15)."""
        if z == 0:
            secret = self.fors_secret(sk_seed, pk_seed, tree, leaf, i)
            return self.fors_leaf(secret, pk_seed, tree, leaf, i)
        children = b"".join(
            self.fors_node(sk_seed, child, z - 1, pk_seed, tree, leaf)
            for child in (2 * i, 2 * i + 1)
        )
        return self.hash(pk_seed, children, 0, tree, Kind.FORS_TREE, leaf, z, i)

    def fors_leaves(self, digest: bytes) -> list[int]:
        """The leaf of each tree that a digest opens."""
        return [(i << self.a) + x for i, x in enumerate(base_2b(digest, self.a, self.k))]

    def fors_sign(
        self, digest: bytes, sk_seed: bytes, pk_seed: bytes, tree: int, leaf: int
    ) -> bytes:
        """A secret and its path for each tree (section 8.3, algorithm 16)."""
        return b"".join(
            self.fors_secret(sk_seed, pk_seed, tree, leaf, i)
            + b"".join(
                self.fors_node(sk_seed, i >> z ^ 1, z, pk_seed, tree, leaf) for z in range(self.a)
            )
            for i in self.fors_leaves(digest)
        )

    def fors_public(
        self, signature: bytes, digest: bytes, pk_seed: bytes, tree: int, leaf: int
    ) -> bytes:
        """The public key that a signature leads to (section 8.4, algorithm 17)."""
        openings = pieces(signature, *[(1 + self.a) * self.n] * self.k)
        roots = []
        for i, opening in zip(self.fors_leaves(digest), openings, strict=True):
            secret, path = pieces(opening, self.n, self.a * self.n)
            node = self.fors_leaf(secret, pk_seed, tree, leaf, i)
            roots.append(self.climb(node, i, path, pk_seed, 0, tree, Kind.FORS_TREE, leaf))
        return self.hash(pk_seed, b"".join(roots), 0, tree, Kind.FORS_ROOTS, leaf, 0, 0)

    # Internal functions (section 9), which ACVP tests; an application must not call them.

    def keypair(self, sk_seed: bytes, sk_prf: bytes, pk_seed: bytes) -> tuple[bytes, bytes]:
        """The public key and the secret key of three seeds of n bytes (section 9.1, algorithm 18).

        ValueError for a seed of another length.
        """
        for what, seed in (("SK.seed", sk_seed), ("SK.prf", sk_prf), ("PK.seed", pk_seed)):
            check_length(f"{self.name} {what}", seed, self.n)
        public = pk_seed + self.xmss_node(sk_seed, 0, self.height, pk_seed, self.d - 1, 0)
        return public, sk_seed + sk_prf + public

    def split_digest(self, digest: bytes) -> tuple[bytes, int, int]:
        """What FORS signs, and the indices of tree and leaf (algorithm 19)."""
        md, tree, leaf = pieces(digest, *self.digest_parts)
        return (
            md,
            int.from_bytes(tree, "big") & ((1 << self.h - self.height) - 1),
            int.from_bytes(leaf, "big") & ((1 << self.height) - 1),
        )

    def sign_internal(
        self, secret_key: bytes, message: bytes, randomness: bytes | None = None
    ) -> bytes:
        """The signature of an encoded message (section 9.2, algorithm 19).

        `randomness` (addrnd) has n bytes; without it, the signature is deterministic. ValueError
        for a secret key or randomness of another length.
        """
        check_length(f"{self.name} secret key", secret_key, self.secret_key_size)
        sk_seed, sk_prf, pk_seed, _ = self.values(secret_key)
        opt_rand = pk_seed if randomness is None else randomness
        check_length(f"{self.name} randomness", opt_rand, self.n)
        r = self.prf_msg(sk_prf, opt_rand, message)
        md, tree, leaf = self.split_digest(self.h_msg(r, secret_key[2 * self.n :], message))
        fors = self.fors_sign(md, sk_seed, pk_seed, tree, leaf)
        key = self.fors_public(fors, md, pk_seed, tree, leaf)
        return r + fors + self.ht_sign(key, sk_seed, pk_seed, tree, leaf)

    def verify_internal(self, public_key: bytes, message: bytes, signature: bytes) -> bool:
        """Whether the signature is that of an encoded message; never for a key or a signature of
        another length (section 9.3, algorithm 20).
        """
        if len(public_key) != self.public_key_size or len(signature) != self.signature_size:
            return False
        pk_seed, pk_root = self.values(public_key)
        r, fors, hypertree = pieces(signature, self.n, self.fors_size, self.d * self.xmss_size)
        md, tree, leaf = self.split_digest(self.h_msg(r, public_key, message))
        key = self.fors_public(fors, md, pk_seed, tree, leaf)
        return self.ht_root(key, hypertree, pk_seed, tree, leaf) == pk_root

    # What an application calls (section 10).

    def hash_function(self, pre_hash: str | None) -> PreHash | None:
        """The hash function of that name, or None for pure mode (section 10.2.2).

        ValueError for a function that is not offered, or that is weaker against collisions than
        the 8n bits of the parameter set.
        """
        if pre_hash is None:
            return None
        allowed = {name: it for name, it in PRE_HASHES.items() if it.strength >= 8 * self.n}
        if pre_hash not in allowed:
            raise ValueError(
                f"{self.name} pre-hash: {pre_hash!r} given, {' or '.join(allowed)} expected"
            )
        return allowed[pre_hash]

    def encode(self, message: bytes, context: bytes, pre_hash: str | None) -> bytes:
        """M': the message, or its hash, after the mode and the context (algorithms 22 and 23).

        ValueError for a context of more than 255 bytes and for a hash function that `hash_function`
        refuses.
        """
        function = self.hash_function(pre_hash)
        if len(context) > CONTEXT_MAX:
            raise ValueError(
                f"{self.name} context: {len(context)} bytes given, at most {CONTEXT_MAX} expected"
            )
        prefix = bytes([function is not None, len(context)]) + context
        if function is None:
            return prefix + message
        digest: bytes = function.function(message).digest(function.size)
        return prefix + HASH_ARC + bytes([function.oid]) + digest

    def sign(
        self,
        secret_key: bytes,
        message: bytes,
        randomness: bytes | None = None,
        context: bytes = b"",
        pre_hash: str | None = None,
    ) -> bytes:
        """The detached signature (sections 10.2.1 and 10.2.2).

        `randomness`: n bytes that nobody else knows, or None for a deterministic signature;
        `context`: 0 to 255 bytes; `pre_hash`: a name in PRE_HASHES, or None for pure mode.
        ValueError for other lengths and other names.
        """
        return self.sign_internal(secret_key, self.encode(message, context, pre_hash), randomness)

    def verify(
        self,
        public_key: bytes,
        message: bytes,
        signature: bytes,
        context: bytes = b"",
        pre_hash: str | None = None,
    ) -> bool:
        """Whether the signature is that of this message with this context in this mode; never for
        other lengths (section 10.3, algorithms 24 and 25). ValueError for a hash function that
        `sign` refuses.
        """
        self.hash_function(pre_hash)
        if len(context) > CONTEXT_MAX:
            return False
        encoded = self.encode(message, context, pre_hash)
        return self.verify_internal(public_key, encoded, signature)


VARIANTS = {
    one.name: one
    for one in (
        SlhDsa("slh-dsa-shake-128s", n=16, h=63, d=7, a=12, k=14),
        SlhDsa("slh-dsa-shake-128f", n=16, h=66, d=22, a=6, k=33),
        SlhDsa("slh-dsa-shake-192s", n=24, h=63, d=7, a=14, k=17),
        SlhDsa("slh-dsa-shake-192f", n=24, h=66, d=22, a=8, k=33),
        SlhDsa("slh-dsa-shake-256s", n=32, h=64, d=8, a=14, k=22),
        SlhDsa("slh-dsa-shake-256f", n=32, h=68, d=17, a=9, k=35),
    )
}
