# SPDX-License-Identifier: Apache-2.0
"""No message shows a key that was given in the wrong place: every argument of every public callable
takes a marker in place of what belongs there, in every type that a key comes in.
"""

from __future__ import annotations

import base64
import inspect
import io
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hanji
from hanji import aead, epoch, files, fleet, gpu, hashes, hazmat, keys, sign, table, telemetry

SECRET = b"MARKERofSECRETsA"  # 16 bytes, as most keys
TEXT = SECRET.decode()
NUMBER = int.from_bytes(SECRET, "big")

# What a marker looks like in messages; parts of it, because messages cut what is long.
FORMS = [
    TEXT,
    SECRET.hex(),
    base64.b64encode(SECRET).decode().rstrip("="),
    str(NUMBER),
    str(int.from_bytes(SECRET, "little")),
    f"{NUMBER:x}",
    ", ".join(map(str, SECRET)),
    " ".join(map(str, SECRET)),
]
PARTS = {form[at : at + 10] for form in FORMS for at in range(len(form) - 9)}


def shows(text: str) -> bool:
    return any(part.lower() in text.lower() for part in PARTS)


class Sub(str):
    __slots__ = ()


MARKERS: dict[str, Callable[[], Any]] = {
    "bytes": lambda: SECRET,
    "bytes, one short": lambda: SECRET[:15],
    "bytes, twice": lambda: SECRET * 2,
    "bytearray": lambda: bytearray(SECRET),
    "memoryview": lambda: memoryview(SECRET),
    "str": lambda: TEXT,
    "str of a subclass": lambda: Sub(TEXT),
    "long str": lambda: TEXT * 20,
    "str, not ASCII": lambda: f"{TEXT}é\ud800",
    "hexadecimal": lambda: SECRET.hex(),
    "base64": lambda: base64.b64encode(SECRET).decode(),
    "path below a folder": lambda: f"{TEXT}/{TEXT}",
    "int": lambda: NUMBER,
    "list of int": lambda: list(SECRET),
    "list of bytes": lambda: [SECRET],
    "list of str": lambda: [TEXT],
    "tuple": lambda: (SECRET, TEXT),
    "dict": lambda: {TEXT: SECRET},
    "array": lambda: np.frombuffer(SECRET, np.uint8),
    "array of words": lambda: np.frombuffer(SECRET, np.uint32),
    "array of str": lambda: np.array([TEXT]),
    "Arrow array": lambda: pa.array([SECRET]),
    "Arrow table": lambda: pa.table({TEXT: pa.array([SECRET], pa.binary())}),
    "key object": lambda: keys.Key("ascon-aead128", SECRET),
}

ROWS = np.zeros((2, 16), np.uint8)
TABLE = pa.table(
    {
        "device": pa.array([1], pa.uint32()),
        "epoch": pa.array([1], pa.uint32()),
        "number": pa.array([1], pa.uint32()),
        "payload": pa.array([b"x"], pa.binary()),
        "status": pa.array([0], pa.int8()),
        "frame": pa.array([bytes(40)], pa.binary()),
        "nonce": pa.array([7], pa.uint64()),
    }
)
MASTERS = pa.table({"device": pa.array([1], pa.uint32()), "master": pa.array([SECRET])})
KEY = bytes(16)


def key_pair() -> tuple[keys.Key, keys.Key]:
    private = sign.scheme("aimer3-128f").generate()
    return private.to_key(), private.public_key.to_key()


