"""What a double's answer is made into."""

from __future__ import annotations

from server.robots.models import ModelAnswer

TOKEN_CHARS = 4
"""A token has about so many characters: doubles have no tokenizer."""


def told(name: str, prompt: str, text: str) -> ModelAnswer:
    """The answer of the double with this name."""
    return ModelAnswer(
        text=text,
        finish_reason="stop",
        model=name,
        prompt_tokens=len(prompt) // TOKEN_CHARS,
        completion_tokens=len(text) // TOKEN_CHARS,
    )
