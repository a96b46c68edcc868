# SPDX-License-Identifier: Apache-2.0
"""The laboratory of hanji: executable specifications, and checks that the library equals them and
keeps its secrets.
"""

__version__ = "0.2.0"
