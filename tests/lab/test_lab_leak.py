# SPDX-License-Identifier: Apache-2.0
"""The leakage laboratory without its machines: statistics, inputs, batches, rules of the model."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import random
import re
import threading
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from hanji_lab import cli
from hanji_lab.cases import CaseError
from hanji_lab.checkout import LabError
from hanji_lab.kernels import known_isas, parse
from hanji_lab.leak import campaign, controls, isa, rtl, session, subject, welch

pytestmark = pytest.mark.quick
ROOT = Path(__file__).resolve().parents[2]
ISAS = known_isas(ROOT)
KERNELS = [controls.RV32I.file, controls.ARMV7M.file]

# Statistics


def sums_of(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> welch.Sums:
    """What the machines add up."""
    return int(a.sum()), int(b.sum()), int((a * a).sum()), int((b * b).sum())


@pytest.mark.parametrize("sizes", [(2, 2), (3, 50), (1000, 1017)])
def test_t_is_that_of_numpy(sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(sizes[1])
    for scale in (1, 7, 700):
        a, b = (rng.integers(0, scale + 2, size) for size in sizes)
        error = math.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
        if error:
            expected = (a.mean() - b.mean()) / error
            assert welch.t_value(sizes, sums_of(a, b)) == pytest.approx(expected, rel=1e-9)


def test_t_of_a_known_example() -> None:
    # means 3 and 6, variances 2.5 and 10 of five values each: -3 / sqrt(2.5 / 5 + 10 / 5)
    a, b = np.array([1, 2, 3, 4, 5]), np.array([2, 4, 6, 8, 10])
    assert welch.t_value((5, 5), sums_of(a, b)) == pytest.approx(-3 / math.sqrt(2.5))


def test_t_has_no_rounding_error_where_the_mean_is_large() -> None:
    # the variance is 1e-12 of the mean's square: floating-point sums of squares would lose it
    n, big = 1000, 10**6
    a = [big + i % 2 for i in range(n)]
    b = [big + (i % 4 == 0) for i in range(n)]
    sums = (sum(a), sum(b), sum(x * x for x in a), sum(x * x for x in b))

    def variance(values: list[int]) -> Fraction:
        mean = Fraction(sum(values), n)
        return sum((x - mean) ** 2 for x in values) / (n - 1)

    expected = 0.25 / math.sqrt((variance(a) + variance(b)) / n)
    assert welch.t_value((n, n), sums) == pytest.approx(expected, rel=1e-12)


def test_constant_classes() -> None:
    assert welch.t_value((10, 10), (20, 20, 40, 40)) == 0.0
    assert welch.t_value((10, 10), (20, 30, 40, 90)) == -math.inf
    assert not welch.varies((10, 10), (20, 20, 40, 40))
    assert welch.varies((10, 10), (20, 30, 40, 90))
    with pytest.raises(ValueError, match="at least 2 of each class"):
        welch.t_value((1, 10), (1, 10, 1, 10))


@pytest.mark.parametrize("tests", [1, 1000, 76_000, 10**6])
def test_the_threshold_is_passed_as_often_as_it_says(tests: int) -> None:
    each = math.erfc(welch.threshold(tests) / math.sqrt(2))  # two-sided, of a normal distribution
    assert -math.expm1(tests * math.log1p(-each)) == pytest.approx(1e-5, rel=1e-6)
    assert welch.threshold(1, 0.05) == pytest.approx(-NormalDist().inv_cdf(0.025))


def statistics(n: int, nets: int, shift: Mapping[int, float], seed: int) -> welch.Statistics:
    """Random toggles of some nets in one cycle; `shift` adds ones to the random class."""
    rng = np.random.default_rng(seed)
    rows, sums = [], []
    total = [np.zeros(n, np.int64), np.zeros(n, np.int64)]
    for net in range(nets):
        values = [rng.binomial(8, 0.5, n) for _ in "ab"]
        values[1] += rng.random(n) < shift.get(net, 0)
        rows.append((3, net))
        sums.append(sums_of(values[0], values[1]))
        total = [total[0] + values[0], total[1] + values[1]]
    rows.append((3, welch.ALL))
    sums.append(sums_of(total[0], total[1]))
    return welch.Statistics((n, n), np.array(rows), np.array(sums))


def test_no_leak_passes_and_is_undecided_with_fewer_traces() -> None:
    assert welch.judged(statistics(12_500, 200, {}, 1)).verdict == "passes"
    assert welch.judged(statistics(12_499, 200, {}, 1)).verdict == "undecided"
    always = np.array([[12_500, 12_500, 12_500, 12_500]])  # the net toggles once in every trace
    constant = welch.Statistics((12_500, 12_500), np.array([[0, 7]]), always)
    assert welch.judged(constant).verdict == "undecided", "nothing is tested"


def test_a_leak_is_found_in_its_net_where_the_sum_is_blind() -> None:
    found = welch.judged(statistics(4_000, 400, {17: 0.2}, 2))
    assert found.verdict == "leaks"
    assert [one.net for one in found.nets] == [17]
    assert found.sums == ()
    assert found.worst_net is not None
    assert found.worst_net.t == pytest.approx(-6.3, abs=1)
    assert found.tests == 400


def test_a_leak_of_all_nets_is_found_in_their_sum() -> None:
    found = welch.judged(statistics(4_000, 400, dict.fromkeys(range(400), 0.03), 3))
    assert found.sums
    assert found.nets == ()
    assert found.verdict == "leaks"


def test_t_is_normal_where_nothing_leaks() -> None:
    values = [
        welch.t_value((500, 500), tuple(row))  # type: ignore[arg-type]
        for row in statistics(500, 2000, {}, 4).sums[:-1].tolist()
    ]
    assert np.std(values) == pytest.approx(1, abs=0.05)
    assert np.mean(np.abs(values) > 1.96) == pytest.approx(0.05, abs=0.015)


def test_parts_add_up_to_the_whole() -> None:
    a, b = statistics(100, 5, {}, 5), statistics(70, 8, {}, 6)
    whole = welch.added([a, b])
    assert whole.traces == (170, 170)
    assert whole.places.tolist() == [*([3, i] for i in range(8)), [3, welch.ALL]]
    assert whole.sums[2].tolist() == (a.sums[2] + b.sums[2]).tolist()
    assert whole.sums[7].tolist() == b.sums[7].tolist()


# Inputs


def masked(file: Path, rounds: int = 2) -> subject.Subject:
    """A kernel of the controls."""
    (kernel,) = parse(file, file.parent, ISAS, free=True)
    return subject.subject(kernel, file, {"rounds": rounds})


@pytest.mark.parametrize("file", KERNELS, ids=lambda path: path.stem)
def test_shares_are_fresh_and_their_sum_is_the_secret(file: Path) -> None:
    one = masked(file)
    batch = one.batch(5, 0, 400)
    (region,) = one.masking.shares
    state = batch.contents["state"]
    secrets = batch.secrets["state"]
    assert (subject.joined(region, state) == secrets).all()
    fixed = batch.classes == 0
    assert 150 < fixed.sum() < 250
    assert (secrets[fixed] == one.fixed(5, region)).all()
    assert len(np.unique(secrets[~fixed], axis=0)) == (~fixed).sum()
    assert len(np.unique(state[fixed], axis=0)) == fixed.sum()
    for column in np.unpackbits(state[fixed], axis=1).T:  # every bit of every share, and the guard
        assert 0.3 < column.mean() < 0.7


def test_a_batch_depends_on_seed_and_number_alone() -> None:
    one = masked(controls.RV32I.file)
    digests = {
        hashlib.sha256(one.batch(seed, number, 50).contents["state"].tobytes()).digest()
        for seed, number in ((1, 0), (1, 1), (2, 0), (1, 0))
    }
    assert len(digests) == 3


def test_a_wrong_output_is_named() -> None:
    one = masked(controls.RV32I.file, 1)
    batch = one.batch(1, 0, 5)
    (region,) = one.masking.shares
    after = np.zeros((5, 88), np.uint8)
    for i in range(5):
        made = one.expected({"state": batch.secrets["state"][i].tobytes()})["state"]
        after[i, :40] = np.frombuffer(made, np.uint8)
    one.check(batch, {"state": after}, "here")
    after[3, 47] ^= 1  # share 1 of byte 7
    with pytest.raises(LabError, match=r"on here: trace 3: byte 7 of state, all shares together"):
        one.check(batch, {"state": after}, "here")
    assert region.secret_bytes == 40


def test_a_value_that_is_missing_is_asked_for() -> None:
    (kernel,) = parse(KERNELS[0], KERNELS[0].parent, ISAS, free=True)
    with pytest.raises(LabError, match="'rounds' has no value; give --value rounds=NUMBER"):
        subject.subject(kernel, KERNELS[0], {})


def test_a_kernel_without_shares_is_refused() -> None:
    file = ROOT / "src/ascon/ascon_p_rv32i_x1.S"
    (kernel,) = parse(file, ROOT, ISAS)
    with pytest.raises(LabError, match="its header has no key masking"):
        subject.subject(kernel, file, {"steps": 2})


def two_values() -> subject.Subject:
    """A kernel whose header has a value argument and a value in a size."""
    one = masked(controls.RV32I.file)
    args = dict(one.kernel.args or {}) | {"a2": {"buffer": "tail", "bytes": "4 * words"}}
    return subject.Subject(dataclasses.replace(one.kernel, args=args), one.file, {})


def test_a_value_that_no_kernel_takes_is_refused() -> None:
    one = masked(controls.RV32I.file)
    assert subject.value_names(one.kernel) == {"rounds"}
    assert subject.value_names(two_values().kernel) == {"rounds", "words"}
    (kernel,) = parse(KERNELS[0], KERNELS[0].parent, ISAS, free=True)
    kernel = dataclasses.replace(kernel, source=str(KERNELS[0]))

    def subjects(**values: int) -> list[subject.Subject]:
        return session.subjects([kernel], "rtl:ibex", ROOT, values)

    assert subjects(rounds=2)[0].values["rounds"] == 2
    assert subjects(steps=2)[0].arguments[1] == (1, 2)  # the other name of rounds
    said = "--value round given, but masked_ascon_p takes no such value; there are: rounds"
    with pytest.raises(LabError, match=said):
        subjects(rounds=2, round=3)
    with pytest.raises(LabError, match="--value x given, but no kernel is given, which takes"):
        session.subjects([], "rtl:ibex", ROOT, {"x": 1})
    assert session.subjects([], "rtl:ibex", ROOT, {}) == []


def test_a_value_is_given_once() -> None:
    assert cli._values(["rounds=2", "steps=3"]) == {"rounds": 2, "steps": 3}
    with pytest.raises(LabError, match="--value rounds given twice, 2 and 3; once expected"):
        cli._values(["rounds=2", "rounds=3"])


# Batches


class Coins:
    """A machine whose one net toggles as the first byte of the state says."""

    name = "coins"

    def __init__(self, path: list[int] | None = None) -> None:
        self.listing: dict[int, str] = {}
        self.subject = masked(controls.RV32I.file, 1)
        self.made, self.stop = 0, 10**9
        self.path, self.lock = path or [4], threading.Lock()

    def prepare(self) -> None:
        pass

    def key(self) -> bytes:
        return b"coins"

    def tools(self) -> list[str]:
        return []

    def net_names(self, net: int) -> list[str]:
        return [str(net)]

    def about(self) -> Mapping[str, int]:
        return {}

    def traced(
        self, batch: subject.Batch
    ) -> tuple[welch.Statistics, list[int], dict[str, subject.Bytes]]:
        with self.lock:
            self.made += 1
            if self.made > self.stop:
                raise KeyboardInterrupt
        state = batch.contents["state"]
        values = state[:, 0].astype(np.int64)
        parts = [values[batch.classes == kind] for kind in (0, 1)]
        after = np.zeros_like(state)
        for i in range(len(state)):
            made = self.subject.expected({"state": batch.secrets["state"][i].tobytes()})["state"]
            after[i, :40] = np.frombuffer(made, np.uint8)
        found = welch.Statistics(
            (len(parts[0]), len(parts[1])), np.array([[0, 1]]), np.array([sums_of(*parts)])
        )
        return found, self.path, {"state": after}


def run(machine: Coins, home: Path, traces: int, jobs: int = 1) -> tuple[list[int], welch.Sums]:
    """What a campaign tells, and its sums."""
    told: list[int] = []
    made = campaign.Campaign(machine, home, 1).run(traces, jobs, told.append)
    assert sum(made.statistics.traces) == traces
    return told, tuple(made.statistics.sums[0].tolist())  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "BATCH", 20)


def test_an_interrupted_run_continues_and_ends_the_same(tmp_path: Path) -> None:
    whole = run(Coins(), tmp_path / "whole", 90)
    assert whole[0] == [0, 20, 40, 60, 80, 90]
    broken = Coins()
    broken.stop = 3
    with pytest.raises(KeyboardInterrupt):
        run(broken, tmp_path / "broken", 90)
    again = Coins()
    assert run(again, tmp_path / "broken", 90) == ([60, 80, 90], whole[1])
    assert again.made == 2


def test_jobs_and_more_traces_change_nothing(tmp_path: Path) -> None:
    whole = run(Coins(), tmp_path / "whole", 100)
    assert run(Coins(), tmp_path / "jobs", 100, jobs=4)[1] == whole[1]
    run(Coins(), tmp_path / "grown", 40)
    more = Coins()
    assert run(more, tmp_path / "grown", 100)[1] == whole[1]
    assert more.made == 3


def test_a_damaged_batch_is_made_again(tmp_path: Path) -> None:
    whole = run(Coins(), tmp_path, 60)
    files = sorted(tmp_path.rglob("*.npz"))
    assert len(files) == 3
    data = bytearray(files[1].read_bytes())
    data[len(data) // 2] ^= 1
    files[1].write_bytes(data)
    files[2].write_bytes(files[2].read_bytes()[:-1])
    again = Coins()
    assert run(again, tmp_path, 60)[1] == whole[1]
    assert again.made == 2
    assert not [one for one in tmp_path.rglob("*") if one.is_file() and one not in files]


def test_another_batch_under_the_name_of_one_is_made_again(tmp_path: Path) -> None:
    """A copy would be counted twice, and traces with another seed or kernel taken for these."""
    whole = run(Coins(), tmp_path / "whole", 60)
    campaign.Campaign(Coins(), tmp_path / "other", 2).run(20, 1, lambda _: None)
    (other,) = (tmp_path / "other").rglob("*.npz")
    files = sorted((tmp_path / "whole").rglob("*.npz"))
    files[1].write_bytes(files[0].read_bytes())
    files[2].write_bytes(other.read_bytes())
    again = Coins()
    assert run(again, tmp_path / "whole", 60)[1] == whole[1]
    assert again.made == 2


def test_kernels_of_one_file_share_no_traces(tmp_path: Path) -> None:
    """Though all that their headers say is the same; else one would pass with the other's traces."""
    text = controls.ARMV7M.file.read_text(encoding="utf-8")
    file = tmp_path / "two_armv7m.S"
    file.write_text(text + text.replace("masked_ascon_p", "other_ascon_p"))
    folders = set()
    for kernel in parse(file, tmp_path, ISAS, free=True):
        machine = Coins()
        machine.subject = subject.subject(kernel, file, {"rounds": 1})
        folders.add(campaign.Campaign(machine, tmp_path, 1).folder)
    assert len(folders) == 2


