# SPDX-License-Identifier: Apache-2.0
"""The executable specifications of AES and of the modes that frames use it in.

tests/vectors/README.md describes the files in aes/.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import vectors_io

from hanji_lab.spec import modes, modes128
from hanji_lab.spec.aes import VARIANTS, Aes
from hanji_lab.spec.modes import InvalidTag

pytestmark = pytest.mark.quick

Test = dict[str, Any]

FILES = {"block": 1130, "expand": 12, "cmac": 326, "eax": 240, "ccm": 940, "gcm": 1220}
MODES = {
    "CCM": (modes128.ccm_seal, modes128.ccm_open),
    "GCM": (modes128.gcm_seal, modes128.gcm_open),
}
REFUSED = {"InvalidNonceSize", "InvalidTagSize", "InsecureTagSize", "ZeroLengthIv"}
# Bytes of text or associated data from which on a test takes about a second; of those in a file, CI
# runs the first and the last.
LONG = 20_000


def cipher(test: Test) -> Aes:
    return VARIANTS[test["variant"].replace("-", "")]


def blocks(test: Test, direction: str = "encrypt") -> Callable[[bytes], bytes]:
    one = cipher(test)
    return partial(getattr(one, direction), keys=one.expand(test["key"]))


def check_block(test: Test) -> None:
    encrypt, decrypt = blocks(test), blocks(test, "decrypt")
    key, pt, ct = test["key"], test["pt"], test["ct"]
    match test["mode"]:
        case "ECB":
            assert encrypt(pt) == ct
            assert decrypt(ct) == pt
        case "CBC":
            assert modes128.cbc_encrypt(encrypt, test["iv"], pt) == ct
            assert modes128.cbc_decrypt(decrypt, test["iv"], ct) == pt
        case "CTR":
            assert modes.ctr(encrypt, 16, test["iv"], pt) == ct
            stream = cipher(test).stream(len(pt), test["iv"], cipher(test).expand(key))
            assert modes.xor(pt, stream) == ct
        case "ECB-ITER":
            for _ in range(test["iterations"]):
                pt = encrypt(pt)
            assert pt == ct
        case "ECB-ITER-REKEY":
            for _ in range(test["iterations"]):
                pt = cipher(test).encrypt(pt, cipher(test).expand(key))
                key = modes.xor(key, pt * 2)
            assert (pt, key) == (ct, test["keyOut"])
        case mode:
            raise AssertionError(f"no check for mode {mode}")


def check_cmac(test: Test) -> None:
    if len(test["key"]) not in (16, 24, 32):
        assert test["flags"] == ["InvalidKeySize"] and test["variant"].startswith("key of")
        for one in VARIANTS.values():
            with pytest.raises(ValueError, match=r"key: \d+ bytes given"):
                one.expand(test["key"])
        return
    same = modes.cmac(blocks(test), 16, test["msg"], test["tagSize"]) == test["tag"]
    assert same == (test["result"] == "valid")


def check_eax(test: Test) -> None:
    arguments = (blocks(test), 16, test["nonce"], test["aad"])
    sealed, size = test["ct"] + test["tag"], test["tagSize"]
    if test["result"] == "valid":
        assert modes.eax_seal(*arguments, test["pt"], size) == sealed
        assert modes.eax_open(*arguments, sealed, size) == test["pt"]
    else:
        with pytest.raises(InvalidTag):
            modes.eax_open(*arguments, sealed, size)


def check_aead(test: Test) -> None:
    seal, unseal = MODES[test["mode"]]
    arguments, size = (blocks(test), test["nonce"], test.get("aad", b"")), test["tagSize"]
    if test["result"] == "valid":
        sealed = seal(*arguments, test["pt"], size)
        if "ctSha256" in test:
            assert hashlib.sha256(sealed[:-size]).hexdigest() == test["ctSha256"]
            assert sealed[-size:] == test["tag"]
        else:
            assert sealed == test["ct"] + test.get("tag", b"")
        assert unseal(*arguments, sealed, size) == test["pt"]
    elif REFUSED & set(test.get("flags", [])) or "ct" not in test:
        # A size that no key can agree on, or a text too long for its nonce.
        with pytest.raises(ValueError, match="given"):
            seal(*arguments, test["pt"], size)
        if "ct" in test:
            with pytest.raises(ValueError, match="given"):
                unseal(*arguments, test["ct"] + test["tag"], size)
    else:
        with pytest.raises(InvalidTag):
            unseal(*arguments, test["ct"] + test["tag"], size)


def check_expansion(test: Test) -> None:
    assert cipher(test).expand(test["key"]) == test["roundKeys"]


CHECKS = {
    "EXPAND": check_expansion,
    "ECB": check_block,
    "CBC": check_block,
    "CTR": check_block,
    "ECB-ITER": check_block,
    "ECB-ITER-REKEY": check_block,
    "CMAC": check_cmac,
    "EAX": check_eax,
    "CCM": check_aead,
    "GCM": check_aead,
}


def is_long(test: Test) -> bool:
    return max(len(test.get("aad", b"")), len(test.get("pt", b""))) > LONG


def selected(name: str, *, slow: bool) -> list[Test]:
    """The tests of a file that CI runs, or those that it leaves out."""
    every = vectors_io.load(f"aes/{name}")
    left_out = {test["tcId"] for test in [one for one in every if is_long(one)][1:-1]}
    return [test for test in every if (test["tcId"] in left_out) == slow]


def run(chosen: list[Test]) -> None:
    for test in chosen:
        try:
            CHECKS[test["mode"]](test)
        except BaseException as problem:
            problem.add_note(f"tcId {test['tcId']}: {test['variant']} {test['comment']}")
            raise


@pytest.mark.parametrize("name", FILES)
def test_vectors(name: str) -> None:
    assert len(vectors_io.load(f"aes/{name}")) == FILES[name]
    run(selected(name, slow=False))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ccm"])
def test_long_vectors(name: str) -> None:
    chosen = selected(name, slow=True)
    assert len(chosen) == 16
    run(chosen)


@pytest.mark.parametrize("field", ["ct", "tag", "roundKeys"])
@pytest.mark.parametrize("name", FILES)
def test_a_changed_vector_is_caught(name: str, field: str) -> None:
    """The control of the test above, for every mode of a file."""
    first = {}
    for test in vectors_io.load(f"aes/{name}", result="valid"):
        if test.get(field):
            first.setdefault(test["mode"], test)
    for test in first.values():
        wrong = bytearray(test[field])
        wrong[-1] ^= 1
        with pytest.raises((AssertionError, InvalidTag)):
            CHECKS[test["mode"]](test | {field: bytes(wrong)})


@pytest.mark.parametrize("name", ["cmac", "eax", "ccm", "gcm"])
def test_every_byte_of_a_sealed_text_counts(name: str) -> None:
    """Each byte of key, nonce, associated data, ciphertext and tag, one bit changed."""
    for test in vectors_io.load(f"aes/{name}", result="valid")[:40:13]:
        for field in ("key", "nonce", "aad", "msg", "ct", "tag"):
            for at in range(len(test.get(field, b""))):
                wrong = bytearray(test[field])
                wrong[at] ^= 1 << at % 8
                CHECKS[test["mode"]](test | {field: bytes(wrong), "result": "invalid", "flags": []})


def test_sizes_are_refused() -> None:
    one = VARIANTS["aes128"]
    keys = one.expand(bytes(16))
    encrypt = partial(one.encrypt, keys=keys)
    for call, given in [
        (lambda: one.expand(bytes(15)), "key: 15 bytes given, 16 expected"),
        (lambda: one.encrypt(bytes(17), keys), "blocks: 17 bytes given, a multiple of 16 expected"),
        (lambda: one.decrypt(bytes(16), keys[1:]), "round keys: 175 bytes given, 176 expected"),
        (lambda: modes128.cbc_decrypt(encrypt, bytes(15), b""), "iv: 15 bytes given, 16 expected"),
        (lambda: modes128.cbc_decrypt(encrypt, bytes(16), b"1"), "text: 1 bytes given"),
        (lambda: modes128.ccm_seal(encrypt, bytes(6), b"", b"", 8), "nonce: 6 bytes given"),
        (lambda: modes128.ccm_seal(encrypt, bytes(14), b"", b"", 8), "nonce: 14 bytes given"),
        (lambda: modes128.ccm_open(encrypt, bytes(13), b"", bytes(16), 5), "tag: 5 bytes given"),
        (lambda: modes128.gcm_seal(encrypt, b"", b"", b""), "nonce: 0 bytes given"),
        (lambda: modes128.gcm_open(encrypt, bytes(12), b"", bytes(16), 11), "tag: 11 bytes given"),
    ]:
        with pytest.raises(ValueError, match=given):
            call()
    for size in range(16):
        for unseal in (modes128.ccm_open, modes128.gcm_open):
            with pytest.raises(InvalidTag, match="shorter than the tag"):
                unseal(encrypt, bytes(12), b"", bytes(size), 16)


def test_tags_of_ccm_are_no_beginnings_of_longer_ones() -> None:
    """Their size is authenticated, unlike in GCM: one key never has two sizes there."""
    encrypt = blocks({"variant": "aes-128", "key": bytes(16)})
    ccm = {n: modes128.ccm_seal(encrypt, bytes(13), b"", b"text", n)[4:] for n in (4, 8, 16)}
    gcm = {n: modes128.gcm_seal(encrypt, bytes(12), b"", b"text", n)[4:] for n in (4, 8, 16)}
    assert ccm[16][:8] != ccm[8] != ccm[4] and ccm[8][:4] != ccm[4]
    assert gcm[16][:8] == gcm[8] and gcm[8][:4] == gcm[4]
