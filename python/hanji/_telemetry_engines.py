# SPDX-License-Identifier: Apache-2.0
"""The engines of ``hanji telemetry open``. Polars reads and writes the files of this machine; Spark
and Ray send each file to a worker, which opens it as a run without an engine does, and start it
again when the worker dies. What travels is a task of :mod:`hanji._telemetry_files`: paths and
options, and no key. Each worker process reads the master keys once.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from hanji import HanjiError
from hanji._threads import usable_processors

ENGINES = ("polars", "spark", "ray")
_POLL = 0.2  # seconds between two looks at what workers have left
_INSTALL = {
    "polars": "pip install 'hanji[polars]'",
    "spark": "pip install 'hanji[spark]' for a server of Spark Connect, which --cluster"
    " sc://HOST:PORT names, or pip install pyspark pyarrow, with Java 17, for Spark itself",
    "ray": "pip install 'hanji[ray]'",
}


class Task(Protocol):
    """How files are opened; it travels to workers."""

    def leave(self, path: Path) -> str:
        """Open a file: "" when it is done, or why it could not be read."""


class Engine:
    """No engine: this process opens one file after the other."""

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
    if name == "polars":
        if threads is not None and "polars" not in sys.modules:
            os.environ["POLARS_MAX_THREADS"] = str(threads)
        _import(name, "polars")
        return Engine()
    if name == "spark":
        return Spark(cluster, threads)
    if name == "ray":
        return Ray(cluster, threads)
    return Engine()


def _import(engine: str, module: str) -> Any:
    try:
        return __import__(module)
    except ImportError as error:
        raise ImportError(f"--engine {engine} needs {module}: {_INSTALL[engine]}") from error


def through_polars(
    path: Path, column: str, split: Callable[[Any, Any], Any], schema: Any, part: Path, kind: str
) -> None:
    """Read a file, `split` its batches and write what that gives, as Polars streams them.
    HanjiError where Polars gives up, be it for the file or for what it does with it.
    """
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = "row"  # or, where the file has such a column, another name
    failed: list[BaseException] = []

    def batch(frames: pl.DataFrame) -> pl.DataFrame:
        try:
            table = frames.to_arrow()
            opened = split(table.select([column]), table[place].cast(pa.int64()))
            return pl.DataFrame(pl.from_arrow(opened, rechunk=False))
        except BaseException as error:
            failed.append(error)
            raise

    kinds = pl.DataFrame(pl.from_arrow(schema.empty_table())).schema
    compression: Any = "uncompressed" if kind == "none" else kind
    try:
        while place in pq.read_schema(path).names:
            place += "_"
        frames = pl.scan_parquet(path, glob=False, row_index_name=place).select(column, place)
        opened = frames.map_batches(batch, schema=kinds, streamable=True)
        opened.sink_parquet(part, compression=compression, engine="streaming")
    except BaseException as error:
        if failed:
            raise failed[0] from None
        if isinstance(error, OSError | KeyboardInterrupt | MemoryError):
            raise
        text = str(error).splitlines() or [type(error).__name__]
        raise HanjiError(f"{path}: Polars says: {text[0]}") from error


class Workers(Engine, ABC):
    """An engine with workers. What it runs, it runs in a thread, so that this one can count."""

    def run(self, task: Task, paths: Sequence[Path], advance: Callable[[], None]) -> list[str]:
        """Open files, wherever: "" for each that is done, or why it could not be read. `advance` is
        called in this thread from time to time.
        """
        if not paths:
            return []
        done: dict[int, str] = {}
        failed: list[BaseException] = []

        def work() -> None:
            try:
                done.update(self._submit(task, [str(path) for path in paths]))
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_POLL)
            advance()
        if failed:
            advance()
            lines = [line for line in str(failed[0]).splitlines() if line.strip()]
            last = next((line for line in reversed(lines) if "Error" in line), "")
            first = lines[0] if lines else type(failed[0]).__name__
            raise HanjiError(
                f"{type(self).__name__} gave up: {first}{': ' + last.strip() if last else ''};"
                " what is done stays done, the same command goes on"
            ) from failed[0]
        missing = [str(path) for place, path in enumerate(paths) if place not in done]
        if missing:
            raise HanjiError(f"{type(self).__name__} gave no answer for {missing[0]}")
        return [done[place] for place in range(len(paths))]

    @abstractmethod
    def _submit(self, task: Task, paths: list[str]) -> dict[int, str]:
        """What `run` says, by the place of the path."""


class Spark(Workers):
    """Spark: a task with mapInArrow for each file. Without a cluster it is Spark on this machine,
    where Spark itself is installed, or else pysail, which speaks its protocol.
    """

    def __init__(self, cluster: str | None, threads: int | None) -> None:
        _import("spark", "pyspark")
        from pyspark.sql import SparkSession

        self._server: Any = None
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        itself = (Path(sys.modules["pyspark"].__file__ or "").parent / "jars").is_dir()
        if cluster is None and not itself and "SPARK_REMOTE" not in os.environ:
            cluster = self._sail()
        builder = SparkSession.builder.appName("hanji telemetry open")
        if cluster is not None and cluster.startswith("sc://"):
            builder = builder.remote(cluster)
        elif cluster is not None and not itself:
            raise ValueError(
                f"--cluster {cluster} needs Spark itself: pip install pyspark pyarrow, with Java"
                " 17; pyspark-client, which is installed, takes sc://HOST:PORT"
            )
        elif itself and "SPARK_REMOTE" not in os.environ:
            if cluster is not None or "PYSPARK_GATEWAY_PORT" not in os.environ:  # spark-submit
                builder = builder.master(cluster or f"local[{threads or usable_processors()}]")
            builder = builder.config("spark.ui.showConsoleProgress", "false")
        try:
            self._session: Any = builder.getOrCreate()
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

    def __exit__(self, *_: object) -> None:
        self._session.stop()
        if self._server is not None:
            self._server.stop()

    def _submit(self, task: Task, paths: list[str]) -> dict[int, str]:
        places = self._session.range(0, len(paths), 1, len(paths))
        answers = places.mapInArrow(_mapper(task, paths), "place long, failed string").collect()
        return {int(row["place"]): str(row["failed"]) for row in answers}


def _mapper(task: Task, paths: list[str]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What a worker of Spark does. A function in a function, which travels by value."""

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            places = batch.column(0).to_pylist()
            failed = [task.leave(Path(paths[place])) for place in places]
            columns = [pa.array(places, pa.int64()), pa.array(failed, pa.string())]
            yield pa.RecordBatch.from_arrays(columns, names=["place", "failed"])

    return work


