"""Sentences of a grammar, and a test for whether a text is one.

Both work over the same values that the grammar is emitted from, by other means than the code under
test.
"""

from __future__ import annotations

import random
import re
import string

from server.robots.grammar import (
    Characters,
    Choice,
    Expression,
    Grammar,
    Repeat,
    Rule,
    Sequence,
    Text,
)


def sentence(grammar: Grammar, rng: random.Random) -> str:
    """Draw a sentence at random."""
    return _draw(grammar, grammar.rules["root"], rng)


def accepts(grammar: Grammar, text: str) -> bool:
    """Tell whether a text is a sentence; the grammar must not be recursive."""
    return len(text) in _ends(grammar, grammar.rules["root"], text, 0)


def _draw(grammar: Grammar, body: Expression, rng: random.Random) -> str:
    match body:
        case Text(text):
            return text
        case Characters(allowed, least, most):
            among = [c for c in string.printable if re.fullmatch(f"[{allowed}]", c)]
            return "".join(rng.choices(among, k=rng.randint(least, most)))
        case Rule(name):
            return _draw(grammar, grammar.rules[name], rng)
        case Sequence(parts):
            return "".join(_draw(grammar, part, rng) for part in parts)
        case Choice(options):
            return _draw(grammar, rng.choice(options), rng)
        case Repeat(body, least, most):
            times = rng.randint(least, min(most, least + 6))
            return "".join(_draw(grammar, body, rng) for _ in range(times))


def _ends(grammar: Grammar, body: Expression, text: str, start: int) -> set[int]:
    """Return where what begins at ``start`` can end."""
    match body:
        case Text(expected):
            return {start + len(expected)} if text.startswith(expected, start) else set()
        case Characters(allowed, least, most):
            run = re.compile(f"[{allowed}]*").match(text, start)
            length = 0 if run is None else len(run[0])
            return {start + n for n in range(least, min(length, most) + 1)}
        case Rule(name):
            return _ends(grammar, grammar.rules[name], text, start)
        case Sequence(parts):
            ends = {start}
            for part in parts:
                ends = {e for at in ends for e in _ends(grammar, part, text, at)}
            return ends
        case Choice(options):
            return {e for option in options for e in _ends(grammar, option, text, start)}
        case Repeat(body, least, most):
            now, ends = {start}, {start} if least == 0 else set()
            for times in range(1, most + 1):
                now = {e for at in now for e in _ends(grammar, body, text, at)}
                if not now:
                    break
                ends |= now if times >= least else set()
            return ends
