# SPDX-License-Identifier: Apache-2.0
"""`hanji-lab measure slh-dsa`: what its results hold, and that nothing is timed beside an OpenSSL
that computes something else. Its figures are no test.
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
    made = [*slhdsa.host(ROOT, "gcc", "a command", names=(NAME,), most_rounds=1)]
    assert [(result.kernel, result.operation) for result in made] == [
        (f"{NAME} {tier}", operation) for tier in own_tiers(ROOT) for operation in slhdsa.OPERATIONS
    ]
    assert all(result.cycles and result.cycles > 0 for result in made)
    sources = made[0].provenance.sources
    assert {"src/slhdsa/forest.c", "src/keccak/keccak.c", slhdsa.SOURCE} <= set(sources)
    assert not any("avx" in source for source in sources)
    assert "measured without OpenSSL" in capsys.readouterr().err


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
        slhdsa.figures(program, NAME, "verify", "portable", 1, fake(tmp_path, *options))


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
    made = [*slhdsa.host(ROOT, "gcc", "a command", names=(NAME,), most_rounds=1)]
    beside = [result.operation for result in made if "OpenSSL 3.5" in result.kernel]
    assert beside == list(slhdsa.COMPARED)
