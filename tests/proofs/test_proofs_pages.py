# SPDX-License-Identifier: Apache-2.0
"""The pages of verdicts (docs/proved*.md) show every kernel once, with what is proved of it or why
nothing is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import proving
import pytest

from hanji_lab.prove import pages, soundness

DOCS = proving.ROOT / "docs"
# Rows of a page. A row takes about 45 pixels of height at a width of 1,280, and no page of the
# site may be higher than 15,000 pixels.
MOST_ROWS = 280


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes a library whose kernels have only this function."""
    every = soundness.all_kernels(proving.ROOT)

    def only(function: str) -> None:
        kept = [one for one in every if one.symbol == function]
        assert len(kept) == 1
        monkeypatch.setattr(soundness, "all_kernels", lambda root: kept)

    return only


def _stored(verdict: str = "proved") -> list[dict[str, Any]]:
    rows = json.loads((proving.ROOT / soundness.STORED).read_text())
    return [row for row in rows if row["verdict"] == verdict]


def _shown(text: str) -> tuple[list[str], list[str]]:
    """The functions with a row on a page, by their anchors, and those listed as not proved."""
    rows, _, rest = text.partition("\n## Not proved\n")
    anchors = re.findall(r'^\| <a id="(\w+)"></a>`(\w+)`', rows, re.MULTILINE)
    assert all(one == other for one, other in anchors)
    assert len(anchors) == rows.count("\n| <a ")
    return [one for one, _ in anchors], re.findall(r"`(\w+)`", rest)


def test_every_kernel_is_on_one_page() -> None:
    kernels = soundness.all_kernels(proving.ROOT)
    sets = [isa for isas in pages.PAGES.values() for isa in isas]
    assert sorted(sets) == sorted(pages.SETS) and {one.isa for one in kernels} <= set(sets)
    for page, isas in pages.PAGES.items():
        text = (DOCS / f"{page}.md").read_text()
        proved, rest = _shown(text)
        here = {one.symbol.removeprefix("hanji_") for one in kernels if one.isa in isas}
        assert here and here <= {*proved, *rest}, page
        assert set(proved) <= here and len(proved) == len(set(proved)), page


def test_pages_are_short() -> None:
    for page in pages.PAGES:
        rows = len(_shown((DOCS / f"{page}.md").read_text())[0])
        assert rows <= MOST_ROWS, f"docs/{page}.md has {rows} rows: split it in pages.PAGES"


def test_summary_leads_to_every_page() -> None:
    text = (DOCS / "proved.md").read_text()
    for page, isas in pages.PAGES.items():
        for isa in isas:
            assert f"| [{pages.SETS[isa]}]({page}.md) |" in text


def test_compilers_share_a_line_where_they_agree(few: Callable[[str], None]) -> None:
    rows = [row for row in _stored() if row["source"].endswith("speck128_avx2.c")]
    one = rows[0]["function"]
    rows = [row for row in rows if row["function"] == one]
    assert [row["binary"].split()[0] for row in rows] == ["clang", "gcc"]
    few(one)
    both = pages.lines(proving.ROOT, rows)
    assert [(line.verdict, len(line.compilers)) for line in both] == [("proved", 2)]
    name = one.removeprefix("hanji_")

    # Now only gcc's code is proved, and clang's waits: the function has a row and is listed.
    held = pages.lines(proving.ROOT, rows[1:])
    text = pages.page(held, ["avx2"])
    assert _shown(text)[0] == [name] and name in _shown(text)[1]
    assert " 0/1 " in pages.by_family(held), "proved for one of two compilers is not proved"
    assert " 1/1 " in pages.by_family(both)


@pytest.mark.parametrize("verdict", ["refused", "counterexample"])
def test_what_is_wrong_is_said(verdict: str, few: Callable[[str], None]) -> None:
    row = {**_stored()[0], "verdict": verdict, "why": "an address from data"}
    few(row["function"])
    line = pages.lines(proving.ROOT, [row])
    name = row["function"].removeprefix("hanji_")
    text = pages.page(line, [row["isa"]])
    assert name not in _shown(text)[0]
    assert re.search(rf"\*\*{verdict}\*\*: an address from data:\n\n`{name}`", text), text[-800:]
    assert f"**{verdict}**: an address from data | 1 on " in pages.not_proved(line)


def test_a_row_says_for_what_it_is_proved(few: Callable[[str], None]) -> None:
    first = next(row for row in _stored() if row["isa"] == "avx512" and "clang" in row["binary"])
    few(first["function"])

    def shown(scope: dict[str, str]) -> str:
        row = {**first, "scope": scope}
        text = pages.page([one for one in pages.lines(proving.ROOT, [row]) if one.row], ["avx512"])
        return text.partition("`")[2].partition("\n")[0].partition("`")[2]

    assert shown({"separate": "0 and more", "in place": "0 and more"}) == (
        " | 0 and more | yes | induction |"
    )
    assert shown({"separate": "one"}) == " | one | no | one run |"
    each = {f"messages in lockstep: {how}, state {n}": "one" for how in "ab" for n in (0, 1)}
    assert shown(each) == (
        "<br>messages in lockstep: a; b (states one by one) | one | no | one run |"
    )


def test_nothing_is_missing_when_all_is_proved(few: Callable[[str], None]) -> None:
    row = next(row for row in _stored() if row["isa"] == "rv32i")
    few(row["function"])
    line = pages.lines(proving.ROOT, [row])
    assert "Every kernel on this page is proved." in pages.page(line, [row["isa"]])
    assert pages.not_proved(line) == "No kernel is without a proof.\n"
