# SPDX-License-Identifier: Apache-2.0
"""The tiny profile of the amalgam: hanji.h and hanji.c of the sources in `tiny`, for one block
cipher, algorithms of Ascon and SPARKLE, or aimer3-128f, each with the calls for whole messages.

tools/amalgam.py --profile tiny calls `write`.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "tiny"
# Name in a list -> the parts that it needs, in their order.
PARTS = {
    "ascon-aead128": ("ascon", "ascon-aead128"),
    "ascon-hash256": ("ascon", "ascon-hash256"),
    "schwaemm256-128": ("sparkle", "schwaemm256-128"),
    "esch256": ("sparkle", "esch256"),
    "speck-64/128-ctr": ("speck-64-128", "block", "ctr"),
    "speck-64/128-eax": ("speck-64-128", "block", "eax"),
    "cham-64/128-ctr": ("cham-64-128", "block", "ctr"),
    "cham-64/128-eax": ("cham-64-128", "block", "eax"),
    "aimer3-128f": ("aimer3-128f",),
}
ORDER = (
    "common",
    "ascon",
    "ascon-aead128",
    "ascon-hash256",
    "sparkle",
    "schwaemm256-128",
    "esch256",
    "speck-64-128",
    "cham-64-128",
    "block",
    "ctr",
    "eax",
    "aimer3-128f",
)
CIPHERS = {
    "speck-64-128": {
        "ID": "speck64_128",
        "MACRO": "SPECK64_128",
        "NAME": "SPECK-64/128",
        "KEYS": "27",
        "MORE": " + 3",
        "WORD": "uint32_t",
    },
    "cham-64-128": {
        "ID": "cham64_128",
        "MACRO": "CHAM64_128",
        "NAME": "CHAM-64/128",
        "KEYS": "16",
        "MORE": "",
        "WORD": "uint16_t",
    },
}
# Bytes of stack that a call uses below itself, over the processors and levels of optimisation of
# tests/consumers/test_residue.py: at -Os, and at other levels.
DEPTHS = {
    "ASCON_DEPTH": (176, 240),
    "ASCON_HASH_DEPTH": (160, 208),
    "SCHWAEMM_DEPTH": (320, 320),
    "ESCH_DEPTH": (256, 256),
    "BLOCK_DEPTH": (128, 128),
    "AIMER_DEPTH": (560, 672),
}


class TinyError(Exception):
    """What was asked for is not in the tiny profile."""


def parts(names: list[str]) -> list[str]:
    """The parts of a list of names, in their order."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise TinyError(
            f"{', '.join(unknown)}: not in the tiny profile, which has {', '.join(PARTS)}; "
            "leave out PROFILE=tiny"
        )
    needed = {"common"} | {part for name in names for part in PARTS[name]}
    ciphers = sorted(needed & set(CIPHERS))
    if len(ciphers) > 1:
        raise TinyError(
            f"{' and '.join(ciphers)} given, but the tiny profile has one block cipher at a time; "
            "leave out PROFILE=tiny, or make two amalgams for two programs"
        )
    return [part for part in ORDER if part in needed]


def _text(path: Path, values: dict[str, str]) -> str:
    text = path.read_text(encoding="utf-8").split("\n", 1)[1]
    return re.sub(r"@(\w+)@", lambda found: values[found[1]], text).strip() + "\n"


def make(names: list[str], version: str) -> tuple[str, str]:
    """(text of hanji.h, text of hanji.c)."""
    chosen = parts(names)
    values = dict(next((CIPHERS[part] for part in chosen if part in CIPHERS), {}))
    # Called in one place, a function is smaller where it is called.
    values["ONCE"] = "NOINLINE" if "eax" in chosen else "inline"
    first = (
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        f"/* hanji {version}, tiny profile: {', '.join(names)}. "
        "Written by tools/amalgam.py; do not edit. */\n"
    )
    headers = "\n".join(
        _text(HERE / f"{part}.h", values) for part in chosen if (HERE / f"{part}.h").exists()
    )
    header = (
        f"{first}#ifndef HANJI_H\n#define HANJI_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
        f'#define HANJI_VERSION "{version}"\n'
        '#ifdef __cplusplus\nextern "C" {\n#endif\n\n'
        f"{headers}\n#ifdef __cplusplus\n}}\n#endif\n#endif\n"
    )
    small, other = (
        "".join(f"#define {name} {depth[level]}\n" for name, depth in DEPTHS.items())
        for level in (0, 1)
    )
    depths = f"#ifdef __OPTIMIZE_SIZE__\n{small}#else\n{other}#endif\n"
    source = f'{first}#include "hanji.h"\n\n{depths}\n' + "\n".join(
        _text(HERE / f"{part}.c", values) for part in chosen
    )
    return header, source


def write(names: list[str], version: str, out: Path) -> list[Path]:
    """Write hanji.h and hanji.c into a folder, which then holds nothing else of an earlier call."""
    header, source = make(names, version)
    out.mkdir(parents=True, exist_ok=True)
    for old in [*out.glob("*.S"), *out.glob("hanji.[ch]")]:
        old.unlink()
    made = [out / "hanji.h", out / "hanji.c"]
    for path, text in zip(made, (header, source), strict=True):
        path.write_text(text, encoding="utf-8")
    return made
