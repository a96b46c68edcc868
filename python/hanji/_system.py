# SPDX-License-Identifier: Apache-2.0
"""What differs between systems, under the same names: files in their folders, locks, what is asked
of a terminal. One module has Linux, macOS and other systems of POSIX, one has Windows.
"""

import sys

if sys.platform == "win32":
    from hanji._windows import (
        CLOSE_BEFORE_REPLACING,
        Folder,
        LockedError,
        disk_of,
        has_terminal,
        hold,
        leave_after,
        lock,
        make_private_folder,
        mark_of,
        open_device,
        readers,
        rename,
        same_umask,
        store,
    )
else:
    from hanji._posix import (
        CLOSE_BEFORE_REPLACING,
        Folder,
        LockedError,
        disk_of,
        has_terminal,
        hold,
        leave_after,
        lock,
        make_private_folder,
        mark_of,
        open_device,
        readers,
        rename,
        same_umask,
        store,
    )

__all__ = [
    "CLOSE_BEFORE_REPLACING",
    "Folder",
    "LockedError",
    "disk_of",
    "has_terminal",
    "hold",
    "leave_after",
    "lock",
    "make_private_folder",
    "mark_of",
    "open_device",
    "readers",
    "rename",
    "same_umask",
    "store",
]
