# SPDX-License-Identifier: Apache-2.0
"""The examples of the documents run as they stand, and print what stands beside them.

In each document the blocks share one folder, in order. `c`, `asm`, `ptx` and `py` blocks are
written to the file that their first line names. `python` blocks run one after the other in one
process; a `text` block behind one is what it prints. `console` blocks run their `$` lines in one shell; the other lines are
the output, in which `...` stands for anything. `sh` blocks are for the reader's own machine;
test_docs_text.py looks at their words.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from builds import build
from debian import need
from documents import ROOT, Block, blocks, documents

RUN = ("python", "console", "c", "asm", "ptx", "py")
FILE_NAME = {
    "c": (r"/\* ([\w-]+\.[ch]) \*/\n", "/* its-name.c */"),
    "asm": (r"// ([\w-]+\.S)\n", "// its-name.S"),
    "ptx": (r"// ([\w-]+\.ptx)\n", "// its-name.ptx"),
    "py": (r"# ([\w-]+\.py)\n", "# its-name.py"),
}
EXAMPLES = [path for path in documents() if any(block.language in RUN for block in blocks(path))]
SLOW = ROOT / "docs/own-kernel.md"  # it proves kernels
MARK = "--- block ends ---"


def matches(wanted: str, got: str) -> bool:
    """Whether an output is the wanted one; `...` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in wanted.strip().split("..."))
    return re.fullmatch(pattern, got.strip(), re.DOTALL) is not None


def python_mismatches(listed: list[Block], folder: Path, environment: dict[str, str]) -> list[str]:
    """Run all python blocks in one process and compare what each prints with the text block behind
    it.
    """
    code = [block for block in listed if block.language == "python"]
    if not code:
        return []
    program = "".join(f"\n{block.text}\nprint({MARK!r})\n" for block in code)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return [f"python: status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}"]
    outputs = done.stdout.split(MARK + "\n")
    wrong = []
    for block, got in zip(code, outputs, strict=False):
        after = listed[listed.index(block) + 1 :][:1]
        wanted = after[0].text if after and after[0].language == "text" else ""
        if not matches(wanted, got):
            wrong.append(
                f"line {block.line}: python printed\n{got}where the document has\n{wanted}",
            )
    return wrong


def console_mismatches(block: Block, folder: Path, environment: dict[str, str]) -> list[str]:
    """Run the `$` lines of a block in one shell and compare its whole output."""
    lines = block.text.splitlines()
    commands = [line[2:] for line in lines if line.startswith("$ ")]
    script = "\n".join(
        f"echo '{MARK}'\n{command}\nstatus=$?; [ $status = 0 ] || echo \"{MARK}failed $status\""
        for command in commands
    )
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{script}"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    outputs = done.stdout.split(MARK + "\n")[1:]
    wrong = []
    for command, expected, got in zip(
        commands,
        re.split(r"^\$ .*\n?", block.text, flags=re.MULTILINE)[1:],
        outputs,
        strict=True,
    ):
        if not matches(expected, got):
            wrong.append(
                f"line {block.line}: $ {command}\nprinted\n{got}where the document has\n{expected}",
            )
    return wrong


def mismatches(listed: list[Block], folder: Path, environment: dict[str, str]) -> list[str]:
    """Run the examples of one document in `folder`; one text per example that does not do what
    stands there.
    """
    for block in listed:
        if block.language in FILE_NAME:
            pattern, wanted = FILE_NAME[block.language]
            name = re.match(pattern, block.text)
            assert name, f"line {block.line}: the first line of this block is {wanted}"
            (folder / name[1]).write_text(block.text)
    wrong = python_mismatches(listed, folder, environment)
    for block in listed:
        if block.language == "console":
            wrong += console_mismatches(block, folder, environment)
    return wrong


