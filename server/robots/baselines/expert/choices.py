"""Choices among several things, places and rooms, as ties between propositions want them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from episodes.dataset.vocabulary import DIFFERENT_ARG, SAME_ARG
from server.robots.baselines.expert.lying import lies_as_wanted
from server.robots.baselines.expert.order import Order, signature_of
from server.sessions.core import SessionCore

PLACED = ("is_on_top", "is_inside", "is_on_floor", "is_in_room")


class Choices:
    """The choices so far, by proposition and argument."""

    def __init__(self, core: SessionCore, order: Order) -> None:
        self.propositions = core.task.evaluation_propositions
        self._constraints = [
            c for c in core.task.evaluation_constraints if c.type in (SAME_ARG, DIFFERENT_ARG)
        ]
        self._order = order
        self._chosen: dict[tuple[int, str], list[str]] = {}
        self._used: dict[str, list[int]] = {}
        """The placements that a thing was picked for, by thing."""
        self._settled: dict[tuple[int, str], list[str]] = {}
        """Places where things lie as they are wanted, by proposition and argument."""

    def things(self, index: int) -> list[str]:
        """Choose as many of a proposition's first list as it wants, the same whenever it is asked.

        What ties allow comes first, then what no other lasting placement has taken, then what
        something else is done to anyhow.
        """
        proposition = self.propositions[index]
        first = signature_of(proposition).first
        if (index, first) in self._chosen:
            return self._chosen[index, first]
        options: list[str] = list(proposition.args[first])
        tied = self.tied(index, first, options)
        places = proposition.function_name in PLACED

        def cost(thing: str) -> tuple[bool, bool, bool]:
            taken = places and any(self._rivals(index, i) for i in self._used.get(thing, ()))
            return (thing not in tied, taken, thing not in self._used)

        options.sort(key=cost)
        picked = options[: int(proposition.args.get("number") or 1)]
        self._chosen[index, first] = picked
        for thing in picked:
            self._used.setdefault(thing, []).append(index)
        return picked

    def _rivals(self, index: int, other: int) -> bool:
        """Tell whether two placements cannot be about the same thing.

        Both have to hold at the end, at places of their own.
        """
        one, two = self.propositions[index], self.propositions[other]
        if two.function_name not in PLACED or not {index, other} <= self._order.lasting:
            return False
        for argument in ("receptacle_handles", "room_ids"):
            mine, theirs = one.args.get(argument), two.args.get(argument)
            if mine is not None and theirs is not None and not set(mine) & set(theirs):
                return True
        return False

    def settle(self, core: SessionCore, theirs: Set[str]) -> None:
        """Choose the places where something lies already as a proposition wants it.

        Whoever put it there has chosen for the others, too. ``theirs`` are things that somebody
        else has put somewhere: where they lie goes before where the others do.
        """
        rooms = {f.handle: f.room_id for f in core.simulator.scene.furniture}
        for index, proposition in enumerate(self.propositions):
            if proposition.function_name not in PLACED:
                continue
            lying = [
                (thing, surface.furniture.handle)
                for thing in proposition.args[signature_of(proposition).first]
                if thing not in core.world.holders
                and (surface := core.view.receptacle_of(thing)) is not None
                and lies_as_wanted(core, proposition, thing)
            ]
            for argument, places in (
                ("receptacle_handles", lying),
                ("room_ids", [(thing, rooms[handle]) for thing, handle in lying]),
            ):
                among = [(t, p) for t, p in places if p in proposition.args.get(argument, ())]
                counts = Counter([p for t, p in among if t in theirs] or [p for _, p in among])
                if counts:
                    self._settled[index, argument] = [counts.most_common(1)[0][0]]

    def keep(self, index: int, argument: str, value: str) -> None:
        """Remember a choice, for the ties."""
        self._chosen[index, argument] = [value]

    def tied(self, index: int, argument: str, options: list[str]) -> list[str]:
        """Return the options that agree with what tied propositions chose or can choose.

        All of them where nothing agrees.
        """
        left = list(options)
        if (index, argument) in self._settled and self._is_bound(index, argument):
            return [o for o in left if o in self._settled[index, argument]] or options
        if self._is_same(index, argument) and (index, argument) in self._chosen:
            return [o for o in left if o in self._chosen[index, argument]] or options
        for constraint in self._constraints:
            members = list(
                zip(
                    constraint.args["proposition_indices"],
                    constraint.args["arg_names"],
                    strict=True,
                )
            )
            if (index, argument) not in members:
                continue
            for other in members:
                if other == (index, argument):
                    continue
                chosen = self._settled.get(other) or self._chosen.get(other)
                if constraint.type == SAME_ARG:
                    allowed = chosen or self.propositions[other[0]].args[other[1]]
                    left = [o for o in left if o in allowed]
                elif chosen:
                    left = [o for o in left if o not in chosen]
        return left or options

    def _is_bound(self, index: int, argument: str) -> bool:
        """Tell whether a choice is one for several things."""
        return self._is_same(index, argument) or self.is_tied(index)

    def _is_same(self, index: int, argument: str) -> bool:
        """Tell whether all things of a proposition want the same of its options."""
        flag = {"receptacle_handles": "is_same_receptacle", "room_ids": "is_same_room"}
        return bool(self.propositions[index].args.get(flag.get(argument, "")))

    def is_tied(self, index: int) -> bool:
        """Tell whether any of a proposition's arguments is tied to another's."""
        return any(index in c.args["proposition_indices"] for c in self._constraints)
