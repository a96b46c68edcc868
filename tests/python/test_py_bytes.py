# SPDX-License-Identifier: Apache-2.0
"""Whatever is no bytes is refused by every public callable that takes bytes; the list of them is
made from the annotations.

An int, above all, is not taken for so many zeros, which would be a key that everybody knows.
"""

from __future__ import annotations

import array
import ctypes
import inspect
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import hanji
from hanji import _core, aead, epoch, files, fleet, gpu, hashes, hazmat, keys, sign
from hanji._numpy import NUMPY
from hanji.files import _format

pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore::hanji.sign.BrokenSchemeWarning"),
]

MODULES = {
    module.__name__: module
    for module in (aead, hashes, hazmat, files, keys, epoch, fleet, sign, gpu)
}
KEY = bytes(range(16))
MATERIAL = keys.Key("schwaemm256-128", KEY)
ROWS = np.zeros((3, 16), np.uint8)

# Parameters that take bytes or bytes and arrays, but are annotated otherwise: fleets and device
# arrays take whatever has one of several interfaces.
UNTYPED = {
    "hanji.fleet": {"keys", "nonces", "ivs", "data", "tags", "associated_data", "out", "rows"},
    "hanji.gpu": {"data", "buf"},
}
# A str is what these take beside bytes.
TEXT_TOO = {("hanji.keys.loads", "text")}
# None stands for "there is none" in these.
NONE_TOO = re.compile(
    r"associated_data$|(files\.(seal|open|seal_file|open_file))\.key$|fleet\..*\.out$"
)
# These take rows of bytes, one or many; what is no row is refused by shape, which is a ValueError
# for arrays of bytes.
ROWS_OF_BYTES = ("hanji.fleet.", "hanji.sign.")


def wrong() -> dict[str, Any]:
    """What is not bytes, by name."""
    masked = np.ma.array(np.arange(16, dtype=np.uint8), mask=[True] * 8 + [False] * 8)
    return {
        "int": 16,
        "bool": True,
        "zero": 0,
        "float": 16.0,
        "str": "0" * 16,
        "None": None,
        "list": [0] * 16,
        "tuple": (0,) * 16,
        "range": range(16),
        "set": {1, 2},
        "object": object(),
        "NumPy int": np.int64(16),
        "NumPy byte": np.uint8(16),
        "NumPy str": np.str_("abcd"),
        "ctypes int": ctypes.c_uint64(16),
        "words": np.zeros(4, np.uint32),
        "floats": np.zeros(2, np.float64),
        "truth values": np.zeros(16, np.bool_),
        "objects": np.zeros(2, object),
        "array of words": array.array("I", [0] * 4),
        "memoryview of words": memoryview(array.array("Q", [0, 0])),
        "no dimension": np.array(16, np.uint8),
        "steps": memoryview(bytes(32))[::2],
        "columns": np.asfortranarray(np.zeros((4, 4), np.uint8)),
        "masked": masked,
        "memoryview of masked": memoryview(masked),
    }


def signature_of(value: Any) -> inspect.Signature | None:
    """Names and annotations of the parameters; for compiled functions from what they say of
    themselves.
    """
    compiled = getattr(value, "__nb_signature__", None)
    if compiled is None:
        try:
            return inspect.signature(value)
        except (TypeError, ValueError):
            return None
    text = re.sub(r"@typing\.\w+\s+|@staticmethod\s+", "", compiled[0][0])
    names = {
        "hanji": hanji,
        "typing": __import__("typing"),
        "collections": __import__("collections.abc"),
    }
    space: dict[str, Any] = {}
    exec(
        "from __future__ import annotations\n"
        + re.sub(r"\\(\d+)", "...", text).rstrip(":")
        + ": ...",
        names,
        space,
    )
    return inspect.signature(list(space.values())[-1])  # the first is the feature


