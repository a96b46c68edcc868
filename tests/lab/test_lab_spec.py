# SPDX-License-Identifier: Apache-2.0
"""The executable specifications answer every vector.

The quick run takes a part of the long files, because plain Python hashes slowly; `-m slow` runs the
rest. The id of each test says how many of how many vectors it ran.
"""

from functools import partial

import catalogue
import pytest
import reference_ciphers
import vectors_io

from hanji_lab import spec
from hanji_lab.spec import modes

pytestmark = pytest.mark.quick

# Every so many tests of these files in the quick run; all others are taken whole.
STRIDES = {
    **{f"{name}_kat": 25 for name in catalogue.algorithms("hash", "xof")},
    **{f"{name}_kat": 7 for name in catalogue.algorithms("aead")},
    "ascon_extra": 4,
    "ascon_hash_extra": 4,
}
LONG_MESSAGE = 100_000


def cases(whole):
    """Files and their tests for one run: quick ones, or those that the quick run leaves out."""
    out = []
    for name in vectors_io.names():
        every = vectors_io.load(name)
        stride = STRIDES.get(name, 1)
        quick = [
            test
            for i, test in enumerate(every)
            if i % stride == 0 and len(test.get("msg", b"")) < LONG_MESSAGE
        ]
        ids = {test["tcId"] for test in quick}
        chosen = [test for test in every if test["tcId"] not in ids] if whole else quick
        if chosen:
            out.append(pytest.param(name, chosen, id=f"{name}: {len(chosen)} of {len(every)}"))
    return out


def check_block(cipher, test, reorder):
    """ECB, CBC and the iterated modes, both directions where there are two."""
    key, pt, ct = reorder(test["key"]), test["pt"], test["ct"]
    size = cipher.block_size
    pt, ct = (
        b"".join(reorder(data[at : at + size]) for at in range(0, len(data), size))
        for data in (pt, ct)
    )
    match test["mode"]:
        case "ECB":
            assert cipher.encrypt(pt, key) == ct
            assert cipher.decrypt(ct, key) == pt
        case "CBC":
            iv = test["iv"]
            chain = iv + ct[:-size]
            assert cipher.encrypt(modes.xor(pt, chain), key) == ct
            assert modes.xor(cipher.decrypt(ct, key), chain) == pt
        case "CTR":
            assert cipher.ctr(pt, key, test["iv"]) == ct
            assert cipher.ctr(ct, key, test["iv"]) == pt
        case "ECB-ITER":
            block = pt
            for _ in range(test["iterations"]):
                block = cipher.encrypt(block, key)
            assert block == ct
        case "ECB-ITER-REKEY":
            block = pt
            for _ in range(test["iterations"]):
                block = cipher.encrypt(block, key)
                key = modes.xor(key, block * len(key))
            assert (block, key) == (ct, test["keyOut"])
        case mode:
            raise AssertionError(f"no check for mode {mode}")


def check(test, printed_order=False):
    valid = test["result"] == "valid"
    if test["variant"] in ("aes-128", "tdea"):
        if test["variant"] == "aes-128":
            one = spec.algorithm("aes128")
            check_mode(partial(one.encrypt, keys=one.expand(test["key"])), 16, test, valid)
        else:
            check_mode(partial(reference_ciphers.tdea, test["key"]), 8, test, valid)
        return
    algorithm = spec.algorithm(test["variant"])
    match test["mode"]:
        case "CMAC" | "EAX":
            keys = algorithm.round_keys(test["key"])
            encrypt = lambda block: algorithm.words_to_block(  # noqa: E731
                algorithm.encrypt_words(algorithm.block_to_words(block), keys)
            )
            check_mode(encrypt, algorithm.block_size, test, valid)
        case "AEAD":
            arguments = (test["nonce"], test["aad"])
            sealed = test["ct"] + test["tag"]
            if valid:
                assert algorithm.seal(*arguments, test["pt"], test["key"]) == sealed
                assert algorithm.open(*arguments, sealed, test["key"]) == test["pt"]
            else:
                with pytest.raises(modes.InvalidTag):
                    algorithm.open(*arguments, sealed, test["key"])
        case "AEAD-OPTIONS":
            arguments = (test["nonce"], test["aad"])
            sealed, tag_size = test["ct"] + test["tag"], len(test["tag"])
            if valid:
                assert algorithm.seal(*arguments, test["pt"], test["key"], tag_size) == sealed
                assert algorithm.open(*arguments, sealed, test["key"], tag_size) == test["pt"]
            else:
                with pytest.raises(modes.InvalidTag):
                    algorithm.open(*arguments, sealed, test["key"], tag_size)
        case "HASH" | "XOF":
            assert algorithm.digest(test["msg"], len(test["digest"])) == test["digest"]
        case "CXOF" if not valid:
            with pytest.raises(ValueError, match="at most 256"):
                algorithm.digest(test["msg"], test["outBytes"], test["custom"])
        case "CXOF":
            assert (
                algorithm.digest(test["msg"], len(test["digest"]), test["custom"]) == test["digest"]
            )
        case "PERM" if test["variant"] == "ascon-p":
            assert algorithm.permute(test["in"], test["steps"]) == test["out"]
        case "PERM":
            assert algorithm.permute(test["in"], test["steps"]) == test["out"]
            assert algorithm.inverse(test["out"], test["steps"]) == test["in"]
        case "CTR" if printed_order:
            # The counter runs over the printed string, the cipher over its own order.
            one = lambda block: algorithm.reorder(  # noqa: E731
                algorithm.encrypt(algorithm.reorder(block), algorithm.reorder(test["key"]))
            )
            assert modes.ctr(one, algorithm.block_size, test["iv"], test["pt"]) == test["ct"]
        case _:
            check_block(algorithm, test, algorithm.reorder if printed_order else lambda data: data)


