# SPDX-License-Identifier: Apache-2.0
"""The command `hanji` as a process: exit status, messages, files left behind, pipes, signals,
terminals, memory.
"""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path

import click
import pytest
from cli_process import Hanji, assert_failed, names
from debian import need_terminals

import hanji as package
from hanji import keys
from hanji.cli.commands import Argument, CommandGroup
from hanji.cli.main import app

CHUNK = 1 << 16
HEADER = 128
RECORD = 16 + CHUNK + 16


def text(size: int) -> bytes:
    return (bytes(range(251)) * (size // 251 + 1))[:size]


def test_version(hanji: Hanji) -> None:
    result = hanji("--version")
    tiers = ", ".join(b["name"] for b in package.backends() if b["selected"])
    assert (result.returncode, result.stdout) == (
        0,
        f"hanji {package.__version__} ({tiers})\n".encode(),
    )


def test_help_says_what_every_parameter_is() -> None:
    commands: list[tuple[str, click.Command]] = [("hanji", app)]
    for path, command in commands:
        context = click.Context(
            command, info_name=path, terminal_width=70, show_default=True, help_option_names=["-h"]
        )
        if isinstance(command, CommandGroup):
            below = {
                one: command.get_command(context, one) for one in command.list_commands(context)
            }
            commands += [(f"{path} {name}", one) for name, one in below.items() if one is not None]
        shown = command.get_help(context)
        assert max(map(len, shown.splitlines())) <= 70 or command.name == "hash", shown
        said = "".join(shown.split())  # lines end at hyphens, too
        for one in command.params:
            about = one.about if isinstance(one, Argument) else getattr(one, "help", None)
            assert about and "".join(about.split()) in said, (path, one.name)
            if isinstance(one.type, click.IntRange | click.FloatRange):
                assert f"{one.type.min}<=x<={one.type.max}" in said, (path, one.name)
            if isinstance(one, click.Option) and one.required:
                assert "[required]" in said, (path, one.name)
    assert len(commands) > 14


def test_help_names_every_command(hanji: Hanji) -> None:
    output = hanji("--help").stdout.decode()
    for command in ("keygen", "seal", "open", "hash", "mac", "list", "bench", "selftest"):
        assert f" {command} " in output
        assert hanji(command, "-h").returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [["fold"], ["seal"], ["seal", "in"], ["open", "in", "--key"], ["keygen", "--nonsense"]],
)
def test_wrong_usage_is_status_2(hanji: Hanji, arguments: list[str]) -> None:
    assert hanji(*arguments).returncode == 2


def test_shell_completion(hanji: Hanji) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = hanji(env={"_HANJI_COMPLETE": f"{shell}_source"})
        assert script.returncode == 0
        assert b"_HANJI_COMPLETE" in script.stdout
    for words, expected in (
        ("hanji sel", ["plain,selftest"]),
        ("hanji keygen -a schwaemm256-2", ["plain,schwaemm256-256"]),
        ("hanji sign-keygen -a aimer3-256", ["plain,aimer3-256f", "plain,aimer3-256s"]),
        ("hanji keygen --for m", ["plain,mac"]),
    ):
        said = {
            "_HANJI_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
        assert hanji(env=said).stdout.decode().split() == expected


def test_suggestions(hanji: Hanji) -> None:
    assert_failed(hanji("seall"), "No such command 'seall'. Did you mean 'seal'?", 2)
    assert_failed(hanji("encrypt", "a"), "No such command 'encrypt'. Did you mean 'seal'?", 2)
    assert_failed(hanji("seal", "--kye", "x"), "Did you mean", 2)
    nothing = hanji()
    assert (nothing.returncode, nothing.stdout) == (2, hanji("-h").stdout)


def test_selftest_names_every_algorithm(hanji: Hanji) -> None:
    result = hanji("selftest")
    assert result.returncode == 0
    names = [a.name for a in package.algorithms() if not a.name.startswith("rainbow-")]
    assert result.stdout.decode().splitlines()[:-1] == [f"{name}: OK" for name in names]


# Modules that cost many milliseconds, and that the start of a command needs not.
HEAVY = ("rich", "pydantic", "typer", "numpy", "pyarrow", "argon2", "logging", "concurrent.futures")
HEAVY += ("importlib.metadata", "json", "asyncio", "subprocess", "http", "email")
HEAVY += ("hashlib", "_hashlib", "hmac", "secrets", "random")  # OpenSSL and what comes with it


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["sign-keygen", "-o", "new"],
        ["keygen", "-o", "new"],
        ["seal", "in", "-o", "out", "-k", "k"],
        ["hash", "in"],
        ["list", "ascon-aead128"],
    ],
    ids=lambda words: words[0],
)
def test_a_command_starts_without_heavy_modules(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"x")
    keys.save(keys.generate("ascon-aead128"), tmp_path / "k")
    code = (
        "import sys, atexit; sys.argv[0] = 'hanji'; from hanji.cli.main import app\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); app()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded = done.stderr.splitlines()[-1].split()
    assert "click" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_importing_the_package_does_not_import_the_terminal_libraries() -> None:
    script = "import sys, hanji, hanji.files, hanji.keys; print([m for m in ('click', 'rich', 'argon2') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
        == b"[]\n"
    )


