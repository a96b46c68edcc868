# SPDX-License-Identifier: Apache-2.0
"""The counter behind the nonces of the packages' examples: the files of the packages themselves, on
models of the memory of each board, with the power cut at every write and every erasure.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path.insert(0, str(ROOT / "examples/packages"))
import open_frames  # noqa: E402

# package -> its example, and what says that this is the board of its storage
EXAMPLES = {
    "arduino": ("examples/SealReading", ["-D__AVR_ATmega328P__", "-DEEPROM=1", "-DSEEDS=2"]),
    "zephyr": ("samples/seal/src", ["-DCONFIG_BOARD_NRF52840DK_NRF52840", "-DEEPROM=0"]),
    "esp-idf": ("hanji/examples/seal/main", ["-DEEPROM=0"]),
    "cmsis-pack": ("examples/seal", ["-DNRF51"]),
}
ON_THE_MODEL = ("arduino", "zephyr", "esp-idf")


@pytest.fixture(scope="module")
def library(packages, tmp_path_factory):
    """The amalgam of a package, compiled for the host."""
    made = tmp_path_factory.mktemp("library") / "hanji.o"
    source = packages["esp-idf"] / "hanji/hanji.c"
    subprocess.run(["gcc", "-O2", "-c", source, "-o", made], check=True)
    return made


def example(packages: dict[str, Path], name: str) -> Path:
    return packages[name] / EXAMPLES[name][0]


def power(packages, library, name: str, folder: Path, out: Path) -> subprocess.CompletedProcess:
    """Run the model with the example in a folder."""
    defines = ["-DREADINGS_PER_EPOCH=2", *EXAMPLES[name][1]]
    if not any(word.startswith("-DSEEDS") for word in defines):
        defines.append("-DSEEDS=8")
    include = [f"-I{packages['esp-idf'] / 'hanji'}", f"-I{HERE / 'sdk'}", f"-I{folder}"]
    sources = [
        HERE / "power_main.c",
        *(folder / f"{part}.c" for part in ("epoch", "readings", "storage")),
    ]
    strict = ["-O2", "-Wall", "-Wextra", "-Werror", "-Wno-int-to-pointer-cast"]
    command = ["gcc", *strict, *defines, *include, *sources, library, "-o", out / "power"]
    subprocess.run(command, check=True)
    return subprocess.run([out / "power"], capture_output=True, text=True)


@pytest.mark.parametrize("name", ON_THE_MODEL)
def test_no_cut_of_the_power_repeats_a_nonce(packages, library, tmp_path, name):
    """And the device comes back after every one; it stops where its memory or its counter ends."""
    done = power(packages, library, name, example(packages, name), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    boots, cuts, frames = map(int, re.findall(r"\d+", done.stdout))
    assert boots > 10_000 and cuts > 5_000 and frames > 20_000


CONTROLS = {
    "the record that is in use is overwritten": (
        "epoch.c",
        r"const unsigned slot = 1 - state->slot;",
        "const unsigned slot = state->slot;",
    ),
    "a torn record counts": (
        "epoch.c",
        r"hanji_equal\(found, right, sizeof right\)",
        "(*erased == 0)",
    ),
    "the epoch is used before it is stored": (
        "epoch.c",
        r"state->slot = epoch\[1\] > epoch\[0\];\n(.*\n)    return advance\(state\);",
        r"state->slot = epoch[1] > epoch[0];\n\1    state->epoch++; state->used = 0; "
        "return HANJI_OK;",
    ),
    "what was written is not read back": (
        "epoch.c",
        r"if \(rc == HANJI_OK && stored != next\)",
        "if (0)",
    ),
    "a damaged memory is new": ("epoch.c", r"&& !erased\[0\]", "&& 0"),
    "the counter wraps": ("epoch.c", r"state->epoch >= EPOCH_LAST - 1", "0"),
    "one slot": ("storage.c", r"slot \* (PAGE|SECTOR)_BYTES", r"(slot & 0) * \1_BYTES"),
    "the nonce counts from 0 in one epoch": (
        "readings.c",
        r"put\(nonce, number, 4\);",
        "number = 0; put(nonce, number, 4);",
    ),
}


@pytest.mark.parametrize("control", CONTROLS)
def test_control_a_counter_that_is_wrong_is_found(packages, library, tmp_path, control):
    file, old, new = CONTROLS[control]
    folder = tmp_path / "example"
    folder.mkdir()
    for path in example(packages, "zephyr").iterdir():
        text = path.read_text()
        if path.name == file:
            text, count = re.subn(old, new, text)
            assert count >= 1
        (folder / path.name).write_text(text)
    done = power(packages, library, "zephyr", folder, tmp_path)
    assert done.returncode == 1 and ": cut " in done.stdout, done.stdout


@pytest.mark.parametrize("name", EXAMPLES)
def test_another_board_ends_in_an_error_that_names_the_functions(packages, name):
    folder = example(packages, name)
    include = [f"-I{next(packages[name].rglob('hanji.h')).parent}", f"-I{HERE / 'sdk'}"]
    command = ["gcc", "-fsyntax-only", *include, "-DANOTHER_BOARD", folder / "storage.c"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    assert re.search(
        r"#error .storage.c is for the .*: write read_slot\(\) and write_slot\(\)", done.stderr
    ), done.stderr


@pytest.fixture(scope="module")
def microbit(packages, tmp_path_factory):
    """The machine code of the example of the CMSIS-Pack for its board, and its kernels."""
    need("gcc-arm-none-eabi")
    folder, pack = tmp_path_factory.mktemp("microbit"), packages["cmsis-pack"]
    (folder / "stdio.h").write_text("int printf(const char *form, ...);\n")
    sources = [*example(packages, "cmsis-pack").glob("*.c"), *(pack / "src").glob("*.[cS]")]
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-Os", "-std=gnu11", "-Wall"]
    command += ["-Wextra", "-Werror", "-ffreestanding", "-fno-tree-loop-distribute-patterns"]
    command += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-DNRF51"]
    command += ["-DREADINGS_PER_EPOCH=2", f"-I{folder}", f"-I{pack / 'src'}", f"-I{HERE / 'sdk'}"]
    command += ["-nostdlib", "-nostartfiles", "-T", HERE / "microbit.ld", HERE / "microbit.c"]
    subprocess.run([*command, *sources, "-lgcc", "-o", folder / "seal.elf"], check=True)
    copy = ["arm-none-eabi-objcopy", "-O", "binary", folder / "seal.elf", folder / "seal.bin"]
    subprocess.run(copy, check=True)
    return folder / "seal.elf"


def readings(text: str) -> list[tuple[int, int, int, int]]:
    """Device, epoch, number and reading of every frame that was printed, opened in Python."""
    lines = [line.split(" ", 1) for line in text.splitlines() if line.startswith("frame ")]
    return [open_frames.opened(bytes.fromhex(digits)) for _, digits in lines]


def test_the_example_counts_on_over_resets_of_a_microbit(microbit):
    """Under qemu, which has the flash controller of the board: three starts of three readings."""
    need("qemu-system-arm")
    command = ["qemu-system-arm", "-M", "microbit", "-display", "none", "-monitor", "none"]
    command += ["-serial", "stdio", "-semihosting-config", "enable=on,target=native"]
    done = subprocess.run(
        [*command, "-kernel", microbit],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    expected = [
        (7, epoch, number, 2150 + reading)
        for start in range(3)
        for reading, (epoch, number) in enumerate(
            [(2 * start + 1, 0), (2 * start + 1, 1), (2 * start + 2, 0)]
        )
    ]
    assert readings(done.stdout) == expected, done.stdout + done.stderr


class Nrf51:
    """An nRF51822 whose flash loses its power at a step; unicorn runs its Cortex-M0."""

    PAGE, SLOTS, MAPPED = 0x400, 0x3F800, 0x3F000
    STARTS = 0x20003FF8  # where microbit.ld has it

    def __init__(self, image: bytes) -> None:
        self.image = image
        self.flash = bytearray(b"\xff" * 0x1000)
        self.random = random.Random(0)

    def boot(self, cut: int = -1) -> str:
        """What it prints from a reset until the end of the example, or until the power is lost."""
        from unicorn import UC_ARCH_ARM, UC_MODE_MCLASS, UC_MODE_THUMB, Uc
        from unicorn.arm_const import UC_ARM_REG_SP, UC_CPU_ARM_CORTEX_M0

        machine = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
        machine.ctl_set_cpu_model(UC_CPU_ARM_CORTEX_M0)
        self.mode, self.step, self.cut, self.on, self.text = 0, 0, cut, True, ""
        machine.mem_map(0, self.MAPPED)
        machine.mem_write(0, self.image)
        machine.mem_map(0x20000000, 0x4000)
        machine.mem_write(self.STARTS, b"\x01\0\0\0")  # the flash was erased by the maker
        machine.mmio_map(self.MAPPED, 0x1000, self._read, None, self._program, None)
        machine.mmio_map(0x4001E000, 0x1000, lambda *_: 1, None, self._control, None)
        machine.mmio_map(0x40002000, 0x1000, lambda *_: 1, None, self._print, None)
        machine.mmio_map(0xE000E000, 0x1000, lambda *_: 0, None, self._reset, None)
        word = int.from_bytes
        machine.reg_write(UC_ARM_REG_SP, word(self.image[:4], "little"))
        machine.emu_start(word(self.image[4:8], "little") | 1, 0xFFFFFFFE, count=10_000_000)
        assert not self.on, "the program did not end"
        return self.text

    def _lose_power(self, machine) -> bool:
        """Whether this step is the one that is cut."""
        self.step += 1
        if self.step - 1 == self.cut:
            self._stop(machine)
        return not self.on

    def _stop(self, machine) -> None:
        self.on = False
        machine.emu_stop()

    def _half(self, at: int, to: int) -> None:
        differing = self.flash[at] ^ to
        self.flash[at] ^= differing & self.random.randrange(256)

    def _read(self, machine, offset, size, data) -> int:
        return int.from_bytes(self.flash[offset : offset + size], "little")

    def _program(self, machine, offset, size, value, data) -> None:
        if not self.on:
            return
        assert self.mode == 1 and size == 4 and offset % 4 == 0, "the flash takes whole words"
        old = self.flash[offset : offset + 4]
        new = bytes(a & b for a, b in zip(old, value.to_bytes(4, "little"), strict=True))
        if self._lose_power(machine):
            for i in range(4):
                self._half(offset + i, new[i])
            return
        self.flash[offset : offset + 4] = new
        self._lose_power(machine)

    def _control(self, machine, offset, size, value, data) -> None:
        if not self.on:
            return
        if offset == 0x504:
            self.mode = value
            return
        assert offset == 0x508 and self.mode == 2, "ERASEPAGE, and erasing is enabled"
        assert value in (self.SLOTS, self.SLOTS + self.PAGE), "a page of the slots"
        page = range(value - self.MAPPED, value - self.MAPPED + self.PAGE)
        if self._lose_power(machine):
            return
        if self._lose_power(machine):
            for at in page:
                self._half(at, 0xFF)
            return
        for at in page:
            self.flash[at] = 0xFF
        self._lose_power(machine)

    def _print(self, machine, offset, size, value, data) -> None:
        if self.on and offset == 0x51C:
            self.text += chr(value)

    def _reset(self, machine, offset, size, value, data) -> None:
        assert (offset, value) == (0xD0C, 0x05FA0004)
        self._stop(machine)


def all_cuts(image: bytes, before: int, stride: int) -> Iterator[tuple[int, list[str]]]:
    """What the device prints in every start, for every step at which the power is lost."""
    device = Nrf51(image)
    for _ in range(before + 1):
        device.boot()
    for cut in range(0, device.step, stride):
        device = Nrf51(image)
        device.random = random.Random(cut)
        yield cut, [device.boot(at) for at in [*[-1] * before, cut, -1, cut // 2, -1, -1]]


@pytest.mark.parametrize(
    ("before", "stride"),
    [(0, 1), (1, 3), *(pytest.param(n, 1, marks=pytest.mark.slow) for n in (1, 2))],
)
def test_no_cut_of_a_microbits_power_repeats_a_nonce(microbit, before, stride):
    """The machine code of the pack, with the registers of its flash controller."""
    pytest.importorskip("unicorn")
    count = 0
    for cut, texts in all_cuts(microbit.with_suffix(".bin").read_bytes(), before, stride):
        assert len(readings(texts[-1])) == 3 and len(readings(texts[before + 1])) == 3, cut
        places = [one[1:3] for text in texts for one in readings(text)]
        assert len(set(places)) == len(places), f"cut {cut}: a nonce comes twice"
        count += 1
    assert count * stride >= 20


def test_control_a_microbit_with_one_slot_repeats_a_nonce(microbit):
    """The flash forgets the other slot: an epoch comes again, and the check sees it."""
    pytest.importorskip("unicorn")
    device = Nrf51(microbit.with_suffix(".bin").read_bytes())
    texts = []
    for _ in range(3):
        texts.append(device.boot())
        device.flash[:] = b"\xff" * len(device.flash)
    places = [one[1:3] for text in texts for one in readings(text)]
    assert len(set(places)) < len(places)
