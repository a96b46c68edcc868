# SPDX-License-Identifier: Apache-2.0
"""The library equals the executable specifications on random inputs of every length that matters."""

import random

import pytest

import hanji
from hanji import aead, hashes, hazmat
from hanji_lab import spec
from hanji_lab.spec import sparkle

pytestmark = pytest.mark.quick

NO_LIMIT = 2**64 - 1

BLOCK_CIPHERS = [
    name for name, found in spec.ALGORITHMS.items() if isinstance(found, spec.BlockCipher)
]
BLOCK_CIPHERS_WITH_EAX = [
    name for name in BLOCK_CIPHERS if spec.algorithm(name).block_size in (8, 16)
]
AEADS = {
    "schwaemm256-128": aead.Schwaemm256_128,
    "schwaemm192-192": aead.Schwaemm192_192,
    "schwaemm128-128": aead.Schwaemm128_128,
    "schwaemm256-256": aead.Schwaemm256_256,
}
HASHES = {"esch256": hashes.Esch256, "esch384": hashes.Esch384}
XOFS = {"xoesch256": hashes.XOEsch256, "xoesch384": hashes.XOEsch384}


@pytest.fixture
def draw(request):
    """Random bytes that depend on the test's name alone."""
    return random.Random(request.node.name).randbytes


def test_library_and_specification_have_the_same_algorithms():
    modes = {"ctr", "cmac", "eax"}
    inner = {"keccak", "aimer"}  # specified parts of schemes, which nobody calls alone
    listed = {algorithm.name for algorithm in hanji.algorithms()}
    assert listed - modes == set(spec.ALGORITHMS) - inner


@pytest.mark.parametrize("name", BLOCK_CIPHERS)
def test_block(name, draw):
    """Counts around the groups of 8, 16 and 32 blocks of the portable kernels."""
    specified = spec.algorithm(name)
    for count in (0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 70):
        key, blocks = draw(specified.key_size), draw(count * specified.block_size)
        cipher = hazmat.block(name, key)
        ciphertext = specified.encrypt(blocks, key)
        assert bytes(cipher.encrypt(blocks)) == ciphertext, f"{name}: {count} blocks"
        assert bytes(cipher.decrypt(ciphertext)) == blocks, f"{name}: {count} blocks back"


@pytest.mark.parametrize("name", BLOCK_CIPHERS)
def test_ctr(name, draw):
    """Every tail length, and counters that carry through the whole block and wrap."""
    specified = spec.algorithm(name)
    size = specified.block_size
    ivs = [
        draw(size),
        bytes([255]) * (size - 1) + bytes([240]),
        bytes(size // 2) + bytes([255]) * (size - size // 2),
    ]
    for iv in ivs:
        for length in (*range(2 * size + 1), 33 * size + 1, 65 * size - 1):
            key, data = draw(specified.key_size), draw(length)
            ours = bytes(hazmat.ctr(name, key, iv, limit=NO_LIMIT).update(data))
            assert ours == specified.ctr(data, key, iv), f"{name}: iv {iv.hex()}, {length} bytes"


@pytest.mark.parametrize("name", BLOCK_CIPHERS_WITH_EAX)
def test_cmac_and_eax(name, draw):
    specified = spec.algorithm(name)
    size = specified.block_size
    for length in (0, 1, size - 1, size, size + 1, 2 * size, 5 * size + 3):
        key, nonce, data, associated = (
            draw(specified.key_size),
            draw(1 + length % 20),
            draw(length),
            draw(37 - length % 37),
        )
        tag_size = 1 + length % size
        cmac = hazmat.cmac(name, key)
        cmac.update(data)
        assert bytes(cmac.digest(tag_size)) == specified.cmac(data, key, tag_size), (
            f"{name}: {length} bytes"
        )
        eax = hazmat.eax(name, key, tag_size=tag_size)
        sealed = specified.eax_seal(nonce, associated, data, key, tag_size)
        assert bytes(eax.encrypt(nonce, data, associated)) == sealed, f"{name}: {length} bytes"
        assert bytes(eax.decrypt(nonce, sealed, associated)) == data, f"{name}: {length} bytes"


@pytest.mark.parametrize("name", AEADS)
def test_schwaemm(name, draw):
    specified = spec.algorithm(name)
    rate = specified.rate
    for length in (0, 1, rate - 1, rate, rate + 1, 2 * rate, 5 * rate + 7):
        for associated_length in (0, 1, rate, rate + 1):
            key, nonce = draw(specified.key_size), draw(specified.nonce_size)
            data, associated = draw(length), draw(associated_length)
            cipher = AEADS[name](key)
            sealed = specified.seal(nonce, associated, data, key)
            what = f"{name}: {length} bytes, {associated_length} of associated data"
            assert bytes(cipher.encrypt(nonce, data, associated)) == sealed, what
            assert bytes(cipher.decrypt(nonce, sealed, associated)) == data, what
            with pytest.raises(hanji.InvalidTag):
                cipher.decrypt(nonce, sealed[:-1] + bytes([sealed[-1] ^ 0x80]), associated)


@pytest.mark.parametrize("name", [*HASHES, *XOFS])
def test_esch(name, draw):
    specified = spec.algorithm(name)
    for length in (*range(35), 100, 1000):
        message = draw(length)
        if name in HASHES:
            assert HASHES[name](message).digest() == specified.digest(message), (
                f"{name}: {length} bytes"
            )
        else:
            assert XOFS[name](message).digest(1 + length) == specified.digest(
                message, 1 + length
            ), f"{name}: {length} bytes"


@pytest.mark.parametrize("name", sparkle.VARIANTS)
def test_sparkle(name, draw):
    specified = sparkle.VARIANTS[name]
    for steps in range(1, 14):
        state = draw(specified.state_size)
        ours = hazmat.sparkle(8 * specified.state_size, state, steps)
        assert bytes(ours) == specified.permute(state, steps), f"{name}: {steps} steps"
