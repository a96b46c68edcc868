# SPDX-License-Identifier: Apache-2.0
"""tools/commits.py finds messages that tell too little, and leaves older history alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import commits
import pytest

pytestmark = pytest.mark.quick

WHY = "Copy chunks\n\nThe caller may reuse its buffer."


@pytest.mark.parametrize(
    ("message", "changed", "says"),
    [
        ("Copy chunks", ["web/src/sealed.js"], None),
        (WHY, ["src/ascon/aead.c"], None),
        ("Copy chunks", ["src/ascon/aead.c"], "src/ascon/aead.c changes, and no body says why"),
        ("Copy chunks\n\n# a comment of git", ["docs/format.md"], "no body says why"),
        ("x" * 72, [], None),
        ("x" * 73, [], "73 characters, at most 72"),
        ("Copy chunks.", [], "full stop"),
        ("Copy chunks\nat once", [], "second line is not blank"),
        ("", [], "subject is empty"),
    ],
)
def test_messages(message: str, changed: list[str], says: str | None) -> None:
    found = list(commits.faults(message, changed))
    assert len(found) == (says is not None), found
    assert says is None or says in found[0]


def commit(root: Path, name: str, message: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(message)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["add", "-A"], [*who, "commit", "-q", "-m", message]):
        subprocess.run(["git", "-C", root, *words], check=True)


def test_only_commits_that_are_younger_than_the_check_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    commit(tmp_path, "a", "x" * 90)
    commit(tmp_path, commits.HERE, "Check messages")
    assert commits.main(tmp_path, []) == 0
    commit(tmp_path, "src/b", WHY)
    assert commits.main(tmp_path, []) == 0
    commit(tmp_path, "src/c", "Change it")
    assert commits.main(tmp_path, []) == 1
    assert "(Change it): src/c changes" in capsys.readouterr().err


def test_a_message_in_a_file_is_checked_against_what_is_staged(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    message = tmp_path / "message"
    message.write_text("Change it")
    assert commits.main(tmp_path, ["--message", str(message)]) == 0
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a").write_text("a")
    subprocess.run(["git", "-C", tmp_path, "add", "src"], check=True)
    assert commits.main(tmp_path, ["--message", str(message)]) == 1


def test_without_a_history_nothing_is_checked(tmp_path: Path) -> None:
    assert commits.main(tmp_path, []) == 0
