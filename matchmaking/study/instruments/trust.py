"""Trust between people and automation, by Jian, Bisantz and Drury."""

from __future__ import annotations

from matchmaking.study.instruments.instrument import Instrument, Scale, likert, numbered

_STATEMENTS = (
    "My partner is deceptive.",
    "My partner behaves in an underhanded manner.",
    "I am suspicious of my partner's intent, action, or outputs.",
    "I am wary of my partner.",
    "My partner's actions will have a harmful or injurious outcome.",
    "I am confident in my partner.",
    "My partner provides security.",
    "My partner has integrity.",
    "My partner is dependable.",
    "My partner is reliable.",
    "I can trust my partner.",
    "I am familiar with my partner.",
)
_NAME = "trust"

TRUST = Instrument(
    name=_NAME,
    title="Trust in the partner",
    source=(
        "J.-Y. Jian, A. M. Bisantz and C. G. Drury, Foundations for an Empirically Determined "
        "Scale of Trust in Automated Systems, Int. J. Cognitive Ergonomics 4(1):53-71, 2000"
    ),
    licence="Published in the article for use in research; no licence is stated. Cite it.",
    checked=(
        "the twelve statements and which are reversed, with table 2 of Front. Psychol. "
        "14:1078438, 2023, which words them for another system"
    ),
    adapted="'the system' is 'my partner'",
    instruction="How well does each statement describe your feeling or your impression?",
    questions=likert(_NAME, _STATEMENTS, ("Not at all", "Extremely"), (1, 7)),
    scales=(
        Scale(
            name="mean",
            items=numbered(_NAME, *range(1, 13)),
            reversed=numbered(_NAME, *range(1, 6)),
        ),
        Scale(name="distrust", items=numbered(_NAME, *range(1, 6))),
    ),
)
