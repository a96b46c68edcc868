# SPDX-License-Identifier: Apache-2.0
"""hanji.sign, and the commands sign-keygen, sign and verify."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import kat
import pytest

import hanji
from hanji import keys, sign
from hanji_lab.spec import aimer, aimer3

VARIANTS = aimer3.VARIANTS | aimer.VARIANTS
pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore::hanji.sign.BrokenSchemeWarning"),
]
KNOWN = "--i-know-it-is-broken"
SOME = [
    "aimer3-128f",
    "aimer3-192f",
    "aimer3-256f",
    "aimer2-128f",
    "aimer2-256f",
    "aimer1-l1-param2",
]


@pytest.fixture(params=SOME)
def private(request: pytest.FixtureRequest) -> sign.PrivateKey:
    return sign.scheme(request.param).generate()


def test_every_set_is_there_with_its_sizes() -> None:
    for name, one in VARIANTS.items():
        scheme = sign.scheme(name)
        sizes = (scheme.size, scheme.PublicKey.size, scheme.signature_size)
        assert sizes == (one.secret_key_size, one.public_key_size, one.signature_size), name
        about = next(a for a in hanji.algorithms() if a.name == name)
        assert (
            (scheme.broken, scheme.status)
            == (scheme.PublicKey.broken, scheme.PublicKey.status)
            == (about.broken, about.status)
        )
        assert scheme.broken == (one.version < 3), name
        assert ("BROKEN" in (scheme.__doc__ or "")) == scheme.broken, name
        assert ("BROKEN" in (scheme.PublicKey.__doc__ or "")) == scheme.broken, name
    assert sign.AIMer3_128f is sign.scheme("aimer3-128f")
    assert sign.AIMer2_128f is sign.scheme("aimer2-128f")
    assert sign.AIMer1_L5Param4 is sign.scheme("aimer1-l5-param4")


def test_sign_and_verify(private: sign.PrivateKey) -> None:
    for message in (b"", b"abc", bytearray(1000)):
        signature = private.sign(message)
        private.public_key.verify(signature, message)
        assert VARIANTS[private.algorithm].verify(private.public_key.raw, bytes(message), signature)
        with pytest.raises(sign.InvalidSignature, match="does not verify"):
            private.public_key.verify(signature, bytes(message) + b"x")
        with pytest.raises(sign.InvalidSignature, match=f"{len(signature) - 1} were given"):
            private.public_key.verify(signature[:-1], message)
    with pytest.raises(sign.InvalidSignature):
        type(private).generate().public_key.verify(signature, bytes(1000))


def test_messages_in_pieces(private: sign.PrivateKey) -> None:
    message, other = private.message(), private.public_key.message()
    for piece in (b"", b"ab", b"c" * 500):
        message.update(piece)
        other.update(piece)
    signature = message.sign()
    private.public_key.verify(signature, b"ab" + b"c" * 500)
    other.verify(signature)
    other.update(b"x")
    with pytest.raises(sign.InvalidSignature):
        other.verify(signature)
    with pytest.raises(TypeError, match="public key cannot sign"):
        other.sign()


def test_many_at_once(private: sign.PrivateKey) -> None:
    messages = [bytes([i]) * i for i in range(12)]
    signatures = private.sign_many(messages, threads=3)
    assert private.public_key.verify_many(signatures, messages) == [True] * 12
    messages[5] = b"another"
    assert private.public_key.verify_many(signatures, messages).index(False) == 5
    assert private.public_key.verify_many(
        [signatures[0][:-1], signatures[1]], messages[:2], threads=1
    ) == [False, True]
    assert private.sign_many([]) == private.public_key.verify_many([], []) == []
    for threads in (1, 3):
        with pytest.raises(TypeError, match="message"):
            private.sign_many([*messages, "text"], threads=threads)
    with pytest.raises(ValueError, match="12 signatures were given for 11"):
        private.public_key.verify_many(signatures, messages[1:])

    class Lying(list[bytes]):
        """A list that another thread makes longer when its length has been asked for."""

        def __len__(self) -> int:
            return 11

    with pytest.raises(ValueError, match="11 signatures were given for 12"):
        private.public_key.verify_many(signatures[1:], Lying(messages))


@pytest.mark.parametrize("name", ["aimer3-128f", "aimer3-256f"])
def test_contexts(name: str) -> None:
    """One by one, in pieces and in batches; the specification agrees. A context is part of what is
    signed.
    """
    private = sign.scheme(name).generate()
    public, one = private.public_key, aimer3.VARIANTS[name]
    for context in (b"", b"a", bytearray(255)):
        signature = private.sign(b"text", context=context, deterministic=True)
        assert one.verify(public.raw, b"text", signature, bytes(context))
        assert private.sign_many([b"text"], context=context, deterministic=True) == [signature]
        message, other = private.message(context=context), public.message(context=context)
        for part in (message, other):
            part.update(b"te")
            part.update(b"xt")
        assert message.sign(deterministic=True) == signature
        other.verify(signature)
        public.verify(signature, b"text", context=context)
        assert public.verify_many([signature] * 2, [b"text"] * 2, context=context) == [True] * 2
        assert public.verify_many(
            [signature], [b"text"], context=bytes(context) + b"x" if len(context) < 255 else b""
        ) == [False]
        with pytest.raises(sign.InvalidSignature, match="the context"):
            public.verify(signature, b"text", context=b"another")
    made = one.sign(private.raw, b"text", bytes, b"a")  # no random bytes: zeros
    assert made == private.sign(b"text", context=b"a", deterministic=True)
    for call in (private.sign, private.public_key.message, private.message):
        with pytest.raises(ValueError, match="a context has 0 to 255 bytes; 256 were given"):
            call(*([b"text"] if call == private.sign else []), context=bytes(256))
    with pytest.raises(TypeError, match="context"):
        private.sign(b"text", context="text")  # type: ignore[arg-type]


def test_options_of_signing(private: sign.PrivateKey) -> None:
    """check verifies and changes nothing; without random bytes v1.0 refuses, for its signatures
    would give away the key.
    """
    public, is_old = private.public_key, private.algorithm.startswith("aimer1")
    for signature in (
        private.sign(b"text", check=True),
        *private.sign_many([b"text"] * 2, check=True),
    ):
        public.verify(signature, b"text")
    if is_old:
        with pytest.raises(ValueError, match="cannot sign deterministically"):
            private.sign(b"text", deterministic=True)
        return
    both = {private.sign(b"text", deterministic=True, check=check) for check in (False, True)}
    assert len(both) == 1
    assert private.sign(b"text") not in both
    public.verify(both.pop(), b"text")


@pytest.mark.parametrize("name", ["aimer2-128f", "aimer1-l1-param1", "rainbow-i-cz"])
@pytest.mark.usefixtures("rainbow")
def test_schemes_without_contexts_refuse_one(name: str) -> None:
    private = sign.scheme(name).generate()
    public, signature = private.public_key, private.sign(b"text", context=b"", check=True)
    for call in (
        lambda: private.sign(b"text", context=b"a"),
        lambda: private.sign_many([b"text"], context=b"a"),
        lambda: public.verify(signature, b"text", context=b"a"),
        lambda: public.verify_many([signature], [b"text"], context=b"a"),
        lambda: public.message(context=b"a"),
    ):
        with pytest.raises(ValueError, match=f"{name} takes no context string; AIMer v3 does"):
            call()
    public.verify(signature, b"text", context=b"")


def test_a_private_key_with_a_zero_input_is_refused() -> None:
    zero = kat.vectors3()["extra"]["n128"]["zero_input"]
    raw = bytes.fromhex(zero["key_with_x_s_zero"][0] + zero["iv"] + "00" * 16)
    with pytest.raises(
        ValueError,
        match="the private key is none of aimer3-128f: an S-box would have the input zero",
    ):
        sign.AIMer3_128f(raw)


def test_keys_keep_and_refuse(private: sign.PrivateKey) -> None:
    text = keys.dumps(
        private.to_key("a comment"), passphrase="secret", argon2=keys.Argon2Parameters(1, 64, 1)
    )
    again = sign.load(keys.loads(text, "secret"))
    assert isinstance(again, sign.PrivateKey)
    assert again.raw == private.raw
    public = sign.load(keys.loads(keys.dumps(private.public_key.to_key())))
    assert public == private.public_key
    damaged = bytearray(private.raw)
    damaged[-1] ^= 1
    with pytest.raises(ValueError, match="public half does not belong"):
        type(private)(damaged)
    with pytest.raises(ValueError, match="1 were given"):
        type(private)(b"x")
    assert private.raw.hex() not in repr(private)
    kept = private.raw
    with pytest.raises(ValueError, match="public half does not belong"):
        private.__init__(damaged)  # type: ignore[misc]
    assert private.raw == kept
    for keyed in (private, private.public_key, private.message()):
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="is not pickled or copied"):
                attempt(keyed)
    with pytest.raises(ValueError, match="expected is a private key"):
        type(private).from_key(private.public_key.to_key())
    with pytest.raises(
        ValueError, match=r"this name \(a str of 6 characters\); did you mean aimer"
    ):
        sign.scheme("aimer1")
    with pytest.raises(ValueError, match="recommended are slh-dsa-shake-128s"):
        sign.scheme("ed-25519")
    with pytest.raises(ValueError, match="makes no signatures"):
        sign.load(keys.generate())


def test_the_classes_of_no_scheme_make_no_keys() -> None:
    for call in (
        lambda: sign.PublicKey(32),  # type: ignore[arg-type]
        lambda: sign.PrivateKey(bytes(48)),
        lambda: sign.PrivateKey.generate(),
        lambda: sign.PrivateKey.from_key(keys.generate()),
    ):
        with pytest.raises(TypeError, match="use the class of one, such as AIMer3_128f"):
            call()


def test_the_id_of_another_set_is_refused() -> None:
    raw = bytearray(sign.scheme("aimer1-l1-param1").generate().raw)
    raw[0] = 2
    with pytest.raises(ValueError, match="another parameter set"):
        sign.AIMer1_L1Param1(raw)


def hanji_(folder: Path, *arguments: str, status: int = 0, data: bytes = b"") -> tuple[bytes, str]:
    wide = os.environ | {"COLUMNS": "200"}  # usage errors on one line
    command = [sys.executable, "-m", "hanji.cli", *arguments]
    done = subprocess.run(command, cwd=folder, input=data, capture_output=True, env=wide)
    assert done.returncode == status, done.stderr.decode()
    return done.stdout, done.stderr.decode()


def test_commands(tmp_path: Path) -> None:
    """aimer3-128f, with a context; each signature is checked before it is written."""
    _, said = hanji_(tmp_path, "sign-keygen", "-o", "key", "-a", "aimer3-128f")
    assert "aimer3-128f" in said
    (tmp_path / "a").write_bytes(b"first")
    (tmp_path / "b").write_bytes(bytes(1 << 20))
    hanji_(tmp_path, "sign", "-k", "key", "a", "b", "--context", "report")
    assert hanji_(tmp_path, "verify", "-k", "key.pub", "a", "b", "--context", "report") == (
        b"a: OK\nb: OK\n",
        "",
    )
    for other in ((), ("--context", "Report"), ("--context", "")):
        out, said = hanji_(tmp_path, "verify", "-k", "key.pub", "a", *other, status=1)
        assert out == b"a: FAILED\n"
        assert "the context" in said
    public = sign.load(keys.load(tmp_path / "key.pub"))
    assert isinstance(public, sign.PublicKey)
    public.verify((tmp_path / "a.sig").read_bytes(), b"first", context=b"report")
    for number in "12":
        hanji_(tmp_path, "sign", "-k", "key", "a", "-o", number, "--deterministic", "--no-check")
    assert (
        (tmp_path / "1").read_bytes()
        == (tmp_path / "2").read_bytes()
        != (tmp_path / "a.sig").read_bytes()
    )
    hanji_(tmp_path, "sign", "-k", "key", "a", "-o", "long", "--context", "x" * 255)
    hanji_(tmp_path, "verify", "-k", "key.pub", "a", "-s", "long", "--context", "x" * 255)
    _, said = hanji_(
        tmp_path, "sign", "-k", "key", "a", "-o", "longer", "--context", "x" * 256, status=2
    )
    assert "256 were given" in said
    assert not (tmp_path / "longer").exists()


def test_commands_refuse_a_context_of_older_generations(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    for name in ("aimer2-128f", "aimer1-l1-param1"):
        hanji_(tmp_path, "sign-keygen", "-o", name, "-a", name, KNOWN)
        _, said = hanji_(tmp_path, "sign", "-k", name, "a", "--context", "report", KNOWN, status=2)
        assert f"{name} takes no context string" in said
        _, said = hanji_(
            tmp_path, "verify", "-k", f"{name}.pub", "a", "--context", "report", KNOWN, status=2
        )
        assert f"{name} takes no context string" in said
    _, said = hanji_(tmp_path, "sign", "-k", name, "a", "--deterministic", KNOWN, status=2)
    assert f"{name} cannot sign deterministically" in said
    assert not (tmp_path / "a.sig").exists()


def test_commands_with_a_broken_scheme(tmp_path: Path) -> None:
    _, said = hanji_(tmp_path, "sign-keygen", "-o", "key", "-a", "aimer2-128f", KNOWN)
    assert "aimer2-128f" in said
    assert (tmp_path / "key").stat().st_mode & 0o77 == 0
    (tmp_path / "a").write_bytes(b"first")
    (tmp_path / "b").write_bytes(bytes(1 << 20))
    hanji_(tmp_path, "sign", "-k", "key", "a", "b", KNOWN)
    out, said = hanji_(tmp_path, "verify", "-k", "key.pub", "a", "b", KNOWN)
    nothing = b"OK, but it proves nothing: the scheme is broken\n"
    assert out == b"a: " + nothing + b"b: " + nothing
    assert said.count("\n") == 1
    assert said.startswith(
        "hanji: warning: aimer2-128f: BROKEN: forgeable from the public key alone"
    )
    signature = (tmp_path / "a.sig").read_bytes()
    public = sign.load(keys.load(tmp_path / "key.pub"))
    assert isinstance(public, sign.PublicKey)
    public.verify(signature, b"first")
    _, said = hanji_(tmp_path, "sign", "-k", "key", "a", KNOWN, status=3)
    assert "a.sig" in said
    hanji_(tmp_path, "sign", "-k", "key", "-", "-o", "c.sig", KNOWN, data=b"piped")
    hanji_(tmp_path, "verify", "-k", "key.pub", "-", "-s", "c.sig", KNOWN, data=b"piped")
    (tmp_path / "b").write_bytes(b"changed")
    out, said = hanji_(tmp_path, "verify", "-k", "key.pub", "a", "b", KNOWN, status=1)
    assert out == b"a: " + nothing + b"b: FAILED\n"
    assert "b: the signature does not verify" in said
    (tmp_path / "a.sig").write_bytes(signature + b"x")
    hanji_(tmp_path, "verify", "-k", "key.pub", "a", KNOWN, status=1)


def test_commands_say_what_is_wrong(tmp_path: Path) -> None:
    _, said = hanji_(tmp_path, "sign-keygen", "-o", "old", "-a", "aimer1-l1-param1", KNOWN)
    assert "warning: aimer1-l1-param1: BROKEN" in said
    (tmp_path / "a").write_bytes(b"a")
    _, said = hanji_(tmp_path, "sign", "-k", "old.pub", "a", KNOWN, status=2)
    assert "a public key cannot sign" in said
    _, said = hanji_(tmp_path, "sign-keygen", "-o", "old", "-a", "aimer2-128f", KNOWN, status=3)
    assert "old: already exists" in said
    hanji_(tmp_path, "keygen", "-o", "seal")
    _, said = hanji_(tmp_path, "sign", "-k", "seal", "a", status=2)
    assert "makes no signatures" in said
    _, said = hanji_(tmp_path, "sign-keygen", "-o", "x", "-a", "aimer1", status=2)
    assert "did you mean aimer3-192s" in said


@pytest.mark.parametrize("name", ["aimer2-128f", "aimer1-l1-param1"])
def test_commands_do_nothing_with_a_broken_scheme(tmp_path: Path, name: str) -> None:
    """keygen, sign and verify say why and end with status 2, also before a key is unlocked."""
    passphrase = tmp_path / "passphrase"
    passphrase.write_text("secret\n")
    (tmp_path / "a").write_bytes(b"a")
    unlock = ("--passphrase-file", str(passphrase))
    hanji_(tmp_path, "sign-keygen", "-a", name, "-o", "key", *unlock, KNOWN)
    hanji_(tmp_path, "sign", "-k", "key", "a", "-o", "good", *unlock, KNOWN)
    before = sorted(path.name for path in tmp_path.iterdir())
    for arguments in (
        ("sign-keygen", "-a", name, "-o", "new"),
        ("sign", "-k", "key", "a"),  # it is locked, and no passphrase is asked for
        ("verify", "-k", "key.pub", "a", "-s", "good"),
        ("verify", "-k", "key.pub", "a", "-s", "there is no such file"),
        ("verify", "-k", "key", "a", "-s", "good"),
    ):
        out, said = hanji_(tmp_path, *arguments, status=2)
        assert out == b""
        assert f"{name}: BROKEN: forgeable from the public key alone" in said
        assert "Nothing was done" in said
        assert KNOWN in said
        assert said.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("old", ["aimer128f", "aimer256s", "aimer-l1-param1"])
def test_the_names_before_the_first_release_are_refused(tmp_path: Path, old: str) -> None:
    now = {
        "aimer128f": "aimer2-128f",
        "aimer256s": "aimer2-256s",
        "aimer-l1-param1": "aimer1-l1-param1",
    }[old]
    with pytest.raises(
        ValueError,
        match=f"'{old}' is the name that {now} had before its first release; .* make new ones",
    ):
        sign.scheme(old)
    key = sign.scheme(now).generate()
    for number, there in enumerate((key.to_key(), key.public_key.to_key())):
        path = tmp_path / f"key{number}"
        keys.save(keys.Key(old, there.material, kind=there.kind), path)
        _, said = hanji_(
            tmp_path,
            ("sign", "verify")[number],
            "-k",
            path.name,
            "-",
            ("-o", "-s")[number],
            "a.sig",
            KNOWN,
            status=2,
        )
        assert f"key{number}: '{old}' is the name" in said
        assert "forged from the public key alone" in said


@pytest.mark.parametrize("name", ["aimer2-128f", "aimer1-l1-param1", "rainbow-i-cz"])
@pytest.mark.usefixtures("rainbow")
def test_every_use_of_a_broken_scheme_gives_a_warning(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sign.BrokenSchemeWarning)
        private = sign.scheme(name).generate()
        public, signature = private.public_key, private.sign(b"a")
    message, other = private.message(), public.message()
    message.update(b"a")
    other.update(b"a")
    uses: dict[str, Callable[[], object]] = {
        "generate": type(private).generate,
        "a private key": lambda: type(private)(private.raw),
        "a public key": lambda: type(public)(public.raw),
        "from_key": lambda: type(private).from_key(private.to_key()),
        "load a private key": lambda: sign.load(private.to_key()),
        "load a public key": lambda: sign.load(public.to_key()),
        "sign": lambda: private.sign(b"a"),
        "sign_many": lambda: private.sign_many([b"a"]),
        "verify": lambda: public.verify(signature, b"a"),
        "verify_many": lambda: public.verify_many([signature], [b"a"]),
        "Message.sign": message.sign,
        "Message.verify": lambda: other.verify(signature),
    }
    for use, call in uses.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error", sign.BrokenSchemeWarning)
            with pytest.raises(sign.BrokenSchemeWarning, match=f"^{name}: BROKEN: "):
                call()
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            call()
        assert [(w.category, w.filename) for w in given] == [
            (sign.BrokenSchemeWarning, __file__)
        ], use
