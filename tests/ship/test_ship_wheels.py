# SPDX-License-Identifier: Apache-2.0
"""Wheels: their recipe, and (slow) each of them built, installed without a compiler, and run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import made as under_test
import musl
import pytest
import system_wheels
import wheels
from debian import need

ROOT = Path(__file__).resolve().parents[2]
# Every tier of a processor, its kernels being in the module whatever machine built it.
TIERS = {
    "x86_64": ["portable", "avx2", "avx512"],
    "aarch64": ["portable", "neon", "crypto", "sha3"],
}
# What a Python for AArch64 consists of; its packages are fetched and unpacked, not installed.
ARM64 = ["libc6", "libgcc-s1", "zlib1g", "libexpat1", "libssl3", "libbz2-1.0", "liblzma5"]
ARM64 += ["libffi8", "libuuid1", "libsqlite3-0", "python3.11-minimal"]
ARM64 += ["libpython3.11-minimal", "libpython3.11-stdlib"]
PARTS = ("vectors", "aead", "hashes", "hazmat")
CHECK = """
import platform, hanji, hanji._core, hanji.sign
answers = hanji.selftest()
assert len(answers) > 70 and all(answers.values()), answers
assert not any(name.startswith("rainbow") for name in answers), "wheels have no Rainbow"
import hanji._gpu
code = hanji._gpu.cubins()
assert {one for _, one in code} == {75, 80, 90, 100, 120}, code
assert len({name for name, _ in code}) * 5 == len(code) > 90, code
print(platform.machine(), *[tier["name"] for tier in hanji._core.tiers()])
"""
# Encryption on the driver that is not one.
ON_GPU = """
from hanji import hazmat
text = bytes(range(256)) * 64
given = ("simon-64/128", bytes(16), bytes(8))
assert hazmat.ctr(*given, device="cuda").update(text) == hazmat.ctr(*given).update(text)
"""


def run(*words: object, **more: str) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | more,
    )
    assert done.returncode == 0, f"{words}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def suite(*python: object, **more: str) -> None:
    """The self-test, and tests of the package, with the vectors, by a Python that has the wheel."""
    *_, tiers = run(*python, "-c", CHECK, **more).splitlines()
    machine, *found = tiers.split()
    assert found == TIERS[machine]
    files = [f"tests/python/test_py_{part}.py" for part in PARTS]
    # Without the settings of the repository, which would take the package from there.
    words = ["-c", "/dev/null", "--rootdir", "tests/python", "--confcutdir", "tests/python"]
    more["PYTHONPATH"] = ":".join(filter(None, [more.get("PYTHONPATH"), str(ROOT / "tests")]))
    said = run(*python, "-m", "pytest", *words, "-p", "no:cacheprovider", "-q", *files, **more)
    assert int(re.findall(r"(\d+) passed", said)[0]) > 250


@cache
def wheel(name: str) -> Path:
    """A wheel; built once, unless HANJI_RELEASE gives it."""
    if found := under_test.given(name):
        return found
    need("cmake", "ninja-build", "python3-dev")
    return wheels.build(wheels.PLATFORMS[name], ROOT / "build/wheels/tested", under_test.when())


def test_wheels_of_a_release_are_tested_where_they_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HANJI_RELEASE", raising=False)
    assert under_test.given("win_amd64") is None and under_test.when() == under_test.WHEN
    monkeypatch.setenv("HANJI_RELEASE", str(tmp_path))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert under_test.when() == 1700000000
    with pytest.raises(AssertionError, match="0 wheels for win_amd64, not one"):
        under_test.given("win_amd64")
    made = tmp_path / "hanji-0.2.0-cp311-cp311-win_amd64.whl"
    made.touch()
    assert under_test.given("win_amd64") == made


def test_the_lock_pins_everything_that_builds_wheels_with_hashes() -> None:
    rows = [row for row in wheels.LOCK.read_text().splitlines() if not row.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==\S+ --hash=sha256:[0-9a-f]{64}", row) for row in rows)
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*about["build-system"]["requires"], *wheels.RELEASE]
    assert {re.split(r"[=><]", line)[0] for line in wanted} <= set(wheels.locked())


def test_tools_are_made_anew_for_another_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise wheels get the tag of one Python and the headers of another."""
    made: list[tuple[object, ...]] = []
    monkeypatch.setattr(wheels, "TOOLS", tmp_path / "tools")
    monkeypatch.setattr(
        wheels,
        "run",
        lambda *words, **_: (tmp_path / "tools").mkdir(exist_ok=True) or made.append(words) or "",
    )
    wheels.tools()
    count = len(made)
    wheels.tools()
    assert len(made) == count > 0
    monkeypatch.setattr(sys, "version", "3.14.0 free-threading build")
    wheels.tools()
    assert len(made) == 2 * count


