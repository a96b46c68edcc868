# SPDX-License-Identifier: Apache-2.0
"""The package for JavaScript in Node, and the page in a browser: both exchange files with
`hanji seal`.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import catalogue
import chromium
import pytest
import vectors_io
from debian import need

import hanji
from hanji import files, keys
from hanji._derive import expand
from hanji.hashes import Esch256

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
FRAMES = ("schwaemm256-128", "speck-64/128-eax")  # algorithms of frames; keys of 16 bytes


def vectors() -> list[dict[str, str]]:
    """Vectors of every algorithm of the package, as web/test/package.test.mjs reads them."""
    rows: list[dict[str, str]] = []
    for name in catalogue.algorithms("aead"):
        rows += aead(name, f"{name}_kat")
    rows += aead("speck-64/128-eax", "eax") + wycheproof()
    for name in catalogue.algorithms("hash", "xof"):
        if name == "ascon-cxof128":
            continue  # the package has no customization strings
        tests = vectors_io.load(f"{name}_kat", result="valid")[::20]
        rows += [{"name": name, "msg": t["msg"].hex(), "digest": t["digest"].hex()} for t in tests]
    return rows


def aead(name: str, file: str) -> list[dict[str, str]]:
    tests = vectors_io.load(file, result="valid")
    if file == "eax":
        tests = [t for t in tests if t["variant"] == "speck-64/128"]
        tests = [t for t in tests if len(t["nonce"]) == 8 and len(t["tag"]) == 8]
    else:
        tests = tests[::20]
    assert tests, f"no vectors of {name}"
    return [
        {field: t[field].hex() for field in ("key", "nonce", "aad", "pt")}
        | {"name": name, "sealed": (t["ct"] + t["tag"]).hex()}
        for t in tests
    ]


def wycheproof() -> list[dict[str, Any]]:
    """All tests of Project Wycheproof; those with `invalid` must not open."""
    tests = vectors_io.load("ascon-aead128_wycheproof")
    assert Counter(t["result"] for t in tests) == {"valid": 128, "invalid": 124}
    return [
        {field: t[field].hex() for field in ("key", "nonce", "aad", "pt")}
        | {"name": "ascon-aead128", "sealed": (t["ct"] + t["tag"]).hex()}
        | {"invalid": t["result"] == "invalid"}
        for t in tests
    ]


def container(
    material: bytes,
    algorithm: str = "ascon-aead128",
    *,
    fields: dict[str, str] | None = None,
    body: str | None = None,
    label: str = "HANJI SECRET KEY",
) -> bytes:
    """A key file with the right id and checksum, whatever stands in it."""
    key_id = expand("hanji key id v1", algorithm.encode(), material, length=8).hex()
    heads = {"Version": "1", "Algorithm": algorithm, "Key-Id": key_id, "Protection": "none"}
    rows = [f"{name}: {value}" for name, value in (heads | (fields or {})).items()]
    checksum = Esch256("\n".join([label, *rows]).encode() + b"\n\n" + material).digest()[:8].hex()
    text = base64.b64encode(material).decode() if body is None else body
    rows = [f"-----BEGIN {label}-----", *rows, f"Checksum: {checksum}", "", text]
    return "\n".join([*rows, f"-----END {label}-----", ""]).encode()


def key_files() -> list[tuple[str, bytes]]:
    """Key files, most of them damaged, with a word on each. Their passphrase is "mulberry"."""
    secret, found = bytes(range(16)), random.Random(40)
    cheap = keys.Argon2Parameters(passes=1, memory_kib=8, lanes=1)
    plain = keys.dumps(keys.Key("schwaemm256-128", secret, comment="of a test")).encode()
    locked = keys.dumps(keys.Key("ascon-aead128", secret), "mulberry", cheap).encode()
    files = [("plain", plain), ("locked", locked)]
    for name, text in tuple(files):
        rows = text.split(b"\n")
        for at in range(len(rows)):
            files.append((f"{name} without row {at}", b"\n".join(rows[:at] + rows[at + 1 :])))
            files.append((f"{name}, row {at} twice", b"\n".join(rows[: at + 1] + rows[at:])))
            swapped = rows[:at] + rows[at : at + 2][::-1] + rows[at + 2 :]
            files.append((f"{name}, rows {at}, {at + 1} swapped", b"\n".join(swapped)))
            for what in (b" ", b"\t \t", b"\r", b"\x0b", b"\x0c", b"\xa0", b"\x00", b": ", b"x"):
                more = [*rows[:at], rows[at] + what, *rows[at + 1 :]]
                files.append((f"{name}, row {at} + {what!r}", b"\n".join(more)))
                more = [*rows[:at], what + rows[at], *rows[at + 1 :]]
                files.append((f"{name}, {what!r} + row {at}", b"\n".join(more)))
        for _ in range(60):
            at, bit = found.randrange(len(text)), 1 << found.randrange(8)
            files.append((f"{name}, {at}", text[:at] + bytes([text[at] ^ bit]) + text[at + 1 :]))
            files.append((f"{name} to {at}", text[:at]))
        for what in ("\n", "\r\n", " \n\t\n", "\ufeff", "x\n", "-----END HANJI SECRET KEY-----\n"):
            files.append((f"{what!r} before {name}", what.encode() + text))
            files.append((f"{what!r} behind {name}", text + what.encode()))
        files.append((f"{name} with CR LF", text.replace(b"\n", b"\r\n")))
        files.append((f"{name} with CR", text.replace(b"\n", b"\r")))
        files.append((f"{name} twice", text + text))
        files.append((f"{name} in capitals", text.replace(b"e", b"E")))
    files += [("nothing", b""), ("a line end", b"\n"), ("blanks", b" \t\n" * 9)]
    lengths = (0, 1, 8, 9, 12, 15, 16, 17, 18, 24, 32, 48)
    for algorithm in [*keys._key_sizes(), "other", "esch256", "speck-64/128-eax"]:
        files += [(f"{algorithm} {n}", container(bytes(n), algorithm)) for n in lengths]
    names = ("", "A", "Ascon", "-a", "a b", "a" * 64, "a" * 65, "__proto__", "constructor", "a\tb")
    files += [(f"name {name!r}", container(secret, name)) for name in names]
    for fields in (
        *({"Version": version} for version in ("", "0", "01", "2", "1 ", "1\r")),
        *({"Key-Id": name} for name in ("", "00" * 8, "2817F150D58C793B")),
        *(
            {"Comment": text}
            for text in ("", "a", " a", "a  b", "a" * 200, "a" * 201, "\x07", "~!")
        ),
        *({"Protection": text} for text in ("", "None", "none ", "argon2id", "scrypt")),
        {"__proto__": "1"},
        {"Version,Algorithm": "1"},
    ):
        files.append((f"fields {fields}", container(secret, fields=fields)))
    salt = "00" * 32
    for t, m, p, s in (
        ("1", "8", "1", salt), ("01", "8", "1", salt), ("1", "8", "01", salt), ("0", "8", "1", salt),
        ("17", "8", "1", salt), ("1", "7", "1", salt), ("1", "1048577", "1", salt),
        ("1", "8", "2", salt), ("1", "8", "17", salt), ("00001", "8", "1", salt),
        ("1", "8", "1", salt[2:]), ("1", "8", "1", salt.replace("0", "A")), ("-1", "8", "1", salt),
        ("1", "8e0", "1", salt), ("\u0661", "8", "1", salt),
    ):  # fmt: skip
        fields = {"Protection": f"argon2id t={t} m={m} p={p} salt={s}"}
        for size in (0, 16, 47, 48, 64):
            files.append((f"{fields} {size}", container(bytes(size), fields=fields)))
    right = base64.b64encode(secret).decode()
    for body in (
        right[:-2], right[:-1], right[:-3] + "h==", right + "=", right[:8] + " " + right[8:],
        right[:8] + "\n" + right[8:], right[:8] + "\n\n" + right[8:], right[:8] + "\t\n" + right[8:],
        right.replace("A", "-", 1), " " + right, right[:8] + "\x0c" + right[8:], right + "====", "",
    ):  # fmt: skip
        files.append((f"body {body!r}", container(secret, body=body)))
    files += [(label, container(secret, label=label)) for label in ("HANJI KEY", "", "hanji")]
    return files


def test_control_a_container_of_these_tests_is_read() -> None:
    assert keys.loads(container(bytes(16))).material == bytes(16)


def read(text: bytes) -> str | None:
    """What Python reads in a key file; None where it refuses the file."""
    try:
        key = keys.loads(text, "mulberry")
    except (hanji.HanjiError, ValueError):
        return None
    return f"{key.algorithm} {key.material.hex()}"


def epochs() -> list[dict[str, Any]]:
    tests = vectors_io.document("telemetry/epoch_keys")["tests"]
    return [
        {"master": t["master"], "algorithm": t["label"], "epoch": t["epoch"]}
        | {"device": t["device"], "key": t["key"]}
        for t in tests
        if t["version"] == 2 and t["label"] in FRAMES and len(t["key"]) == 32
    ]


@pytest.fixture(scope="module")
def built(modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make web` makes."""
    need("clang-14", "lld-14")
    out = tmp_path_factory.mktemp("web")
    script = [sys.executable, str(ROOT / "tools/web.py"), "--out", str(out)]
    subprocess.run([*script, "--noble", str(modules / "@noble/hashes")], check=True)
    (out / "node_modules").symlink_to(modules)
    return out


