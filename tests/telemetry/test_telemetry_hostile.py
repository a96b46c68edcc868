# SPDX-License-Identifier: Apache-2.0
"""Parquet files made to crash, hang or fill whoever reads them: the file is named with a reason,
and every other file gets its outputs.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fresh
import hostile
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_telemetry_bad_input import ROWS, all_rows, command, make, opening

from hanji import HanjiError
from hanji import _telemetry_child as child
from hanji import _telemetry_engines as engines
from hanji import _telemetry_files as job
from hanji import _telemetry_reader as reader

MIB = 1 << 20
ONE_PAGE: dict[str, Any] = {"use_dictionary": False, "write_statistics": False}


@pytest.fixture(autouse=True)
def fresh_readers() -> Iterator[None]:
    """Every test starts its own reader process, so that changed limits hold for it alone."""
    reader.close()
    yield
    reader.close()


def rows(path: Path, *columns: str, **options: Any) -> int:
    return sum(table.num_rows for table in reader.read(path, columns or ["frame"], **options))


def varint(number: int) -> bytes:
    """An unsigned number of Thrift's compact protocol."""
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def page_place(path: Path) -> int:
    chunk = pq.read_metadata(path).row_group(0).column(0)
    return int(chunk.dictionary_page_offset or chunk.data_page_offset)


def fixed_size_values(path: Path) -> None:
    """300 values of 1 MiB, from a dictionary of 470 bytes: they multiply when decoded."""
    values = pa.table({"frame": pa.array([bytes(MIB)] * 50, pa.binary(MIB))})
    pq.write_table(
        pa.concat_tables([values] * 6),
        path,
        compression="zstd",
        write_statistics=False,
        dictionary_pagesize_limit=1 << 30,
        row_group_size=10**6,
        write_batch_size=10,
    )
    assert path.stat().st_size < 1000


def field_given_twice(path: Path) -> None:
    """A page header with its size twice: 150 MiB as the number that Arrow takes, and 30 bytes as
    one of another type, which Thrift skips.
    """
    size = 150 * MIB
    table = pa.table({"frame": pa.array([bytes(size)], pa.large_binary())})
    pq.write_table(table, path, compression="zstd", **ONE_PAGE)
    data = path.read_bytes()
    at = page_place(path)
    values = [b"\x15" + varint(2 * (size + more)) for more in range(64)]  # with levels
    value = next(value for value in values if value in data[at : at + 20])  # field 2
    place = data.index(value, at) + len(value)
    extra = b"\x04\x04" + varint(60)  # field 2 again, as i16
    old = pq.read_metadata(path).row_group(0).column(0).total_compressed_size
    before, after = varint(2 * old), varint(2 * (old + len(extra)))
    assert len(before) == len(after)
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    footer = data[start:].replace(before, after)
    path.write_bytes(data[:place] + extra + data[place:start] + footer)


def list_of_2_62_elements(path: Path) -> None:
    """In the place of the first page header."""
    pq.write_table(pa.table({"frame": [b"x" * 40] * 200}), path)
    data = bytearray(path.read_bytes())
    at = page_place(path)
    data[at : at + 11] = b"\x19\xf7" + b"\xff" * 8 + b"\x3f"
    path.write_bytes(data)


def lists_in_lists(path: Path) -> None:
    """3,000 of them in the place of the first page header."""
    pq.write_table(pa.table({"frame": [os.urandom(40) for _ in range(200)]}), path, **ONE_PAGE)
    data = bytearray(path.read_bytes())
    at = page_place(path)
    data[at : at + 3000] = b"\x19" * 3000
    path.write_bytes(data)


