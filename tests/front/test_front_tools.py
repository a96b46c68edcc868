# SPDX-License-Identifier: Apache-2.0
"""Every program in tools/ prints its docstring for --help, and refuses words and options that it
does not know, before it does anything.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick
ROOT = Path(__file__).resolve().parents[2]
GUARD = 'if __name__ == "__main__":'
UNKNOWN = ["--no-such-option", "no-such-word"]
# These take a word of any kind, a program to run or a folder to make, and would begin their work.
ANY_WORD = {"progress", "gpu_cubins"}
# What is required comes first: the parser would rather miss it.
REQUIRED = {"amalgam": ["--algorithms", "esch256"], "gpu_cubins": ["cubins"]}
# Packages that a program needs and that not every machine has.
NEEDS = {"screenshots": ("PIL", "selenium")}

# One process starts all programs, each in a fork, so that Python itself starts once.
DRIVER = """
import json, os, runpy, sys, tempfile
folder = sys.path[0] = sys.argv[1]
found = {}
for name, lines in json.loads(sys.stdin.read()).items():
    for line in lines:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
            child = os.fork()
            if child == 0:
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(out.fileno(), 1)
                os.dup2(error.fileno(), 2)
                sys.argv = [f"{folder}/{name}.py", *line]
                status = 99
                try:
                    runpy.run_path(sys.argv[0], run_name="__main__")
                    status = 0
                except SystemExit as end:
                    status = end.code if isinstance(end.code, int) else 1 if end.code else 0
                    if isinstance(end.code, str):
                        print(end.code, file=sys.stderr)
                except BaseException:
                    import traceback
                    traceback.print_exc()
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            error.seek(0)
            said = [stream.read().decode(errors="replace") for stream in (out, error)]
        found[f"{name} {line[-1]}"] = [status, *said]
print(json.dumps(found))
"""


def programs(folder: Path) -> list[str]:
    """The names of the programs in a folder; the other files there are modules of these."""
    return sorted(path.stem for path in folder.glob("*.py") if GUARD in path.read_text())


def asked(name: str) -> list[list[str]]:
    """What a program is started with; the last word counts."""
    unknown = UNKNOWN[:1] if name in ANY_WORD else UNKNOWN
    return [["--help"], *([*REQUIRED.get(name, []), word] for word in unknown)]


@cache
def runs(folder: Path) -> dict[str, tuple[int, str, str]]:
    """Exit status, standard output and standard error of each program and argument."""
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(
            [sys.executable, "-c", DRIVER, folder],
            input=json.dumps({name: asked(name) for name in programs(folder)}),
            capture_output=True, text=True, check=True, cwd=empty,
        )  # fmt: skip
        assert list(Path(empty).iterdir()) == [], "a program has begun its work"
    return {key: (value[0], value[1], value[2]) for key, value in json.loads(done.stdout).items()}


def faults(folder: Path, name: str) -> list[str]:
    """What is wrong with how a program answers."""
    wrong = []
    about = ast.get_docstring(ast.parse((folder / f"{name}.py").read_text())) or "(no docstring)"
    status, out, error = runs(folder)[f"{name} --help"]
    if status or about not in out:
        wrong.append(f"--help ends with {status} and prints {(out + error)[:500]!r}")
    for *_, word in asked(name)[1:]:
        status, _, error = runs(folder)[f"{name} {word}"]
        if status != 2 or word not in error or "Traceback" in error:
            wrong.append(f"{word} ends with {status} and prints {error[-500:]!r}")
    return wrong


@pytest.mark.parametrize("name", programs(ROOT / "tools"))
def test_a_tool_explains_itself_and_refuses_what_it_does_not_know(name: str) -> None:
    for package in NEEDS.get(name, ()):
        pytest.importorskip(package)
    assert faults(ROOT / "tools", name) == []


def test_every_other_file_is_a_module_of_a_program() -> None:
    texts = {path.stem: path.read_text() for path in (ROOT / "tools").glob("*.py")}
    modules = set(texts) - set(programs(ROOT / "tools"))
    used = {
        module
        for text in texts.values()
        for node in ast.walk(ast.parse(text))
        for module in (
            [node.module] if isinstance(node, ast.ImportFrom)
            else [one.name for one in node.names] if isinstance(node, ast.Import)
            else []
        )
    }  # fmt: skip
    assert modules - used == set()


def test_control_tools_that_take_anything_are_found(tmp_path: Path) -> None:
    head = '"""Write a file."""\nimport sys\n'
    bad = {
        "deaf": f"{head}{GUARD}\n    print('done')\n",
        "curt": f"{head}{GUARD}\n    sys.exit('usage: curt' if len(sys.argv) > 1 else 0)\n",
        "good": f"{head}import argparse\n{GUARD}\n"
        "    argparse.ArgumentParser(description=__doc__).parse_args()\n",
    }
    for name, text in bad.items():
        (tmp_path / f"{name}.py").write_text(text)
    found = {name: len(faults(tmp_path, name)) for name in bad}
    assert found == {"deaf": 3, "curt": 3, "good": 0}
