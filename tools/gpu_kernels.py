# SPDX-License-Identifier: Apache-2.0
"""Write the PTX kernels: src/gpu/generated, and those that only the paper on PTX needs, in
papers/speck-simon-simeck-ptx/kernels/generated.

    .venv/bin/python tools/gpu_kernels.py            write all files
    .venv/bin/python tools/gpu_kernels.py --check    exit status 1 when a file is not up to date

The writer of PTX is lab/gpu, a package of the laboratory: the counts and the tests of the kernels
read the same ciphers from it. This script puts its files into the repository.
"""

from __future__ import annotations

import sys

from generated import complete, write_or_check

from hanji_lab.gpu import generate


def files() -> dict[str, str]:
    """Path and text of every file."""
    return complete(generate.files(), "gpu_kernels.py", "lab/gpu")


if __name__ == "__main__":
    sys.exit(write_or_check(files, "gpu_kernels.py", __doc__))
