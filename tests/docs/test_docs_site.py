# SPDX-License-Identifier: Apache-2.0
"""The documentation site is built without a warning, has everything public, leads nowhere into
nothing, and can be read on narrow and wide screens, light and dark.
"""

from __future__ import annotations

import doctest
import html
import importlib
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import chromium
import pytest
import website
from chromium import emulate
from debian import need
from documents import ROOT

import hanji.aead


class Page(HTMLParser):
    """The anchors of a page, and what it links to and loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "prev", "next", "search"):
            self.loads.append(given.get("href", ""))
        elif "src" in given:
            self.loads.append(given["src"])


def broken(folder: Path) -> list[str]:
    """Links of a site that lead nowhere, and what its pages load from elsewhere."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        here = path.relative_to(folder)
        for load in page.loads:
            if re.match(r"[a-z]+:|//", load) and not load.startswith("data:"):
                wrong.append(f"{here} loads {load}")
        for link in [*page.links, *page.loads]:
            if re.match(r"[a-z]+:|//", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
            if not target.is_file() or not target.is_relative_to(folder):
                wrong.append(f"{here} leads to {link}, which is not there")
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
                wrong.append(f"{here} leads to {link}, where nothing has this name")
    return wrong


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("doxygen")
    out = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run(
        [sys.executable, ROOT / "tools/website.py", "--out", out], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"The site is in {out / 'index.html'}\n" and not done.stderr
    return out


def shown(site: Path, page: str) -> str:
    """The text of a page."""
    return re.sub(
        r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", (site / f"{page}.html").read_text()))
    )


@pytest.mark.slow
def test_every_document_is_a_page(site: Path) -> None:
    names = [*website.pages().values(), "api/c/index", "api/python/index", "papers", "search"]
    assert [name for name in names if not (site / f"{name}.html").is_file()] == []


@pytest.mark.slow
def test_links_of_the_site_lead_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert broken(site) == []


@pytest.mark.slow
def test_every_c_function_is_in_it(site: Path) -> None:
    exported = [
        line
        for line in (ROOT / "tests/c/exported_symbols.txt").read_text().split()
        if line.startswith("hanji_")
    ]
    text = "".join(page.read_text() for page in (site / "api/c").glob("*.html"))
    assert len(exported) > 100
    assert [name for name in exported if f'id="c.{name}"' not in text] == []


@pytest.mark.slow
def test_pages_of_c_headers_begin_with_functions(site: Path) -> None:
    for name in ("aead", "block", "common", "hash"):
        text = shown(site, f"api/c/{name}")
        assert 0 < text.index(" Functions ") < text.index(" Defines "), name
    assert " Public Members " in shown(site, "api/c/common")  # of structures, which come last


@pytest.mark.slow
def test_python_pages_show_signatures(site: Path) -> None:
    aead = shown(site, "api/python/hanji.aead")
    sealing = "encrypt(nonce: BytesLike, data: BytesLike, associated_data: BytesLike | None = None)"
    squeezed = aead.replace(" ", "").replace(",)", ")")
    assert squeezed.count(sealing.replace(" ", "")) == len(hanji.aead.__all__), aead[:3000]
    assert "Status: " in aead
    assert "read(length: int)" in shown(site, "api/python/hanji.hashes")
    for name in ("Block", "CTR", "CMAC", "EAX"):
        assert f"class hanji._core.{name}" in shown(site, "api/python/hanji.hazmat")


@pytest.mark.slow
def test_pages_of_commands_have_every_command(site: Path) -> None:
    for name, module in website.COMMANDS.items():
        text = shown(site, f"cli/{name}")
        command = importlib.import_module(module).app
        names = command.list_commands(None)
        assert len(names) > 10
        for below in names:
            assert f"{name} {below} " in text
    assert "With --device each call" in shown(site, "cli/hanji"), "an option is one to copy"


@pytest.mark.slow
def test_korean_pages_say_that_they_are_korean(site: Path) -> None:
    for page, language in (("ko/quick-start", "ko"), ("ko/readme", "ko"), ("readme", "en")):
        assert f'lang="{language}"' in (site / f"{page}.html").read_text()[:200]


# ---- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.headless() as driver:
        yield driver


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    """Search reads pages."""
    with chromium.served(site) as address:
        yield address


BRIGHTNESS = """
const of = colour => colour.match(/[0-9.]+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0)
const style = getComputedStyle(document.body)
return [of(style.backgroundColor), of(style.color)]
"""
SHOWN = """
return [...document.querySelectorAll('img')].filter(i => i.getBoundingClientRect().width > 0)
    .map(i => i.src.split('/').pop())
"""
LOOKED_AT = ("index", "algorithms", "laboratory", "api/c/aead", "api/python/hanji.aead")
LOOKED_AT += ("cli/hanji", "ko/quick-start", "papers", "proved", "proved-avx512")


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 400, 768, 1280])
def test_pages_fit_the_screen(browser: Any, served: str, width: int) -> None:
    emulate(browser, width=width)
    for page in LOOKED_AT:
        browser.get(f"{served}/{page}.html")
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width, f"{page} is {wide} wide on a screen of {width}"
        seen = browser.execute_script("return document.querySelector('h1').innerText")
        assert seen.strip(), page
    errors = [line for line in browser.get_log("browser") if line["level"] == "SEVERE"]
    assert errors == []


