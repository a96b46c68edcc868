# SPDX-License-Identifier: Apache-2.0
"""Make the artefacts of a release, the same bytes wherever they are made.

Usage: python tools/release.py [--out dist] [--noble FOLDER] [--wheels] [--systems]
                               [--uncommitted] [--signing-key FILE [--aimer-key FILE]]

The artefacts: the source distribution for Python, the amalgam, the Rust crate, the package for
JavaScript and the page; with `--wheels` the wheels of tools/wheels.py; with `--systems` those of
tools/system_wheels.py for macOS and Windows, which need Maven. All seven take half an hour of a
core. Beside them stand `SHA256SUMS` and `sbom.json`, a bill of materials in CycloneDX 1.6. With a
key of ssh-keygen, `SHA256SUMS.sig` is its signature of the sums, and `signers` what verifies it;
with a private key of `hanji sign-keygen`, `SHA256SUMS.aimer` is a second one. No key and no
passphrase is ever stored.

Times in archives are those of SOURCE_DATE_EPOCH, which is the time of the last commit where it is
not set. Files that the last commit does not have as they are refuse a release, which nobody could
make again; `--uncommitted` allows them.

All files come into the folder at the end: whatever stops the program before, no file is there that
looks like one of a release.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NAMESPACE = "hanji-release"  # of ssh-keygen -Y, and the context string of AIMer
IDENTITY = "release@hanji"
# Kinds of components whose names a registry knows -> how package URLs call the registry.
REGISTRIES = {"python": "pypi", "rust": "cargo", "javascript": "npm", "in-wheels": "pypi"}


class ReleaseError(RuntimeError):
    """What was asked for cannot be made."""


def run(*words: object, **more: str) -> str:
    """The output of a program; ReleaseError with its message when it fails."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=ROOT,
        env=os.environ | more,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise ReleaseError(f"{words[0]} failed: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


def version() -> str:
    """The version of the library, which is that of everything."""
    found = re.search(
        r'#define HANJI_VERSION "(.+)"', (ROOT / "include/hanji/common.h").read_text()
    )
    if not found:
        raise ReleaseError("include/hanji/common.h has no HANJI_VERSION")
    return found[1]


def epoch() -> int:
    """The time of everything: SOURCE_DATE_EPOCH, or that of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        if not given.isdecimal():
            raise ReleaseError(f"SOURCE_DATE_EPOCH is {given!r}; seconds since 1970 were expected")
        return int(given)
    if not committed():
        raise ReleaseError(f"{ROOT} is no clone, and has no last commit; set SOURCE_DATE_EPOCH")
    return int(run("git", "log", "-1", "--format=%ct"))


def committed() -> bool:
    """Whether this folder is a clone, and not a folder within another repository."""
    return (ROOT / ".git").exists()


def uncommitted() -> list[str]:
    """The files that the last commit does not have as they are."""
    if not committed():
        return []
    said = run("git", "status", "--porcelain", "-z", "--no-renames")
    return [row[3:] for row in said.split("\0") if row]


@contextmanager
def staged(out: Path) -> Iterator[Path]:
    """A folder in `out` whose files move into `out` at the end, and are removed after an error."""
    if out.exists() and (found := sorted(path.name for path in out.iterdir())):
        raise ReleaseError(
            f"{out} is not empty, {', '.join(found[:5])}; a release begins with an empty folder"
        )
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=out) as folder:
        yield Path(folder)
        for path in sorted(Path(folder).iterdir()):
            path.replace(out / path.name)


def archive(target: Path, folder: Path, prefix: str, when: int) -> None:
    """A tar.gz of a folder: names sorted, one time, no owner, modes 644 and 755."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = tarfile.TarInfo(f"{prefix}/{path.relative_to(folder).as_posix()}")
            info.size, info.mtime = path.stat().st_size, when
            info.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            with path.open("rb") as data:
                tar.addfile(info, data)
    target.write_bytes(gzip.compress(packed.getvalue(), 9, mtime=0))


def algorithms() -> str:
    """The names for an amalgam of everything that is fit for use."""
    amalgam = tool("amalgam")
    names = list(amalgam.known_algorithms())
    names += [name for name, broken in amalgam.signature_sets().items() if not broken]
    return ", ".join([*names, "error-texts"])


def sdist(out: Path, when: int) -> None:
    """The source distribution for Python."""
    script = "import sys, scikit_build_core.build as b; print(b.build_sdist(sys.argv[1]))"
    run(sys.executable, "-c", script, out.resolve(), SOURCE_DATE_EPOCH=str(when))


def tool(name: str) -> ModuleType:
    """A script of this folder as a module."""
    folder = str(ROOT / "tools")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)


