# SPDX-License-Identifier: Apache-2.0
"""What happens to a process around hanji: the end of the interpreter with daemon threads, forks
while other threads work, and subinterpreters.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import fresh
import numpy as np
import pytest

from hanji import hashes, hazmat, sign, telemetry
from hanji._pool import Pool
from hanji._threads import ForkedLock

KEY, BIG = bytes(16), bytes(8 << 20)

DAEMONS = """
import sys, threading, time, warnings
import numpy as np
import hanji
from hanji import aead, epoch, fleet, hashes, hazmat, sign, telemetry
warnings.simplefilter("ignore")
KEY, BIG, NO_LIMIT = bytes(16), bytes(4 << 20), 1 << 60
hash_, mac = hashes.AsconHash256(), hazmat.cmac("speck-64/128", KEY, limit=NO_LIMIT)
ctr = hazmat.ctr("speck-64/128", KEY, bytes(8), limit=NO_LIMIT)
rows, keys = np.zeros((2000, 500), np.uint8), np.zeros((2000, 16), np.uint8)
key = sign.scheme("aimer3-128f").generate()
message = key.message()
opener = telemetry.Opener(KEY)
frames, offsets = np.zeros(64 * 4000, np.uint8), np.arange(4001) * 64
calls = {
    "fleet": lambda: fleet.encrypt("ascon-aead128", keys, keys, rows, threads=2),
    "aead": lambda: aead.AsconAEAD128(KEY).encrypt(KEY, BIG),
    "hash": lambda: hash_.update(BIG),
    "xof": lambda: hashes.XOEsch256().digest(1 << 20),
    "cmac": lambda: mac.update(BIG),
    "ctr": lambda: ctr.update(BIG),
    "block": lambda: hazmat.block("simon-64/128", KEY).encrypt(BIG),
    "permutation": lambda: hazmat.ascon(bytes(400000), 12),
    "signature": lambda: key.sign(b"message"),
    "message": lambda: message.update(BIG),
    "telemetry": lambda: opener.flat(frames, offsets),
    "selftest": hanji.selftest,
}
pieces = sign.scheme("rainbow-i-cz").generate().message()  # which hashes with hashlib
calls["rainbow"] = lambda: pieces.update(BIG)
def repeat(call):
    while True:
        call()
for call in [calls[name] for name in sys.argv[1:]] or calls.values():
    threading.Thread(target=repeat, args=(call,), daemon=True).start()
time.sleep(0.3)
class Late:
    def __del__(self):  # the thread that ends the interpreter still gets the GIL
        hash_of(bytes(1 << 16))
hash_of = hashes.AsconHash256
late = Late()
"""


@pytest.mark.parametrize("calls", [[], ["fleet"], ["hash"], ["signature"], ["rainbow"]], ids=str)
@pytest.mark.usefixtures("rainbow")
def test_daemon_threads_inside_hanji_do_not_end_the_process_badly(calls):
    """Not with SIGABRT, which leaves a core file with keys."""
    done = subprocess.run(
        [sys.executable, "-c", DAEMONS, *calls],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_aborted_process_is_noticed():
    """The control of the test above."""
    aborted = "import os, resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); os.abort()"
    done = subprocess.run([sys.executable, "-c", aborted])
    assert done.returncode == -signal.SIGABRT


LAST = """
import atexit, io, sys, threading
import pyarrow as pa
from hanji import files, sign, telemetry
from hanji._atomic import AtomicOutputs
KEY, BIG, PLACE = bytes(16), bytes(4 << 20), sys.argv[1] + "/"
opener = telemetry.Opener(KEY, threads=4)
table = pa.table({"frame": pa.array([bytes(64)] * 70_000, pa.binary())})
sealed = io.BytesIO()
files.seal(io.BytesIO(BIG), sealed, key=KEY, threads=1)
signer = sign.scheme("aimer3-128f").generate()
with open(PLACE + "plain", "wb") as plain:
    plain.write(BIG)
def opened():
    out = io.BytesIO()
    files.open(io.BytesIO(sealed.getvalue()), out, key=KEY, threads=4)
    assert out.getvalue() == BIG
def by_name():
    files.seal_file(PLACE + "plain", PLACE + "sealed", key=KEY, overwrite=True, threads=4)
    assert files.open_file(PLACE + "sealed", PLACE + "out", key=KEY, overwrite=True) == len(BIG)
def outputs():
    said = []
    with AtomicOutputs(lambda name, error: said.append((name, error)), overwrite=True) as together:
        for number in range(20):
            with together.output(number, PLACE + str(number)) as writer:
                writer.write(b"x")
    assert said == [(number, None) for number in range(20)], said
def table_opened():
    assert opener(table).num_rows == 70_000
def signed():
    assert len(signer.sign_many([b"x"] * 40, threads=4)) == 40
def say(call):
    call()
    print(call.__name__)
