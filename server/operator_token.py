"""Token of operators: what it has to be like, and how one is made."""

from __future__ import annotations

MAKE_TOKEN = "COHABIT_METRICS_TOKEN=$(openssl rand -hex 24)"  # noqa: S105 — a recipe for one
"""Shell command that makes a token for operators, after `export`."""
NOBODY_ENTERS = (
    "no operator has an account, and COHABIT_METRICS_TOKEN is not set. Make an account, and start "
    f"again: cohabit operator add NAME --role administer. Or make a token: export {MAKE_TOKEN}"
)
"""Advice where strangers come and no operator could enter."""
SHORTEST_TOKEN = 16
"""Fewest characters of a token of operators."""
FEWEST_CHARACTERS = 8
"""Fewest different characters of it: a word, or one letter again and again, is soon guessed."""


def hard_to_guess(token: str) -> str:
    """Return a token without space around it. Raises ValueError for one that strangers guess."""
    # A header, a cookie's form and a shell line have to carry it unchanged.
    if not (token.strip().isascii() and token.strip().isprintable()):
        raise ValueError(
            f"expected printable ASCII characters in one line, got others: export {MAKE_TOKEN}"
        )
    length = len(token.strip())
    if 0 < length < SHORTEST_TOKEN:
        raise ValueError(
            f"expected at least {SHORTEST_TOKEN} characters, which strangers cannot guess, got "
            f"{length}: export {MAKE_TOKEN}"
        )
    found = len(set(token.strip()))
    if 0 < found < FEWEST_CHARACTERS:
        raise ValueError(
            f"expected at least {FEWEST_CHARACTERS} different characters, which strangers "
            f"cannot guess, got {found}: export {MAKE_TOKEN}"
        )
    return token
