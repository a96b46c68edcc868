# SPDX-License-Identifier: Apache-2.0
"""The specifications never look at a word, take terms and arrays, and meet the published
intermediate values.
"""

from __future__ import annotations

import doctest
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanji_lab import spec
from hanji_lab.spec import cham, esch, modes, schwaemm, simeck, simon, sparkle, speck, word

pytestmark = pytest.mark.quick

BLOCK_CIPHERS = [
    *speck.VARIANTS.values(),
    *simon.VARIANTS.values(),
    *simeck.VARIANTS.values(),
    *cham.VARIANTS.values(),
]


def by_name(values):
    return pytest.mark.parametrize("algorithm", values, ids=lambda algorithm: algorithm.name)


@dataclass(frozen=True, eq=False)
class Term:
    """A bit-vector term as a solver has it: an operator over terms, of one width, without truth
    value or number.
    """

    width: int
    operator: str
    operands: tuple

    def __bool__(self):
        raise TypeError("a specification branched on a word")

    def __index__(self):
        raise TypeError("a specification used a word as an index or amount")

    __int__ = __index__

    def __eq__(self, other):
        raise TypeError("a specification compared a word")

    __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __eq__
    __hash__ = None

    def _combine(self, operator, a, b):
        wide = [x if isinstance(x, Term) else Term(self.width, "constant", (x,)) for x in (a, b)]
        assert wide[0].width == wide[1].width
        return Term(self.width, operator, tuple(wide))

    def _shift(self, operator, amount):
        assert isinstance(amount, int)
        assert 0 <= amount < self.width
        return Term(self.width, operator, (self, amount))

    def __add__(self, other):
        return self._combine("+", self, other)

    def __radd__(self, other):
        return self._combine("+", other, self)

    def __sub__(self, other):
        return self._combine("-", self, other)

    def __rsub__(self, other):
        return self._combine("-", other, self)

    def __xor__(self, other):
        return self._combine("^", self, other)

    __rxor__ = __xor__

    def __and__(self, other):
        return self._combine("&", self, other)

    __rand__ = __and__

    def __or__(self, other):
        return self._combine("|", self, other)

    __ror__ = __or__

    def __invert__(self):
        return Term(self.width, "~", (self,))

    def __lshift__(self, amount):
        return self._shift("<<", amount)

    def __rshift__(self, amount):
        return self._shift(">>", amount)


def evaluate(term, values):
    """The number that a term has under an assignment; a loop, because rounds make deep terms."""
    known = {}
    stack = [term]
    while stack:
        top = stack[-1]
        waiting = [x for x in top.operands if isinstance(x, Term) and id(x) not in known]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        args = [known[id(x)] if isinstance(x, Term) else x for x in top.operands]
        match top.operator:
            case "variable":
                value = values[args[0]]
            case "constant":
                value = args[0]
            case "+":
                value = args[0] + args[1]
            case "-":
                value = args[0] - args[1]
            case "^":
                value = args[0] ^ args[1]
            case "&":
                value = args[0] & args[1]
            case "|":
                value = args[0] | args[1]
            case "~":
                value = ~args[0]
            case "<<":
                value = args[0] << args[1]
            case ">>":
                value = args[0] >> args[1]
        known[id(top)] = value % (1 << top.width)
    return known[id(term)]


