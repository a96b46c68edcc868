# SPDX-License-Identifier: Apache-2.0
"""What the amalgam leaves on the stack of three microcontrollers, at every level of optimisation:
nothing that depends on a key or a text.
"""

from __future__ import annotations

import functools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent / "residue"
sys.path.insert(0, str(ROOT / "tools"))
import amalgam  # noqa: E402

# Compiler with its target, emulator, where ROM and RAM are, Debian packages.
MACHINES = {
    "rv32imac": (
        # without relaxation, in which ld 2.40 loses two bytes of the padding in a large function
        [
            "riscv64-unknown-elf-gcc",
            "-march=rv32imac",
            "-mabi=ilp32",
            "-mno-relax",
            "-Wl,--no-relax",
        ],
        ["qemu-system-riscv32", "-M", "virt", "-bios", "none"],
        (0x80000000, 0x80100000, 16384),
        ("gcc-riscv64-unknown-elf", "qemu-system-misc"),
    ),
    "cortex-m0": (
        ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
        ["qemu-system-arm", "-M", "microbit"],
        (0, 0x20000000, 16384),
        ("gcc-arm-none-eabi", "qemu-system-arm"),
    ),
    "cortex-m4": (
        ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"],
        ["qemu-system-arm", "-M", "mps2-an386"],
        (0, 0x20000000, 16384),
        ("gcc-arm-none-eabi", "qemu-system-arm"),
    ),
}
# The same with more RAM, on a board that runs code for a Cortex-M0, too.
ROOMY = {
    name: (
        compiler,
        ["qemu-system-arm", "-M", "mps2-an386"] if name == "cortex-m0" else emulator,
        (rom, ram, 65536),
        packages,
    )
    for name, (compiler, emulator, (rom, ram, _), packages) in MACHINES.items()
}
FLAGS = [
    "-std=gnu11",
    "-ffreestanding",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-tree-loop-distribute-patterns",
    "-Wall",
    "-Wextra",
    "-Werror",
]
LEVELS = ("-Os", "-Og", "-O1", "-O2", "-O3")
CASES = [
    (machine, "rv32i" if machine.startswith("rv32") else "portable", level)
    for machine in MACHINES
    for level in LEVELS
]
CASES += [("rv32imac", "portable", "-Os"), ("cortex-m4", "armv7m", "-Os")]
CASES += [("cortex-m0", "armv6m", "-Os")]


def algorithms() -> dict[str, str]:
    """Every algorithm of the amalgam without its modes, with the identifier of its functions."""
    return {
        name: identifier
        for name, identifier in amalgam.known_algorithms().items()
        if name.rpartition("-")[2] not in amalgam.MODES
    }


def jobs() -> str:
    """jobs.h."""
    definitions, calls = [], []
    for name, identifier in algorithms().items():
        if name == "ascon-p":
            definitions.append("ASCON_PERMUTATION")
        elif name == "ascon-aead128":
            definitions.append(f"ASCON({identifier}, 16)")
        elif name.startswith("ascon-"):
            size = "" if name == "ascon-hash256" else ", 50"
            custom = ", ad, AD" if name == "ascon-cxof128" else ""
            start = f"hanji_{identifier}_init({custom.removeprefix(', ') + ', ' if custom else ''}&ascon_hash)"
            once = f"hanji_{identifier}(tag{size}{custom}, text, TEXT)"
            finish = "final" if name == "ascon-hash256" else "squeeze"
            end = f"hanji_{identifier}_{finish}(tag{size}, &ascon_hash)"
            definitions.append(f"HASH({identifier}, ascon_hash, ({start}), ({once}), ({end}))")
        elif name.startswith("schwaemm"):
            definitions.append(f"SCHWAEMM({identifier}, {int(name.rpartition('-')[2]) // 8})")
        elif name.startswith("esch"):
            definitions.append(
                f"HASH({identifier}, esch, hanji_{identifier}_init(&esch), hanji_{identifier}(tag, text, TEXT), hanji_{identifier}_final(tag, &esch))"
            )
        elif name.startswith("xoesch"):
            start = f"hanji_{identifier}_init(&esch)"
            once = f"hanji_{identifier}(tag, 50, text, TEXT)"
            end = f"hanji_{identifier}_squeeze(tag, 50, &esch)"
            definitions.append(f"HASH({identifier}, esch, {start}, {once}, {end})")
        elif name.startswith("sparkle"):
            definitions.append(f"PERMUTATION({name.removeprefix('sparkle')})")
        else:
            calls.append(f"RUN_BLOCK({identifier}, {identifier.removesuffix('_original').upper()})")
            continue
        calls.append(f"RUN({identifier})")
    return "\n".join(definitions) + "\n#define JOBS \\\n    " + " \\\n    ".join(calls) + "\n"


