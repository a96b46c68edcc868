# SPDX-License-Identifier: Apache-2.0
"""The page of the papers, in headless Chromium: its tables, plots, links, themes and printing;
and what it says of damaged results.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest
from chromium import emulate
from click.testing import CliRunner

from hanji_lab import charts, cli, papers, report, results
from hanji_lab.checkout import LabError

ROOT = Path(__file__).resolve().parents[2]
PTX = "speck-simon-simeck-ptx"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, report.Page]:
    return report.write(ROOT, tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.headless() as driver:
        yield driver


@pytest.fixture
def opened(browser: Any, made: tuple[Path, report.Page]) -> Any:
    """The page as it opens: it is loaded once, and folded again for each test."""
    if browser.current_url != made[0].as_uri():
        browser.get(made[0].as_uri())
    browser.execute_script(
        "document.querySelectorAll('details').forEach(one => one.open = false); scrollTo(0, 0)"
    )
    emulate(browser)
    return browser


TABLES = """
return [...document.querySelectorAll('table')].map(table => ({
    section: table.closest('section').id, caption: table.caption?.textContent ?? '',
    columns: [...table.tHead.querySelectorAll('th[scope=col]')].length,
    rows: [...table.tBodies[0].rows].map(row => [...row.cells].map(
        cell => cell.textContent.replace(/\\s+/g, ' ').trim()))}))
"""


def test_every_published_row_is_in_a_table(opened: Any) -> None:
    tables = opened.execute_script(TABLES)
    for name in papers.names(ROOT):
        published = papers.load(name, ROOT)["rows"]
        here = [
            row
            for table in tables
            if table["section"] == name and table["caption"].startswith("Every row of")
            for row in table["rows"]
        ]
        assert [(row[1], row[2]) for row in here] == [
            (f"{row['value']:,}", row["unit"]) for row in published
        ], name
        assert all(given["what"] in row[0] for row, given in zip(here, published, strict=True)), (
            name
        )


def test_tables_are_whole(opened: Any) -> None:
    tables = opened.execute_script(TABLES)
    assert len(tables) > 15 and {table["section"] for table in tables} >= {
        "papers",
        "calls",
        "host",
        *papers.names(ROOT),
    }
    for table in tables:
        assert table["caption"] and table["rows"], table["caption"]
        assert all(len(row) == table["columns"] for row in table["rows"]), table["caption"]
    (overview,) = (table for table in tables if table["section"] == "papers")
    assert len(overview["rows"]) == 6


PICTURES = """
document.querySelectorAll('details').forEach(one => one.open = true)
return [...document.querySelectorAll('figure .wide svg')].map(svg => ({
    title: svg.querySelector('title').textContent, role: svg.getAttribute('role'), width: svg.getBoundingClientRect().width,
    height: svg.getBoundingClientRect().height, section: svg.closest('section')?.id ?? 'summary',
    shapes: [...svg.querySelectorAll('path, use')].map(shape => shape.getBoundingClientRect()).filter(box => box.width + box.height > 1).length,
    texts: [...svg.querySelectorAll('text')].map(text => text.textContent)}))
