# SPDX-License-Identifier: Apache-2.0
"""Text that a stranger has written (in key files, file names, sealed files), made fit for a message
on a terminal.
"""

from __future__ import annotations

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
