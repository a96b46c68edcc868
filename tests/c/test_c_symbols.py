# SPDX-License-Identifier: Apache-2.0
"""What the built libraries export, need and keep: read from their symbol tables."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from builds import FIRMWARE, ROOT, build, run
from debian import need

pytestmark = pytest.mark.quick

LIST = Path(__file__).with_name("exported_symbols.txt")
# Products and shifts of public sizes and indices, on processors without the instructions.
ARITHMETIC = {"__ashldi3", "__lshrdi3", "__muldi3", "__mulsi3"}
MEMORY = {"memcpy", "memmove", "memset"}
# libraries beside libhanji, by their headers, with what building them needs
MORE = {"rainbow": ["libssl-dev"], "gpu": []}
# HANJI_FORCE, hanji_random(), and what position-independent code refers to; what hardened code
# calls where it finds a fault, and the memory functions that look for one.
HARDENED = {"__stack_chk_fail", *(f"__{name}_chk" for name in MEMORY)}
HOSTED = {"getenv", "getentropy", "_GLOBAL_OFFSET_TABLE_"} | HARDENED
# src/support/cpu.c: what kernels may be used, the one thing that the library remembers
SELECTION = {"hanji_cpu_selection", "selection", "withheld"}


def listed() -> list[str]:
    return [line for line in LIST.read_text().splitlines() if line and not line.startswith("#")]


def headers(library: str) -> list[Path]:
    """The public headers of libhanji, or the one of a library of its own beside it."""
    everything = sorted((ROOT / "include/hanji").glob("*.h"))
    return [
        path for path in everything if (path.stem == library if library else path.stem not in MORE)
    ]


def declared(library: str = "") -> set[str]:
    """Functions that the public headers of libhanji, or the one of libhanji-<library>, declare with
    HANJI_API.
    """
    text = "\n".join(path.read_text() for path in headers(library))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return set(re.findall(r"\bHANJI_API\b[^;(]*?\b(hanji_\w+)\s*\(", text))


def symbols(nm: str, path: Path, *options: str) -> list[tuple[str, str]]:
    """(type letter, name) of every symbol of an object, archive or library."""
    rows = [line.split() for line in run([nm, *options, path]).stdout.splitlines()]
    return [(row[-2], row[-1]) for row in rows if len(row) >= 2 and len(row[-2]) == 1]


def needed(nm: str, path: Path) -> set[str]:
    """What an archive needs from elsewhere."""
    found = symbols(nm, path)
    return {name for kind, name in found if kind == "U"} - {
        name for kind, name in found if kind not in "Uw"
    }


def mutable(objdump: str, path: Path) -> set[str]:
    """Data that can change, by the sections that hold it (relocated constants lie in .data.rel.ro),
    without function-local suffixes.
    """
    found = set()
    for line in run([objdump, "-t", path]).stdout.splitlines():
        if row := re.fullmatch(
            r"[0-9a-f]+ [\w! ]*O (\S+)\s+[0-9a-f]+\s+(?:\.hidden )?(\S+)", line.replace("\t", " ")
        ):
            section, name = row.groups()
            if re.match(r"\.s?(data(?!\.rel\.ro)|bss|tbss|tdata)|\*COM\*", section):
                found.add(name.split(".")[0])
    return found


def tool(preset: str, name: str) -> str:
    return f"riscv64-unknown-elf-{name}" if preset in FIRMWARE else name


def test_exported_symbols_are_the_listed_ones() -> None:
    names = listed()
    assert names == sorted(set(names)), f"{LIST.name} is not sorted, or names something twice"
    for preset in ("host-gcc", "host-clang"):
        library = build(preset) / "libhanji.so"
        exported = {
            name
            for kind, name in symbols("nm", library, "--dynamic", "--defined-only")
            if kind in "TDBRVW"
        }
        assert exported == set(names), (
            f"{preset}: not listed {sorted(exported - set(names))}, not exported "
            f"{sorted(set(names) - exported)}"
        )


def test_every_declared_function_is_listed() -> None:
    assert len(declared()) > 100
    assert declared() == set(listed()), (
        f"declared only: {sorted(declared() - set(listed()))}; listed only: "
        f"{sorted(set(listed()) - declared())}"
    )


@pytest.mark.parametrize("library", sorted(MORE))
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_other_libraries_export_what_their_headers_declare(preset: str, library: str) -> None:
    need(*MORE[library])
    path = build(preset) / f"libhanji-{library}.so"
    exported = {
        name
        for kind, name in symbols("nm", path, "--dynamic", "--defined-only")
        if kind in "TDBRVW"
    }
    assert exported == declared(library)
    names = {
        name
        for kind, name in symbols("nm", build(preset) / f"libhanji-{library}.a")
        if kind in "TDBRVWC"
    }
    assert not [name for name in names if not name.startswith("hanji_")]
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", run(["readelf", "-d", path]).stdout))
    assert needed == {"libc.so.6", "libhanji.so.0"} | (
        {"libcrypto.so.3"} if library == "rainbow" else set()
    )
    assert "libcrypto" not in run(["readelf", "-d", build(preset) / "libhanji.so"]).stdout


def test_static_library_names_begin_with_hanji() -> None:
    """What a program links statically shares its name space with everything else in it."""
    names = {
        name for kind, name in symbols("nm", build("host-gcc") / "libhanji.a") if kind in "TDBRVWC"
    }
    assert not [name for name in names if not name.startswith("hanji_")]


def test_shared_library_has_its_soname() -> None:
    directory = build("host-gcc")
    version = re.search(
        r'#define HANJI_VERSION "(\d+)\.(\d+)\.(\d+)"',
        (ROOT / "include/hanji/common.h").read_text(),
    )
    assert version
    assert (
        f"Library soname: [libhanji.so.{version[1]}]"
        in run(["readelf", "-d", directory / "libhanji.so"]).stdout
    )
    assert (
        directory / "libhanji.so"
    ).resolve().name == f"libhanji.so.{version[1]}.{version[2]}.{version[3]}"


@pytest.mark.parametrize("preset", FIRMWARE)
def test_firmware_needs_only_memory_functions(preset: str) -> None:
    """SLH-DSA alone may use the compiler's functions for arithmetic that the processor lacks."""
    nm = tool(preset, "nm")
    objects = sorted((build(preset) / "CMakeFiles/hanji_objects.dir/src").rglob("*.obj"))
    library = needed(nm, build(preset) / "libhanji.a")
    wants: dict[bool, set[str]] = {True: set(), False: set()}
    for path in objects:
        wants[path.parent.name == "slhdsa"] |= needed(nm, path) & library
    assert wants[True] | wants[False] == library
    assert wants[False] <= MEMORY, (
        f"{preset} needs {sorted(wants[False] - MEMORY)}: division, wide shifts or atomics that the "
        "processor does not have?"
    )
    assert wants[True] <= MEMORY | ARITHMETIC


