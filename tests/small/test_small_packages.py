# SPDX-License-Identifier: Apache-2.0
"""The packages for the build systems of firmware: their form, and what can be built here."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml
from debian import need

from hanji.epoch import epoch_key
from hanji_lab.spec import algorithm

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "examples/packages"))
import firmware_packages  # noqa: E402
import open_frames  # noqa: E402

SDK = Path(__file__).parent / "sdk"
# What a sketch uses of the Arduino core, over the serial port of an ATmega328P. The watchdog resets
# it after three turns of the loop, twice.
ARDUINO = """
#pragma once
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stddef.h>
#include <stdint.h>
enum { A0 = 14 };
struct Port {
    void begin(long) { UCSR0B = 1 << TXEN0; }
    void print(char c) { while ((UCSR0A & 1 << UDRE0) == 0) {} UDR0 = (uint8_t)c; }
    void print(const char *text) { while (*text) print(*text++); }
    void println(const char *text) { print(text); print('\\n'); }
    void println(int) { print('\\n'); }
};
static Port Serial;
static inline int analogRead(int) { return 700; }
static inline void delay(unsigned long) {}
void setup();
void loop();
static uint8_t starts __attribute__((section(".noinit")));
static void off() __attribute__((naked, used, section(".init3")));
static void off() { MCUSR = 0; wdt_disable(); } /* the watchdog stays on over a reset */
int main()
{
    setup();
    for (int i = 0; i < 3; i++)
        loop();
    if (++starts < 3) {
        wdt_enable(WDTO_15MS);
        for (;;) {
        }
    }
    cli();
    sleep_enable();
    sleep_cpu();
}
"""
# What the examples use of a C library that is not there.
LIBC = {
    "stdio.h": "int printf(const char *form, ...);\n",
    "string.h": "int strcmp(const char *a, const char *b);\n",
    "sys/types.h": "typedef long off_t;\n",
}
CORES = {
    "cortex-m0": ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
    "cortex-m4": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"],
    "rv32": ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32"],
}
BOARDS = {
    "zephyr": ["-DCONFIG_BOARD_NRF52840DK_NRF52840"],
    "cmsis-pack": ["-DNRF51"],
    "esp-idf": ["-DESP_PLATFORM"],
}


def readings(text: str) -> list[tuple[int, int, int, int]]:
    """Device, epoch, number and reading of every frame that was printed, opened in Python."""
    found = re.findall(r"^frame ([0-9a-f]+)\.?\s*$", text, re.MULTILINE)
    return [open_frames.opened(bytes.fromhex(digits)) for digits in found]


def test_an_arduino_sketch_counts_on_over_resets(packages, tmp_path):
    """In simavr, with the EEPROM of the board: every start has an epoch of its own."""
    need("gcc-avr", "avr-libc", "simavr")
    folder = packages["arduino"]
    example = folder / "examples/SealReading"
    (tmp_path / "Arduino.h").write_text(ARDUINO)
    sketch = (example / "SealReading.ino").read_text()
    (tmp_path / "sketch.cpp").write_text('#include "Arduino.h"\n' + sketch)
    flags = ["-mmcu=atmega328p", "-Os", "-DF_CPU=16000000UL", "-ffunction-sections"]
    flags += ["-fdata-sections", f"-I{tmp_path}", f"-I{folder / 'src'}", f"-I{example}"]
    objects = []
    sources = [*(folder / "src").glob("*.[cS]"), *example.glob("*.c")]
    for source in [tmp_path / "sketch.cpp", *sources]:
        objects.append(tmp_path / f"{source.name}.o")
        plus = source.suffix == ".cpp"
        compiler = ["avr-g++", "-std=gnu++11"] if plus else ["avr-gcc", "-std=gnu11"]
        strict = ["-Wall", "-Wextra", "-Werror"]
        subprocess.run([*compiler, *strict, *flags, "-c", source, "-o", objects[-1]], check=True)
    program = tmp_path / "sketch.elf"
    link = ["avr-g++", *flags, "-Wl,--gc-sections", *objects, "-o", program]
    subprocess.run(link, check=True)
    size = subprocess.run(["avr-size", program], check=True, capture_output=True, text=True)
    _, data, bss, *_ = map(int, size.stdout.splitlines()[1].split()[:3])
    assert data + bss < 1536, "an ATmega328P has 2 KiB of RAM, and the stack needs some"
    command = ["simavr", "-m", "atmega328p", "-f", "16000000", str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    expected = [(7, epoch, number, 700) for epoch in (1, 2, 3) for number in range(3)]
    assert readings(said) == expected, said


@pytest.mark.parametrize("core", CORES)
def test_the_examples_compile_for_microcontrollers(packages, tmp_path, core):
    need("gcc-arm-none-eabi", "gcc-riscv64-unknown-elf")
    for name, text in LIBC.items():  # no C library is there: what the examples need of it
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    compiled = set()  # the library of two packages is the same
    for name, board in BOARDS.items():
        folder = packages[name]
        sources = [*folder.rglob("*.[cS]")]
        assert {"main.c", "epoch.c", "storage.c"} <= {source.name for source in sources}, name
        include = [f"-I{next(folder.rglob('hanji.h')).parent}", f"-I{tmp_path}", f"-I{SDK}"]
        flags = ["-Os", "-std=gnu11", "-Wall", "-Wextra", "-ffreestanding", "-Werror", *include]
        for source in sources:
            if source.name == "hanji.c" and source.read_text().split("\n", 2)[2] in compiled:
                continue
            compiled.add(source.read_text().split("\n", 2)[2])
            command = [*CORES[core], *flags, *board, "-c", source, "-o", tmp_path / "x.o"]
            subprocess.run(command, check=True)


@pytest.mark.parametrize("name", ["zephyr", "cmsis-pack"])
def test_the_lines_that_an_example_prints_are_opened(packages, tmp_path, name):
    """On the host; Twister looks for such a line of Zephyr's sample."""
    need("gcc")
    folder, program = packages[name], tmp_path / "seal"
    example = next(folder.rglob("main.c")).parent
    storage = (
        packages["zephyr"] / "samples/seal/src/storage.c"
    )  # that of the micro:bit has registers
    sources = [example / f"{part}.c" for part in ("main", "readings", "epoch")]
    sources += [storage, SDK / "memory.c", folder / "src/hanji.c"]
    command = ["gcc", "-O1", "-Wall", "-Werror", f"-I{folder / 'src'}", f"-I{example}", f"-I{SDK}"]
    define = "-DCONFIG_BOARD_NATIVE_SIM"
    subprocess.run([*command, define, *sources, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True)
    assert readings(done.stdout) == [(7, 1, number, 2150 + number) for number in range(3)]
    for line in done.stdout.splitlines():
        assert re.fullmatch(firmware_packages.FRAME, line)


def test_frames_are_opened_and_refused_on_a_computer(packages, tmp_path):
    """open_frames.py, as the README says."""
    frames = {}
    for number in (0, 1, 2):
        header = bytes.fromhex("0203") + b"".join(
            value.to_bytes(4, "little") for value in (7, 3, number)
        )
        header += (2).to_bytes(2, "little")
        key = epoch_key(open_frames.MASTER, "ascon-aead128", 3, device=7)
        nonce = number.to_bytes(16, "little")
        sealed = algorithm("ascon_aead128").seal(nonce, header, bytes([number, 1]), key)
        frames[number] = header + sealed
    damaged = bytearray(frames[1])
    damaged[16] ^= 1
    lines = [
        "noise",
        *(
            f"frame {one.hex()}"
            for one in (frames[0], bytes(damaged), frames[1], frames[0], frames[2])
        ),
    ]
    done = subprocess.run(
        [sys.executable, packages["arduino"] / "open_frames.py"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"device 7 epoch 3 number {number}: {256 + number}" for number in range(3)
    ]
    assert len(done.stderr.splitlines()) == 2 and "not after the last frame" in done.stderr


# What project.cmake of ESP-IDF does with a component and with EXTRA_COMPONENT_DIRS, by its guide:
# a component has the name of its folder, and REQUIRES names components.
PROJECT_CMAKE = """
function(idf_component_register)
  cmake_parse_arguments(given "" "" "SRCS;INCLUDE_DIRS;REQUIRES" ${ARGN})
  get_filename_component(name ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  add_library(${name} STATIC ${given_SRCS})
  target_compile_definitions(${name} PRIVATE ESP_PLATFORM)
  target_include_directories(${name} PUBLIC ${given_INCLUDE_DIRS})
  foreach(one IN LISTS given_REQUIRES)
    if(one STREQUAL esp_partition AND NOT TARGET esp_partition)
      add_library(esp_partition STATIC SDK/memory.c)
      target_include_directories(esp_partition PUBLIC SDK)
    endif()
    if(NOT TARGET ${one})
      message(FATAL_ERROR "no component ${one}")
    endif()
    target_link_libraries(${name} PUBLIC ${one})
  endforeach()
endfunction()
macro(project name)
  _project(${name} C ASM)
  foreach(folder IN LISTS EXTRA_COMPONENT_DIRS ITEMS ${CMAKE_CURRENT_LIST_DIR}/main)
    get_filename_component(folder ${folder} ABSOLUTE)
    get_filename_component(component ${folder} NAME)
    add_subdirectory(${folder} ${CMAKE_BINARY_DIR}/esp-idf/${component})
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/start.c "void app_main(void); int main(void) { app_main(); }")
  add_executable(${name} ${CMAKE_BINARY_DIR}/start.c)
  target_link_libraries(${name} PRIVATE main)
endmacro()
"""


@pytest.mark.parametrize("name", ["hanji", "crypto"])
def test_the_example_of_esp_idf_builds_where_it_lies(packages, tmp_path, name):
    """Not with another name of the folder, which the README says: the control."""
    need("gcc", "cmake")
    idf = tmp_path / "idf/tools/cmake/project.cmake"
    idf.parent.mkdir(parents=True)
    idf.write_text(PROJECT_CMAKE.replace("SDK", str(SDK)))
    shutil.copytree(packages["esp-idf"] / "hanji", tmp_path / name)
    example, build = tmp_path / name / "examples/seal", tmp_path / "build"
    made = subprocess.run(
        ["cmake", "-S", example, "-B", build, "-DCMAKE_C_FLAGS=-Og"],  # as ESP-IDF does
        env={**os.environ, "IDF_PATH": str(tmp_path / "idf")},
        capture_output=True,
        text=True,
    )
    if name != "hanji":
        assert made.returncode != 0 and "no component hanji" in made.stderr
        return
    assert made.returncode == 0, made.stderr
    subprocess.run(["cmake", "--build", build], check=True, capture_output=True)
    done = subprocess.run([build / "seal"], capture_output=True, text=True)
    assert readings(done.stdout) == [(7, 1, number, 2150 + number) for number in range(3)]
    partitions = (example / "partitions.csv").read_text()
    assert re.search(r"^epochs, 0x40, 0x00, , 0x2000$", partitions, re.MULTILINE)
    assert 'FILENAME="partitions.csv"' in (example / "sdkconfig.defaults").read_text()


def test_kernels_compile_to_nothing_elsewhere(packages, tmp_path):
    need("gcc")
    for source in [file for folder in packages.values() for file in folder.rglob("*.S")]:
        subprocess.run(["gcc", "-c", source, "-o", tmp_path / "x.o"], check=True)
        listed = subprocess.run(["nm", tmp_path / "x.o"], capture_output=True, text=True)
        assert listed.stdout == "", source


def test_the_header_and_the_source_are_cpp(packages, tmp_path):
    need("g++")
    folder = packages["esp-idf"] / "hanji"
    plus = tmp_path / "plus.cpp"
    plus.write_text(
        '#include "hanji.h"\nint (*seal)(uint8_t *, const uint8_t *, size_t) = nullptr;\n'
    )
    options = [
        "g++",
        "-O1",
        "-std=c++11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        f"-I{folder}",
    ]
    subprocess.run([*options, plus], check=True)
    source = ["-x", "c++", "-std=c++17", "-Wno-missing-field-initializers", folder / "hanji.c"]
    subprocess.run([*options, *source], check=True)


# Arduino's library specification, 1.5 format; what the arduino-lint of its index accepts
CATEGORIES = {
    "Communication",
    "Data Processing",
    "Data Storage",
    "Device Control",
    "Display",
    "Other",
    "Sensors",
    "Signal Input/Output",
    "Timing",
    "Uncategorized",
}


def test_the_arduino_library_has_the_form_of_the_specification(packages):
    """Arduino's library specification and the rules of arduino-lint (LP, LS) with 'strict'."""
    folder = packages["arduino"]
    rows = (folder / "library.properties").read_text().splitlines()
    properties = dict(line.split("=", 1) for line in rows)
    required = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category"}
    assert set(properties) == required | {"url", "architectures", "includes"}
    assert len(properties) == len(rows) and all(properties.values())
    assert re.fullmatch(r"\d+\.\d+\.\d+", properties["version"])
    assert properties["category"] in CATEGORIES
    assert re.fullmatch(r"[A-Za-z][\w.-]{0,15}", properties["name"])
    for words in ("arduino", "library"):
        assert words not in (properties["name"] + properties["maintainer"]).lower()
    assert not properties["sentence"].startswith(properties["name"])
    assert not properties["paragraph"].startswith(properties["sentence"])
    assert re.fullmatch(r"https://[\w.-]+/[\w./-]*", properties["url"])
    assert (folder / "src" / properties["includes"]).exists()
    assert {path.suffix for path in (folder / "src").iterdir()} == {".c", ".h", ".S"}
    for sketch in (folder / "examples").iterdir():
        assert [path.stem for path in sketch.glob("*.ino")] == [sketch.name]
    header = (folder / "src/hanji.h").read_text()
    kinds: dict[str, list[str]] = {"KEYWORD1": [], "KEYWORD2": [], "LITERAL1": []}
    for line in (folder / "keywords.txt").read_text().splitlines():
        keyword, kind = line.split("\t")  # one true tab, and no blanks at the end
        kinds[kind].append(keyword)
        assert re.search(rf"\b{keyword}\b", header), keyword
    assert "hanji_ascon_aead128_encrypt" in kinds["KEYWORD2"]
    assert "hanji_esch_ctx" in kinds["KEYWORD1"] and "HANJI_OK" in kinds["LITERAL1"]
    called = set(re.findall(r"\b(hanji_\w+)\(", (ROOT / "examples/packages/main.c").read_text()))
    assert called <= set(kinds["KEYWORD2"])
    declared = set(re.findall(r"\b(hanji_\w+)\(", re.sub(r"/\*.*?\*/", "", header, flags=re.S)))
    declared -= set(re.findall(r"\(\*(\w+)\)|(\w+_fn)\(", header))
    assert declared - set(kinds["KEYWORD2"]) <= set(kinds["KEYWORD1"])


def test_the_library_of_platformio_has_the_form_of_its_manifest(packages):
    """What the validator of PlatformIO demands of library.json."""
    folder = packages["arduino"]
    library = json.loads((folder / "library.json").read_text())
    assert {"name", "version", "description", "keywords", "authors", "license"} <= set(library)
    assert 1 <= len(library["description"]) <= 255 and "homepage" not in library
    for keyword in library["keywords"]:
        assert re.fullmatch(r"[a-z\d\- ]{1,50}", keyword)
    for example in library["examples"]:
        assert set(example) == {"name", "base", "files"}
        files = {path.name for path in (folder / example["base"]).iterdir()}
        assert files == set(example["files"])


def test_a_page_stands_in_every_description(tmp_path, monkeypatch):
    def header_only(folder, isas):  # the amalgam says nothing of the page, and takes a second
        folder.mkdir(parents=True)
        (folder / "hanji.h").write_text("#define HANJI_OK 0\n")
        (folder / "hanji.c").write_text("")
        return ["hanji.c"]

    monkeypatch.setattr(firmware_packages, "_sources", header_only)
    out = {path.name: path for path in firmware_packages.make(tmp_path, "https://example.org/h")}
    for file in (
        "arduino/library.properties",
        "arduino/library.json",
        "esp-idf/hanji/idf_component.yml",
        "cmsis-pack/hanji.hanji.pdsc",
    ):
        assert "https://example.org/h" in (tmp_path / file).read_text(), file
    for path in out["arduino"].rglob("*"):
        assert not path.is_file() or firmware_packages.NOWHERE not in path.read_text()


# Stand-ins for Zephyr's functions, which print what they are given.
ZEPHYR = """
set(CONFIG_HANJI y)
function(zephyr_library)
endfunction()
function(zephyr_include_directories)
  message(STATUS "include ${ARGN}")
endfunction()
function(zephyr_library_sources)
  foreach(one IN LISTS ARGN)
    message(STATUS "source ${one}")
  endforeach()
endfunction()
function(zephyr_library_sources_ifdef toggle)
  if(${toggle})
    zephyr_library_sources(${ARGN})
  endif()
endfunction()
include(${FILE})
"""


def sources_of_zephyr(folder: Path, tmp_path: Path, architecture: str) -> set[str]:
    """The files that the module compiles for an architecture."""
    need("cmake")
    (tmp_path / "zephyr.cmake").write_text(ZEPHYR)
    module = folder / "zephyr/CMakeLists.txt"
    command = ["cmake", f"-DCONFIG_{architecture}=y", f"-DFILE={module}", "-P"]
    done = subprocess.run(
        [*command, tmp_path / "zephyr.cmake"], check=True, capture_output=True, text=True
    )
    found = set(re.findall(r"^-- source \.\./src/(\S+)$", done.stdout, re.MULTILINE))
    assert "-- include ../src" in done.stdout and "hanji.c" in found
    assert all((folder / "src" / name).exists() for name in found)
    return found


def sources_of_cmsis(folder: Path, core: str) -> set[str]:
    """The files that the component has for a core, by the conditions of the pack."""
    pack = ElementTree.parse(folder / "hanji.hanji.pdsc").getroot()
    cores = {
        one.attrib["id"]: {accept.attrib.get("Dcore") for accept in one.iter("accept")}
        for one in pack.iter("condition")
    }
    return {
        file.attrib["name"].removeprefix("src/")
        for file in pack.iter("file")
        if file.attrib["category"].startswith("source")
        and ("condition" not in file.attrib or core in cores[file.attrib["condition"]])
    }


ARM = ["arm-none-eabi-", "-mthumb"]
RISCV = ["riscv64-unknown-elf-", "-mabi=ilp32"]
# core in a pack, architecture of Zephyr, tools, instruction set
LINKED = [
    ("Cortex-M0+", "ARM", [*ARM, "-mcpu=cortex-m0plus"], "armv6m"),
    ("Cortex-M23", "ARM", [*ARM, "-mcpu=cortex-m23"], "armv6m"),
    ("Cortex-M3", "ARM", [*ARM, "-mcpu=cortex-m3"], "armv7m"),
    ("Cortex-M7", "ARM", [*ARM, "-mcpu=cortex-m7"], "armv7m"),
    ("Cortex-M33", "ARM", [*ARM, "-mcpu=cortex-m33"], "armv7m"),
    ("Cortex-M55", "ARM", [*ARM, "-mcpu=cortex-m55"], "armv7m"),
    ("other", "RISCV", [*RISCV, "-march=rv32imac"], "rv32i"),
    ("other", "RISCV", ["riscv64-unknown-elf-", "-mabi=lp64", "-march=rv64imac"], ""),
    ("Cortex-R5", "ARM", ["arm-none-eabi-", "-mcpu=cortex-r5"], ""),
]


@pytest.mark.parametrize(("core", "architecture", "tools", "isa"), LINKED)
def test_every_core_has_the_kernels_that_its_code_calls(
    packages, tmp_path, core, architecture, tools, isa
):
    need("gcc-arm-none-eabi", "gcc-riscv64-unknown-elf")
    prefix, *flags = tools
    folder = packages["cmsis-pack"] / "src"
    command = [f"{prefix}gcc", *flags, "-O1", "-ffreestanding", "-c"]

    def names(source: Path, kinds: str) -> set[str]:
        # -O0, because only names matter
        subprocess.run([*command, source, "-o", tmp_path / "x.o"], check=True)
        rows = subprocess.run(
            [f"{prefix}nm", tmp_path / "x.o"], check=True, capture_output=True, text=True
        ).stdout
        return set(re.findall(rf" [{kinds}] (hanji_\w+)$", rows, re.MULTILINE))

    needed = names(folder / "hanji.c", "U")
    assert bool(needed) == bool(isa), needed
    assert all(f"_{isa}_" in name for name in needed)
    for files in (
        sources_of_cmsis(packages["cmsis-pack"], core),
        sources_of_zephyr(packages["zephyr"], tmp_path, architecture),
    ):
        provided = {
            name for file in files if file.endswith(".S") for name in names(folder / file, "T")
        }
        assert needed <= provided, files


def test_the_zephyr_module_has_the_form_of_its_schema(packages):
    folder = packages["zephyr"]
    module = yaml.safe_load((folder / "zephyr/module.yml").read_text())
    assert set(module) == {"name", "build", "samples"}
    assert set(module["build"]) == {"cmake", "kconfig"}
    assert (folder / module["build"]["cmake"] / "CMakeLists.txt").exists()
    kconfig = (folder / module["build"]["kconfig"]).read_text()
    assert re.fullmatch(r'config HANJI\n\tbool ".*"\n\thelp\n\t  .*\n', kconfig)
    (samples,) = module["samples"]
    (sample,) = (folder / samples).rglob("sample.yaml")
    described = yaml.safe_load(sample.read_text())
    assert set(described["sample"]) == {"name", "description"}
    (test,) = described["tests"].values()
    # Zephyr's testsuite schema: what Twister knows, of what stands here
    known = {"tags", "platform_allow", "integration_platforms", "harness", "harness_config"}
    assert set(test) == known and test["harness"] == "console"
    assert set(test["integration_platforms"]) <= set(test["platform_allow"])
    assert test["harness_config"] == {"type": "one_line", "regex": [firmware_packages.FRAME]}
    files = {str(file.relative_to(sample.parent)) for file in sample.parent.rglob("*")}
    assert {"CMakeLists.txt", "prj.conf", "boards/nrf52840dk_nrf52840.conf"} <= files
    named = re.findall(r"src/\w+\.c", (sample.parent / "CMakeLists.txt").read_text())
    assert set(named) == {name for name in files if name.endswith(".c")}
    options = (sample.parent / "prj.conf").read_text().split()
    assert set(options) == {"CONFIG_HANJI=y", "CONFIG_FLASH=y", "CONFIG_FLASH_MAP=y"}


def test_the_component_of_esp_idf_has_the_form_of_its_manifest(packages):
    folder = packages["esp-idf"] / "hanji"
    component = yaml.safe_load((folder / "idf_component.yml").read_text())
    # ESP-IDF component manager: what stands here of what a manifest may have at the top
    assert set(component) == {"version", "description", "license", "tags", "dependencies"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", component["version"])
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{3,32}", tag) for tag in component["tags"])
    listed = re.search(r"SRCS (.*?) INCLUDE_DIRS", (folder / "CMakeLists.txt").read_text())
    assert listed and set(listed[1].split()) == {
        path.name for path in folder.iterdir() if path.suffix in (".c", ".S")
    }
    rows = (folder / "examples/seal/partitions.csv").read_text().splitlines()
    for row in rows:
        if not row.startswith("#"):  # name, type, subtype, offset, size
            assert re.fullmatch(r"\w{1,16}, \w+, \w+, , (0x[0-9a-f]+|\d+[KM])", row), row


def test_the_pack_has_the_form_of_its_schema(packages):
    """PACK.xsd of Open-CMSIS-Pack: order, restricted strings, and files that are there."""
    folder = packages["cmsis-pack"]
    pack = ElementTree.parse(folder / "hanji.hanji.pdsc").getroot()
    assert pack.tag == "package" and re.fullmatch(r"1\.7\.\d+", pack.attrib["schemaVersion"])
    order = "vendor name description license url releases keywords conditions components examples"
    assert " ".join(child.tag for child in pack) == order
    conditions = {one.attrib["id"] for one in pack.iter("condition")}
    assert conditions == {"Armv6-M", "Armv7-M", "RV32", "GNU"}
    (component,) = pack.iterfind("components/component")
    assert component.attrib["condition"] in conditions
    for attribute in ("Cclass", "Cgroup"):  # restricted strings of PACK.xsd
        assert re.fullmatch(r"[\w .,+&()/-]{3,31}", component.attrib[attribute])
    assert re.fullmatch(r"\d+\.\d+\.\d+", component.attrib["Cversion"])
    for file in pack.iter("file"):
        assert file.attrib["category"] in {"sourceC", "sourceAsm", "header", "doc"}
        assert (folder / file.attrib["name"]).exists()
        assert file.attrib.get("condition", "GNU") in conditions
    (example,) = pack.iter("example")
    place = folder / example.attrib["folder"]
    assert (place / example.attrib["doc"]).exists()
    (environment,) = example.iter("environment")
    solution = yaml.safe_load((place / environment.attrib["load"]).read_text())["solution"]
    (target,) = solution["target-types"]
    assert target["define"] == ["NRF51"] and "nRF51822" in target["device"]
    (project,) = solution["projects"]
    project = yaml.safe_load((place / project["project"]).read_text())["project"]
    files = {file["file"] for group in project["groups"] for file in group["files"]}
    assert files == {f"./{path.name}" for path in place.glob("*.c")}
    assert {"component": "hanji::Security:hanji"} in project["components"]


@pytest.mark.parametrize("name", list(firmware_packages.PACKAGES))
def test_no_example_counts_in_memory(packages, name):
    """The seal of every example is Ascon-AEAD128 with the counter of epoch.c."""
    folder = packages[name]
    (application,) = folder.rglob("readings.c")
    for file, origin in firmware_packages.APPLICATION.items():
        assert (application.parent / file).read_bytes() == origin.read_bytes()
    for path in application.parent.rglob("*"):
        if path.suffix in (".c", ".ino", ".h"):
            assert "schwaemm" not in path.read_text().lower(), path.name
    calls = [p for p in application.parent.rglob("*") if p.suffix in (".c", ".ino")]
    sealing = [path.name for path in calls if "aead128_encrypt" in path.read_text()]
    assert sealing == ["readings.c"]


def test_each_has_a_readme_that_says_what_was_tried(packages):
    for folder in packages.values():
        text = " ".join((folder / "README.md").read_text().split())
        assert "not tried on a board" in text
        assert "cuts the power at every write" in text
        assert (folder / "open_frames.py").exists()
        assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
