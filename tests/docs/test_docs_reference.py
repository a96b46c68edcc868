# SPDX-License-Identifier: Apache-2.0
"""The API reference is generated without a warning, and everything public is described in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest
from debian import need
from documents import ROOT

import hanji.aead

TOOL = ROOT / "tools/reference.py"


@pytest.fixture(scope="module")
def reference() -> types.ModuleType:
    sys.path.insert(0, str(TOOL.parent))
    try:
        import reference
    finally:
        sys.path.pop(0)
    return reference


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("doxygen")
    out = tmp_path_factory.mktemp("reference")
    done = subprocess.run([sys.executable, TOOL, out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout == f"The API reference of C and Python is in {out / 'index.html'}\n"
        and not done.stderr
    )
    return out


def test_index_leads_to_both(pages: Path) -> None:
    targets = re.findall(r'href="([^"]+)"', (pages / "index.html").read_text())
    assert len(targets) == 2 and all((pages / target).is_file() for target in targets)


def test_every_c_function_is_in_it(pages: Path) -> None:
    exported = [
        line
        for line in (ROOT / "tests/c/exported_symbols.txt").read_text().split()
        if line.startswith("hanji_")
    ]
    text = "".join(page.read_text() for page in (pages / "c").glob("*_8h.html"))
    assert len(exported) > 100
    assert [
        name
        for name in exported
        if not re.search(rf'<h2 class="memtitle">.*</span>{name}\(\)</h2>', text)
    ] == []


def test_python_pages_show_signatures(pages: Path) -> None:
    def shown(page: str) -> str:
        return re.sub(
            r"\s+", " ", re.sub(r"<[^>]+>", "", (pages / "python/hanji" / page).read_text())
        )

    sealing = "def encrypt( self, nonce: BytesLike, data: BytesLike, associated_data: BytesLike | None = None) -> bytes"
    assert shown("aead.html").count(sealing) == len(hanji.aead.__all__), shown("aead.html")[:3000]
    assert "def read(self, length: int) -> bytes" in shown("hashes.html")
    assert "Status: " in shown("aead.html")
    for name in ("Block", "CTR", "CMAC", "EAX"):
        assert f"class {name}" in shown("_core.html")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("/** ESCH256: begin. */\n", "", r"hanji_esch256_init.*is not documented"),
        ("@param steps", "@param stops", r"stops.*not found|argument 'stops'"),
    ],
)
def test_control_gaps_in_headers_are_seen(
    reference: types.ModuleType, tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    need("doxygen")
    shutil.copytree(ROOT / "include", tmp_path / "include")
    header = tmp_path / "include/hanji/hash.h"
    assert old in header.read_text()
    header.write_text(header.read_text().replace(old, new))
    with pytest.raises(reference.ReferenceError, match=complaint):
        reference.c_reference(tmp_path / "out", tmp_path / "include/hanji")


def test_missing_doxygen_is_named(
    reference: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        reference.ReferenceError, match="apt-get install --no-install-recommends doxygen"
    ):
        reference.c_reference(tmp_path / "out")


def test_everything_public_in_python_is_described(reference: types.ModuleType) -> None:
    assert reference.docstring_problems() == []


def test_every_public_module_is_looked_at(reference: types.ModuleType) -> None:
    import hanji

    public = {
        f"hanji.{name}"
        for name in hanji.__all__
        if isinstance(getattr(hanji, name), types.ModuleType)
    }
    assert {"hanji"} | public == set(reference.MODULES)


def test_control_missing_docstrings_are_seen(
    reference: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "undescribed.py").write_text(
        '"""A module."""\nfrom dataclasses import dataclass\n'
        '__all__ = ["told", "bare", "Whole", "Bare", "Data", "tagged"]\n'
        'def told():\n    """Told."""\n'
        "def bare(): pass\n"
        'class Whole:\n    """A class."""\n    def method(self): pass\n'
        "    @property\n    def size(self): return 1\n    @classmethod\n    def make(cls): pass\n"
        "class Bare: pass\n"
        "@dataclass\nclass Data:\n    x: int\n"
        'def tagged():\n    """Takes <name> and `<quoted>`."""\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert reference.docstring_problems(("undescribed",)) == [
        "undescribed.bare has no docstring",
        "undescribed.Whole.method has no docstring",
        "undescribed.Whole.size has no docstring",
        "undescribed.Whole.make has no docstring",
        "undescribed.Bare has no docstring",
        "undescribed.Data has no docstring",
        "undescribed.tagged: <name> outside of backticks would vanish from the page",
    ]
