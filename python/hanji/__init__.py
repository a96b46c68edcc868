# SPDX-License-Identifier: Apache-2.0
"""Lightweight cryptography: Ascon, SCHWAEMM and ESCH for everyday use, SPECK, SIMON, SIMECK and
CHAM under `hazmat`, many messages at once under `fleet`.

Only Ascon is approved by NIST (SP 800-232); `hanji.algorithms()` gives the status of each algorithm.
No implementation here is validated. Nothing here starts threads or keeps state between calls, so a
process may fork between calls. If another thread uses an object at the moment of a fork, the object
raises RuntimeError in the child. The package works in the main interpreter only: in a
subinterpreter, `import hanji` raises ImportError.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from hanji import _core, aead, hashes, hazmat
from hanji._catalogue import Algorithm, algorithms
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
    return _core.selftest()


def force(tier: str | None) -> None:
    """Cap the kernels at a tier by name, "portable" for example; None takes the cap away.
    HanjiError when the tier is not there.

    The environment variable HANJI_FORCE does the same at the start of a process.
    """
    _core.force(tier)


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
