# SPDX-License-Identifier: Apache-2.0
"""Guards on what a call costs: the best of many short runs, so that a busy machine does not fail
them.
"""

from __future__ import annotations

from timeit import Timer

import numpy as np

from hanji import aead, hazmat


def best(statement: str, names: dict, calls: int, rounds: int = 30) -> float:
    return min(Timer(statement, globals=names).repeat(rounds, calls)) / calls


def test_sixteen_bytes_in_under_two_microseconds():
    names = {"seal": aead.Schwaemm256_128(bytes(16)).encrypt, "nonce": bytes(32), "data": bytes(16)}
    assert best("seal(nonce, data)", names, 2000) < 2e-6
    assert best("seal(nonce, data, nonce)", names, 2000) < 2e-6
    names["data"] = bytearray(16)
    assert best("seal(nonce, data)", names, 2000) < 2e-6


def test_a_mebibyte_costs_no_copy():
    """Sealing into fresh memory and in place cost about the same, and nothing is done twice."""
    cipher, data = aead.Schwaemm256_128(bytes(16)), bytes(1 << 20)
    names = {"cipher": cipher, "nonce": bytes(32), "data": data, "buf": bytearray(len(data) + 16)}
    apart = best("cipher.encrypt(nonce, data)", names, 1, 40)
    into = best("cipher.encrypt_into(nonce, data, None, buf)", names, 1, 40)
    assert apart < 1.25 * into


def test_ctr_through_python_is_bound_by_the_cipher():
    names = {
        "stream": hazmat.ctr("speck-128/256", bytes(32), bytes(16)),
        "buf": np.zeros(1 << 20, np.uint8),
    }
    whole = best("stream.update_into(buf, buf)", names, 1, 40)
    halves = best(
        (
            "stream.update_into(buf[:524288], buf[:524288]); stream.update_into(buf[524288:], "
            "buf[524288:])"
        ),
        names,
        1,
        40,
    )
    assert halves < 1.25 * whole
