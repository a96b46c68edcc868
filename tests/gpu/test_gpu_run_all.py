# SPDX-License-Identifier: Apache-2.0
"""lab/gpu/run-all, whole, with the driver that is not one; what it refuses; and the C kernels that
it compares with.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hanji_lab import papers, results, spec
from hanji_lab.checkout import LabError
from hanji_lab.gpu import assemble, bench, calls, plain
from hanji_lab.gpu.sass import Buffer, run
from hanji_lab.gpu.session import SHORT, Sizes

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PTX = "speck-simon-simeck-ptx"
sys.path.insert(0, str(HERE.parent / "c"))
import builds  # noqa: E402

REAL = os.environ.get("HANJI_TEST_GPU") == "1"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed package as a wheel again."""
    site = Path(sysconfig.get_paths()["purelib"])
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    path = (
        tmp_path_factory.mktemp("wheel") / f"hanji-0.2.0-{tag}-{tag}-linux_{os.uname().machine}.whl"
    )
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted((site / "hanji").rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                archive.write(file, file.relative_to(site))
    return path


def run_all(
    *arguments: str | Path, driver: bool = True, root: Path = ROOT, **extra: str
) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("FAKE_CUDA", "HANJI_FORCE", "LD_LIBRARY"))
    } | extra
    if driver and not REAL:
        environment["LD_LIBRARY_PATH"] = str(builds.build("host-gcc") / "tests/gpu")
    command = [sys.executable, root / "lab/gpu/run-all", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_everything_is_checked_and_measured(wheel: Path, tmp_path: Path) -> None:
    done = run_all("--wheel", wheel, "--out", tmp_path, "--short")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-2000:] + done.stderr
    (path,) = tmp_path.glob("gpu-*.json")
    assert len(list(tmp_path.iterdir())) <= 8
    entries = results.read(path)
    assert all(entry.get("correct", True) for entry in entries)
    measured = {
        (entry["kernel"], entry["operation"]) for entry in entries if "blocks_per_s" in entry
    }
    for kernel in bench.streams():
        if kernel.layout != "tail":
            assert (kernel.name.removeprefix("hanji_"), kernel.operation) in measured
    assert {(fleet.name.removeprefix("hanji_"), "fleet") for fleet in bench.own_keys()} <= measured
    sealing = {sponge.entry("seal") for sponge in bench.SPONGES}
    assert len(sealing) == 2
    assert {(name.removeprefix("hanji_"), "seal") for name in sealing} <= measured
    assert sum(entry["operation"] == "ctr with transfers" for entry in entries) == 5
    assert {named(entry) for entry in entries if "nanoseconds_per_message" in entry} == CALLS
    checked = {
        entry["kernel"] for entry in entries if set(entry) >= {"correct"} and entry["bytes"] is None
    }
    names = {k.name for k in bench.streams()} | {f.name for f in bench.own_keys()} | sealing
    assert {f"hanji_{kernel}" for kernel in checked} == names
    for entry in entries:
        assert entry["provenance"]["sources"] and not results.stale(
            entry["provenance"]["sources"], ROOT
        )
    # The paper's table has its times now.
    report = papers.compare(PTX, ROOT, [*papers.own(PTX, ROOT), *entries])
    (table,) = (table for table in report.tables if "run-all" in table.title)
    assert len(table.rows) == 6 and all(
        cell.endswith(" ms") for row in table.rows for cell in row[3:6]
    )


def test_a_wrong_kernel_is_named_marked_and_not_measured(wheel: Path, tmp_path: Path) -> None:
    if REAL:
        pytest.skip("needs the driver that is not one")
    done = run_all(
        "--wheel",
        wheel,
        "--out",
        tmp_path,
        "--short",
        "--part",
        "check",
        "--part",
        "streams",
        FAKE_CUDA_WRONG="3",
    )
    assert done.returncode == bench.WRONG
    assert "WRONG: hanji_speck64_128_sm75_ctr_x8: 80 bytes: byte 0 of 80 is" in done.stdout
    entries = results.read(next(tmp_path.glob("gpu-*.json")))
    mine = [entry for entry in entries if entry["kernel"].endswith("speck64_128_sm75_ctr_x8")]
    assert [entry["correct"] for entry in mine] == [False] and "blocks_per_s" not in mine[0]
    assert any(
        entry["kernel"] == "speck64_128_sm75_encrypt_x8" and "blocks_per_s" in entry
        for entry in entries
    )


