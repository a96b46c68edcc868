# SPDX-License-Identifier: Apache-2.0
"""Charts of papers (papers.Chart) drawn by matplotlib: as files, light or dark, and as SVG for a
page whose style sheet says the colours.

The same figures make the same bytes: no date, no random names.
"""

from __future__ import annotations

import hashlib
import io
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .checkout import LabError
from .papers import Chart

# Colours for eight series that people with any colour vision can tell apart (Okabe and Ito, and
# darker or lighter for contrast on the ground).
LIGHT = ("#0b5cad", "#b4460a", "#00704f", "#7a3f98", "#8a6d00", "#a01e54", "#3d6070", "#55585d")
DARK = ("#6cb4f5", "#f29555", "#4fc79c", "#c79be3", "#d9bd4a", "#f08cb4", "#9dbdcc", "#b8bbc0")
# matplotlib needs colours of its own; these stand for those of the page's style sheet.
STAND_INS = {
    "#010203": "var(--ink)",
    "#010204": "var(--faint)",
    "#010205": "var(--line)",
    "#010206": "var(--ground)",
} | {f"#0102{16 + i:02x}": f"var(--series-{i})" for i in range(8)}
MARKERS = "osD^v<>P"
# What a series is decides its colour, in every chart: the first pattern that its label begins with.
ROLES = (
    ("published", 7),
    (r"(its authors|theirs)", 4),
    (r"(its|the paper)", 1),
    (r"(ours|our best).*(CTR|counter|four|five|bit slices)", 2),
    (r"(ours|our best)", 0),
)
WIDTH, NARROW = 9.6, 4.6  # inches of a drawing, and of one for a phone
DASHES = ((5, 3), (1, 2), (8, 2, 1, 2), (3, 2, 1, 2, 1, 2))


@dataclass(frozen=True)
class Theme:
    """The colours of a drawing; None is no ground."""

    ink: str
    faint: str
    line: str
    ground: str | None
    behind: str  # what a label is drawn on
    series: tuple[str, ...]


THEMES = {
    "light": Theme("#1a1c1f", "#55585d", "#d5d7da", "#ffffff", "#ffffff", LIGHT),
    "dark": Theme("#e8eaed", "#a9adb3", "#43474d", "#16181b", "#16181b", DARK),
    "page": Theme(
        "#010203",
        "#010204",
        "#010205",
        None,
        "#010206",
        tuple(f"#0102{16 + i:02x}" for i in range(8)),
    ),
}


def draw(charts: Sequence[Chart], path: Path, theme: str = "light", narrow: bool = False) -> None:
    """Draw charts below each other into a file; its ending says the format: .svg, .png or .pdf.
    `narrow` is for a picture that must be legible on a phone.
    """
    if path.suffix not in (".svg", ".png", ".pdf"):
        raise LabError(f"{path} given, a name that ends in .svg, .png or .pdf expected")
    path.parent.mkdir(parents=True, exist_ok=True)
    width = NARROW if narrow else WIDTH
    path.write_bytes(_drawn(charts, path.suffix[1:], THEMES[theme], width))


def digest(charts: Sequence[Chart]) -> str:
    """A short name of what is drawn, which the drawing of a file carries: other figures have
    another one, another matplotlib has not.
    """
    return hashlib.sha256(repr(list(charts)).encode()).hexdigest()[:16]


def colours(chart: Chart) -> list[int]:
    """The number of the colour of each series: by what it is, and else one that is not taken."""
    found: list[int | None] = []
    for series in chart.series:
        roles = (number for role, number in ROLES if re.match(role, series.label))
        wanted = next((number for number in roles if number not in found), None)
        found.append(wanted)
    rest = [number for number in (0, 1, 2, 3, 5, 6, 4, 7) if number not in found]
    made: list[int] = []
    for number in found:
        made.append(number if number is not None else rest.pop(0) if rest else len(made) % 8)
    return made


def decimals(values: Sequence[float]) -> int:
    """How many decimals all figures of a chart or a column have: three digits of the greatest."""
    greatest = max(map(abs, values), default=0.0)
    return next((n for n, least in enumerate((100, 10, 1, 0.1, 0.01, 0)) if greatest >= least), 0)


