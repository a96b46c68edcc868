# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA in hanji.sign and in the commands: NIST's answers, messages in pieces and in files,
misuse. tests/c/test_c_slhdsa.py has the tests of the algorithm itself.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import io
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import vectors_io

import hanji
from hanji import keys, sign
from hanji_lab.spec.slhdsa import VARIANTS

pytestmark = pytest.mark.quick

FAST = ["slh-dsa-shake-128f", "slh-dsa-shake-192f", "slh-dsa-shake-256f"]
PURE = [
    test
    for test in vectors_io.document("slhdsa/signatures")["tests"]
    if test.get("interface") == "external" and "preHash" not in test
]


@pytest.fixture(scope="module")
def private() -> sign.PrivateKey:
    return sign.SLHDSA_SHAKE_128f.generate()


def test_every_set_is_there_with_its_sizes() -> None:
    for name, one in VARIANTS.items():
        scheme = sign.scheme(name)
        assert (scheme.size, scheme.PublicKey.size) == (4 * one.n, 2 * one.n)
        about = next(a for a in hanji.algorithms() if a.name == name)
        assert (about.kind, about.broken, about.status) == ("signature", False, scheme.status)
        assert "FIPS 205" in (scheme.__doc__ or "")
        assert not scheme.broken
    assert sign.SLHDSA_SHAKE_128s is sign.scheme("slh-dsa-shake-128s")
    assert sign.SLHDSA_SHAKE_256f.signature_size == 49856


def decoded(test: dict[str, Any], *names: str) -> list[bytes]:
    return [base64.b64decode(test.get(name, "")) for name in names]


def test_known_answers_of_signing() -> None:
    tests = [
        test
        for test in PURE
        if test["mode"] == "SIGN" and test["variant"] in FAST and "randomness" not in test
    ]
    assert {test["variant"] for test in tests} == set(FAST)
    for test in tests:
        secret, message, context = decoded(test, "sk", "msg", "context")
        key = sign.scheme(test["variant"])(secret)
        signature = key.sign(message, context=context, deterministic=True)
        assert hashlib.sha256(signature).hexdigest() == test["signatureSha256"], test["comment"]
        key.public_key.verify(signature, message, context=context)


def whole(key: sign.PublicKey, signature: bytes, message: bytes, context: bytes) -> None:
    key.verify(signature, message, context=context)


def in_pieces(key: sign.PublicKey, signature: bytes, message: bytes, context: bytes) -> None:
    pieces = key.message(context=context)
    pieces.update(message)
    pieces.verify(signature)


def in_a_file(key: sign.PublicKey, signature: bytes, message: bytes, context: bytes) -> None:
    key.verify_file(signature, io.BytesIO(message), context=context)


def test_known_answers_of_verifying() -> None:
    tests = [test for test in PURE if test["mode"] == "VERIFY"]
    assert len({test["variant"] for test in tests}) == 6
    assert {test["result"] for test in tests} == {"valid", "invalid"}
    for test in tests:
        raw, message, context, signature = decoded(test, "pk", "msg", "context", "signature")
        key = sign.scheme(test["variant"]).PublicKey(raw)
        valid = test["result"] == "valid"
        for way in (whole, in_pieces, in_a_file):
            if valid:
                way(key, signature, message, context)
            else:
                with pytest.raises(sign.InvalidSignature):
                    way(key, signature, message, context)
        assert key.verify_many([signature] * 3, [message] * 3, context=context) == [valid] * 3


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 12288, 1 << 20, (2 << 20) + 3])
def test_messages_in_pieces_and_in_files(private: sign.PrivateKey, size: int) -> None:
    """Sizes around those in which an object keeps its message; a message may go on."""
    data = hashlib.shake_256(b"message").digest(size)
    expected = private.sign(data, context=b"c", deterministic=True)
    message, other = private.message(context=b"c"), private.public_key.message(context=b"c")
    at = 0
    for length in (0, 1, 4094, 2, 700_000, size):
        message.update(data[at : at + length])
        other.update(memoryview(data)[at : at + length])
        at += length
    assert message.sign(deterministic=True) == expected
    assert message.sign(deterministic=True, check=True) == expected
    other.verify(expected)
    file = io.BytesIO(b"before" + data)
    file.seek(6)  # the message is what follows
    assert private.sign_file(file, context=b"c", deterministic=True) == expected
    file.seek(6)
    private.public_key.verify_file(expected, file, context=b"c")
    message.update(b"x")
    other.update(b"x")
    assert message.sign(deterministic=True) == private.sign(
        data + b"x", context=b"c", deterministic=True
    )
    with pytest.raises(sign.InvalidSignature, match="does not verify"):
        other.verify(expected)