class Progress:
    """Says what is made, and after which time it began."""

    def __init__(self) -> None:
        self.begin = time.monotonic()

    def __call__(self, what: str) -> None:
        minutes, seconds = divmod(int(time.monotonic() - self.begin), 60)
        print(f"   {minutes}:{seconds:02d} {what}", flush=True)


def artefacts(
    out: Path, work: Path, noble: Path, with_wheels: bool = False, with_systems: bool = False
) -> list[Path]:
    """All artefacts, in `out`."""
    number, when, tell = version(), epoch(), Progress()
    tell("the source distribution")
    sdist(out, when)
    tell("the amalgam")
    single = work / "amalgam"
    run(sys.executable, "tools/amalgam.py", "--algorithms", algorithms(), "--out", single)
    shutil.copy(ROOT / "LICENSE", single)
    archive(out / f"hanji-amalgam-{number}.tar.gz", single, f"hanji-amalgam-{number}", when)
    tell("the Rust crate")
    run("tools/crate.sh", work / "crate", PYTHON=sys.executable)
    archive(out / f"hanji-rust-{number}.tar.gz", work / "crate", f"hanji-rust-{number}", when)
    tell("the package for JavaScript, and the page")
    run(sys.executable, "tools/web.py", "--out", work / "web", "--noble", noble.resolve())
    archive(out / f"hanji-js-{number}.tgz", work / "web/package", "package", when)
    archive(out / f"hanji-page-{number}.tar.gz", work / "web/page", f"hanji-page-{number}", when)
    if with_wheels:
        wheels = tool("wheels")
        for platform in wheels.PLATFORMS.values():
            tell(f"the wheel for {platform.name}: minutes")
            wheels.build(platform, out, when)
    if with_systems:
        others = tool("system_wheels")
        for name in others.WHEELS:
            tell(f"the wheel for {name}: minutes")
            others.build(name, out, when)
    tell("sums and signatures")
    return sorted(path for path in out.iterdir() if path.is_file())


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def component(name: str, wanted: str, kind: str, **more: Any) -> dict[str, Any]:
    """A library that an artefact needs: with its version, or with what it may be."""
    pinned = {"version": wanted}  # of what is inside an artefact
    bounds = {"properties": [{"name": "hanji:requirement", "value": wanted}]}
    row = {"type": "library", "bom-ref": f"{kind}/{name}", "name": name}
    exact = kind in ("javascript", "in-wheels")
    if place := REGISTRIES.get(kind):
        row["purl"] = f"pkg:{place}/{name.replace('@', '%40')}{f'@{wanted}' if exact else ''}"
    return row | (pinned if exact else bounds) | more


def bill(made: list[Path], noble: Path) -> dict[str, Any]:
    """What is in the artefacts, and what they need: CycloneDX 1.6."""
    number = version()
    python = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    crate = tomllib.loads((ROOT / "rust/Cargo.toml").read_text())
    foreign = json.loads((noble / "package.json").read_text())
    parts = [
        {
            "type": "file",
            "bom-ref": f"file/{path.name}",
            "name": path.name,
            "hashes": [{"alg": "SHA-256", "content": digest(path)}],
        }
        for path in made
    ]
    needs = []
    for requirement in python["dependencies"]:
        name, floor = re.match(r"([\w-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
        needs.append(component(name, floor, "python", scope="required"))
    for name, given in sorted((crate["dependencies"] | crate["build-dependencies"]).items()):
        wanted = given if isinstance(given, str) else given["version"]
        needs.append(component(name, wanted, "rust", scope="optional"))
    licence = [{"license": {"id": foreign["license"]}}]
    needs.append(component(foreign["name"], foreign["version"], "javascript", licenses=licence))
    if any(path.suffix == ".whl" for path in made):
        # Inside the wheels: the binding of nanobind, and the C++ library of zig, which is LLVM's.
        inside = tool("wheels").locked()
        for name in ("nanobind", "ziglang"):
            needs.append(component(name, inside[name], "in-wheels", scope="required"))
    everything = "".join(digest(path) for path in made)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, everything)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "hanji",
                "name": "hanji",
                "version": number,
                "licenses": [{"license": {"id": python["license"]}}],
            }
        },
        "components": parts + needs,
        "dependencies": [{"ref": "hanji", "dependsOn": [row["bom-ref"] for row in needs]}],
    }


