"""Words for a design: which factors vary within groups, and which conditions a group plays."""

from __future__ import annotations

from collections.abc import Sequence

from matchmaking.study import Study
from matchmaking.study.group_conditions import is_varied_within


def factors_varied(study: Study) -> str:
    """Return the factors with their levels, and how each varies: between or within subjects."""
    by_kind: dict[str, list[str]] = {}
    for factor in study.factors:
        kind = "within" if is_varied_within(study.group_conditions, factor.name) else "between"
        by_kind.setdefault(kind, []).append(f"{factor.name} ({', '.join(factor.levels)})")
    told = [f"{'; '.join(some)} {kind} subjects" for kind, some in by_kind.items()]
    return " and ".join(told) or "nothing"


def own_conditions(study: Study) -> str:
    """Return which conditions a group plays within subjects: all, or those of its own levels."""
    own = _named([f.name for f in study.factors if f.drawn_at == "entry"])
    return f"the conditions with its own level of {own}" if own else "all conditions"


def _named(names: Sequence[str]) -> str:
    *most, last = names or [""]
    return f"{', '.join(most)} and {last}" if most else last
