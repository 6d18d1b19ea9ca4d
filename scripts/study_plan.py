"""Plan of a study, as the manifest of its export has it: what is compared, and by which model.

`analyse_study.py` and `study_rows.py` read a plan with it. It needs nothing but Python: copy it
with them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

FORMULA = re.compile(
    r"(?:two one-sided tests of )?(?P<mean>mean of )?[\w.]+"
    r"(?: per (?P<unit>person|participant|group|attempt|episode))?\s*~(?P<terms>[^~]+)",
    re.IGNORECASE,
)
"""Formulas of plans, as docs/results.md lists them."""
RANDOM = re.compile(r"\(\s*1\s*\|\s*(group|group_id|task)\s*\)")


def study_of(folder: Path) -> dict[str, Any]:
    """Return the study as it was frozen."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    study: dict[str, Any] = manifest["study"]
    return study


def plan_of(folder: Path) -> dict[str, Any]:
    """Return the analysis that was declared; empty: none was."""
    plan: dict[str, Any] = study_of(folder).get("analysis") or {}
    return plan


def is_within_groups(study: Mapping[str, Any], hypothesis: Mapping[str, Any]) -> bool:
    """Tell whether by the design the same groups play both levels of a hypothesis.

    Within subjects a group plays all conditions with its own levels of what is drawn at entry.
    """
    if study.get("design", {}).get("subjects") != "within":
        return False
    entry = {factor["name"] for factor in study["factors"] if factor.get("drawn_at") == "entry"}
    played: dict[frozenset[tuple[str, str]], set[str]] = {}
    for cell in study["cells"]:
        levels = cell["levels"]
        stratum = frozenset((name, levels[name]) for name in entry & levels.keys())
        played.setdefault(stratum, set()).add(levels.get(hypothesis["factor"], ""))
    return any(levels >= set(hypothesis["levels"]) for levels in played.values())


class Balance(NamedTuple):
    """Other factors within groups, whose levels are the same where means of groups are compared."""

    factors: tuple[str, ...] = ()
    entry: tuple[str, ...] = ()
    """Factors that are drawn at entry, by which groups are to play other conditions."""
    alone: frozenset[str] = frozenset()
    """Levels of ``factors`` at which the design has one level of the two that are compared."""
    planned: Mapping[str, int] = {}
    """Number of levels of ``factors`` that a group is to be compared at, by those of ``entry``."""


ALL = Balance()
"""Balance that holds nothing equal: a mean of a group at a level is of all that it has there."""


def balance_of(study: Mapping[str, Any], hypothesis: Mapping[str, Any]) -> Balance:
    """Return what is the same in the conditions that a hypothesis compares by means of groups."""
    if study.get("design", {}).get("subjects") != "within":
        return ALL
    entry = tuple(each["name"] for each in study["factors"] if each.get("drawn_at") == "entry")
    every = [cell["levels"] for cell in study["cells"]]
    strata: dict[str, list[dict[str, str]]] = {}
    for levels in every:
        strata.setdefault(label_of(levels, entry), []).append(levels)
    is_within = is_within_groups(study, hypothesis)

    def at(cells: list[dict[str, str]], names: Sequence[str]) -> list[set[str]]:
        """Return the levels of factors at the first and at the second level of the hypothesis."""
        return [
            {label_of(each, names) for each in cells if each.get(hypothesis["factor"]) == level}
            for level in hypothesis["levels"]
        ]

    def shared(names: Sequence[str]) -> set[str]:
        blocks = list(strata.values()) if is_within else [every]
        return {label for block in blocks for label in set.intersection(*at(block, names))}

    others = (each["name"] for each in study["factors"] if each["name"] not in entry)
    # What says the same as the factor has no level at both of its levels: it cannot be held equal.
    factors = tuple(name for name in others if name != hypothesis["factor"] and shared((name,)))
    both = shared(factors)
    if not factors or not both:
        return ALL
    planned = {}
    for drawn, cells in strata.items():
        one, other = at(cells, factors)
        planned[drawn] = len(one & other if is_within else (one | other) & both)
    return Balance(factors, entry, frozenset(set.union(*at(every, factors)) - both), planned)


