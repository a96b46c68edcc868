# SPDX-License-Identifier: Apache-2.0
"""What strangers have written does nothing to the terminal: it is shown escaped, on one line, and
cut.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from cli_process import Hanji, Result
from debian import need_terminals
from hypothesis import given
from hypothesis import strategies as st

from hanji import files, keys, sign
from hanji._text import QUOTED, escaped, quoted

pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore::hanji.sign.BrokenSchemeWarning"),
]

EVIL = "\x1b]0;title\x07\x1b[31m\x9b31m\u202eexe.txt\u2066\u200b\u200d\ufeff\x00\r\x7f\u2028\U000e0041\u3164"


def harmless(text: str) -> bool:
    """Neither controls nor anything that writes backwards or is not seen; line breaks end lines."""
    return all(
        c == "\n"
        or (
            unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn")
            and c not in "\u3164\ufe0f"
        )
        for c in text
    )


@given(st.text())
def test_escaped_text_is_harmless_and_on_one_line(text: str) -> None:
    shown = escaped(text)
    assert harmless(shown)
    assert "\n" not in shown
    if text.isascii() and text.isprintable():
        assert shown == text


def test_control_evil_text_is_not_harmless() -> None:
    assert not harmless(EVIL)
    assert not any(harmless(character) for character in EVIL if not character.isprintable())


def test_every_control_and_direction_is_escaped() -> None:
    codes = [
        *range(0x20),
        *range(0x7F, 0xA0),
        0xAD,
        0x61C,
        *range(0x200B, 0x2010),
        *range(0x2028, 0x202F),
        *range(0x2060, 0x2070),
        0xFEFF,
    ]
    assert escaped("\x1b") == "\\x1b"
    assert escaped("\u202e") == "\\u202e"
    assert escaped("\U000e0041") == "\\U000e0041"
    assert escaped("\udcff") == "\\xff"
    for code in codes:
        assert escaped(chr(code)).startswith("\\"), hex(code)
    for word in ("한지", "Ångström", "naïve.txt", "日本語", "مرحبا"):
        assert escaped(word) == word


def test_long_text_is_cut() -> None:
    shown = quoted("x" * 15_000_000)
    assert len(shown) < QUOTED + 50
    assert "15000000 characters" in shown
    assert escaped("a" * 100 + "b" * 100, 40).startswith("a" * 30)
    assert escaped("a" * 100 + "b" * 100, 40).endswith("b" * 10)


def evil_key(**changes: str) -> str:
    """A public key with header lines of a stranger's making, its checksum made right."""
    private = sign.scheme("aimer2-128f").generate()
    key = private.public_key.to_key()
    lines = keys.dumps(key).splitlines()
    gap = lines.index("")
    values = dict(line.split(": ") for line in lines[1:gap]) | {
        name.replace("_", "-"): value for name, value in changes.items()
    }
    head = [f"{name}: {value}" for name, value in values.items() if name != "Checksum"]
    checksum = keys._checksum("HANJI PUBLIC KEY", head, key.material).hex()
    return "\n".join([lines[0], *head, f"Checksum: {checksum}", *lines[gap:], ""])


ESCAPES = "\x1b]0;title\x07\x1b[31m"
LONG = ESCAPES * 100_000
EVIL_KEYS = {
    "version": lambda: evil_key(Version=LONG),
    "algorithm": lambda: evil_key(Algorithm=LONG),
    "name of a scheme": lambda: evil_key(Algorithm="rainbow-" + "i" * 50),
    "key id": lambda: evil_key(Key_Id=LONG),
    "protection": lambda: evil_key(Protection=LONG),
    "comment": lambda: evil_key(Comment=LONG),
    "label": lambda: evil_key().replace("PUBLIC", "A" * 1_000_000),
    "header": lambda: evil_key().replace("Version", LONG),
    "header lines": lambda: evil_key().replace("Version", f"{ESCAPES}: 1\n" * 10_000 + "Version"),
    "body": lambda: evil_key().replace("\n\n", f"\n\n{LONG}\n"),
    "text": lambda: LONG,
}


def check(result: Result, longest: int = 4000) -> None:
    for output in (result.stdout, result.stderr):
        assert harmless(output.decode(errors="replace")), output[:300]
        assert len(output) < longest
    assert result.returncode in (1, 2, 3)
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("name", EVIL_KEYS)
def test_key_files_of_strangers(quick: Hanji, tmp_path: Path, name: str) -> None:
    (tmp_path / "evil.pub").write_text(EVIL_KEYS[name]())
    (tmp_path / "in").write_bytes(b"text")
    check(quick("verify", "-k", "evil.pub", "in", "--i-know-it-is-broken"))
    with pytest.raises((keys.KeyFileError, ValueError)) as caught:
        sign.load(keys.load(tmp_path / "evil.pub"))
    assert len(str(caught.value)) < 1000
    assert "\x1b" not in str(caught.value)