@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_hosts_need_little_more_and_nothing_that_allocates(preset: str) -> None:
    wants = needed("nm", build(preset) / "libhanji.a")
    assert wants <= MEMORY | HOSTED, (
        f"{preset} needs {sorted(wants - MEMORY - HOSTED)}: the caller gives memory, the "
        "library allocates none"
    )


def test_control_an_allocation_is_seen(tmp_path: Path) -> None:
    library = Path(shutil.copy(build("host-gcc") / "libhanji.a", tmp_path))
    source = tmp_path / "allocates.c"
    source.write_text(
        "#include <stdlib.h>\nvoid *hanji_allocates(size_t n) { return malloc(n); }\n"
    )
    run(["gcc", "-O2", "-c", source, "-o", tmp_path / "allocates.o"])
    run(["ar", "r", library, tmp_path / "allocates.o"])
    assert needed("nm", library) - MEMORY - HOSTED == {"malloc"}


@pytest.mark.parametrize("preset", FIRMWARE)
def test_control_a_wide_division_is_seen(preset: str, tmp_path: Path) -> None:
    library = Path(shutil.copy(build(preset) / "libhanji.a", tmp_path))
    source = tmp_path / "divides.c"
    source.write_text(
        "unsigned long long hanji_divides(unsigned long long a, unsigned long long b) { "
        "return a / b; }\n"
    )
    run(
        [
            "riscv64-unknown-elf-gcc",
            f"-march={preset}",
            "-mabi=ilp32",
            "-Os",
            "-ffreestanding",
            "-c",
            source,
            "-o",
            tmp_path / "divides.o",
        ]
    )
    run(["riscv64-unknown-elf-ar", "r", library, tmp_path / "divides.o"])
    assert "__udivdi3" in needed(tool(preset, "nm"), library)


