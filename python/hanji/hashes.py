# SPDX-License-Identifier: Apache-2.0
"""Hash functions Ascon-Hash256, ESCH256 and ESCH384, extendable-output functions Ascon-XOF128,
Ascon-CXOF128, XOESCH256 and XOESCH384.

The objects behave like the objects of hashlib.

    >>> AsconHash256(b"abc").hexdigest()[:16]
    '45aa03431c3c829b'
    >>> len(AsconCXOF128(b"abc", customization=b"calibration").digest(100))
    100
    >>> Esch256(b"abc").hexdigest()[:16]
    '17dac95cefe8892c'

Threads may share an object: calls run one after the other. From 2 KiB of data up other Python
threads run during a call. The functions are not for HMAC, and `hmac.new` with one of them is a
TypeError: their rate is no block size that HMAC could take.
"""

import sys
from typing import Any

from hanji._core import (
    AsconCXOF128,
    AsconHash256,
    AsconXOF128,
    Esch256,
    Esch384,
    XOEsch256,
    XOEsch384,
)

__all__ = [
    "AsconCXOF128",
    "AsconHash256",
    "AsconXOF128",
    "Esch256",
    "Esch384",
    "XOEsch256",
    "XOEsch384",
]


class _BlockSize:
    """The attribute block_size, which is refused to the module hmac: with a rate of 8 or 16 bytes,
    hmac.new would compute what no standard defines, and no other program would agree with.
    """

    def __init__(self, name: str, size: int) -> None:
        self._name, self._size = name, size

    def __get__(self, instance: object, owner: Any = None) -> int:
        if instance is not None and sys._getframe(1).f_globals.get("__name__") == "hmac":
            raise TypeError(
                f"{self._name} is not for HMAC, which no standard defines for it; for a message "
                "authentication code take hanji.hazmat.cmac, or an AEAD with the message as its "
                "associated data"
            )
        return self._size


for _class in (AsconHash256, AsconXOF128, AsconCXOF128, Esch256, Esch384, XOEsch256, XOEsch384):
    _class.__module__ = __name__
    _class.block_size = _BlockSize(_class.__name__, _class.block_size)  # type: ignore[assignment]
del _class