"""


def test_every_plot_draws(opened: Any, made: tuple[Path, report.Page]) -> None:
    emulate(opened)
    pictures = opened.execute_script(PICTURES)
    drawn = sum(len(section.pictures) for section in made[1].sections)
    assert len(pictures) == drawn + 1 >= 10
    for picture in pictures:
        assert picture["width"] > 500 and picture["height"] > 100 and picture["shapes"] > 10, (
            picture["title"]
        )
        assert picture["role"] == "img" and len(picture["title"]) > 40
        assert any(text in picture["title"] for text in picture["texts"]), picture["title"]
        assert picture["title"][:30] in " ".join(picture["texts"])
    assert any(
        "Figure 11" in picture["title"] and "Cortex-A72" in picture["title"] for picture in pictures
    )
    shown = {picture["section"] for picture in pictures}
    assert shown == {*papers.names(ROOT), "calls", "host", "summary"}


def test_links_lead_somewhere_on_the_page(opened: Any, made: tuple[Path, report.Page]) -> None:
    assert (
        opened.execute_script(
            "return [...document.querySelectorAll('a')].filter(a => "
            "!document.getElementById(a.hash.slice(1))).map(a => a.href)"
        )
        == []
    )
    ids = opened.execute_script(
        "return [...document.querySelectorAll('[id]')].map(element => element.id)"
    )
    assert len(ids) == len(set(ids))
    figures = opened.execute_script(
        "return [...document.querySelectorAll('td a.figure')]"
        ".map(a => [a.title,"
        " document.getElementById(a.hash.slice(1)).querySelector('pre').textContent])"
    )
    assert len(figures) > 300 and all(
        command in title and command.startswith(("hanji-lab ", "lab/gpu/run-all"))
        for title, command in figures
    )
    uses = opened.execute_script(
        "return [...document.querySelectorAll('use')].map(use => use.getAttribute('xlink:href'))"
    )
    assert uses and set(uses) <= {f"#{name}" for name in ids}


FOREIGN = """
return [...document.querySelectorAll('[src], link[href], image, script, object, iframe')]
    .map(element => element.src || element.href || element.tagName)
    .filter(address => address !== 'data:,')
"""


def test_the_commits_of_the_results_are_named(opened: Any) -> None:
    text = opened.execute_script(
        "return document.getElementById('speck-simon-simeck-ptx').textContent"
    )
    assert re.search(
        (
            r"Stored in .*papers/speck-simon-simeck-ptx/results/measured\.json: "
            r"(commit [0-9a-f]{7,} of \d{4}-\d\d-\d\d|in no commit yet)"
        ),
        text,
    )


def test_no_console_message_and_no_network(opened: Any, made: tuple[Path, report.Page]) -> None:
    assert opened.get_log("browser") == []
    assert opened.execute_script(FOREIGN) == []
    text = made[0].read_text()
    assert (
        not re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?(?:https?:|//)""", text)
        and "<script" not in text
    )


def test_control_a_broken_page_is_seen(browser: Any, tmp_path: Path) -> None:
    """Chromium does report what the tests above look for."""
    page = tmp_path / "broken.html"
    page.write_text(
        '<!DOCTYPE html><link rel="icon" href="data:,"><a href="#nowhere">x</a><img '
        'src="missing.png"><script>nothing()</script>'
    )
    browser.get(page.as_uri())
    messages = " ".join(entry["message"] for entry in browser.get_log("browser"))
    assert "missing.png" in messages and "nothing is not defined" in messages
    assert len(browser.execute_script(FOREIGN)) == 2


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_light_and_dark(opened: Any, scheme: str, dark: bool) -> None:
    emulate(opened, scheme=scheme)
    ground = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground))) < 3 * 128) == dark
    bar = opened.execute_script(
        "return getComputedStyle(document.querySelector('#summary svg path[style*=series]')).fill"
    )
    assert (
        bar
        == f"rgb({', '.join(str(int((charts.DARK if dark else charts.LIGHT)[0][i : i + 2], 16)) for i in (1, 3, 5))})"
    )


# Texts of charts that leave their drawing, or lie upon each other where they name places; and
# elements whose text is wider than they are, outside of what scrolls.
CUT = """
document.querySelectorAll('details').forEach(one => one.open = true)
const found = []
for (const svg of document.querySelectorAll('figure svg')) {
    const frame = svg.getBoundingClientRect()
    if (!frame.width) continue
    for (const text of svg.querySelectorAll('text')) {
        const box = text.getBoundingClientRect()
        const sides = [frame.left - box.left, box.right - frame.right, box.bottom - frame.bottom]
        const title = svg.querySelector('title').textContent.slice(0, 40)
        if (Math.max(...sides) > 2) found.push(`${title}: ${text.textContent}`)
    }
}
for (const one of document.querySelectorAll('p, li, h1, h2, h3, dd, dt, caption, figure, .kind')) {
    if (one.closest('.scroll') || one.closest('.skip') || !one.clientWidth) continue
    const box = one.getBoundingClientRect()
    const out = box.right > document.documentElement.clientWidth + 1
    if (out || one.scrollWidth > one.clientWidth + 2)
        found.push(`${one.tagName}: ${one.textContent.slice(0, 60)}`)
}
return found
"""


