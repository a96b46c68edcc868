# SPDX-License-Identifier: Apache-2.0
"""The engines of ``hanji telemetry open``. Polars reads and writes the files of this machine; Spark
and Ray send each file to a worker, which opens it as a run without an engine does, and start it
again when the worker dies. What travels is a task of :mod:`hanji._telemetry_files`: paths and
options, and no key. Each worker process reads the master keys once.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from hanji import HanjiError, _arrow
from hanji._threads import usable_processors

ENGINES = ("polars", "spark", "ray")
_POLL = 0.2  # seconds between two looks at what workers have left
# For the allocator of Polars, which else gives memory back almost at once and takes it again for
# the next batch: page faults took a fifth of the processor time.
_KEEP_MEMORY = "dirty_decay_ms:10000,muzzy_decay_ms:-1"
_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
_INSTALL = {
    "polars": "pip install pyarrow polars",
    "spark": "pip install pyarrow pyspark-client for a server of Spark Connect, which --cluster"
    " sc://HOST:PORT names, or pip install pyspark pyarrow, with Java 17, for Spark itself",
    "ray": "pip install pyarrow 'ray[data]'",
}


class PolarsError(HanjiError):
    """Polars gave up; another reader may read the file."""


class Task(Protocol):
    """How files are opened; it travels to workers."""

    def leave(self, given: Any) -> str:
        """Open an input: "" when it is done, or why it could not be read."""


class Engine:
    """No engine: this process opens one file after the other. An engine begins as a context
    manager.
    """

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def start(name: str, cluster: str | None, threads: int | None) -> Engine:
    """The engine of this name; ImportError with the command that installs it."""
    if name not in ("", *ENGINES):
        raise ValueError(f"the engine is {name!r}; there are {', '.join(ENGINES)}")
    if cluster is not None and name not in ("spark", "ray"):
        raise ValueError(f"--cluster {cluster} is for the engines spark and ray")
    with _handlers_kept(), _quiet() if name in ("spark", "ray") else contextlib.nullcontext():
        return _start(name, cluster, threads)


def _start(name: str, cluster: str | None, threads: int | None) -> Engine:
    if name == "polars":
        if "polars" not in sys.modules:
            os.environ.setdefault("_RJEM_MALLOC_CONF", _KEEP_MEMORY)
            if threads is not None:
                os.environ["POLARS_MAX_THREADS"] = str(threads)
        _import(name, "polars")
        return Engine()
    if name == "spark":
        return Spark(cluster, threads)
    if name == "ray":
        return Ray(cluster, threads)
    return Engine()


@contextlib.contextmanager
def _handlers_kept() -> Iterator[None]:
    """Spark and Ray install handlers of their own for the signals that end a process: with those it
    would end with another status, or wait.
    """
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None and signal.getsignal(number) is not handler:
                with contextlib.suppress(ValueError):  # only the main thread may
                    signal.signal(number, handler)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Send standard output and error to the null device. Spark, Ray and their servers log there
    from Python, Rust, Java and child processes, which would hide the messages of the command and
    break its JSON.
    """
    with contextlib.ExitStack() as ends:
        # Loggers that are made meanwhile hold this file, so it is never closed.
        nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        _nowhere.append(nowhere)
        for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # closed ones stay so
                stream.flush()
                kept = os.dup(number)
                os.dup2(nowhere.fileno(), number)
                ends.callback(_restore, stream, kept, number)
        ends.enter_context(contextlib.redirect_stdout(nowhere))
        ends.enter_context(contextlib.redirect_stderr(nowhere))
        yield


_nowhere: list[Any] = []