# keygen


def test_keygen(hanji: Hanji, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        result = hanji("keygen", "-o", "k", "--comment", "of device 7")
    finally:
        os.umask(old)
    assert result.returncode == 0
    key = keys.load(tmp_path / "k")
    assert (key.algorithm, key.comment) == ("ascon-aead128", "of device 7")
    assert key.key_id.hex() in result.stderr.decode()
    assert key.material.hex() not in result.stderr.decode()
    assert (tmp_path / "k").stat().st_mode & 0o777 == 0o600


def test_keygen_algorithms(hanji: Hanji, tmp_path: Path) -> None:
    assert hanji("keygen", "-o", "a", "-a", "schwaemm192-192").returncode == 0
    assert hanji("keygen", "-o", "b", "--for", "mac").returncode == 0
    assert keys.load(tmp_path / "a").algorithm == "schwaemm192-192"
    assert keys.load(tmp_path / "b").algorithm == "speck-128/256"
    for command in ("keygen", "sign-keygen", "hash"):
        output = () if command == "hash" else ("-o", "c")
        result = hanji(command, *output, "-a", "aes-qqqqq")
        assert_failed(result, "--algorithm", 2)
        assert b"qqqqq" not in result.stderr, "it may be a key"
    said = "Invalid value for --algorithm: no keys are made for an unknown name"
    assert_failed(hanji("keygen", "-o", "c", "-a", "aes-128"), said, 2)
    assert_failed(hanji("keygen", "-o", "c", "-a", "speck-64/128", "--for", "mac"), "not both", 2)
    assert_failed(hanji("keygen", "-o", "-"), "not to standard output", 2)
    assert names(tmp_path) == ["a", "b"]


def test_keygen_does_not_overwrite(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "k").write_text("precious")
    assert_failed(hanji("keygen", "-o", "k"), "k: already exists; give another name (--force", 3)
    assert (tmp_path / "k").read_text() == "precious"
    assert hanji("keygen", "-o", "k", "--force").returncode == 0
    assert keys.load(tmp_path / "k").algorithm == "ascon-aead128"


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (["seal", "in", "-o", "out"], "make a key: hanji keygen -o 'no key'"),
        (["seal", "in", "-o", "folder/"], "make a key: hanji keygen -o 'no key'"),
        (["open", "in", "-o", "out"], "give the key that sealed the file"),
        (["mac", "in"], "make a key: hanji keygen --for mac -o 'no key'"),
        (["mac", "in", "--verify", "00"], "give the key that made the tag"),
        (["sign", "in"], "make a key pair: hanji sign-keygen -o 'no key'"),
        (["verify", "in"], "give the public key, the file KEY.pub that hanji sign-keygen -o KEY"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_missing_key_names_the_command_that_makes_it(
    quick: Hanji, tmp_path: Path, line: list[str], advice: str
) -> None:
    (tmp_path / "in").write_bytes(b"text")
    said = f"no key: no such file or directory; {advice}"
    assert_failed(quick(*line, "-k", "no key"), said, 3)


def test_a_missing_passphrase_file_is_not_a_missing_key(quick: Hanji, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"text")
    (tmp_path / "pass").write_bytes(b"words")
    assert quick("keygen", "-o", "k", "--passphrase-file", "pass").returncode == 0
    result = quick("seal", "in", "-o", "out", "-k", "k", "--passphrase-file", "gone")
    assert_failed(result, "gone: no such file or directory", 3)
    assert b"keygen" not in result.stderr


def test_locked_key(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "pass").write_text("mulberry paper\n")
    (tmp_path / "wrong").write_text("oak paper\n")
    (tmp_path / "in").write_bytes(b"text")
    assert hanji("keygen", "-o", "k", "--passphrase-file", "pass").returncode == 0
    assert hanji("seal", "in", "-o", "s", "-k", "k", "--passphrase-file", "pass").returncode == 0
    assert (
        hanji("open", "s", "-o", "-", "-k", "k", env={"HANJI_PASSPHRASE": "mulberry paper"}).stdout
        == b"text"
    )
    assert_failed(
        hanji("open", "s", "-o", "o", "-k", "k", "--passphrase-file", "wrong"),
        "k: wrong passphrase for this key",
    )
    assert_failed(
        hanji("open", "s", "-o", "o", "-k", "k"),
        "there is no terminal to ask on; use --passphrase-file",
        2,
    )


def test_key_readable_by_others_is_pointed_out(
    hanji: Hanji, tmp_path: Path, key_file: Path
) -> None:
    (tmp_path / "in").write_bytes(b"text")
    assert hanji("seal", "in", "-o", "s", "-k", key_file).stderr == b""
    key_file.chmod(0o644)
    result = hanji("seal", "in", "-o", "s2", "-k", key_file)
    assert result.returncode == 0
    assert b"can be read by other users (mode 0644)" in result.stderr


# seal and open


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 3])
def test_round_trip(hanji: Hanji, tmp_path: Path, key_file: Path, size: int) -> None:
    (tmp_path / "in").write_bytes(text(size))
    sealing = hanji("seal", "in", "-o", "sealed", "--key", key_file)
    opening = hanji("open", "sealed", "-o", "out", "--key", key_file)
    assert (sealing.returncode, sealing.stdout, sealing.stderr) == (0, b"", b"")
    assert (opening.returncode, opening.stdout, opening.stderr) == (0, b"", b"")
    assert (tmp_path / "out").read_bytes() == text(size)
    assert names(tmp_path) == ["in", "out", "sealed", "test.key"]


