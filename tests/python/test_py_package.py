# SPDX-License-Identifier: Apache-2.0
"""The package as a whole: what it says about itself, its types, its module file, its memory."""

from __future__ import annotations

import ast
import ctypes
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

import hanji
from hanji import _core, _gpu, aead, hashes, hazmat

ROOT = Path(__file__).resolve().parents[2]


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_version_stands_in_the_header():
    header = (ROOT / "include/hanji/common.h").read_text()
    assert hanji.__version__ == re.search('#define HANJI_VERSION "(.*)"', header)[1]
    assert importlib.metadata.version("hanji") == hanji.__version__
    parts = re.findall(r"#define HANJI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    assert ".".join(parts) == hanji.__version__


def test_list_of_algorithms():
    rows = {a.name: a for a in hanji.algorithms()}
    assert len(rows) == len(hanji.algorithms())
    for a in rows.values():
        assert a.kind in ("block", "mode", "permutation", "aead", "hash", "xof", "signature")
        assert a.status, a.name
        assert "\n" not in a.status
        assert a.standard, a.name
        assert (a.limit_blocks is not None) == (a.kind == "block")
    assert rows["speck-64/128"].data_limit == "2^20 blocks (8 MiB) per key by default"
    assert rows["schwaemm256-128"].data_limit == "2^68 bytes per key"
    with pytest.raises(AttributeError):
        rows["esch256"].name = "md5"


def test_selftest_covers_every_algorithm():
    """But for Rainbow, which is not in the package."""
    code = (
        "import hanji; print(*(f'{n} {right}' for n, right in hanji.selftest().items()), sep=';')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = [a.name for a in hanji.algorithms() if not a.name.startswith("rainbow-")]
    assert done.stdout.strip().split(";") == [f"{name} True" for name in names]


def test_selection_of_a_tier():
    try:
        hanji.force("portable")
        assert [row["name"] for row in hanji.backends() if row["selected"]] == ["portable"]
        usable = {row["tier"] for row in hanji.kernels() if row["usable"]}
        assert usable == {"portable"}
    finally:
        hanji.force(None)
    with pytest.raises(hanji.HanjiError, match="the tier is not in this build"):
        hanji.force("avx1024")
    with pytest.raises(TypeError, match="tier must be a str or None, not int"):
        hanji.force(1)


def test_environment_selects_a_tier():
    seal = "import hanji; hanji.aead.Schwaemm256_128(bytes(16)).encrypt(bytes(32), b'')"
    assert run_python(seal, HANJI_FORCE="portable").returncode == 0
    for code in (
        seal,
        "import hanji; hanji.selftest()",
        "import hanji; hanji.hazmat.block('speck-64/128', bytes(16))",
    ):
        refused = run_python(code, HANJI_FORCE="avx1024")
        assert refused.returncode == 1
        assert "hanji.HanjiError" in refused.stderr
        assert "HANJI_FORCE" in refused.stderr


def test_import_stays_light():
    heavy = "numpy", "pyarrow", "click", "rich", "argon2"
    shown = run_python(
        f"import sys, hanji; print([m for m in {heavy} if m in sys.modules]); hanji.fleet; "
        "hanji.keys; hanji.files"
    )
    assert shown.stdout.strip() == "[]", shown.stderr
    assert shown.returncode == 0, shown.stderr
    assert {"fleet", "keys", "files", "aead"} <= set(dir(hanji))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = hanji.nonsense


def test_errors_are_ours():
    assert issubclass(hanji.InvalidTag, hanji.HanjiError)
    assert issubclass(hanji.LimitError, hanji.HanjiError)
    assert issubclass(hanji.HanjiError, Exception)
    assert not issubclass(hanji.HanjiError, ValueError)
    assert [c.__module__ for c in (hanji.HanjiError, aead.Schwaemm256_128, hashes.Esch256)] == [
        "hanji",
        "hanji.aead",
        "hanji.hashes",
    ]


@pytest.mark.parametrize(
    "item",
    [*(getattr(aead, n) for n in aead.__all__), *(getattr(hashes, n) for n in hashes.__all__)],
    ids=lambda c: c.__name__,
)
def test_class_docstrings_say_source_and_status(item):
    text = item.__doc__
    assert "Source: " in text
    assert "Status: " in text
    for member in ("encrypt", "decrypt", "update", "digest", "read", "generate_key"):
        if hasattr(item, member):
            assert len(getattr(item, member).__doc__) > 40, member


@pytest.mark.parametrize("module", [_core, _gpu], ids=["_core", "_gpu"])
def test_module_exports_its_init_function_only(module):
    shown = subprocess.run(
        ["nm", "-D", "--defined-only", module.__file__], capture_output=True, text=True, check=True
    )
    assert [line.split()[-1] for line in shown.stdout.splitlines()] == [
        f"PyInit_{module.__name__.removeprefix('hanji.')}"
    ]


def signatures(text: str) -> str:
    """What a stub declares, in one order and spelling: how a generator breaks lines and sorts
    changes from version to version.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            node.body = [
                part
                for part in node.body
                if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            ]
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.body.sort(key=ast.unparse)
    return "\n".join(
        sorted(
            ast.unparse(node)
            for node in tree.body
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AnnAssign)
        )
    )


def test_stubs_are_what_the_modules_have(tmp_path):
    pytest.importorskip("nanobind", reason="pip install nanobind")
    subprocess.run([sys.executable, ROOT / "tools/stubs.py", tmp_path], check=True)
    for name, was, other in (
        ("_core", "-> int", "-> str"),
        ("_gpu", "-> int", "-> str"),
        ("_schemes", "(PrivateKey)", "(PublicKey)"),
    ):
        committed = (ROOT / f"python/hanji/{name}.pyi").read_text()
        assert signatures((tmp_path / f"{name}.pyi").read_text()) == signatures(committed), (
            "run python tools/stubs.py"
        )
        assert signatures(committed.replace(was, other, 1)) != signatures(committed)


def test_types_are_consistent(tmp_path):
    """A user's file: correct uses pass mypy --strict, and every wrong one is found."""
    pytest.importorskip("mypy", reason="pip install mypy")
    good = tmp_path / "good.py"
    good.write_text(
        "import hanji\n"
        "import numpy as np\n"
        "cipher = hanji.aead.Schwaemm256_128(bytearray(16))\n"
        "sealed: bytes = cipher.encrypt(bytes(32), np.zeros(5, np.uint8), memoryview(b''))\n"
        "digest: str = hanji.hashes.Esch256(sealed).copy().hexdigest()\n"
        "stream: bytes = hanji.hashes.XOEsch256().read(5)\n"
        "block: bytes = hanji.hazmat.block('speck-64/128', bytes(16)).encrypt(bytes(8))\n"
        "opened = hanji.fleet.decrypt('schwaemm256-128', bytes(16), b'', b'', b'')\n"
        "ok: bool = opened.ok\n"
        "names: list[str] = [a.name for a in hanji.algorithms()]\n"
    )
    wrong = tmp_path / "wrong.py"
    mistakes = [
        "hanji.aead.Schwaemm256_128('text')",
        "hanji.aead.Schwaemm256_128(b'').encrypt(b'')",
        "hanji.hashes.Esch256().digest(5)",
        "hanji.hashes.XOEsch256().digest()",
        "hanji.hazmat.ctr('speck-64/128', b'', b'', limit='1')",
        "hanji.fleet.hash('esch256', b'').ok",
    ]
    wrong.write_text("import hanji\n" + "\n".join(mistakes) + "\n")
    for path in (good, wrong):
        shown = subprocess.run(
            [
                sys.executable,
                "-m",
                "mypy",
                "--strict",
                "--config-file=",
                f"--cache-dir={tmp_path}/cache",
                path,
            ],
            capture_output=True,
            text=True,
            env={**os.environ, "MYPYPATH": str(ROOT / "python")},
            cwd=tmp_path,
        )
        lines = {
            int(m) for m in re.findall(rf"^{path.name}:(\d+): error", shown.stdout, re.MULTILINE)
        }
        assert lines == (set() if path is good else set(range(2, 2 + len(mistakes)))), shown.stdout


def memory_after(work: object, rounds: int) -> int:
    for _ in range(rounds):
        work()
    return tracemalloc.get_traced_memory()[0]


def refused(call: object, *arguments: object) -> None:
    try:
        call(*arguments)
    except (ValueError, TypeError, hanji.HanjiError):
        return
    raise AssertionError("not refused")


def everything() -> None:
    data = bytearray(3000)
    cipher = aead.Schwaemm256_128(bytes(16))
    sealed = cipher.encrypt(bytes(32), data, memoryview(data))
    cipher.decrypt(bytes(32), sealed, data)
    cipher.encrypt_into(bytes(32), b"", None, data)
    refused(cipher.decrypt, bytes(32), sealed, b"other")
    refused(cipher.decrypt, bytes(31), sealed)
    refused(cipher.encrypt, bytes(32), "text")
    refused(cipher.encrypt_into, data, data, None, bytes(5))
    message = hashes.XOEsch256(data)
    message.copy().read(100)
    message.hexdigest(50)
    hashes.Esch384(data).hexdigest()
    hazmat.block("speck-64/128", bytes(16)).encrypt(data)
    hazmat.ctr("speck-64/128", bytes(16), bytes(8)).update_into(data, data)
    mac = hazmat.cmac("speck-64/128", bytes(16))
    mac.copy().update(data)
    refused(mac.verify, b"12345678")
    hazmat.eax("speck-64/128", bytes(16)).encrypt(b"n", data, data)
    refused(hazmat.eax, "speck-64/128", bytes(16), 9)
    hanji.algorithms()


def test_nothing_leaks():
    """No Python object is left behind, neither by success nor by an error; a call that leaves one
    is noticed.
    """
    left: list[bytes] = []
    tracemalloc.start()
    try:
        memory_after(everything, 5)
        before = memory_after(everything, 5)
        after = memory_after(everything, 200)
        control = memory_after(lambda: left.append(bytes(100)), 200)
    finally:
        tracemalloc.stop()
    assert after - before < 200 * 16
    assert control - after >= 200 * 100


def test_arguments_keep_their_reference_counts():
    objects = [bytes(16), bytes(32), bytearray(5000), b"12345", bytearray(6000)]
    key, nonce, data, ad, out = objects
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(50):
        cipher = aead.Schwaemm256_128(key)
        cipher.encrypt(nonce, data, ad)
        cipher.encrypt_into(nonce, data, ad, out)
        refused(cipher.decrypt, nonce, data, ad)
        hashes.Esch256(data).update(ad)
    del cipher
    assert [sys.getrefcount(o) for o in objects] == before


SECRET = bytes.fromhex("d1c3a5978b7f6e5d4c3b2a190817f6e5")


@pytest.mark.parametrize(
    ("make", "erased"),
    [
        (lambda: aead.Schwaemm256_128(SECRET), True),
        (lambda: hazmat.block("simon-64/128", SECRET), True),  # whose first round keys are the key
        (lambda: hazmat.ctr("simon-64/128", SECRET, bytes(8)), True),
        (lambda: hazmat.eax("simon-64/128", SECRET), True),
        (lambda: bytes(200) + SECRET + bytes(30), False),  # the control
    ],
    ids=["aead", "block", "ctr", "eax", "control"],
)
@pytest.mark.skipif(
    sys.byteorder == "big", reason="the round keys do not look like the key on this machine"
)
def test_a_key_is_erased_with_its_object(make, erased):
    """Look into the memory of an object after it is freed; the allocator overwrites some bytes at
    its beginning only.
    """
    holder = [make()]
    size = sys.getsizeof(holder[0])
    place, after = id(holder[0]), ctypes.create_string_buffer(size)
    tail = SECRET[12:]
    assert tail in ctypes.string_at(place, size)
    holder.clear()
    ctypes.memmove(after, place, size)
    assert (tail not in after.raw) == erased


def test_source_distribution_has_what_a_build_needs(tmp_path):
    """Slow part apart: the list of files, from the tool itself."""
    pytest.importorskip("scikit_build_core", reason="pip install scikit-build-core")
    code = (
        "from scikit_build_core.build import build_sdist; import sys; "
        "print(build_sdist(sys.argv[1]))"
    )
    subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    shown = subprocess.run(["tar", "tzf", archive], check=True, capture_output=True, text=True)
    names = {line.split("/", 1)[1] for line in shown.stdout.splitlines()}
    tracked = subprocess.run(
        ["git", "ls-files", "include", "src", "cmake", "python"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if tracked.returncode == 0:
        needed = {name for name in tracked.stdout.split() if not name.endswith(".clang-format")}
        assert needed <= names
    assert {
        "pyproject.toml",
        "CMakeLists.txt",
        "LICENSE",
        "include/hanji/hanji.h",
        "python/hanji/__init__.py",
        "python/hanji/_core.pyi",
    } <= names
    assert not [
        name for name in names if name.startswith(("tests/", "lab/", "results/", ".", "build/"))
    ]
    assert archive.stat().st_size < 1_500_000


@pytest.mark.slow
def test_source_distribution_builds_without_a_network(tmp_path):
    for module in ("scikit_build_core", "nanobind"):
        pytest.importorskip(module, reason=f"pip install {module}")
    code = "from scikit_build_core.build import build_sdist; import sys; build_sdist(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path / "unpacked")
    (source,) = (tmp_path / "unpacked").iterdir()
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
        "-w",
        tmp_path / "wheels",
        source,
    ]
    subprocess.run(
        command,
        check=True,
        capture_output=True,
        env={**os.environ, "http_proxy": "x", "https_proxy": "x"},
    )
    (wheel,) = (tmp_path / "wheels").glob("*.whl")
    assert wheel.stat().st_size < 3_000_000
    shutil.unpack_archive(wheel, tmp_path / "installed", "zip")
    code = "import hanji; assert all(hanji.selftest().values()); print(hanji.__file__)"
    shown = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=tmp_path / "installed",
        capture_output=True,
        text=True,
    )
    assert shown.stdout.startswith(str(tmp_path)), shown.stderr
