# SPDX-License-Identifier: Apache-2.0
"""Generate the API reference: the C library through Doxygen, the Python package through pdoc.

Usage: python tools/reference.py OUT Whatever is public and has no description is an error, and so
is every warning of the two generators.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import re
import shutil
import subprocess
import sys
import types
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MODULES = (
    "hanji",
    "hanji.aead",
    "hanji.hashes",
    "hanji.hazmat",
    "hanji.fleet",
    "hanji.gpu",
    "hanji.files",
    "hanji.keys",
    "hanji.epoch",
    "hanji.sign",
)
CORE = "hanji._core"
# classes of the core that hanji.hazmat gives out without naming them
KEYED = ("Block", "CTR", "CMAC", "EAX")

# What the size macros of the headers mean, by the end of their names.
MACROS = {
    r"SPARKLE\d+_BYTES": "Size of a state in bytes.",
    r"KEY_BYTES": "Size of a key in bytes.",
    r"SIGNATURE_BYTES": "Size of a signature in bytes.",
    r"NONCE_BYTES": "Size of a nonce in bytes.",
    r"TAG_BYTES": "Size of a tag in bytes.",
    r"DIGEST_BYTES": "Size of a digest in bytes.",
    r"BLOCK_BYTES": "Size of a block in bytes.",
    r"ROUND_KEYS": "Number of round keys.",
    r"STEPS_SLIM": "Steps of the slim variant.",
    r"STEPS_BIG": "Steps of the big variant.",
}


class ReferenceError(Exception):
    """The reference cannot be made, or would have gaps; the text says what and where."""


def annotate(header: str) -> str:
    """A header as Doxygen is to see it, line by line at the same place.

    Size macros, whose names say what they are, get a description; members of contexts, which are
    visible for their size only, are left out.
    """

    def describe(found: re.Match[str]) -> str:
        text = next((text for end, text in MACROS.items() if re.search(rf"{end}$", found[1])), None)
        return found[0] if text is None else f"{found[0]} /**< {text} */"

    header = re.sub(r"^#define (HANJI_\w+) \d+$", describe, header, flags=re.M)
    hidden = r"typedef struct \1_ctx { /** @cond */\2/** @endcond */ } \1_ctx;"
    return re.sub(r"typedef struct (hanji_\w+)_ctx \{([^}]*)\} \1_ctx;", hidden, header)


def c_reference(out: Path, include: Path = ROOT / "include/hanji") -> None:
    """Write the reference of the headers in `include` to `out`."""
    doxygen = shutil.which("doxygen")
    if doxygen is None:
        raise ReferenceError(
            "doxygen is not installed; the C reference needs it. On Debian: apt-get install "
            "--no-install-recommends doxygen"
        )
    version = re.search(
        r'#define HANJI_VERSION "(.*)"', (ROOT / "include/hanji/common.h").read_text()
    )
    assert version
    out.mkdir(parents=True, exist_ok=True)
    settings = [
        "@INCLUDE = docs/Doxyfile",
        f'INPUT = "{include}"',
        f'STRIP_FROM_PATH = "{include.parent}"',
        f'OUTPUT_DIRECTORY = "{out}"',
        f"PROJECT_NUMBER = {version[1]}",
        f'INPUT_FILTER = "{sys.executable} {Path(__file__).resolve()} --filter"',
    ]
    done = subprocess.run(
        [doxygen, "-"], input="\n".join(settings), capture_output=True, text=True, cwd=ROOT
    )
    said = (done.stderr + done.stdout).strip()
    if done.returncode or said:
        raise ReferenceError(f"doxygen ended with status {done.returncode} and said:\n{said}")


def show_signatures() -> None:
    """Put the classes of the stub, which has signatures, in place of the compiled ones: in this
    process, which only writes pages.
    """
    core = importlib.import_module(CORE)
    typing = importlib.import_module("hanji._typing")
    # in signatures the name, without its module
    typing.BytesLike = type("BytesLike", (), {"__module__": "builtins"})
    stub = types.ModuleType(CORE)
    source = (
        Path(core.__file__ or "")
        .with_name("_core.pyi")
        .read_text()
        .replace("hanji._typing.BytesLike", "BytesLike")
    )
    exec(
        compile("from __future__ import annotations\n" + source, "_core.pyi", "exec"), stub.__dict__
    )
    for name, shown in vars(stub).items():
        compiled = getattr(core, name, None)
        if not isinstance(compiled, type) or issubclass(compiled, Exception):
            continue
        home = importlib.import_module(compiled.__module__)
        setattr(home, name, shown)
        home.__dict__.update(
            {"BytesLike": typing.BytesLike, "Self": stub.Self, "NoReturn": stub.NoReturn}
        )
        shown.__module__ = home.__name__
        for member in vars(shown).values():
            if isinstance(member := getattr(member, "__func__", member), types.FunctionType):
                member.__module__ = home.__name__
    core.__all__ = list(KEYED)


def docstring_problems(modules: tuple[str, ...] = MODULES) -> list[str]:
    """Public modules, functions, classes and members without a docstring, or with one that Markdown
    would not show as it stands.
    """
    problems = []

    def look(name: str, item: Any) -> None:
        text = inspect.getdoc(item) or ""
        made_up = (
            isinstance(item, type)
            and dataclasses.is_dataclass(item)
            and text.startswith(f"{item.__name__}(")
        )  # by dataclass()
        if not text.strip() or made_up:
            problems.append(f"{name} has no docstring")
        elif tag := re.search(
            r"<[A-Za-z]\w*>", re.sub(r"``.*?``|`[^`]*`|^ {4}.*$", "", text, flags=re.M)
        ):
            problems.append(f"{name}: {tag[0]} outside of backticks would vanish from the page")

    for module_name in modules:
        module = importlib.import_module(module_name)
        look(module_name, module)
        for name in module.__all__:
            item = getattr(module, name)
            if inspect.ismodule(item) or not callable(item):
                continue
            look(f"{module_name}.{name}", item)
            for member_name, member in vars(item).items() if isinstance(item, type) else ():
                member = getattr(member, "__func__", member)  # of a staticmethod or classmethod
                if not member_name.startswith("_") and (
                    callable(member) or isinstance(member, property)
                ):
                    look(f"{module_name}.{name}.{member_name}", member)
    return problems


def python_reference(out: Path) -> None:
    """Write the reference of the installed Python package to `out`."""
    try:
        import pdoc
    except ImportError:
        raise ReferenceError(
            f"pdoc is not in this environment; the Python reference needs it: {sys.executable} -m "
            "pip install pdoc"
        ) from None
    if problems := docstring_problems():
        raise ReferenceError("\n".join(problems))
    show_signatures()
    to_markdown = pdoc.docstrings.rst
    # Source and status of an algorithm are paragraphs of their own, so that nobody misses them.
    pdoc.docstrings.rst = lambda text, file: to_markdown(
        re.sub(r"\s+(?=(Source|Status): )", "\n\n", text), file
    )
    # pdoc runs the imports for type checkers; this module is a stub of classes that `sign` makes.
    sys.modules["hanji._schemes"] = importlib.import_module("hanji.sign")
    pdoc.render.configure(docformat="restructuredtext", show_source=False, footer_text="hanji")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.pdoc(MODULES[0], CORE, output_directory=out)


def index(out: Path) -> None:
    """One page that leads to both."""
    (out / "index.html").write_text(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        "<title>hanji: API reference</title><style>:root { color-scheme: light dark; } "
        "body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; "
        "padding: 0 1rem; }</style></head>\n"
        "<body><h1>hanji: API reference</h1><ul>\n"
        '<li><a href="c/files.html">The C library</a>: one page per header of <code>hanji/</code></li>\n'
        '<li><a href="python/hanji.html">The Python package</a>: <code>hanji</code> and its modules</li>\n'
        "</ul></body></html>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("out", type=Path, help="folder to write to; it is made when missing")
    parser.add_argument(
        "--filter",
        action="store_true",
        help="print the header OUT as Doxygen is to see it, and do nothing else",
    )
    given = parser.parse_args()
    if given.filter:
        print(annotate(given.out.read_text()), end="")
        return
    out = given.out.resolve()
    try:
        c_reference(out / "c")
        python_reference(out / "python")
    except ReferenceError as error:
        sys.exit(f"reference: {error}")
    index(out)
    print(f"The API reference of C and Python is in {out / 'index.html'}")


if __name__ == "__main__":
    main()