def test_what_there_was_no_time_for_is_done_later(wheel: Path, tmp_path: Path) -> None:
    arguments = [
        "--wheel",
        wheel,
        "--out",
        tmp_path,
        "--short",
        "--part",
        "copies",
        "--part",
        "streams",
    ]
    cut = run_all(*arguments, "--seconds", "0")
    assert cut.returncode == bench.CUT and "no time was left for" in cut.stdout
    assert run_all(*arguments, "--part", "copies").returncode == 0
    (path,) = tmp_path.glob("gpu-*.json")
    before = results.read(path)
    again = run_all(*arguments, "--resume", "--part", "sponge")
    assert again.returncode == 0 and "seals/s" in again.stdout and "blocks/s" not in again.stdout
    assert results.read(path)[: len(before)] == before


# Whole calls of Python

CALLS = {
    (call.algorithm, f"call of {call.operation}", call.size * SHORT.call_messages, place)
    for call in calls.CALLS
    for place in calls.PLACES
}


def named(entry: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(entry[name] for name in ("kernel", "operation", "bytes", "place"))


def test_calls_that_were_done_are_not_done_again(wheel: Path, tmp_path: Path) -> None:
    arguments = ["--wheel", wheel, "--out", tmp_path, "--short", "--part", "calls"]
    cut = run_all(*arguments, "--seconds", "0")
    assert cut.returncode == bench.CUT and f"no time was left for {len(CALLS)} items" in cut.stdout
    assert run_all(*arguments, "--resume").returncode == 0
    (path,) = tmp_path.glob("gpu-*.json")
    before = results.read(path)
    assert len(before) == len(CALLS) and {named(entry) for entry in before} == CALLS
    for entry in before:
        assert (entry["kind"] == "host") == (entry["place"] == calls.PROCESSORS)
        assert entry["correct"] and entry["processors"] >= 1 and entry["processor"]
        took = 1e9 * entry["seconds"] / SHORT.call_messages
        assert entry["nanoseconds_per_message"] == pytest.approx(took)
    # as if the first run had ended before the last calls
    results.write_text(path, results.text(before[:-2]))
    state = json.loads(path.with_suffix(".state").read_text())
    state["items"] = state["items"][:-2]
    path.with_suffix(".state").write_text(json.dumps(state))
    again = run_all(*arguments, "--resume")
    assert again.returncode == 0 and again.stdout.count("ns a message") == 2
    after = results.read(path)
    assert after[:-2] == before[:-2]
    assert [named(entry) for entry in after] == [named(entry) for entry in before]


def test_a_wrong_call_is_named_marked_and_not_measured(wheel: Path, tmp_path: Path) -> None:
    if REAL:
        pytest.skip("needs the driver that is not one")
    arguments = ["--wheel", wheel, "--out", tmp_path, "--short", "--part", "calls"]
    # of each call in each place the first launch is compared, and so many more are measured
    launch = 1 + 2 * (2 + SHORT.call_repeats)
    done = run_all(*arguments, FAKE_CUDA_WRONG=str(launch))
    item = "call ascon-aead128, encrypt, 16 bytes, device arrays"
    assert done.returncode == bench.WRONG
    assert f"WRONG: {item}: the data of message 0 are not those of a call" in done.stdout
    (path,) = tmp_path.glob("gpu-*.json")
    entries = results.read(path)
    (wrong,) = (entry for entry in entries if not entry["correct"])
    assert named(wrong) == ("ascon-aead128", "call of encrypt", 4800, calls.DEVICE)
    assert "nanoseconds_per_message" not in wrong and wrong["wrong"].startswith("the data of")
    measured = {named(entry) for entry in entries if "nanoseconds_per_message" in entry}
    assert measured == CALLS - {named(wrong)}
    again = run_all(*arguments, "--resume")
    assert again.returncode == bench.WRONG and f"WRONG: {item}" in again.stdout
    assert results.read(path) == entries


def test_a_call_that_the_driver_fails_ends_it(wheel: Path, tmp_path: Path) -> None:
    if REAL:
        pytest.skip("needs the driver that is not one")
    arguments = ["--wheel", wheel, "--out", tmp_path, "--short", "--part", "calls"]
    log = run_all(*arguments, FAKE_CUDA_LOG="1").stderr
    number = re.findall(r"^(\d+) cuLaunchKernel", log, re.MULTILINE)[-1]
    done = run_all(*arguments, FAKE_CUDA_FAIL=number)
    assert done.returncode == bench.WRONG, done.stderr
    said = "FAILED: calls: a kernel does not start: CUDA_ERROR_LAUNCH_FAILED; run again"
    assert said in done.stdout


def test_control_wrong_tags_are_seen() -> None:
    rows = np.arange(80, dtype=np.uint8).reshape(10, 8)
    chosen = np.array([0, 4, 9])
    wanted = SimpleNamespace(data=rows[chosen], tags=rows[chosen])
    made = SimpleNamespace(data=rows, tags=rows.copy())
    assert calls._difference(made, wanted, chosen) == ""
    made.tags[5] ^= 1  # not looked at
    assert calls._difference(made, wanted, chosen) == ""
    made.tags[4, 7] ^= 1
    assert calls._difference(made, wanted, chosen).startswith("the tags of message 4 are not")


def test_calls_have_as_many_messages_as_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    call = next(call for call in calls.CALLS if call.size == 1024)
    each = 16 + 16 + 2 * 1024
    session: Any = SimpleNamespace(sizes=Sizes(), device=SimpleNamespace(memory=1 << 40))
    host = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1 << 28}
    monkeypatch.setattr(os, "sysconf", host.__getitem__)
    assert calls._messages(session, call) == 1 << 20
    session.device.memory = each << 20
    assert calls._messages(session, call) == 1 << 19
    host["SC_PHYS_PAGES"] = (each << 20) // 4096
    assert calls._messages(session, call) == 1 << 18


