"""``tutor``: the scripted helper of a tutorial, which leaves the task to the person who learns.

It waits, answers each line of the chat, and in a human body washes, fills and switches what it is
asked for: so whoever learns finds everything where it was.
"""

from __future__ import annotations

from collections import deque

from episodes.rules import TargetVerb
from server.robots.baselines.scripted_player import BodyPlayer, Change, begin
from server.robots.baselines.step_aims import step_aim
from server.robots.baselines.tutor_talk import TutorTalk
from server.sessions.core import SessionCore
from server.sessions.intents import Finish, Intent, Say
from server.sessions.state import STILL
from server.skills.body import Body, Script, SkillError
from server.skills.errands import change, put_anywhere

HELLO = "Hello, I am a scripted helper for your first steps: I wait here and say where things are."
DONE = "Done: the {label}."
FAILED = "I cannot get at the {label}. Put it on a table or a counter, and ask again."


class Tutor(BodyPlayer):
    """The helper's player."""

    def __init__(self, seat: str, seed: int = 0) -> None:
        super().__init__(seat, seed)
        self._talk = TutorTalk(seat)
        self._heard = 0
        """Lines of the chat that it has read."""
        self._lines: deque[str] = deque()
        """Answers that it has to give, one a tick."""
        self._asked: deque[tuple[TargetVerb, str]] = deque()
        """The changes that it has been asked for, and not made yet."""
        self._making = ""
        """The thing whose change it is making; empty: none."""

    def script(self, body: Body) -> Script:
        core, self._heard = body.core, len(body.core.chat)
        yield from begin(core)
        yield [Say(HELLO)]
        # Whatever it was asked for is done, also for somebody who has finished since.
        while self._lines or self._asked or not _others_have_finished(core, self.seat):
            self._listen(core)
            if self._lines:
                yield self._spoken([])
            elif self._asked:
                yield from self._change(body, *self._asked.popleft())
            else:
                yield from self.rest(1)
        yield [Finish()]

    def _listen(self, core: SessionCore) -> bool:
        """Answer what has been said since; return whether it is to break off what it does."""
        lines, self._heard = core.chat[self._heard :], len(core.chat)
        stops = False
        for line in lines:
            if line.seat == self.seat:
                continue
            busy = [thing for _, thing in self._asked]
            if self._making:
                busy.append(self._making)
            reply = self._talk.answer(core, line.text, line.seat, busy=busy)
            self._lines.append(reply.says)
            if reply.stops:
                self._asked.clear()
                stops = True
            elif reply.change is not None:
                self._asked.append(reply.change)
            elif reply.spares:
                self._asked = deque(a for a in self._asked if a[1] not in reply.spares)
                stops = stops or self._making in reply.spares
        return stops

    def _spoken(self, wanted: list[Intent]) -> list[Intent]:
        """Return what is wanted with the next line that is to be said."""
        return [*wanted, Say(self._lines.popleft())] if self._lines else wanted

    def _change(self, body: Body, verb: TargetVerb, thing: str) -> Script:
        """Make a change, and show it from the beginning."""
        step = Change(verb, thing)
        self._making = thing
        self.aim = step_aim(body.core.names.labels, thing, [step], step, "you asked for it")
        self.status = self.aim.text
        yield from self._made(body, verb, thing)
        self._making, self.aim, self.status = "", None, ""

    def _made(self, body: Body, verb: TargetVerb, thing: str) -> Script:
        """Make a change, and say so; whoever says no meanwhile is heard at once."""
        label = body.core.view.label(thing)
        errand = _errand(body, verb, thing)
        try:
            for wanted in errand:
                if self._listen(body.core):
                    errand.close()
                    yield self._spoken([STILL])
                    if body.held is not None:
                        yield from put_anywhere(body)
                    return
                yield self._spoken(wanted)
        except SkillError:
            self._lines.append(FAILED.format(label=label))
            return
        self._lines.append(DONE.format(label=label))


def _errand(body: Body, verb: TargetVerb, thing: str) -> Script:
    yield from change(body, verb, thing)
    if body.held is not None:
        yield from put_anywhere(body)


def _others_have_finished(core: SessionCore, seat: str) -> bool:
    others = [s for name, s in core.seats.items() if name != seat and s.occupied]
    return all(s.finished or s.presence == "gone" for s in others)
