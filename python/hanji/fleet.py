# SPDX-License-Identifier: Apache-2.0
"""Many messages in one call, each with its own key and nonce or all under one key; NumPy and Arrow
arrays in and out.

    sealed = fleet.encrypt("ascon-aead128", keys, nonces, messages)
    opened = fleet.decrypt("ascon-aead128", keys, nonces, sealed.data, sealed.tags, sealed.offsets)
    opened.failed    # places of messages whose tag did not match: their bytes are zero

Algorithms are named "ascon-aead128", "schwaemm256-128" (and the other three) or `<cipher>-eax`,
such as "speck-64/128-eax", for `encrypt` and `decrypt`; `<cipher>` for `ctr`, and where it has
blocks of 64 or 128 bits for `cmac` and `cmac_verify`; "ascon-hash256",
"ascon-xof128", "ascon-cxof128", "esch256", "esch384", "xoesch256" and "xoesch384" for `hash`. `fleet.algorithms()`
lists them.

Messages (`data`, and `associated_data` likewise) are one of

- a two-dimensional uint8 array: one message per row, all of one length;
- a one-dimensional uint8 array (or bytes-like object) with n + 1 int32 or int64 `offsets`: message
  i is data[offsets[i]:offsets[i + 1]];
- an Arrow array of type binary, large_binary or fixed_size_binary, or a slice of one, or any object
  with the Arrow PyCapsule interface. Nulls are refused.

`keys` is an n x k uint8 array, an Arrow fixed_size_binary array, or one key (bytes-like or
one-dimensional) for all messages. `nonces` and `tags` are n x l and n x t arrays, or Arrow
fixed_size_binary arrays.

No call detects a repeated (key, nonce) pair: the caller must prevent it. With one key, the data
limit of the key (EAX, CTR, CMAC) covers the whole call; with n keys, each message. Each call
counts alone.

Results come back in a new array, or in `out`, which has the shape of `data` (for Arrow: one byte
per message byte) and may be `data` itself; a message that does not open is then lost. A call splits
its work over `threads` threads (default: the processors of this process; small calls stay in the
calling thread). They end with the call. Other Python threads run meanwhile: leave the arrays alone
until the call returns.

On GPUs (`hanji.gpu`): `device="cuda"` sends host arrays to a GPU and back, "cuda:all" to all of
them, and `threads` threads copy; arrays that lie in device memory are processed there, in the CUDA
stream `stream=`, and results are `gpu.Array`. `verify="sample"` compares some messages with the
processor. There are kernels for `encrypt` and `decrypt` with "ascon-aead128" and "schwaemm256-128",
and for `ctr` with the ciphers of docs/gpu.md; for others UnsupportedError.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hanji import _arrow, _core
from hanji._catalogue import shown, similar
from hanji._core import HanjiError, LimitError
from hanji._numpy import NUMPY
from hanji._protocols import is_device_array, refuse_masked
from hanji._text import arrow_type, described
from hanji._threads import usable_processors

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from hanji import gpu
    from hanji._accelerate import DeviceArrays
    from hanji._typing import BytesLike

    Bytes = NDArray[np.uint8]
    Offsets = NDArray[np.int64]

__all__ = [
    "Ciphered",
    "Opened",
    "Sealed",
    "algorithms",
    "cmac",
    "cmac_verify",
    "ctr",
    "decrypt",
    "encrypt",
    "hash",
    "to_fixed_size_binary",
]

_ROWS = {row["name"]: row for row in _core.algorithms()}
_AEADS = [name for name, row in _ROWS.items() if row["kind"] == "aead"]
_BLOCKS = [name for name, row in _ROWS.items() if row["kind"] == "block"]
_HASHES = {"ascon-hash256": 32, "esch256": 32, "esch384": 48}
_XOFS = {"ascon-xof128": 32, "ascon-cxof128": 32, "xoesch256": 32, "xoesch384": 48}
_CUSTOMIZED = {"ascon-cxof128": 256}  # the longest customization string
_CMACS = [name for name in _BLOCKS if _ROWS[name]["block_size"] in (8, 16)]
_EAX = {f"{name}-eax": name for name in _CMACS}
_LIMIT_CODE = -4
_NOTHING = np.empty(0, np.uint8)


@dataclass(frozen=True, eq=False)
class _Messages:
    """Messages side by side: message i is data[offsets[i]:offsets[i + 1]], or row i when `data` has
    two dimensions.
    """

    data: Bytes
    _given_layout: _Ragged | None = field(repr=False)  # None: the rows of `data`

    @functools.cached_property
    def _layout(self) -> _Ragged:
        """Made on demand: few callers ask for it, and it costs as much as a short message."""
        return self._given_layout or _Ragged(_NOTHING, None, 0, self.data.shape)

    @property
    def offsets(self) -> Offsets:
        """n + 1 offsets into `data`, as int64."""
        return self._layout.offsets

    def __len__(self) -> int:
        return self._layout.count

    def to_arrow(self) -> pa.Array:
        """The messages as an Arrow array without a copy of their bytes: of the type that was given,
        else large_binary.

        ImportError without pyarrow. Messages that did not open are nulls.
        """
        pyarrow = _arrow.arrow()
        if not isinstance(self.data, np.ndarray):
            raise TypeError(
                f"the messages are a {type(self.data).__name__} in device memory; take data.numpy()"
            )
        kind = self._layout.arrow_type or pyarrow.large_binary()
        validity = self._validity()
        flat = pyarrow.py_buffer(self.data.reshape(-1))
        if pyarrow.types.is_fixed_size_binary(kind):
            return pyarrow.Array.from_buffers(kind, len(self), [validity, flat])
        offsets = self.offsets.astype(np.int32) if kind == pyarrow.binary() else self.offsets
        return pyarrow.Array.from_buffers(
            kind, len(self), [validity, pyarrow.py_buffer(offsets), flat]
        )

    def _validity(self) -> Any:
        return None


@dataclass(frozen=True, eq=False)
class Ciphered(_Messages):
    """What `ctr` returns: `data` and `offsets`."""


@dataclass(frozen=True, eq=False)
class Sealed(_Messages):
    """What `encrypt` returns: ciphertexts in `data` and `offsets`, and `tags`, n x tag size."""

    tags: Bytes


@dataclass(frozen=True, eq=False)
class Opened(_Messages):
    """What `decrypt` returns: plaintexts in `data` and `offsets`, and `status`, an int8 per
    message.

    A status is 0 for a message that is delivered; -3 when its tag does not match, -4 when it
    exceeds the data limit: its bytes are then zero.
    """

    status: NDArray[np.int8]

    @property
    def ok(self) -> bool:
        """Whether every message is delivered."""
        return not self.status.any()

    @property
    def failed(self) -> NDArray[np.intp]:
        """The places of the messages that are not delivered."""
        return np.flatnonzero(self.status)

    def _validity(self) -> Any:
        return (
            None
            if self.ok
            else _arrow.arrow().py_buffer(np.packbits(self.status == 0, bitorder="little"))
        )


def algorithms() -> dict[str, list[str]]:
    """The names that each operation takes: "aead" (`encrypt` and `decrypt`), "ctr", "cmac" (`cmac`
    and `cmac_verify`) and "hash".
    """
    return {
        "aead": [*_AEADS, *_EAX],
        "ctr": list(_BLOCKS),
        "cmac": list(_CMACS),
        "hash": [*_HASHES, *_XOFS],
    }


def encrypt(
    algorithm: str,
    keys: Any,
    nonces: Any,
    data: Any,
    offsets: Any = None,
    *,
    associated_data: Any = None,
    ad_offsets: Any = None,
    tag_size: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    out: Any = None,
    device: Any = None,
    stream: Any = None,
    verify: Literal["none", "sample", "all"] = "none",
) -> Sealed:
    """Seal n messages.

    Shapes: see the module. `tag_size` is for EAX, 1 byte to a block; `limit` is for EAX, in blocks
    per key. ValueError and TypeError name the array and what was expected. LimitError, with nothing
    written, when a message (with one key: all together) would exceed the limit.
    Source and status: as of the algorithm, see `hanji.algorithms()`.
    """
    if (
        (offsets is associated_data is ad_offsets is limit is threads is None)
        and (out is device is stream is None)
        and verify == "none"
        and (made := _small("encrypt", algorithm, tag_size, keys, nonces, data, None))
    ):
        return Sealed(made[0], None, made[1])
    call = _Call("encrypt", algorithm, tag_size)
    messages = call.arguments(
        keys, nonces, data, offsets, associated_data, ad_offsets, out, limit, device, stream
    )
    call.check_limit(each=True)
    if call.on_device is None:
        call.tags = np.empty((messages.count, call.tag_size), np.uint8)
    call.run(threads, device, verify)
    call.require_all_delivered()
    return Sealed(call.result(), call.result_layout(), call.tags_result())


def decrypt(
    algorithm: str,
    keys: Any,
    nonces: Any,
    data: Any,
    tags: Any,
    offsets: Any = None,
    *,
    associated_data: Any = None,
    ad_offsets: Any = None,
    tag_size: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    out: Any = None,
    device: Any = None,
    stream: Any = None,
    verify: Literal["none", "sample", "all"] = "none",
) -> Opened:
    """Open n messages; look at `failed` of what comes back.

    A message whose tag does not match is zeroed and reported in `status`; the others are delivered.
    `tags` is n x tag size; for EAX with tags shorter than a block give the agreed `tag_size` too.
    Errors as for `encrypt`, but with n keys a message that exceeds the limit is reported in
    `status`.
    """
    if (
        (offsets is associated_data is ad_offsets is limit is threads is None)
        and (out is device is stream is None)
        and verify == "none"
        and (made := _small("decrypt", algorithm, tag_size, keys, nonces, data, tags))
    ):
        return Opened(made[0], None, made[2])
    call = _Call("decrypt", algorithm, tag_size)
    messages = call.arguments(
        keys, nonces, data, offsets, associated_data, ad_offsets, out, limit, device, stream
    )
    call.check_limit(each=False)
    if call.on_device is None:
        call.tags, _ = _rows(tags, "tags", call.tag_size, messages.count, one_allowed=False)
    else:
        call.device_rows(tags, "tags", call.tag_size, one_allowed=False)
    call.run(threads, device, verify)
    return Opened(call.result(), call.result_layout(), call.status)


def ctr(
    cipher: str,
    keys: Any,
    ivs: Any,
    data: Any,
    offsets: Any = None,
    *,
    limit: int | None = None,
    threads: int | None = None,
    out: Any = None,
    device: Any = None,
    stream: Any = None,
    verify: Literal["none", "sample", "all"] = "none",
) -> Ciphered:
    """Encrypt or decrypt n messages in counter mode; no integrity.

    `ivs` is n x block size: the first counter block of each message. With one key for all, ranges
    of counters must not overlap. `limit` is in blocks per key. Errors as for `encrypt`.
    """
    if (
        (offsets is limit is threads is out is device is stream is None)
        and verify == "none"
        and (made := _small("ctr", cipher, None, keys, ivs, data, None))
    ):
        return Ciphered(made[0], None)
    call = _Call("ctr", cipher, None)
    call.arguments(keys, ivs, data, offsets, None, None, out, limit, device, stream)
    call.check_limit(each=True)
    call.run(threads, device, verify)
    call.require_all_delivered()
    return Ciphered(call.result(), call.result_layout())


def cmac(
    cipher: str,
    keys: Any,
    data: Any,
    offsets: Any = None,
    *,
    tag_size: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
) -> Bytes:
    """The CMACs of n messages: an n x tag_size uint8 array.

    `tag_size` is 1 byte to a block (the default); `limit` is in blocks per key. Errors as for
    `encrypt`. Source: NIST SP 800-38B. Status: as of `hazmat.cmac`.
    """
    if (offsets is limit is threads is None) and (
        made := _small("cmac", cipher, tag_size, keys, None, data, None)
    ):
        return made[1]
    call = _Call("cmac", cipher, tag_size)
    messages = call.mac_arguments(keys, data, offsets, limit)
    call.check_limit(each=True)
    call.tags = np.empty((messages.count, call.tag_size), np.uint8)
    call.run(threads, None, "none")
    call.require_all_delivered()
    return call.tags


def cmac_verify(
    cipher: str,
    keys: Any,
    data: Any,
    tags: Any,
    offsets: Any = None,
    *,
    tag_size: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
) -> NDArray[np.int8]:
    """Compare the CMACs of n messages with `tags`, in constant time: an int8 status per message.

    A status is 0 where the tag matches, -3 where it does not, -4 where the message exceeds the data
    limit of its key. `tags` is n x tag size; with tags shorter than a block give the agreed
    `tag_size`, too. Errors as for `decrypt`. Source: NIST SP 800-38B. Status: as of `hazmat.cmac`.
    """
    if (offsets is limit is threads is None) and (
        made := _small("cmac_verify", cipher, tag_size, keys, None, data, tags)
    ):
        return made[2]
    call = _Call("cmac_verify", cipher, tag_size)
    messages = call.mac_arguments(keys, data, offsets, limit)
    call.check_limit(each=False)
    call.tags, _ = _rows(tags, "tags", call.tag_size, messages.count, one_allowed=False)
    call.run(threads, None, "none")
    return call.status


def hash(
    algorithm: str,
    data: Any,
    offsets: Any = None,
    digest_size: int | None = None,
    *,
    customization: BytesLike = b"",
    threads: int | None = None,
) -> Bytes:
    """The digests of n messages: an n x digest_size uint8 array.

    `digest_size` is free for the extendable-output functions (default 32 and 48). `customization`,
    0 to 256 bytes, is for "ascon-cxof128": one string for all messages, which says what the outputs
    are for. Errors as for `encrypt`.
    """
    if (
        (offsets is threads is None)
        and (type(customization) is bytes and not customization)
        and (made := _small("hash", algorithm, digest_size, None, None, data, None))
    ):
        return made[1]
    call = _Call("hash", algorithm, digest_size)
    call.customization = call.checked_customization(customization)
    messages = call.messages = _messages(data, offsets, "data", "offsets")
    call.tags = np.empty((messages.count, call.tag_size), np.uint8)
    call.run(threads, None, "none")
    call.require_all_delivered()
    return call.tags


def to_fixed_size_binary(rows: Bytes) -> pa.FixedSizeBinaryArray:
    """Tags, digests, keys or nonces (an n x k uint8 array) as an Arrow fixed_size_binary array,
    without a copy. ImportError without pyarrow.
    """
    pyarrow = _arrow.arrow()
    if not isinstance(rows, np.ndarray):
        raise TypeError(f"rows must be an n x k uint8 array, not {_describe(rows)}")
    refuse_masked(rows, "rows")
    if rows.dtype != np.uint8 or rows.ndim != 2:
        wrong = TypeError if rows.dtype != np.uint8 else ValueError
        raise wrong(f"rows must be an n x k uint8 array, not {_describe(rows)}")
    kind = pyarrow.binary(rows.shape[1])
    return pyarrow.Array.from_buffers(
        kind, rows.shape[0], [None, pyarrow.py_buffer(np.ascontiguousarray(rows).reshape(-1))]
    )


@functools.lru_cache(maxsize=256)
def _plan(
    operation: str, algorithm: str, tag_size: int | None
) -> tuple[str, str, str, int, int, int]:
    """What `_core.small_fleet` takes for an algorithm; errors as of `_Call`."""
    call = _Call(operation, algorithm, tag_size)
    limit = min(call.limit_default, (1 << 64) - 1)
    return call.mode, operation, call.cipher, call.nonce_size, call.tag_size, limit


def _small(
    operation: str, algorithm: Any, tag_size: Any, keys: Any, nonces: Any, data: Any, tags: Any
) -> tuple[Any, Bytes, NDArray[np.int8]] | None:
    """Output, tags and status of a call of few short messages in plain arrays; None where a call is
    of another kind, or is to be refused: `_Call` does it then, and names what is wrong.
    """
    if type(algorithm) is not str or not (tag_size is None or type(tag_size) is int):
        return None
    plan = _plan(operation, algorithm, tag_size)
    return _core.small_fleet(NUMPY, *plan, keys, nonces, data, tags)


@dataclass
class _Ragged:
    """Messages as the library takes them: `flat[offsets[i]:offsets[i + 1]]`, the first offset being
    0.
    """

    flat: Bytes  # empty for messages in device memory
    # the offsets: a copy of ours, nobody else can change it while the library reads; None: one
    # message per row
    starts: Offsets | None
    first: int  # where `flat` begins in the array that was given
    shape: tuple[int, ...]  # of the array that was given
    arrow_type: Any = None

    @functools.cached_property
    def offsets(self) -> Offsets:
        """Made on demand for rows: a GPU does millions of them in the time that this takes."""
        return (
            np.arange(self.shape[0] + 1, dtype=np.int64) * self.shape[1]
            if self.starts is None
            else self.starts
        )

    @property
    def count(self) -> int:
        return self.shape[0] if self.starts is None else len(self.starts) - 1

    @property
    def size(self) -> int:
        """Bytes of all messages together."""
        return self.shape[0] * self.shape[1] if self.starts is None else int(self.starts[-1])

    @property
    def lengths(self) -> Offsets:
        return (
            np.broadcast_to(np.int64(self.shape[1]), self.count)
            if self.starts is None
            else np.diff(self.starts)
        )

    @property
    def length(self) -> int | None:
        """The length of all messages; None where they differ."""
        if self.starts is None:
            return self.shape[1]
        if self.count == 0:
            return 0
        first = int(self.starts[1])
        equal = self.size == first * self.count and bool((self.lengths == first).all())
        return first if equal else None


_KNOWN = {kind: frozenset(names) for kind, names in algorithms().items()}


class _Call:
    """One call of the library: its algorithm resolved, its arrays checked."""

    def __init__(self, operation: str, algorithm: str, tag_size: int | None) -> None:
        kind = {"encrypt": "aead", "decrypt": "aead", "cmac_verify": "cmac"}.get(
            operation, operation
        )
        if not isinstance(algorithm, str):
            raise TypeError(f"algorithm must be a str, not {type(algorithm).__name__}")
        if algorithm not in _KNOWN[kind]:
            known = algorithms()[kind]
            hint = similar(algorithm, known, "fleet.algorithms() lists the names")
            raise ValueError(f"fleet.{operation} knows no algorithm {shown(algorithm)}; {hint}")
        self.operation = operation
        self.name = algorithm
        self.cipher = _EAX.get(algorithm, algorithm if kind in ("ctr", "cmac") else "")
        self.mode = "eax" if algorithm in _EAX else kind if self.cipher else algorithm
        row = _ROWS[self.cipher or algorithm]
        self.key_size: int = row["key_size"]
        self.block_size: int = row["block_size"]
        self.nonce_size: int = (
            self.block_size if operation == "ctr" else 0 if self.cipher else row["nonce_size"]
        )
        self.limit = 0
        self.limit_default: int = 1 << row["limit_log2"]
        self.one_key = False
        self.keys: Bytes | None = None
        self.nonces: Bytes | None = None
        self.ad: _Ragged | None = None
        self.out: Bytes | None = None
        self.tags: Bytes | None = None
        self.tag_size = self._tag_size(tag_size)
        self.customization = b""
        # where data is a device array, with what follows
        self.on_device: DeviceArrays | None = None
        self.device_out: gpu._View | None = None
        self.given_out: Any = None

    def _tag_size(self, given: int | None) -> int:
        if self.operation == "ctr":
            return 0
        if self.operation == "hash":
            lowest, default, highest, what = 1, (_HASHES | _XOFS)[self.name], 1 << 31, "digest_size"
            if self.name in _HASHES:
                lowest = highest = default
        else:
            lowest, default, highest, what = 1, self.block_size, self.block_size, "tag_size"
            if not self.cipher:
                lowest = default = highest = _ROWS[self.name]["tag_size"]
        if given is None:
            return default
        if not isinstance(given, int):
            raise TypeError(f"{what} must be an int (bytes) or None, not {type(given).__name__}")
        if not lowest <= given <= highest:
            expected = f"{lowest}" if lowest == highest else f"{lowest} to {highest}"
            raise ValueError(f"{what} is {described(given)}; {self.name} takes {expected} bytes")
        return given

    def checked_customization(self, given: BytesLike) -> bytes:
        """A copy of the customization string of all messages: nobody else can change it."""
        _core.require_bytes(given, "customization")
        string, longest = bytes(given), _CUSTOMIZED.get(self.name, 0)
        if len(string) > longest:
            expected = f"0 to {longest} bytes" if longest else "none; only ascon-cxof128 takes one"
            raise ValueError(f"customization is {len(string)} bytes; {self.name} takes {expected}")
        return string

    def arguments(
        self,
        keys: Any,
        nonces: Any,
        data: Any,
        offsets: Any,
        associated_data: Any,
        ad_offsets: Any,
        out: Any,
        limit: int | None,
        device: Any,
        stream: Any,
    ) -> _Ragged:
        self._set_limit(limit)
        if is_device_array(data):
            return self._device_arguments(
                keys, nonces, data, offsets, associated_data, ad_offsets, out, device, stream
            )
        if stream is not None:
            raise ValueError(
                "stream= goes with device arrays; calls on host memory have streams of their own"
            )
        for name, value in (
            ("keys", keys),
            ("nonces", nonces),
            ("associated_data", associated_data),
            ("out", out),
        ):
            if is_device_array(value):
                raise TypeError(
                    f"{name} is in device memory and data in host memory; bring data to the device "
                    "(gpu.to_device), or the other to the host"
                )
        messages = self.messages = _messages(data, offsets, "data", "offsets")
        self.keys, self.one_key = _rows(
            keys, "keys", self.key_size, messages.count, one_allowed=True
        )
        what = "ivs" if self.operation == "ctr" else "nonces"
        rows, _ = _rows(nonces, what, self.nonce_size, messages.count, one_allowed=False)
        self.nonces, self.nonce_size = rows, rows.shape[1]
        if associated_data is not None:
            self.ad = _messages(associated_data, ad_offsets, "associated_data", "ad_offsets")
            if self.ad.count != messages.count:
                raise ValueError(
                    f"associated_data has {self.ad.count} entries for {messages.count} messages; "
                    "give one each"
                )
        elif ad_offsets is not None:
            raise ValueError("ad_offsets are given without associated_data")
        self.out = _output(out, messages)
        return messages

    def mac_arguments(self, keys: Any, data: Any, offsets: Any, limit: int | None) -> _Ragged:
        self._set_limit(limit)
        for name, value in (("data", data), ("keys", keys)):
            if is_device_array(value):
                raise TypeError(
                    f"{name} is in device memory, and CMAC runs on the processor; bring it to the "
                    "host"
                )
        messages = self.messages = _messages(data, offsets, "data", "offsets")
        self.keys, self.one_key = _rows(
            keys, "keys", self.key_size, messages.count, one_allowed=True
        )
        return messages

    def _set_limit(self, limit: int | None) -> None:
        if limit is not None:
            if not self.cipher:
                raise ValueError(
                    f"{self.name} has no limit to set; limit= is for EAX, CTR and CMAC"
                )
            if not isinstance(limit, int):
                raise TypeError(
                    f"limit must be an int (blocks) or None, not {type(limit).__name__}"
                )
            if not 1 <= limit < 1 << 64:
                raise ValueError(
                    f"limit is {described(limit)} (blocks); it takes 1 to 2**64 - 1, of which the last means no "
                    "limit"
                )
            self.limit = limit

    def _device_arguments(
        self,
        keys: Any,
        nonces: Any,
        data: Any,
        offsets: Any,
        associated_data: Any,
        ad_offsets: Any,
        out: Any,
        device: Any,
        stream: Any,
    ) -> _Ragged:
        from hanji import _accelerate, gpu

        _accelerate.require_kernels(self)
        where = self.on_device = _accelerate.DeviceArrays(
            _accelerate.index_of(data, device), stream
        )
        view = where.view(data, "data")
        messages = self.messages = _device_messages(
            view.shape, where.offsets(offsets, "offsets"), "data", "offsets"
        )
        where.pointers["data"] = view.pointer + messages.first
        self.device_rows(keys, "keys", self.key_size, one_allowed=True)
        what = "ivs" if self.operation == "ctr" else "nonces"
        self.device_rows(nonces, what, self.nonce_size, one_allowed=False)
        if associated_data is not None:
            self._device_ad(associated_data, where.offsets(ad_offsets, "ad_offsets"))
        elif ad_offsets is not None:
            raise ValueError("ad_offsets are given without associated_data")
        size = messages.size
        if out is None:
            shape = messages.shape if len(messages.shape) == 2 else (size,)
            self.given_out = gpu.Array(shape, where.index, where.given)
            self.device_out = where.view(self.given_out, "out")
            where.out = self.device_out.pointer
        else:
            if not is_device_array(out):
                raise TypeError(f"out must be a device array, as data is, not {_describe(out)}")
            self.given_out, self.device_out = out, where.view(out, "out", write=True)
            if self.device_out.shape != messages.shape:
                raise ValueError(
                    f"out must be a uint8 array of shape {messages.shape}, as data has, not of "
                    f"shape {self.device_out.shape}"
                )
            where.out = self.device_out.pointer + messages.first
            gpu._require_apart(
                where.out, size, where.pointers["data"], size, "out", "data", in_place=True
            )
        if self.operation == "encrypt":
            where.tags = gpu.Array((messages.count, self.tag_size), where.index, where.given)
        return messages

    def device_rows(self, value: Any, what: str, size: int, *, one_allowed: bool) -> None:
        """An n x size array for a call in device memory; from host memory it is copied there."""
        where, count = self.on_device, self.messages.count
        assert where is not None
        name = "nonces" if what == "ivs" else what
        if not is_device_array(value):
            rows, one = _rows(value, what, size, count, one_allowed=one_allowed)
            if one:
                self.keys, self.one_key = rows, True
            else:
                where.place(name, rows)
            return
        view = where.view(value, what)
        one = one_allowed and view.shape == (size,)
        if not one and view.shape != (count, size):
            one_text = f", or one of {size} bytes for all messages" if one_allowed else ""
            raise ValueError(f"{what} has shape {view.shape}; expected ({count}, {size}){one_text}")
        self.one_key = self.one_key or one
        where.take(name, view)

    def _device_ad(self, value: Any, offsets: Any) -> None:
        where = self.on_device
        assert where is not None
        if is_device_array(value):
            view = where.view(value, "associated_data")
            self.ad = _device_messages(view.shape, offsets, "associated_data", "ad_offsets")
            where.pointers["ad"] = view.pointer + self.ad.first
        else:
            self.ad = _messages(value, offsets, "associated_data", "ad_offsets")
            where.place("ad", self.ad.flat)
        if self.ad.count != self.messages.count:
            raise ValueError(
                f"associated_data has {self.ad.count} entries for {self.messages.count} messages; "
                "give one each"
            )

    @staticmethod
    def _lengths(messages: _Ragged, uniform: bool) -> Any:
        """The length of every message; a number when they are uniform."""
        return messages.shape[1] if uniform else messages.lengths

    def check_limit(self, *, each: bool) -> None:
        """Refuse before anything is written: all messages together under one key, or, if `each`,
        any message under its own.
        """
        if not self.cipher:
            return
        # Of uniform messages it is enough to look at one; and without NumPy, whose code
        # a large call has driven from the cache.
        uniform = self.messages.starts is None and (self.ad is None or self.ad.starts is None)
        blocks = -(-self._lengths(self.messages, uniform) // self.block_size)
        if self.mode == "eax":
            ad_blocks = (
                0 if self.ad is None else -(-self._lengths(self.ad, uniform) // self.block_size)
            )
            blocks = _eax_blocks(blocks, ad_blocks, -(-self.nonce_size // self.block_size))
        if self.mode == "cmac":
            blocks = np.maximum(blocks, 1)  # an empty message is padded to a block
        allowed = self.limit or self.limit_default
        if self.one_key:
            needed = (
                blocks * self.messages.count if uniform else int(blocks.sum())
            ) + _blocks_per_key(self.mode)
            if needed > allowed:
                raise LimitError(
                    f"the messages need {needed} blocks under one key; the limit of {self.cipher} "
                    f"is {allowed}: "
                    "use more keys; limit= (blocks) raises the limit if you accept the weaker bound"
                )
        elif each and self.messages.count:
            largest = 0 if uniform else int(blocks.argmax())
            needed = (blocks if uniform else int(blocks[largest])) + _blocks_per_key(self.mode)
            if needed > allowed:
                raise LimitError(
                    f"message {largest} needs {needed} blocks; the limit of {self.cipher} is "
                    f"{allowed} per key: "
                    "split it over several keys; limit= (blocks) raises the limit if you accept "
                    "the weaker bound"
                )

    def run(self, threads: int | None, device: Any, verify: str) -> None:
        if verify not in ("none", "sample", "all"):
            raise ValueError(f"verify is {described(verify)}; it takes 'none', 'sample' or 'all'")
        if threads is None:
            threads = usable_processors()
        elif not isinstance(threads, int) or threads < 1:
            raise ValueError(
                f"threads is {described(threads)}; it takes an int of 1 and more, or None"
            )
        self.status = np.zeros(self.messages.count, np.int8)
        if self.on_device is not None or device is not None:
            from hanji import _accelerate

            self.failures = (
                _accelerate.run_host(self, device, verify, threads)
                if self.on_device is None
                else _accelerate.run_device(self, self.on_device, verify)
            )
            return
        self.failures = _core.fleet(
            self.mode,
            self.operation,
            self.cipher,
            self.messages.offsets if self.messages.starts is not None else self.messages.shape[1],
            self.messages.flat,
            self.out,
            None if self.ad is None else self.ad.offsets,
            None if self.ad is None else self.ad.flat,
            self.keys,
            self.one_key,
            self.nonces,
            self.nonce_size,
            self.tags,
            self.tag_size,
            self.status,
            self.limit,
            threads,
            self.customization,
        )

    def require_all_delivered(self) -> None:
        if self.failures:
            place = int(self.status.nonzero()[0][0])
            kind = LimitError if self.status[place] == _LIMIT_CODE else HanjiError
            raise kind(
                f"message {place} was not processed (code {self.status[place]}); what was written "
                "for this call is void"
            )

    def result(self) -> Any:
        """The output in the shape of the data; for device arrays a gpu.Array, or what was given as
        out.
        """
        if self.on_device is not None:
            return self.given_out
        assert self.out is not None
        return self.out.reshape(self.messages.shape) if len(self.messages.shape) == 2 else self.out

    def result_layout(self) -> _Ragged:
        """Where the messages lie in result()."""
        given, starts = self.messages, self.messages.starts
        if (
            starts is not None
            and self.device_out is not None
            and self.device_out.shape == given.shape
        ):
            starts = starts + given.first
        # a result does not keep its input alive
        return _Ragged(_NOTHING, starts, given.first, given.shape, given.arrow_type)

    def tags_result(self) -> Any:
        """The tags that were made."""
        return self.tags if self.on_device is None else self.on_device.tags


def _eax_blocks(message: Any, ad: Any, nonce: int) -> Any:
    # One prefix block for each of the three CMACs, their data, and the key stream.
    return 2 * message + ad + nonce + 3


def _blocks_per_key(mode: str) -> int:
    return 0 if mode == "ctr" else 1  # the zero block from which the CMAC subkeys come


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} of shape {value.shape}"
    return type(value).__name__


def _is_arrow(value: Any) -> bool:
    return hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")


def _arrow_array(value: Any, what: str) -> Any:
    """One pyarrow array without nulls, from whatever has the Arrow interface."""
    pyarrow = _arrow.arrow()
    if not isinstance(value, pyarrow.Array | pyarrow.ChunkedArray):
        value = (
            pyarrow.array(value)
            if hasattr(value, "__arrow_c_array__")
            else pyarrow.chunked_array(value)
        )
    if isinstance(value, pyarrow.ChunkedArray):
        value = value.combine_chunks()
        if isinstance(value, pyarrow.ChunkedArray):
            raise ValueError(
                f"{what} does not fit into one array of type {arrow_type(value.type)}; cast it to large_binary"
            )
    if value.null_count:
        place = int(np.argmax(value.is_null().to_numpy(zero_copy_only=False)))
        raise ValueError(
            f"{what} has nulls ({value.null_count}), the first at index {place}; fill or drop them "
            "(a null is not an empty message)"
        )
    return value


def _arrow_bytes(buffer: Any) -> Bytes:
    return np.frombuffer(buffer, np.uint8) if buffer is not None else np.empty(0, np.uint8)


def _messages(data: Any, offsets: Any, what: str, offsets_what: str) -> _Ragged:
    if _is_arrow(data):
        if offsets is not None:
            raise ValueError(
                f"{what} is an Arrow array and has offsets of its own; do not give {offsets_what}"
            )
        return _arrow_messages(_arrow_array(data, what), what)
    array = _byte_array(data, what)
    if array.ndim == 2:
        rows = _Ragged(np.ascontiguousarray(array).reshape(-1), None, 0, array.shape)
        _require_row_offsets(_starts(offsets, offsets_what), rows, what, offsets_what)
        return rows
    starts = _starts(offsets, offsets_what)
    if starts is None:
        raise _no_offsets(what, offsets_what)
    return _slice(np.ascontiguousarray(array), starts, what, offsets_what)


def _starts(offsets: Any, offsets_what: str) -> NDArray[Any] | None:
    """Offsets as an array of a type that they may have."""
    if offsets is None:
        return None
    refuse_masked(offsets, offsets_what)
    starts = (
        _arrow_array(offsets, offsets_what).to_numpy()
        if _is_arrow(offsets)
        else np.asarray(offsets)
    )
    if starts.ndim != 1 or len(starts) == 0 or starts.dtype not in (np.int32, np.int64):
        raise ValueError(
            f"{offsets_what} must be n + 1 numbers of type int32 or int64 for n messages, not "
            f"{_describe(starts)}"
        )
    return starts


def _require_row_offsets(
    starts: NDArray[Any] | None, rows: _Ragged, what: str, offsets_what: str
) -> None:
    if starts is not None and not np.array_equal(starts, rows.offsets):
        raise ValueError(
            f"{what} has two dimensions, one message per row; {offsets_what} say otherwise: leave "
            "them out, or flatten the array"
        )


def _no_offsets(what: str, offsets_what: str) -> ValueError:
    return ValueError(
        f"{what} is one-dimensional: give {offsets_what} (n + 1 numbers for n messages), or an "
        "array with one message per row"
    )


def _checked_offsets(starts: NDArray[Any], size: int, what: str, offsets_what: str) -> Offsets:
    """A copy of offsets into `size` bytes, as int64."""
    own = starts.astype(np.int64)
    decreasing = own[1:] < own[:-1]
    if decreasing.any():
        place = int(np.argmax(decreasing))
        raise ValueError(
            f"{offsets_what} decrease at message {place}: {own[place]}, then {own[place + 1]}"
        )
    if own[0] < 0 or own[-1] > size:
        raise ValueError(
            f"{offsets_what} go from {own[0]} to {own[-1]}, but {what} has {size} bytes"
        )
    return own


def _slice(
    flat: Bytes, starts: NDArray[Any], what: str, offsets_what: str, arrow_type: Any = None
) -> _Ragged:
    own = _checked_offsets(starts, len(flat), what, offsets_what)
    first, last = int(own[0]), int(own[-1])
    if first:
        own -= first
    return _Ragged(flat[first:last], own, first, flat.shape, arrow_type)


def _device_messages(shape: tuple[int, ...], offsets: Any, what: str, offsets_what: str) -> _Ragged:
    """Messages in device memory, by the shape of their array."""
    if len(shape) not in (1, 2):
        raise ValueError(f"{what} has shape {shape}; it takes one or two dimensions")
    nothing = np.empty(0, np.uint8)
    starts = _starts(offsets, offsets_what)
    if len(shape) == 2:
        rows = _Ragged(nothing, None, 0, shape)
        _require_row_offsets(starts, rows, what, offsets_what)
        return rows
    if starts is None:
        raise _no_offsets(what, offsets_what)
    own = _checked_offsets(starts, shape[0], what, offsets_what)
    first = int(own[0])
    if first:
        own -= first
    return _Ragged(nothing, own, first, shape)


def _arrow_messages(array: Any, what: str) -> _Ragged:
    types = _arrow.arrow().types
    if types.is_binary_view(array.type):
        array = array.cast(_arrow.arrow().large_binary())
    buffers = array.buffers()
    count = len(array)
    if types.is_fixed_size_binary(array.type):
        size = array.type.byte_width
        flat = _arrow_bytes(buffers[1])[array.offset * size : (array.offset + count) * size]
        return _Ragged(flat, np.arange(count + 1, dtype=np.int64) * size, 0, flat.shape, array.type)
    if not (types.is_binary(array.type) or types.is_large_binary(array.type)):
        raise TypeError(
            f"{what} has the Arrow type {arrow_type(array.type)}; cast it to binary, large_binary or "
            "fixed_size_binary"
        )
    if count == 0:
        return _Ragged(np.empty(0, np.uint8), np.zeros(1, np.int64), 0, (0,), array.type)
    width = np.dtype(np.int32 if types.is_binary(array.type) else np.int64)
    starts = np.frombuffer(buffers[1], width, count + 1, array.offset * width.itemsize)
    ragged = _slice(_arrow_bytes(buffers[2]), starts, what, "its offsets", array.type)
    return _Ragged(ragged.flat, ragged.offsets, 0, ragged.flat.shape, array.type)


def _byte_array(value: Any, what: str) -> Bytes:
    if not isinstance(value, np.ndarray):
        try:
            memoryview(value)
        except TypeError:
            raise TypeError(
                f"{what} must be a uint8 array, a bytes-like object or an Arrow array, not "
                f"{type(value).__name__}"
            ) from None
        _core.require_bytes(value, what)
        value = np.frombuffer(value, np.uint8)
    array: Bytes = value
    refuse_masked(value, what)
    if value.dtype != np.uint8:
        raise TypeError(
            f"{what} has dtype {value.dtype}; it takes uint8 (an array of another type: "
            "array.view(numpy.uint8))"
        )
    if value.ndim not in (1, 2):
        raise ValueError(f"{what} has shape {value.shape}; it takes one or two dimensions")
    return array


def _rows(value: Any, what: str, size: int, count: int, *, one_allowed: bool) -> tuple[Bytes, bool]:
    """An n x size array, or one row for all. `size` 0: free, but not 0."""
    if _is_arrow(value):
        array = _arrow_array(value, what)
        if not _arrow.arrow().types.is_fixed_size_binary(array.type):
            raise TypeError(
                f"{what} has the Arrow type {arrow_type(array.type)}; cast it to fixed_size_binary"
            )
        width = array.type.byte_width
        flat = _arrow_bytes(array.buffers()[1])[
            array.offset * width : (array.offset + len(array)) * width
        ]
        rows = flat.reshape(len(array), width)
    else:
        rows = _byte_array(value, what)
    one = one_allowed and rows.ndim == 1
    wanted = f"({count}, {size or 'k'})"
    if rows.shape[-1] != size if size else rows.shape[-1] == 0:
        one_text = f", or one of {size} bytes for all messages" if one_allowed else ""
        raise ValueError(f"{what} has shape {rows.shape}; expected {wanted}{one_text}")
    if not one and (rows.ndim != 2 or rows.shape[0] != count):
        raise ValueError(
            f"{what} has shape {rows.shape}; expected {wanted}: one row for each of the {count} "
            "messages"
        )
    return np.ascontiguousarray(rows), one


def _output(out: Any, messages: _Ragged) -> Bytes:
    if out is None:
        return np.empty(len(messages.flat), np.uint8)
    if not isinstance(out, np.ndarray):
        raise TypeError(
            f"out must be a uint8 array of shape {messages.shape}, as data has, not "
            f"{_describe(out)}"
        )
    refuse_masked(out, "out")
    if out.dtype != np.uint8 or out.shape != messages.shape:
        wrong = TypeError if out.dtype != np.uint8 else ValueError
        raise wrong(
            f"out must be a uint8 array of shape {messages.shape}, as data has, not "
            f"{_describe(out)}"
        )
    if not out.flags.c_contiguous:
        raise BufferError("out is not C-contiguous")
    if not out.flags.writeable:
        raise TypeError("out is read-only")
    return out.reshape(-1)[messages.first : messages.first + len(messages.flat)]