PRE_HASHES = {"SHAKE-128": "SHAKE128", "SHAKE-256": "SHAKE256"}  # as NIST's tests and FIPS 205 say
PRE_HASHED = [
    test
    for test in vectors_io.document("slhdsa/signatures")["tests"]
    if test.get("preHash") in PRE_HASHES
    and (test["preHash"] == "SHAKE-256" or "128" in test["variant"])
]


@pytest.mark.parametrize("way", ["whole", "pieces", "file", "many"])
def test_known_answers_of_pre_hash_modes(way: str) -> None:
    signed, verified = 0, 0
    for test in PRE_HASHED:
        message, context = decoded(test, "msg", "context")
        scheme, pre_hash = sign.scheme(test["variant"]), PRE_HASHES[test["preHash"]]
        if test["mode"] == "VERIFY":
            raw, signature = decoded(test, "pk", "signature")
            key, valid = scheme.PublicKey(raw), test["result"] == "valid"
            verified += 1
        elif test["variant"] in FAST:
            private = scheme(decoded(test, "sk")[0])
            key, valid = private.public_key, True
            given: dict[str, Any] = {"randomness": decoded(test, "randomness")[0]}
            if "randomness" not in test:
                given = {"deterministic": True}
            if way == "whole":
                signature = private.sign(message, context=context, pre_hash=pre_hash, **given)
            elif way == "pieces":
                pieces = private.message(context=context, pre_hash=pre_hash)
                pieces.update(message[:5])
                pieces.update(message[5:])
                signature = pieces.sign(**given)
            elif way == "file":
                signature = private.sign_file(
                    io.BytesIO(message), context=context, pre_hash=pre_hash, **given
                )
            elif "randomness" in test:
                continue  # a batch takes none
            else:
                both = private.sign_many([message] * 2, context=context, pre_hash=pre_hash, **given)
                signature = both[1]
            assert hashlib.sha256(signature).hexdigest() == test["signatureSha256"], test["comment"]
            signed += 1
        else:
            continue
        assert key.verify_many([signature], [message], context=context, pre_hash=pre_hash) == [
            valid
        ]
        if not valid:
            with pytest.raises(sign.InvalidSignature):
                key.verify(signature, message, context=context, pre_hash=pre_hash)
            continue
        key.verify(signature, message, context=context, pre_hash=pre_hash)
        key.verify_file(signature, io.BytesIO(message), context=context, pre_hash=pre_hash)
        pieces = key.message(context=context, pre_hash=pre_hash)
        pieces.update(message)
        pieces.verify(signature)
    assert signed >= (1 if way == "many" else 4) and verified >= 1