def flipped_footer_bit(path: Path) -> None:
    """Single bits of the footer are flipped until a file aborts the process that reads it."""
    pq.write_table(pa.table({"frame": [b"x" * 40] * 200}), path)
    data = path.read_bytes()
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for bit in range(8):
        for at in range(start, len(data) - 8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            path.write_bytes(changed)
            try:
                rows(path)
            except reader.InputError as error:
                if "crashed" in str(error):
                    return
    pytest.skip("this version of pyarrow survives every flipped bit")


def footer_of_two_gigabytes(path: Path) -> None:
    """In a sparse file, which takes some kilobytes of the disk."""
    size = (1 << 31) - 100
    with path.open("wb") as file:
        file.write(b"PAR1")
        file.seek(size + 8)
        file.write(struct.pack("<I", size) + b"PAR1")


def types_in_types(path: Path) -> None:
    """A column of lists in lists beside the frames, 5,000 of them: code that recurses overflows."""
    kind = pa.int8()
    for _ in range(20):
        kind = pa.list_(kind)
    names = {f"n{place:04}": pa.nulls(3, kind) for place in range(400)}
    pq.write_table(pa.table({"frame": [b"x"] * 3} | names), path)
    data = path.read_bytes()
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    # every group says that it has children, so that each following element is one of them
    footer = data[start:-8].replace(b"\x15\x02\x15\x06", b"\x15\x04\x15\x06")
    path.write_bytes(data[:start] + footer + data[-8:])


FILES: dict[Callable[[Path], None], tuple[str, ...]] = {
    fixed_size_values: (),
    field_given_twice: ("a row has ", "more than 1,024 MiB"),
    list_of_2_62_elements: ("Couldn't deserialize thrift",),
    lists_in_lists: ("Couldn't deserialize thrift", "crashed"),
    flipped_footer_bit: ("crashed (SIG",),
    footer_of_two_gigabytes: ("reading its footer takes more than", "thrift"),
    types_in_types: ("too deeply nested", "Malformed schema", "crashed"),
}


def peak_of(process: int | str = "self") -> int:
    """The most memory that a process has held, in KiB.

    Unlike ru_maxrss, it begins anew with each program, so it does not count what the process was
    forked from.
    """
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def open_beside_whole_files(place: str, name: str, engine: str) -> None:
    """Opens a hostile file beside two whole ones; checks the reason given and the memory taken."""
    folder = Path(place)
    make(folder)
    bad = folder / "in/bad.parquet"
    make_file = next(make for make in FILES if make.__name__ == name)
    make_file(bad)
    if make_file is fixed_size_values:
        reader.MEMORY = 512 * MIB
    before = peak_of()
    summary = opening(folder, engine)
    assert summary.rows["opened"] == 2 * ROWS
    reasons = FILES[make_file]
    if reasons:
        assert [*summary.failed] == [str(bad)] and all_rows(folder) == 2 * ROWS
        reason = summary.failed[str(bad)]
        assert "\n" not in reason and any(word in reason for word in reasons), reason
        assert summary.files == 2
        with pytest.raises(job.InputError):
            job.inspect(bad, "frame")
    else:  # its values are read in pieces, and are no frames
        assert not summary.failed and summary.rows["unknown version"] == 300
    grown = peak_of() - before
    assert grown < 700 << 10, f"grown by {grown} KiB"
    reader.close()  # only processes that have ended count as children
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert children < 1400 << 10, f"a reader held {children} KiB"


@pytest.mark.parametrize("engine", ["", "polars"])
@pytest.mark.parametrize("make_file", FILES, ids=lambda make_file: make_file.__name__)
def test_files_that_ended_or_ate_every_run(
    tmp_path: Path, make_file: Callable[[Path], None], engine: str
) -> None:
    """The run names the file in one sentence and finishes all others, in bounded memory."""
    if engine and make_file is fixed_size_values:
        pytest.skip("takes seconds, and is read as without an engine")
    fresh.call(open_beside_whole_files, str(tmp_path), make_file.__name__, engine)


def take_memory(who: str) -> None:
    """500 MiB in this process, in one that it starts, or in neither, measured as above."""
    before = peak_of()
    held = bytes(range(256)) * (500 * MIB // 256 if who == "self" else 1)
    assert peak_of() - before < 400 << 10, f"self: {len(held)} bytes were noticed"
    taken = 500 * MIB if who == "child" else 1
    subprocess.run([sys.executable, "-c", f"held = b'1' * {taken}"], check=True)
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert children < 400 << 10, f"child: {children} KiB were noticed"


def test_memory_is_measured_apart_from_the_process_of_all_tests() -> None:
    """A control: what each process takes is noticed, and what this one holds is not."""
    held_here = b"1" * (500 * MIB)
    for who in ("self", "child"):
        with pytest.raises(pytest.fail.Exception, match=f"{who}: .* were noticed"):
            fresh.call(take_memory, who)
    fresh.call(take_memory, "neither")
    del held_here


def test_damaged_files(tmp_path: Path) -> None:
    """2,000 damaged files in every form that pyarrow writes. None ends or hangs the process that
    asks, and each is read or refused in one sentence.
    """
    script = (
        "import sys, hostile, pathlib; hostile.read_mutants(2000, 1, pathlib.Path(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    counts, _, rest = done.stdout.partition(" the slowest took")
    assert eval(counts)["refused"] > 1000 and eval(counts)["read"] > 300, done.stdout
    assert rest


def test_sealing_leaves_hostile_files(tmp_path: Path) -> None:
    """They are named before anything is sealed, and all other files are sealed."""
    make(tmp_path, files=1)
    columns = {"device": [1], "epoch": [1], "number": [1], "payload": [b"on"]}
    for name in ("good", "bad"):
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    bad = tmp_path / "bad.parquet"
    data = bytearray(bad.read_bytes())
    at = page_place(bad)
    data[at : at + 11] = b"\x19\xf7" + b"\xff" * 8 + b"\x3f"
    bad.write_bytes(data)
    sealing = job.Sealing(str(tmp_path / "masters.parquet"), tmp_path / "sealed")
    summary = sealing.run(sorted(tmp_path.glob("*d.parquet")))
    assert [*summary.failed] == [str(bad)] and summary.rows == {"sealed": 1}


@pytest.mark.slow
def test_damaged_files_in_runs(tmp_path: Path) -> None:
    """Damaged files beside whole ones: every whole file gets its outputs, and each other is done or
    named.
    """
    make(tmp_path)
    for place, path in enumerate(hostile.mutants(400, 2, tmp_path)):
        path.rename(tmp_path / f"in/mutant-{place}.parquet")
    summary = opening(tmp_path)
    assert summary.files + len(summary.failed) == 402 and len(summary.failed) > 100
    assert {"0.parquet", "1.parquet"} <= {path.name for path in (tmp_path / "out").glob("*")}


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "dictionary", ""])
def test_long_frames_in_small_files_are_read_in_pieces(tmp_path: Path, encoding: str) -> None:
    """1,500 frames of 60,000 bytes in a file of some kilobytes."""
    frame = bytes([2, 1]) + bytes(12) + (60000).to_bytes(2, "little") + bytes(60016)
    table = pa.table({"frame": pa.array([frame] * 1500, pa.large_binary())})
    options: dict[str, Any] = {"use_dictionary": encoding == "dictionary"}
    if encoding not in ("", "dictionary"):
        options["column_encoding"] = {"frame": encoding}
    pq.write_table(table, tmp_path / "a.parquet", **options)
    del table
    sizes = [piece.nbytes for piece in job.read(tmp_path / "a.parquet", ["frame"])]
    assert sum(sizes) > 85 * MIB and max(sizes) <= 48 * MIB


def test_long_values_are_read_with_fewer_rows_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No frame is so long; 300 MiB are too much at once for a process that may take 256."""
    monkeypatch.setattr(reader, "MEMORY", 256 * MIB)
    column = pa.DictionaryArray.from_arrays(
        pa.array([0] * 300, pa.int32()), pa.array([bytes(MIB)], pa.binary())
    )
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"frame": column}), path, store_schema=False)
    before = reader.started
    sizes = [(piece.num_rows, piece.nbytes) for piece in reader.read(path, ["frame"])]
    assert sum(row for row, _ in sizes) == 300 and max(size for _, size in sizes) <= 49 * MIB
    assert reader.started - before in (2, 3)


def test_a_page_that_is_larger_than_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is decompressed as a whole. The reader process keeps within its limit."""
    path = tmp_path / "a.parquet"
    table = pa.table({"frame": pa.array([bytes(90 * MIB)], pa.large_binary())})
    pq.write_table(table, path, compression="zstd", **ONE_PAGE)
    assert rows(path) == 1
    reader.close()
    monkeypatch.setattr(reader, "MEMORY", 64 * MIB)
    with pytest.raises(reader.InputError, match=r"more than 64 MiB of memory, even row by row"):
        rows(path)
    longer = pa.table({"frame": pa.array([bytes(child.VALUE)], pa.large_binary())})
    pq.write_table(longer, path, compression="zstd", **ONE_PAGE)
    monkeypatch.undo()
    with pytest.raises(reader.InputError, match=r"a row has 1048576\d\d bytes; rows have at most"):
        rows(path)


@pytest.mark.slow
def test_large_row_groups_are_streamed(tmp_path: Path) -> None:
    """One row group of 350 MB: the reader process holds some pages of it at a time."""
    count = 3_000_000
    data = np.random.default_rng(1).integers(0, 256, (count, 116), np.uint8)
    buffers = [None, pa.py_buffer(data)]
    table = pa.table(
        {"frame": pa.FixedSizeBinaryArray.from_buffers(pa.binary(116), count, buffers)}
    )
    path = tmp_path / "a.parquet"
    pq.write_table(table, path, compression="zstd", row_group_size=count)
    assert pq.read_metadata(path).num_row_groups == 1
    assert rows(path) == count
    peak = peak_of(process_of_reader())
    assert peak < 200 << 10, f"{peak} KiB"


def test_rows_that_would_keep_readers_busy_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A billion nulls take some bytes. The limit grows with the file."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"frame": pa.nulls(300_000, pa.binary())}), path)
    size = path.stat().st_size
    monkeypatch.setattr(reader, "RATIO", 0)
    monkeypatch.setattr(reader, "EXPANDED", 8_000_000)
    assert rows(path) == 300_000
    monkeypatch.setattr(reader, "EXPANDED", 1_000_000)
    with pytest.raises(reader.InputError, match="which no file of its size"):
        rows(path)
    monkeypatch.setattr(reader, "RATIO", 8_000_000 // size)
    assert rows(path) == 300_000


def good(folder: Path) -> Path:
    path = folder / "good.parquet"
    pq.write_table(pa.table({"frame": [b"x" * 40] * 200}), path)
    return path


def process_of_reader() -> int:
    """The reader process that waits for the next file."""
    (process,) = reader._idle
    return process._process.pid


def is_gone(process: int) -> bool:
    """Whether a process has ended; one that ended and is not waited for counts."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_one_process_reads_all_files(tmp_path: Path) -> None:
    path, before = good(tmp_path), reader.started
    for _ in range(5):
        assert rows(path) == 200 and reader.footer(path).rows == 200
        with pytest.raises(reader.InputError, match="has no column 'other'"):
            rows(path, "other")
    assert reader.started == before + 1


@pytest.mark.parametrize("when", ["between", "within"])
def test_a_reader_that_is_killed_is_started_again(tmp_path: Path, when: str) -> None:
    """Between two files nobody notices; within one, this file is named."""
    path = good(tmp_path)
    assert rows(path) == 200
    process = process_of_reader()
    if when == "between":
        os.kill(process, signal.SIGKILL)  # it may take a moment, in which it seems to be there
    else:
        chance = np.random.default_rng(1).integers(0, 256, (60000, 200), np.uint8)
        frames = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(200), 60000, [None, pa.py_buffer(chance)]
        )
        pq.write_table(pa.table({"frame": frames}), tmp_path / "large.parquet")
        tables = reader.read(tmp_path / "large.parquet", ["frame"], rows=1 << 12)
        next(tables)
        os.kill(process, signal.SIGKILL)
        with pytest.raises(
            reader.InputError, match=r"was killed from outside \(SIGKILL\), perhaps"
        ):
            for _ in tables:
                pass
    assert rows(path) == 200 and process_of_reader() != process


def test_a_reader_that_does_not_answer_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "SECONDS", 1)
    path = good(tmp_path)
    assert rows(path) == 200
    process = process_of_reader()
    os.kill(process, signal.SIGSTOP)
    with pytest.raises(reader.InputError, match="gave no answer for 1 seconds and was killed"):
        rows(path)
    assert is_gone(process) and rows(path) == 200


SPIN = (
    "import pyarrow.parquet\n"
    "def spin(*_, **__):\n"
    "    while True: pass\n"
    "pyarrow.parquet.ParquetFile = spin\n"
)
SLOW = (
    "import time, pyarrow.parquet as pq\n"
    "class Slow(pq.ParquetFile):\n"
    "    def iter_batches(self, *given, **options):\n"
    "        for batch in super().iter_batches(*given, **options):\n"
    "            time.sleep(0.25)\n"
    "            yield batch\n"
    "pq.ParquetFile = Slow\n"
)


def with_module(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let reader processes run other code behind pyarrow's import, as a bug of pyarrow would."""
    script = (
        Path(child.__file__)
        .read_text()
        .replace("limit_memory(about", f"exec({text!r}); limit_memory(about")
    )
    (folder / "child.py").write_text(script)
    monkeypatch.setattr(child, "__file__", str(folder / "child.py"))


def test_the_time_of_each_answer_counts_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that takes longer than one answer may is read to its end."""
    monkeypatch.setattr(reader, "SECONDS", 2)
    with_module(tmp_path, monkeypatch, SLOW)
    began = time.monotonic()
    assert rows(good(tmp_path), step=13) == 200
    assert time.monotonic() - began > 3.5


def test_endless_loops_are_ended_by_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = good(tmp_path)
    monkeypatch.setattr(reader, "PROCESSOR_SECONDS", 0)
    with_module(tmp_path, monkeypatch, SPIN)
    with pytest.raises(reader.InputError, match="more than 0 seconds of processor time for one"):
        rows(path)
    monkeypatch.undo()
    assert rows(path) == 200


def test_memory_is_watched_where_the_kernel_does_not(tmp_path: Path) -> None:
    """As on macOS: a thread of the reader process looks at its resident memory. The peak of a
    process on Linux counts from before its start, hence a small parent.
    """
    script = (
        "import sys; from pathlib import Path\n"
        "from hanji import _telemetry_child as child, _telemetry_reader as reader\n"
        "reader.MEMORY = 64 << 20\n"
        "child.__file__ = sys.argv[1]\n"
        "def rows(name): return sum(t.num_rows for t in reader.read(Path(name), ['frame']))\n"
        "assert rows(sys.argv[2]) == 200\n"
        "try: rows(sys.argv[3])\n"
        "except reader.InputError as error: print(error)\n"
        "assert rows(sys.argv[2]) == 200\n"
    )
    path = tmp_path / "a.parquet"
    table = pa.table({"frame": pa.array([bytes(90 * MIB)], pa.large_binary())})
    pq.write_table(table, path, compression="zstd", **ONE_PAGE)
    text = Path(child.__file__).read_text().replace("/proc/self/statm", "/nowhere")
    (tmp_path / "child.py").write_text(text)
    line = [
        sys.executable,
        "-c",
        script,
        str(tmp_path / "child.py"),
        str(good(tmp_path)),
        str(path),
    ]
    done = subprocess.run(line, capture_output=True, text=True)
    assert not done.stderr
    assert done.stdout == "reading it takes more than 64 MiB of memory, even row by row\n"


def test_what_libraries_print_goes_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = "import os\nfor fd in (1, 2): os.write(fd, b'noise\\n')\n"
    with_module(tmp_path, monkeypatch, noise)
    assert rows(good(tmp_path)) == 200
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("busy", [False, True])
def test_readers_end_with_their_parent(tmp_path: Path, busy: bool) -> None:
    """Also one that a hostile file keeps busy, when nobody asks for the answer any more."""
    script = (
        "import sys, time, threading; from pathlib import Path\n"
        "from hanji import _telemetry_reader as reader\n"
        "path = Path(sys.argv[1])\n"
        "print(reader.footer(path).rows, reader._idle[0]._process.pid, flush=True)\n"
        "tables = reader.read(path, ['frame'], rows=100, step=100)\n"
        "if sys.argv[2] == 'True': next(tables)\n"
        "time.sleep(1000)\n"
    )
    path = tmp_path / "large.parquet"
    frames = [b"%099d" % row for row in range(20000)]
    pq.write_table(pa.table({"frame": frames}), path)
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(path), str(busy)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout
    process = int(parent.stdout.readline().split()[1])
    assert not is_gone(process)
    parent.kill()
    parent.wait()
    wait_until(lambda: is_gone(process))


def test_an_interrupt_ends_the_run_and_its_reader(tmp_path: Path) -> None:
    """Ctrl-C reaches all processes of the terminal. The reader leaves the end to the command."""
    make(tmp_path)
    large = pa.concat_tables([pq.read_table(tmp_path / "in/0.parquet")] * 2000)
    pq.write_table(large, tmp_path / "in/large.parquet")
    process = subprocess.Popen(
        command(tmp_path),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    pending = tmp_path / "out" / job.PENDING
    wait_until(lambda: bool([*pending.glob("large.parquet*.part")]) or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 128 + signal.SIGINT and b"Traceback" not in said, said
    with contextlib.suppress(ProcessLookupError):  # nobody of the group is left
        wait_until(lambda: bool(os.killpg(process.pid, 0)))


def test_many_workers_and_threads(tmp_path: Path) -> None:
    """Each thread that reads has a reader process for the time; one stays."""
    path = good(tmp_path)
    found: list[int] = []

    def work() -> None:
        found.extend(rows(path) for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [200] * 12 and len(reader._idle) == len(reader._all) == 1
    tables = [reader.read(path, ["frame"]) for _ in range(2)]  # two files at a time
    assert [next(table).num_rows for table in tables] == [200, 200]


def test_forked_processes_have_readers_of_their_own(tmp_path: Path) -> None:
    """Two processes on one pipe would take each other's answers."""
    script = (
        "import os, sys; from pathlib import Path\n"
        "from hanji import _telemetry_reader as reader\n"
        "path = Path(sys.argv[1])\n"
        "def rows(): return sum(t.num_rows for t in reader.read(path, ['frame']))\n"
        "assert rows() == 200\n"
        "first = reader._idle[0]._process.pid\n"
        "other = os.fork()\n"
        "for _ in range(20): assert rows() == 200\n"
        "assert (reader._idle[0]._process.pid == first) == bool(other)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(other, 0)[1]) if other else 0)\n"
    )
    line = [sys.executable, "-W", "ignore", "-c", script, str(good(tmp_path))]
    done = subprocess.run(line, capture_output=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_programs_start_readers_whatever_they_are(tmp_path: Path) -> None:
    """Isolated interpreters, zip applications, scripts without a guard, other current folders; and
    nothing is imported from these folders.
    """
    path = good(tmp_path)
    script = (
        "import sys\nfrom pathlib import Path\nfrom hanji import _telemetry_reader as reader\n"
        "print('once', sum(t.num_rows for t in reader.read(Path(sys.argv[1]), ['frame'])))\n"
    )
    (tmp_path / "app").mkdir()
    (tmp_path / "app/__main__.py").write_text(script)
    subprocess.run(
        [sys.executable, "-m", "zipapp", str(tmp_path / "app"), "-o", str(tmp_path / "app.pyz")],
        check=True,
    )
    (tmp_path / "pyarrow.py").write_text("raise SystemExit('from the current folder')")
    (tmp_path / "json.py").write_text("raise SystemExit('from the current folder')")
    for words in (["-I", "app.pyz"], ["-I", "app/__main__.py"], ["-I", "-c", script]):
        done = subprocess.run(
            [sys.executable, *words, path.name], cwd=tmp_path, capture_output=True, text=True
        )
        assert (done.stdout, done.stderr) == ("once 200\n", ""), words
    done = subprocess.run(
        [sys.executable, "-P", "-"], input=script, cwd=tmp_path, capture_output=True, text=True
    )
    assert "list index" in done.stderr  # a script on standard input has no words
    (tmp_path / "frozen.py").write_text(f"import sys\nsys.frozen = True\n{script}")
    done = subprocess.run(
        [sys.executable, "-P", "frozen.py", path.name], cwd=tmp_path, capture_output=True, text=True
    )
    assert "run hanji from an installed Python" in done.stderr


def test_the_reader_gets_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the user's passphrase nor keys; the file of master keys is opened here."""
    monkeypatch.setenv("HANJI_PASSPHRASE", "correct horse")
    monkeypatch.setenv("SERVICE_TOKEN", "battery staple")
    make(tmp_path)
    asked: list[str] = []
    ask = reader._Process.ask

    def note(process: Any, request: dict[str, Any]) -> None:
        asked.append(json.dumps(request))
        ask(process, request)

    monkeypatch.setattr(reader._Process, "ask", note)
    opening(tmp_path)
    assert asked and not any("masters" in line for line in asked)
    environment = Path(f"/proc/{process_of_reader()}/environ").read_bytes()
    assert b"horse" not in environment and b"battery" not in environment
    assert "hanji" not in {
        line.split()[1].partition(".")[0]
        for line in Path(child.__file__).read_text().splitlines()
        if line.strip().startswith(("import ", "from "))
    }


def answers_of(path: Path) -> list[tuple[bytes, bytes]]:
    """What a reader process says about a file."""
    said = []
    with reader._taken() as process:
        process.ask(
            {"path": str(path), "columns": ["frame"], "metadata": "", "batches": True}
            | {"skip": 0, "step": 100, "size": 1 << 20}
        )
        while not said or said[-1][0] != child.END:
            kind, body = process.next()
            said.append((kind, bytes(body)))
        process.free = True
    return said


def lying(folder: Path, monkeypatch: pytest.MonkeyPatch, answers: bytes) -> None:
    """Let reader processes give these bytes to whatever they are asked."""
    (folder / "answers").write_bytes(answers)
    (folder / "child.py").write_text(
        "import os, sys\n"
        "sys.stdin.buffer.readline()\n"
        f"os.write(1, {child.HEADER.pack(child.READY, 0)!r})\n"
        "while sys.stdin.buffer.readline():\n"
        f"    sys.stdout.buffer.write(open({str(folder / 'answers')!r}, 'rb').read())\n"
        "    sys.stdout.buffer.flush()\n"
        "    os._exit(0)\n"
    )
    monkeypatch.setattr(child, "__file__", str(folder / "child.py"))


def framed(*answers: tuple[bytes, bytes]) -> bytes:
    return b"".join(child.HEADER.pack(kind, len(body)) + body for kind, body in answers)


def test_readers_that_a_file_has_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the process answers: one sentence, and no memory beyond the size of an answer."""
    path = good(tmp_path)
    footer, first, second, end = answers_of(path)
    reader.close()
    batch = pa.record_batch({"frame": [b"x" * 40] * 100})
    pressed = batch.serialize()
    with pa.BufferOutputStream() as sink:
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_stream(sink, batch.schema, options=options) as writer:
            writer.write_batch(batch)
        stream = pa.ipc.MessageReader.open_stream(sink.getvalue())
        schema_message, pressed = stream.read_next_message(), stream.read_next_message()
    other = pa.record_batch({"frame": pa.array([1] * 100)}).serialize().to_pybytes()
    many = pa.record_batch({"frame": [b"x"] * 20000}).serialize().to_pybytes()
    none = pa.record_batch({"frame": pa.array([], pa.binary())}).serialize().to_pybytes()
    huge = child.HEADER.pack(child.BATCH, 1 << 60)
    lies = {
        "sent a message that is no plain batch": [
            framed(footer, (child.BATCH, pressed.serialize().to_pybytes()), end),
            framed(footer, (child.BATCH, schema_message.serialize().to_pybytes()), end),
        ],
        "sent a footer that is none": [
            framed((child.FOOTER, text))
            for text in (
                b"",
                b"[]",
                b"[" * 60000,
                b'{"rows": 1}',
                b'{"rows": "1", "kinds": ["binary"], "metadata": ""}',
                b'{"rows": 1, "kinds": ["list<item: int8>"], "metadata": ""}',
                b'{"rows": 1, "kinds": ["extension<arrow.py_extension_type>"], "metadata": ""}',
                b'{"rows": 1, "kinds": [], "metadata": ""}',
                b'{"rows": 1, "kinds": [["binary"]], "metadata": ""}',
            )
        ],
        "sent an answer that was not asked for": [framed(end), framed(footer, footer)],
        "sent an answer that is too long": [
            framed(footer) + huge,
            huge,
            child.HEADER.pack(child.FAILED, 1 << 17),
            child.HEADER.pack(b"?", 1 << 17),
        ],
        "sent a batch of a wrong size": [
            framed(footer, (child.BATCH, many), end),
            framed(footer, (child.BATCH, none), end),
        ],
        "its values are damaged": [
            framed(footer, (child.BATCH, b"")),
            framed(footer, (child.BATCH, other), end),
        ],
        "the process that reads it ended": [
            framed(footer, first),
            framed(footer) + child.HEADER.pack(child.BATCH, 100) + b"short",
            b"",
        ],
        "a [31mred[0m word": [framed((child.FAILED, b"a \x1b[31mred\x1b[0m word\n"))],
    }
    for sentence, texts in lies.items():
        for text in texts:
            lying(tmp_path, monkeypatch, text)
            with pytest.raises(reader.InputError) as caught:
                rows(path)
            said = str(caught.value).replace("\\x1b", "").replace("\\x0a", "")
            assert sentence in said and said.isprintable(), (sentence, said)
    lying(tmp_path, monkeypatch, framed(footer, first, second, end))  # a control
    assert rows(path, step=100) == 200


def test_damaged_messages_of_readers(tmp_path: Path) -> None:
    """2,000 damaged Arrow messages are a batch or an error, and nothing else."""
    chance = np.random.default_rng(3)
    columns = {
        "frame": pa.array([b"x" * (row % 50) for row in range(90)] + [None]),
        "number": pa.array(range(91), pa.uint32()),
        "text": pa.array(["é" * (row % 5) for row in range(91)]),
    }
    batch = pa.record_batch(columns)
    whole = batch.serialize().to_pybytes()
    ends = {"batch": 0, "refused": 0}
    for _ in range(2000):
        data = bytearray(whole)
        for _ in range(int(chance.integers(1, 4))):
            at = int(chance.integers(len(data) if chance.integers(2) else 400))
            data[at] = int(chance.choice([0, 1, 0x7F, 0x80, 0xFF, int(chance.integers(256))]))
        try:
            found = reader._batch(pa.py_buffer(bytes(data)), batch.schema, 100)
        except (reader.InputError, reader._BrokenError, MemoryError):
            ends["refused"] += 1
        else:
            found.validate(full=True)
            found.to_pylist()
            ends["batch"] += 1
    assert min(ends.values()) > 100, ends


def test_compression_of_messages_is_seen() -> None:
    """With and without, whatever else the message holds."""
    for columns in ({"a": [1]}, {"a": [b"x"] * 9, "b": [None] * 9}, {"a": pa.array(["é"])}):
        batch = pa.record_batch(columns)
        for name in (None, "zstd", "lz4"):
            with pa.BufferOutputStream() as sink:
                options = pa.ipc.IpcWriteOptions(compression=name)
                with pa.ipc.new_stream(sink, batch.schema, options=options) as writer:
                    writer.write_batch(batch)
                stream = pa.ipc.MessageReader.open_stream(sink.getvalue())
                stream.read_next_message()
                metadata = stream.read_next_message().metadata
            assert reader._is_compressed(metadata) == (name is not None), name
    for text in (b"", b"\0" * 4, b"\xff" * 40, struct.pack("<I", 1 << 31)):
        with contextlib.suppress(reader._BrokenError):
            reader._is_compressed(text)


def test_kinds_of_columns(tmp_path: Path) -> None:
    """Dictionaries come written out, views and nulls as plain columns, nested ones are refused."""
    frames = [b"a", None, b"bcd"] * 30
    for column, kind in (
        (pa.array(frames), pa.binary()),
        (pa.array(frames, pa.large_binary()), pa.large_binary()),
        (pa.array(frames).dictionary_encode(), pa.binary()),
        (pa.array(frames, pa.binary_view()), pa.large_binary()),
        (pa.array([b"abc", None] * 45, pa.binary(3)), pa.binary(3)),
        (pa.array(["a", "é"] * 45), pa.string()),
        (pa.nulls(90), pa.null()),
        (pa.array([1.5, None] * 45), pa.float64()),
        (pa.array([True] * 90), pa.bool_()),
    ):
        path = tmp_path / "a.parquet"
        pq.write_table(pa.table({"frame": column}), path, row_group_size=7)
        read = pa.concat_tables(reader.read(path, ["frame"]))["frame"]
        assert read.type == kind and read.to_pylist() == column.to_pylist()
        assert reader.footer(path, ["frame"]).schema.field("frame").type == kind
    for column in (pa.array([[1]]), pa.array([{"a": 1}]), pa.array([1], pa.timestamp("s"))):
        pq.write_table(pa.table({"frame": column}), path)
        with pytest.raises(reader.InputError, match="column 'frame' has the Arrow type"):
            rows(path)


@pytest.mark.parametrize("most", [60, 150, 230, 290])
def test_too_little_memory_for_libraries(tmp_path: Path, most: int) -> None:
    """A sentence, no traceback and nothing that libraries print."""
    path = good(tmp_path)
    line = [sys.executable, "-m", "hanji.cli", "telemetry", "inspect", str(path)]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (most << 20, most << 20))

    options: dict[str, Any] = {"capture_output": True, "text": True}
    done = subprocess.run(line, preexec_fn=limit, **options)
    assert done.returncode and done.stderr.startswith("hanji: not enough memory: "), done.stderr
    assert done.stderr.count("\n") == 1 and not done.stdout


def test_inspect_without_pyarrow(tmp_path: Path) -> None:
    (tmp_path / "pyarrow").mkdir()
    (tmp_path / "pyarrow/__init__.py").write_text("raise ModuleNotFoundError('pyarrow')")
    line = [sys.executable, "-m", "hanji.cli", "telemetry", "inspect", str(good(tmp_path))]
    options: dict[str, Any] = {"env": os.environ | {"PYTHONPATH": str(tmp_path)}, "text": True}
    done = subprocess.run(line, capture_output=True, **options)
    assert done.returncode and "need pyarrow: pip install" in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1 and not done.stdout


def test_a_reader_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the run, rather than name every file."""
    path = good(tmp_path)
    for text, said in (
        ("raise ImportError('no such thing')", "no such thing"),
        ("os._exit(7)", "7"),
    ):
        with_module(tmp_path, monkeypatch, text)
        with pytest.raises(HanjiError, match=f"that reads Parquet files does not start: .*{said}"):
            rows(path)
        monkeypatch.undo()
    monkeypatch.setattr("multiprocessing.spawn.get_executable", lambda: str(tmp_path / "nothing"))
    with pytest.raises(HanjiError, match=r"does not start: .*nothing: no such file"):
        rows(path)


class Noisy(engines.Workers):
    """An engine whose libraries print from Python, from machine code and from child processes."""

    def _print(self) -> None:
        for number in (1, 2):
            os.write(number, b"noise\n")
        print("noise")
        print("noise", file=sys.stderr)
        warnings.warn("noise", stacklevel=1)
        subprocess.run("echo noise; echo noise >&2", shell=True, check=True)

    _begin = _finish = _print

    def _submit(self, task: job.Task, inputs: list[job.Input]) -> dict[int, str]:
        self._print()
        return {place: task.leave(one) for place, one in enumerate(inputs)}


def test_what_engines_print_goes_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Logs hid the messages of the command; afterwards both streams are as they were."""
    make(tmp_path)
    monkeypatch.setattr(engines, "start", lambda *given: Noisy())
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert opening(tmp_path, "ray").rows == {"opened": 2 * ROWS}
    assert capfd.readouterr() == ("", "")

    class Fails(Noisy):
        def _begin(self) -> None:
            self._print()
            raise HanjiError("does not start")

    monkeypatch.setattr(engines, "start", lambda *given: Fails())
    shutil.rmtree(tmp_path / "out")
    with pytest.raises(HanjiError, match="does not start"):
        opening(tmp_path, "ray")
    assert capfd.readouterr() == ("", "")
    print("heard")
    os.write(2, b"heard")
    assert capfd.readouterr() == ("heard\n", "heard")
