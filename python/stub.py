# SPDX-License-Identifier: Apache-2.0
"""Write python/hanji/_core.pyi and _gpu.pyi from the signatures in python/src: `python python/stub.py`. A test checks that they are up to date."""

import importlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "hanji"
MODULES = ("_core", "_gpu")


def write(name: str, path: Path) -> None:
    """Write the stub of an installed extension module, "_core" for example, to `path`."""
    sys.path = [entry for entry in sys.path if Path(entry).resolve() != HERE]  # the sources beside this script hide an installed package
    from nanobind import stubgen

    module = importlib.import_module(f"hanji.{name}")
    # The classes show the public module that users import them from; the stub has to define them where they are.
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__.startswith("hanji"):
            value.__module__ = module.__name__
    stubgen.main(["-q", "-m", module.__name__, "-o", str(path)])
    text = re.sub(r"^(class \w+)\(\):", r"\1:", path.read_text(), flags=re.MULTILINE)
    path.write_text("# SPDX-License-Identifier: Apache-2.0\n" + text)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE
    for name in MODULES:
        write(name, folder / f"{name}.pyi")
