import itertools

import pytest

from matchmaking.tickets import (
    ABSENT,
    LIVE,
    TRANSITIONS,
    Event,
    State,
    Ticket,
    TransitionError,
    Wish,
)


def ticket(state: State) -> Ticket:
    return Ticket("tic_1", "par_1", Wish.PERSON, 0.0, state)


@pytest.mark.parametrize(("state", "event"), list(itertools.product(State, Event)))
def test_every_transition_is_in_the_table_or_refused(state: State, event: Event) -> None:
    if (state, event) in TRANSITIONS:
        assert ticket(state).on(event, 7.0).state is TRANSITIONS[state, event]
    else:
        with pytest.raises(TransitionError, match=f"ticket tic_1 is {state}: {event}"):
            ticket(state).on(event)


def test_what_has_ended_never_goes_on() -> None:
    for state in State:
        if state not in LIVE | {State.MATCHED}:
            assert not [key for key in TRANSITIONS if key[0] is state]


def test_only_absent_tickets_have_a_deadline() -> None:
    dropped = ticket(State.WAITING).on(Event.VANISHED, absent_until=5.0)
    assert dropped.absent_until == 5.0
    assert dropped.on(Event.APPEARED, absent_until=9.0).absent_until is None
    assert ABSENT < LIVE
