# SPDX-License-Identifier: Apache-2.0
"""Build the documentation site: guides, references and the report, as pages of HTML.

Usage: python tools/website.py [--out build/site] [--without-report]

Sphinx makes the site from the documents of the repository as they stand: this script copies them
into a folder beside OUT, each under the name of its page, and turns links between files into links
between pages. The reference of C comes from the headers through Doxygen and breathe, the reference
of Python from docstrings and type stubs, the reference of both commands from the commands. Whatever
is public and has no description is an error, and so is every warning.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import folders

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "docs/site"

# Documents outside of docs/, with the names of their pages; docs/x.md is the page x.
PAGES = {
    "README.md": "readme",
    "README.ko.md": "ko/readme",
    "SECURITY.md": "security",
    "ARCHITECTURE.md": "architecture",
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
    "docs/README.md": "documents",
    "docs/site/index.md": "index",
    "docs/site/guide-back-end.md": "guides/back-end",
    "docs/site/guide-firmware.md": "guides/firmware",
    "docs/site/guide-research.md": "guides/research",
    "docs/site/quick-start.ko.md": "ko/quick-start",
    "examples/collector/README.md": "examples/collector",
    "examples/hifive1-telemetry/README.md": "examples/hifive1-telemetry",
    "lab/README.md": "hanji-lab",
    "lab/prove/SOUNDNESS.md": "soundness",
    "papers/README.md": "papers/index",
    "rust/README.md": "rust",
    "tests/vectors/README.md": "vectors",
    "web/README.md": "javascript",
}
# The pages in the order of the side bar.
TREE = {
    "Start": "readme start guides/back-end guides/firmware guides/research which documents",
    "Back end": "fleet scale telemetry examples/collector gpu signatures",
    "Firmware": "firmware firmware-updates firmware-kernels examples/hifive1-telemetry",
    "Research": "laboratory own-kernel leakage models kernel-design aimer-broken rainbow hanji-lab",
    "Papers": "report papers papers/index papers/sparkle-armv8 papers/speck-cham-rv32 "
    "papers/speck-simon-simeck-ptx papers/aimer-armv8 papers/rainbow-armv8 papers/lwc-mcu",
    "Figures": "figures-x86 figures-x86-lengths figures-arm figures-rv32",
    "Proofs": "proofs proved proved-avx2 proved-avx512 proved-aarch64 proved-firmware proved-ptx "
    "proofs-trusted soundness",
    "Reference": "api/c/index api/python/index cli/hanji cli/hanji-lab rust javascript "
    "algorithms signatures-reference rainbow-reference format vectors",
    "Trust": "security constant-time data-limits memory status platforms stability release "
    "changelog",
    "Sources": "architecture generated contributing",
    "한국어": "ko/quick-start ko/readme",
}
REPORT = "five-papers"  # the folder of the report in the site

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
LEFT_OUT = ("help",)  # every command has them
COMMANDS = {"hanji": "hanji.cli.main", "hanji-lab": "hanji_lab.cli"}

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


class SiteError(Exception):
    """The site cannot be made, or would have gaps; the text says what and where."""


def pages(root: Path = ROOT) -> dict[str, str]:
    """Path in the repository -> name of the page, of every document of the site."""
    found = {f"docs/{path.name}": path.stem for path in sorted(root.glob("docs/*.md"))}
    for path in sorted(root.glob("papers/*/README.md")):
        found[f"papers/{path.parent.name}/README.md"] = f"papers/{path.parent.name}"
    return found | PAGES


# ---- documents


def trees() -> str:
    """What the first page says of all others, for the side bar."""
    return "".join(
        f"\n```{{toctree}}\n:caption: {caption}\n:hidden:\n\n{chr(10).join(names.split())}\n```\n"
        for caption, names in TREE.items()
    )


PICTURE = re.compile(
    r'<picture>\s*<source [^>]*srcset="(?P<dark>[^"]+)">\s*'
    r'<img\s+alt="(?P<alt>[^"]*)"\s+src="(?P<light>[^"]+)">\s*</picture>'
)
TARGET = re.compile(r"\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^\s*(```|~~~)")


def outside_of_code(text: str) -> Iterator[tuple[bool, str]]:
    """The lines of a document, and of each whether it is text and not in a block of code."""
    inside = False
    for line in text.splitlines(keepends=True):
        fence = FENCE.match(line) is not None
        yield not inside and not fence, line
        inside ^= fence


class Copier:
    """Copies documents into the sources of Sphinx, with links that hold there."""

    def __init__(self, out: Path, root: Path = ROOT) -> None:
        self.out, self.root, self.pages = out, root, pages(root)

    def link(self, target: str, path: str, page: str) -> str:
        """A link of the document `path` as it is on its page."""
        if re.match(r"[a-z]+:|#", target):
            return target
        name, _, anchor = target.partition("#")
        found = os.path.normpath(Path(path).parent / name)
        if found in self.pages:
            place = f"{self.pages[found]}.md"
        elif (self.root / found).is_file() and not found.startswith(".."):
            place = f"files/{found}"
            copy = self.out / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / found, copy)
        else:
            raise SiteError(f"{path} leads to {target}, which is no file of the repository")
        here = os.path.relpath(place, Path(page).parent)
        return f"{here}#{anchor}" if anchor else here

    def text(self, path: str) -> str:
        """A document as Sphinx reads it."""
        page = self.pages[path]

        def two_pictures(found: re.Match[str]) -> str:
            return "\n".join(
                f"```{{image}} {self.link(found[scheme], path, page)}\n"
                f":alt: {found['alt']}\n:class: only-{scheme}\n```"
                for scheme in ("light", "dark")
            )

        def moved(found: re.Match[str]) -> str:
            return f"]({self.link(found['target'], path, page)})"

        given = PICTURE.sub(two_pictures, (self.root / path).read_text())
        lines = []
        for prose, line in outside_of_code(given):
            if prose:
                line = TARGET.sub(moved, line)
            # Tests know more languages than Sphinx, whose one of assembly is not ours.
            lines.append(re.sub(r"^(\s*```)(?:asm|ptx|sealed-\w+|key-\w+)$", r"\1text", line))
        return "".join(lines)

    def copy(self) -> None:
        """Copy all documents."""
        for path, page in self.pages.items():
            target = self.out / f"{page}.md"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.text(path) + (trees() if page == "index" else ""))


# ---- reference of C


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


def doxygen(out: Path, include: Path = ROOT / "include/hanji") -> None:
    """Write what Doxygen says of the headers in `include` to `out`/xml."""
    program = shutil.which("doxygen")
    if program is None:
        raise SiteError(
            "doxygen is not installed; the C reference needs it. On Debian: apt-get install "
            "--no-install-recommends doxygen"
        )
    out.mkdir(parents=True, exist_ok=True)
    settings = [
        "@INCLUDE = docs/Doxyfile",
        f'INPUT = "{include}"',
        f'STRIP_FROM_PATH = "{include.parent}"',
        f'OUTPUT_DIRECTORY = "{out}"',
        f'INPUT_FILTER = "{sys.executable} {Path(__file__).resolve()} --filter"',
    ]
    done = subprocess.run(
        [program, "-"], input="\n".join(settings), capture_output=True, text=True, cwd=ROOT
    )
    said = (done.stderr + done.stdout).strip()
    if done.returncode or said:
        raise SiteError(f"doxygen ended with status {done.returncode} and said:\n{said}")


def title(text: str, line: str = "=") -> str:
    """A heading of reStructuredText."""
    return f"{text}\n{line * len(text)}\n\n"


def contents(names: list[str], depth: int | None = None) -> str:
    """The pages below a page, with their headings down to a depth."""
    options = f"   :maxdepth: {depth}\n" if depth else ""
    return f".. toctree::\n{options}\n" + "".join(f"   {name}\n" for name in names)


# What a page of the C reference shows, in this order: readers look for functions first.
C_SECTIONS = (
    "briefdescription detaileddescription user-defined func define typedef enum var innerclass "
    "public-attrib"
)


def c_pages(out: Path) -> None:
    """One page for each header."""
    headers = sorted(path.name for path in (ROOT / "include/hanji").glob("*.h"))
    headers.remove("hanji.h")  # includes the others
    out.mkdir(parents=True, exist_ok=True)
    for header in headers:
        text = title(f"hanji/{header}") + f".. doxygenfile:: {header}\n   :sections: {C_SECTIONS}\n"
        (out / f"{header.removesuffix('.h')}.rst").write_text(text)
    text = title("C API")
    text += "``#include <hanji/hanji.h>`` takes all headers of libhanji; ``hanji/rainbow.h`` and\n"
    text += "``hanji/gpu.h`` belong to libraries of their own. ``hanji/common.h`` has the\n"
    text += "conventions of every function.\n\n"
    (out / "index.rst").write_text(
        text + contents([name.removesuffix(".h") for name in headers], 1)
    )


# ---- reference of Python


def show_signatures() -> None:
    """Put the classes of the stub, which has signatures, in place of the compiled ones: in this
    process, which only writes pages.
    """
    core = importlib.import_module(CORE)
    typing: Any = importlib.import_module("hanji._typing")
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


def docstring_problems(modules: tuple[str, ...] = MODULES) -> list[str]:
    """Public modules, functions, classes and members without a docstring."""
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


def python_pages(out: Path) -> None:
    """One page for each module, and one for the classes of broken schemes."""
    if problems := docstring_problems():
        raise SiteError("\n".join(problems))
    out.mkdir(parents=True, exist_ok=True)
    homes: dict[int, str] = {}  # what several modules give out is described once
    names: list[str] = []
    for module in MODULES:
        given = importlib.import_module(module)
        items = {name: getattr(given, name) for name in given.__all__}
        classes = {name: id(item) for name, item in items.items() if isinstance(item, type)}
        twice = {name: homes[place] for name, place in classes.items() if place in homes}
        homes |= {place: module for name, place in classes.items() if name not in twice}
        broken = [name for name in classes if getattr(items[name], "broken", False)]
        text = title(module) + f".. automodule:: {module}\n   :members:\n"
        if elsewhere := [*twice, *broken]:
            text += f"   :exclude-members: {', '.join(elsewhere)}\n\n"
        if broken:
            text += f":doc:`{module}-broken` has the classes of the broken schemes.\n\n"
        if twice:
            text += "".join(
                f"``{name}`` is that of :doc:`{home}`.\n" for name, home in twice.items()
            )
        if module == "hanji.hazmat":
            text += "\n" + title("What block, ctr, cmac and eax return", "-")
            text += "".join(f".. autoclass:: {CORE}.{name}\n   :members:\n\n" for name in KEYED)
        (out / f"{module}.rst").write_text(text)
        names.append(module)
        if broken:  # they differ in sizes only, so members are described with the other classes
            text = title(f"{module}: broken schemes")
            text += f"For study and old data only; members are those of :doc:`{module}`.\n\n"
            text += "".join(f".. autoclass:: {module}.{name}\n\n" for name in broken)
            (out / f"{module}-broken.rst").write_text(text)
            names.append(f"{module}-broken")
    (out / "index.rst").write_text(title("Python API") + contents(names))


def paragraphs(text: str) -> str:
    """A docstring with its source and its status in paragraphs of their own, so that nobody misses
    them.
    """
    return re.sub(r"\s+(?=(Source|Status): )", "\n\n", text)


# ---- reference of the commands


def plain(text: str) -> str:
    """Text of a command for Markdown: code in backticks stays, everything else is no markup."""
    parts = re.split(r"(`[^`]+`)", re.sub(r"\s*\n\s*", " ", text.strip()))
    escaped = (re.sub(r"([\\*_{}\[\]<>#|$])", r"\\\1", part) for part in parts[::2])
    code = (part.replace("|", "\\|") for part in [*parts[1::2], ""])
    return "".join(one + other for one, other in zip(escaped, code, strict=True))


def described(command: Any, path: str) -> Iterator[str]:
    """A command and the commands below it, as sections of Markdown."""
    context = command.make_context(path, [], resilient_parsing=True, show_default=True)
    names = command.list_commands(context) if hasattr(command, "list_commands") else []
    below = {name: command.get_command(context, name) for name in names}
    yield f"{'#' * len(path.split())} {path}\n"
    yield f"```text\n{path} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    for text in re.split(r"\n\s*\n", inspect.cleandoc(command.help or "")):
        yield f"{plain(text.replace(chr(8), ''))}\n"
    rows = []
    for parameter in command.params:
        record = None if parameter.name in LEFT_OUT else parameter.get_help_record(context)
        if record is not None:  # else it is hidden
            names = record[0].replace("|", "\\|")
            rows.append(f"| `{names}` | {plain(record[1])} |\n")
    if rows:
        yield "| argument | meaning |\n| --- | --- |\n" + "".join(rows)
    if command.epilog:
        yield f"{plain(command.epilog)}\n"
    for name, one in sorted(below.items()):
        if not one.hidden:
            yield from described(one, f"{path} {name}")


def command_pages(out: Path) -> None:
    """One page for each command."""
    out.mkdir(parents=True, exist_ok=True)
    for name, module in COMMANDS.items():
        command = importlib.import_module(module).app
        (out / f"{name}.md").write_text("\n".join(described(command, name)))


# ---- report


def report_page(out: Path, extra: Path | None) -> None:
    """The page that shows the report; `extra` is the folder that goes into the site as it is."""
    text = title("Five papers beside ours")
    text += "``hanji-lab report`` writes this page: every number of five papers beside ours, with\n"
    text += "machine, method and command.\n\n"
    if extra is None:
        text += "This site was built without it.\n"
    else:
        report = importlib.import_module("hanji_lab.report")
        (extra / REPORT).mkdir(parents=True, exist_ok=True)
        report.write(ROOT, extra / REPORT)
        place = f"{REPORT}/index.html"
        text += f".. raw:: html\n\n   <p><a href='{place}'>Open it alone</a></p>\n"
        text += f"   <iframe class='report' src='{place}' title='Five papers beside ours'>"
        text += "</iframe>\n"
    (out / "papers.rst").write_text(text)


# ---- all of it


def version() -> str:
    """The version of the library."""
    found = re.search(
        r'#define HANJI_VERSION "(.*)"', (ROOT / "include/hanji/common.h").read_text()
    )
    assert found
    return found[1]


def sphinx(sources: Path, out: Path, extra: Path) -> None:
    """Run Sphinx; SiteError with every warning."""
    try:
        importlib.import_module("sphinx")
    except ImportError:
        raise SiteError(
            f"Sphinx is not in this environment; the site needs it: {sys.executable} -m pip "
            "install '.[docs]'"
        ) from None
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "--builder", "html"),
            *("--conf-dir", SITE, "--doctree-dir", sources.parent / "doctrees"),
            *("--define", f"html_extra_path={extra}"),
            *("--define", f"breathe_projects.hanji={sources.parent / 'xml'}"),
            *(sources, out),
        ],
        capture_output=True,
        text=True,
    )
    said = (done.stderr + done.stdout).strip()
    if done.returncode or said:
        raise SiteError(f"Sphinx ended with status {done.returncode} and said:\n{said}")


def site(out: Path, with_report: bool = True) -> None:
    """Build the site in `out`, and its sources in a folder beside it."""
    work = out.with_name(f"{out.name}-sources")
    folders.anew(out, "api/c/aead.html")
    folders.anew(work, "pages/index.md")
    sources, extra = work / "pages", work / "extra"
    for folder in (sources, extra):
        folder.mkdir(parents=True)
    Copier(sources).copy()
    doxygen(work)
    c_pages(sources / "api/c")
    python_pages(sources / "api/python")
    command_pages(sources / "cli")
    report_page(sources, extra if with_report else None)
    sphinx(sources, out, extra)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build/site", help="folder to write to")
    parser.add_argument("--without-report", action="store_true", help="leave the report out")
    parser.add_argument(
        "--filter",
        type=Path,
        metavar="HEADER",
        help="print the header as Doxygen is to see it, and do nothing else",
    )
    given = parser.parse_args()
    if given.filter:
        print(annotate(given.filter.read_text()), end="")
        return
    out = given.out.resolve()
    try:
        site(out, not given.without_report)
    except (SiteError, folders.FolderError) as error:
        sys.exit(f"website: {error}")
    print(f"The site is in {out / 'index.html'}")


if __name__ == "__main__":
    main()
