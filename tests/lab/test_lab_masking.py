# SPDX-License-Identifier: Apache-2.0
"""What headers of masked kernels say about shares, and which are refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hanji_lab import brought, masking
from hanji_lab.checkout import LabError
from hanji_lab.kernels import HeaderError, Kernel, known_isas, parse

pytestmark = pytest.mark.quick
ROOT = Path(__file__).resolve().parents[2]
ISAS = known_isas(ROOT)

HEADER = """// void masked(uint32_t *state, uint32_t *pad, uint32_t rounds);
/* kernel:
     spec: ascon_p.permute
     isa: rv32i
     blocks: 1
     args: { a0: {buffer: state, bytes: 88, access: rw}, a1: {buffer: pad, bytes: 8, access: r},
             a2: {value: rounds} }
     aliasing: in place
     stack: 0
     secrets: state
     masking:
       order: 1
       model: value, arch
       shares: { state: {bytes: 80, shares: 2, layout: word-major} }
       random: { guard: {buffer: state, at: 80, bytes: 8, use: guard} }
       public: [pad, rounds]
       outputs: { state: uniform, guard: any }
       loop: { head: .L1, carries: [state, guard] }
*/
    .globl masked
masked:
.L1:
    ret
"""


def header(tmp_path: Path, *edits: tuple[str, str]) -> Kernel:
    """The kernel of HEADER after some edits."""
    text = HEADER
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = tmp_path / "masked_rv32i.S"
    file.write_text(text)
    (kernel,) = parse(file, tmp_path, ISAS, free=True)
    return kernel


def test_a_header_says_what_is_shared(tmp_path: Path) -> None:
    found = header(tmp_path).masking
    assert found is not None
    assert found.order == 1
    assert found.model == ("value", "arch")
    assert found.shares == (masking.Shared("state", "state", 0, 80, 2, "word-major"),)
    assert found.random == (masking.Random("guard", "state", 80, 8, "guard"),)
    assert found.public == ("pad", "rounds")
    assert dict(found.outputs) == {"state": "uniform", "guard": "any"}
    assert found.loop == masking.Loop(".L1", ("state", "guard"))


def test_a_header_names_the_models_of_its_instruction_set(tmp_path: Path) -> None:
    found = header(tmp_path, ("       model: value, arch\n", "")).masking
    assert found is not None
    assert found.model == masking.DEFAULT_MODELS["rv32i"]


SHARES = "shares: { state: {bytes: 80, shares: 2, layout: word-major} }"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("order: 1", "order: 3", "order: 3 given, 1 or 2 expected"),
        ("order: 1", "order: true", "order: True given, a whole number from 1 expected"),
        ("       order: 1\n", "", "order is missing"),
        ("order: 1", "order: 2", "2 shares given, but order 2 needs at least 3"),
        ("order: 1", "orders: 1", "no key 'orders'; one of order, .* did you mean 'order'"),
        ("value, arch", "value, bit", "model: 'bit' given, one of value, arch"),
        ("value, arch", "value, value", "model: 'value' twice"),
        ("value, arch", "value,", "has an empty name"),
        (f"       {SHARES}\n", "", "shares is missing"),
        (SHARES, "shares: {}", "shares: {} given, keys and values expected"),
        ("bytes: 80, shares: 2", "bytes: 80", "shares is missing, the number of shares"),
        ("bytes: 80, shares: 2", "bytes: 80, shares: 1", "shares: 1 given, a whole .* from 2"),
        ("bytes: 80, shares: 2", "bytes: 92, shares: 2", "bytes 0 to 91 given, but .* has 88"),
        ("bytes: 80, shares: 2", "bytes: 76, shares: 2", "need a multiple of 8 bytes"),
        ("bytes: 80, shares: 2", "bytes: 84, shares: 3", "need a multiple of 12 bytes|another"),
        ("layout: word-major", "layout: halfmajor", "did you mean 'half-major'"),
        ("layout: word-major", "format: x", "no key 'format'"),
        ("{ state: {bytes", "{ pad2: {bytes", "'pad2' is no buffer argument; .* 'pad'"),
        ("secrets: state", "secrets: pad", "'state' is not in the header's secrets"),
        ("at: 80, bytes: 8", "at: 76, bytes: 12", "begins at byte 76 .* another region holds"),
        ("at: 80, bytes: 8", "at: 84, bytes: 4", "bytes from 80 on of buffer 'state' are neither"),
        ("at: 80, bytes: 8", "at: -1, bytes: 8", "at: -1 given, a whole number from 0"),
        ("use: guard", "use: mask", "use 'mask' given, one of fresh, guard"),
        ("[pad, rounds]", "[pad]", "value argument 'rounds' is not in public"),
        ("[pad, rounds]", "[rounds]", "bytes from 0 on of buffer 'pad' are neither"),
        ("[pad, rounds]", "[state, pad, rounds]", "buffer 'state' also holds 'state'"),
        ("[pad, rounds]", "[pad, round]", "'round' is no argument; .* did you mean 'rounds'"),
        ("outputs: { state: uniform", "outputs: { pad: uniform", "outputs: 'pad' is no region"),
        ("outputs: { state: uniform, ", "outputs: { ", "none of the shares is in it"),
        ("guard: any", "guard: yes", "guard: True given, one of uniform, any"),
        ("bytes: 88, access: rw", "bytes: 88, access: r", "does not write 'state'"),
        ("head: .L1, ", "", "head is None, a label expected"),
        ("head: .L1, ", "head: round, ", "loop: head: the file has no label 'round'"),
        ("carries: [state, guard]", "carries: [x]", "carries: 'x' is no region"),
    ],
)
def test_a_wrong_header_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(HeaderError, match=said) as found:
        header(tmp_path, (old, new))
    assert re.match(r"masked_rv32i\.S:\d+: masking: ", str(found.value))


def test_a_kernel_for_another_processor_has_no_masking(tmp_path: Path) -> None:
    with pytest.raises(HeaderError, match="isa is 'avr'; masked kernels are for rv32i"):
        (tmp_path / "masked_avr.S").write_text(HEADER.replace("isa: rv32i", "isa: avr"))
        parse(tmp_path / "masked_avr.S", tmp_path, ISAS, free=True)


@pytest.mark.parametrize("layout", masking.LAYOUTS)
@pytest.mark.parametrize("shares", [2, 3])
def test_a_layout_has_a_place_for_every_byte(layout: str, shares: int) -> None:
    region = masking.Shared("x", "x", 0, 40 * shares, shares, layout)
    places = [region.place(s, i) for s in range(shares) for i in range(region.secret_bytes)]
    assert sorted(places) == list(range(40 * shares))


def test_layouts_are_as_the_page_says() -> None:
    def order(layout: str) -> list[str]:
        region = masking.Shared("x", "x", 0, 32, 2, layout)
        words = {region.place(s, i): f"{i // 4}.{s}" for s in (0, 1) for i in range(0, 16, 4)}
        return [words[at] for at in sorted(words)]

    assert order("share-major") == ["0.0", "1.0", "2.0", "3.0", "0.1", "1.1", "2.1", "3.1"]
    assert order("word-major") == ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1", "3.0", "3.1"]
    assert order("half-major") == ["0.0", "2.0", "0.1", "2.1", "1.0", "3.0", "1.1", "3.1"]


def test_kernels_show_shares_only_where_there_are_some(tmp_path: Path) -> None:
    made = header(tmp_path).to_json()
    assert made["masking"]["shares"][0]["layout"] == "word-major"
    (plain,) = parse(ROOT / "src/ascon/ascon_p_rv32i_x1.S", ROOT, ISAS)
    assert "masking" not in plain.to_json()


def test_a_specification_may_be_a_file_next_to_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def twice(state, rounds):\n    return state\n")
    kernel = header(tmp_path, ("spec: ascon_p.permute", "spec: mine.py:twice"))
    assert kernel.spec == f"{tmp_path / 'mine.py'}:twice"
    assert kernel.operation == "twice"
    assert kernel.symbol == "masked"
    assert kernel.masking is not None
    with pytest.raises(HeaderError, match=r"masked_rv32i\.S:3: spec: .*has no function 'thrice'"):
        header(tmp_path, ("spec: ascon_p.permute", "spec: mine.py:thrice"))
    with pytest.raises(HeaderError, match=r"spec: .*there is no file"):
        header(tmp_path, ("spec: ascon_p.permute", "spec: yours.py:twice"))


def test_only_a_file_without_header_is_told_about_spec(tmp_path: Path) -> None:
    file = tmp_path / "masked_rv32i.S"
    file.write_text(HEADER.replace("order: 1", "order: 0"))
    with pytest.raises(LabError, match=r"order: 0 given, a whole number from 1 expected$"):
        brought.kernels(file, ROOT, brought.Said())
    file.write_text("masked:\n    ret\n")
    with pytest.raises(LabError, match="a file without header needs --spec"):
        brought.kernels(file, ROOT, brought.Said())
