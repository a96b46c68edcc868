# SPDX-License-Identifier: Apache-2.0
"""Whole calls of the library on AArch64: executed instructions with every tier of kernels, and what
the model of the Cortex-A72 makes of them.

A call is counted from the caller's first instruction to the return: arguments, dispatch, kernels,
wiping, and what it takes of the C library. The model has loads and stores in it (as from the
first-level cache), no branches that are foretold wrong and no cache misses. It is an estimate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from . import depends
from .checkout import LabError
from .machines.aarch64 import pipeline
from .results import Provenance, Result, tool_version
from .trace import AARCH64, count_call

FLAGS = "-O3 -DNDEBUG"
TIERS = {
    "portable": "cortex-a72",
    "neon": "cortex-a72",
    "crypto": "neoverse-n1",
    "sha3": "max",
}  # and the cores to run them on
COUNTED = ("portable", "neon", "sha3")
MODEL_TIERS = ("portable", "neon")  # those that a Cortex-A72 selects
MODEL_BYTES, MODEL_INSTRUCTIONS = 4096, 300_000  # longer calls have no figure of the model


@dataclass(frozen=True)
class LibraryCall:
    """One call in C: its name, and what stands before main, before the call and in it."""

    algorithm: str
    operation: str
    bytes: int
    messages: int
    declarations: str
    call: str
    prepare: str = "(void)0"

    @property
    def name(self) -> str:
        """For example schwaemm256-128 encrypt 64x16."""
        return f"{self.algorithm} {self.operation} {f'{self.messages}x' if self.messages > 1 else ''}{self.bytes // self.messages}"


def _aead(size: int) -> LibraryCall:
    declarations = f"static uint8_t key[16], nonce[32], text[{size}], sealed[{size} + HANJI_SCHWAEMM256_128_TAG_BYTES];"
    call = "hanji_schwaemm256_128_encrypt(sealed, text, sizeof text, NULL, 0, nonce, key)"
    return LibraryCall("schwaemm256-128", "encrypt", size, 1, declarations, call)


_FLEET = """
#define MESSAGES {messages}
#define EACH {size}
static int64_t offsets[MESSAGES + 1];
static uint8_t keys[MESSAGES * 16], nonces[MESSAGES * 32], tags[MESSAGES * 32], text[MESSAGES * EACH + 1], out[MESSAGES * EACH + 1];
static int8_t status[MESSAGES];
static hanji_fleet fleet = {{.messages = MESSAGES, .offsets = offsets, .input = text, .output = out, .status = status, .limit = UINT64_MAX}};
static void prepare(void)
{{
    for (int i = 0; i <= MESSAGES; i++)
        offsets[i] = (int64_t)i * EACH;
    {fields}
}}
"""


def _fleet(
    algorithm: str, operation: str, fields: str, call: str, size: int, messages: int = 64
) -> LibraryCall:
    declarations = _FLEET.format(messages=messages, size=size, fields=fields)
    return LibraryCall(
        algorithm, operation, messages * size, messages, declarations, call, "prepare()"
    )


_SEAL = "fleet.keys = keys, fleet.key_stride = 16, fleet.nonces = nonces, fleet.nonce_bytes = 32, fleet.tags = tags, fleet.tag_bytes = 16;"


def schwaemm_fleet(size: int, messages: int = 64) -> LibraryCall:
    """Seal so many messages of `size` bytes with SCHWAEMM256-128 in one call."""
    return _fleet(
        "schwaemm256-128",
        "fleet",
        _SEAL,
        "hanji_schwaemm256_128_fleet_encrypt(&fleet)",
        size,
        messages,
    )


_HASH = "fleet.output = NULL, fleet.tags = tags, fleet.tag_bytes = 32;"


def ascon_seal(size: int) -> LibraryCall:
    """Seal a message of `size` bytes with Ascon-AEAD128, without associated data."""
    declarations = f"static uint8_t key[16], nonce[16], text[{size}], sealed[{size} + 16];"
    call = "hanji_ascon_aead128_encrypt(sealed, text, sizeof text, NULL, 0, nonce, key)"
    return LibraryCall("ascon-aead128", "encrypt", size, 1, declarations, call)


def ascon_hash(size: int) -> LibraryCall:
    """Hash a message of `size` bytes with Ascon-Hash256."""
    declarations = f"static uint8_t digest[32], text[{size}];"
    call = "hanji_ascon_hash256(digest, text, sizeof text)"
    return LibraryCall("ascon-hash256", "hash", size, 1, declarations, call)


def ascon_fleet(size: int, messages: int = 64) -> LibraryCall:
    """Seal so many messages of `size` bytes with Ascon-AEAD128 in one call, each with its key."""
    fields = _SEAL.replace("nonce_bytes = 32", "nonce_bytes = 16")
    call = "hanji_ascon_aead128_fleet_encrypt(&fleet)"
    return _fleet("ascon-aead128", "fleet", fields, call, size, messages)


def ascon_hash_fleet(size: int, messages: int = 64) -> LibraryCall:
    """Hash so many messages of `size` bytes with Ascon-Hash256 in one call."""
    call = "hanji_ascon_hash256_fleet(&fleet)"
    return _fleet("ascon-hash256", "fleet", _HASH, call, size, messages)


_CTR = """static hanji_speck64_128_ctx keyed;
static hanji_ctr_ctx ctr;
static uint8_t key[16], nonce[8], text[{size}];
static void prepare(void)
{{
    (void)hanji_block_init(key, sizeof key, hanji_speck64_128(), &keyed.head, sizeof keyed);
    (void)hanji_block_set_limit(UINT64_MAX, &keyed.head);
    (void)hanji_ctr_init(nonce, sizeof nonce, &keyed.head, &ctr);
}}"""


def _ctr(size: int) -> LibraryCall:
    return LibraryCall(
        "speck-64/128",
        "ctr",
        size,
        1,
        _CTR.format(size=size),
        "hanji_ctr_update(text, text, sizeof text, &ctr)",
        "prepare()",
    )


def _hash(size: int) -> LibraryCall:
    declarations = f"static uint8_t digest[32], text[{size}];"
    return LibraryCall(
        "esch256", "hash", size, 1, declarations, "hanji_esch256(digest, text, sizeof text)"
    )


CALLS = (
    *(_aead(size) for size in (16, 64, 1024)),
    *(schwaemm_fleet(size) for size in (16, 64, 1024)),
    *(_hash(size) for size in (64, 1024)),
    *(
        _fleet("esch256", "fleet", _HASH, "hanji_esch256_fleet(&fleet)", size)
        for size in (64, 1024)
    ),
    *(_ctr(size) for size in (64, 1024, 16384)),
    *(ascon_seal(size) for size in (16, 64, 1024)),
    *(ascon_fleet(size) for size in (16, 64, 1024)),
    *(ascon_hash(size) for size in (64, 1024)),
    *(ascon_hash_fleet(size) for size in (64, 1024)),
)


def chosen(pattern: str) -> list[LibraryCall]:
    """The calls whose name matches a glob; LabError when none does."""
    found = [call for call in CALLS if fnmatchcase(call.name, pattern)]
    if not found:
        raise LabError(
            f"no call matches {pattern!r}; there are {', '.join(call.name for call in CALLS)}"
        )
    return found


def origin(
    root: Path, call: LibraryCall, tier: str, tools: Sequence[str], command: str
) -> Provenance:
    """Where the figures of a call with a tier come from."""
    units: tuple[str, ...]
    named: set[str] | None
    if call.algorithm.startswith("speck"):
        units, named = ("src/speck/*", *depends.CTR), {"speck64"}
    elif call.algorithm.startswith("ascon"):
        units, named = ("src/ascon/*", "src/fleet/*.c"), None
    else:
        units, named = depends.SPONGE, depends.sponge(call.algorithm)
    measured = depends.library(
        root, units, depends.TIERS[tier], named, ("lab/calls.py", "lab/trace/*.[ch]")
    )
    return Provenance(measured, list(tools), FLAGS, command)


def measure(
    root: Path,
    calls: Sequence[LibraryCall],
    command: str,
    tiers: Sequence[str] = COUNTED,
    model: bool = True,
) -> Iterator[Result]:
    """Instructions of every call with every tier, and cycles by the model of the Cortex-A72 where
    its tiers run and llvm-mca is there.
    """
    if reason := AARCH64.why_not() or (pipeline.mca_why_not() if model else None):
        raise LabError(reason)
    if unknown := [tier for tier in tiers if tier not in TIERS]:
        raise LabError(f"tier {unknown[0]!r} given, one of {', '.join(TIERS)} expected")
    tools = [tool_version(AARCH64.emulator), tool_version(AARCH64.compiler)]
    for call in calls:
        for tier in tiers:
            with_model = model and tier in MODEL_TIERS and call.bytes <= MODEL_BYTES
            region = count_call(
                root, call.name, call.declarations, call.call, prepare=call.prepare, flags=FLAGS, tier=tier, cpu=TIERS[tier],
                trace=with_model, detail="order" if with_model else "yes",
            )  # fmt: skip
            more = {
                "messages": call.messages,
                "instructions_per_byte": round(region.instructions / call.bytes, 3),
            }
            counted = Result(
                f"{call.algorithm} {tier}", "qemu:aarch64", "count", call.operation, call.bytes, origin(root, call, tier, tools, command),
                cache=None, instructions=region.instructions, more=more,
            )  # fmt: skip
            yield counted
            if with_model and region.instructions <= MODEL_INSTRUCTIONS:
                queue = pipeline.QueueModel()
                cycles = queue.simulate(
                    queue.operations(pipeline.straight_line(region.executed(), memory=True)), 1
                )
                yield replace(
                    counted, machine="model:a72", kind="model", cycles=cycles, cycles_per_byte=cycles / call.bytes, more={"messages": call.messages},
                    provenance=origin(root, call, tier, [*tools, f"{pipeline.MCA} {pipeline.MCA_VERSION}"], command),
                )  # fmt: skip
