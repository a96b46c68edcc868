#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write lab/prove/x86_forms.txt: the forms of x86-64 for which the prover's rules agree with this
processor, which must have AVX-512.

    .venv/bin/python tools/x86_forms.py [NAME...] [FILE.elf...]

Every name that has a rule is put together with operands of all kinds. What GNU as takes runs on
random states here and in the prover; a form of which one example differs is left out and printed.
With names only their forms are tried, and all others stay. With linked programs (FILE.elf) the
forms of vectors are those that the programs have, which takes minutes; without, half an hour.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from difflib import get_close_matches
from itertools import islice, product
from pathlib import Path

from hanji_lab.prove import forms_x86, native, x86
from hanji_lab.prove.pcode import OpenError

GENERAL = ("r8", "h8", "r16", "r32", "r64", "m1", "m2", "m4", "m8")
VECTORS = ("x", "y", "z", "k")
MEMORY = ("m1", "m2", "m4", "m8", "m16", "m32", "m64")
REPEATED = ("m4b4", "m4b8", "m4b16", "m8b2", "m8b4", "m8b8")
CHUNK = 60_000  # lines for one run of the assembler
EXAMPLES, NUMBERS = 3, 8  # of a form, and of one with an immediate


def vector(name: str) -> bool:
    """Whether an instruction is of vectors or masks."""
    return name[0] in "vk" or name in (*x86.MOVES, *x86.DOUBLED)


def shapes(name: str) -> Iterator[str]:
    """Operands that an instruction of this name might have."""
    if name in ("rep stosq", "ret", "leave", "nop", "endbr64", "vzeroupper", "cdqe", "cld"):
        yield ""
        return
    if name == "lea":
        yield from ("r16,m0", "r32,m0", "r64,m0")
        return
    if name[0] == "j" or name == "call":
        yield from ("i", "r64", "m8")
        return
    if not vector(name):
        yield from GENERAL
        yield from map(",".join, product(GENERAL, (*GENERAL, "i")))
        yield from map(",".join, product(GENERAL, GENERAL, (*GENERAL, "i")))
        return
    one = (*VECTORS, *MEMORY, "r32", "r64")
    last = (*one, *REPEATED, "i")
    yield from map(",".join, product(one, last))
    yield from map(",".join, product(one, (*one, *REPEATED), (*last,)))
    yield from map(",".join, product(VECTORS[:3], VECTORS[:3], last[:-1], ("i", *VECTORS[:3])))


def taken(forms: list[str], folder: Path) -> list[str]:
    """Those of the forms that GNU as takes, as the decoder calls them."""
    decoder = x86.capstone.Cs(x86.capstone.CS_ARCH_X86, x86.capstone.CS_MODE_64)
    found: set[str] = set()
    for first in range(0, len(forms), CHUNK):
        texts = [native.example(form, random.Random(form), 8, 1) for form in forms[first:][:CHUNK]]
        texts += [f"{{evex}} {text}" for text in texts if text[0] == "v" and "{" not in text]
        for code in native.assembled(texts, folder):
            if not code:
                continue
            try:
                one = x86.decoded(decoder, code, 0)
            except OpenError:
                continue
            if one.length == len(code) and one.name in x86.RULES:
                found.add(one.form)
    return sorted(found)


def examples(form: str, source: random.Random) -> list[str]:
    """Texts of a form; registers from 16 on where it has an encoding for them."""
    if ",i" in form or form.endswith(" i"):
        numbers = [0, *source.sample(native.NUMBERS, NUMBERS - 1)]
        return [native.example(form, source, 16, number) for number in numbers]
    mosts = (16, 32, 16) if "!" in form else (16,) * EXAMPLES
    return [native.example(form, source, most) for most in mosts]


