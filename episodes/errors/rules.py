"""Meaning of a refusal in the error taxonomy, by the name of the rule that refused.

The rules are those of `episodes.rules`, of the session itself, and of skills; the simulator's own
answer is the truth about why an action failed, and the symbols only add the history to it.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from episodes.errors import literals
from episodes.trace import ARGUMENTS, EXECUTION, PARSE, UNKNOWN_ACTION, UNOBSERVED

Meaning = Literal[
    "affordance",
    "redundant",
    "precondition",
    "execution",
    "unknown_thing",
    "unknown_action",
    "arguments",
    "parsing",
    "unobserved",
    "outside",
]


class RuleMeaning(NamedTuple):
    """Meaning of one rule's refusal.

    ``literal`` names what is violated (or, if redundant, already so); ``args`` says about what:
    the seat (s), the target (t). ``subclass`` goes into the record.
    """

    meaning: Meaning
    literal: str = ""
    args: str = ""
    subclass: str | None = None

    def literal_for(self, seat: str, target: str | None) -> literals.Literal | None:
        """Return the literal about a seat and a target."""
        if not self.literal:
            return None
        values = {"s": seat, "t": target or ""}
        return literals.Literal(self.literal, tuple(values[a] for a in self.args))


def _affordance(subclass: str) -> RuleMeaning:
    return RuleMeaning("affordance", subclass=subclass)


def _needs(literal: str, args: str) -> RuleMeaning:
    return RuleMeaning("precondition", literal, args)


def _already(literal: str, args: str = "t") -> RuleMeaning:
    return RuleMeaning("redundant", literal, args)


_EXECUTION: Final = RuleMeaning("execution")
_OUTSIDE: Final = RuleMeaning("outside")

RULES: Final[dict[str, RuleMeaning]] = {
    # What the target is
    "known": RuleMeaning("unknown_thing"),
    "movable": _affordance("not_movable"),
    "openable": _affordance("not_openable"),
    "can_be_clean": _affordance("no_is_clean"),
    "can_be_filled": _affordance("no_is_filled"),
    "can_be_powered": _affordance("no_is_powered_on"),
    "changes_states": _affordance("agent_capability"),
    "on_surface": _affordance("no_surface"),
    "on_receptacle": _affordance("no_surface"),
    "level": _affordance("no_surface"),
    "fits_height": _affordance("too_large"),
    # What is already so
    "not_open": _already("is_open"),
    "not_closed": _already("is_closed"),
    "not_clean": _already("is_clean"),
    "not_filled": _already("is_filled"),
    "not_on": _already("is_powered_on"),
    "not_off": _already("is_powered_off"),
    "not_in_hand": _already("holding", "st"),
    # What must be so first
    "hand_free": _needs("hand_empty", "s"),
    "hands_empty": _needs("hand_empty", "s"),
    "holding": _needs("hand_full", "s"),
    "pours_from_hand": _needs("holding_filled", "st"),
    "not_with_partner": _needs("not_held_by_partner", "st"),
    "not_shut_in": _needs("accessible", "t"),
    "container_open": _needs("receptacle_open", "t"),
    "within_reach": _needs("near", "st"),
    "within_state_reach": _needs("near", "st"),
    "in_sight": _needs("visible", "st"),
    "spot_in_reach": _needs("near_spot", "s"),
    "spot_in_sight": _needs("visible_spot", "s"),
    "water": _needs("at_water", "s"),
    "nothing_on_it": _needs("clear", "t"),
    "way_clear_to_open": _needs("way_clear", "t"),
    "way_clear_to_close": _needs("way_clear", "t"),
    # Where exactly the hand aimed: no step of a plan is wrong
    "landed": _EXECUTION,
    "floor_walkable": _EXECUTION,
    "steady": _EXECUTION,
    "room_for_it": _EXECUTION,
    EXECUTION: _EXECUTION,
    # Answers of models
    PARSE: RuleMeaning("parsing"),
    UNKNOWN_ACTION: RuleMeaning("unknown_action"),
    ARGUMENTS: RuleMeaning("arguments"),
    UNOBSERVED: RuleMeaning("unobserved"),
    # Not actions in the world
    "started": _OUTSIDE,
    "not_over": _OUTSIDE,
    "occupied": _OUTSIDE,
    "chat": _OUTSIDE,
}
