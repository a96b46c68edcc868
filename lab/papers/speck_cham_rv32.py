# SPDX-License-Identifier: Apache-2.0
"""Shin et al., SPECK32 and CHAM64 on 32-bit RISC-V: table 2, on simulated cores.

Their board has a SiFive E31. Rocket is its 64-bit sister and runs the same instructions rewritten
(machines/rv32/rewrite.py); the other cores show what the design is worth elsewhere. Sim et al.'s
addition, which separates the top bit of each half, and the direct translation for one block are
built here after their descriptions (lab/research): their rows are ours, not measurements of the
authors' code.
"""

from .contenders import compare, measure

__all__ = ["compare", "measure"]
