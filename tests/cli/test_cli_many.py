# SPDX-License-Identifier: Apache-2.0
"""Many files in one call of seal and open."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import format_reader
import pytest
from cli_process import Hanji, assert_failed

from hanji import files
from hanji._atomic import AtomicOutputs, is_temporary
from hanji.cli import many

CHEAP = files.Argon2Parameters(1, 8, 1)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of files: in/a, in/empty/ and in/deep/er/b."""
    root = tmp_path / "in"
    (root / "deep" / "er").mkdir(parents=True)
    (root / "empty").mkdir(mode=0o700)
    (root / "a").write_bytes(b"a" * 70_000)
    (root / "deep" / "er" / "b").write_bytes(b"")
    return root


def relative(root: Path) -> dict[str, bytes | None]:
    """Everything below a folder; None for folders."""
    return {
        str(path.relative_to(root)): None if path.is_dir() else path.read_bytes()
        for path in sorted(root.rglob("*"))
    }


def test_a_tree_comes_back(quick: Hanji, tree: Path, key_file: Path) -> None:
    result = quick("seal", "in", "-o", "out", "-k", key_file)
    assert (result.returncode, result.stderr) == (0, b"")
    here = tree.parent
    assert sorted(relative(here / "out")) == [
        "in", "in/a.hanji", "in/deep", "in/deep/er", "in/deep/er/b.hanji", "in/empty",
    ]  # fmt: skip
    assert (here / "out/in/empty").stat().st_mode & 0o777 == 0o700
    assert quick("open", "out/in", "-o", "back", "-k", key_file).returncode == 0
    assert relative(here / "back" / "in") == relative(tree)
    assert quick("seal", "in/.", "-o", "flat/", "-k", key_file).returncode == 0
    assert (here / "flat" / "a.hanji").exists()


@pytest.mark.parametrize("base", [".", "in/..", "in"])
def test_relative_to(quick: Hanji, tree: Path, key_file: Path, base: str) -> None:
    arguments = ("in/a", tree / "deep/er/b", "-o", "out", "-k", key_file, "--relative-to", base)
    assert quick("seal", *arguments).returncode == 0
    top = "" if base == "in" else "in/"
    names = [name for name, found in relative(tree.parent / "out").items() if found is not None]
    assert names == [f"{top}a.hanji", f"{top}deep/er/b.hanji"]
    result = quick("seal", "in/a", "-o", "other", "-k", key_file, "--relative-to", "in/deep")
    assert_failed(result, "in/a is not below in/deep", 2)
    assert not (tree.parent / "other").exists()


def test_one_file_into_a_folder_and_the_name_of_an_opened_one(
    quick: Hanji, tree: Path, key_file: Path
) -> None:
    (tree.parent / "out").mkdir()
    assert quick("seal", "in/a", "-o", "out", "-k", key_file).returncode == 0
    (tree.parent / "out/a.hanji").rename(tree.parent / "out/other")
    assert quick("open", "out/other", "-o", "new/", "-k", key_file).returncode == 0
    assert (tree.parent / "new/other").read_bytes() == (tree / "a").read_bytes()


def test_two_inputs_with_one_output_are_refused_before_anything_is_written(
    quick: Hanji, tree: Path, key_file: Path
) -> None:
    (tree / "deep/a").write_bytes(b"another")
    result = quick("seal", "in/deep/er/b", "in/a", "in/deep/a", "-o", "out", "-k", key_file)
    assert_failed(result, "in/a and in/deep/a are both a.hanji in out; keep their folders with", 2)
    (tree / "deep.hanji").write_bytes(b"")
    result = quick("open", "in/deep", "in/deep.hanji", "-o", "out", "-k", key_file)
    assert_failed(result, "the output of in/deep.hanji and a folder are both deep", 2)
    assert not (tree.parent / "out").exists()


