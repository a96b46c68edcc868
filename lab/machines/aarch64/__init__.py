# SPDX-License-Identifier: Apache-2.0
"""Machines with 64-bit ARMv8-A cores. There is none here: instructions are counted under qemu, and
cycles are estimated by models.
"""

from .. import register
from .machines import MODELS, Counter

register(Counter())
for model in MODELS:
    register(model)