def calls() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Callables with arguments that they take."""
    made: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {}
    sealed = io.BytesIO()
    files.seal(io.BytesIO(b"text"), sealed, key=KEY)
    private, public = key_pair()
    signer = sign.load(private)
    signature = signer.sign(b"message")
    for name in aead.__all__:
        cls = getattr(aead, name)
        one = cls(bytes(cls.key_size))
        nonce = bytes(cls.nonce_size)
        text = one.encrypt(nonce, b"text")
        seal = {"nonce": nonce, "data": b"text", "associated_data": b""}
        made |= {
            f"aead.{name}": (cls, {"key": bytes(cls.key_size)}),
            f"aead.{name}.encrypt": (one.encrypt, seal),
            f"aead.{name}.decrypt": (one.decrypt, seal | {"data": text}),
            f"aead.{name}.encrypt_into": (one.encrypt_into, seal | {"buf": bytearray(99)}),
            f"aead.{name}.decrypt_into": (
                one.decrypt_into,
                seal | {"data": text, "buf": bytearray(99)},
            ),
            f"aead.{name}.generate_nonce": (cls.generate_nonce, {}),
            f"aead.{name}.generate_key": (cls.generate_key, {}),
        }
    made["aead.AsconAEAD128"][1].update(tag_length=16, nonce_masking=False)
    for name in hashes.__all__:
        cls = getattr(hashes, name)
        one, length = cls(), {} if cls().digest_size else {"length": 4}
        made |= {
            f"hashes.{name}": (cls, {"data": b""}),
            f"hashes.{name}.update": (lambda data, cls=cls: cls().update(data), {"data": b""}),
            f"hashes.{name}.digest": (one.digest, length),
            f"hashes.{name}.hexdigest": (one.hexdigest, length),
            f"hashes.{name}.copy": (one.copy, {}),
        }
        if length:
            made[f"hashes.{name}.read"] = (cls().read, length)
    made["hashes.AsconCXOF128"][1].update(customization=b"")
    cipher = {"name": "speck-64/128", "key": KEY}
    block, ctr = hazmat.block(**cipher), hazmat.ctr(**cipher, iv=bytes(8))
    cmac, eax = hazmat.cmac(**cipher), hazmat.eax(**cipher)
    made |= {
        "hazmat.AsconAEAD128ShortTag": (
            hazmat.AsconAEAD128ShortTag,
            {"key": KEY, "tag_length": 4, "nonce_masking": False},
        ),
        "hazmat.block": (hazmat.block, cipher),
        "hazmat.block.encrypt": (block.encrypt, {"blocks": bytes(8)}),
        "hazmat.block.decrypt": (block.decrypt, {"blocks": bytes(8)}),
        "hazmat.ctr": (
            hazmat.ctr,
            cipher | {"iv": bytes(8), "limit": 9, "device": None, "verify": "none"},
        ),
        "hazmat.ctr.update": (ctr.update, {"data": b""}),
        "hazmat.ctr.update_into": (ctr.update_into, {"data": b"", "buf": bytearray(9)}),
        "hazmat.ctr_message": (hazmat.ctr_message, cipher | {"iv": bytes(8), "data": b"x"}),
        "hazmat.cmac": (hazmat.cmac, cipher | {"limit": 9}),
        "hazmat.cmac.update": (lambda data: cmac.copy().update(data), {"data": b""}),
        "hazmat.cmac.digest": (cmac.digest, {"tag_size": 8}),
        "hazmat.cmac.verify": (cmac.verify, {"tag": cmac.digest(), "tag_size": 8}),
        "hazmat.cmac.copy": (cmac.copy, {}),
        "hazmat.eax": (hazmat.eax, cipher | {"tag_size": 8, "limit": 9}),
        "hazmat.eax.encrypt": (
            eax.encrypt,
            {"nonce": b"n", "data": b"", "associated_data": b""},
        ),
        "hazmat.eax.decrypt": (
            eax.decrypt,
            {"nonce": b"n", "data": eax.encrypt(b"n", b""), "associated_data": b""},
        ),
        "hazmat.ascon": (hazmat.ascon, {"state": bytes(40), "rounds": 12}),
        "hazmat.sparkle": (hazmat.sparkle, {"bits": 256, "state": bytes(32), "steps": "slim"}),
        "hazmat.from_printed": (
            hazmat.from_printed,
            {"name": "speck-64/128", "text": "3b726574 7475432d"},
        ),
        "hazmat.to_printed": (hazmat.to_printed, {"name": "speck-64/128", "data": KEY}),
        "hazmat.ciphers": (hazmat.ciphers, {}),
    }
    common = {"algorithm": "ascon-aead128", "keys": ROWS, "nonces": ROWS, "data": ROWS}
    options = {"offsets": None, "associated_data": None, "ad_offsets": None, "tag_size": None}
    more = {"limit": None, "threads": 1, "out": None, "device": None, "stream": None}
    options |= more | {"verify": "none"}
    mac = {"cipher": "speck-64/128", "keys": ROWS, "data": ROWS, "offsets": None, "tag_size": 8}
    made |= {
        "fleet.encrypt": (fleet.encrypt, common | options),
        "fleet.decrypt": (fleet.decrypt, common | {"tags": ROWS} | options),
        "fleet.ctr": (
            fleet.ctr,
            {"cipher": "speck-64/128", "keys": ROWS, "ivs": ROWS[:, :8], "data": ROWS}
            | {"offsets": None, "verify": "none"}
            | more,
        ),
        "fleet.cmac": (fleet.cmac, mac | {"limit": None, "threads": 1}),
        "fleet.cmac_verify": (fleet.cmac_verify, mac | {"tags": ROWS[:, :8]}),
        "fleet.hash": (
            fleet.hash,
            {"algorithm": "ascon-xof128", "data": ROWS, "offsets": None, "digest_size": 8}
            | {"customization": b"", "threads": 1},
        ),
        "fleet.to_fixed_size_binary": (fleet.to_fixed_size_binary, {"rows": ROWS}),
        "fleet.algorithms": (fleet.algorithms, {}),
    }
    key = keys.Key("ascon-aead128", KEY)
    Path("key.hanji").write_text(keys.dumps(key))
    cheap = keys.Argon2Parameters(1, 8, 1)
    seal_options = {"key": KEY, "algorithm": "ascon-aead128", "chunk_size": 4096, "threads": 1}
    made |= {
        "keys.Argon2Parameters": (
            keys.Argon2Parameters,
            {"passes": 1, "memory_kib": 8, "lanes": 1},
        ),
        "keys.Key": (
            keys.Key,
            {"algorithm": "ascon-aead128", "material": KEY, "kind": "secret", "comment": ""},
        ),
        "keys.dumps": (
            keys.dumps,
            {"key": key, "passphrase": None, "argon2": cheap, "format": "hanji"},
        ),
        "keys.pem_algorithms": (keys.pem_algorithms, {}),
        "keys.generate": (keys.generate, {"algorithm": "ascon-aead128", "comment": ""}),
        "keys.load": (keys.load, {"path": "key.hanji", "passphrase": None, "accept": None}),
        "keys.loads": (keys.loads, {"text": keys.dumps(key), "passphrase": None, "accept": None}),
        "keys.save": (
            keys.save,
            {"key": key, "path": "new.hanji", "passphrase": None, "argon2": cheap}
            | {"overwrite": True, "format": "hanji"},
        ),
        "keys.save_pair": (
            keys.save_pair,
            {"private": private, "public": public, "path": "pair.hanji", "passphrase": None}
            | {"argon2": cheap, "overwrite": True, "format": "hanji"},
        ),
        "files.seal": (
            lambda source, destination, **given: files.seal(
                io.BytesIO(b"x") if source is None else source,
                io.BytesIO() if destination is None else destination,
                **given,
            ),
            {"source": None, "destination": None, "passphrase": None, "argon2": cheap}
            | seal_options,
        ),
        "files.open": (
            lambda source, destination, **given: files.open(
                io.BytesIO(sealed.getvalue()) if source is None else source,
                io.BytesIO() if destination is None else destination,
                **given,
            ),
            {"source": None, "destination": None, "key": KEY, "passphrase": None, "threads": 1},
        ),
        "files.seal_file": (
            files.seal_file,
            {"source": "key.hanji", "destination": "sealed.hanji", "overwrite": True}
            | seal_options,
        ),
        "files.open_file": (
            files.open_file,
            {"source": "sealed.hanji", "destination": "opened.hanji", "overwrite": True}
            | {"key": KEY, "threads": 1},
        ),
        "files.read_header": (files.read_header, {"source": io.BytesIO(sealed.getvalue())}),
        "files.remove_leftovers": (files.remove_leftovers, {"folder": "."}),
        "files.AtomicOutput": (
            lambda **given: files.AtomicOutput(**given).__enter__().__exit__(None, None, None),
            {"path": "atomic.hanji", "overwrite": True, "mode": 0o600},
        ),
        "files.Header": (
            files.Header,
            {"key_source": files.KeySource.KEY, "chunk_size": 4096, "key_id": bytes(8)}
            | {"salt": bytes(32), "argon2": None, "algorithm": "ascon-aead128"},
        ),
        "files.SharedPassphrase": (
            files.SharedPassphrase,
            {"passphrase": "a passphrase", "argon2": files.Argon2Parameters(1, 8, 1)},
        ),
        "files.KeySource": (files.KeySource, {"value": 1}),
        "epoch.epoch_key": (
            epoch.epoch_key,
            {"master": KEY, "label": "ascon-aead128", "epoch": 1, "size": 16, "device": 1}
            | {"version": 2, "allow_version_1": False},
        ),
        "sign.scheme": (sign.scheme, {"name": "aimer3-128f"}),
        "sign.schemes": (sign.schemes, {}),
        "sign.load": (sign.load, {"key": private}),
        "sign.PrivateKey": (sign.scheme("aimer3-128f"), {"raw": signer.raw}),
        "sign.PrivateKey.from_key": (sign.scheme("aimer3-128f").from_key, {"key": private}),
        "sign.PrivateKey.to_key": (signer.to_key, {"comment": ""}),
        "sign.PrivateKey.sign": (
            signer.sign,
            {"message": b"m", "context": b"", "check": False, "deterministic": True}
            | {"pre_hash": None, "randomness": None, "progress": None},
        ),
        "sign.PrivateKey.sign_many": (
            signer.sign_many,
            {"messages": [b"m"], "context": b"", "check": False, "deterministic": True}
            | {"threads": 1, "pre_hash": None, "progress": None},
        ),
        "sign.PublicKey": (sign.scheme("aimer3-128f").PublicKey, {"raw": signer.public_key.raw}),
        "sign.PublicKey.verify": (
            signer.public_key.verify,
            {"signature": signature, "message": b"message", "context": b"", "pre_hash": None},
        ),
        "sign.PublicKey.verify_many": (
            signer.public_key.verify_many,
            {"signatures": [signature], "messages": [b"message"], "context": b"", "threads": 1}
            | {"pre_hash": None},
        ),
        "sign.Message": (signer.message, {"context": b"", "pre_hash": None}),
        "sign.Message.update": (signer.message().update, {"data": b"m"}),
        "sign.Message.sign": (
            signer.message().sign,
            {"check": False, "deterministic": True, "randomness": None, "progress": None},
        ),
        "sign.Message.verify": (
            signer.public_key.message().verify,
            {"signature": signer.sign(b"")},
        ),
    }
    rows = {"table": TABLE, "algorithm": "ascon-aead128", "key": KEY, "nonce": "nonce"}
    rows |= {"data": "payload", "associated_data": None, "tag": None, "tag_size": None}
    rows |= {"output": "new", "limit": None, "threads": 1}
    opener, sealer = telemetry.Opener(MASTERS), telemetry.Sealer(MASTERS)
    plain = io.BytesIO()
    pq.write_table(MASTERS, plain)
    with Path("masters.sealed").open("wb") as file:
        files.seal(io.BytesIO(plain.getvalue()), file, key=KEY)
    one32, one64 = np.ones(1, np.uint32), np.zeros(2, np.int64)
    masters = {"masters": MASTERS, "direction": "from-device", "keep": (), "threads": 1}

    def use(of: Any, frames: Any) -> Any:
        return of(frames) if of is not None else None

    def replayed(**given: Any) -> Any:
        with telemetry.Replays() as state:
            state.add(**given)

    made |= {
        "table.seal": (table.seal, rows),
        "table.open": (table.open, rows | {"data": "frame", "status": "opened"}),
        "telemetry.read_masters": (
            telemetry.read_masters,
            {"path": Path("masters.sealed"), "key": KEY, "passphrase": None},
        ),
        "telemetry.Opener": (
            lambda **given: use(telemetry.Opener(**given), TABLE),
            masters | {"column": "frame"},
        ),
        "telemetry.Opener.call": (opener, {"frames": TABLE}),
        "telemetry.Opener.rows": (opener.rows, {"frames": np.zeros((1, 40), np.uint8)}),
        "telemetry.Opener.flat": (
            opener.flat,
            {"data": np.zeros(40, np.uint8), "offsets": np.array([0, 40])},
        ),
        "telemetry.Opener.schema": (opener.schema, {"frames": TABLE.schema}),
        "telemetry.Opener of a function": (
            lambda answer: telemetry.Opener(lambda devices: answer)(TABLE),
            {"answer": [KEY]},
        ),
        "telemetry.Sealer": (
            lambda **given: use(telemetry.Sealer(**given), TABLE),
            masters | {"algorithm": "ascon-aead128"},
        ),
        "telemetry.Sealer.call": (sealer, {"table": TABLE}),
        "telemetry.Sealer.flat": (
            sealer.flat,
            {"device": one32, "epoch": one32, "number": one32}
            | {"payload": np.empty(0, np.uint8), "offsets": one64},
        ),
        "telemetry.Replays": (
            lambda **given: telemetry.Replays(**given).close(),
            {"folder": ".", "partitions": 1},
        ),
        "telemetry.Replays.add": (
            replayed,
            {"file": 0, "row": one32, "device": one32, "epoch": one32, "number": one32},
        ),
        "telemetry.replays": (telemetry.replays, {"tables": [TABLE], "partitions": 1}),
        "gpu.CTR": (
            gpu.CTR,
            cipher | {"iv": bytes(8), "limit": 9, "device": "cuda", "verify": "none"},
        ),
        "gpu.empty": (gpu.empty, {"shape": 4, "device": "cuda"}),
        "gpu.pinned": (gpu.pinned, {"shape": 4, "device": "cuda"}),
        "gpu.to_device": (gpu.to_device, {"data": ROWS, "device": "cuda"}),
        "hanji.force": (hanji.force, {"tier": None}),
    }
    return made


# What has no argument that comes from a caller, or is made by the package itself.
NOT_CALLED = {
    "fleet.Ciphered",
    "fleet.Opened",
    "fleet.Sealed",
    "telemetry.Frames",
    "telemetry.Opened",
    "gpu.Array",
    "gpu.Device",
    "gpu.available",
    "gpu.devices",
    "gpu.reason",
    "hanji.algorithms",
    "hanji.Algorithm",
    "hanji.backends",
    "hanji.kernels",
    "hanji.selftest",
    "files.Argon2Parameters",  # of keys
}
# Arguments that are public by definition, and shown as such.
PUBLIC = {("keys.Key", "comment"), ("keys.generate", "comment"), ("files.Header", "key_id")}
PUBLIC |= {("files.Header", "salt"), ("sign.PrivateKey.to_key", "comment")}


def chain(error: BaseException) -> Iterator[BaseException]:
    """An error, and those that it came from, suppressed ones too."""
    seen: list[BaseException] = []
    waiting = [error]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.append(one)
        waiting += [other for other in (one.__cause__, one.__context__) if other is not None]
    return iter(seen)


def told(error: BaseException) -> str:
    """All that an error says or carries."""
    parts: list[str] = []
    for one in chain(error):
        parts += [str(one), repr(one), repr(one.args), *map(str, getattr(one, "__notes__", []))]
        parts += [repr(value) for value in vars(one).values()]
        parts += [repr(getattr(one, name, "")) for name in ("filename", "filename2", "strerror")]
        parts += [repr(getattr(one, name, "")) for name in ("object", "doc", "name")]
    return "\n".join(parts)


def leaks_of(function: Callable[..., Any], given: dict[str, Any]) -> str:
    """What a call tells that shows a marker: an error, a warning, or the repr of an object of
    hanji; "" if nothing does.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(**given)
            text = repr(result) if type(result).__module__.startswith("hanji") else ""
        except Exception as error:
            text = told(error)
    text += "\n".join(str(one.message) for one in caught)
    return text if shows(text) else ""


