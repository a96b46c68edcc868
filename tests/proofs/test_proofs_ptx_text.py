# SPDX-License-Identifier: Apache-2.0
"""PTX is read by tokens: code that a reader of lines does not see is seen, or refused."""

from __future__ import annotations

import re
from pathlib import Path

import proving
import pytest

from hanji_lab.prove import ptx
from hanji_lab.prove.pcode import OpenError
from hanji_lab.prove.ptx import Program
from hanji_lab.prove.ptx_text import FORMS, Reader, UnknownError, decoded, entry_names

SPECK = ("gpu/generated/speck64_sm75.ptx", "speck64_128_sm75_encrypt_x8")
EXTRA = "xor.b32 %r61, %r61, 1;"  # a register that nothing reads
MODULE = """.version 7.0
.target sm_75
.address_size 64
.visible .entry one(.param .u64 out, .param .u32 n)
.maxntid 32, 1, 1
{
    .reg .b32 %r<9>, %sum;
    .reg .b64 %d<9>;
    .reg .pred %p<3>;
    .local .align 4 .b8 words[16];
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
again:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 9;
    @%p1 bra again;
    st.global.u32 [%d1+4], %r1;
    ret;
}
"""
LAST = "    st.global.u32 [%d1+4], %r1;\n"


def shown(text: str) -> list[str]:
    """The instructions that the prover sees."""
    program = Program(text, "one")
    return [re.sub(r"^line \d+ ", "", program.shown(i)) for i in range(len(program.lines))]


PLAIN = shown(MODULE)

# The same module, written otherwise.
SAME = {
    "two statements on one line": (";\n    setp", "; setp"),
    "a label and a statement on one line": ("again:\n", "again: "),
    "a statement over lines": ("add.u32 %r1, %r1, 1;", "add.u32\n%r1 ,\n  %r1\n, 1\n;"),
    "a comment in a statement": ("add.u32 %r1, %r1", "add.u32 /* ; ret; */ %r1, // ; ret;\n%r1"),
    "a comment over lines": ("again:\n", "again: /* add.u32 %r1, %r1, 1;\n}\n*/\n"),
    "a comment with the other kind": ("again:\n", "again: /* // */\n"),
    "declarations on one line": (";\n    .reg .b64", "; .reg .b64"),
    "another base": ("%r1, 9;", "%r1, 0x9;"),
    "ends of lines": ("\n", "\r\n"),
    "no newline before the end": (";\n}\n", ";}"),
    "a pragma": ("again:\n", '.pragma "nounroll";\nagain:\n'),
    "no launch bounds": (".maxntid 32, 1, 1\n", ""),
}

# Code that a reader of lines misses. It is seen where it stands: the instruction after LAST.
SEEN = {
    "after .reg": ("    .reg .pred %p<3>;\n", f"    .reg .pred %p<3>; {EXTRA}\n"),
    "after .local": ("words[16];\n", f"words[16]; {EXTRA}\n"),
    "after .pragma": ("again:\n", f'.pragma "nounroll"; {EXTRA}\nagain:\n'),
    "after a label": ("again:\n", f"again: {EXTRA}\n"),
    "after a comment": ("again:\n", f"again: /* */ {EXTRA} // \n"),
    "after a comment that opens no other": ("again:\n", f"again: /* // */ {EXTRA}\n"),
    "between statements": (LAST, f"{LAST.rstrip()} {EXTRA}\n"),
    "before the brace": ("    ret;\n}", f"    {EXTRA} ret; }}"),
}