def test_pipes_of_unknown_length(hanji: Hanji, key_file: Path) -> None:
    data = text(3 * CHUNK + 77)
    sealed = hanji("seal", "-", "-o", "-", "-k", key_file, stdin=data).stdout
    assert hanji("open", "-", "-o", "-", "-k", key_file, stdin=sealed).stdout == data


def test_passphrase(hanji: Hanji, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"text")
    (tmp_path / "pass").write_bytes("Ångström\r\n".encode())
    assert hanji("seal", "in", "-o", "s", "--passphrase-file", "pass").returncode == 0
    assert (
        hanji("open", "s", "-o", "-", env={"HANJI_PASSPHRASE": "A\u030angstro\u0308m"}).stdout
        == b"text"
    )
    assert_failed(
        hanji("open", "s", "-o", "o", env={"HANJI_PASSPHRASE": "oak"}), "s: wrong passphrase"
    )
    assert_failed(hanji("open", "s", "-o", "o"), "no terminal to ask on", 2)
    assert hanji("seal", "in", "-o", "s2", "-p", env={"HANJI_PASSPHRASE": "oak"}).returncode == 0
    assert_failed(
        hanji("seal", "in", "-o", "s3", "-p", env={"HANJI_PASSPHRASE": ""}),
        "HANJI_PASSPHRASE is empty",
        2,
    )
    assert names(tmp_path) == ["in", "pass", "s", "s2"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "passphrase is empty"),
        (b"\n", "passphrase is empty"),
        (b"\xff", "not UTF-8"),
        (b"a" * 5000, "at most 4096"),
    ],
)
def test_unusable_passphrase_files(
    hanji: Hanji, tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "in").write_bytes(b"text")
    (tmp_path / "pass").write_bytes(content)
    # an empty one is wrong usage, as an empty variable is; what is in a file may be wrong
    status = 2 if "empty" in message else 1
    assert_failed(hanji("seal", "in", "-o", "s", "--passphrase-file", "pass"), message, status)
    assert names(tmp_path) == ["in", "pass"]