@pytest.fixture
def public(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return calls()


def test_no_message_shows_a_key_in_a_wrong_place(public):
    """One argument at a time, all at once, and pairs that changed places."""
    leaks, refused = [], 0
    for name, (function, good) in public.items():
        if not name.startswith("gpu."):
            function(**good)  # what is tried is one step away from a call that works
        cases = [
            (f"{argument}: {kind}", good | {argument: make()})
            for argument in good
            for kind, make in MARKERS.items()
            if (name, argument) not in PUBLIC
        ]
        if good.keys() - {argument for of, argument in PUBLIC if of == name}:
            cases += [
                (
                    f"all: {kind}",
                    good
                    | {argument: make() for argument in good if (name, argument) not in PUBLIC},
                )
                for kind, make in MARKERS.items()
            ]
        for one in good:
            marked = good | {one: SECRET}
            cases += [
                (f"{one} and {other} exchanged", marked | {one: good[other], other: SECRET})
                for other in good
                if other != one and not {(name, one), (name, other)} & PUBLIC
            ]
        for case, given in cases:
            if text := leaks_of(function, given):
                leaks.append(f"{name}({case}): {text[:300]}")
            refused += 1
    assert not leaks, f"{len(leaks)} of {refused}:\n" + "\n".join(leaks[:40])
    assert refused > 5000


def test_every_public_callable_is_tried(public):
    modules = (aead, epoch, files, fleet, gpu, hashes, hazmat, keys, sign, table, telemetry, hanji)
    missing = []
    for module in modules:
        for name in module.__all__:
            value = getattr(module, name)
            shown = f"{module.__name__.removeprefix('hanji.')}.{name}"
            if not callable(value) or isinstance(value, types.ModuleType):
                continue
            if isinstance(value, type) and issubclass(value, BaseException):
                continue
            if isinstance(value, type) and issubclass(value, sign.PrivateKey | sign.PublicKey):
                continue  # one of them stands for all
            if shown not in public and shown not in NOT_CALLED:
                missing.append(shown)
    assert not missing


def test_every_argument_is_tried(public):
    """Of functions that Python can look into."""
    missing = []
    for name, (function, good) in public.items():
        if not isinstance(function, types.FunctionType | types.MethodType):
            continue
        for argument, about in inspect.signature(function).parameters.items():
            named = about.kind in (about.POSITIONAL_OR_KEYWORD, about.KEYWORD_ONLY)
            if named and argument not in good and argument != "cls":
                missing.append(f"{name}({argument})")
    optional = {"fleet.cmac_verify(limit)", "fleet.cmac_verify(threads)"}
    assert set(missing) <= optional, missing


@pytest.mark.parametrize(
    "make",
    [
        lambda: ValueError(f"no algorithm is named {TEXT!r}"),
        lambda: ValueError(f"the key is {SECRET.hex()}"),
        lambda: ValueError(f"{NUMBER} is out of range"),
        lambda: ValueError(list(SECRET)),
        lambda: FileNotFoundError(2, "No such file or directory", TEXT),
        lambda: UnicodeDecodeError("ascii", SECRET + b"\xff", 16, 17, "ordinal not in range"),
    ],
)
def test_a_message_that_shows_it_is_noticed(make):
    """The control: as an error, as its cause, and as a suppressed context."""

    def plain() -> None:
        raise make()

    def caused() -> None:
        raise TypeError("wrong") from make()

    def suppressed() -> None:
        try:
            raise make()
        except Exception:
            raise TypeError("wrong") from None

    for function in (plain, caused, suppressed):
        assert leaks_of(function, {}), function.__name__


def test_names_of_files_are_shown_where_they_look_like_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ("device.key", "./device", str(tmp_path / "device"), Path("device")):
        with pytest.raises(FileNotFoundError) as caught:
            keys.load(path)
        assert "device" in str(caught.value)
        assert caught.value.filename is not None
    with pytest.raises(
        FileNotFoundError, match=r"the name \(6 characters\) is not shown"
    ) as caught:
        keys.load("device")
    assert (caught.value.filename, caught.value.errno) == (None, 2)


def test_a_wrong_name_gets_a_suggestion():
    with pytest.raises(ValueError, match=r"^no block cipher has this name .*did you mean .*speck"):
        hazmat.block("SPECK64/128", KEY)
    with pytest.raises(ValueError, match=r"did you mean ascon-aead128"):
        fleet.encrypt("ascon-aead-128", KEY, ROWS, ROWS)
    with pytest.raises(ValueError, match=r"did you mean payload\?"):
        table.seal(TABLE, algorithm="ascon-aead128", key=KEY, nonce="nonce", data="payloads")
