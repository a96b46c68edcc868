# SPDX-License-Identifier: Apache-2.0
"""The executable specification of SLH-DSA: NIST's tests, and what they do not cover.

tests/vectors/README.md describes slhdsa/signatures.json.gz.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from functools import cache
from typing import Any

import pytest
import vectors_io

from hanji_lab.spec.slhdsa import CONTEXT_MAX, HASH_ARC, VARIANTS, Kind, SlhDsa, base_2b

BYTES = ("sk", "pk", "msg", "context", "randomness", "signature")
SMALL, FAST = "slh-dsa-shake-128s", "slh-dsa-shake-128f"
# The hash functions of pre-hash mode that NIST tests, in the order of the last byte of their object
# identifiers, from 1 (NIST CSOR, hashAlgs). hanji offers the last two.
HASHES = (
    *("SHA2-256", "SHA2-384", "SHA2-512", "SHA2-224", "SHA2-512/224", "SHA2-512/256"),
    *("SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SHAKE-128", "SHAKE-256"),
)
XOF_SIZES = {"SHAKE-128": 32, "SHAKE-256": 64}  # bytes (section 10.2.2)

Test = dict[str, Any]


@cache
def vectors() -> list[Test]:
    """All tests, byte strings decoded; do not change the result."""
    stored = vectors_io.document("slhdsa/signatures")["tests"]
    decoded = ({f: base64.b64decode(v) if f in BYTES else v for f, v in t.items()} for t in stored)
    return [{"context": b"", "randomness": None} | test for test in decoded]


def is_slow(test: Test) -> bool:
    """Whether a test repeats, with seconds of processor time, what quicker tests show: signing with
    a set of small signatures, but for one test of NIST's, and signing with 256f, but for NIST's
    three tests with randomness and our own.
    """
    if test["mode"] != "SIGN":
        return False
    if test["variant"].endswith("256f"):
        return test["source"] == 0 and test["randomness"] is None
    return test["variant"].endswith("s") and (test["variant"] != SMALL or test["source"] != 0)


def named(*modes: str) -> list[Any]:
    """The tests of some modes as parameters."""
    return [
        pytest.param(
            test,
            id=f"{test['variant'].removeprefix('slh-dsa-shake-')}-{test['comment']}",
            marks=[pytest.mark.slow] if is_slow(test) else [],
        )
        for test in vectors()
        if test["mode"] in modes
    ]


def encoded(test: Test) -> bytes:
    """M' of algorithms 22 and 23, written here a second time, for all hash functions."""
    message, context = test["msg"], test["context"]
    if test["interface"] == "internal":
        return message
    if "preHash" not in test:
        return bytes([0, len(context)]) + context + message
    name = test["preHash"]
    called = name.lower().replace("sha2-", "sha").replace("-", "_").replace("/", "_")
    function: Any = hashlib.new(called, message)
    digest = function.digest(XOF_SIZES[name]) if name in XOF_SIZES else function.digest()
    oid = HASHES.index(name) + 1
    return bytes([1, len(context)]) + context + HASH_ARC + bytes([oid]) + digest


def offered(one: SlhDsa, test: Test) -> str | None:
    """The hash function of a test under its name in the specification, where it is offered."""
    name = test["preHash"].replace("SHAKE-", "SHAKE")
    return name if name == "SHAKE256" or (name == "SHAKE128" and one.n == 16) else None


def is_right(one: SlhDsa, test: Test) -> bool:
    """Whether a parameter set gives what a test states."""
    if test["mode"] == "KEYGEN":
        sk = test["sk"]
        seeds = (sk[at * one.n : (at + 1) * one.n] for at in range(3))
        return one.keypair(*seeds) == (sk[2 * one.n :], sk)
    if test["mode"] == "SIGN":
        signature = one.sign_internal(test["sk"], encoded(test), test["randomness"])
        return hashlib.sha256(signature).hexdigest() == test["signatureSha256"]
    found = one.verify_internal(test["pk"], encoded(test), test["signature"])
    return found == (test["result"] == "valid")


