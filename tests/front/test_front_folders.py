# SPDX-License-Identifier: Apache-2.0
"""Folders that tools fill: what others have put there stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import firmware_packages
import folders
import pytest
import website

import web

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]


def test_a_folder_of_an_earlier_call_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "new/folder"
    for made in ([], [], ["mark", "old"]):
        for name in made:
            (folder / name).touch()
        folders.anew(folder, "mark")
        assert list(folder.iterdir()) == []


def test_folders_for_what_is_built_need_no_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that failed leaves none there. The folders themselves are not such folders."""
    monkeypatch.setattr(folders, "OURS", (tmp_path,))
    (tmp_path / "site").mkdir()
    (tmp_path / "site/half").touch()
    folders.anew(tmp_path / "site", "mark")
    assert list((tmp_path / "site").iterdir()) == []
    with pytest.raises(folders.FolderError):
        folders.anew(tmp_path, "mark")


def test_other_folders_are_refused_by_every_tool(tmp_path: Path) -> None:
    """OUT may be a home, or the sources."""
    mine = {tmp_path / f"{name}/mine" for name in ("package", "page", "arduino", "site")}
    for path in mine:
        path.parent.mkdir()
        path.write_text("mine")
    with pytest.raises(folders.FolderError, match="has other things in it"):
        web.package(tmp_path / "package", b"")
    noble = tmp_path.parent / f"{tmp_path.name}-noble"
    noble.mkdir()
    for name in web.NOBLE:
        (noble / name).touch()
    with pytest.raises(folders.FolderError):
        web.page(tmp_path / "page", tmp_path, noble)
    with pytest.raises(folders.FolderError):
        firmware_packages.make(tmp_path)
    with pytest.raises(folders.FolderError):
        website.site(tmp_path / "site")
    crate = ["sh", str(ROOT / "tools/crate.sh"), str(tmp_path)]
    done = subprocess.run(crate, capture_output=True, text=True)
    assert done.returncode == 1 and "has other things in it" in done.stderr
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == mine


def test_an_amalgam_leaves_files_of_others_beside_it(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "tools/amalgam.py"), "--out", str(tmp_path)]
    (tmp_path / "startup.S").write_text("mine")
    (tmp_path / "hanjis.c").write_text("mine")
    for isa, kernels in (("rv32i", {"sparkle384_rv32i.S"}), ("portable", set())):
        more = ["--algorithms", "schwaemm256-128", "--isa", isa]
        subprocess.run([*script, *more], check=True, capture_output=True)
        made = {path.name for path in tmp_path.iterdir()} - {"startup.S", "hanjis.c"}
        assert made == {"hanji.c", "hanji.h"} | kernels, isa
    assert (tmp_path / "startup.S").read_text() == (tmp_path / "hanjis.c").read_text() == "mine"
