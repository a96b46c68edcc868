# SPDX-License-Identifier: Apache-2.0
"""Whether the core was this machine's alone while figures were taken (chain.h): the programs that
measure wait for that, but not for ever.
"""

from __future__ import annotations

_figures = 0


def hear(disturbed: int) -> None:
    """So many more figures hold rounds of a core that somebody else shared."""
    global _figures
    _figures += disturbed


def remark() -> str:
    """A sentence about the figures since the last call, empty when the core was quiet."""
    global _figures
    count, _figures = _figures, 0
    if count == 0:
        return ""
    return (
        f"somebody else used the core while {count} "
        f"{'figure was' if count == 1 else 'figures were'} "
        "taken, and it was not quiet in time: measure again for better ones"
    )
