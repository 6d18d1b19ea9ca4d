"""Answers of a scripted partner about the house: states, contents, numbers; and about its talk."""

from __future__ import annotations

import re

from episodes.tasks.words import listed
from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.hands import Hands
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.places import is_turned, room_id_around, room_named
from server.robots.baselines.partner.referents import MOST_CHOICES, Referents, has_place
from server.robots.baselines.partner.request import Request
from server.sessions.core import SessionCore

_STATES: tuple[tuple[re.Pattern[str], str, str, str], ...] = (
    (re.compile(r"\b(?:clean|dirty|wash\w*)\b"), "is_clean", "clean", "dirty"),
    (re.compile(r"\b(?:full|fill\w*|empty|refill\w*)\b"), "is_filled", "full", "empty"),
    (re.compile(r"\b(?:on|off|lit|running)\b"), "is_powered_on", "on", "off"),
)
_OPEN = re.compile(r"\b(?:open(?:ed)?|closed?|shut)\b")
MOST_LISTED = 6


class Knowledge:
    """Answers of one seat of a scripted partner; nothing here changes anything."""

    def __init__(self, hands: Hands, meant: Referents) -> None:
        self.hands = hands
        self.meant = meant

    def state(self, core: SessionCore, seat: str, request: Request) -> str:
        """Say whether something is open, clean, full or switched on."""
        say = Phrases(core, self.hands.seat)
        keys = [
            k for k in self.meant.resolved(core, request.thing, request.room) if has_place(core, k)
        ]
        if not keys and request.thing is None and request.points:
            keys = [key] if (key := self.meant.last(core, lambda _: True)) else []
        if not keys:
            return self.meant.not_found(core, request)
        if len(keys) > MOST_CHOICES:
            return self.meant.which(core, keys)
        return " ".join(self._state_of(core, say, key, request.said) for key in keys)

    def _state_of(self, core: SessionCore, say: Phrases, key: str, said: str) -> str:
        the = say.the(key).capitalize()
        if _OPEN.search(said):
            if key not in core.surfaces.of or not core.view.template(key).parts:
                return f"{the} cannot be opened or closed."
            if is_turned(core, key, True):
                return f"{the} is open."
            return f"{the} is {'closed' if is_turned(core, key, False) else 'partly open'}."
        for words, name, yes, no in _STATES:
            if words.search(said):
                now = core.world.states.get((key, name))
                if now is None:
                    return f"{the} is never {yes} or {no} here."
                return f"{the} is {yes if now else no}."
        return phrases.NOT_UNDERSTOOD

    def contents(self, core: SessionCore, seat: str, request: Request) -> str:
        """Say what is in or on furniture, or in a room."""
        say = Phrases(core, self.hands.seat)
        mention = request.place or request.thing
        if mention is None:
            key = self.meant.last(core, lambda k: k in core.surfaces.of) if request.points else ""
            keys = [key] if key else []
        else:
            keys = self.meant.resolved(core, mention)
        places = [key for key in keys if key not in core.world.objects]
        if mention is not None and not mention.keys:
            return say.none_here(mention.words)
        if len(places) != 1:
            return self.meant.which(core, places) if places else phrases.WHICH_FURNITURE
        found = self._things_at(core, places[0])
        at = say.the(places[0])
        if not found:
            return f"Nothing that can be carried is in or on {at}."
        named = [say.the(key) for key in found[:MOST_LISTED]]
        if len(found) > MOST_LISTED:
            named.append(f"{len(found) - MOST_LISTED} more")
        return f"In or on {at}: {listed(named)}."

    def _things_at(self, core: SessionCore, place: str) -> list[str]:
        if room_named(core, place) is not None:
            return [k for k in core.world.objects if room_id_around(core, k) == place]
        surfaces = {k: core.view.receptacle_of(k) for k in core.world.objects}
        return [k for k, s in surfaces.items() if s is not None and s.furniture.handle == place]

    def count(self, core: SessionCore, seat: str, request: Request) -> str:
        """Say how many of something there are."""
        say = Phrases(core, self.hands.seat)
        if request.thing is None or room_named(core, (*request.thing.keys, "")[0]) is not None:
            return phrases.COUNT_WHAT
        if not request.thing.keys:
            return say.none_here(request.thing.words)
        keys = list(request.thing.keys)
        if request.room is not None:
            inside = [k for room in request.room.keys for k in self._things_at(core, room)]
            keys = [k for k in keys if k in inside]
        if len(keys) == 1:
            return f"There is one: {say.the(keys[0])}."
        return f"There are {len(keys)}: {say.some(keys)}." if keys else "There is none there."

    def task(self, core: SessionCore, seat: str, request: Request) -> str:
        return f"The task is: {core.task_text}"
