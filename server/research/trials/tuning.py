"""Words about what policies of a trial were tuned on, and what of it is new to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from episodes.houses.splits import split_of
from episodes.teams import Team
from server.robots.policy_spec import Tuning
from server.robots.registry.registry import lookup


class Seen(NamedTuple):
    """The part of a line's partners and houses that its tuned policy was tuned on."""

    policy: str
    tuning: Tuning
    met: tuple[str, ...]
    """Partners here beside whom it was tuned."""
    unseen: tuple[str, ...]
    """The other partners here."""
    houses: tuple[str, ...]
    """Houses here that are of the split of its tasks, among which it was tuned."""


def tuning_of(name: str) -> Tuning | None:
    """Return what a policy's configuration was tuned on, if that is known."""
    return lookup(name).setup.tuned


def seen_by(teams: Iterable[Team], houses: Iterable[str]) -> Iterator[Seen]:
    """Yield, for each tuned policy of some teams, what of them and of some houses it has seen."""
    partners: dict[str, dict[str, None]] = {}
    for team in teams:
        names = [name for name in team.policies.values() if name]
        for number, name in enumerate(names):
            if tuning_of(name) is not None:
                others = names[:number] + names[number + 1 :]
                partners.setdefault(name, {}).update(dict.fromkeys(others))
    here = list(dict.fromkeys(houses))
    for name, beside in partners.items():
        tuning = tuning_of(name)
        assert tuning is not None
        yield Seen(
            name,
            tuning,
            tuple(n for n in beside if n in tuning.beside),
            tuple(n for n in beside if n not in tuning.beside),
            tuple(house for house in here if _is_of(house, tuning)),
        )


def sentences(teams: Sequence[Team], houses: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each tuned policy, and one for those of which nothing is known."""
    known = list(seen_by(teams, houses))
    for seen in known:
        met, unseen = ", ".join(seen.met) or "none", ", ".join(seen.unseen) or "none"
        count = len(set(houses))
        where = f"; of {count} houses here {len(seen.houses)} are of {seen.tuning.split}"
        yield (
            f"{seen.policy} was tuned beside {', '.join(seen.tuning.beside)} on "
            f"{seen.tuning.tasks} of houses of {seen.tuning.split}. Of the partners here, tuned "
            f"beside: {met}; unseen: {unseen}{where if count else ''}."
        )
    tuned = {seen.policy for seen in known}
    names = dict.fromkeys(name for team in teams for name in team.policies.values() if name)
    others = [name for name in names if name not in tuned]
    if known and others:
        yield f"Of the others nothing is known to have been tuned: {', '.join(others)}."


def _is_of(house: str, tuning: Tuning) -> bool:
    seed = re.fullmatch(r"house_(\d+)", house)
    return seed is not None and split_of(int(seed[1])) == tuning.split
