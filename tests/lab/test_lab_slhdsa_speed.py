# SPDX-License-Identifier: Apache-2.0
"""`hanji-lab measure slh-dsa`: what its results hold, and that nothing is timed beside an OpenSSL or
a SPHINCS+ that computes something else. Its figures are no test.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

from hanji_lab.checkout import LabError
from hanji_lab.kernels import own_tiers
from hanji_lab.measure import parts, slhdsa

ROOT = Path(__file__).resolve().parents[2]
NAME = "slh-dsa-shake-128f"
# A libcrypto of OpenSSL 3.5.9 is in this package; it needs nothing else of it.
PACKAGE = ROOT / "tests/lab/libcrypto.txt"


@pytest.fixture(scope="module")
def program() -> Path:
    need("gcc")
    return slhdsa.program(ROOT, "gcc")


def fake(folder: Path, *options: str) -> str:
    path = folder / "libcrypto.so.3"
    source = ROOT / "tests/lab/fake_libcrypto.c"
    words = ["gcc", "-shared", "-fPIC", *options, source, "-o", path]
    subprocess.run(words, check=True)
    return str(path)


def test_every_operation_and_tier_has_a_figure(
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(slhdsa.VARIABLE, str(tmp_path / "nothing"))
    monkeypatch.delenv(slhdsa.SPHINCSPLUS, raising=False)
    made = [*slhdsa.host(ROOT, "gcc", "a command", names=(NAME,), most_rounds=1)]
    assert [(result.kernel, result.operation) for result in made] == [
        (f"{NAME} {tier}", operation) for tier in own_tiers(ROOT) for operation in slhdsa.OPERATIONS
    ]
    assert all(result.cycles and result.cycles > 0 for result in made)
    sources = made[0].provenance.sources
    assert {"src/slhdsa/forest.c", "src/keccak/keccak.c", slhdsa.SOURCE} <= set(sources)
    assert not any("avx" in source for source in sources)
    said = capsys.readouterr().err
    assert "measured without OpenSSL" in said
    assert "measured without SPHINCS+: HANJI_SPHINCSPLUS takes a checkout" in said


def test_the_part_is_known() -> None:
    (part,) = parts.find(["slh-dsa"])
    assert part.timed
    assert part.made_by(parts.Bench(ROOT)) == "hanji-lab measure slh-dsa --cc gcc --save"


def test_an_old_openssl_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("gcc")
    path = fake(tmp_path, "-DVERSION=0x300000f0ul")
    monkeypatch.setenv(slhdsa.VARIABLE, path)
    found, why = slhdsa.libcrypto()
    assert found is None
    assert "is OpenSSL 3.0.15, and 3.5 is the first with SLH-DSA" in why
    monkeypatch.setenv(slhdsa.VARIABLE, str(ROOT / "README.md"))
    assert "is not a libcrypto of OpenSSL 3" in slhdsa.libcrypto()[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-DVERSION=0x30400000ul"], "is older than OpenSSL 3.5"),
        (["-DVERSION=0x30500000ul"], "OpenSSL's signature is not right"),
        (["-DVERSION=0x30500000ul", "-DACCEPTS=0"], "OpenSSL refuses our signature"),
        (["-DVERSION=0x30500000ul", "-DACCEPTS=2"], "OpenSSL accepts an altered signature"),
        (["-DVERSION=0x30500000ul", "-DOTHER_KEY"], "OpenSSL does not take our key"),
    ],
)
def test_control_nothing_is_timed_beside_other_results(
    program: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    with pytest.raises(LabError, match=message):
        slhdsa.figures(
            program, NAME, "verify", "portable", 1, f"openssl={fake(tmp_path, *options)}"
        )


# What the reference of SPHINCS+ exports, for 128f; its signatures are zeros.
REFERENCE = """
#include <stddef.h>
#include <string.h>
unsigned long long crypto_sign_bytes(void) { return BYTES; }
int crypto_sign_keypair(unsigned char *p, unsigned char *s) { return (void)p, (void)s, 0; }
int crypto_sign_signature(unsigned char *out, size_t *bytes, const unsigned char *m, size_t n,
                          const unsigned char *s)
{
    (void)m, (void)n, (void)s;
    memset(out, 0, BYTES);
    *bytes = BYTES;
    return FAILS;
}
int crypto_sign_verify(const unsigned char *given, size_t bytes, const unsigned char *m, size_t n,
                       const unsigned char *p)
{
    (void)m, (void)n, (void)p;
    for (size_t i = 0; i < bytes; i++)
        if (given[i] != 0 && !LAX)
            return -1;
    return 0;
}
"""


def reference(folder: Path, bytes_: int = 17088, fails: int = 0, lax: int = 0) -> str:
    source, path = folder / "reference.c", folder / "reference.so"
    source.write_text(REFERENCE)
    options = [f"-DBYTES={bytes_}", f"-DFAILS={fails}", f"-DLAX={lax}", "-shared", "-fPIC"]
    subprocess.run(["gcc", *options, source, "-o", path], check=True)
    return f"sphincsplus={path}"


def test_sphincsplus_is_timed_in_turns(program: Path, tmp_path: Path) -> None:
    made = reference(tmp_path)
    for operation in slhdsa.COMPARED:
        figures = slhdsa.figures(program, NAME, operation, "portable", 1, made)
        assert [who for who, _ in figures] == ["hanji", "SPHINCS+ 3.1"]
        assert figures[0][1] > figures[1][1] > 0, "the other does next to nothing"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bytes_": 7856}, "has another parameter set"),
        ({"fails": 1}, "SPHINCS. refuses its own signature"),
        ({"lax": 1}, "SPHINCS. accepts an altered signature"),
    ],
)
def test_control_nothing_is_timed_beside_a_wrong_sphincsplus(
    program: Path, tmp_path: Path, options: dict[str, int], message: str
) -> None:
    with pytest.raises(LabError, match=message):
        slhdsa.figures(program, NAME, "verify", "portable", 1, reference(tmp_path, **options))


def test_control_other_peers_are_refused(program: Path, tmp_path: Path) -> None:
    for peer, message in (
        (f"sphincsplus={fake(tmp_path, '-DVERSION=0x30500000ul')}", "is not the reference impl"),
        (f"sphincsplus={ROOT / 'README.md'}", "README.md"),
        ("libsodium=1", "is no peer"),
    ):
        with pytest.raises(LabError, match=message):
            slhdsa.figures(program, NAME, "verify", "portable", 1, peer)
    with pytest.raises(LabError, match="it has no such operation"):
        slhdsa.figures(program, NAME, "verify-batch", "portable", 1, reference(tmp_path))


def test_a_checkout_of_sphincsplus_is_known_by_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(slhdsa.SPHINCSPLUS, str(tmp_path))
    found, why = slhdsa.sphincsplus()
    assert found is None
    assert f"{tmp_path} is no checkout" in why and "shake-avx2/hash_shake.c is missing" in why
    for name in slhdsa.SPHINCSPLUS_SOURCES:
        path = tmp_path / "shake-avx2" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert slhdsa.sphincsplus() == (tmp_path / "shake-avx2", "unknown")


def test_sphincsplus_is_built_for_each_tier(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a checkout whose files together are the library above."""
    folder = tmp_path / "shake-avx2"
    for name in slhdsa.SPHINCSPLUS_SOURCES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / "sign.c").write_text(
        "#define BYTES 17088\n#define FAILS 0\n#define LAX 0\n" + REFERENCE
    )
    monkeypatch.setenv(slhdsa.VARIABLE, str(tmp_path / "nothing"))
    monkeypatch.setenv(slhdsa.SPHINCSPLUS, str(tmp_path))
    made = [*slhdsa.host(ROOT, "gcc", "a command", names=(NAME,), most_rounds=1)]
    beside = [result for result in made if "SPHINCS+" in result.kernel]
    builds = {slhdsa.SPHINCSPLUS_BUILDS[tier][0] for tier in own_tiers(ROOT)[1:]}
    expected = {(f"{NAME} SPHINCS+ {build}", o) for build in builds for o in slhdsa.COMPARED}
    assert {(result.kernel, result.operation) for result in beside} == expected
    for result in beside:
        assert "-O3 -std=c99" in result.provenance.flags
        assert "SPHINCS+ reference unknown, shake-avx2, simple" in result.provenance.tools


