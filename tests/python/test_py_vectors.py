# SPDX-License-Identifier: Apache-2.0
"""Every test vector through the Python API."""

from __future__ import annotations

import catalogue
import pytest
import vectors_io

import hanji
from hanji import aead, hashes, hazmat

pytestmark = pytest.mark.quick

NO_LIMIT = 2**64 - 1
LIMIT = {a.name: a.limit_blocks * a.block_size for a in hanji.algorithms() if a.kind == "block"}
AEADS = {
    c.name: c
    for c in (
        aead.AsconAEAD128,
        aead.Schwaemm256_128,
        aead.Schwaemm192_192,
        aead.Schwaemm128_128,
        aead.Schwaemm256_256,
    )
}
HASHES = {
    c.name: c
    for c in (
        hashes.AsconHash256,
        hashes.AsconXOF128,
        hashes.Esch256,
        hashes.Esch384,
        hashes.XOEsch256,
        hashes.XOEsch384,
    )
}


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def check_ecb(t: dict) -> None:
    cipher = hazmat.block(t["variant"], t["key"])
    assert cipher.encrypt(t["pt"]) == t["ct"]
    assert cipher.decrypt(t["ct"]) == t["pt"]


def check_cbc(t: dict) -> None:
    cipher = hazmat.block(t["variant"], t["key"])
    before = (t["iv"] + t["ct"])[: len(t["ct"])]
    assert cipher.encrypt(xor(t["pt"], before)) == t["ct"]
    assert xor(cipher.decrypt(t["ct"]), before) == t["pt"]


def check_ctr(t: dict) -> None:
    assert hazmat.ctr(t["variant"], t["key"], t["iv"], limit=NO_LIMIT).update(t["pt"]) == t["ct"]
    assert hazmat.ctr(t["variant"], t["key"], t["iv"], limit=NO_LIMIT).update(t["ct"]) == t["pt"]
    if len(t["pt"]) <= LIMIT[t["variant"]]:
        assert hazmat.ctr_message(t["variant"], t["key"], t["iv"], t["pt"]) == t["ct"]


def check_iterated(t: dict) -> None:
    key, block = t["key"], t["pt"]
    cipher = hazmat.block(t["variant"], key)
    for _ in range(t["iterations"]):
        block = cipher.encrypt(block)
        if t["mode"] == "ECB-ITER-REKEY":
            key = xor(key, (block * len(key))[: len(key)])
            cipher = hazmat.block(t["variant"], key)
    assert block == t["ct"]
    assert key == t.get("keyOut", key)


def check_cmac(t: dict) -> None:
    mac = hazmat.cmac(t["variant"], t["key"], limit=NO_LIMIT)
    mac.update(t["msg"])
    if t["result"] == "valid":
        assert mac.digest(len(t["tag"])) == t["tag"]
        mac.verify(t["tag"], len(t["tag"]))
    elif not t["tag"]:
        with pytest.raises(hanji.InvalidTag):
            mac.verify(t["tag"])
    else:
        with pytest.raises(hanji.InvalidTag):
            mac.verify(t["tag"], len(t["tag"]))


def check_eax(t: dict) -> None:
    if not t["nonce"]:  # our API takes nonces of one byte and more
        with pytest.raises(ValueError, match="nonce is empty"):
            hazmat.eax(t["variant"], t["key"]).encrypt(b"", t["pt"], t["aad"])
        return
    if not t["tag"]:
        with pytest.raises(hanji.InvalidTag):
            hazmat.eax(t["variant"], t["key"]).decrypt(t["nonce"], t["ct"], t["aad"])
        return
    cipher = hazmat.eax(t["variant"], t["key"], tag_size=len(t["tag"]), limit=NO_LIMIT)
    if t["result"] == "valid":
        assert cipher.encrypt(t["nonce"], t["pt"], t["aad"]) == t["ct"] + t["tag"]
        assert cipher.decrypt(t["nonce"], t["ct"] + t["tag"], t["aad"]) == t["pt"]
    else:
        with pytest.raises(hanji.InvalidTag):
            cipher.decrypt(t["nonce"], t["ct"] + t["tag"], t["aad"])


def check_permutation(t: dict) -> None:
    if t["variant"] == "ascon-p":
        assert hazmat.ascon(t["in"], t["steps"]) == t["out"]
        return
    bits = int(t["variant"].removeprefix("sparkle"))
    assert hazmat.sparkle(bits, t["in"], t["steps"]) == t["out"]


