# SPDX-License-Identifier: Apache-2.0
"""Rainbow with HANJI_RAINBOW=OPEN: nothing of OpenSSL is linked, libcrypto.so.3 is opened at run
time.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """open_libcrypto.c over the sources that call libcrypto, without headers of OpenSSL."""
    need("gcc", "libssl-dev")
    made = tmp_path_factory.mktemp("open") / "program"
    names = ("rainbow/libcrypto.c", "rainbow/stream.c", "support/secret.c", "support/error.c")
    sources = [ROOT / "src" / name for name in names]
    command = ["gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"]
    command += ["-DHANJI_LIBCRYPTO_AT_RUN_TIME", "-DHANJI_PORTABLE", f"-I{ROOT / 'src'}"]
    command += [f"-I{ROOT / 'include'}", str(Path(__file__).with_name("open_libcrypto.c"))]
    command += [*map(str, sources), "-o", str(made), "-ldl"]
    subprocess.run(command, check=True)
    return made


def said(program: Path, folder: Path | None = None) -> list[str]:
    more = {} if folder is None else {"LD_LIBRARY_PATH": str(folder)}
    done = subprocess.run(
        [str(program)], env=os.environ | more, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_it_links_nothing_of_openssl_and_computes_with_it(program: Path) -> None:
    dynamic = subprocess.run(["readelf", "-d", str(program)], capture_output=True, text=True)
    assert "NEEDED" in dynamic.stdout and "libcrypto" not in dynamic.stdout
    digest = hashlib.sha256(b"abc").hexdigest()
    assert said(program) == ["found", "HANJI_OK", "HANJI_OK", digest]


def test_a_library_without_the_functions_is_an_error_and_no_crash(
    program: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty.c").write_text("int hanji_nothing;\n")
    fake = ["gcc", "-shared", "-o", str(tmp_path / "libcrypto.so.3"), str(tmp_path / "empty.c")]
    subprocess.run(fake, check=True)
    assert said(program, tmp_path) == ["none", "HANJI_E_DEVICE", "HANJI_E_DEVICE", "00" * 32]
