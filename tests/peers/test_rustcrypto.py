# SPDX-License-Identifier: Apache-2.0
"""Ascon against RustCrypto's crates, and how fast one message is beside them."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from hanji_lab.measure import beside_rust

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def beside() -> beside_rust.Beside:
    if shutil.which("cargo") is None:
        pytest.skip("no cargo; install Rust 1.85 or newer with rustup")
    return beside_rust.Beside(ROOT)


def test_each_crate_has_one_version() -> None:
    """Ratios depend on it: the manifest allows no other, and the lock has it with its hash."""
    wanted = tomllib.loads((beside_rust.CRATE / "Cargo.toml").read_text())["dependencies"]
    locked = tomllib.loads((beside_rust.CRATE / "Cargo.lock").read_text())["package"]
    pinned = {row["name"]: row["version"] for row in locked if len(row.get("checksum", "")) == 64}
    assert wanted and wanted == {name: f"={pinned.get(name)}" for name in wanted}


@pytest.mark.slow
def test_both_agree(beside: beside_rust.Beside) -> None:
    assert beside_rust.different(beside, 2000) == []


@pytest.mark.slow
def test_control_another_function_is_seen(
    beside: beside_rust.Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, nonce = bytes(16), bytes(range(16))
    one, _ = beside.sealed(key, nonce, b"text", b"")
    _, other = beside.sealed(key, nonce, b"text", b"data")
    assert one != other
    monkeypatch.setattr(beside, "sealed", lambda *_: [one, other])
    assert len(beside_rust.different(beside, 3)) == 3


@pytest.mark.slow
def test_ratios_have_every_size(beside: beside_rust.Beside) -> None:
    rows = list(beside_rust.ratios(beside, 3))
    assert [row[:2] for row in rows] == [
        (what, size) for what in ("seal", "hash") for size in beside_rust.SIZES
    ]
    assert all(ours > 0 and theirs > 0 for *_, ours, theirs in rows)
