# SPDX-License-Identifier: Apache-2.0
"""``hanji list``, ``bench`` and ``selftest``: what there is, and what this machine does with it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import hanji
from hanji import _core
from hanji._catalogue import similar
from hanji.cli.commands import argument, command, json_option
from hanji.cli.terminal import write_text

# The status of an algorithm in one word, best first: what the words mean.
_ADVICE = {
    "recommended": "the choice for new designs",
    "ok": "sound within its limits, but not the first choice",
    "legacy": "only for devices and data that use it already",
    "research": "attacks come close to the full algorithm: for study only",
    "broken": "it protects nothing any more: for study only",
}
_NOT_BUILT = (
    "for study, install hanji with it: make -C papers/rainbow-armv8 python (in a clone of hanji)"
)


def _is_built(a: hanji.Algorithm) -> bool:
    """Whether the functions of an algorithm are here; those of Rainbow are a library of their own,
    which most installations leave out.
    """
    if not a.name.startswith("rainbow-"):
        return True
    library = "_librainbow.dll" if sys.platform == "win32" else "_librainbow.so"
    return Path(_core.__file__).with_name(library).exists()


@command("list", example="hanji list ascon-aead128")
@argument("names", "[NAME]...", "Algorithms to describe; default: one line for each.", nargs=-1)
@json_option
def list_(names: tuple[str, ...], as_json: bool) -> None:
    """List the algorithms, recommended ones first, and the backends and GPUs of this machine. With
    NAME: sizes in bytes, data limit, standard and status of that algorithm.
    """
    known = {a.name: a for a in hanji.algorithms()}
    for name in names:
        if name not in known:
            hint = similar(name, known, "hanji list names all")
            raise click.BadParameter(f"no algorithm has this name; {hint}", param_hint="NAME")
    chosen = [known[name] for name in names] or list(known.values())
    if as_json:
        import dataclasses
        import json

        rows = [
            {
                **dataclasses.asdict(a),
                "built": _is_built(a),
                "build_hint": "" if _is_built(a) else _NOT_BUILT,
            }
            for a in chosen
        ]
        write_text(json.dumps(rows, indent=2) + "\n")
        return
    if names:
        write_text("\n".join(map(_details, chosen)))
        return
    ranked = sorted(chosen, key=lambda a: (list(_ADVICE).index(a.advice), a.kind == "block"))
    wide = max(len(a.name) for a in ranked)
    absent = {a.name for a in ranked if not _is_built(a)}
    lines = [
        f"{a.advice:<11}  {a.name:<{wide}}  {a.kind}{' (not built)' * (a.name in absent)}"
        for a in ranked
    ]
    lines.append("")
    lines += [f"{word:<11}  {meaning}" for word, meaning in _ADVICE.items()]
    if absent:
        lines.append(f"{'not built':<11}  {_NOT_BUILT}")
    lines.append("")
    for backend in hanji.backends():
        state = (
            "in use"
            if backend["selected"]
            else "available, not in use (HANJI_FORCE)"
            if backend["available"]
            else "not on this machine"
        )
        lines.append(f"backend {backend['name']}: {state}")
    write_text("\n".join([*lines, *_gpu_lines()]) + "\n")


def _details(a: hanji.Algorithm) -> str:
    """What there is to know about one algorithm."""
    sizes = {
        "key": a.key_size,
        "nonce": a.nonce_size,
        "block": a.block_size,
        "tag": a.tag_size,
        "digest": a.digest_size,
    }
    if a.kind == "signature":
        sizes = {"private key": a.key_size, "public key": a.block_size, "signature": a.tag_size}
    rows = {
        "kind": a.kind,
        "bytes": ", ".join(f"{name} {size}" for name, size in sizes.items() if size),
        "data limit": a.data_limit,
        "standard": a.standard,
        "status": f"{a.advice}: {a.status.removeprefix('BROKEN: ')}",
        "not built": "" if _is_built(a) else _NOT_BUILT,
    }
    lines = [f"  {title:<11} {text}" for title, text in rows.items() if text]
    return "\n".join([a.name, *lines]) + "\n"


def _gpu_lines() -> list[str]:
    """A line per GPU, or one that says why there is none."""
    try:
        from hanji import gpu

        found = gpu.devices()
    except (ImportError, hanji.HanjiError) as error:
        return [f"GPU: none; {error}"]
    about = [
        f"GPU {device}: {device.name}, {device.memory / (1 << 30):.0f} GiB, compute capability "
        f"{'.'.join(map(str, device.compute_capability))}, "
        f"{device.multiprocessors} multiprocessors"
        + (f"; cannot be used: {device.problem}" if device.problem else "")
        for device in found
    ]
    return about or [f"GPU: none; {gpu.reason()}"]


@command("bench", example="hanji bench 'ascon*' --size 4096")
@argument(
    "pattern",
    "[NAME]...",
    "Algorithms to measure, such as 'speck*' (quoted); default: a selection.",
    nargs=-1,
)
@click.option(
    "--size",
    type=click.IntRange(1, 1 << 28),
    multiple=True,
    help="Bytes of a message; may be given more than once. Default: 16 B to 1 MiB.",
)
@click.option(
    "--sweep",
    is_flag=True,
    help="Measure many lengths from 1 to 2048 bytes, and print nanoseconds per call.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.001, 10),
    default=0.1,
    help="Time spent on each figure.",
)
@click.option(
    "--all-backends",
    "backends",
    is_flag=True,
    help="Measure every backend that runs here, not only the selected one.",
)
@click.option(
    "--peers/--no-peers",
    default=True,
    help="Measure Crypto++ and OpenSSL in the same run, where they are installed.",
)
@click.option(
    "--clock-ghz",
    type=click.FloatRange(0.01, 20),
    help="Clock by which seconds become cycles; default: that of the time stamp counter.",
)
@click.option(
    "--device",
    metavar="DEVICE",
    help='Measure a GPU instead, "cuda" or "cuda:1"; by default 1, 16 and 256 MiB in a call.',
)
@json_option
def bench(
    pattern: tuple[str, ...],
    size: tuple[int, ...],
    sweep: bool,
    seconds: float,
    backends: bool,
    peers: bool,
    clock_ghz: float | None,
    device: str | None,
    as_json: bool,
) -> None:
    """Measure speed through the Python API, by algorithm, message size and backend, next to
    Crypto++ where it is installed.

    Where OpenSSL is installed, its AES-128-CTR, AES-128-GCM and ChaCha20-Poly1305 are at the end for
    comparison.
    Figures are the best of several runs in one thread. With --device each call is waited for;
    arrays are in device memory, then in host memory and are copied there and back.

    Example: hanji bench --sweep ascon-aead128 speck-64/128
    """
    from hanji.cli import bench as measure

    if sweep and (size or device is not None):
        raise click.BadParameter(
            "--size and --device cannot be combined with --sweep", param_hint="--sweep"
        )
    if device is not None:
        if backends or clock_ghz is not None:
            raise click.BadParameter(
                "--all-backends and --clock-ghz are for the processor", param_hint="--device"
            )
        measure.run_device(pattern, size, seconds, device, as_json)
        return
    measure.run(pattern, size, seconds, backends, peers, clock_ghz, as_json, sweep)


@command("selftest", example="hanji selftest")
def selftest() -> None:
    """Check every algorithm against a known answer, on this machine."""
    results = hanji.selftest()
    for name in results:
        write_text(f"{name}: OK\n")
    write_text(f"{len(results)} algorithms answer as they should\n")
