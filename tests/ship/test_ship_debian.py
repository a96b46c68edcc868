# SPDX-License-Identifier: Apache-2.0
"""The Debian source package: its version, and (slow) its build and what lintian says of it."""

from __future__ import annotations

import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from debian import need

import hanji

ROOT = Path(__file__).resolve().parents[2]
# No report in Debian's tracker asks for the package, so its changelog closes none.
SUPPRESSED = "initial-upload-closes-no-bugs"


def run(*words: object, folder: Path) -> str:
    # Under root, and without a network: nothing is signed, nothing is sent.
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=environment | {"DEB_BUILD_OPTIONS": "parallel=2 noautodbgsym"},
        capture_output=True,
        text=True,
    )
    said = f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    assert done.returncode == 0, f"{words[0]} ended with {done.returncode}:\n{said}"
    return done.stdout


def unpack(folder: Path) -> Path:
    """The sources as the package of the distribution has them: an archive, and debian/ beside."""
    source = folder / f"hanji-{hanji.__version__}"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
            (source / name).chmod((ROOT / name).stat().st_mode & 0o755)
    with tarfile.open(folder / f"hanji_{hanji.__version__}.orig.tar.gz", "w:gz") as packed:
        packed.add(
            source,
            source.name,
            filter=lambda row: None if f"{row.name}/".startswith(f"{source.name}/debian/") else row,
        )
    return source


def test_its_version_and_licence_are_those_of_the_library() -> None:
    first = (ROOT / "debian/changelog").read_text().splitlines()[0]
    assert re.match(r"hanji \((.+)-\d+\) ", first)[1] == hanji.__version__  # type: ignore[index]
    soname = hanji.__version__.split(".")[0]
    packages = re.findall(r"^Package: (.+)$", (ROOT / "debian/control").read_text(), re.MULTILINE)
    assert packages == [f"libhanji{soname}", "libhanji-dev"]
    assert "License: Apache-2.0" in (ROOT / "debian/copyright").read_text()


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_it_builds_and_lintian_finds_nothing(tmp_path: Path) -> None:
    need("debhelper", "dpkg-dev", "lintian", "cmake", "ninja-build")
    source = unpack(tmp_path)
    said = run("dpkg-buildpackage", "-us", "-uc", folder=source)
    assert "all answers are right" in said, "the self-test did not run"
    made = {path.name.split("_")[0] for path in tmp_path.glob("*.deb")}
    assert made == {"libhanji0", "libhanji-dev"}
    inside = run("dpkg-deb", "-c", next(tmp_path.glob("libhanji-dev_*")), folder=tmp_path)
    for name in ("include/hanji/hanji.h", "pkgconfig/hanji.pc", "hanjiConfig.cmake", "libhanji.a"):
        assert name in inside
    lintian = ["lintian", "--fail-on", "error,warning", "--suppress-tags", SUPPRESSED]
    if os.geteuid() == 0:
        lintian.append("--allow-root")
    (changes,) = tmp_path.glob("*.changes")
    run(*lintian, changes, folder=tmp_path)
    # The control: lintian misses what a source package must have. What was built is no source.
    run("debian/rules", "clean", folder=source)
    (source / "debian/copyright").unlink()
    run("dpkg-source", "-b", source.name, folder=tmp_path)
    (package,) = tmp_path.glob("*.dsc")
    with pytest.raises(AssertionError, match="copyright"):
        run(*lintian, package, folder=tmp_path)
