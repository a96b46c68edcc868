# SPDX-License-Identifier: Apache-2.0
"""What the compiled modules need of NumPy to recognize arrays and to make new ones."""

from __future__ import annotations

import numpy as np

_TYPES = (np.uint8, np.int8, np.uint32, np.int64)
#: The function that makes an array, the type of arrays, and types of items.
NUMPY = (np.empty, np.ndarray, *(np.dtype(kind) for kind in _TYPES))