@functools.cache
def folders() -> tempfile.TemporaryDirectory[str]:
    """Where amalgams and objects lie until the tests end."""
    return tempfile.TemporaryDirectory(prefix="hanji-residue-")


@functools.cache
def whole(isa: str) -> Path:
    """The amalgam with every symmetric algorithm, all modes and the self-test, and jobs.h. The
    tests of the self-test take it, too: its making and compiling are dear.
    """
    need("gcc")
    folder = Path(folders().name) / isa
    amalgam.write(amalgam.known_algorithms(), isa, {"selftest"}, folder)
    (folder / "jobs.h").write_text(jobs())
    return folder


@functools.cache
def compiled(isa: str, machine: str, level: str) -> Path:
    """Its hanji.c for a machine."""
    compiler, _, _, packages = MACHINES[machine]
    need(*packages)
    folder = whole(isa)
    made = folder / f"{machine}{level}.o"
    command = [*compiler, level, *FLAGS, "-c", str(folder / "hanji.c"), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return made


def lines_of(
    folder: Path,
    work: Path,
    machine: str,
    level: str,
    *,
    is_roomy: bool = False,
    library: Path | None = None,
) -> list[str]:
    """Build for a machine, which may be "avr", too, and run there; the lines of the firmware.
    `library` is hanji.c compiled; `level` may be several options.
    """
    sources = [
        str(HERE / "main.c"),
        str(library or folder / "hanji.c"),
        *map(str, sorted(folder.glob("*.S"))),
    ]
    program = str(work / "residue.elf")
    if machine == "avr":
        need("gcc-avr", "avr-libc", "simavr")
        command = ["avr-gcc", "-mmcu=atmega2560", "-DF_CPU=16000000UL", *level.split(), *FLAGS]
        command += [f"-I{folder}", *sources, "-Wl,--gc-sections", "-o", program]
        emulate = ["simavr", "-m", "atmega2560", "-f", "16000000", program]
    else:
        compiler, board, places, packages = (ROOMY if is_roomy else MACHINES)[machine]
        need(*packages)
        rom, ram, ram_bytes = places
        places_in_memory = f"--defsym=rom={rom},--defsym=ram={ram},--defsym=ram_bytes={ram_bytes}"
        command = [*compiler, *level.split(), *FLAGS, "-nostdlib", f"-I{folder}", *sources]
        command += [f"-Wl,{places_in_memory},--gc-sections,-e,begin", f"-T{HERE / 'firmware.ld'}"]
        command += ["-Wl,--no-warn-rwx-segments", "-lgcc", "-o", program]
        console = ["-nographic", "-monitor", "none", "-serial", "none"]
        console += ["-semihosting-config", "enable=on,target=native"]
        emulate = [*board, *console, "-kernel", program]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[-3000:]
    done = subprocess.run(
        emulate,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    lines = (done.stdout + done.stderr).splitlines()
    if machine == "avr":  # simavr colours what the firmware sends, and adds lines of its own
        plain = [re.sub(r"\x1b\[[0-9;]*m|\.$", "", line) for line in lines]
        lines = [line for line in plain if re.match("(job|residue|refused) |end$", line)]
    assert lines and lines[-1] == "end", (
        f"the firmware did not come to its end ({done.returncode}): {lines[-5:]}"
    )
    return lines


CLANG = {"gcc": ["arm-none-eabi-gcc"], "clang": ["clang-14", "--target=thumbv7em-none-eabi"]}


@pytest.mark.parametrize("compiler", CLANG)
def test_no_buffer_lies_between_a_kernel_and_what_wipes_behind_it(tmp_path, compiler):
    """What is wiped below a call of many blocks reaches the kernels only if the function that calls
    them has no buffer of a group: clang once put one there, and left key bytes.
    """
    need("gcc", "gcc-arm-none-eabi", "clang-14")
    amalgam.write(amalgam.chosen("speck-48/72-ctr"), "portable", set(), tmp_path)
    command = [*CLANG[compiler], "-mcpu=cortex-m4", "-Os", "-std=gnu11", "-ffreestanding"]
    command += ["-fstack-usage", "-c", "hanji.c", "-o", "hanji.o"]
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    (usage,) = tmp_path.glob("*.su")
    rows = (line.split("\t") for line in usage.read_text().splitlines())
    frames = {where.rpartition(":")[2]: int(frame) for where, frame, _ in rows}
    assert frames["call_copying"] > 500  # the control: the buffer
    assert frames["block_run"] < 200


@pytest.mark.parametrize(
    ("machine", "isa", "level"),
    [
        pytest.param(*case, id="-".join(case), marks=pytest.mark.slow if case[2] == "-O3" else ())
        for case in CASES
    ],
)
def test_nothing_is_left(tmp_path, machine, isa, level):
    library = compiled(isa, machine, level)
    lines = lines_of(whole(isa), tmp_path, machine, level, library=library)
    residues, where, seen = [], "", []
    for line in lines:
        if line.startswith("cipher "):
            where = line[7:]
            seen.append(where)
        elif line.startswith("residue "):
            residues.append(f"{where} {line[8:]}".strip())
        else:
            assert re.fullmatch(r"job .* \d+|end", line), f"{where}: {line}"
    controls = [line for line in residues if line.startswith("control")]
    assert [line.split(":")[0] for line in controls] == [
        "control leaves its key, two keys",
        "control leaves bytes of its text, two texts",
    ]
    assert seen == list(algorithms().values()), "an algorithm was left out"
    assert residues == controls, "\n".join(line for line in residues if line not in controls)


def at_addresses(
    folder: Path, work: Path, machine: str, *more: str, library: Path | None = None
) -> list[str]:
    """What every call does with its buffers at four addresses: "job", "refused" or "differs" and
    the name. The control comes first.
    """
    level = " ".join(["-Os", "-DFOUR_ADDRESSES", *more])
    lines = lines_of(folder, work, machine, level, library=library)
    return [line for line in lines if line != "end" and not line.startswith("cipher ")]


@pytest.mark.parametrize(("machine", "isa"), [("cortex-m0", "armv6m"), ("cortex-m4", "armv7m")])
def test_buffers_may_have_any_address(tmp_path, machine, isa):
    """A Cortex-M0 traps where a word lies at an address that is not one of a word, and a Cortex-M4
    where two words do.
    """
    library = compiled(isa, machine, "-Os")
    control, *found = at_addresses(whole(isa), tmp_path, machine, library=library)
    assert control == "differs control takes its address"
    assert len(found) > 400
    assert [line for line in found if not line.startswith("job ")] == []


def test_control_a_word_at_an_odd_address_traps(tmp_path):
    library = compiled("armv6m", "cortex-m0", "-Os")
    with pytest.raises(AssertionError, match=r"did not come to its end.*trapped"):
        at_addresses(whole("armv6m"), tmp_path, "cortex-m0", "-DREAD_A_WORD", library=library)
