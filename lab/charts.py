# SPDX-License-Identifier: Apache-2.0
"""Charts of papers (papers.Chart) drawn by matplotlib: as files, light or dark, and as SVG for a
page whose style sheet says the colours.

The same figures make the same bytes: no date, no random names.
"""

from __future__ import annotations

import hashlib
import io
import re
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
STAND_INS = {"#010203": "var(--ink)", "#010204": "var(--faint)", "#010205": "var(--line)"} | {
    f"#0102{16 + i:02x}": f"var(--series-{i})" for i in range(8)
}
MARKERS = "osD^v<>P"
DASHES = ((5, 3), (1, 2), (8, 2, 1, 2), (3, 2, 1, 2, 1, 2))


@dataclass(frozen=True)
class Theme:
    """The colours of a drawing; None is no ground."""

    ink: str
    faint: str
    line: str
    ground: str | None
    series: tuple[str, ...]


THEMES = {
    "light": Theme("#1a1c1f", "#55585d", "#d5d7da", "#ffffff", LIGHT),
    "dark": Theme("#e8eaed", "#a9adb3", "#43474d", "#16181b", DARK),
    "page": Theme(
        "#010203", "#010204", "#010205", None, tuple(f"#0102{16 + i:02x}" for i in range(8))
    ),
}


def draw(charts: Sequence[Chart], path: Path, theme: str = "light") -> None:
    """Draw charts below each other into a file; its ending says the format: .svg, .png or .pdf."""
    if path.suffix not in (".svg", ".png", ".pdf"):
        raise LabError(f"{path} given, a name that ends in .svg, .png or .pdf expected")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_drawn(charts, path.suffix[1:], THEMES[theme]))


def digest(charts: Sequence[Chart]) -> str:
    """A short name of what is drawn, which the drawing of a file carries: other figures have
    another one, another matplotlib has not.
    """
    return hashlib.sha256(repr(list(charts)).encode()).hexdigest()[:16]


def inline(chart: Chart, prefix: str) -> str:
    """A chart as an <svg> element for a page, with names that begin with `prefix`, a title, and
    colours from the page's style sheet.
    """
    text = _drawn([chart], "svg", THEMES["page"]).decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\b(id="|href="#|url\(#)', lambda found: f"{found[1]}{prefix}-", text)
    for stand_in, colour in STAND_INS.items():
        text = text.replace(stand_in, colour)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    assert size
    head = f'<svg role="img" aria-labelledby="{prefix}-title" viewBox="0 0 {size[1]} {size[2]}" xmlns="http://www.w3.org/2000/svg" '
    head += f'xmlns:xlink="http://www.w3.org/1999/xlink">\n<title id="{prefix}-title">{describe(chart)}</title>'
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


def _drawn(charts: Sequence[Chart], form: str, theme: Theme) -> bytes:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise LabError(
            "matplotlib is not installed; plots need it: pip install 'hanji-lab[report]'"
        ) from None
    style: Any = {
        "svg.hashsalt": "hanji", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10, "text.color": theme.ink,
        "axes.edgecolor": theme.line, "axes.labelcolor": theme.faint, "axes.titlecolor": theme.ink, "axes.facecolor": theme.ground or "none",
        "axes.spines.top": False, "axes.spines.right": False, "xtick.color": theme.faint, "ytick.color": theme.faint, "grid.color": theme.line,
        "legend.frameon": False, "legend.labelcolor": theme.ink, "figure.facecolor": theme.ground or "none", "lines.linewidth": 1.8,
    }  # fmt: skip
    with matplotlib.rc_context(style):
        heights = [_height(chart) for chart in charts]
        drawing = Figure(figsize=(9.6, sum(heights)), layout="constrained")
        for part, chart in zip(
            drawing.subfigures(len(charts), 1, squeeze=False, height_ratios=heights)[:, 0],
            charts,
            strict=True,
        ):
            part.set_facecolor(theme.ground or "none")
            axes = part.subplots()
            {"bars": _bars, "lines": _lines}[chart.kind](axes, chart, theme)
            part.suptitle(
                chart.title, x=0.008, ha="left", fontsize=11, fontweight="bold", wrap=True
            )
            axes.grid(axis="x" if chart.kind == "bars" else "both", linewidth=0.6)
            axes.set_axisbelow(True)
            part.legend(fontsize=9, ncols=2, loc="outside lower left", alignment="left")
        made = io.BytesIO()
        drawing.savefig(
            made,
            format=form,
            metadata={"Date": None, "Description": f"figures {digest(charts)}"}
            if form == "svg"
            else None,
            facecolor=theme.ground or "none",
        )
    return made.getvalue()


def _places(chart: Chart) -> list[Any]:
    found = list(dict.fromkeys(place for series in chart.series for place in series.points))
    return sorted(found, key=chart.order.index) if chart.order else found


def _height(chart: Chart) -> float:
    if chart.kind == "lines":
        return 6.0
    bars, entries = (
        sum(len(series.points) for series in chart.series),
        len(chart.series) + len(chart.levels),
    )
    return 1.2 + 0.18 * bars + 0.14 * len(_places(chart)) + 0.2 * ((entries + 1) // 2)


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
    for i, series in enumerate(chart.series):
        colour = theme.series[i % len(theme.series)]
        where = [spots[i, place] for place in series.points]
        bars = axes.barh(
            where, list(series.points.values()), 0.88, label=series.label, color=colour
        )
        if series.published:
            for bar in bars:
                bar.set(facecolor="none", edgecolor=colour, linewidth=1.4)
        for spot, value in zip(where, series.points.values(), strict=True):
            axes.annotate(
                f"{value:,.0f}" if value >= 1000 else f"{value:.3g}",
                (value, spot),
                (3, 0),
                textcoords="offset points",
                va="center",
                fontsize=7.5,
                color=theme.faint,
            )
    _levels(axes, chart, theme, "axvline")
    if chart.logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(
            lambda value, _: f"{value:g}" if f"{value:e}"[0] in "235" else ""
        )
    limit = max(value for series in chart.series for value in series.points.values())
    axes.set_xlim(right=limit * (1.25 if chart.logarithmic else 1.08))
    axes.set_ylim(at - 0.8, -0.8)
    axes.set_yticks(middles, [str(place) for place in places])
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(chart.vertical)


def _lines(axes: Any, chart: Chart, theme: Theme) -> None:
    from matplotlib.ticker import LogLocator

    for i, series in enumerate(chart.series):
        colour = theme.series[i % len(theme.series)]
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
    axes.set_xticks(places, [f"{place:,}" for place in places])
    axes.minorticks_off()
    axes.set_xlabel(chart.horizontal)
    axes.set_ylabel(chart.vertical)
