# SPDX-License-Identifier: Apache-2.0
"""The folders of papers/: each is whole, and nothing but the laboratory reads them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hanji_lab import cycles, papers
from hanji_lab.checkout import LabError

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
NAMES = papers.names(ROOT)
# What goes into the library, its packages and their builds.
PRODUCT = (
    *("src", "include", "python", "cmake", "CMakeLists.txt", "pyproject.toml", "rust", "web"),
    *("tiny", "debian", "tools/amalgam.py", "tools/wheels.py", "tools/systems.py"),
)
# Texts may say `make -C papers/..`, which is for a person to run.
READS = re.compile(r"(?<!make -C )\bpapers/[\w*$]|\b(?:from|import) hanji_lab\b")
COMMENT = re.compile(r"\s*(?:#(?!\s*include)|//|/?\*)")


def read_by(text: str) -> list[str]:
    """The lines of a source that read papers/; comments may name them."""
    return [line for line in text.splitlines() if READS.search(line) and not COMMENT.match(line)]


def test_the_product_reads_no_paper() -> None:
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", *PRODUCT], capture_output=True, text=True, check=True
    )
    found = {}
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.suffix in (".json", ".png", ".ptx", ".md") or "generated" in path.parts:
            continue
        if lines := read_by(path.read_text(encoding="utf-8", errors="replace")):
            found[name] = lines
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        '#include "../papers/one/kernels/a.h"',
        "file(GLOB more ${PROJECT_SOURCE_DIR}/papers/*/kernels/*.S)",
        "from hanji_lab import papers",
    ],
)
def test_control_a_reader_is_seen(text: str) -> None:
    assert read_by(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_is_whole(name: str) -> None:
    folder = papers.folder(name, ROOT)
    assert {"README.md", "paper.yaml", "compare.py", "results"} <= {
        p.name for p in folder.iterdir()
    }
    module = papers.comparison(name, ROOT)
    assert callable(module.measure) and callable(module.compare)
    assert papers.own(name, ROOT)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    for said in ("What they did", "What we did", "## Like for like", "## Where we lose"):
        assert said in readme, f"papers/{name}/README.md: no {said!r}"
    assert f"hanji-lab paper {name} --again" in readme or f"make -C papers/{name} compare" in readme
    assert len(readme.splitlines()) <= 80
    assert f"({name}/README.md)" in (ROOT / "papers/README.md").read_text(encoding="utf-8")


def test_pictures_of_the_report_have_the_names_of_papers() -> None:
    """tools/screenshots.py writes them under these names, and would leave others as they are."""
    pictures = {path.stem.removeprefix("report-") for path in ROOT.glob("docs/report-*.png")}
    assert pictures and pictures <= set(NAMES)


def test_kernels_of_papers_have_names_of_their_own() -> None:
    found = [kernel.name for kernel in cycles.of_papers(ROOT)]
    assert "speck32_rv32i_x1" in found and len(found) == len(set(found))
    assert all(kernel.source.startswith("papers/") for kernel in cycles.of_papers(ROOT))


def test_a_folder_without_a_comparison_is_named(tmp_path: Path) -> None:
    (tmp_path / "papers/one").mkdir(parents=True)
    with pytest.raises(LabError, match=r"papers/one/compare\.py does not exist"):
        papers.comparison("one", tmp_path)
