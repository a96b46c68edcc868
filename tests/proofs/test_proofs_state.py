# SPDX-License-Identifier: Apache-2.0
"""A function leaves the state of the system alone: each instruction that could change it is refused
or has no rule, on every front end, and those that a function may use are accepted.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import debian
import proving
import pytest

from hanji_lab.checkout import run
from hanji_lab.prove.build import image_of
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.pcode import Image, OpenError, Region
from hanji_lab.prove.values import Lin, RefusedError

# For each instruction set: assembler and linker with their flags, lines before all functions, the
# return, the package.
MACHINES = {
    "a64": (
        ["aarch64-linux-gnu-gcc", "-march=armv8.5-a+sve+memtag+crc"],
        ["aarch64-linux-gnu-ld"],
        "",
        "ret",
        "gcc-aarch64-linux-gnu",
    ),
    "rv32i": (
        ["riscv64-unknown-elf-gcc", "-march=rv32imafdc_zicsr_zifencei", "-mabi=ilp32"],
        ["riscv64-unknown-elf-ld", "-m", "elf32lriscv", "--no-relax"],
        ".option norvc\n.option norelax\n",
        "ret",
        "gcc-riscv64-unknown-elf",
    ),
    "armv7em": (
        [
            "arm-none-eabi-gcc",
            "-mcpu=cortex-m4",
            "-mthumb",
            "-mfpu=fpv4-sp-d16",
            "-mfloat-abi=hard",
        ],
        ["arm-none-eabi-ld"],
        ".syntax unified\n.thumb\n",
        "bx lr",
        "gcc-arm-none-eabi",
    ),
    "armv6m": (
        ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
        ["arm-none-eabi-ld"],
        ".syntax unified\n.thumb\n",
        "bx lr",
        "gcc-arm-none-eabi",
    ),
    "avr": (["avr-gcc", "-mmcu=atmega328p"], ["avr-ld"], "", "ret", "gcc-avr"),
    "avx2": (["gcc"], ["ld"], ".intel_syntax noprefix\n", "ret", "gcc"),
}

CORTEX = """msr control, r0
msr primask, r0
msr primask, r1
msr msp, r0
msr psp, r0
msr apsr_nzcvq, r0
mrs r0, control
mrs r0, primask
mrs r0, ipsr
cpsid i
cpsie i
svc 1
bkpt 1
udf 1
wfi
wfe
sev
yield
isb
mov r0, sp; subs r0, #8; mov sp, r0
movs r0, #0; bx r0
"""
REFUSED = {
    "a64": """msr tpidr_el0, xzr
msr tpidr_el0, x1
msr fpcr, x1
msr fpcr, xzr
msr fpsr, x1
msr dit, #1
msr dit, x1
msr ssbs, #1
msr tco, #1
msr daifset, #2
msr spsel, #0
msr pan, #1
msr vbar_el1, x0
msr s3_3_c4_c2_5, x1
mrs x1, tpidr_el0
mrs x1, fpcr
mrs x1, fpsr
mrs x1, cntvct_el0
mrs x1, ctr_el0
svc 0
hvc 0
smc 0
hlt 1
brk 1
wfi
wfe
sev
sevl
yield
esb
csdb
paciasp
autiasp
pacia x30, sp
xpaclri
eret
drps
dmb ish
dsb sy
isb
clrex
dc zva, x0
dc civac, x0
ic ivau, x0
tlbi vmalle1
at s1e1r, x0
irg x0, x0
setffr
ptrue p0.b
rdffr p0.b
fadd s0, s1, s2
sqadd v0.4s, v1.4s, v2.4s
mov sp, x0
sub sp, sp, #16
""",
    "rv32i": """csrw mtvec, a0
csrw mtvec, zero
csrci mstatus, 8
csrsi mstatus, 8
csrc mstatus, a0
csrw mstatus, a0
csrw mie, zero
csrw mscratch, a0
csrw satp, zero
csrw fcsr, zero
csrw 0x7c0, a0
csrrw zero, 0x800, zero
csrr a0, mcycle
csrr a0, cycle
csrr a0, time
csrr a0, mhartid
csrr a0, fcsr
csrr a0, 0x015
csrr zero, 0x015
frflags a0
fsflags a0
fsrm a0
fsrmi 1
fsflagsi 1
fscsr a0
ecall
ebreak
wfi
mret
sret
fence
fence.i
sfence.vma
fadd.s fa0, fa1, fa2
fmv.w.x fa0, a0
lr.w a0, (sp)
li gp, 3
li tp, 3
addi sp, sp, -16
""",
    "armv7em": CORTEX
    + """msr basepri, r0
