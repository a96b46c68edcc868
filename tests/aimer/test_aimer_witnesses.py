# SPDX-License-Identifier: Apache-2.0
"""What a signature proves: whoever satisfies the relations has a key. Known answers cannot show it,
for they begin with a key.

A scheme that proves relations passes two tests. Over toy fields every witness of all relations is
found, for every public key, and must be a key; v1.0 and v2.1 fail. Over the real fields each
relation is solved for witnesses with zeros, ones, repeated and swapped values, and what they sign
must be refused.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pytest
from test_aimer_kat import ask

from hanji_lab import forge
from hanji_lab.spec.aimer import Aimer, Field, Public, apply
from hanji_lab.spec.aimer3 import VARIANTS, Aimer3, ZeroInputError

# ---- toy fields ----

TAILS = {6: 0x03, 8: 0x1B}  # x^6 + x + 1, x^8 + x^4 + x^3 + x + 1


class Toy(Aimer):
    """Two input S-boxes over a field so small that everything can be tried; one byte an element."""

    size = 1

    @cached_property
    def field(self) -> Field:
        return Field(self.n, TAILS[self.n])

    @property
    def exponents(self) -> Sequence[int]:
        return {(6, 3): (2, 3, 5), (8, 3): (2, 3, 5), (6, 1): (5, 1, 5), (6, 2): (5, 1, 5)}.get(
            (self.n, self.version), (3, 5, 7)
        )

    @property
    def gamma(self) -> Sequence[int]:
        return 0x13, 0x2A

    def affine(self, iv: bytes) -> tuple[list[list[int]], list[int]]:
        """As many matrices and vectors as the version has; the matrices are products of triangular
        ones.
        """
        count, vectors = (4, 3) if self.version == 3 else (2, 1)
        words = iter(byte & self.field.mask for byte in self.xof(iv, 2 * count * self.n + vectors))
        matrices = []
        for _ in range(count):
            lower = [next(words) >> (r + 1) << (r + 1) | 1 << r for r in range(self.n)]
            matrices.append(
                [apply(lower, next(words) & ((1 << r) - 1) | 1 << r) for r in range(self.n)]
            )
        return matrices, [next(words) for _ in range(vectors)]


@dataclass(frozen=True)
class Toy2(Toy):
    """v1.0 or v2.1."""


@dataclass(frozen=True)
class Toy3(Toy, Aimer3):
    """v3."""


@dataclass(frozen=True)
class WithoutTheOne(Toy3):
    """v3 with the relations x * y = x^(2^e), which x = 0 satisfies, and the S-box that belongs to
    them.
    """

    def sbox(self, x: int, exponent: int) -> int:
        if x == 0:
            raise ZeroInputError
        return self.field.power(x, 2**exponent - 1)

    def relations(
        self, share: Sequence[int], public: Public, is_corrected: bool
    ) -> tuple[list[int], list[int], list[int]]:
        x, y, z = super().relations(share, public, is_corrected)
        return x, y, [element ^ is_corrected for element in z]


def witnesses(one: Aimer, iv: bytes) -> Iterator[tuple[list[int], int]]:
    """Every witness (key, t_1, t_2) with every ct for which it satisfies all relations of (iv, ct).

    An input relation depends on key and its own t only, so that each is solved by itself.
    """
    elements = range(1 << one.n)
    matrices, vectors, _ = one.public(iv, b"\0")
    for key in elements:
        inner = []
        for s in range(one.sboxes):
            blank = [[key, *(t if r == s else 0 for r in range(one.sboxes))] for t in elements]
            inner.append([w[s + 1] for w in blank if one.holds(w, (matrices, vectors, 0))[s]])
        for t in itertools.product(*inner):
            for ct in elements:
                if all(one.holds([key, *t], (matrices, vectors, ct))):
                    yield [key, *t], ct


def is_key(one: Aimer, iv: bytes, witness: Sequence[int], ct: int) -> bool:
    """Whether key maps to ct, and t_1, t_2 are what the one-way function computes on the way."""
    key, *t = witness
    try:
        right = (
            one.evaluate(key, one.public(iv, b"\0"))[0]
            if isinstance(one, Aimer3)
            else one.sbox_outputs(key)
        )
        return t == right and one.one_way(bytes([key]), iv) == bytes([ct])
    except ZeroInputError:
        return False


def keys(one: Aimer, iv: bytes) -> int:
    """How many keys there are for an iv."""
    count = 0
    for key in range(1 << one.n):
        try:
            one.one_way(bytes([key]), iv)
            count += 1
        except ZeroInputError:
            pass
    return count


@pytest.mark.parametrize(("n", "ivs"), [(6, 8), (8, 1)])
def test_every_witness_of_v3_is_a_key(n: int, ivs: int) -> None:
    one = Toy3("toy", 3, n, 0, 1, 4, 2)
    for number in range(ivs):
        iv = bytes([number])
        found = list(witnesses(one, iv))
        assert [w for w in found if not is_key(one, iv, *w)] == []
        assert len(found) == keys(one, iv)  # and every key is found
        assert 1 << n >= len(found) > (1 << n) * 3 // 4


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("n", [6, 8])
def test_witnesses_of_the_broken_versions_are_found_that_are_no_keys(n: int, version: int) -> None:
    one, iv = Toy2("toy", version, n, 0, 1, 4, 2), b"\1"
    witness, ct = next(w for w in witnesses(one, iv) if not is_key(one, iv, *w))
    assert all(one.holds(witness, (*one.affine(iv), ct)))
    public = iv + bytes([ct])
    forged = forge.witness(one, public)
    assert all(one.holds(forged, one.public(iv, bytes([ct]))))


@pytest.mark.parametrize("n", [6, 8])
def test_control_v3_without_the_one_has_witnesses_that_are_no_keys(n: int) -> None:
    one, iv = WithoutTheOne("toy", 3, n, 0, 1, 4, 2), b"\1"
    witness, ct = next(w for w in witnesses(one, iv) if not is_key(one, iv, *w))
    assert 0 in one.inputs(witness[0], witness[1:], (*one.affine(iv), ct))


# ---- the real fields ----

FAST = [name for name in VARIANTS if name.endswith("f")]
MESSAGE = b"I never signed this."


def roots(one: Aimer3, exponent: int) -> int | None:
    """An x with x * 1 = x^(2^e) + 1, where there is one: x^(2^e) + x is linear in x."""
    columns = [one.field.sqr(1 << r, exponent) ^ 1 << r for r in range(one.n)]
    return forge.solution(columns, 1)


def crafted(
    one: Aimer3, public: Public, witness: Sequence[int]
) -> Iterator[tuple[str, int | None, list[int]]]:
    """(what it is, the relation that it was solved for, key and t_1 .. t_S), from the true witness
    of this public key.
    """
    matrices, vectors, ct = public
    key, *t = witness
    count = one.sboxes
    *inner, outer = one.exponents

    def outputs(of: int) -> list[int]:
        """The true t of another key, zero where an input is."""
        x = one.inputs(of, [0] * count, public)[:-1]
        return [one.sbox(element, e) if element else 0 for element, e in zip(x, inner, strict=True)]

    for s, exponent in enumerate(inner):

        def with_input(x: int, s: int = s) -> int:
            """The key with x_s = x."""
            return forge.solve(matrices[s], x ^ vectors[s])

        one_key, zero_key = with_input(1), with_input(0)
        yield f"t_{s + 1} = 0 by x = 1", s, [one_key, *outputs(one_key)]
        yield f"x_{s + 1} = 0, t = 0", None, [zero_key, *outputs(zero_key)]
        yield (
            f"x_{s + 1} = 0, t = 1",
            None,
            [zero_key, *(1 if r == s else y for r, y in enumerate(outputs(zero_key)))],
        )
        x = roots(one, exponent)
        if x is not None:
            solved = with_input(x)
            yield (
                f"t_{s + 1} = 1 by its root",
                s,
                [solved, *(1 if r == s else y for r, y in enumerate(outputs(solved)))],
            )
        for label, value in (("zero", 0), ("one", 1), ("all bits", one.field.mask)):
            yield (
                f"the key with t_{s + 1} {label}",
                None,
                [key, *(value if r == s else y for r, y in enumerate(t))],
            )
    choices = {
        "zeros": [0] * count,
        "ones": [1] * count,
        "all bits": [one.field.mask] * count,
        "t_1 repeated": [t[0]] * count,
        "the true ones swapped": [*t[1:], t[0]],
        "the true ones": t,
    }
    for label, chosen in choices.items():
        x = one.inputs(0, chosen, public)[-1]
        if chosen != t:
            yield (
                f"{label}, and key from the last relation",
                count,
                [ct ^ one.sbox(x, outer), *chosen],
            )
            yield f"{label}, with the key", None, [key, *chosen]
        for other_key in (0, ct, ct ^ 1, key ^ 1):
            if chosen == t:
                yield f"{label} with another key", None, [other_key, *chosen]
    for wanted, other_key in ((1, ct), (0, ct), (0, key)):
        rest = outputs(other_key)[1:]
        needed = wanted ^ one.inputs(0, [0, *rest], public)[-1]
        first = forge.solve(matrices[count], needed)
        yield (
            f"x_{count + 1} = {wanted}, y = {one.encode(other_key ^ ct).hex()}",
            count if wanted else None,
            [other_key, first, *rest],
        )


def refused(name: str, by_specification: bool) -> int:
    """Sign with every crafted witness of a public key; how many there were."""
    one = VARIANTS[name]
    public_key, secret = one.keypair(secrets.token_bytes)
    key, iv, ct = one.parts(secret)
    public = one.public(iv, ct)
    secret_key = int.from_bytes(key, "little")
    true = [secret_key, *one.evaluate(secret_key, public)[0]]
    text = one.digest_message(iv, ct, MESSAGE)
    requests, labels = [], []
    for label, solved, witness in [("the true witness", None, true), *crafted(one, public, true)]:
        held = one.holds(witness, public)
        assert all(held) == (witness == true), f"{label}: {held}"
        assert solved is None or held[solved], f"{label}: relation {solved} is not solved"
        signature = one.prove(witness, iv, ct, text, secrets.token_bytes)
        if by_specification:
            assert one.check(iv, ct, text, signature) == (witness == true), label
        requests.append(f"verify {name} {public_key.hex()} {MESSAGE.hex()} {signature.hex()}")
        labels.append(label)
    answers = ask("host-gcc", requests)
    assert answers[0] == "HANJI_OK"
    assert [
        (label, said)
        for label, said in zip(labels[1:], answers[1:], strict=True)
        if said != "HANJI_E_TAG"
    ] == []
    return len(requests) - 1


def test_signatures_with_crafted_witnesses_are_refused() -> None:
    assert refused("aimer3-128f", True) > 25


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST[1:])
def test_signatures_with_crafted_witnesses_are_refused_at_other_levels(name: str) -> None:
    assert refused(name, False) > 25


@pytest.mark.parametrize("name", FAST)
def test_crafted_witnesses_satisfy_a_relation_but_never_all(name: str) -> None:
    one = VARIANTS[name]
    _, secret = one.keypair(secrets.token_bytes)
    key, iv, ct = one.parts(secret)
    public = one.public(iv, ct)
    secret_key = int.from_bytes(key, "little")
    true = [secret_key, *one.evaluate(secret_key, public)[0]]
    assert all(one.holds(true, public))
    solved_relations = set()
    for label, solved, witness in crafted(one, public, true):
        held = one.holds(witness, public)
        assert not all(held), label
        if solved is not None:
            assert held[solved], label
            solved_relations.add(solved)
    assert solved_relations == set(range(one.sboxes + 1))