def _restore(stream: Any, kept: int, number: int) -> None:
    """Undo _quiet() for one stream; what waits in its buffer is dropped as the rest was."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        stream.flush()
    os.dup2(kept, number)
    os.close(kept)


def _import(engine: str, module: str) -> Any:
    try:
        return __import__(module)
    except ImportError as error:
        raise ImportError(f"--engine {engine} needs {module}: {_INSTALL[engine]}") from error


def through_polars(
    tables: Generator[Any, None, None],
    column: str,
    split: Callable[[Any, Any], Any],
    schema: Any,
    part: Path,
) -> None:
    """Apply `split` to tables of one column of frames on all cores and write the results. Polars
    does not read the file itself, because a hostile file could end this process or fill its memory.
    PolarsError where Polars gives up. A signal that ends this thread ends the work at the next
    batch.
    """
    import polars as pl
    import pyarrow as pa
    from polars.io.plugins import register_io_source

    place = f"{column} row"
    failed: list[BaseException] = []
    ended = threading.Event()
    # After a failure Polars keeps these functions until the process ends, so the keys behind
    # `split` hang on something that is emptied.
    ours = [(tables, split)]

    def batch(frames: pl.DataFrame) -> pl.DataFrame:
        try:
            if ended.is_set():
                raise InterruptedError("a signal has ended the work")
            table = frames.to_arrow()
            opened = ours[0][1](table.select([column]), _arrow.values(table[place]))
            return pl.DataFrame(pl.from_arrow(opened, rechunk=False))
        except BaseException as error:
            failed.append(error)
        raise PolarsError("stopped")  # without the error, whose frames hold the keys, too

    def source(*_: object) -> Iterator[pl.DataFrame]:
        row = 0
        try:
            for table in ours[0][0]:
                rows = _arrow.array(np.arange(row, row + table.num_rows))
                yield pl.DataFrame(pl.from_arrow(table.append_column(place, rows)))
                row += table.num_rows
            return
        except Exception as error:
            failed.append(error)
        raise PolarsError("stopped")

    nothing = pa.Table.from_batches([], schema)
    kinds = pl.DataFrame(pl.from_arrow(nothing)).schema
    try:
        frames = register_io_source(source, schema={column: pl.Binary, place: pl.Int64})
        opened = frames.map_batches(batch, schema=kinds, streamable=True)
        options: Any = {"compression": "uncompressed", "statistics": False, "engine": "streaming"}
        # Polars waits in machine code, where signals wait, too.
        problem = _beside(lambda: opened.sink_parquet(part, **options), end=ended.set)
        if problem is not None:
            raise problem
    except BaseException as error:
        if ended.is_set():
            raise
        if failed:
            raise failed[0] from None
        if isinstance(error, KeyboardInterrupt | MemoryError):
            raise
        if isinstance(error, OSError) and error.errno in _FULL:  # others may be of the input
            raise
        text = str(error).splitlines() or [type(error).__name__]
        raise PolarsError(f"Polars says: {text[0]}") from error
    finally:
        ours.clear()
        failed.clear()
        tables.close()


def _beside(
    work: Callable[[], object],
    *,
    advance: Callable[[], None] = lambda: None,
    end: Callable[[], None] | None = None,
) -> BaseException | None:
    """Do `work` in a thread, so that this one answers signals and calls `advance` now and then;
    what the work raised. When a signal ends this thread, `end` makes the work end, which is waited
    for; without it the work is left alone.
    """
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_POLL)
            advance()
    except BaseException:
        if end is not None:
            end()
            thread.join()
        raise
    return failed[0] if failed else None


class Workers(Engine, ABC):
    """An engine with workers. What it runs, it runs in a thread, so that this one can count. What
    its libraries print goes nowhere.
    """

    def __enter__(self) -> Workers:
        with contextlib.ExitStack() as ends:
            ends.enter_context(_quiet())
            self._begin()
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        with self._ends:
            self._finish()

    def _begin(self) -> None:
        """Start the engine."""

    def _finish(self) -> None:
        """End the engine."""

    def run(self, task: Task, inputs: Sequence[Any], advance: Callable[[], None]) -> list[str]:
        """Open inputs, wherever: "" for each that is done, or why it could not be read. `advance`
        is called in this thread from time to time.
        """
        if not inputs:
            return []
        done: dict[int, str] = {}
        problem = _beside(lambda: done.update(self._submit(task, [*inputs])), advance=advance)
        if problem is not None:
            advance()
            lines = [line for line in str(problem).splitlines() if line.strip()]
            last = next((line for line in reversed(lines) if "Error" in line), "")
            first = lines[0] if lines else type(problem).__name__
            raise HanjiError(
                f"{type(self).__name__} gave up: {first}{': ' + last.strip() if last else ''};"
                " what is done stays done, the same command goes on"
            ) from problem
        missing = [one.path for place, one in enumerate(inputs) if place not in done]
        if missing:
            raise HanjiError(f"{type(self).__name__} gave no answer for {missing[0]}")
        return [done[place] for place in range(len(inputs))]

    @abstractmethod
    def _submit(self, task: Task, inputs: list[Any]) -> dict[int, str]:
        """What `run` says, by the place of the input."""


class Spark(Workers):
    """Spark: a task with mapInArrow for each file. Without a cluster it is Spark on this machine,
    where Spark itself is installed, or else pysail, which speaks its protocol.
    """

    def __init__(self, cluster: str | None, threads: int | None) -> None:
        _import("spark", "pyspark")
        self._itself = (Path(sys.modules["pyspark"].__file__ or "").parent / "jars").is_dir()
        self._cluster, self._threads = cluster, threads
        self._server: Any = None
        self._session: Any = None
        if cluster is not None and not cluster.startswith("sc://") and not self._itself:
            raise ValueError(
                f"--cluster {cluster} needs Spark itself: pip install pyspark pyarrow, with Java"
                " 17; pyspark-client, which is installed, takes sc://HOST:PORT"
            )

    def _begin(self) -> None:
        from pyspark.sql import SparkSession

        cluster, itself = self._cluster, self._itself
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        if cluster is None and not itself and "SPARK_REMOTE" not in os.environ:
            cluster = self._sail()
        builder = SparkSession.builder.appName("hanji telemetry open")
        if cluster is not None and cluster.startswith("sc://"):
            builder = builder.remote(cluster)
        elif itself and "SPARK_REMOTE" not in os.environ:
            if cluster is not None or "PYSPARK_GATEWAY_PORT" not in os.environ:  # spark-submit
                cores = self._threads or usable_processors()
                builder = builder.master(cluster or f"local[{cores}]")
            builder = builder.config("spark.ui.showConsoleProgress", "false")
        try:
            with _handlers_kept():
                self._session = builder.getOrCreate()
        except Exception as error:
            text = str(error).splitlines() or [type(error).__name__]
            raise HanjiError(f"Spark does not start: {text[0]}") from error

    def _sail(self) -> str:
        try:
            from pysail.spark import SparkConnectServer
        except ImportError as error:
            raise ImportError(
                "pyspark-client speaks to a server: name it by --cluster sc://HOST:PORT, or"
                " pip install pysail, a server for one machine, or pyspark, Spark itself, with Java"
            ) from error
        self._server = SparkConnectServer()
        self._server.start(background=True)
        return f"sc://127.0.0.1:{self._server.listening_address[1]}"

    def _finish(self) -> None:
        self._session.stop()
        if self._server is not None:
            self._server.stop()

    def _submit(self, task: Task, inputs: list[Any]) -> dict[int, str]:
        places = self._session.range(0, len(inputs), 1, len(inputs))
        answers = places.mapInArrow(_mapper(task, inputs), "place long, failed string").collect()
        return {int(row["place"]): str(row["failed"]) for row in answers}


def _mapper(task: Task, inputs: list[Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What a worker of Spark does. A function in a function, which travels by value."""

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            places = batch.column(0).to_pylist()
            failed = [task.leave(inputs[place]) for place in places]
            columns = [pa.array(places, pa.int64()), pa.array(failed, pa.string())]
            yield pa.RecordBatch.from_arrays(columns, names=["place", "failed"])

    return work