HIGHEST = 15_000  # pixels of a page at a width of 1,280


@pytest.mark.slow
def test_no_document_is_too_high(browser: Any, served: str) -> None:
    """A page that is longer has two subjects, or a table that belongs on pages of its own."""
    emulate(browser, width=1280)
    high = {}
    for page in website.pages().values():
        browser.get(f"{served}/{page}.html")
        height = browser.execute_script("return document.documentElement.scrollHeight")
        if height > HIGHEST:
            high[page] = height
    assert high == {}


@pytest.mark.slow
def test_pages_are_light_and_dark(browser: Any, served: str) -> None:
    found = {}
    for scheme in ("light", "dark"):
        emulate(browser, scheme=scheme)
        browser.get(f"{served}/algorithms.html")
        ground, text = browser.execute_script(BRIGHTNESS)
        assert abs(ground - text) > 300, scheme
        found[scheme] = ground
        pictures = browser.execute_script(SHOWN)
        dark = [name for name in pictures if "-dark" in name]
        assert len(pictures) == 1 and len(dark) == (scheme == "dark"), pictures
    assert found["dark"] < 150 and found["light"] > 600


@pytest.mark.slow
def test_search_finds(browser: Any, served: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    emulate(browser)
    browser.get(f"{served}/search.html?q=offsets")
    results = "return [...document.querySelectorAll('#search-results li a')].map(a => a.href)"
    found = WebDriverWait(browser, 20).until(lambda it: it.execute_script(results))
    assert any("/fleet.html" in address for address in found), found
    browser.get(f"{served}/search.html?q=hanji_esch256_init")
    found = WebDriverWait(browser, 20).until(lambda it: it.execute_script(results))
    assert any("/api/c/hash.html" in address for address in found), found


@pytest.mark.slow
def test_the_report_is_in_it(browser: Any, served: str) -> None:
    browser.get(f"{served}/papers.html")
    browser.switch_to.frame(browser.find_element("css selector", "iframe.report"))
    assert browser.execute_script("return document.querySelectorAll('table').length") > 15
    browser.switch_to.default_content()


# ---- its parts, which are quick


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("/** ESCH256: begin. */\n", "", r"hanji_esch256_init.*is not documented"),
        ("@param steps", "@param stops", r"stops.*not found|argument 'stops'"),
        ("", "", ""),
    ],
)
def test_gaps_in_headers_are_seen(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    need("doxygen")
    shutil.copytree(ROOT / "include", tmp_path / "include")
    header = tmp_path / "include/hanji/hash.h"
    assert old in header.read_text()
    header.write_text(header.read_text().replace(old, new, 1))
    if not complaint:  # as it is, nothing is missing
        website.doxygen(tmp_path / "out", tmp_path / "include/hanji")
        assert (tmp_path / "out/xml/hash_8h.xml").is_file()
        return
    with pytest.raises(website.SiteError, match=complaint):
        website.doxygen(tmp_path / "out", tmp_path / "include/hanji")


def test_missing_doxygen_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(website.SiteError, match="apt-get install --no-install-recommends doxygen"):
        website.doxygen(tmp_path / "out")


def test_every_document_of_the_repository_has_a_page() -> None:
    """A new document enters the site, or the list of those that stay outside."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    # Templates of issues and pull requests are forms, not documents.
    documents = {name for name in listed.stdout.split() if not name.startswith(".github/")}
    assert documents == set(website.pages())


def test_documents_are_copied_with_links_between_pages(tmp_path: Path) -> None:
    website.Copier(tmp_path).copy()
    copied = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.md")}
    assert copied == {f"{page}.md" for page in website.pages().values()}
    assert "](../security.md)" in (tmp_path / "guides/back-end.md").read_text()
    assert "](fleet.md)" in (tmp_path / "readme.md").read_text()
    algorithms = (tmp_path / "algorithms.md").read_text()
    assert "<picture>" not in algorithms and ":class: only-dark" in algorithms
    assert (tmp_path / "files/docs/x86-speeds-dark.svg").is_file()


def test_control_a_link_to_nothing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs/page.md"
    page.write_text("[a](other.md#b)\n\n```c\na[0](none.c)\n```\n")
    (tmp_path / "docs/other.md").write_text("# b\n")
    copier = website.Copier(tmp_path / "out", tmp_path)
    assert copier.text("docs/page.md") == page.read_text()
    page.write_text("[a](none.c)\n")
    with pytest.raises(website.SiteError, match=r"docs/page\.md leads to none\.c"):
        copier.text("docs/page.md")


def test_control_broken_links_of_a_site_are_seen(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 id="x">X</h1><a href="#x">x</a><a href="b.html#y">y</a>')
    (tmp_path / "b.html").write_text('<p id="y"><a href="a.html">a</a><img src="data:,">')
    assert broken(tmp_path) == []
    (tmp_path / "b.html").write_text(
        '<a href="c.html">c</a><a href="a.html#z">z</a><script src="//elsewhere/x.js"></script>'
    )
    assert broken(tmp_path) == [
        "a.html leads to b.html#y, where nothing has this name",
        "b.html loads //elsewhere/x.js",
        "b.html leads to c.html, which is not there",
        "b.html leads to a.html#z, where nothing has this name",
    ]


@pytest.mark.slow
def test_control_a_warning_of_sphinx_is_an_error(tmp_path: Path) -> None:
    sources = tmp_path / "pages"
    for folder in (sources, tmp_path / "extra", tmp_path / "xml"):
        folder.mkdir()
    (sources / "index.md").write_text("# A site\n\n[nowhere](#nowhere)\n")
    with pytest.raises(website.SiteError, match="nowhere"):
        website.sphinx(sources, tmp_path / "out", tmp_path / "extra")


def test_commands_are_described_with_every_option(tmp_path: Path) -> None:
    website.command_pages(tmp_path)
    text = (tmp_path / "hanji.md").read_text()
    assert "## hanji seal\n" in text and "### hanji telemetry open\n" in text
    assert re.search(r"^\| `(?:--key, -k|-k, --key) KEY` \| Key file, made by", text, re.M)
    assert "## hanji-lab cycles\n" in (tmp_path / "hanji-lab.md").read_text()
    assert website.plain("a|b *c* <d> `e|f`") == "a\\|b \\*c\\* \\<d\\> `e\\|f`"


def test_examples_of_docstrings_do_what_stands_there() -> None:
    tried = {}
    for name in website.MODULES:
        failed, tried[name] = doctest.testmod(importlib.import_module(name))
        assert failed == 0, name
    assert {name for name, count in tried.items() if count} >= {
        "hanji.aead",
        "hanji.hashes",
        "hanji.hazmat",
        "hanji.sign",
    }


def test_everything_public_in_python_is_described() -> None:
    assert website.docstring_problems() == []


def test_every_public_module_is_looked_at() -> None:
    import hanji

    public = {
        f"hanji.{name}"
        for name in hanji.__all__
        if isinstance(getattr(hanji, name), types.ModuleType)
    }
    assert {"hanji"} | public == set(website.MODULES)


def test_control_missing_docstrings_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "undescribed.py").write_text(
        '"""A module."""\nfrom dataclasses import dataclass\n'
        '__all__ = ["told", "bare", "Whole", "Bare", "Data"]\n'
        'def told():\n    """Told."""\n'
        "def bare(): pass\n"
        'class Whole:\n    """A class."""\n    def method(self): pass\n'
        "    @property\n    def size(self): return 1\n    @classmethod\n    def make(cls): pass\n"
        "class Bare: pass\n"
        "@dataclass\nclass Data:\n    x: int\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert website.docstring_problems(("undescribed",)) == [
        "undescribed.bare has no docstring",
        "undescribed.Whole.method has no docstring",
        "undescribed.Whole.size has no docstring",
        "undescribed.Whole.make has no docstring",
        "undescribed.Bare has no docstring",
        "undescribed.Data has no docstring",
    ]