class Ray(Workers):
    """Ray Data: a call of map_batches for each file, in actors, each with one opener."""

    def __init__(self, cluster: str | None, threads: int | None) -> None:
        ray = _import("ray", "ray")
        _import("ray", "ray.data")
        self._ray, self._began = ray, not ray.is_initialized()
        if self._began:
            options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
            if cluster is None:
                options |= {"num_cpus": threads or usable_processors()}
                options |= {"include_dashboard": False}
            try:
                ray.init(address=cluster or "local", **options)
            except Exception as error:
                text = str(error).splitlines() or [type(error).__name__]
                raise HanjiError(f"Ray does not start: {text[0]}") from error

    def __exit__(self, *_: object) -> None:
        if self._began:
            with contextlib.suppress(Exception):
                self._ray.shutdown()

    def _submit(self, task: Task, paths: list[str]) -> dict[int, str]:
        data = self._ray.data
        data.DataContext.get_current().enable_progress_bars = False
        rows = [{"place": place, "path": path} for place, path in enumerate(paths)]
        workers = max(1, min(len(paths), int(self._ray.cluster_resources().get("CPU", 1))))
        answers = data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            _Actor,
            fn_constructor_args=(task,),
            batch_size=1,
            batch_format="pyarrow",
            num_cpus=1,
            compute=data.ActorPoolStrategy(min_size=1, max_size=workers),
        )
        return {int(row["place"]): str(row["failed"]) for row in answers.iter_rows()}


class _Actor:
    """What a worker of Ray does."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def __call__(self, batch: Any) -> Any:
        import pyarrow as pa

        failed = [self._task.leave(Path(path)) for path in batch["path"].to_pylist()]
        return pa.table({"place": batch["place"], "failed": pa.array(failed, pa.string())})
