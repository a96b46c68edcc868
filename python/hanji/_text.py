# SPDX-License-Identifier: Apache-2.0
"""What messages say: text that a stranger has written (in key files, file names, sealed files),
made fit for a terminal, and arguments, which are described and not quoted where they may be a key.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

QUOTED = 60  # characters of a stranger's word that a message shows

# Letters and marks that show nothing, or change what stands before them; str.isprintable() takes
# them for printable.
_INVISIBLE = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0x2800, 0x2800),  # empty Braille pattern
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFFA0, 0xFFA0),  # half-width Hangul filler
    (0xE0000, 0xE0FFF),  # tags and variation selectors
)


def _shows(character: str) -> bool:
    return character.isprintable() and not any(
        low <= ord(character) <= high for low, high in _INVISIBLE
    )


def _code(character: str) -> str:
    number = ord(character)
    # a byte of a file name that is not UTF-8, as os.fsdecode gives it
    if 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00
    return (
        f"\\x{number:02x}"
        if number < 0x100
        else f"\\u{number:04x}"
        if number < 0x10000
        else f"\\U{number:08x}"
    )


def escaped(text: str, limit: int | None = None) -> str:
    """The text on one line, with every control, format and invisible character as a code such as
    ``\\x1b``.

    So neither control sequences nor a change of the direction of writing reach a terminal. Of more
    than ``limit`` characters the beginning and the end are shown, and how many there are.
    """
    if limit is not None and len(text) > limit:
        end = limit // 4
        return (
            f"{escaped(text[: limit - end])} ... ({len(text)} characters) ... "
            f"{escaped(text[len(text) - end :])}"
        )
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _shows(character) else _code(character) for character in text)


def quoted(text: str) -> str:
    """A stranger's word between quotation marks, escaped and cut to :data:`QUOTED` characters."""
    return f"'{escaped(text, QUOTED)}'"


_PLAIN = 1 << 48  # below it, a number is a count or a size, and too short for a key


def described(value: object) -> str:
    """An argument of a caller in a message: its type and size. The contents are not shown, because
    a key that was given in the wrong place would be; small numbers are.
    """
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        small = -_PLAIN < value < _PLAIN
        return str(int(value)) if small else f"an int of {value.bit_length()} bits"
    kind = type(value).__name__
    article = "an" if kind[:1] in "aeiou" else "a"
    if isinstance(value, str):
        return f"a str of {len(value)} characters"
    if isinstance(value, bytes | bytearray):
        return f"{article} {kind} of {len(value)} bytes"
    return f"{article} {kind}"


def count_of(number: int, thing: str) -> str:
    """A number and what is counted, such as 1 file or 1,200 files."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def suggestion(name: str, known: Iterable[str], otherwise: str) -> str:
    """The known names that a wrong one comes near to, in place of the wrong one, which may be a
    key; `otherwise` where there are none. Names that begin with three or more typed characters
    come first, in the order of `known`.
    """
    import difflib  # which the command does not need to start

    known, typed = list(known), name.lower()
    begun = [one for one in known if len(typed) >= 3 and one.lower().startswith(typed)]
    close = difflib.get_close_matches(typed, known, n=4, cutoff=0.6)
    near = list(dict.fromkeys(begun + close))[:4]
    return f"did you mean {', '.join(near)}?" if near else otherwise


def arrow_type(kind: Any) -> str:
    """An Arrow type in a message; of types with names of fields only what they are."""
    return str(kind) if kind.num_fields == 0 else str(kind).partition("<")[0]


def columns_like(name: str, columns: list[str]) -> str:
    """Which columns of a table come near to a name; not all, for the same reason."""
    return suggestion(name, columns, f"it has {len(columns)} columns, and none has a similar name")


def encodable(text: str) -> bool:
    """Whether a text has a UTF-8 form, which half of a surrogate pair has not. Where it has none,
    an encoder would put all of the text into its exception.
    """
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def file_name(path: str | bytes | os.PathLike[str]) -> str:
    """As os.fsdecode; ValueError, without the name, for what no file can be called."""
    name = os.fsdecode(path)
    # a byte that is not UTF-8 stands as one of these
    if not encodable(re.sub("[\udc80-\udcff]", "", name)):
        raise ValueError("the name of the file holds half of a surrogate pair; give another name")
    return name


class Shown(os.PathLike[str]):
    """A file name that a message may show, such as one from a command line. A pathlib.Path would
    lose a slash at its end.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __fspath__(self) -> str:
        return self._name


def hide_name(error: OSError, path: str | bytes | os.PathLike[str]) -> None:
    """Take a file name that may be a key out of an error. A name is shown where it is a
    pathlib.Path, where it has an extension or a folder that exists, and where there is such a file.
    """
    if isinstance(path, os.PathLike):
        return
    name = os.fsdecode(path)
    if not isinstance(error.filename, str | bytes) or name not in os.fsdecode(error.filename):
        return
    folder = os.path.dirname(name)  # noqa: PTH120, of a text that may be no path
    bare = name.removesuffix(".pub")
    if re.search(r"[^.]\.[A-Za-z0-9_]{1,12}$", bare) or (folder and os.path.isdir(folder)):  # noqa: PTH112
        return
    about_it = isinstance(error, FileExistsError | IsADirectoryError | PermissionError)
    if about_it and os.path.lexists(name):
        return
    del error.filename, error.filename2
    if folder and error.errno is not None and folder in (error.strerror or ""):
        error.strerror = os.strerror(error.errno)  # the folder may be the first part of a key
    error.strerror = (
        f"{error.strerror or 'cannot be used'}; the name ({len(name)} characters) is not shown, "
        "because it may be a key: give a pathlib.Path to see it"
    )
    error.args = (error.errno, error.strerror)


@contextlib.contextmanager
def hiding(path: str | bytes | os.PathLike[str]) -> Iterator[None]:
    """hide_name() for every OSError of a block."""
    try:
        yield
    except OSError as error:
        hide_name(error, path)
        raise
