# SPDX-License-Identifier: Apache-2.0
"""hanji.files: round trips, every way in which a sealed file can be wrong, and outputs that appear
whole or not at all.
"""

from __future__ import annotations

import errno
import io
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanji import _atomic, files, keys
from hanji.hashes import Esch256

pytestmark = pytest.mark.quick

CHUNK = 4096
BATCH = 1 << 20  # bytes of text that are worked on in one call, of chunks of this size
RECORD = 16 + CHUNK + 16
HEADER = 128
KEY = keys.Key("schwaemm256-128", bytes(range(16)))
OTHER = keys.Key("schwaemm256-128", bytes(range(1, 17)))
CHEAP = files.Argon2Parameters(passes=1, memory_kib=64, lanes=1)


def text(size: int) -> bytes:
    return bytes((i * 131 + i // 256) & 0xFF for i in range(size))


def sealed(data: bytes, **options: object) -> bytes:
    out = io.BytesIO()
    if "passphrase" not in options:
        options.setdefault("key", KEY)
    assert files.seal(io.BytesIO(data), out, **{"chunk_size": CHUNK, **options}) == len(data)  # type: ignore[arg-type]
    return out.getvalue()


def opened(data: bytes, **options: object) -> bytes:
    out = io.BytesIO()
    if "passphrase" not in options:
        options.setdefault("key", KEY)
    assert files.open(io.BytesIO(data), out, **options) == len(out.getvalue())  # type: ignore[arg-type]
    return out.getvalue()


def with_checksum(header: bytes) -> bytes:
    """A header whose accidental-damage checksum is right again, as somebody who alters it on
    purpose would do.
    """
    return header[:96] + Esch256(header[:96]).digest()


class Trickle(io.RawIOBase):
    """A source that gives a few bytes at a time, as a slow pipe does."""

    def __init__(self, data: bytes, step: int) -> None:
        self._rest, self._step = data, step

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[call-overload]
        count = min(len(view), self._step, len(self._rest))
        view[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


class OnlyRead:
    """A source without readinto, as a decompressor may be."""

    def __init__(self, data: bytes) -> None:
        self._inner = io.BytesIO(data)

    def read(self, size: int) -> bytes:
        return self._inner.read(min(size, 1000))


@pytest.mark.parametrize(
    "size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 9 * CHUNK + 5, 40 * CHUNK]
)
@pytest.mark.parametrize("threads", [1, 3])
def test_round_trip_and_size(size: int, threads: int) -> None:
    data = text(size)
    result = sealed(data, threads=threads)
    assert len(result) == HEADER + size + 32 * max(1, -(-size // CHUNK))
    assert opened(result, threads=threads) == data


@settings(max_examples=30, deadline=None)
@given(size=st.integers(0, 5 * CHUNK), step=st.integers(1, 3 * CHUNK))
def test_round_trip_through_sources_that_read_short(size: int, step: int) -> None:
    data, out, back = text(size), io.BytesIO(), io.BytesIO()
    files.seal(Trickle(data, step), out, key=KEY, chunk_size=CHUNK)
    files.open(Trickle(out.getvalue(), step), back, key=KEY)
    assert back.getvalue() == data
    assert opened_from(OnlyRead(out.getvalue())) == data


def opened_from(source: OnlyRead) -> bytes:
    out = io.BytesIO()
    files.open(source, out, key=KEY)
    return out.getvalue()


def test_two_sealings_of_the_same_data_have_nothing_in_common_but_the_header_fields() -> None:
    one, two = sealed(b"same"), sealed(b"same")
    assert one[:32] == two[:32]
    assert one[32:64] != two[32:64]
    assert one[HEADER + 16 :] != two[HEADER + 16 :]


def test_a_bare_key_equals_a_key_object() -> None:
    ours = keys.Key(keys.DEFAULT_ALGORITHM, KEY.material)
    assert opened(sealed(b"x", key=KEY.material), key=ours) == b"x"
    assert opened(sealed(b"x", key=KEY.material, algorithm="schwaemm256-128"), key=KEY) == b"x"
    assert opened(sealed(b"x"), key=KEY.material) == b"x"  # the file says what the bytes are for


def test_progress_ends_at_the_size() -> None:
    seen: list[int] = []
    sealed(text(2 * BATCH + 10 * CHUNK), progress=seen.append)
    assert seen == [BATCH, 2 * BATCH, 2 * BATCH + 10 * CHUNK]


@pytest.mark.parametrize(
    "size", [BATCH - 1, BATCH, BATCH + 1, 2 * BATCH - CHUNK, 2 * BATCH, 2 * BATCH + CHUNK + 1]
)
def test_sizes_around_a_batch(size: int) -> None:
    data = text(size)
    whole = sealed(data)
    assert opened(whole, key=KEY) == data
    assert len(whole) == HEADER + size + 32 * -(-size // CHUNK)


@pytest.mark.parametrize("chunk", [0, BATCH // CHUNK - 1, BATCH // CHUNK, BATCH // CHUNK + 44])
def test_all_chunks_before_the_first_fault_are_delivered(chunk: int) -> None:
    data = text(2 * BATCH + 5)
    bad = bytearray(sealed(data))
    for place in (chunk, chunk + 3):
        bad[HEADER + place * RECORD + 20] ^= 1
    out = io.BytesIO()
    with pytest.raises(files.AlteredChunkError, match=f"chunk {chunk} was altered"):
        files.open(io.BytesIO(bad), out, key=KEY)
    assert out.getvalue() == data[: chunk * CHUNK]


@pytest.mark.parametrize("chunks_left", [BATCH // CHUNK - 1, BATCH // CHUNK, BATCH // CHUNK + 1])
def test_cut_and_appended_around_a_batch(chunks_left: int) -> None:
    with pytest.raises(files.TruncatedError, match=f"it ends after chunk {chunks_left - 1}, and"):
        opened(sealed(text(2 * BATCH))[: HEADER + chunks_left * RECORD], key=KEY)
    with pytest.raises(files.AppendedDataError, match=f"its final chunk, number {chunks_left - 1}"):
        opened(sealed(text(chunks_left * CHUNK)) + b"x", key=KEY)


def test_every_flipped_byte_is_refused_and_nothing_false_is_written() -> None:
    data = text(CHUNK + 40)
    good = sealed(data)
    positions = [
        *range(HEADER + 16 + 40),
        *range(HEADER + RECORD - 20, len(good)),
        *range(200, HEADER + RECORD, 97),
    ]
    for position in positions:
        bad = bytearray(good)
        bad[position] ^= 1 << position % 8
        out = io.BytesIO()
        with pytest.raises((files.SealedFileError, files.ParameterError)):
            files.open(io.BytesIO(bad), out, key=KEY)
        assert out.getvalue() in (b"", data[:CHUNK]), (
            f"byte {position}: text was released that is not the beginning"
        )


def test_every_truncation_is_called_truncation() -> None:
    good = sealed(text(2 * CHUNK + 10))
    for end in [
        *range(1, HEADER + 40),
        *range(HEADER + RECORD - 3, HEADER + RECORD + 20),
        *range(len(good) - 60, len(good)),
    ]:
        with pytest.raises(files.TruncatedError, match=r"truncated|cut off"):
            opened(good[:end])


def chunks(data: bytes) -> tuple[bytes, list[bytes]]:
    body = data[HEADER:]
    return data[:HEADER], [body[i : i + RECORD] for i in range(0, len(body), RECORD)]


def test_exchanged_chunks() -> None:
    head, parts = chunks(sealed(text(4 * CHUNK)))
    with pytest.raises(
        files.ReorderedChunkError, match="chunk 2 stands where chunk 1 belongs"
    ) as caught:
        opened(head + b"".join([parts[0], parts[2], parts[1], parts[3]]))
    assert caught.value.chunk == 1


def test_removed_chunk() -> None:
    head, parts = chunks(sealed(text(4 * CHUNK)))
    with pytest.raises(files.ReorderedChunkError, match="reordered or removed"):
        opened(head + b"".join([parts[0], parts[1], parts[3]]))


def test_duplicated_chunk() -> None:
    head, parts = chunks(sealed(text(4 * CHUNK)))
    with pytest.raises(
        files.DuplicatedChunkError,
        match="chunk 1 was duplicated: it stands again where chunk 2 belongs",
    ):
        opened(head + b"".join([parts[0], parts[1], parts[1], *parts[2:]]))


def test_chunk_with_a_forged_index_is_altered_not_reordered() -> None:
    head, parts = chunks(sealed(text(3 * CHUNK)))
    forged = (1).to_bytes(8, "little") + parts[0][8:]
    with pytest.raises(files.AlteredChunkError, match="chunk 0 was altered"):
        opened(head + forged + parts[1] + parts[2])


def test_chunk_of_another_file_with_the_same_key_is_altered() -> None:
    head, parts = chunks(sealed(text(3 * CHUNK)))
    _, foreign = chunks(sealed(text(3 * CHUNK)))
    with pytest.raises(files.AlteredChunkError, match="chunk 1 was altered"):
        opened(head + parts[0] + foreign[1] + parts[2])


def test_the_first_of_two_faults_is_reported() -> None:
    good = bytearray(sealed(text(6 * CHUNK)))
    good[HEADER + RECORD + 100] ^= 1
    with pytest.raises(files.AlteredChunkError, match="chunk 1 was altered"):
        opened(bytes(good[: HEADER + 3 * RECORD + 7]), threads=4)


def test_appended_data() -> None:
    good = sealed(text(CHUNK + 1))
    for extra in (b"\0", good[-20:], good):
        with pytest.raises(files.AppendedDataError, match="data was appended"):
            opened(good + extra)


@settings(max_examples=60, deadline=None)
@given(order=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), max_size=6))
def test_no_other_sequence_of_genuine_chunks_opens(order: list[tuple[int, int]]) -> None:
    parts = [PAIR[which][1][place] for which, place in order]
    good = order == [(0, 0), (0, 1), (0, 2), (0, 3)]
    out = io.BytesIO()
    try:
        files.open(io.BytesIO(PAIR[0][0] + b"".join(parts)), out, key=KEY)
    except files.SealedFileError:
        assert not good
        assert text(4 * CHUNK - 9).startswith(out.getvalue())
    else:
        assert good, f"chunks {order} were accepted"


PAIR = [chunks(sealed(text(4 * CHUNK - 9))) for _ in range(2)]


def test_control_the_genuine_sequence_opens() -> None:
    assert opened(PAIR[0][0] + b"".join(PAIR[0][1])) == text(4 * CHUNK - 9)


def test_final_flag_cannot_be_moved_forward() -> None:
    head, parts = chunks(sealed(text(3 * CHUNK)))
    with pytest.raises(files.AlteredChunkError):
        opened(head + parts[0][:12] + b"\1" + parts[0][13:])


def test_empty_and_foreign_input() -> None:
    with pytest.raises(files.EmptyFileError, match="empty"):
        opened(b"")
    with pytest.raises(files.ForeignFileError, match="not a hanji sealed file"):
        opened(b"\x7fELF" + bytes(300))
    with pytest.raises(files.ForeignFileError):
        opened(b"x")


def test_wrong_key_names_both_ids() -> None:
    with pytest.raises(
        files.WrongKeyError, match=f"{KEY.key_id.hex()}, you gave {OTHER.key_id.hex()}"
    ):
        opened(sealed(b"x"), key=OTHER)


def test_key_id_alone_does_not_open() -> None:
    good = sealed(b"x")
    forged = with_checksum(good[:24] + OTHER.key_id + good[32:HEADER]) + good[HEADER:]
    with pytest.raises(files.DamagedHeaderError, match="does not fit the key"):
        opened(forged, key=OTHER)


def test_versions_and_algorithms_to_come() -> None:
    good = sealed(b"x")
    with pytest.raises(
        files.UnsupportedVersionError, match="format version 2; this hanji reads version 1"
    ):
        opened(good[:8] + b"\2" + good[9:])
    other = with_checksum(good[:10] + b"\2" + good[11:HEADER]) + good[HEADER:]
    with pytest.raises(files.WrongKeyError):  # a key is for one algorithm
        opened(other, key=KEY)
    with pytest.raises(files.WrongKeyError):  # and its id depends on the algorithm
        opened(other, key=KEY.material)
    with pytest.raises(
        files.UnsupportedVersionError,
        match=r"algorithm number 3; this hanji opens numbers 1 .*, 2 ",
    ):
        opened(with_checksum(good[:10] + b"\3" + good[11:HEADER]) + good[HEADER:])


@pytest.mark.parametrize(
    ("position", "value"),
    [(11, 0), (11, 3), (13, 1), (14, 1), (15, 1), (16, 1), (20, 1), (23, 255)],
)
def test_undefined_header_values_are_refused_even_with_a_right_checksum(
    position: int, value: int
) -> None:
    good = bytearray(sealed(b"x"))
    good[position] = value
    with pytest.raises((files.DamagedHeaderError, files.ParameterError)):
        opened(with_checksum(bytes(good[:HEADER])) + bytes(good[HEADER:]))


@pytest.mark.parametrize("log2", [0, 11, 25, 40, 255])
def test_chunk_size_is_bounded_before_memory_is_taken(log2: int) -> None:
    good = bytearray(sealed(b"x"))
    good[12] = log2
    with pytest.raises(files.ParameterError, match="asks for chunks"):
        opened(with_checksum(bytes(good[:HEADER])) + bytes(good[HEADER:]))


@pytest.mark.parametrize(
    ("position", "value", "word"),
    [
        (13, b"\x11", "passes"),
        (13, b"\0", "passes"),
        (14, b"\x11", "lanes"),
        (16, (2**31).to_bytes(4, "little"), "memory"),
        (16, bytes(4), "memory"),
    ],
)
def test_argon2_parameters_are_bounded_before_they_are_used(
    position: int, value: bytes, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = sealed(b"x", passphrase="p", argon2=CHEAP)
    head = good[:position] + value + good[position + len(value) : HEADER]

    def used(*_: object, **__: object) -> bytes:
        raise AssertionError("Argon2id was started")

    monkeypatch.setattr("argon2.low_level.hash_secret_raw", used)
    with pytest.raises(files.ParameterError, match=word):
        opened(with_checksum(head) + good[HEADER:], passphrase="p")


def test_passphrases() -> None:
    good = sealed(b"x", passphrase="mulberry", argon2=CHEAP)
    assert opened(good, passphrase=lambda: "mulberry") == b"x"
    with pytest.raises(files.WrongPassphraseError, match="wrong passphrase"):
        opened(good, passphrase="Mulberry")
    with pytest.raises(files.PassphraseNeededError, match="with a passphrase"):
        opened(good, key=KEY)
    with pytest.raises(files.KeyNeededError, match=KEY.key_id.hex()):
        opened(sealed(b"x"), passphrase="mulberry")
    with pytest.raises(ValueError, match="empty"):
        sealed(b"x", passphrase="")


def test_default_argon2_parameters_are_stored_and_used() -> None:
    good = sealed(b"x", passphrase="p")
    assert files.read_header(io.BytesIO(good)).argon2 == files.Argon2Parameters(3, 64 << 10, 4)
    assert opened(good, passphrase="p") == b"x"


def test_key_of_another_algorithm_is_refused() -> None:
    with pytest.raises(ValueError, match="for speck-128/256; sealed files need"):
        sealed(b"x", key=keys.generate("speck-128/256"))
    with pytest.raises(ValueError, match="16 bytes; 5 were given"):
        sealed(b"x", key=b"short")


@pytest.mark.parametrize("size", [0, 1, 2048, 5000, 1 << 25, -4096])
def test_chunk_size_of_the_writer_is_checked(size: int) -> None:
    with pytest.raises(ValueError, match="power of two"):
        sealed(b"x", chunk_size=size)


def test_header_can_be_read_without_a_key() -> None:
    header = files.read_header(io.BytesIO(sealed(b"x")))
    assert (header.key_source, header.chunk_size, header.key_id) == (
        files.KeySource.KEY,
        CHUNK,
        KEY.key_id,
    )


def test_failing_destination_ends_the_work() -> None:
    class Full(io.RawIOBase):
        def write(self, data: object) -> int:
            raise OSError(errno.ENOSPC, "no space left on device")

    before = threading.active_count()
    with pytest.raises(OSError, match="no space left"):
        files.seal(io.BytesIO(text(40 * CHUNK)), Full(), key=KEY, chunk_size=CHUNK, threads=4)
    assert threading.active_count() == before, "worker threads are left behind"


def test_paths(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(text(100))
    files.seal_file(tmp_path / "in", tmp_path / "sealed", key=KEY)
    files.open_file(tmp_path / "sealed", tmp_path / "out", key=KEY)
    assert (tmp_path / "out").read_bytes() == text(100)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "out", "sealed"]


def test_open_file_leaves_nothing_on_failure(tmp_path: Path) -> None:
    (tmp_path / "sealed").write_bytes(sealed(text(9 * CHUNK))[:-1])
    with pytest.raises(files.TruncatedError):
        files.open_file(tmp_path / "sealed", tmp_path / "out", key=KEY)
    assert [p.name for p in tmp_path.iterdir()] == ["sealed"]


class TestAtomicOutput:
    def test_no_replacement_of_a_file_that_appears_meanwhile(self, tmp_path: Path) -> None:
        target = tmp_path / "out"
        with pytest.raises(FileExistsError), files.AtomicOutput(target) as output:
            output.write(b"ours")
            target.write_bytes(b"theirs")
        assert target.read_bytes() == b"theirs"
        assert list(tmp_path.iterdir()) == [target]

    def test_file_systems_without_hard_links(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def link(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, "no hard links here")

        monkeypatch.setattr(_atomic.os, "link", link)
        target = tmp_path / "out"
        with files.AtomicOutput(target) as output:
            output.write(b"first")
        with pytest.raises(FileExistsError), files.AtomicOutput(target) as output:
            output.write(b"second")
        assert target.read_bytes() == b"first"
        late = tmp_path / "late"
        with pytest.raises(FileExistsError), files.AtomicOutput(late) as output:
            late.write_bytes(b"theirs")
        assert late.read_bytes() == b"theirs"
        assert sorted(tmp_path.iterdir()) == [late, target]

    def test_overwrite_keeps_the_old_file_until_the_end(self, tmp_path: Path) -> None:
        target = tmp_path / "out"
        target.write_bytes(b"old")
        with pytest.raises(RuntimeError), files.AtomicOutput(target, overwrite=True) as output:
            output.write(b"new")
            raise RuntimeError
        assert target.read_bytes() == b"old"
        with files.AtomicOutput(target, overwrite=True) as output:
            output.write(b"new")
            assert target.read_bytes() == b"old"
        assert target.read_bytes() == b"new"
        assert list(tmp_path.iterdir()) == [target]

    def test_mode_follows_the_umask_and_never_widens(self, tmp_path: Path) -> None:
        old = os.umask(0o027)
        try:
            with files.AtomicOutput(tmp_path / "a"):
                pass
            (tmp_path / "b").touch(mode=0o600)
            with files.AtomicOutput(tmp_path / "b", overwrite=True):
                pass
        finally:
            os.umask(old)
        assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
        assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600

    def test_full_disk_is_reported_with_the_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "out"

        def full(*_: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        with (
            pytest.raises(OSError, match="No space left") as caught,
            files.AtomicOutput(target) as output,
        ):
            monkeypatch.setattr(
                output, "_raw", type("Full", (), {"write": full, "close": lambda self: None})()
            )
            output.write(b"x")
        assert caught.value.filename == str(target)
        assert list(tmp_path.iterdir()) == []


class Lying(io.BytesIO):
    """A file object that tells another number of bytes than it has read or written."""

    def __init__(self, data: bytes, told: int) -> None:
        super().__init__(data)
        self.told = told

    def readinto(self, buffer: object) -> int:
        return self.told

    def write(self, data: object) -> int:
        return self.told


class Keeping(io.RawIOBase):
    """A file object that keeps what it is given, and reads and writes as another one does."""

    def __init__(self, data: bytes = b"") -> None:
        self.inner = io.BytesIO(data)
        self.kept: list[memoryview] = []

    def readinto(self, buffer: object) -> int:
        self.kept.append(memoryview(buffer))  # type: ignore[call-overload]
        return self.inner.readinto(self.kept[-1])

    def write(self, data: object) -> int:
        self.kept.append(memoryview(data))  # type: ignore[call-overload]
        return min(self.kept[-1].nbytes, 700_001)

    def taken(self) -> bytes:
        """What was written, out of what was kept: a call may have taken less than it was given."""
        return b"".join(bytes(data)[:700_001] for data in self.kept)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_output_may_keep_what_it_is_given(threads: int) -> None:
    """Memory of batches is used again and wiped: an output that kept a view of it had zeros, and
    the text was lost.
    """
    data = text(5 * BATCH + 77)
    shut, back = Keeping(), Keeping()
    files.seal(io.BytesIO(data), shut, key=KEY, chunk_size=CHUNK, threads=threads)
    files.open(io.BytesIO(shut.taken()), back, key=KEY, threads=threads)
    assert back.taken() == data
    assert opened(shut.taken()) == data


@pytest.mark.parametrize("threads", [1, 3])
def test_an_input_may_keep_what_it_reads_into(threads: int) -> None:
    """It has memory of its own: what it writes there later is not sealed."""

    class Late(Keeping):
        def readinto(self, buffer: object) -> int:
            for place in self.kept:
                place[:] = b"\xff" * place.nbytes
            return super().readinto(buffer)

    data = text(3 * BATCH)
    out = io.BytesIO()
    files.seal(Late(data), out, key=KEY, chunk_size=CHUNK, threads=threads)
    assert opened(out.getvalue()) == data


class TooMuch:
    def __init__(self, data: bytes) -> None:
        self.inner = io.BytesIO(data)

    def read(self, size: int) -> bytes:
        return self.inner.read(size) + b"more"


@pytest.mark.parametrize("told", [-1, 1 << 30, 1 << 70])
def test_file_objects_that_lie_are_not_believed(told: int) -> None:
    """One that tells of more than was asked for had old contents of the buffer sealed, and one that
    writes nothing was asked for ever.
    """
    whole = sealed(text(100))
    with pytest.raises(OSError, match=f"the input gave {told} bytes of"):
        files.seal(Lying(text(100), told), io.BytesIO(), key=KEY)
    for wrong in (told, 0):
        with pytest.raises(OSError, match=f"the output took {wrong} bytes of"):
            files.seal(io.BytesIO(text(100)), Lying(b"", wrong), key=KEY)
        with pytest.raises(OSError, match=f"the output took {wrong} bytes of"):
            files.open(io.BytesIO(whole), Lying(b"", wrong), key=KEY)
    with pytest.raises(OSError, match=r"the input gave \d+ bytes of"):
        files.seal(TooMuch(text(1 << 20)), io.BytesIO(), key=KEY)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [4096.0, "4096", None, b"4096", [4096]])
def test_sizes_are_ints(wrong: object) -> None:
    with pytest.raises(TypeError, match="chunk size must be an int"):
        sealed(b"text", chunk_size=wrong)
    for name in ("passes", "memory_kib"):
        with pytest.raises(TypeError, match=f"Argon2id {name} must be an int"):
            files.Argon2Parameters(**{name: wrong})  # type: ignore[arg-type]