def other_factors(
    study: Mapping[str, Any], hypothesis: Mapping[str, Any], terms: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the factors beside the one of a hypothesis which attempts at its levels differ in.

    They are taken one after another, those of most levels first, as long as some condition of both
    levels has the same levels of them all, and none follows from the others, nor from the ``terms``
    that a model has anyway.
    """
    own, wanted = hypothesis["factor"], hypothesis["levels"]
    cells = [cell["levels"] for cell in study["cells"] if cell["levels"].get(own) in wanted]
    counts = {f["name"]: len({cell[f["name"]] for cell in cells}) for f in study["factors"]}
    taken, found = [name for name in counts if name in terms], list[str]()
    for name in sorted(counts, key=lambda each: -counts[each]):
        if name in (own, *taken) or counts[name] < 2:
            continue
        names = [*taken, *found, name]
        first, second = ({label_of(c, names) for c in cells if c[own] == at} for at in wanted)
        if first & second and are_apart(cells, [own, *names]):
            found.append(name)
    return tuple(found)


def are_apart(cells: Sequence[Mapping[str, str]], names: Sequence[str]) -> bool:
    """Tell whether no factor follows from the others, in a model with an intercept."""
    rest = [[Fraction(1)] * len(cells)] + [
        [Fraction(cell[name] == level) for cell in cells]
        for name in names
        for level in sorted({cell[name] for cell in cells})[1:]
    ]
    for place in range(len(cells)):
        pivot = next((row for row in rest if row[place]), None)
        if pivot is not None:
            rest.remove(pivot)
            rest = [
                [a - b * row[place] / pivot[place] for a, b in zip(row, pivot, strict=True)]
                for row in rest
            ]
    # What is left is the same as others.
    return not rest


def label_of(levels: Mapping[str, str], names: Sequence[str]) -> str:
    """Return the levels of factors, as one text."""
    return "".join(f"\n{levels.get(name, '')}" for name in names)


class Model(NamedTuple):
    """Model that a plan declares; ``problem`` says why it is another one."""

    unit: str
    """Unit of a value: participant, group or episode."""
    covariates: tuple[str, ...] = ()
    random: tuple[str, ...] = ()
    problem: str = ""

    def with_term(self, name: str) -> Model:
        """Return the model with a term that it lacks."""
        return self._replace(covariates=(*self.covariates, name))

    @property
    def name(self) -> str:
        """Name of what is computed."""
        if self.unit != "episode":
            return "t test of means"
        beside = f", beside {' and '.join(self.covariates)}" if self.covariates else ""
        if self.random:
            return f"mixed model with {' and '.join(f'{name}s' for name in self.random)}{beside}"
        return f"least squares, clustered by group and task{beside}"


def model_text(plan: Mapping[str, Any], hypothesis: Mapping[str, Any]) -> str:
    """Return the model of a hypothesis: its own, or the plan's, or else one for the plan's unit.

    That is means of the units, or a mixed model where the unit is the episode.
    """
    for declared in (hypothesis.get("model"), plan.get("model")):
        if declared is not None:
            return str(declared).strip()
    outcome, factor = hypothesis["outcome"].partition(".")[2], hypothesis["factor"]
    if (unit := plan.get("unit", "episode")) == "episode":
        return f"{outcome} ~ {factor} + (1 | group) + (1 | task)"
    return f"mean of {outcome} per {unit} ~ {factor}"


def declared_model(plan: dict[str, Any], hypothesis: dict[str, Any]) -> Model:
    """Return the model that a plan declares; one that is not known is least squares on attempts."""
    text = model_text(plan, hypothesis)
    found = FORMULA.fullmatch(text.rstrip("."))
    if found is None:
        return Model("episode", problem=f"{text!r} is no formula that is known here")
    terms = [term.strip() for term in found["terms"].split("+")]
    matches = filter(None, map(RANDOM.fullmatch, terms))
    random = tuple(dict.fromkeys(match[1].removesuffix("_id") for match in matches))
    fixed = [term for term in terms if not RANDOM.fullmatch(term)]
    if hypothesis["factor"] not in fixed or any("(" in term for term in fixed):
        return Model("episode", problem=f"{text!r} has other terms than are known here")
    units = {"person": "participant", "attempt": "episode"}
    named = (found["unit"] or "").lower()
    unit = units.get(named, named) or ("episode" if random else plan.get("unit", "episode"))
    covariates = tuple(term for term in fixed if term != hypothesis["factor"])
    if unit != "episode" and (random or covariates):
        return Model("episode", problem=f"{text!r} has means of a unit with other terms")
    return Model(unit, covariates, random)
