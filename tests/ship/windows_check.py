# SPDX-License-Identifier: Apache-2.0
"""How hanji writes files on Windows: run by a Python for Windows, in an empty folder.

Prints a line for each check. tests/ship/test_ship_windows.py runs it under wine.
"""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hanji
from hanji import _atomic, _windows, aead, files, hazmat, keys
from hanji.cli import signals

CHECKS: list[Callable[[Path], None]] = []
OTHERS = {"WD", "BU", "AU"}  # everyone, users, authenticated users


def check(function: Callable[[Path], None]) -> Callable[[Path], None]:
    CHECKS.append(function)
    return function


@contextlib.contextmanager
def refused(kind: type[BaseException], words: str) -> Iterator[None]:
    try:
        yield
    except kind as error:
        said = str(error)
    else:
        raise AssertionError(f"not refused: {kind.__name__} with {words!r} was expected")
    assert words in said, (words, said)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def who(path: Path) -> set[str]:
    """Whom the access control list of a file lets do anything."""
    return {entry[3] for entry in _windows._ENTRY.findall(_windows.list_text(path))}


@check
def the_library_computes(_: Path) -> None:
    answers = hanji.selftest()
    assert len(answers) > 50 and all(answers.values()), answers
    key, nonce = bytes(16), bytes(16)
    sealed = aead.AsconAEAD128(key).encrypt(nonce, b"23.5 C", b"sensor 7")
    assert aead.AsconAEAD128(key).decrypt(nonce, sealed, b"sensor 7") == b"23.5 C"
    text = bytes(range(256)) * 4096
    cipher = ("speck-64/128", bytes(16), bytes(8))
    assert hazmat.ctr(*cipher).update(hazmat.ctr(*cipher).update(text)) == text
    assert aead.AsconAEAD128.generate_key() != aead.AsconAEAD128.generate_key()


@check
def every_tier_computes_the_same(_: Path) -> None:
    text = bytes(range(256)) * 300
    answers = {}
    for tier in [row["name"] for row in hanji.backends() if row["available"]]:
        hanji.force(tier)
        assert all(hanji.selftest().values())
        made = [aead.AsconAEAD128(bytes(16)).encrypt(bytes(16), text, b"sensor 7")]
        made.append(aead.Schwaemm256_128(bytes(16)).encrypt(bytes(32), text, b"sensor 7"))
        for name, nonce in (("speck-64/128", 8), ("simon-128/128", 16), ("cham-128/128", 16)):
            made.append(hazmat.ctr(name, bytes(16), bytes(nonce)).update(text))
        answers[tier] = made
        print("tier:", tier)
    hanji.force(None)
    assert all(made == answers["portable"] for made in answers.values()), list(answers)


@check
def a_file_appears_whole(folder: Path) -> None:
    with files.AtomicOutput(folder / "out") as output:
        output.write(b"text")
        (part,) = names(folder)
        assert part.startswith(".hanji-") and part.endswith(".part")
    assert names(folder) == ["out"] and (folder / "out").read_bytes() == b"text"


@check
def nothing_stays_of_a_failure(folder: Path) -> None:
    with contextlib.suppress(KeyError), files.AtomicOutput(folder / "out") as output:
        output.write(b"text")
        raise KeyError
    assert names(folder) == []


@check
def an_existing_file_stays(folder: Path) -> None:
    (folder / "out").write_bytes(b"old")
    with refused(FileExistsError, "left as it is"), files.AtomicOutput(folder / "out"):
        pass
    (folder / "out").unlink()
    with (
        refused(FileExistsError, "left as it is"),
        files.AtomicOutput(folder / "out") as output,
    ):
        output.write(b"new")
        (folder / "out").write_bytes(b"meanwhile")
    assert names(folder) == ["out"] and (folder / "out").read_bytes() == b"meanwhile"


@check
def a_file_is_replaced_when_that_is_asked_for(folder: Path) -> None:
    (folder / "out").write_bytes(b"old")
    with files.AtomicOutput(folder / "out", overwrite=True) as output:
        output.write(b"new")
    assert names(folder) == ["out"] and (folder / "out").read_bytes() == b"new"
    with refused(IsADirectoryError, "directory"), files.AtomicOutput(folder, overwrite=True):
        pass


@check
def a_stream_of_a_file_is_refused(folder: Path) -> None:
    (folder / "out").write_bytes(b"old")
    with refused(OSError, "stream of a file"), files.AtomicOutput(folder / "out:more"):
        pass
    assert names(folder) == ["out"]


