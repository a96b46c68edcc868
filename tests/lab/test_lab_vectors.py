# SPDX-License-Identifier: Apache-2.0
"""The vector files are whole, unchanged and in their stored form."""

import gzip
import hashlib

import pytest
import vectors_io

from hanji_lab import spec

pytestmark = pytest.mark.quick

FOREIGN = {"aes-128", "tdea"}


def test_there_are_15996_vectors():
    counts = {name: len(vectors_io.document(name)["tests"]) for name in vectors_io.names()}
    assert sum(counts.values()) == 15996, counts
    assert {name: vectors_io.document(name)["count"] for name in counts} == counts


def test_digests_are_pinned():
    lines = (vectors_io.DIRECTORY / "SHA256SUMS").read_text().splitlines()
    pinned = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = vectors_io.DIRECTORY.rglob("*" + vectors_io.SUFFIX)
    found = {
        str(path.relative_to(vectors_io.DIRECTORY)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    assert found == pinned


def test_together_below_two_megabytes():
    assert sum(path.stat().st_size for path in vectors_io.DIRECTORY.iterdir()) < 2_000_000


@pytest.mark.parametrize("name", vectors_io.names())
def test_stored_form(name):
    stored = (vectors_io.DIRECTORY / (name + vectors_io.SUFFIX)).read_bytes()
    # The compressed bytes depend on the zlib at hand, their content does not.
    assert gzip.decompress(vectors_io.pack(vectors_io.document(name))) == gzip.decompress(stored)
    assert stored[4:8] == bytes(4), "the gzip header carries a time"


@pytest.mark.parametrize("name", vectors_io.names())
def test_fields(name):
    tests = vectors_io.load(name)
    assert [test["tcId"] for test in tests] == list(range(1, len(tests) + 1))
    for test in tests:
        assert test["variant"] in spec.ALGORITHMS.keys() | FOREIGN, test["tcId"]
        assert test["result"] in ("valid", "invalid"), test["tcId"]
        assert test["source"], test["tcId"]


def test_unknown_file_names_those_that_exist():
    with pytest.raises(FileNotFoundError, match=r"no vector file 'spek'.*speck"):
        vectors_io.load("spek")
