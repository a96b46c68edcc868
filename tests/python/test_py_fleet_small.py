# SPDX-License-Identifier: Apache-2.0
"""Fleets of few short messages take a shorter way through the extension: it gives the results of
the general way, and leaves to it every call that is to be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import pytest

import hanji
from hanji import _core, fleet
from hanji._numpy import NUMPY

pytestmark = pytest.mark.quick

SIZES = {row.name: row for row in hanji.algorithms()}


def random(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def calls(n: int, size: int, one_key: bool) -> dict[str, Callable[[], Any]]:
    """Every operation with every algorithm."""
    data, made = random(1, n, size), {}

    def keys(name: str) -> np.ndarray:
        found = random(2, n, SIZES[name].key_size)
        return found[0] if one_key else found

    for name in fleet.algorithms()["aead"]:
        base = name.removesuffix("-eax")
        nonces = random(3, n, SIZES[name].nonce_size if base == name else 11)
        sealed = fleet.encrypt(name, keys(base), nonces, data, threads=1)
        tags = sealed.tags.copy()
        tags[n // 2, 0] ^= 1
        given = name, keys(base), nonces
        made[f"encrypt {name}"] = partial(fleet.encrypt, *given, data)
        made[f"decrypt {name}"] = partial(fleet.decrypt, *given, sealed.data, tags)
    for name in fleet.algorithms()["ctr"]:
        ivs = random(4, n, SIZES[name].block_size)
        made[f"ctr {name}"] = partial(fleet.ctr, name, keys(name), ivs, data)
    for name in fleet.algorithms()["cmac"]:
        tags = fleet.cmac(name, keys(name), data, threads=1)
        tags[-1, 0] ^= 1
        made[f"cmac {name}"] = partial(fleet.cmac, name, keys(name), data)
        made[f"cmac of 3 bytes {name}"] = partial(fleet.cmac, name, keys(name), data, tag_size=3)
        made[f"verify {name}"] = partial(fleet.cmac_verify, name, keys(name), data, tags)
    for name in fleet.algorithms()["hash"]:
        made[f"hash {name}"] = partial(fleet.hash, name, data)
    made["hash of 100 bytes"] = partial(fleet.hash, "ascon-xof128", data, digest_size=100)
    return made


def parts(result: Any) -> dict[str, Any]:
    """What a caller sees of a result."""
    if isinstance(result, np.ndarray):
        return {"": result}
    seen = {each.name: getattr(result, each.name) for each in fields(result)}
    seen.pop("_given_layout")
    assert isinstance(result._layout, fleet._Ragged) and result.offsets is result.offsets
    return seen | {"offsets": result.offsets, "length": np.array(len(result))}


def general(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fleet, "_small", lambda *_: None)


@pytest.mark.parametrize(("n", "size"), [(1, 64), (1, 0), (3, 17), (30, 8)])
@pytest.mark.parametrize("one_key", [False, True])
def test_results_are_those_of_the_general_way(n: int, size: int, one_key: bool) -> None:
    for name, call in calls(n, size, one_key).items():
        found = call()
        with pytest.MonkeyPatch.context() as patch:
            general(patch)
            wanted = call()
        assert type(found) is type(wanted), name
        for part, value in parts(found).items():
            other = parts(wanted)[part]
            assert np.array_equal(value, other), (name, part)
            assert (value.dtype, value.shape) == (other.dtype, other.shape), (name, part)
            assert value.flags.c_contiguous and value.flags.writeable, (name, part)


def test_the_short_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A control of the test above: without the general way, the calls still work."""
    made = calls(3, 17, False)
    monkeypatch.setattr(fleet._Call, "run", lambda *_: pytest.fail("the general way"))
    limited = {name for name, row in SIZES.items() if row.kind == "block" and row.block_size == 4}
    for name, call in made.items():
        if name.removeprefix("ctr ") not in limited:  # whose data limit is 64 blocks
            call()


def accepted(**changed: Any) -> bool:
    """Whether the short way accepts a call of encrypt with these arguments changed."""
    given = {
        "algorithm": "ascon-aead128",
        "tag_size": None,
        "keys": random(1, 2, 16),
        "nonces": random(2, 2, 16),
        "data": random(3, 2, 30),
    } | changed
    return fleet._small("encrypt", *given.values(), None) is not None


class Derived(np.ndarray):
    """A subclass may say anything about itself."""


MASKED = np.ma.masked_array(np.zeros((2, 16), np.uint8), mask=True)


@pytest.mark.parametrize(
    "changed",
    [
        {"data": bytes(30)},
        {"data": np.zeros(30, np.uint8)},
        {"data": np.zeros((2, 3, 5), np.uint8)},
        {"data": np.zeros((2, 60), np.uint8)[:, ::2]},
        {"data": np.zeros((30, 2), np.uint8).T},
        {"data": np.zeros((2, 30), np.int8)},
        {"data": np.zeros((2, 30), np.bool_)},
        {"data": np.zeros((2, 30), np.uint16)},
        {"data": np.zeros((2, 30), "S1")},
        {"data": np.zeros((2, 30), "V1")},
        {"data": np.zeros((2, 30), object)},
        {"data": np.zeros((0, 30), np.uint8), "keys": np.zeros((0, 16), np.uint8)},
        {"data": np.zeros((2, 2049), np.uint8)},
        {"data": None},
        {"data": np.zeros((2, 16), np.uint8).view(Derived)},
        {"data": MASKED},
        {"keys": MASKED},
        {"nonces": MASKED},
        {"keys": np.zeros((2, 15), np.uint8)},
        {"keys": np.zeros((1, 16), np.uint8)},
        {"keys": np.zeros((3, 16), np.uint8)},
        {"keys": np.zeros(32, np.uint8)},
        {"keys": bytes(16)},
        {"nonces": np.zeros((2, 15), np.uint8)},
        {"nonces": np.zeros((1, 16), np.uint8)},
        {"nonces": np.zeros(16, np.uint8)},
        {"nonces": None},
        {"algorithm": 5},
        {"algorithm": np.str_("ascon-aead128")},
        {"tag_size": True},
        {"tag_size": 16.0},
        {"algorithm": "speck-64/128-eax", "nonces": np.zeros((2, 0), np.uint8)},
        {"algorithm": "speck-64/128-eax", "nonces": np.zeros((2, 2049), np.uint8)},
    ],
    ids=str,
)
def test_other_calls_are_left_to_the_general_way(changed: dict[str, Any]) -> None:
    """So whatever is wrong with them is found and named in one place."""
    assert accepted() and accepted(algorithm="speck-64/128-eax", tag_size=5)
    assert not accepted(**changed)


