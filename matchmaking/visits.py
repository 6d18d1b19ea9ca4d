"""Visits: one arrival of a participant in a study, and every way through its pages.

A study declares pages in order; a visit stands at one of them, by its position. What happens there
is an event, and the table `TRANSITIONS` says for each place and event where the visit goes on. A
visit that cannot be completed gets its ending early, and may still have pages before it: somebody
whose partner has left is asked the same questions at the end, and is paid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from matchmaking.study.endings import Ending
from matchmaking.study.pages import Page


class Place(StrEnum):
    """Kind of page at which a visit can stand."""

    DEVICE = "device"
    """The check of browser, screen, connection and frame rate."""
    CONSENT = "consent"
    ELIGIBILITY = "eligibility"
    INSTRUCTIONS = "instructions"
    TUTORIAL = "tutorial"
    QUIZ = "quiz"
    LOBBY = "lobby"
    """The way into a group; also the wait for one."""
    PLAY = "play"
    EPISODE_SURVEY = "episode_survey"
    """Questions between two tasks, or after the last."""
    SURVEY = "survey"
    DEBRIEF = "debrief"
    ENDED = "ended"


class Event(StrEnum):
    """Things that can happen to a visit."""

    DONE = "done"
    """The page was filled in, read or played to its end."""
    FAILED = "failed"
    """The page has a criterion, and it was not met."""
    REFUSED = "refused"
    MATCHED = "matched"
    NO_PARTNER = "no_partner"
    """The deadline of the lobby passed, and the study ends the visit then."""
    SENT_ON = "sent_on"
    """The deadline passed, and the study goes on with the pages behind play."""
    OVER_RECRUITED = "over_recruited"
    EPISODE_OVER = "episode_over"
    """A task was played, and there are questions about it."""
    PLAYED = "played"
    """The last task was played."""
    PARTNER_LEFT = "partner_left"
    BROKE = "broke"
    """Failure on our side, after which the visit cannot go on."""
    LATE = "late"
    WITHDREW = "withdrew"


class Move(StrEnum):
    """Direction in which an event moves a visit."""

    NEXT = "next"
    """To the next page of the study."""
    PLAY = "play"
    """Back to the page on which tasks are played."""
    EPISODE_SURVEY = "episode_survey"
    """To the questions about the task that is over."""
    BEHIND_PLAY = "behind_play"
    """To the first page behind play."""
    END = "end"


class Transition(NamedTuple):
    """Row of the table: where an event leads, and the ending that it decides, if it does."""

    move: Move
    ending: Ending | None = None


def _end(ending: Ending) -> Transition:
    return Transition(Move.END, ending)


_NEXT = Transition(Move.NEXT)

LIVE = frozenset(Place) - {Place.ENDED}
"""Places at which a visit goes on."""

TRANSITIONS: dict[tuple[Place, Event], Transition] = {
    (Place.DEVICE, Event.DONE): _NEXT,
    (Place.DEVICE, Event.FAILED): _end(Ending.SCREENED_OUT),
    (Place.CONSENT, Event.DONE): _NEXT,
    (Place.CONSENT, Event.REFUSED): _end(Ending.NO_CONSENT),
    (Place.ELIGIBILITY, Event.DONE): _NEXT,
    (Place.ELIGIBILITY, Event.FAILED): _end(Ending.SCREENED_OUT),
    (Place.INSTRUCTIONS, Event.DONE): _NEXT,
    (Place.TUTORIAL, Event.DONE): _NEXT,
    (Place.TUTORIAL, Event.FAILED): _end(Ending.SCREENED_OUT),
    (Place.QUIZ, Event.DONE): _NEXT,
    (Place.QUIZ, Event.FAILED): _end(Ending.SCREENED_OUT),
    (Place.LOBBY, Event.MATCHED): Transition(Move.PLAY),
    (Place.LOBBY, Event.NO_PARTNER): _end(Ending.NO_PARTNER),
    (Place.LOBBY, Event.SENT_ON): Transition(Move.BEHIND_PLAY, Ending.NO_PARTNER),
    (Place.LOBBY, Event.OVER_RECRUITED): _end(Ending.OVER_RECRUITED),
    (Place.PLAY, Event.EPISODE_OVER): Transition(Move.EPISODE_SURVEY),
    (Place.PLAY, Event.PLAYED): Transition(Move.BEHIND_PLAY),
    (Place.PLAY, Event.PARTNER_LEFT): Transition(Move.BEHIND_PLAY, Ending.PARTNER_LEFT),
    (Place.EPISODE_SURVEY, Event.DONE): Transition(Move.PLAY),
    (Place.SURVEY, Event.DONE): _NEXT,
    (Place.SURVEY, Event.FAILED): _end(Ending.ATTENTION_FAILED),
    (Place.DEBRIEF, Event.DONE): _NEXT,
    **{(place, Event.LATE): _end(Ending.TIMED_OUT) for place in sorted(LIVE)},
    **{(place, Event.BROKE): _end(Ending.TECHNICAL_FAILURE) for place in sorted(LIVE)},
    **{(place, Event.WITHDREW): _end(Ending.WITHDREW) for place in sorted(LIVE)},
    # Whoever reads the debrief has done all that there was, however they go.
    (Place.DEBRIEF, Event.LATE): Transition(Move.END),
    (Place.DEBRIEF, Event.BROKE): Transition(Move.END),
    (Place.DEBRIEF, Event.WITHDREW): Transition(Move.END),
}
"""Every transition there is; anything else is refused."""

Route = Sequence[Place]
"""Places of a study's pages, in their order; the questions after each task are those of play."""


