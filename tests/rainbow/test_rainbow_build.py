# SPDX-License-Identifier: Apache-2.0
"""Rainbow is built where it is asked for, and nowhere else."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
TARGETS = {"hanji_rainbow_static", "hanji_rainbow_shared", "hanji_librainbow"}


def run(*words: object) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, f"{words}:\n{done.stdout}{done.stderr}"
    return done.stdout


def configured(folder: Path, *options: str) -> tuple[set[str], str]:
    """The targets of Rainbow in a build with these options, and what it would install."""
    run("cmake", "-S", ROOT, "-B", folder, "-DHANJI_GPU=OFF", *options)
    listed = run("cmake", "--build", folder, "--target", "help")
    installs = (folder / "cmake_install.cmake").read_text(encoding="utf-8")
    return {name for name in TARGETS if name in listed}, installs


def test_the_default_build_has_no_rainbow(tmp_path: Path) -> None:
    need("cmake", "gcc", "libssl-dev")
    targets, installs = configured(tmp_path)
    assert targets == set()
    assert 'REGEX "/rainbow\\\\.h$" EXCLUDE' in installs and "libhanji-rainbow" not in installs


def test_control_a_build_that_asks_for_it_has_it(tmp_path: Path) -> None:
    need("cmake", "gcc", "libssl-dev")
    targets, installs = configured(tmp_path, "-DHANJI_RAINBOW=ON")
    assert targets == TARGETS
    assert "EXCLUDE" not in installs and "libhanji-rainbow.a" in installs


def test_without_openssl_the_build_says_what_to_install(tmp_path: Path) -> None:
    need("cmake", "gcc")
    command = ["cmake", "-S", str(ROOT), "-B", str(tmp_path), "-DHANJI_GPU=OFF"]
    command += ["-DHANJI_RAINBOW=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "no program links with OpenSSL's libcrypto 3" in " ".join(done.stderr.split())
    assert "libssl-dev" in done.stderr


def test_without_cmake_the_paper_names_the_package(tmp_path: Path) -> None:
    need("make")
    for name in ("sh", "dirname", "grep", "awk", "make"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    done = subprocess.run(
        ["make", "-C", str(ROOT / "papers/rainbow-armv8")],
        capture_output=True,
        text=True,
        env={"PATH": str(tmp_path), "LC_ALL": "C"},
    )
    assert done.returncode == 2
    wanted = "missing: cmake; Debian: apt-get install --no-install-recommends cmake\n"
    assert done.stderr.startswith(wanted), done.stderr


def test_the_python_package_has_no_rainbow_unless_it_is_asked_for() -> None:
    """The option is set each time: CMake would keep ON of an earlier build in the same folder."""
    need("make")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["scikit-build"]["cmake"]["define"]["HANJI_RAINBOW"] == "OFF"
    asked = run("make", "-n", "-C", ROOT / "papers/rainbow-armv8", "python")
    assert "--config-settings=cmake.define.HANJI_RAINBOW=ON" in asked


def test_the_makefile_of_the_paper_names_its_targets() -> None:
    need("make")
    folder = ROOT / "papers/rainbow-armv8"
    assert "-DHANJI_RAINBOW=ON" in run("make", "-n", "-C", folder)
    listed = [line.split()[0] for line in run("make", "-C", folder, "help").splitlines()]
    listed = [name for name in listed if not name.startswith("make")]
    assert listed == ["all", "help", "test", "compare", "python", "clean"]


@pytest.mark.slow
def test_the_makefile_of_the_paper_builds_the_library(tmp_path: Path) -> None:
    need("make", "cmake", "gcc", "libssl-dev")
    run("make", "-C", ROOT / "papers/rainbow-armv8", f"BUILD={tmp_path}")
    for name in ("libhanji-rainbow.a", "libhanji-rainbow.so"):
        assert "hanji_rainbow_sign" in run("nm", tmp_path / name)
