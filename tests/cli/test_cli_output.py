# SPDX-License-Identifier: Apache-2.0
"""What the command writes: whole or not at all, whatever signal comes; never over what is not a
regular file, nor over what it reads.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import itertools
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from cli_process import Hanji, assert_failed, names
from debian import need_terminals

from hanji import _atomic, _posix, files, keys, sign
from hanji.cli import terminal

pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore::hanji.sign.BrokenSchemeWarning"),
]

CHUNK = 1 << 16
CLI = [sys.executable, "-m", "hanji.cli"]
SCHEME = "aimer2-128f"
KNOWN = "--i-know-it-is-broken"
KEYGEN = ["sign-keygen", "-a", SCHEME, KNOWN]
DEADLINE = 60  # seconds that a child may take for what takes a fraction of one


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Return when a condition holds; fail after DEADLINE seconds."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {DEADLINE} seconds"
        time.sleep(0.01)


def parts(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.suffix == ".part"]


def everything(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def text(size: int) -> bytes:
    return (bytes(range(251)) * (size // 251 + 1))[:size]


def default_signals() -> None:
    """Who starts the tests in the background of a shell ignores some signals, and so would a child."""
    for number in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):
            if number not in (signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A signing key `signer` and `signer.pub`."""
    private = sign.scheme(SCHEME).generate()
    keys.save_pair(private.to_key(), private.public_key.to_key(), tmp_path / "signer")
    return tmp_path / "signer"


# Signals


@contextlib.contextmanager
def opening(
    folder: Path, key_file: Path, prepare: Callable[[], None] = default_signals
) -> Iterator[subprocess.Popen[bytes]]:
    """An `open` that has written plaintext to its temporary file and waits for more input."""
    (folder / "plain").write_bytes(text(6 << 20))
    files.seal_file(folder / "plain", folder / "sealed", key=keys.load(key_file))
    sealed = (folder / "sealed").read_bytes()
    (folder / "plain").unlink()
    (folder / "sealed").unlink()
    command = [*CLI, "open", "-", "-o", "out", "-k", str(key_file), "--threads", "1"]
    child = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=prepare,
        umask=0,
    )
    assert child.stdin is not None
    assert child.stderr is not None
    try:
        child.stdin.write(sealed[:-1])
        child.stdin.flush()
        wait_until(
            lambda: child.poll() is not None or any(part.stat().st_size for part in parts(folder)),
            "plaintext in a temporary file",
        )
        assert child.poll() is None, child.stderr.read()
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stderr.close()


SIGNALS = [
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGALRM,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGXCPU,
    signal.SIGABRT,
    signal.SIGRTMIN,
]


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_no_signal_leaves_plaintext(tmp_path: Path, key_file: Path, number: signal.Signals) -> None:
    with opening(tmp_path, key_file) as child:
        assert [stat.S_IMODE(part.stat().st_mode) for part in parts(tmp_path)] == [0o600], (
            "the umask of this test is 0"
        )
        child.send_signal(number)
        assert child.wait(timeout=DEADLINE) == 128 + number
        assert child.stderr is not None
        assert b"Traceback" not in child.stderr.read()
    assert names(tmp_path) == ["test.key"]


def test_every_signal_that_ends_a_process_is_caught(tmp_path: Path) -> None:
    """From the kernel's list: what ends a process without a handler, in a child of its own."""
    script = "from hanji.cli.signals import catch_signals; import signal; catch_signals()\n"
    script += "print(*[n for n in signal.valid_signals() if callable(signal.getsignal(n)) and signal.getsignal(n) is not signal.default_int_handler])"
    caught = set(
        map(
            int,
            subprocess.run(
                [sys.executable, "-c", script],
                capture_output=True,
                check=True,
                preexec_fn=default_signals,
            ).stdout.split(),
        )
    )
    left = {signal.Signals(n).name for n in signal.valid_signals() if n not in caught}
    harmless = {"SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGTSTP", "SIGTTIN", "SIGTTOU"}
    python_ignores = {"SIGPIPE", "SIGXFSZ"}
    impossible = {"SIGKILL", "SIGSTOP"}
    faults = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"}
    assert left == harmless | python_ignores | impossible | faults


HELD = """
import atexit, os, signal, threading, time
from hanji.cli.signals import catch_signals
catch_signals()
atexit.register(lambda: os.write(1, b"in order "))
def leave(*_):
    print("said", flush=False)
threading.Thread(target=time.sleep, args=(0.2,)).start()
class Held:  # as a library whose threads outlive the interpreter
    def __del__(self):
        time.sleep(30)
held = Held()
try:
    os.kill(os.getpid(), {number})
    time.sleep(30)
finally:
    leave()
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_library_that_ends_late_does_not_change_the_status(name: str) -> None:
    """Python takes the handlers away before the end of libraries, which may wait or fail there."""
    number = getattr(signal, name)
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", HELD.replace("{number}", str(int(number)))],
        capture_output=True,
        timeout=DEADLINE,
        preexec_fn=default_signals,
    )
    assert done.returncode == 128 + number
    assert sorted(done.stdout.split()) == [b"in", b"order", b"said"], "something was lost"
    assert time.monotonic() - begin < 20


def test_ignored_signals_stay_ignored(tmp_path: Path, key_file: Path) -> None:
    """As after nohup."""
    data = text(100)
    command = [*CLI, "seal", "-", "-o", "out", "-k", str(key_file)]
    ignore = partial(signal.signal, signal.SIGHUP, signal.SIG_IGN)
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, preexec_fn=ignore) as child:
        assert child.stdin is not None
        wait_until(lambda: bool(parts(tmp_path)), "a temporary file")
        child.send_signal(signal.SIGHUP)
        child.stdin.write(data)
        child.stdin.close()
        assert child.wait(timeout=DEADLINE) == 0
    assert names(tmp_path) == ["out", "test.key"]


def test_a_process_that_waits_for_a_pipe_ends(tmp_path: Path, pair: Path) -> None:
    """Threads that read pipes to which nobody writes cannot be stopped; the process ends
    nevertheless, with the status of the first signal.
    """
    os.mkfifo(tmp_path / "a")
    os.mkfifo(tmp_path / "b")
    with subprocess.Popen(
        [*CLI, "sign", "a", "b", "-k", str(pair), KNOWN], cwd=tmp_path, preexec_fn=default_signals
    ) as child:
        # it has begun to read both
        writers = [os.open(tmp_path / name, os.O_WRONLY) for name in ("a", "b")]
        # Python may overlook a signal that comes just before its main thread goes to sleep, until
        # the next one comes: let it sleep first.
        time.sleep(0.5)
        child.send_signal(signal.SIGTERM)
        try:
            assert child.wait(timeout=DEADLINE) == 128 + signal.SIGTERM
        finally:
            child.kill()
            for writer in writers:
                os.close(writer)
    assert not parts(tmp_path)


INTERRUPTED = """
import os, signal, sys
from hanji.cli import main
from hanji import _atomic
real, count = os.replace, 0
def replace(*arguments, **options):
    global count
    real(*arguments, **options)
    count += 1
    if count == 1:
        os.kill(os.getpid(), signal.SIGTERM)