def test_inputs_secrets_and_folders_of_inputs_are_no_outputs(
    quick: Hanji, tree: Path, key_file: Path
) -> None:
    before = relative(tree)
    result = quick("open", "in/a", "in/deep", "-o", "in/", "-k", key_file, "-f")
    assert_failed(result, "the output in/a is the input in/a", 2)
    result = quick("seal", "in", "-o", "in/deep/out", "-k", key_file)
    assert_failed(result, "the output folder in/deep/out is inside the input in", 2)
    (tree.parent / "x").mkdir()
    os.link(key_file, tree.parent / "x/a.hanji")
    result = quick("seal", "in/a", "in/deep", "-o", "x", "-k", key_file, "-f")
    assert_failed(result, "the output x/a.hanji is the key", 2)
    for source, text in (("-", "standard input has no name"), ("in", "standard output takes one")):
        result = quick("seal", "in/a", source, "-o", "y" if source == "-" else "-", "-k", key_file)
        assert_failed(result, text, 2)
    assert relative(tree) == before


def test_links_and_pipes_are_named_and_the_rest_is_done(
    quick: Hanji, tree: Path, key_file: Path
) -> None:
    (tree / "link").symlink_to("a")
    (tree / "loop").symlink_to(".")
    os.mkfifo(tree / "pipe")
    result = quick("seal", "in", "in/link", "missing", "-o", "out", "-k", key_file)
    assert_failed(result, "in/link: is a symbolic link and was left out", 3)
    said = result.stderr.decode()
    assert "in/loop: is a symbolic link" in said and "in/pipe: is a named pipe" in said
    assert "missing: no such file" in said and "sealed 2 of 7 files" in said
    assert {"in/a.hanji", "in/deep/er/b.hanji"} <= set(relative(tree.parent / "out"))
    assert len(list((tree.parent / "out").rglob("*.hanji"))) == 2


def test_existing_outputs_and_going_on(quick: Hanji, tree: Path, key_file: Path) -> None:
    assert quick("seal", "in", "-o", "out", "-k", key_file).returncode == 0
    target = tree.parent / "out/in/a.hanji"
    old = target.read_bytes()
    (tree.parent / "out/in/deep/er/b.hanji").unlink()
    assert_failed(quick("seal", "in", "-o", "out", "-k", key_file), "a.hanji: already exists", 3)
    assert target.read_bytes() == old and (tree.parent / "out/in/deep/er/b.hanji").exists()
    result = quick("seal", "in", "-o", "out", "-k", key_file, "--skip-existing")
    assert result.returncode == 0 and target.read_bytes() == old
    assert quick("seal", "in", "-o", "out", "-k", key_file, "--force").returncode == 0
    assert target.read_bytes() != old
    result = quick("seal", "in/a", "-o", "file", "-k", key_file, "--skip-existing")
    assert_failed(result, "goes with a folder", 2)


def test_a_file_that_does_not_open_stops_no_other(quick: Hanji, tree: Path, key_file: Path) -> None:
    assert quick("seal", "in/.", "-o", "out", "-k", key_file).returncode == 0
    sealed = tree.parent / "out/a.hanji"
    sealed.write_bytes(sealed.read_bytes()[:-1] + b"!")
    result = quick("open", "out/.", "-o", "back", "-k", key_file)
    assert_failed(result, "out/./a.hanji: chunk 1 was altered", 3)
    back = relative(tree.parent / "back")
    assert (
        "a" not in back
        and back["deep/er/b"] == b""
        and "opened 1 of 2 files" in (result.stderr.decode())
    )
    # with nothing to show for it, the status is that of the files: as of one file alone
    result = quick("open", "out/a.hanji", "-o", "other/", "-k", key_file)
    assert_failed(result, "out/a.hanji: chunk 1 was altered", 1)
    assert quick("keygen", "-o", "wrong").returncode == 0
    result = quick("open", "out", "-o", "other", "-k", "wrong")
    assert_failed(result, "out/a.hanji: ", 1)
    said = result.stderr.decode()
    assert "out/deep/er/b.hanji: " in said and "opened 0 of 2 files" in said
    # going on after a run: what was there already counts as done
    result = quick("open", "out/.", "-o", "back", "-k", key_file, "--skip-existing")
    assert_failed(result, "out/./a.hanji: chunk 1 was altered", 3)
    # a file that needs a passphrase among files that need the key
    (tree.parent / "words").write_text("secret words\n")
    (tree.parent / "out/a.hanji").unlink()
    arguments = ("seal", "in/a", "-o", "out/a.hanji", "--passphrase-file", "words")
    assert quick(*arguments).returncode == 0
    result = quick("open", "out/.", "-o", "back", "-k", key_file, "-f")
    assert_failed(result, "out/./a.hanji: the file was sealed with a passphrase", 3)


