# SPDX-License-Identifier: Apache-2.0
"""Measuring everything: what is done is not done again, an interruption loses one part, and a
doctor says what is missing.
"""

from __future__ import annotations

import ast
import json
import platform
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hanji_lab import cli, doctor, papers, results
from hanji_lab.checkout import LabError
from hanji_lab.measure import parts, quiet
from hanji_lab.measure.parts import Bench, Campaign, Part
from hanji_lab.results import Provenance, Result

ROOT = Path(__file__).resolve().parents[2]


class Bench3:
    """Three parts that count their runs; the second can be made to stop or to fail."""

    def __init__(self, root: Path) -> None:
        self.root, self.runs, self.trouble = root, [], None
        self.parts = {name: self.part(name) for name in ("one", "two", "three")}
        (root / "include/hanji").mkdir(parents=True)
        (root / "include/hanji/common.h").touch()
        (root / "CMakeLists.txt").touch()
        for name in self.parts:
            (root / f"{name}.c").write_text(name)

    runs: list[str]
    trouble: BaseException | None

    def part(self, name: str) -> Part:
        def make(bench: Bench, command: str) -> Iterator[Result]:
            self.runs.append(name)
            yield Result(
                name,
                "m",
                "count",
                "op",
                1,
                Provenance(results.sources(self.root, [f"{name}.c"]), [], "", command),
                instructions=5,
            )
            if name == "two" and self.trouble:
                raise self.trouble

        return Part(name, "about", make, name, f"hanji-lab measure {name}", 1)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench3:
    made = Bench3(tmp_path)
    monkeypatch.setattr(parts, "PARTS", made.parts)
    return made


def campaign(bench: Bench3) -> Campaign:
    return Campaign(Bench(bench.root), list(parts.PARTS.values()))


def words(bench: Bench3) -> list[str]:
    return [outcome.word for outcome in parts.all_parts(campaign(bench))]


def test_what_is_done_is_not_done_again(bench: Bench3) -> None:
    assert words(bench) == ["written"] * 3 and bench.runs == ["one", "two", "three"]
    assert words(bench) == ["kept"] * 3 and len(bench.runs) == 3
    entry = results.read(bench.root / "results/two.json")[0]
    assert entry["provenance"]["command"] == "hanji-lab measure two" and entry["instructions"] == 5


def test_a_changed_source_or_file_is_done_again(bench: Bench3) -> None:
    words(bench)
    (bench.root / "two.c").write_text("changed")
    assert words(bench) == ["kept", "written", "kept"]
    (bench.root / "results/three.json").unlink()
    assert words(bench) == ["kept", "kept", "written"]
    (bench.root / "results/one.json").write_text("[]\n")
    assert words(bench) == ["written", "kept", "kept"]
    campaign(bench).state.write_text("no json")
    assert words(bench) == ["written"] * 3
    campaign(bench).state.write_text('["a list"]')
    assert words(bench) == ["written"] * 3


def test_an_interruption_loses_one_part(bench: Bench3) -> None:
    bench.trouble = KeyboardInterrupt()
    done = CliRunner().invoke(cli.app, ["measure", "all", "--root", str(bench.root)])
    assert (
        done.exit_code == 130
        and "interrupted; 1 of 3 parts are done. The same command goes on from there" in done.stderr
    )
    assert not (bench.root / "results/two.json").exists() and sorted(
        path.name for path in (bench.root / "results").iterdir()
    ) == ["one.json"]
    bench.trouble = None
    done = CliRunner().invoke(cli.app, ["measure", "all", "--root", str(bench.root)])
    assert (
        done.exit_code == 0
        and "goes on where it stopped: 1 of 3 parts are done (one)" in done.stderr
    )
    assert bench.runs == ["one", "two", "two", "three"]
    assert not campaign(bench).state.exists()  # complete: the next command begins a new campaign


def test_a_failure_is_told_and_the_rest_goes_on(bench: Bench3) -> None:
    bench.trouble = LabError("the kernel is wrong")
    done = CliRunner().invoke(cli.app, ["measure", "all", "--root", str(bench.root)])
    assert (
        done.exit_code == 1
        and "two: failed" in done.stderr
        and "the kernel is wrong" in done.stderr
    )
    assert (
        "not measured: two; their old results stay as they were" in done.stderr
        and (bench.root / "results/three.json").exists()
    )
    bench.trouble = None
    assert words(bench) == ["kept", "written", "kept"]
    bench.runs.clear()
    CliRunner().invoke(cli.app, ["measure", "all", "--again", "--root", str(bench.root)])
    assert bench.runs == ["one", "two", "three"]


