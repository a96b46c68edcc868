# SPDX-License-Identifier: Apache-2.0
"""The GPU's side of the laboratory.

The writer of PTX, which tools/gpu_kernels.py calls, and the instruments that look at the kernels
without a GPU.
"""


def ptx_path(stem: str) -> str:
    """Where in a checkout a file of PTX kernels lies: the library's, or one for comparisons."""
    research = stem.endswith(("_paper", "_own"))
    return f"{'lab/research' if research else 'src/gpu'}/generated/{stem}.ptx"
