"""People's words in prompts, quoted so that they cannot pass for anything else."""

from __future__ import annotations

import json
from collections.abc import Iterable

from server.robots.policy import Heard, PolicyView


def quoted(text: str) -> str:
    """Quote somebody's words as JSON, on one line."""
    return json.dumps(text, ensure_ascii=False)


def between_tags(text: str) -> str:
    """Quote somebody's words between tags that the words cannot close."""
    return f"<said>{text.replace('<', '(').replace('>', ')')}</said>"


def partner_lines(view: PolicyView, lines: Iterable[Heard]) -> str:
    """Quote what partners said, one line for each utterance; of several it says who spoke."""
    return "\n".join(
        f"{view.name_of(line.seat).capitalize()}: {quoted(line.text)}" for line in lines
    )
