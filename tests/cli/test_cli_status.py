# SPDX-License-Identifier: Apache-2.0
"""Exit statuses of the command, and what it says where standard output takes nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cli_process import Hanji

from hanji import keys
from hanji.cli import main, status, terminal
from hanji.cli.commands import CommandGroup

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
CLI = [sys.executable, "-m", "hanji.cli"]


def every_command() -> list[list[str]]:
    """The words of every command and group."""
    found: list[list[str]] = [[]]
    for name in main.app.list_commands(None):
        found.append([name])
        one = main.app.get_command(None, name)
        if isinstance(one, CommandGroup):
            found += [[name, inner] for inner in one.list_commands(None)]
    return found


@pytest.fixture
def things(tmp_path: Path, hanji: Hanji) -> Path:
    """Files to read, and what belongs to them."""
    for line in (
        ["keygen", "-o", "key"],
        ["keygen", "-o", "other"],
        ["keygen", "--for", "mac", "-o", "mac.key"],
        ["sign-keygen", "-o", "signer"],
    ):
        assert hanji(*line).returncode == 0
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
        assert hanji("seal", name, "-o", f"{name}.sealed", "-k", "key").returncode == 0
    assert hanji("sign", "a", "b", "-k", "signer").returncode == 0
    (tmp_path / "sums").write_bytes(hanji("hash", "a", "b").stdout)
    sealed = bytearray((tmp_path / "a.sealed").read_bytes())
    sealed[-1] ^= 1
    (tmp_path / "altered").write_bytes(sealed)
    (tmp_path / "sums.wrong").write_bytes(b"0" * 64 + b"  a\n")
    (tmp_path / "sums.missing").write_bytes(b"0" * 64 + b"  a\n" + b"0" * 64 + b"  missing\n")
    (tmp_path / "wrong.sig").write_bytes((tmp_path / "b.sig").read_bytes())
    return tmp_path


def test_an_argument_too_many_is_not_shown(hanji: Hanji) -> None:
    """It may be a passphrase behind -p, which takes none."""
    for line in (
        ["seal", "a", "-o", "out", "-p", "correct horse"],
        ["keygen", "-o", "new", "-p", "correct horse"],
        ["open", "a", "correct horse", "-o", "out", "-k", "key"],
    ):
        done = hanji(*line)
        assert done.returncode == 2 and b"1 argument too many" in done.stderr, done.stderr
        assert b"correct" not in done.stdout + done.stderr


def test_statuses(things: Path, hanji: Hanji) -> None:
    tag = hanji("mac", "a", "-k", "mac.key").stdout.split()[0].decode()
    word = {"HANJI_PASSPHRASE": "word"}
    assert hanji("seal", "a", "-o", "by-word", env=word).returncode == 0
    verify = ("verify", "-k", "signer.pub")
    cases: list[tuple[int, list[str]]] = [
        (0, ["open", "a.sealed", "-o", "out", "-k", "key"]),
        (1, ["open", "altered", "-o", "out1", "-k", "key"]),
        (1, ["open", "a", "-o", "out1", "-k", "key"]),
        (1, ["open", "a.sealed", "-o", "out1", "-k", "other"]),
        (2, ["open", "a.sealed", "-o", "out1"]),
        (2, ["open", "by-word", "-o", "out1", "-k", "key"]),
        (3, ["open", "missing", "-o", "out1", "-k", "key"]),
        (3, ["open", "a.sealed", "-o", "out1", "-k", "missing"]),
        (3, ["open", "a.sealed", "-o", "missing/out", "-k", "key"]),
        (3, ["open", "a.sealed", "-o", "out", "-k", "key"]),  # which exists
        (3, ["seal", "a", "-o", "/dev/full", "-k", "key"]),
        (2, ["seal", "a", "-o", "a", "-k", "key", "-f"]),
        (1, ["seal", "a", "-o", "out1", "-k", "a"]),  # read, and no key
        (0, ["hash", "a", "b"]),
        (3, ["hash", "missing", "a"]),
        (0, ["hash", "-c", "sums"]),
        (1, ["hash", "-c", "sums.wrong"]),
        (3, ["hash", "-c", "sums.missing"]),
        (3, ["hash", "-c", "sums.wrong", "missing"]),
        (1, ["hash", "-c", "sums.wrong", "sums"]),
        (1, ["hash", "-c", "a"]),  # no list
        (2, ["hash", "-a", "none", "a"]),
        (0, ["mac", "a", "-k", "mac.key", "--verify", tag]),
        (1, ["mac", "b", "-k", "mac.key", "--verify", tag]),
        (2, ["mac", "a", "-k", "mac.key", "--verify", "zz"]),
        (2, ["mac", "a", "-k", "key"]),
        (3, ["mac", "missing", "a", "-k", "mac.key"]),
        (0, [*verify, "a", "b"]),
        (1, [*verify, "a", "-s", "wrong.sig"]),
        (3, [*verify, "a", "missing"]),
        (3, [*verify, "a", "-s", "missing"]),
        (2, ["sign", "a", "-k", "signer.pub", "-f"]),
        (3, ["sign", "missing", "a", "-k", "signer", "-f"]),
        (2, ["bench", "none"]),
        (2, ["none"]),
        (2, []),
        (0, ["--version"]),
        (0, ["selftest"]),
    ]
    wrong = {
        " ".join(line): (done.returncode, expected, done.stderr)
        for expected, line in cases
        if (done := hanji(*line)).returncode != expected
    }
    assert not wrong


def test_three_counts_before_one(things: Path, hanji: Hanji) -> None:
    """Whatever the order is."""
    for order in (["a", "missing"], ["missing", "a"]):
        (things / "a.sig").write_bytes((things / "b.sig").read_bytes())
        assert hanji("verify", *order, "-k", "signer.pub").returncode == 3
    assert hanji("verify", "a", "b", "-k", "signer.pub").returncode == 1
    assert status.worst() == 0
    assert [status.worst(a, b) for a, b in ((0, 1), (1, 3), (3, 1), (3, 0))] == [1, 3, 3, 3]


@pytest.mark.parametrize("words", every_command(), ids=" ".join)
def test_every_help_tells_the_statuses(words: list[str], quick: Hanji) -> None:
    done = quick(*words, "--help")
    assert done.returncode == 0
    assert " ".join(status.HELP.split()) in " ".join(done.stdout.decode().split())


@pytest.mark.parametrize(
    "line",
    [
        *([*words, "--help"] for words in every_command()),
        ["--version"],
        [],
        ["list"],
        ["list", "--json"],
        ["selftest"],
        ["hash", "/dev/null"],
        ["telemetry"],
    ],
    ids=" ".join,
)
def test_a_standard_output_that_takes_nothing(line: list[str]) -> None:
    """Full, closed, or a pipe that nobody reads: one line, and status 3."""
    full = os.open("/dev/full", os.O_WRONLY)
    reading, broken = os.pipe()
    os.close(reading)
    try:
        for where, stdout, said in (
            ("full", full, b"no space left on device"),
            ("a pipe", broken, b"closed"),
            ("closed", None, b"bad file descriptor"),
        ):
            # the way out is one for all commands; each is tried once, some in every way
            if line[-1:] == ["--help"] and line[0] not in ("--help", "seal") and where != "full":
                continue
            done = subprocess.run(
                CLI + line
                if stdout is not None
                else ["sh", "-c", 'exec "$@" >&-', "sh", *CLI, *line],
                stdout=stdout,
                stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
            )
            assert done.returncode == 3, (where, done.stderr)
            assert done.stderr.count(b"\n") == 1, (where, done.stderr)
            assert done.stderr.startswith(b"hanji: ") and said in done.stderr, (where, done.stderr)
    finally:
        os.close(full)
        os.close(broken)


def test_a_full_standard_error_changes_no_status(tmp_path: Path) -> None:
    for expected, line in (
        (3, ["hash", "missing"]),
        (0, ["keygen", "-o", "key"]),
        (2, ["--nosuch"]),
        (2, ["hash", "--nosuch"]),
    ):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(CLI + line, cwd=tmp_path, stderr=full, capture_output=False)
        assert done.returncode == expected
        for output in ("key", "key.pub"):
            (tmp_path / output).unlink(missing_ok=True)
        closed = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *CLI, *line], cwd=tmp_path)
        assert closed.returncode == expected


def test_a_signal_gives_128_and_its_number(things: Path) -> None:
    os.mkfifo(things / "pipe")
    for number in (signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen(
            [*CLI, "hash", "pipe"],
            cwd=things,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            # a shell starts what runs in the background with this signal ignored
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        with (things / "pipe").open("wb"):  # it has been opened for reading
            child.send_signal(number)
            assert child.wait() == 128 + number


def test_the_promise_of_stability_has_the_table() -> None:
    text = (ROOT / "docs/stability.md").read_text()
    text = text.partition("### Exit statuses\n")[2].partition("\n### ")[0]
    rows = re.findall(r"^\s*\| (.+?) \| (\S.*?) \| (\d+(?: [^|]*?)?) \|$", text, re.MULTILINE)
    assert {now.split()[0] for _, _, now in rows} == {"0", "1", "2", "3", "128"}


# Passphrases, and files that are odd to read


def test_the_variable_alone_seals_and_opens(hanji: Hanji, tmp_path: Path) -> None:
    env = {terminal.PASSPHRASE_VARIABLE: "mulberry"}
    (tmp_path / "in").write_bytes(b"text")
    assert hanji("seal", "in", "-o", "sealed", env=env).returncode == 0
    assert hanji("open", "sealed", "-o", "out", env=env).returncode == 0
    assert (tmp_path / "out").read_bytes() == b"text"
    assert (
        hanji("open", "sealed", "-o", "out2", env={**env, **dict.fromkeys(env, "oak")}).returncode
        == 1
    )
    done = hanji("seal", "in", "-o", "again", env=dict.fromkeys(env, ""))
    assert done.returncode == 2 and b"HANJI_PASSPHRASE is empty" in done.stderr
    assert hanji("seal", "in", "-o", "again").returncode == 2


def test_a_key_that_the_variable_does_not_protect(hanji: Hanji, tmp_path: Path) -> None:
    env = {terminal.PASSPHRASE_VARIABLE: "mulberry"}
    for command in ("keygen", "sign-keygen"):
        done = hanji(command, "-o", command, env=env)
        assert done.returncode == 0
        assert b"HANJI_PASSPHRASE is set, but without --passphrase the key" in done.stderr
        keys.load(tmp_path / command)  # which is not locked
        done = hanji(command, "-o", f"{command}-locked", "-p", env=env)
        assert done.returncode == 0 and b"HANJI_PASSPHRASE" not in done.stderr
        with pytest.raises(keys.KeyLockedError):
            keys.load(tmp_path / f"{command}-locked")


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_standard_input_for_two_is_refused_also_where_it_is_a_file(
    hanji: Hanji, tmp_path: Path, name: str
) -> None:
    if not Path(name).parent.exists():
        pytest.skip(f"no {name} here")
    (tmp_path / "in").write_bytes(b"text\n")
    with (tmp_path / "in").open("rb") as stdin:
        done = subprocess.run(
            [*CLI, "seal", "-", "-o", "out", "--passphrase-file", name],
            cwd=tmp_path,
            stdin=stdin,
            capture_output=True,
        )
    assert done.returncode == 2
    assert b"input and the passphrase file both come from standard input" in done.stderr
    assert not (tmp_path / "out").exists()
    with (tmp_path / "in").open("rb") as stdin:  # alone it is a passphrase file
        done = subprocess.run(
            [*CLI, "seal", "in", "-o", "out", "--passphrase-file", name],
            cwd=tmp_path,
            stdin=stdin,
        )
    assert done.returncode == 0


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("between", [b"  ", b" *", b" "])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_lists_of_other_programs(
    quick: Hanji, tmp_path: Path, before: bytes, between: bytes, end: bytes
) -> None:
    (tmp_path / "a").write_bytes(b"a")
    digest = quick("hash", "a").stdout.split()[0]
    (tmp_path / "list").write_bytes(before + digest + between + b"a" + end)
    done = quick("hash", "-c", "list", "--strict")
    assert (done.returncode, done.stdout) == (0, b"a: OK\n"), done.stderr
    (tmp_path / "list").write_bytes(b"0\n" + before + digest + between + b"a" + end)
    assert (
        quick("hash", "-c", "list", "--strict").returncode == 1
    )  # the mark stands first or nowhere


@pytest.mark.parametrize("command", ["hash", "mac", "sign", "seal"])
def test_a_file_that_changes_while_it_is_read(things: Path, command: str) -> None:
    growing = things / "growing"
    growing.write_bytes(bytes(64 << 20))
    more = {"mac": ["-k", "mac.key"], "sign": ["-k", "signer"], "seal": ["-k", "key", "-o", "out"]}
    line = [*CLI, command, "growing", *more.get(command, [])]
    stop = threading.Event()

    def write() -> None:
        with growing.open("r+b") as file:
            while not stop.is_set():
                file.seek(0)
                file.write(os.urandom(16))
                file.flush()
                time.sleep(0.002)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        done = subprocess.run(line, cwd=things, capture_output=True)
    finally:
        stop.set()
        thread.join()
    if command == "sign":  # it read twice, and the readings differ
        assert done.returncode == 1
        assert b"growing: the message changed between the two readings" in done.stderr
        assert not (things / "growing.sig").exists()
    else:
        assert done.returncode == 0
        assert b"warning: growing changed while it was read" in done.stderr
    if command != "hash":
        (things / "out").unlink(missing_ok=True)
        (things / "growing.sig").unlink(missing_ok=True)
    calm = subprocess.run(line, cwd=things, capture_output=True)
    assert calm.returncode == 0 and b"changed" not in calm.stderr
