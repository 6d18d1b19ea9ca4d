"""The intake of what occupants ask for: obeyed or refused, each in its order of arrival."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import UNSET

from episodes.rules import NOWHERE, Refusal, RuleProfile, Verb, changed_part, judge
from episodes.seats import PAIR
from server.sessions.chat import ChatLimit, HiddenWords, spoken
from server.sessions.effects import Effects
from server.sessions.events import (
    AimChanged,
    Did,
    DoingChanged,
    Event,
    FinishChanged,
    LimitChanged,
    OccupantChanged,
    PhaseChanged,
    PresenceChanged,
    Refused,
    Said,
)
from server.sessions.intents import Act, Drive, Finish, Intent, Look, Place, Ready, Say, Select
from server.sessions.phase_rules import WAITED_FOR, is_waited_for
from server.sessions.placement import lower
from server.sessions.rule_view import SessionRuleView
from server.sessions.selections import Selections
from server.sessions.state import EpisodeState, Heard

NOT_STARTED = Refusal("started", "It has not begun yet: wait for your partner")
PAUSED = Refusal("paused", "It waits for your partner")
WAS_AWAY = Refusal("paused", "You were away: do it again")
NOT_ALL_THERE = Refusal("started", "It has not begun yet: wait for the others")
PAUSED_FOR_SOME = Refusal("paused", "It waits for somebody who is away")
OVER = Refusal("not_over", "The task is over")
EMPTY_SEAT = Refusal("occupied", "Nobody sits here")
_NOT_NOW = {"gathering": NOT_STARTED, "paused": PAUSED, "ended": OVER}
_NOT_NOW_FOR_SEVERAL = {"gathering": NOT_ALL_THERE, "paused": PAUSED_FOR_SOME, "ended": OVER}
IN_PLAY = ("running", "paused")
NO_CHAT = Refusal("chat", "There is no chat in this session")
NOTHING_SAID = Refusal("chat", "Say something first")
TOO_MUCH_SAID = Refusal("chat", "That was a lot at once: wait a few seconds")

Aims = dict[tuple[str, Literal["drive", "look"]], Drive | Look]
"""The latest walking and looking of each seat."""
Arrived = tuple[str, Intent] | PresenceChanged | OccupantChanged | DoingChanged | AimChanged


class Intake:
    """The judge of intents; ``events`` and ``heard`` are what came of those of this tick."""

    def __init__(
        self,
        state: EpisodeState,
        view: SessionRuleView,
        effects: Effects,
        selections: Selections,
        profile: RuleProfile,
        hidden_words: Iterable[str] = (),
    ) -> None:
        self.state = state
        self.view = view
        self.effects = effects
        self.selections = selections
        self.profile = profile
        self.events: list[Event] = []
        self.heard: list[Heard] = []
        self._talk, self._hidden = ChatLimit(), HiddenWords(hidden_words)

    def begin(self) -> None:
        """Start a new tick."""
        self.events = []
        self.heard = []

    def happen(self, event: Event) -> None:
        """Fold an event and tell it."""
        self.state.happen(event)
        self.events.append(event)

    def take(self, aims: Aims, inbox: Iterable[Arrived]) -> None:
        """Take in everything that arrived since the last tick, in order of arrival."""
        for (seat, _), aim in aims.items():
            self._hear(seat, aim, None if self.state.seats[seat].occupied else EMPTY_SEAT)
        for item in inbox:
            if isinstance(item, PresenceChanged):
                self._presence(item)
            elif isinstance(item, DoingChanged):
                if item.text != self.state.seats[item.seat].doing:
                    self.happen(item)
            elif isinstance(item, AimChanged):
                if (item.aim or UNSET) != self.state.seats[item.seat].aim:
                    self.happen(item)
            elif isinstance(item, OccupantChanged):
                self.happen(item)
            else:
                seat, intent = item
                self._hear(seat, intent, self._obey(seat, intent))

    def go_on_with_all(self) -> None:
        """Go on with an episode that waits, if all who were waited for are there again."""
        state = self.state
        if state.phase != "paused" or is_waited_for(state.seats):
            return
        assert state.paused_tick is not None
        waited = state.tick - state.paused_tick
        if state.limit is not None:
            full = None if state.full_limit is None else state.full_limit + waited
            self.happen(LimitChanged(state.limit + waited, full))
        self.happen(PhaseChanged("running"))

    def _hear(self, seat: str, intent: Intent, refusal: Refusal | None) -> None:
        heard = Heard(seat, intent, refusal)
        self.state.heed(heard)
        self.heard.append(heard)

    def _presence(self, event: PresenceChanged) -> None:
        seated = self.state.seats[event.seat]
        if not seated.occupied:
            return
        if self.state.phase == "gathering" and event.presence == "connected":
            event = PresenceChanged(event.seat, "loading", event.seconds_left)
        if (event.presence, event.seconds_left) != (seated.presence, seated.seconds_left):
            self.happen(event)
            if event.presence == "gone" and self.state.phase in ("running", "paused"):
                # Nobody could take it from the hand of a body that nobody is in.
                self.effects.let_go(event.seat)

    def _obey(self, seat: str, intent: Intent) -> Refusal | None:
        seated = self.state.seats[seat]
        if not seated.occupied:
            return EMPTY_SEAT
        match intent:
            case Act() | Place() | Finish():
                # Who has just come back means what they ask for in the same tick.
                self.go_on_with_all()
                if self.state.phase == "paused" and seated.presence in WAITED_FOR:
                    return self._refuse(seat, intent, WAS_AWAY)
                if self.state.phase != "running":
                    several = len(self.state.seats) > len(PAIR)
                    not_now = _NOT_NOW_FOR_SEVERAL if several else _NOT_NOW
                    return self._refuse(seat, intent, not_now[self.state.phase])
                if isinstance(intent, Act):
                    return self._act(seat, intent)
                if isinstance(intent, Place):
                    return self._place(seat, intent)
                if intent.finished != seated.finished:
                    self.happen(FinishChanged(seat, intent.finished))
            case Say(text):
                if not self.profile.allows("chat"):
                    return self._refuse(seat, intent, NO_CHAT)
                line = spoken(text)
                if not line:
                    return self._refuse(seat, intent, NOTHING_SAID)
                if not self._talk.admits(seat, self.state.tick):
                    return self._refuse(seat, intent, TOO_MUCH_SAID)
                self.happen(Said(seat, self._hidden.starred(line)))
            case Ready():
                if self.state.phase == "gathering" and seated.presence != "ready":
                    self.happen(PresenceChanged(seat, "ready"))
                elif self.state.phase in IN_PLAY and seated.presence != "connected":
                    self.happen(PresenceChanged(seat, "connected"))
            case Select():
                self.selections.select(seat)
        return None

    def _refuse(self, seat: str, intent: Intent, refusal: Refusal) -> Refusal:
        match intent:
            case Act(intent_id, verb, target):
                event = Refused(seat, verb, target, refusal.rule, refusal.reason, intent_id)
            case Place(intent_id):
                event = Refused(
                    seat,
                    "place",
                    self.state.world.held.get(seat),
                    refusal.rule,
                    refusal.reason,
                    intent_id,
                )
            case _:
                asked = type(intent).__name__.lower()
                event = Refused(seat, asked, None, refusal.rule, refusal.reason)
        self.happen(event)
        return refusal

    def _rules(self, intent: Act | Place) -> RuleProfile:
        return self.profile.for_skills if intent.by_skill else self.profile

    def _act(self, seat: str, act: Act) -> Refusal | None:
        verb: Verb = act.verb
        refusal = judge(self._rules(act), verb, self.view, seat, act.target, act.part)
        if refusal is not None:
            return self._refuse(seat, act, refusal)
        part: int | None = None
        if verb == "pick":
            self.effects.pick(seat, act.target)
        elif verb == "open" or verb == "close":
            part = changed_part(self.view, act.target, act.part, verb == "open")
            # PARTNR's skills may open what is open already: nothing happens then.
            if part is not None:
                self.effects.set_part(seat, act.target, part, verb == "open")
        else:
            self.effects.set_state(seat, verb, act.target)
        self.happen(Did(seat, verb, act.target, part, None, act.intent_id))
        return None

    def _place(self, seat: str, place: Place) -> Refusal | None:
        held = self.state.world.held.get(seat)
        placement = NOWHERE
        if held is not None:
            placement = lower(self.view, held, place.point, place.yaw)
        rules = self._rules(place)
        refusal = judge(rules, "place", self.view, seat, held or "", None, placement)
        if refusal is not None or held is None:
            assert refusal is not None
            return self._refuse(seat, place, refusal)
        self.effects.place(seat, held, placement)
        self.happen(Did(seat, "place", held, None, placement.support, place.intent_id))
        return None
