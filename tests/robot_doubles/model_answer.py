"""Model answers of doubles."""

from __future__ import annotations

from server.robots.models import ModelAnswer

TOKEN_CHARS = 4
"""Characters per token, roughly: doubles have no tokenizer."""


def model_answer(name: str, prompt: str, text: str) -> ModelAnswer:
    """Return a text as the answer of the double with this name."""
    return ModelAnswer(
        text=text,
        finish_reason="stop",
        model=name,
        prompt_tokens=len(prompt) // TOKEN_CHARS,
        completion_tokens=len(text) // TOKEN_CHARS,
    )
