# SPDX-License-Identifier: Apache-2.0
"""A CPython on musl: built from Debian's sources, because nobody offers one that could be fetched
by name. The C library is Debian's package `musl`.

Nothing is installed: all files are in build/musl/PROCESSOR. Extensions in C of the standard library
that need more than zlib are left out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build/musl"
SOURCES = ("python3.11", "zlib")
# Its sources but those that read and write files.
ZLIB = ("adler32", "compress", "crc32", "deflate", "infback", "inffast", "inflate", "inftrees")
ZLIB += ("trees", "uncompr", "zutil")
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}
GCC = {"x86_64": "gcc", "aarch64": "aarch64-linux-gnu-gcc"}
# What configure would find out by running a program of another machine.
ANSWERS = (
    "ac_cv_file__dev_ptmx=yes",
    "ac_cv_file__dev_ptc=no",
    "ac_cv_buggy_getaddrinfo=no",
    "ac_cv_working_tzset=yes",
)


def run(*words: object, folder: Path = ROOT, **more: str) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=os.environ | more,
        capture_output=True,
        text=True,
    )
    said = f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert done.returncode == 0, f"{words[0]} ended with {done.returncode}:\n{said}"
    return done.stdout


def lists_of_sources(folder: Path) -> None:
    """The lists of packages of this machine, as lists of sources."""
    folder.mkdir()
    place = Path("/etc/apt")
    for path in [place / "sources.list", *sorted((place / "sources.list.d").glob("*"))]:
        if path.suffix not in (".list", ".sources") or not path.is_file():
            continue
        text = re.sub(r"^deb(?=\s)", "deb-src", path.read_text(), flags=re.MULTILINE)
        text = re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.MULTILINE)
        (folder / path.name).write_text(text)


@cache
def sources() -> Path:
    """The folder with Debian's archives of the sources; apt checks their signatures."""
    folder = OUT / "sources"
    if not (folder / "stamp").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        lists_of_sources(folder / "lists")
        for name in ("state", "cache"):
            (folder / name / "partial").mkdir(parents=True)
        apt = ["apt-get", "-o", "Dir::Etc::SourceList=/dev/null"]
        apt += ["-o", f"Dir::Etc::SourceParts={folder / 'lists'}"]
        apt += ["-o", f"Dir::State::Lists={folder / 'state'}", "-o", f"Dir::Cache={folder}/cache"]
        apt += ["-o", "APT::Sandbox::User=root"]
        run(*apt, "update", folder=folder)
        run(*apt, "source", "--download-only", "--tar-only", *SOURCES, folder=folder)
        (folder / "stamp").touch()
    return folder


def unpack(name: str, folder: Path) -> Path:
    """The sources of a package as their authors publish them."""
    (archive,) = sources().glob(f"{name}_*.orig.tar.*z*")
    folder.mkdir(parents=True)
    run("tar", "-xf", archive, "--strip-components=1", "-C", folder)
    return folder


def libc(processor: str) -> Path:
    """A root with musl, as a system has it, and with what programs for it are built from."""
    root = OUT / processor / "root"
    if not (root / "stamp").exists():
        shutil.rmtree(OUT / processor, ignore_errors=True)
        fetched = OUT / processor / "packages"
        fetched.mkdir(parents=True)
        names = ("musl", "musl-dev", "musl-tools")
        run(
            "apt-get",
            "download",
            *(f"{name}:{DEBIAN[processor]}" for name in names),
            folder=fetched,
        )
        for package in fetched.glob("*.deb"):
            run("dpkg-deb", "-x", package, root)
        library = root / f"lib/{processor}-linux-musl/libc.so"
        loader = root / f"lib/ld-musl-{processor}.so.1"
        loader.unlink()  # it leads to the root of this machine
        # Beside libc.a, which gcc takes otherwise.
        for link in (loader, root / f"usr/{library.relative_to(root)}"):
            link.symlink_to(library)
        (root / "stamp").touch()
    return root


def compiler(processor: str, folder: Path) -> Path:
    """gcc with the C library of `root`: zig would take minutes for the questions of configure."""
    root, program = libc(processor), folder / "musl-gcc"
    # Where the processor is that of this machine, the loader is found by its place.
    loader = f"{root if processor == 'x86_64' else ''}/lib/ld-musl-{processor}.so.1"
    (given,) = root.glob("usr/lib/*/musl-gcc.specs")
    text = given.read_text().replace("/usr/", f"{root}/usr/")
    text = text.replace(f"/lib/ld-musl-{processor}.so.1", loader)
    (folder / "specs").write_text(text)
    program.write_text(
        "#!/bin/sh\n"
        # Else the headers of the other C library are taken.
        f"case $* in *-print-multiarch*) echo {processor}-linux-musl; exit ;; esac\n"
        f'exec {GCC[processor]} "$@" -specs {folder}/specs\n'
    )
    program.chmod(0o755)
    return program


@cache
def python(processor: str) -> tuple[str, ...]:
    """The words that start a CPython on musl; built once."""
    root = libc(processor)
    program = root / "usr/bin/python3.11"
    words = () if processor == "x86_64" else ("qemu-aarch64", "-L", str(root))
    if not program.exists():
        work = OUT / processor / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        cc = compiler(processor, work)
        zlib = unpack("zlib", work / "zlib")
        for name in ZLIB:
            run(cc, "-c", "-O1", "-fPIC", f"{name}.c", "-o", f"{name}.o", folder=zlib)
        run("ar", "rcs", "libz.a", *(f"{name}.o" for name in ZLIB), folder=zlib)
        source = unpack("python3.11", work / "python")
        given = {
            "CC": str(cc),
            "CXX": str(cc),
            "READELF": shutil.which("readelf") or "",  # a path: configure takes no bare name
            "OPT": "-DNDEBUG -O1 -fwrapv",
            "LDFLAGS": "-s",
            "ZLIB_CFLAGS": f"-I{zlib}",
            "ZLIB_LIBS": f"-L{zlib} -lz",
        }
        run(
            source / "configure",
            *("--quiet", "--prefix=/usr", f"--host={processor}-linux-musl"),
            # The system of `build` decides on the names of modules.
            *("--build=x86_64-pc-linux-musl", f"--with-build-python={sys.executable}"),
            *("--without-ensurepip", "--disable-test-modules", *ANSWERS),
            folder=source,
            **given,
        )
        for target in ("all", "install"):
            run("make", "-s", "-j2", target, f"DESTDIR={root}", folder=source, PYTHONPATH="")
        run(*words, program, "-c", "import math, select, zlib, _posixsubprocess, _socket")
        shutil.rmtree(work)
    return (*words, str(program))
