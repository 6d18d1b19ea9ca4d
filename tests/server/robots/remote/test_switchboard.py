"""The switchboard of remote policies: who is asked, and how each question ends."""

from __future__ import annotations

import asyncio

import pytest

from server.robots.models.request import DeadlineError, GarbageError
from server.robots.remote.messages import (
    Decide,
    Decided,
    Dropped,
    Over,
    Refused,
    ToPolicy,
    Welcome,
)
from server.robots.remote.switchboard import (
    FROZEN_S,
    LATE_FOR_S,
    PolicyAwayError,
    PolicyLine,
    Switchboard,
)
from tests.server.lobby.virtual import virtual

WAIT_S = 30.0


class Program:
    """A program that is connected: what it was told, and whether it was sent away."""

    def __init__(self, switchboard: Switchboard, name: str = "mine") -> None:
        self.told: list[ToPolicy] = []
        self.sent_away = False
        self.unanswered_s = 0.0
        """Seconds since a ping that it has not answered."""
        self.line: PolicyLine = switchboard.join(
            name, self.told.append, self.send_away, lambda: self.unanswered_s
        )

    def send_away(self) -> None:
        self.sent_away = True

    async def asked(self) -> Decide:
        await asyncio.sleep(0)
        question = self.told[-1]
        assert isinstance(question, Decide)
        return question


def ask(switchboard: Switchboard, name: str = "mine") -> asyncio.Task[Decided]:
    return asyncio.create_task(switchboard.ask(name, "game", "robot_0", 7, b'{"tick":1}'))


@virtual
async def test_a_question_goes_to_the_policy_and_its_answer_comes_back() -> None:
    switchboard = Switchboard(WAIT_S)
    program = Program(switchboard)
    assert program.told == [Welcome(1, "mine", WAIT_S)]
    assert switchboard.is_connected("mine")
    first, second = ask(switchboard), ask(switchboard)
    await asyncio.sleep(0)
    numbers = [told.id for told in program.told if isinstance(told, Decide)]
    assert len(set(numbers)) == 2
    program.line.take(Decided(numbers[1], do="Wait[]"))
    program.line.take(Decided(numbers[0], say="hello"))
    assert ((await first).say, (await second).do) == ("hello", "Wait[]")
    # Said again, or about nothing that was asked: nobody waits for it.
    program.line.take(Decided(numbers[0], finished=True))
    program.line.take(Decided("99", finished=True))
    assert len(program.told) == 3


@virtual
async def test_a_policy_that_is_silent_has_failed_when_its_time_is_over() -> None:
    switchboard = Switchboard(WAIT_S)
    program = Program(switchboard)
    loop = asyncio.get_running_loop()
    began, asking = loop.time(), ask(switchboard)
    question = await program.asked()
    with pytest.raises(DeadlineError, match="no decision within 30 s"):
        await asking
    assert loop.time() - began == pytest.approx(WAIT_S, abs=0.1)
    assert program.told[-1] == Dropped(question.id, "no decision within 30 s")


@virtual
async def test_who_answers_no_ping_is_given_nothing_new_until_it_does() -> None:
    switchboard = Switchboard(WAIT_S)
    assert not switchboard.answers("mine")
    program = Program(switchboard)
    assert switchboard.answers("mine")
    program.unanswered_s = FROZEN_S
    assert not switchboard.answers("mine")
    assert switchboard.is_connected("mine")
    program.unanswered_s = FROZEN_S / 2
    assert switchboard.answers("mine")


@virtual
@pytest.mark.parametrize("comes", ["an answer too late", "a program again", "nothing"])
async def test_who_let_its_time_pass_is_given_nothing_new(comes: str) -> None:
    switchboard = Switchboard(WAIT_S)
    program = Program(switchboard)
    asking = ask(switchboard)
    question = await program.asked()
    assert switchboard.answers("mine")
    with pytest.raises(DeadlineError):
        await asking
    assert not switchboard.answers("mine")
    if comes == "an answer too late":
        program.line.take(Decided(question.id, finished=True))
    elif comes == "a program again":
        Program(switchboard)
    else:
        await asyncio.sleep(LATE_FOR_S - 1)
        assert not switchboard.answers("mine")
        await asyncio.sleep(1)
    assert switchboard.answers("mine")


@virtual
async def test_what_is_no_decision_is_refused_and_fails_at_once() -> None:
    switchboard = Switchboard(WAIT_S)
    program = Program(switchboard)
    asking = ask(switchboard)
    question = await program.asked()
    program.line.take(Decided(question.id))
    with pytest.raises(GarbageError, match="expected one of do"):
        await asking
    assert isinstance(program.told[-1], Refused)


@virtual
async def test_a_question_that_nobody_waits_for_is_dropped() -> None:
    switchboard = Switchboard(WAIT_S)
    program = Program(switchboard)
    asking = ask(switchboard)
    question = await program.asked()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert program.told[-1] == Dropped(question.id, "nobody waits for it any more")


@virtual
async def test_who_hangs_up_is_gone_and_may_come_again() -> None:
    switchboard = Switchboard(WAIT_S)
    program = Program(switchboard)
    asking = ask(switchboard)
    await program.asked()
    switchboard.leave(program.line)
    with pytest.raises(PolicyAwayError, match="has hung up"):
        await asking
    with pytest.raises(PolicyAwayError, match="no remote policy mine is connected"):
        await ask(switchboard)
    again = Program(switchboard)
    asking = ask(switchboard)
    again.line.take(Decided((await again.asked()).id, finished=True))
    assert (await asking).finished is True


@virtual
async def test_of_two_of_one_name_the_newer_plays() -> None:
    switchboard = Switchboard(WAIT_S)
    older = Program(switchboard)
    asking = ask(switchboard)
    await older.asked()
    newer = Program(switchboard)
    with pytest.raises(PolicyAwayError, match="has connected again"):
        await asking
    assert older.sent_away
    # Its end comes later, and is no longer anybody's.
    switchboard.leave(older.line)
    assert switchboard.is_connected("mine")
    ask(switchboard)
    assert (await newer.asked()).seat == "robot_0"


@virtual
async def test_the_end_of_a_game_is_told_once_to_who_was_asked() -> None:
    switchboard = Switchboard(WAIT_S)
    program = Program(switchboard)
    switchboard.over("mine", "game", "robot_0")
    assert len(program.told) == 1
    asking = ask(switchboard)
    program.line.take(Decided((await program.asked()).id, finished=True))
    await asking
    for _ in range(2):
        switchboard.over("mine", "game", "robot_0")
    assert program.told[2:] == [Over("game", "robot_0")]
