# SPDX-License-Identifier: Apache-2.0
"""Packages of the amalgam for the build systems of firmware, in dist/firmware: a Zephyr module, an
ESP-IDF component, an Arduino library that PlatformIO takes too, and a CMSIS-Pack.

Usage: python tools/firmware_packages.py [--out dist/firmware]
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

import amalgam
import folders

ROOT = Path(__file__).resolve().parent.parent
ALGORITHMS = "schwaemm256-128, esch256, ascon-aead128"
ABOUT = "Lightweight cryptography: SCHWAEMM256-128, ESCH256 and Ascon-AEAD128"
# The processors that the kernels of a package are for; elsewhere they compile to nothing.
GUARDS = {
    "avr": "defined(__AVR__)",
    "armv7m": "defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || "
    "defined(__ARM_ARCH_8M_MAIN__)",
}
SEAL = """\
static const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES] = {1, 2, 3}; /* of each device another */
static uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES];               /* never twice */
static uint8_t sealed[2 + HANJI_SCHWAEMM256_128_TAG_BYTES];

static int seal(uint16_t reading)
{
    const uint8_t text[2] = {(uint8_t)reading, (uint8_t)(reading >> 8)};
    for (size_t i = 0; i < sizeof nonce && ++nonce[i] == 0; i++) {
    }
    return hanji_schwaemm256_128_encrypt(sealed, text, sizeof text, NULL, 0, nonce, key);
}
"""
MAIN = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Seals a reading of 16 bits. */
#include <stdint.h>
#include <stdio.h>

#include "hanji.h"

{seal}
int {name}(void)
{{
    if (seal(2150) != HANJI_OK)
        return 1;
    for (size_t i = 0; i < sizeof sealed; i++)
        printf("%02x", sealed[i]);
    printf("\\n");
    return 0;
}}
"""
SKETCH = """\
// SPDX-License-Identifier: Apache-2.0
// Seals a reading of 16 bits and prints it.
#include <hanji.h>

{seal}
void setup()
{{
    Serial.begin(9600);
    if (seal(2150) != HANJI_OK) {{
        Serial.println("refused");
        return;
    }}
    for (size_t i = 0; i < sizeof sealed; i++) {{
        if (sealed[i] < 16)
            Serial.print('0');
        Serial.print(sealed[i], HEX);
    }}
    Serial.println();
}}

void loop()
{{
}}
"""
# For Twister: the sealed reading of the example is the line that it prints.
SEALED = "6a3c0f086ff1b3051dcee5bd75e087414f95"
SAMPLE = f"""\
sample:
  name: Seal a reading
  description: SCHWAEMM256-128 of hanji seals a reading of 16 bits
tests:
  sample.hanji.seal:
    tags: crypto
    integration_platforms:
      - qemu_cortex_m3
    harness: console
    harness_config:
      type: one_line
      regex:
        - "{SEALED}"
"""
README = """\
# hanji {version} for {what}

{about}.

Written by `make firmware-packages` of hanji; the files `hanji.h` and `hanji.c` are its amalgam,
which has other algorithms when you ask for them.

{how}

Keep the nonce across resets: a nonce that is used twice under a key reveals the texts. Count it up
in non-volatile memory before the message is sent, not after.

{tried}
"""
NOT_BUILT = "This package was not built with {what} here: its files are checked for their form."


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _readme(what: str, how: str, tried: str = "") -> str:
    return README.format(
        version=amalgam.version(),
        what=what,
        about=ABOUT,
        how=how,
        tried=tried or NOT_BUILT.format(what=what),
    )


def _sources(folder: Path, isa: str) -> list[str]:
    """The amalgam in a folder; the names of what is compiled."""
    made = amalgam.write(amalgam.chosen(ALGORITHMS), isa, set(), folder)
    for path in made:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".S":
            path.write_text(f"#if {GUARDS[isa]}\n{text}#endif\n", encoding="utf-8")
        elif path.suffix == ".c":  # whatever headers the C library of the firmware has
            define = "#ifndef HANJI_FREESTANDING\n#define HANJI_FREESTANDING\n#endif\n"
            path.write_text(define + text, encoding="utf-8")
    return [path.name for path in made if path.suffix != ".h"]


def arduino(folder: Path) -> None:
    """An Arduino library, with the file that PlatformIO wants."""
    _sources(folder / "src", "avr")
    version = amalgam.version()
    properties = {
        "name": "hanji",
        "version": version,
        "author": "the authors of hanji",
        "maintainer": "the authors of hanji",
        "sentence": f"{ABOUT}.",
        "paragraph": "Constant time, no heap; assembly for AVR, portable C elsewhere.",
        "category": "Data Processing",
        "url": "https://hanji.invalid/",  # required; hanji has no page of its own
        "architectures": "*",
        "includes": "hanji.h",
    }
    library = {
        "name": "hanji",
        "version": version,
        "description": f"{ABOUT}.",
        "keywords": ["cryptography", "aead", "ascon", "sparkle"],
        "license": "Apache-2.0",
        "frameworks": "*",
        "platforms": "*",
        "headers": "hanji.h",
    }
    _write(
        folder,
        {
            "library.properties": "".join(f"{k}={v}\n" for k, v in properties.items()),
            "library.json": json.dumps(library, indent=2) + "\n",
            "examples/SealReading/SealReading.ino": SKETCH.format(seal=SEAL),
            "README.md": _readme(
                "Arduino and PlatformIO",
                "Arduino: copy this folder into `libraries` of your sketchbook. PlatformIO: into "
                "`lib` of your\nproject. The example is `examples/SealReading`. The `url` of "
                "`library.properties` leads nowhere: a\nlibrary must have one.",
                "The example is compiled with avr-gcc and run in simavr by a test; it was not "
                "tried on a board.",
            ),
        },
    )


