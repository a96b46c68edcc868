# SPDX-License-Identifier: Apache-2.0
"""Machines with 32-bit RISC-V cores."""

from .. import register
from .qemu import Qemu
from .rtl import cores

for core in cores():
    register(core)
register(Qemu())
