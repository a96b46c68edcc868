# SPDX-License-Identifier: Apache-2.0
"""ARCHITECTURE.md shows the house as it is: the picture, the table of rooms and the walk of a call
follow the sources.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest
from documents import ROOT

pytestmark = pytest.mark.quick

TOOL = ROOT / "tools/house.py"
TEXT = (ROOT / "ARCHITECTURE.md").read_text()


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    monkeypatch.syspath_prepend(TOOL.parent)
    import house

    return house


def test_the_picture_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the script reads, as empty as it may be."""
    for name in ("include", "python", "cmake"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.so"))
    for name in ("lab", "tests"):
        (tmp_path / name).mkdir()
    for name in ("support", "speck"):
        shutil.copytree(ROOT / "src" / name, tmp_path / "src" / name)
    return tmp_path


def test_control_a_new_room_a_kernel_and_an_include_show_up(
    house: types.ModuleType, copy: Path
) -> None:
    before = house.picture(copy)
    room = copy / "src/annex"
    room.mkdir()
    (room / "annex.c").write_text('#include "speck/speck.h"\n')
    after = house.picture(copy)
    assert ">annex</text>" in after and ">annex</text>" not in before
    assert "annex includes speck" in after
    assert after.count('class="arrow"') == before.count('class="arrow"') + 1
    (room / "annex_sha3.c").write_text("\n")
    assert after.count(">sha3</text>") + 1 == house.picture(copy).count(">sha3</text>")


def test_control_a_circle_of_rooms_is_refused(house: types.ModuleType, copy: Path) -> None:
    (copy / "src/annex").mkdir()
    (copy / "src/annex/annex.c").write_text('#include "speck/speck.h"\n')
    (copy / "src/speck/more.c").write_text('#include "annex/annex.h"\n')
    with pytest.raises(ValueError, match="annex -> speck -> annex"):
        house.picture(copy)


def rooms_without_a_row(text: str, rooms: list[str]) -> list[str]:
    """Rooms that the first column of the table does not name."""
    named = {
        name
        for row in re.findall(r"^\| (`src/[^|]*)\|", text, re.MULTILINE)
        for name in re.findall(r"`src/(\w+)`", row)
    }
    return sorted(set(rooms) - named)


def test_every_room_has_a_row(house: types.ModuleType) -> None:
    assert rooms_without_a_row(TEXT, list(house.rooms(ROOT))) == []
    assert rooms_without_a_row(TEXT, ["speck", "annex"]) == ["annex"]


def lost_steps(text: str, root: Path) -> list[str]:
    """Steps of the walks whose name does not stand in the file beside it; walks are numbered from 1
    on.
    """
    steps = re.findall(r"^\| (\d+) \| `([^`]+)` \| `([^`]+)` \|", text, re.MULTILINE)
    numbers = [int(number) for number, _, _ in steps]
    expected = [0 if after == 1 else after - 1 for after in numbers]
    walks = numbers.count(1)
    lost = [
        f"{file}: {name}"
        for _, file, name in steps
        if not re.search(rf"\b{re.escape(name)}\b", (root / file).read_text())
    ]
    lost += [
        f"step {after} follows step {before}"
        for before, after, wanted in zip([0, *numbers], numbers, expected, strict=False)
        if wanted not in (0, before)
    ]
    return lost + ([] if walks >= 4 else [f"{walks} walks, at least four are expected"])


def test_the_walk_of_a_call_can_be_followed() -> None:
    assert lost_steps(TEXT, ROOT) == []
    changed = TEXT.replace("`next_row` |", "`next_none` |")
    assert lost_steps(changed, ROOT) == ["src/modes/block.c: next_none"]
    gap = re.sub(r"^\| 5 \| `src/aimer/aimer.c` .*\n", "", TEXT, flags=re.MULTILINE)
    assert lost_steps(gap, ROOT) == ["step 6 follows step 4"]
    assert lost_steps(TEXT.replace("| 1 | `python/", "| 2 | `python/"), ROOT)


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
NAME = re.compile(r"\b(?:hanji|HANJI)_(?:[a-z]\w*[a-z0-9]|[A-Z][A-Z0-9_]*[A-Z0-9])\b(?!\*|_)")
# A name that the glossary replaces, and the Python package of the laboratory.
NOWHERE = {"hanji_even", "hanji_lab"}


def lost_names(text: str, code: set[str], files: set[str]) -> list[str]:
    """Names of C, and paths, that a text mentions and that are nowhere."""
    names = set(NAME.findall(text)) - NOWHERE - code
    paths = set(re.findall(r"(?<![\w./*-])((?:src|lab|tools|tests)/[\w./-]+\.\w+)\b(?!\*)", text))
    return sorted(names | (paths - files))


def test_names_in_comments_and_documents_are_found() -> None:
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True
    ).stdout.split("\0")
    code: set[str] = set()
    texts: dict[str, str] = {"ARCHITECTURE.md": TEXT}
    texts["CONTRIBUTING.md"] = (ROOT / "CONTRIBUTING.md").read_text()
    for name in listed:
        if name.startswith(("src/", "include/", "python/src/", "cmake/", "CMakeLists")):
            whole = (ROOT / name).read_text(errors="replace")
            if not name.endswith((".c", ".h")) or "/generated/" in name:
                code.update(NAME.findall(whole))
                continue
            code.update(NAME.findall(COMMENT.sub(" ", whole)))
            texts[name] = "\n".join(COMMENT.findall(whole))
    files = set(listed)
    lost = {name: found for name, text in texts.items() if (found := lost_names(text, code, files))}
    assert lost == {}
    control = "see hanji_nowhere(), HANJI_NONE and src/speck/none.c; hanji_wipe() of src/support"
    assert lost_names(control, code, files) == ["HANJI_NONE", "hanji_nowhere", "src/speck/none.c"]
