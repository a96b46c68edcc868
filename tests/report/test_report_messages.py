# SPDX-License-Identifier: Apache-2.0
"""CTR, EAX and CMAC over messages of their own: what the host measures, and the table of it beside
the figures of public programs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hanji_lab import report
from hanji_lab.kernels import own_tiers
from hanji_lab.measure import Harness, host
from hanji_lab.report import public
from hanji_lab.results import Provenance

ROOT = Path(__file__).resolve().parents[2]


class Machine(Harness):
    """Known cycles: two a byte, and 100 of a key schedule."""

    def __init__(self) -> None:
        self.root, self.compiler, self.asked = ROOT, "gcc", []  # type: ignore[var-annotated]

    def force(self, tier: str) -> None:
        self.tier = tier

    def measure(
        self, name: str, operation: str, size: int, rounds: int = 41
    ) -> tuple[float, float]:
        return 2.0 * size + 100 * (", key" in operation), 0.0

    def provenance(self, *_: object, **__: object) -> Provenance:
        return Provenance({}, ["a tool"], "-O3", "a test", "2026-11-22")


def test_messages_are_measured_and_shown_with_and_without_the_key_schedule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = ["speck-64/128", "simon-128/128", "cham-128/128"]
    assert set(few) < set(host.MESSAGE_CIPHERS)
    monkeypatch.setattr(host, "MESSAGE_CIPHERS", few)
    found = list(host._messages(Machine(), "a test"))
    assert {result.operation for result in found} == set(host.MESSAGES) == set(report.MESSAGES)
    assert {result.bytes for result in found} == {16, 64, 300, 1024, 16384, 1 << 20}
    assert {result.kernel for result in found} >= {f"speck-64/128 {own_tiers(ROOT)[-1]}"}
    entries = [result.to_json() for result in found]
    grid = report.message_grid(entries, report.Origins("host", ROOT))
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in grid.rows}
    assert grid.columns[1:4] == ["16 bytes", "64 bytes", "300 bytes"]
    assert rows["speck-64/128 portable, key ready"] == ["2.00"] * 6
    assert rows["speck-64/128 portable, key schedule included"][:3] == ["8.25", "3.56", "2.33"]
    assert rows["speck-64/128 portable, EAX, key schedule included"][:2] == ["8.25", "3.56"]
    assert rows["cham-128/128 portable, CMAC, key ready"] == ["2.00"] * 6
    theirs = rows["simon-128/128 NSA avx2, key schedule included"]
    assert theirs == ["28.90", "10.70", "", "1.98", "1.43", "1.40"]
    assert public.OPERATION in report.MESSAGES and "NSA" in grid.note