def test_what_is_missing_is_left_alone(bench: Bench3, monkeypatch: pytest.MonkeyPatch) -> None:
    old = bench.parts["two"]
    needy = Part(
        old.name,
        old.about,
        old.make,
        old.file,
        old.command,
        1,
        (lambda root: "gcc is not installed. On Debian: apt-get install gcc",),
    )
    monkeypatch.setitem(parts.PARTS, "two", needy)
    assert words(bench) == ["written", "missing", "written"] and "two" not in bench.runs
    with pytest.raises(LabError, match="two cannot be measured here: gcc is not installed"):
        parts.run(needy, Bench(bench.root))
    with pytest.raises(LabError, match="part 'four' given, all or one of one, two, three expected"):
        parts.find(["four"])
    (finding,) = (finding for finding in doctor.parts(Bench(bench.root)) if finding.what == "two")
    assert not finding.good and "apt-get install gcc" in finding.said


def test_every_results_file_of_this_machine_has_a_part() -> None:
    made = {f"{part.folder}/{part.path(Bench(ROOT)).name}" for part in parts.PARTS.values()}
    held = {
        path.relative_to(ROOT).as_posix()
        for pattern in ("results/*.json", "papers/*/results/*.json")
        for path in ROOT.glob(pattern)
        if not path.name.startswith("gpu-")
    } - {"results/proofs.json"}  # tools/prove_all.py
    assert held <= made, f"add a line for {held - made} to lab/measure/parts.py"
    assert {f"paper-{name}" for name in papers.names(ROOT)} <= set(parts.PARTS)
    assert sum(part.seconds for part in parts.PARTS.values()) < 20 * 60


def test_the_doctor_gives_one_command_for_each_way() -> None:
    sentences = [
        "gcc is not installed. On Debian: apt-get install gcc",
        (
            "libcrypto missing. On Debian: dpkg --add-architecture arm64 && apt-get update && "
            "apt-get install libssl-dev:arm64"
        ),
        "core missing: pip install './lab[rtl]'",
        "again: apt-get install gcc",
    ]
    found = [doctor.Finding("x", False, sentence) for sentence in sentences] + [
        doctor.Finding("y", True, "apt-get install never")
    ]
    assert doctor.commands(found) == [
        "python -m pip install './lab[rtl]'", "dpkg --add-architecture arm64", "apt-get update && apt-get install gcc libssl-dev:arm64"
    ]  # fmt: skip
    assert doctor.commands([found[-1]]) == []


def test_the_doctor_looks_at_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    done = CliRunner().invoke(cli.app, ["doctor", "--json"])
    listed: list[dict[str, Any]] = json.loads(done.stdout)
    names = {entry["what"] for entry in listed}
    assert done.exit_code == 0 and names >= {
        "processor",
        "tiers of kernels",
        "quiet",
        "NVIDIA GPU",
        "report",
        *parts.PARTS,
        "rtl:rocket",
        "model:a72",
    }
    monkeypatch.setenv("PATH", "/nonexistent")
    without = CliRunner().invoke(cli.app, ["doctor"])
    assert (
        without.exit_code == 0
        and "To install what is missing" in without.stdout
        and "apt-get install" in without.stdout
    )