def test_the_assembler_for_gpus_is_that_of_the_laboratory() -> None:
    (pin,) = [line for line in wheels.RELEASE if line.startswith(wheels.PTXAS)]
    about = tomllib.loads((ROOT / "lab/pyproject.toml").read_text())
    listed = [
        line for lines in about["project"]["optional-dependencies"].values() for line in lines
    ]
    assert any(line.startswith(f"{pin};") for line in listed)
    assert wheels.locked()[wheels.PTXAS] == pin.partition("==")[2]


def test_the_platforms_are_those_of_the_documents() -> None:
    said = run(sys.executable, "tools/wheels.py", "--list").split()
    text = (ROOT / "docs/release.md").read_text()
    assert len(said) == 4 and all(f"`{name}`" in text for name in said)


@pytest.mark.parametrize("name", wheels.PLATFORMS)
@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_wheel_has_modules_of_its_processor_that_export_one_function(
    name: str, tmp_path: Path
) -> None:
    made, platform = wheel(name), wheels.PLATFORMS[name]
    assert made.name.endswith(f"-cp311-cp311-{name}.whl")
    machine = {"x86_64": "Advanced Micro Devices X86-64", "aarch64": "AArch64"}[platform.processor]
    with zipfile.ZipFile(made) as packed:
        packed.extractall(tmp_path)
        modules = [file for file in packed.namelist() if file.endswith(".so")]
    suffix = f".cpython-311-{platform.triplet}.so"
    expected = {f"hanji/_core{suffix}", f"hanji/_gpu{suffix}"}
    assert set(modules) == expected
    for file in modules:
        assert machine in run("readelf", "-h", tmp_path / file)
        dynamic = run("readelf", "-d", tmp_path / file)
        assert "BIND_NOW" in dynamic and "libcrypto" not in dynamic and "RUNPATH" not in dynamic
        rows = [
            row.split() for row in run("readelf", "-W", "--dyn-syms", tmp_path / file).split("\n")
        ]
        given = {row[7] for row in rows if len(row) > 7 and row[6] != "UND" and row[1] != "Value"}
        allowed = r"PyInit_\w+|Name"
        assert all(re.fullmatch(allowed, symbol) for symbol in given), given


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel for x86-64, made without a compiler."""
    folder = tmp_path_factory.mktemp("new") / "venv"
    run(sys.executable, "-m", "venv", folder)
    pip = (folder / "bin/python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:")
    run(*pip, wheel("manylinux_2_28_x86_64"), "pytest", "hypothesis", PATH="/nowhere")
    return folder / "bin/python"


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_wheel_for_x86_64_works_in_a_new_environment(python: Path) -> None:
    need("libssl-dev")
    suite(python)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_wheel_brings_machine_code_for_gpus_and_ptx_where_it_is_refused(python: Path) -> None:
    """The driver that is not one has a device 9.0, and says what it loads."""
    sys.path.insert(0, str(ROOT / "tests/c"))
    import builds

    fake = {"LD_LIBRARY_PATH": str(builds.build("host-gcc") / "tests/gpu"), "FAKE_CUDA_LOG": "1"}

    def loaded(**more: str) -> list[str]:
        done = subprocess.run(
            [python, "-c", ON_GPU], capture_output=True, text=True, env=os.environ | fake | more
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return re.findall(r"cuModuleLoadData (machine code|\.version)", done.stderr)

    assert loaded(FAKE_CUDA_CUBINS="1", FAKE_CUDA_NO_COMPILER="1") == ["machine code"]
    assert loaded() == ["machine code", ".version"]


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_wheel_for_aarch64_works_under_qemu(tmp_path: Path) -> None:
    need("qemu-user", "libssl-dev:arm64")
    packages = [f"{name}:arm64" for name in ARM64]
    subprocess.run(["apt-get", "download", *packages], cwd=tmp_path, check=True)
    for package in tmp_path.glob("*.deb"):
        run("dpkg-deb", "-x", package, tmp_path / "root")
    site, root = tmp_path / "site", tmp_path / "root"
    platforms = [f"manylinux{age}_aarch64" for age in ("_2_28", "_2_17", "2014")]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", site]
    pip += [word for name in platforms for word in ("--platform", name)]
    pip += ["--python-version", "3.11", "--only-binary", ":all:"]
    run(*pip, wheel("manylinux_2_28_aarch64"), "pytest", "hypothesis")
    suite("qemu-aarch64", "-L", root, root / "usr/bin/python3.11", PYTHONPATH=str(site))


def fetched(folder: Path, name: str) -> Path:
    """A folder with a wheel, what it needs, and what its tests need, for musl."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder]
    processor = wheels.PLATFORMS[name].processor
    pip += [word for age in (2, 1) for word in ("--platform", f"musllinux_1_{age}_{processor}")]
    pip += ["--python-version", "3.11", "--only-binary", ":all:"]
    run(*pip, wheel(name), "pytest", "hypothesis")
    return folder


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_wheel_for_musl_works_in_a_new_environment(tmp_path: Path) -> None:
    need("gcc", "make")
    name, venv = "musllinux_1_2_x86_64", tmp_path / "venv"
    (base,) = musl.python("x86_64")
    run(base, "-m", "venv", "--without-pip", venv)
    python = venv / "bin/python"
    more = ("--no-index", "--find-links", fetched(tmp_path / "wheels", name))
    # pip on musl takes the wheel for one that fits; what is installed here it does not see.
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet")
    run(*pip, *more, "hanji", "pytest", "hypothesis", PATH="/nowhere")
    mapped = run(python, "-c", "import hanji; print(open('/proc/self/maps').read())")
    assert "-linux-musl/libc.so" in mapped and "_core.cpython-311-x86_64-linux-musl.so" in mapped
    assert "libc.so.6" not in mapped
    suite(python)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_wheel_for_musl_works_on_aarch64_under_qemu(tmp_path: Path) -> None:
    need("gcc-aarch64-linux-gnu", "make", "qemu-user")
    found = fetched(tmp_path / "wheels", "musllinux_1_2_aarch64").glob("*.whl")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target")
    tags = ("--platform", "musllinux_1_2_aarch64", "--platform", "musllinux_1_1_aarch64")
    run(*pip, tmp_path / "site", *tags, "--only-binary", ":all:", *found)
    suite(*musl.python("aarch64"), PYTHONPATH=str(tmp_path / "site"))


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", ["manylinux_2_28_x86_64", *system_wheels.WHEELS])
def test_two_folders_give_the_same_wheel(name: str, tmp_path: Path) -> None:
    if name in wheels.PLATFORMS:
        here, script = wheel(name), "tools/wheels.py"
    else:
        here, script = under_test.system(name), "tools/system_wheels.py"
    copy = tmp_path / "elsewhere"
    run("git", "clone", "--quiet", "--shared", ROOT, copy)
    listed = run("git", "ls-files", "-com", "--exclude-standard").split("\n")
    for file in filter(None, listed):
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / file).is_file():
            (copy / file).write_bytes((ROOT / file).read_bytes())
    run(
        *(sys.executable, copy / script, "--out", tmp_path / "out", "--only", name),
        SOURCE_DATE_EPOCH=str(under_test.when()),
    )
    (there,) = (tmp_path / "out").glob("*.whl")
    assert there.read_bytes() == here.read_bytes()


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_module_that_asks_for_a_newer_c_library_is_refused(tmp_path: Path) -> None:
    name = "manylinux_2_28_x86_64"
    (tmp_path / "new.c").write_text(
        "#include <stdlib.h>\nunsigned hanji_new(void) { return arc4random(); }\n"
    )
    need("gcc")
    run("gcc", "-shared", "-fPIC", "-o", tmp_path / "new.so", tmp_path / "new.c")
    with zipfile.ZipFile(wheel(name)) as packed:
        files = {file: packed.read(file) for file in packed.namelist()}
    (module,) = [file for file in files if "/_core." in file and file.endswith(".so")]
    files[module] = (tmp_path / "new.so").read_bytes()
    spoilt = tmp_path / wheel(name).name.replace(name, "linux_x86_64")
    with zipfile.ZipFile(spoilt, "w") as packed:
        for file, data in files.items():
            packed.writestr(file, data)
    with pytest.raises(wheels.WheelError, match=r"(?i)cannot repair|too-recent"):
        wheels.audit(spoilt, wheels.PLATFORMS[name], tmp_path / "audited", under_test.WHEN)