replace = _windows.Folder.replace


def fails_for_b(folder: _windows.Folder, temporary: str, name: str) -> None:
    if name == "b" and temporary.endswith(".part"):
        raise OSError(errno.EIO, "broken")
    replace(folder, temporary, name)


@check
def files_are_written_together_or_not_at_all(folder: Path) -> None:
    new = [_atomic.NewFile(folder / "a", b"new a"), _atomic.NewFile(folder / "b", b"new b")]
    _atomic.write_together(new)
    assert [(folder / name).read_bytes() for name in "ab"] == [b"new a", b"new b"]
    for old in ([b"old a", b"old b"], [None, b"old b"]):
        for name, text in zip("ab", old, strict=True):
            (folder / name).unlink(missing_ok=True)
            if text is not None:
                (folder / name).write_bytes(text)
        _windows.Folder.replace = fails_for_b
        try:
            with refused(OSError, "broken"):
                _atomic.write_together(new, overwrite=True)
        finally:
            _windows.Folder.replace = replace
        left = [name for name, text in zip("ab", old, strict=True) if text is not None]
        assert names(folder) == left, names(folder)
        assert (folder / "b").read_bytes() == b"old b"
    with refused(ValueError, "same file"):
        _atomic.write_together([_atomic.NewFile(folder / name, b"") for name in ("c", "C")])


@check
def leftovers_of_killed_processes_go_and_files_in_use_stay(folder: Path) -> None:
    name = ".hanji-0123456789abcdef.part"
    (folder / name).write_bytes(b"left")
    with files.AtomicOutput(folder / "out") as output:
        (part,) = names(folder)  # the other one went when this one began
        assert part != name
        (folder / name).write_bytes(b"left")
        script = f"import hanji.files as f; print(f.remove_leftovers({str(folder)!r}))"
        said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert said.stdout.strip() == str([name]), said
        assert names(folder) == [part]
        output.write(b"text")
    assert names(folder) == ["out"]
    with (folder / name).open("wb"):  # somebody has it open
        assert files.remove_leftovers(folder) == []
    assert files.remove_leftovers(folder) == [name]


@check
def nobody_else_reads_a_key_or_a_file_in_the_making(folder: Path) -> None:
    with files.AtomicOutput(folder / "out"):
        (part,) = folder.iterdir()
        assert not who(part) & OTHERS, _windows.list_text(part)
    key = keys.Key("ascon-aead128", bytes(16))
    keys.save(key, folder / "key")
    assert not who(folder / "key") & OTHERS, _windows.list_text(folder / "key")
    assert _windows.readers(folder / "key") is None
    (folder / "open").write_bytes((folder / "key").read_bytes())
    if who(folder / "open") & OTHERS:  # as the folder has it
        assert "icacls" in (_windows.readers(folder / "open") or "")
        assert who(folder / "out") & OTHERS, _windows.list_text(folder / "out")
    keys.save(key, folder / "key", overwrite=True)
    assert _windows.readers(folder / "key") is None


@check
def lists_of_all_kinds_are_read(folder: Path) -> None:
    user = _windows._user()
    real = _windows.list_text
    (folder / "key").write_bytes(b"")
    said = {
        f"D:P(A;;FA;;;{user})(A;;FA;;;SY)": None,
        f"D:AI(A;ID;FA;;;BA)(A;ID;0x1f01ff;;;{user})": None,
        f"D:AI(A;ID;FA;;;{user})(A;ID;0x1200a9;;;BU)": "BU",
        "D:(A;;FR;;;WD)": "WD",
        "D:(A;OICIIO;GA;;;WD)(A;;FA;;;SY)": None,
        "D:(D;;FA;;;WD)": None,
        "D:(A;;FW;;;AU)": None,
        "D:(A;;RCFR;;;S-1-5-21-1)": "S-1-5-21-1",
        "D:NO_ACCESS_CONTROL": "everybody",
        "": "everybody",
    }
    try:
        for text, expected in said.items():
            _windows.list_text = lambda _, text=text: text
            found = _windows.readers(folder / "key")
            assert (found is None) == (expected is None), (text, found)
            assert expected is None or f"({expected})" in (found or ""), (text, found)
    finally:
        _windows.list_text = real


