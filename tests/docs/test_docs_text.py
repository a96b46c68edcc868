# SPDX-License-Identifier: Apache-2.0
"""What the documents point at is there: files, headings, commands, generated parts."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import FENCE, ROOT, blocks, broken_links, documents, prose

from hanji_lab import results

pytestmark = pytest.mark.quick

DOCUMENTS = documents()


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_documents_are_there() -> None:
    names = {ids(path) for path in DOCUMENTS}
    assert names >= {
        f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY", "CHANGELOG")
    }
    assert names >= {f"docs/{name}.md" for name in ("README", "format", "fleet", "firmware")}


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_links_lead_somewhere(path: Path) -> None:
    assert broken_links(path) == []


def test_control_broken_links_are_seen(tmp_path: Path) -> None:
    (tmp_path / "here.md").write_text("# A `heading`, with marks\n")
    page = tmp_path / "page.md"
    good = (
        "[a](here.md) [b](here.md#a-heading-with-marks) [c](#own) ![d](here.md) "
        "[e](https://example.org/x)"
    )
    page.write_text(f"# Own\n{good}\n```\n[f](nowhere.md)\n```\n")
    assert broken_links(page, tmp_path) == []
    page.write_text(
        f"# Own\n{good} [g](nowhere.md) [h](here.md#no-heading) [i](#none) "
        '[j](../outside.md) <img src="none.svg">\n'
    )
    assert broken_links(page, tmp_path) == [
        "nowhere.md",
        "here.md#no-heading",
        "#none",
        "../outside.md",
        "none.svg",
    ]


def test_the_changelog_of_the_first_release_is_short() -> None:
    """What a user notices, in groups that Keep a Changelog names; the rest is in the history."""
    text = (ROOT / "CHANGELOG.md").read_text()
    first = text[text.index("## [0.2.0]") :]
    assert len(first.splitlines()) <= 60
    groups = re.findall(r"^### (.+)$", first, re.MULTILINE)
    assert groups == ["Security", "Added", "Changed", "Fixed", "Removed"]


def test_index_names_every_document() -> None:
    index = (ROOT / "docs/README.md").read_text()
    for path in ROOT.glob("docs/*.md"):
        assert path.name == "README.md" or f"]({path.name})" in index, (
            f"docs/README.md does not lead to {path.name}"
        )


def targets_of(folder: Path) -> set[str]:
    """The targets of the Makefile of a folder that are for people."""
    text = (folder / "Makefile").read_text() if (folder / "Makefile").is_file() else ""
    return set(re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE))


@functools.cache
def known_commands() -> dict[str, set[str]]:
    """Command -> the words that may follow it."""
    targets = targets_of(ROOT)
    presets = {
        preset["name"]
        for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    }
    commands = {"make": targets, "--preset": presets}
    for program, module in (("hanji", "hanji.cli.main"), ("hanji-lab", "hanji_lab.cli")):
        code = f"import {module} as m; print(*m.app.list_commands(None))"
        commands[program] = set(
            subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=True
            ).stdout.split()
        )
    return commands


def unknown_commands(text: str, known: dict[str, set[str]]) -> list[str]:
    """Targets, presets and subcommands in code (fenced or in backticks) that do not exist."""
    unknown = []
    for code in re.findall(
        r"^```(?:sh|console)\n(.*?)^```|(?<!`)`([^`\n]+)`", text, re.MULTILINE | re.DOTALL
    ):
        for line in "".join(code).splitlines():
            words = line.removeprefix("$ ").split(" #")[0].split()
            for place, word in enumerate(words[:-1]):
                first = place == 0 or words[place - 1] in ("&&", "||", ";")
                if word == "--preset" or (word in known and (first or word == "make")):
                    following = (
                        words[place + 1 :] if word == "make" else words[place + 1 : place + 2]
                    )
                    named = [
                        w.rstrip(";,") for w in following if re.fullmatch(r"[a-z][\w-]*[;,]?", w)
                    ]
                    expected = known[word]
                    if word == "make" and following[0] == "-C":
                        expected = targets_of(ROOT / following[1])
                    unknown += [f"{word} {name}" for name in named if name not in expected]
    return unknown


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_commands_exist(path: Path) -> None:
    assert unknown_commands(path.read_text(), known_commands()) == []


def test_control_unknown_commands_are_seen() -> None:
    known = known_commands()
    text = "`make demo` `make tset` `hanji seal IN -o OUT`\n"
    text += (
        "```sh\nmake deps test # not a target\nmake deps tests\ncmake --preset "
        "nowhere\nhanji-lab xt\nmake -C papers/rainbow-armv8 test demo\n```\n"
    )
    assert unknown_commands(text, known) == [
        "make tset",
        "make tests",
        "--preset nowhere",
        "hanji-lab xt",
        "make demo",
    ]


def test_cmake_options_exist() -> None:
    options = set(re.findall(r"(?:option|set)\((HANJI_\w+)", (ROOT / "CMakeLists.txt").read_text()))
    for path in DOCUMENTS:
        for name in re.findall(r"-D(HANJI_\w+)", path.read_text()):
            assert name in options, (
                f"{ids(path)} names -D{name}; CMakeLists.txt has {sorted(options)}"
            )


def test_files_in_backticks_exist() -> None:
    folders = "src|include|python|lab|tests|tools|docs|cmake|examples|results|papers"
    for path in DOCUMENTS:
        for name in re.findall(rf"(?<!`)`((?:{folders})/[\w./-]+)`", path.read_text()):
            assert (ROOT / name).exists() or f"{name}/".startswith(("results/", "papers/ID/")), (
                f"{ids(path)} names {name}, which is not there"
            )


def test_kernel_header_of_contributing_is_accepted(tmp_path: Path) -> None:
    from hanji_lab import kernels

    found = re.search(
        r"^   ```c\n(.*?)^   ```$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert found
    source = tmp_path / "src/speck/speck64_avx2_x8.c"
    source.parent.mkdir(parents=True)
    source.write_text(found[1])
    (kernel,) = kernels.parse(source, tmp_path, kernels.known_isas(ROOT))
    assert (kernel.name, kernel.spec, kernel.blocks) == (
        "speck64_128_avx2_encrypt_x8",
        "speck64_128.encrypt",
        8,
    )


def tables(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "tools/tables.py", *arguments], capture_output=True, text=True
    )


def test_generated_parts_are_up_to_date() -> None:
    done = tables("--check")
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_known_answers_of_the_selftest_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools/selftest_vectors.py", "--check"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_parts_follow_their_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A control of the check above: another figure or another algorithm makes another text."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    import tables as made

    page = "before\n<!-- generated: figures -->\nold\n<!-- end generated -->\nafter\n"
    monkeypatch.setattr(made, "ROOT", tmp_path)
    empty = made.rewrite(page)
    assert (
        "old" not in empty
        and "make bench" in empty
        and empty.startswith("before\n")
        and empty.endswith("after\n")
    )
    assert made.rewrite(empty) == empty
    figure = {"machine": "a machine", "kind": "host", "bytes": 16384, "cycles_per_byte": 1.2345}
    figure["provenance"] = {
        "sources": {},
        "tools": ["gcc 12"],
        "flags": "-O3",
        "date": "2026-01-02",
        "command": "hanji-lab measure",
    }
    listed = [
        {
            **figure,
            "kernel": "schwaemm256-128 portable",
            "operation": "encrypt",
            "bytes": 16,
            "cycles_per_byte": 99.5,
        },
        {**figure, "kernel": "schwaemm256-128 portable", "operation": "encrypt"},
        {**figure, "kernel": "speck-64/128 portable", "operation": "ctr"},
        {
            **figure,
            "kernel": "speck-64/128 Another",
            "operation": "ctr",
            "cycles_per_byte": 2.469,
            "ratio_to_hanji": 2.0,
        },
        {
            **figure,
            "kernel": "speck-64/128 portable",
            "operation": "fleet",
            "bytes": 64,
            "messages": 1000,
        },
    ]
    size = {
        **figure,
        "kernel": "speck-64/128",
        "kind": "size",
        "operation": "code",
        "bytes": 77,
        "constants": 5,
    }
    files = {
        "host-x86_64-gcc": listed,
        "seal-x86_64-gcc": [
            {
                **figure,
                "kernel": "hanji seal",
                "operation": "seal",
                "cycles_per_byte": None,
                "peak_memory_bytes": 123,
            }
        ],
        "rv32-size": [{**size, "machine": machine} for machine in ("m2", "m1")],
    }
    (tmp_path / "results").mkdir()
    for name, entries in files.items():
        results.write_text(tmp_path / f"results/{name}.json", results.text(entries))
    written = made.rewrite(page)
    assert (
        "Core cycles per byte on `zen5` (a machine), one thread. Measured by `hanji-lab measure`, "
        "2026-01-02, gcc 12, -O3." in " ".join(written.split("\n"))
    )
    assert (
        "| what | 16 | 16,384 |\n| --- | --- | --- |\n| `schwaemm256-128 portable` encrypt | 99.50 "
        "| 1.23 |\n" in written
    )
    assert (
        "| cipher | ctr, portable | ctr, Another |\n| --- | --- | --- |\n| `speck-64/128` | 1.23 | "
        "2.47 (2.0 times ours) |\n" in written
    )
    assert (
        "| what | portable |\n| --- | --- |\n| speck-64/128, 1,000 messages of 64 bytes | 1.23 |\n"
        in written
    )
    assert "| hanji seal | seal | 16,384 | peak memory bytes: 123 |\n" in written
    page = page.replace("figures", "footprints")
    assert "| program | what | m1 | m2 |" in made.rewrite(page)
    assert (
        "| speck-64/128 | code | 77 and 5 of constants | 77 and 5 of constants |"
        in made.rewrite(page)
    )
    with pytest.raises(KeyError, match="nothing"):
        made.rewrite("<!-- generated: nothing -->\n<!-- end generated -->\n")


def test_whole_calls_stand_in_a_table_for_each_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import tables as made

    page = "<!-- generated: gpu-calls -->\nold\n<!-- end generated -->\n"
    monkeypatch.setattr(made, "ROOT", tmp_path)
    (tmp_path / "results").mkdir()
    entry = {
        "kernel": "ascon-aead128",
        "machine": "gpu:a1",
        "kind": "gpu",
        "operation": "call of encrypt",
        "bytes": 64 << 20,
        "cycles_per_byte": None,
        "correct": True,
        "messages": 1 << 20,
        "processors": 16,
        "processor": "A(R) Processor (x86_64)",
    }
    entry["provenance"] = {
        "sources": {},
        "tools": ["a driver"],
        "flags": "",
        "date": "2026-01-02",
        "command": "lab/gpu/run-all",
    }
    took = {
        "host arrays": 9.96,
        "page-locked arrays": 3.72,
        "device arrays": 0.461,
        "processors": 1234.5,
    }
    listed = [entry | {"place": place, "nanoseconds_per_message": ns} for place, ns in took.items()]
    long = entry | {"bytes": 1 << 29, "messages": 1 << 19, "place": "device arrays"}
    wrong = long | {"correct": False, "wrong": "the data of message 7 are not those"}
    other = entry | {"operation": "ctr", "blocks_per_s": 1.0}  # a kernel, not a call
    for name, entries in {"a1": [other, *listed, wrong], "b2": [other]}.items():
        results.write_text(tmp_path / f"results/gpu-{name}.json", results.text(entries))
    written = made.rewrite(page)
    assert "| ascon-aead128, encrypt | 64 | 10 | 3.7 | 0.46 | 1,234 |\n" in written
    assert "| ascon-aead128, encrypt | 1,024 (524,288 messages) |  |  | wrong |  |\n" in written
    said = " ".join(written.split("\n"))
    assert "on an NVIDIA A1 with 16 processors (A; `lab/gpu/run-all`, 2026-01-02)" in said
    assert "nanoseconds a message of 1,048,576" in said and "B2" not in said and "old" not in said
    (tmp_path / "results/gpu-a1.json").unlink()
    assert "Nothing is recorded yet" in made.rewrite(page) and "|" not in made.rewrite(page)


def test_algorithms_names_every_algorithm_with_its_status() -> None:
    import hanji

    for a in hanji.algorithms():
        page = "signatures-reference" if a.kind == "signature" else "algorithms"
        page = "rainbow-reference" if a.name.startswith("rainbow-") else page
        lines = (ROOT / f"docs/{page}.md").read_text().splitlines()
        rows = [line for line in lines if line.startswith(f"| `{a.name}` |")]
        assert any(f"**{a.status}**" in row for row in rows), (
            f"docs/{page}.md has no row for {a.name} with its status"
        )


def test_blocks_have_a_language() -> None:
    for path in DOCUMENTS:
        assert [block.line for block in blocks(path) if not block.language] == [], (
            f"{ids(path)}: fenced blocks without a language"
        )


def long_lines(text: str) -> list[str]:
    """Lines of more than 100 columns outside of code. A row of a table and a command, alone on its
    line, cannot be broken.
    """
    return [
        line
        for line in FENCE.sub("", text).splitlines()
        if len(line) > 100 and not re.fullmatch(r"\s*\|.*|`[^`]+`[,.;:]?", line)
    ]


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_lines_of_documents_are_short(path: Path) -> None:
    assert long_lines(path.read_text()) == []


def test_control_a_long_line_is_seen() -> None:
    row, code = "| " + "a " * 60 + "|", "```text\n" + "b" * 120 + "\n```"
    assert long_lines(f"short\n{row}\n{code}\n`{'d ' * 60}`,\n") == []
    assert long_lines(f"{row}\n{'c ' * 51}\n") == ["c " * 51]


COMMAND = re.compile(r"\b(make(?: [a-z-]+)+|hanji(?:-lab)? [a-z][\w-]*)")


def commands_of(path: Path) -> set[str]:
    """The commands that a document names, in its code blocks and in code between words."""
    code = [block.text for block in blocks(path) if block.language in ("sh", "console")]
    return {
        found
        for text in [*code, *re.findall(r"`([^`\n]+)`", prose(path))]
        for found in COMMAND.findall(text)
    }


def named(family: str, path: Path) -> bool:
    """Whether the text of a document has the name of a family; Korean particles may follow."""
    word = rf"(?<![a-z]){re.escape(family)}(?![a-z])"
    return re.search(word, prose(path), re.ASCII | re.IGNORECASE) is not None


def differences(one: Path, other: Path, names: set[str]) -> list[str]:
    """What two documents do not have in common: examples, commands, generated parts, and names of
    algorithms.
    """
    families = {re.split("[-0-9]", name)[0] for name in names}
    found = []
    for what, pick in (
        ("example", lambda path: {block.text for block in blocks(path)}),
        ("command", commands_of),
        ("algorithm", lambda path: {name for name in names if f"`{name}`" in path.read_text()}),
        ("family", lambda path: {name for name in families if named(name, path)}),
    ):
        found += [
            f"{what} only in {path.name}: {text}"
            for path, text in [
                *((one, t) for t in pick(one) - pick(other)),
                *((other, t) for t in pick(other) - pick(one)),
            ]
        ]
    return found


def test_the_korean_readme_names_the_same_commands_and_algorithms() -> None:
    import hanji

    names = {a.name for a in hanji.algorithms()}
    english, korean = ROOT / "README.md", ROOT / "README.ko.md"
    assert differences(english, korean, names) == []
    assert len(commands_of(english)) > 8
    parts = {
        path: set(re.findall(r"<!-- generated: ([\w-]+) -->", path.read_text()))
        for path in (english, korean)
    }
    assert parts[korean] == parts[english] >= {"families"}
    pictures = {
        path: re.findall(r'(?:src|srcset)="([^"]+)"', path.read_text())
        for path in (english, korean)
    }
    assert (
        pictures[korean]
        == pictures[english]
        == ["docs/front-speeds-dark.svg", "docs/front-speeds.svg"]
    )


def test_the_readme_begins_with_code_and_is_short() -> None:
    """The first screen has an example, and what a script measures or lists stands elsewhere."""
    lines = (ROOT / "README.md").read_text().splitlines()
    assert lines.index("```python") < 15
    assert len(lines) <= 155 and not any("times ours" in line for line in lines)
    first = blocks(ROOT / "README.md")[0]
    assert first.language == "python" and len(first.text.splitlines()) <= 12


def test_control_another_command_or_algorithm_is_seen(tmp_path: Path) -> None:
    one, other = tmp_path / "one.md", tmp_path / "other.md"
    one.write_text("SPECK: `make demo` and `aes`.\n\n```console\n$ hanji list\n```\n")
    other.write_text("SPECK: `make test`.\n\n```console\n$ hanji list\n```\n")
    names = {"aes", "speck-32/64"}
    assert differences(one, other, names) == [
        "command only in one.md: make demo",
        "command only in other.md: make test",
        "algorithm only in one.md: aes",
        "family only in one.md: aes",
    ]
    assert differences(one, one, names) == []
