# SPDX-License-Identifier: Apache-2.0
"""The sources of a release: the same bytes in every folder, sums, a bill of materials, signatures."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
import release as release_tool
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
        [*command, "--noble", str(noble), "--uncommitted", *more],
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
    aimer = [sys.executable, "-m", "hanji.cli", "sign-keygen", "-a", "aimer3-128f"]
    subprocess.run([*aimer, "-o", str(folder / "aimer")], check=True, capture_output=True)
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
    stages = re.findall(r"^   \d+:\d\d (.+)$", said, re.M)
    assert stages[0] == "the source distribution" and stages[-1] == "sums and signatures"
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


def verifying() -> list[str]:
    """The commands that docs/release.md tells those who verify a release."""
    text = (ROOT / "docs/release.md").read_text().partition("## Verify it")[2]
    commands = text.partition("```sh\n")[2].partition("```")[0].splitlines()
    assert [line.split()[0] for line in commands] == ["ssh-keygen", "hanji", "sha256sum"]
    return commands


def test_what_the_page_tells_verifies_and_refuses_damage_and_another_signer(
    made: Path, keys: dict[str, Path], tmp_path: Path
) -> None:
    shutil.copytree(made, tmp_path / "dist")
    where = tmp_path / "dist"
    shutil.copy(f"{keys['aimer']}.pub", where / "aimer.pub")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    def right() -> tuple[bool, ...]:
        return tuple(
            subprocess.run(
                ["sh", "-c", line], cwd=where, capture_output=True, env=os.environ | {"PATH": path}
            ).returncode
            == 0
            for line in verifying()
        )

    assert right() == (True, True, True)
    listed = (where / "SHA256SUMS").read_text()
    name = listed.split()[1]
    whole = (where / name).read_bytes()
    (where / name).write_bytes(whole + b"more")
    assert right() == (True, True, False)
    # Who changes a file changes its sum, too.
    there = f"{hashlib.sha256(whole + b'more').hexdigest()}  {name}\n"
    (where / "SHA256SUMS").write_text(there + listed.partition("\n")[2])
    assert right() == (False, False, True)
    # Who signs anew has other keys.
    (where / "SHA256SUMS").write_text(listed)
    (where / name).write_bytes(whole)
    for old in ("SHA256SUMS.sig", "SHA256SUMS.aimer"):
        (where / old).unlink()
    ssh = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "other")]
    subprocess.run(ssh, check=True)
    command = [sys.executable, "-m", "hanji.cli", "sign-keygen", "-a", "aimer3-128f"]
    subprocess.run([*command, "-o", str(tmp_path / "aimer")], check=True, capture_output=True)
    signers = (where / "signers").read_text()
    release_tool.sign(where / "SHA256SUMS", tmp_path / "other", tmp_path / "aimer")
    assert right() == (True, False, True), "the signers beside the files are the forger's"
    (where / "signers").write_text(signers)
    assert right() == (False, False, True)


def test_the_bill_names_every_artefact_and_what_they_need(made: Path) -> None:
    bill = json.loads((made / "sbom.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == hanji.__version__
    files = named(bill)
    expected = sums(made)
    assert files == {name: expected[name] for name in files}
    assert len(files) == 5
    names = {row["name"] for row in bill["components"] if row["type"] == "library"}
    assert {"numpy", "click", "rich", "argon2-cffi", "aead", "cc", "@noble/hashes"} <= names
    addresses = {row.get("purl") for row in bill["components"] if row["type"] == "library"}
    assert {"pkg:pypi/numpy", "pkg:cargo/aead"} <= addresses
    noble = next(row for row in bill["components"] if row["name"] == "@noble/hashes")
    assert noble["purl"] == f"pkg:npm/%40noble/hashes@{noble['version']}"
    references = {row["bom-ref"] for row in bill["components"]}
    assert set(bill["dependencies"][0]["dependsOn"]) <= references
    assert len(references) == len(bill["components"])


def named(bill: dict[str, Any]) -> dict[str, str]:
    """The files of a bill, with their digests."""
    rows = [row for row in bill["components"] if row["type"] == "file"]
    assert all([one["alg"] for one in row["hashes"]] == ["SHA-256"] for row in rows)
    return {row["name"]: row["hashes"][0]["content"] for row in rows}


def test_the_bill_names_wheels_and_what_is_in_them(modules: Path, tmp_path: Path) -> None:
    made = [tmp_path / f"hanji-0-cp311-cp311-{name}.whl" for name in ("win_amd64", "any")]
    for path in made:
        path.write_text(path.name)
    bill = release_tool.bill(made, modules / "@noble/hashes")
    assert named(bill) == sums(tmp_path) and len(named(bill)) == 2
    inside = {row["name"]: row.get("version") for row in bill["components"]}
    pinned = release_tool.tool("wheels").locked()
    assert all(inside[name] == pinned[name] for name in ("nanobind", "ziglang"))
    assert {"nanobind", "ziglang"}.isdisjoint(
        row["name"] for row in release_tool.bill([], modules / "@noble/hashes")["components"]
    )


@pytest.mark.slow
def test_a_whole_release_has_every_wheel_in_its_sums_and_its_bill() -> None:
    if not (folder := os.environ.get("HANJI_RELEASE")):
        pytest.skip("HANJI_RELEASE names no folder of a release")
    where = Path(folder)
    others = [wheel.tag for wheel in release_tool.tool("system_wheels").WHEELS.values()]
    platforms = [tag.replace("-", "_").replace(".", "_") for tag in others]
    for platform in [*release_tool.tool("wheels").PLATFORMS, *platforms]:
        assert len(list(where.glob(f"hanji-{hanji.__version__}-*-{platform}.whl"))) == 1, platform
    rows = [row.split() for row in (where / "SHA256SUMS").read_text().splitlines()]
    found = sums(where)
    assert {name: digest for digest, name in rows} | {"SHA256SUMS": found["SHA256SUMS"]} == found
    bill = named(json.loads((where / "sbom.json").read_text()))
    assert set(bill) == set(found) - {"SHA256SUMS", "sbom.json"} and len(bill) == 12
    assert all(found[name] == digest for name, digest in bill.items())


@pytest.mark.slow
def test_a_validator_of_others_takes_the_bill(made: Path, tmp_path: Path) -> None:
    """CycloneDX's own library, with the schema of version 1.6."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    pip = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    wanted = "cyclonedx-python-lib[json-validation]>=11,<12"
    if subprocess.run([*pip, wanted], capture_output=True).returncode:
        pytest.skip(f"{wanted} cannot be fetched")
    check = (
        "import sys; from cyclonedx.schema import SchemaVersion\n"
        "from cyclonedx.validation.json import JsonStrictValidator as Strict\n"
        "print(Strict(SchemaVersion.V1_6).validate_str(sys.stdin.read()))"
    )
    bill = (made / "sbom.json").read_text()
    wrong = bill.replace('"type": "file"', '"type": "paper"', 1)
    for text, right in ((bill, True), (wrong, False)):
        done = subprocess.run([python, "-c", check], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert (done.stdout.strip() == "None") == right, done.stdout


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
    said = release(ROOT, tmp_path / "a", modules, "--signing-key", str(tmp_path / "none"))
    assert "make one with ssh-keygen" in said
    inside = ("--signing-key", str(ROOT / "README.md"))
    assert "no key is kept in the repository" in release(ROOT, tmp_path / "a", modules, *inside)
    # A file that is no key is found before anything is made.
    said = release(ROOT, tmp_path / "a", modules, "--signing-key", str(made / "signers"))
    assert "ssh-keygen failed" in said
    assert not any((tmp_path / "a").iterdir())
    said = release(ROOT, tmp_path / "b", modules, when="yesterday")
    assert "seconds since 1970 were expected" in said


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, in the place of this one."""
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / "file").write_text("1\n")
    for words in ("init -q", "add file", "-c user.name=a -c user.email=b commit -q -m c"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)
    monkeypatch.setattr(release_tool, "ROOT", folder)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    return folder


def released(monkeypatch: pytest.MonkeyPatch, out: Path, *more: str) -> int:
    monkeypatch.setattr(sys, "argv", ["release.py", "--out", str(out), *more])
    return release_tool.main()


def test_only_what_is_committed_is_released(
    clone: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nobody could make it again from the repository."""
    assert release_tool.uncommitted() == [] and release_tool.epoch() > 1577836800
    (clone / "new 새").write_text("2\n")
    (clone / "file").write_text("2\n")
    assert set(release_tool.uncommitted()) == {"new 새", "file"}
    assert released(monkeypatch, tmp_path / "dist") == 1
    assert "2 files are not as the last commit has them" in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()
    # Sources out of an archive: no other repository around them gives the time.
    shutil.rmtree(clone / ".git")
    subprocess.run(["git", "init", "-q"], cwd=clone.parent, check=True)
    assert release_tool.uncommitted() == []
    with pytest.raises(release_tool.ReleaseError, match="set SOURCE_DATE_EPOCH"):
        release_tool.epoch()


@pytest.mark.parametrize("way", ["signal", "disk"])
def test_a_release_that_stops_leaves_no_file_that_looks_like_one(
    way: str, clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopping(out: Path, *_: object) -> list[Path]:
        (out / "hanji-0.2.0.tar.gz").write_bytes(b"half")
        if way == "disk":
            raise OSError(28, "No space left on device")
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError("it goes on")

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    kept = {number: signal.getsignal(number) for number in numbers}
    monkeypatch.setattr(release_tool, "artefacts", stopping)
    try:
        assert released(monkeypatch, tmp_path / "dist") == 1
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    assert not any((tmp_path / "dist").iterdir())
