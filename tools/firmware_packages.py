# SPDX-License-Identifier: Apache-2.0
"""Packages of the amalgam for the build systems of firmware, in dist/firmware: a Zephyr module, an
ESP-IDF component, an Arduino library that PlatformIO takes too, and a CMSIS-Pack.

Usage: python tools/firmware_packages.py [--out dist/firmware] [--url https://example.org/hanji]
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

import amalgam
import folders

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples/packages"
ALGORITHMS = "ascon-aead128, ascon-hash256, schwaemm256-128, esch256, xoesch256"
ABOUT = "Lightweight cryptography: Ascon-AEAD128, Ascon-Hash256, SCHWAEMM256-128 and ESCH256"
KEYWORDS = ["cryptography", "aead", "ascon", "sparkle", "lightweight"]
# Whose kernels a package has; each compiles to nothing on other processors.
ISAS = {
    "arduino": ("armv6m", "armv7m", "avr", "rv32i"),
    "zephyr": ("armv6m", "armv7m", "rv32i"),
    "esp-idf": ("rv32i",),
    "cmsis-pack": ("armv6m", "armv7m", "rv32i"),
}
# The application of all examples: sealed readings, and the counter that survives a reset.
APPLICATION = {
    name: ROOT / place / name
    for place, names in {
        "examples/hifive1-telemetry": ("epoch.c", "epoch.h"),
        "examples/packages": ("readings.c", "readings.h"),
    }.items()
    for name in names
}
# A library of Arduino must have a URL, and hanji has no page of its own: a name that leads nowhere.
NOWHERE = "https://hanji.invalid/"
# For Twister, which may start with a flash that an earlier run has written.
FRAME = "frame 0203[0-9a-f]{64}"
SAMPLE = f"""\
sample:
  name: Sealed readings
  description: Ascon-AEAD128 of hanji with a counter in flash that survives a reset
tests:
  sample.hanji.seal:
    tags: crypto
    platform_allow:
      - nrf52840dk/nrf52840
      - native_sim
    integration_platforms:
      - native_sim
    harness: console
    harness_config:
      type: one_line
      regex:
        - "{FRAME}"
"""
PARTITIONS = """\
# Name, Type, SubType, Offset, Size
nvs, data, nvs, , 0x6000
phy_init, data, phy, , 0x1000
factory, app, factory, , 1M
# Two sectors, one for each slot of storage.c
epochs, 0x40, 0x00, , 0x2000
"""
README = """\
# hanji {version} for {what}

{about}.

Written by `make firmware-packages` of hanji. The files `hanji.h` and `hanji.c` are its amalgam; put
the files of another amalgam in their place for other algorithms.

{how}

## The example

It seals readings with Ascon-AEAD128 and prints frames, which `open_frames.py` opens on a computer
with the Python package hanji. **A nonce that comes twice under a key reveals the texts and lets
others forge messages.** So the example keeps a counter of epochs in non-volatile memory
(`epoch.c`): it grows before its first use, at every start and after 65,536 messages, and every
epoch has its own key. A loss of power at any moment leaves a counter from which the device goes on,
and no nonce is used again. When the counter ends, or when the memory does not hold what was
written, nothing is sent any more.

`storage.c` writes to the memory of one board: {board}. On another board the compiler ends with an
error that says which two functions to write. Enable the brown-out detector: a processor below its
lowest voltage may write anything anywhere.

Before you use it in a product, give every device a master key of its own in `readings.c`, and erase
the memory of the counter then: a device that finds neither a counter nor erased memory stops with
the error -101. Never erase it later without a new master key.

## What was tried