@cache
def valid(name: str) -> Test:
    """A valid signature with its public key, in pure mode and in no other."""
    return next(
        test
        for test in vectors()
        if (test["variant"], test["mode"], test["result"]) == (name, "VERIFY", "valid")
        and test["interface"] == "external"
        and "preHash" not in test
    )


def verifies(test: Test, signature: bytes | None = None, **other: Any) -> bool:
    """Whether a test's signature, or another one, is accepted."""
    signature = test["signature"] if signature is None else signature
    arguments = {"context": test["context"], **other}
    return VARIANTS[test["variant"]].verify(test["pk"], test["msg"], signature, **arguments)


def altered(data: bytes, at: int, bit: int = 0) -> bytes:
    """The data with one bit flipped."""
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def regions(one: SlhDsa) -> list[tuple[str, int, int]]:
    """Name, start and length in bytes of every part of a signature."""
    sizes = [("R", 1)]
    for tree in range(one.k):
        sizes += [(f"secret of FORS tree {tree}", 1), (f"path of FORS tree {tree}", one.a)]
    for layer in range(one.d):
        sizes += [(f"chains of layer {layer}", one.chains), (f"path of layer {layer}", one.height)]
    found, at = [], 0
    for name, count in sizes:
        found.append((name, at, count * one.n))
        at += count * one.n
    assert at == one.signature_size
    return found


# What NIST states.


@pytest.mark.parametrize(
    ("name", "row"),
    list(
        zip(
            VARIANTS,
            [  # section 11, table 2: n, h', m, public key, signature; and len of section 5
                (16, 9, 30, 32, 7_856, 35),
                (16, 3, 34, 32, 17_088, 35),
                (24, 9, 39, 48, 16_224, 51),
                (24, 3, 42, 48, 35_664, 51),
                (32, 8, 47, 64, 29_792, 67),
                (32, 4, 49, 64, 49_856, 67),
            ],
            strict=True,
        )
    ),
)
def test_sizes(name: str, row: tuple[int, ...]) -> None:
    one = VARIANTS[name]
    assert (
        one.n,
        one.height,
        one.digest_size,
        one.public_key_size,
        one.signature_size,
        one.chains,
    ) == row
    assert one.h % one.d == 0
    assert (one.len2, one.secret_key_size) == (3, 2 * one.public_key_size)


@pytest.mark.parametrize("test", named("KEYGEN", "SIGN", "VERIFY"))
def test_vectors(test: Test) -> None:
    assert is_right(VARIANTS[test["variant"]], test)


def test_every_set_and_mode_has_vectors() -> None:
    counts = Counter((test["variant"], test["mode"], test["result"]) for test in vectors())
    for name in VARIANTS:
        for mode in ("KEYGEN", "SIGN", "VERIFY"):
            assert counts[name, mode, "valid"], (name, mode)
    assert counts.total() == 85
    assert {test["preHash"] for test in vectors() if "preHash" in test} == set(HASHES)


def test_a_set_of_small_signatures_signs_in_every_run() -> None:
    quick = [t for t in vectors() if t["mode"] == "SIGN" and not is_slow(t)]
    assert [t["comment"] for t in quick if t["variant"].endswith("s")] == ["sigGen/216"]


class ZeroRandomness(SlhDsa):
    """Deterministic signatures with zeros for opt_rand."""

    def prf_msg(self, sk_prf: bytes, opt_rand: bytes, message: bytes) -> bytes:
        return super().prf_msg(sk_prf, bytes(self.n), message)


class LeafInTrees(SlhDsa):
    """The word of the key pair stays in the addresses of XMSS trees."""

    def hash(self, pk_seed: bytes, data: bytes, *address: int) -> bytes:
        layer, tree, kind, word, *rest = address
        return super().hash(pk_seed, data, layer, tree, kind, word + (kind == Kind.TREE), *rest)


class LocalLeaves(SlhDsa):
    """Leaves of FORS are numbered anew in every tree."""

    def fors_leaves(self, digest: bytes) -> list[int]:
        return base_2b(digest, self.a, self.k)


class HighBits(SlhDsa):
    """The index of the tree is taken from the high bits of its bytes."""

    def split_digest(self, digest: bytes) -> tuple[bytes, int, int]:
        md, _, leaf = super().split_digest(digest)
        number = digest[self.digest_parts[0] : -self.digest_parts[2]]
        return md, int.from_bytes(number, "big") >> -(self.h - self.height) % 8, leaf


