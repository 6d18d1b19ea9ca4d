"""Codebooks: what researchers look for in recorded episodes, each code with its definition.

A codebook is a YAML file::

    name: helping
    title: Helping and waiting
    codes:
      - code: offers_help
        name: Offers help
        shape: moment
        definition: Says or shows that they would do something for the other.
      - code: waits
        name: Waits for the other
        shape: stretch
        definition: Stands without an act of their own while the other works.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

import msgspec

from matchmaking.study_file.nodes import MappingNode, ScalarNode, SequenceNode, line_of, parse, what
from matchmaking.study_file.problems import FileProblem, StudyFileError

MOST_CODES = 40
LONGEST_WORDS = 2_000
"""Most characters of a name, a title or a definition."""
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,47}")


class Shape(StrEnum):
    """Extent of what a code is put on."""

    MOMENT = "moment"
    STRETCH = "stretch"


class Code(msgspec.Struct, frozen=True):
    """Code: a thing to look for in an episode."""

    code: str
    name: str
    shape: Shape
    definition: str


class Codebook(msgspec.Struct, frozen=True):
    """Named codes."""

    name: str
    title: str
    codes: tuple[Code, ...]

    def code(self, code: str) -> Code | None:
        """Return a code by its key; None: there is none of that key."""
        return next((found for found in self.codes if found.code == code), None)


class CodebookError(ValueError):
    """Error for a file that is no codebook, with each line that has to change."""

    def __init__(self, problems: list[FileProblem]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"line {p.line}: {p.text}" for p in problems))


def read_codebook(text: str) -> Codebook:
    """Read a codebook. Raises CodebookError."""
    if not text.strip():
        raise CodebookError([FileProblem(1, "expected a name, a title and codes, got nothing")])
    try:
        root = parse(text)
    except StudyFileError as error:
        raise CodebookError(list(error.problems)) from error
    reader = _Reader()
    found = reader.codebook(root)
    if reader.problems or found is None:
        raise CodebookError(sorted(reader.problems, key=lambda problem: problem.line))
    return found


class _Reader:
    def __init__(self) -> None:
        self.problems: list[FileProblem] = []

    def codebook(self, root: Any) -> Codebook | None:
        fields = self._fields(root, ("name", "title", "codes"), "a codebook")
        if fields is None:
            return None
        name = self._key(fields.get("name"))
        title = self._words(fields.get("title"))
        listed = fields.get("codes")
        if not isinstance(listed, SequenceNode) or not listed.value:
            self._tell(listed or root, "codes: expected a list with at least one code")
            return None
        if len(listed.value) > MOST_CODES:
            self._tell(listed, f"expected at most {MOST_CODES} codes, got {len(listed.value)}")
        codes: dict[str, Code] = {}
        for node in listed.value:
            code = self._code(node)
            if code is None:
                continue
            if code.code in codes:
                self._tell(node, f"the code {code.code!r} is there twice")
            codes[code.code] = code
        return Codebook(name, title, tuple(codes.values()))

    def _code(self, node: Any) -> Code | None:
        fields = self._fields(node, ("code", "name", "shape", "definition"), "a code")
        if fields is None or len(fields) < 4:
            return None
        shape = self._words(fields["shape"])
        if shape not in list(Shape):
            self._tell(fields["shape"], f"expected moment or stretch, got {shape!r}")
            return None
        return Code(
            self._key(fields["code"]),
            self._words(fields["name"]),
            Shape(shape),
            self._words(fields["definition"]),
        )

    def _fields(self, node: Any, known: tuple[str, ...], of: str) -> dict[str, Any] | None:
        if not isinstance(node, MappingNode):
            self._tell(node, f"expected {of} with the keys {', '.join(known)}, got {what(node)}")
            return None
        found: dict[str, Any] = {}
        for key, value in node.value:
            name = str(key.value)
            if name not in known:
                near = get_close_matches(name, known, 1)
                self._tell(key, f"unknown key {name!r}{f'; is {near[0]} meant?' if near else ''}")
            elif name in found:
                self._tell(key, f"the key {name!r} is there twice")
            else:
                found[name] = value
        for name in known:
            if name not in found:
                self._tell(node, f"{of} has no {name}")
        return found

    def _key(self, node: Any) -> str:
        text = self._words(node)
        if text and not _NAME.fullmatch(text):
            self._tell(
                node,
                "expected a small letter and then small letters, digits, _ and -, 48 in all at "
                f"most, got {text!r}",
            )
        return text

    def _words(self, node: Any) -> str:
        if node is None:
            return ""  # It was told already that the key is missing.
        if not isinstance(node, ScalarNode):
            self._tell(node, f"expected words, got {what(node)}")
            return ""
        text = str(node.value).strip()
        if not text or len(text) > LONGEST_WORDS or "\0" in text:
            self._tell(node, f"expected 1 to {LONGEST_WORDS} characters, got {len(text)}")
        return text

    def _tell(self, node: Any, text: str) -> None:
        self.problems.append(FileProblem(line_of(node), text))
