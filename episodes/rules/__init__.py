"""Interaction rules: one table per verb, the same for people and skills."""

from episodes.rules.judgement import Available, available, changed_part, judge
from episodes.rules.preconditions import OPEN_ENOUGH, PRECONDITIONS, Ask, parts_to
from episodes.rules.profiles import (
    BODIES_BLOCK,
    COHABIT,
    COHABIT_1,
    COHABIT_2,
    PARTNR,
    PROFILES,
    RuleProfile,
    as_recorded,
    profile_named,
)
from episodes.rules.rule_view import (
    NOWHERE,
    Placement,
    Refusal,
    RuleView,
    TargetVerb,
    Verb,
)
from episodes.rules.verbs import VERB_TABLE, VERBS, VerbRow

__all__ = [
    "BODIES_BLOCK",
    "COHABIT",
    "COHABIT_1",
    "COHABIT_2",
    "NOWHERE",
    "OPEN_ENOUGH",
    "PARTNR",
    "PRECONDITIONS",
    "PROFILES",
    "VERBS",
    "VERB_TABLE",
    "Ask",
    "Available",
    "Placement",
    "Refusal",
    "RuleProfile",
    "RuleView",
    "TargetVerb",
    "Verb",
    "VerbRow",
    "as_recorded",
    "available",
    "changed_part",
    "judge",
    "parts_to",
    "profile_named",
]
