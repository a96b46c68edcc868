# SPDX-License-Identifier: Apache-2.0
"""No message and no document recommends a package of PyPI that is not this project's: the names
hanji and hanji-lab there belong to nobody, or to somebody else.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
# A bare name or an extra of it; not a path (./lab[report]), a wheel (hanji-*.whl), or a requirement
# that pip finds installed already.
NAME = re.compile(r"""(?<![\w./-])hanji(?:-lab)?(?:\[[\w,]+\]|(?![\w.*/-]))""")
COMMAND = re.compile(
    r"\bpip(?:3|x)? +install\b([^\n`]*)|\buv(?: +pip)? +(?:add|install)\b([^\n`]*)"
)
EXTRA = re.compile(r"""(?<![\w./-])hanji(?:-lab)?\[\w""")
REQUIREMENTS = {"pyproject.toml", "lab/pyproject.toml", "CHANGELOG.md"}


def wrong(text: str) -> list[str]:
    """Commands that would take one of the names from PyPI, and extras of them."""
    commands = [first or second for first, second in COMMAND.findall(text)]
    return [one for one in commands if NAME.search(one)] + EXTRA.findall(text)


def test_no_text_recommends_a_name_that_is_not_ours():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    found = {}
    for name in listed:
        path = ROOT / name
        if name in REQUIREMENTS or name.startswith("tests/") or not path.is_file():
            continue
        if path.suffix in (".py", ".md", ".sh", ".toml", ".txt", ".yml", ".html", "") and (
            names := wrong(path.read_text(encoding="utf-8", errors="replace"))
        ):
            found[name] = names
    assert not found


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("pip install hanji", True),
        ("pip install 'hanji[arrow]'", True),
        ("python -m pip install --upgrade hanji-lab", True),
        ("install `hanji[ray]`", True),
        ("uv add hanji", True),
        ("pip install hanji-*.whl", False),
        ("pip install ./hanji", False),
        ("pip install './lab[report]'", False),
        ("pip install pyarrow", False),
    ],
)
def test_the_search_finds_such_names_and_no_others(text, is_wrong):
    assert bool(wrong(text)) == is_wrong
