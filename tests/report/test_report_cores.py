# SPDX-License-Identifier: Apache-2.0
"""Figures of one kind of core never take the place of another's."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from hanji_lab import papers, results
from hanji_lab.measure import cores, parts
from hanji_lab.measure.parts import Bench
from hanji_lab.report import goals

ROOT = Path(__file__).resolve().parents[2]
CPUINFO = "processor\t: 0\nvendor_id\t: {}\ncpu family\t: {}\nmodel\t\t: {}\nmodel name\t: a name\n"


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        (("AuthenticAMD", 26, 2), "zen5"),
        (("AuthenticAMD", 25, 17), "zen4"),
        (("AuthenticAMD", 25, 1), "zen3"),
        (("GenuineIntel", 6, 207), "emerald-rapids"),
        (("GenuineIntel", 6, 143), "sapphire-rapids"),
        (("GenuineIntel", 6, 9999), "intel-6-9999"),
        (("../../Somebody", 1, 2), "somebody-1-2"),
    ],
)
def test_a_core_is_named_by_its_signature(signature: tuple[str, int, int], name: str) -> None:
    assert cores.name(CPUINFO.format(*signature)) == name


@pytest.mark.parametrize("text", ["", "processor\t: 0\nCPU implementer\t: 0x41\n"])
def test_a_machine_that_does_not_say_has_no_name(text: str) -> None:
    assert cores.name(text) is None


def test_only_timed_parts_go_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def paths(core: str | None) -> set[str]:
        monkeypatch.setattr(cores, "name", lambda text=None: core)
        made = [part.path(Bench(tmp_path)) for part in parts.PARTS.values()]
        return {path.parent.relative_to(tmp_path).as_posix() for path in made}

    of_papers = {f"papers/{name}/results" for name in papers.names(ROOT)}
    assert paths(cores.REFERENCE) == paths(None) == {"results", *of_papers}
    apart = {"results/cores/zen4", "papers/rainbow-armv8/results/cores/zen4"}
    assert paths("zen4") == {"results", *of_papers, *apart}
    timed = dataclasses.replace(parts.PARTS["rv32-size"], timed=True)
    assert timed.path(Bench(tmp_path)) == tmp_path / "results/cores/zen4/rv32-size.json"


def test_what_another_core_took_answers_no_goal(tmp_path: Path) -> None:
    host = ROOT / "results/host-x86_64-gcc.json"
    (tmp_path / "results/cores/zen4").mkdir(parents=True)
    assert cores.measured(tmp_path) == []  # an empty folder is no measurement
    results.write_text(tmp_path / "results/cores/zen4" / host.name, host.read_text())
    assert cores.measured(tmp_path) == ["zen4"]
    assert all(goal.figure is None for goal in goals.goals(tmp_path))
    results.write_text(tmp_path / "results" / host.name, host.read_text())
    assert any(goal.figure is not None for goal in goals.goals(tmp_path))


def test_documents_show_what_was_measured_last(tmp_path: Path) -> None:
    """Of the cores with every tier; an old figure of some row makes the whole file old."""
    tiers = ("portable", "avx2", "avx512")

    def origin(date: str) -> dict[str, object]:
        given = {"date": date, "command": "c", "flags": "", "tools": ["gcc"], "sources": {"a": "b"}}
        assert set(given) == results.ORIGIN
        return given

    def store(core: str, *dates: str) -> None:
        entry = dict.fromkeys(results.REQUIRED) | {
            "machine": "a",
            "kind": "host",
            "operation": "ctr",
        }
        entries = [
            entry | {"kernel": f"speck-64/128 {tier}", "provenance": origin(date)}
            for tier, date in zip(tiers, dates, strict=False)
        ]
        path = cores.of(tmp_path, core) / "host.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        results.write_text(path, results.text(entries))

    def shown() -> str:
        return cores.shown(tmp_path, "host.json", tiers)

    assert shown() == cores.REFERENCE
    store(cores.REFERENCE, "2026-11-22", "2026-11-22", "2026-11-22")
    store("zen4", "2026-11-22", "2026-11-22", "2026-11-22")
    assert shown() == cores.REFERENCE
    store("zen4", "2026-11-24", "2026-11-24", "2026-11-24")
    store("zen3", "2026-11-25", "2026-11-25")
    assert shown() == "zen4"
    store("zen4", "2026-11-24", "2026-11-21", "2026-11-24")
    assert shown() == cores.REFERENCE


def test_stored_figures_lie_with_their_core() -> None:
    """What the processors' signatures in the provenance say is where the files are."""
    seen = 0
    for path in [
        *ROOT.glob("results/**/*-x86_64-*.json"),
        *ROOT.glob("papers/*/results/**/*-x86_64-*.json"),
    ]:
        core = path.parent.name if path.parent.parent.name == "cores" else cores.REFERENCE
        for entry in results.read(path):
            for tool in entry["provenance"]["tools"]:
                if tool.startswith("processor, vendor_id"):
                    fields = dict(one.rsplit(" ", 1) for one in tool.split(", ")[1:])
                    numbers = int(fields["cpu family"]), int(fields["model"])
                    assert cores.named(fields["vendor_id"], *numbers) == core, path
                    seen += 1
    assert seen