{tried}
"""
MODEL = (
    "A test runs `readings.c`, `epoch.c` and `storage.c` of this package on a model of the memory, "
    "and cuts the\npower at every write and every erasure, with words that are torn."
)


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _readme(what: str, how: str, board: str, tried: str) -> str:
    return README.format(
        version=amalgam.version(),
        what=what,
        about=ABOUT,
        how=how,
        board=board,
        tried=f"{MODEL} {tried}",
    )


def _example(folder: Path, storage: str, *more: str) -> None:
    """The application with the storage of a board, and other files of the examples."""
    folder.mkdir(parents=True)
    for path in (*APPLICATION.values(), EXAMPLES / storage, *(EXAMPLES / name for name in more)):
        shutil.copyfile(path, folder / path.name)


def _sources(folder: Path, isas: tuple[str, ...]) -> list[str]:
    """The amalgam in a folder; the names of what is compiled."""
    made = amalgam.write(amalgam.chosen(ALGORITHMS), " ".join(isas), set(), folder)
    for path in made:
        if path.suffix == ".c":  # whatever headers the C library of the firmware has
            text = path.read_text(encoding="utf-8")
            define = "#ifndef HANJI_FREESTANDING\n#define HANJI_FREESTANDING\n#endif\n"
            path.write_text(define + text, encoding="utf-8")
    return [path.name for path in made if path.suffix != ".h"]


def _isa(name: str) -> str:
    """The instruction set of an assembly file: ascon_armv7m_x1.S is for armv7m."""
    return next(isa for isa in ISAS["arduino"] if isa in name.removesuffix(".S").split("_"))


def _keywords(header: str) -> str:
    """keywords.txt: what the Arduino IDE highlights, with a tab between name and kind."""
    functions = re.findall(r"^(?:HANJI_\w+ )*\w[\w ]*?[ *](hanji_\w+)\(", header, re.MULTILINE)
    functions += re.findall(r"^(hanji_\w+)\(", header, re.MULTILINE)
    types = re.findall(r"^\} (hanji_\w+);|^typedef .*?\b(hanji_\w+);", header, re.MULTILINE)
    constants = re.findall(r"^#define (HANJI_\w+) ", header, re.MULTILINE)
    rows = [(name, "KEYWORD1") for pair in types for name in pair if name]
    rows += [(name, "KEYWORD2") for name in functions]
    rows += [(name, "LITERAL1") for name in constants if name not in ("HANJI_API", "HANJI_H")]
    return "".join(f"{name}\t{kind}\n" for name, kind in sorted(set(rows)))


def arduino(folder: Path, url: str | None) -> None:
    """An Arduino library, with the file that PlatformIO wants."""
    _sources(folder / "src", ISAS["arduino"])
    version = amalgam.version()
    properties = {
        "name": "hanji",
        "version": version,
        "author": "the authors of hanji",
        "maintainer": "the authors of hanji",
        "sentence": f"{ABOUT}.",
        "paragraph": "Constant time, no heap; assembly for AVR, Cortex-M and RV32, portable C "
        "elsewhere.",
        "category": "Data Processing",
        "url": url or NOWHERE,
        "architectures": "*",
        "includes": "hanji.h",
    }
    library = {
        "name": "hanji",
        "version": version,
        "description": f"{ABOUT}.",
        "keywords": KEYWORDS,
        "authors": {"name": "the authors of hanji"},
        "license": "Apache-2.0",
        "frameworks": "*",
        "platforms": "*",
        "headers": "hanji.h",
        "examples": [
            {
                "name": "SealReading",
                "base": "examples/SealReading",
                "files": ["SealReading.ino", "storage.c", *APPLICATION],
            }
        ],
    } | ({"homepage": url} if url else {})
    _example(folder / "examples/SealReading", "arduino/storage.c", "arduino/SealReading.ino")
    _write(
        folder,
        {
            "library.properties": "".join(f"{k}={v}\n" for k, v in properties.items()),
            "library.json": json.dumps(library, indent=2) + "\n",
            "keywords.txt": _keywords((folder / "src/hanji.h").read_text(encoding="utf-8")),
            "README.md": _readme(
                "Arduino and PlatformIO",
                "Arduino: copy this folder into `libraries` of your sketchbook. PlatformIO: into "
                "`lib` of your\nproject. The example is `examples/SealReading`."
                + (
                    ""
                    if url
                    else " The `url` of `library.properties` leads nowhere: a\nlibrary "
                    "must have one."
                ),
                "the EEPROM of an Arduino Uno (ATmega328P)",
                "Another compiles the example with\navr-gcc and runs it in simavr, over resets by "
                "the watchdog. It was not tried on a board.",
            ),
        },
    )


def zephyr(folder: Path, url: str | None) -> None:
    """A Zephyr module."""
    files = _sources(folder / "src", ISAS["zephyr"])
    listed = "\n    ".join(f"../src/{name}" for name in files if not name.endswith(".S"))
    # What an Arm or RISC-V toolchain assembles; each file is empty on another processor.
    conditions = {"armv6m": "CONFIG_ARM", "armv7m": "CONFIG_ARM", "rv32i": "CONFIG_RISCV"}
    kernels = "".join(
        f"  zephyr_library_sources_ifdef({conditions[_isa(name)]} ../src/{name})\n"
        for name in files
        if name.endswith(".S")
    )
    sample = folder / "samples/seal"
    _example(sample / "src", "zephyr/storage.c", "main.c")
    _write(
        folder,
        {
            "zephyr/module.yml": "name: hanji\nbuild:\n  cmake: zephyr\n"
            "  kconfig: zephyr/Kconfig\nsamples:\n  - samples\n",
            "zephyr/Kconfig": f'config HANJI\n\tbool "hanji"\n\thelp\n\t  {ABOUT}.\n',
            "zephyr/CMakeLists.txt": "if(CONFIG_HANJI)\n  zephyr_library()\n"
            "  zephyr_include_directories(../src)\n"
            f"  zephyr_library_sources(\n    {listed})\n{kernels}"
            "  if(CONFIG_NO_OPTIMIZATIONS) # -O0, at which hanji refuses to be compiled\n"
            "    zephyr_library_compile_options(-Os)\n  endif()\nendif()\n",
            "samples/seal/CMakeLists.txt": "cmake_minimum_required(VERSION 3.20.0)\n"
            "find_package(Zephyr REQUIRED HINTS $ENV{ZEPHYR_BASE})\nproject(seal)\n"
            "target_sources(app PRIVATE src/main.c src/readings.c src/epoch.c src/storage.c)\n",
            "samples/seal/prj.conf": "CONFIG_HANJI=y\nCONFIG_FLASH=y\nCONFIG_FLASH_MAP=y\n",
            "samples/seal/boards/nrf52840dk_nrf52840.conf": "CONFIG_MPU_ALLOW_FLASH_WRITE=y\n",
            "samples/seal/sample.yaml": SAMPLE,
            "README.md": _readme(
                "Zephyr",
                "Add the folder to `ZEPHYR_EXTRA_MODULES` and `CONFIG_HANJI=y` to `prj.conf`. The "
                "example is\n`samples/seal`: `west build -b nrf52840dk/nrf52840 samples/seal`.",
                "the flash of an nRF52840 DK, and the simulated flash of native_sim",
                "Zephyr was not at hand: the\npackage was not built with `west` and not tried on a "
                "board. Tests compile its files for Cortex-M0,\nCortex-M4 and RV32, the storage "
                "with a stand-in for the flash map of Zephyr.",
            ),
        },
    )


def esp_idf(package: Path, url: str | None) -> None:
    """A component of ESP-IDF, whose name is that of its folder."""
    folder = package / "hanji"
    files = _sources(folder, ISAS["esp-idf"])
    example = folder / "examples/seal"
    _example(example / "main", "esp-idf/storage.c", "main.c")
    _write(
        folder,
        {
            "idf_component.yml": f'version: "{amalgam.version()}"\ndescription: "{ABOUT}"\n'
            + (f'url: "{url}"\n' if url else "")
            + 'license: "Apache-2.0"\ntags:\n'
            + "".join(f"  - {word}\n" for word in KEYWORDS)
            + 'dependencies:\n  idf: ">=5.0"\n',
            "CMakeLists.txt": "# The assembly is for chips with RV32; on others it is empty.\n"
            f'idf_component_register(SRCS {" ".join(files)} INCLUDE_DIRS ".")\n'
            "if(CONFIG_COMPILER_OPTIMIZATION_NONE) # -O0, at which hanji refuses to be compiled\n"
            "  target_compile_options(${COMPONENT_LIB} PRIVATE -Os)\nendif()\n",
            "examples/seal/CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\n"
            "set(EXTRA_COMPONENT_DIRS ${CMAKE_CURRENT_LIST_DIR}/../..) # hanji\n"
            "include($ENV{IDF_PATH}/tools/cmake/project.cmake)\nproject(seal)\n",
            "examples/seal/main/CMakeLists.txt": "idf_component_register(\n"
            "  SRCS main.c readings.c epoch.c storage.c\n  REQUIRES hanji esp_partition)\n",
            "examples/seal/partitions.csv": PARTITIONS,
            "examples/seal/sdkconfig.defaults": "CONFIG_PARTITION_TABLE_CUSTOM=y\n"
            'CONFIG_PARTITION_TABLE_CUSTOM_FILENAME="partitions.csv"\n',
        },
    )
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    text = _readme(
        "ESP-IDF",
        "Copy the folder `hanji` into `components` of your project; its name is the name of the "
        "component.\nThe example builds where it lies: `cd hanji/examples/seal` and `idf.py "
        "build`.",
        "the flash of an ESP32-DevKitC, in a partition that `partitions.csv` makes",
        "ESP-IDF was not at hand: the\npackage was not built with `idf.py` and not tried on a "
        "board. A test runs the CMake files of the\ncomponent and of the example with a stand-in "
        "for ESP-IDF, and the example on the computer that built\nit.",
    )
    _write(package, {"README.md": text, "hanji/README.md": text})


# Cores of the schema of CMSIS-Pack by the instruction set of their kernels; Dfpu and the like do
# not matter.
CORES = {
    "armv6m": ("Cortex-M0", "Cortex-M0+", "Cortex-M1", "SC000", "Cortex-M23", "ARMV8MBL"),
    "armv7m": (
        *("Cortex-M3", "SC300", "Cortex-M4", "Cortex-M7", "Cortex-M33", "Cortex-M35P"),
        *("Cortex-M52", "Cortex-M55", "Cortex-M85", "ARMV8MML", "ARMV81MML", "Star-MC1"),
    ),
    "rv32i": ("other",),  # the schema has no RISC-V; the file is empty on other processors
}
CORE_NAMES = {"armv6m": "Armv6-M", "armv7m": "Armv7-M", "rv32i": "RV32"}


def _conditions() -> str:
    """The conditions of the kernels: the cores that have their instructions."""
    rows = []
    for isa, cores in CORES.items():
        rows.append(f'    <condition id="{CORE_NAMES[isa]}">\n')
        rows.append(f"      <description>Kernels for {CORE_NAMES[isa]}</description>\n")
        rows += [f'      <accept Dcore="{core}"/>\n' for core in cores]
        rows.append("    </condition>\n")
    rows.append('    <condition id="GNU">\n')
    rows.append(
        "      <description>gcc or clang, which promise that secrets are wiped</description>\n"
    )
    rows += [f'      <accept Tcompiler="{name}"/>\n' for name in ("GCC", "CLANG")]
    rows.append('      <accept Tcompiler="ARMCC" Toptions="AC6"/>\n')
    rows.append("    </condition>\n")
    return "".join(rows)


def cmsis(folder: Path, url: str | None) -> None:
    """The files and the description of a CMSIS-Pack."""
    files = _sources(folder / "src", ISAS["cmsis-pack"])
    rows = ['        <file category="header" name="src/hanji.h"/>\n']
    for name in files:
        if not name.endswith(".S"):
            rows.append(f'        <file category="sourceC" name="src/{name}"/>\n')
        else:
            rows.append(
                f'        <file category="sourceAsm" condition="{CORE_NAMES[_isa(name)]}" '
                f'name="src/{name}"/>\n'
            )
    version = amalgam.version()
    example = folder / "examples/seal"
    _example(example, "cmsis/storage.c", "main.c")
    _write(
        folder,
        {
            "hanji.hanji.pdsc": f"""\
