"""Prompt text for the tools of a body, one line each: usage, effect, example."""

from __future__ import annotations

from collections.abc import Iterable

from server.skills.call import usage
from server.skills.registry import Skill

_SAYS = {
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
    """List the tools for a prompt, one per line.

    ``more`` names tools that are not skills; with ``done`` the model may declare the task finished.
    """
    lines = [_line(usage(skill), skill.does, skill.example) for skill in tools]
    for name in more:
        shown = f"{name}[]" if name == "FindAgentActionTool" else f"{name}[text]"
        lines.append(_line(shown, *_SAYS[name]))
    if done:
        lines.append("- Done[]: say that the whole task is finished")
    return "\n".join(lines)


def _line(usage: str, does: str, example: str) -> str:
    return f"- {usage}: {does}. Example: {example}"
