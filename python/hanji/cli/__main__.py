# SPDX-License-Identifier: Apache-2.0
"""The command as a process."""

import signal

from hanji.cli import leave_early


def run() -> None:
    """What the script of the command and ``python -m hanji.cli`` call."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave_early)
    from hanji.cli.main import app

    app(prog_name="hanji")


if __name__ == "__main__":
    run()