@pytest.mark.parametrize("preset", ["host-gcc", "host-clang", *FIRMWARE])
def test_nothing_but_the_selection_can_change(preset: str) -> None:
    found = mutable(tool(preset, "objdump"), build(preset) / "libhanji.a")
    assert found <= SELECTION, (
        f"{preset}: mutable data {sorted(found - SELECTION)}; make it const or move it into "
        "a context"
    )


def test_control_mutable_data_is_seen(tmp_path: Path) -> None:
    library = Path(shutil.copy(build("host-gcc") / "libhanji.a", tmp_path))
    source = tmp_path / "counts.c"
    source.write_text(
        "static int remembered = 3; static int calls; int hanji_counts(void) { static int "
        "local; return ++calls + remembered++ + local--; }\n"
    )
    run(["gcc", "-O2", "-c", source, "-o", tmp_path / "counts.o"])
    run(["ar", "r", library, tmp_path / "counts.o"])
    assert {"remembered", "calls", "local"} <= mutable("objdump", library)


# Programs that lay what a call writes over all else of the call.
OVERLAPS = (
    "c/misuse_main",
    "c/aeads",
    "c/slhdsa_calls_main",
    "aimer/misuse_main",
    "rainbow/api_main",
)
# What writes to one memory and reads none.
ALONE = re.compile(r"_(wipe|permute|random|selftest|selftest_one|kernel_at|set_limit)$")


def writers() -> set[str]:
    """Functions of libhanji and libhanji-rainbow that take a pointer to write to."""
    text = "\n".join(path.read_text() for library in ("", "rainbow") for path in headers(library))
    text = re.sub(r"/\*.*?\*/|\bHANJI_MUST_CHECK\b", "", text, flags=re.S)
    found = re.findall(r"\bHANJI_API\b[^;(]*?\b(hanji_\w+)\s*\(([^;]*?)\)\s*;", text)
    return {
        name
        for name, arguments in found
        if any(
            re.search(r"\*|\[", one) and not re.match(r"\s*const\b", one)
            for one in arguments.split(",")
        )
    }


def untried(found: set[str]) -> set[str]:
    """Of these functions those that stand in no program of OVERLAPS."""
    text = "".join(
        path.read_text() for name in OVERLAPS for path in (ROOT / "tests").glob(f"{name}.[ch]")
    )
    tried = set(re.findall(r"\bhanji_\w+\b", text))
    for instance in re.findall(r"AEAD_PIECES\((\w+),|AEAD\([^,]*,[^,]*, (\w+)", text):
        for ending in re.findall(r"hanji_##id##(\w+)", text):
            tried |= {f"hanji_{''.join(instance)}{ending}"}
    return {name for name in found - tried if not ALONE.search(name)}


def test_overlaps_of_every_function_that_writes_are_tried() -> None:
    """But for those of telemetry with structures, which telemetry_main.c tries."""
    found = writers()
    assert len(found) > 100
    assert {"hanji_ctr_update", "hanji_rainbow_sign", "hanji_aimer_key_sign_batch"} <= found
    telemetry = (ROOT / "tests/telemetry/telemetry_main.c").read_text()
    assert {name for name in untried(found) if f"{name}(" not in telemetry} == set()


def test_control_a_function_that_is_not_tried_is_seen() -> None:
    assert untried({"hanji_new_encrypt", "hanji_new_wipe", "hanji_ctr_update"}) == {
        "hanji_new_encrypt"
    }