def test_control_what_is_unknown_is_refused(program: Path) -> None:
    for name, operation, message in (
        ("slh-dsa-shake-129f", "verify", "usage"),
        (NAME, "forge", "HANJI_E_ARGUMENT"),
    ):
        with pytest.raises(LabError, match=message):
            slhdsa.figures(program, name, operation, "portable", 1)


@pytest.mark.slow
def test_openssl_stands_beside_the_best_tier(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the libcrypto of a package, which pip fetches once; skipped where it cannot."""
    folder = ROOT / "build/peers/libcrypto-3.5.9"
    if not (folder / "done").exists():
        words = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade"]
        words += ["--require-hashes", "--only-binary", ":all:", "--target", str(folder)]
        done = subprocess.run([*words, "-r", str(PACKAGE)], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"pip did not bring a libcrypto: {done.stderr[-300:]}")
        (folder / "done").touch()
    (library,) = folder.glob("psycopg_binary.libs/libcrypto-*.so.3")
    monkeypatch.setenv(slhdsa.VARIABLE, str(library))
    monkeypatch.delenv(slhdsa.SPHINCSPLUS, raising=False)
    made = [*slhdsa.host(ROOT, "gcc", "a command", names=(NAME,), most_rounds=1)]
    beside = [result.operation for result in made if "OpenSSL 3.5" in result.kernel]
    assert beside == list(slhdsa.COMPARED)
