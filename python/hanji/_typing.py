# SPDX-License-Identifier: Apache-2.0
"""Types for annotations; nothing of this is needed when a program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Buffer

    # Before Python 3.12 type checkers do not know that a NumPy array is a buffer.
    BytesLike = Buffer | NDArray[Any]
