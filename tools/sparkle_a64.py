# SPDX-License-Identifier: Apache-2.0
"""Write the SPARKLE kernels for AArch64.

src/sparkle/generated/sparkle{256,384,512}_{a64,neon_x4}.S: one state in general registers, four in
vectors. And in papers/sparkle-armv8/kernels/generated, where only the laboratory measures them,
sparkle{256,384,512}_neon.S, one state in vectors, which general registers beat, and
sparkle{256,384,512}_neon_x5.S, four states in vectors and a fifth in general registers.

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
from sparkle_a64_many import x4, x5, x5_loop
from sparkle_a64_one import a64, neon
from sparkle_a64_schedule import Tuning
from sparkle_a64_steps import SIZES

ROOM = "src/sparkle/generated"
PAPER = "papers/sparkle-armv8/kernels/generated"  # measured for the paper, not in the library
TUNED = {
    "sparkle256_neon_x4": Tuning(seed=997, noise=8, passes=2, spare=11),
    "sparkle256_neon_x5": Tuning(seed=495, noise=20, passes=2, spare=10, early=True),
    "sparkle384_neon_x4": Tuning(seed=758, noise=2, passes=2, spare=12, packed=True),
    "sparkle384_neon_x5": Tuning(
        seed=1770, noise=0.5, passes=1, spare=7, packed=True, multiply=(17, 24)
    ),
    "sparkle512_neon_x4": Tuning(seed=1963, noise=3, passes=2, spare=7, packed=True),
    "sparkle512_neon_x5": Tuning(
        seed=1941, noise=2, passes=5, spare=7, packed=True, multiply=(31, 17, 24), pace=3
    ),
}


def many_states(stem: str, tuning: Tuning) -> str:
    """The text of a file whose kernel takes many states, with other choices perhaps than those of
    TUNED.
    """
    size = next(size for size in SIZES if stem.startswith(f"sparkle{size.bits}_"))
    if stem.endswith("_x4"):
        return x4(size, tuning)
    return x5(size, tuning) if tuning.early else x5_loop(size, tuning)


def files() -> dict[str, str]:
    """Path and text of every file."""
    out = {}
    for size in SIZES:
        out[f"{ROOM}/sparkle{size.bits}_a64.S"] = a64(size)
        out[f"{PAPER}/sparkle{size.bits}_neon.S"] = neon(size)
    for stem, tuning in TUNED.items():
        folder = PAPER if stem.endswith("_x5") else ROOM
        out[f"{folder}/{stem}.S"] = many_states(stem, tuning)
    return complete(out, "sparkle_a64.py", "the steps of SPARKLE, put in order for small cores")


if __name__ == "__main__":
    sys.exit(write_or_check(files, "sparkle_a64.py", __doc__))
