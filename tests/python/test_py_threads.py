# SPDX-License-Identifier: Apache-2.0
"""Threads, the GIL, and fork."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

import hanji
from hanji import aead, fleet, hashes, hazmat

pytestmark = pytest.mark.quick

KEY, NONCE = bytes(16), bytes(32)
BIG = bytes(6 << 20)
ROOM = bytearray(len(BIG) + 16)


def in_threads(count: int, work: Callable[[int], object]) -> list[object]:
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def test_threads_share_an_aead_object():
    cipher = aead.Schwaemm256_128(KEY)
    messages = [os.urandom(size) for size in (0, 15, 100, 3000, 20000)]

    def work(worker: int) -> None:
        for round_ in range(40):
            nonce = (worker * 1000 + round_).to_bytes(32)
            data = messages[round_ % len(messages)]
            assert cipher.decrypt(nonce, cipher.encrypt(nonce, data, b"ad"), b"ad") == data

    in_threads(4, work)


@pytest.mark.parametrize("size", [16, 5000])
@pytest.mark.parametrize("cls", [hashes.Esch256, hashes.XOEsch384])
def test_updates_of_one_hash_from_many_threads_are_whole(cls, size):
    """All pieces are equal, so their order does not matter; a torn update would."""
    piece, workers, rounds = b"\x5a" * size, 4, 50
    message = cls()
    in_threads(workers, lambda _: [message.update(piece) for _ in range(rounds)])
    expected = cls(piece * workers * rounds)
    assert message.hexdigest(*[64][: cls is hashes.XOEsch384]) == expected.hexdigest(
        *[64][: cls is hashes.XOEsch384]
    )


@pytest.mark.parametrize("size", [8, 4000])
def test_updates_of_one_cmac_from_many_threads_are_whole(size):
    piece, workers, rounds = b"\x5a" * size, 4, 30
    mac, expected = hazmat.cmac("speck-64/128", KEY), hazmat.cmac("speck-64/128", KEY)

    def work(_: int) -> None:
        for _ in range(rounds):
            mac.update(piece)
            mac.copy().digest()

    in_threads(workers, work)
    expected.update(piece * workers * rounds)
    assert mac.digest() == expected.digest()


@pytest.mark.parametrize("size", [16, 4096])
def test_a_stream_gives_every_piece_of_key_stream_once(size):
    workers, rounds = 4, 40
    stream = hazmat.ctr("speck-64/128", KEY, bytes(8))
    pieces = in_threads(workers, lambda _: [stream.update(bytes(size)) for _ in range(rounds)])
    whole = hazmat.ctr("speck-64/128", KEY, bytes(8)).update(bytes(size * workers * rounds))
    assert sorted(p for part in pieces for p in part) == sorted(
        whole[i : i + size] for i in range(0, len(whole), size)
    )


def test_the_limit_holds_across_threads():
    cipher = hazmat.eax("speck-64/128", KEY, limit=1 + 100 * (3 + 1 + 2))

    def work(worker: int) -> int:
        done = 0
        for i in range(60):
            try:
                cipher.encrypt(bytes([worker, i]), b"8 bytes.")
                done += 1
            except hanji.LimitError:
                pass
        return done

    assert sum(in_threads(4, work)) == 100
    assert cipher.remaining == 0


def rows(n: int) -> np.ndarray:
    return np.zeros((n, 512), np.uint8)


OPERATIONS = {
    "encrypt": lambda: aead.Schwaemm256_128(KEY).encrypt(NONCE, BIG),
    "encrypt_into": lambda: aead.Schwaemm256_128(KEY).encrypt_into(NONCE, BIG, None, ROOM),
    "associated data": lambda: aead.Schwaemm256_128(KEY).encrypt(NONCE, b"", BIG),
    "hash": lambda: hashes.Esch256(BIG),
    "xof": lambda: hashes.XOEsch256().digest(len(BIG)),
    "read": lambda: hashes.XOEsch256().read(len(BIG)),
    "block": lambda: hazmat.block("simon-128/256", bytes(32)).encrypt(BIG),
    "ctr": lambda: hazmat.ctr("simon-128/256", bytes(32), bytes(16)).update(BIG),
    "ctr_message": lambda: hazmat.ctr_message("simon-128/256", bytes(32), bytes(16), BIG),
    "cmac": lambda: hazmat.cmac("simon-128/256", bytes(32)).update(BIG),
    "eax": lambda: hazmat.eax("simon-128/256", bytes(32)).encrypt(b"n", BIG),
    "sparkle": lambda: hazmat.sparkle(512, BIG, "big"),
    "fleet": lambda: fleet.encrypt(
        "schwaemm256-128", KEY, np.zeros((10000, 32), np.uint8), rows(10000), threads=1
    ),
}


def longest_without_others(operation: Callable[[], object]) -> float:
    """Which share of a call's processor time passes, at most, without another Python thread.

    Python never asks the calling thread for the GIL here, so that another thread runs only when
    the call releases it. That thread notes how much processor time the caller has used. Other
    processes cannot lengthen these gaps, except when they keep the second thread itself waiting.
    """
    caller = time.pthread_getcpuclockid(threading.get_ident())
    stamps, stop, running = [], threading.Event(), threading.Event()

    def watch() -> None:
        running.set()
        while not stop.is_set():
            stamps.append(time.clock_gettime(caller))
            time.sleep(0.0002)

    interval = sys.getswitchinterval()
    watcher = threading.Thread(target=watch)
    sys.setswitchinterval(1000)  # before the thread waits for the GIL with the usual interval
    try:
        watcher.start()
        running.wait()
        begin = time.clock_gettime(caller)
        operation()
        end = time.clock_gettime(caller)
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        watcher.join()
    inside = [begin, *(s for s in stamps if begin < s < end), end]
    return max(b - a for a, b in pairwise(inside)) / (end - begin)


needs_clocks = pytest.mark.skipif(
    not hasattr(time, "pthread_getcpuclockid"), reason="no clock for each thread on this system"
)


@needs_clocks
@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_other_threads_make_progress_meanwhile(operation):
    """One call suffices to show it. The others are for a busy machine, which may leave the second
    thread waiting in any single one.
    """
    best = 1.0
    for _ in range(500):
        best = min(best, longest_without_others(operation))
        if best < 0.6:
            return
    pytest.fail(f"no other thread ran for {best:.0%} of the call's processor time, 500 times")


@needs_clocks
def test_a_call_that_keeps_the_gil_is_noticed():
    """The control of the test above: pure C work that keeps the GIL leaves no stamp inside."""
    for _ in range(5):
        assert longest_without_others(lambda: bytes(20 << 20).count(b"1")) > 0.99


def in_child(work: Callable[[], None]) -> None:
    """Run `work` in a forked child, whose exit status says whether it came through."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            assert os.waitstatus_to_exitcode(status) == 0, (
                "the child failed; see its traceback above"
            )
            return
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise AssertionError("the child hangs")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_children_use_everything_while_threads_of_the_parent_are_busy():
    cipher, message = aead.Schwaemm256_128(KEY), hashes.Esch256(b"before")
    sealed, stop = cipher.encrypt(NONCE, BIG), threading.Event()
    table, nonces = rows(4000), np.zeros((4000, 32), np.uint8)

    def busy() -> None:
        while not stop.is_set():
            cipher.encrypt(NONCE, BIG)
            fleet.encrypt("schwaemm256-128", KEY, nonces, table, threads=2)

    def child() -> None:
        assert cipher.encrypt(NONCE, BIG) == sealed
        assert message.digest() == hashes.Esch256(b"before").digest()
        assert fleet.encrypt("schwaemm256-128", KEY, nonces, table, threads=2).tags.any()
        assert all(hanji.selftest().values())

    worker = threading.Thread(target=busy)
    worker.start()
    try:
        for _ in range(3):
            time.sleep(0.02)
            in_child(child)
    finally:
        stop.set()
        worker.join()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_parent_and_child_draw_different_keys():
    reader, writer = os.pipe()
    in_child(lambda: print(os.write(writer, aead.Schwaemm256_128.generate_key())))
    assert os.read(reader, 16) != aead.Schwaemm256_128.generate_key()
    os.close(reader)
    os.close(writer)


