# SPDX-License-Identifier: Apache-2.0
"""Every way of using the C library from another project: built and run against an installation that
has been moved.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from builds import build
from debian import need, present

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def run(*command: object, **options: object) -> str:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, **options
    )  # type: ignore[call-overload]
    assert done.returncode == 0, (
        f"{' '.join(map(str, command))} failed "
        f"({done.returncode}):\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    )
    return done.stdout


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation that was made under one prefix and lies under another."""
    need("gcc", "g++", "cmake", "ninja-build")
    base = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", build("host-gcc"), "--prefix", base / "made-here")
    shutil.move(base / "made-here", base / "moved here")
    return base / "moved here"


def expect_version(output: str) -> None:
    assert output.startswith("hanji 0.2.0"), output


def test_installed_files(installed: Path) -> None:
    files = {str(path.relative_to(installed)) for path in installed.rglob("*") if not path.is_dir()}
    headers = {f"include/hanji/{path.name}" for path in (ROOT / "include/hanji").glob("*.h")}
    package = {
        f"lib/cmake/hanji/{name}"
        for name in (
            "hanjiConfig.cmake",
            "hanjiConfigVersion.cmake",
            "hanjiTargets.cmake",
            "hanjiTargets-release.cmake",
        )
    }
    libraries = {
        "lib/libhanji.a",
        "lib/libhanji.so",
        "lib/libhanji.so.0",
        "lib/libhanji.so.0.2.0",
        "lib/pkgconfig/hanji.pc",
    }
    for more in ["gpu", *(["rainbow"] if present("libssl-dev") else [])]:
        libraries |= {
            f"lib/libhanji-{more}.{suffix}" for suffix in ("a", "so", "so.0", "so.0.2.0")
        } | {f"lib/pkgconfig/hanji-{more}.pc"}
        libraries |= {
            f"lib/cmake/hanji/hanji-{more}Targets{suffix}.cmake" for suffix in ("", "-release")
        }
    assert files == headers | package | libraries


def test_find_package(installed: Path, tmp_path: Path) -> None:
    run(
        "cmake",
        "-G",
        "Ninja",
        "-S",
        HERE / "find_package",
        "-B",
        tmp_path,
        f"-DCMAKE_PREFIX_PATH={installed}",
    )
    run("cmake", "--build", tmp_path)
    for program in ("c_shared", "c_static", "cpp_shared", "cpp_static"):
        expect_version(run(tmp_path / program))
    linked = {
        name: "libhanji.so.0" in run("readelf", "-d", tmp_path / name)
        for name in ("c_shared", "c_static")
    }
    assert linked == {"c_shared": True, "c_static": False}


def test_find_package_refuses_another_version(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(HERE / "find_package", tmp_path / "later")
    lists = tmp_path / "later/CMakeLists.txt"
    lists.write_text(
        lists.read_text().replace(
            "find_package(hanji 0.2 REQUIRED)", "find_package(hanji 0.3 REQUIRED)"
        )
    )
    done = subprocess.run(
        [
            "cmake",
            "-G",
            "Ninja",
            "-S",
            tmp_path / "later",
            "-B",
            tmp_path / "build",
            f"-DCMAKE_PREFIX_PATH={installed}",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0 and "0.2.0" in done.stderr


def test_pkg_config_and_plain_makefile(installed: Path, tmp_path: Path) -> None:
    need("pkg-config", "make")
    # Names with blanks are beyond pkg-config's users' shell lines, so this route gets a plain path.
    prefix = tmp_path / "prefix"
    shutil.copytree(installed, prefix, symlinks=True)
    shutil.copytree(HERE / "makefile", tmp_path / "use/makefile")
    for source in ("seal.c", "seal.cpp"):
        shutil.copy(HERE / source, tmp_path / "use" / source)
    environment = os.environ | {
        "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig"),
        "LD_LIBRARY_PATH": str(prefix / "lib"),
    }
    assert run("pkg-config", "--modversion", "hanji", env=environment).strip() == "0.2.0"
    run(
        "make",
        "-C",
        tmp_path / "use/makefile",
        f"HANJI_SOURCES={ROOT}",
        "CFLAGS=-O1",
        env=environment,
    )
    for program in ("c_shared", "c_static", "cpp_shared", "from_sources"):
        expect_version(run(tmp_path / "use/makefile" / program, env=environment))


def test_add_subdirectory(tmp_path: Path) -> None:
    need("gcc", "g++", "cmake", "ninja-build")
    run(
        "cmake",
        "-G",
        "Ninja",
        "-S",
        HERE / "add_subdirectory",
        "-B",
        tmp_path / "build",
        "-DCMAKE_C_FLAGS_RELEASE=-O0",
        "-DHANJI_LEVEL=BUILD",  # to be quick
    )
    run("cmake", "--build", tmp_path / "build")
    for program in ("c_shared", "cpp_static"):
        expect_version(run(tmp_path / "build" / program))
    run("cmake", "--install", tmp_path / "build", "--prefix", tmp_path / "prefix")
    assert not (tmp_path / "prefix").exists(), (
        "a part of another project must not install itself unasked"
    )