def test_another_specification_makes_the_traces_again(tmp_path: Path) -> None:
    """Outputs are compared when a batch is made."""
    python = tmp_path / "mine.py"
    text = controls.ARMV7M.file.read_text(encoding="utf-8")
    file = tmp_path / "mine_armv7m.S"
    file.write_text(text.replace("ascon_p.permute", f"{python}:permute"))
    folders = set()
    for word in ("state", "state[::-1]"):
        python.write_text(f"def permute(state: bytes, rounds: int) -> bytes:\n    return {word}\n")
        (kernel,) = parse(file, tmp_path, ISAS, free=True)
        machine = Coins()
        machine.subject = subject.subject(kernel, file, {"rounds": 1})
        folders.add(campaign.Campaign(machine, tmp_path, 1).folder)
    assert len(folders) == 2


def test_a_path_that_changes_is_no_test(tmp_path: Path) -> None:
    run(Coins(), tmp_path, 20)
    with pytest.raises(LabError, match="batch 1 takes another path than batch 0"):
        run(Coins([4, 8]), tmp_path, 40)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot be written: Not a directory"):
        run(Coins(), tmp_path / "file", 20)
    one = campaign.Campaign(Coins(), tmp_path, 1)
    (one.folder / "000000-20.npz").mkdir(parents=True)
    with pytest.raises(LabError, match=r"000000-20\.npz cannot be removed: "):
        one.forget()


