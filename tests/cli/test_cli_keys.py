# SPDX-License-Identifier: Apache-2.0
"""hanji.keys: the key container and everything that can be wrong with it."""

from __future__ import annotations

import copy
import pickle
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanji
from hanji import keys

pytestmark = pytest.mark.quick

CHEAP = keys.Argon2Parameters(passes=1, memory_kib=64, lanes=1)
KEY = keys.Key("schwaemm256-128", bytes(range(16)), comment="of the tests")


@pytest.mark.parametrize(
    "name", [a.name for a in hanji.algorithms() if a.kind in ("aead", "block")]
)
def test_every_algorithm_with_keys(name: str) -> None:
    key = keys.generate(name)
    assert len(key.material) == next(a.key_size for a in hanji.algorithms() if a.name == name)
    assert keys.loads(keys.dumps(key)) == key


def test_the_time_for_a_hostile_file_is_linear_in_its_size() -> None:
    """Half a million line ends took 10 seconds, and the 16 MiB that are read at all hours."""
    whole = keys.dumps(KEY).encode()
    began = time.process_time()
    assert keys.loads(b"\n" * 500_000 + whole + b" \n" * 500_000) == KEY
    for hostile in (b"\n" * 500_000, b"\t \r\n" * 300_000, b" " * 1_000_000 + b"x"):
        with pytest.raises(keys.KeyFileError):
            keys.loads(hostile)
    assert time.process_time() - began < 5


def test_generated_keys_differ() -> None:
    assert keys.generate().material != keys.generate().material


def test_no_keys_for_hashes() -> None:
    with pytest.raises(ValueError, match="no keys are made for 'esch256'"):
        keys.generate("esch256")


@settings(max_examples=30, deadline=None)
@given(
    material=st.binary(min_size=16, max_size=16),
    passphrase=st.none() | st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
)
def test_round_trip(material: bytes, passphrase: str | None) -> None:
    key = keys.Key("schwaemm256-128", material)
    assert keys.loads(keys.dumps(key, passphrase, CHEAP), passphrase) == key


def test_representation_hides_the_key() -> None:
    assert KEY.material.hex() not in repr(KEY)
    assert str(KEY.material) not in repr(KEY)


def test_secrets_are_not_pickled() -> None:
    public = keys.Key("aimer3-128f", bytes(32), kind="public", comment="mine")
    assert pickle.loads(pickle.dumps(public)) == copy.deepcopy(public) == public
    for key in (keys.generate(), keys.Key("aimer3-128f", bytes(48), kind="private")):
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="is not pickled or copied"):
                attempt(key)


def test_key_ids_tell_algorithms_and_keys_apart() -> None:
    other = keys.Key("cham-128/128", KEY.material)
    assert len({KEY.key_id, other.key_id, keys.Key("schwaemm256-128", bytes(16)).key_id}) == 3
    assert len(KEY.key_id) == 8


def test_locked_key() -> None:
    text = keys.dumps(KEY, "mulberry", CHEAP)
    assert keys.loads(text, lambda: "mulberry") == KEY
    with pytest.raises(keys.WrongPassphraseError, match="wrong passphrase"):
        keys.loads(text, "oak")
    with pytest.raises(keys.KeyLockedError, match="protected by a passphrase"):
        keys.loads(text)


def test_passphrase_is_asked_for_only_when_needed() -> None:
    def ask() -> str:
        raise AssertionError("asked")

    assert keys.loads(keys.dumps(KEY), ask) == KEY


@pytest.mark.parametrize("locked", [False, True])
def test_every_flipped_bit_is_refused(locked: bool) -> None:
    text = keys.dumps(KEY, "p" if locked else None, CHEAP).encode()
    passed = []
    for position in range(len(text)):
        bad = bytearray(text)
        bad[position] ^= 1
        try:
            key = keys.loads(bytes(bad), "p")
        except hanji.HanjiError:
            continue
        passed.append((position, key))
    assert passed == []