@pytest.mark.parametrize(
    "name",
    [name if "128" in name else pytest.param(name, marks=pytest.mark.slow) for name in VARIANTS],
)
def test_every_value_of_a_signature_counts(name: str) -> None:
    """Each of its values of n bytes is altered, in another bit, and so are key and message.
    tests/c/slhdsa_calls_main.c does so with smaller trees and in the other ways to verify.
    """
    private = sign.scheme(name).generate()
    public, n = private.public_key, private.size // 4
    right = private.sign(b"message", context=b"context", deterministic=True)
    assert len(right) % n == 0
    altered = []
    for at in range(0, len(right), n):
        changed = bytearray(right)
        changed[at + at // n % n] ^= 1 << at // n % 8
        altered.append(changed)
    altered += [right[:-1], right + b"\0", right + right, right[:n], b"", right[n:] + right[:n]]
    verdicts = public.verify_many(
        [*altered, right], [b"message"] * (len(altered) + 1), context=b"context"
    )
    assert verdicts.pop(), "control: what is not altered is right"
    wrong = [number for number, accepted in enumerate(verdicts) if accepted]
    assert not wrong, f"accepted: the values {wrong} of {len(altered)}"
    for at in range(2 * n):
        other = bytearray(public.raw)
        other[at] ^= 1 << at % 8
        with pytest.raises(sign.InvalidSignature):
            type(public)(other).verify(right, b"message", context=b"context")
    for message, context in ((b"messagf", b"context"), (b"essage", b"contextm"), (b"message", b"")):
        with pytest.raises(sign.InvalidSignature):
            public.verify(right, message, context=context)


def test_signatures_of_one_mode_are_none_of_another(private: sign.PrivateKey) -> None:
    public = private.public_key
    modes = (None, *sign.PRE_HASHES)
    for made in modes:
        signature = private.sign(b"text", pre_hash=made, check=True)
        for asked in modes:
            right = public.verify_many([signature] * 2, [b"text"] * 2, pre_hash=asked)
            assert right == [made == asked] * 2
            if made == asked:
                public.verify(signature, b"text", pre_hash=asked)
                continue
            with pytest.raises(sign.InvalidSignature, match="the pre-hash"):
                public.verify(signature, b"text", pre_hash=asked)
    with pytest.raises(sign.InvalidSignature):  # whoever hashes first signs another message
        public.verify(
            private.sign(hashlib.shake_256(b"text").digest(64)), b"text", pre_hash="SHAKE256"
        )


# All that FIPS 205 names but the two that are offered.
OTHERS = ["SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/224", "SHA-512/256"]
OTHERS += ["SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"]


def test_other_hash_functions_are_refused_by_name(private: sign.PrivateKey) -> None:
    large = sign.SLHDSA_SHAKE_192f.generate()

    def calls(key: sign.PrivateKey, name: Any) -> None:
        """Every way to name a hash function ends with the exception that the caller expects."""
        public, raised = key.public_key, []
        ways: list[Any] = [
            lambda: key.sign(b"", pre_hash=name),
            lambda: key.sign_file(io.BytesIO(), pre_hash=name),
            lambda: key.sign_many([b""], pre_hash=name, threads=1),
            lambda: key.message(pre_hash=name),
            lambda: public.message(pre_hash=name),
            lambda: public.verify(bytes(public.signature_size), b"", pre_hash=name),
            lambda: public.verify_file(bytes(public.signature_size), io.BytesIO(), pre_hash=name),
            lambda: public.verify_many([b""], [b""], pre_hash=name, threads=1),
        ]
        for way in ways:
            try:
                way()
            except (ValueError, TypeError) as error:
                raised.append(error)
        assert len(raised) == len(ways)
        assert len({(type(error), str(error)) for error in raised}) == 1
        raise raised[0]

    for name in OTHERS:
        with pytest.raises(ValueError, match=f"no hashes of {name} here; take 'SHAKE128' or"):
            calls(private, name)
        with pytest.raises(ValueError, match=f"no hashes of {name} here; take 'SHAKE256', or None"):
            calls(large, name)
    with pytest.raises(ValueError, match=r"192f signs no hashes of SHAKE128, .* take 'SHAKE256'"):
        calls(large, "SHAKE128")
    for name in (
        "",
        "SHAKE-256",
        "shake256",
        "SHAKE256\0",
        "SHAKE256 ",
        "\ud800",
        "0123456789abcdef",
    ):
        with pytest.raises(ValueError, match="pre_hash must be 'SHAKE128' or 'SHAKE256'") as caught:
            calls(private, name)
        assert "0123456789abcdef" not in str(caught.value), "it may be a key"
    for value in (b"SHAKE256", 12, ("SHAKE256",)):
        with pytest.raises(TypeError, match="pre_hash must be None or a str"):
            calls(private, value)
    aimer = sign.AIMer3_128f.generate()
    for value in ("SHAKE256", "SHA-256", b""):
        with pytest.raises(ValueError, match="aimer3-128f takes no pre_hash; SLH-DSA does"):
            aimer.sign(b"", pre_hash=value)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="takes no pre_hash"):
            aimer.public_key.verify(b"", b"", pre_hash=value)  # type: ignore[arg-type]


