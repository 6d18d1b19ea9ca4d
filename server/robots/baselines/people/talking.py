"""``person-talking``: asks, tells and proposes in many words, waits for answers, and answers."""

from __future__ import annotations

from server.robots.baselines.people.answers import DONE_WORDS
from server.robots.baselines.people.errands import Errand
from server.robots.baselines.people.person import Person
from server.robots.baselines.people.requests import Line
from server.robots.baselines.people.settings import TalkingSettings
from server.robots.policy import Decision, PolicyView
from server.sessions.spec import TICK_RATE
from server.skills.call import Call

MOST_ASKED = 3
"""Errands that it asks others to do, at most."""
_HELLO = (
    "Hi! Shall we get started?",
    "Hello there, nice to work with you.",
    "Hey, let us do this.",
)
_WHERE = (
    "Have you seen the {0} anywhere?",
    "Where is the {0}, do you know?",
    "I cannot find the {0}. Where might it be?",
)
_ASK = (
    "Could you please put the {0} {1} the {2}?",
    "Would you take the {0} and put it {1} the {2}?",
    "Can you bring the {0} over and put it {1} the {2}, please?",
)
_TELL = ("I will see to the {0}.", "Let me do the {0} now.", "I am on the {0}, by the way.")
_DID = ("The {0} is {1}, that is that.", "There: the {0} is {1}.", "Well, the {0} is {1} now.")
_BYE = ("I think we are done. Thank you!", "That was everything, I believe. Thanks!")
_OK = ("Sure, I will.", "Of course!", "Yes, gladly.", "No problem, on my way.")


class Talking(Person):
    """A person for whom a task is also a conversation."""

    def __init__(self, settings: TalkingSettings, seat: str) -> None:
        super().__init__("talking", seat, settings.seed)
        self.settings = settings
        self.patience_s = 15.0
        self.left_to: dict[int, int] = {}
        """Errands that it has asked of others, with the tick until which it leaves them."""
        self._greeted = self._said_bye = False
        self._asked_for: set[int] = set()
        self._told: set[int] = set()
        self._reported: set[int] = set()

    def agrees(self, view: PolicyView, seat: str, line: Line) -> str | None:
        return self.rng.choice(_OK)

    def heard(self, view: PolicyView, seat: str, line: Line) -> None:
        # Whatever it is, it is an answer: it waits no longer.
        self._rest_until = view.tick
        if line.is_no:
            # Somebody will not do it.
            self.left_to = {
                n: tick
                for n, tick in self.left_to.items()
                if line.thing and line.thing not in self.errands[n].things
            }
        elif line.place and line.kind == "other":
            self.search.hints.append(line.place)

    def habit(self, view: PolicyView) -> Decision | None:
        if not self.others(view):
            return None
        if not self._greeted:
            self._greeted = True
            self.say(view, self.rng.choice(_HELLO))
            self._share_out(view)
            return self._speak(view)
        for number in sorted(self.done - self._reported - self.left_to.keys()):
            self._reported.add(number)
            if number in self._told:
                self.say(view, self.rng.choice(_DID).format(*_result(self.errands[number])))
                return self._speak(view)
        if not self.undone() and not self._said_bye:
            self._said_bye = True
            self.say(view, self.rng.choice(_BYE))
            return self._speak(view)
        return None

    def _share_out(self, view: PolicyView) -> None:
        """Ask others for each second errand that anybody can do."""
        labels = view.graph.names.labels
        puts = [n for n, e in enumerate(self.errands) if e.targets and not e.needs]
        puts = [n for n in puts if self.errands[n].targets[0].key in labels]
        seats = self.others(view)
        for index, number in enumerate(puts[1::2][:MOST_ASKED]):
            target = self.errands[number].targets[0]
            how = "in" if target.relation == "within" else "on"
            line = self.rng.choice(_ASK).format(self.errands[number].word, how, labels[target.key])
            self.say(view, line, seats[index % len(seats)])
            self.left_to[number] = view.tick + round(self.settings.leaves_s * TICK_RATE)

    def prefers(self, view: PolicyView, ready: list[int]) -> int | None:
        mine = [n for n in ready if self.left_to.get(n, 0) <= view.tick or not self.others(view)]
        return mine[0] if mine else None

    def saw(self, view: PolicyView, seat: str, call: Call) -> None:
        key = view.graph.find(call.thing)
        for number in self.left_to:
            if key in self.errands[number].things:
                # It is being seen to: time for that.
                self.left_to[number] = view.tick + round(self.settings.leaves_s * TICK_RATE)

    def before(self, view: PolicyView, number: int) -> Decision | None:
        if number in self._told or not self.others(view):
            return None
        self._told.add(number)
        self.say(view, self.rng.choice(_TELL).format(self.errands[number].word))
        return self._speak(view)

    def seek(self, view: PolicyView, number: int) -> Decision | None:
        """Ask before it looks, once for each thing, and wait a while for the answer."""
        if number not in self._asked_for and self.others(view):
            self._asked_for.add(number)
            self.say(view, self.rng.choice(_WHERE).format(self.errands[number].word))
            self._rest_until = view.tick + round(self.settings.waits_s * TICK_RATE)
            return self._speak(view) or super().seek(view, number)
        return super().seek(view, number)


def _result(errand: Errand) -> tuple[str, str]:
    return errand.word, DONE_WORDS.get(errand.skill, "where it belongs")