<?xml version="1.0" encoding="UTF-8"?>
<package schemaVersion="1.7.36" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance"
         xs:noNamespaceSchemaLocation="PACK.xsd">
  <vendor>hanji</vendor>
  <name>hanji</name>
  <description>{ABOUT}</description>
  <license>LICENSE</license>
  <url>{url or ""}</url>
  <releases>
    <release version="{version}">The first version.</release>
  </releases>
  <keywords>
{"".join(f"    <keyword>{word}</keyword>{chr(10)}" for word in KEYWORDS).rstrip()}
  </keywords>
  <conditions>
{_conditions().rstrip()}
  </conditions>
  <components>
    <component Cclass="Security" Cgroup="hanji" Cversion="{version}" condition="GNU">
      <description>{ABOUT}</description>
      <files>
        <file category="doc" name="README.md"/>
{"".join(rows).rstrip()}
      </files>
    </component>
  </components>
  <examples>
    <example name="Sealed readings" folder="examples/seal" doc="README.md" version="{version}">
      <description>Ascon-AEAD128 with a counter in flash that survives a reset</description>
      <board name="micro:bit" vendor="BBC"/>
      <project>
        <environment name="csolution" load="seal.csolution.yml"/>
      </project>
      <attributes>
        <component Cclass="Security" Cgroup="hanji"/>
        <category>Getting Started</category>
      </attributes>
    </example>
  </examples>
