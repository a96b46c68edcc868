# SPDX-License-Identifier: Apache-2.0
"""Rainbow in Python and on the command line: it works, and it says that it is broken."""

from __future__ import annotations

import ctypes
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
import with_rainbow
from rainbow_programs import SETS, vectors

import hanji
from hanji import _core, keys, sign

pytestmark = [
    pytest.mark.quick,
    pytest.mark.usefixtures("rainbow"),
    pytest.mark.filterwarnings("ignore::hanji.sign.BrokenSchemeWarning"),
]


def test_sets_are_those_of_the_library() -> None:
    library = ctypes.CDLL(str(with_rainbow.library()))
    library.hanji_rainbow_set_at.restype = ctypes.c_void_p
    rows = [row for row in _core.signature_sets() if row["name"].startswith("rainbow")]
    assert library.hanji_rainbow_set_count() == len(rows) == 9

    class Set(ctypes.Structure):
        _fields_ = (
            *((name, ctypes.c_char_p) for name in ("name", "standard", "status")),
            ("level", ctypes.c_void_p),
            *(
                (name, ctypes.c_uint32)
                for name in ("variant", "public_key", "secret_key", "signature", "digest", "broken")
            ),
        )

    for index, row in enumerate(rows):
        found = ctypes.cast(
            library.hanji_rainbow_set_at(ctypes.c_size_t(index)), ctypes.POINTER(Set)
        ).contents
        assert [found.name.decode(), found.standard.decode(), found.status.decode()] == [
            row["name"],
            row["standard"],
            row["status"],
        ]
        assert (found.public_key, found.signature, found.broken) == (
            row["public_key_size"],
            row["signature_size"],
            row["broken"],
        )
        assert row["private_key_size"] == 64


def test_all_schemes_are_in_the_list_of_algorithms() -> None:
    """Sizes and status of a signature scheme come from its catalogue in C, whichever that is."""
    about = {a.name: a for a in hanji.algorithms() if a.kind == "signature"}
    assert list(about) == sign.schemes() == [row["name"] for row in _core.signature_sets()]
    for name in sign.schemes():
        scheme, row = sign.scheme(name), about[name]
        assert (scheme.size, scheme.PublicKey.size) == (row.key_size, row.block_size), name
        assert (scheme.signature_size, scheme.broken) == (row.tag_size, row.broken), name
        assert scheme.status == row.status and row.standard in (scheme.__doc__ or ""), name


@pytest.mark.parametrize("name", SETS)
def test_sign_and_verify(name: str) -> None:
    scheme = sign.scheme(name)
    assert scheme.broken and "BROKEN" in scheme.status and "BROKEN" in (scheme.__doc__ or "")
    private = scheme.generate()
    public = private.public_key
    signature = private.sign(b"message")
    assert len(signature) == private.signature_size == public.signature_size
    public.verify(signature, b"message")
    assert scheme(private.raw).public_key == public
    for wrong, message in (
        (signature, b"massage"),
        (signature[:-1], b"message"),
        (bytes([signature[0] ^ 1]) + signature[1:], b"message"),
    ):
        with pytest.raises(sign.InvalidSignature):
            public.verify(wrong, message)
    pieces = public.message()
    for byte in b"message":
        pieces.update(bytes([byte]))
    pieces.verify(signature)
    assert public.verify_many([signature, signature], [b"message", b"other"]) == [True, False]


def test_known_answer() -> None:
    """Count 0 of level I: seeds and message from the specification's generator, as tests/vectors
    has them.
    """
    known = vectors("intermediate")
    key = sign.scheme("rainbow-i-classic")(bytes.fromhex(known["sk_seed"]) + bytes(32))
    assert hashlib.sha256(key.public_key.raw).hexdigest() == known["pk"]["sha256"]
    signature = key.sign(bytes.fromhex(known["message"]))
    assert signature.hex() == known["signing"]["signature"]


def test_force_reaches_the_second_library() -> None:
    key = sign.scheme("rainbow-i-classic")(bytes(64))
    signatures = set()
    try:
        for backend in hanji.backends():
            if backend["available"]:
                hanji.force(backend["name"])
                signatures.add(key.sign(b"x"))
    finally:
        hanji.force(None)
    assert len(signatures) == 1