def callables() -> Iterator[tuple[str, Any]]:
    """Every public function, constructor and method, by its full name."""
    for name, module in MODULES.items():
        for public in module.__all__:
            value = getattr(module, public)
            if inspect.isclass(value):
                if issubclass(value, BaseException):
                    continue
                yield (
                    f"{name}.{public}",
                    value.__init__ if "__nb_signature__" in dir(value.__init__) else value,
                )
                for method in dir(value):
                    member = inspect.getattr_static(value, method)
                    if (
                        not method.startswith("_")
                        and callable(getattr(value, method))
                        and not isinstance(member, property)
                        and not inspect.isclass(member)
                    ):
                        yield f"{name}.{public}.{method}", getattr(value, method)
            elif callable(value):
                yield f"{name}.{public}", value
    for made in ("Block", "CTR", "CMAC", "EAX"):  # what hanji.hazmat returns
        for method in dir(getattr(_core, made)):
            if not method.startswith("_") and callable(getattr(getattr(_core, made), method)):
                yield f"hanji.hazmat.{made}.{method}", getattr(getattr(_core, made), method)


def takes_bytes(name: str, parameter: inspect.Parameter) -> bool:
    text = str(parameter.annotation)
    module = ".".join(name.split(".")[:2])
    return (
        "BytesLike" in text
        or bool(re.search(r"\bbytes\b", text))
        or parameter.name in UNTYPED.get(module, ())
    )


def parameters() -> list[tuple[str, str]]:
    """(callable, parameter) of all that take bytes."""
    found = []
    for name, value in callables():
        signature = signature_of(value)
        for parameter in signature.parameters.values() if signature else ():
            if parameter.kind not in (
                parameter.VAR_POSITIONAL,
                parameter.VAR_KEYWORD,
            ) and takes_bytes(name, parameter):
                found.append((name, parameter.name))
    return sorted(set(found))


_signers: dict[str, Any] = {}


def signer(name: str) -> Any:
    """A private key of a scheme, made once."""
    if name not in _signers:
        _signers[name] = getattr(sign, name).generate()
    return _signers[name]


def sealed() -> bytes:
    out = io.BytesIO()
    files.seal(io.BytesIO(b"text"), out, key=KEY)
    return out.getvalue()


