# SPDX-License-Identifier: Apache-2.0
"""Write lab/gpu/generated/plain_*: lab/gpu/plain.cu, compiled by the nvcc of ./lab[gpu].

.venv/bin/python tools/gpu_plain.py
"""

from __future__ import annotations

import argparse

from hanji_lab.gpu import plain

if __name__ == "__main__":
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    for path, made in plain.compile_all().items():
        path.write_bytes(made)