def test_how_to_seal_must_be_said(hanji: Hanji, tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "in").write_bytes(b"text")
    assert_failed(
        hanji("seal", "in", "-o", "s"),
        "give --key KEY, --passphrase, --passphrase-file FILE or HANJI_PASSPHRASE",
        2,
    )
    assert_failed(hanji("seal", "in", "-o", "s", "-k", key_file, "-p"), "not both", 2)
    hanji("seal", "in", "-o", "s", "-k", key_file)
    assert_failed(
        hanji("open", "s", "-o", "o"),
        f"sealed with key {keys.load(key_file).key_id.hex()}; give that key",
        2,
    )
    hanji("seal", "in", "-o", "p", "-p", env={"HANJI_PASSPHRASE": "x"})
    assert_failed(hanji("open", "p", "-o", "o", "-k", key_file), "sealed with a passphrase", 2)
    assert names(tmp_path) == ["in", "p", "s", "test.key"]


def flip(data: bytes, position: int) -> bytes:
    return data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda s: b"", "the input is empty"),
        (lambda s: b"#!/bin/sh\n" * 100, "not a hanji sealed file"),
        (lambda s: s[:8] + b"\x07\x00" + s[10:], "format version 7; this hanji reads version 1"),
        (lambda s: flip(s, 40), "the header is damaged"),
        (lambda s: s[:100], "cut off inside its header"),
        (lambda s: s[:HEADER], "truncated: it ends after its header"),
        (
            lambda s: s[: HEADER + 2 * RECORD],
            "truncated: it ends after chunk 1, and the final chunk is missing",
        ),
        (lambda s: s[:-1], "truncated inside chunk 3"),
        (lambda s: s + b"\n", "data was appended"),
        (lambda s: flip(s, HEADER + RECORD + 16), "chunk 1 was altered"),
        (lambda s: flip(s, len(s) - 1), "chunk 3 was altered"),
        (
            lambda s: s[:HEADER] + s[HEADER + RECORD : HEADER + 2 * RECORD] + s[HEADER:],
            "chunks were reordered or removed",
        ),
        (lambda s: s[: HEADER + RECORD] + s[HEADER:], "chunk 0 was duplicated"),
    ],
)
def test_damage_is_told_and_leaves_no_output(
    hanji: Hanji, tmp_path: Path, key_file: Path, damage: object, message: str
) -> None:
    good = hanji("seal", "-", "-o", "-", "-k", key_file, stdin=text(3 * CHUNK + 10)).stdout
    (tmp_path / "bad").write_bytes(damage(good))  # type: ignore[operator]
    result = hanji("open", "bad", "-o", "out", "-k", key_file)
    assert_failed(result, message)
    assert result.stderr.startswith(b"hanji: bad: ")
    assert names(tmp_path) == ["bad", "test.key"]


def test_wrong_key(hanji: Hanji, tmp_path: Path, key_file: Path) -> None:
    hanji("keygen", "-o", "other")
    (tmp_path / "in").write_bytes(b"text")
    hanji("seal", "in", "-o", "s", "-k", key_file)
    expected = f"sealed with key {keys.load(key_file).key_id.hex()}, you gave {keys.load(tmp_path / 'other').key_id.hex()}"
    assert_failed(hanji("open", "s", "-o", "out", "-k", "other"), expected)
    assert not (tmp_path / "out").exists()


def test_key_of_another_algorithm(hanji: Hanji, tmp_path: Path) -> None:
    hanji("keygen", "-o", "k", "--for", "mac")
    (tmp_path / "in").write_bytes(b"text")
    assert_failed(
        hanji("seal", "in", "-o", "s", "-k", "k"),
        "for speck-128/256; sealed files need a secret key for ascon-aead128 or schwaemm256-128",
        2,
    )


def test_standard_output_gets_only_verified_chunks(
    hanji: Hanji, tmp_path: Path, key_file: Path
) -> None:
    data = text(3 * CHUNK)
    good = hanji("seal", "-", "-o", "-", "-k", key_file, stdin=data).stdout
    cut = hanji("open", "-", "-o", "-", "-k", key_file, stdin=good[:-1])
    assert_failed(cut, "truncated inside chunk 2")
    assert cut.stdout == data[: 2 * CHUNK]
    altered = hanji("open", "-", "-o", "-", "-k", key_file, stdin=flip(good, HEADER + 20))
    assert_failed(altered, "chunk 0 was altered")
    assert altered.stdout == b""


