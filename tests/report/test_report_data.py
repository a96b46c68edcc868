# SPDX-License-Identifier: Apache-2.0
"""The papers as data: what is published, which of our results answer to it, and what the papers say
of their own figures.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from debian import need

from hanji_lab import charts, cli, papers, report
from hanji_lab.checkout import LabError
from hanji_lab.gpu.assemble import tool
from hanji_lab.papers import Chart, Series, authors, like, rows
from hanji_lab.report import goals

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
PTX = "speck-simon-simeck-ptx"
ROWS = {
    "sparkle-armv8": 9,
    "speck-cham-rv32": 5,
    "speck-simon-simeck-ptx": 18,
    "aimer-armv8": 18,
    "rainbow-armv8": 79,
    "lwc-mcu": 144,
}


def test_the_papers_have_all_their_rows() -> None:
    assert {name: len(papers.load(name, ROOT)["rows"]) for name in papers.names(ROOT)} == ROWS
    assert set(report.PAPERS) == set(report.TITLES) == set(ROWS)


def published_values(name: str) -> Iterator[str]:
    text = (papers.folder(name, ROOT) / "paper.yaml").read_text()
    for value in re.findall(
        r"value: ([\d.]+)", text.partition("statements:")[0].partition("\nours:")[0]
    ):
        if len(value.replace(".", "")) >= 4:
            yield value


def test_no_published_number_lives_in_code() -> None:
    values = {value for name in ROWS for value in published_values(name)}
    assert len(values) > 30
    code = "".join(
        path.read_text()
        for path in [
            *(ROOT / "lab/papers").glob("*.py"),
            *ROOT.glob("papers/*/compare.py"),
            *(ROOT / "lab/report").glob("*"),
        ]
        if path.is_file()
    )
    assert [
        value for value in values if re.search(rf"(?<![\d.]){re.escape(value)}(?![\d.])", code)
    ] == []


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_row_has_an_answer_or_says_why_not(name: str) -> None:
    found = rows.pairs(papers.load(name, ROOT), [*papers.own(name, ROOT), *papers.also(name, ROOT)])
    assert [pair.row["what"] for pair in found if not pair.answers] == []
    assert [
        pair.row["what"] for pair in found if all(answer.figure is None for answer in pair.answers)
    ] == []
    answered = [answer for pair in found for answer in pair.answers if answer.figure is not None]
    assert answered and all(
        answer.entry and (answer.ratio or answer.bound) and answer.figure > 0 for answer in answered
    )
    assert all(answer.absent for pair in found for answer in pair.answers if answer.figure is None)


def test_the_papers_contradictions_are_found() -> None:
    said = {
        name: [
            s
            for agreed, s in [
                *rows.statements(papers.load(name, ROOT)),
                *rows.orders(papers.load(name, ROOT)),
            ]
            if not agreed
        ]
        for name in ROWS
    }
    assert said["speck-cham-rv32"] == said["aimer-armv8"] == []
    (cut,) = said["sparkle-armv8"]
    assert "gives 2.1 times" in cut and cut.endswith("2.16 times: cut off, not rounded.")
    assert len(said[PTX]) == 3 and any(
        "20 % less for the time of SPECK" in s and "33 % less (messages 15,360)" in s
        for s in said[PTX]
    )
    assert len(said["rainbow-armv8"]) == 3
    assert "level V cz, signature 1696, and level V classic, signature 1632 bit" in (
        said["rainbow-armv8"].pop(1)
    )
    assert (
        "28.85 times for signing of V Classic" in said["rainbow-armv8"][0]
        and "24.85 times" in said["rainbow-armv8"][0]
    )
    assert (
        "level III classic, verify, this work 5.86, and level V classic, verify, this work 2.69"
        in said["rainbow-armv8"][1]
    )


PAPER: dict[str, Any] = {
    "rows": [
        {"table": 1, "what": "old", "design": "old", "size": 1, "value": 30.0, "unit": "ns"},
        {"table": 1, "what": "new", "design": "new", "size": 1, "value": 20.0, "unit": "ns"},
    ],
    "statements": [
        {
            "says": "speed",
            "value": 1.5,
            "how": "times",
            "from": {"design": "old"},
            "to": {"design": "new"},
        }
    ],
    "orders": [{"says": "The new one is faster", "rows": [{"design": "new"}, {"design": "old"}]}],
    "ours": [
        {
            "label": "ours",
            "select": {"kernel": "k_{design}"},
            "figure": "deep.cycles",
            "per": "states",
            "divide": 2,
            "alike": True,
        }
    ],
}
ENTRY = {
    "kernel": "k_old",
    "cache": "warm",
    "deep": {"cycles": 80},
    "states": 2,
    "kind": "rtl",
    "machine": "m",
    "operation": "o",
}


def test_statements_are_judged_by_their_last_digit() -> None:
    assert list(rows.statements(PAPER)) == [
        (True, "The text gives 1.5 times for speed. Its own rows give 1.5 times.")
    ]
    wrong = PAPER | {"statements": [PAPER["statements"][0] | {"value": 1.7}]}
    assert [agreed for agreed, _ in rows.statements(wrong)] == [False]
    less = PAPER | {"statements": [PAPER["statements"][0] | {"value": 33, "how": "less"}]}
    assert list(rows.statements(less)) == [
        (True, "The text gives 33 % less for speed. Its own rows give 33 % less.")
    ]
    with pytest.raises(LabError, match="the statement 'speed' picks no rows"):
        list(
            rows.statements(
                PAPER | {"statements": [PAPER["statements"][0] | {"from": {"design": "third"}}]}
            )
        )


def test_orders_are_judged() -> None:
    assert [agreed for agreed, _ in rows.orders(PAPER)] == [True]
    turned = PAPER | {
        "orders": [
            {"says": "The old one is faster", "rows": [{"design": "old"}, {"design": "new"}]}
        ]
    }
    assert list(rows.orders(turned)) == [
        (False, "The old one is faster. But in table 1: old 30, and new 20 ns.")
    ]
    with pytest.raises(LabError, match="picks 2 rows, one expected"):
        list(rows.orders(PAPER | {"orders": [{"says": "any", "rows": [{"size": 1}]}]}))


def test_answers_and_where_ours_is_slower() -> None:
    old, new = rows.pairs(PAPER, [{**ENTRY, "cache": "cold", "deep": {"cycles": 1}}, ENTRY])
    assert (
        old.answers[0].figure == 20
        and old.answers[0].ratio == 1.5
        and new.answers[0].absent == "not measured"
    )
    assert rows.slower([old]) == []
    (slow, _) = rows.pairs(PAPER, [{**ENTRY, "deep": {"cycles": 160}}])
    assert rows.slower([slow]) == ["old: ours: 40 ns, 1.33 times the published 30."]
    assert rows.absent([old, new, new]) == {"ours: not measured": 2}
    paper = PAPER | {"machine": "a board"}
    (table,) = rows.tables(paper, [old, new], stale=lambda entry: True)
    assert table.title.startswith(
        "every row of table 1 (a board), and ours; in brackets published / ours"
    )
    assert table.rows == [["old", "30.0 ns", "20† (1.50)"], ["new", "20.0 ns", "not measured"]]
    assert table.rows[0][2].entries == (ENTRY,)
    first, second = rows.objects([{"value": 30.0}, {"value": 20.0}], [old, new])
    assert (
        first["ours"][0]["published_over_ours"] == 1.5
        and first["ours"][0]["machine"] == "m"
        and second["ours"][0]["absent"] == "not measured"
    )


def test_a_paper_that_lacks_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "papers/one").mkdir(parents=True)
    (tmp_path / "papers/one/paper.yaml").write_text(
        yaml.safe_dump(
            {"citation": "a", "machine": "b", "rows": [{"table": 1, "what": "c", "value": 2}]}
        )
    )
    with pytest.raises(LabError, match="row 1 lacks unit"):
        papers.load("one", tmp_path)
    with pytest.raises(LabError, match="paper 'two' given, one of one expected"):
        papers.load("two", tmp_path)


def lab(*arguments: str) -> Any:
    return CliRunner().invoke(cli.app, list(arguments))


def test_stored_results_are_shown_while_they_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: Any) -> None:
        raise AssertionError("measured")

    monkeypatch.setattr(papers, "measure", never)
    monkeypatch.setattr(papers, "stale", lambda entries, root: [])
    done = lab("paper", "all")
    assert done.exit_code == 0, done.output
    assert all(
        text in done.stdout
        for text in (
            "SPARKLE256, big",
            "CHAM-64/128, cycles per byte",
            "published: table 3",
            "rainbow-v-compressed",
            "aimer2-256f",
        )
    )
    listed = lab("paper", PTX, "--json")
    assert (
        listed.exit_code == 0
        and listed.stdout.count('"kind": "published"') == 18
        and '"kind": "count"' in listed.stdout
    )
    monkeypatch.setattr(papers, "stale", lambda entries, root: ["src/gpu/gpu.c"])
    assert isinstance(lab("paper", PTX).exception, AssertionError)
    assert isinstance(lab("paper", PTX, "--again").exception, AssertionError)
    assert lab("paper", PTX, "--stored").exit_code == 0


BARS = Chart(
    "b",
    "Bars & <more>",
    "bars",
    "place",
    "height",
    [Series("one", {"p": 1.0, "q": 2.0}), Series("two", {"q": 3.0}, published=True)],
    {"l": 1.5},
)
LINES = Chart(
    "l", "Lines", "lines", "size", "cost", [Series("one", {1: 1.0, 16: 20.0})], logarithmic=True
)


@pytest.mark.parametrize(
    ("ending", "theme"), [("svg", "light"), ("svg", "dark"), ("png", "dark"), ("pdf", "light")]
)
def test_charts_are_drawn_the_same_each_time(tmp_path: Path, ending: str, theme: str) -> None:
    files = [tmp_path / f"{name}.{ending}" for name in ("one", "two")]
    for file in files:
        charts.draw([BARS, LINES], file, theme)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert b"CreationDate" not in files[0].read_bytes()


def test_charts_of_pages_are_drawn_the_same_each_time(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"a name that ends in \.svg"):
        charts.draw([BARS], tmp_path / "one.bmp", "light")
    inline = charts.inline(BARS, "here")
    assert (
        inline.startswith("<svg role=")
        and "Bars &amp; &lt;more&gt;. one: 1 to 2. two: 3." in inline
    )
    assert (
        "var(--series-0)" in inline
        and not re.search(r"#0102[0-9a-f]{2}\b", inline)
        and 'id="figure_1"' not in inline
    )
    assert charts.inline(BARS, "here") == inline
    high = charts.inline(dataclasses.replace(BARS, levels={"l": 7.0}), "here")
    assert ">7<" in high and ">7<" not in inline  # the axis reaches its highest level
    narrow = charts.inline(BARS, "here", narrow=True)
    assert charts.inline(BARS, "here", narrow=True) == narrow != inline


def test_pictures_follow_their_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import tables

    assert tables.pictures(check=True) == []
    points = {256: 1.0, 512: 2.0}
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    monkeypatch.setattr(
        tables,
        "PICTURES",
        {"one": lambda: [Chart("c", "A chart", "lines", "x", "y", [Series("s", dict(points))])]},
    )
    assert (
        tables.pictures(check=True) == ["docs/one.svg", "docs/one-dark.svg"]
        and not (tmp_path / "docs").exists()
    )
    assert len(tables.pictures(check=False)) == 2 and tables.pictures(check=True) == []
    light, dark = ((tmp_path / f"docs/one{ending}.svg").read_text() for ending in ("", "-dark"))
    assert charts.THEMES["light"].ink in light and charts.THEMES["dark"].ink in dark
    points[512] = 3.0
    assert tables.pictures(check=True) == ["docs/one.svg", "docs/one-dark.svg"]


def test_goals_are_judged(tmp_path: Path) -> None:
    def goal(bound: float, figure: float | None, at_most: bool = True) -> goals.Goal:
        return goals.Goal("speed", bound, at_most, "cycles", figure, None)

    assert (
        goal(10, 9.9).verdict
        == goal(10, 10.03).verdict
        == goal(1.9, 1.91, at_most=False).verdict
        == "reached"
    )
    assert (
        goal(10, 10.06).verdict == "short by less than 1 %"
        and goal(1.9, 1.8, at_most=False).verdict == "short by 5 %"
    )
    assert goal(10, None).verdict == "not measured" and goal(10, None).short == 0
    assert goal(10, 12).sentence == "speed: 12 cycles, at most 10 wanted (short by 20 %)."
    found = goals.goals(ROOT)
    assert len(found) > 90 and sum(one.figure is not None for one in found) > 80
    assert all(one.figure is None for one in goals.goals(tmp_path))
    section = report.goals_section(ROOT)
    assert len(section.grids[0].rows) == len(found) and len(section.short) == sum(
        one.short > 0 for one in found
    )


def test_where_counts_are_above_published_cycles() -> None:
    counted = PAPER | {"ours": [PAPER["ours"][0] | {"alike": False, "unit": "instructions"}]}
    entry = ENTRY | {"kind": "count", "deep": {"cycles": 160}}
    (said,) = rows.above(rows.pairs(counted, [entry]))
    assert said.startswith(
        "ours: in 1 row more instructions than the published ns, at most 1.3 times (old)."
    )
    assert rows.above(rows.pairs(counted, [entry | {"deep": {"cycles": 80}}])) == []
    assert rows.above(rows.pairs(counted, [entry | {"kind": "host"}])) == []
    (said,) = rows.above(rows.pairs(counted, [entry | {"machine": "qemu:cortex-m3"}]))
    assert said.endswith("An instruction takes a cycle at the least there, so ours is slower.")


def test_like_for_like() -> None:
    """Two blocks against two blocks, the authors' code against ours; and one sentence for each."""
    for name in ROWS:
        content = papers.load(name, ROOT)
        found = like.likes(content, [*papers.own(name, ROOT), *papers.also(name, ROOT)])
        assert len(found) == len(content.get("like", ())), name
        said = like.verdict(content, found)
        assert len(said) > 60 and "{" not in said, said
        assert "is not measured" in like.verdict(content, []) or not content.get("like")
        assert set(content.get("groups", {})) == {one.group for one in found}
    by = {
        one.id: one
        for name in ("speck-cham-rv32", PTX, "sparkle-armv8")
        for one in like.likes(papers.load(name, ROOT), report._entries(name, ROOT))
    }
    assert by["speck-two"].ratio == pytest.approx(1, abs=0.01)
    assert by["speck-ecb"].ratio == pytest.approx(52.5 / by["speck-ecb"].ours.figure)
    assert (
        by["speck-ctr"].ratio == pytest.approx(0.8) and by["speck-ctr"].ours.note == "memory binds"
    )
    assert by["best-256"].theirs.figure == pytest.approx(232.688 * 1.5)
    slow = like.Like("a", "a", "b", "c", like.Side(1, None), like.Side(2, None), 0.5)
    assert like.worse([slow]) == ["b: theirs 1.00, ours 2.00 c."]
    large = like.Like("a", "a", "b", "c", like.Side(150, None), like.Side(20, None), 7.5)
    assert like.texts([large]) == [("150.0", "20.0")]
    assert like.texts([slow, large]) == [("1.00", "2.00"), ("150.00", "20.00")]
    assert like.worse([by["speck-ecb"]]) == []