def check_keys(key: Path | None, aimer: Path | None, work: Path) -> None:
    """Refuse keys that cannot sign, before hours of work."""
    if aimer and not key:
        raise ReleaseError("--aimer-key signs beside --signing-key; give both")
    for path, maker in (
        (key, "ssh-keygen -t ed25519"),
        (aimer, "hanji sign-keygen -a aimer3-128f"),
    ):
        if path and not path.exists():
            raise ReleaseError(f"{path}: there is no such key; make one with {maker}")
        if path and path.resolve().is_relative_to(ROOT):
            raise ReleaseError(f"{path}: no key is kept in the repository; keep it elsewhere")
    if key:
        (work / "trial").write_text("")
        sign(work / "trial", key, aimer)


def sign(sums: Path, key: Path, aimer: Path | None) -> None:
    """Sign the sums by ssh-keygen, and by AIMer v3 where there is a key for it."""
    signature = sums.with_name(f"{sums.name}.sig")
    signature.unlink(missing_ok=True)
    if not shutil.which("ssh-keygen"):
        raise ReleaseError("there is no ssh-keygen; on Debian: apt-get install openssh-client")
    run("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, sums)
    public = " ".join(run("ssh-keygen", "-y", "-f", key).split()[:2])
    signers = sums.with_name("signers")
    signers.write_text(f'{IDENTITY} namespaces="{NAMESPACE}" {public}\n')
    if aimer is not None:
        command = [sys.executable, "-m", "hanji.cli", "sign", sums, "--key", aimer]
        run(*command, "--context", NAMESPACE, "-o", sums.with_name(f"{sums.name}.aimer"), "--force")


def stop(number: int, _: object) -> None:
    """End by an exception, so that what was begun is removed."""
    raise ReleaseError(f"ended by {signal.Signals(number).name}; nothing was made")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--noble", type=Path, default=ROOT / "web/node_modules/@noble/hashes")
    parser.add_argument("--wheels", action="store_true", help="build the wheels, too")
    parser.add_argument("--systems", action="store_true", help="those for macOS and Windows, too")
    parser.add_argument(
        "--uncommitted", action="store_true", help="allow files that the last commit does not have"
    )
    parser.add_argument("--signing-key", type=Path)
    parser.add_argument("--aimer-key", type=Path)
    given = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        if (found := uncommitted()) and not given.uncommitted:
            raise ReleaseError(
                f"{len(found)} files are not as the last commit has them: {', '.join(found[:5])}; "
                "commit them, or allow them with --uncommitted"
            )
        with staged(given.out) as out, tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            check_keys(given.signing_key, given.aimer_key, work)
            made = artefacts(out, work, given.noble, given.wheels, given.systems)
            text = json.dumps(bill(made, given.noble), indent=2) + "\n"
            (out / "sbom.json").write_text(text)
            rows = [f"{digest(path)}  {path.name}\n" for path in [*made, out / "sbom.json"]]
            (out / "SHA256SUMS").write_text("".join(rows))
            if given.signing_key:
                sign(out / "SHA256SUMS", given.signing_key, given.aimer_key)
        print(
            f"{given.out}: {len(made)} artefacts, {'signed' if given.signing_key else 'unsigned'}"
        )
    except (RuntimeError, subprocess.CalledProcessError, OSError) as error:
        print(f"tools/release.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