def node(*words: str, **more: str) -> str:
    done = subprocess.run(
        ["node", *words],
        env=os.environ | more,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"node failed:\n{done.stdout[-4000:]}{done.stderr[-2000:]}"
    return done.stdout


def test_the_package_passes_its_tests_in_node(built: Path, tmp_path: Path) -> None:
    (tmp_path / "vectors.json").write_text(json.dumps(vectors()))
    rows = epochs()
    assert len(rows) >= 18
    files = [
        {"what": what, "bytes": base64.b64encode(text).decode(), "key": read(text)}
        for what, text in key_files()
    ]
    (tmp_path / "keys.json").write_text(json.dumps(files))
    tests = sorted(WEB.glob("test/*.test.mjs"))
    said = node(
        "--test",
        "--test-reporter=tap",
        *map(str, tests),
        HANJI_PACKAGE=str(built / "package"),
        HANJI_VECTORS=str(tmp_path / "vectors.json"),
        HANJI_EPOCHS=json.dumps(rows),
        HANJI_KEY_FILES=str(tmp_path / "keys.json"),
    )
    count = sum(len(re.findall(r"^test\(", path.read_text(), re.M)) for path in tests)
    assert count >= 29
    assert "# fail 0" in said and f"# pass {count}\n" in said, said


def test_the_example_of_its_readme_runs_where_it_is_installed(built: Path, tmp_path: Path) -> None:
    """By the names that package.json gives its modules."""
    example, said = re.findall(r"```(?:js|text)\n(.*?)```", (WEB / "README.md").read_text(), re.S)
    (tmp_path / "node_modules/@hanji-crypto").mkdir(parents=True)
    (tmp_path / "node_modules/@hanji-crypto/hanji").symlink_to(built / "package")
    others = "".join(f'import "@hanji-crypto/hanji/{name}";\n' for name in ("sealed", "telemetry"))
    (tmp_path / "example.mjs").write_text(others + example)
    assert node(str(tmp_path / "example.mjs")) == said


TYPES = """
import { Aead, Hash, hash, equal, expand, little, maxMessageBytes, randomBytes }
  from "../package/hanji.js";
import { seal, open, openStream, readHeader, readKeyFile, sealStream, SealedFileError }
  from "../package/sealed.js";
import { sealFrame, FrameOpener, epochKey } from "../package/telemetry.js";
const a0 = new Uint8Array(16);
const aead = new Aead("ascon-aead128", randomBytes(16));
const a: Uint8Array = aead.encrypt(a0, a0);
const p: Promise<Uint8Array> = seal(a, { key: a0, chunkSize: 4096 });
const t: Uint8Array = new FrameOpener(() => a0).open(a).text;
// Since TypeScript 5.9 these refuse arrays that may be in shared memory; results never are.
const place = { algorithm: "ascon-aead128", device: 1, epoch: 1, number: 1 } as const;
new Blob([aead.encrypt(a0, a), hash("esch256", a), sealFrame(a, place, a)]);
void crypto.subtle.importKey("raw", epochKey(a, "ascon-aead128", 1, 1), "HKDF", false, []);
async function use(file: File, shared: SharedArrayBuffer, view: DataView) {
  await fetch("x", { method: "POST", body: await open(shared, { key: view }) });
  new Blob([(await readKeyFile(view)).key, readHeader(shared).salt, t as Uint8Array<ArrayBuffer>]);
  const sealed = file.stream().pipeThrough(sealStream({ key: a }));
  await new Response(sealed.pipeThrough(openStream({ passphrase: "x" }))).arrayBuffer();
  await sealStream({ key: shared }).writable.getWriter().write(view);
}
// @ts-expect-error: it is read-only
aead.nonceBytes = 12;
// @ts-expect-error: it is read-only
aead.tagBytes = 4;
// @ts-expect-error: text is no bytes
aead.encrypt(a0, "text");
// @ts-expect-error: there is no such algorithm
void sealFrame(a, { ...place, algorithm: "esch256" }, a);
void [Hash, equal, expand, little, maxMessageBytes, SealedFileError, p, use];
"""


def test_its_types_are_those_of_its_code(built: Path, modules: Path, tmp_path: Path) -> None:
    """A program that uses every name compiles; one with a wrong type does not."""
    right = TYPES
    wrong = right + 'new Aead("sha256", a0);\n'
    options = ["--noEmit", "--strict", "--module", "nodenext"]
    options += ["--target", "es2022", "--lib", "es2022,dom"]
    folder = built / "types"
    folder.mkdir(exist_ok=True)
    for text, passes in ((right, True), (wrong, False)):
        (folder / "use.mts").write_text(text)
        done = subprocess.run(
            ["node", str(modules / "typescript/bin/tsc"), *options, str(folder / "use.mts")],
            capture_output=True,
            text=True,
        )
        assert (done.returncode == 0) == passes, done.stdout
    for name in ("hanji", "sealed", "telemetry"):
        script = f"import('{built / 'package' / name}.js').then((m) => console.log(Object.keys(m)))"
        exported = set(re.findall(r"'(\w+)'", node("-e", script)))
        declared = set(
            re.findall(
                r"^export (?:const|class|function) (\w+)",
                (built / "package" / f"{name}.d.ts").read_text(),
                re.MULTILINE,
            )
        )
        assert exported == declared, name


def test_vectors_give_the_states_of_words(tmp_path: Path) -> None:
    """The kernels that say whether SIMD pays compute the same; what does not is refused."""
    need("clang-14", "lld-14")
    if not shutil.which("node"):
        pytest.skip("Node is not there")
    said = subprocess.run(
        [sys.executable, str(ROOT / "tools/web_simd.py"), "--rounds", "2"],
        capture_output=True,
        text=True,
    )
    assert said.returncode == 0, said.stderr
    gains = re.findall(r"^([^:]+): (\d+\.\d\d)$", said.stdout, re.M)
    assert len(gains) == len(said.stdout.splitlines()) == 4
    shutil.copytree(WEB / "simd", tmp_path / "simd")
    source, web_simd = tmp_path / "simd/trial.c", importlib.import_module("web_simd")
    text = source.read_text()
    for right, wrong in (
        ("RIGHT8(v) SHUFFLE(v, 1, 2, 3, 0", "RIGHT8(v) SHUFFLE(v, 2, 1, 3, 0"),
        ("{constants[step], step, 0, 0}", "{constants[step], 0, 0, 0}"),
    ):
        source.write_text(text.replace(right, wrong))
        assert source.read_text() != text
        made = web_simd.module(tmp_path, source)
        command = ["node", str(WEB / "simd/trial.mjs"), str(made), "1"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 1 and "word" in done.stderr, done


def test_it_says_the_version_of_the_library() -> None:
    assert json.loads((WEB / "package.json").read_text())["version"] == hanji.__version__


SEAL = """
const { seal, open } = await import(process.argv[1] + '/sealed.js');
const { readFileSync, writeFileSync } = await import('node:fs');
const [, , what, source, target, algorithm, secret] = process.argv;
const options = algorithm === '-' ? {} : { algorithm };
const given = secret.startsWith('key:')
  ? { key: new Uint8Array(Buffer.from(secret.slice(4), 'hex')) } : { passphrase: secret };
const made = what === 'seal'
  ? await seal(readFileSync(source), { ...options, ...given })
  : await open(readFileSync(source), given);
writeFileSync(target, made);
"""


@pytest.mark.parametrize("algorithm", ["ascon-aead128", "schwaemm256-128"])
def test_node_and_the_package_for_python_exchange_files(
    built: Path, tmp_path: Path, algorithm: str
) -> None:
    script, text = tmp_path / "seal.mjs", os.urandom(200_001)
    script.write_text(SEAL.replace("process.argv[1]", f"'{built / 'package'}'"))
    (tmp_path / "plain").write_bytes(text)
    key = keys.generate(algorithm)
    secret = f"key:{key.material.hex()}"
    where = [str(tmp_path / name) for name in ("plain", "made", "back")]
    node(str(script), "seal", where[0], where[1], algorithm, secret)
    files.open_file(where[1], where[2], key=key)
    assert Path(where[2]).read_bytes() == text
    files.seal_file(where[0], where[1], key=key, overwrite=True)
    node(str(script), "open", where[1], where[2], "-", secret)
    assert Path(where[2]).read_bytes() == text


def test_node_opens_the_files_of_a_run_with_a_shared_passphrase(
    built: Path, tmp_path: Path
) -> None:
    script = tmp_path / "seal.mjs"
    script.write_text(SEAL.replace("process.argv[1]", f"'{built / 'package'}'"))
    shared = files.SharedPassphrase("Ångström", keys.Argon2Parameters(1, 64, 2))
    for algorithm in ("ascon-aead128", "schwaemm256-128"):
        (tmp_path / "plain").write_bytes(text := os.urandom(70_001))
        made, back = str(tmp_path / f"{algorithm}.hanji"), str(tmp_path / f"{algorithm}.txt")
        files.seal_file(tmp_path / "plain", made, passphrase=shared, algorithm=algorithm)
        node(str(script), "open", made, back, "-", "A\u030angstro\u0308m")
        assert Path(back).read_bytes() == text


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    with chromium.served(built / "page") as address:
        yield f"{address}/"


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def window(downloads: Path) -> Iterator[Any]:
    preferences = {"download.default_directory": str(downloads), "safebrowsing.enabled": True}
    with chromium.headless(preferences) as driver:
        yield driver


@pytest.fixture
def browser(window: Any, site: str) -> Any:
    """The page as it is in the beginning, on a wide screen."""
    window.get("about:blank")
    window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    window.get_log("browser")
    window.get(site)
    return window


def until(what: str, found: Callable[[], Any], seconds: float = 60) -> Any:
    end = time.monotonic() + 10 * seconds
    while time.monotonic() < end:
        if value := found():
            return value
        threading.Event().wait(0.05)
    raise AssertionError(f"in vain waited for: {what}")


def element(browser: Any, name: str) -> Any:
    return browser.find_element("id", name)


def work(browser: Any, source: Path, seconds: float = 60) -> str:
    """Give the page a file, let it work, and what it says."""
    element(browser, "file").send_keys(str(source))
    until("the button", lambda: element(browser, "go").is_enabled())
    element(browser, "go").click()
    return str(
        until(
            "the page's answer",
            lambda: (text := element(browser, "message").text) != "Working." and text,
            seconds,
        )
    )


def save(browser: Any, folder: Path, seconds: float = 60) -> Path:
    name = element(browser, "save").get_attribute("download")
    (folder / name).unlink(missing_ok=True)
    element(browser, "save").click()
    until(f"the download {name}", lambda: (folder / name).exists(), seconds)
    return folder / name


def exchange(browser: Any, folder: Path, downloads: Path, size: int, seconds: float) -> None:
    key, text = keys.generate("ascon-aead128"), os.urandom(size)
    plain, key_file = folder / "report.bin", folder / "my.key"
    plain.write_bytes(text)
    keys.save(key, key_file)
    browser.find_element("css selector", "input[value=key]").click()
    element(browser, "key").send_keys(str(key_file))
    assert work(browser, plain, seconds) == "Sealed."
    sealed = save(browser, downloads, seconds)
    files.open_file(sealed, folder / "back", key=key, overwrite=True)
    assert (folder / "back").read_bytes() == text

    files.seal_file(plain, folder / "other.bin.hanji", key=key, overwrite=True)
    said = work(browser, folder / "other.bin.hanji", seconds)
    assert said == "Opened: the file is whole."
    assert save(browser, downloads, seconds).read_bytes() == text

    damaged = bytearray((folder / "other.bin.hanji").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (folder / "damaged.hanji").write_bytes(damaged)
    said = work(browser, folder / "damaged.hanji", seconds)
    assert said.startswith("Refused (altered): chunk "), said
    assert not element(browser, "result").is_displayed()


def test_the_page_exchanges_files_with_hanji(browser: Any, tmp_path: Path, downloads: Path) -> None:
    exchange(browser, tmp_path, downloads, 1_500_001, 60)


@pytest.mark.slow
def test_the_page_seals_100_megabytes(browser: Any, tmp_path: Path, downloads: Path) -> None:
    exchange(browser, tmp_path, downloads, 100_000_000, 400)


def test_the_page_takes_passphrases(browser: Any, tmp_path: Path, downloads: Path) -> None:
    cheap = keys.Argon2Parameters(passes=1, memory_kib=64, lanes=1)
    (tmp_path / "plain.txt").write_text("23.5 C\n")
    # Sealing asks twice: with a mistyped passphrase the file is lost.
    element(browser, "file").send_keys(str(tmp_path / "plain.txt"))
    element(browser, "passphrase").send_keys("mulberry")
    element(browser, "again").send_keys("mulberr")
    until("the remark", lambda: element(browser, "differs").text)
    assert not element(browser, "go").is_enabled()
    element(browser, "again").send_keys("y")
    until("the button", lambda: element(browser, "go").is_enabled())
    assert not element(browser, "differs").text
    element(browser, "passphrase").clear()
    target = tmp_path / "plain.txt.hanji"
    files.seal_file(tmp_path / "plain.txt", target, passphrase="mulberry", argon2=cheap)
    element(browser, "passphrase").send_keys("mulberr")
    assert work(browser, target) == "Refused (wrong-passphrase): the passphrase is wrong"
    element(browser, "passphrase").send_keys("y")
    assert work(browser, target) == "Opened: the file is whole."
    assert save(browser, downloads).read_text() == "23.5 C\n"


def test_a_new_key_stays_on_offer_when_something_else_is_sealed(
    browser: Any, tmp_path: Path, downloads: Path
) -> None:
    """Without its key a sealed file is lost. The page fits a phone with long names in it."""
    plain = tmp_path / f"{'long_name' * 12}.txt"
    plain.write_text("23.5 C\n")
    browser.find_element("css selector", "input[value=key]").click()
    element(browser, "algorithm").send_keys("SCHWAEMM256")
    element(browser, "keygen").click()
    assert work(browser, plain) == "Sealed."
    sealed = save(browser, downloads)
    (downloads / "hanji.key").unlink(missing_ok=True)
    element(browser, "save-key").click()
    until("the key", (downloads / "hanji.key").exists)
    key = keys.load(downloads / "hanji.key")
    assert key.algorithm == "schwaemm256-128"
    files.open_file(sealed, tmp_path / "back", key=key)
    assert (tmp_path / "back").read_text() == "23.5 C\n"
    size = {"width": 360, "height": 760, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    width = "return document.documentElement.scrollWidth"
    assert until("a narrow page", lambda: browser.execute_script(width) <= 360)


DROPPED = """
    const moved = new DataTransfer();
    moved.items.add(new File(["23.5 C"], "dropped.txt"));
    const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: moved });
    document.querySelector("h1").dispatchEvent(event);
    return event.defaultPrevented;
"""


def test_the_page_is_used_by_keyboard_and_every_control_has_a_name(browser: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    def reached() -> list[tuple[str, str]]:
        """Identifier and name of what the tabulator reaches, from the top of the page."""
        browser.execute_script("const h = document.querySelector('h1'); h.tabIndex = -1; h.focus()")
        found: list[tuple[str, str]] = []
        for _ in range(12):
            ActionChains(browser).send_keys(Keys.TAB).perform()
            now = browser.switch_to.active_element
            if now.tag_name == "body":
                break
            found.append((now.get_attribute("id") or "with", now.accessible_name))
        return found

    seen = dict(reached())
    assert list(seen) == ["file", "with", "passphrase", "again", "algorithm"]
    browser.find_element("css selector", "input[value=key]").click()
    # A file that is dropped beside the place for it is taken; the browser does not leave the page.
    assert browser.execute_script(DROPPED)
    until("the file", lambda: element(browser, "chosen").text == "dropped.txt, 6 bytes")
    element(browser, "keygen").click()
    more = dict(reached())
    assert {"key", "keygen", "save-key", "algorithm", "go"} <= set(more)
    assert all((seen | more).values()), seen | more


def test_the_page_may_not_connect_and_runs_no_script_of_its_own(built: Path, browser: Any) -> None:
    text = (built / "page/index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|javascript:|<style|\sstyle=", text)
    assert "https:" not in text and "http:" not in text
    script = """
        const done = arguments[0];
        const tell = (event) => done(event.violatedDirective);
        document.addEventListener('securitypolicyviolation', tell, { once: true });
        fetch('page.css').catch(() => {});
    """
    assert browser.execute_async_script(script).startswith("connect-src")
    inline = """
        const done = arguments[0];
        const tell = (event) => done(event.violatedDirective);
        document.addEventListener('securitypolicyviolation', tell, { once: true });
        const script = document.createElement('script');
        script.textContent = 'document.title = "run"';
        document.body.append(script);
    """
    assert browser.execute_async_script(inline).startswith("script-src")
    assert browser.title == "hanji: seal or open a file"
    loud = [row for row in browser.get_log("browser") if "Content Security" not in row["message"]]
    assert [row for row in loud if "favicon" not in row["message"]] == []
