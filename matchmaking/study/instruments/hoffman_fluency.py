"""Hoffman's scales of fluency in collaboration."""

from __future__ import annotations

from matchmaking.study.instruments.instrument import Instrument, Scale, likert, numbered

_STATEMENTS = (
    "The team of my partner and me worked fluently together.",
    "Our team's fluency improved over time.",
    "My partner contributed to the fluency of the interaction.",
    "I had to carry the weight to make our team better.",
    "My partner contributed equally to the team performance.",
    "I was the most important team member on the team.",
    "My partner was the most important team member on the team.",
    "I trusted my partner to do the right thing at the right time.",
    "My partner was trustworthy.",
    "My partner was intelligent.",
    "My partner was committed to the task.",
    "Our team improved over time.",
    "My partner's performance improved over time.",
)
_NAME = "hoffman_fluency"

HOFFMAN_FLUENCY = Instrument(
    name=_NAME,
    title="Fluency in collaboration",
    source=(
        "G. Hoffman, Evaluating Fluency in Human-Robot Collaboration, IEEE Transactions on "
        "Human-Machine Systems 49(3):209-218, 2019"
    ),
    licence="Published in the article for use in research; no licence is stated. Cite it.",
    checked=(
        "the first statement alone, with a list in a public repository; the others and the scales "
        "are unconfirmed: compare them with the article before you use them"
    ),
    adapted="'the robot' is 'my partner' and 'the human-robot team' is 'our team', so that people "
    "with human and with robot partners answer the same questions; seven points",
    instruction="How much do you agree?",
    questions=likert(_NAME, _STATEMENTS, ("Strongly disagree", "Strongly agree"), (1, 7)),
    scales=(
        Scale(name="fluency", items=numbered(_NAME, 1, 2, 3)),
        Scale(
            name="partner_contribution",
            items=numbered(_NAME, 4, 5, 6, 7),
            reversed=numbered(_NAME, 4, 6),
        ),
        Scale(name="trust", items=numbered(_NAME, 8, 9)),
        Scale(name="teammate_traits", items=numbered(_NAME, 9, 10, 11)),
        Scale(name="improvement", items=numbered(_NAME, 2, 12, 13)),
    ),
)
