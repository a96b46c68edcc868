# SPDX-License-Identifier: Apache-2.0
"""hanji.sign, and the commands sign-keygen, sign and verify."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hanji import keys, sign
from hanji_lab.spec.aimer import VARIANTS

SOME = ["aimer128f", "aimer192f", "aimer256f", "aimer-l1-param2"]


@pytest.fixture(params=SOME)
def private(request: pytest.FixtureRequest) -> sign.PrivateKey:
    return sign.scheme(request.param).generate()


def test_every_set_is_there_with_its_sizes() -> None:
    for name, one in VARIANTS.items():
        scheme = sign.scheme(name)
        sizes = (scheme.size, scheme.PublicKey.size, scheme.signature_size)
        assert sizes == (one.secret_key_size, one.public_key_size, one.signature_size), name
        assert bool(scheme.warning) == (one.version == 1), name
    assert sign.AIMer128f is sign.scheme("aimer128f")
    assert sign.AIMerL5Param4 is sign.scheme("aimer-l5-param4")


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
    assert private.public_key.verify_many([signatures[0][:-1], signatures[1]], messages[:2], threads=1) == [False, True]
    assert private.sign_many([]) == private.public_key.verify_many([], []) == []
    for threads in (1, 3):
        with pytest.raises(TypeError, match="message"):
            private.sign_many([*messages, "text"], threads=threads)
    with pytest.raises(ValueError, match="12 signatures were given for 11"):
        private.public_key.verify_many(signatures, messages[1:])


def test_keys_keep_and_refuse(private: sign.PrivateKey) -> None:
    text = keys.dumps(private.to_key("a comment"), passphrase="secret", argon2=keys.Argon2Parameters(1, 64, 1))
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
    with pytest.raises(ValueError, match="expected is a private key"):
        type(private).from_key(private.public_key.to_key())
    with pytest.raises(ValueError, match="no signature scheme is named 'aimer1'"):
        sign.scheme("aimer1")
    with pytest.raises(ValueError, match="makes no signatures"):
        sign.load(keys.generate())


def test_the_id_of_another_set_is_refused() -> None:
    raw = bytearray(sign.scheme("aimer-l1-param1").generate().raw)
    raw[0] = 2
    with pytest.raises(ValueError, match="another parameter set"):
        sign.AIMerL1Param1(raw)


def hanji(folder: Path, *arguments: str, status: int = 0, data: bytes = b"") -> tuple[bytes, str]:
    done = subprocess.run([sys.executable, "-m", "hanji.cli", *arguments], cwd=folder, input=data, capture_output=True)
    assert done.returncode == status, done.stderr.decode()
    return done.stdout, done.stderr.decode()


def test_commands(tmp_path: Path) -> None:
    _, said = hanji(tmp_path, "sign-keygen", "-o", "key")
    assert "aimer128f" in said
    assert (tmp_path / "key").stat().st_mode & 0o77 == 0
    (tmp_path / "a").write_bytes(b"first")
    (tmp_path / "b").write_bytes(bytes(1 << 20))
    hanji(tmp_path, "sign", "-k", "key", "a", "b")
    assert hanji(tmp_path, "verify", "-k", "key.pub", "a", "b") == (b"a: OK\nb: OK\n", "")
    signature = (tmp_path / "a.sig").read_bytes()
    public = sign.load(keys.load(tmp_path / "key.pub"))
    assert isinstance(public, sign.PublicKey)
    public.verify(signature, b"first")
    _, said = hanji(tmp_path, "sign", "-k", "key", "a", status=1)
    assert "a.sig" in said
    hanji(tmp_path, "sign", "-k", "key", "-", "-o", "c.sig", data=b"piped")
    hanji(tmp_path, "verify", "-k", "key.pub", "-", "-s", "c.sig", data=b"piped")
    (tmp_path / "b").write_bytes(b"changed")
    out, said = hanji(tmp_path, "verify", "-k", "key.pub", "a", "b", status=1)
    assert out == b"a: OK\nb: FAILED\n"
    assert "b: the signature does not verify" in said
    (tmp_path / "a.sig").write_bytes(signature + b"x")
    hanji(tmp_path, "verify", "-k", "key.pub", "a", status=1)


def test_commands_say_what_is_wrong(tmp_path: Path) -> None:
    _, said = hanji(tmp_path, "sign-keygen", "-o", "old", "-a", "aimer-l1-param1")
    assert "warning: aimer-l1-param1" in said
    (tmp_path / "a").write_bytes(b"a")
    _, said = hanji(tmp_path, "sign", "-k", "old.pub", "a", status=1)
    assert "a public key cannot sign" in said
    _, said = hanji(tmp_path, "sign-keygen", "-o", "old", "-a", "aimer128f", status=1)
    assert "old.pub" in said
    hanji(tmp_path, "keygen", "-o", "seal")
    _, said = hanji(tmp_path, "sign", "-k", "seal", "a", status=1)
    assert "makes no signatures" in said
    _, said = hanji(tmp_path, "sign-keygen", "-o", "x", "-a", "aimer1", status=2)
    assert "aimer1" in said
