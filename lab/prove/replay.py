# SPDX-License-Identifier: Apache-2.0
"""A counterexample from a file, as a case that the machines of the laboratory run."""

from __future__ import annotations

import json
from pathlib import Path

from ..cases import Buffer, Call, Case, Contents
from ..checkout import LabError
from ..kernels import HeaderError, Kernel, known_isas, parse
from .contracts import ACCESS, Task, tasks
from .graph import Bits, Graph
from .lift import Bytes


def load(path: Path, root: Path) -> Case:
    """The case of a counterexample that `hanji-lab prove` has written. Buffers lie apart."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if str(content["source"]).endswith(".ptx"):
            raise LabError(f"{path} is a case of one thread of a GPU; no machine runs it alone")
        source = Path(content["source"])
        source = source if source.is_absolute() else root / source
        ours = source.is_relative_to(root)
        found = parse(source, root if ours else source.parent, known_isas(root), free=not ours)
        kernel = next(one for one in found if one.symbol == content["function"])
        values = {str(name): int(value) for name, value in content["values"].items()}
        contents = {str(name): bytes.fromhex(data) for name, data in content["contents"].items()}
    except (OSError, ValueError, KeyError, StopIteration, HeaderError) as problem:
        raise LabError(
            f"{path} is no case of `hanji-lab prove` on a kernel with a header: {problem!r}"
        ) from None
    task = _task(kernel, values, contents)
    lifted = task.lifted(Graph())
    groups = values.get("groups", 1)
    contents.setdefault(lifted.target, bytes(groups * lifted.size))
    arguments: dict[str, Buffer | int] = {}
    for register, what in task.arguments.items():
        if "value" in what:
            arguments[register] = values[str(what["value"])]
            continue
        name = str(what["buffer"])
        data = contents.get(name, b"")
        arguments[register] = Buffer(name, data, ACCESS[name], kernel.align, name in kernel.secrets)
    call = Call(arguments, lambda before: expected(task, groups, before))
    size = groups * lifted.size
    return Case(root, kernel, (source,), (), (call,), size, kernel.operation)


def _task(kernel: Kernel, values: dict[str, int], contents: Contents) -> Task:
    """The task that the contents belong to."""
    for task in tasks(kernel):
        if any(values.get(name) != value for name, value in task.values.items()):
            continue
        lifted = task.lifted(Graph())
        masks = [_number(byte) for byte in lifted.fixed.get("big", [])]
        if bytes(masks) == contents.get("big", b""):
            return task
    raise LabError(f"{kernel.name}: the prover has no task for {values}")


def _number(byte: Bits) -> int:
    return sum((bit & 1) << i for i, bit in enumerate(byte))


def expected(task: Task, groups: int, before: Contents) -> dict[str, bytes]:
    """What the specification makes of contents."""
    g = Graph()
    lifted = task.lifted(g)
    inputs: dict[int, int] = {}

    def give(cells: Bytes, data: bytes) -> None:
        for cell, byte in zip(cells, data, strict=True):
            for i, literal in enumerate(cell):
                if literal > 1:
                    inputs[literal >> 1] = (byte >> i ^ literal) & 1

    for name, cells in lifted.fixed.items():
        give(cells, before[name])
    counter, wanted = lifted.counter, []
    for i in range(groups):
        data = [g.word(f"{i} {k}", 8) for k in range(lifted.size)]
        give(data, before[lifted.source][i * lifted.size : (i + 1) * lifted.size])
        wanted += lifted.compute(data, counter)
        counter = lifted.advanced(counter, 1) if counter and lifted.advanced else None

    def shown(cells: Bytes) -> bytes:
        values = g.evaluate(inputs, [x for cell in cells for x in cell], 1)
        return bytes(sum(values[at + i] << i for i in range(8)) for at in range(0, len(values), 8))

    made = {lifted.target: shown(wanted)}
    if counter is not None:
        made["counter"] = shown([counter[i : i + 8] for i in reversed(range(0, len(counter), 8))])
    return made