def test_names_of_opened_files() -> None:
    for name, plain in (
        ("a.hanji", "a"), ("a", "a"), ("b/c.hanji.hanji", "b/c.hanji"),
        # an output is never the folder itself or the one above
        (".hanji", ".hanji"), ("..hanji", "..hanji"), ("b/...hanji", "b/...hanji"),
        ("....hanji", "..."), ("b.hanji/a", "b.hanji/a"),
    ):  # fmt: skip
        assert many.opened_name(name) == plain, name


def test_one_file_twice_is_refused(quick: Hanji, tree: Path, key_file: Path) -> None:
    result = quick("seal", "in/a", "in/a", "-o", "out", "-k", key_file)
    assert_failed(result, "in/a is given twice; name it once. Nothing was written", 2)
    path = str(tree / "a")  # one object, too
    with pytest.raises(ValueError, match="is given twice"):
        many.plan([path, path], str(tree.parent / "out"), None, many.sealed_name, ())


def test_a_passphrase_is_stretched_once_and_no_two_files_have_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hanji.files import _format

    calls: list[object] = []
    stretch = _format.stretch
    monkeypatch.setattr(_format, "stretch", lambda *given: calls.append(1) or stretch(*given))
    shared = files.SharedPassphrase("secret words", CHEAP)
    plain = tmp_path / "plain"
    plain.write_bytes(bytes(100))
    sealed = []
    for number in range(3):
        files.seal_file(plain, tmp_path / f"{number}", passphrase=shared)
        sealed.append((tmp_path / f"{number}").read_bytes())
    assert len(calls) == 1
    headers = [files.read_header(io.BytesIO(raw)).salt for raw in sealed]
    assert len({salt[:16] for salt in headers}) == 1 and len({salt[16:] for salt in headers}) == 3
    # equal texts under equal keys and nonces would have equal ciphertexts
    assert len({raw[144:244] for raw in sealed}) == 3
    assert files.read_header(io.BytesIO(sealed[0])).key_source is files.KeySource.SHARED_PASSPHRASE
    opener = files.SharedPassphrase(lambda: calls.append("asked") or "secret words")
    for number in range(3):
        files.open_file(
            tmp_path / f"{number}", tmp_path / "back", passphrase=opener, overwrite=True
        )
    assert calls == [1, "asked", 1]
    assert (tmp_path / "back").read_bytes() == bytes(100)
    assert format_reader.open_sealed(sealed[0], "secret words") == bytes(100)
    with pytest.raises(files.WrongPassphraseError):
        files.open_file(tmp_path / "0", tmp_path / "no", passphrase=files.SharedPassphrase("other"))
    assert not (tmp_path / "no").exists()


def test_passphrase_of_a_run(quick: Hanji, tree: Path) -> None:
    (tree.parent / "words").write_text("secret words\n")
    assert quick("seal", "in", "-o", "out", "--passphrase-file", "words").returncode == 0
    sealed = [path.read_bytes() for path in (tree.parent / "out").rglob("*.hanji")]
    assert len(sealed) == 2 and sealed[0][32:48] == sealed[1][32:48]
    assert sealed[0][48:64] != sealed[1][48:64]
    assert quick("open", "out/in", "-o", "back", "--passphrase-file", "words").returncode == 0
    assert relative(tree.parent / "back/in") == relative(tree)


def test_no_output_of_a_run_replaces_another(tmp_path: Path) -> None:
    (tmp_path / "b").symlink_to("a")  # two names of one file, as on systems that ignore case
    said: list[tuple[str, Exception | None]] = []
    with AtomicOutputs(lambda label, error: said.append((label, error)), overwrite=True) as outputs:
        for name in "ab":
            with outputs.output(name, tmp_path / name) as writer:
                writer.write(name.encode())
    assert (tmp_path / "a").read_bytes() == b"a"
    assert said[0] == ("a", None) and isinstance(said[1][1], FileExistsError)


def passed(found: many.Plan, swap: Callable[[many.Job], object]) -> int:
    """The status of a run that copies its inputs, and calls ``swap`` before each of them."""

    def copy(job: many.Job, writer: Any, progress: object) -> None:
        swap(job)
        with found.open(job.source) as reader:
            writer.write(reader.read())

    return many.Run(found, "copied").run(copy, force=True, skip_existing=False)