</package>
""",
            "examples/seal/seal.csolution.yml": CSOLUTION,
            "examples/seal/seal.cproject.yml": CPROJECT,
            "examples/seal/README.md": "# Sealed readings\n\nThree readings, sealed with "
            "Ascon-AEAD128 on a BBC micro:bit (nRF51822). The README of the pack says\nwhy the "
            "counter is in flash, and what was tried. `printf` needs a place to print to, such as "
            "the\nretargeting of your C library to the UART.\n",
            "README.md": _readme(
                "CMSIS-Pack",
                "Make the pack of this folder with `packchk` and `zip`; choose Security, hanji.",
                "the flash of a BBC micro:bit (nRF51822)",
                "Another runs the machine code of the\nexample under qemu, which simulates this "
                "board and its flash, over resets. The device pack of the\nboard was not at hand: "
                "the example was not built with `cbuild` and not tried on a board.",
            ),
        },
    )


CSOLUTION = """\
solution:
  created-for: CMSIS-Toolbox@2.0.0
  compiler: GCC
  packs:
    - pack: ARM::CMSIS
    - pack: NordicSemiconductor::nRF_DeviceFamilyPack
    - pack: hanji::hanji
  target-types:
    - type: microbit
      device: NordicSemiconductor::nRF51822_xxAA
      define:
        - NRF51
  build-types:
    - type: Release
      optimize: size
  projects:
    - project: ./seal.cproject.yml