def run(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, (
        f"{' '.join(map(str, command))} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    )


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the documents take for granted: the programs of the venv first, and the C libraries
    installed, for this machine and for RV32.
    """
    need(
        "gcc",
        "cmake",
        "ninja-build",
        "pkg-config",
        "gcc-riscv64-unknown-elf",
        "gcc-aarch64-linux-gnu",
        "qemu-user",
        "qemu-system-misc",
    )
    base = tmp_path_factory.mktemp("prefix")
    for preset, name in (("host-gcc", "host"), ("rv32imac", "rv32imac")):
        run("cmake", "--install", build(preset), "--prefix", base / name)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("HANJI_")}
    return plain | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PKG_CONFIG_PATH": str(base / "host/lib/pkgconfig"),
        "LD_LIBRARY_PATH": str(base / "host/lib"),
        "HANJI_RV32": str(base / "rv32imac"),
        "LC_ALL": "C",
        "COLUMNS": "200",
    }


@pytest.mark.parametrize(
    "path",
    [path for path in EXAMPLES if path != SLOW],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_examples(path: Path, environment: dict[str, str], tmp_path: Path) -> None:
    wrong = mismatches(blocks(path), tmp_path, environment)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("korean", [False, True], ids=["all documents", "those in Korean"])
def test_documents_can_be_followed_in_one_folder(
    korean: bool, environment: dict[str, str], tmp_path: Path
) -> None:
    """A reader does not make a new folder for each page, so no page may need a name that another
    page has taken. The slow page comes first, in an empty folder, and runs nowhere else.
    """
    first = [SLOW, *(ROOT / name for name in ("README.md", "docs/start.md", "docs/signatures.md"))]
    chosen = [path for path in EXAMPLES if path.name.endswith(".ko.md") == korean]
    order = [path for path in first if path in chosen]
    order += [path for path in chosen if path not in first]
    assert len(order) == len(chosen) >= (2 if korean else 8)
    wrong = [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in order
        for fault in mismatches(blocks(path), tmp_path, environment)
    ]
    assert not wrong, "\n".join(wrong)


def test_first_examples_are_in_all_three_languages() -> None:
    start = {block.language for block in blocks(ROOT / "docs/start.md")}
    assert start >= {"python", "c", "console"}
    assert {block.language for block in blocks(ROOT / "README.md")} >= {"python", "console"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("```python\nprint(6 * 7)\n```\n\n```text\n42\n```\n", 0),
        ("```python\nprint(6 * 7)\n```\n\n```text\n43\n```\n", 1),
        ("```python\nprint(6 * 7)\n```\n", 1),
        ("```python\nx = 6\n```\n```python\nprint(x)\n```\n```text\n6\n```\n", 0),
        ("```python\nraise SystemExit(1)\n```\n", 1),
        ("```console\n$ echo a; echo bc\na\nb...\n$ true\n```\n", 0),
        ("```console\n$ echo a\n```\n", 1),
        ("```console\n$ false\n```\n", 1),
        ("```console\n$ no-such-program\n```\n", 1),
        (
            "```c\n/* one.c */\nint main(void) { return 3; }\n```\n```console\n$ gcc one.c -o one "
            "&& ./one; echo $?\n3\n```\n",
            0,
        ),
        (
            "```asm\n// one.S\n.globl f\nf: nop\n```\n```console\n$ gcc -c one.S && nm one.o\n... "
            "T f\n```\n",
            0,
        ),
        (
            "```asm\n// one.S\nno such instruction\n```\n```console\n$ gcc -c one.S "
            "2>/dev/null\n```\n",
            1,
        ),
        ("```py\n# one.py\nprint(6)\n```\n```console\n$ python3 one.py\n6\n```\n", 0),
        ("```ptx\n// one.ptx\n```\n```console\n$ cat one.ptx\n// two.ptx\n```\n", 1),
        (
            "```c\n/* one.c */\nint main(void) { return missing; }\n```\n```console\n$ gcc one.c "
            "-o one\n```\n",
            1,
        ),
    ],
)
def test_control_wrong_examples_are_seen(text: str, count: int, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    assert len(mismatches(blocks(page), tmp_path, dict(os.environ))) == count
