# SPDX-License-Identifier: Apache-2.0
"""Coverage-guided fuzzing of `hanji.files.open` and `hanji.keys.loads` with atheris.

Usage: python fuzz_python.py sealed|key [--plant NAME] [libFuzzer options and corpus folders]
       python fuzz_python.py --write-seeds FOLDER

The first byte of an input says what is done to the rest before it is read: nothing; or checksums
are made right again, so that the checks behind them are reached; or a sealed file is sealed anew by
somebody who knows its key, so that its frames carry genuine tags. What then may happen stands in
`sealed` and `key`: a documented exception, or what was really sealed. Three things are changed in
hanji: chunks may be as small as 16 bytes, so that a file of several chunks is a tiny input; four of
them make a batch, which otherwise has room for 1 MiB; and Argon2id is replaced by one hash, after
its parameters were seen to be in bounds.
"""

from __future__ import annotations

import base64
import contextlib
import io
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(include=["hanji"]):
    from hanji import files, keys
    from hanji._derive import Argon2Parameters, expand
    from hanji.aead import Schwaemm256_128
    from hanji.files import _format, _stream
    from hanji.hashes import Esch256

SEEDS = Path(__file__).with_name("seeds")
KEY = keys.Key("schwaemm256-128", bytes(range(16)))
PASSPHRASE = "p"
COMMENTS = ("", "c")  # of the key containers among the seeds
CHUNK = 16
TEXT = bytes(i * 5 % 256 for i in range(3 * CHUNK))
# beyond what the fuzzer itself has: above the largest chunks that a file may ask for, far below
# what a wrong bound lets through
MEMORY = 1 << 30

CHECKSUM, RESEAL, BY_PATH = 1, 2, 4  # bits of the first byte; a key container has the first only

SEALED_ERRORS = (files.SealedFileError, files.ParameterError, files.WrongPassphraseError)
KEY_ERRORS = (keys.KeyFileError, keys.ParameterError, keys.WrongPassphraseError)


def cheap_stretch(passphrase: str, salt: bytes, parameters: Argon2Parameters) -> bytes:
    """In place of Argon2id, whose greatest permitted cost is seconds."""
    t, m, p = parameters.passes, parameters.memory_kib, parameters.lanes
    assert 1 <= t <= 16 and 1 <= p <= 16 and 8 * p <= m <= 1 << 20, (
        f"Argon2id was asked for t={t} m={m} p={p}"
    )
    return expand(
        "fuzzing", passphrase.encode(), salt, bytes([t, p]), m.to_bytes(4, "little"), length=32
    )


def file_keys(file: bytes) -> bytes:
    """File key and commitment of a header, as docs/format.md derives them, for anybody who knows
    the secret.
    """
    secret = KEY.material
    if file[11] in (files.KeySource.PASSPHRASE, files.KeySource.SHARED_PASSPHRASE):
        shared = file[11] == files.KeySource.SHARED_PASSPHRASE
        # no secret belongs to such a header, so any will do
        with contextlib.suppress(files.ParameterError):
            secret = cheap_stretch(
                PASSPHRASE,
                file[32:48] if shared else file[32:64],
                Argon2Parameters(file[13], int.from_bytes(file[16:20], "little"), file[14]),
            )
    return expand("hanji sealed file v1", secret, file[32:64], file[:32], length=48)


def reseal(file: bytes) -> tuple[bytes, list[tuple[bytes, bytes]], bool]:
    """A file with the same fields and frames that somebody with the key made; its frames with their
    texts; whether that is all of it.
    """
    if len(file) < 128:
        return file, [], False
    made = file_keys(file)
    header = file[:64] + made[16:]
    header += Esch256(header).digest()
    cipher = Schwaemm256_128(made[:16])
    out, rest, chunks = header, file[128:], []
    while len(rest) >= 32 and len(rest) >= 32 + (length := int.from_bytes(rest[8:12], "little")):
        frame, text = rest[:16], rest[16 : 16 + length]
        out += frame + cipher.encrypt(frame + bytes(16), text, header)
        chunks.append((frame, text))
        rest = rest[32 + length :]
    return out + rest, chunks, not rest


def in_order(chunks: list[tuple[bytes, bytes]], chunk_size: int) -> bool:
    """Whether a writer makes these frames: numbered from 0, all full but the last, which alone says
    so and is empty only when alone.
    """
    for i, (frame, text) in enumerate(chunks):
        last = i == len(chunks) - 1
        if frame != i.to_bytes(8, "little") + len(text).to_bytes(4, "little") + bytes(
            [last, 0, 0, 0]
        ):
            return False
        if len(text) > chunk_size or (len(text) < chunk_size and not last) or (not text and i > 0):
            return False
    return bool(chunks)


