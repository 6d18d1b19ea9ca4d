"""Prompt text for the language of programs: what the body's tools allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_DECLARING = """\
Thing("word")                  one thing, piece of furniture or room
Thing("word", near="word")     the same, with the room, furniture or thing where it is, if somebody
                               said so: it is looked for there first"""
_EVERY = """\
All("word", near="word")       all that the word fits, where nobody says how many there are; a
                               method of it is carried out for one after the other"""

_METHODS: dict[str, tuple[tuple[str, ...], str]] = {
    "go_to()": (("Navigate",), "walk to it"),
    "look_around()": (("Explore",), "walk through this room and see what is there"),
    "pick_up()": (("Pick",), "walk to it and take it; a hand holds one thing"),
    "put_on(other)": (("Place", "Rearrange"), "put it onto other furniture; it is in the hand"),
    "put_in(other)": (("Place", "Rearrange"), "the same, into furniture with doors or drawers"),
    "put_down()": (("Place", "Rearrange"), "put it onto whatever is near"),
    "bring_onto(other)": (
        ("Place", "Rearrange"),
        "find it, fetch it and put it onto furniture or a floor; bring_onto(other, beside=third) "
        "puts it next to a third thing that is there already",
    ),
    "bring_into(other)": (
        ("Place", "Rearrange"),
        "the same, into furniture with doors or drawers",
    ),
    "bring_next_to(other)": (("Place", "Rearrange"), "put it beside another thing, where that is"),
    "open()": (("Open",), "walk to furniture with doors or drawers and open it"),
    "close()": (("Close",), "close it again"),
}
_CHANGES: dict[str, tuple[str, str]] = {
    "wash()": ("Clean", "make it clean"),
    "fill()": ("Fill", "fill it with water"),
    "pour_into(other)": ("Pour", "pour from it, filled and in the hand, into the other"),
    "switch_on()": ("PowerOn", "switch it on"),
    "switch_off()": ("PowerOff", "switch it off"),
}
_CORRECTING = {
    "come_closer()": "in repairs only: take another stand, nearer to it",
    "step_back()": "in repairs only: go a step back, where it is too close",
    "other_viewpoint()": "in repairs only: look at it from another side, past what is in between",
}
_UNTIL_DONE = (
    "wait_until_done()              what stands above has to be done, also by the partner, before "
    "anything below is begun"
)
_REMEMBER = (
    'remember_as("name")            only if your partner wants it remembered: what stands above is '
    "its routine of this name; if nothing stands above, the whole program before this one"
)
_RULES = (
    "Write only lines as they are listed here: comments, declarations and calls, no conditions, "
    "loops or functions.",
    "The plan is consistent: do not open what is open, or put down what is not held.",
    "Mind what things can be used for: a cabinet can be opened, a pillow cannot.",
    "Words in quotes are names from the lists, or kinds and groups from the lists; no others.",
    "One thing is carried at a time and put down before the next one is taken.",
    "Each thing has a name of its own, also where there are several of a kind: cup and cup_2. What "
    "is meant to be the same thing or place is declared once.",
)


def api(
    tools: Iterable[str], *, extended: bool, corrects: bool = False, keeps: bool = False
) -> str:
    """List the declarations and methods, one per line."""
    has = frozenset(tools)
    lines = ["Declarations (name = ...):", _DECLARING, *([_EVERY] if extended else [])]
    lines += ["", "Methods (name.method()):"]
    lines += [_line(usage, says) for usage, (needs, says) in _METHODS.items() if has & {*needs}]
    for usage, (tool, says) in _CHANGES.items():
        by_partner = "" if tool in has else "; your body cannot: your partner is asked to, politely"
        lines.append(_line(usage, says + by_partner))
    if corrects:
        lines += [_line(usage, says) for usage, says in _CORRECTING.items() if "Navigate" in has]
    lines += ["", "Besides:"]
    lines += [_UNTIL_DONE] if extended else []
    lines += [_REMEMBER] if keeps else []
    lines.append(_line("do_nothing()", "there is nothing to do").strip("- "))
    return "\n".join(lines)


def _line(usage: str, says: str) -> str:
    return f"{usage:<30} {says}"


def methods(tools: Iterable[str], *, corrects: bool = False) -> tuple[str, ...]:
    """Return the names of the methods that `api` lists."""
    has = frozenset(tools)
    found = [usage for usage, (needs, _) in _METHODS.items() if has & {*needs}]
    found += _CHANGES
    found += _CORRECTING if corrects and "Navigate" in has else ()
    return tuple(usage.partition("(")[0] for usage in found)


def rules(more: Sequence[str] = ()) -> str:
    """Return the rules as a numbered list: those of every template, then ``more``."""
    return "\n".join(f"{n}. {rule}" for n, rule in enumerate((*_RULES, *more), start=1))
