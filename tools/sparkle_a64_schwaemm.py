# SPDX-License-Identifier: Apache-2.0
"""SCHWAEMM256-128 for five messages on AArch64: chunks go into states between permutations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sparkle_a64_many import VECTORS, power_table, q, quads, transposed, v
from sparkle_a64_one import Steps, general_steps, vector_steps
from sparkle_a64_schedule import A72, Code, Tuning, schedule_or_plain
from sparkle_a64_steps import CONSTANTS, SIZES, Kit, branches
from sparkle_a64_text import file, function, header, lines, pairs, restore, save, w


@dataclass(frozen=True)
class Lanes:
    """The two kinds of registers that hold words of messages: how they are xored and moved, and the
    letter of their temporaries.
    """

    kind: str
    pipe: str
    eor: str
    move: str


VECTOR_LANES = Lanes("v", "V", "eor {d}.16b, {0}.16b, {1}.16b", "mov {d}.16b, {0}.16b")
OWN_LANE = Lanes("w", "I", "eor {d}, {0}, {1}", "mov {d}, {0}")


# Byte offsets in hanji_lanes_run, which has room for 8 lanes.
RUN_IN, RUN_OUT, RUN_IN_STEP, RUN_OUT_STEP, RUN_OPENED, RUN_PLAIN, RUN_BYTES = (
    0,
    64,
    128,
    192,
    256,
    288,
    296,
)


RATE = 32
OWN_TABLE = 8 * 16  # where the constants of lane 4 lie, behind those of the vectors and the factors


def pointers(code: Code, offset: int, lane: int, *after: str) -> tuple[str, str]:
    """Pointers of this lane and the next from hanji_lanes_run, which is at x1; loaded when `after`
    is there, not earlier.
    """
    first, second = code.temporary("x"), code.temporary("x")
    code.put(f"ldp {{d}}, {{e}}, [x1, #{offset + 8 * lane}]", "L", first, *after, also=second)
    return first, second


def pointer(code: Code, offset: int, lane: int, *after: str) -> str:
    """That of one lane."""
    found = code.temporary("x")
    code.put(f"ldr {{d}}, [x1, #{offset + 8 * lane}]", "L", found, *after)
    return found


def put_in(
    code: Code,
    lanes: Lanes,
    old: Sequence[str],
    new: Sequence[str],
    chunk: Sequence[str],
    after: Sequence[str] = (),
) -> None:
    """FeistelSwap, chunk and rate-whitening of SCHWAEMM256-128.

    Words of the state go from the registers `old`, where seven steps have left them, to `new`, from
    which the next seven begin. Branch j is then in the register of new branch 4, 5, 3, 0, 1, 2: the
    order here writes none that is still read. Nothing of it is done before `after`, which saves
    registers.
    """
    put = code.put
    sums = [code.temporary(lanes.kind) for _ in range(4)]
    for i, total in enumerate(sums):
        put(lanes.eor, lanes.pipe, total, old[4 + i], old[8 + i], *chunk, *after)
    for pair in (0, 2):
        for i in (pair, pair + 1):
            put(lanes.eor, lanes.pipe, new[i], chunk[i], sums[i])
        for i in (pair, pair + 1):
            put(lanes.eor, lanes.pipe, sums[i], sums[i], old[i])
        for i in (pair, pair + 1):
            put(lanes.move, lanes.pipe, new[8 + i], old[8 + i])
    for i, total in enumerate(sums):
        put(lanes.eor, lanes.pipe, new[4 + i], chunk[4 + i], total)


def absorb_vectors(
    code: Code, old: Sequence[str], new: Sequence[str], offsets: Sequence[str]
) -> None:
    """A chunk of lanes 0 .. 3 from their messages into the states, and what comes out to where it
    goes. A piece is read before it is written.

    With `offsets`, those of both pieces from the pointers, no lane is opened.
    """
    put = code.put
    pieces: list[list[str]] = [[], []]
    where = offsets or ("#0", "#16")
    for pair in (0, 2):
        for at in pointers(code, RUN_IN, pair):
            for piece in range(2):
                pieces[piece].append(code.temporary("v"))
                put(f"ldr {{d}}, [{{0}}, {where[piece]}]", "L", pieces[piece][-1], at)
    mask = code.temporary("v")
    if not offsets:
        put(f"ldr {{d}}, [x1, #{RUN_OPENED}]", "L", mask)
    chunk = []
    ready: Sequence[str] = []
    for piece in range(2):
        words = transposed(code, pieces[piece])
        out = []
        for word, state in zip(words, old[4 * piece :], strict=False):
            out.append(code.temporary("v"))
            # piece 1 after piece 0: that needs fewer registers
            put(VECTOR_LANES.eor, "V", out[-1], word, state, *ready)
            if not offsets:
                put("bit {d}.16b, {0}.16b, {1}.16b", "V", word, out[-1], mask, word)
        chunk += words
        ready = transposed(code, out)
        for pair in (0, 2):
            for lane, at in enumerate(pointers(code, RUN_OUT, pair, *ready[pair : pair + 2]), pair):
                put(
                    f"str {{0}}, [{{1}}, {where[piece]}]",
                    "W",
                    f"message {lane} {piece}",
                    ready[lane],
                    at,
                )
    put_in(code, VECTOR_LANES, old, new, chunk)


def absorb_own(code: Code, old: Sequence[str], new: Sequence[str], offsets: Sequence[str]) -> None:
    """The same for lane 4, in general registers."""
    put = code.put
    mask = code.temporary("w")
    at = pointer(code, RUN_IN, 4)
    if offsets:
        put(f"add {{d}}, {{0}}, {offsets[0]}", "I", at, at)
    else:
        put(f"ldr {{d}}, [x1, #{RUN_OPENED + 16}]", "L", mask)
    chunk = [code.temporary("w") for _ in range(8)]
    for i in range(0, 8, 2):
        put(f"ldp {{d}}, {{e}}, [{{0}}, #{4 * i}]", "L", chunk[i], at, also=chunk[i + 1])
    to = pointer(code, RUN_OUT, 4, chunk[0])
    if offsets:
        put(f"add {{d}}, {{0}}, {offsets[0]}", "I", to, to)
    for i in range(0, 8, 2):
        out = [code.temporary("w") for _ in range(2)]
        for j in range(2):
            put(OWN_LANE.eor, "I", out[j], chunk[i + j], old[i + j])
        put(f"stp {{0}}, {{1}}, [{{2}}, #{4 * i}]", "W", f"message 4 {i}", *out, to)
        for j in range(2) if not offsets else ():
            put("and {d}, {0}, {1}", "I", out[j], old[i + j], mask)
            put(OWN_LANE.eor, "I", chunk[i + j], chunk[i + j], out[j])
    put_in(code, OWN_LANE, old, new, chunk, [f"message 4 {i}" for i in range(0, 8, 2)])


def schwaemm_x5(tuning: Tuning) -> str:
    """Whole chunks of five messages of SCHWAEMM256-128, state and rounds without a way through
    memory between them.
    """
    size = next(size for size in SIZES if size.bits == 384)
    name = "hanji_schwaemm256_128_neon_run_x5"
    words, (powers, half, *pool) = [v(n) for n in VECTORS[:12]], [v(n) for n in VECTORS[12:]]
    registers = [n for n in range(2, 31) if n != 18]
    own, rest = [w(n) for n in registers[:12]], registers[12:]
    kept, kept_vectors = [f"x{n}" for n in range(19, 31)], [f"d{n}" for n in range(8, 16)]
    start, own_start = branches(words), branches(own)
    end, own_end = start, own_start
    for _ in range(size.slim):
        end, own_end = end.permuted(), own_end.permuted()

    def round_(*offsets: str) -> list[str]:
        code = Code()
        absorb_vectors(code, end.words(), start.words(), offsets)
        absorb_own(code, own_end.words(), own_start.words(), offsets)
        # Constants take registers when the chunk has left them: each is loaded after the words of a
        # branch.
        constants, own_constants = (
            [code.temporary(kind) for _ in range(size.slim)] for kind in "vw"
        )
        for names, place, table, step in (
            (constants, start, 0, 16),
            (own_constants, own_start, OWN_TABLE, 4),
        ):
            for i in range(0, size.slim, 2):
                ready = [
                    register
                    for j in (i, i + 1)
                    if j < size.branches
                    for register in (place.x[j], place.y[j])
                ] or [place.y[-1]]
                if i + 1 < size.slim:
                    code.put(
                        f"ldp {{d}}, {{e}}, [x0, #{table + step * i}]",
                        "L",
                        names[i],
                        *ready,
                        also=names[i + 1],
                    )
                else:
                    code.put(f"ldr {{d}}, [x0, #{table + step * i}]", "L", names[i], *ready)
        kit = Kit(constants, half="" if tuning.packed else half, powers=powers, tuning=tuning)
        Steps([vector_steps(start, kit), general_steps(own_start, own_constants)]).run(
            0, size.slim, code
        )
        free = [n for n in rest if f"x{n}" not in offsets]
        own_pool = [*(w(n) for n in free[:-3]), *(f"x{n}" for n in free[-3:])]
        return quads(
            schedule_or_plain(
                code, [*([half] if tuning.packed else []), *pool, *own_pool], A72, tuning
            )
        )

    def state(operation: str) -> list[str]:
        return [
            *(
                f"{operation} {q(a)}, {q(b)}, [x0, #{32 * i}]"
                for i, (a, b) in enumerate(pairs(end.words()))
            ),
            *(
                f"{operation} {a}, {b}, [x0, #{192 + 8 * i}]"
                for i, (a, b) in enumerate(pairs(own_end.words()))
            ),
        ]

    prepare = [*state("ldp"), "adr x0, .Lconstants", f"ldr {q(powers)}, [x0, #{16 * size.slim}]"]
    if not tuning.packed:
        prepare.append(f"movi {half}.2d, #0x0000ffff0000ffff")
    a, b = pool[:2]
    advance = [
        line
        for pointers, step in ((RUN_IN, RUN_IN_STEP), (RUN_OUT, RUN_OUT_STEP))
        for i in range(0, 48, 16)
        for line in (
            f"ldr {q(a)}, [x1, #{pointers + i}]",
            f"ldr {q(b)}, [x1, #{step + i}]",
            f"add {a}.2d, {a}.2d, {b}.2d",
            f"str {q(a)}, [x1, #{pointers + i}]",
        )
    ]
    return file(
        (
            "SCHWAEMM256-128 (section 2.3), whole chunks of five messages at a time: four in "
            "vectors and one in general registers."
        ),
        header(
            name, size, "neon", 5, "uint32_t *state, hanji_lanes_run *run, size_t rounds",
            f"x0: {{buffer: state, bytes: {20 * size.words}, access: rw}}, x1: {{buffer: "
            f"run, bytes: {RUN_BYTES}, access: rw}}, "
            "x2: {value: rounds}",
            (
                "Rounds of whole chunks, straight from messages and back, at least one: "
                "sponge_lanes.h says what `run` is."
            ),
            8 * (len(kept) + len(kept_vectors)) + 16, "state", "schwaemm256_128.absorb_blocks",
        ),
        function(
            name,
            save(kept),
            save(kept_vectors),
            "stp x0, x2, [sp, #-16]!",
            [f"ldr x3, [x1, #{RUN_PLAIN}]", "cbz x3, .Lgeneral"],
            (
                "// Every lane moves on in the same way, and none is opened: pointers go to the "
                "end at once, offsets up to zero."
            ),
            [f"lsl x3, x2, #{RATE.bit_length() - 1}", f"dup {a}.2d, x3"],
            [
                line
                for at in (*range(RUN_IN, RUN_IN + 48, 16), *range(RUN_OUT, RUN_OUT + 48, 16))
                for line in (f"ldr {q(b)}, [x1, #{at}]", f"add {b}.2d, {b}.2d, {a}.2d", f"str {q(b)}, [x1, #{at}]")
            ],
            ["neg x29, x3", "add x30, x29, #16"],
            prepare,
            ".Lplain:",
            round_("x29", "x30"),
            [f"adds x29, x29, #{RATE}", "add x30, x29, #16", "b.ne .Lplain", "b .Ldone"],
            ".Lgeneral:",
            prepare,
            ".Lround:",
            round_(),
            advance,
            ["ldr x30, [sp, #8]", "subs x30, x30, #1", "str x30, [sp, #8]", "b.ne .Lround"],
            ".Ldone:",
            "ldr x0, [sp], #16",
            state("stp"),
            restore(kept_vectors),
            restore(kept),
            "ret",
            lines(
                [".p2align 4", ".Lconstants:"],
                [f".word {', '.join([f'0x{c:08x}'] * 4)}" for c in CONSTANTS[: size.slim]],
                power_table(Kit(powers=powers)),
                [".word " + ", ".join(f"0x{c:08x}" for c in CONSTANTS[: size.slim])],
            ),
        ),
    )  # fmt: skip
