# SPDX-License-Identifier: Apache-2.0
"""The command hanji-lab."""

from __future__ import annotations

import inspect
import json
from fnmatch import fnmatch
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from . import __version__, spec

app = typer.Typer(
    name="hanji-lab",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

out = Console()
err = Console(stderr=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print a list of JSON objects instead of a table.")]


def print_json(objects: list[dict[str, Any]]) -> None:
    """Print machine-readable results, without wrapping or colour."""
    print(json.dumps(objects, indent=1))


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table that stays readable when it is piped into a file."""
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    out.print(table)


def _version(asked: bool) -> None:
    if asked:
        print(f"hanji-lab {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The laboratory of hanji: executable specifications of the ciphers, and checks of the kernels.

    Exit status: 0 good, 1 a check failed, 2 wrong usage.
    """


@app.command()
def specs(
    pattern: Annotated[
        str, typer.Argument(metavar="[GLOB]", help="Names to list, such as 'speck*' or '*.encrypt'.")
    ] = "*",
    as_json: AsJson = False,
) -> None:
    """List the executable specifications that a kernel header can name."""
    found = [name for name in spec.names() if fnmatch(name, pattern)]
    if not found:
        err.print(f"no specification matches {pattern!r}; `hanji-lab specs` lists all {len(spec.names())}")
        raise typer.Exit(1)
    entries = [
        {
            "name": name,
            "algorithm": spec.algorithm(name.partition(".")[0]).name,
            "arguments": ", ".join(inspect.signature(spec.resolve(name)).parameters),
            "summary": (inspect.getdoc(spec.resolve(name)) or "").splitlines()[0],
        }
        for name in found
    ]
    if as_json:
        print_json(entries)
        return
    print_table(
        f"{len(entries)} executable specifications",
        ["name", "arguments", "what"],
        [[entry["name"], entry["arguments"], entry["summary"]] for entry in entries],
    )


def main() -> None:
    """Entry point of the installed command."""
    app()


if __name__ == "__main__":
    main()
