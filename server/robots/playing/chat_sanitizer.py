"""Lines of chat, made harmless for any prompt.

Whatever a prompt puts around somebody's words, servers read some texts as marks of their own:
``<|im_start|>`` or ``[INST]`` in the middle of a sentence would begin another message. So the
brackets that all such marks (and calls of skills) are made of become others. The log has what was
really said.
"""

from __future__ import annotations

from server.robots.policy import Heard

_HARMLESS = str.maketrans("<>[]{}", "()()()")


def heard(tick: int, seat: str, text: str) -> Heard:
    """Return a line of chat as policies are shown it."""
    return Heard(tick, seat, text.translate(_HARMLESS))