def test_a_hashed_message_is_read_once(private: sign.PrivateKey) -> None:
    class Pipe(io.RawIOBase):
        """Keeps nothing, so that whoever reads it twice finds nothing."""

        left = 64

        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError("a pipe has no places")

        def read(self, _size: int = -1) -> bytes:  # type: ignore[override]
            self.left -= 1
            return bytes(1 << 18) if self.left >= 0 else b""

    assert private._expanded.readings() == 2
    assert private._expanded.readings("SHAKE256") == 1
    signature = private.sign_file(Pipe(), pre_hash="SHAKE256")  # type: ignore[arg-type]
    private.public_key.verify_file(signature, Pipe(), pre_hash="SHAKE256")  # type: ignore[arg-type]
    private.public_key.verify(signature, bytes(64 << 18), pre_hash="SHAKE256")


def test_own_random_bytes(private: sign.PrivateKey) -> None:
    """NIST's answers with given randomness, and the sizes and ways that are taken."""
    tests = [
        test
        for test in PURE
        if test["mode"] == "SIGN" and test["variant"] in FAST and "randomness" in test
    ]
    assert {test["variant"] for test in tests} == set(FAST)
    for test in tests:
        secret, message, context, randomness = decoded(test, "sk", "msg", "context", "randomness")
        key = sign.scheme(test["variant"])(secret)
        signature = key.sign(message, context=context, randomness=randomness)
        assert hashlib.sha256(signature).hexdigest() == test["signatureSha256"], test["comment"]
    ways: list[Any] = [
        lambda **given: private.sign(b"text", **given),
        lambda **given: private.sign_file(io.BytesIO(b"text"), **given),
    ]
    message = private.message()
    message.update(b"text")
    ways.append(message.sign)
    made = {way(randomness=value) for way in ways for value in (bytes(16), bytearray(16))}
    assert len(made) == 1
    assert made != {private.sign(b"text", randomness=b"1" * 16)}
    assert private.sign(b"text", randomness=private.public_key.raw[:16]) == private.sign(
        b"text", deterministic=True
    )
    for way in ways:
        for size in (0, 15, 17, 32):
            with pytest.raises(
                ValueError, match=f"randomness is {size} bytes; slh-dsa-shake-128f takes 16"
            ):
                way(randomness=bytes(size))
        with pytest.raises(ValueError, match="leave out one of the two"):
            way(randomness=bytes(16), deterministic=True)
        with pytest.raises(TypeError, match="randomness must be bytes-like"):
            way(randomness="0" * 16)
    aimer = sign.AIMer3_128f.generate()
    assert aimer.sign(b"a", randomness=bytes(16)) == aimer.sign(b"a", randomness=bytes(16))
    assert aimer.sign(b"a", randomness=bytes(16)) != aimer.sign(b"a", randomness=b"1" * 16)
    with pytest.raises(ValueError, match="randomness is 15 bytes; aimer3-128f takes 16"):
        aimer.sign(b"a", randomness=bytes(15))
    with pytest.warns(sign.BrokenSchemeWarning):
        old = sign.AIMer1_L1Param1.generate()
    with (
        pytest.warns(sign.BrokenSchemeWarning),
        pytest.raises(ValueError, match="signatures give away the key"),
    ):
        old.sign(b"a", randomness=bytes(16))


