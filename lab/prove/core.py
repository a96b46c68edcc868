# SPDX-License-Identifier: Apache-2.0
"""The compiled part of the prover's graphs, core.cpp: built when it is first needed, and kept."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sysconfig
from pathlib import Path
from types import ModuleType

from ..checkout import LabError, cache_folder, shared_object

SOURCE = Path(__file__).with_name("core.cpp")
NAME = "hanji_core"


def _load() -> ModuleType:
    """The module, for this Python; LabError where it cannot be compiled."""
    headers = Path(sysconfig.get_paths()["include"])
    if not (headers / "Python.h").is_file():
        raise LabError(
            f"{headers} has no Python.h, with which the prover compiles a part of itself. On "
            "Debian: apt-get install python3-dev"
        )
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    options = ("-fvisibility=hidden", f"-I{headers}", f"-DSUFFIX={suffix}")
    path = str(shared_object(SOURCE, cache_folder() / "prove", options))
    loader = importlib.machinery.ExtensionFileLoader(NAME, path)
    found = importlib.util.spec_from_file_location(NAME, path, loader=loader)
    assert found is not None
    module = importlib.util.module_from_spec(found)
    loader.exec_module(module)
    return module


_module = _load()
Core = _module.Core
constant = _module.constant
number_bits = _module.number_bits
place = _module.place
put = _module.put
row = _module.row
spans = _module.spans
whole = _module.whole
set_budget_error = _module.set_budget_error