_atomic.os.replace = replace
sys.argv[0] = "hanji"
main.app()
"""


def test_a_signal_between_two_names_waits_until_both_are_there(tmp_path: Path, pair: Path) -> None:
    before = pair.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *KEYGEN, "-o", "signer", "-f"],
        cwd=tmp_path,
        preexec_fn=default_signals,
    )
    assert done.returncode == 128 + signal.SIGTERM
    private = sign.load(keys.load(pair))
    assert isinstance(private, sign.PrivateKey)
    assert pair.read_bytes() != before
    assert private.public_key == sign.load(keys.load(f"{pair}.pub"))
    assert names(tmp_path) == ["signer", "signer.pub"]


def test_what_sigkill_leaves_is_private_and_goes_with_the_next_run(
    tmp_path: Path, key_file: Path, quick: Hanji
) -> None:
    (tmp_path / "in").write_bytes(b"text")
    with opening(tmp_path, key_file) as child:
        assert quick("seal", "in", "-o", "first", "-k", key_file).returncode == 0
        assert len(parts(tmp_path)) == 1, "the temporary file of a process that runs was taken away"
        child.kill()
        child.wait(timeout=DEADLINE)
    (left,) = parts(tmp_path)
    assert stat.S_IMODE(left.stat().st_mode) == 0o600
    assert quick("seal", "in", "-o", "second", "-k", key_file).returncode == 0
    assert names(tmp_path) == ["first", "in", "second", "test.key"]


class TestLeftovers:
    NAME = ".hanji-0123456789abcdef.part"

    def test_only_our_unlocked_regular_files_are_removed(self, tmp_path: Path) -> None:
        target = tmp_path / "target"
        target.write_bytes(b"precious")
        (tmp_path / self.NAME).write_bytes(b"left")
        other = [self.NAME.replace("0", digit, 1) for digit in "123456"]
        (tmp_path / other[0]).symlink_to(target)
        (tmp_path / other[1]).mkdir()
        os.mkfifo(tmp_path / other[2])
        (tmp_path / other[3]).write_bytes(b"locked")
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(os.path.relpath(tmp_path / other[4]))
            kept = [
                *other[:5],
                "target",
                ".hanji-0123456789abcdef.old",
                ".hanji-0123.part",
                "a.part",
                self.NAME + "x",
                "x" + self.NAME,
            ]
            for name in kept[6:]:
                (tmp_path / name).write_bytes(b"")
            if os.geteuid() == 0:
                (tmp_path / other[5]).write_bytes(b"of another user")
                os.chown(tmp_path / other[5], 12345, 12345)
                kept.append(other[5])
            with (tmp_path / other[3]).open("rb") as locked:
                fcntl.flock(locked, fcntl.LOCK_EX)
                assert files.remove_leftovers(tmp_path) == [self.NAME]
                assert (everything(tmp_path)) == sorted(kept)
            assert files.remove_leftovers(tmp_path) == [other[3]]
        assert target.read_bytes() == b"precious"

    def test_a_shared_lock_is_a_lock(self, tmp_path: Path) -> None:
        (tmp_path / self.NAME).write_bytes(b"read by another")
        with (tmp_path / self.NAME).open("rb") as locked:
            fcntl.flock(locked, fcntl.LOCK_SH)
            assert files.remove_leftovers(tmp_path) == []

    def test_who_cleans_in_between_is_noticed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A cleaner that comes after the creation and before the lock takes the file away; another
        one is made.
        """
        real, taken = fcntl.flock, []

        def flock(descriptor: int, operation: int) -> None:
            if not taken:
                taken.append(1)
                for part in parts(tmp_path):
                    part.unlink()
            real(descriptor, operation)

        monkeypatch.setattr(_posix.fcntl, "flock", flock)
        with files.AtomicOutput(tmp_path / "out") as output:
            output.write(b"text")
        assert (taken, (tmp_path / "out").read_bytes(), everything(tmp_path)) == (
            [1],
            b"text",
            ["out"],
        )

    def test_file_systems_without_locks(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def flock(*_: object) -> None:
            raise OSError(errno.ENOLCK, "no locks here")

        monkeypatch.setattr(_posix.fcntl, "flock", flock)
        (tmp_path / self.NAME).write_bytes(b"perhaps in use")
        with files.AtomicOutput(tmp_path / "out") as output:
            output.write(b"text")
        assert (everything(tmp_path)) == [self.NAME, "out"]


# What an output may be

# Every command that writes a file: its arguments, with OUT for the output.
WRITERS = {
    "seal": ["seal", "in", "-o", "OUT", "-k", "test.key"],
    "open": ["open", "sealed", "-o", "OUT", "-k", "test.key"],
    "sign": ["sign", "in", "-o", "OUT", "-k", "signer", KNOWN],
    "keygen": ["keygen", "-o", "OUT"],
    "sign-keygen": [*KEYGEN, "-o", "OUT"],
}


def arguments(command: str, output: str, *more: str) -> list[str]:
    return [*(output if argument == "OUT" else argument for argument in WRITERS[command]), *more]


@pytest.fixture
def room(tmp_path: Path, key_file: Path, pair: Path) -> Path:
    """A folder with what every command needs."""
    (tmp_path / "in").write_bytes(b"text")
    files.seal_file(tmp_path / "in", tmp_path / "sealed", key=keys.load(key_file))
    return tmp_path


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Kind and contents of everything in a folder."""
    found = {}
    for path in folder.iterdir():
        mode = path.lstat().st_mode
        found[path.name] = (
            stat.S_IFMT(mode),
            path.read_bytes()
            if stat.S_ISREG(mode)
            else str(path.readlink()).encode()
            if path.is_symlink()
            else b"",
        )
    found.pop("cache", None)
    return found


@pytest.mark.parametrize("force", [[], ["-f"]], ids=["", "force"])
@pytest.mark.parametrize("command", WRITERS)
def test_devices_are_not_replaced(quick: Hanji, room: Path, command: str, force: list[str]) -> None:
    """A device of our own, so that a failure does not replace that of the machine."""
    try:
        os.mknod(room / "null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    (room / "link").symlink_to("null")
    before = contents(room)
    for output in ("null", "link"):
        done = quick(*arguments(command, output, *force))
        assert contents(room) == before, done.stderr.decode()
        if "keygen" in command:
            assert_failed(done, "is a character device" if force else "already exists", 3)
        else:
            assert done.returncode == 0, "a device is written to"


@pytest.mark.parametrize("command", ["seal", "open", "sign"])
def test_links_to_standard_output(quick: Hanji, room: Path, command: str) -> None:
    """Whether it is a pipe or a file, what is written to it arrives, and the link stays."""
    (room / "link").symlink_to("/proc/self/fd/1")
    before = contents(room)
    for output in ("link", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        done = quick(*arguments(command, output, "-f"))
        assert done.returncode == 0, done.stderr.decode()
        assert len(done.stdout) >= 4
        with (room / "file").open("wb") as file:
            file.write(b"before")
            file.flush()
            assert quick(*arguments(command, output, "-f"), stdout=file).returncode == 0
        written = (room / "file").read_bytes()
        assert written.startswith(b"before")
        assert len(written) == 6 + len(done.stdout)
        (room / "file").unlink()
        assert contents(room) == before


def test_links_to_open_files_of_other_processes_are_refused(quick: Hanji, room: Path) -> None:
    with (room / "theirs").open("wb") as file:
        assert_failed(
            quick(*arguments("seal", f"/proc/{os.getpid()}/fd/{file.fileno()}", "-f")),
            "stands for an open file of a process",
            3,
        )
    assert (room / "theirs").read_bytes() == b""


def test_block_devices_ask_for_force(quick: Hanji, room: Path) -> None:
    try:
        os.mknod(room / "disk", 0o600 | stat.S_IFBLK, os.makedev(120, 0))
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    (room / "link").symlink_to("disk")
    before = contents(room)
    for command in ("seal", "open", "sign"):
        for output in ("disk", "link"):
            assert_failed(
                quick(*arguments(command, output)),
                "is a block device, whose contents would be lost; --force writes to it",
                3,
            )
    # there is no such disk: nothing is written, but it was tried
    forced = quick(*arguments("seal", "disk", "-f"))
    assert "whose contents" not in forced.stderr.decode()
    assert forced.returncode == 3
    assert contents(room) == before


def test_two_names_of_one_disk_are_one_file(tmp_path: Path) -> None:
    try:
        for name in ("one", "two"):
            os.mknod(tmp_path / name, 0o600 | stat.S_IFBLK, os.makedev(120, 0))
        os.mknod(tmp_path / "three", 0o600 | stat.S_IFBLK, os.makedev(120, 1))
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    others = terminal.operands(("input", tmp_path / "one"))
    with pytest.raises(ValueError, match="input and output are the same file"):
        terminal.refuse_operands((tmp_path / "two").stat(), "two", others)
    terminal.refuse_operands((tmp_path / "three").stat(), "three", others)


def test_sockets_and_folders(quick: Hanji, room: Path) -> None:
    (room / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(os.path.relpath(room / "socket"))
        before = contents(room)
        for command in WRITERS:
            assert_failed(quick(*arguments(command, "socket", "-f")), "is a socket", 3)
            if command not in ("seal", "open", "sign"):  # which put files into folders
                assert_failed(quick(*arguments(command, "folder", "-f")), "is a directory", 3)
        assert_failed(quick(*arguments("seal", "", "-f")), "the name is empty", 3)
        assert contents(room) == before


def test_pipes_are_written_directly(room: Path) -> None:
    os.mkfifo(room / "pipe")
    for command in ("open", "sign"):
        with subprocess.Popen([*CLI, *arguments(command, "pipe")], cwd=room) as child:
            written = (room / "pipe").read_bytes()
            assert child.wait(timeout=DEADLINE) == 0
        assert written == b"text" if command == "open" else len(written) > 1000
    assert stat.S_ISFIFO((room / "pipe").stat().st_mode)


@pytest.mark.parametrize("command", WRITERS)
def test_a_link_is_followed_and_the_mode_of_its_target_kept(
    quick: Hanji, room: Path, command: str
) -> None:
    (room / "elsewhere").mkdir()
    target = room / "elsewhere" / "target"
    target.write_bytes(b"old")
    target.chmod(0o640)
    (room / "link").symlink_to("elsewhere/second")
    (room / "elsewhere" / "second").symlink_to("target")
    assert_failed(quick(*arguments(command, "link")), "link: already exists", 3)
    assert target.read_bytes() == b"old"
    done = quick(*arguments(command, "link", "-f"))
    assert done.returncode == 0, done.stderr.decode()
    assert (room / "link").readlink() == Path("elsewhere/second")
    assert not target.is_symlink()
    assert target.read_bytes() not in (b"old", b"")
    assert stat.S_IMODE(target.stat().st_mode) == (0o600 if "keygen" in command else 0o640)
    assert (everything(room / "elsewhere")) == ["second", "target"]


def test_modes(quick: Hanji, room: Path) -> None:
    old = os.umask(0o027)
    try:
        for mode in (0o600, 0o664, 0o755, 0o400):
            (room / "out").write_bytes(b"old")
            (room / "out").chmod(mode)
            assert quick(*arguments("open", "out", "-f")).returncode == 0
            assert stat.S_IMODE((room / "out").stat().st_mode) == mode
            (room / "out").unlink()
        assert quick(*arguments("open", "out")).returncode == 0
        assert stat.S_IMODE((room / "out").stat().st_mode) == 0o640
        (room / "key").write_bytes(b"old")
        (room / "key").chmod(0o644)
        assert quick(*arguments("keygen", "key", "-f")).returncode == 0
        assert stat.S_IMODE((room / "key").stat().st_mode) == 0o600
    finally:
        os.umask(old)


def test_dangling_and_circular_links(quick: Hanji, room: Path) -> None:
    (room / "dangling").symlink_to("new")
    (room / "circle").symlink_to("circle")
    assert_failed(quick(*arguments("open", "dangling")), "already exists", 3)
    assert not (room / "new").exists()
    assert quick(*arguments("open", "dangling", "-f")).returncode == 0
    assert (room / "new").read_bytes() == b"text"
    assert (room / "dangling").is_symlink()
    assert_failed(
        quick(*arguments("open", "circle", "-f")),
        "circle: too many levels of symbolic links",
        3,
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
def test_links_of_others_where_everybody_may_write(room: Path) -> None:
    shared = room / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (room / "mine").write_bytes(b"old")
    (shared / "link").symlink_to("../mine")
    with files.AtomicOutput(shared / "link", overwrite=True) as output:
        output.write(b"new")
    assert (room / "mine").read_bytes() == b"new"
    os.chown(shared / "link", 12345, 12345, follow_symlinks=False)
    with (
        pytest.raises(PermissionError, match="link of another user"),
        files.AtomicOutput(shared / "link", overwrite=True),
    ):
        pass
    assert (room / "mine").read_bytes() == b"new"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
def test_the_group_of_a_replaced_file_stays(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"old")
    (tmp_path / "out").chmod(0o640)
    os.chown(tmp_path / "out", 0, 23456)
    with files.AtomicOutput(tmp_path / "out", overwrite=True) as output:
        output.write(b"new")
    status = (tmp_path / "out").stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (0, 23456, 0o640)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
@pytest.mark.parametrize("way", ["file", "link", "hard link"])
@pytest.mark.parametrize("command", ["keygen", "sign-keygen", "seal", "open", "sign"])
def test_root_gives_nothing_to_the_owner_of_a_replaced_file(
    room: Path, quick: Hanji, command: str, way: str
) -> None:
    """Neither a key nor a plaintext, whatever name leads to the file."""
    mask = os.umask(0o022)
    os.umask(mask)
    theirs, output = room / "theirs", room / "out"
    theirs.write_bytes(b"old")
    os.chown(theirs, 12345, 23456)
    theirs.chmod(0o664)
    if way == "link":
        output.symlink_to("theirs")
        os.chown(output, 12345, 23456, follow_symlinks=False)
    elif way == "hard link":
        output.hardlink_to(theirs)
    else:
        theirs.rename(output)
    assert quick(*arguments(command, "out", "-f")).returncode == 0
    written = [output] + [room / "out.pub"] * (command == "sign-keygen" and way != "link")
    for path in written:
        status = path.stat()
        assert (status.st_uid, status.st_gid) == (0, 0), path
        secret = command.endswith("keygen") and path == output
        mode = 0o600 if secret else 0o666 & ~mask
        assert stat.S_IMODE(status.st_mode) == mode, path
    assert output.read_bytes() != b"old"
    if way == "hard link":  # the other name keeps what it had, and its owner
        assert (theirs.read_bytes(), theirs.stat().st_uid) == (b"old", 12345)


def test_runs_of_zeros_are_holes(tmp_path: Path, key_file: Path) -> None:
    block = 1 << 16
    cases = {
        "zeros": bytes(64 * block),
        "at the end": b"x" + bytes(32 * block - 1),
        "in the middle": b"x" * block + bytes(32 * block) + b"y" * 100,
        "no whole block": bytes(block - 1),
        "empty": b"",
        "text": os.urandom(4 * block),
        "one byte": bytes(8 * block + 5) + b"\1" + bytes(8 * block),
    }
    key = keys.load(key_file)
    for name, text in cases.items():
        for chunk_size in (4096, block, 1 << 20):
            sealed = io.BytesIO()
            files.seal(io.BytesIO(text), sealed, key=key, chunk_size=chunk_size)
            (tmp_path / "sealed").write_bytes(sealed.getvalue())
            out = tmp_path / "out"
            files.open_file(tmp_path / "sealed", out, overwrite=True, key=key)
            assert out.read_bytes() == text, (name, chunk_size)
        holes = len(text) - out.stat().st_blocks * 512
        (tmp_path / "control").write_bytes(bytes(1 << 20))
        if name in ("zeros", "at the end", "in the middle"):
            assert holes > len(text) // 2, name
        assert (tmp_path / "control").stat().st_blocks * 512 >= 1 << 20


def test_bits_of_a_group_that_cannot_stay_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").write_bytes(b"old")
    (tmp_path / "out").chmod(0o664)
    real = os.stat

    def other_group(*arguments: object, **options: object) -> os.stat_result:
        found = real(*arguments, **options)  # type: ignore[call-overload]
        if arguments[0] == "out":
            found = os.stat_result((*found[:5], found.st_gid + 1, *found[6:]))
        return found

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not your group")

    monkeypatch.setattr(_atomic.os, "stat", other_group)
    monkeypatch.setattr(_atomic.os, "fchown", refused)
    with files.AtomicOutput(tmp_path / "out", overwrite=True):
        pass
    monkeypatch.undo()
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o604


def test_the_mask_of_an_access_control_list_is_not_taken_for_rights_of_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").write_bytes(b"old")
    (tmp_path / "out").chmod(0o660)
    monkeypatch.setattr(_atomic.os, "listxattr", lambda *_, **__: ["system.posix_acl_access"])
    with files.AtomicOutput(tmp_path / "out", overwrite=True):
        pass
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o600


def test_a_file_that_becomes_a_device_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"old")
    with (
        pytest.raises(OSError, match="is a named pipe, not a regular file"),
        files.AtomicOutput(tmp_path / "out", overwrite=True) as output,
    ):
        output.write(b"new")
        (tmp_path / "out").unlink()
        os.mkfifo(tmp_path / "out")
    assert stat.S_ISFIFO((tmp_path / "out").stat().st_mode)
    assert names(tmp_path) == ["out"]


def test_a_folder_that_is_renamed_meanwhile_still_gets_its_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "trap").mkdir()
    with files.AtomicOutput(tmp_path / "folder" / "out") as output:
        output.write(b"text")
        (tmp_path / "folder").rename(tmp_path / "moved")
        (tmp_path / "folder").symlink_to("trap")
    assert everything(tmp_path / "moved") == ["out"]
    assert everything(tmp_path / "trap") == []


# The output is not what the command reads


def ways(folder: Path, name: str) -> Iterator[str]:
    """Names of one file: its own, through the folder, a symbolic link, a hard link."""
    yield name
    yield f"./{name}"
    yield str(folder / name)
    (folder / f"{name}.soft").symlink_to(name)
    yield f"{name}.soft"
    (folder / f"{name}.hard").hardlink_to(folder / name)
    yield f"{name}.hard"


# Command and operand: which of the arguments the output is made to be.
ROLES = [
    ("seal", "in"),
    ("seal", "test.key"),
    ("seal", "phrase"),
    ("open", "sealed"),
    ("open", "test.key"),
    ("open", "phrase"),
    ("sign", "in"),
    ("sign", "signer"),
    ("sign", "phrase"),
    ("keygen", "phrase"),
    ("sign-keygen", "phrase"),
]


@pytest.mark.parametrize(("command", "operand"), ROLES)
def test_no_operand_is_overwritten(quick: Hanji, room: Path, command: str, operand: str) -> None:
    (room / "phrase").write_bytes(b"mulberry")
    for output in list(ways(room, operand)):
        before = contents(room)
        more = ["--passphrase-file", "phrase"] if operand == "phrase" else []
        done = quick(*arguments(command, output, "-f", *more))
        assert_failed(done, "are the same file", 2)
        assert contents(room) == before, output


def test_the_public_half_of_a_pair_is_an_output_too(quick: Hanji, room: Path) -> None:
    (room / "p.pub").write_bytes(b"mulberry")
    before = contents(room)
    assert_failed(
        quick(*KEYGEN, "-o", "p", "-f", "--passphrase-file", "p.pub"),
        "are the same file",
        2,
    )
    (room / "q").write_bytes(b"old")
    (room / "q.pub").symlink_to("q")
    assert_failed(quick(*KEYGEN, "-o", "q", "-f"), "are the same file", 2)
    (room / "r.pub").symlink_to("r")
    assert_failed(quick(*KEYGEN, "-o", "r", "-f"), "are the same file", 2)
    (room / "s").write_bytes(b"old")
    (room / "s.pub").hardlink_to(room / "s")
    assert_failed(quick(*KEYGEN, "-o", "s", "-f"), "are the same file", 2)
    for name, value in before.items():
        assert contents(room)[name] == value
    assert (room / "q").read_bytes() == (room / "s").read_bytes() == b"old"


def test_signatures_do_not_overwrite_other_operands(quick: Hanji, room: Path) -> None:
    (room / "in.sig").write_bytes(b"a text with an odd name")
    done = quick("sign", "in", "in.sig", "-k", "signer", "-f", KNOWN)
    assert_failed(done, "input and output are the same file, in.sig", 2)
    assert (room / "in.sig").read_bytes() == b"a text with an odd name"
    assert (room / "in.sig.sig").exists()
    (room / "other").write_bytes(b"text")
    (room / "other.sig").hardlink_to(room / "signer")
    before = (room / "signer").read_bytes()
    assert_failed(
        quick("sign", "other", "-k", "signer", "-f", KNOWN),
        "the key and output are the same file",
        2,
    )
    assert (room / "signer").read_bytes() == before


@pytest.mark.parametrize("mode", ["ab", "r+b"])
@pytest.mark.parametrize(
    ("line", "grows"),
    [
        (["seal", "in", "-o", "-", "-k", "test.key"], "in"),
        (["seal", "-", "-o", "-", "-k", "test.key"], "in"),
        (["seal", "in", "-o", "/dev/stdout", "-k", "test.key"], "in"),
        (["seal", "/dev/stdin", "-o", "-", "-k", "test.key"], "in"),
        (["seal", "sealed", "-o", "-", "-k", "test.key"], "test.key"),
        (["open", "sealed", "-o", "-", "-k", "test.key"], "sealed"),
        (["sign", "in", "-o", "-", "-k", "signer", KNOWN], "in"),
        (["sign", "in", "-o", "-", "-k", "signer", KNOWN], "signer"),
        (["hash", "in"], "in"),
        (["hash", "-"], "in"),
        (["hash", "-c", "in"], "in"),
        (["mac", "in", "-k", "mac.key"], "in"),
        (["mac", "in", "-k", "mac.key"], "mac.key"),
        (["verify", "in", "-k", "signer.pub", KNOWN], "in"),
        (["verify", "in", "-k", "signer.pub", KNOWN], "signer.pub"),
        (["verify", "in", "-k", "signer.pub", KNOWN], "in.sig"),
        (["verify", "in", "-s", "in.sig", "-k", "signer.pub", KNOWN], "in.sig"),
        # one that comes last: nothing is said of the first, either
        (["verify", "in", "sealed", "-k", "signer.pub", KNOWN], "sealed.sig"),
        (["hash", "sealed", "in"], "in"),
        (["mac", "sealed", "in", "-k", "mac.key"], "in"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_standard_output_is_no_operand(room: Path, line: list[str], grows: str, mode: str) -> None:
    """`hanji seal f -o - >> f` would read what it writes until the disk is full."""
    if mode != "ab" and line[0] != "seal":
        return
    keys.save(keys.generate("speck-128/256"), room / "mac.key")
    if line[0] == "verify":
        signed = [word for word in line[1:3] if not word.startswith("-")]
        subprocess.run([*CLI, "sign", *signed, "-k", "signer", KNOWN], cwd=room, check=True)
    before = contents(room)
    with (room / grows).open(mode) as out, (room / "in").open("rb") as stdin:
        done = subprocess.run(
            [*CLI, *line],
            cwd=room,
            stdin=stdin,
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=DEADLINE,
        )
    assert done.returncode in (2, 3)
    assert re.search(r"same file|is standard output, too", done.stderr.decode())
    assert contents(room) == before


def test_standard_input_is_no_output(room: Path) -> None:
    before = contents(room)
    for line in (
        ["seal", "-", "-o", "in", "-k", "test.key", "-f"],
        ["sign", "-", "-o", "in", "-k", "signer", "-f", KNOWN],
    ):
        with (room / "in").open("rb") as stdin:
            done = subprocess.run([*CLI, *line], cwd=room, stdin=stdin, capture_output=True)
        assert done.returncode == 2
        assert b"input and output are the same file" in done.stderr
    assert contents(room) == before


def test_two_operands_of_one_pipe(quick: Hanji, room: Path) -> None:
    assert_failed(
        quick("verify", "-", "-s", "-", "-k", "signer.pub", KNOWN, stdin=b"text"),
        "input and the signature both come from standard input",
        2,
    )
    for line in (
        ["seal", "-", "-o", "out", "--passphrase-file", "/dev/stdin"],
        ["open", "-", "-o", "out", "--passphrase-file", "/proc/self/fd/0"],
        ["open", "-", "-o", "out", "-k", "/dev/stdin"],
    ):
        assert_failed(quick(*line, stdin=b"mulberry"), "both come from standard input", 2)


def test_the_same_device_may_be_input_and_output(quick: Hanji, room: Path) -> None:
    assert quick("seal", "/dev/null", "-o", "/dev/null", "-k", "test.key").returncode == 0


def test_every_pair_of_roles_with_one_file(quick: Hanji, room: Path) -> None:
    """Whatever two arguments of a command are one file: nothing that was there before is changed,
    and no process is stuck or falls over.
    """
    (room / "phrase").write_bytes(b"mulberry")
    lines = {
        "seal": [
            ["seal", "in", "-o", "new", "-k", "test.key", "--passphrase-file", "phrase", "-f"],
            [1, 3, 5, 7],
        ],
        "open": [
            ["open", "sealed", "-o", "new", "-k", "test.key", "--passphrase-file", "phrase", "-f"],
            [1, 3, 5, 7],
        ],
        "sign": [
            ["sign", "in", "-o", "new", "-k", "signer", "--passphrase-file", "phrase", "-f", KNOWN],
            [1, 3, 5, 7],
        ],
        "verify": [
            [
                "verify",
                "in",
                "-s",
                "sealed",
                "-k",
                "signer.pub",
                "--passphrase-file",
                "phrase",
                KNOWN,
            ],
            [1, 3, 5, 7],
        ],
    }
    before = contents(room)
    for line, places in lines.values():
        for one, other in itertools.permutations(places, 2):
            tried = list(line)
            tried[one] = line[other]
            done = quick(*tried)
            after = contents(room)
            after.pop("new", None)
            assert after == before, f"{tried}: {done.stderr.decode()}"
            assert b"Traceback" not in done.stderr, tried
            assert done.returncode in (0, 1, 2, 3), tried
            (room / "new").unlink(missing_ok=True)


# Pairs


def failing(*, replace: int = 0, link: int = 0, unlink_first: bool = False) -> str:
    """A program like hanji in which the replacement, or the link, with this number fails."""
    return f"""
import os, sys, errno
from hanji.cli import main
from hanji import _atomic
counts = {{"replace": {replace}, "link": {link}}}
def wrap(name, real):
    def function(*arguments, **options):
        counts[name] -= 1
        if counts[name] == 0:
            raise OSError(errno.EIO, "Input/output error")
        return real(*arguments, **options)
    return function
_atomic.os.replace = wrap("replace", os.replace)
_atomic.os.link = wrap("link", os.link)
sys.argv[0] = "hanji"
main.app()
"""


@pytest.mark.parametrize(
    "failure", [{"replace": 1}, {"replace": 2}, {"link": 1}, {"link": 2}], ids=str
)
@pytest.mark.parametrize(
    "old", [["p", "p.pub"], ["p"], ["p.pub"], []], ids=lambda old: "+".join(old) or "none"
)
def test_pairs_appear_both_or_neither(
    tmp_path: Path, old: list[str], failure: dict[str, int]
) -> None:
    for name in old:
        (tmp_path / name).write_bytes(name.encode())
    done = subprocess.run(
        [sys.executable, "-c", failing(**failure), *KEYGEN, "-o", "p", "-f"],
        cwd=tmp_path,
        capture_output=True,
    )
    if done.returncode == 0:  # so many links or replacements were not needed
        assert names(tmp_path) == ["p", "p.pub"]
        assert keys.load(tmp_path / "p").kind == "private"
        return
    assert b"input/output error" in done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        name: name.encode() for name in old
    }


def test_control_a_pair_without_failures(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", failing(), *KEYGEN, "-o", "p"], cwd=tmp_path, check=True)
    assert names(tmp_path) == ["p", "p.pub"]
    assert stat.S_IMODE((tmp_path / "p").stat().st_mode) == 0o600


@pytest.mark.parametrize("obstacle", ["folder", "pipe", "full", "dangling", "too long"])
def test_a_public_key_that_cannot_be_written_spares_the_private_one(
    quick: Hanji, tmp_path: Path, obstacle: str
) -> None:
    name = "p" * 253 if obstacle == "too long" else "p"
    (tmp_path / name).write_bytes(b"precious")
    public = tmp_path / f"{name}.pub"
    if obstacle == "folder":
        public.mkdir()
    elif obstacle == "pipe":
        os.mkfifo(public)
    elif obstacle == "full":
        public.symlink_to("/dev/full")
    elif obstacle == "dangling":
        public.symlink_to("missing/elsewhere")
    before = contents(tmp_path)
    done = quick(*KEYGEN, "-o", name, "-f")
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert contents(tmp_path) == before


def test_file_systems_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    new = [_atomic.NewFile(tmp_path / "a", b"new a"), _atomic.NewFile(tmp_path / "b", b"new b")]
    monkeypatch.setattr(_atomic.os, "link", no_links)
    _atomic.write_together(new)
    (tmp_path / "a").write_bytes(b"old a")
    (tmp_path / "b").unlink()
    (tmp_path / "b").mkdir()
    with pytest.raises(IsADirectoryError):
        _atomic.write_together(new, overwrite=True)
    (tmp_path / "b").rmdir()
    _atomic.write_together(new, overwrite=True)
    assert contents(tmp_path) == {"a": (stat.S_IFREG, b"new a"), "b": (stat.S_IFREG, b"new b")}


# What can be known before the work is said before it

LOCKED = {
    "seal": ["seal", "in", "-o", "OUT", "-k", "locked"],
    "open": ["open", "sealed", "-o", "OUT", "-k", "locked"],
    "sign": ["sign", "in", "-o", "OUT", "-k", "locked signer", KNOWN],
    "keygen": ["keygen", "-p", "-o", "OUT"],
    "sign-keygen": [*KEYGEN, "-p", "-o", "OUT"],
}


@pytest.fixture
def locked(room: Path) -> Path:
    """A folder whose keys ask for a passphrase, which no test here can give."""
    phrase, light = "mulberry", keys.Argon2Parameters(1, 8, 1)
    private = sign.load(keys.load(room / "signer"))
    assert isinstance(private, sign.PrivateKey)
    keys.save(keys.load(room / "test.key"), room / "locked", passphrase=phrase, argon2=light)
    public = private.public_key.to_key()
    keys.save_pair(
        private.to_key(), public, room / "locked signer", passphrase=phrase, argon2=light
    )
    (room / "there").write_bytes(b"precious")
    (room / "link").symlink_to("missing/target")
    return room


@pytest.mark.parametrize("command", LOCKED)
def test_an_unusable_output_is_named_before_a_passphrase_is_asked_for(
    quick: Hanji, locked: Path, command: str
) -> None:
    def run(output: str, *more: str) -> subprocess.CompletedProcess[bytes]:
        return quick(*(output if word == "OUT" else word for word in LOCKED[command]), *more)

    before = contents(locked)
    assert_failed(run("new"), "a passphrase", 2)  # the control: with this output it is asked for
    for output, more, said in (
        ("there", (), "there: already exists"),
        ("link", (), "link: already exists"),
        ("nodir/out", (), "nodir/out: the folder nodir does not exist; make it, or give another"),
        ("nodir/a/out", (), "nodir/a/out: the folder nodir/a does not exist; make it, or give"),
        ("in/out", ("-f",), "in/out: the folder in is not a folder; make it, or give another"),
        ("link", ("-f",), "link: is a link into the folder missing, which does not exist; make it"),
    ):
        assert_failed(run(output, *more), said, 3)
        assert contents(locked) == before


def test_the_public_half_of_a_pair_is_looked_at_before_a_passphrase_is_asked_for(
    quick: Hanji, locked: Path
) -> None:
    (locked / "new.pub").write_bytes(b"precious")
    said = "new.pub: already exists; give another name (--force would destroy the key"
    assert_failed(quick(*KEYGEN, "-p", "-o", "new"), said, 3)
    assert not (locked / "new").exists()


@pytest.fixture
def signed(monkeypatch: pytest.MonkeyPatch, room: Path) -> Path:
    """A file with a line for each call that signs."""
    log = room / "log"
    log.touch()
    real = sign.PrivateKey.sign_file

    def sign_file(self: sign.PrivateKey, file: io.FileIO, **options: object) -> bytes:
        with log.open("ab") as lines:
            lines.write(file.read(100) + b"\n")
        file.seek(0)
        if (room / "race").exists():
            (room / "a.sig").write_bytes(b"came meanwhile")
        return real(self, file, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(sign.PrivateKey, "sign_file", sign_file)
    for name in "abc":
        (room / name).write_bytes(name.encode())
    return log


def test_nothing_is_signed_whose_signature_exists(quick: Hanji, signed: Path, room: Path) -> None:
    (room / "b.sig").write_bytes(b"precious")
    line = ("sign", "a", "b", "c", "-k", "signer", KNOWN)
    assert_failed(quick(*line), "b.sig: already exists; use --force to replace it", 3)
    assert sorted(signed.read_bytes().split()) == [b"a", b"c"]
    assert (room / "b.sig").read_bytes() == b"precious"
    assert (room / "a.sig").stat().st_size == (room / "c.sig").stat().st_size > 1000
    signed.write_bytes(b"")
    assert_failed(quick(*line), "a.sig: already exists", 3)
    assert_failed(quick("sign", "b", "-k", "signer", KNOWN), "b.sig: already exists", 3)
    assert signed.read_bytes() == b""
    assert quick(*line, "-f").returncode == 0
    assert sorted(signed.read_bytes().split()) == [b"a", b"b", b"c"]


def test_nothing_is_signed_whose_signature_exists_in_a_folder(
    quick: Hanji, signed: Path, room: Path
) -> None:
    (room / "sigs").mkdir()
    (room / "sigs/b.sig").write_bytes(b"precious")
    (room / "sigs/c.sig").mkdir()
    line = ("sign", "a", "b", "c", "-o", "sigs", "-k", "signer", KNOWN)
    done = quick(*line)
    assert_failed(done, "sigs/b.sig: already exists; use --force to replace it", 3)
    assert b"sigs/c.sig: is a directory" in done.stderr
    assert signed.read_bytes().split() == [b"a"]
    assert (room / "sigs/b.sig").read_bytes() == b"precious"


def test_a_signature_that_appears_meanwhile_is_kept(quick: Hanji, signed: Path, room: Path) -> None:
    (room / "race").touch()
    assert_failed(quick("sign", "a", "-k", "signer", KNOWN), "a.sig: already exists", 3)
    assert signed.read_bytes() == b"a\n"
    assert (room / "a.sig").read_bytes() == b"came meanwhile"


def test_the_input_is_named_where_its_folder_is_missing(quick: Hanji, room: Path) -> None:
    done = quick("sign", "nodir/a", "-k", "signer", KNOWN)
    assert_failed(done, "nodir/a: no such file or directory", 3)


def test_the_folder_of_an_output_is_hidden_where_the_name_may_be_a_key(tmp_path: Path) -> None:
    for name in ("aGFuamkx/c2VjcmV0", b"aGFuamkx/c2VjcmV0"):
        with pytest.raises(FileNotFoundError) as caught:
            _atomic.try_output(name, overwrite=False)
        assert "aGFuamkx" not in str(caught.value)
        assert "not shown" in str(caught.value)
    with pytest.raises(FileNotFoundError, match=r"the folder .*nodir does not exist; make it"):
        _atomic.try_output(tmp_path / "nodir" / "out", overwrite=False)


# Full disks, read-only folders, closed streams


@pytest.mark.parametrize("command", ["open", "seal", "sign", "keygen", "sign-keygen"])
def test_no_room_leaves_nothing(room: Path, command: str) -> None:
    (room / "out").write_bytes(b"old")
    before = contents(room)
    script = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (3, 3)); sys.argv[0] = 'hanji'; from hanji.cli.main import app; app()"
    for output, more in (("new", []), ("out", ["-f"])):
        done = subprocess.run(
            [sys.executable, "-B", "-c", script, *arguments(command, output, *more)],
            cwd=room,
            capture_output=True,
        )
        assert_failed(done, f"{output}: file too large", 3)
        assert contents(room) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_read_only_folder(quick: Hanji, room: Path) -> None:
    (room / "folder").mkdir(mode=0o555)
    for command in WRITERS:
        assert_failed(quick(*arguments(command, "folder/out")), "folder/out: permission denied")


@pytest.mark.parametrize(
    "line",
    [
        ["hash", "in"],
        ["seal", "in", "-o", "-", "-k", "test.key"],
        ["list", "--json"],
        ["list"],
        ["sign", "in", "-o", "-", "-k", "signer", KNOWN],
    ],
)
def test_full_and_closed_standard_output(room: Path, line: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*CLI, *line], cwd=room, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1 + (KNOWN in line)
    assert b"no space left on device" in done.stderr
    before = contents(room)
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *CLI, *line], cwd=room, stderr=subprocess.PIPE
    )
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert contents(room) == before


def test_closed_standard_streams_are_not_given_to_files(room: Path) -> None:
    """Without care the first file that is opened becomes standard error, and an error message goes
    into it.
    """
    before = contents(room)
    for closing in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        subprocess.run(
            ["sh", "-c", f'exec "$@" {closing}', "sh", *CLI, *arguments("open", "new")], cwd=room
        )
        assert (room / "new").read_bytes() == b"text"
        subprocess.run(
            ["sh", "-c", f'exec "$@" {closing}', "sh", *CLI, *arguments("open", "new")], cwd=room
        )  # an error
        assert (room / "new").read_bytes() == b"text"
        (room / "new").unlink()
        assert contents(room) == before


def test_signatures_are_not_written_to_a_terminal(room: Path) -> None:
    need_terminals()
    master, terminal = os.openpty()
    try:
        for line in (
            arguments("sign", "-"),
            arguments("seal", "-"),
            arguments("seal", os.ttyname(terminal)),
        ):
            done = subprocess.run([*CLI, *line], cwd=room, stdout=terminal, stderr=subprocess.PIPE)
            assert_failed(done, "not written to a terminal", 2)  # type: ignore[arg-type]
    finally:
        os.close(terminal)
        os.close(master)


# Signatures in pieces


def test_a_signature_that_comes_in_pieces(room: Path) -> None:
    subprocess.run([*CLI, "sign", "in", "-k", "signer", KNOWN], cwd=room, check=True)
    signature = (room / "in.sig").read_bytes()
    for tail, status in ((b"", 0), (b"x", 1)):
        command = [*CLI, "verify", "in", "-s", "-", "-k", "signer.pub", KNOWN]
        with subprocess.Popen(
            command, cwd=room, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            assert child.stdin is not None
            reader = Path(f"/proc/{child.pid}/fdinfo/0")
            for piece in (signature[:1], signature[1:2000], signature[2000:] + tail):
                child.stdin.write(piece)
                child.stdin.flush()
                wait_until(
                    lambda: child.poll() is not None or not unread(child.stdin), "the piece is read"
                )
            child.stdin.close()
            assert child.wait(timeout=DEADLINE) == status, reader


def unread(pipe: object) -> bool:
    """Whether bytes wait in a pipe."""
    import array
    import termios

    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)  # type: ignore[arg-type]
    return count[0] > 0