def test_the_doctor_is_quick() -> None:
    """It asks no program twice; in two seconds of a processor it is done (1.3 here, most of it
    Python's start).
    """
    code = (
        "import subprocess, sys\n"
        "started = []\n"
        "first = subprocess.Popen.__init__\n"
        "def init(self, command, *more, **options):\n"
        "    started.append(str(command))\n"
        "    first(self, command, *more, **options)\n"
        "subprocess.Popen.__init__ = init\n"
        "from hanji_lab.cli import app\n"
        "app(['doctor', '--json'], standalone_mode=False)\n"
        "print(sorted(started), file=sys.stderr)\n"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = ast.literal_eval(done.stderr.splitlines()[-1])
    assert len(started) == len(set(started)) and len(started) <= 4, started
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert spent < 20, spent  # processor seconds; one or two on an idle machine


def test_a_file_has_each_provenance_once(tmp_path: Path) -> None:
    """What is written is what is read; sources of the same path with two contents stay apart."""
    first = Provenance({"a.c": "1" * 40, "b.c": "2" * 40}, ["gcc"], "-O3", "one", "2026-01-02")
    later = Provenance({"a.c": "3" * 40, "b.c": "2" * 40}, ["gcc"], "-O3", "one", "2026-01-03")
    made = [
        Result("k", "m", "count", operation, 1, origin, more={"label": 1})
        for operation, origin in (("x", first), ("y", later), ("z", first))
    ]
    results.write(tmp_path / "some.json", made)
    assert results.read(tmp_path / "some.json") == [result.to_json() for result in made]
    assert [Result.from_json(entry) for entry in results.read(tmp_path / "some.json")] == made
    stored = json.loads((tmp_path / "some.json").read_text())
    assert len(stored["sources"]) == 3 and len(stored["provenance"]) == 2
    assert [entry["provenance"] for entry in stored["results"]] == [0, 1, 0]
    results.write(tmp_path / "none.json", [])
    assert results.read(tmp_path / "none.json") == []


def test_stored_results_have_no_provenance_twice() -> None:
    """And no source that no provenance names: what `results.write` makes of what is there is what
    is there.
    """
    for path in [*ROOT.glob("results/*.json"), *ROOT.glob("papers/*/results/*.json")]:
        assert results.text(results.read(path)) == path.read_text(encoding="utf-8"), path.name


QUIET = """
#include "chain.h"
#include <stdio.h>
/* samples of 100 cycles, of 200 when the core seems half as wide; and how many there were */
static void show(int every)
{
    figure f;
    int disturbed;
    if (!figure_open(&f, 11))
        return;
    for (int i = 0; figure_wants(&f); i++) {
        const int quiet = i % every == 0;
        figure_add(&f, quiet ? 100 : 200, 4, quiet ? 4 : 2, 1e-3);
    }
    const int count = f.count;
    const double median = figure_close(&f, &disturbed);
    printf("%g %d %d\\n", median, disturbed, count);
}
int main(void)
{
    for (int i = 0; i < 300; i++)
        width_now(chain() / CHAIN);
    if (widest < 1 || widest > 16)
        return 1;
    widest = 4;
    show(1);
    show(4);
    show(1000);
    waited_in_all = PATIENCE_ALL;
    show(4);
    return 0;
}
"""


def said_by(text: str, folder: Path) -> str:
    """What a program over chain.h prints."""
    (folder / "program.c").write_text(text)
    command = ["gcc", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    command += ["-I", str(ROOT / "lab/measure"), "program.c", "-o", "program"]
    subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([folder / "program"], capture_output=True, text=True, check=True).stdout


CLOCK = """
#include "chain.h"
#include <stdio.h>
#define THREE(x) x x x
/* the least nanoseconds of a step of additions, and of multiplications, in some milliseconds */
int main(void)
{
    double sum = 1, product = 1;
    for (int i = 0; i < 300; i++) {
        uint64_t x = 3;
        const double added = chain() / CHAIN, begin = seconds_now();
        for (int k = 0; k < 2000; k++)
            __asm__ volatile(THREE("imul %0, %0\\n") THREE("imul %0, %0\\n") : "+r"(x));
        const double multiplied = (seconds_now() - begin) / 12000;
        sum = added < sum ? added : sum;
        product = multiplied < product ? multiplied : product;
    }
    if (width(sum) < 1)
        return 1;
    printf("%g\\n", product / sum);
    return 0;
}
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x86-64's multiplications are the clock")
def test_an_addition_of_the_chain_takes_a_cycle(tmp_path: Path) -> None:
    """A multiplication takes three cycles on every x86-64 core of the last fifteen years, whatever
    a core does with additions: some add constants while they rename registers.
    """
    assert 2.85 < float(said_by(CLOCK, tmp_path)) < 3.15


def test_samples_of_a_core_that_nobody_shares_count(tmp_path: Path) -> None:
    """A figure waits for enough of them, and not for ever."""
    rows = [line.split() for line in said_by(QUIET, tmp_path).splitlines()]
    alone, sometimes, never, impatient = ([float(word) for word in row] for row in rows)
    assert alone == [100, 0, 11]
    assert sometimes == [100, 0, 41], "it did not wait for a quiet core"
    assert never == [200, 1, 301], "patience has an end"
    assert impatient[1:] == [1, 11], "and one for all figures together"


def test_figures_of_a_shared_core_are_named_once() -> None:
    quiet.remark()
    quiet.hear(0)
    assert quiet.remark() == ""
    quiet.hear(1)
    quiet.hear(2)
    assert quiet.remark().startswith("somebody else used the core while 3 figures were taken")
    assert quiet.remark() == ""


def test_tables_print_brackets_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    """Not as markup, which would leave [report] out of the command that installs it."""
    cli.print_table("parts", ["part", "what to do"], [["report", "pip install './lab[report]'"]])
    assert "pip install './lab[report]'" in capsys.readouterr().out
