# SPDX-License-Identifier: Apache-2.0
"""Write the PTX kernels: src/gpu/generated/*.ptx, and those of the paper's design in lab/research/generated.

    .venv/bin/python tools/gpu_kernels.py            write all files
    .venv/bin/python tools/gpu_kernels.py --check    compare them with what would be written; exit status 1 when one differs

The writer of PTX is lab/gpu, a part of the laboratory: the counts, the tests of the kernels and the page of the report read the same ciphers from
there. This script puts what it makes into the repository.
"""

from __future__ import annotations

import sys

from generated import complete, write_or_check

from hanji_lab.gpu import generate


def files() -> dict[str, str]:
    """Path and text of every file."""
    return complete(generate.files(), "gpu_kernels.py", "lab/gpu")


if __name__ == "__main__":
    sys.exit(write_or_check(files(), "gpu_kernels.py"))
