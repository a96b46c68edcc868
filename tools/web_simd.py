# SPDX-License-Identifier: Apache-2.0
"""Does SIMD of WebAssembly pay? Print the gain of each kernel of web/simd, measured in Node.

Usage: python tools/web_simd.py [--rounds 1000] [--package build/web/package]

The kernels in words and in vectors of 128 bits must give the same states. A gain is the time of
the words for as many states as the vector has, over the time of the vector; both are the least of
many calls, by turns, in one process. With a package, which needs node_modules beside it, the part
of the time of sealing a file is printed that its calls of WebAssembly take.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from web import WEB, WebError, found

# Loops in words stay so: what clang makes vectors of by itself is slower than words.
FLAGS = "--target=wasm32 -std=c11 -O3 -ffreestanding -nostdlib -mbulk-memory -msimd128 -Wall"
FLAGS += " -Wextra -Werror -fno-vectorize -fno-slp-vectorize -Wl,--no-entry,--strip-all"


def module(folder: Path, source: Path = WEB / "simd/trial.c") -> Path:
    """The kernels as a module of WebAssembly."""
    made = folder / "trial.wasm"
    words = [found("clang-14", "clang"), *FLAGS.split()]
    words.append(f"-fuse-ld={found('wasm-ld-14', 'wasm-ld')}")
    subprocess.run([*words, str(source), "-o", str(made)], check=True)
    return made


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--package", type=Path)
    given = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            made = module(Path(folder))
            words = [found("node"), str(WEB / "simd/trial.mjs"), str(made), str(given.rounds)]
            if given.package:
                words.append(str(given.package.resolve()))
            subprocess.run(words, check=True)
    except (WebError, subprocess.CalledProcessError) as error:
        print(f"tools/web_simd.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
