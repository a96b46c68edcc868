# SPDX-License-Identifier: Apache-2.0
"""A figure is stale when the code of a source has changed, and not after a comment or a move."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanji_lab import results
from hanji_lab.fingerprints import fingerprint

pytestmark = pytest.mark.quick

BEFORE = {
    "a.c": '#include "room/b.h"\n/* old */ int f(void) { return 1; } // old\n',
    "a.S": "// old\n    add a0, a0, a1\n",
    "a.ptx": "// old\nadd.u32 %r1, %r1, 1;\n",
    "a.py": '"""Old."""\n\n\ndef f(x):\n    return x + 1  # old\n',
    "a.cmake": "# old\nset(x -O2)\n",
    "a.yaml": "# old\nx: 1\n",
    "a.json": '{"x": 1}\n',
}
SAME = {
    "a.c": '#include "other/place/b.h"\nint f(void)\t{\n return /* new */ 1; }\n'.replace(
        "\n r", " r"
    ),
    "a.S": "\n\n    add a0, a0, a1 // new\n",
    "a.ptx": "/* new\n   comment */\nadd.u32 %r1, %r1, 1;\n",
    "a.py": '# new\ndef f(x):\n    """New."""\n    return (x +\n            1)\n',
    "a.cmake": "set(x -O2)\n\n",
    "a.yaml": "x: 1\n",
}
OTHER = {
    "a.c": '#include "room/c.h"\nint f(void) { return 1; }\n',
    "a.S": "    add a0, a0, a2\n",
    "a.ptx": "add.u32 %r1, %r1, 2;\n",
    "a.py": "def f(x):\n    return x + 2\n",
    "a.cmake": "set(x -O3)\n",
    "a.yaml": "x: '#'\n",
    "a.json": '{"x": 1}',
}


def mark(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return fingerprint(path)


@pytest.mark.parametrize("name", SAME)
def test_comments_blank_lines_and_folders_do_not_count(tmp_path: Path, name: str) -> None:
    assert mark(tmp_path, name, BEFORE[name]) == mark(tmp_path, name, SAME[name])


@pytest.mark.parametrize("name", OTHER)
def test_code_counts(tmp_path: Path, name: str) -> None:
    assert mark(tmp_path, name, BEFORE[name]) != mark(tmp_path, name, OTHER[name])


def test_a_source_that_has_moved_is_not_stale_but_one_that_has_changed_or_gone_is(
    tmp_path: Path,
) -> None:
    (tmp_path / "src").mkdir()
    recorded = {"src/a.S": mark(tmp_path / "src", "a.S", BEFORE["a.S"])}
    assert results.stale(recorded, tmp_path) == []
    (tmp_path / "src/a.S").write_text(OTHER["a.S"])
    assert results.stale(recorded, tmp_path) == ["src/a.S"]
    moved = tmp_path / "moved"
    (moved / "papers/deep").mkdir(parents=True)
    (moved / "papers/deep/a.S").write_text(SAME["a.S"])
    assert results.stale(recorded, moved) == []
    built = tmp_path / "built"
    (built / "build").mkdir(parents=True)
    (built / "build/a.S").write_text(SAME["a.S"])
    assert results.stale(recorded, built) == ["src/a.S"], "a copy in build/ is no source"
    (moved / "papers/deep/a.S").write_text(OTHER["a.S"])
    assert results.stale(recorded, moved) == ["src/a.S"]


def test_of_python_that_does_not_parse_everything_counts(tmp_path: Path) -> None:
    broken = mark(tmp_path, "a.py", "def f(:  # a\n")
    assert broken != mark(tmp_path, "a.py", "def f(:  # b\n")