def test_existing_output_is_kept_without_force(
    hanji: Hanji, tmp_path: Path, key_file: Path
) -> None:
    (tmp_path / "in").write_bytes(b"text")
    (tmp_path / "out").write_bytes(b"precious")
    advice = "out: already exists; use --force to replace it"
    assert_failed(hanji("seal", "in", "-o", "out", "-k", key_file), advice, 3)
    assert (tmp_path / "out").read_bytes() == b"precious"
    assert hanji("seal", "in", "-o", "out", "-k", key_file, "--force").returncode == 0
    assert_failed(hanji("open", "out", "-o", "in", "-k", key_file), "in: already exists", 3)
    (tmp_path / "cut").write_bytes((tmp_path / "out").read_bytes()[:-1])
    assert_failed(hanji("open", "cut", "-o", "in", "-k", key_file, "--force"), "truncated")
    assert (tmp_path / "in").read_bytes() == b"text", (
        "a failed open --force replaced the old output"
    )


def test_input_as_output(hanji: Hanji, tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "in").write_bytes(b"text")
    (tmp_path / "link").hardlink_to(tmp_path / "in")
    for output in ("in", "./in", "link"):
        assert_failed(
            hanji("seal", "in", "-o", output, "-k", key_file, "--force"),
            "are the same file",
            2,
        )
    assert (tmp_path / "in").read_bytes() == b"text"


def test_unusable_paths(hanji: Hanji, tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "in").write_bytes(b"text")
    assert_failed(hanji("seal", "missing", "-o", "o", "-k", key_file), "missing: no such file", 3)
    assert_failed(
        hanji("seal", "in", "-o", "nowhere/o", "-k", key_file),
        "nowhere/o: the folder nowhere does not exist; make it, or give another name",
        3,
    )
    assert_failed(
        hanji("seal", "in", "-o", "o", "-k", "missing.key"), "missing.key: no such file", 3
    )
    assert names(tmp_path) == ["folder", "in", "test.key"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_input(hanji: Hanji, tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "in").touch(mode=0)
    assert_failed(hanji("seal", "in", "-o", "o", "-k", key_file), "in: permission denied")


def test_input_that_fails_while_it_is_read(hanji: Hanji, tmp_path: Path, key_file: Path) -> None:
    assert_failed(
        hanji("seal", "/proc/self/mem", "-o", "o", "-k", key_file),
        "/proc/self/mem: input/output error",
        3,
    )
    assert names(tmp_path) == ["test.key"]


def test_no_space_left(hanji: Hanji, tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "in").write_bytes(text(CHUNK))
    assert_failed(
        hanji("seal", "in", "-o", "/dev/full", "-k", key_file),
        "/dev/full: no space left on device",
        3,
    )


def test_file_size_limit_leaves_nothing(tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "in").write_bytes(text(4 * CHUNK))
    script = (
        "import resource, signal, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000));"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); sys.argv[0] = 'hanji'; from hanji.cli.main import app; app()"
    )
    command = [sys.executable, "-c", script, "seal", "in", "-o", "out", "-k", str(key_file)]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert_failed(result, "out: file too large", 3)
    assert names(tmp_path) == ["in", "test.key"]


def test_devices_are_written_directly(hanji: Hanji, tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "in").write_bytes(b"text")
    assert hanji("seal", "in", "-o", "/dev/null", "-k", key_file).returncode == 0
    assert not Path("/dev/null").is_file()


# processes: signals, closed pipes, terminals, memory


