# SPDX-License-Identifier: Apache-2.0
"""Write python/hanji/_core.pyi from the signatures in python/src: `python python/stub.py`. A test checks that it is up to date."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PATH = HERE / "hanji" / "_core.pyi"


def write(path: Path) -> None:
    """Write the stub of the installed extension module to `path`."""
    sys.path = [entry for entry in sys.path if Path(entry).resolve() != HERE]  # the sources beside this script hide an installed package
    from nanobind import stubgen

    import hanji
    from hanji import _core

    # The classes show the public module that users import them from; the stub has to define them where they are.
    for value in list(vars(_core).values()):
        if isinstance(value, type) and value.__module__.startswith(hanji.__name__):
            value.__module__ = _core.__name__
    stubgen.main(["-q", "-m", _core.__name__, "-o", str(path)])
    text = re.sub(r"^(class \w+)\(\):", r"\1:", path.read_text(), flags=re.MULTILINE)
    path.write_text("# SPDX-License-Identifier: Apache-2.0\n" + text)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else PATH)
