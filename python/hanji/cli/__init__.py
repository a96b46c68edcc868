# SPDX-License-Identifier: Apache-2.0
"""The command ``hanji``, in :mod:`hanji.cli.main`; ``import hanji`` loads nothing of it."""

import os

MAC_ALGORITHM = "speck-128/256"  # the cipher of CMAC unless another is named


def leave_early(number: int, _frame: object) -> None:
    """The handler of SIGINT while modules are imported, when nothing is written and there is
    nothing to undo: `hanji.cli.signals` takes its place.
    """
    os._exit(128 + number)
