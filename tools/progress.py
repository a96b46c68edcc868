# SPDX-License-Identifier: Apache-2.0
"""Run pip, and say in one line at a time what it does and how long that has taken.

Usage: python tools/progress.py PROGRAM -m pip install --verbose ...

On a terminal the line is written over; elsewhere a line is written for each stage, and again when
a stage goes on for 20 seconds. Warnings of pip are passed on. When pip fails, the last lines that
it wrote come to the standard error, and its status is that of this program.
"""

from __future__ import annotations

import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from typing import TextIO

KEPT = 100  # lines that are shown after a failure
AGAIN = 20.0  # seconds
# What pip, CMake and Ninja or make write -> the stage that begins, and how far it is.
STAGES = (
    (r"\s*Collecting ([\w.-]+)", "fetching packages", "{}"),
    (r"\s*Installing build dependencies", "fetching packages", "what builds hanji"),
    (r"\s*\*\*\* Configuring CMake", "asking the compiler what it can do", ""),
    (r"\s*\[([1-9]\d*)/(\d+)\] ", "compiling", "{} of {} steps"),
    (r"\s*\[ *(\d+)%\] ", "compiling", "{} %"),
    (r"Installing collected packages", "installing packages", ""),
)


def stage(line: str) -> tuple[str, str] | None:
    """The stage that a line of pip belongs to, and how far it is; None where it says neither."""
    for pattern, name, far in STAGES:
        if found := re.match(pattern, line):
            return name, far.format(*found.groups())
    return None


class Line:
    """The line that says what goes on."""

    def __init__(self, out: TextIO) -> None:
        self.out, self.live = out, out.isatty()
        self.begin = time.monotonic()
        self.stage, self.written, self.shown = "", self.begin, ""

    def text(self, far: str) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self.begin), 60)
        return f"   {minutes}:{seconds:02d} {self.stage}{far and f': {far}'}"

    def clear(self) -> None:
        if self.live and self.shown:
            self.out.write(f"\r{' ' * len(self.shown)}\r")
            self.shown = ""

    def say(self, name: str, far: str) -> None:
        """Write the line where that is due."""
        if not name:
            return
        new, self.stage = name != self.stage, name
        if self.live:
            text = self.text(far)[: shutil.get_terminal_size().columns - 1]
            self.out.write(f"\r{text.ljust(len(self.shown))}")
            self.shown = text
        elif new or time.monotonic() - self.written >= AGAIN:
            self.out.write(f"{self.text(far)}\n")
            self.written = time.monotonic()
        self.out.flush()


def run(command: list[str], line: Line, errors: TextIO) -> int:
    """The status of the command, whose output becomes a line."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    last: deque[str] = deque(maxlen=KEPT)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as running:
        output = running.stdout
        assert output is not None

        def read() -> None:
            for text in output:
                lines.put(text)
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        now = ("", "")
        while True:
            try:
                text = lines.get(True, 1)
            except queue.Empty:
                line.say(*now)
                continue
            if text is None:
                break
            last.append(text)
            if text.startswith(("WARNING:", "DEPRECATION:")):
                line.clear()
                errors.write(text)
            now = stage(text) or now
            line.say(*now)
    line.clear()
    line.out.flush()
    if running.returncode:
        errors.writelines(last)
    return int(running.returncode)


def main() -> int:
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    if first in ("-h", "--help"):
        print((__doc__ or "").strip())
        return 0
    if not first or first.startswith("-"):  # the options of the program come after its name
        given = f"; {first} given" if first else ""
        print(f"tools/progress.py: a command to run expected{given}", file=sys.stderr)
        return 2
    try:
        return run(sys.argv[1:], Line(sys.stdout), sys.stderr)
    except OSError as error:
        print(f"tools/progress.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
