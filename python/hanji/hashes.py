# SPDX-License-Identifier: Apache-2.0
"""Hash functions ESCH256 and ESCH384, extendable-output functions XOESCH256 and XOESCH384, shaped like the objects of hashlib.

    Esch256(b"abc").hexdigest()
    XOEsch256(b"abc").digest(100)

Threads may share an object: each call is whole, and from 2 KiB of data up other Python threads run during it.
"""

from hanji._core import Esch256, Esch384, XOEsch256, XOEsch384

__all__ = ["Esch256", "Esch384", "XOEsch256", "XOEsch384"]

for _class in (Esch256, Esch384, XOEsch256, XOEsch384):
    _class.__module__ = __name__
del _class
