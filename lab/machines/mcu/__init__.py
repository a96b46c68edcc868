# SPDX-License-Identifier: Apache-2.0
"""Microcontrollers: Cortex-M under qemu-system-arm, and an ATmega328P under simavr."""

from .. import register
from .boards import boards

for board in boards():
    register(board)