def test_the_most_work_of_the_short_way() -> None:
    def work(n: int, size: int) -> bool:
        return accepted(
            keys=random(1, 16), nonces=np.zeros((n, 16), np.uint8), data=np.zeros((n, size), "u1")
        )

    assert work(1, 2048) and not work(1, 2049)
    assert work(1024, 0) and not work(1025, 0)
    # 96 bytes for each message besides its own, below 256 KiB
    assert work(1023, 160) and not work(1024, 160)


def test_calls_that_may_reach_the_data_limit_are_left_to_the_general_way() -> None:
    """SPECK-32/64 has a limit of 64 blocks of 4 bytes."""
    key, ivs = random(1, 8), random(2, 2, 4)

    def ctr(size: int) -> bool:
        data = np.zeros((2, size), np.uint8)
        found = fleet._small("ctr", "speck-32/64", None, key, ivs, data, None) is not None
        with pytest.MonkeyPatch.context() as patch:
            general(patch)
            try:
                fleet.ctr("speck-32/64", key, ivs, data)
            except hanji.LimitError:
                assert not found
        return found

    assert [ctr(size) for size in (0, 16, 128, 129, 2048)] == [True, True, False, False, False]
    with pytest.raises(hanji.LimitError, match="the messages need 66 blocks under one key"):
        fleet.ctr("speck-32/64", key, ivs, np.zeros((2, 129), np.uint8))


@pytest.mark.parametrize(
    "option",
    [
        {"offsets": np.array([0, 8, 16])},
        {"associated_data": np.zeros((2, 3), np.uint8)},
        {"limit": 1000},
        {"threads": 1},
        {"out": np.zeros((2, 8), np.uint8)},
        {"verify": "some"},
        {"device": "nothing"},
        {"stream": 5},
    ],
    ids=str,
)
def test_options_go_the_general_way(
    monkeypatch: pytest.MonkeyPatch, option: dict[str, Any]
) -> None:
    monkeypatch.setattr(fleet, "_small", lambda *_: pytest.fail("the short way"))
    arrays = "speck-64/128-eax", random(1, 2, 16), random(2, 2, 8), random(3, 2, 8)
    wrong = {"verify", "device", "stream"} & {*option}
    try:
        assert len(fleet.encrypt(*arrays, **option)) == 2 and not wrong
    except (ValueError, TypeError, hanji.HanjiError):
        assert wrong


@pytest.mark.parametrize("name", ["aes", "", "speck-64/128", "\udc80"])
def test_unknown_algorithms_have_one_message(name: str) -> None:
    arrays = np.zeros((1, 16), np.uint8), np.zeros((1, 16), np.uint8), np.zeros((1, 4), np.uint8)
    said = set()
    for threads in (None, 1):
        with pytest.raises(ValueError, match=r"fleet\.encrypt knows no algorithm") as caught:
            fleet.encrypt(name, *arrays, threads=threads)
        said.add(str(caught.value))
    assert len(said) == 1


def small(**changed: Any) -> Any:
    """_core.small_fleet itself, with arguments that fleet.py would not give."""
    given = {
        "numpy": NUMPY,
        "algorithm": "ascon-aead128",
        "operation": "encrypt",
        "cipher": "",
        "nonce_size": 16,
        "tag_size": 16,
        "limit": 0,
        "keys": random(1, 2, 16),
        "nonces": random(2, 2, 16),
        "data": random(3, 2, 30),
        "tags": None,
    }
    return _core.small_fleet(**given | changed)


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"numpy": ()}, ValueError, "numpy has 0 entries; 6 expected"),
        ({"numpy": NUMPY[:3]}, ValueError, "numpy has 3 entries"),
        ({"algorithm": "none"}, ValueError, "no fleet operation of this name"),
        ({"operation": "hash"}, ValueError, "no fleet operation of this name"),
        ({"algorithm": "eax", "cipher": "none"}, ValueError, "no block cipher"),
        ({"tag_size": 0}, ValueError, "tags have the wrong size"),
        ({"tag_size": 15}, ValueError, "tags have the wrong size"),
        ({"numpy": (lambda *_: np.empty(1, np.uint8), *NUMPY[1:])}, ValueError, "too small"),
        ({"numpy": (lambda *_: None, *NUMPY[1:])}, TypeError, "out must be"),
        ({"numpy": (lambda *_: bytes(60), *NUMPY[1:])}, TypeError, "out is a read-only"),
    ],
)
def test_the_extension_checks_every_size_itself(
    changed: dict[str, Any], error: type, said: str
) -> None:
    assert small() is not None
    with pytest.raises(error, match=said):
        small(**changed)


def test_an_error_of_numpy_reaches_the_caller() -> None:
    def empty(*_: object) -> None:
        raise MemoryError("no memory")

    with pytest.raises(MemoryError, match="no memory"):
        small(numpy=(empty, *NUMPY[1:]))