class NoChecksum(SlhDsa):
    """The digits of the checksum are zeros: a forger may go on in every chain."""

    def wots_digits(self, message: bytes) -> list[int]:
        return super().wots_digits(message)[: self.len1] + [0] * self.len2


@pytest.mark.parametrize(
    ("wrong", "modes"),
    [
        (ZeroRandomness, ["SIGN"]),
        (LeafInTrees, ["KEYGEN", "SIGN", "VERIFY"]),
        (LocalLeaves, ["SIGN", "VERIFY"]),
        (HighBits, ["SIGN", "VERIFY"]),
        (NoChecksum, ["SIGN", "VERIFY"]),
    ],
)
def test_control_a_wrong_specification_fails(wrong: type[SlhDsa], modes: list[str]) -> None:
    """Mistakes that sign and verify consistently show in the vectors, in these modes."""
    right = VARIANTS[FAST]
    one = wrong(right.name, right.n, right.h, right.d, right.a, right.k)
    for mode in ("KEYGEN", "SIGN", "VERIFY"):
        test = next(
            test
            for test in vectors()
            if (test["variant"], test["mode"], test["result"]) == (right.name, mode, "valid")
            and test["randomness"] is None
        )
        assert is_right(one, test) == (mode not in modes), mode


# What an application calls.


def of_application() -> list[Test]:
    """One signing test of 128f for each mode that the specification offers."""
    found = {}
    for test in vectors():
        one = VARIANTS[test["variant"]]
        if (test["mode"], one.name) != ("SIGN", FAST) or test["interface"] != "external":
            continue
        if "preHash" not in test or offered(one, test):
            kind = (test.get("preHash"), test["randomness"] is None)
            found.setdefault(kind, test)
    return list(found.values())


@pytest.mark.parametrize("test", of_application(), ids=lambda test: str(test["tcId"]))
def test_sign_and_verify(test: Test) -> None:
    one = VARIANTS[test["variant"]]
    pre_hash = offered(one, test) if "preHash" in test else None
    message, context = test["msg"], test["context"]
    signature = one.sign(test["sk"], message, test["randomness"], context, pre_hash)
    assert hashlib.sha256(signature).hexdigest() == test["signatureSha256"]
    pk = test["sk"][2 * one.n :]
    assert one.verify(pk, message, signature, context, pre_hash)
    assert not one.verify(pk, message + b"\0", signature, context, pre_hash)
    assert not one.verify(pk, message, signature, (context + b"x")[-CONTEXT_MAX:], pre_hash)
    others = {None, "SHAKE256", "SHAKE128" if one.n == 16 else None} - {pre_hash}
    for other in others:
        assert not one.verify(pk, message, signature, context, other), other
    if pre_hash:  # nor as a pure signature of what is hashed
        what = encoded(test)[2 + len(context) :]
        assert not one.verify(pk, what, signature, context)
        assert one.verify_internal(pk, encoded(test), signature)


def test_randomness_changes_the_signature() -> None:
    one = VARIANTS[FAST]
    public, secret = one.keypair(*(bytes([i]) * 16 for i in range(3)))
    made = [one.sign(secret, b"m", randomness) for randomness in (None, bytes(16), b"x" * 16)]
    assert len({signature[:16] for signature in made}) == 3
    assert all(one.verify(public, b"m", signature) for signature in made)
    assert made[0] == one.sign(secret, b"m", public[:16]), "deterministic: PK.seed (section 9.2)"


# Refusals.