msr faultmask, r0
msr apsr_g, r0
mrs r0, basepri
mrs r0, apsr
cpsid f
cpsie f
dmb
dsb
clrex
vmsr fpscr, r0
vmrs r0, fpscr
vmrs apsr_nzcv, fpscr
vadd.f32 s0, s1, s2
vmov s0, r0
mcr p15, 0, r0, c1, c0, 0
ssat r0, #8, r1
qadd r0, r1, r2
ldrex r0, [sp]
""",
    "armv6m": CORTEX,
    "avr": """cli
sei
bclr 7
bset 7
ldi r24, 0; out 0x3f, r24
ldi r24, 0x80; out 0x3f, r24
in r0, 0x3f; cli
in r0, 0x3f; out 0x3f, r0; cli
cli; in r0, 0x3f; out 0x3f, r0
out 0x3b, r24
out 0x05, r24
in r24, 0x05
sbi 0x05, 1
cbi 0x05, 1
sbis 0x05, 1
sbic 0x05, 1
out 0x08, r24
lds r24, 0x5f
sts 0x5f, r24
ldi r30, 0x5f; ldi r31, 0; st Z, r24
ldi r24, 1; out 0x3d, r24
in r24, 0x3d; subi r24, 1; out 0x3d, r24
sleep
wdr
break
spm
reti
push r24
seh
""",
    "avx2": """std
cli
sti
popfq
pushfq
sahf
ldmxcsr [rsp-8]
stmxcsr [rsp-8]
vldmxcsr [rsp-8]
fldcw [rsp-8]
fnstcw [rsp-8]
fninit
fld1
emms
movq mm0, rax
movq2dq xmm0, mm0
wrfsbase rax
wrgsbase rax
rdfsbase rax
swapgs
mov ds, eax
mov fs, eax
mov eax, fs
push fs
pop fs
xor eax, eax; mov fs:[rax], rcx
mov rax, gs:[0]
xsetbv
xgetbv
xsave [rsp-8]
xrstor [rsp-8]
fxrstor [rsp-8]
xend
xbegin .
xabort 1
wrpkru
rdpkru
rdtsc
rdtscp
rdpmc
cpuid
rdrand rax
syscall
sysenter
int 0x80
int3
ud2
hlt
in al, dx
out dx, al
lgdt [rsp-8]
ltr ax
mov cr0, rax
mov dr7, rax
wrmsr
invlpg [rax]
clflush [rax]
mfence
pause
tilezero tmm0
ldtilecfg [rsp-64]
tilerelease
enqcmd rax, [rbx]
ptwrite rax
monitor
mwait
umonitor rax
incsspq rax
setssbsy
endbr32
push rax
sub rsp, 8
iretq
retfq
""",
}
ACCEPTED = {
    "a64": """nop
hint 34
mrs x1, nzcv
mrs x1, nzcv; cmp x2, #3; msr nzcv, x1
mov x1, #0; msr nzcv, x1
mov x9, #1
movi v0.16b, #0
sub sp, sp, #16; str x30, [sp]; ldr x30, [sp]; add sp, sp, #16
""",
    "rv32i": """nop
li t0, 3
addi sp, sp, -16; sw ra, 0(sp); lw ra, 0(sp); addi sp, sp, 16
add zero, a0, a1
""",
    "armv7em": """nop
nop.w
push {r4, lr}; pop {r4, pc}
movs r0, #0; cmp r0, #1; it eq; moveq r0, #2
""",
    "armv6m": """nop
push {r4, lr}; pop {r4, pc}
""",
    "avr": """nop
in r0, 0x3f; cli; out 0x3f, r0
in r24, 0x3f; cli; in r25, 0x3d; out 0x3d, r25; out 0x3f, r24
push r24; pop r24
""",
    "avx2": """nop
