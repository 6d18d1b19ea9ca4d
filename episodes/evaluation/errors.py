"""Error of an evaluation."""

from __future__ import annotations


class EvaluationError(Exception):
    """A task cannot be evaluated; the text says what was expected and what came.

    Raised where PARTNR's evaluator raises (section 13 of the specification). Exceptions of the
    facts themselves (a handle that the scene does not have, a state that a thing cannot have)
    pass through as they are.
    """