@pytest.mark.parametrize(
    ("script", "is_wrong", "said"),
    [
        ("kill -9 $$", False, "the simulation ended with status -9"),
        ("exit 98", False, "is the disk full"),
        ("exit 102", True, "an endless loop"),
        ("echo 16; exit 100", True, "accesses address 0x10"),
    ],
)
def test_a_simulator_that_dies_says_nothing_of_the_kernel(
    tmp_path: Path, script: str, is_wrong: bool, said: str
) -> None:
    machine = rtl.Ibex(masked(controls.RV32I.file, 1), ROOT)
    machine.simulator = tmp_path / "simulator"
    machine.simulator.write_text(f"#!/bin/sh\n{script}\n")
    machine.simulator.chmod(0o700)
    machine.names, machine.most = [(1, 32, rtl.COUNTER)], 1000
    machine.places = dict.fromkeys(machine.subject.sizes, rtl.BUFFERS)
    with pytest.raises(LabError, match=said) as caught:
        machine.traced(machine.subject.batch(1, 0, 2))
    assert isinstance(caught.value, CaseError) == is_wrong


# The model of an instruction set


def test_rules_are_the_same_on_numbers_and_on_arrays() -> None:
    source = random.Random(3)
    edges = [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
    pairs = [(a, b) for a in edges for b in edges]
    pairs += [(source.getrandbits(32), source.getrandbits(32)) for _ in range(100)]
    left = np.array([a for a, _ in pairs], np.uint64)
    right = np.array([b for _, b in pairs], np.uint64)
    for name, rule in isa.RULES.items():
        one = name in ("COPY", "INT_ZEXT", "INT_SEXT", "INT_NEGATE", "INT_2COMP")
        out = 8 if name in ("INT_SEXT", "INT_ZEXT", "INT_MULT") else 4
        if name in ("INT_LEFT", "INT_RIGHT", "INT_SRIGHT", "SUBPIECE"):
            for by in (0, 1, 3):
                numbers = [rule([a, by], [4, 4], 4) & 0xFFFFFFFF for a, _ in pairs]
                array = np.asarray(rule([left, by], [4, 4], 4)).astype(np.uint64) & 0xFFFFFFFF
                assert array.tolist() == numbers, name
            continue
        taken = [left] if one else [left, right]
        mask = (1 << 8 * out) - 1
        numbers = [rule([a] if one else [a, b], [4, 4], out) & mask for a, b in pairs]
        array = np.asarray(rule(taken, [4, 4], out)).astype(np.uint64) & np.uint64(mask)
        assert array.tolist() == numbers, name


@pytest.mark.parametrize(
    ("name", "a", "b", "made"),
    [
        ("INT_SUB", 3, 5, 0xFFFFFFFE),
        ("INT_2COMP", 1, 0, 0xFFFFFFFF),
        ("INT_CARRY", 0xFFFFFFFF, 1, 1),
        ("INT_SCARRY", 0x7FFFFFFF, 1, 1),
        ("INT_SCARRY", 0xFFFFFFFF, 1, 0),
        ("INT_SBORROW", 0x80000000, 1, 1),
        ("INT_SBORROW", 5, 6, 0),
        ("INT_SLESS", 0xFFFFFFFF, 0, 1),
        ("INT_SRIGHT", 0x80000000, 4, 0xF8000000),
        ("INT_LEFT", 1, 32, 0),
        ("SUBPIECE", 0x12345678, 2, 0x1234),
    ],
)
def test_rules_are_those_of_p_code(name: str, a: int, b: int, made: int) -> None:
    assert isa.RULES[name]([a, b], [4, 4], 4) & 0xFFFFFFFF == made


def test_the_model_refuses_stores_outside_of_what_the_header_names() -> None:
    at = isa.BUFFERS
    out, given = (isa._Place(f"buffer {name!r}", at + i * 128, 10, not i)
                  for i, name in enumerate(("out", "in")))  # fmt: skip
    machine = isa._Machine(
        None, 2, [out, given, isa._Place("its 8 bytes of stack", at + 992, 8, True)]
    )
    for place, size in (
        (at, 4),
        (at + 4, 4),
        (at + 8, 2),
        (at + 9, 1),
        (at + 992, 4),
        (at + 999, 1),
    ):
        machine.store(place, size, 1)
    outside = r"outside of buffer 'out', buffer 'in', its 8 bytes of stack"
    for place, size, said in (
        (at + 8, 4, outside),  # its last two bytes are behind the buffer
        (at + 10, 1, outside),
        (at + 64, 4, outside),
        (at - 4, 4, outside),
        (at + 128, 4, r"in buffer 'in', which it only reads"),
        (at + 988, 4, outside),
        (at + 1000, 4, outside),
        (0, 4, outside),
        (at + 2, 4, "not aligned"),
    ):
        held = dict(machine.memory)
        with pytest.raises(CaseError, match=f"stores {size} bytes to {place:#x}, .*{said}"):
            machine.store(place, size, 1)
        assert machine.memory == held


# Reports and controls


class Found:
    """A checkout in which the machine fails with the second kernel or control."""

    def __init__(self, patch: pytest.MonkeyPatch, error: BaseException) -> None:
        self.error, self.judged = error, 0
        patch.setattr(session, "test", self.test)
        for machine in session.MACHINES.values():
            patch.setattr(machine, "why_not", staticmethod(lambda: None))

    def test(
        self, one: subject.Subject, on: str, root: Path, traces: int, *_: object
    ) -> session.Finding:
        self.judged += 1
        if self.judged == 2:
            raise self.error
        machine = Coins()
        machine.name = on
        none = np.zeros((0, 2), np.int64), np.zeros((0, 4), np.int64)
        statistics = welch.Statistics((traces // 2, traces - traces // 2), *none)
        judgement = dataclasses.replace(welch.judged(statistics), tests=1)
        made = campaign.Made(statistics, [4])
        return session.Finding(one.kernel, machine, 1, made, judgement, ())


def two_kernels(folder: Path) -> Path:
    """A file with two kernels under one specification."""
    text = controls.ARMV7M.file.read_text(encoding="utf-8")
    file = folder / "two_armv7m.S"
    file.write_text(text + text.replace("masked_ascon_p", "other_ascon_p"))
    return file


@pytest.mark.parametrize("as_json", [False, True])
def test_an_error_of_the_second_kernel_keeps_the_report_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    Found(monkeypatch, LabError("the model has no rule for INT_DIV"))
    line = ["leak", str(two_kernels(tmp_path)), "--on", "isa:armv7m", "--value", "rounds=1"]
    done = CliRunner().invoke(cli.app, [*line, *(["--json"] if as_json else [])])
    assert isinstance(done.exception, LabError)
    assert (str(done.exception), done.exception.status) == ("the model has no rule for INT_DIV", 2)
    if as_json:
        (said,) = json.loads(done.stdout)
        assert (said["kernel"], said["verdict"]) == ("masked_ascon_p", "passes")
    else:
        assert re.search(r"masked_ascon_p +passes", done.stdout)
        assert "other_ascon_p" not in done.stdout


def test_an_error_of_a_control_keeps_what_the_controls_before_it_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Found(monkeypatch, LabError("no room"))
    done = CliRunner().invoke(cli.app, ["leak", "--on", "isa:armv7m", "--controls", "--json"])
    assert str(done.exception) == "no room"
    assert [row["control"] for row in json.loads(done.stdout)] == ["none"]


def test_an_error_of_the_first_kernel_is_all_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Found(monkeypatch, LabError("no room"))
    found.judged = 1
    line = ["leak", str(two_kernels(tmp_path)), "--on", "isa:armv7m", "--value", "rounds=1"]
    done = CliRunner().invoke(cli.app, line)
    assert str(done.exception) == "no room"
    assert done.stdout == ""


def test_an_instruction_is_named_with_the_two_before_it() -> None:
    listing = {0: "a", 4: "b", 8: "c"}
    path = [0, 0, 4, 4, 4, 8, 12]
    assert session.around(listing, path, 5) == ("0x8: c", ("0x0: a", "0x4: b"))
    assert session.around(listing, path, 6) == ("0xc: no instruction", ("0x4: b", "0x8: c"))
    assert session.around(listing, path, 3) == ("0x4: b", ("0x0: a",))
    assert session.around(listing, path, 0) == ("0x0: a", ())


@pytest.mark.parametrize("on", list(controls.CONTROLS))
def test_every_fault_is_an_edit_of_its_own(on: str) -> None:
    wanted = controls.CONTROLS[on]
    made = session.planted(wanted)
    assert len({text for _, _, text, _ in made}) == len(made)
    assert len(wanted.faults) == {"rtl:ibex": 8, "isa:armv7m": 7}[on]
    assert made[0][0] == session.CLEAN
    assert made[0][3] == welch.TRACES_LEAST


def test_a_fault_that_no_longer_fits_is_an_error() -> None:
    fault = controls.RV32I.faults[-1]
    with pytest.raises(LabError, match=r"control stale: .* stands 0 times in kernel\.S, once"):
        fault.planted("nothing", "kernel.S")


def test_infinity_is_text_in_json() -> None:
    assert session._number(-math.inf) == "-inf"
    assert session._number(1.23456) == 1.2346


def test_random_secrets_do_not_repeat() -> None:
    one = masked(controls.RV32I.file)
    drawn = random.Random(1).sample(range(10**6), 3)
    assert len({one.batch(seed, 0, 3).secrets["state"].tobytes() for seed in drawn}) == 3


def test_titles_count_in_english() -> None:
    assert [cli._many(n, "cycle") for n in (0, 1, 2)] == ["0 cycles", "1 cycle", "2 cycles"]