CALLS = [table_opened, opened, by_name, outputs, signed]
"""


def last(tmp_path, lines: str) -> tuple[int, list[str], str]:
    """How a program of LAST and these lines ends."""
    pytest.importorskip("pyarrow", reason="pip install pyarrow")
    words = [sys.executable, "-c", LAST + lines, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, sorted(done.stdout.split()), done.stderr


ALL_OF_LAST = ["by_name", "opened", "outputs", "signed", "table_opened"]


def test_functions_that_run_when_python_ends_have_their_work_done(tmp_path):
    """Python starts no threads then; hanji has not made its pools before."""
    lines = "for call in CALLS: atexit.register(say, call)\n"
    assert last(tmp_path, lines) == (0, ALL_OF_LAST, "")


def test_daemon_threads_have_their_work_done_when_python_ends(tmp_path):
    """A thread that has begun before; the end waits for it, so that it cannot be cut off."""
    lines = """
ending, done = threading.Event(), []
def work():
    ending.wait()
    for call in CALLS:
        say(call)
    done.append(1)
thread = threading.Thread(target=work, daemon=True)
thread.start()
atexit.register(thread.join)
atexit.register(ending.set)
"""
    assert last(tmp_path, lines) == (0, ALL_OF_LAST, "")


def test_control_a_pool_of_python_refuses_work_when_python_ends(tmp_path):
    lines = """
from concurrent.futures import ThreadPoolExecutor
def work():
    with ThreadPoolExecutor(2) as pool:
        print(pool.submit(int, "1").result())
atexit.register(work)
"""
    status, said, error = last(tmp_path, lines)
    assert (status, said) == (0, []) and "cannot schedule new futures" in error


def test_a_pool_that_can_start_no_thread_does_each_piece_of_work_once(monkeypatch):
    started, ids = [], []
    start = threading.Thread.start

    def start_one(thread):
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_one)
    together = threading.Barrier(2)

    def work(number):
        ids.append(threading.get_ident())
        if number < 2:
            together.wait(60)  # so that a thread of the pool is busy when the second is wanted
        return number

    with Pool(4) as pool:
        assert pool.map(work, range(100)) == list(range(100))
    assert len(ids) == 100 and len(set(ids)) == 2


def test_a_pool_gives_errors_and_results_in_order():
    with Pool(3) as pool:
        assert pool.map(str, range(5)) == list("01234")
        with pytest.raises(ZeroDivisionError):
            pool.map(lambda number: 1 // number, [1, 0])
        future = pool.submit(pow, 2, 5)
        assert future.result() == 32


def test_an_exit_while_a_pool_works_waits_for_its_calls_alone():
    """Workers of a ThreadPoolExecutor are no daemons: Python joins them."""
    source = """
import concurrent.futures, hanji.hashes
pool = concurrent.futures.ThreadPoolExecutor(4)
for _ in range(20):
    pool.submit(lambda: hanji.hashes.AsconHash256(bytes(1 << 20)).digest())
raise SystemExit(7)
"""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")


def raised_in_child(call: Callable[[], object]) -> str:
    """The type of what a call raises in a forked child, "" for nothing, "hangs" if it does."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        name = ""
        try:
            call()
        except BaseException as error:
            name = f"{type(error).__name__}: {error}"
        os.write(writer, name.encode())
        os._exit(0)
    os.close(writer)
    deadline = time.monotonic() + 200
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(reader)
            return "hangs"
        time.sleep(0.005)
    with os.fdopen(reader, "rb") as answers:
        return answers.read().decode()


def of_fork() -> dict[str, Callable[[], tuple[Callable[[], object], list[Callable[[], object]]]]]:
    """Objects with a lock: a call that keeps it for long, and calls that need it in the child."""

    def hash_():
        made = hashes.AsconHash256()
        return lambda: made.update(BIG), [made.digest, made.copy, lambda: made.update(b"x")]

    def xof():
        made = hashes.XOEsch256()
        return lambda: made.read(1 << 22), [lambda: made.read(1), lambda: made.digest(1)]

    def ctr():
        made = hazmat.ctr("simon-64/128", KEY, bytes(8), limit=1 << 60)
        return lambda: made.update(BIG), [lambda: made.update(b"x"), lambda: made.remaining]

    def cmac():
        made = hazmat.cmac("simon-64/128", KEY, limit=1 << 60)
        other = made.copy()  # has the same key and lock
        return lambda: made.update(BIG), [made.digest, other.digest, made.copy]

    def eax():
        made = hazmat.eax("simon-64/128", KEY, limit=1 << 60)
        return lambda: made.encrypt(b"n", BIG), [lambda: made.encrypt(b"m", b"x")]

    def message():
        made = sign.scheme("aimer3-128f").generate().message()
        return lambda: made.update(BIG), [lambda: made.update(b"x"), made.sign]

    def asked():
        def ask(devices: np.ndarray) -> list[bytes]:
            time.sleep(0.05)
            return [KEY] * len(devices)

        numbers, made = iter(range(1 << 20)), telemetry.Opener(ask)

        def open_one() -> object:
            frame = np.zeros(64, np.uint8)
            frame[2:6] = np.frombuffer(next(numbers).to_bytes(4, "little"), np.uint8)
            return made.flat(frame, np.array([0, 64]))

        return open_one, [open_one]

    return {f.__name__.strip("_"): f for f in (hash_, xof, ctr, cmac, eax, message, asked)}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork() on this system")