def calls() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """How to call each: by its full name, something to call and good arguments. Schemes of
    signatures are represented by one of each room.
    """
    table: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {}
    classes: dict[str, tuple[Any, dict[str, int]]] = {
        f"hanji.aead.{name}": (getattr(aead, name), {}) for name in aead.__all__
    }
    classes["hanji.hazmat.AsconAEAD128ShortTag"] = (hazmat.AsconAEAD128ShortTag, {"tag_length": 4})
    for full, (cls, options) in classes.items():
        key, nonce = bytes(cls.key_size), bytes(cls.nonce_size)
        made = cls(key, **options)
        message = {"nonce": nonce, "data": bytes(40), "associated_data": b"ad"}
        table[full] = (cls, {"key": key, **options})
        table[f"{full}.encrypt"] = (made.encrypt, message)
        table[f"{full}.decrypt"] = (
            made.decrypt,
            message | {"data": made.encrypt(nonce, bytes(9), b"ad")},
        )
        table[f"{full}.encrypt_into"] = (made.encrypt_into, message | {"buf": bytearray(99)})
        table[f"{full}.decrypt_into"] = (
            made.decrypt_into,
            message | {"data": made.encrypt(nonce, bytes(9), b"ad"), "buf": bytearray(99)},
        )
    for name in hashes.__all__:
        cls = getattr(hashes, name)
        table[f"hanji.hashes.{name}"] = (cls, {"data": b"x"})
        table[f"hanji.hashes.{name}.update"] = (cls().update, {"data": b"x"})
    table["hanji.hashes.AsconCXOF128"] = (
        hashes.AsconCXOF128,
        {"data": b"x", "customization": b"c"},
    )
    table["hanji.hazmat.ascon"] = (hazmat.ascon, {"state": bytes(40), "rounds": 12})
    cipher = "speck-64/128"
    table["hanji.hazmat.block"] = (hazmat.block, {"name": cipher, "key": KEY})
    table["hanji.hazmat.ctr"] = (hazmat.ctr, {"name": cipher, "key": KEY, "iv": bytes(8)})
    table["hanji.hazmat.ctr_message"] = (
        hazmat.ctr_message,
        {"name": cipher, "key": KEY, "iv": bytes(8), "data": b"x"},
    )
    table["hanji.hazmat.cmac"] = (hazmat.cmac, {"name": cipher, "key": KEY})
    table["hanji.hazmat.eax"] = (hazmat.eax, {"name": cipher, "key": KEY})
    table["hanji.hazmat.sparkle"] = (
        hazmat.sparkle,
        {"bits": 256, "state": bytes(32), "steps": "slim"},
    )
    table["hanji.hazmat.to_printed"] = (hazmat.to_printed, {"name": cipher, "data": KEY})
    block, ctr, cmac, eax = (
        hazmat.block(cipher, KEY),
        hazmat.ctr(cipher, KEY, bytes(8)),
        hazmat.cmac(cipher, KEY),
        hazmat.eax(cipher, KEY),
    )
    table["hanji.hazmat.Block.encrypt"] = (block.encrypt, {"blocks": bytes(16)})
    table["hanji.hazmat.Block.decrypt"] = (block.decrypt, {"blocks": bytes(16)})
    table["hanji.hazmat.CTR.update"] = (ctr.update, {"data": bytes(16)})
    table["hanji.hazmat.CTR.update_into"] = (
        ctr.update_into,
        {"data": bytes(16), "buf": bytearray(16)},
    )
    table["hanji.hazmat.CMAC.update"] = (cmac.update, {"data": bytes(16)})
    table["hanji.hazmat.CMAC.verify"] = (
        hazmat.cmac(cipher, KEY).verify,
        {"tag": hazmat.cmac(cipher, KEY).digest()},
    )
    table["hanji.hazmat.EAX.encrypt"] = (
        eax.encrypt,
        {"nonce": b"n", "data": b"d", "associated_data": b"a"},
    )
    table["hanji.hazmat.EAX.decrypt"] = (
        eax.decrypt,
        {"nonce": b"n", "data": eax.encrypt(b"n", b"d", b"a"), "associated_data": b"a"},
    )
    argon2 = files.Argon2Parameters(1, 64, 1)
    header = {
        "key_source": files.KeySource.KEY,
        "chunk_size": 4096,
        "key_id": bytes(8),
        "salt": bytes(32),
        "argon2": argon2,
    }
    table["hanji.files.Header"] = (files.Header, header)
    table["hanji.files.seal"] = (
        lambda key: files.seal(io.BytesIO(b"x"), io.BytesIO(), key=key),
        {"key": KEY},
    )
    table["hanji.files.open"] = (
        lambda key: files.open(io.BytesIO(sealed()), io.BytesIO(), key=key),
        {"key": KEY},
    )
    table["hanji.files.AtomicOutput.write"] = (
        lambda data: io.BytesIO().write(data),
        {"data": KEY},
    )  # tested below with a file
    table["hanji.keys.Key"] = (keys.Key, {"algorithm": "schwaemm256-128", "material": KEY})
    table["hanji.keys.loads"] = (keys.loads, {"text": keys.dumps(MATERIAL).encode()})
    table["hanji.epoch.epoch_key"] = (
        epoch.epoch_key,
        {"master": KEY, "label": "a", "epoch": 1, "device": 1},
    )
    nonces, data = np.zeros((3, 32), np.uint8), np.zeros((3, 24), np.uint8)
    base = {
        "algorithm": "schwaemm256-128",
        "keys": ROWS,
        "nonces": nonces,
        "data": data,
        "associated_data": ROWS,
    }
    table["hanji.fleet.encrypt"] = (fleet.encrypt, base | {"out": np.empty_like(data)})
    tags = fleet.encrypt(**base).tags
    table["hanji.fleet.decrypt"] = (
        fleet.decrypt,
        base | {"tags": tags, "out": np.empty_like(data)},
    )
    stream = {
        "cipher": cipher,
        "keys": ROWS,
        "ivs": np.zeros((3, 8), np.uint8),
        "data": data,
        "out": np.empty_like(data),
    }
    table["hanji.fleet.ctr"] = (fleet.ctr, stream)
    macs = {"cipher": cipher, "keys": ROWS, "data": data}
    table["hanji.fleet.cmac"] = (fleet.cmac, macs)
    table["hanji.fleet.cmac_verify"] = (fleet.cmac_verify, macs | {"tags": fleet.cmac(**macs)})
    customized = {"algorithm": "ascon-cxof128", "data": data, "customization": b"\x00"}
    table["hanji.fleet.hash"] = (fleet.hash, customized)
    table["hanji.fleet.to_fixed_size_binary"] = (fleet.to_fixed_size_binary, {"rows": ROWS})
    table["hanji.gpu.to_device"] = (gpu.to_device, {"data": KEY})
    table["hanji.gpu.CTR"] = (
        gpu.CTR,
        {
            "name": cipher,
            "key": KEY,
            "iv": bytes(8),
            "limit": None,
            "device": "cuda",
            "verify": "none",
        },
    )
    for name in sign.__all__:
        cls = getattr(sign, name)
        if (
            not inspect.isclass(cls)
            or not issubclass(cls, sign.PrivateKey)
            or cls is sign.PrivateKey
        ):
            continue
        raw = bytes(cls.size)
        table[f"hanji.sign.{name}"] = (cls, {"raw": raw})
    return table