CLEARED = """
import sys, threading, time
from hanji import _core
name = _core.signature_sets()[0]["name"]
key = _core.signature_key(name, _core.signature_generate(name), True)
verifier = _core.signature_key(name, key.public_key(), False)
SIZE, COUNT = 4 << 20, 12  # so large that memory which is given back is gone

def texts():
    return [bytes([i]) * SIZE for i in range(COUNT)]

def while_another_thread_clears(call, make):
    for _ in range(100):
        lists = make()
        started = threading.Event()
        def clear():
            started.set()
            time.sleep(0.002)
            for cleared in lists:
                cleared.clear()
        thread = threading.Thread(target=clear)
        thread.start()
        started.wait()
        try:
            answer = call(*lists)
        except ValueError:  # one list was cleared before the call took it
            answer = None
        thread.join()
        assert not any(lists)
        if answer:
            return answer
    raise SystemExit("no call had begun when the lists were cleared")

def sign(messages):
    return key.sign_batch(messages, b"", False, False)

def verify(signatures, messages):
    return verifier.verify_batch(signatures, messages, b"")

for _ in range(3):
    signatures = while_another_thread_clears(sign, lambda: [texts()])
    assert all(verify(signatures, texts()))
    assert all(while_another_thread_clears(verify, lambda: [list(signatures), texts()]))
print("right")
"""


def test_lists_may_be_cleared_while_their_messages_are_signed():
    """In a process of its own, because what is read after it is gone ends the process."""
    done = subprocess.run([sys.executable, "-c", CLEARED], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "right\n", (
        f"{done.returncode}: {done.stderr[-2000:]}"
    )


def test_buffers_cannot_be_resized_while_they_are_worked_on():
    """Every argument is exported for as long as the call runs without the GIL."""
    given = [bytearray(4 << 20), bytearray(8 << 20), bytearray(b"associated" * 1000)]
    refused, stop = [0, 0, 0], threading.Event()

    def resize() -> None:
        while not stop.is_set():
            for i, buffer in enumerate(given):
                try:
                    buffer.append(0)
                    del buffer[-1:]
                except BufferError:
                    refused[i] += 1

    thread = threading.Thread(target=resize)
    thread.start()
    cipher = aead.Schwaemm256_128(KEY)
    try:
        for _ in range(50):
            try:
                cipher.encrypt_into(NONCE, given[0], given[2], given[1])
            except BufferError:  # the other thread was in between
                continue
            if all(refused):
                break
    finally:
        stop.set()
        thread.join()
    assert all(refused), refused