@pytest.mark.parametrize("name", VARIANTS)
def test_wrong_lengths(name: str) -> None:
    one, test = VARIANTS[name], valid(name)
    signature, pk = test["signature"], test["pk"]
    assert verifies(test)
    sizes = {0, 1, one.n, one.fors_size, one.xmss_size, 2 * one.signature_size}
    sizes |= {one.signature_size + d * step for d in (1, one.n) for step in (-1, 1)}
    for size in sizes:
        assert not verifies(test, (signature * 2)[:size]), size
        assert not verifies(test, signature.ljust(size, b"\0")[:size]), size
    for size in (0, 1, one.n, 2 * one.n - 1, 2 * one.n + 1, 4 * one.n):
        given = (pk * 2)[:size]
        assert not one.verify(given, test["msg"], signature, test["context"]), size
        assert not one.verify_internal(given, encoded(test), signature), size
    seeds = [bytes(one.n)] * 3
    for at, what in enumerate(("SK.seed", "SK.prf", "PK.seed")):
        for size in (0, one.n - 1, one.n + 1):
            wrong = [*seeds[:at], bytes(size), *seeds[at + 1 :]]
            with pytest.raises(
                ValueError, match=f"{name} {what}: {size} bytes given, {one.n} expected"
            ):
                one.keypair(*wrong)
    for size in (0, one.n, 4 * one.n - 1, 4 * one.n + 1):
        with pytest.raises(ValueError, match=f"{name} secret key: {size} bytes given"):
            one.sign(bytes(size), b"")
    for size in (0, one.n - 1, one.n + 1):
        with pytest.raises(ValueError, match=f"{name} randomness: {size} bytes given"):
            one.sign(bytes(4 * one.n), b"", bytes(size))


def test_every_value_of_a_signature_is_checked() -> None:
    """One bit in each of the 491 hash values of a signature with 128s, at changing places."""
    one, test = VARIANTS[SMALL], valid(SMALL)
    signature = test["signature"]
    assert verifies(test)
    for i, at in enumerate(range(0, one.signature_size, one.n)):
        wrong = altered(signature, at + i % one.n, i // one.n % 8)
        assert not verifies(test, wrong), f"byte {at + i % one.n}"
    assert i + 1 == 1 + one.k * (one.a + 1) + one.d * (one.chains + one.height)


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != SMALL])
def test_every_region_of_a_signature_is_checked(name: str) -> None:
    one, test = VARIANTS[name], valid(name)
    signature = test["signature"]
    assert verifies(test)
    for i, (region, start, size) in enumerate(regions(one)):
        if 6 < i < 2 * one.k - 5:  # the first and the last three FORS trees are enough
            continue
        at = start + (size - 1) * (i % 4) // 3  # the first, the last and two bytes between
        assert not verifies(test, altered(signature, at, i % 8)), f"{region}, byte {at - start}"


class Trailing(SlhDsa):
    """A verifier that ignores what follows a signature."""

    def verify_internal(self, public_key: bytes, message: bytes, signature: bytes) -> bool:
        return super().verify_internal(public_key, message, signature[: self.signature_size])


class WithoutTop(SlhDsa):
    """A verifier that does not look at the top layer of a signature."""

    def verify_internal(self, public_key: bytes, message: bytes, signature: bytes) -> bool:
        kept = self.signature_size - self.xmss_size
        whole = signature[:kept] + valid(self.name)["signature"][kept:]
        return super().verify_internal(public_key, message, whole)


def test_control_a_lax_verifier_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    one = VARIANTS[SMALL]
    top = one.signature_size - one.xmss_size
    sizes = (one.n, one.h, one.d, one.a, one.k)
    monkeypatch.setitem(VARIANTS, SMALL, Trailing(SMALL, *sizes))
    with pytest.raises(AssertionError, match=r"^(7857|7872|15712)"):
        test_wrong_lengths(SMALL)
    monkeypatch.setitem(VARIANTS, SMALL, WithoutTop(SMALL, *sizes))
    first = top + top // one.n % one.n
    with pytest.raises(AssertionError, match=f"^byte {first}"):
        test_every_value_of_a_signature_is_checked()


@pytest.mark.parametrize("name", VARIANTS)
def test_exchanged_regions(name: str) -> None:
    """Values of the right length at the wrong place: neighbours, and the regions of two layers."""
    one, test = VARIANTS[name], valid(name)
    signature, n = test["signature"], one.n
    bottom = n + one.fors_size
    for at in (0, n, bottom - n, bottom, one.signature_size - 2 * n):
        two = signature[at + n : at + 2 * n] + signature[at : at + n]
        assert not verifies(test, signature[:at] + two + signature[at + 2 * n :]), at
    first, second, rest = (
        signature[bottom : bottom + one.xmss_size],
        signature[bottom + one.xmss_size : bottom + 2 * one.xmss_size],
        signature[bottom + 2 * one.xmss_size :],
    )
    assert not verifies(test, signature[:bottom] + second + first + rest)
    assert not verifies(test, bytes(one.signature_size))


