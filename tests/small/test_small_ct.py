# SPDX-License-Identifier: Apache-2.0
"""Equal figures for different secrets on microcontrollers: `hanji-lab ct --on`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from debian import need

from hanji_lab import cli
from hanji_lab.checkout import LabError, find_checkout
from hanji_lab.ct.mcu import BOARDS, Microcontroller
from hanji_lab.measure import messages

ROOT = find_checkout(Path(__file__))
ONE = {
    "simavr:atmega328p": "ascon_p_avr_x1",
    "qemu:cortex-m0": "ascon_p_armv6m_x1",
    "qemu:cortex-m3": "keccak_armv7m_x1",
    "qemu:cortex-m4": "cham64_128_armv7em_ctr_x2",
}


def checker(name, turns=2, **more):
    need("gcc", "gcc-avr", "avr-libc", "simavr", "gcc-arm-none-eabi", "qemu-system-arm")
    return Microcontroller(ROOT, messages.board(name), turns=turns, **more)


@pytest.mark.parametrize("name", ONE)
def test_a_kernel_takes_the_same_for_other_secrets_and_a_leak_is_seen(name):
    report = checker(name, only=(ONE[name],), whole=False).run()
    assert report.passed, report.problems
    control, *checks = report.objects
    assert control["kind"] == "control" and control["errors"] > 0
    assert {check["errors"] for check in checks} == {0}


def test_whole_messages_take_the_same_cycles():
    found = checker("simavr:atmega328p").messages()
    assert set(found) >= {"schwaemm256-128:128", "ascon-aead128:16", "cham-64/128-ctr:512"}
    assert {name: counts for name, counts in found.items() if len(counts) > 1} == {}


def test_control_a_kernel_that_differs_is_named(monkeypatch):
    one = checker("qemu:cortex-m0", only=("ascon_p_armv6m_x1",), whole=False)
    leak = one.control()
    monkeypatch.setattr(Microcontroller, "control", lambda self: leak)
    monkeypatch.setattr(Microcontroller, "figures", lambda self, kernel: [("permute", leak)])
    (problem,) = one.run().problems
    assert problem.startswith("ascon_p_armv6m_x1 permute takes ") and " or " in problem


def test_a_control_that_is_not_seen_is_an_error(monkeypatch):
    monkeypatch.setattr(Microcontroller, "control", lambda self: {1})
    report = checker("qemu:cortex-m0", only=("none",), whole=False).run()
    assert report.problems == ["the control, a branch on a secret, is not seen"]


def test_the_command_knows_the_boards_alone():
    said = CliRunner().invoke(cli.app, ["ct", "--on", "qemu:cortex-m9", "--root", str(ROOT)])
    assert said.exit_code != 0
    problem = str(said.exception) if isinstance(said.exception, LabError) else said.output
    assert all(name in problem for name in BOARDS)