def test_an_error_of_the_driver_ends_it(wheel: Path, tmp_path: Path) -> None:
    if REAL:
        pytest.skip("needs the driver that is not one")
    arguments = ["--wheel", wheel, "--out", tmp_path, "--short", "--part", "sponge"]
    log = run_all(*arguments, FAKE_CUDA_LOG="1").stderr
    for name in ("cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuMemAlloc_v2"):
        number = re.findall(rf"^(\d+) {name}", log, re.MULTILINE)[-1]
        done = run_all(*arguments, FAKE_CUDA_FAIL=number)
        assert done.returncode == bench.WRONG, done.stderr
        assert f"FAILED: sponge: {name}: CUDA_ERROR_LAUNCH_FAILED" in done.stdout


def test_without_a_driver_it_says_so(wheel: Path, tmp_path: Path) -> None:
    if REAL:
        pytest.skip("there is a driver")
    done = run_all("--wheel", wheel, "--out", tmp_path, driver=False)
    assert (done.returncode, done.stderr) == (
        bench.USAGE,
        "lab/gpu/run-all: there is no NVIDIA driver: libcuda.so.1 was not found\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_a_wheel_that_does_not_fit_is_refused(wheel: Path, tmp_path: Path) -> None:
    old = tmp_path / wheel.name.replace(wheel.name.split("-")[2], "cp38")
    shutil.copy(wheel, old)
    broken = tmp_path / wheel.name
    broken.write_bytes(b"not a wheel")
    empty = tmp_path / "empty" / wheel.name
    empty.parent.mkdir()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("other/__init__.py", "")
    for given, said in (
        (tmp_path / "none.whl", "none.whl does not exist; `make wheel` makes"),
        (old, "is for cp38, this Python is cp"),
        (broken, "is not a wheel"),
        (empty, f"{wheel.name} "),
    ):
        done = run_all("--wheel", given, "--out", tmp_path / "out", "--short")
        assert done.returncode == bench.USAGE and said in done.stderr, done.stderr


def test_a_wheel_with_other_kernels_is_refused(wheel: Path, tmp_path: Path) -> None:
    for folder in ("lab", "src/gpu"):
        shutil.copytree(
            ROOT / folder,
            tmp_path / folder,
            ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"),
        )
    changed = tmp_path / "src/gpu/generated/speck64_sm75.ptx"
    changed.write_text(changed.read_text().replace("0x96", "0x97", 1))
    done = run_all("--wheel", wheel, "--out", tmp_path / "out", "--short", root=tmp_path)
    assert done.returncode == bench.USAGE
    assert (
        "holds another speck64_sm75.ptx than src/gpu; build it from this checkout: make wheel"
        in done.stderr
    )


def test_cycles_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """`hanji-lab cycles GLOB --on gpu`, in a process of its own."""
    if REAL:
        pytest.skip("needs the driver that is not one")
    code = (
        "import sys; from pathlib import Path; from hanji_lab.gpu import bench, session;"
        f"found = bench.cycles(Path({str(ROOT)!r}), ['speck64_128_sm75_ctr_x8', "
        "'simon64_ptx_paper'], 'test', session.SHORT);"
        "print([(r.kernel, r.cycles is not None and r.cycles > 0) for r in found])"
    )
    environment = os.environ | {"LD_LIBRARY_PATH": str(builds.build("host-gcc") / "tests/gpu")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout == "[('speck64_128_sm75_ctr_x8', True), ('simon64_ptx_paper', True)]\n", (
        done.stderr
    )
    with pytest.raises(LabError, match="no kernel for GPUs matches nothing"):
        bench.cycles(ROOT, ["nothing"], "test")


def test_cycles_are_refused_without_a_gpu() -> None:
    if REAL:
        pytest.skip("there is a GPU")
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("LD_LIBRARY")
    }
    command = [sys.executable, "-m", "hanji_lab.cli", "cycles", "speck64*", "--on", "gpu"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False
    )
    assert (
        done.returncode == 1
        and "gpu: there is no NVIDIA driver: libcuda.so.1 was not found" in done.stderr
    )


# The C kernels


def test_the_compiled_files_are_what_the_compiler_makes() -> None:
    for path, made in plain.compile_all().items():
        assert path.read_bytes() == made, f"{path.name} is not what tools/gpu_plain.py writes"


@pytest.mark.parametrize("architecture", [75, 90])
@pytest.mark.parametrize("stem", bench.FAMILIES)
def test_the_c_kernels_equal_the_specification(
    stem: str, architecture: int, tmp_path: Path
) -> None:
    """The machine code that is kept, and what ptxas makes of the PTX that is kept."""
    algorithm = spec.algorithm(f"{stem}_128")
    name, n, chance = f"hanji_{stem}_c", 70, random.Random(stem)
    keys, data = chance.randbytes(16 * n), chance.randbytes(8 * n)
    if architecture == 90:
        code = tuple(assemble.disassemble(plain.CUBIN)[name])
    else:
        code = assemble.assemble(plain.PTX, architecture, tmp_path)[name].instructions
    buffers = {"out": Buffer(np.zeros(8 * n, np.uint8), True)}
    buffers |= {
        what: Buffer(np.frombuffer(given, np.uint8).copy())
        for what, given in (("in", data), ("keys", keys))
    }
    run(code, architecture, buffers, lambda b: [*b.values(), n], 3, 32)
    wanted = b"".join(
        algorithm.encrypt(data[8 * i : 8 * i + 8], keys[16 * i : 16 * i + 16]) for i in range(n)
    )
    assert buffers["out"].data.tobytes() == wanted


def test_parts_fit_into_eight_minutes() -> None:
    assert sum(part.seconds for part in bench.PARTS) <= bench.parser().get_default("seconds") < 480
    assert json.loads((ROOT / "lab/gates/gpu.json").read_text())
