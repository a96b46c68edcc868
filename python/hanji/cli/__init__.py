# SPDX-License-Identifier: Apache-2.0
"""The command ``hanji``."""

from __future__ import annotations


def main() -> None:
    """Run the command line; exit status 0, 1 for a failure, 2 for wrong usage, 130 after Ctrl-C.

    The terminal libraries are imported here and not with the package, so that ``import hanji`` stays light.
    """
    try:
        from hanji.cli.app import run
    except ImportError as error:
        raise SystemExit(f"hanji: the command line needs {error.name}; install it with: pip install typer rich") from None
    run()
