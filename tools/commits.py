#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the messages of the commits that came after this file.

Usage: tools/commits.py [--message FILE]

A subject has at most 72 characters and no full stop. A commit that changes `src/` or the
description of a file format has a body, which says why. Merges and the commits that are older than
this file are not checked. With --message only the message in FILE is checked, as the git hook
commit-msg needs it. Without a git history, as in a source archive, nothing is checked.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = "tools/commits.py"
LONGEST = 72
NEEDS_WHY = ("src/", "docs/format.md")


def faults(message: str, changed: Iterable[str]) -> Iterator[str]:
    """What is wrong with a message of a commit that changes these files."""
    lines = [line.rstrip() for line in message.splitlines() if not line.startswith("#")]
    subject, body = (lines or [""])[0], lines[1:]
    if not subject:
        yield "the subject is empty; say in one line what the commit does"
    if len(subject) > LONGEST:
        yield f"the subject has {len(subject)} characters, at most {LONGEST} are allowed"
    if subject.endswith("."):
        yield "the subject ends with a full stop; leave it out"
    if body and body[0]:
        yield "the second line is not blank, so git takes it as part of the subject"
    places = sorted(name for name in changed if name.startswith(NEEDS_WHY))
    if places and not any(body):
        yield f"{places[0]} changes, and no body says why"


def git(*words: str, root: Path = ROOT) -> str:
    """What git prints; empty where there is no history."""
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def commits(root: Path) -> list[str]:
    """The commits behind the one that brought this file; none in a history that lacks it."""
    first = git("log", "--diff-filter=A", "--format=%H", "--", HERE, root=root).split()
    since = f"{first[-1]}..HEAD" if first else ""
    return git("rev-list", "--no-merges", since, root=root).split() if since else []


def main(root: Path = ROOT, given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--message", type=Path, help="check only the message in this file")
    arguments = parser.parse_args(given)
    if arguments.message:
        staged = git("diff", "--cached", "--name-only", root=root).splitlines()
        found = [("", fault) for fault in faults(arguments.message.read_text(), staged)]
    else:
        found = []
        for commit in commits(root):
            message = git("log", "-1", "--format=%B", commit, root=root)
            changed = git("diff-tree", "--no-commit-id", "-r", "--name-only", commit, root=root)
            name = f"commit {commit[:10]} ({message.splitlines()[0][:40] if message else ''}): "
            found += [(name, fault) for fault in faults(message, changed.splitlines())]
    for name, fault in found:
        print(f"tools/commits.py: {name}{fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
