# SPDX-License-Identifier: Apache-2.0
"""The tiny profile of the amalgam: hanji.h and hanji.c of the sources in `tiny`, for one block
cipher, algorithms of Ascon and SPARKLE, or aimer3-128f, each with the calls for whole messages, or
the verification of one set of SLH-DSA.
With an instruction set its kernels take the place of the C.

tools/amalgam.py --profile tiny calls `write`.
"""

from __future__ import annotations

import re
from pathlib import Path

import folders

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "tiny"
# n, d, h', a, k of FIPS 205, table 2, and the size of a signature.
SLH_DSA = {
    "128s": (16, 7, 9, 12, 14, 7856),
    "128f": (16, 22, 3, 6, 33, 17088),
    "192s": (24, 7, 9, 14, 17, 16224),
    "192f": (24, 22, 3, 8, 33, 35664),
    "256s": (32, 8, 8, 14, 22, 29792),
    "256f": (32, 17, 4, 9, 35, 49856),
}
# Name in a list -> the parts that it needs, in their order.
PARTS = {
    "ascon-aead128": ("ascon", "ascon-phase", "ascon-aead128"),
    "ascon-hash256": ("ascon", "ascon-phase", "ascon-hash256"),
    "schwaemm256-128": ("sparkle", "schwaemm-phase", "schwaemm256-128"),
    "esch256": ("sparkle", "esch256"),
    "speck-64/128-ctr": ("speck-64-128", "speck-64-128-block", "block", "ctr"),
    "speck-64/128-eax": ("speck-64-128", "speck-64-128-block", "block", "eax"),
    "cham-64/128-ctr": ("cham-64-128", "block", "ctr"),
    "cham-64/128-eax": ("cham-64-128", "block", "eax"),
    "aimer3-128f": ("aimer3-128f",),
    **{f"slh-dsa-shake-{size}-verify": ("keccak", "slh-dsa") for size in SLH_DSA},
}
ORDER = (
    "common",
    "ascon",
    "ascon-phase",
    "ascon-aead128",
    "ascon-hash256",
    "sparkle",
    "schwaemm-phase",
    "schwaemm256-128",
    "esch256",
    "speck-64-128",
    "speck-64-128-block",
    "cham-64-128",
    "block",
    "ctr",
    "eax",
    "aimer3-128f",
    "keccak",
    "slh-dsa",
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
# Bytes of stack that a call uses below itself: at -Os, at other levels, and without optimisation.
# They are those of gcc (avr-gcc) and clang 14 at every level, with and without -flto, with room;
# test_every_call_wipes_as_deep_as_it_goes holds them. AIMer's were measured once. Constants of
# compilers -> depths; the first that hold are taken, and the last are for every processor.
DEPTHS = {
    "defined(__AVR__)": {
        "ASCON_DEPTH": (144, 160, 416),
        "ASCON_HASH_DEPTH": (136, 148, 404),
        "SCHWAEMM_DEPTH": (228, 252, 248),
        "ESCH_DEPTH": (168, 196, 168),
        "BLOCK_DEPTH": (48, 48, 64),
        "SLH_DEPTH": (140, 240, 192),
    },
    "defined(__thumb__) && !defined(__thumb2__)": {
        "ASCON_DEPTH": (224, 280, 728),
        "ASCON_HASH_DEPTH": (192, 256, 728),
        "SCHWAEMM_DEPTH": (296, 392, 416),
        "ESCH_DEPTH": (192, 256, 272),
        "BLOCK_DEPTH": (88, 88, 136),
        "SLH_DEPTH": (208, 408, 328),
        "AIMER_DEPTH": (560, 864, 1152),
    },
    "": {
        "ASCON_DEPTH": (176, 240, 712),
        "ASCON_HASH_DEPTH": (168, 208, 696),
        "SCHWAEMM_DEPTH": (272, 344, 368),
        "ESCH_DEPTH": (184, 216, 256),
        "BLOCK_DEPTH": (80, 96, 176),
        "SLH_DEPTH": (176, 416, 304),
        "AIMER_DEPTH": (560, 864, 1152),
    },
}
# The same where kernels take the place of the C.
KERNEL_DEPTHS = {
    "armv7m": {
        "ASCON_DEPTH": (192, 212, 208),
        "ASCON_HASH_DEPTH": (184, 208, 200),
        "SCHWAEMM_DEPTH": (280, 288, 344),
        "ESCH_DEPTH": (184, 192, 208),
        "SLH_DEPTH": (328, 400, 392),
    },
    "armv6m": {
        "ASCON_DEPTH": (208, 208, 216),
        "ASCON_HASH_DEPTH": (176, 184, 200),
        "SCHWAEMM_DEPTH": (312, 376, 408),
        "ESCH_DEPTH": (208, 232, 264),
    },
    "avr": {
        "ASCON_DEPTH": (120, 120, 124),
        "ASCON_HASH_DEPTH": (112, 112, 112),
        "SCHWAEMM_DEPTH": (200, 196, 204),
        "ESCH_DEPTH": (144, 140, 140),
        "BLOCK_DEPTH": (48, 48, 64),
    },
    "rv32i": {
        "ASCON_DEPTH": (208, 208, 208),
        "ASCON_HASH_DEPTH": (192, 192, 192),
        "SCHWAEMM_DEPTH": (288, 320, 336),
        "ESCH_DEPTH": (208, 208, 224),
    },
}
PORTABLE = "portable"
# Instruction set -> part -> the kernel in src that PART-kernel.c calls in the place of PART.c. Of
# SPECK-64/128 for Cortex-M the loop of a compiler is smaller and faster than a call of the kernel
# with a loop.
KERNELS = {
    "armv7m": {
        "ascon": "ascon/ascon_armv7m_x1.S",
        "sparkle": "sparkle/sparkle384_armv7m.S",
        "keccak": "keccak/generated/keccak_armv7m_x1.S",
    },
    "armv6m": {
        "ascon": "ascon/ascon_armv6m_x1.S",
        "sparkle": "sparkle/sparkle384_armv6m.S",
    },
    "avr": {
        "ascon": "ascon/ascon_avr_x1.S",
        "sparkle": "sparkle/sparkle384_avr.S",
        "speck-64-128-block": "speck/speck64_avr_x1.S",
    },
    "rv32i": {
        "ascon": "ascon/ascon_p_rv32i_x1.S",
        "sparkle": "sparkle/sparkle384_rv32i.S",
    },
}
# What the compiler defines for a processor that has the instructions (src/support/cpu.h).
PROCESSORS = {
    "armv7m": "defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || "
    "defined(__ARM_ARCH_8M_MAIN__)",
    "armv6m": "defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)",
    "avr": "defined(__AVR__) && defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_MOVW__)",
    "rv32i": "defined(__riscv) && __riscv_xlen == 32 && !defined(__riscv_32e)",
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


def slh_dsa_values(names: list[str]) -> dict[str, str]:
    """Of the set of SLH-DSA in a list, which has one at most."""
    sets = [name for name in names if "slh-dsa" in PARTS[name]]
    if not sets:
        return {}
    if len(sets) > 1:
        raise TinyError(
            f"{' and '.join(sets)} given, but the tiny profile has one set of SLH-DSA at a time; "
            "leave out PROFILE=tiny, or make two amalgams with a prefix each"
        )
    name = sets[0].removesuffix("-verify")
    keys = ("N", "LAYERS", "HEIGHT", "FORS_HEIGHT", "FORS_TREES", "SIGNATURE")
    size = name.rpartition("-")[2]
    values = dict(zip(keys, map(str, SLH_DSA[size]), strict=True))
    return {"SET": name, "MACRO": f"SHAKE_{size.upper()}", **values}


def _text(path: Path, values: dict[str, str]) -> str:
    text = path.read_text(encoding="utf-8").split("\n", 1)[1]
    return re.sub(r"@(\w+)@", lambda found: values[found[1]], text).strip() + "\n"


def inlined(path: Path) -> str:
    """A kernel file with the macros that it includes in place."""

    def body(found: re.Match[str]) -> str:
        text = (path.parent / found[1]).read_text(encoding="utf-8")
        return text.replace("/* SPDX-License-Identifier: Apache-2.0 */\n", "").rstrip()

    return re.sub(r'^#include "(.+)"$', body, path.read_text(encoding="utf-8"), flags=re.MULTILINE)


def kernels(names: list[str], isa: str) -> dict[str, Path]:
    """Part -> its kernel, which every algorithm in the list must have."""
    if isa == PORTABLE:
        return {}
    held = KERNELS[isa]
    without = [name for name in names if not held.keys() & set(PARTS[name])]
    if without:
        having = [name for name in PARTS if held.keys() & set(PARTS[name])]
        raise TinyError(
            f"{', '.join(without)}: the tiny profile has no kernel of it for {isa}, but of "
            f"{', '.join(having)}; leave out ISA={isa}, or PROFILE=tiny"
        )
    return {part: ROOT / "src" / held[part] for part in parts(names) if part in held}


def _file(part: str, isa: str, with_kernel: bool) -> Path:
    """The C of a part."""
    special = (f"{part}-{isa}.c", f"{part}-kernel.c") if with_kernel else ()
    return next(path for name in (*special, f"{part}.c") if (path := HERE / name).exists())


def _small(text: str) -> str:
    """A kernel with less code, where it has a choice."""
    first, rest = text.split("\n", 1)
    small = "#ifndef HANJI_SMALL\n#define HANJI_SMALL\n#endif\n" if "HANJI_SMALL" in rest else ""
    return f"{first}\n{small}{rest}"


def _depths(of: dict[str, tuple[int, int, int]]) -> str:
    """As macros, by what the compiler says of its optimisation."""
    small, other, none = (
        "".join(f"#define {name} {depth[level]}\n" for name, depth in of.items())
        for level in range(3)
    )
    return (
        f"#ifdef __OPTIMIZE_SIZE__\n{small}#elif defined(__OPTIMIZE__)\n{other}"
        f"#else\n{none}#endif\n"
    )


def make(names: list[str], version: str, isa: str = PORTABLE) -> tuple[str, str]:
    """(text of hanji.h, text of hanji.c)."""
    chosen = parts(names)
    assembly = kernels(names, isa)
    values = dict(next((CIPHERS[part] for part in chosen if part in CIPHERS), {}))
    # Called in one place, a function is smaller where it is called.
    values |= slh_dsa_values(names)
    values["ONCE"] = "NOINLINE" if "eax" in chosen else "inline"
    if assembly:
        chosen.insert(1, "kernels")
        values |= {"ISA": isa, "PROCESSOR": PROCESSORS[isa]}
        values |= {part.upper(): path.name for part, path in assembly.items()}
    of_isa = f"; kernels: {isa}" if assembly else ""
    first = (
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        f"/* hanji {version}, tiny profile: {', '.join(names)}{of_isa}. "
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
    depths = (
        _depths(KERNEL_DEPTHS[isa])
        if assembly
        else "".join(
            (f"#{word} {given}\n" if given else "#else\n") + _depths(of)
            for word, (given, of) in zip(("if", "elif", ""), DEPTHS.items(), strict=True)
        )
        + "#endif\n"
    )
    source = f'{first}#include "hanji.h"\n\n{depths}\n' + "\n".join(
        _text(_file(part, isa, bool(assembly)), values) for part in chosen
    )
    return header, source


def files(names: list[str], version: str, isa: str = PORTABLE) -> dict[str, str]:
    """File name -> text of hanji.h, hanji.c and the kernels of an instruction set."""
    header, source = make(names, version, isa)
    made = {"hanji.h": header, "hanji.c": source}
    made |= {path.name: _small(inlined(path)) for path in kernels(names, isa).values()}
    return made


def write(names: list[str], version: str, out: Path, isa: str = PORTABLE) -> list[Path]:
    """Write these files into a folder, which then holds nothing else of an earlier call."""
    out.mkdir(parents=True, exist_ok=True)
    folders.without_sources(out)
    for name, text in (made := files(names, version, isa)).items():
        (out / name).write_text(text, encoding="utf-8")
    return [out / name for name in made]