def test_progress_is_told(private: sign.PrivateKey) -> None:
    """From the first part to the last one, at most once for a percent, in every way to sign."""
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    message = private.message(pre_hash="SHAKE256")
    ways: list[Any] = [
        private.message().sign,
        message.sign,
        lambda **given: private.sign(b"", **given),
        lambda **given: private.sign_file(io.BytesIO(), **given),
        lambda **given: private.sign_file(io.BytesIO(), pre_hash="SHAKE128", **given),
    ]
    for way in ways:
        for check in (False, True):
            told.clear()
            way(check=check, progress=tell)
            assert told == sorted(set(told)) and len(told) <= 100
            assert {total for _, total in told} == {(33 + 22 * 8) * (1 + check)}
            assert told[-1][0] == told[-1][1]
        with pytest.raises(TypeError, match="progress must be None or a function"):
            way(progress=3)
        with pytest.raises(TypeError, match="positional argument"):
            way(progress=lambda: None)
    told.clear()
    signatures = private.sign_many([b"a"] * 40, threads=2, progress=tell)
    assert private.public_key.verify_many(signatures, [b"a"] * 40) == [True] * 40
    assert told == sorted(told) and told[-1] == (40, 40) and told.count((40, 40)) == 1
    # a scheme that is fast does not tell anything
    sign.AIMer3_128f.generate().sign(b"a", progress=lambda *_: told.append((0, 0)))
    assert (0, 0) not in told
    # nothing to do is no part of anything: whoever divides by all steps divides by none
    assert private.sign_many([], progress=lambda done, total: done / total) == []


def test_progress_that_signs_without_end_is_stopped(private: sign.PrivateKey) -> None:
    """Before the stack ends, of which signatures take more than Python's limit expects."""

    def again(done: int, total: int) -> None:
        private.sign(b"a", progress=again)

    for _ in range(2):  # what was counted is taken off again
        with pytest.raises(RecursionError, match="without progress"):
            private.sign(b"a", progress=again)


def test_what_progress_raises_ends_the_signature(private: sign.PrivateKey) -> None:
    class Enough(BaseException):
        pass

    seen: list[int] = []

    def stop(done: int, total: int) -> None:
        seen.append(done)
        if done > total // 2:
            raise Enough

    for way in (
        lambda: private.sign(b"a", progress=stop),
        lambda: private.sign_file(io.BytesIO(b"a"), progress=stop),
        lambda: private.sign_many([b"a"] * 20, threads=1, progress=stop),
    ):
        seen.clear()
        with pytest.raises(Enough):
            way()
        assert seen == sorted(set(seen)), "it is not called again"
    # the function may sign with the same key
    inner: list[bytes] = []
    private.sign(b"a", progress=lambda *_: inner.append(private.sign(b"b", deterministic=True)))
    assert len(set(inner)) == 1
    private.public_key.verify(inner[0], b"b")


def test_a_pipe_is_signed_too(private: sign.PrivateKey) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise OSError("a pipe has no places")

        tell = seek  # type: ignore[assignment]

    signature = private.sign_file(Pipe(b"piped" * 1000))
    private.public_key.verify(signature, b"piped" * 1000)
    private.public_key.verify_file(signature, Pipe(b"piped" * 1000))


def test_a_file_that_changes_is_not_signed(private: sign.PrivateKey) -> None:
    class Changing(io.BytesIO):
        def seek(self, *place: int) -> int:
            self.getbuffer()[500] ^= 1
            return super().seek(*place)

    with pytest.raises(hanji.HanjiError, match="the message changed between the two readings"):
        private.sign_file(Changing(bytes(1000)))


def test_files_of_a_scheme_that_reads_once() -> None:
    key = sign.AIMer3_128f.generate()
    signature = key.sign_file(io.BytesIO(b"a" * 5000), check=True)
    key.public_key.verify(signature, b"a" * 5000)
    key.public_key.verify_file(signature, io.BytesIO(b"a" * 5000))
    with pytest.raises(sign.InvalidSignature):
        key.public_key.verify_file(signature, io.BytesIO(b"a" * 4999))


