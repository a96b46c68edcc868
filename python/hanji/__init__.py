# SPDX-License-Identifier: Apache-2.0
"""Lightweight cryptography: Ascon, SCHWAEMM and ESCH for everyday use, SPECK, SIMON, SIMECK and
CHAM under `hazmat`, many messages at once under `fleet`.

Only Ascon is approved by NIST (SP 800-232); `hanji.algorithms()` gives the status of each algorithm.
No implementation here is validated. Nothing here starts threads or keeps state between calls, so a
process may fork between calls. If another thread uses an object at the moment of a fork, the object
is unusable in the child.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from hanji import _core, aead, hashes, hazmat
from hanji._core import HanjiError, InvalidTag, LimitError

if TYPE_CHECKING:
    from hanji import files, fleet, gpu, keys, sign

__all__ = [
    "Algorithm",
    "HanjiError",
    "InvalidTag",
    "LimitError",
    "__version__",
    "aead",
    "algorithms",
    "backends",
    "epoch",
    "files",
    "fleet",
    "force",
    "gpu",
    "hashes",
    "hazmat",
    "kernels",
    "keys",
    "selftest",
    "sign",
]

__version__ = _core.version()


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One algorithm: sizes in bytes, 0 where a size has no meaning or is free.

    `block_size` is the block of a cipher, the rate of a hash or AEAD, the state of a permutation.
    Of a signature scheme `key_size` is the private key, `block_size` the public key and `tag_size`
    the signature. `limit_blocks` is the number of blocks that the modes process under one key by
    default (None where the limit is in bytes or there is none); `data_limit` says the limit in
    words. `broken`: it protects nothing any more, for the reason that `status` gives.
    """

    name: str
    kind: Literal["block", "mode", "permutation", "aead", "hash", "xof", "signature"]
    key_size: int
    nonce_size: int
    tag_size: int
    block_size: int
    digest_size: int
    status: str
    standard: str
    broken: bool
    limit_blocks: int | None
    data_limit: str


def _algorithm(row: dict[str, Any]) -> Algorithm:
    power = row.pop("limit_log2")
    blocks = row["kind"] == "block"
    if power == 0:
        text = ""
    elif blocks:
        text = f"2^{power} blocks ({_binary_size(row['block_size'] << power)}) per key by default"
    else:
        text = f"2^{power} bytes" + (" per key" if row["key_size"] else "")
    return Algorithm(**row, limit_blocks=1 << power if blocks else None, data_limit=text)


def _binary_size(size: int) -> str:
    units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
    place = min((size.bit_length() - 1) // 10, len(units) - 1)
    return f"{size / (1 << (10 * place)):g} {units[place]}"


def algorithms() -> list[Algorithm]:
    """All algorithms of the library, with sizes, standard, status and data limit."""
    return [_algorithm(row) for row in [*_core.algorithms(), *_rainbow_rows()]]


def _rainbow_rows() -> list[dict[str, Any]]:
    """Rainbow, whose library is apart, in the form of the others."""
    from hanji import _rainbow

    about = {
        "kind": "signature",
        "key_size": _rainbow.SEEDS,
        "nonce_size": 0,
        "digest_size": 0,
        "limit_log2": 0,
        "broken": _rainbow.BROKEN,
    }
    texts = {"status": _rainbow.STATUS, "standard": _rainbow.STANDARD}
    return [
        {"name": row.name, "tag_size": row.signature_size, "block_size": row.public_key_size}
        | about
        | texts
        for row in _rainbow.SETS
    ]


def backends() -> list[dict[str, Any]]:
    """The tiers of kernels in this build: `name`, `available` (this machine can run it), `selected`
    (it is in use).
    """
    return _core.tiers()


def kernels() -> list[dict[str, Any]]:
    """The rows of the kernel tables: `name`, `tier`, `operation`, `algorithm`, `group`, `minimum`,
    `usable`.
    """
    return _core.kernels()


def selftest() -> dict[str, bool]:
    """Run a known-answer test of every algorithm; HanjiError names the first that answers wrong."""
    from hanji import _rainbow

    right = _core.selftest() | _rainbow.selftest()
    if wrong := [name for name, good in right.items() if not good]:
        raise HanjiError(f"{wrong[0]} answers wrong")
    return right


def force(tier: str | None) -> None:
    """Cap the kernels at a tier by name, "portable" for example; None takes the cap away.
    HanjiError when the tier is not there.

    The environment variable HANJI_FORCE does the same at the start of a process.
    """
    _core.force(tier)
    if "hanji._rainbow" in sys.modules:
        sys.modules["hanji._rainbow"].force(tier)


def __getattr__(name: str) -> Any:
    if (
        name
        in (
            "epoch",
            "files",
            "fleet",
            "gpu",
            "keys",
            "sign",
        )
    ):  # on first use: NumPy and the file format cost time that most users of a cipher need not spend
        return importlib.import_module(f"hanji.{name}")
    raise AttributeError(f"module 'hanji' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
