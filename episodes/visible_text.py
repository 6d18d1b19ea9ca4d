"""Texts of other people, shown so that they hide nothing and command no terminal.

Control characters move a cursor or begin a command of the terminal; overrides of direction and
invisible letters feign another text. What was written is shown escaped, as JSON writes it.
"""

from __future__ import annotations

import json
import unicodedata

KEPT = frozenset("\u200c\u200d\u200e\u200f\u061c")
"""Invisible characters that are kept: joiners and marks of direction.

Scripts need them, and they change nothing beyond their line. Overrides and embeddings of direction,
invisible letters and the like hide or feign text.
"""
MOST_MARKS = 4
"""Most marks above and below one letter; Hebrew with accents and points has so many."""
LONGEST_LINE = 4000
"""Most characters of a line of an error that is told in full."""
END_OF_LINE = 500
"""Characters at either end of a longer one that are told."""
_LAYOUT = frozenset("\n\t")


def is_control(char: str) -> bool:
    """Tell whether a character is a control character or ends a line or paragraph."""
    return unicodedata.category(char) in ("Cc", "Zl", "Zp")


def is_invisible(char: str) -> bool:
    """Tell whether a character hides or feigns text.

    Half a surrogate pair is none at all, and neither is a noncharacter, which XML does not take.
    """
    code = ord(char)
    if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return True
    return unicodedata.category(char) in ("Cf", "Cs") and char not in KEPT


def with_few_marks(text: str) -> str:
    """Return a text without the marks of a letter beyond `MOST_MARKS`, which cover other lines."""
    if text.isascii():
        return text
    kept, marks = [], 0
    for char in text:
        is_mark = unicodedata.category(char) in ("Mn", "Me")
        if is_mark:
            marks += 1
        elif char not in KEPT:
            marks = 0
        if not is_mark or marks <= MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def visible(text: str) -> str:
    r"""Return a text with ``\u001b`` and the like for what is not to be seen in it.

    Ends of lines and tabs stay. The same text is safe inside JSON, where it means the same.
    """
    if text.isprintable():
        return text
    return "".join(
        json.dumps(char)[1:-1]
        if char not in _LAYOUT and (is_control(char) or is_invisible(char))
        else char
        for char in text
    )


def shortened(text: str) -> str:
    """Return an error's text with the middle of lines beyond `LONGEST_LINE` characters left out.

    What somebody wrote may be quoted in it, however long; what was expected is said before that,
    and what to do after it.
    """
    return "\n".join(map(_shortened_line, text.split("\n")))


def _shortened_line(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    left_out = len(line) - 2 * END_OF_LINE
    return f"{line[:END_OF_LINE]}… ({left_out} characters left out) …{line[-END_OF_LINE:]}"


def visible_line(text: str) -> str:
    """Return a text as `visible` does, on one line."""
    return visible(text).replace("\n", " ").replace("\t", " ")


def spreadsheet_cell(value: object) -> object:
    """Return a value for a CSV file that no spreadsheet takes for a formula.

    A text that begins as a formula does is led by an apostrophe, as spreadsheets themselves write
    a text of that kind; numbers stay numbers. None is an empty field.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\n")) else text