def test_streams_keep_their_order(private: sign.PrivateKey) -> None:
    """What sign_file() and verify_file() use, used wrong."""
    expanded, public = private._expanded, private.public_key._expanded
    stream = expanded.stream(b"", None, False, False)
    stream.update(b"a")
    with pytest.raises(ValueError, match="another number of times"):
        stream.sign(False, False)  # the second reading is missing
    for call in (lambda: stream.update(b"a"), stream.again, lambda: stream.sign(False, False)):
        with pytest.raises(ValueError, match="make a new one"):
            call()
    signature = private.sign(b"a")
    stream = public.stream(b"", signature, False, False)
    for call in (stream.again, lambda: stream.sign(False, False)):
        with pytest.raises(ValueError, match="another number of times"):
            call()
    stream.update(b"a")
    assert stream.verify(signature)
    with pytest.raises(ValueError, match="make a new one"):
        stream.verify(signature)
    with pytest.raises(TypeError, match="public key cannot sign"):
        public.stream(b"", None, False, False)
    with pytest.raises(ValueError, match="this message is read once"):
        expanded.message(b"").again()


def test_batches(private: sign.PrivateKey) -> None:
    messages = [bytes([i]) * i for i in range(11)]
    signatures = private.sign_many(messages, threads=2, context=b"many")
    public = private.public_key
    for threads in (1, 3):
        assert public.verify_many(signatures, messages, context=b"many", threads=threads) == [
            True
        ] * len(messages)
    messages[5] = b"another"
    signatures[7] = signatures[7][:-1]
    right = public.verify_many(signatures, messages, context=b"many", threads=1)
    assert right == [i not in (5, 7) for i in range(11)]
    assert public.verify_many(signatures[:5], messages[:5]) == [False] * 5
    assert private.sign_many([]) == public.verify_many([], []) == []
    with pytest.raises(TypeError, match="message"):
        private.sign_many([b"a", "text"], threads=1)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="11 signatures were given for 10"):
        public.verify_many(signatures, messages[1:])


def test_options_and_contexts(private: sign.PrivateKey) -> None:
    public = private.public_key
    both = {private.sign(b"text", deterministic=True, check=check) for check in (False, True)}
    assert len(both) == 1
    assert private.sign(b"text") not in both  # with random bytes
    for context in (b"", b"a", bytearray(255)):
        signature = private.sign(b"text", context=context, check=True)
        public.verify(signature, b"text", context=context)
        with pytest.raises(sign.InvalidSignature, match="the context"):
            public.verify(signature, b"text", context=b"another")
    with pytest.raises(sign.InvalidSignature, match="1 were given"):
        public.verify(b"x", b"text")
    with pytest.raises(sign.InvalidSignature, match="1 were given"):
        public.verify_file(b"x", io.BytesIO())
    for call in (private.message, public.message):
        with pytest.raises(ValueError, match="a context has 0 to 255 bytes; 256 were given"):
            call(context=bytes(256))
    with pytest.raises(ValueError, match="a context has 0 to 255 bytes; 256 were given"):
        private.sign(b"a", context=bytes(256))
    with pytest.raises(TypeError, match="context"):
        private.sign(b"text", context="text")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FAST)
