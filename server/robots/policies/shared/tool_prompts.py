"""The tools of a body, a line each: how to call it, what it does, an example."""

from __future__ import annotations

from collections.abc import Iterable

from server.skills.registry import PLACING, Skill

_PLACING = (
    "relation is on or within; constraint and reference are next_to and something that is already "
    "there, or none, none"
)
_SAYS = {
    "Navigate": ("walk to a piece of furniture, a room or an object", "Navigate[stove_9]"),
    "Explore": (
        "walk past all furniture of a room to find what lies there",
        "Explore[kitchen_1]",
    ),
    "Pick": ("take an object that is within reach; a hand holds one thing", "Pick[cup_0]"),
    "Place": (
        f"put the object in your hand on or in furniture within reach; {_PLACING}",
        "Place[cup_0, on, table_23, none, none]",
    ),
    "Rearrange": (
        f"fetch an object, carry it and put it down, all in one; {_PLACING}",
        "Rearrange[cup_0, on, table_23, next_to, bowl_4]",
    ),
    "Open": ("open furniture that has doors or drawers", "Open[cabinet_25]"),
    "Close": ("close it again", "Close[cabinet_25]"),
    "Wait": ("do nothing for a while", "Wait[]"),
    "Clean": ("wash or wipe it; dishes need a faucet beside you", "Clean[plate_2]"),
    "Fill": ("fill it at a faucet beside you", "Fill[kettle_3]"),
    "Pour": (
        "pour from the filled thing in your hand into this one",
        "Pour[vase_5]",
    ),
    "PowerOn": ("switch it on", "PowerOn[lamp_6]"),
    "PowerOff": ("switch it off", "PowerOff[lamp_6]"),
    "FindObjectTool": (
        "ask in your own words which known objects fit, and where they are",
        "FindObjectTool[cups that could be on the table]",
    ),
    "FindReceptacleTool": (
        "ask which furniture fits, and in which room it stands",
        "FindReceptacleTool[a counter in the kitchen]",
    ),
    "FindRoomTool": ("ask which rooms fit", "FindRoomTool[where one sleeps]"),
    "FindAgentActionTool": (
        "hear what your partner has done and is doing",
        "FindAgentActionTool[]",
    ),
    "Say": (
        "tell your partner something, in few words",
        "Say[I take the cups, please fill the kettle]",
    ),
}


def describe_tools(tools: Iterable[Skill], more: Iterable[str] = (), *, done: bool = True) -> str:
    """``more`` names tools that are no skills; ``done``: the task may be said to be finished."""
    lines = [_line(_usage(skill), skill.name) for skill in tools]
    lines += [_line(f"{n}[]" if n == "FindAgentActionTool" else f"{n}[text]", n) for n in more]
    if done:
        lines.append("- Done[]: say that the whole task is finished")
    return "\n".join(lines)


def _line(usage: str, name: str) -> str:
    does, example = _SAYS[name]
    return f"- {usage}: {does}. Example: {example}"


def _usage(skill: Skill) -> str:
    if skill.arguments == PLACING:
        return f"{skill.name}[object, relation, furniture, constraint, reference]"
    return f"{skill.name}[{', '.join(skill.arguments)}]"