@contextlib.contextmanager
def sealing_forever(folder: Path, key_file: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A `seal` that has begun to write and waits for more input."""
    command = [sys.executable, "-m", "hanji.cli", "seal", "-", "-o", "out", "-k", str(key_file)]
    # Who starts the tests in the background of a shell ignores SIGINT, and so would the child.
    default = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    child = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=default
    )
    assert child.stdin is not None
    try:
        child.stdin.write(text(12 << 20))
        child.stdin.flush()
        deadline = time.monotonic() + 300
        while not any(p.suffix == ".part" and p.stat().st_size > RECORD for p in folder.iterdir()):
            assert time.monotonic() < deadline, "seal wrote nothing in 30 seconds"
            assert child.poll() is None, "seal ended early"
            time.sleep(0.01)
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        if child.stderr is not None:
            child.stderr.close()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interruption_leaves_nothing(
    tmp_path: Path, key_file: Path, number: signal.Signals, status: int
) -> None:
    with sealing_forever(tmp_path, key_file) as child:
        child.send_signal(number)
        assert child.wait() == status
        assert child.stderr is not None
        assert b"Traceback" not in child.stderr.read()
    assert names(tmp_path) == ["test.key"]


@pytest.mark.parametrize("module", ["click", "hanji.cli.commands", "hanji.cli.sealing"])
def test_interruption_while_modules_are_imported(tmp_path: Path, module: str) -> None:
    """Ctrl-C at the start ends the command as quietly as later, and with the same status."""
    script = (
        "import os, signal, sys\n"
        "module = sys.argv.pop(1)\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == module:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "from hanji.cli.__main__ import run\n"
        "sys.meta_path.insert(0, Interrupts())\n"
        "run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, module, "seal", "--help"],
        cwd=tmp_path,
        capture_output=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr in (b"", b"hanji: interrupted\n")


def test_command_starts_where_interruptions_are_quiet() -> None:
    """The script that pip makes calls the function that the test above calls."""
    (entry,) = entry_points(group="console_scripts", name="hanji")
    assert entry.value == "hanji.cli.__main__:run"


def test_closed_standard_output(tmp_path: Path, key_file: Path, hanji: Hanji) -> None:
    (tmp_path / "s").write_bytes(
        hanji("seal", "-", "-o", "-", "-k", key_file, stdin=text(8 * CHUNK)).stdout
    )
    command = [sys.executable, "-m", "hanji.cli", "open", "s", "-o", "-", "-k", str(key_file)]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(1)
        child.stdout.close()
        error = child.stderr.read().decode()
    assert child.returncode == 3
    assert error == "hanji: standard output was closed before everything was written\n"


def on_terminal(folder: Path, arguments: list[str], answers: list[str]) -> tuple[int, str]:
    """Run a command whose terminal is a pseudo-terminal, and type the answers when asked."""
    need_terminals()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        environment = {k: v for k, v in os.environ.items() if k != "HANJI_PASSPHRASE"}
        os.execve(sys.executable, [sys.executable, "-m", "hanji.cli", *arguments], environment)
    seen = b""
    prompts = 0
    with contextlib.suppress(OSError):  # reading fails when the child is gone
        while piece := os.read(terminal, 4096):
            seen += piece
            if seen.count(b": ") > prompts and seen.endswith(b": ") and prompts < len(answers):
                os.write(terminal, answers[prompts].encode() + b"\n")
                prompts = seen.count(b": ")
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), seen.decode(errors="replace")


def test_passphrase_is_asked_for_twice_when_sealing_and_once_when_opening(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"text")
    status, seen = on_terminal(tmp_path, ["seal", "in", "-o", "s", "-p"], ["mulberry", "mulberry"])
    assert (status, "The same again" in seen, "mulberry" in seen) == (0, True, False)
    status, seen = on_terminal(tmp_path, ["open", "s", "-o", "out"], ["mulberry"])
    assert (status, "The same again" in seen, "mulberry" in seen) == (0, False, False)
    assert (tmp_path / "out").read_bytes() == b"text"


def test_two_different_passphrases_seal_nothing(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"text")
    status, seen = on_terminal(tmp_path, ["seal", "in", "-o", "s", "-p"], ["mulberry", "oak"])
    assert status == 2
    assert "the two passphrases differ" in seen
    assert names(tmp_path) == ["in"]


def test_sealed_bytes_are_not_written_to_a_terminal(tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "in").write_bytes(b"text")
    status, seen = on_terminal(tmp_path, ["seal", "in", "-o", "-", "-k", str(key_file)], [])
    assert status == 2
    assert "not written to a terminal" in " ".join(seen.split())
    assert "\x89hanji" not in seen


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path, key_file: Path, hanji: Hanji) -> None:
    (tmp_path / "in").write_bytes(text(20 * CHUNK))
    status, seen = on_terminal(tmp_path, ["seal", "in", "-o", "s", "-k", str(key_file)], [])
    assert status == 0
    assert "sealing" in seen
    assert hanji("seal", "in", "-o", "s2", "-k", key_file).stderr == b""


def test_signing_shows_how_far_it_is_on_a_terminal_only(tmp_path: Path, hanji: Hanji) -> None:
    """The file is hashed, twice, before its signature is made."""
    hanji("sign-keygen", "-o", "key", "-a", "slh-dsa-shake-128f")
    (tmp_path / "in").write_bytes(text(20 * CHUNK))
    status, seen = on_terminal(tmp_path, ["sign", "in", "-k", "key"], [])
    assert status == 0
    assert 0 <= seen.find("hashing") < seen.find("signing")
    assert "signing" not in seen[: seen.rfind("hashing")], "one bar at a time"
    assert "100%" in seen
    assert hanji("sign", "in", "-o", "2", "-k", "key").stderr == b""
    assert hanji("verify", "in", "-k", "key.pub").stdout == b"in: OK\n"


def peak_memory(folder: Path, arguments: list[str]) -> int:
    """Peak resident memory of a command in KiB."""
    # The peak that wait4() reports begins with that of the process which forked; the kernel's VmHWM
    # does not.
    script = "import sys; from hanji.cli.main import app\ntry: app()\nfinally: print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    result = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=folder, capture_output=True, check=True
    )
    return int(result.stdout)


def test_memory_does_not_grow_with_the_file(tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "small").write_bytes(text(4 << 20))
    (tmp_path / "large").write_bytes(text(48 << 20))
    peaks = {}
    for name in ("small", "large"):
        peaks[f"seal {name}"] = peak_memory(
            tmp_path, ["seal", name, "-o", f"{name}.s", "-k", str(key_file)]
        )
        peaks[f"open {name}"] = peak_memory(
            tmp_path, ["open", f"{name}.s", "-o", f"{name}.o", "-k", str(key_file)]
        )
    assert max(peaks.values()) < 100 << 10, f"peak memory in KiB: {peaks}"
    for verb in ("seal", "open"):
        assert peaks[f"{verb} large"] - peaks[f"{verb} small"] < 8 << 10, (
            f"{verb} needs memory by size: {peaks}"
        )


# mac


def test_mac(hanji: Hanji, tmp_path: Path) -> None:
    hanji("keygen", "-o", "k", "--for", "mac")
    (tmp_path / "a").write_bytes(b"message")
    (tmp_path / "b").write_bytes(b"massage")
    result = hanji("mac", "a", "b", "-k", "k")
    tag = package.hazmat.cmac("speck-128/256", keys.load(tmp_path / "k").material)
    tag.update(b"message")
    expected = tag.digest().hex()
    assert result.returncode == 0
    assert result.stdout.decode().splitlines()[0] == f"{expected}  a"
    assert hanji("mac", "a", "-k", "k", "--verify", expected).stdout == b"a: OK\n"
    assert (
        hanji("mac", "-", "-k", "k", "--verify", expected.upper(), stdin=b"message").returncode == 0
    )
    failed = hanji("mac", "b", "-k", "k", "--verify", expected)
    assert failed.stdout == b"b: FAILED\n"
    assert_failed(failed, "does not verify")
    assert_failed(
        hanji("mac", "a", "-k", "k", "--verify", expected[:16]), "8 bytes, expected are 16", 2
    )
    assert hanji("mac", "a", "-k", "k", "--verify", expected[:16], "--tag-size", 8).returncode == 0
    assert_failed(hanji("mac", "a", "-k", "k", "--verify", "xyz"), "not hexadecimal", 2)
    assert_failed(hanji("mac", "a", "b", "-k", "k", "--verify", expected), "checks one file", 2)
    assert_failed(hanji("mac", "missing", "-k", "k"), "missing: no such file", 3)


@pytest.mark.parametrize("algorithm", ["schwaemm256-128", "speck-32/64"])
def test_mac_needs_a_block_cipher_of_64_or_128_bits(
    hanji: Hanji, tmp_path: Path, algorithm: str
) -> None:
    hanji("keygen", "-o", "k", "-a", algorithm)
    (tmp_path / "a").write_bytes(b"message")
    assert_failed(hanji("mac", "a", "-k", "k"), f"the key is for {algorithm}; CMAC needs", 2)


def test_mac_tells_when_the_data_limit_is_reached(hanji: Hanji, tmp_path: Path) -> None:
    hanji("keygen", "-o", "k", "-a", "speck-64/128")
    (tmp_path / "a").write_bytes(bytes((8 << 20) + 8))
    assert_failed(hanji("mac", "a", "-k", "k"), "a: ")
