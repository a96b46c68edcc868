# SPDX-License-Identifier: Apache-2.0
"""What the images take: flash and RAM as the linker laid them out, and the stack as it was painted
and found after a run under qemu.

Usage: python report.py FOLDER
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RAM = 16384
QEMU = [
    "qemu-system-riscv32",
    "-M",
    "sifive_e,revb=true",
    "-display",
    "none",
    "-monitor",
    "none",
    "-serial",
    "stdio",
]


def sections(image: Path) -> dict[str, int]:
    """Bytes of each section."""
    listed = subprocess.run(
        ["riscv64-unknown-elf-size", "-A", image], capture_output=True, text=True, check=True
    ).stdout
    return {name: int(size) for name, size in re.findall(r"^(\.\w+)\s+(\d+)", listed, re.MULTILINE)}


def stack(image: Path) -> str:
    """What four frames of both kinds touched of the painted stack."""
    if not shutil.which(QEMU[0]):
        return "not measured: qemu-system-misc is missing"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "epoch.bin").write_bytes(b"\xff" * 32)
        options = [
            "-semihosting-config",
            "enable=on,target=native,arg=telemetry,arg=readings=4",
            "-kernel",
            str(image.resolve()),
        ]
        done = subprocess.run(
            [*QEMU, *options],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=folder,
            timeout=60,
        )
    found = re.search(r"stack used: (\d+) bytes", done.stdout)
    if not found:
        sys.exit(f"{image} did not end as it should: {done.stdout[-500:]}{done.stderr[-500:]}")
    return f"{found[1]} bytes, measured under qemu over start, keys and frames of both kinds"


def main() -> None:
    folder = Path(sys.argv[1])
    board = sections(folder / "board.elf")
    static = board.get(".data", 0) + board.get(".bss", 0)
    print(
        f"flash  {board['.text'] + board.get('.data', 0)} bytes, code, constants and the "
        "copy of .data"
    )
    print(f"RAM    {static} bytes static, {RAM - static} left for the stack")
    print(f"stack  {stack(folder / 'qemu.elf')}")


if __name__ == "__main__":
    main()
