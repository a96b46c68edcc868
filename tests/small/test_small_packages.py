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

from hanji_lab.patience import timeout
from hanji_lab.spec import algorithm

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import firmware_packages  # noqa: E402

# What a sketch uses of the Arduino core, over the serial port of an ATmega328P.
ARDUINO = """
#pragma once
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stddef.h>
#include <stdint.h>
enum { HEX = 16 };
struct Port {
    void begin(long) { UCSR0B = 1 << TXEN0; }
    void print(char c) { while ((UCSR0A & 1 << UDRE0) == 0) {} UDR0 = (uint8_t)c; }
    void print(uint8_t n, int) { if (n > 15) digit(n >> 4); digit(n & 15); }
    void digit(uint8_t n) { print("0123456789ABCDEF"[n]); }
    void println() { print('\\n'); }
    void println(const char *text) { while (*text) print(*text++); println(); }
};
static Port Serial;
void setup();
void loop();
int main() { setup(); cli(); sleep_enable(); sleep_cpu(); }
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    need("gcc")
    out = tmp_path_factory.mktemp("packages")
    return {path.name: path for path in firmware_packages.make(out)}


def wanted():
    nonce = bytes([1]) + bytes(31)
    key = bytes([1, 2, 3]) + bytes(13)
    return algorithm("schwaemm256_128").seal(nonce, b"", (2150).to_bytes(2, "little"), key).hex()


def test_an_arduino_sketch_seals_what_the_specification_does(packages, tmp_path):
    need("gcc-avr", "avr-libc", "simavr")
    folder = packages["arduino"]
    (tmp_path / "Arduino.h").write_text(ARDUINO)
    sketch = (folder / "examples/SealReading/SealReading.ino").read_text()
    (tmp_path / "sketch.cpp").write_text('#include "Arduino.h"\n' + sketch)
    flags = ["-mmcu=atmega328p", "-Os", "-DF_CPU=16000000UL", "-ffunction-sections"]
    flags += ["-fdata-sections", f"-I{tmp_path}", f"-I{folder / 'src'}"]
    objects = []
    for source in [tmp_path / "sketch.cpp", *(folder / "src").glob("*.[cS]")]:
        objects.append(tmp_path / f"{source.name}.o")
        plus = source.suffix == ".cpp"
        compiler = ["avr-g++", "-std=gnu++11"] if plus else ["avr-gcc", "-std=gnu11"]
        subprocess.run([*compiler, *flags, "-c", source, "-o", objects[-1]], check=True)
    program = tmp_path / "sketch.elf"
    link = ["avr-g++", *flags, "-Wl,--gc-sections", *objects, "-o", program]
    subprocess.run(link, check=True)
    command = ["simavr", "-m", "atmega328p", "-f", "16000000", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout(60))
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    assert wanted().upper() in said, said


def test_the_examples_compile_for_a_cortex(packages, tmp_path):
    need("gcc-arm-none-eabi")
    compiler = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Os", "-std=gnu11", "-Wall"]
    for name in ("zephyr", "cmsis-pack", "esp-idf"):
        folder = packages[name]
        sources = [*folder.rglob("*.[cS]")]
        assert any(source.name == "main.c" for source in sources), name
        for source in sources:
            include = next(folder.rglob("hanji.h")).parent
            # newlib is not there: what the example needs of it
            (tmp_path / "stdio.h").write_text("int printf(const char *form, ...);\n")
            flags = ["-ffreestanding", "-Werror", f"-I{include}", f"-I{tmp_path}", "-c"]
            subprocess.run([*compiler, *flags, source, "-o", tmp_path / "x.o"], check=True)


def test_the_sample_of_zephyr_prints_the_line_that_twister_waits_for(packages, tmp_path):
    need("gcc")
    folder, program = packages["zephyr"], tmp_path / "seal"
    sources = [*(folder / "src").glob("*.c"), folder / "samples/seal/main.c"]
    command = ["gcc", "-O1", "-Wall", "-Werror", "-DHANJI_PORTABLE", f"-I{folder / 'src'}"]
    subprocess.run([*command, *sources, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=timeout(60))
    assert done.stdout.splitlines() == [firmware_packages.SEALED] == [wanted()]


# What project.cmake of ESP-IDF does with a component and with EXTRA_COMPONENT_DIRS, by its guide:
# a component has the name of its folder, and REQUIRES names components.
PROJECT_CMAKE = """
function(idf_component_register)
  cmake_parse_arguments(given "" "" "SRCS;INCLUDE_DIRS;REQUIRES" ${ARGN})
  get_filename_component(name ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  add_library(${name} STATIC ${given_SRCS})
  target_include_directories(${name} PUBLIC ${given_INCLUDE_DIRS})
  foreach(one IN LISTS given_REQUIRES)
    if(NOT TARGET ${one})
      message(FATAL_ERROR "no component ${one}")
    endif()
    target_link_libraries(${name} PUBLIC ${one})
  endforeach()
endfunction()
macro(project name)
  _project(${name} C)
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
    idf.write_text(PROJECT_CMAKE)
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
    done = subprocess.run([build / "seal"], capture_output=True, text=True, timeout=timeout(60))
    assert done.stdout.splitlines() == [wanted()]


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


def test_descriptions_have_their_form(packages):
    properties = dict(
        line.split("=", 1)
        for line in (packages["arduino"] / "library.properties").read_text().splitlines()
    )
    required = {"name", "version", "author", "maintainer", "sentence", "category", "architectures"}
    assert required <= set(properties)
    assert re.fullmatch(r"\d+\.\d+\.\d+", properties["version"])
    assert properties["category"] in CATEGORIES
    assert re.fullmatch(r"[A-Za-z0-9][\w. -]{0,62}", properties["name"])
    assert not properties["sentence"].startswith("hanji")
    library = json.loads((packages["arduino"] / "library.json").read_text())
    assert {"name", "version", "description", "keywords"} <= set(library)
    assert len(library["description"]) <= 255
    module = yaml.safe_load((packages["zephyr"] / "zephyr/module.yml").read_text())
    assert set(module) <= {"name", "build", "tests", "samples"}
    for key in ("cmake", "kconfig"):
        assert (packages["zephyr"] / module["build"][key]).exists()
    (samples,) = module["samples"]
    (sample,) = (packages["zephyr"] / samples).rglob("sample.yaml")
    described = yaml.safe_load(sample.read_text())
    assert set(described["sample"]) == {"name", "description"}
    (test,) = described["tests"].values()
    # Zephyr's testsuite schema: what Twister knows, of what stands here
    assert set(test) == {"tags", "integration_platforms", "harness", "harness_config"}
    assert test["harness"] == "console"
    assert test["harness_config"] == {"type": "one_line", "regex": [wanted()]}
    assert {"CMakeLists.txt", "prj.conf", "main.c"} <= {
        file.name for file in sample.parent.iterdir()
    }
    listed = re.findall(
        r"\.\./src/\S+?(?=[\s)])", (packages["zephyr"] / "zephyr/CMakeLists.txt").read_text()
    )
    assert listed and all((packages["zephyr"] / "zephyr" / name).exists() for name in listed)
    component = yaml.safe_load((packages["esp-idf"] / "hanji/idf_component.yml").read_text())
    assert component["version"] == properties["version"]
    # ESP-IDF component manager: what a manifest may have at the top
    assert set(component) <= {
        "version",
        "description",
        "url",
        "repository",
        "documentation",
        "issues",
        "discussion",
        "license",
        "maintainers",
        "targets",
        "tags",
        "files",
        "examples",
        "dependencies",
    }
    pack = ElementTree.parse(packages["cmsis-pack"] / "hanji.hanji.pdsc").getroot()
    assert pack.tag == "package"
    children = [child.tag for child in pack]
    assert children[:6] == ["vendor", "name", "description", "license", "url", "releases"]
    for component in pack.iter("component"):
        assert component.find("description") is not None and component.find("files") is not None
        for attribute in ("Cclass", "Cgroup"):  # restricted strings of PACK.xsd
            assert re.fullmatch(r"[\w .,+&()/-]{3,31}", component.attrib[attribute])
        assert re.fullmatch(r"\d+\.\d+\.\d+", component.attrib["Cversion"])
    for file in pack.iter("file"):
        assert file.attrib["category"] in {"source", "include", "header", "doc", "library"}
        assert (packages["cmsis-pack"] / file.attrib["name"]).exists()


def test_each_has_a_readme_that_says_what_was_tried(packages):
    for folder in packages.values():
        text = (folder / "README.md").read_text()
        assert "was not built" in text or "not tried" in text.replace("\n", " ")
        assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