def route_of(pages: Iterable[Page]) -> tuple[Place, ...]:
    """Return the places of a study's pages."""
    return tuple(Place(str(page.__struct_config__.tag)) for page in pages)


class VisitError(Exception):
    """Error for an event that comes at a place which does not know it."""

    def __init__(self, place: Place, event: Event) -> None:
        super().__init__(f"a visit at {place} knows no {event}")
        self.place, self.event = place, event


class Standing(msgspec.Struct, frozen=True):
    """Point that a visit has reached: all of its state that the table knows.

    ``page`` is the position in the study's route, its length when the visit has ended.
    """

    place: Place
    page: int
    ending: Ending | None = None
    """Ending that is decided already, though pages may come before it."""

    @classmethod
    def at_start(cls, route: Route) -> Standing:
        """Return where a visit begins. Raises ValueError for a study without pages."""
        if not route:
            raise ValueError("expected a study with at least one page, got none")
        return cls(route[0], 0)

    @property
    def has_ended(self) -> bool:
        return self.place is Place.ENDED

    def after(self, event: Event, route: Route) -> Standing:
        """Return where an event leads. Raises VisitError where it does not apply.

        An ending that was decided stays, whatever comes later.
        """
        transition = TRANSITIONS.get((self.place, event))
        if transition is None:
            raise VisitError(self.place, event)
        ending = self.ending or transition.ending
        match transition.move:
            case Move.NEXT:
                page = self.page + 1
            case Move.PLAY:
                page = route.index(Place.PLAY)
            case Move.EPISODE_SURVEY:
                return Standing(Place.EPISODE_SURVEY, self.page, ending)
            case Move.BEHIND_PLAY:
                page = route.index(Place.PLAY) + 1
            case Move.END:
                page = len(route)
        if page >= len(route):
            return Standing(Place.ENDED, len(route), ending or Ending.COMPLETED)
        return Standing(route[page], page, ending)


def diagram() -> str:
    """Draw the table as a Mermaid diagram, for the documentation.

    What every page knows (to withdraw, to be late, to fail) is one arrow from all of them, but for
    those that it leads to another ending.
    """
    everywhere = [e for e in Event if all((place, e) in TRANSITIONS for place in LIVE)]
    lines = ["stateDiagram-v2", "    [*] --> device"]
    order = list(Place)
    target: Place
    for (place, event), (move, ending) in TRANSITIONS.items():
        if event in everywhere and ending == TRANSITIONS[Place.CONSENT, event].ending:
            continue
        match move:
            case Move.NEXT:
                # Studies leave pages out and repeat them: this is the usual order.
                following = (p for p in order[order.index(place) + 1 :])
                target = next(p for p in following if p is not Place.EPISODE_SURVEY)
            case Move.PLAY:
                target = Place.PLAY
            case Move.EPISODE_SURVEY:
                target = Place.EPISODE_SURVEY
            case Move.BEHIND_PLAY:
                target = Place.SURVEY
            case Move.END:
                target = Place.ENDED
        words = f"{event} ({ending})" if ending else str(event)
        lines.append(f"    {place} --> {target} : {words}")
    for event in everywhere:
        ending = TRANSITIONS[Place.CONSENT, event].ending
        lines.append(f"    any_page --> {Place.ENDED} : {event} ({ending})")
    lines.append(f"    {Place.ENDED} --> [*]")
    return "\n".join(lines)