def test_a_folder_of_inputs_that_becomes_a_link_leads_nowhere(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "b").write_bytes(b"of somebody else")
    found = many.plan([str(tree)], str(tmp_path / "out"), None, str, ())

    def swap(job: many.Job) -> None:
        if job.source.endswith("/b"):
            (tree / "deep/er").rename(tree / "moved")
            (tree / "deep/er").symlink_to(secret)

    assert passed(found, swap) == 3
    assert f"{tree}/deep/er/b: was moved or replaced while hanji worked" in capsys.readouterr().err
    made = [name for name, data in relative(tmp_path / "out").items() if data is not None]
    assert made == ["in/a"]
    with pytest.raises(OSError, match="was moved or replaced"), many._folder(str(secret), (0, 0)):
        pass


def test_a_system_that_holds_no_folders(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many, "_HOLDS_FOLDERS", False)
    found = many.plan([str(tree)], str(tmp_path / "out"), None, str, ())
    assert passed(found, lambda job: None) == 0
    assert relative(tmp_path / "out/in") == relative(tree)


def test_a_folder_of_outputs_that_becomes_a_link_leads_nowhere(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "deep/er/c").write_bytes(b"c")
    elsewhere, out = tmp_path / "elsewhere", tmp_path / "out"
    elsewhere.mkdir()
    found = many.plan([str(tree)], str(out), None, str, ())

    def swap(job: many.Job) -> None:
        if job.source.endswith("/b"):
            (out / "in/deep/er").rename(out / "moved")
            (out / "in/deep/er").symlink_to(elsewhere)

    assert passed(found, swap) == 3
    assert f"{out}/in/deep/er/c: leads out of its folder" in capsys.readouterr().err
    assert not list(elsewhere.iterdir())
    # what was begun before goes where it was begun
    assert sorted(path.name for path in (out / "moved").iterdir()) == ["b"]


def test_links_among_the_outputs_lead_nowhere(quick: Hanji, tree: Path, key_file: Path) -> None:
    here = tree.parent
    (here / "precious").write_bytes(b"precious")
    (here / "out/in").mkdir(parents=True)
    (here / "out/in/a.hanji").symlink_to("../../precious")
    result = quick("seal", "in", "-o", "out", "-k", key_file, "--force")
    assert_failed(result, "out/in/a.hanji: leads out of its folder", 3)
    assert (here / "precious").read_bytes() == b"precious"
    assert (here / "out/in/a.hanji").is_symlink() and (here / "out/in/deep/er/b.hanji").exists()
    (here / "other").symlink_to("out")  # the folder itself may be a link: it was named
    result = quick("seal", "in/deep", "-o", "other//", "-k", key_file)
    assert (result.returncode, (here / "out/deep/er/b.hanji").exists()) == (0, True)
    (here / "deeper").symlink_to("in/deep")
    result = quick("seal", "in", "-o", "deeper/new", "-k", key_file)
    assert_failed(result, "the output folder deeper/new is inside the input in", 2)


def test_what_is_no_file_is_not_skipped(quick: Hanji, tree: Path, key_file: Path) -> None:
    out = tree.parent / "out/in"
    (out / "a.hanji").mkdir(parents=True)
    result = quick("seal", "in", "-o", "out", "-k", key_file, "--skip-existing")
    assert_failed(result, "out/in/a.hanji: is a directory", 3)
    (out / "a.hanji").rmdir()
    (out / "a.hanji").symlink_to("nowhere")
    result = quick("seal", "in", "-o", "out", "-k", key_file, "--skip-existing")
    assert_failed(result, "out/in/a.hanji: already exists", 3)
    assert not (out / "nowhere").exists()