def check_aead(t: dict) -> None:
    cipher = AEADS[t["variant"]](t["key"])
    if t["result"] == "valid":
        assert cipher.encrypt(t["nonce"], t["pt"], t["aad"]) == t["ct"] + t["tag"]
        assert cipher.decrypt(t["nonce"], t["ct"] + t["tag"], t["aad"]) == t["pt"]
    else:
        with pytest.raises(hanji.InvalidTag):
            cipher.decrypt(t["nonce"], t["ct"] + t["tag"], t["aad"])


def check_hash(t: dict) -> None:
    message = HASHES[t["variant"]](t["msg"])
    digest = message.digest() if t["mode"] == "HASH" else message.digest(len(t["digest"]))
    assert digest == t["digest"]


def check_options(t: dict) -> None:
    cls = aead.AsconAEAD128 if len(t["tag"]) >= 8 else hazmat.AsconAEAD128ShortTag
    cipher = cls(t["key"], len(t["tag"]), nonce_masking=len(t["key"]) == 32)
    if t["result"] == "valid":
        assert cipher.encrypt(t["nonce"], t["pt"], t["aad"]) == t["ct"] + t["tag"]
        assert cipher.decrypt(t["nonce"], t["ct"] + t["tag"], t["aad"]) == t["pt"]
    else:
        with pytest.raises(hanji.InvalidTag):
            cipher.decrypt(t["nonce"], t["ct"] + t["tag"], t["aad"])


def check_customized(t: dict) -> None:
    if t["result"] == "valid":
        assert hashes.AsconCXOF128(t["msg"], t["custom"]).digest(len(t["digest"])) == t["digest"]
    else:
        with pytest.raises(ValueError, match="customization is"):
            hashes.AsconCXOF128(t["msg"], t["custom"])


CHECKS = {
    "ECB": check_ecb,
    "CBC": check_cbc,
    "CTR": check_ctr,
    "ECB-ITER": check_iterated,
    "ECB-ITER-REKEY": check_iterated,
    "CMAC": check_cmac,
    "EAX": check_eax,
    "PERM": check_permutation,
    "AEAD": check_aead,
    "AEAD-OPTIONS": check_options,
    "CXOF": check_customized,
    "HASH": check_hash,
    "XOF": check_hash,
}


@pytest.mark.parametrize(
    "name",
    [n for n in vectors_io.names() if not n.endswith("_be") and n != "modes_reference_aes_tdea"],
)
def test_vectors(name):
    tests = vectors_io.load(name)
    for t in tests:
        try:
            CHECKS[t["mode"]](t)
        except Exception as error:
            raise AssertionError(
                f"{name} test {t['tcId']} ({t['variant']}, {t['mode']}): "
                f"{type(error).__name__}: {error}"
            ) from error
    assert len(tests) == vectors_io.document(name)["count"]


@pytest.mark.parametrize("name", ["simeck_cryptopp_be", "cham_cryptopp_be"])
def test_vectors_in_printed_order(name):
    """Block by block through from_printed: the counter runs over printed bytes, so CTR is done
    here.
    """
    done = 0
    for t in vectors_io.load(name):
        cipher = hazmat.block(t["variant"], hazmat.from_printed(t["variant"], t["key"].hex()))
        n = cipher.block_size

        def printed(block: bytes, variant: str = t["variant"], cipher: object = cipher) -> bytes:
            return bytes.fromhex(
                hazmat.to_printed(
                    variant, cipher.encrypt(hazmat.from_printed(variant, block.hex()))
                )
            )

        if t["mode"] == "ECB":
            out = b"".join(printed(t["pt"][i : i + n]) for i in range(0, len(t["pt"]), n))
        else:
            first = int.from_bytes(t["iv"])
            blocks = range(-(-len(t["pt"]) // n))
            stream = b"".join(printed(((first + i) % (1 << 8 * n)).to_bytes(n)) for i in blocks)
            out = xor(t["pt"], stream[: len(t["pt"])])
        assert out == t["ct"], f"{name} test {t['tcId']}"
        done += 1
    assert done == vectors_io.document(name)["count"]


def test_printed_words_of_the_papers():
    """Examples that carry the words as printed convert to their library bytes and back."""
    done = 0
    for name in catalogue.files("block"):
        for t in vectors_io.load(name):
            for item, words in t.get("printed", {}).items():
                data = t[item]
                assert hazmat.from_printed(t["variant"], words) == data, (name, t["tcId"], item)
                assert hazmat.to_printed(t["variant"], data) == words
                done += 1
    assert done >= 3 * (10 + 10 + 3 + 6)