@pytest.mark.parametrize("width", [400, 800, 1600])
def test_nothing_is_cut_off(opened: Any, width: int) -> None:
    emulate(opened, width=width)
    assert opened.execute_script(CUT) == []
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width


def test_control_what_is_cut_off_is_seen(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "cut.html"
    page.write_text(
        '<!DOCTYPE html><link rel="icon" href="data:,"><p style="width: 5em; white-space: nowrap">'
        "a long line of text that nobody can read</p><figure><svg viewBox='0 0 100 20'>"
        "<title>A chart</title><text x='90' y='10'>a label</text></svg></figure>"
    )
    browser.get(page.as_uri())
    emulate(browser, width=400)
    found = browser.execute_script(CUT)
    assert any(one.startswith("P: a long line") for one in found)
    assert any(one == "A chart: a label" for one in found)


def test_it_begins_with_a_verdict_each_and_one_picture(opened: Any) -> None:
    emulate(opened)
    texts = opened.execute_script(
        "return [...document.querySelectorAll('header .verdicts li')].map(li => li.innerText)"
    )
    assert len(texts) == 6 and all(len(text) > 80 for text in texts)
    shown = (
        "return [...document.querySelectorAll('header figure svg')]"
        ".filter(svg => svg.clientWidth).length"
    )
    assert opened.execute_script(shown) == 1
    assert opened.execute_script("return document.documentElement.scrollHeight") < 20500
    name = (
        "const svg = document.querySelector('.name svg');"
        " return [svg.getAttribute('aria-label'), svg.getBoundingClientRect().height]"
    )
    label, height = opened.execute_script(name)
    assert label == "한지" and height > 10
    folded = (
        "return [...document.querySelectorAll('#rainbow-armv8 details:not([open]) tbody "
        "tr')].length"
    )
    assert opened.execute_script(folded) >= 54


def test_a_phone_has_narrow_charts_and_a_sticky_column(opened: Any) -> None:
    emulate(opened, width=400)
    widths = "return [...document.querySelectorAll('header figure svg')].map(s => s.clientWidth)"
    wide, narrow = opened.execute_script(widths)
    assert wide == 0 and 300 < narrow <= 400
    first = "return getComputedStyle(document.querySelector('#papers tbody th')).position"
    assert opened.execute_script(first) == "sticky"
    assert opened.execute_script(
        "return getComputedStyle(document.querySelector('#papers .hint')).display"
    ) != ("none")
    sizes = (
        "return Math.min(...[...document.querySelectorAll('header .narrow svg text')]"
        ".map(text => text.getBoundingClientRect().height))"
    )
    assert opened.execute_script(sizes) > 7  # pixels: one can read it


SCROLLING = """
document.querySelectorAll('details').forEach(one => one.open = true)
return [...document.querySelectorAll('.scroll')].map(one => ({
    title: one.querySelector('caption').textContent, scrolls: one.scrollWidth > one.clientWidth,
    hint: [one.previousElementSibling, one.nextElementSibling, ...one.querySelectorAll('.hint')]
        .some(other => other?.className === 'hint')}))
"""


@pytest.mark.parametrize("width", [360, 400])
def test_on_a_phone_comparisons_fit_and_what_scrolls_says_so(opened: Any, width: int) -> None:
    emulate(opened, width=width)
    tables = opened.execute_script(SCROLLING)
    assert [one["title"] for one in tables if one["scrolls"] and not one["hint"]] == []
    alike = [one for one in tables if one["title"].startswith("Like for like")]
    assert len(alike) == 5 and not any(one["scrolls"] or one["hint"] for one in alike)
    assert sum(one["scrolls"] for one in tables) > 10


def test_it_prints(opened: Any) -> None:
    emulate(opened, media="print", scheme="dark")
    assert (
        opened.execute_script("return getComputedStyle(document.querySelector('nav')).display")
        == "none"
    )
    assert (
        opened.execute_script("return getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    emulate(opened, media="", width=1280)
    pdf = base64.b64decode(
        opened.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
    )
    assert pdf.startswith(b"%PDF") and 5 < len(re.findall(rb"/Type\s*/Page\b", pdf)) < 90


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_enough_to_read() -> None:
    """WCAG 2.2: 4.5 for text, 3 for the parts of a graphic; the colours of series are text as well."""
    style = (ROOT / "lab/report/page.css").read_text()
    schemes = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root \{([^}]*)\}", style)[:2]
    ]
    assert len(schemes) == 2 and all(
        {"ink", "faint", "ground", "raised", "link", "warn"} <= set(scheme) for scheme in schemes
    )
    for scheme, series in zip(schemes, (charts.LIGHT, charts.DARK), strict=True):
        for name in ("ink", "faint", "link", "warn"):
            assert contrast(scheme[name], scheme["ground"]) >= 4.5, name
            assert contrast(scheme[name], scheme["raised"]) >= 4.5, name
        assert contrast(scheme["warn"], scheme["warn-ground"]) >= 4.5
        for colour in series:
            assert contrast(colour, scheme["ground"]) >= 4.5, colour
    assert contrast("#777777", "#ffffff") < 4.5  # a control


def test_the_same_results_make_the_same_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charts stand as their data: that the same data make the same drawing is a test of charts."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    drawn: list[papers.Chart] = []

    def inline(chart: papers.Chart, prefix: str, narrow: bool = False) -> str:
        drawn.append(chart)
        return f"<svg>{prefix} {narrow} {chart!r}</svg>"

    monkeypatch.setattr(charts, "inline", inline)
    one, two = report.render(report.page(ROOT)), report.render(report.page(ROOT))
    assert one == two and "2027-01-15 08:00 UTC" in one
    assert len(drawn) > 40 and all(repr(chart) in one for chart in drawn)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without their plots, which take most of the time."""
    monkeypatch.setattr(charts, "inline", lambda chart, prefix, narrow=False: "<svg></svg>")


def lab(*arguments: object) -> Any:
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


def spoil(path: Path, how: str) -> None:
    if how == "missing":
        path.unlink()
    elif how == "cut":
        path.write_text(path.read_text()[: path.stat().st_size // 2])
    elif how == "object":
        path.write_text("{}")
    elif how == "empty":
        path.write_text(results.text([]))
    elif how == "old form":
        path.write_text(json.dumps(results.read(path)))
    else:
        content = json.loads(path.read_text())
        for origin in content["provenance"] if how == "old provenance" else []:
            del origin["command"]
        for entry in content["results"]:
            if how == "old fields":
                entry["cpb"] = entry.pop("cycles_per_byte")
            elif how == "no such provenance":
                entry["provenance"] = len(content["provenance"])
            elif how == "no such source":
                content["provenance"][0]["sources"] = [len(content["sources"])]
            elif how == "kind":
                entry["kind"] = "guess"
            elif how == "numbers":
                entry["instructions"] = entry["cycles"] = None
        path.write_text(json.dumps(content))


SPOILED = [
    ("missing", r"does not exist; `hanji-lab paper \S+ --save` makes it"),
    ("cut", r"is not JSON \(.*\); make it anew: hanji-lab paper"),
    (
        "object",
        (
            r"is a dict without a list of results, an object with sources, provenance and "
            r"results expected; make it anew: hanji-lab paper"
        ),
    ),
    (
        "old form",
        (
            r"is a list, an object with sources, provenance and results expected; make it anew: "
            r"hanji-lab paper"
        ),
    ),
    (
        "no such provenance",
        (
            r"result 0 lacks provenance\.command, .*: another version of hanji-lab wrote it; "
            r"make it anew: hanji-lab paper"
        ),
    ),
    (
        "no such source",
        (
            r"has a provenance that cannot be read \(IndexError.*another version of hanji-lab "
            r"wrote it; make it anew: hanji-lab paper"
        ),
    ),
    ("empty", r"lacks what the comparison needs \(\w+: .*make it anew: hanji-lab paper"),
    (
        "old provenance",
        (
            r"result 0 lacks provenance\.command: another version of hanji-lab wrote it; make it "
            r"anew: hanji-lab paper"
        ),
    ),
    (
        "old fields",
        (
            r"result 0 lacks cycles_per_byte: another version of hanji-lab wrote it; make it "
            r"anew: hanji-lab paper"
        ),
    ),
    (
        "kind",
        r"result 0 is of kind 'guess', one of rtl, .* expected; make it anew: hanji-lab paper",
    ),
    ("numbers", r"lacks what the comparison needs"),
]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("how", "said"), SPOILED, ids=[how for how, _ in SPOILED])
def test_spoiled_results_are_named(checkout: Path, tmp_path: Path, how: str, said: str) -> None:
    path = checkout / "papers/sparkle-armv8/results/measured.json"
    spoil(path, how)
    with pytest.raises(LabError, match=said) as error:
        papers.stored("sparkle-armv8", checkout)
    assert str(path) in str(error.value)
    if how in ("missing", "cut", "old fields"):
        done = lab("report", "--root", checkout, "--out", tmp_path / "out")
        assert done.exit_code == 1 and re.search(said, done.stderr)
        text = (tmp_path / "out/index.html").read_text()
        assert "No figures of ours:" in text and text.count('<section id="') >= 9
        assert done.stdout.strip() == str(tmp_path / "out/index.html")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("how", ["missing", "cut", "old fields"])
@pytest.mark.parametrize("name", ["calls-aarch64", "host-x86_64-gcc"])
def test_spoiled_results_of_the_library_do_not_stop_the_page(
    checkout: Path, name: str, how: str
) -> None:
    spoil(checkout / f"results/{name}.json", how)
    page = report.page(checkout)
    section = next(
        section
        for section in page.sections
        if section.anchor == ("calls" if name.startswith("calls") else "host")
    )
    if (
        how != "missing"
        or len(list((checkout / "results").glob(f"{name.split('-')[0]}-*.json"))) == 0
    ):
        assert (
            name.split("-")[0] in section.problem
            and f"{section.title}: {section.problem}" in page.problems
        )
        # the paper on PTX shows figures of the host
        assert len(page.problems) == (1 if name.startswith("calls") or how == "missing" else 2)
        paper = next(one for one in page.sections if one.anchor == PTX)
        assert paper.origins and any("counted per message" in grid.title for grid in paper.grids)
    assert "<h2>" in report.render(page)


@pytest.mark.usefixtures("undrawn")
def test_a_changed_source_marks_its_figures_and_no_others(checkout: Path, tmp_path: Path) -> None:
    folder = checkout / "results"
    # all that the section shows
    shown = [
        papers.stored_path(PTX, checkout),
        folder / "host-x86_64-gcc.json",
        *folder.glob("gpu-*.json"),
    ]
    for stored in shown:
        entries = results.read(stored)
        for entry in entries:  # made of what is here now
            entry["provenance"]["sources"] = results.sources(
                checkout,
                [
                    path
                    for path in entry["provenance"]["sources"]
                    if path.startswith(("src/", "lab/", "papers/")) and (checkout / path).is_file()
                ],
            )
        results.write_text(stored, results.text(entries))

    def marks() -> dict[str, bool]:
        section = next(
            section for section in report.page(checkout).sections if section.anchor == PTX
        )
        (grid,) = (grid for grid in section.grids if grid.title.startswith("GPU bounds"))
        return {row[0].text: row[1].stale for row in grid.rows}

    assert not any(marks().values())
    (checkout / "src").unlink()
    shutil.copytree(ROOT / "src", checkout / "src")
    path = checkout / "src/gpu/generated/speck64_sm75_fleet.ptx"
    path.write_text(path.read_text() + ".extern .func another;\n")
    changed = marks()
    assert changed["speck64_128_sm75_fleet_x2"] and not changed["simon64_ptx_paper"]
    done = lab("paper", PTX, "--stored", "--root", checkout)
    assert (
        done.exit_code == 0
        and (
            "ptx: stale figures: src/gpu/generated/speck64_sm75_fleet.ptx changed since they "
            "were made"
        )
        in done.stderr
    )
    done = lab("report", "--root", checkout, "--out", tmp_path)
    assert (
        "on NVIDIA GPUs: stale figures: src/gpu/generated/speck64_sm75_fleet.ptx changed "
        "since; `hanji-lab measure all`"
    ) in done.stderr
    assert done.exit_code == 0 and "Stale figures" in (tmp_path / "index.html").read_text()


@pytest.mark.usefixtures("undrawn")
def test_a_page_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(made: report.Page) -> str:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(report, "render", fail)
    with pytest.raises(RuntimeError):
        report.write(ROOT, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_results_of_a_gpu_fill_their_rows(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = {
        "sources": {},
        "tools": ["a driver"],
        "flags": "",
        "command": "lab/gpu/run-all",
        "date": "2026-01-02",
    }
    entry = {
        "kernel": "speck64_128_sm75_fleet_x2",
        "machine": "A GPU",
        "kind": "gpu",
        "operation": "fleet",
        "bytes": 122880,
        "cache": None,
    }
    entry |= {
        "instructions": None,
        "cycles": None,
        "cycles_per_byte": None,
        "messages": 15360,
        "table": "3",
        "milliseconds": 0.05,
        "gb_per_s": 7.5,
    }
    large = entry | {"messages": 1 << 24, "table": "large", "gb_per_s": 321.0}
    wrong = entry | {
        "kernel": "simon64_ptx_paper",
        "wrong": "block 3 differs",
        "milliseconds": None,
        "gb_per_s": 0,
        "messages": None,
    }
    own = entry | {"kernel": "speck64_128_sm75_own_x2"}
    listed = [one | {"provenance": origin} for one in (own, large, wrong)]
    for path in (checkout / "results").glob("gpu-*.json"):
        path.unlink()
    results.write_text(checkout / "results/gpu-a-gpu.json", results.text(listed))
    drawn: list[papers.Chart] = []
    monkeypatch.setattr(
        charts, "inline", lambda chart, prefix, narrow=False: drawn.append(chart) or "<svg></svg>"
    )
    section = report.paper_section(PTX, checkout)
    rows = {
        row[0].text: [cell.text for cell in row]
        for grid in section.grids
        if grid.title.startswith("Every row")
        for row in grid.rows
    }
    assert (
        "0.05" in rows["GPU (PTX) (15,360 messages, SPECK)"]
        and "not measured: no GPU" in rows["GPU (PTX) (35,840 messages, SPECK)"]
    )
    bounds = next(chart for chart in drawn if chart.name == "bounds")
    assert bounds.series[-1].label == "measured, A GPU" and bounds.series[-1].points == {
        "speck64_128_sm75_fleet_x2": 321.0,
        "speck64_128_sm75_own_x2": 7.5,
    }
    assert any(
        "simon64_ptx_paper gives wrong results on A GPU: block 3 differs" in note
        for note in section.notes
    )
    assert any(origin.command == "lab/gpu/run-all" for origin in section.origins)


def test_make_report_installs_what_it_needs() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "report"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    steps = [
        line
        for line in done.stdout.splitlines()
        if "tools/venv.sh" in line or "lab[report]" in line or "hanji-lab report" in line
    ]
    assert [
        bool(re.search(word, step))
        for word, step in zip(
            ("venv.sh", r"pip install .*lab\[report\]", "hanji-lab report --out build/report"),
            steps,
            strict=True,
        )
    ] == [True] * 3