class Symbols:
    """Fresh variables with random values behind them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.values = {}

    def words(self, count, width):
        made = []
        for _ in range(count):
            name = f"v{len(self.values)}"
            self.values[name] = self.random.getrandbits(width)
            made.append(Term(width, "variable", (name,)))
        return made

    def numbers(self, terms):
        return [evaluate(term, self.values) for term in terms]


@by_name(BLOCK_CIPHERS)
def test_block_ciphers_take_terms(algorithm):
    symbols = Symbols(algorithm.name)
    key = symbols.words(algorithm.key_words, algorithm.width)
    block = symbols.words(algorithm.block_words, algorithm.width)
    round_keys = algorithm.expand(key)
    ciphertext = algorithm.encrypt_words(block, round_keys)
    number_keys = algorithm.expand(symbols.numbers(key))
    assert symbols.numbers(round_keys) == number_keys
    assert symbols.numbers(ciphertext) == list(
        algorithm.encrypt_words(symbols.numbers(block), number_keys)
    )
    back = algorithm.decrypt_words(ciphertext, round_keys)
    assert symbols.numbers(back) == symbols.numbers(block)


@by_name(list(sparkle.VARIANTS.values()))
def test_sparkle_takes_terms(algorithm):
    symbols = Symbols(algorithm.name)
    state = symbols.words(2 * algorithm.branches, 32)
    out = algorithm.permute_words(state, algorithm.slim)
    assert symbols.numbers(out) == algorithm.permute_words(symbols.numbers(state), algorithm.slim)
    assert symbols.numbers(algorithm.inverse_words(out, algorithm.slim)) == symbols.numbers(state)


@by_name(list(schwaemm.VARIANTS.values()))
def test_schwaemm_takes_terms(algorithm):
    symbols = Symbols(algorithm.name)
    nonce, key = (
        symbols.words(algorithm.nonce_size // 4, 32),
        symbols.words(algorithm.key_size // 4, 32),
    )
    chunk = symbols.words(algorithm.rate // 4, 32)

    def one_chunk(nonce, key, chunk):
        state = algorithm.initial_words(nonce, key)
        domain = (1 << algorithm.capacity // 8) ^ 3
        ciphertext = [a ^ b for a, b in zip(state, chunk, strict=False)]
        return ciphertext + algorithm.tag_words(algorithm.absorb_words(state, chunk, domain), key)

    numbers = [symbols.numbers(words) for words in (nonce, key, chunk)]
    as_bytes = [word.to_bytes(words, 32) for words in numbers]
    assert symbols.numbers(one_chunk(nonce, key, chunk)) == one_chunk(*numbers)
    assert word.to_bytes(one_chunk(*numbers), 32) == algorithm.seal(
        as_bytes[0], b"", as_bytes[2], as_bytes[1]
    )


@by_name(list(esch.VARIANTS.values()))
def test_esch_takes_terms(algorithm):
    symbols = Symbols(algorithm.name)
    state, block = symbols.words(2 * algorithm.permutation.branches, 32), symbols.words(4, 32)
    out = algorithm.absorb_words(state, block, 2)
    assert symbols.numbers(out) == algorithm.absorb_words(
        symbols.numbers(state), symbols.numbers(block), 2
    )


def test_a_branching_specification_is_caught():
    """The control for the tests above: a word that decides, indexes or is compared raises."""
    (a,) = Symbols(0).words(1, 32)
    for peek in (
        lambda: 1 if a else 0,
        lambda: [0, 1][a],
        lambda: a == 3,
        lambda: a < 3,
        lambda: 1 << a,
        lambda: int(a),
    ):
        with pytest.raises(TypeError):
            peek()


@by_name(BLOCK_CIPHERS)
def test_block_ciphers_take_arrays(algorithm):
    """Many blocks and keys at once; 24- and 48-bit words live in the next larger NumPy type."""
    kind = {16: np.uint16, 24: np.uint32, 32: np.uint32, 48: np.uint64, 64: np.uint64}[
        algorithm.width
    ]
    generator = np.random.default_rng(1)
    words = [
        generator.integers(0, 1 << algorithm.width, 5, dtype=np.uint64).astype(kind)
        if algorithm.width < 64
        else generator.integers(0, 2**64 - 1, 5, dtype=np.uint64)
        for _ in range(algorithm.block_words + algorithm.key_words)
    ]
    block, key = words[: algorithm.block_words], words[algorithm.block_words :]
    together = algorithm.encrypt_words(block, algorithm.expand(key))
    for i in range(5):
        alone = algorithm.encrypt_words(
            [int(w[i]) for w in block], algorithm.expand([int(w[i]) for w in key])
        )
        assert [int(w[i]) for w in together] == list(alone)


@by_name(BLOCK_CIPHERS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_decrypt_inverts_encrypt(algorithm, data):
    key = data.draw(st.binary(min_size=algorithm.key_size, max_size=algorithm.key_size))
    count = data.draw(st.integers(0, 3))
    blocks = data.draw(
        st.binary(min_size=count * algorithm.block_size, max_size=count * algorithm.block_size)
    )
    assert algorithm.decrypt(algorithm.encrypt(blocks, key), key) == blocks
    iv = data.draw(st.binary(min_size=algorithm.block_size, max_size=algorithm.block_size))
    assert algorithm.ctr(algorithm.ctr(blocks + b"!", key, iv), key, iv) == blocks + b"!"
    if algorithm.block_size in (8, 16):
        sealed = algorithm.eax_seal(iv, key, blocks, key)
        assert algorithm.eax_open(iv, key, sealed, key) == blocks


@by_name(list(schwaemm.VARIANTS.values()))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_open_inverts_seal_and_refuses_changes(algorithm, data):
    key = data.draw(st.binary(min_size=algorithm.key_size, max_size=algorithm.key_size))
    nonce = data.draw(st.binary(min_size=algorithm.nonce_size, max_size=algorithm.nonce_size))
    associated_data, plaintext = (
        data.draw(st.binary(max_size=80)),
        data.draw(st.binary(max_size=80)),
    )
    sealed = algorithm.seal(nonce, associated_data, plaintext, key)
    assert algorithm.open(nonce, associated_data, sealed, key) == plaintext
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    changed = (int.from_bytes(sealed, "big") ^ 1 << bit).to_bytes(len(sealed), "big")
    with pytest.raises(modes.InvalidTag):
        algorithm.open(nonce, associated_data, changed, key)
    with pytest.raises(modes.InvalidTag):
        algorithm.open(nonce, associated_data + b"\0", sealed, key)


def printed_key(text):
    return [int(part, 16) for part in text.split()][::-1]


# First published example of each variant: (key as printed, plaintext, {i: round key}, {i: state
# after round i}).
TWO_BRANCH_VALUES = {
    "speck-32/64": (
        "1918 1110 0908 0100",
        "6574 694c",
        {0: 0x0100, 1: 0x1512, 2: 0x617D, 3: 0x1458, 4: 0x6919, 5: 0x77E2, 21: 0xED64},
        {0: "5316 f627", 1: "37df ef40", 2: "ccd2 71d1", 3: "0332 c477"},
    ),
    "speck-128/256": (
        "1f1e1d1c1b1a1918 1716151413121110 0f0e0d0c0b0a0908 0706050403020100",
        "65736f6874206e49 202e72656e6f6f70",
        {1: 0x37253B31171D0309, 2: 0xFE1588CE93D80D52, 33: 0xF4D26F589A56B276},
        {0: "6e95e0d0d5e18ede 6fe673fba69af55f"},
    ),
    "simon-32/64": (
        "1918 1110 0908 0100",
        "6565 6877",
        {4: 0x71C3, 5: 0xB649, 31: 0x8D14},
        {0: "bca2 6565", 1: "bee3 bca2", 2: "37ba bee3", 3: "5327 37ba"},
    ),
    "simon-64/96": (
        "13121110 0b0a0908 03020100",
        "6f722067 6e696c63",
        {3: 0xFFAE9DCE, 4: 0xC4FACC91, 41: 0xB082BDDC},
        {0: "8283acb0 6f722067"},
    ),
    "simon-96/96": (
        "0d0c0b0a0908 050403020100",
        "2072616c6c69 702065687420",
        {2: 0x7B8ABD2C1F4C, 3: 0xBA3A0882B4E9, 51: 0x10244F6EC759},
        {},
    ),
    "simeck-32/64": (
        "1918 1110 0908 0100",
        "6565 6877",
        {4: 0xEDED, 5: 0xD4D5, 31: 0x7FBE},
        {0: "8799 6565", 1: "e04e 8799", 2: "5658 e04e", 3: "17ee 5658"},
    ),
    "simeck-64/128": (
        "1b1a1918 13121110 0b0a0908 03020100",
        "656b696c 20646e75",
        {4: 0xEBE9EDED, 5: 0xD0D3D4D5, 43: 0x3D5EAB8F},
        {0: "ccd994a1 656b696c"},
    ),
}


@pytest.mark.parametrize("name", TWO_BRANCH_VALUES)
def test_intermediate_values_of_two_branch_ciphers(name):
    key, plaintext, expected_keys, expected_states = TWO_BRANCH_VALUES[name]
    cipher = spec.algorithm(name)
    round_keys = cipher.expand(printed_key(key))
    assert {i: round_keys[i] for i in expected_keys} == expected_keys
    state = tuple(int(part, 16) for part in plaintext.split())
    for i in range(max(expected_states, default=-1) + 1):
        state = cipher.round(*state, round_keys[i])
        assert state == tuple(int(part, 16) for part in expected_states[i].split()), (
            f"{name}: state after round {i}"
        )


CHAM_VALUES = {
    "cham-64/128": (
        range(0x0100, 0x1000, 0x0202),
        "1100 3322 5544 7766",
        "0301 0705 0b09 0f0d 1311 1715 1b19 1f1d 151e 0308 3932 2f24 4d46 5b50 616a 777c",
        {
            1: "3322 5544 7766 4576",
            2: "5544 7766 4576 ece6",
            4: "4576 ece6 0b3b e15b",
            16: "b15d dff9 ac20 1b50",
        },
    ),
    "cham-128/128": (
        range(0x03020100, 0x10000000, 0x04040404),
        "33221100 77665544 bbaa9988 ffeeddcc",
        "07070303 0f0f0b0b 17171313 1f1f1b1b 39222f34 150e0318 617a776c 4d565b40",
        {4: "edba8b1c 39f9b1ea 754214a4 4b05cb8b", 16: "30e85778 3068d702 b16e4312 7e9f125b"},
    ),
    "cham-128/256": (
        [
            *range(0x03020100, 0x10000000, 0x04040404),
            *(0xF3F2F1F0 + 0x04040404 * i for i in range(4)),
        ],
        "33221100 77665544 bbaa9988 ffeeddcc",
        "07070303 0f0f0b0b 17171313 1f1f1b1b e6e6e2e2 eeeeeaea f6f6f2f2 fefefafa "
        "39222f34 150e0318 617a776c 4d565b40 afb4b9a2 8398958e f7ece1fa dbc0cdd6",
        {16: "f37acc58 fbd3de17 02b6455d 0b07eed2"},
    ),
}


@pytest.mark.parametrize("name", CHAM_VALUES)
def test_intermediate_values_of_cham(name):
    key, plaintext, expected_keys, expected_states = CHAM_VALUES[name]
    cipher = spec.algorithm(name)
    round_keys = cipher.expand(list(key))
    assert round_keys == [int(part, 16) for part in expected_keys.split()]
    state = tuple(int(part, 16) for part in plaintext.split())
    for i in range(max(expected_states)):
        state = cipher.round(state, i, round_keys[i % len(round_keys)])
        if i + 1 in expected_states:
            assert state == tuple(int(part, 16) for part in expected_states[i + 1].split()), (
                f"{name}: {i + 1} rounds"
            )


# The five sequences as the paper prints them (section 3.2), against the recurrences of the
# specification.
SIMON_Z = (
    "11111010001001010110000111001101111101000100101011000011100110",
    "10001110111110010011000010110101000111011111001001100001011010",
    "10101111011100000011010010011000101000010001111110010110110011",
    "11011011101011000110010111100000010010001010011100110100001111",
    "11010001111001101011011000100000010111000011001010010011101111",
)


def test_simon_sequences():
    assert tuple("".join(map(str, sequence)) for sequence in simon.Z) == SIMON_Z


SPARKLE_FROM_ZERO = {
    ("sparkle256", 1): "1db78605 579f1751 24d5a17f 89708e8b 27c16010 6372ddbc 6b6089ac 25ec34d8",
    ("sparkle256", 2): "700704d9 286be651 d3066499 a527bce3 3958f828 ceb2888f 81fbac59 c4fdb177",
    (
        "sparkle384",
        1,
    ): (
        "5775a783 1471ebf3 d582d083 5d4450d0 a73c9a2d 7f947ad0 27c16010 6372ddbc 6b6089ac "
        "25ec34d8 ea706e95 03bef62a"
    ),
    ("sparkle512", 1): "d2062ae1 db45adc2 f011aee0 73600c56 3d8b7d7a b2374237 9d405364 f2bc3d77 "
    "27c16010 6372ddbc 6b6089ac 25ec34d8 ea706e95 03bef62a 9fb3a053 9bcf8694",
}


def test_parts_of_sparkle():
    assert sparkle.ell(0x12345678) == 0x5678444C
    assert sparkle.alzette(0x01234567, 0x89ABCDEF, sparkle.CONSTANTS[0]) == (0xA5B649C9, 0x334B82A5)
    for (name, steps), expected in SPARKLE_FROM_ZERO.items():
        permutation = sparkle.VARIANTS[name]
        state = permutation.permute_words([0] * 2 * permutation.branches, steps)
        assert state == [int(part, 16) for part in expected.split()], (name, steps)


def test_schwaemm256_128_states():
    aead = schwaemm.VARIANTS["schwaemm256-128"]
    key, nonce = list(word.from_bytes(bytes(range(16)), 32)), word.from_bytes(bytes(range(32)), 32)
    state = aead.initial_words(nonce, key)
    assert word.to_bytes(state, 32).hex() == (
        "9bad779ebcd3d6c206a8998eaf4865a8f0701b6fdf3395a4ec3c262d4a87230a9e3e9d2d8a23e1d70297b32c3c7c745e"
    )
    padded = word.from_bytes(b"\0\x80" + bytes(30), 32)
    state = aead.absorb_words(state, padded, 4)
    assert word.to_bytes(state, 32).hex() == (
        "2eed39f005268f4ec42cd77cc13261e4eecdbe0d0a1875bdf61cd2a7433c3bee57f93e3d6d6fe0528ad42df563cffc36"
    )
    state = aead.absorb_words(state, padded, 6)
    assert word.to_bytes(state, 32).hex() == (
        "2aa0f4ee18d4ee28d10f54ad848c848c57ae8fbd44b69e952ea38ea60ab2c1e2de55c88a5bb3996e53a28bc866b62179"
    )
    assert (
        aead.seal(bytes(range(32)), b"\0", b"\0", bytes(range(16))).hex()
        == "2ede54ca895fb69f695bab81c36abb2f76"
    )


def test_schwaemm192_192_initial_state():
    words = word.from_bytes(bytes(range(24)), 32)
    assert word.to_bytes(
        schwaemm.VARIANTS["schwaemm192-192"].initial_words(words, words), 32
    ).hex() == (
        "5b65b597b51d3509a639437139d25dce3c5185e44bb8f42b94fbbcf372bd09a3c2e008d75a3dacb8a8b63091b175373b"
    )


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("speck-64/128", ("651e09b703ef28d5", "ca3c136e07de51aa", "947826dc0fbca34f")),
        (
            "cham-128/128",
            (
                "3fc7bb2e5ab43540a83ab8fe697c641c",
                "7f8f765cb5686a81507571fcd2f8c838",
                "ff1eecb96ad0d502a0eae3f9a5f19070",
            ),
        ),
    ],
)
def test_cmac_subkeys(name, values):
    cipher = spec.algorithm(name)
    first = cipher.encrypt(bytes(cipher.block_size), bytes(range(cipher.key_size)))
    assert (
        first.hex(),
        modes.double(first).hex(),
        modes.double(modes.double(first)).hex(),
    ) == values


def test_rotations_and_widths():
    assert word.rol(0x8001, 1, 16) == 0x0003
    assert word.ror(0x8001, 1, 16) == 0xC000
    assert word.rol(0x123456, 24, 24) == 0x123456
    assert word.complement(0, 24) == 0xFFFFFF
    assert word.to_bytes(word.from_bytes(b"abcdef", 24), 24) == b"abcdef"
    with pytest.raises(ValueError, match="7 bytes are not whole words of 3 bytes"):
        word.from_bytes(bytes(7), 24)


def test_wrong_lengths_say_what_was_expected():
    cipher = spec.algorithm("speck-64/128")
    with pytest.raises(ValueError, match="speck-64/128 key: 15 bytes given, 16 expected"):
        cipher.encrypt(bytes(8), bytes(15))
    with pytest.raises(
        ValueError, match="9 bytes given, a multiple of the block length 8 expected"
    ):
        cipher.encrypt(bytes(9), bytes(16))
    with pytest.raises(ValueError, match="iv: 7 bytes given, 8 expected"):
        cipher.ctr(b"", bytes(16), bytes(7))
    with pytest.raises(ValueError, match="CMAC: a block of 32 bits given, 64 or 128 expected"):
        spec.algorithm("speck-32/64").cmac(b"", bytes(8))
    with pytest.raises(ValueError, match="schwaemm256-128 nonce: 16 bytes given, 32 expected"):
        spec.algorithm("schwaemm256-128").seal(bytes(16), b"", b"", bytes(16))
    with pytest.raises(
        ValueError, match="esch256: an output of 31 bytes asked for, the digest has 32"
    ):
        spec.algorithm("esch256").digest(b"", 31)


def test_names_resolve():
    for name in spec.names():
        assert callable(spec.resolve(name)), name
    assert spec.resolve("cham64_128.decrypt").__self__ is spec.algorithm("cham-64/128")
    assert spec.resolve("cham64_128_original.decrypt").__self__ is spec.algorithm(
        "cham-64/128-original"
    )
    assert spec.resolve("schwaemm256_128.seal").__self__ is spec.algorithm("schwaemm256-128")
    assert spec.identifier("xoesch256") == "xoesch256"


@pytest.mark.parametrize(
    "name",
    ["speck32_64.encript", "spek32_64.encrypt", "speck32_64._split", "speck32_64", "os.system"],
)
def test_unknown_names_are_refused(name):
    with pytest.raises(spec.UnknownSpecificationError, match="no specification is named"):
        spec.resolve(name)


def test_unknown_name_lists_close_ones():
    with pytest.raises(spec.UnknownSpecificationError, match=r"speck32_64\.encrypt\b"):
        spec.resolve("speck32_64.encript")


def test_examples_of_the_readme():
    failed, tried = doctest.testfile(
        str(Path(__file__).parents[2] / "lab/README.md"), module_relative=False
    )
    assert (failed, tried) == (0, 5)
