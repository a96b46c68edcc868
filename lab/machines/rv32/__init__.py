# SPDX-License-Identifier: Apache-2.0
"""Machines with 32-bit RISC-V cores."""

from .. import register
from .qemu import Qemu

register(Qemu())