def open_sealed(file: bytes, by_path: bool) -> tuple[bool, bytes]:
    """Whether the file was opened, and what was given out. By path nothing may be left when it was
    refused.
    """
    if not by_path:
        out = io.BytesIO()
        try:
            count = files.open(io.BytesIO(file), out, key=KEY, passphrase=PASSPHRASE, threads=1)
        except SEALED_ERRORS:
            return False, out.getvalue()
        assert count == len(out.getvalue()), (
            f"{count} bytes were announced, {len(out.getvalue())} written"
        )
        return True, out.getvalue()
    folder = FOLDER
    (folder / "in").write_bytes(file)
    try:
        files.open_file(folder / "in", folder / "out", key=KEY, passphrase=PASSPHRASE, threads=1)
    except SEALED_ERRORS:
        left = [path.name for path in folder.iterdir()]
        assert left == ["in"], f"a refused file left {left}"
        return False, b""
    text = (folder / "out").read_bytes()
    (folder / "out").unlink()
    return True, text


def sealed(data: bytes) -> None:
    """A sealed file is opened: only what was sealed comes out, whole or as a beginning with a
    documented exception.
    """
    mode, file = data[:1], data[1:]
    flags = mode[0] if mode else 0
    if flags & RESEAL:
        file, chunks, complete = reseal(file)
        opened, out = open_sealed(file, bool(flags & BY_PATH))
        text = b"".join(text for _, text in chunks)
        assert text.startswith(out), "text was given out that was not sealed"
        if opened:
            assert complete and in_order(chunks, 1 << file[12]), (
                "a file was opened whose frames no writer makes"
            )
            assert out == text, "an opened file is not whole"
        return
    if flags & CHECKSUM and len(file) >= 128:
        file = file[:96] + Esch256(file[:96]).digest() + file[128:]
    opened, out = open_sealed(file, bool(flags & BY_PATH))
    assert TEXT.startswith(out), "text was given out that was not sealed"
    if opened:
        assert GENUINE.get(file) == out, "a file was opened that nobody sealed"


def pem(text: bytes) -> None:
    """A key in PEM is read: each key has one encoding but for the optional public key of PKCS#8, so
    writing it again gives the same bytes, or a private key without that.
    """
    try:
        found = keys.loads(text)
    except keys.KeyFileError:
        return
    again = keys.dumps(found, format="pem")
    assert keys.loads(again) == found, "a key was read that cannot be written"
    body, written = (
        base64.b64decode(b"".join(one.split(b"-----")[2].split())) for one in (text, again.encode())
    )
    extra = len(found.material) // 2 + 3 if found.kind == "private" else 0
    assert body == written or len(body) == len(written) + extra, "a key has two encodings"


def key(data: bytes) -> None:
    """A key container is read: the key that it holds comes out, or a documented exception; from
    behind a passphrase only what was written.
    """
    repaired, text = bool(data[:1]) and bool(data[0] & CHECKSUM), data[1:]
    try:
        label, lines = keys._enclosed(text)
        if label in keys._PEM_KINDS:
            pem(text)
            return
        values, body = keys._container(lines)
        if repaired:
            right = keys._checksum(
                label,
                [f"{name}: {value}" for name, value in values.items() if name != "Checksum"],
                body,
            )
            text = text.replace(
                f"Checksum: {values['Checksum']}".encode(), f"Checksum: {right.hex()}".encode(), 1
            )
    except keys.KeyFileError:
        values, body = {}, b""
    try:
        found = keys.loads(text, PASSPHRASE)
    except KEY_ERRORS:
        return
    assert keys.loads(keys.dumps(found)) == found, "a key was read that cannot be written"
    if not repaired or values["Protection"] != "none":
        same = (found.algorithm, found.material, found.kind) == (
            KEY.algorithm,
            KEY.material,
            KEY.kind,
        )
        assert same and found.comment in COMMENTS, "a key was read that nobody wrote"
    else:
        # Anybody can write a key that has no passphrase; then its own id must stand there (the
        # fuzzer finds ids by itself, from comparisons).
        right = expand("hanji key id v1", values["Algorithm"].encode(), body, length=8)
        assert (found.algorithm, found.material, right.hex()) == (
            values["Algorithm"],
            body,
            values["Key-Id"],
        ), "a key was read under a wrong id"


_OPEN = _stream._Sealer.open


def careless(sealer: Any, batch: Any) -> None:
    """Opening that gives out whatever comes out."""
    chunks = list(batch.chunks)
    _OPEN(sealer, batch)
    batch.chunks, batch.failure = chunks, None


