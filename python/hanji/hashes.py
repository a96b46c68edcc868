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
threads run during a call.
"""

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

for _class in (AsconHash256, AsconXOF128, AsconCXOF128, Esch256, Esch384, XOEsch256, XOEsch384):
    _class.__module__ = __name__
del _class
