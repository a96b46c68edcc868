# SPDX-License-Identifier: Apache-2.0
"""Lists of algorithms come from the catalogue: no file that could ask it lists families by hand."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import catalogue
import pytest

from hanji import fleet
from hanji.cli import sums

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = {kind: catalogue.families(kind) for kind in ("block", "aead", "hash", "xof")}
PAPERS = {path.parent.name for path in ROOT.glob("papers/*/paper.yaml")}
DERIVED = (
    "tools/selftest_vectors.py",
    "tools/amalgam.py",
    "tools/tables.py",
    "python/hanji/__init__.py",
    "python/hanji/hazmat.py",
    "python/hanji/sign.py",
    "python/hanji/cli/bench.py",
    "lab/measure/host.py",
    "tests/catalogue.py",
    "tests/c/test_c_vectors.py",
    "tests/consumers/test_amalgam.py",
    "tests/gpu/test_gpu_kernels.py",
    "tests/lab/test_lab_spec.py",
    "tests/x86/test_x86_tiers.py",
)


def texts(node: ast.AST) -> list[str]:
    """The texts of one collection, or of one text."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        parts: list[ast.expr | None] = [*node.elts]
    elif isinstance(node, ast.Dict):
        parts = [*node.keys]
    else:
        parts = [node] if isinstance(node, ast.Constant) else []
    found: list[str] = []
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            found.append(part.value)
        elif isinstance(part, ast.Tuple):  # a row, such as ("speck-64/128", 16)
            found += texts(part)
    return found


def listed(source: str) -> list[str]:
    """Where a source names two or more families of one kind in one collection or text."""
    tree = ast.parse(source)
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    wrong = []
    for node in ast.walk(tree):
        if id(node) in documents:
            continue
        named_alone = [text for text in texts(node) if text not in PAPERS]
        found = set(re.findall("[a-z]+", " ".join(named_alone)))
        for families in FAMILIES.values():
            named = [family for family in families if family in found]
            if len(named) > 1:
                wrong.append(f"line {node.lineno}: {', '.join(named)}")  # type: ignore[attr-defined]
    return wrong


@pytest.mark.parametrize("path", DERIVED)
def test_no_list_of_families(path: str) -> None:
    assert listed((ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        'FAMILIES = ("speck", "simon")',
        'NAMES = ["speck-64/128", "cham-64/128"]',
        'SIZES = {"simeck": 3, "cham": 6}',
        'ROWS = (("speck-64/128", 1), ("simon-64/128", 1))',
        'PATTERN = "speck|simon|simeck|cham"',
        'AEADS = {"ascon-aead128", "schwaemm256-128"}',
        'def f():\n    return ("esch256", "ascon-hash256")',
    ],
)
def test_control_a_list_is_seen(source: str) -> None:
    assert listed(source)


@pytest.mark.parametrize(
    "source",
    [
        '"""SPECK and simon: speck, simon."""',
        'ONE = ("speck-64/128", "speck-128/128")',
        'DIFFERENT = ("schwaemm256-128", "esch256")',
    ],
)
def test_control_what_is_no_list_is_left_alone(source: str) -> None:
    assert listed(source) == []


def test_lists_of_the_product_are_whole() -> None:
    """Lists that say more of an algorithm than the catalogue: each algorithm stands in them, or
    here, with the reason.
    """
    wanted = set(catalogue.algorithms("hash", "xof"))
    assert set(sums.FUNCTIONS) == wanted
    assert set(sums.EXTENDABLE) == set(catalogue.algorithms("xof"))
    assert set(fleet._HASHES) == set(catalogue.algorithms("hash"))
    assert set(fleet._XOFS) == set(catalogue.algorithms("xof"))
