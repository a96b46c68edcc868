# SPDX-License-Identifier: Apache-2.0
"""The command ``hanji``, in :mod:`hanji.cli.main`; ``import hanji`` loads nothing of it."""
