# SPDX-License-Identifier: Apache-2.0
"""The calls of hanji_equal whose verdict is public, each with the reason.

Everybody sees whether a message was accepted. But code that asks hanji_equal for one byte of a key
after the other reads the key, so that no verdict is public but those of the calls below: by source
file and text of the call. Which calls of the compiled harness these are, its line numbers say.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..checkout import LabError, find_program, run

_TAG = "whether a tag was right is public"
PUBLIC_VERDICTS = {
    ("src/ascon/aead.c", "hanji_equal(expected, given, tag_bytes)"): _TAG,
    (
        "src/ascon/aead.c",
        "hanji_equal(key, key + ASCON_KEY, ASCON_KEY)",
    ): "whether the halves of a key with a mask are equal is public: such a key is refused",
    (
        "src/ascon/aead_fleet.c",
        "hanji_equal(tag, item->tag, HANJI_ASCON_AEAD128_TAG_BYTES)",
    ): _TAG,
    (
        "src/ascon/aead_fleet.c",
        "hanji_equal(made, given, count * size)",
    ): "whether all tags of some messages were right is public",
    ("src/ascon/aead_fleet.c", "hanji_equal(made, given, size)"): _TAG,
    ("src/modes/cmac.c", "hanji_equal(whole, tag, tag_bytes)"): _TAG,
    ("src/modes/eax.c", "hanji_equal(whole, tag, ctx->tag_bytes)"): _TAG,
    ("src/modes/chain_lanes.c", "hanji_equal(whole, m->tag, job->tag_bytes)"): _TAG,
    ("src/modes/cmac_fleet.c", "hanji_equal(whole, tag, size)"): _TAG,
    ("src/sparkle/schwaemm.c", "hanji_equal(expected, given, 4 * c->capacity)"): _TAG,
    ("src/sparkle/schwaemm_engine.h", "hanji_equal(tag, item->tag, capacity)"): _TAG,
    ("src/sparkle/sponge_wide.h", "hanji_equal(tags + at * capacity, item->tag, capacity)"): _TAG,
    (
        "src/aimer/protocol.c",
        "hanji_equal(again1, h1, digest)",
    ): "whether a signature is right is public",
    (
        "src/aimer/protocol.c",
        "hanji_equal(again2, h2, digest)",
    ): "whether a signature is right is public",
    (
        "src/aimer/aimer.c",
        "hanji_equal((const uint8_t *)ct, (const uint8_t *)parts[2], 8 * set->level->words)",
    ): "whether a secret key belongs to its public key is public",
    (
        "src/slhdsa/slhdsa.c",
        "hanji_equal(pre_hash, second, sizeof pre_hash)",
    ): "whether two computations of a hash agree is public",
    (
        "src/slhdsa/slhdsa.c",
        "hanji_equal(second, digest, bytes)",
    ): "whether two computations of a hash agree is public",
    (
        "src/slhdsa/verify.c",
        "hanji_equal((const uint8_t *)claims[c].node, "
        "(const uint8_t *)claims[c].pk_root, slh_n(set))",
    ): "whether a signature is right is public",
    (
        "src/slhdsa/stream.c",
        "hanji_equal(node, root, slh_n(v->set))",
    ): "whether a signature is right is public",
    (
        "src/slhdsa/stream.c",
        "hanji_equal(root, node, slh_n(v->set))",
    ): "whether a signature is right is public",
}
_CALL = re.compile(r"^\s*([0-9a-f]+):\s+call\S*\s+[0-9a-f]+ <__wrap_hanji_equal>$")
_NEXT = re.compile(r"^\s*([0-9a-f]+):\s")


def missing(root: Path) -> list[str]:
    """One sentence for each call of the list that is not in its file any more."""
    return [
        (
            f"{source}: no call `{call}` is there, which lab/ct/verdicts.py names: take it out, "
            "or correct it"
        )
        for source, call in PUBLIC_VERDICTS
        if _folded(call) not in _folded((root / source).read_text(encoding="utf-8"))
    ]


def sites(root: Path, harness: Path) -> dict[int, tuple[str, list[str]]]:
    """Where the calls of hanji_equal return to in the harness: the source file, and the calls on
    the line, each up to the end of the next line.
    """
    objdump = find_program("objdump", "binutils", "the constant-time check")
    calls, returns, pending = [], [], None
    for line in run([objdump, "-d", "--no-show-raw-insn", harness]).splitlines():
        if pending is not None and (found := _NEXT.match(line)):
            calls.append(pending)
            returns.append(int(found[1], 16))
            pending = None
        if found := _CALL.match(line):
            pending = int(found[1], 16)
    if not calls:
        return {}
    program = find_program("addr2line", "binutils", "the constant-time check")
    places = run([program, "-e", harness, *map(hex, calls)]).splitlines()
    found_sites = {}
    for address, place in zip(returns, places, strict=True):
        name, _, number = place.partition(" ")[0].rpartition(":")
        path = Path(name).resolve()
        if not number.isdigit() or not path.is_relative_to(root):
            continue
        line, *more = path.read_text(encoding="utf-8").splitlines()[
            int(number) - 1 : int(number) + 1
        ]
        starts = [found.start() for found in re.finditer(r"\bhanji_equal\(", line)]
        found_sites[address] = (
            str(path.relative_to(root)),
            [_folded("".join([line[start:], *more])) for start in starts],
        )
    return found_sites


def given(root: Path, harness: Path) -> str:
    """What the harness gets in the environment: the return addresses of the public calls, with the
    reasons.

    Where several calls stand on one line, each has to be on the list.
    """
    if problems := missing(root):
        raise LabError("\n".join(problems))
    found = []
    for address, (source, calls) in sites(root, harness).items():
        public = {
            _folded(call): reason
            for (file, call), reason in PUBLIC_VERDICTS.items()
            if file == source
        }
        reasons = [
            next((reason for call, reason in public.items() if text.startswith(call)), None)
            for text in calls
        ]
        if reasons and all(reasons):
            found.append(f"{address:x}={reasons[0]} ({source})")
    return ";".join(found)


def _folded(text: str) -> str:
    """The text without white space."""
    return "".join(text.split())
