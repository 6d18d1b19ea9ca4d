"""Explanation satisfaction scale by Hoffman, Mueller, Klein and Litman."""

from __future__ import annotations

from matchmaking.study.instruments.instrument import Instrument, Scale, likert, numbered

_STATEMENTS = (
    "From the explanation, I know how the task was judged.",
    "This explanation of how the task was judged is satisfying.",
    "This explanation of how the task was judged has sufficient detail.",
    "This explanation of how the task was judged seems complete.",
    "This explanation of how the task was judged tells me how to do the task.",
    "This explanation of how the task was judged is useful to my goals.",
    "This explanation of the judgement shows me how accurate the judgement is.",
    "This explanation lets me judge when I should trust and not trust the judgement.",
)
_NAME = "explanation"

EXPLANATION_SATISFACTION = Instrument(
    name=_NAME,
    title="Satisfaction with the explanation",
    source=(
        "R. R. Hoffman, S. T. Mueller, G. Klein and J. Litman, Metrics for Explainable AI: "
        "Challenges and Prospects, arXiv:1812.04608, 2018, explanation satisfaction scale"
    ),
    licence="Published in the report for use in research; no licence is stated. Cite it.",
    checked=(
        "unconfirmed: compare it with the report before you use it. A summary (xaitk.org) speaks "
        "of nine items with five points each; here are eight"
    ),
    adapted="'how the [software, algorithm, tool] works' is 'how the task was judged', 'use it' is "
    "'do the task'",
    instruction="How much do you agree?",
    questions=likert(_NAME, _STATEMENTS, ("I disagree strongly", "I agree strongly"), (1, 5)),
    scales=(Scale(name="satisfaction", items=numbered(_NAME, *range(1, 9))),),
)
