"""Finish of a scripted partner: only with nothing of the task in a hand."""

from __future__ import annotations

import pytest

from server.robots.baselines.expert import solve
from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.finishing import Finishing
from server.robots.baselines.partner.player import PartnerPlayer
from server.robots.baselines.scripted_player import (
    Done,
    Go,
    Put,
    Rest,
    ScriptedPlayer,
    Speak,
    Step,
    Take,
)
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.intents import Intent
from server.worker.unpaced_runner import run
from tests.server.robots.baselines.test_partner_absence import core_of_team, work_of
from tests.server.robots.baselines.test_partner_player import QUICK, SECOND, options, play
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

BOOKS = 1


def with_both_books(core: SessionCore, *then: Step) -> list[Step]:
    """Return steps of a person who does all, but stays at the table with the last book in hand."""
    *before, last, _ = solve(core)
    assert isinstance(last, Put)
    return [Speak("I take both books"), *before, Go(last.target), *then]


def last_book(core: SessionCore) -> tuple[str, Put]:
    steps = list(solve(core))
    take, put = steps[-3], steps[-2]
    assert isinstance(take, Take)
    assert isinstance(put, Put)
    return core.names.labels[take.target], put


def test_it_asks_to_put_down_what_is_held_over_its_place_and_does_not_finish() -> None:
    core = core_of(task(BOOKS), naming="people")
    book, _ = last_book(core)
    person = with_both_books(core, Rest(30 * SECOND), Speak("are we done?"), Rest(10 * SECOND))
    game = play(core, person, 100)
    assert game.core.verdict().success
    line = f"The {book} is still in your hand: put it on the coffee table."
    # By itself, and as the answer.
    assert game.said.count(line) >= 2, game.said
    assert phrases.ALL_DONE not in game.said
    assert not game.core.seats[ROBOT].finished


def test_it_finishes_once_that_is_put_down() -> None:
    core = core_of(task(BOOKS), naming="people")
    _, put = last_book(core)
    game = play(core, with_both_books(core, Rest(3 * SECOND), put, Rest(20 * SECOND)), 100)
    assert phrases.ALL_DONE in game.said
    assert game.core.seats[ROBOT].finished


def test_a_person_who_finishes_with_it_in_the_hand_is_not_waited_for() -> None:
    core = core_of(task(BOOKS), naming="people")
    game = play(core, [*with_both_books(core, Rest(3 * SECOND)), Done()], 100)
    assert game.core.phase == "ended"


def test_what_is_taken_up_again_takes_its_finish_back() -> None:
    core = core_of(task(BOOKS), naming="people")
    steps = list(solve(core))
    take, put = steps[-3], steps[-2]
    person = with_both_books(core, put, Rest(10 * SECOND), take, Rest(10 * SECOND))
    game = play(core, person, 100)
    assert phrases.ALL_DONE in game.said
    assert game.core.world.held.get(HUMAN)
    assert not game.core.seats[ROBOT].finished


FINISHES_S = 5


def test_who_was_told_to_stop_finishes_once_all_is_done() -> None:
    core = core_of(task(BOOKS), naming="people")
    person = [Speak("stop please"), *solve(core)[:-1], Rest(FINISHES_S * SECOND)]
    game = play(core, person, 100)
    assert phrases.STOPPED in game.said
    assert game.verbs(ROBOT) == []
    assert game.core.seats[ROBOT].finished, game.said


@pytest.mark.parametrize("no", ["no", "no thanks", "No, I take it.", "leave it alone"])
def test_after_a_no_to_its_offer_it_finishes_with_the_person_and_takes_nothing(no: str) -> None:
    core = core_of(task(BOOKS), naming="people")
    person: list[Step] = [Rest(85 * SECOND), Speak(no), Rest(5 * SECOND), Done(), Rest(60 * SECOND)]
    game = play(core, person, 90 + FINISHES_S)
    assert any("Shall I take" in said for said in game.said)
    assert game.core.phase == "ended", game.said
    assert game.verbs(ROBOT) == ["pick", "place"]


@pytest.mark.parametrize("word", ["done", "finished now", "I'm done", "I have finished"])
def test_who_says_that_they_are_done_reads_what_is_missing_and_what_ends_the_task(
    word: str,
) -> None:
    core = core_of(task(BOOKS), naming="people")
    game = play(core, [Rest(50 * SECOND), Speak(word), Rest(5 * SECOND)], 55)
    (told,) = (said for said in game.said if phrases.ENDS in said)
    assert told.startswith("Good. Not yet: somebody has to take the ")
    assert not game.core.seats[ROBOT].finished


def test_what_can_no_longer_be_right_keeps_it_from_no_finish() -> None:
    core = play(core_of(task(BOOKS), naming="people"), [Rest(5 * SECOND)], 2).core
    assert core.phase == "running"
    work = work_of(core)
    ends = Finishing(ROBOT, work)
    assert ends.due(core, [HUMAN], 0) == (False, [])
    # All was done, but in a wrong order, say: the verdict stays as it is.
    work.open.clear()
    assert not core.verdict().success
    assert ends.due(core, [HUMAN], 0) == (True, [phrases.NOTHING_MORE])


def test_a_no_to_its_finish_is_answered_with_what_ends_the_task() -> None:
    core = core_of(task(BOOKS), naming="people")
    person = [Speak("stop please"), *solve(core)[:-1], Rest(5 * SECOND), Speak("no"),
              Rest(5 * SECOND)]  # fmt: skip
    game = play(core, person, 120)
    assert phrases.GOES_ON in game.said


class TakesAndLeaves(ScriptedPlayer):
    """Person who takes something into the hand, and leaves for good with it."""

    def intents(self, core: SessionCore) -> list[Intent]:
        if core.world.held.get(self.seat) and core.seats[self.seat].presence != "gone":
            core.set_presence(self.seat, "gone")
        return super().intents(core)


def test_what_a_leaver_dropped_of_another_s_share_is_taken_at_once() -> None:
    """A thing that somebody took into the hand is among what they leave."""
    core = core_of_team(2, 1, BOOKS)
    partner = make_player(QUICK, ROBOT, options())
    assert isinstance(partner, PartnerPlayer)
    labels = core.names.labels
    # The blue book is the share of the other person.
    blue = next(h for h in core.world.objects if labels[h] == "blue book")
    leaver = TakesAndLeaves("human_0", [Rest(2 * SECOND), Take(blue), Rest(90 * SECOND)])
    stays = ScriptedPlayer("human_1", [Rest(90 * SECOND)])
    run(core, [partner, leaver, stays], 60 * SECOND)
    here = core.view.receptacle_of(blue)
    assert here is not None
    assert labels[here.furniture.handle] == "coffee table"
    assert partner.work.owner[blue] == ROBOT