# What is no statement of the grammar, with the line that is named.
REFUSED = {
    "nested scope": (LAST, f"{{ .reg .b32 %r1; mov.b32 %r1, 0; }}\n{LAST}", 17),
    "nested scope on a line": (LAST, f"{LAST.rstrip()} {{ {EXTRA} }}\n", 17),
    "function": (".visible .entry one", ".func f() { ret; }\n.visible .entry one", 4),
    "declared function": (".visible .entry one", ".extern .func f();\n.visible .entry one", 4),
    "visible function": (
        ".visible .entry one",
        ".visible .func f() { ret; }\n.visible .entry one",
        4,
    ),
    "call": (LAST, "call f;\n", 17),
    "uniform call": (LAST, "call.uni f, ();\n", 17),
    "variable": (".visible .entry one", ".global .u32 x = 3;\n.visible .entry one", 4),
    "constant": (".visible .entry one", ".const .u32 x[2] = {3, 4};\n.visible .entry one", 4),
    "shared memory": ("    .local", "    .shared .align 4 .b8 s[16];\n    .local", 10),
    "second kernel of the name": ("\n}\n", "\n}\n.visible .entry one() { ret; }\n", 20),
    "weak kernel": (".visible .entry one", ".weak .entry one", 4),
    "kernel that is not exported": (".visible .entry one", ".entry one", 4),
    "wrong other kernel": ("\n}\n", "\n}\n.visible .entry two() { trap; }\n", 20),
    "launch bounds": (".maxntid 32, 1, 1", ".reqntid 32, 1, 1", 5),
    "cluster": (".maxntid 32, 1, 1", ".reqnctapercluster 2", 5),
    "no address size": (".address_size 64\n", "", 3),
    "addresses of 32 bits": (".address_size 64\n", ".address_size 32\n", 3),
    "second version": (".address_size 64\n", ".address_size 64\n.version 8.0\n", 4),
    "another version": (".version 7.0", ".version 9.0", 1),
    "target with options": (".target sm_75", ".target sm_75, debug", 2),
    "target of an architecture": (".target sm_75", ".target sm_90a", 2),
    "line of a debugger": (LAST, f".loc 1 2 3\n{LAST}", 17),
    "file of a debugger": (".visible .entry one", '.file 1 "x"\n.visible .entry one', 4),
    "section": ("\n}\n", "\n}\n.section .debug_str { .b8 0 }\n", 20),
    "directive on a line": ("again:\n", '.pragma "nounroll"; .loc 1 2 3\nagain:\n', 13),
    "another pragma": ("again:\n", '.pragma "used_bytes_mask 1";\nagain:\n', 13),
    "string": (LAST, f'"{EXTRA}"\n{LAST}', 17),
    "string that opens a comment": ("again:\n", '.pragma "/*"; ret; .pragma "*/";\nagain:\n', 13),
    "comment that never ends": (LAST, f"{LAST}/* \n", 18),
    "comment in a comment": (LAST, f"/* /* */ {EXTRA} */\n{LAST}", 17),
    "end of a comment": (LAST, f"*/\n{LAST}", 17),
    "continued comment": (LAST, f"// \\\n{LAST}", 17),
    "preprocessor": (LAST, f"#define ret\n{LAST}", 17),
    "number of a line": (LAST, f'# 1 "x"\n{LAST}', 17),
    "backslash": (LAST, f"\\\n{LAST}", 17),
    "carriage return": (LAST, f"// \r{LAST}", 17),
    "form feed": (LAST, f"// \f{LAST}", 17),
    "line separator": (LAST, f"// \u2028{LAST}", 17),
    "zero byte": (LAST, f"{LAST}\0", 18),
    "missing semicolon": ("add.u32 %r1, %r1, 1;", "add.u32 %r1, %r1, 1", 15),
    "two semicolons": ("add.u32 %r1, %r1, 1;", "add.u32 %r1, %r1, 1;;", 14),
    "too many operands": ("add.u32 %r1, %r1, 1;", "add.u32 %r1, %r1, 1, 2;", 14),
    "too few operands": ("add.u32 %r1, %r1, 1;", "add.u32 %r1, %r1;", 14),
    "expression": ("add.u32 %r1, %r1, 1;", "add.u32 %r1, %r1, 1+1;", 14),
    "octal number": ("%r1, 9;", "%r1, 011;", 15),
    "binary number": ("%r1, 9;", "%r1, 0b11;", 15),
    "number too large": ("%r1, 9;", "%r1, 0x100000000;", 15),
    "named constant": ("%r1, 9;", "%r1, WARP_SZ;", 15),
    "guard without predicate": ("@%p1 bra again", "@ bra again", 16),
    "guard that is no predicate": ("@%p1 bra again", "@%r1 bra again", 16),
    "guard before a label": ("again:\n", "@%p1 again:\n", 13),
    "guard before a directive": ("again:\n", '@%p1 .pragma "nounroll";\nagain:\n', 13),
    "two guards": ("@%p1 bra again", "@%p1 @%p1 bra again", 16),
    "register twice": ("%sum;", "%sum, %r1;", 7),
    "register of the machine": ("%sum;", "%sum, %tid;", 7),
    "undeclared register": ("add.u32 %r1, %r1", "add.u32 %r9, %r1", 14),
    "register too wide": ("add.u32 %r1, %r1", "add.u32 %d2, %r1", 14),
    "number as a target": ("add.u32 %r1, %r1", "add.u32 7, %r1", 14),
    "floating point register": ("%sum;", "%sum; .reg .f32 %f1;", 7),
    "short register": ("%sum;", "%sum; .reg .b16 %h1;", 7),
    "vector register": ("%sum;", "%sum; .reg .v2 .b32 %v;", 7),
    "saturation": ("add.u32 %r1", "add.sat.s32 %r1", 14),
    "floating point": ("add.u32 %r1", "add.f32 %r1", 14),
    "half words": ("add.u32 %r1", "add.u16 %r1", 14),
    "pairs of half words": ("add.u32 %r1", "add.u16x2 %r1", 14),
    "uniform jump": ("bra again", "bra.uni again", 16),
    "jump elsewhere": ("bra again", "bra one", 16),
    "table of jumps": (LAST, f"t: .branchtargets again;\n{LAST}", 17),
    "label twice": (LAST, f"again:\n{LAST}", 17),
    "label of an array": (LAST, f"words:\n{LAST}", 17),
    "trap": (LAST, f"trap;\n{LAST}", 17),
    "exit": ("ret;", "exit;", 18),
    "barrier": (LAST, f"bar.sync 0;\n{LAST}", 17),
    "prefetch": (LAST, f"prefetch.global.L1 [%d1];\n{LAST}", 17),
    "atomic": (LAST, "red.global.add.u32 [%d1+4], %r1;\n", 17),
    "inline register of the clock": ("%tid.x", "%clock", 12),
    "volatile store": ("st.global.u32", "st.volatile.global.u32", 17),
    "generic store": ("st.global.u32", "st.u32", 17),
    "store by cache": ("st.global.u32", "st.global.cs.u32", 17),
    "address of two registers": ("[%d1+4]", "[%d1+%r1]", 17),
    "address with a minus": ("[%d1+4]", "[%d1-4]", 17),
    "address that is too far": ("[%d1+4]", "[%d1+0x80000000]", 17),
    "address of 32 bits": ("[%d1+4]", "[%r1+4]", 17),
    "other parameter": ("[out]", "[keys]", 11),
    "parameter by address": ("[out]", "[out+0]", 11),
    "parameter of the other size": ("ld.param.u64 %d1, [out]", "ld.param.u32 %r1, [n+4]", 11),
    "aligned parameter": (".param .u32 n", ".param .align 8 .b8 n[8]", 4),
    "pointer": (".param .u64 out", ".param .u64 .ptr .global out", 4),
    "vector of three": (LAST, "st.global.v4.u32 [%d1+0], {%r1, %r1, %r1};\n", 17),
}


