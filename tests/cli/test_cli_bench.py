# SPDX-License-Identifier: Apache-2.0
"""`hanji list`, `hanji bench` and the wrapper of Crypto++ that bench compares with."""

from __future__ import annotations

import ctypes
import json
import shlex
import sys
from pathlib import Path

import click
import pytest
from cli_process import Hanji, assert_failed

import hanji as package
from hanji import hazmat
from hanji.cli import bench, machine, main, peers
from hanji.cli.peers import openssl


def test_list_as_json_has_every_algorithm(hanji: Hanji) -> None:
    listed = {row["name"]: row for row in json.loads(hanji("list", "--json").stdout)}
    assert set(listed) == {a.name for a in package.algorithms()}
    assert all(row["status"] for row in listed.values())
    assert listed["schwaemm256-128"]["nonce_size"] == 32


def test_list_shows_names_advice_and_backends(hanji: Hanji) -> None:
    lines = hanji("list").stdout.decode().splitlines()
    names = {a.name for a in package.algorithms()}
    found = {
        words[1]: words[0]
        for words in map(str.split, lines)
        if len(words) >= 3 and words[1] in names
    }
    assert set(found) == names
    order = list(machine._ADVICE)
    assert [order.index(word) for word in found.values()] == sorted(
        order.index(word) for word in found.values()
    )
    for algorithm in package.algorithms():
        assert (found[algorithm.name] == "broken") == algorithm.broken
    expected = {
        "ascon-aead128": "recommended",
        "schwaemm256-128": "ok",
        "aimer3-128f": "ok",
        "speck-32/64": "legacy",
        "speck-64/128": "ok",
        "speck-128/256": "ok",
        "simeck-64/128": "research",
        "cham-128/128-original": "legacy",
        "eax": "ok",
        "sparkle384": "ok",
    }
    assert {name: found[name] for name in expected} == expected
    for backend in package.backends():
        assert any(line.startswith(f"backend {backend['name']}: ") for line in lines)