def test_every_truncation_is_refused() -> None:
    text = keys.dumps(KEY)
    for end in range(len(text) - 1):
        with pytest.raises(keys.KeyFileError):
            keys.loads(text[:end])


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\n", " \t\n"),
        lambda t: "\n\n" + t + "\n \n",
        lambda t: t.rstrip("\n"),
    ],
    ids=["CRLF", "trailing space", "blank lines around", "no final line end"],
)
def test_harmless_changes_are_accepted(change: object) -> None:
    assert keys.loads(change(keys.dumps(KEY))) == KEY  # type: ignore[operator]


def remade(**changes: str) -> str:
    """The key with header values replaced and the checksum made right again."""
    lines = keys.dumps(KEY).splitlines()
    gap = lines.index("")
    values = dict(line.split(": ") for line in lines[1:gap]) | {
        name.replace("_", "-"): value for name, value in changes.items()
    }
    head = [f"{name}: {value}" for name, value in values.items() if name != "Checksum"]
    checksum = keys._checksum("HANJI SECRET KEY", head, KEY.material).hex()
    return "\n".join([lines[0], *head, f"Checksum: {checksum}", *lines[gap:], ""])


def test_control_remade_key_without_changes_loads() -> None:
    assert keys.loads(remade()) == KEY


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("hello\n", "not a hanji key"),
        ("\x89hanji", "not ASCII"),
        (keys.dumps(KEY) + keys.dumps(KEY), "holds 2 keys"),
        (keys.dumps(KEY).replace("SECRET", "CERTIFICATE"), "HANJI CERTIFICATE KEY"),
        (
            keys.dumps(KEY).replace("END HANJI SECRET", "END HANJI PUBLIC"),
            "cut off or has text around",
        ),
        ("note\n" + keys.dumps(KEY), "not a hanji key"),
        (keys.dumps(KEY) + "note\n", "text around"),
        (keys.dumps(KEY).replace("\n\n", "\n"), "empty line"),
        (keys.dumps(KEY).replace("Algorithm", "Algorithmus"), "header lines are"),
        (keys.dumps(KEY).replace("Comment: of the tests\n", ""), "damaged"),
        (keys.dumps(KEY).replace("AAEC", "AAE*"), "not base64"),
        (keys.dumps(KEY).replace("AAEC", "AAED"), "checksum"),
        (keys.dumps(KEY).replace("Dw==", "Dx=="), "not canonical base64"),
        (remade(Version="2"), "version is '2'"),
        (remade(Algorithm="speck-128/256"), "32 bytes; 16 were given"),
        (remade(Key_Id="0" * 16), "container says"),
        (remade(Protection="rot13"), "protection is 'rot13'"),
    ],
)
def test_what_is_not_one_intact_key(text: str, message: str) -> None:
    with pytest.raises(keys.KeyFileError, match=message):
        keys.loads(text, "p")


def test_argon2_parameters_of_a_key_are_bounded_before_they_are_used() -> None:
    protection = f"argon2id t=1 m={1 << 31} p=1 salt={'00' * 32}"
    with pytest.raises(keys.ParameterError, match="memory_kib is 2147483648"):
        keys.loads(remade(Protection=protection), "p")


@pytest.mark.parametrize("comment", ["two\nlines", " padded", "ümlaut", "x" * 201])
def test_comment_is_one_plain_line(comment: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        keys.Key("schwaemm256-128", bytes(16), comment=comment)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "my.key"
    keys.save(KEY, path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert keys.load(path) == KEY
    with pytest.raises(FileExistsError):
        keys.save(keys.generate(), path)
    assert keys.load(path) == KEY
    keys.save(keys.generate(), path, overwrite=True)
    assert keys.load(path) != KEY


def test_messages_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.key"
    path.write_text("nothing\n")
    with pytest.raises(keys.KeyFileError, match=r"bad\.key: this is not a hanji key"):
        keys.load(path)
