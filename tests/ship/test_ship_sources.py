# SPDX-License-Identifier: Apache-2.0
"""Builds from a folder of sources that cannot be written, such as a mounted archive."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("include", "src", "cmake", "python", "CMakeLists.txt", "pyproject.toml", "LICENSE")
# The superuser writes where modes forbid it, unless these are taken away.
OBEDIENT = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]


@pytest.fixture
def sources(tmp_path: Path) -> Iterator[Path]:
    """The sources of the libraries and of the package, read-only."""
    folder = tmp_path / "sources"
    command = ["git", "ls-files", "-co", "--exclude-standard", *PARTS, "README.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run(["chmod", "-R", "a-w", folder], check=True)
    if run("touch", folder / "new").returncode == 0:
        pytest.skip("modes of files forbid nothing here")
    yield folder
    subprocess.run(["chmod", "-R", "u+w", folder], check=True)


def run(*words: object, **more: str) -> subprocess.CompletedProcess[str]:
    obedient = OBEDIENT if os.geteuid() == 0 else []
    command = [*obedient, *(str(word) for word in words)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | more)


def right(*words: object, **more: str) -> str:
    done = run(*words, **more)
    assert done.returncode == 0, f"{words}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_cmake_writes_nothing_beside_the_sources(sources: Path, tmp_path: Path) -> None:
    need("cmake", "ninja-build", "gcc")
    words = ("cmake", "-S", sources, "-G", "Ninja", "-B")
    right(*words, tmp_path / "build", "-DHANJI_PORTABLE=ON", "-DHANJI_GPU=OFF")
    assert (tmp_path / "build/build.ninja").exists()
    # A control: a build folder in the sources.
    done = run(*words, sources / "build")
    assert done.returncode != 0 and str(sources / "build") in done.stderr


# One small target, so that the build ends before its wheel.
TARGET = "--config-settings=build.targets=hanji_rainbow_sets"


def wheel(sources: Path, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return run(*pip, "--wheel-dir", out, *more, sources, PATH=path)


def listed(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Everything below a folder: kind and mode, size, and the time of the last change."""
    return {
        str(path.relative_to(folder)): (about.st_mode, about.st_size, about.st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        for about in [path.lstat()]
    }


def test_pip_writes_nothing_into_the_sources(sources: Path, tmp_path: Path) -> None:
    """Not even where it may: of a build with one small target, which ends before its wheel."""
    subprocess.run(["chmod", "-R", "u+w", sources], check=True)
    before = listed(sources)
    done = wheel(sources, tmp_path / "out", TARGET, "-v")
    said = done.stdout + done.stderr
    assert "sets.c.o" in said, said[-3000:]
    assert listed(sources) == before
    # The controls: a build folder in the sources, and one that cannot be made.
    inside = "--config-settings=build-dir=build/wheel"
    wheel(sources, tmp_path / "out", TARGET, inside)
    assert "build/wheel" in listed(sources)
    subprocess.run(["rm", "-r", sources / "build"], check=True)
    subprocess.run(["chmod", "-R", "a-w", sources], check=True)
    done = wheel(sources, tmp_path / "out", inside)
    assert done.returncode != 0
    assert "must be a (creatable) directory" in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_library_and_wheel_are_built_from_sources_that_cannot_be_written(
    sources: Path, tmp_path: Path
) -> None:
    need("cmake", "ninja-build", "gcc", "g++")
    build = tmp_path / "build"
    right("cmake", "-S", sources, "-G", "Ninja", "-B", build)
    right("cmake", "--build", build)
    right("cmake", "--install", build, "--prefix", tmp_path / "installed")
    assert (tmp_path / "installed/include/hanji/hanji.h").exists()
    before = listed(sources)
    done = wheel(sources, tmp_path / "out")
    assert listed(sources) == before
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert len(list((tmp_path / "out").glob("hanji-*.whl"))) == 1
