# SPDX-License-Identifier: Apache-2.0
"""The exit statuses of every command, and the text about them in every help."""

from __future__ import annotations

from hanji import HanjiError

RIGHT = 0
WRONG = 1  # read, and wrong: a tag, a signature, a digest, a limit that was exceeded
USAGE = 2
FAILED = 3  # could not be read or written
SIGNAL = 128  # and the number of the signal that ended the process

HELP = (
    "Exit status: 0 all is right; 1 something was read and is wrong (a tag, a signature, a digest, "
    "a limit that was exceeded); 2 wrong usage; 3 something could not be read or written; 128 + N "
    "ended by signal N (130: interrupted). Of several files 3 counts before 1, "
    "and seal, open and sign end with 3 when they wrote only some of the outputs in a folder."
)


def worst(*statuses: int) -> int:
    """The status of several files."""
    return max(statuses, default=RIGHT)


def status_of(error: BaseException) -> int:
    """The status for an error that ends a command, or one of its files."""
    if isinstance(error, HanjiError):
        from hanji.files import KeyNeededError, PassphraseNeededError  # not needed to start

        return USAGE if isinstance(error, KeyNeededError | PassphraseNeededError) else WRONG
    if isinstance(error, OSError | ImportError | MemoryError):
        return FAILED
    return USAGE  # ValueError: arguments that do not fit together
