"""What a skill answers: PARTNR's wording of what the preconditions refuse.

The preconditions themselves are `episodes.rules`: this is another wording of the same refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from episodes.rules import Refusal, Verb

SUCCESS = "Successful execution!"
TOO_LONG = "Skill took too long to finish."


class About(NamedTuple):
    """Names that a text mentions, as the planner knows them."""

    target: str
    held: str = ""


def failure(reason: str) -> str:
    return f"Unexpected failure! - {reason}"


def not_in_graph(name: str) -> str:
    """The lookup error and the hint to explore."""
    return (
        f"Node with name {name} not present in the graph. "
        "Use an exact name, or explore to find the object first."
    )


_Text = Callable[[About], str]


def _fixed(text: str) -> _Text:
    return lambda _: text


_FAR_TO_PICK = _fixed("Failed to pick! Not close enough to the object.")
_MISPLACED: _Text = lambda a: f"No valid placements found for entity {a.target}."  # noqa: E731
_FAR_TO_PLACE: _Text = lambda a: (  # noqa: E731
    f"Failed to place! Not close enough to {a.target} or occluded."
)

_TEXTS: dict[tuple[Verb, str], _Text] = {
    ("pick", "hand_free"): lambda a: (
        f"Failed to pick {a.target}! The arm is currently grasping {a.held}."
    ),
    ("pick", "not_shut_in"): _fixed(
        "Failed to pick! Object is in a closed furniture, you need to open the furniture first."
    ),
    ("pick", "within_reach"): _FAR_TO_PICK,
    ("place", "holding"): _fixed("Failed to place! The agent is not holding any object."),
    ("place", "spot_in_reach"): _FAR_TO_PLACE,
    ("place", "spot_in_sight"): _FAR_TO_PLACE,
    ("pour", "pours_from_hand"): lambda a: (
        "Unable to pour: The held object is not filled"
        if a.held
        else "Unable to pour: The agent is not holding any object"
    ),
    ("fill", "water"): _fixed("The object is not close enough to a water source"),
    ("clean", "water"): lambda a: (
        f"{a.target} requires faucet to clean, but agent is not near faucet."
    ),
}
for _rule in ("landed", "level", "on_surface", "on_receptacle", "floor_walkable", "steady",
              "fits_height", "room_for_it"):  # fmt: skip
    _TEXTS["place", _rule] = _MISPLACED


def _opening(verb: Verb, word: str) -> None:
    far: _Text = lambda a: (  # noqa: E731
        f"Failed to {word}! {a.target} is occluded or too far from agent to {word}."
    )
    _TEXTS[verb, "within_reach"] = _TEXTS[verb, "in_sight"] = far
    past = "Opened" if word == "Open" else "Closed"
    _TEXTS[verb, "openable"] = lambda a: f"{a.target} is not articulated - and cannot be {past}"


_opening("open", "Open")
_opening("close", "Close")

_STATES: dict[Verb, tuple[str, str]] = {
    "clean": ("can_be_clean", "is_clean"),
    "fill": ("can_be_filled", "is_filled"),
    "pour": ("can_be_filled", "is_filled"),
    "power_on": ("can_be_powered", "is_powered_on"),
    "power_off": ("can_be_powered", "is_powered_on"),
}
for _verb, (_rule, _state) in _STATES.items():
    _TEXTS[_verb, _rule] = _fixed(f"The targeted object does not afford the state: {_state}")


def refused(verb: Verb, refusal: Refusal, about: About) -> str:
    """The answer to a refused primitive.

    A rule that PARTNR does not have (cohabit is stricter) is told in our own words.
    """
    text = _TEXTS.get((verb, refusal.rule))
    return failure(refusal.reason if text is None else text(about))