@pytest.mark.parametrize("name", VARIANTS)
def test_other_keys_messages_and_contexts(name: str) -> None:
    one, test = VARIANTS[name], valid(name)
    pk, message, context, signature = (test[f] for f in ("pk", "msg", "context", "signature"))
    for at in (0, one.n - 1, one.n, 2 * one.n - 1):
        assert not one.verify(altered(pk, at), message, signature, context), at
    for wrong in (message + b"\0", message[:-1], altered(message, 0), b""):
        assert not one.verify(pk, wrong, signature, context)
    assert not verifies(test, context=(context + b"x")[-CONTEXT_MAX:])
    # The border between context and message is part of what is signed.
    if context:
        assert not one.verify(pk, context[-1:] + message, signature, context[:-1])
    assert not one.verify(pk, message[1:], signature, (context + message[:1])[-CONTEXT_MAX:])
    assert not verifies(test, pre_hash="SHAKE256")


@pytest.mark.parametrize("name", VARIANTS)
def test_contexts_that_are_too_long(name: str) -> None:
    one, test = VARIANTS[name], valid(name)
    long = bytes(CONTEXT_MAX + 1)
    for pre_hash in (None, "SHAKE256"):
        assert not verifies(test, context=long, pre_hash=pre_hash)
        with pytest.raises(
            ValueError, match=f"{name} context: 256 bytes given, at most 255 expected"
        ):
            one.sign(bytes(4 * one.n), b"", None, long, pre_hash)


@pytest.mark.parametrize("name", VARIANTS)
def test_hash_functions_that_are_refused(name: str) -> None:
    one, test = VARIANTS[name], valid(name)
    weak = () if one.n == 16 else ("SHAKE128",)
    for wrong in (*HASHES, "", "shake256", "SHAKE256 ", *weak):
        expected = f"{name} pre-hash: '{wrong}' given, .*SHAKE256 expected"
        with pytest.raises(ValueError, match=expected):
            one.sign(bytes(4 * one.n), b"", None, b"", wrong)
        with pytest.raises(ValueError, match=expected):
            verifies(test, pre_hash=wrong)


# Parts.


def test_numbers_of_some_bits() -> None:
    assert base_2b(bytes.fromhex("1234"), 4, 4) == [1, 2, 3, 4]
    assert base_2b(bytes.fromhex("1234"), 4, 3) == [1, 2, 3], "surplus bits at the end"
    assert base_2b(bytes.fromhex("ff00ff"), 12, 2) == [0xFF0, 0x0FF]
    assert base_2b(bytes.fromhex("80"), 1, 3) == [1, 0, 0]
    assert base_2b(b"", 4, 0) == []


@pytest.mark.parametrize("name", VARIANTS)
def test_checksums(name: str) -> None:
    one = VARIANTS[name]
    for byte, checksum in ((0x00, 15 * one.len1), (0xFF, 0), (0xF0, 15 * one.len1 // 2)):
        digits = one.wots_digits(bytes([byte]) * one.n)
        assert digits[: one.len1] == [byte >> 4, byte & 15] * one.n
        assert digits[one.len1 :] == [checksum >> 8, checksum >> 4 & 15, checksum & 15]


@pytest.mark.parametrize("name", VARIANTS)
def test_indices_take_the_low_bits(name: str) -> None:
    one = VARIANTS[name]
    first, second, third = one.digest_parts
    ones = one.split_digest(b"\xff" * one.digest_size)
    assert ones == (b"\xff" * first, 2 ** (one.h - one.height) - 1, 2**one.height - 1)
    low = one.split_digest(bytes(first) + (1).to_bytes(second, "big") + (2).to_bytes(third, "big"))
    assert low == (bytes(first), 1, 2)
    with pytest.raises(ValueError, match=f"{one.digest_size - 1} bytes given"):
        one.split_digest(bytes(one.digest_size - 1))
