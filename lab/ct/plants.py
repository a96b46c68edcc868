# SPDX-License-Identifier: Apache-2.0
"""Leaks of all kinds, planted in front of real kernels (plants.h), and which of them valgrind, the
scan and traces do not see.

For valgrind and traces the plants are a part of the harness (plants.c). For the scan they are
compiled together with the kernels of AVX-512, so that the compiler makes one function of a plant
and its kernel.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..checkout import run
from . import Valgrind, instructions
from .opcodes import OpcodeScan
from .traces import Traces

HERE = Path(__file__).resolve().parent
KINDS = tuple(
    re.findall(
        r"F\((\w+)\)",
        (HERE / "plants.h")
        .read_text(encoding="utf-8")
        .partition("PLANT_KINDS(F)")[2]
        .partition("\n/*")[0],
    )
)  # of all processors; instructions.PLANTS_OF has those of some
# Kind -> why a method does not see it. What decides a branch, an address, a verdict, or what an
# instruction that is searched for works on, may not be in these lists.
NOT_SEEN = {
    "valgrind": {
        "product": (
            "no branch and no address: on the processors that we know, multiplication takes the "
            "same time whatever is multiplied"
        )
    },
    "traces": {
        "product": (
            "the same instructions on the same addresses: some small cores multiply small "
            "numbers faster, which our ciphers never do"
        )
    },
    "scan": dict[str, str](),
}


@dataclass(frozen=True)
class Scanned:
    """A kernel of AVX-512 into which the scan's plants go: its parameters, and which of them points
    to a secret.
    """

    source: str
    kernel: str
    parameters: str
    secret: str
    result: str = "void"

    @property
    def names(self) -> str:
        """The arguments of a call."""
        return ", ".join(re.findall(r"(\w+)(?:,|$)", self.parameters))


_BLOCKS = "uint8_t *out, const uint8_t *in, size_t groups, const void *keys"
SCANNED = (
    Scanned(
        "src/keccak/keccak_avx512_x1.c", "hanji_keccak_avx512_x1", "uint64_t *states", "states"
    ),
    Scanned(
        "src/keccak/keccak_avx512_x8.c", "hanji_keccak_avx512_x8", "uint64_t *states", "states"
    ),
    Scanned(
        "src/aimer/aimer_avx512.c",
        "hanji_aimer_avx512_prepare",
        "void *matrix, const uint64_t *columns, uint32_t words",
        "columns",
    ),
    Scanned(
        "src/aimer/aimer_avx512.c",
        "hanji_aimer_avx512_apply",
        "uint64_t *out, const uint64_t *in, size_t octets, const void *matrix, uint64_t shape",
        "in",
    ),
    Scanned("src/speck/speck64_avx512.c", "hanji_speck64_128_avx512_encrypt_x16", _BLOCKS, "keys"),
    Scanned("src/speck/speck128_avx512.c", "hanji_speck128_192_avx512_decrypt_x8", _BLOCKS, "in"),
    Scanned("src/simon/simon64_avx512.c", "hanji_simon64_128_avx512_decrypt_x16", _BLOCKS, "keys"),
    Scanned("src/simon/simon128_avx512.c", "hanji_simon128_256_avx512_encrypt_x8", _BLOCKS, "in"),
    Scanned("src/cham/cham64_avx512.c", "hanji_cham64_128_avx512_encrypt_x32", _BLOCKS, "keys"),
    Scanned("src/cham/cham128_avx512.c", "hanji_cham128_128_avx512_decrypt_x16", _BLOCKS, "keys"),
)


def of_valgrind(check: Valgrind) -> dict[tuple[str, str], bool]:
    """Kind and kernel -> whether the check of valgrind, with the search in machine code, finds the
    plant.
    """
    checks, _ = check.memcheck(check.build(), "plants")
    return _found(checks, instructions.planted(check.compile_()))


def of_traces(check: Traces) -> dict[tuple[str, str], bool]:
    """The same for traces."""
    checks, _ = check.check(check.build(), "plants", "portable")
    target = check.target
    return _found(checks, instructions.planted(check.compile_(), target.prefix, target.package))


def _found(
    checks: list[dict[str, Any]], planted: dict[str, list[instructions.Found]]
) -> dict[tuple[str, str], bool]:
    found = {}
    for check in checks:
        kind, _, kernel = check["subject"].partition(" in ")
        found[kind, kernel] = check["errors"] > 0 or kind in planted
    return found


def of_scan(
    check: OpcodeScan, compiler: str, directory: Path, kernels: tuple[Scanned, ...] = SCANNED
) -> dict[tuple[str, str], bool]:
    """The same for the scan, with as many functions of each kernel as there are kinds, and one
    without a plant.
    """
    found = {}
    for source in dict.fromkeys(kernel.source for kernel in kernels):
        text = [f'#include "{source}"', f'#include "{HERE / "plants.h"}"']
        for kernel in (kernel for kernel in kernels if kernel.source == source):
            for kind in (*KINDS, *instructions.PLANTS_OF["__x86_64__"], "nothing"):
                name = f"planted_{kind}_{kernel.kernel}"
                text += [
                    f"{kernel.result} {name}({kernel.parameters});",
                    f"__attribute__((flatten)) {kernel.result} {name}({kernel.parameters})",
                ]
                text += [
                    (
                        f"{{\n    plant_{kind}((const volatile uint8_t *){kernel.secret});\n    "
                        f"{kernel.kernel}({kernel.names});\n}}"
                    )
                ]
        file, object_file = directory / Path(source).name, directory / "planted.o"
        file.write_text("\n".join(text) + "\n", encoding="utf-8")
        include = [f"-I{check.root}", f"-I{check.root / 'include'}", f"-I{check.root / 'src'}"]
        run(
            [
                compiler,
                "-std=gnu11",
                *check.kernel_flags,
                "-w",
                *include,
                "-c",
                file,
                "-o",
                object_file,
            ]
        )
        for name, problems in check.scan(
            object_file, only=lambda name: name.startswith("planted_")
        ).items():
            _, kind, kernel_name = name.split("_", 2)
            found[kind, kernel_name] = bool(problems)
    return found
