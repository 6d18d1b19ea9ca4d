"""Texts of a study, per language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import msgspec

from matchmaking.study.problems import Path, Problem

Text = Annotated[Mapping[str, str], msgspec.Meta(extra={"is_text": True})]
"""A text by language (``en``, ``pt-BR``), as Markdown."""

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][A-Za-z0-9]{1,7})*")


def incomplete(text: Text, languages: Sequence[str], where: Path) -> Iterator[Problem]:
    """Yield a problem for each language in which a text is missing or blank."""
    for language in languages:
        if not text.get(language, "").strip():
            yield Problem(
                where,
                f"expected a text in {language!r}, a language of the study, and there is none: "
                "write it, or leave the language out",
            )