@pytest.mark.parametrize("name", SAME)
def test_layout_does_not_matter(name: str) -> None:
    old, new = SAME[name]
    assert old in MODULE
    every = -1 if old == "\n" else 1
    text = decoded(MODULE.replace(old, new, every).encode())
    assert shown(text) == PLAIN


@pytest.mark.parametrize("name", SEEN)
def test_hidden_code_is_seen(name: str) -> None:
    old, new = SEEN[name]
    assert old in MODULE
    text = MODULE.replace(old, new.replace("%r61", "%r8"), 1)
    found = shown(text)
    assert len(found) == len(PLAIN) + 1
    assert "(`xor.b32 %r8, %r8, 1`)" in found


@pytest.mark.parametrize("name", REFUSED)
def test_other_statements_are_refused_by_line(name: str) -> None:
    old, new, line = REFUSED[name]
    assert old in MODULE
    with pytest.raises((OpenError, UnknownError), match=rf"\bline {line}:"):
        Program(decoded(MODULE.replace(old, new.replace("%r61", "%r8"), 1).encode()), "one")


STORE = "    st.local.u32 [%r24+0], %r8;\n"
HIDDEN = {
    "after .reg": (STORE, f"    .reg .b32 %zz; add.u32 %r8, %r8, 1;\n{STORE}"),
    "after a label": ("L2:\n", "L2: add.u32 %r37, %r37, 1;\n"),
    "after a comment": (STORE, f"    /* // */ add.u32 %r8, %r8, 1;\n{STORE}"),
    "in a scope": ("L2:\n", "L2:\n{ .reg .b32 %r46; mov.b32 %r46, 0; }\n"),
    "launch bounds": (".maxntid 256, 1, 1", ".maxntid 128, 1, 1"),
    "borrow as a carry": (
        "    mov.u32 %r37, 0;\n",
        "    mov.u32 %r37, 0;\n    sub.cc.u32 %r46, %r37, 1;\n    addc.u32 %r37, %r37, 0;\n",
    ),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_kernel_with_hidden_code_is_not_proved(name: str, tmp_path: Path) -> None:
    found = proving.verdict(proving.spoilt(proving.kernel(*SPECK), tmp_path, HIDDEN[name]))
    assert found.verdict != "proved"


def test_kernel_in_a_comment_is_not_the_kernel(tmp_path: Path) -> None:
    """A right kernel in a comment before a wrong one of the same name."""
    one = proving.kernel(*SPECK)
    text = (proving.ROOT / one.source).read_text()
    begin = text.index(".visible .entry")
    right = text[begin : text.index("\n}\n") + 3]
    assert "*/" not in right
    wrong = right.replace("xor.b32 %r60, %r59, %r58", "xor.b32 %r60, %r59, %r57")
    change = (right, f"/*\n{right}*/\n{wrong}")
    found = proving.verdict(proving.spoilt(one, tmp_path, change))
    assert found.verdict == "counterexample"
    change = (right, f"/*\n{wrong}*/\n{right}")
    found = proving.verdict(proving.spoilt(one, tmp_path, change))
    assert (found.verdict, found.why) == ("proved", "")


def test_shape_of_a_kernel_does_not_matter(tmp_path: Path) -> None:
    """The kernel without comments and ends of lines is the same kernel."""
    one = proving.kernel(*SPECK)
    found = proving.verdict(
        proving.spoilt(one, tmp_path, (";\n    mov", "; mov"), ("L1:\n", "L1: "))
    )
    assert (found.verdict, found.why) == ("proved", "")


def test_names_of_kernels_are_read_outside_of_comments() -> None:
    text = "/* .entry no( */\n// .entry neither(\n.visible .entry /* */ yes\n()"
    assert entry_names(text) == ["yes"]


def test_every_kernel_of_the_library_is_read() -> None:
    """All modules are of the grammar, also as cmake/embed.cmake puts them into the library, without
    what it takes for comments; and each form of the grammar has a rule.
    """
    for path in sorted((proving.ROOT / "src/gpu/generated").glob("*.ptx")):
        text = decoded(path.read_bytes())
        module = Reader(text)
        assert list(module.entries) == entry_names(text)
        embedded = re.sub(r"/\*[^*]*\*/", "", text)
        embedded = re.sub(r"[ ]*//[^\n]*\n", "", embedded)
        embedded = re.sub(r"\n[ ]+", "\n", embedded)
        tokens = [(one.kind, one.text) for one in Reader(embedded).tokens]
        assert tokens == [(one.kind, one.text) for one in module.tokens]
    assert {name.partition(".")[0] for name in FORMS} - {"bra", "ret"} == set(ptx.RULES)