_PARSE_FRAME = _format.parse_frame


class Leftover(io.FileIO):
    """An output that is there before it is whole."""

    def __init__(self, path: Any, *, overwrite: bool) -> None:
        super().__init__(path, "w")

    def write_pieces(self, pieces: Any) -> None:
        for piece in pieces:
            self.write(piece)


def plant(name: str) -> None:
    """Break hanji in one of the ways that must be found."""
    broken: dict[str, tuple[Any, str, Any]] = {
        "tag": (_stream._Sealer, "open", careless),
        "frame": (
            _stream,
            "parse_frame",
            lambda frame, size: _PARSE_FRAME(bytes(frame[:13]) + bytes(3), size),
        ),
        "memory": (_format, "MAX_CHUNK_LOG2", 31),
        "leftover": (_stream, "AtomicOutput", Leftover),
        "checksum": (keys, "compare_digest", lambda a, b: True),
        "body": (keys, "_body", lambda lines: base64.b64decode("".join(lines), validate=True)),
    }
    where, attribute, value = broken[name]
    setattr(where, attribute, value)


def write_seeds(folder: Path) -> None:
    """Genuine files and containers, each with first bytes that reach all ways of reading them."""
    cheap = Argon2Parameters(1, 64, 1)
    salts = iter(bytes([n]) * 32 for n in range(1, 99))
    _stream.random_salt = lambda: next(salts)
    keys.random_bytes = lambda size: next(salts)
    made: dict[str, list[bytes]] = {"sealed": [], "key": []}
    for length, secret in (
        (0, "key"),
        (5, "key"),
        (CHUNK, "key"),
        (3 * CHUNK - 3, "key"),
        (CHUNK + 2, "passphrase"),
    ):
        out = io.BytesIO()
        options: dict[str, Any] = {"key": KEY}
        if secret == "passphrase":
            options = {"passphrase": PASSPHRASE, "argon2": cheap, "algorithm": KEY.algorithm}
        files.seal(io.BytesIO(TEXT[:length]), out, chunk_size=CHUNK, threads=1, **options)
        made["sealed"] += [bytes([flags]) + out.getvalue() for flags in (0, CHECKSUM, RESEAL)]
    made["sealed"].append(bytes([BY_PATH]) + made["sealed"][-1][1:])
    for text in (keys.dumps(KEY), keys.dumps(KEY, PASSPHRASE, cheap)):
        made["key"] += [bytes([flags]) + text.encode() for flags in (0, CHECKSUM)]
    commented = keys.dumps(keys.Key(KEY.algorithm, KEY.material, comment=COMMENTS[1])).encode()
    made["key"] += [bytes([flags]) + commented for flags in (0, CHECKSUM)]
    shared = files.SharedPassphrase(PASSPHRASE, cheap)
    shared.salt = bytes([98]) * len(shared.salt)
    out = io.BytesIO()
    options = {"passphrase": shared, "algorithm": KEY.algorithm, "chunk_size": CHUNK}
    files.seal(io.BytesIO(TEXT[: CHUNK + 2]), out, threads=1, **options)
    made["sealed"] += [bytes([flags]) + out.getvalue() for flags in (0, CHECKSUM, RESEAL)]
    for target, inputs in made.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for i, data in enumerate(inputs):
            (folder / target / f"{i:02}").write_bytes(data)


def genuine() -> dict[bytes, bytes]:
    """The sealed files of the seeds with their texts; SystemExit when one does not open."""
    found = {}
    for path in sorted((SEEDS / "sealed").iterdir()):
        file = path.read_bytes()[1:]
        opened, text = open_sealed(file, by_path=False)
        if not opened or not TEXT.startswith(text):
            sys.exit(
                f"{path} does not open; write the seeds again: python {sys.argv[0]} "
                f"--write-seeds {SEEDS}"
            )
        found[file] = text
    return found


_format.MIN_CHUNK_LOG2 = CHUNK.bit_length() - 1
_stream._BATCH_BYTES = _stream._BUFFER_BYTES = 4 * CHUNK
for module in (_format, _stream, keys):
    module.stretch = cheap_stretch  # type: ignore[attr-defined]

if __name__ == "__main__":
    if sys.argv[1] == "--write-seeds":
        write_seeds(Path(sys.argv[2]))
        sys.exit()
    target = {"sealed": sealed, "key": key}[sys.argv.pop(1)]
    FOLDER = Path(tempfile.mkdtemp())
    GENUINE = genuine()
    if sys.argv[1] == "--plant":
        plant(sys.argv[2])
        del sys.argv[1:3]
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