# Needs a GPU to go on after its arguments have been looked at; what is wrong with them is told
# before.
NEEDS_DEVICE = ("hanji.gpu.",)
# Methods of devices: what they are given is looked at by the same function as above, and tests/gpu
# has a driver for them.
# the last are results
ELSEWHERE = re.compile(
    r"hanji\.gpu\.(CTR\.update|CTR\.update_into|Array)|hanji\.fleet\.(Ciphered|Sealed|Opened)$"
)
# Methods of signature keys are the same for all schemes: tested below for one of each room.
SIGNING = re.compile(
    r"hanji\.sign\.\w+\.((sign|verify)(_many|_file)?|message|update|from_key)$"
    r"|hanji\.sign\.(PrivateKey|PublicKey|Message)$"
)


def test_every_parameter_that_takes_bytes_has_a_call() -> None:
    table = calls()
    missing = []
    for name, parameter in parameters():
        if (
            SIGNING.match(name)
            or ELSEWHERE.match(name)
            or name in ("hanji.files.seal_file", "hanji.files.open_file")
        ):
            continue
        if name not in table or parameter not in table[name][1]:
            missing.append(f"{name}({parameter}=)")
    assert missing == [], "a callable takes bytes and is not in the table of this test"
    assert len(parameters()) > 100


def test_control_the_enumeration_finds_what_the_review_found() -> None:
    found = parameters()
    for expected in (
        ("hanji.files.seal", "key"),
        ("hanji.epoch.epoch_key", "master"),
        ("hanji.sign.RainbowI_Classic", "raw"),
        ("hanji.sign.AIMer2_128f", "raw"),
        ("hanji.aead.Schwaemm256_128", "key"),
        ("hanji.aead.Schwaemm256_128.encrypt_into", "buf"),
        ("hanji.hazmat.to_printed", "data"),
        ("hanji.hazmat.CMAC.verify", "tag"),
        ("hanji.keys.Key", "material"),
        ("hanji.fleet.encrypt", "nonces"),
    ):
        assert expected in found


def test_good_arguments_are_taken() -> None:
    for name, (function, arguments) in calls().items():
        if name.startswith(NEEDS_DEVICE):
            continue
        try:
            function(**arguments)
        except ValueError:
            # zeros are no key of some schemes, but bytes
            assert name.startswith("hanji.sign."), name