nop word ptr [rax+rax]
cld
vzeroupper
endbr64
push rbx; pop rbx
""",
}


def _snippets(isa: str) -> list[str]:
    return (REFUSED[isa] + ACCEPTED[isa]).splitlines()


@cache
def _image(isa: str) -> Image:
    """A linked file with a function for each snippet, which then returns."""
    assemble, link, head, back, package = MACHINES[isa]
    debian.need(package)
    folder = Path(mkdtemp(prefix="hanji-state-"))
    text = f"{head}.text\n"
    for i, snippet in enumerate(_snippets(isa)):
        lines = "\n".join(f"    {part.strip()}" for part in snippet.split(";"))
        thumb = ".thumb_func\n" if isa.startswith("arm") else ""
        text += f".balign 4\n.globl f{i}\n{thumb}f{i}:\n{lines}\n    {back}\n"
    (folder / "state.S").write_text(text)
    run([*assemble, "-c", folder / "state.S", "-o", folder / "state.o"])
    at = "0x1000" if isa == "avr" else "0x10000"
    run([*link, f"-Ttext={at}", "-e", "0", folder / "state.o", "-o", folder / "state.elf"])
    return image_of(folder / "state.elf", isa)


def _runs(isa: str, snippet: str) -> None:
    """Call the function; what is left is checked as far as the front end does it itself."""
    image = _image(isa)
    machine = image.machine(Graph(), {"stack": Region(-256, 0, "rw", 16)})
    machine.alignment["return"] = 4
    if isa == "avx2":
        machine.write("stack", -8, Lin(0, {"return": 1}), 8)
        machine.set_register("sp", Lin(-8, {"stack": 1}))
    else:
        machine.called()
    before = {name: machine.register(name) for name in image.isa.kept(".S")}
    begin = image.symbols[f"f{_snippets(isa).index(snippet)}"]
    assert machine.run(begin, lambda pc: False) is None
    for name, value in before.items():
        if machine.register(name) != value:
            raise RefusedError(f"{name} is not given back")
    if machine.register("sp") != Lin(0, {"stack": 1}):
        raise RefusedError("the stack pointer is not given back")


@pytest.mark.parametrize(
    ("isa", "snippet"), [(isa, one) for isa in REFUSED for one in REFUSED[isa].splitlines()]
)
def test_state_of_the_system_is_left_alone(isa: str, snippet: str) -> None:
    with pytest.raises((RefusedError, OpenError)):
        _runs(isa, snippet)


@pytest.mark.parametrize(
    ("isa", "snippet"), [(isa, one) for isa in ACCEPTED for one in ACCEPTED[isa].splitlines()]
)
def test_what_a_function_may_do_is_accepted(isa: str, snippet: str) -> None:
    _runs(isa, snippet)


# A wrong kernel of each front end, which changes the system before a line of it.
WRONG = {
    "tpidr_el0": (
        ("ascon/ascon_a64_x1.S", "ascon_p_a64_x1"),
        "    msr tpidr_el0, xzr\n    ret\n1: // any",
    ),
    "mstatus": (
        ("cham/cham64_rv32i_x2.S", "cham64_128_rv32i_encrypt_x2"),
        "    .option arch, +zicsr\n    csrci mstatus, 8\n    ret\n",
    ),
    "interrupts": (("speck/speck64_avr_x1.S", "64_128_avr_encrypt_x1"), "    cli\n    ret\n"),
    "cpsid": (
        ("speck/speck64_armv7m_x1.S", "64_128_armv7m_encrypt_x1"),
        "    cpsid i\n    bx lr\n",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_kernel_that_changes_the_system_is_not_proved(name: str, tmp_path: Path) -> None:
    which, wrong = WRONG[name]
    right = re.sub(r"^ *(\.option|msr|csrci|cli|cpsid).*\n", "", wrong, flags=re.MULTILINE)
    found = proving.verdict(proving.spoilt(proving.kernel(*which), tmp_path, (right, wrong)))
    assert found.verdict in ("refused", "open")


def test_interrupts_that_come_back_are_accepted(tmp_path: Path) -> None:
    one = proving.kernel(*WRONG["interrupts"][0])
    around = "    in r0, 0x3f\n    cli\n    out 0x3f, r0\n    ret\n"
    found = proving.verdict(proving.spoilt(one, tmp_path, ("    ret\n", around)))
    assert (found.verdict, found.why) == ("proved", "")


@pytest.mark.parametrize("change", ["std", "fninit", "cld"])
def test_kernel_in_c_leaves_the_system_alone(change: str, tmp_path: Path) -> None:
    """Inline assembly of C, for x86-64; CLD is allowed, since the direction is clear at a call."""
    debian.need("gcc")
    one = proving.kernel("aimer/aimer_avx2.c", "aimer_avx2_prepare")
    text = (proving.ROOT / one.source).read_text()
    begin = text.index("{\n", text.index("hanji_aimer_avx2_prepare(void *matrix"))
    head = text[begin - 90 : begin]
    wrong = f'{head}{{\n    __asm__ volatile("{change}");\n'
    found = proving.verdict(proving.spoilt(one, tmp_path, (f"{head}{{\n", wrong)))
    assert (found.verdict == "proved") == (change == "cld"), found.why