def test_control_the_key_without_changes_loads(tmp_path: Path) -> None:
    (tmp_path / "good.pub").write_text(evil_key())
    assert sign.load(keys.load(tmp_path / "good.pub"))


NAMES = [
    "\x1b[31mred",
    "a\nhanji: good: OK",
    "\u202egnp.exe",
    "bell\x07",
    "\x9b31m",
    "\u200bin",
    "back\x08\x08\x08",
    "n\udcff\udc1b",
]


@pytest.mark.parametrize("name", NAMES[:-1], ids=ascii)
def test_names_of_files(quick: Hanji, tmp_path: Path, key_file: Path, name: str) -> None:
    """In every message that has a name of a file."""
    check(quick("seal", name, "-o", "out", "-k", key_file))
    check(quick("hash", name))
    check(quick("open", key_file, "-o", f"missing/{name}", "-k", key_file))
    check(quick("open", name, "-o", "out", "-k", key_file, "extra", name))
    check(quick(name))
    (tmp_path / name).write_bytes(b"text")
    check(quick("open", name, "-o", "out", "-k", key_file))
    check(quick("seal", key_file, "-o", name, "-k", key_file))
    check(quick("seal", key_file, "-o", "out", "--passphrase-file", "/dev/null", "-k", name))
    check(quick("hash", "-c", name))
    (tmp_path / name).unlink()
    made = quick("keygen", "-o", name)
    assert harmless(made.stderr.decode())
    check(quick("keygen", "-o", name))


def test_names_that_are_not_text(quick: Hanji, tmp_path: Path, key_file: Path) -> None:
    check(quick("seal", os.fsdecode(b"\xff\x9b"), "-o", "out", "-k", key_file))


def test_lists_of_strangers(quick: Hanji, tmp_path: Path) -> None:
    listed = "".join(
        f"{'0' * 64}  {name}\n" for name in ("\x1b[31mred", "\u202egnp.exe", "\x9b31m")
    )
    (tmp_path / "list").write_text(listed)
    check(quick("hash", "-c", "list"))
    (tmp_path / "\x1b[31mred").write_bytes(b"text")
    result = quick("hash", "-c", "list", "--ignore-missing")
    check(result)
    assert b"\\x1b[31mred: FAILED" in result.stdout


def on_terminal(folder: Path, arguments: list[str]) -> str:
    need_terminals()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, "-m", "hanji.cli", *arguments])
    seen = b""
    try:
        while piece := os.read(terminal, 4096):
            seen += piece
    except OSError:  # the child is gone
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    return seen.decode()


def test_digests_are_for_programs_in_a_pipe_and_for_people_on_a_terminal(
    quick: Hanji, tmp_path: Path
) -> None:
    name = "\x1b[31mred"
    (tmp_path / name).write_bytes(b"text")
    assert quick("hash", name).stdout.endswith(b"  \x1b[31mred\n"), (
        "a list that hanji hash -c reads"
    )
    seen = on_terminal(tmp_path, ["hash", name])
    assert "\\x1b[31mred" in seen
    assert "\x1b[31m" not in seen


def test_sealed_files_of_strangers(quick: Hanji, tmp_path: Path, key_file: Path) -> None:
    sealed = bytearray(
        subprocess.run(
            [sys.executable, "-m", "hanji.cli", "seal", "-", "-o", "-", "-k", str(key_file)],
            capture_output=True,
            input=b"x",
        ).stdout
    )
    for at in (0, 8, 10, 24, 40, 100, 130):
        bad = bytearray(sealed)
        bad[at : at + 4] = b"\x1b[31"
        (tmp_path / "bad").write_bytes(bad)
        check(quick("open", "bad", "-o", "out", "-k", key_file))


def test_tracebacks_show_no_variables(tmp_path: Path) -> None:
    code = (
        "from hanji.cli import main, sealing\ndef generate(*_):\n    secret = 'mul' + 'berry'\n"
        "    raise RuntimeError('a fault')\nsealing.keys.generate = generate\n"
        "main.app(['keygen', '-o', 'k'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == b"RuntimeError: a fault"
    assert b"mulberry" not in done.stderr


def test_the_prompt_is_harmless_too(tmp_path: Path) -> None:
    name = "\x1b[31mred"
    (tmp_path / "in").write_bytes(b"text")
    argon2 = files.Argon2Parameters(1, 64, 1)
    files.seal_file(tmp_path / "in", tmp_path / name, passphrase="mulberry", argon2=argon2)
    command = f"import sys; sys.argv = ['hanji', 'open', {name!r}, '-o', 'out']; import getpass\n"
    command += (
        "getpass.getpass = lambda prompt: print(ascii(prompt)) or 'mulberry'\nfrom "
        "hanji.cli.main import app; app()"
    )
    need_terminals()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execv(sys.executable, [sys.executable, "-c", command])
    seen = b""
    try:
        while piece := os.read(terminal, 4096):
            seen += piece
    except OSError:
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    assert b"\\\\x1b[31mred" in seen
    assert (tmp_path / "out").read_bytes() == b"text"
