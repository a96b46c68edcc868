# SPDX-License-Identifier: Apache-2.0
"""Which core this machine has, and where its figures belong.

Cycles of one kind of core are not those of another, and goals are set for one: results/ itself
holds the figures of that core, results/cores/NAME those of every other x86-64 core that was
measured. The results of a paper, papers/ID/results, are laid out in the same way.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Collection
from pathlib import Path

from .. import results
from ..checkout import LabError

REFERENCE = "zen5"  # lab/report/goals.yaml is for this one

AMD, INTEL = "AuthenticAMD", "GenuineIntel"
# (vendor, family, models) -> name; the makers' lists of processor signatures
KNOWN = (
    (AMD, 26, range(256), "zen5"),
    (AMD, 25, range(0x10, 0x20), "zen4"),
    (AMD, 25, range(0x60, 0x80), "zen4"),
    (AMD, 25, range(0xA0, 0xB0), "zen4"),
    (AMD, 25, range(256), "zen3"),
    (AMD, 23, range(0x30, 256), "zen2"),
    (AMD, 23, range(0x30), "zen"),
    (INTEL, 6, (173, 174), "granite-rapids"),
    (INTEL, 6, (207,), "emerald-rapids"),
    (INTEL, 6, (143,), "sapphire-rapids"),
    (INTEL, 6, (106, 108), "ice-lake-server"),
    (INTEL, 6, (85,), "skylake-server"),
)


def named(vendor: str, family: int, model: int) -> str:
    """The name of a core; maker, family and model where the table has none."""
    for its_vendor, its_family, models, name in KNOWN:
        if (its_vendor, its_family) == (vendor, family) and model in models:
            return name
    maker = {AMD: "amd", INTEL: "intel"}.get(vendor, vendor.lower())
    return re.sub("[^a-z0-9]+", "-", f"{maker}-{family}-{model}").strip("-")


def name(text: str | None = None) -> str | None:
    """The core of this machine, or of a /proc/cpuinfo; None where it does not say (not x86-64)."""
    if text is None:
        if platform.machine() != "x86_64":
            return None
        try:
            text = Path("/proc/cpuinfo").read_text()
        except OSError:
            return None
    found = [
        re.search(rf"^{field}\s*:\s*(\S+)$", text, re.MULTILINE)
        for field in ("vendor_id", "cpu family", "model")
    ]
    if not all(found):
        return None
    vendor, family, model = (match[1] for match in found if match)
    return named(vendor, int(family), int(model))


def folder(stored: Path) -> Path:
    """Where figures that were taken on this machine belong, in a folder of results."""
    return stored if (core := name()) in (None, REFERENCE) else stored / "cores" / str(core)


def of(root: Path, core: str) -> Path:
    """The folder with the figures of a core."""
    return root / "results" if core == REFERENCE else others(root) / core


def others(root: Path) -> Path:
    """The folder with a folder for each core that is not the reference."""
    return root / "results/cores"


def measured(root: Path) -> list[str]:
    """The cores besides the reference that figures are stored of."""
    try:
        return sorted(path.name for path in others(root).iterdir() if any(path.glob("*.json")))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LabError(f"{others(root)}: {error.strerror}") from error


def shown(root: Path, name: str, tiers: Collection[str]) -> str:
    """The core whose figures the documents show: of those whose file `name` has the most of these
    tiers of kernels, the one that was measured last; the reference where it is as new as another.
    """
    found: dict[str, tuple[int, str]] = {}
    for core in (REFERENCE, *measured(root)):
        path = of(root, core) / name
        if path.is_file():
            entries = results.read(path)
            there = {entry["kernel"].partition(" ")[2] for entry in entries}
            oldest = min(entry["provenance"]["date"] for entry in entries)
            found[core] = (len(there.intersection(tiers)), oldest)
    return max(found, key=found.__getitem__, default=REFERENCE)
