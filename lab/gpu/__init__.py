# SPDX-License-Identifier: Apache-2.0
"""The GPU's side of the laboratory.

The writer of PTX, which tools/gpu_kernels.py calls, and the instruments that look at the kernels
without a GPU.
"""


def ptx_path(stem: str) -> str:
    """Where in a checkout a file of PTX kernels is: with the library, or with the paper on PTX."""
    ours = not stem.endswith(("_paper", "_own"))
    return f"{'src/gpu' if ours else 'papers/speck-simon-simeck-ptx/kernels'}/generated/{stem}.ptx"