def test_list_marks_what_is_not_built_and_says_how_to_build_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rainbow is a library of its own next to the compiled module."""

    def listed(*names: str) -> str:
        machine.list_.main([*names], standalone_mode=False)
        return capsys.readouterr().out

    command = "make -C papers/rainbow-armv8 python"
    monkeypatch.setattr(machine._core, "__file__", str(tmp_path / "_core.so"))
    marked = [line.split() for line in listed().splitlines() if line.endswith("(not built)")]
    assert len(marked) == 9 and all(words[1].startswith("rainbow-") for words in marked)
    assert command in listed() and command in listed("rainbow-i-cz")
    assert "not built" not in listed("aimer2-128f")
    rows = {row["name"]: row for row in json.loads(listed("--json"))}
    assert {name for name, row in rows.items() if not row["built"]} == {row[1] for row in marked}
    assert all(bool(row["build_hint"]) != row["built"] for row in rows.values())
    (row,) = json.loads(listed("rainbow-i-cz", "--json"))
    assert row["built"] is False and command in row["build_hint"]
    library = "_librainbow.dll" if sys.platform == "win32" else "_librainbow.so"
    (tmp_path / library).touch()
    assert "not built" not in listed() + listed("rainbow-i-cz")
    assert all(row["built"] and not row["build_hint"] for row in json.loads(listed("--json")))
    makefile = Path(__file__).resolve().parents[2] / "papers/rainbow-armv8/Makefile"
    assert "\npython: ##" in makefile.read_text()


def test_list_of_names_says_everything(hanji: Hanji) -> None:
    shown = hanji("list", "schwaemm256-128", "aimer2-128f").stdout.decode()
    for text in ("key 16, nonce 32", "NIST LWC finalist", "ok: no known attack", "broken: forg"):
        assert text in shown
    assert shown.count("broken: ") == 1 and "BROKEN" not in shown
    result = hanji("list", "ascon-aead")
    assert_failed(result, "did you mean ascon-aead128", 2)


@pytest.mark.parametrize(
    "line",
    [
        ["keygen", "-o", "k", "-a", "ascon-aed128"],
        ["sign-keygen", "-o", "k", "-a", "aimer3-128"],
        ["hash", "-a", "ascon-hash", "k"],
        ["bench", "ascon-aead"],
        ["telemetry", "seal", "k", "--masters", "k", "-o", "o", "--algorithm", "ascon-aead"],
    ],
    ids=lambda words: words[0],
)
def test_did_you_mean(hanji: Hanji, line: list[str]) -> None:
    assert_failed(hanji(*line), "did you mean a", 2)


@pytest.mark.parametrize(
    ("line", "means"),
    [
        (["list", "ascon"], "ascon-aead128, ascon-hash256, ascon-xof128, ascon-cxof128"),
        (["bench", "ascon"], "ascon-aead128, ascon-hash256, ascon-xof128, ascon-cxof128"),
        (["hash", "-a", "ascon", "k"], "ascon-hash256, ascon-xof128, ascon-cxof128"),
        (["keygen", "-o", "k", "-a", "ascon"], "ascon-aead128"),
        (["keygen", "-o", "k", "-a", "cham"], "cham-64/128, cham-128/128, cham-128/256, "),
        (
            ["sign-keygen", "-o", "k", "-a", "slh"],
            "slh-dsa-shake-128s, slh-dsa-shake-128f, slh-dsa-shake-192s, slh-dsa-shake-192f",
        ),
        (["sign-keygen", "-o", "k", "-a", "aimer"], "aimer3-128f, aimer3-128s, "),
        (["sign-keygen", "-o", "k", "-a", "aimer2"], "aimer3-"),
        (["sign-keygen", "-o", "k", "-a", "rainbow"], "rainbow-i-classic, rainbow-i-cz, "),
        (
            ["telemetry", "seal", "k", "--masters", "k", "-o", "o", "--algorithm", "ascon"],
            "ascon-aead128?",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_beginning_means_what_is_valid_there_the_best_first(
    hanji: Hanji, line: list[str], means: str
) -> None:
    assert_failed(hanji(*line), f"did you mean {means}", 2)


def test_every_command_has_an_example_that_its_parser_takes() -> None:
    def check(group: click.Group, words: list[str]) -> int:
        context, count = click.Context(group), 0
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                count += check(command, [*words, name])
                continue
            example = command.example  # type: ignore[attr-defined]
            first = example.split(" > ")[0].split(" && ")[0]
            given = shlex.split(first)
            assert given[: len(words) + 1] == [*words, name], example
            command.make_context(name, given[len(words) + 1 :])
            help_text = command.get_help(click.Context(command, info_name=name))
            said = " ".join(help_text.split())
            assert f"Example: {' '.join(example.split())}" in said
            count += 1
        return count

    assert check(main.app, ["hanji"]) == 14


def test_bench_figures_fit_together(hanji: Hanji) -> None:
    options = (
        "--size",
        64,
        "--size",
        4096,
        "--seconds",
        0.001,
        "--clock-ghz",
        2,
        "--json",
        "--all-backends",
    )
    result = hanji("bench", "schwaemm256-128", "esch*", *options)
    rows = json.loads(result.stdout)
    names = {
        a.name
        for a in package.algorithms()
        if a.name == "schwaemm256-128" or a.name.startswith("esch")
    }
    ours = [row for row in rows if row["implementation"].startswith("hanji")]
    assert {(row["kernel"], row["bytes"]) for row in ours} == {
        (name, size) for name in names for size in (64, 4096)
    }
    for row in ours:
        assert row["seconds"] > 0
        assert row["backend"] in [b["name"] for b in package.backends()]
        assert row["gigabytes_per_second"] == pytest.approx(row["bytes"] / row["seconds"] / 1e9)
        assert row["cycles_per_byte"] == pytest.approx(2 / row["gigabytes_per_second"])
        assert row["clock_source"] == "as stated by --clock-ghz"


def test_bench_table(hanji: Hanji) -> None:
    output = hanji(
        "bench", "schwaemm256-128", "--size", 1024, "--seconds", 0.001, "--clock-ghz", 2
    ).stdout.decode()
    for word in ("schwaemm256-128", "1 KiB", "c/B", "GB/s", "2.000 GHz"):
        assert word in output


def test_bench_sweep_measures_every_length(hanji: Hanji) -> None:
    assert bench.SWEEP_SIZES[:32] == tuple(range(1, 33)) and bench.SWEEP_SIZES[-1] == 2048
    assert list(bench.SWEEP_SIZES) == sorted(set(bench.SWEEP_SIZES))
    options = ("--sweep", "--no-peers", "--seconds", 0.001)
    rows = json.loads(hanji("bench", "esch*", *options, "--json").stdout)
    assert [(row["kernel"], row["bytes"]) for row in rows] == [
        (name, size) for name in ("esch256", "esch384") for size in bench.SWEEP_SIZES
    ]
    assert all(row["seconds"] > 0 for row in rows)


def test_bench_sweep_prints_time_by_length(capsys: pytest.CaptureFixture[str]) -> None:
    about = {"kernel": "x", "operation": "ctr", "implementation": "hanji 1", "backend": "avx2"}
    bench._print_sweep(
        [about | {"bytes": size, "seconds": seconds} for size, seconds in ((1, 1e-7), (16, 4e-7))]
    )
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["x", "ctr,", "hanji", "1", "avx2"] in lines
    assert ["1", "100", "100.00"] in lines and ["16", "400", "25.00"] in lines


@pytest.mark.parametrize("other", [("--size", 16), ("--device", "cuda")])
def test_bench_sweep_stands_alone(hanji: Hanji, other: tuple[str, object]) -> None:
    done = hanji("bench", "--sweep", *other)
    assert_failed(done, "--size and --device cannot be combined with --sweep", 2)


def test_bench_has_openssl_for_context(
    hanji: Hanji, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads(hanji("bench", "--size", 64, "--seconds", 0.001, "--json").stdout)
    found = {row["kernel"]: row for row in rows if row["implementation"].startswith("OpenSSL ")}
    assert set(found) == set(openssl.CONTEXT) and all(row["seconds"] > 0 for row in found.values())
    for names, wanted in ((["esch256"], {"esch256", *openssl.CONTEXT}), (["--no-peers"], set())):
        done = hanji("bench", *names, "--size", 64, "--seconds", 0.001, "--json")
        kernels = {row["kernel"] for row in json.loads(done.stdout)}
        assert kernels == wanted or not (wanted or kernels & {*openssl.CONTEXT})
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    openssl.openssl.cache_clear()
    bench.run([], [16], 0.001, False, True, 1.0, True)
    openssl.openssl.cache_clear()
    said = capsys.readouterr()
    assert "measured without OpenSSL: no OpenSSL; install the Debian package libssl3" in said.err
    assert not any(row["implementation"].startswith("OpenSSL ") for row in json.loads(said.out))


def test_openssl_encrypts_what_the_standards_say() -> None:
    """NIST SP 800-38A, F.5.1; test case 3 of the GCM specification; and RFC 8439, 2.8.2 without its
    associated data: the stream is that of the RFC.
    """
    peer = openssl.openssl()
    data, out = (
        ctypes.create_string_buffer(bytes.fromhex("6bc1bee22e409f96e93d7e117393172a"), 16),
        ctypes.create_string_buffer(16),
    )
    peer.begin("aes-128-ctr", bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"))
    assert (
        peer.encrypt_into(bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), data, out, 16) == b""
    )
    assert out.raw == bytes.fromhex("874d6191b620e3261bef6864990db6ce")
    text = bytes.fromhex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
    )
    data, out = ctypes.create_string_buffer(text, 64), ctypes.create_string_buffer(64)
    peer.begin("aes-128-gcm", bytes.fromhex("feffe9928665731c6d6a8f9467308308"))
    tag = peer.encrypt_into(bytes.fromhex("cafebabefacedbaddecaf888"), data, out, 64)
    assert out.raw.hex() == (
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
        "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985"
    )
    assert tag.hex() == "4d5c2af327cd64a62cf35abd2ba6fab4"
    text, out = (
        ctypes.create_string_buffer(b"Ladies and Gentl", 16),
        ctypes.create_string_buffer(16),
    )
    peer.begin("chacha20-poly1305", bytes(range(0x80, 0xA0)))
    tag = peer.encrypt_into(bytes.fromhex("070000004041424344454647"), text, out, 16)
    assert out.raw == bytes.fromhex("d31a8d34648e60db7b86afbc53ef7ec2") and len(tag) == 16
    with pytest.raises(ValueError, match="aes-128-ctr with a key of 15 bytes"):
        peer.begin("aes-128-ctr", bytes(15))
    with pytest.raises(ValueError, match="an iv of 11 bytes given; chacha20-poly1305 takes 12"):
        peer.encrypt_into(bytes(11), text, out, 16)


def test_bench_names_what_it_does_not_know(hanji: Hanji) -> None:
    assert_failed(hanji("bench", "aes*"), "no algorithm that is measured is called aes*", 2)


def test_figures_carry_the_tier_that_ran() -> None:
    def best() -> str:
        return [b["name"] for b in package.backends() if b["selected"]][-1]

    before = best()
    assert bench.selected_tier() == before
    for backend in package.backends():
        if backend["available"]:
            with bench.forced(backend["name"]):
                assert best() == backend["name"]
    assert best() == before


def test_everything_listed_can_be_measured() -> None:
    for name, _ in bench.select(["*"]):
        bench.prepare(name, 32)()


def test_seconds_per_call_counts_calls_not_runs() -> None:
    calls = 0

    def call() -> None:
        nonlocal calls
        calls += 1

    seconds, repeats = bench.seconds_per_call(call, 0.01)
    assert 0 < seconds < 0.01
    assert calls > bench.RUNS * repeats


@pytest.fixture
def cryptopp() -> peers.CryptoPP:
    try:
        return peers.cryptopp()
    except peers.PeerUnavailableError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", peers.CIPHERS)
def test_peer_computes_the_same_blocks(cryptopp: peers.CryptoPP, name: str) -> None:
    sizes = {a.name: (a.key_size, a.block_size) for a in package.algorithms()}
    key_size, block_size = sizes[name]
    key, data = bytes(range(key_size)), bytes(range(100, 100 + 5 * block_size))
    cipher = hazmat.block(name, key)
    encrypted = cryptopp.ecb(name, key, data)
    assert encrypted == cipher.encrypt(data)
    assert cryptopp.ecb(name, key, encrypted, decrypt=True) == data
    assert cryptopp.ctr_seconds(name, 1024, 1, 1) > 0


@pytest.mark.parametrize("name", [n for n in peers.CIPHERS if n.startswith(("speck", "simon"))])
def test_peer_counts_as_we_do(cryptopp: peers.CryptoPP, name: str) -> None:
    sizes = {a.name: (a.key_size, a.block_size) for a in package.algorithms()}
    key, iv = bytes(range(sizes[name][0])), b"\xff" * (sizes[name][1] - 1) + b"\xfe"
    assert cryptopp.ctr(name, key, iv, bytes(1001)) == hazmat.ctr(name, key, iv).update(bytes(1001))


def test_peer_refuses_what_it_cannot_compare(cryptopp: peers.CryptoPP) -> None:
    with pytest.raises(ValueError, match="has no speck-64/128 with a key of this length"):
        cryptopp.ecb("speck-64/128", bytes(15), bytes(8))
    with pytest.raises(ValueError, match="length that does not fit"):
        cryptopp.ecb("speck-64/128", bytes(16), bytes(9))
    with pytest.raises(ValueError, match="counts in another byte order"):
        cryptopp.ctr("cham-64/128-original", bytes(16), bytes(8), bytes(8))
    with pytest.raises(ValueError, match="has no cham-64/128 "):
        cryptopp.ecb("cham-64/128", bytes(16), bytes(8))


def test_peers_that_are_not_there_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(peers.shutil, "which", lambda _: None)
    with pytest.raises(peers.PeerUnavailableError, match=r"Debian package g\+\+"):
        peers.cryptopp.__wrapped__()


def test_missing_cryptopp_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = tmp_path / "c++"
    compiler.write_text(
        "#!/bin/sh\necho 'fatal error: cryptopp/cham.h: No such file or directory' >&2\nexit 1\n"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(peers.shutil, "which", lambda _: str(compiler))
    with pytest.raises(peers.PeerUnavailableError, match=r"libcrypto\+\+-dev"):
        peers.cryptopp.__wrapped__()
    assert list((tmp_path / "cache" / "hanji" / "peers").iterdir()) == []
