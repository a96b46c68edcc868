# SPDX-License-Identifier: Apache-2.0
"""The list of algorithms: what modules below the package ask for sizes and status."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from hanji import _core
from hanji._text import described, suggestion

Advice = Literal["recommended", "ok", "legacy", "research", "broken"]  # the best first


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One algorithm: sizes in bytes, 0 where a size has no meaning or is free.

    `block_size` is the block of a cipher, the rate of a hash or AEAD, the state of a permutation.
    Of a signature scheme `key_size` is the private key, `block_size` the public key and `tag_size`
    the signature. `limit_blocks` is the number of blocks that the modes process under one key by
    default (None where the limit is in bytes or there is none); `data_limit` says the limit in
    words. `advice` is `status` in one word: "legacy" (only for devices and data that use it
    already), "research" and "broken" (for study only) warn against the algorithm.
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
    advice: Advice
    limit_blocks: int | None
    data_limit: str

    @property
    def broken(self) -> bool:
        """Whether the algorithm protects nothing any more, for the reason that `status` gives."""
        return self.advice == "broken"


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
    return [_algorithm(row) for row in _core.algorithms()]


def shown(name: str) -> str:
    """The name of an algorithm in a message: quoted if there is one of this name, and described if
    not, because it may be a key in the wrong place.
    """
    if any(row["name"] == name for row in _core.algorithms()):
        return repr(str(name))
    return f"an unknown name ({described(name)})"


def similar(name: str, known: Iterable[str], otherwise: str) -> str:
    """As :func:`hanji._text.suggestion` for algorithms that are valid in this place, the recommended
    ones first, and broken ones only where nothing else is similar. A name of the catalogue is no
    typing error, so that it gets `otherwise`.
    """
    words = get_args(Advice)
    advice = {row["name"]: words.index(row["advice"]) for row in _core.algorithms()}
    if not isinstance(name, str) or name in advice:
        return otherwise
    best = sorted(known, key=lambda one: advice.get(one.removesuffix("-eax"), len(words)))
    sound = [one for one in best if advice.get(one) != words.index("broken")]
    return suggestion(name, sound, "") or suggestion(name, best, otherwise)


for _public in (Algorithm, algorithms):
    _public.__module__ = "hanji"  # where users find them