def test_a_bound_is_no_answer() -> None:
    content = papers.load(PTX, ROOT)
    entries = [*papers.own(PTX, ROOT), *papers.also(PTX, ROOT)]
    # as it was before a GPU had run
    found = rows.pairs(content, [one for one in entries if one.get("table") != "3"])
    bounds = [answer for pair in found for answer in pair.answers if answer.bound]
    assert len(bounds) == 24 and all(one.ratio is None and one.figure for one in bounds)
    only = [pair for pair in found if all(a.bound or a.figure is None for a in pair.answers)]
    assert only and rows.answered(found) == len(found) - len(only)
    # memory binds SPECK: 32 bytes a message of an RTX 2060's 336 GB/s
    (speck,) = {
        a.figure
        for pair in found
        for a in pair.answers
        if a.bound and a.own and pair.row["cipher"] == "speck" and pair.row["messages"] == 15360
    }
    assert speck == pytest.approx(15360 * 32 / 336e9 * 1e3)


def test_figures_of_reviewers_are_no_results(tmp_path: Path) -> None:
    found = papers.reviewed("sparkle-armv8", ROOT)
    assert len(found) == 12 and {one["kind"] for one in found} == {"reviewed"}
    assert not any(one["kind"] == "reviewed" for one in papers.own("sparkle-armv8", ROOT))
    content = papers.load("sparkle-armv8", ROOT) | {"reviewed": [{"id": "another", "machine": "m"}]}
    with pytest.raises(LabError, match="'another' is no kernel of its authors"):
        authors.reviewed(content, "sparkle-armv8", ROOT)


