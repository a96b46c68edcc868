# SPDX-License-Identifier: Apache-2.0
"""The command ``hanji``, in :mod:`hanji.cli.main`; ``import hanji`` loads nothing of it."""

MAC_ALGORITHM = "speck-128/256"  # the cipher of CMAC unless another is named