@pytest.mark.parametrize("kind", wrong())
def test_what_is_not_bytes_is_a_type_error(kind: str) -> None:
    table = calls()
    accepted = []
    for name, parameter in parameters():
        full = f"{name}.{parameter}"
        if (
            name not in table
            or parameter not in table[name][1]
            or name == "hanji.files.AtomicOutput.write"
        ):
            continue
        if (kind in ("str", "NumPy str") and (name, parameter) in TEXT_TOO) or (
            kind == "None" and NONE_TOO.search(full)
        ):
            continue
        if name.startswith(("hanji.fleet.", "hanji.gpu.to_device")) and kind in (
            "no dimension",
            "steps",
            "columns",
        ):
            continue  # arrays of any layout are taken there, and shapes are told apart
        function, arguments = table[name]
        try:
            function(**arguments | {parameter: wrong()[kind]})
        except TypeError as error:
            if kind in ("int", "str", "list") and not re.search(r"int|str|list", str(error)):
                accepted.append(f"{full}: the message does not say what was given: {error}")
        except Exception as error:
            accepted.append(f"{full}: {type(error).__name__}: {error}")
        else:
            accepted.append(full)
    assert accepted == []


@pytest.mark.parametrize("scheme", ["AIMer2_128f", "RainbowI_CZ", "SLHDSA_SHAKE_128f"])
@pytest.mark.parametrize("kind", wrong())
@pytest.mark.usefixtures("rainbow")
def test_keys_of_signatures_take_bytes_only(scheme: str, kind: str) -> None:
    value = wrong()[kind]
    private = signer(scheme)
    public = private.public_key
    signature = private.sign(b"message")
    for call in (
        lambda: type(private)(value),
        lambda: type(public)(value),
        lambda: private.sign(value),
        lambda: private.sign_many([b"a", value]),
        lambda: private.message().update(value),
        lambda: public.message().update(value),
        lambda: public.message().verify(value),
        lambda: public.verify(value, b"message"),
        lambda: public.verify(signature, value),
        lambda: public.verify_file(value, io.BytesIO(b"message")),
        lambda: public.verify_many([value], [b"message"]),
        lambda: public.verify_many([signature], [value]),
    ):
        with pytest.raises(TypeError):
            call()
    public.verify(signature, b"message")


@pytest.mark.parametrize("scheme", ["AIMer3_128f", "SLHDSA_SHAKE_128f"])
@pytest.mark.parametrize("kind", wrong())
def test_contexts_of_signatures_take_bytes_only(scheme: str, kind: str) -> None:
    value = wrong()[kind]
    private = signer(scheme)
    public = private.public_key
    signature = private.sign(b"message", context=b"context")
    for call in (
        lambda: private.sign(b"message", context=value),
        lambda: private.sign_many([b"message"], context=value),
        lambda: private.sign_file(io.BytesIO(b"message"), context=value),
        lambda: private.message(context=value),
        lambda: public.message(context=value),
        lambda: public.verify(signature, b"message", context=value),
        lambda: public.verify_file(signature, io.BytesIO(b"message"), context=value),
        lambda: public.verify_many([signature], [b"message"], context=value),
    ):
        with pytest.raises(TypeError):
            call()
    public.verify(signature, b"message", context=b"context")


def test_paths_to_sealed_files_take_bytes_as_keys_only(tmp_path: Any) -> None:
    (tmp_path / "in").write_bytes(b"x")
    for kind, value in wrong().items():
        if kind == "None":
            continue
        with pytest.raises(TypeError):
            files.seal_file(tmp_path / "in", tmp_path / "out", key=value)
        assert not (tmp_path / "out").exists()
        if kind not in ("steps", "columns", "no dimension"):
            with (
                pytest.raises((TypeError, ValueError)),
                files.AtomicOutput(tmp_path / "out") as output,
            ):
                output.write(value)
                raise ValueError


