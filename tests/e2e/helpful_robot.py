"""A model double for ReAct that does nothing until its partner asks it to bring something."""

from __future__ import annotations

import re

from tests.model_double import Asked, Reply

_WISH = re.compile(r'Partner: "Please bring the (\w+) to the (\w+) in the ([\w ]+)\."')


def behave(asked: Asked) -> Reply:
    """Return what `tests.model_double.ModelDouble` is to answer."""
    return Reply(f"Thought: I do what my partner asks for.\n{_call(asked)}\n", delay_s=0.3)


def _call(asked: Asked) -> str:
    prompt = asked.prompt
    wish = _WISH.search(prompt)
    if wish is None:
        return "Wait[]"
    done = "\n".join(m["content"] for m in asked.body["messages"] if m["role"] == "assistant")
    if "Rearrange[" in done:
        return "Done[]"
    thing = re.search(rf"^({wish[1]}_\d+): ", prompt, re.M)
    if thing is None:
        rooms = re.findall(r"^(\w+_\d+): floor_", prompt, re.M)
        return f"Explore[{next(r for r in rooms if f'Explore[{r}]' not in done)}]"
    room = wish[3].replace(" ", "_")
    furniture = re.search(rf"^{room}_\d+: .*?\b({wish[2]}_\d+)\b", prompt, re.M)
    assert furniture is not None, prompt
    return f"Rearrange[{thing[1]}, on, {furniture[1]}, none, none]"
