# SPDX-License-Identifier: Apache-2.0
"""AEADs of sponges in PTX, a message of any length per thread, for all threads.

A thread does its message in steps: it takes a block of associated data or of text into the state
and comes back to a permutation; behind it the next step begins. The places in the code are found by
how they jump (`Places`), the heads of the permutation and its end, and the head of the loop that
overwrites what does not verify.

Let a phase be what the code may still have to do (`Aead.steps`). Its invariant says for registers
what they hold: a number, a word of the key, or an expression in how many bytes of the message were
taken and are left; the registers of the state hold the state of the specification, some bits
complemented, the same ones each time. Registers of which nothing is said may hold anything.

1. Entry: the thread arrives at a head with the state that the specification permutes first, and the
   invariant of a first phase.
2. Permutation: from a head with any state the code arrives behind it with what the permutation of
   the specification makes of it, and has written no register that an invariant speaks of. The head
   and the public registers that the code reads say how many rounds these are.
3. Step: from a phase with any state, any key and any data, for every number of bytes left below a
   block and for a block and any number more, the thread writes exactly the bytes of the step. They
   are what the specification says, and the thread arrives at a head with the state and the number
   of rounds of the specification, and the invariant of the next phase with the bytes taken and left
   then. In the last phase it writes tag or verdict, and ends.

A step leaves fewer bytes, or goes to a later phase; so all steps are those of one message. The
specification is that of lab/spec with a permutation that writes down what it is given (`Oracle`):
for any permutation both do the same, and by 2 it is the same. A test runs the steps on numbers
against `seal` and `open` of lab/spec for all small lengths.

An invariant is what the first arrival suggests; what another arrival does not bear out is dropped,
and every phase that used it is run again. So behind the last run every arrival bears out all that
its phase uses. Symbols of a step, and data, are in no invariant: they mean other bytes in the next
step.

Whether a tag is right is public. Opening may branch on it and on no other data: the branch is
taken as either is assumed, once it is proved that it asks for nothing else (`Verifier`).

What fails in a step is no counterexample, as no message need get there. Whole messages on numbers
are run then; one that comes out wrong is.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from .. import spec
from ..kernels import Kernel
from ..spec import ascon
from ..spec.ascon import Aead as Ascon
from ..spec.modes import InvalidTag
from ..spec.schwaemm import Schwaemm
from .contracts import NoHarnessError
from .graph import Bits, Graph
from .induct import Counterexample, Evidence, MismatchError
from .launch import ALL, MESSAGES_MOST, NONE, VECTOR, Case, Grid, Launch, Numbers, checked
from .lift import Bytes, from_bytes, to_bytes
from .pcode import OpenError
from .ptx import Instruction, Program, Test, Thread, Window
from .values import Cond, Lin, RefusedError, UndecidedError, Value, combined, parts
from .words import Word, folded, number_bits

THREADS = 128  # of a CTA
BAD_TAG = 253  # HANJI_E_TAG in a byte
TAG = 16  # bytes
BYTES_MOST = 1 << 62
RUNS_MOST = 12  # of a phase
# How many bytes were taken, are left and are there, of the text and of the associated data.
VARIABLES = ("place", "left", "size", "ad place", "ad left", "ad size")
# The same in one run; a name with this sign means another number in another run.
OWN = "@"
MANY = None  # bytes left: as many as the next block needs to be none of the last, or more
ENDS = "ends"
ZEROS = "zeros"

Amount = int | None
Name = Lin | int


class UnequalError(OpenError):
    """A step of the kernel is not proved to be that of the specification."""


class Oracle:
    """A permutation that writes down what it is given, and returns what was said before."""

    def __init__(self, slim: int, big: int) -> None:
        self.slim, self.big = slim, big
        self.given: list[tuple[list[Word], int]] = []
        self.after: list[Word] = []

    def permute_words(self, state: Sequence[Word], rounds: int) -> list[Word]:
        """See the class."""
        self.given.append((list(state), rounds))
        return list(self.after or state)


@dataclass
class Step:
    """One step of a message on symbolic data: what is taken and written, and what comes next.

    `ad` and `text` are the bytes left when it begins.
    """

    g: Graph
    state: list[Word]  # behind the permutation
    key: list[Word]
    data: Mapping[str, Bytes]  # of the buffers "in", "ad" and "tags", from where the step begins
    ad: Amount
    text: Amount
    taken: dict[str, int] = field(default_factory=dict)
    out: Bytes = field(default_factory=list)
    tag: Bytes | None = None
    permuted: tuple[list[Word], int] | None = None


class Aead:
    """What the two sponges have in common; `phases` in their order, the first one at entry."""

    first: tuple[str, ...]  # the phases at entry: with associated data, and without where that
    ends: str  # behind this phase there is the tag
    rest: int  # the least that MANY bytes are beyond a block

    def __init__(self, found: Any, opening: bool) -> None:
        self.opening = opening
        self.rate, self.nonce_size = found.rate, found.nonce_size
        self.real = found.permutation
        self.oracle = Oracle(self.real.slim, self.real.big)
        self.spec = replace(found, permutation=self.oracle)

    def begin(self, nonce: Sequence[Word], key: Sequence[Word]) -> tuple[list[Word], int]:
        """What is permuted first."""
        self.spec.initial_words(nonce, key)
        return self.oracle.given.pop()

    def steps(self, phase: str) -> Iterator[tuple[Amount, Amount]]:
        """Bytes of associated data and of text that a phase may have left; 0 where it has taken
        them, or does not ask.
        """
        raise NotImplementedError

    def step(self, phase: str, s: Step) -> str:
        """Do a step; the next phase."""
        raise NotImplementedError

    def tagged(self, s: Step) -> str:
        """The tag of a state that was permuted last."""
        raise NotImplementedError

    def absorb(self, s: Step, block: Bytes, *more: Any) -> None:
        """Take a padded block into the state."""
        words = from_bytes(s.g, block, self.width)
        self.spec.absorb_words(s.state, words, *more)
        s.permuted = self.oracle.given.pop()

    def crypt(self, s: Step, count: int) -> Bytes:
        """Write so many bytes of text; the bytes that are absorbed."""
        outer = to_bytes(s.state, self.width)[:count]
        data = s.data["in"][:count]
        s.out = [tuple(map(s.g.xor, x, y)) for x, y in zip(data, outer, strict=True)]
        s.taken["text"] = count
        return s.out if self.opening else data

    def padded(self, data: Bytes, begin: int) -> Bytes:
        """A block from part of one, filled with `begin` and zeros."""
        rest = self.rate - len(data)
        return [*data, number_bits(begin, 8), *[(0,) * 8] * (rest - 1)] if rest else data

    width: int


class SchwaemmAead(Aead):
    """SCHWAEMM: the last block of a phase has a domain and the big number of steps."""

    first, ends, rest, width = ("ad", "no ad"), "done", 1, 32

    def steps(self, phase: str) -> Iterator[tuple[Amount, Amount]]:
        amounts = (MANY, *range(self.rate, 0, -1))
        if phase == "ad":
            yield from ((amount, 0) for amount in amounts)
        elif phase == self.ends:
            yield 0, 0
        else:
            yield from ((0, amount) for amount in (*amounts, *([0] if phase == "no ad" else [])))

    def step(self, phase: str, s: Step) -> str:
        if phase == "ad":
            return self._block(s, s.ad, "ad", 0) or "no ad"
        if phase == self.ends or s.text == 0:
            return self.tagged(s)
        return self._block(s, s.text, "text", 2) or self.ends

    def _block(self, s: Step, amount: Amount, name: str, kind: int) -> str:
        """The next block; the same phase where another one follows."""
        count = self.rate if amount is None else amount
        s.taken[name] = count
        data = s.data["ad"][:count] if name == "ad" else self.crypt(s, count)
        last = (1 << self.spec.capacity // 8) ^ kind ^ (count == self.rate)
        self.absorb(s, self.padded(data, 0x80), None if amount is None else last)
        return name if amount is None else ""

    def tagged(self, s: Step) -> str:
        s.tag = to_bytes(self.spec.tag_words(s.state, s.key), self.width)
        return ENDS


class AsconAead(Aead):
    """Ascon-AEAD128: the last block is never full, and the key is added around the last
    permutations.
    """

    first, ends, rest, width = ("begin",), "done", 0, 64

    def steps(self, phase: str) -> Iterator[tuple[Amount, Amount]]:
        amounts = (MANY, *range(self.rate - 1, -1, -1))
        if phase in ("begin", "ad"):
            yield from ((amount, 0) for amount in amounts if amount != 0 or phase == "ad")
        if phase in ("begin", "ad done", "text"):
            yield from ((0, amount) for amount in amounts)
        if phase == self.ends:
            yield 0, 0

    def step(self, phase: str, s: Step) -> str:
        if phase == self.ends:
            return self.tagged(s)
        if phase == "begin":  # the key is added behind the first permutation
            self.oracle.after = s.state
            s.state = self.spec.initial_words(s.key, s.key)
            self.oracle.given.pop()
        if phase == "ad" or s.ad != 0:
            count = self.rate if s.ad is None else s.ad
            s.taken["ad"] = count
            self.absorb(s, self.padded(s.data["ad"][:count], 1))
            return "ad" if s.ad is None else "ad done"
        if phase != "text":
            s.state = [*s.state[:4], s.state[4] ^ ascon.DOMAIN]
        if s.text is None:
            self.absorb(s, self.crypt(s, self.rate))
            return "text"
        block = from_bytes(s.g, self.padded(self.crypt(s, s.text), 1), self.width)
        state = [s.state[0] ^ block[0], s.state[1] ^ block[1], *s.state[2:]]
        self.spec.tag_words(state, s.key)
        s.permuted = self.oracle.given.pop()
        return self.ends

    def tagged(self, s: Step) -> str:
        self.oracle.after = s.state
        s.tag = to_bytes(self.spec.tag_words(s.state, s.key), self.width)
        self.oracle.given.pop()
        return ENDS


def aead_of(kernel: Kernel) -> Aead:
    """The sponge of a kernel; NoHarnessError where there is none."""
    found = spec.algorithm(kernel.spec.partition(".")[0])
    for kind, made in ((Schwaemm, SchwaemmAead), (Ascon, AsconAead)):
        if isinstance(found, kind) and kernel.operation in ("seal", "open"):
            return made(found, kernel.operation == "open")
    raise NoHarnessError(f"no harness for {kernel.spec} in PTX")


# Invariants


def _local(value: Name) -> bool:
    """Whether an expression has a symbol of one run."""
    return isinstance(value, Lin) and any(OWN in symbol for symbol in value.factors)


@dataclass(frozen=True)
class Form:
    """What a register holds: `base`, and each of these variables once."""

    base: Any
    variables: tuple[str, ...] = ()

    def value(self, known: Mapping[str, Name]) -> Any:
        """The value in a run."""
        total = self.base
        for name in self.variables:
            total = combined(total, known[name], 1, 64)
        return total

    def holds(self, value: object, known: Mapping[str, Name]) -> bool:
        """Whether a value is this."""
        if isinstance(value, Cond) and isinstance(self.base, Cond):
            return repr(value) == repr(self.base)
        return isinstance(value, int | Lin | tuple) and value == self.value(known)


def forms(
    register: str, value: object, known: Mapping[str, Name], fixed: frozenset[int]
) -> list[Form]:
    """What can be said of a register that holds a value, the most likely first."""
    if isinstance(value, Cond):
        return [] if _local(value.a) or _local(value.b) else [Form(value)]
    if isinstance(value, tuple):
        return [Form(value)] if all(x < 2 or x >> 1 in fixed for x in value) else []
    if not isinstance(value, int | Lin):
        return []
    found = []
    names = list(known) if register.startswith("%d") else []
    factors = parts(value)[1]
    if any(name in factors for name in ("in", "out", "ad")):
        names = [name for name in names if name.startswith("ad") == ("ad" in factors)]
    for chosen in product((0, 1), repeat=len(names)):
        used = tuple(name for name, one in zip(names, chosen, strict=True) if one)
        left: Name = value
        for name in used:
            left = combined(left, known[name], -1, 64)
        if not _local(left):
            found.append(Form(left, used))
    return sorted(found, key=_unlikely)


def _unlikely(form: Form) -> tuple[bool, bool, int, bool]:
    """An order of forms: pointers move on, and counts are of what is left."""
    constant, factors = parts(form.base)
    moves = any(name.endswith("place") for name in form.variables)
    pointer = any(name in factors for name in ("in", "out", "ad"))
    return (
        constant != 0 and bool(factors or form.variables),
        pointer != moves,
        len(form.variables),
        any(name.endswith("size") for name in form.variables),
    )


@dataclass
class Phase:
    """A phase where the thread may stand at `at`: the forms that no arrival has denied."""

    at: int
    held: dict[str, list[Form]]
    used: set[str] = field(default_factory=set)
    runs: int = 0

    def merged(self, registers: Mapping[str, object], known: Mapping[str, Name]) -> bool:
        """Drop what another arrival does not bear out; whether that was used."""
        changed = False
        for name, listed in self.held.items():
            left = [
                one for one in listed if name in registers and one.holds(registers[name], known)
            ]
            changed |= name in self.used and left[:1] != listed[:1]
            self.held[name] = left
        return changed


class Places:
    """Where the code jumps back to: heads of the permutation, its end, other loops behind it."""

    def __init__(self, program: Program) -> None:
        lines, labels = program.lines, program.labels
        back = [
            (labels[one.operands[0]], pc)
            for pc, one in enumerate(lines)
            if one.name[0] == "bra" and labels.get(one.operands[0], pc + 1) <= pc
        ]
        inner = [
            pc
            for target, pc in back
            if not any(one.name[0] in ("ld", "st") for one in lines[target : pc + 1])
        ]
        if not inner:
            raise OpenError("the kernel has no loop over rounds")
        self.end = max(inner) + 1
        self.heads = {target for target, pc in back if pc >= self.end > target}
        self.loops = {target for target, pc in back if target >= self.end}
        if not self.heads:
            raise OpenError("the kernel has no loop over blocks")


class Verifier(Thread):
    """A thread that may ask whether a tag is right, and nothing else of data: `wrong` is true where
    it is not, and `right` what is assumed.
    """

    right: bool | None = None
    wrong: int = 0

    def decided(self, value: Value | Test) -> bool:
        if not isinstance(value, Test) or self.right is None:
            return super().decided(value)
        asked = 0
        for x in value.bits:
            asked = self.g.or_(asked, x)
        if not self.g.same(asked, self.wrong):
            raise self.refused(
                "a branch or a predicate depends on more than whether a tag is right"
            )
        return self.right != value.negated

    def _both(self, pc: int, one: Instruction, test: Test) -> int:
        if self.right is None:
            return super()._both(pc, one, test)
        if self.decided(test) == one.negated:
            return pc + 1
        return self.program.labels[one.operands[0]]


# The proof


class Sponges(Grid):
    """The proof of one task: see the module."""

    kind = Verifier

    def __init__(self, g: Graph, program: Program, task: Launch) -> None:
        self.g, self.program, self.task = g, program, task
        self.evidence = Evidence()
        self.aead = aead_of(task.kernel)
        numbers: Any = Numbers
        self.numbers = numbers(g, self.aead.spec)
        if g.known is None:
            g.known = {}
        byte = self.numbers.byte
        self.key = [byte(f"key {i}") for i in range(TAG)]
        self.nonce = [byte(f"nonce {i}") for i in range(self.aead.nonce_size)]
        self.fixed = frozenset(x >> 1 for one in (*self.key, *self.nonce) for x in one)
        self.phases: dict[str, Phase] = {}
        self.registers: list[str] = []  # those of the state, in the order of its words
        self.flips: dict[int, tuple[int, ...]] = {}  # place -> complemented bits of the state
        # head -> public registers that the permutation reads, what else it writes, and its rounds
        self.permutations: dict[int, list[tuple[dict[str, Any], set[str], int]]] = {}
        self.waiting: list[str] = []
        self.methods: Counter[str] = Counter()  # of joins on other graphs

    def prove(self) -> str:
        try:
            self._induct()
        except (OpenError, UndecidedError) as problem:
            case = self._wrong_message()
            if case is None:
                raise
            raise MismatchError(f"a message comes out wrong: {problem}", case) from problem
        return ALL

    def _induct(self) -> None:
        self.places = Places(self.program)
        m = self.machine(self._thread(NONE, False, {}))
        if m.run():
            raise OpenError("a thread without a message goes on")
        self.ran(m)
        self._written(m, {}, "no message")
        data: Name
        for phase in self.aead.first:
            data = 0 if phase == "no ad" else Lin(0, {"@data": 1})
            known: dict[str, Name] = dict.fromkeys(VARIABLES, 0)
            known |= {"ad left": data, "ad size": data}
            known["left"] = known["size"] = Lin(0, {"@text": 1})
            self._enter(phase, known)
        while self.waiting:
            name = self.waiting.pop(0)
            self._phase(name)

    # Runs

    def machine(self, case: Case) -> Verifier:
        """The thread of a case."""
        m = self.thread(case)
        assert isinstance(m, Verifier)
        return m

    def _thread(
        self,
        name: str,
        active: bool,
        known: Mapping[str, Name],
        taken: Mapping[str, int] | None = None,
        aligned: Mapping[str, bool | None] | None = None,
        least: int = 0,
    ) -> Case:
        """A thread with so many bytes taken that reads and writes the bytes of one step."""
        given, taken = dict(aligned or {}), dict(taken or {})
        texts = ["in"] if self.task.in_place else ["in", "out"]
        opening = self.aead.opening
        first = Lin(0, {"cta": THREADS, "thread": 1})
        messages = combined(first, Lin(0, {"left": 1}), 1, 64)
        windows = {}
        for buffer, size, access in (
            ("keys", TAG, "r"),
            ("nonces", self.aead.nonce_size, "r"),
            ("tags", TAG, "r" if opening else "w"),
            ("offsets", 8, "r"),
            ("ad_offsets", 8, "r"),
            ("status", 1, "w"),
        ):
            spans = ((0, size if "offsets" not in buffer else 2 * size),) if active else ()
            base = {"cta": THREADS * size, "thread": size}
            public: dict[int, Name] = {}
            if "offsets" in buffer and active:
                kind = "ad " if buffer == "ad_offsets" else ""
                begin = Lin(0, {f"{kind}begin": 1})
                public = {0: begin, 8: combined(begin, known[f"{kind}size"], 1, 64)}
            windows[buffer] = Window(base, spans, access, public)
        for buffer, part, access in (("in", "text", "r"), ("out", "text", "w"), ("ad", "ad", "r")):
            count = taken.get(part, 0)
            at = known.get("place" if part == "text" else "ad place", 0)
            base = at.factors if isinstance(at, Lin) else {}
            windows[buffer] = Window(base, ((0, count),) if count else (), access)
        low = {one: (0, 15) if given.get(one) is None else (1, 15) for one in ("ad", *texts)}
        ored = f"({texts[0]} + 0 | {texts[-1]} + 0) + 0"
        both = [given.get(one) for one in texts]
        bounds = {f"({one} + 0 & 15)": ends for one, ends in low.items()}
        bounds[f"({ored} & 15)"] = (0, 0) if all(both) else (1, 15) if False in both else (0, 15)
        behind: dict[str, Value] = {
            "in": Lin(0, {"in": 1, "begin": -1}),
            "out": Lin(0, {texts[-1]: 1, "begin": -1}),
            "ad": Lin(0, {"ad": 1, "ad begin": -1}),
        }
        unit = 1 if name == ZEROS else self.aead.rate
        return Case(
            name,
            {"%ctaid.x": Lin(0, {"cta": 1}), "%ntid.x": THREADS, "%tid.x": Lin(0, {"thread": 1})},
            {"messages": messages} | behind,
            {
                "cta": (0, MESSAGES_MOST // THREADS),
                "thread": (0, THREADS - 1),
                "left": (1, MESSAGES_MOST) if active else (1 - THREADS, 0),
                str(messages): (1, MESSAGES_MOST),
                "@rest": (least, BYTES_MOST),
                **dict.fromkeys(("@text", "@data", "@place", "@ad place"), (0, BYTES_MOST)),
                **bounds,
            },
            windows,
            {"keys": dict(enumerate(self.key)), "nonces": dict(enumerate(self.nonce))},
            {},
            {},
            {
                "@place": unit,
                "@ad place": unit,
                "offsets": 8,
                "ad_offsets": 8,
                "status": 1,
                **{one: VECTOR if given.get(one) else 1 for one in ("ad", "in", "out")},
            },
        )

    def _enter(self, phase: str, known: Mapping[str, Name]) -> None:
        """From the first instruction to the first permutation."""
        m = self.machine(self._thread("entry", True, known))
        if not m.run(0, self.places.heads | {self.places.end}) or m.pc == self.places.end:
            raise OpenError("the kernel does not arrive at its permutation")
        self.ran(m)
        self._written(m, {}, "entry")
        words = (from_bytes(self.g, one, self.aead.width) for one in (self.nonce, self.key))
        state, rounds = self.aead.begin(*words)
        if not self.registers:
            self._find_state(m, state)
        self._arrive(m, phase, known, state, rounds, "entry")

    def _phase(self, name: str) -> None:
        """All steps of a phase; once more where one of them takes away what another has used."""
        phase = self.phases[name]
        phase.runs += 1
        if phase.runs > RUNS_MOST:
            raise OpenError(f"phase {name}: no invariant was found")
        if name == ZEROS:
            self._zeros(phase)
            return
        for ad, text in self.aead.steps(name):
            for aligned in self._alignments(ad, text):
                for right in (True, False) if self._verifies(name, ad, text) else (None,):
                    self._step(name, phase, ad, text, aligned, right)
                    if name in self.waiting:
                        return

    def _verifies(self, name: str, ad: Amount, text: Amount) -> bool:
        """Whether a step compares the tag."""
        ended = name == self.aead.ends or (name, ad, text) == ("no ad", 0, 0)
        return self.aead.opening and ended

    def _alignments(self, ad: Amount, text: Amount) -> Iterator[dict[str, bool | None]]:
        """Whether texts lie at multiples of 16, where a whole block asks for it."""
        texts = ["in"] if self.task.in_place else ["in", "out"]
        whole = (self.aead.rate, MANY)
        names = ["ad"] if ad in whole else texts if text in whole else []
        for chosen in product((True, False), repeat=len(names)):
            yield dict(zip(names, chosen, strict=True))

    def _known(self, name: str, ad: Amount, text: Amount) -> dict[str, Name]:
        """What is taken and left when a step of a phase begins."""

        def amount(count: Amount) -> Name:
            return Lin(self.aead.rate, {"@rest": 1}) if count is None else count

        known: dict[str, Name] = dict.fromkeys(VARIABLES, 0)
        if name in ("text", self.aead.ends):
            known |= {"place": Lin(0, {"@place": 1}), "left": amount(text)}
            known["size"] = Lin(0, {"@text": 1})
        elif ad == 0 and name != "ad":
            known["left"] = known["size"] = amount(text)
        else:
            known["left"] = known["size"] = Lin(0, {"@text": 1})
        known |= {"ad left": amount(ad), "ad size": Lin(0, {"@data": 1})}
        if name == "ad":
            known["ad place"] = Lin(0, {"@ad place": 1})
        elif name == "begin":
            known["ad size"] = known["ad left"]
        return known

    def _step(
        self,
        name: str,
        phase: Phase,
        ad: Amount,
        text: Amount,
        aligned: Mapping[str, bool | None],
        right: bool | None,
    ) -> None:
        g, aead = self.g, self.aead
        known = self._known(name, ad, text)
        what = f"{name}: {_said(ad)} bytes of associated data and {_said(text)} of text left"
        state = [g.word(f"state {i}", 32) for i in range(len(self.registers))]
        flat = [x for word in state for x in word]
        width = aead.width
        words = [Word(g, flat[at : at + width]) for at in range(0, len(flat), width)]
        buffers = {
            buffer: [self.numbers.byte(f"{buffer} {i}") for i in range(size)]
            for buffer, size in (("in", aead.rate), ("ad", aead.rate), ("tags", TAG))
        }
        s = Step(g, words, from_bytes(g, self.key, width), buffers, ad, text)
        following = aead.step(name, s)
        m = self.machine(self._thread(what, True, known, s.taken, aligned, aead.rest))
        m.pc = phase.at
        for register, found in phase.held.items():
            if found:
                m.registers[register] = found[0].value(known)
        for register, word, flips in zip(
            self.registers, state, _cut(self.flips[phase.at], 32), strict=True
        ):
            m.registers[register] = tuple(x ^ f for x, f in zip(word, flips, strict=True))
        for buffer, part in (("in", "text"), ("ad", "ad")):
            m.memory[buffer].update(enumerate(buffers[buffer][: s.taken.get(part, 0)]))
        want: dict[str, dict[int, Bits]] = {"out": dict(enumerate(s.out))}
        if s.tag is not None:
            if aead.opening:
                m.memory["tags"].update(enumerate(buffers["tags"]))
                m.right = right
                for pair in zip(s.tag, buffers["tags"], strict=True):
                    for x, y in zip(*pair, strict=True):
                        m.wrong = g.or_(m.wrong, g.xor(x, y))
            else:
                want["tags"] = dict(enumerate(s.tag))
            want["status"] = {0: number_bits(BAD_TAG if right is False else 0, 8)}
        stops = self.places.heads | self.places.loops | {self.places.end}
        again = m.run(phase.at, stops)
        self.ran(m)
        phase.used |= m.used
        self._written(m, want, what)
        if following == ENDS:
            if again != (right is False):
                raise OpenError(f"{what}: the thread goes on, or ends, behind the tag")
            if again:
                known = {**known, "place": 0, "left": known["size"]}
                self._arrive_at(m, ZEROS, m.pc, m.registers, known)
            return
        if not again or m.pc not in self.places.heads or s.permuted is None:
            raise OpenError(f"{what}: the thread does not come back to the permutation")
        for part, kind in (("text", ""), ("ad", "ad ")):
            count = s.taken.get(part, 0)
            known[f"{kind}place"] = combined(known[f"{kind}place"], count, 1, 64)
            known[f"{kind}left"] = combined(known[f"{kind}left"], count, -1, 64)
        self._arrive(m, following, known, *s.permuted, what)

    def _zeros(self, phase: Phase) -> None:
        """The bytes of a message that does not verify become zeros, one by one."""
        for left in (Lin(1, {"@rest": 1}), 0):
            known: dict[str, Name] = dict.fromkeys(VARIABLES, 0)
            known |= {"place": Lin(0, {"@place": 1}), "left": left, "size": Lin(0, {"@text": 1})}
            m = self.machine(self._thread(ZEROS, True, known, {"text": 1 if left else 0}))
            for register, found in phase.held.items():
                if found:
                    m.registers[register] = found[0].value(known)
            again = m.run(phase.at, (phase.at,))
            self.ran(m)
            phase.used |= m.used
            self._written(m, {"out": {0: (0,) * 8}} if left else {}, ZEROS)
            if again != bool(left):
                raise OpenError(f"{ZEROS}: the loop goes on, or ends, in another place")
            if again:
                known |= {"place": Lin(1, {"@place": 1}), "left": Lin(0, {"@rest": 1})}
                self._arrive_at(m, ZEROS, phase.at, m.registers, known)
                if ZEROS in self.waiting:
                    return

    # Arrivals

    def _arrive(
        self,
        m: Thread,
        phase: str,
        known: Mapping[str, Name],
        state: Sequence[Word],
        rounds: int,
        what: str,
    ) -> None:
        """At a head: the state is that of the specification, and the permutation is right."""
        g, head = self.g, m.pc
        wanted = [x for byte in to_bytes(state, self.aead.width) for x in byte]
        held = [x for name in self.registers for x in m.data(m.get(name, 32), 32)]
        if head not in self.flips:
            self.flips[head] = self._flipped(held, wanted, what)
        for i, (x, y, flip) in enumerate(zip(held, wanted, self.flips[head], strict=True)):
            if not g.same(x ^ flip, y):
                raise UnequalError(f"{what}: bit {i} of the state is not proved")
        scratch = self._permutation(m, head, rounds)
        left = {name: value for name, value in m.registers.items() if name not in scratch}
        for name in self.registers:
            del left[name]
        self._arrive_at(m, phase, self.places.end, left, known)

    def _arrive_at(
        self,
        m: Thread,
        name: str,
        at: int,
        registers: Mapping[str, object],
        known: Mapping[str, Name],
    ) -> None:
        phase = self.phases.get(name)
        known = {one: value for one, value in known.items() if one in self._variables(name)}
        if phase is None:
            held = {
                register: forms(register, value, known, self.fixed)
                for register, value in registers.items()
            }
            self.phases[name] = Phase(at, held)
            self.waiting.append(name)
        elif phase.at != at:
            raise OpenError(f"phase {name} begins at two places")
        elif phase.merged(registers, known) and name not in self.waiting:
            self.waiting.append(name)

    def _variables(self, name: str) -> tuple[str, ...]:
        """What an invariant of a phase may speak of."""
        if name == self.aead.ends:
            return ("size",)
        return VARIABLES if name in ("begin", "ad") else VARIABLES[:3]

    def _flipped(self, held: Sequence[int], wanted: Sequence[int], what: str) -> tuple[int, ...]:
        """Which bits are complemented: what the random runs say, which is proved later."""
        ones = self.g.value(1)
        apart = [self.g.value(x) ^ self.g.value(y) for x, y in zip(held, wanted, strict=True)]
        if any(one not in (0, ones) for one in apart):
            raise UnequalError(f"{what}: the state is another one")
        return tuple(int(one == ones) for one in apart)

    def _find_state(self, m: Thread, state: Sequence[Word]) -> None:
        """The registers of the state: those that the permutation reads and writes, in the order of
        what they hold at entry.
        """
        trial = self.machine(self._thread("permutation", False, {}))
        trial.registers = dict(m.registers)
        trial.run(m.pc, (self.places.end,))
        self.ran(trial)
        words = _cut([x for byte in to_bytes(state, self.aead.width) for x in byte], 32)
        names = sorted(trial.used & trial.fresh)
        if len(names) != len(words):
            raise OpenError(f"{len(names)} registers hold a state of {len(words)} words")
        value = self.g.value
        pairs = sorted(
            (
                sum(
                    value(x) != value(y)
                    for x, y in zip(word, m.data(m.get(name, 32), 32), strict=True)
                ),
                i,
                name,
            )
            for i, word in enumerate(words)
            for name in names
        )
        found: dict[int, str] = {}
        for _, i, name in pairs:
            if i not in found and name not in found.values():
                found[i] = name
        self.registers = [found[i] for i in range(len(words))]

    def _permutation(self, m: Thread, head: int, rounds: int) -> set[str]:
        """Prove that the permutation from a head has so many rounds, on a graph of its own, where
        nothing else is alike; the registers that it writes beside the state.
        """
        for reads, scratch, found in self.permutations.get(head, []):
            if all(m.registers.get(name) == value for name, value in reads.items()):
                if found != rounds:
                    raise UnequalError(f"{found} rounds follow, {rounds} expected")
                return scratch
        width, end = self.aead.width, self.places.end
        g = Graph()
        g.deadline = self.g.deadline
        alone = Sponges(g, self.program, self.task)
        state = [g.word(f"state {i}", 32) for i in range(len(self.registers))]
        flat = [x for word in state for x in word]
        words = [Word(g, flat[at : at + width]) for at in range(0, len(flat), width)]
        made = to_bytes(self.aead.real.permute_words(words, rounds), width)
        wanted = [x for byte in made for x in byte]
        trial = alone.machine(alone._thread("permutation", False, {}))
        trial.registers = {
            name: value for name, value in m.registers.items() if isinstance(value, int)
        }
        for name, word, flips in zip(
            self.registers, state, _cut(self.flips[head], 32), strict=True
        ):
            trial.registers[name] = tuple(x ^ f for x, f in zip(word, flips, strict=True))
        if not trial.run(head, (end,)):
            raise OpenError("a permutation ends the thread")
        self.ran(trial)
        alone._written(trial, {}, "permutation")
        held = [x for name in self.registers for x in trial.data(trial.get(name, 32), 32)]
        flips = alone._flipped(held, wanted, "permutation")
        if self.flips.setdefault(end, flips) != flips:
            raise UnequalError("two permutations leave different bits complemented")
        for i, (x, y, flip) in enumerate(zip(held, wanted, flips, strict=True)):
            if not g.same(x ^ flip, y):
                raise UnequalError(f"bit {i} of a permutation of {rounds} rounds is not proved")
        self.methods.update(g.methods())
        reads = {name: m.registers.get(name) for name in trial.used - set(self.registers)}
        if not all(isinstance(value, int) for value in reads.values()):
            raise OpenError("the permutation reads more than numbers and the state")
        scratch = trial.fresh - set(self.registers)
        self.permutations.setdefault(head, []).append((reads, scratch, rounds))
        return scratch

    def _written(self, m: Thread, want: Mapping[str, Mapping[int, Bits]], what: str) -> None:
        """Exactly these bytes are written, and they are right."""
        target = "in" if self.task.in_place else "out"
        wanted = {(target if name == "out" else name): cells for name, cells in want.items()}
        for name, written in m.written.items():
            cells = wanted.get(name, {})
            if written != set(cells):
                at = min(written ^ set(cells))
                said = "is written" if at in written else "is not written"
                raise UnequalError(f"{what}: byte {at} of {name} {said}")
            for at, byte in sorted(cells.items()):
                for x, y in zip(m.memory[name][at], byte, strict=True):
                    if not self.g.same(x, y):
                        raise UnequalError(f"{what}: byte {at} of {name} is not proved")

    # Messages on numbers

    def _wrong_message(self) -> Counterexample | None:
        """A message that comes out wrong, if one of a few does."""
        rate = self.aead.rate
        sizes = [(0, rate), (0, 0), (3, 0), (rate, 2 * rate + 3), (rate + 1, rate - 1)]
        sizes += [(2 * rate + 1, 1), (5, 2 * rate), (0, 3 * rate + 7)]
        try:
            return self.on_numbers(sizes)
        except (OpenError, RefusedError):
            return None

    def on_numbers(self, sizes: Iterable[tuple[int, int]]) -> Counterexample | None:
        """Run messages with so many bytes of associated data and of text on numbers; the first that
        comes out wrong.
        """
        source = random.Random(1)
        for ad_size, size in sizes:
            for skew, draw in ((0, bytes), (0, source.randbytes), (5, source.randbytes)):
                given = {"keys": draw(TAG), "nonces": draw(self.aead.nonce_size)}
                given |= {"ad": draw(ad_size), "in": draw(size)}
                for right in (True, False) if self.aead.opening else (True,):
                    found = self._message(given, skew, right)
                    if found is not None:
                        return found
        return None

    def _message(self, given: dict[str, bytes], skew: int, right: bool) -> Counterexample | None:
        """The case of a message if it comes out wrong."""
        found = self.aead.spec
        real = replace(found, permutation=self.aead.real)
        sealed = real.seal(given["nonces"], given["ad"], given["in"], given["keys"])
        size = len(given["in"])
        contents = dict(given)
        want = {"out": sealed[:size], "tags": sealed[size:], "status": b"\0"}
        if self.aead.opening:
            tag = sealed[size:] if right else bytes([sealed[size] ^ 1]) + sealed[size + 1 :]
            contents |= {"in": sealed[:size], "tags": tag}
            want = {"out": given["in"] if right else bytes(size)}
            want["status"] = bytes([0 if right else BAD_TAG])
            try:
                real.open(given["nonces"], given["ad"], contents["in"] + tag, given["keys"])
            except InvalidTag:
                assert not right
        case = self._thread("message", True, dict.fromkeys(VARIABLES, 0))
        lengths = {"offsets": size, "ad_offsets": len(given["ad"])}
        windows = {}
        for name, window in case.windows.items():
            data = contents.get(name, want.get(name, b""))
            public: dict[int, Name] = {0: skew, 8: skew + lengths[name]} if name in lengths else {}
            low = skew if name in ("in", "out", "ad") else 0
            spans = ((low, low + (16 if name in lengths else len(data))),)
            windows[name] = Window({}, spans, window.access, public)
        target = "in" if self.task.in_place else "out"
        both = f"(in + {skew} | {target} + {skew})"
        bounds = case.bounds | {f"({both} + 0 & 15)": (skew, skew)}
        special: dict[str, Value] = {"%ctaid.x": 0, "%ntid.x": THREADS, "%tid.x": 0}
        aligned = dict.fromkeys(("in", "out", "ad"), VECTOR)
        values: dict[str, Value] = {
            "messages": 1,
            "in": Lin(0, {"in": 1}),
            "out": Lin(0, {target: 1}),
            "ad": Lin(0, {"ad": 1}),
        }
        m = self.machine(
            replace(case, special=special, bounds=bounds, values=values, windows=windows, contents={},
                    alignment=case.alignment | aligned)
        )  # fmt: skip
        for name, data in contents.items():
            low = skew if name in ("in", "ad") else 0
            m.memory[name].update((low + i, number_bits(byte, 8)) for i, byte in enumerate(data))
        m.run()

        def shown(name: str, count: int) -> str:
            place = target if name == "out" else name
            low = skew if name == "out" else 0
            numbers = [folded(m.memory[place].get(low + i, (0,) * 8)) for i in range(count)]
            return bytes(x for x in numbers if isinstance(x, int)).hex()

        made = {name: shown(name, len(data)) for name, data in want.items()}
        wanted = {name: data.hex() for name, data in want.items()}
        if made == wanted:
            return None
        return Counterexample(
            1, {name: data.hex() for name, data in contents.items()}, wanted, made
        )


def _said(amount: Amount) -> str:
    return "a block and more" if amount is None else str(amount)


def _cut(bits: Sequence[int], width: int) -> list[Sequence[int]]:
    return [bits[at : at + width] for at in range(0, len(bits), width)]


class SpongeLaunch(Launch):
    """One proof of an AEAD in PTX."""


def sponge_launches(kernel: Kernel) -> Iterator[SpongeLaunch]:
    """Every proof that an AEAD in PTX needs; NoHarnessError where the prover cannot state it."""
    aead = aead_of(kernel)
    if kernel.aliasing != "out == in allowed":
        raise NoHarnessError(f"no meaning for aliasing: {kernel.aliasing}")
    if kernel.blocks != 1:
        raise RefusedError(f"{kernel.blocks} blocks given, 1 expected")
    wanted = dict.fromkeys(("out", "in"), "last offset")
    wanted |= {"keys": f"{TAG} * messages", "nonces": f"{aead.nonce_size} * messages"}
    wanted |= {"tags": f"{TAG} * messages", "offsets": "8 * messages + 8"}
    wanted |= {"ad": "last offset of ad_offsets", "ad_offsets": "8 * messages + 8"}
    wanted |= {"status": "messages", "messages": ""}
    checked(kernel, wanted, ("out", "status", *(() if aead.opening else ("tags",))))
    for name, in_place in (("separate", False), ("in place", True)):
        yield SpongeLaunch(kernel, name, in_place, lambda numbers: iter(()))