def test_an_int_is_no_key_of_zeros(tmp_path: Any) -> None:
    """The four of the review, by name."""
    for call in (
        lambda: files.seal(io.BytesIO(b"x"), io.BytesIO(), key=16),
        lambda: sign.RainbowI_Classic(64),
        lambda: sign.AIMer2_128f.PublicKey(32),
        lambda: epoch.epoch_key(16, "a", 1, device=1),
    ):
        with pytest.raises(TypeError, match=r"must be bytes-like .*not int$"):
            call()


def test_header_material_is_bytes() -> None:
    with pytest.raises(TypeError, match=r"^key must be bytes-like"):
        _format.sealing_key(16, None)  # type: ignore[arg-type]


def test_layout_errors_are_buffer_errors_too() -> None:
    for call in (lambda v: hashes.Esch256(v), lambda v: keys.Key("schwaemm256-128", v)):
        with pytest.raises(TypeError, match="not C-contiguous") as caught:
            call(memoryview(bytes(32))[::2])
        assert isinstance(caught.value, BufferError)


# Memory of the caller after a call has returned


def keepers() -> dict[str, tuple[int, Callable[[Any], Any], Callable[[Any], Any]]]:
    """By name: bytes of the argument, what makes an object of it, and what shows its state."""
    private = signer("AIMer3_128f")
    public = private.public_key
    signatures = private.sign(b"", context=bytes(range(9))), private.sign(bytes(range(37)))

    def encrypt(o: Any) -> Any:
        return o.encrypt(bytes(getattr(o, "nonce_size", 8)), b"text")

    def message(data: Any) -> Any:
        made = public.message()
        made.update(data)
        return made

    def master(data: Any) -> Any:
        devices = np.array([7], np.uint32)
        return _core.MasterKeys(devices, np.frombuffer(data, np.uint8), 16)

    def first_epoch(o: Any) -> Any:
        key = epoch.epoch_key(bytes(range(16)), "ascon-aead128", 1, device=7)
        head = bytes([2, 3, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0])
        frame = head + aead.AsconAEAD128(key).encrypt(bytes(16), b"text", head)
        offsets = np.array([0, len(frame)])
        strings = _core.ByteStrings(NUMPY, "data", np.frombuffer(frame, np.uint8), offsets)
        *_, payload, _, status = o.open(NUMPY, strings, False)
        assert status[0] == 0 and payload.tobytes() == b"text"
        return payload.tobytes()

    return {
        "Ascon": (16, aead.AsconAEAD128, encrypt),
        "Schwaemm": (16, aead.Schwaemm256_128, encrypt),
        "EAX": (16, lambda key: hazmat.eax("speck-64/128", key), encrypt),
        "block": (16, lambda key: hazmat.block("cham-64/128", key), lambda o: o.encrypt(bytes(8))),
        "CTR's key": (
            16,
            lambda key: hazmat.ctr("speck-64/128", key, bytes(8)),
            lambda o: o.update(bytes(9)),
        ),
        "CTR's iv": (8, lambda iv: hazmat.ctr("speck-64/128", KEY, iv), lambda o: o.update(KEY)),
        "CMAC": (16, lambda key: hazmat.cmac("speck-64/128", key), lambda o: o.digest()),
        "hash": (37, hashes.Esch256, lambda o: o.digest()),
        "XOF": (37, hashes.AsconXOF128, lambda o: o.digest(5)),
        "customization": (
            9,
            lambda text: hashes.AsconCXOF128(b"", text),
            lambda o: o.digest(5),
        ),
        "Key": (16, lambda key: keys.Key("ascon-aead128", key), lambda o: o.key_id),
        "private key": (
            len(private.raw),
            lambda data: type(private)(data),
            lambda o: o.public_key.raw,
        ),
        "message": (37, message, lambda o: o.verify(signatures[1])),
        "context": (
            9,
            lambda context: public.message(context=context),
            lambda o: o.verify(signatures[0]),
        ),
        "master keys": (16, master, first_epoch),
    }