def test_wrong_use_is_named() -> None:
    scheme = sign.scheme("rainbow-i-cz")
    with pytest.raises(ValueError, match="private key of rainbow-i-cz has 64 bytes; 63 were given"):
        scheme(bytes(63))
    with pytest.raises(
        ValueError, match="public key of rainbow-i-cz has 60192 bytes; 1 were given"
    ):
        scheme.PublicKey(b"x")


WITHOUT = """
import sys, warnings
from hanji import HanjiError, _core, algorithms, selftest, sign
warnings.simplefilter("ignore")
_core.__file__ = sys.argv[1] + "/_core.so"
key = sign.scheme("rainbow-i-cz")(bytes(64))
for call in (lambda: key.public_key, lambda: key.sign(b"x")):
    try:
        call()
    except HanjiError as error:
        print(error)
print(any(name.startswith("rainbow") for name in selftest()))
print(len([a for a in algorithms() if a.name.startswith("rainbow") and a.broken]))
"""


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (
            False,
            "hanji was built without Rainbow, which is broken; for study, build it with "
            "`make -C papers/rainbow-armv8 python` in a checkout of hanji (needs OpenSSL 3; "
            "Debian: apt-get install libssl-dev)",
        ),
        (True, "the library of Rainbow cannot be loaded: .*_librainbow.so: .*libssl3.*"),
    ],
    ids=["no library", "a damaged library"],
)
def test_without_its_library_it_says_what_to_do(tmp_path: Path, there: bool, said: str) -> None:
    if there:
        (tmp_path / "_librainbow.so").write_bytes(b"no library")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, tmp_path], capture_output=True, text=True, check=True
    )
    *errors, tested, listed = done.stdout.splitlines()
    assert len(errors) == 2 and (tested, listed) == ("False", "9")
    for error in errors:
        assert error == said if not there else re.fullmatch(said, error), error


def test_self_test_has_every_set() -> None:
    right = hanji.selftest()
    assert all(right[name] for name in SETS) and list(right) == [a.name for a in hanji.algorithms()]


def test_the_package_does_not_load_libcrypto_before_it_is_used() -> None:
    code = (
        "import hanji.sign; print('librainbow' in open('/proc/self/maps').read()); "
        "hanji.sign.scheme('rainbow-i-cz').generate().public_key;"
    )
    code += "print('librainbow' in open('/proc/self/maps').read())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hanji.cli", *arguments], capture_output=True, text=True, cwd=cwd
    )


def test_command_refuses_unless_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    done = run("sign-keygen", "-a", "rainbow-i-cz", "-o", "key", cwd=tmp_path)
    assert (
        done.returncode == 2 and "BROKEN" in done.stderr and "--i-know-it-is-broken" in done.stderr
    )
    assert not (tmp_path / "key").exists()
    done = run(
        "sign-keygen", "-a", "rainbow-i-cz", "-o", "key", "--i-know-it-is-broken", cwd=tmp_path
    )
    assert done.returncode == 0 and "BROKEN" in done.stderr, done.stderr
    done = run("sign", "-k", "key", "text", cwd=tmp_path)
    assert (
        done.returncode != 0
        and "--i-know-it-is-broken" in done.stderr
        and not (tmp_path / "text.sig").exists()
    )
    done = run("sign", "-k", "key", "text", "--i-know-it-is-broken", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run("verify", "-k", "key.pub", "text", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert "BROKEN" in done.stderr and "--i-know-it-is-broken" in done.stderr
    done = run("verify", "-k", "key.pub", "text", "--i-know-it-is-broken", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        "text: OK, but it proves nothing: the scheme is broken\n",
    ), done.stderr
    (tmp_path / "text").write_text("hallo")
    assert (
        run("verify", "-k", "key.pub", "text", "--i-know-it-is-broken", cwd=tmp_path).returncode
        == 1
    )
    assert keys.load(tmp_path / "key.pub").kind == "public"
