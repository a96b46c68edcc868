# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command share."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, NoReturn

Result = subprocess.CompletedProcess[bytes]
Hanji = Callable[..., Result]


def names(folder: Path) -> list[str]:
    """Files in a folder, but for the cache that a command may fill."""
    return sorted(p.name for p in folder.iterdir() if p.name != "cache")


def assert_failed(result: Result, message: str, status: int = 1) -> None:
    """The command failed with this exit status and said this."""
    error = " ".join(result.stderr.decode().split())
    assert result.returncode == status, (
        f"exit status {result.returncode}, expected {status}: {error}"
    )
    assert message in error
    assert "Traceback" not in error


@functools.cache
def _load() -> None:
    """What every command loads is loaded once, in this process; a parser may do so when it is first
    used.
    """
    from hanji.cli import digests, main, sealing, signatures

    assert main.app and signatures.sign_
    digests.hash_.make_context("hash", ["x"])
    sealing.seal.make_context("seal", ["x", "-o", "y", "-k", "z", "--threads", "1"])


def forked(
    folder: Path, *arguments: object, stdin: bytes = b"", stdout: IO[bytes] | None = None
) -> Result:
    """Run `hanji ARGUMENT...` as a fork of this process, which saves the time of a start; otherwise
    as a process of its own.
    """
    _load()
    line = ["hanji", *map(str, arguments)]
    with (
        tempfile.TemporaryFile() as error,
        tempfile.TemporaryFile() as kept,
        contextlib.ExitStack() as stack,
    ):
        reading, writing = os.pipe()
        stack.callback(os.close, reading)
        output = kept if stdout is None else stdout
        child = os.fork()
        if child == 0:
            os.close(writing)
            _become(line, folder, (reading, output.fileno(), error.fileno()))
        os.set_blocking(writing, False)
        assert os.write(writing, stdin) == len(stdin), "more input than a pipe holds"
        os.close(writing)
        _, status = os.waitpid(child, 0)
        kept.seek(0)
        error.seek(0)
        return subprocess.CompletedProcess(
            line, os.waitstatus_to_exitcode(status), kept.read(), error.read()
        )


def _become(line: list[str], folder: Path, streams: tuple[int, int, int]) -> NoReturn:
    """The child: hanji until its end, and nothing of pytest."""
    from hanji import _atomic
    from hanji.cli import main, signals

    status = 99
    try:
        os.setsid()
        os.chdir(folder)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, 1024)
        for number in signal.valid_signals() - {
            signal.SIGPIPE,
            signal.SIGXFSZ,
            signal.SIGKILL,
            signal.SIGSTOP,
        }:
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_DFL)
        signal.alarm(120)
        _atomic._cleaned.clear()
        signals._first = signals._waiting = 0
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(1, "w", closefd=False)), write_through=True
        )
        sys.stderr = io.TextIOWrapper(
            io.FileIO(2, "w", closefd=False), errors="backslashreplace", write_through=True
        )
        sys.argv = line
        os.environ["COLUMNS"] = "200"
        for name in [name for name in os.environ if name.startswith("HANJI_")]:
            del os.environ[name]
        main.app(prog_name="hanji")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(status)