def test_keys_keep_and_refuse(name: str) -> None:
    private = sign.scheme(name).generate()
    assert private.public_key.raw == private.raw[len(private.raw) // 2 :]
    again = sign.load(keys.loads(keys.dumps(private.to_key("a comment"))))
    assert isinstance(again, sign.PrivateKey)
    assert again.raw == private.raw
    public = sign.load(keys.loads(keys.dumps(private.public_key.to_key())))
    assert public == private.public_key
    for place in (0, -1, len(private.raw) // 2):  # SK.seed, PK.root, PK.seed
        damaged = bytearray(private.raw)
        damaged[place] ^= 1
        with pytest.raises(ValueError, match="public half does not belong"):
            type(private)(damaged)
    for kind in (type(private), type(private).PublicKey):
        with pytest.raises(ValueError, match="1 were given"):
            kind(b"x")
    assert private.raw.hex() not in repr(private)
    for keyed in (private, private.public_key, private.message()):
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="is not pickled or copied"):
                attempt(keyed)
    with pytest.raises(TypeError, match="public key cannot sign"):
        private.public_key.message().sign()


def test_threads_share_a_message(private: sign.PrivateKey) -> None:
    """Every piece is there once, whoever gave it; what is signed meanwhile is some prefix."""
    message = private.message()

    def give() -> None:
        for _ in range(200):
            message.update(b"0123456789" * 50)

    threads = [threading.Thread(target=give) for _ in range(3)]
    for thread in threads:
        thread.start()
    message.sign()
    for thread in threads:
        thread.join()
    private.public_key.verify(message.sign(), b"0123456789" * 50 * 600)


def hanji_(folder: Path, *arguments: str, status: int = 0, data: bytes = b"") -> tuple[bytes, str]:
    command = [sys.executable, "-m", "hanji.cli", *arguments]
    done = subprocess.run(
        command, cwd=folder, input=data, capture_output=True, env=os.environ | {"COLUMNS": "200"}
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout, done.stderr.decode()


def test_commands(tmp_path: Path) -> None:
    """Files and a pipe; each signature is made twice before it is written."""
    name = "slh-dsa-shake-128f"
    _, said = hanji_(tmp_path, "sign-keygen", "-o", "key", "-a", name)
    assert name in said
    (tmp_path / "a").write_bytes(b"first")
    (tmp_path / "b").write_bytes(bytes(1 << 20))
    hanji_(tmp_path, "sign", "-k", "key", "a", "b", "--context", "report")
    hanji_(tmp_path, "sign", "-k", "key", "-", "-o", "c.sig", data=b"piped")
    assert hanji_(tmp_path, "verify", "-k", "key.pub", "a", "b", "--context", "report") == (
        b"a: OK\nb: OK\n",
        "",
    )
    assert hanji_(tmp_path, "verify", "-k", "key.pub", "-", "-s", "c.sig", data=b"piped") == (
        b"-: OK\n",
        "",
    )
    public = sign.load(keys.load(tmp_path / "key.pub"))
    assert isinstance(public, sign.PublicKey)
    public.verify((tmp_path / "a.sig").read_bytes(), b"first", context=b"report")
    for number in "12":
        hanji_(tmp_path, "sign", "-k", "key", "a", "-o", number, "--deterministic", "--no-check")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    out, said = hanji_(tmp_path, "verify", "-k", "key.pub", "a", status=1)
    assert out == b"a: FAILED\n"
    assert "the context" in said
    with (tmp_path / "b.sig").open("ab") as file:
        file.write(b"x")  # behind the signature
    out, said = hanji_(tmp_path, "verify", "-k", "key.pub", "b", "--context", "report", status=1)
    assert out == b"b: FAILED\n"
    assert "17089 were given" in said


def test_the_command_signs_hashes(tmp_path: Path, private: sign.PrivateKey) -> None:
    aimer = sign.AIMer3_128f.generate()
    for key, name in ((private, "key"), (private.public_key, "pub"), (aimer, "aimer")):
        keys.save(key.to_key(), tmp_path / name)
    (tmp_path / "a").write_bytes(bytes(1 << 20))
    (tmp_path / "b").write_bytes(b"text")
    chosen = ("--pre-hash", "SHAKE128")
    hanji_(tmp_path, "sign", "-k", "key", "a", "b", *chosen)
    hanji_(tmp_path, "sign", "-k", "key", "-", "-o", "c.sig", *chosen, data=b"piped")
    assert hanji_(tmp_path, "verify", "-k", "pub", "a", "b", *chosen)[0] == b"a: OK\nb: OK\n"
    public = private.public_key
    public.verify((tmp_path / "a.sig").read_bytes(), bytes(1 << 20), pre_hash="SHAKE128")
    public.verify((tmp_path / "c.sig").read_bytes(), b"piped", pre_hash="SHAKE128")
    out, said = hanji_(tmp_path, "verify", "-k", "pub", "a", "--pre-hash", "SHAKE256", status=1)
    assert out == b"a: FAILED\n"
    assert "the pre-hash" in said
    said = hanji_(tmp_path, "sign", "-k", "key", "a", "--pre-hash", "SHA2-256", status=2)[1]
    assert "'SHA2-256' is not one of 'SHAKE128', 'SHAKE256'" in said
    said = hanji_(tmp_path, "verify", "-k", "aimer", "a", *chosen, status=2)[1]
    assert "Invalid value for --pre-hash" in said
    assert "aimer3-128f takes no pre_hash; SLH-DSA does" in " ".join(said.split())


# Runs the command, but that the file "b" changes when it has been read once.
CHANGING = """
import sys
from hanji import sign
from hanji.cli.main import app

read = sign.PrivateKey._read

def read_and_change(file, message):
    read(file, message)
    if getattr(file, "name", "").endswith("b"):
        with open("b", "r+b") as other:
            {change}

sign.PrivateKey._read = staticmethod(read_and_change)
sys.argv = ["hanji", "sign", "-k", "key", "--no-check", *sys.argv[1:]]
app()
"""


@pytest.mark.parametrize(
    "change",
    [
        "other.seek(999); other.write(b'x')",
        "other.truncate(0)",
        "other.seek(0, 2); other.write(b'x')",
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_the_command_refuses_a_file_that_changes(
    tmp_path: Path, private: sign.PrivateKey, change: str, many: bool
) -> None:
    """With an error that names it, exit status 1, and no signature; other files are signed."""
    keys.save(private.to_key(), tmp_path / "key")
    for name in "abc":
        (tmp_path / name).write_bytes(bytes(1000))
    (tmp_path / "b.sig").write_bytes(b"an old one")
    names = ["a", "b", "c"] if many else ["b"]
    done = subprocess.run(
        [sys.executable, "-c", CHANGING.format(change=change), "--force", *names],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("hanji: b: the message changed between the two readings")
    assert (tmp_path / "b.sig").read_bytes() == b"an old one"
    assert [(tmp_path / f"{name}.sig").exists() for name in "ac"] == [many] * 2
    if many:
        private.public_key.verify((tmp_path / "c.sig").read_bytes(), bytes(1000))


def test_a_file_that_changes_after_it_was_hashed_is_no_fault(
    tmp_path: Path, private: sign.PrivateKey
) -> None:
    """In pre-hash mode the one reading counts: the signature is that of what was read."""
    keys.save(private.to_key(), tmp_path / "key")
    (tmp_path / "b").write_bytes(bytes(1000))
    change = "other.truncate(0)"
    words = [sys.executable, "-c", CHANGING.format(change=change), "--pre-hash", "SHAKE256", "b"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0
    assert "b changed while it was read" in done.stderr
    assert (tmp_path / "b").read_bytes() == b""
    private.public_key.verify((tmp_path / "b.sig").read_bytes(), bytes(1000), pre_hash="SHAKE256")


def test_an_unknown_scheme_is_told_the_recommended_ones() -> None:
    with pytest.raises(ValueError, match="no signature scheme has this name") as caught:
        sign.scheme("qqqqq")
    said = str(caught.value)
    assert "qqqqq" not in said, "it may be a key"
    assert "recommended are slh-dsa-shake-128s" in said and "`hanji list`" in said
    assert "aimer" not in said and "rainbow" not in said
    with pytest.raises(ValueError, match=r"did you mean .*aimer3-128f"):
        sign.scheme("aimer3-128")
