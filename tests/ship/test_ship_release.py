# SPDX-License-Identifier: Apache-2.0
"""The sources of a release: the same bytes in every folder, sums, a bill of materials, signatures."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from debian import need

import hanji

ROOT = Path(__file__).resolve().parents[2]
WHEN = "1767225600"
PARTS = ("include", "src", "cmake", "python", "rust", "tools", "web")
FILES = ("CMakeLists.txt", "pyproject.toml", "LICENSE", "README.md")


def release(root: Path, out: Path, modules: Path, *more: str, when: str = WHEN) -> str:
    noble = modules / "@noble/hashes"
    command = [sys.executable, str(root / "tools/release.py"), "--out", str(out)]
    done = subprocess.run(
        [*command, "--noble", str(noble), *more],
        env=os.environ | {"SOURCE_DATE_EPOCH": when},
        capture_output=True,
        text=True,
    )
    return f"{done.stdout}{done.stderr}" if done.returncode == 0 else f"refused: {done.stderr}"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources in another folder, without the repository around them."""
    folder = tmp_path_factory.mktemp("another") / "place"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *PARTS, *FILES],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    for name in filter(None, listed):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("keys")
    ssh = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / "ssh")]
    subprocess.run(ssh, check=True)
    aimer = [sys.executable, "-m", "hanji.cli", "sign-keygen", "-o", str(folder / "aimer")]
    subprocess.run(aimer, check=True, capture_output=True)
    return {"ssh": folder / "ssh", "aimer": folder / "aimer"}


@pytest.fixture(scope="module")
def made(modules: Path, keys: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("clang-14", "lld-14", "gcc", "openssh-client")
    out = tmp_path_factory.mktemp("release") / "dist"
    signed = ("--signing-key", str(keys["ssh"]), "--aimer-key", str(keys["aimer"]))
    assert "5 artefacts, signed" in release(ROOT, out, modules, *signed)
    return out


def sums(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.suffix not in (".sig", ".aimer") and path.name != "signers"
    }


def test_two_folders_give_the_same_bytes(
    made: Path, copy: Path, modules: Path, tmp_path: Path
) -> None:
    said = release(copy, tmp_path / "dist", modules)
    assert "5 artefacts, unsigned" in said, said
    here, there = sums(made), sums(tmp_path / "dist")
    assert here == there, [name for name in here if here[name] != there.get(name)]
    assert len(here) == 7
    assert not (tmp_path / "dist/SHA256SUMS.sig").exists()


def test_the_sums_are_those_of_the_files_and_find_damage(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "dist")
    check = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=tmp_path / "dist").returncode == 0
    listed = {row.split()[1] for row in (made / "SHA256SUMS").read_text().splitlines()}
    assert listed == set(sums(made)) - {"SHA256SUMS"}
    for name in listed:
        path = tmp_path / "dist" / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert subprocess.run(check, cwd=tmp_path / "dist", capture_output=True).returncode == 1
        path.write_bytes(whole)


def test_both_signatures_verify_and_refuse_another_list(
    made: Path, keys: dict[str, Path], tmp_path: Path
) -> None:
    shutil.copytree(made, tmp_path / "dist")
    where = tmp_path / "dist"
    ssh = ["ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "release@hanji"]
    ssh += ["-n", "hanji-release", "-s", "SHA256SUMS.sig"]
    aimer = [sys.executable, "-m", "hanji.cli", "verify", "SHA256SUMS", "--context"]
    aimer += ["hanji-release", "--key", f"{keys['aimer']}.pub", "-s", "SHA256SUMS.aimer"]

    def right() -> tuple[bool, bool]:
        text = (where / "SHA256SUMS").read_bytes()
        first = subprocess.run(ssh, cwd=where, input=text, capture_output=True)
        second = subprocess.run(aimer, cwd=where, capture_output=True)
        return first.returncode == 0, second.returncode == 0

    assert right() == (True, True)
    with (where / "SHA256SUMS").open("a") as more:
        more.write(f"{'0' * 64}  other.tar.gz\n")
    assert right() == (False, False)


def test_the_bill_names_every_artefact_and_what_they_need(made: Path) -> None:
    bill = json.loads((made / "sbom.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == hanji.__version__
    files = {
        row["name"]: row["hashes"][0]["content"]
        for row in bill["components"]
        if row["type"] == "file"
    }
    expected = sums(made)
    assert files == {name: expected[name] for name in files}
    assert len(files) == 5
    names = {row["name"] for row in bill["components"] if row["type"] == "library"}
    assert {"numpy", "typer", "rich", "argon2-cffi", "aead", "cc", "@noble/hashes"} <= names
    references = {row["bom-ref"] for row in bill["components"]}
    assert set(bill["dependencies"][0]["dependsOn"]) <= references
    assert len(references) == len(bill["components"])


def test_archives_have_one_time_no_owner_and_what_they_should(made: Path) -> None:
    wanted = {
        "hanji-amalgam": {"hanji.c", "hanji.h", "LICENSE"},
        "hanji-rust": {"Cargo.toml", "build.rs", "c/hanji.c", "src/lib.rs", "LICENSE"},
        "hanji-js": {"package.json", "hanji.js", "hanji.wasm", "hanji.d.ts", "LICENSE"},
        "hanji-page": {"index.html", "page.js", "vendor/argon2.js", "vendor/LICENSE"},
    }
    for name, files in wanted.items():
        with tarfile.open(next(made.glob(f"{name}-*"))) as tar:
            rows = tar.getmembers()
        assert {(row.mtime, row.uid, row.gid, row.uname) for row in rows} == {(int(WHEN), 0, 0, "")}
        assert files <= {row.name.partition("/")[2] for row in rows}, name


def test_refusals(made: Path, modules: Path, tmp_path: Path) -> None:
    assert "is not empty" in release(ROOT, made, modules)
    said = release(ROOT, tmp_path / "a", modules, "--aimer-key", str(made / "signers"))
    assert "give both" in said
    said = release(ROOT, tmp_path / "b", modules, when="yesterday")
    assert "seconds since 1970 were expected" in said
