# SPDX-License-Identifier: Apache-2.0
"""The checkout that the laboratory looks at: where it is, and how its C library is built for a
check.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


class LabError(Exception):
    """Something that the user can put right; the text says what and how. `status` is the exit
    status of the command.
    """

    status = 1


def find_checkout(start: Path | None = None) -> Path:
    """The root of the repository: above `start` (by default the working directory), else above this
    file.
    """
    below = (start or Path.cwd()).resolve()
    for place in (below, Path(__file__).resolve().parent):
        for directory in (place, *place.parents):
            if (directory / "include/hanji/common.h").is_file() and (
                directory / "CMakeLists.txt"
            ).is_file():
                return directory
        if start is not None:
            break
    raise LabError(
        f"{below} is not inside a checkout of hanji: run this in the repository, or give its "
        "root with --root"
    )


def find_program(name: str, package: str, purpose: str) -> str:
    """Path of a program, with the Debian package that brings it if it is missing."""
    path = shutil.which(name)
    if path is None:
        raise LabError(
            f"{name} is not installed; {purpose} needs it. On Debian: apt-get install {package}"
        )
    return path


def find_compiler(family: str) -> str:
    """Path of gcc or clang; where clang has no plain name, the newest clang-N."""
    if family not in ("gcc", "clang"):
        raise LabError(f"compiler {family!r} given, gcc or clang expected")
    if path := shutil.which(family):
        return path
    numbered: dict[int, str] = {}
    for directory in map(Path, os.get_exec_path()):
        for program in directory.glob(f"{family}-*"):
            if found := re.fullmatch(rf"{family}-(\d+)", program.name):
                numbered.setdefault(int(found[1]), str(program))
    if not numbered:
        raise LabError(f"{family} is not installed. On Debian: apt-get install {family}")
    return numbered[max(numbered)]


def any_compiler() -> str:
    """Path of gcc, or of clang where there is no gcc."""
    try:
        return find_compiler("gcc")
    except LabError:
        return find_compiler("clang")


def run(
    command: Sequence[str | Path],
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run a program that has to succeed; its output, or LabError with the end of what it said."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-30:])
        raise LabError(
            f"`{' '.join(map(str, command))}` failed with status {done.returncode}:\n{said}"
        )
    return done.stdout


def instruction_at(objdump: str, program: Path, address: int) -> str | None:
    """The instruction at an address of a linked program, as objdump names it; None where no code
    is.
    """
    bounds = [f"--start-address={address}", f"--stop-address={address + 4}"]
    said = run([objdump, "-d", "--no-show-raw-insn", *bounds, program])
    found = re.search(rf"^\s*{address:x}:\s+(.*)$", said, re.MULTILINE)
    return " ".join(re.sub(r"\s(#|//) .*", "", found[1]).split()) if found else None


@contextmanager
def exclusive(directory: Path) -> Iterator[None]:
    """Hold a build directory, so that two commands at the same time do not build in it together."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def cache_folder() -> Path:
    """Where what is built once for all checkouts is kept: $HANJI_LAB_CACHE, else hanji-lab in the
    user's cache directory.
    """
    if given := os.environ.get("HANJI_LAB_CACHE"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hanji-lab"


def shared_object(source: Path, folder: Path, options: Sequence[str | Path] = ()) -> Path:
    """One C or C++ file of the laboratory as a shared object in `folder`, compiled where it is not
    there yet; its name has the digest of the source and of the options.
    """
    parts = [source.read_bytes(), *(str(option).encode() for option in options)]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
    built = folder / f"{source.stem}-{digest}.so"
    with exclusive(folder):
        if not built.exists():
            if source.suffix == ".c":
                compiler, standard = any_compiler(), "-std=c11"
            else:
                compiler = find_program("c++", "g++", f"{source.name} of the laboratory")
                standard = "-std=c++17"
            half = built.with_suffix(".tmp")
            command = [compiler, standard, "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", *options]
            run([*command, source, "-o", half])
            half.rename(built)
    return built


FAST = "-O3 -DNDEBUG"


def fast_build(family: str, variant: str = "") -> str:
    """The NAME of a library that a family of compilers builds with FAST, such as gcc-O3;
    `variant` names one that differs from it.
    """
    return "-".join(filter(None, (family, "O3", variant)))


def build_library(
    root: Path,
    name: str,
    compiler: str,
    flags: str,
    target: str,
    jobs: int = 2,
    toolchain: str | None = None,
    options: Sequence[str] = (),
) -> Path:
    """Build the C library with CMake in build/lab/NAME of the checkout; the path of the static or
    shared library.

    `target` is hanji_static or hanji_shared. `flags` are all the optimisation and debug flags that
    it gets. `toolchain` is a file in cmake/toolchains, for other machines, and `options` are
    further ones of CMake. Who builds with the same compiler, flags and options gives the same NAME
    (fast_build), so that the library is built once.
    """
    cmake = find_program("cmake", "cmake", "building the C library")
    directory = root / "build/lab" / name
    configure: list[str | Path] = [
        cmake,
        "-S",
        root,
        "-B",
        directory,
        f"-DCMAKE_C_COMPILER={compiler}",
    ]
    configure += [
        f"-DCMAKE_C_FLAGS={flags}",
        "-DCMAKE_BUILD_TYPE=None",
        "-DHANJI_LEVEL=BUILD",  # that of `flags`
        "-DHANJI_INSTALL=OFF",
        "-DHANJI_RAINBOW=AUTO",  # its targets are there; nothing builds them unless asked
        *options,
    ]
    configure += (
        [f"-DCMAKE_TOOLCHAIN_FILE={root / 'cmake/toolchains' / toolchain}"] if toolchain else []
    )
    if shutil.which("ninja") and not (directory / "Makefile").exists():
        configure += ["-G", "Ninja"]
    with exclusive(directory):
        run(configure)
        run([cmake, "--build", directory, "--target", target, "--parallel", str(jobs)])
    return directory / ("libhanji.a" if target == "hanji_static" else "libhanji.so")