def test_names_that_differ_in_case_or_form(
    quick: Hanji, tree: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, name in (
        ("1", "A"),
        ("2", "a"),
        ("3", "e\u0301"),
        ("4", "\u00e9"),
        ("5", "\u00c9"),
    ):
        (tree / folder).mkdir()
        (tree / folder / name).write_bytes(name.encode())
    out = str(tree.parent / "out")
    inputs = [str(path) for path in sorted(tree.glob("[1-5]/*"))]
    before = relative(tree.parent)
    if not many._ignores_case(out):  # each is a file of its own
        assert relative(tree.parent) == before
        assert quick("seal", *inputs, "-o", "out", "-k", key_file).returncode == 0
        assert len(list((tree.parent / "out").iterdir())) == 5
        monkeypatch.setattr(many, "_ignores_case", lambda folder: True)
    with pytest.raises(ValueError, match=r"1/A and .*2/a are both a\.hanji; .*3/.* and .*4/"):
        many.plan(inputs, out, None, many.sealed_name, ())
    with pytest.raises(ValueError, match=r"the output of .*/A and a folder are both a"):
        folder = tree / "6" / "a"
        folder.mkdir(parents=True)
        many.plan([str(tree / "1/A"), str(folder)], out, None, str, ())


def test_whether_a_file_system_ignores_case_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def lexists(path: str) -> bool:
        asked.append(path)
        assert [one.name for one in tmp_path.iterdir()] == [Path(path).name.lower()]
        return True

    monkeypatch.setattr(os.path, "lexists", lexists)
    assert many._ignores_case(str(tmp_path / "not/there"))
    assert len(asked) == 1 and Path(asked[0]).parent == tmp_path and not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="such names are of POSIX")
def test_names_that_are_no_text(quick: Hanji, tree: Path, key_file: Path) -> None:
    (tree / os.fsdecode(b"\xff\x1b[2J\n")).write_bytes(b"x")
    assert quick("seal", "in", "-o", "out", "-k", key_file).returncode == 0
    result = quick("seal", "in", "-o", "out", "-k", key_file)
    assert result.returncode == 3 and b"\x1b" not in result.stderr
    assert quick("open", "out/in", "-o", "back", "-k", key_file).returncode == 0
    assert relative(tree.parent / "back/in") == relative(tree)


def test_an_error_of_the_folder_names_each_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hanji._system import Folder

    def store(folder: Folder) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Folder, "store", store)
    said: list[tuple[str, str]] = []
    with AtomicOutputs(lambda label, error: said.append((label, str(error)))) as outputs:
        for name in "ab":
            with outputs.output(name, tmp_path / name) as writer:
                writer.write(name.encode())
    assert [label for label, _ in said] == ["a", "b"]
    assert all(f"'{tmp_path / label}'" in error for label, error in said)


def test_many_files_with_few_descriptors(tmp_path: Path, key_file: Path) -> None:
    for number in range(400):
        (tmp_path / f"in/{number % 7}").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"in/{number % 7}/{number}").write_bytes(b"x")
    result = subprocess.run(
        [sys.executable, "-m", "hanji.cli", "seal", "in", "-o", "out", "-k", key_file],
        cwd=tmp_path,
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200)),
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert len(list((tmp_path / "out/in").rglob("*.hanji"))) == 400


def test_a_full_disk_names_the_files_and_leaves_nothing_wrong(
    tree: Path, key_file: Path, tmp_path: Path
) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "hanji.cli", "seal", "in", "-o", "out", "-k", key_file],
        cwd=tmp_path,
        capture_output=True,
        preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        ),
        check=False,
    )
    assert result.returncode == 3 and b"out/in/a.hanji: file too large" in result.stderr
    made = [name for name, found in relative(tmp_path / "out").items() if found is not None]
    assert made == ["in/deep/er/b.hanji"]