@pytest.mark.parametrize("name", keepers())
def test_no_object_keeps_a_view_of_its_argument(name: str) -> None:
    size, make, show = keepers()[name]
    argument = bytearray(range(size))
    if name == "private key":
        argument[:] = signer("AIMer3_128f").raw
    made, expected = make(argument), show(make(bytes(argument)))
    argument.append(0)  # BufferError where something still has a view
    argument[:] = b"\xff" * len(argument)
    assert show(made) == expected


# Secrets in exceptions


def whole_chain(error: BaseException) -> Iterator[BaseException]:
    """The exception, what caused it and what it came from."""
    seen: list[BaseException] = []
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is not None and one not in seen:
            seen.append(one)
            todo += [one.__cause__, one.__context__]
            yield one


def told(error: BaseException) -> str:
    """Everything that an exception carries."""
    return " ".join(
        (
            f"{one} {one.args!r} {vars(one)!r} {getattr(one, 'object', '')!r} "
            f"{getattr(one, 'doc', '')!r}"
        )
        for one in whole_chain(error)
    )


def test_from_printed_does_not_show_what_was_typed() -> None:
    secret = "1b1a1918 13121110 0b0a0908 03020100"
    for typed in (
        secret + "0",
        secret[:-1],
        secret.replace("1b", "1g"),
        secret + " 00",
        secret.replace(" ", ","),
        "0x" + secret,
        "ö" + secret,
    ):
        with pytest.raises(ValueError, match=r"hexadecimal|bytes") as caught:
            hazmat.from_printed("speck-64/128", typed)
        for part in (typed, "13121110", "0b0a0908", "1a1918"):
            assert part not in told(caught.value)
    with pytest.raises(TypeError, match="text must be a str"):
        hazmat.from_printed("speck-64/128", secret.encode())  # type: ignore[arg-type]


def test_no_damage_to_a_key_file_shows_the_key() -> None:
    key = keys.Key("speck-128/256", bytes(range(100, 132)))
    text = keys.dumps(key)
    body = text.split("\n\n")[1].split("\n")[0]
    lines = text.split("\n")
    damaged = [
        text + "ü",
        text.replace(body, body + "\x1b"),
        text.replace(body, body[:-3] + "*=="),
        text.replace(body, body[:-1]),
        text.replace(body, f"{body}: x"),
        text.replace("\n\n", f"\n{body}\n\n"),
        text.replace("\n\n", "\n").replace("-----END", "\n-----END"),
        text.replace("Version: 1", f"{body}: 1"),
        "\n".join([*lines[:3], body, "", *lines[3:]]),
        text.replace("\n\n" + body, f"\n{body}\n"),
        text.encode().replace(b"Algorithm", b"\xff").decode("latin-1"),
    ]
    for place in range(len(lines) - 1):
        damaged.append("\n".join([*lines[:place], *lines[place + 1 :]]))
        damaged.append("\n".join([*lines[:place], body, *lines[place:]]))
    for bad in damaged:
        for given in (bad, bad.encode("utf-8")):
            with pytest.raises(hanji.HanjiError) as caught:
                keys.loads(given)
            for at in range(len(body) - 8):
                assert body[at : at + 8] not in told(caught.value), f"{caught.value}"


def test_no_passphrase_is_shown() -> None:
    for secret in ("mulberry\udcffpaper", "mulberry\ud800paper"):
        with pytest.raises(ValueError, match="not valid Unicode") as caught:
            keys.dumps(MATERIAL, secret, keys.Argon2Parameters(1, 64, 1))
        assert "mulberry" not in told(caught.value)
    with pytest.raises(TypeError) as caught:
        keys.dumps(MATERIAL, b"mulberry")  # type: ignore[arg-type]
    assert "mulberry" not in told(caught.value)