STAND_IN = """\
    .text
    .globl theirs
theirs:
    mov x9, t1
    add x18, x18, #1
    ldr x1, [x0]
    eor x1, x1, x9
    str x1, [x0]
    ret
"""
STANDS = {
    "authors": {
        "repository": "somebody/kernels",
        "commit": "0123abc",
        "machines": ["qemu:aarch64"],
        "kernels": [
            {
                "id": "theirs",
                "file": "of theirs/a.S",
                "symbol": "theirs",
                "isa": "a64",
                "signature": "state:8:rw",
                "allow": ["x18"],
                "repairs": [{"from": "t1", "to": "#5", "why": "no such register"}],
            }
        ],
    }
}


def test_the_authors_code_runs_where_it_is_fetched(tmp_path: Path) -> None:
    """A stand-in of our own: a file with one thing to repair, which changes a reserved register."""
    need("gcc-aarch64-linux-gnu", "qemu-user")
    (tmp_path / "of theirs").mkdir()
    path = tmp_path / "of theirs/a.S"
    path.write_text(STAND_IN)
    spec = tmp_path / "spec.py"
    spec.write_text("def flip(state):\n    return bytes([state[0] ^ 5]) + state[1:]\n")
    given: dict[str, Any] = yaml.safe_load(yaml.safe_dump(STANDS))
    (kernel,) = given["authors"]["kernels"]
    kernel["spec"] = f"{spec}:flip"

    def measured() -> list[Any]:
        return list(authors.measure(given, "one", tmp_path, ROOT, "a test"))

    (result,) = measured()
    assert result.instructions == 6 and result.more["authors"] == "theirs"
    assert result.more["repaired"] is True
    assert list(result.provenance.sources) == ["somebody/kernels at 0123abc: of theirs/a.S"]
    kernel["allow"] = []
    with pytest.raises(LabError, match="does not keep x18; Linux does not reserve x18: --allow"):
        measured()
    kernel["repairs"][0]["from"] = "t2"
    with pytest.raises(LabError, match="'t2', which is to be repaired, is not there"):
        measured()
    path.unlink()
    with pytest.raises(LabError, match="expects a copy of somebody/kernels at 0123abc"):
        measured()
    with pytest.raises(LabError, match="no mapping of the authors' code of aimer-armv8"):
        list(
            authors.measure(
                papers.load("aimer-armv8", ROOT), "aimer-armv8", tmp_path, ROOT, "a test"
            )
        )


