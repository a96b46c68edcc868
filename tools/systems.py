# SPDX-License-Identifier: Apache-2.0
"""Build the C library for macOS and Windows on a Linux machine, and link a program with it.

Usage: python tools/systems.py [--out build/systems] [--portable] [--only SYSTEM]... | --list

The compiler is clang as the package `ziglang` ships it, with the headers and stubs of each system;
tools/wheels-lock.txt pins it. Static and shared library have the kernels in C, for macOS on ARM
those in assembly as well, and with `--portable` none. The program runs the self-test of all
algorithms, asks for random bytes and prints the tiers in use. Nothing here runs what it builds.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import wheels
from wheels import ROOT, WheelError, run

OUT = ROOT / "build/systems"


@dataclass(frozen=True)
class System:
    """An operating system on a processor: zig's target, names of CMake, names of what is built."""

    target: str
    name: str
    processor: str
    static: str
    shared: str
    program: str


SYSTEMS = {
    "macos-arm64": System(
        "aarch64-macos", "Darwin", "arm64", "libhanji.a", "libhanji.dylib", "selftest"
    ),
    "macos-x86_64": System(
        "x86_64-macos", "Darwin", "x86_64", "libhanji.a", "libhanji.dylib", "selftest"
    ),
    "windows-x86_64": System(
        "x86_64-windows-gnu", "Windows", "AMD64", "libhanji.a", "libhanji.dll", "selftest.exe"
    ),
}

TOOLCHAIN = """\
set(CMAKE_SYSTEM_NAME {system.name})
set(CMAKE_SYSTEM_PROCESSOR {system.processor})
set(CMAKE_C_COMPILER {folder}/cc)
set(CMAKE_ASM_COMPILER {folder}/cc)
set(CMAKE_RC_COMPILER {folder}/rc)
set(CMAKE_AR {folder}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB {folder}/ranlib CACHE FILEPATH "")
set(CMAKE_INSTALL_NAME_TOOL /bin/true CACHE FILEPATH "")
set(CMAKE_OSX_SYSROOT "" CACHE STRING "")
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
"""

PROGRAM = """\
#include <hanji/hanji.h>
#include <stdio.h>

int main(void)
{
    const char *failed = "";
    uint8_t random[64] = {0};
    if (hanji_selftest(&failed) != HANJI_OK || hanji_random(random, sizeof random) != HANJI_OK) {
        printf("failed: %s\\n", failed);
        return 1;
    }
    for (size_t i = 0; i < hanji_tier_count(); i++)
        if (hanji_tier_state(i) == 2)
            printf("%s ", hanji_tier_name(i));
    printf("\\n");
    return 0;
}
"""


def build(name: str, out: Path = OUT, *, portable: bool = False) -> Path:
    """The folder with the libraries for a system, and a program linked with each."""
    system, python = SYSTEMS[name], wheels.tools()
    folder = out / (f"{name}-portable" if portable else name)
    compilers = folder / "compilers"
    compilers.mkdir(parents=True, exist_ok=True)
    wheels.programs(compilers, python, system.target)
    shutil.copy(compilers / "ar", compilers / "rc")  # never called: there are no resources
    toolchain = folder / "toolchain.cmake"
    toolchain.write_text(TOOLCHAIN.format(system=system, folder=compilers))
    switches = {"HANJI_GPU": "OFF", "HANJI_PORTABLE": str(portable)}
    run(
        *("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "--toolchain", toolchain),
        *("-DCMAKE_BUILD_TYPE=Release", *(f"-D{key}={word}" for key, word in switches.items())),
    )
    run("cmake", "--build", folder)
    source = folder / "selftest.c"
    source.write_text(PROGRAM)
    command = [compilers / "cc", "-std=c11", f"-I{ROOT / 'include'}", source]
    bcrypt = ["-lbcrypt"] if system.name == "Windows" else []
    run(*command, folder / system.static, *bcrypt, "-o", folder / system.program)
    linked = f"{system.shared}.a" if system.name == "Windows" else system.shared
    run(*command, folder / linked, "-o", folder / f"shared-{system.program}")
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--only", action="append", choices=list(SYSTEMS), metavar="SYSTEM")
    parser.add_argument("--portable", action="store_true", help="portable kernels only")
    parser.add_argument("--list", action="store_true", help="list the systems")
    given = parser.parse_args()
    if given.list:
        print("\n".join(SYSTEMS))
        return 0
    try:
        for name in given.only or SYSTEMS:
            print(build(name, given.out, portable=given.portable), flush=True)
    except (WheelError, OSError) as error:
        print(f"tools/systems.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
