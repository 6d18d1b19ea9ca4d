"""Answers of a skill: PARTNR's wording of what the preconditions refuse.

The preconditions themselves are `episodes.rules`: this is another wording of the same refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from episodes.rules import VERB_TABLE, Refusal, Verb

SUCCESS = "Successful execution!"
TOO_LONG = "Skill took too long to finish."


NO_FURNITURE = "Failed to pick! No Furniture found for the Object."
HELD_BY_SELF = "Failed! This object is already held by this agent."
HELD_BY_OTHER = "Failed! This object is held by another agent."


class About(NamedTuple):
    """The names that a text mentions, as planners have them; ``distance`` is to the target (m)."""

    target: str
    held: str = ""
    distance: float = 0.0


def failure(reason: str) -> str:
    return f"Unexpected failure! - {reason}"


def not_in_graph(name: str, known: Iterable[str] = ()) -> str:
    """Word the lookup error with one of two hints.

    Where something of the class is ``known``, the hint is to use an exact name; else to explore.
    """
    stem = name.rsplit("_", 1)[0]
    alike = sorted(k for k in known if k.rsplit("_", 1)[0] == stem)
    if alike:
        hint = f"Use an exact name, such as {alike[0]}."
    else:
        hint = "Explore to find it first, or use the exact name of something that is known."
    return f"Node with name {name} not present in the graph. {hint}"


def inaccessible(name: str) -> str:
    return f"Could not find a suitable nav target for {name}. Possibly inaccessible."


def nothing_to_explore(room: str) -> str:
    return f"There is no furniture in {room} room. Explore another room."


def no_placement(furniture: str, next_to: str = "") -> str:
    text = f"No valid placements found for entity {furniture}."
    if next_to:
        text += f" There may be no free place next to {next_to}, or it is not on {furniture}."
    return text


def far_to_place(furniture: str) -> str:
    return f"Failed to place! Not close enough to {furniture} or occluded."


def not_a_place(name: str) -> str:
    return f"Failed to place! {name} is neither furniture nor a floor."


def other_in_hand(name: str, held: str) -> str:
    return f"Failed to place! The agent is holding {held}, not {name}."


_Text = Callable[[About], str]


def _fixed(text: str) -> _Text:
    return lambda _: text


_FAR_TO_PICK = _fixed("Failed to pick! Not close enough to the object.")
_MISPLACED: _Text = lambda a: no_placement(a.target)  # noqa: E731
_FAR_TO_PLACE: _Text = lambda a: far_to_place(a.target)  # noqa: E731

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


def _changing(verb: Verb, rule: str, state: str) -> None:
    words = verb.replace("_", " ")
    far: _Text = lambda a: (  # noqa: E731
        f"Agent too far from object to {words}: Distance {a.distance:.2f}"
    )
    _TEXTS[verb, rule] = _fixed(f"The targeted object does not afford the state: {state}")
    for name in ("within_reach", "within_state_reach", "in_sight"):
        _TEXTS[verb, name] = far


for _row in VERB_TABLE.values():
    if _row.changes is not None:
        _changing(_row.verb, _row.affords, _row.changes[0])


def refused(verb: Verb, refusal: Refusal, about: About) -> str:
    """Word the answer to a refused primitive.

    A rule that PARTNR does not have (cohabit is stricter) is told in our own words.
    """
    text = _TEXTS.get((verb, refusal.rule))
    return failure(refusal.reason if text is None else text(about))
