# SPDX-License-Identifier: Apache-2.0
"""The PTX kernels without a GPU: assembled for real architectures, and their machine code run by an
emulator against the specification.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import catalogue
import generated
import gpu_kernels
import numpy as np
import pytest
import vectors_io

from hanji_lab import spec
from hanji_lab.gpu import assemble, ciphers, fleets, generate, ptx_path
from hanji_lab.gpu.sass import Buffer, EmulationError, Outcome, Parameter, parse, run

ROOT = Path(__file__).resolve().parents[2]
QUICK, ALL = (75, 90), (75, 80, 86, 89, 90, 100)
ARCHITECTURES = [
    pytest.param(a, id=f"sm_{a}", marks=[] if a in QUICK else [pytest.mark.slow]) for a in ALL
]
EMULATED = [pytest.param(a, id=f"sm_{a}", marks=[] if a == 90 else [pytest.mark.slow]) for a in ALL]
# ceilings by the end of the name; all others 128
REGISTERS = {"x32": 255, "simon128_128_sm75_fleet_x1": 168}

FILES = sorted(
    path.name
    for stem in ("any", "any_own")  # of the library, and of the paper
    for path in (ROOT / ptx_path(stem)).parent.glob("*.ptx")
)
CIPHERS = {
    cipher.key: (stem, cipher) for stem, variants in ciphers.FILES.items() for cipher in variants
}
STREAMS = [(key, operation) for key in CIPHERS for operation in ("encrypt", "decrypt", "ctr")]
SLICES = [
    (ciphers.FILES[stem][0].key, operation)
    for stem, operations in generate.SLICED.items()
    for operation in operations
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cubins")


@cache
def assembled(name: str, architecture: int, folder: Path) -> dict[str, assemble.Function]:
    return assemble.assemble(ROOT / ptx_path(name.removesuffix(".ptx")), architecture, folder)


def buffer(data: bytes | int) -> Buffer:
    """Bytes to read, or so many bytes to write."""
    if isinstance(data, int):
        return Buffer(np.full(data, 0xA5, np.uint8), True)
    return Buffer(np.frombuffer(data, np.uint8).copy())


def round_keys(key: str, secret: bytes) -> bytes:
    """Round keys as the word kernels want them: words of 32 bits, or of 64."""
    algorithm = spec.algorithm(key)
    return b"".join(
        int(k).to_bytes(max(4, algorithm.width // 8), "little")
        for k in algorithm.round_keys(secret)
    )


def masks(key: str, secret: bytes) -> bytes:
    algorithm = spec.algorithm(key)
    return b"".join(
        (0xFFFFFFFF if k >> i & 1 else 0).to_bytes(4, "little")
        for k in algorithm.round_keys(secret)
        for i in range(algorithm.width)
    )


def counter_values(key: str, iv: bytes) -> list[int]:
    words = CIPHERS[key][1].words
    return [
        int.from_bytes(iv[-4:], "big"),
        *(int.from_bytes(iv[4 * w : 4 * w + 4], "little") for w in range(words - 1)),
    ]


def expected(key: str, operation: str, data: bytes, secret: bytes, iv: bytes) -> bytes:
    algorithm = spec.algorithm(key)
    if operation == "ctr":
        return bytes(algorithm.ctr(data, secret, iv))
    return bytes(getattr(algorithm, operation)(data, secret))


@dataclass
class Launcher:
    """Runs one kernel on an architecture."""

    function: assemble.Function

    def __call__(
        self, buffers: Mapping[str, Buffer], extra: Sequence[Parameter], blocks: int, threads: int
    ) -> tuple[bytes, Outcome]:
        """The parameters are the addresses of the buffers and then `extra`; what is in `out` comes
        back.
        """
        outcome = run(
            self.function.instructions,
            self.function.architecture,
            buffers,
            lambda b: [*b.values(), *extra],
            blocks,
            threads,
        )
        return buffers["out"].data.tobytes(), outcome


Kernel = Callable[[str, str], Launcher]


@pytest.fixture(params=EMULATED)
def kernel(request: pytest.FixtureRequest, folder: Path) -> Kernel:
    return lambda file, name: Launcher(assembled(file, request.param, folder)[name])


def test_the_files_are_what_the_generator_makes() -> None:
    made = gpu_kernels.files()
    assert sorted(Path(path).name for path in made) == FILES
    assert not generated.stale(made), "run tools/gpu_kernels.py"


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", FILES)
def test_every_kernel_assembles_without_spilling(
    name: str, architecture: int, folder: Path
) -> None:
    for function in assembled(name, architecture, folder).values():
        ceiling = next(
            (limit for ending, limit in REGISTERS.items() if function.name.endswith(ending)), 128
        )
        assert function.spilled == 0 and function.stack == 0, (
            f"{function.name}: {function.spilled} bytes spilled, {function.stack} bytes of stack"
        )
        assert function.registers <= ceiling, (
            f"{function.name}: {function.registers} registers, {ceiling} allowed"
        )


@pytest.mark.parametrize(("key", "operation"), STREAMS)
def test_streams_equal_the_specification(key: str, operation: str, kernel: Kernel) -> None:
    stem, cipher = CIPHERS[key]
    launch = kernel(
        f"{stem}_sm75.ptx",
        f"hanji_{key}_sm75_{operation}_x{generate.STREAM_VECTORS[cipher.words] * 4 // cipher.words}",
    )
    chance = random.Random(f"{key} {operation}")
    algorithm = spec.algorithm(key)
    for vectors, blocks in ((1, 1), (3, 1), (261, 1), (1024, 1), (1057, 2)):
        secret, data, iv = (
            chance.randbytes(algorithm.key_size),
            chance.randbytes(16 * vectors),
            bytearray(chance.randbytes(algorithm.block_size)),
        )
        iv[-4:] = (
            0x100000000 - 2 * vectors if vectors > 100 else chance.randrange(1 << 31)
        ).to_bytes(4, "big")
        iv = bytes(iv)
        extra = [vectors, *(counter_values(key, iv) if operation == "ctr" else [])]
        wanted = expected(key, operation, data, secret, iv)
        apart = {
            "out": buffer(16 * vectors),
            "in": buffer(data),
            "keys": buffer(round_keys(key, secret)),
        }
        got, _ = launch(apart, extra, blocks, generate.THREADS)
        assert got == wanted, f"{vectors} vectors on {blocks} CTAs"


@pytest.mark.parametrize(("key", "operation"), STREAMS)
def test_tails_equal_the_specification(key: str, operation: str, kernel: Kernel) -> None:
    stem, cipher = CIPHERS[key]
    launch = kernel(f"{stem}_sm75.ptx", f"hanji_{key}_sm75_{operation}_tail")
    algorithm = spec.algorithm(key)
    chance = random.Random(f"{key} {operation} tail")
    sizes = range(16) if operation == "ctr" else [0] if cipher.words == 4 else [0, 8]
    for size in sizes:
        secret, data, iv = (
            chance.randbytes(algorithm.key_size),
            chance.randbytes(size),
            chance.randbytes(algorithm.block_size),
        )
        extra = [size, *(counter_values(key, iv) if operation == "ctr" else [])]
        got, _ = launch(
            {"out": buffer(size), "in": buffer(data), "keys": buffer(round_keys(key, secret))},
            extra,
            1,
            32,
        )
        assert got == expected(key, operation, data, secret, iv), f"{size} bytes"


@pytest.mark.parametrize(("key", "operation"), SLICES)
def test_slices_equal_the_specification(key: str, operation: str, kernel: Kernel) -> None:
    stem, cipher = CIPHERS[key]
    launch = kernel(f"{stem}_sm75_x32.ptx", f"hanji_{key}_sm75_{operation}_x32")
    algorithm = spec.algorithm(key)
    chance = random.Random(f"{key} {operation} x32")
    size = 32 * 128 * cipher.words
    # Counters: any; one whose carry leaves the bits that vary within a warp; the smallest; the
    # largest.
    numbers = (0x1234FF05, 0x1FFFFF05, 0, (1 << 32) - 32 * 32) if operation == "ctr" else (0,)
    for number in numbers:
        secret, data = chance.randbytes(algorithm.key_size), chance.randbytes(size)
        iv = chance.randbytes(algorithm.block_size - 4) + number.to_bytes(4, "big")
        extra = counter_values(key, iv) if operation == "ctr" else []
        got, _ = launch(
            {"out": buffer(size), "in": buffer(data), "masks": buffer(masks(key, secret))},
            extra,
            1,
            32,
        )
        assert got == expected(key, operation, data, secret, iv), f"counter {number:#x}"


@pytest.mark.parametrize("key", fleets.OWN)
def test_fleets_equal_the_specification(key: str, kernel: Kernel) -> None:
    """Messages of any length; of one block; counters that overflow in any word."""
    stem, _ = CIPHERS[key]
    algorithm = spec.algorithm(key)
    chance = random.Random(f"{key} fleet")
    size, key_size = algorithm.block_size, algorithm.key_size
    ragged = [*range(2 * size + 2), *(chance.randrange(5 * size) for _ in range(20))]
    aligned = [size * n for n in (1, 2, 0, 3, 1)]
    single = (1, 255, 256, 257, 512, 529)
    slices = [("x32", [size] * 1024)] if key in fleets.SLICED else []
    for layout, lengths in (
        ("x1", ragged),
        ("x1", aligned),
        *((f"x{fleets.SINGLES}", [size] * n) for n in single),
        *slices,
    ):
        n = len(lengths)
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype("<i8")
        total = int(offsets[-1])
        keys, data = chance.randbytes(key_size * n), chance.randbytes(total)
        counters = bytearray(chance.randbytes(size * n))
        for i in range(min(n, 5 * size)):  # the last 0 to 4 words are all ones
            ones = 4 * (i % (size // 4 + 1))
            counters[size * (i + 1) - ones : size * (i + 1)] = b"\xff" * ones
        buffers = {
            "out": buffer(total),
            "in": buffer(data),
            "keys": buffer(keys),
            "counters": buffer(bytes(counters)),
        }
        if layout == "x1":
            buffers["offsets"] = buffer(offsets.tobytes())
        grid = {"x1": (3, 32), "x32": (1, 32)}.get(
            layout, (-(-n // (fleets.SINGLES * fleets.THREADS)), fleets.THREADS)
        )
        got, _ = kernel(f"{stem}_sm75_fleet.ptx", f"hanji_{key}_sm75_fleet_{layout}")(
            buffers, [] if layout == "x32" else [n], *grid
        )
        for i in range(n):
            first, last = int(offsets[i]), int(offsets[i + 1])
            wanted = algorithm.ctr(
                data[first:last],
                keys[key_size * i : key_size * (i + 1)],
                bytes(counters[size * i : size * (i + 1)]),
            )
            assert got[first:last] == wanted, f"{layout}: message {i} of {lengths[i]} bytes"


AEADS = {key: (file, nonce) for file, _, key, nonce, _ in generate.SPONGES}


@pytest.mark.parametrize("key", AEADS)
def test_fleets_of_aeads_equal_the_specification(key: str, kernel: Kernel) -> None:
    """Every length of message and associated data around some blocks; unaligned; and what does not
    verify.
    """
    algorithm = spec.algorithm(key)
    file, nonce = AEADS[key]
    chance = random.Random("sponge")
    edges = (0, 1, 15, 16, 31, 32, 33, 63, 64, 65)
    sizes = [(a, b) for a in edges for b in edges]
    chance.shuffle(sizes)
    n = len(sizes)
    keys, nonces = chance.randbytes(16 * n), chance.randbytes(nonce * n)
    offsets, ad_offsets = (
        np.concatenate([[0], np.cumsum([pair[i] for pair in sizes])]).astype("<i8")
        for i in range(2)
    )
    data, ad = chance.randbytes(int(offsets[-1])), chance.randbytes(int(ad_offsets[-1]))

    def buffers(text: bytes, tags: Buffer) -> dict[str, Buffer]:
        return {
            "out": buffer(len(text)), "in": buffer(text), "keys": buffer(keys), "nonces": buffer(nonces), "tags": tags,
            "offsets": buffer(offsets.tobytes()), "ad": buffer(ad), "ad_offsets": buffer(ad_offsets.tobytes()), "status": buffer(n),
        }  # fmt: skip

    sealing = buffers(data, buffer(16 * n))
    sealed, _ = kernel(f"{file}_sm75_fleet.ptx", f"hanji_{key}_sm75_seal_x1")(sealing, [n], 1, 128)
    tags = bytearray(sealing["tags"].data.tobytes())
    places = [
        (slice(offsets[i], offsets[i + 1]), slice(ad_offsets[i], ad_offsets[i + 1]))
        for i in range(n)
    ]
    for i, (text, more) in enumerate(places):
        wanted = algorithm.seal(
            nonces[nonce * i : nonce * i + nonce], ad[more], data[text], keys[16 * i : 16 * i + 16]
        )
        assert sealed[text] + tags[16 * i : 16 * i + 16] == wanted, (
            f"{sizes[i][0]} bytes, {sizes[i][1]} of associated data"
        )
    assert not sealing["status"].data.any()
    damaged = {i: i % 16 for i in range(0, n, 7)}
    for i, byte in damaged.items():
        tags[16 * i + byte] ^= 0x80
    opening = buffers(sealed, buffer(bytes(tags)))
    opened, _ = kernel(f"{file}_sm75_fleet.ptx", f"hanji_{key}_sm75_open_x1")(opening, [n], 4, 32)
    for i, (text, _) in enumerate(places):
        assert opened[text] == (bytes(sizes[i][0]) if i in damaged else data[text])
        assert opening["status"].data.view(np.int8)[i] == (-3 if i in damaged else 0)


@pytest.mark.parametrize("stem", sorted(fleets.PAPER))
def test_the_papers_design_equals_the_specification(stem: str, kernel: Kernel) -> None:
    algorithm = spec.algorithm(f"{stem}_128")
    chance = random.Random(stem)
    n = 70
    keys, data = chance.randbytes(16 * n), chance.randbytes(8 * n)
    got, _ = kernel(f"{stem}_sm75_paper.ptx", f"hanji_{stem}_ptx_paper")(
        {"out": buffer(8 * n), "in": buffer(data), "keys": buffer(keys)}, [n], 3, 32
    )
    assert got == b"".join(
        algorithm.encrypt(data[8 * i : 8 * i + 8], keys[16 * i : 16 * i + 16]) for i in range(n)
    )


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("stem", sorted(fleets.PAPER))
def test_blocks_with_keys_of_their_own(stem: str, in_place: bool, kernel: Kernel) -> None:
    """The operation of the paper as our kernels do it: no counters, 32 bytes a message."""
    algorithm = spec.algorithm(f"{stem}_128")
    chance = random.Random(f"own {stem} {in_place}")
    layouts = {"x2": (771, 2, 256)}  # messages, CTAs, threads
    layouts |= {"x32": (1024, 1, 32)} if f"{stem}_128" in fleets.SLICED else {}
    for layout, (n, blocks, threads) in layouts.items():
        keys, data = chance.randbytes(16 * n), chance.randbytes(8 * n)
        extra: list[Parameter] = [n] if layout == "x2" else []
        given = {"out": buffer(8 * n), "in": buffer(data), "keys": buffer(keys)}
        order = ["out", "in", "keys"]
        if in_place:
            del given["in"]
            given["out"].data[:] = np.frombuffer(data, np.uint8)
            order[1] = "out"
        made = kernel(f"{stem}_sm75_own.ptx", f"hanji_{stem}_128_sm75_own_{layout}").function
        run(
            made.instructions,
            made.architecture,
            given,
            lambda b, order=order, extra=extra: [*(b[name] for name in order), *extra],
            blocks,
            threads,
        )
        got = given["out"].data.tobytes()
        each = [0, 1, 255, 256, 511, 512, 770, n - 1] if layout == "x2" else range(0, n, 37)
        for i in each:
            wanted = algorithm.encrypt(data[8 * i : 8 * i + 8], keys[16 * i : 16 * i + 16])
            assert got[8 * i : 8 * i + 8] == wanted, f"{layout}, block {i}"


@pytest.mark.parametrize("family", catalogue.families())
def test_published_vectors(family: str, kernel: Kernel) -> None:
    cases = [
        case
        for case in vectors_io.load(family, mode="ECB")
        if spec.identifier(case["variant"]) in CIPHERS and len(case["pt"]) % 8 == 0
    ]
    assert cases
    for case in cases[:20]:
        key = spec.identifier(case["variant"])
        stem, cipher = CIPHERS[key]
        keys, plain = round_keys(key, case["key"]), case["pt"]
        per = generate.STREAM_VECTORS[cipher.words] * 4 // cipher.words
        whole = len(plain) // 16 * 16
        got = b""
        if whole:
            launch = kernel(f"{stem}_sm75.ptx", f"hanji_{key}_sm75_encrypt_x{per}")
            got += launch(
                {"out": buffer(whole), "in": buffer(plain[:whole]), "keys": buffer(keys)},
                [whole // 16],
                1,
                generate.THREADS,
            )[0]
        if len(plain) > whole:
            launch = kernel(f"{stem}_sm75.ptx", f"hanji_{key}_sm75_encrypt_tail")
            got += launch(
                {
                    "out": buffer(len(plain) - whole),
                    "in": buffer(plain[whole:]),
                    "keys": buffer(keys),
                },
                [len(plain) - whole],
                1,
                1,
            )[0]
        assert got == case["ct"], f"test {case['tcId']} of {family}: {case['source']}"


# Controls: what must be seen


def test_control_a_damaged_kernel_is_seen(tmp_path: Path) -> None:
    """A rotation by one bit too much, and a missing guard."""
    text = (ROOT / "src/gpu/generated/speck64_sm75_fleet.ptx").read_text()
    chance = random.Random(3)
    n = 5
    keys, data, counters = (
        chance.randbytes(16 * n),
        chance.randbytes(8 * n),
        chance.randbytes(8 * n),
    )

    def result(damaged: str) -> bytes:
        path = tmp_path / "speck64_sm75_fleet.ptx"
        path.write_text(damaged)
        function = assemble.assemble(path, 90, tmp_path)["hanji_speck64_128_sm75_fleet_x2"]
        buffers = {
            "out": buffer(8 * n),
            "in": buffer(data),
            "keys": buffer(keys),
            "counters": buffer(counters),
        }
        return Launcher(function)(buffers, [n], 1, 32)[0]

    algorithm = spec.algorithm("speck64_128")
    wanted = b"".join(
        algorithm.ctr(
            data[8 * i : 8 * i + 8], keys[16 * i : 16 * i + 16], counters[8 * i : 8 * i + 8]
        )
        for i in range(n)
    )
    assert result(text) == wanted
    shift = text.index("shf.r.wrap.b32")
    line = text[shift : text.index(";", shift)]
    assert result(text.replace(line, line[:-1] + "9", 1)) != wanted
    guard = text.index("setp.lt.u32")
    line = text[guard : text.index(";", guard)]
    with pytest.raises(EmulationError, match="is accessed, which has"):
        result(
            text.replace(line, line.replace("setp.lt.u32", "setp.ge.u32").rsplit(",", 1)[0] + ", 0")
        )


def test_the_emulator_refuses_what_it_does_not_know() -> None:
    listing = (
        "\t\tFunction : f\n        /*0000*/                   MUFU.RCP R1, R2 ;\n        "
        "/*0010*/                   EXIT ;\n"
    )
    with pytest.raises(EmulationError, match=r"MUFU\.RCP R1, R2: this instruction is not known"):
        run(parse(listing)["f"], 90, {}, lambda _: [], 1, 1)


def test_writing_what_may_only_be_read_is_refused(folder: Path) -> None:
    function = assembled("speck64_sm75.ptx", 90, folder)["hanji_speck64_128_sm75_encrypt_tail"]
    buffers = {"out": buffer(bytes(8)), "in": buffer(bytes(8)), "keys": buffer(bytes(108))}
    with pytest.raises(EmulationError, match="'out' is written, but may only be read"):
        Launcher(function)(buffers, [8], 1, 1)
