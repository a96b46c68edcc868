# SPDX-License-Identifier: Apache-2.0
"""The plugin of qemu-user counts exactly what runs, and its traces tell paths and addresses apart."""

import subprocess
from pathlib import Path

import pytest
from debian import need

from hanji_lab import trace
from hanji_lab.checkout import LabError, find_checkout

ROOT = find_checkout(Path(__file__))
WIDTHS = {256: 10, 384: 11, 512: 12}


@pytest.fixture(autouse=True)
def tools():
    need("qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "cmake", "gcc")


def built(tmp_path, body, before=""):
    """A program whose main holds `body`."""
    source = tmp_path / "program.c"
    source.write_text(
        f'#include <stdint.h>\n#include "mark.h"\n{before}\nint main(int argc, char '
        f"**argv)\n{{ (void)argc; (void)argv; {body} return 0; }}\n"
    )
    program = source.with_suffix("")
    command = [trace.AARCH64.compiler, "-O1", "-static", f"-I{trace.HERE}", source, "-o", program]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return program


def regions(tmp_path, body, before="", **options):
    return trace.watch(ROOT, trace.AARCH64, built(tmp_path, body, before), **options)[0]


def loop(times):
    # times * (subs, b.ne), and one mov before them
    return (
        f'HANJI_LAB_BEGIN(); __asm__ volatile("mov x9, {times}\\n0: subs x9, x9, 1\\n b.ne 0b" '
        '::: "x9", "cc"); HANJI_LAB_END();'
    )


@pytest.mark.parametrize("traced", [False, True])
def test_counts_are_exact(tmp_path, traced):
    found = regions(
        tmp_path, loop(1) + loop(1000) + "HANJI_LAB_BEGIN(); HANJI_LAB_END();", trace=traced
    )
    assert [region.instructions for region in found] == [3, 2001, 0]
    assert found[1].by_mnemonic() == {"b.ne": 1000, "subs": 1000, "movz": 1}
    assert found[1].by_function() == {"main": 2001}


SECRET = "static volatile uint8_t secret[2], table[64]; static volatile int sink;"


@pytest.mark.parametrize(
    ("use", "path_differs", "addresses_differ"),
    [
        ("if (s & 1) sink = 1; else sink += 3;", True, True),
        ("sink = table[s];", False, True),
        ("sink = table[0] & -(s & 1);", False, False),
    ],
    ids=["branch", "address", "mask"],
)
def test_traces_tell_secrets_apart_that_decide_something(
    tmp_path, use, path_differs, addresses_differ
):
    function = (
        f"{SECRET} __attribute__((noinline)) static void use(uint8_t s) {{ HANJI_LAB_BEGIN(); "
        f"{use} HANJI_LAB_END(); }}"
    )
    body = "secret[1] = 7; for (volatile int i = 0; i < 2; i++) use(secret[i]);"
    zero, seven = regions(tmp_path, body, function, trace=True)
    assert (zero.path != seven.path, zero.addresses != seven.addresses) == (
        path_differs,
        addresses_differ,
    )


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("HANJI_LAB_BEGIN();", "ended inside a region"),
        ("HANJI_LAB_END();", "ends that did not begin"),
        ("HANJI_LAB_BEGIN(); HANJI_LAB_BEGIN();", "inside a region"),
    ],
)
def test_marks_that_do_not_pair_are_errors(tmp_path, body, problem):
    with pytest.raises(LabError, match=problem):
        regions(tmp_path, body)


def unicorn_count(program, function, state, steps):
    """Instructions of permute(state, 1, steps) under unicorn, and the state after it."""
    import unicorn
    from unicorn import arm64_const as arm

    image = program.with_suffix(".bin")
    subprocess.run(
        ["aarch64-linux-gnu-objcopy", "-O", "binary", str(program), str(image)], check=True
    )
    symbols = trace.Symbols(trace.AARCH64, program)
    headers = subprocess.run(
        ["aarch64-linux-gnu-objdump", "-h", str(program)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    loaded = [line.split() for line in headers.splitlines() if line.strip()[:1].isdigit()]
    base = min(int(row[3], 16) for row in loaded if int(row[3], 16))
    machine = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
    code = image.read_bytes()
    first, length = base & ~0xFFF, (len(code) + (base & 0xFFF) + 0xFFF) & ~0xFFF
    machine.mem_map(first, length)
    machine.mem_write(base, code)
    data, back = 0x70000000, 0x60000000
    machine.mem_map(data, 0x100000)
    machine.mem_map(back, 0x1000)
    machine.mem_write(data, state)
    for register, value in (
        (arm.UC_ARM64_REG_SP, data + 0x80000),
        (arm.UC_ARM64_REG_LR, back),
        (arm.UC_ARM64_REG_CPACR_EL1, 3 << 20),
    ):
        machine.reg_write(register, value)
    for register, value in (
        (arm.UC_ARM64_REG_X0, data),
        (arm.UC_ARM64_REG_X1, 1),
        (arm.UC_ARM64_REG_X2, steps),
    ):
        machine.reg_write(register, value)
    executed = []
    machine.hook_add(unicorn.UC_HOOK_CODE, lambda *at: executed.append(at[1]))
    machine.emu_start(symbols.address(function), back)
    return len(executed), bytes(machine.mem_read(data, len(state)))


@pytest.mark.parametrize("bits", WIDTHS)
def test_unicorn_counts_the_same(tmp_path, bits):
    function, steps = f"hanji_sparkle{bits}_portable_x1", WIDTHS[bits]
    program = tmp_path / "permute"
    source = tmp_path / "permute.c"
    source.write_text(f"""
#include <stdint.h>
#include <stddef.h>
#include "mark.h"
void {function}(uint32_t *states, size_t groups, uint32_t steps);
static uint32_t state[16];
int main(void) {{ HANJI_LAB_BEGIN(); {function}(state, 1, {steps}); HANJI_LAB_END(); return 0; }}
""")
    archive = trace.library(ROOT, trace.AARCH64, "-O3 -DNDEBUG")
    subprocess.run(
        [
            "aarch64-linux-gnu-gcc",
            "-O2",
            "-static",
            f"-I{trace.HERE}",
            str(source),
            str(archive),
            "-o",
            str(program),
        ],
        check=True,
    )
    (region,), _ = trace.watch(ROOT, trace.AARCH64, program)
    executed, _ = unicorn_count(program, function, bytes(bits // 8), steps)
    assert region.by_function()[function] == executed


def test_calls_of_the_library_are_counted():
    call = ("static uint8_t digest[32], text[1024];", "hanji_esch256(digest, text, sizeof text)")
    region = trace.count_call(ROOT, "ESCH256 of 1 KiB", *call, tier="portable")
    counted = region.by_function()
    assert region.instructions == sum(counted.values()) == sum(region.by_mnemonic().values())
    assert counted["hanji_sparkle384_portable_x1"] > 0.8 * region.instructions
    with pytest.raises(LabError, match="returned"):
        trace.count_call(ROOT, "ESCH256 of nothing", call[0], "hanji_esch256(digest, NULL, 5)")
    with pytest.raises(LabError, match="HANJI_FORCE"):
        trace.count_call(ROOT, "ESCH256", *call, tier="avx2")
