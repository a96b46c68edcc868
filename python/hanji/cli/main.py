# SPDX-License-Identifier: Apache-2.0
"""The command ``hanji``; its commands are thin layers over the package."""

from __future__ import annotations

import click

import hanji
from hanji.cli.commands import CommandGroup
from hanji.cli.signals import catch_signals
from hanji.cli.terminal import write_text

HOMES = {
    "keygen": "hanji.cli.sealing.keygen",
    "seal": "hanji.cli.sealing.seal",
    "open": "hanji.cli.sealing.open_",
    "hash": "hanji.cli.digests.hash_",
    "mac": "hanji.cli.digests.mac",
    "sign-keygen": "hanji.cli.signatures.sign_keygen",
    "sign": "hanji.cli.signatures.sign_",
    "verify": "hanji.cli.signatures.verify",
    "list": "hanji.cli.machine.list_",
    "bench": "hanji.cli.machine.bench",
    "selftest": "hanji.cli.machine.selftest",
    "telemetry": "hanji.cli.telemetry.app",
}


@click.group(
    cls=CommandGroup,
    homes=HOMES,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
    epilog=(
        "_HANJI_COMPLETE=bash_source hanji prints what completes names in bash; zsh_source and "
        "fish_source do so for zsh and fish."
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, wanted: _version(ctx) if wanted else None,
    help="Print the version and the backends in use, and exit.",
)
def app() -> None:
    """Lightweight cryptography: encrypt, sign, hash and authenticate files, and measure."""
    catch_signals()


def _version(context: click.Context) -> None:
    write_text(
        f"hanji {hanji.__version__} "
        f"({', '.join(b['name'] for b in hanji.backends() if b['selected'])})\n"
    )
    context.exit()
