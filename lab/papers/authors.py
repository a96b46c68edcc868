# SPDX-License-Identifier: Apache-2.0
"""The authors' own code: run from a folder into which the reader has fetched it, and never shipped.

A paper's file says under `authors` where the code is published (`repository`, `commit`), on which
`machines` it is measured, and in `kernels` what each file is: its `file`, `symbol`, `isa`, `spec`,
`signature`, and where they are needed `blocks`, `layout`, the registers that it changes although
its caller keeps them (`allow`), and `repairs`: texts to replace, each with `why`.

A kernel in CUDA (`isa: cuda`) is compiled by the pinned nvcc and counted in the emulator of a GPU's
machine code, a block for each thread; `signature` names its arguments (lab/gpu/theirs.py).

`reviewed` lists figures that reviewers measured so. They are data, not results of this repository.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import brought, results
from ..cases import cases
from ..checkout import LabError
from ..fingerprints import fingerprint
from ..gpu import theirs
from ..machines import Machine, ready
from ..results import Entry, Provenance, Result

FIGURES = ("instructions", "cycles", "cycles_per_byte")


def _repaired(text: str, given: Mapping[str, Any], path: Path) -> str:
    """The text with its known repairs; LabError when a place to repair is not there."""
    for repair in given.get("repairs", ()):
        pattern = rf"(?<!\w){re.escape(repair['from'])}(?!\w)"
        text, times = re.subn(pattern, repair["to"].replace("\\", r"\\"), text)
        if not times:
            raise LabError(
                f"{path}: {repair['from']!r}, which is to be repaired, is not there;"
                " is it another version?"
            )
    return text


def measure(
    content: Mapping[str, Any], paper: str, folder: Path, root: Path, command: str
) -> Iterator[Result]:
    """Measure the authors' kernels in a folder on the machines that the paper's file names."""
    if "authors" not in content:
        raise LabError(f"no mapping of the authors' code of {paper} is known (papers/*/paper.yaml)")
    given = content["authors"]
    machines = ready(given["machines"])
    where = f"{given['repository']} at {given['commit']}"
    with tempfile.TemporaryDirectory(prefix="hanji-lab-") as work:
        for one in given["kernels"]:
            path = folder / one["file"]
            if not path.is_file():
                raise LabError(f"{path} is not there; --authors expects a copy of {where}")
            copy = Path(work, path.name)
            copy.write_text(_repaired(path.read_text(encoding="utf-8"), one, path))
            if one["isa"] == "cuda":
                for machine in machines:
                    yield _named(_cuda(copy, one, machine, command), one, where, path)
                continue
            said = brought.Said(
                one["spec"],
                one["isa"],
                one.get("blocks", 1),
                one["symbol"],
                one["signature"],
                one.get("layout", "canonical"),
                tuple(one.get("allow", ())),
            )
            for kernel in brought.kernels(copy, root, said):
                for case in cases(root, kernel):
                    for machine in machines:
                        if kernel.isa in machine.isas:
                            for result in machine.measure(case, command):
                                yield _named(result, one, where, path)


def _cuda(path: Path, one: Mapping[str, Any], machine: Machine, command: str) -> Result:
    """A kernel for GPUs, counted in the emulator."""
    algorithm, _, operation = one["spec"].partition(".")
    architecture = int(machine.name.rpartition("_")[2])
    counted = theirs.count(
        path.read_text(encoding="utf-8"),
        one["symbol"],
        algorithm,
        one["signature"].split(","),
        architecture,
        path.name,
    )
    if not counted.right:
        raise LabError(f"{one['symbol']} of {path.name} does not give what {one['spec']} gives")
    return Result(
        one["symbol"],
        machine.name,
        "count",
        operation,
        None,
        Provenance({}, theirs.compiler(), "-O3", command),
        cache=None,
        instructions=counted.instructions,
        more={"per_block": counted.pipes},
    )


def _named(result: Result, one: Mapping[str, Any], where: str, path: Path) -> Result:
    """The result with what it is, and the published file as its source."""
    outside = {f"{where}: {one['file']}": fingerprint(path)}
    more = result.more | {"authors": one["id"], "repaired": bool(one.get("repairs"))}
    return replace(result, provenance=replace(result.provenance, sources=outside), more=more)


def reviewed(content: Mapping[str, Any], paper: str, root: Path) -> list[Entry]:
    """The figures that reviewers measured, as objects like results, of kind `reviewed`."""
    listed = content.get("reviewed", ())
    if not listed:
        return []
    given = content["authors"]
    known = {one["id"]: one for one in given["kernels"]}
    origin = {
        "sources": results.sources(root, [f"papers/{paper}/paper.yaml"]),
        "tools": [f"{given['repository']} at {given['commit']}"],
        "flags": "",
        "command": f"hanji-lab paper {paper} --authors FOLDER",
        "date": str(content.get("reviewed_on", "")),
    }
    made: list[Entry] = []
    for one in listed:
        kernel = known.get(one["id"])
        if kernel is None:
            raise LabError(
                f"papers/{paper}/paper.yaml: reviewed {one['id']!r} is no kernel of its authors"
            )
        made.append(
            {
                "kernel": kernel["symbol"],
                "machine": one["machine"],
                "kind": "reviewed",
                "operation": kernel["spec"].partition(".")[2].replace("_", "-"),
                "bytes": None,
                "cache": one.get("cache"),
                "authors": one["id"],
                "provenance": origin,
            }
            | {figure: one.get(figure) for figure in FIGURES}
            | ({"per_block": one["per_block"]} if "per_block" in one else {})
        )
    return made
