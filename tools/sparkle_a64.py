# SPDX-License-Identifier: Apache-2.0
"""Write the SPARKLE kernels for AArch64.

src/sparkle/generated/sparkle{256,384,512}_{a64,neon_x4,neon_x4tbl,neon_x5,sha3_x4}.S.

Also schwaemm256_128_neon_x5.S beside them, where chunks go into states between permutations, and
sparkle{256,384,512}_neon.S in papers/sparkle-armv8/kernels/generated: one state in vectors, which
general registers beat; the laboratory measures it.

    tools/sparkle_a64.py            write all files
    tools/sparkle_a64.py --check    compare them with what would be written; exit status 1 when one differs

A permutation is written down step by step as in the specification (Beierle et al., specification
v1.2, section 2.1), as operations on named registers and on temporaries. The scheduler then puts the
operations into an order that keeps the pipes of a small core busy and never needs more temporaries
than there are registers. It changes the order only: every operation reads what it read before. The
branch permutation at the end of a step costs nothing: the next step uses the registers in another
order.
"""

from __future__ import annotations

import sys

from generated import complete, write_or_check
from sparkle_a64_many import EOR3, SHIFTS, TABLE, x4, x5, x5_loop
from sparkle_a64_one import a64, neon
from sparkle_a64_schedule import Tuning
from sparkle_a64_schwaemm import schwaemm_x5
from sparkle_a64_steps import SIZES

ROOM = "src/sparkle/generated"
PAPER = "papers/sparkle-armv8/kernels/generated"  # measured for the paper, not in the library
TUNED = {
    "sparkle256_neon_x4": Tuning(seed=997, noise=8, passes=2, spare=11),
    "sparkle256_neon_x4tbl": Tuning(spare=10),
    "sparkle256_sha3_x4": Tuning(spare=10),
    "sparkle256_neon_x5": Tuning(seed=495, noise=20, passes=2, spare=10, early=True),
    "sparkle384_neon_x4": Tuning(seed=758, noise=2, passes=2, spare=12, packed=True),
    "sparkle384_neon_x4tbl": Tuning(spare=8, packed=True),
    "sparkle384_sha3_x4": Tuning(spare=8),
    "sparkle384_neon_x5": Tuning(
        seed=1770, noise=0.5, passes=1, spare=7, packed=True, multiply=(17, 24)
    ),
    "sparkle512_neon_x4": Tuning(seed=1963, noise=3, passes=2, spare=7, packed=True),
    "sparkle512_neon_x4tbl": Tuning(seed=154, noise=1, spare=6, packed=True, late=True),
    "sparkle512_sha3_x4": Tuning(spare=6, late=True),
    "sparkle512_neon_x5": Tuning(
        seed=1941, noise=2, passes=5, spare=7, packed=True, multiply=(31, 17, 24), pace=3
    ),
    "schwaemm256_128_neon_x5": Tuning(seed=200, noise=0.5, packed=True, multiply=(17, 24)),
}


def many_states(stem: str, tuning: Tuning) -> str:
    """The text of a file whose kernel takes many states, with other choices perhaps than those of
    TUNED.
    """
    if stem == "schwaemm256_128_neon_x5":
        return schwaemm_x5(tuning)
    size = next(size for size in SIZES if stem.startswith(f"sparkle{size.bits}_"))
    variant = next(
        (
            variant
            for variant in (SHIFTS, TABLE, EOR3)
            if stem.endswith(f"_{variant.isa}_{variant.suffix}")
        ),
        None,
    )
    if variant:
        return x4(size, variant, tuning)
    return x5(size, tuning) if tuning.early else x5_loop(size, tuning)


def files() -> dict[str, str]:
    """Path and text of every file."""
    out = {}
    for size in SIZES:
        out[f"{ROOM}/sparkle{size.bits}_a64.S"] = a64(size)
        out[f"{PAPER}/sparkle{size.bits}_neon.S"] = neon(size)
    out |= {f"{ROOM}/{stem}.S": many_states(stem, tuning) for stem, tuning in TUNED.items()}
    return complete(out, "sparkle_a64.py", "the steps of SPARKLE, put in order for small cores")


if __name__ == "__main__":
    sys.exit(write_or_check(files(), "sparkle_a64.py"))