class Ray(Workers):
    """Ray Data: a call of map_batches for each file, in actors, each with one opener."""

    def __init__(self, cluster: str | None, threads: int | None) -> None:
        with _no_second_ray():
            ray = _import("ray", "ray")
        _import("ray", "ray.data")
        self._ray, self._began = ray, False
        self._cluster, self._threads = cluster, threads

    def _begin(self) -> None:
        if not self._ray.is_initialized():
            options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
            if self._cluster is None:
                options |= {"num_cpus": self._threads or usable_processors()}
                options |= {"include_dashboard": False}
            try:
                self._began = True
                with _handlers_kept():
                    self._ray.init(address=self._cluster or "local", **options)
            except Exception as error:
                text = str(error).splitlines() or [type(error).__name__]
                raise HanjiError(f"Ray does not start: {text[0]}") from error

    def _finish(self) -> None:
        if self._began:
            # Where a run ends early, threads of Ray Data find no Ray, and say so at length.
            loggers = [logging.getLogger(name) for name in ("ray", "ray.data")]
            for logger in loggers:
                logger.setLevel(logging.CRITICAL + 1)
            with contextlib.suppress(Exception):
                self._ray.shutdown()

    def _submit(self, task: Task, inputs: list[Any]) -> dict[int, str]:
        data = self._ray.data
        data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.WARNING)
        rows = [{"place": place} for place in range(len(inputs))]
        workers = max(1, min(len(inputs), int(self._ray.cluster_resources().get("CPU", 1))))
        answers = data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            _Actor,
            fn_constructor_args=(task, inputs),
            batch_size=1,
            batch_format="pyarrow",
            num_cpus=1,
            compute=data.ActorPoolStrategy(min_size=1, max_size=workers),
        )
        return {int(row["place"]): str(row["failed"]) for row in answers.iter_rows()}


@contextlib.contextmanager
def _no_second_ray() -> Iterator[None]:
    """While Ray is imported: without this, what is called after its end starts another Ray, also in
    a thread of a run that a signal has ended.
    """
    name = "RAY_ENABLE_AUTO_CONNECT"
    before = os.environ.get(name)
    os.environ[name] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


class _Actor:
    """What a worker of Ray does."""

    def __init__(self, task: Task, inputs: list[Any]) -> None:
        self._task, self._inputs = task, inputs

    def __call__(self, batch: Any) -> Any:
        import pyarrow as pa

        inputs = (self._inputs[place] for place in batch["place"].to_pylist())
        failed = [self._task.leave(one) for one in inputs]
        return pa.table({"place": batch["place"], "failed": pa.array(failed, pa.string())})
