# SPDX-License-Identifier: Apache-2.0
"""Write python/hanji/_core.pyi and _gpu.pyi from the signatures in python/src, and _schemes.pyi
from the parameter sets of signatures: `.venv/bin/python tools/stubs.py [FOLDER]`.
"""

import argparse
import importlib
import re
from pathlib import Path

from generated import ROOT, first_line

PACKAGE = ROOT / "python/hanji"
MODULES = ("_core", "_gpu")


def write(name: str, path: Path) -> None:
    """Write the stub of an installed extension module, "_core" for example, to `path`."""
    from nanobind import stubgen

    module = importlib.import_module(f"hanji.{name}")
    # The classes show the public module that users import them from; the stub has to define them
    # where they are.
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__.startswith("hanji"):
            value.__module__ = module.__name__
            if hasattr(value, "block_size"):  # of hashes, where hanji.hashes has a descriptor
                value.block_size = value.block_size
    stubgen.main(["-q", "-m", module.__name__, "-o", str(path)])
    text = re.sub(r"^(class \w+)\(\):", r"\1:", path.read_text(), flags=re.MULTILINE)
    head = first_line(path.name, "stubs.py", "the signatures in python/src")
    path.write_text(head + "# SPDX-License-Identifier: Apache-2.0\n" + text)


def write_schemes(path: Path) -> None:
    """Write the classes that hanji.sign makes of the parameter sets of signatures."""
    from hanji import sign

    classes = [sign.scheme(name).__name__ for name in sign.schemes()]
    head = first_line(path.name, "stubs.py", "the parameter sets of signatures")
    lines = ["# SPDX-License-Identifier: Apache-2.0", "from hanji.sign import PrivateKey", ""]
    lines += [f"class {name}(PrivateKey): ..." for name in classes]
    path.write_text(head + "\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=PACKAGE, metavar="FOLDER")
    folder = parser.parse_args().folder
    if not folder.is_dir():
        parser.error(f"{folder} is not a folder; an existing folder expected")
    for name in MODULES:
        write(name, folder / f"{name}.pyi")
    write_schemes(folder / "_schemes.pyi")


if __name__ == "__main__":
    main()