def zephyr(folder: Path) -> None:
    """A Zephyr module."""
    files = _sources(folder / "src", "armv7m")
    listed = "\n    ".join(f"../src/{name}" for name in files)
    _write(
        folder,
        {
            "zephyr/module.yml": "name: hanji\nbuild:\n  cmake: zephyr\n"
            "  kconfig: zephyr/Kconfig\nsamples:\n  - samples\n",
            "zephyr/Kconfig": f'config HANJI\n\tbool "hanji"\n\thelp\n\t  {ABOUT}.\n',
            "zephyr/CMakeLists.txt": "if(CONFIG_HANJI)\n  zephyr_library()\n"
            "  zephyr_include_directories(../src)\n"
            f"  zephyr_library_sources(\n    {listed})\n"
            "  if(CONFIG_NO_OPTIMIZATIONS) # -O0, at which hanji refuses to be compiled\n"
            "    zephyr_library_compile_options(-Os)\n  endif()\nendif()\n",
            "samples/seal/CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\n"
            "find_package(Zephyr REQUIRED HINTS $ENV{ZEPHYR_BASE})\nproject(seal)\n"
            "target_sources(app PRIVATE main.c)\n",
            "samples/seal/prj.conf": "CONFIG_HANJI=y\n",
            "samples/seal/sample.yaml": SAMPLE,
            "samples/seal/main.c": MAIN.format(seal=SEAL, name="main"),
            "README.md": _readme(
                "Zephyr",
                "Add the folder to `ZEPHYR_EXTRA_MODULES` and `CONFIG_HANJI=y` to `prj.conf`. The "
                "example is\n`samples/seal`.",
            ),
        },
    )


def esp_idf(package: Path) -> None:
    """A component of ESP-IDF, whose name is that of its folder."""
    folder = package / "hanji"
    files = _sources(folder, "portable")
    example = "idf_component_register(SRCS main.c REQUIRES hanji)\n"
    _write(
        folder,
        {
            "idf_component.yml": f'version: "{amalgam.version()}"\ndescription: "{ABOUT}"\n'
            'license: "Apache-2.0"\ndependencies:\n  idf: ">=5.0"\n',
            "CMakeLists.txt": f'idf_component_register(SRCS {" ".join(files)} INCLUDE_DIRS ".")\n'
            "if(CONFIG_COMPILER_OPTIMIZATION_NONE) # -O0, at which hanji refuses to be compiled\n"
            "  target_compile_options(${COMPONENT_LIB} PRIVATE -Os)\nendif()\n",
            "examples/seal/CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\n"
            "set(EXTRA_COMPONENT_DIRS ${CMAKE_CURRENT_LIST_DIR}/../..) # hanji\n"
            "include($ENV{IDF_PATH}/tools/cmake/project.cmake)\nproject(seal)\n",
            "examples/seal/main/CMakeLists.txt": example,
            "examples/seal/main/main.c": MAIN.format(seal=SEAL, name="seal_one")
            + "\nvoid app_main(void);\nvoid app_main(void)\n{\n    (void)seal_one();\n}\n",
        },
    )
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    _write(
        package,
        {
            "README.md": _readme(
                "ESP-IDF",
                "Copy the folder `hanji` into `components` of your project; its name is the name "
                "of the component.\nThe example builds where it lies: `cd hanji/examples/seal` and "
                "`idf.py build`.",
                "ESP-IDF was not at hand: the package was not built with `idf.py` and not tried on "
                "a board. A test\nruns the CMake files of the component and of the example with a "
                "stand-in for ESP-IDF, and the\nexample on the computer that built it; another "
                "compiles the files for a Cortex-M4.",
            )
        },
    )


def cmsis(folder: Path) -> None:
    """The files and the description of a CMSIS-Pack."""
    files = _sources(folder / "src", "armv7m")
    listed = "\n".join(f'        <file category="source" name="src/{name}"/>' for name in files)
    version = amalgam.version()
    _write(
        folder,
        {
            "hanji.hanji.pdsc": f"""\
<?xml version="1.0" encoding="UTF-8"?>
<package schemaVersion="1.7.7" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance"
         xs:noNamespaceSchemaLocation="PACK.xsd">
  <vendor>hanji</vendor>
  <name>hanji</name>
  <description>{ABOUT}</description>
  <license>LICENSE</license>
  <url></url>
  <releases>
    <release version="{version}">The first version.</release>
  </releases>
  <components>
    <component Cclass="Security" Cgroup="hanji" Cversion="{version}">
      <description>{ABOUT}</description>
      <files>
        <file category="include" name="src/"/>
{listed}
      </files>
    </component>
  </components>
</package>
""",
            "examples/seal/main.c": MAIN.format(seal=SEAL, name="main"),
            "README.md": _readme(
                "CMSIS-Pack",
                "Make the pack of this folder with `packchk` and `zip`, and choose Security, "
                "hanji.",
            ),
        },
    )


PACKAGES = {"arduino": arduino, "zephyr": zephyr, "esp-idf": esp_idf, "cmsis-pack": cmsis}


def make(out: Path) -> list[Path]:
    """Write all packages, each into a folder of its own, which is made anew."""
    for name, write in PACKAGES.items():
        folders.anew(out / name, f"{'hanji' if name == 'esp-idf' else 'src'}/hanji.c")
        write(out / name)
        shutil.copyfile(ROOT / "LICENSE", out / name / "LICENSE")
    return [out / name for name in PACKAGES]


def main() -> int:
    parser = argparse.ArgumentParser(description="Packages for the build systems of firmware.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist/firmware")
    try:
        for path in make(parser.parse_args().out):
            print(path)
    except (amalgam.AmalgamError, OSError) as error:
        print(f"firmware packages: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