def test_kernels_for_gpus_of_authors_are_counted_without_one(tmp_path: Path) -> None:
    """A stand-in of our own in CUDA C; damaged, it is refused."""
    try:
        tool("nvcc")
    except LabError as error:
        pytest.skip(str(error))
    given = {
        "authors": {
            "repository": "somebody/kernels",
            "commit": "0123abc",
            "machines": ["sass:sm_75"],
            "kernels": [
                {
                    "id": "theirs",
                    "file": "a.cu",
                    "symbol": "hanji_speck64_c",
                    "isa": "cuda",
                    "spec": "speck64_128.encrypt",
                    "signature": "out,in,keys,messages",
                }
            ],
        }
    }
    path = tmp_path / "a.cu"
    whole = (ROOT / "lab/gpu/plain.cu").read_text()
    text = whole[: whole.index("KERNEL(hanji_simon64_c)")]
    path.write_text(text)

    def measured() -> list[Any]:
        return list(authors.measure(given, "one", tmp_path, ROOT, "a test"))

    (result,) = measured()
    own = next(
        entry
        for entry in papers.own(PTX, ROOT)
        if (entry["kernel"], entry["machine"]) == ("speck64_c", "sass:sm_75")
    )
    assert result.instructions == own["instructions"]
    assert result.more["per_block"]["alu"] == own["per_block"]["alu"]
    path.write_text(text.replace("ROTL(y, 3)", "ROTL(y, 4)"))
    with pytest.raises(LabError, match="does not give what speck64_128"):
        measured()
    path.write_text("this is no program")
    with pytest.raises(LabError, match=r"nvcc refuses a\.cu"):
        measured()


def test_a_series_has_one_colour_everywhere() -> None:
    def chart(*labels: str) -> Chart:
        return Chart("c", "t", "bars", "x", "y", [Series(label, {"a": 1.0}) for label in labels])

    one = charts.colours(chart("published: A64", "its design, built here", "ours, one state"))
    two = charts.colours(chart("ours, one state", "published: A64"))
    assert one == [7, 1, 0] and two == [0, 7]
    many = charts.colours(chart(*(f"series {i}" for i in range(8))))
    assert sorted(many) == list(range(8))
    assert [charts.decimals([value]) for value in (0.05, 0.5, 5, 50, 500)] == [4, 3, 2, 1, 0]