def check_mode(encrypt, size, test, valid):
    tag = test["tag"]
    if test["mode"] == "CMAC":
        if valid:
            assert modes.cmac(encrypt, size, test["msg"], len(tag)) == tag
        elif tag:
            assert modes.cmac(encrypt, size, test["msg"], len(tag)) != tag
        else:
            with pytest.raises(ValueError, match="tag length"):
                modes.cmac(encrypt, size, test["msg"], 0)
        return
    arguments = (encrypt, size, test["nonce"], test["aad"])
    if valid:
        assert modes.eax_seal(*arguments, test["pt"], len(tag)) == test["ct"] + tag
        assert modes.eax_open(*arguments, test["ct"] + tag, len(tag)) == test["pt"]
    else:
        with pytest.raises(modes.InvalidTag if tag else ValueError):
            modes.eax_open(*arguments, test["ct"] + tag, len(tag))


def run(name, tests):
    printed_order = vectors_io.document(name)["byteOrder"] == "printed"
    for test in tests:
        try:
            check(test, printed_order)
        except BaseException as problem:
            problem.add_note(
                f"{name} tcId {test['tcId']}: {test['variant']} {test['mode']} "
                f"{test.get('comment', '')}"
            )
            raise


@pytest.mark.parametrize(("name", "tests"), cases(whole=False))
def test_vectors(name, tests):
    run(name, tests)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tests"), cases(whole=True))
def test_vectors_that_the_quick_run_leaves_out(name, tests):
    run(name, tests)


def test_both_runs_together_take_every_vector():
    assert sum(len(case.values[1]) for whole in (False, True) for case in cases(whole)) == 15996


@pytest.mark.parametrize("field", ["ct", "tag", "digest", "out"])
def test_a_changed_vector_is_caught(field):
    """The control: each kind of check fails on a wrong answer."""
    seen = set()
    for name in vectors_io.names():
        if name.endswith("_kat"):  # long, and the other files of the family have each kind
            continue
        printed_order = vectors_io.document(name)["byteOrder"] == "printed"
        for test in vectors_io.load(name, result="valid"):
            kind = (name, test["mode"])
            if kind in seen or not test.get(field):
                continue
            seen.add(kind)
            test[field] = bytes([test[field][0] ^ 1]) + test[field][1:]
            with pytest.raises((AssertionError, modes.InvalidTag)):
                check(test, printed_order)
    assert seen


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in catalogue.files("block")
        if any("printed" in test for test in vectors_io.document(name)["tests"])
    ],
)
def test_printed_words_of_the_papers(name):
    """The printed examples, through words and not through bytes."""
    ran = 0
    for test in vectors_io.load(name):
        if "printed" not in test:
            continue
        cipher = spec.algorithm(test["variant"])
        words = {
            field: [int(word, 16) for word in text.split()]
            for field, text in test["printed"].items()
        }
        ramp = bytes(range(cipher.block_size))
        last_first = cipher.reorder(ramp) == ramp[::-1]  # as all but CHAM print their words
        key = words["key"][::-1] if last_first else words["key"]
        round_keys = cipher.expand(key)
        assert list(cipher.encrypt_words(words["pt"], round_keys)) == words["ct"], test["variant"]
        assert list(cipher.decrypt_words(words["ct"], round_keys)) == words["pt"], test["variant"]
        joined = {
            field: bytes.fromhex(text.replace(" ", "")) for field, text in test["printed"].items()
        }
        assert {field: cipher.reorder(data) for field, data in joined.items()} == {
            field: test[field] for field in joined
        }, test["variant"]
        ran += 1
    of_family = [cipher for cipher in catalogue.algorithms("block") if cipher.startswith(name)]
    assert ran == len(of_family) > 2