def judged(forms: list[str]) -> tuple[set[str], list[str]]:
    """The forms of which all examples agree with the processor; and what others do."""
    x86.forms = lambda: frozenset(forms)  # all of them are tried
    good, said = set[str](), list[str]()
    with tempfile.TemporaryDirectory(prefix="hanji-forms-") as folder:
        judge = native.Judge(native.blank(), Path(folder), partly=True)
        texts = [examples(form, random.Random(form)) for form in forms]
        made = iter(native.assembled([text for one in texts for text in one], Path(folder)))
        for form, held in zip(forms, texts, strict=True):
            source = random.Random(form)
            codes = [one.hex() for one in islice(made, len(held)) if one]
            try:
                findings = judge.judge(codes, 1)
                if not findings and re.search(r"[ ,]m", form):
                    judge.beside = source.choice((1, 4, 8, 16))
                    findings += judge.judge(codes[:2], 1)
            except Exception as problem:  # a rule that was never meant for such operands
                findings = [native.Finding(form, 0, repr(problem))]
            judge.beside = 0
            if findings or form not in judge.forms:
                said.append(f"{form}: {findings[0].what if findings else 'no rule, or no example'}")
            else:
                good.add(form)
    return good, said


def name_of(form: str) -> str:
    """The name of its instructions."""
    return form if form == "rep stosq" else form.partition(" ")[0].rstrip("!")


def used(programs: list[str]) -> set[str]:
    """The forms in the code of linked programs."""
    found: set[str] = set()
    for program in programs:
        image = x86.X86Image(Path(program))
        for pc, end in image.executable:
            while pc < end:
                try:
                    one = image.instruction(pc)
                except OpenError:
                    pc += 1
                    continue
                found.add(one.form)
                pc = one.following
    return {
        form
        for form in found
        if form.partition(" ")[0].rstrip("!") in x86.RULES or form == "rep stosq"
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", metavar="NAME|FILE.elf")
    given = parser.parse_args().words
    programs = [word for word in given if word.endswith(".elf")]
    for program in programs:
        if not Path(program).is_file():
            parser.error(f"{program} does not exist; a linked program expected")
    if unknown := [word for word in given if word not in x86.RULES and word not in programs]:
        near = get_close_matches(unknown[0], x86.RULES, n=4)
        hint = f"did you mean {' or '.join(near)}?" if near else "see RULES in lab/prove/x86.py"
        parser.error(f"no instruction with a rule is called {unknown[0]!r}; {hint}")
    names = [word for word in given if word not in programs] or sorted(x86.RULES)
    if not native.able():
        print("x86_forms: this processor has no AVX-512, which the list needs", file=sys.stderr)
        return 2
    there = {form for form in used(programs) if name_of(form) in names}
    if programs:
        names = [name for name in names if not vector(name)]
    with tempfile.TemporaryDirectory(prefix="hanji-forms-") as folder:
        wanted = [
            f"{name} {operands}".strip()
            for name in names
            for operands in shapes(name)
            if sum(one[0] == "m" for one in operands.split(",") if one) < 2
        ]
        found = taken(wanted, Path(folder))
        masked = [
            f"{name} {operands.replace(',', mask + ',', 1)}"
            for name, _, operands in (form.partition(" ") for form in found)
            if name.rstrip("!") in x86.MASKABLE and "," in operands
            for mask in ("{k}", "{k}{z}")
        ]
        found = sorted({*found, *taken(masked, Path(folder)), *there})
    print(f"{len(found)} forms", file=sys.stderr)
    good, said = set[str](), list[str]()
    with ProcessPoolExecutor(2) as pool:
        parts = [found[at : at + 100] for at in range(0, len(found), 100)]
        for i, (right, wrong) in enumerate(pool.map(judged, parts)):
            good |= right
            said += wrong
            print(f"{i + 1} of {len(parts)}", file=sys.stderr, flush=True)
    tried = {*names, *(name_of(one) for one in there)}
    kept = {one for one in forms_x86.forms() if name_of(one) not in tried}
    forms_x86.LIST.write_text(forms_x86.listed(good | kept))
    print("\n".join(said))
    return 0


if __name__ == "__main__":
    sys.exit(main())