@check
def one_process_holds_a_lock(folder: Path) -> None:
    script = (
        "import sys; from hanji import _windows\n"
        "with open(sys.argv[1], 'a+b') as file:\n"
        "    try: _windows.lock(file.fileno())\n"
        "    except _windows.LockedError: print('locked')\n"
        "    else: print('free')\n"
    )

    def other() -> str:
        command = [sys.executable, "-c", script, str(folder / "lock")]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done
        return done.stdout.strip()

    with (folder / "lock").open("a+b") as file:
        _windows.lock(file.fileno())
        file.write(b"line\n")
        file.flush()
        assert (folder / "lock").read_bytes() == b"line\n"
        assert other() == "locked"
    assert other() == "free"


@check
def a_signal_removes_what_is_being_written(folder: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from hanji import files; from hanji.cli import signals\n"
        "signals.catch_signals()\n"
        "with files.AtomicOutput(Path(sys.argv[1]) / 'out') as output:\n"
        "    output.write(b'text')\n"
        "    signal.raise_signal(signal.SIGTERM)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True)
    assert done.returncode == 128 + 15, done
    assert names(folder) == []
    assert signals._GRACE > 0


def command(*words: object, text: bytes = b"", status: int = 0) -> bytes:
    line = [sys.executable, "-m", "hanji.cli", *map(str, words)]
    done = subprocess.run(line, input=text, capture_output=True)
    assert done.returncode == status, done
    return done.stdout if status == 0 else done.stderr


@check
def the_command_seals_and_opens(folder: Path) -> None:
    text = bytes(range(256)) * 10_000 + b"\r\n\x1a\n"
    (folder / "plain").write_bytes(text)
    key, sealed = folder / "my.key", folder / "sealed"
    command("keygen", "-o", key)
    assert _windows.readers(key) is None
    command("seal", folder / "plain", "-o", sealed, "--key", key)
    command("open", sealed, "-o", folder / "copy", "--key", key)
    assert (folder / "copy").read_bytes() == text
    # through pipes, which have no numbers by which to tell them apart
    through = command("seal", "-", "-o", "-", "--key", key, text=text)
    assert command("open", "-", "-o", "-", "--key", key, text=through) == text
    damaged = bytearray(sealed.read_bytes())
    damaged[-1] ^= 1
    (folder / "bad").write_bytes(damaged)
    said = command("open", folder / "bad", "-o", folder / "no", "--key", key, status=1)
    assert b"hanji: " in said and not (folder / "no").exists()
    assert b"same file" in command("seal", key, "-o", key, "--key", key, "--force", status=1)
    assert b"already exists" in command(
        "open", sealed, "-o", folder / "plain", "--key", key, status=1
    )
    assert names(folder) == ["bad", "copy", "my.key", "plain", "sealed"]


@check
def the_command_takes_a_passphrase(folder: Path) -> None:
    try:
        import argon2.low_level  # noqa: F401
    except ImportError as error:  # it needs python3.dll, which some installations lack
        print("not checked, argon2-cffi does not load:", error)
        return
    (folder / "plain").write_bytes(b"text")
    (folder / "words").write_bytes(b"correct horse\r\n")
    given = ("--passphrase", "--passphrase-file", folder / "words")
    command("seal", folder / "plain", "-o", folder / "sealed", *given)
    command("open", folder / "sealed", "-o", folder / "copy", *given[1:])
    assert (folder / "copy").read_bytes() == b"text"


@check
def the_command_signs_and_hashes(folder: Path) -> None:
    (folder / "text").write_bytes(b"text")
    command("sign-keygen", "-o", folder / "signer")
    command("sign", folder / "text", "--key", folder / "signer", "-o", folder / "signature")
    given = ("verify", folder / "text", "--key", folder / "signer.pub")
    command(*given, "--signature", folder / "signature")
    (folder / "text").write_bytes(b"test")
    command(*given, "--signature", folder / "signature", status=1)
    said = command("hash", folder / "text")
    (folder / "sums").write_bytes(said)
    command("hash", "-c", folder / "sums")


def main() -> int:
    base = Path.cwd()
    for number, one in enumerate(CHECKS):
        folder = base / f"{number:02}"
        folder.mkdir()
        one(folder)
        print("passed:", one.__name__.replace("_", " "), flush=True)
    print(len(CHECKS), "checks passed;", "tiers:", *[t["name"] for t in hanji._core.tiers()])
    return 0


if __name__ == "__main__":
    os.environ.pop("HANJI_PASSPHRASE", None)
    sys.exit(main())