def inline(chart: Chart, prefix: str, narrow: bool = False) -> str:
    """A chart as an <svg> element for a page, with names that begin with `prefix`, a title, and
    colours from the page's style sheet; `narrow` for a phone.
    """
    text = _drawn([chart], "svg", THEMES["page"], NARROW if narrow else WIDTH).decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\b(id="|href="#|url\(#)', lambda found: f"{found[1]}{prefix}-", text)
    for stand_in, colour in STAND_INS.items():
        text = text.replace(stand_in, colour)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    assert size
    head = (
        f'<svg role="img" aria-labelledby="{prefix}-title" viewBox="0 0 {size[1]} {size[2]}" '
        'xmlns="http://www.w3.org/2000/svg" '
    )
    head += (
        'xmlns:xlink="http://www.w3.org/1999/xlink">\n<title '
        f'id="{prefix}-title">{describe(chart)}</title>'
    )
    return re.sub(r"<svg[^>]*>", lambda _: head, text, count=1)


def describe(chart: Chart) -> str:
    """A chart in words, for readers who do not see it: what is drawn, and from where to where each
    series goes. Escaped for HTML.
    """
    parts = [f"{chart.title}."]
    for series in chart.series:
        low, high = min(series.points.values()), max(series.points.values())
        parts.append(
            f"{series.label}: {low:.3g}"
            + ("" if len(series.points) == 1 else f" to {high:.3g}")
            + "."
        )
    return " ".join(parts).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _drawn(charts: Sequence[Chart], form: str, theme: Theme, width: float = WIDTH) -> bytes:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise LabError(
            "matplotlib is not installed; plots need it: pip install './lab[report]'"
        ) from None
    style: Any = {
        "svg.hashsalt": "hanji", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10, "text.color": theme.ink,
        "axes.edgecolor": theme.line, "axes.labelcolor": theme.faint, "axes.titlecolor": theme.ink, "axes.facecolor": theme.ground or "none",
        "axes.spines.top": False, "axes.spines.right": False, "xtick.color": theme.faint, "ytick.color": theme.faint, "grid.color": theme.line,
        "legend.frameon": False, "legend.labelcolor": theme.ink, "figure.facecolor": theme.ground or "none", "lines.linewidth": 1.8,
    }  # fmt: skip
    with matplotlib.rc_context(style):
        heights = [_height(chart, width) for chart in charts]
        drawing = Figure(figsize=(width, sum(heights)), layout="constrained")
        for part, chart in zip(
            drawing.subfigures(len(charts), 1, squeeze=False, height_ratios=heights)[:, 0],
            charts,
            strict=True,
        ):
            part.set_facecolor(theme.ground or "none")
            axes = part.subplots()
            {"bars": _bars, "lines": _lines}[chart.kind](axes, chart, theme)
            title = textwrap.fill(chart.title, int(width * (11.5 if width > NARROW else 9)))
            part.suptitle(title, x=0.008, ha="left", fontsize=11, fontweight="bold")
            axes.grid(axis="x" if chart.kind == "bars" else "both", linewidth=0.6)
            axes.set_axisbelow(True)
            columns = 2 if width > NARROW else 1
            handles, labels = axes.get_legend_handles_labels()
            labels = [
                textwrap.fill(label, int(width * (7 if columns == 2 else 12))) for label in labels
            ]
            part.legend(
                handles,
                labels,
                fontsize=9,
                ncols=columns,
                loc="outside lower left",
                alignment="left",
            )
        made = io.BytesIO()
        without_date: dict[str, dict[str, str | None]] = {
            "svg": {"Date": None, "Description": f"figures {digest(charts)}"},
            "pdf": {"CreationDate": None},
        }
        drawing.savefig(
            made, format=form, metadata=without_date.get(form), facecolor=theme.ground or "none"
        )
    return made.getvalue()


def _places(chart: Chart) -> list[Any]:
    found = list(dict.fromkeys(place for series in chart.series for place in series.points))
    return sorted(found, key=chart.order.index) if chart.order else found


def _height(chart: Chart, width: float) -> float:
    more = 0.0 if width > NARROW else 0.2 * (len(chart.series) + len(chart.levels)) + 0.5
    if chart.kind == "lines":
        return 6.0 - (1.0 if more else 0.0) + more
    bars, entries = (
        sum(len(series.points) for series in chart.series),
        len(chart.series) + len(chart.levels),
    )
    return 1.2 + 0.18 * bars + 0.14 * len(_places(chart)) + 0.2 * ((entries + 1) // 2) + more


def _levels(axes: Any, chart: Chart, theme: Theme, draw: str) -> None:
    """Level lines, told apart by their dashes, with their names in the legend."""
    for dashes, (name, level) in zip(DASHES * 4, chart.levels.items(), strict=False):
        getattr(axes, draw)(
            level, linestyle=(0, dashes), linewidth=1.3, color=theme.ink, label=f"{name}: {level:g}"
        )


def _bars(axes: Any, chart: Chart, theme: Theme) -> None:
    """Lying bars, so that names have room; each with its figure at the end, and a gap between
    groups.
    """
    places, at = _places(chart), 0.0
    spots: dict[tuple[int, Any], float] = {}
    middles = []
    for place in places:
        here = [i for i, series in enumerate(chart.series) if place in series.points]
        spots |= {(i, place): at + number for number, i in enumerate(here)}
        middles.append(at + (len(here) - 1) / 2)
        at += len(here) + 0.8
    taken = colours(chart)
    values = [value for series in chart.series for value in series.points.values()]
    digits = decimals(values)
    for i, series in enumerate(chart.series):
        colour = theme.series[taken[i]]
        where = [spots[i, place] for place in series.points]
        bars = axes.barh(
            where, list(series.points.values()), 0.88, label=series.label, color=colour
        )
        if series.published:
            for bar in bars:
                bar.set(facecolor="none", edgecolor=colour, linewidth=1.4)
        for spot, value in zip(where, series.points.values(), strict=True):
            axes.annotate(
                f"{value:,.{digits}f}",
                (value, spot),
                (3, 0),
                textcoords="offset points",
                va="center",
                fontsize=7.5,
                color=theme.faint,
                zorder=5,  # on a ground of its own above the level lines
                bbox={"facecolor": theme.behind, "edgecolor": "none", "pad": 0.6},
            )
    _levels(axes, chart, theme, "axvline")
    if chart.logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(
            lambda value, _: f"{value:g}" if f"{value:e}"[0] in "235" else ""
        )
    limit = max(value for series in chart.series for value in series.points.values())
    narrow = axes.figure.get_figure(root=True).get_figwidth() <= NARROW
    right = limit * (1.25 if chart.logarithmic or narrow else 1.08)  # and no level beyond it
    axes.set_xlim(right=max(right, *(1.02 * level for level in chart.levels.values()), 0))
    axes.set_ylim(at - 0.8, -0.8)
    room = max(14, int(axes.figure.get_figure(root=True).get_figwidth() * 4.2))
    names = [textwrap.fill(str(place), room) for place in places]
    axes.set_yticks(middles, names)
    axes.tick_params(axis="y", length=0, labelsize=10 if room > 30 else 8)
    axes.set_xlabel(chart.vertical)


def _lines(axes: Any, chart: Chart, theme: Theme) -> None:
    from matplotlib.ticker import LogLocator

    taken = colours(chart)
    for i, series in enumerate(chart.series):
        colour = theme.series[taken[i]]
        points = sorted(series.points.items())
        filled = "none" if series.published else colour
        axes.plot(
            *zip(*points, strict=True), marker=MARKERS[i % len(MARKERS)], markerfacecolor=filled, linestyle=(0, (4, 3)) if series.dashed else "-",
            color=colour, label=series.label,
        )  # fmt: skip
    _levels(axes, chart, theme, "axhline")
    places = sorted(_places(chart))
    if chart.logarithmic:
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    else:
        axes.set_ylim(bottom=0)
    narrow = axes.figure.get_figure(root=True).get_figwidth() <= NARROW
    turned = 60 if narrow and len(places) > 4 else 0
    axes.set_xticks(places, [f"{place:,}" for place in places], rotation=turned)
    axes.minorticks_off()
    axes.set_xlabel(textwrap.fill(chart.horizontal, 45 if narrow else 90))
    axes.set_ylabel(chart.vertical)
