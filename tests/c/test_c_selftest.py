# SPDX-License-Identifier: Apache-2.0
"""The self-test against libraries that are wrong in one constant: it must fail and name the
algorithm that is hurt first.

The damage is in portable C, so the kernels of other tiers are kept out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from builds import ROOT, build, environment, run

pytestmark = pytest.mark.quick


@dataclass(frozen=True)
class Damage:
    """One edit of one file, and the object that must be built again for it."""

    path: str
    pattern: str
    replacement: str
    algorithm: str
    compiled: str = ""


DAMAGES = (
    Damage(
        "speck/speck.c",
        r"(hanji_speck64_128_portable_encrypt_x1, .*, )27",
        r"\g<1>26",
        "speck-64/128",
    ),
    Damage(
        "simon/simon.h", "0x19c3522fb386a45f", "0x19c3522fb386a45e", "simon-32/64", "simon/simon.c"
    ),
    Damage("simeck/simeck.h", "0x938bca3083f", "0x938bca3083e", "simeck-64/128", "simeck/simeck.c"),
    Damage(
        "cham/cham.c",
        r"(hanji_cham64_128_portable_encrypt_x1, .*, )88",
        r"\g<1>80",
        "cham-64/128",
    ),
    Damage(
        "modes/ctr.c",
        r"\(uint32_t\)\(-bytes & \(n - 1\)\)",
        "(uint32_t)(-bytes & (n - 1)) + 1",
        "ctr",
    ),
    # the way of calls that take up a key stream block where the call before ended
    Damage(
        "modes/ctr.c",
        r"xor_bytes\(out, in, rest\(ctx\), part\)",
        "xor_bytes(out, in, rest(ctx) - 1, part)",
        "ctr",
    ),
    Damage("modes/cmac.c", "0x1bu :", "0x1du :", "cmac"),
    Damage("modes/eax.c", r"\(uint64_t\)t << 56", "(uint64_t)(t + 2) << 56", "eax"),
    Damage(
        "sparkle/sparkle_rounds.h", "0xb7e15162", "0xb7e15163", "sparkle256", "sparkle/sparkle.c"
    ),
    Damage("sparkle/schwaemm.c", r"\(uint32_t\)0x80 <<", "(uint32_t)0x40 <<", "schwaemm256-128"),
    Damage("sparkle/esch.c", r"\] = 0x80", "] = 0x40", "esch256"),
    Damage(
        "keccak/keccak_rounds.h",
        "0x800000008000000a",
        "0x800000008000000b",
        "slh-dsa-shake-128s",
        "keccak/keccak.c",
    ),
    # key pairs do not need it
    Damage("aimer/generations.c", r"(&p->leaf_form, p, )5,", r"\g<1>6,", "aimer3-128f"),
    Damage(
        "aimer/aim2.c", r"add_to_lane\(lane, p->key->b\[0\], words\)", "(void)lane", "aimer2-128f"
    ),
    Damage(
        "aimer/portable.c",
        r"m\[d \+ 1\]\[i\] = m\[d\]\[i\] \^ m\[1\]\[i\]",
        "m[d + 1][i] = m[d][i]",
        "aimer3-128f",
    ),
)


def damaged_library(
    damage: Damage, directory: Path, *flags: str, preset: str = "host-gcc", compiler: str = "gcc"
) -> Path:
    text = (ROOT / "src" / damage.path).read_text()
    wrong, count = re.subn(damage.pattern, damage.replacement, text)
    assert count == 1, (
        f"{damage.path}: the pattern {damage.pattern!r} stands there {count} times; adapt this test"
    )
    overlay = directory / damage.path
    overlay.parent.mkdir(parents=True)
    overlay.write_text(wrong)
    source = ROOT / "src" / damage.compiled if damage.compiled else overlay
    # Compiled where its neighbours are not, so that every include is looked for in the overlay
    # first.
    alone = directory / "alone" / source.name
    alone.parent.mkdir()
    shutil.copy(source, alone)
    object_file = directory / f"{source.name}.o"
    include = ["-I", directory, "-I", ROOT / "src", "-I", ROOT / "include"]
    run(
        [
            compiler,
            "-O1",
            *flags,
            "-DHANJI_KEY_AREA_BYTES=0",
            *include,
            "-c",
            alone,
            "-o",
            object_file,
        ]
    )
    library = Path(shutil.copy(build(preset) / "libhanji.a", directory))
    assert object_file.name in run(["ar", "t", library]).stdout.split()
    run(["ar", "r", library, object_file])
    return library


def selftest(library: Path, directory: Path) -> str:
    program = directory / "vectors"
    sources = [ROOT / "tests/c" / name for name in ("vectors_main.c", "reference_ciphers.c")]
    run(
        ["gcc", "-O1", "-I", ROOT / "src", "-I", ROOT / "include", *sources, library, "-o", program]
    )
    return subprocess.run(
        [program],
        input="selftest all\n",
        capture_output=True,
        text=True,
        env=environment(HANJI_FORCE="portable"),
    ).stdout.strip()


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.path)
def test_selftest_names_what_is_wrong(damage: Damage, tmp_path: Path) -> None:
    assert selftest(damaged_library(damage, tmp_path), tmp_path) == f"mismatch: {damage.algorithm}"


def test_control_the_same_steps_without_damage(tmp_path: Path) -> None:
    """Rebuilding an object is not what makes the self-test fail."""
    same = Damage(
        "simon/simon.h", "0x19c3522fb386a45f", "0x19c3522fb386a45f", "simon-32/64", "simon/simon.c"
    )
    assert selftest(damaged_library(same, tmp_path), tmp_path) == "-"
