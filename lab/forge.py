# SPDX-License-Identifier: Apache-2.0
"""Signatures of AIMer v2.1 and v1.0 by somebody who knows the public key alone.

A signature proves knowledge of a witness: key, t_1 .. t_S that satisfy S + 1 relations x * key = z.
For a key pair they hold, but they hold for other witnesses, too, because a product is zero when one
factor is (ePrint 2026/2235 for v2.1):

- v2.1 checks t_s * (key + gamma_s) = t_s^(2^e_s), which every key satisfies with t_s = 0. Then x* =
  b, and the last relation, x* * key = x*^(2^e) + ct * x*, gives key = ct + b^(2^e - 1).
- v1.0 checks t_s * key = key^(2^e_s), which every t_s satisfies with key = 0. The last relation is
  0 = x*^(2^e) + ct * x*, and x* = 0 satisfies it: t_1 = A_1^-1 * b, the other t_s = 0.

The signing procedure then makes a signature that every right verifier accepts: no verifier can
tell, only other relations help.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence

from .checkout import LabError
from .spec.aimer import VARIANTS, Aimer, Random
from .spec.aimer3 import VARIANTS as NEWER


def solution(columns: Sequence[int], wanted: int) -> int | None:
    """A v with M * v = wanted, for a bit matrix given by its columns; None when there is none."""
    # highest bit: a sum of columns, and which columns it is the sum of
    pivots: dict[int, tuple[int, int]] = {}
    for number, start in enumerate(columns):
        column, which = start, 1 << number
        while column and (known := pivots.get(column.bit_length())):
            column, which = column ^ known[0], which ^ known[1]
        if column:
            pivots[column.bit_length()] = column, which
    vector = 0
    while wanted:
        if wanted.bit_length() not in pivots:
            return None
        column, which = pivots[wanted.bit_length()]
        wanted, vector = wanted ^ column, vector ^ which
    return vector


def solve(columns: Sequence[int], wanted: int) -> int:
    """The v with M * v = wanted. ValueError when there is none, which an invertible matrix
    excludes.
    """
    vector = solution(columns, wanted)
    if vector is None:
        raise ValueError("the linear system has no solution")
    return vector


def not_forgeable(name: str) -> str:
    """Why a set of v3 cannot be forged so."""
    return (
        f"{name} cannot be forged so: no x = 0 satisfies its relations x * y = x^(2^e) + 1, "
        "and every other x has"
        " exactly one y, so that whoever satisfies all of them has a key "
        "(tests/aimer/test_aimer_witnesses.py)"
    )


def witness(one: Aimer, public_key: bytes) -> list[int]:
    """key, t_1 .. t_S that satisfy the relations of this public key, and are no key.

    ValueError when the set has no such witness.
    """
    if one.version > 2:
        raise ValueError(not_forgeable(one.name))
    matrices, (b,), ct = one.public(public_key[-2 * one.size : -one.size], public_key[-one.size :])
    rest = [0] * (one.sboxes - 1)
    if one.version == 1:
        return [0, solve(matrices[0], b), *rest]
    return [ct ^ one.field.power(b, 2 ** one.exponents[-1] - 1), 0, *rest]


def forge(
    one: Aimer, public_key: bytes, message: bytes, random: Random = secrets.token_bytes
) -> bytes:
    """A signature of any message for any public key. ValueError when the set is not forgeable."""
    iv, ct = public_key[-2 * one.size : -one.size], public_key[-one.size :]
    return one.prove(witness(one, public_key), iv, ct, one.digest_message(iv, ct, message), random)


RELATIONS = {
    1: (
        "t_s * key = key^(2^e_s)",
        "key = 0 satisfies it with any t_s; t_1 = A_1^-1 * b makes x* zero",
    ),
    2: (
        "t_s * (key + gamma_s) = t_s^(2^e_s)",
        "t_s = 0 satisfies it with any key; then x* = b, and key = ct + b^(2^e - 1)",
    ),
}


def lesson(name: str, message: bytes) -> Iterator[str]:
    """The attack on one set, line by line: made here, judged by the specification and by the C
    library.

    LabError when the set is not forgeable.
    """
    from hanji import sign

    if name in NEWER:
        raise LabError(not_forgeable(name))
    if name not in VARIANTS:
        raise LabError(
            f"{name!r} is no set that can be forged here; these are: {', '.join(VARIANTS)}"
        )
    one, scheme = VARIANTS[name], sign.scheme(name)
    yield f"{name}: {scheme.status}"
    yield ""
    yield "1. A key pair is made, and the private key thrown away. What is left is the public key:"
    public, _ = one.keypair(secrets.token_bytes)
    iv, ct = public[-2 * one.size : -one.size], public[-one.size :]
    yield f"   iv  {iv.hex()}"
    yield f"   ct  {ct.hex()}, which is AIM(key, iv)"
    relation, way = RELATIONS[one.version]
    yield (
        f"2. A signature proves key and t_1 .. t_{one.sboxes} with, for each s and for the output:"
    )
    yield f"   {relation}"
    yield "   x* * key = x*^(2^e) + ct * x*, where x* = b + the sum of all A_s * t_s"
    yield f"   A product is zero when one factor is: {way}."
    found = witness(one, public)
    for label, element in zip(
        ("key", *(f"t_{s + 1}" for s in range(one.sboxes))), found, strict=True
    ):
        yield f"   {label:3} {one.encode(element).hex()}"
    held = one.holds(found, one.public(iv, ct))
    yield (
        f"   {sum(held)} of {len(held)} relations hold. Is it a key? AIM(key, iv) is "
        f"{one.one_way(one.encode(found[0]), iv).hex()}: no."
    )
    yield (
        f"3. The signing procedure with this witness, {one.repetitions} proofs of {one.parties} "
        "parties each, in slow Python:"
    )
    begin = time.monotonic()
    signature = one.prove(found, iv, ct, one.digest_message(iv, ct, message), secrets.token_bytes)
    yield (
        f"   a signature of {message!r}: {len(signature)} bytes, {signature[:16].hex()} .., "
        f"after {time.monotonic() - begin:.1f} s"
    )
    judges: dict[str, Callable[[bytes], bool]] = {
        "specification": lambda text: one.verify(public, text, signature),
        "C library": lambda text: verdict(name, public, text, signature),
    }
    for judge, accepts in judges.items():
        yes, no = accepts(message), accepts(message + b"!")
        yield (
            f"   {judge}: {'accepted' if yes else 'REFUSED'}; the same signature of another "
            f"message: {'ACCEPTED' if no else 'refused'}"
        )
        if not yes or no:
            raise LabError(
                f"the {judge} does not say what it must: the forgery is "
                f"{'refused' if not yes else 'good for every message'}"
            )
    yield (
        "   No verifier can tell: the signature is right. Only other relations help; "
        "docs/signatures.md."
    )


def verdict(name: str, public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the C library accepts the signature."""
    from hanji import _core

    return _core.signature_key(name, public_key, False).verify(signature, message, b"")
