# SPDX-License-Identifier: Apache-2.0
"""Build the package for JavaScript and the page: the amalgam as WebAssembly, with clang and lld.

Usage: python tools/web.py [--out build/web] [--noble FOLDER]

In the folder come `package`, the npm package (`npm pack` there makes the archive), and `page`, the
page, which any web server serves. The page has its own copy of Argon2id, out of FOLDER, which is
node_modules/@noble/hashes of `web` unless it is given; without it no page is made.
"""

from __future__ import annotations

import argparse
import base64
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import folders

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
# What Argon2id of @noble/hashes is made of.
NOBLE = ("argon2.js", "blake2.js", "_blake.js", "_md.js", "_u64.js", "utils.js")


class WebError(Exception):
    """What was asked for cannot be made."""


def found(*names: str) -> str:
    """The first of these programs that is there."""
    for name in names:
        if path := shutil.which(name):
            return path
    raise WebError(
        f"none of {', '.join(names)} is there; on Debian: apt-get install clang-14 lld-14"
    )


def webassembly(folder: Path, *more: str) -> bytes:
    """The amalgam of web/algorithms.txt as a module of WebAssembly without imports."""
    names = ", ".join((WEB / "algorithms.txt").read_text().split())
    script = [sys.executable, str(ROOT / "tools/amalgam.py"), "--algorithms", names]
    subprocess.run([*script, "--out", str(folder)], check=True)
    flags = "--target=wasm32 -std=c11 -O3 -ffreestanding -nostdlib -mbulk-memory -mmutable-globals"
    exports = [f"-Wl,--export={name}" for name in (WEB / "wasm/exports.txt").read_text().split()]
    module = folder / "hanji.wasm"
    clang = found("clang-14", "clang")
    linker = found("wasm-ld-14", "wasm-ld")
    subprocess.run(
        [
            clang,
            *flags.split(),
            *more,
            f"-fuse-ld={linker}",
            f"-I{folder}",
            "-Wl,--no-entry,--gc-sections,--strip-all,-z,stack-size=65536",
            "-Wl,--export=__heap_base",
            *exports,
            str(folder / "hanji.c"),
            str(WEB / "wasm/runtime.c"),
            "-o",
            str(module),
        ],
        check=True,
    )
    return module.read_bytes()


def package(out: Path, module: bytes) -> None:
    """The npm package."""
    folders.anew(out, "hanji.wasm")
    for path in sorted((WEB / "src").iterdir()):
        shutil.copy(path, out)
    for path in (WEB / "package.json", WEB / "README.md", ROOT / "LICENSE"):
        shutil.copy(path, out)
    (out / "hanji.wasm").write_bytes(module)
    text = base64.b64encode(module).decode()
    (out / "hanji.wasm.js").write_text(
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// hanji.wasm as text, so that nothing is fetched. Written by tools/web.py.\n"
        f'export const wasmBase64 = "{text}";\n'
    )


def page(out: Path, made: Path, noble: Path) -> None:
    """The page, with its own copy of everything."""
    missing = [name for name in NOBLE if not (noble / name).exists()]
    if missing:
        raise WebError(
            f"{noble} has no {', '.join(missing)}; run `npm ci` in web, or give --noble FOLDER"
        )
    folders.anew(out, "hanji.wasm.js")
    for path in sorted((WEB / "page").iterdir()):
        shutil.copy(path, out)
    for name in ("bytes.js", "hanji.js", "hanji.wasm.js", "sealed.js"):
        shutil.copy(made / name, out)
    (out / "vendor").mkdir()
    for name in (*NOBLE, "LICENSE"):
        text = (noble / name).read_text(encoding="utf-8")
        (out / "vendor" / name).write_text(re.sub(r"//# sourceMapping.*\n?", "", text))
    text = (made / "argon2.js").read_text()
    (out / "argon2.js").write_text(text.replace("@noble/hashes/", "./vendor/"))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build/web")
    parser.add_argument("--noble", type=Path, default=WEB / "node_modules/@noble/hashes")
    given = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            module = webassembly(Path(folder))
        package(given.out / "package", module)
        print(f"{given.out / 'package'}: the package, {len(module)} bytes of WebAssembly")
        page(given.out / "page", given.out / "package", given.noble)
        print(f"{given.out / 'page'}: the page; python -m http.server -d {given.out / 'page'}")
    except (WebError, subprocess.CalledProcessError, OSError) as error:
        print(f"tools/web.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
