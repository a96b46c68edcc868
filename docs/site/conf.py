# SPDX-License-Identifier: Apache-2.0
"""How Sphinx builds the site; tools/website.py writes its sources and runs it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import website  # noqa: E402

project = "hanji"
author = "the authors of hanji"
release = version = website.version()
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]

html_theme = "furo"
html_title = f"hanji {release}"
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_use_index = False  # one page with every name; search and the references find them better
html_theme_options = {"navigation_with_keys": True}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

myst_heading_anchors = 4
myst_enable_extensions: list[str] = []

breathe_default_project = "hanji"
breathe_projects = {"hanji": ""}  # the command line says where
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

default_role = "code"
smartquotes = False  # they make a dash of the two of an option, and quotes that no shell knows
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80


def show(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Source and status of an algorithm in paragraphs of their own."""
    lines[:] = [*website.paragraphs("\n".join(lines)).splitlines(), ""]


def language_of_page(_app: Any, page: str, _template: str, context: Any, _tree: Any) -> None:
    """Korean pages say that they are Korean."""
    if page.startswith("ko/"):
        context["language"] = "ko"


def setup(app: Any) -> None:
    website.show_signatures()
    app.connect("autodoc-process-docstring", show)
    app.connect("html-page-context", language_of_page)