HELD = """
import sys
from hanji.cli import many
from hanji.cli.main import app
read = many.Plan.open
def held(plan, path):  # one group of outputs has names, the next has begun
    if path.endswith("0100"):
        print("here", flush=True)
        sys.stdin.read()
    return read(plan, path)
many.Plan.open = held
app(prog_name="hanji")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_leaves_whole_files_only(
    tmp_path: Path, key_file: Path, number: signal.Signals
) -> None:
    (tmp_path / "in").mkdir()
    for name in range(200):
        (tmp_path / "in" / f"{name:04}").write_bytes(bytes(30_000))
    out = tmp_path / "out" / "in"
    line = ["seal", "in", "-o", "out", "-k", str(key_file)]
    with subprocess.Popen(
        [sys.executable, "-c", HELD, *line],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        process.send_signal(number)
        status = process.wait(60)
    assert status == (-9 if number == signal.SIGKILL else 128 + number)
    whole = [path for path in out.iterdir() if path.suffix == ".hanji"]
    assert len(whole) == 64
    assert {path.stat().st_size for path in whole} == {30_000 + 160}
    rest = [path for path in out.iterdir() if path.suffix != ".hanji"]
    assert len(rest) == (37 if number == signal.SIGKILL else 0)
    assert all(is_temporary(path.name) and path.stat().st_mode & 0o777 == 0o600 for path in rest)
    line = [sys.executable, "-m", "hanji.cli", *line, "--skip-existing"]
    assert subprocess.run(line, cwd=tmp_path, check=False).returncode == 0
    assert len(list(out.iterdir())) == 200  # what the killed process left is gone, too


def test_folders_without_a_folder_for_the_signatures(quick: Hanji, tree: Path) -> None:
    """One line says what to do; files that are named with the folder get their signatures."""
    assert quick("sign-keygen", "-o", "signer").returncode == 0
    result = quick("sign", "in", "signer.pub", "-k", "signer")
    assert_failed(result, "in: is a folder; to sign the files in it, give a folder for the", 3)
    assert (tree.parent / "signer.pub.sig").exists() and not (tree.parent / "in.sig").exists()
    result = quick("verify", "in", "-k", "signer.pub")
    assert_failed(result, "in: is a folder; to verify the files in it, give the folder of the", 3)


def test_what_is_in_a_folder_is_opened_without_the_folder(
    quick: Hanji, tree: Path, key_file: Path
) -> None:
    """A round trip gives the same tree."""
    assert quick("seal", "in", "-o", "sealed", "-k", key_file).returncode == 0
    assert quick("open", "sealed/.", "-o", "opened", "-k", key_file).returncode == 0
    assert relative(tree.parent / "opened/in") == relative(tree)
    assert quick("open", "sealed", "-o", "under", "-k", key_file).returncode == 0
    assert relative(tree.parent / "under/sealed/in") == relative(tree)


def test_signatures_of_a_tree(quick: Hanji, tree: Path) -> None:
    assert quick("sign-keygen", "-o", "signer").returncode == 0
    (tree / "link").symlink_to("a")
    result = quick("sign", "in", "-o", "sigs", "-k", "signer")
    assert_failed(result, "in/link: is a symbolic link and was left out", 3)
    (tree / "link").unlink()
    sigs = tree.parent / "sigs/in"
    assert {name for name, found in relative(sigs).items() if found} == {"a.sig", "deep/er/b.sig"}
    verified = quick("verify", "in", "-s", "sigs", "-k", "signer.pub")
    assert (verified.returncode, verified.stdout) == (0, b"in/a: OK\nin/deep/er/b: OK\n")
    old = (sigs / "a.sig").read_bytes()
    (sigs / "deep/er/b.sig").unlink()
    assert_failed(quick("verify", "in", "-s", "sigs", "-k", "signer.pub"), "b.sig: no such file", 3)
    arguments = ("sign", "in", "-o", "sigs", "-k", "signer")
    assert_failed(quick(*arguments), "sigs/in/a.sig: already exists", 3)
    assert (sigs / "deep/er/b.sig").exists() and (sigs / "a.sig").read_bytes() == old
    assert quick(*arguments, "--skip-existing").returncode == 0
    (tree / "a").write_bytes(b"changed")
    result = quick("verify", "a", "-s", "../sigs/in", "--relative-to", ".", "-k", "../signer.pub")
    assert result.returncode == 3  # there is no such file here
    result = quick(
        "verify", "in/a", "in/deep", "-s", "sigs", "--relative-to", ".", "-k", "signer.pub"
    )
    assert_failed(result, "in/a: ", 1)
    assert result.stdout == b"in/a: FAILED\nin/deep/er/b: OK\n"
    (tree / "deep/a").write_bytes(b"")
    assert_failed(
        quick("sign", "in/a", "in/deep/a", "-o", "x", "-k", "signer"), "are both a.sig", 2
    )
    assert not (tree.parent / "x").exists()
    assert_failed(quick("sign", "in/a", "-k", "signer", "--skip-existing"), "goes with a folder", 2)