@pytest.mark.parametrize("name", of_fork())
def test_an_object_in_use_at_a_fork_raises_in_the_child(name):
    """It does not wait for a thread that the child has not; unused objects go on."""
    # A fork of the process of all tests would take longer than the call that it should interrupt.
    fresh.call(fork_while_in_use, name)


def fork_while_in_use(name: str) -> None:
    """Forks while another thread is in a call of an object, and uses the object in the child."""
    warnings.simplefilter("ignore")
    busy, calls = of_fork()[name]()
    unused = of_fork()[name]()[1]
    busy()  # so that no thread imports a module at the fork, whose lock is Python's own
    stop, seen = threading.Event(), set()

    def work() -> None:
        while not stop.is_set():
            busy()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for call in calls:
            for _ in range(20):  # the fork may come between two calls of the other thread
                time.sleep(0.005)
                seen.add(answer := raised_in_child(call))
                if answer:
                    break
            assert answer.startswith("RuntimeError: another thread used this object when"), answer
        assert [raised_in_child(call) for call in unused] == [""] * len(unused)
    finally:
        stop.set()
        thread.join()
    assert [call() is not NotImplemented for call in calls]  # and the parent goes on


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork() on this system")
@pytest.mark.usefixtures("rainbow")
def test_rainbow_in_use_at_a_fork_raises_in_the_child():
    """hashlib, which hashes the messages, has locks of its own."""
    fresh.call(fork_while_rainbow_is_in_use)


def fork_while_rainbow_is_in_use() -> None:
    """The same with a message of Rainbow, of which a child may also find a moment between calls."""
    warnings.simplefilter("ignore")
    message = sign.scheme("rainbow-i-cz").generate().message()
    stop, big = threading.Event(), bytes(64 << 20)

    def work() -> None:
        while not stop.is_set():
            message.update(big)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        time.sleep(0.02)
        answers = {raised_in_child(lambda: message.update(b"x" * 5000)) for _ in range(3)}
    finally:
        stop.set()
        thread.join()
    assert "hangs" not in answers
    assert any(answer.startswith("RuntimeError: another thread") for answer in answers), answers


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork() on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_locks_of_a_module_are_new_in_a_child():
    object_lock, module_lock = ForkedLock(), ForkedLock(renew=True)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with object_lock, module_lock:
            held.set()
            done.wait()

    def use(lock: ForkedLock) -> None:
        with lock, ThreadPoolExecutor(1) as pool:
            pool.submit(int).result()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        assert raised_in_child(lambda: use(module_lock)) == ""
        assert raised_in_child(lambda: use(object_lock)).startswith("RuntimeError: another thread")
        assert raised_in_child(lambda: use(ForkedLock())) == ""
    finally:
        done.set()
        thread.join()
    use(object_lock)
    use(module_lock)


SUBINTERPRETER = """
import sys
import hanji
from hanji import aead, hazmat
objects = [(aead.AsconAEAD128(bytes(16)), 16), (hazmat.eax("speck-64/128", bytes(16)), 8)]
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
    kinds = [lambda: interpreters.create("legacy"), lambda: interpreters.create("isolated")]
else:
    import _xxsubinterpreters as interpreters
    kinds = [lambda isolated=i: interpreters.create(isolated=isolated) for i in (False, True)]
def said(made, source):
    try:
        answer = interpreters.run_string(made, source)
    except interpreters.RunFailedError as error:
        return str(error)
    return "" if answer is None else str(answer)
for kind in kinds:
    made = kind()
    for source in ("import hanji", "import hanji._core", "import hanji.keys", "import hanji._gpu"):
        text = said(made, source)
        assert "ImportError" in text and "interpreter" in text, (source, text)
    interpreters.destroy(made)
    for one, nonce in objects:
        try:
            one.decrypt(bytes(nonce), bytes(40))
        except hanji.InvalidTag:
            continue
        raise SystemExit("opened")
assert said(interpreters.create(), "import json") == ""  # the control
hanji.selftest()
print(repr(aead.AsconAEAD128(bytes(16))))
"""


def test_a_subinterpreter_is_refused_and_breaks_nothing():
    done = subprocess.run([sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True)
    if "No module named" in done.stderr:
        pytest.skip("this Python has no module that makes subinterpreters")
    assert (done.returncode, done.stdout) == (0, "<hanji.aead.AsconAEAD128>\n"), done.stderr