"""
CPROJECT = """\
project:
  groups:
    - group: Example
      files:
        - file: ./main.c
        - file: ./readings.c
        - file: ./epoch.c
        - file: ./storage.c
  components:
    - component: ARM::CMSIS:CORE
    - component: NordicSemiconductor::Device:Startup
    - component: hanji::Security:hanji
"""
PACKAGES = {"arduino": arduino, "zephyr": zephyr, "esp-idf": esp_idf, "cmsis-pack": cmsis}


def make(out: Path, url: str | None = None) -> list[Path]:
    """Write all packages, each into a folder of its own, which is made anew."""
    for name, write in PACKAGES.items():
        folders.anew(out / name, f"{'hanji' if name == 'esp-idf' else 'src'}/hanji.c")
        write(out / name, url)
        shutil.copyfile(ROOT / "LICENSE", out / name / "LICENSE")
        shutil.copyfile(EXAMPLES / "open_frames.py", out / name / "open_frames.py")
    return [out / name for name in PACKAGES]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "dist/firmware")
    parser.add_argument("--url", help="the page of the library, for the descriptions")
    try:
        given = parser.parse_args()
        for path in make(given.out, given.url or None):
            print(path)
    except (amalgam.AmalgamError, OSError) as error:
        print(f"firmware packages: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
