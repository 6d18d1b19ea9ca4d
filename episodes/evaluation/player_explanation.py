"""Our explanation of a verdict, made from the task and where things are at the end."""

from __future__ import annotations

import msgspec

from episodes.evaluation.account import (
    Account,
    Breach,
    Shortfall,
)
from episodes.evaluation.account_builder import Accounting
from episodes.evaluation.account_sentences import (
    Who,
    seat_words,
)
from episodes.evaluation.final_places import Name, Surroundings, WhereIs, WorldWhere, player_names
from episodes.evaluation.task import EvaluationTask
from episodes.evaluation.verdict import Verdict
from episodes.seat_names import names_of, spoken
from episodes.seats import Seat
from episodes.world import WorldState

NOT_EVALUATED = "The episode could not be evaluated."
NOTHING_ASKED = "The task asks for nothing."


def explain(
    verdict: Verdict,
    task: EvaluationTask,
    where: WhereIs,
    name: Name,
    who: Who = seat_words,
) -> Account:
    """Explain why the episode is not a success; the account is empty if it is.

    ``task`` is the one that was evaluated. Raises EvaluationError as the evaluator does for a
    task that cannot be evaluated.
    """
    if verdict.status != "ok":
        return _finish(Account(note=NOT_EVALUATED))
    if verdict.success:
        return Account()
    if not verdict.propositions:
        return _finish(Account(note=NOTHING_ASKED))
    return _finish(Accounting(verdict, task, where, name, who).account())


def explained(
    verdict: Verdict,
    task: EvaluationTask,
    where: WhereIs,
    name: Name,
    who: Who = seat_words,
) -> Verdict:
    """Return the verdict with its account, or unchanged where none can be made; never raise."""
    try:
        account = explain(verdict, task, where, name, who)
    except Exception:
        return verdict
    return msgspec.structs.replace(verdict, account=account)


def explained_in(
    verdict: Verdict, task: EvaluationTask, world: WorldState, surroundings: Surroundings
) -> Verdict:
    """Return `explained` for a world and its surroundings, with the names that players read."""
    where = WorldWhere(world, surroundings)
    return explained(verdict, task, where, player_names(surroundings, where), words_for(world))


def words_for(world: WorldState) -> Who:
    """Return the words for the seats of a world: ``Person 2`` where a kind occurs more than once.

    A pair of a human and a robot are "the human" and "the robot".
    """
    seats = [Seat.of(seat_id) for seat_id in world.bodies]
    if len({seat.kind for seat in seats}) == len(seats):
        return seat_words
    names = {seat_id: spoken(name) for seat_id, name in names_of(seats).items()}
    return lambda seat_id: names.get(seat_id or "") or seat_words(seat_id)


def account_text(account: Account) -> str:
    """Return the account as lines; empty for a success."""
    lines = [account.note] if account.note else []
    entries: tuple[Shortfall | Breach, ...] = (*account.shortfalls, *account.breaches)
    for entry in entries:
        lines.append(f"- {entry.text}")
        lines += [f"  > {advice}" for advice in entry.mend]
    return "\n".join(lines)


def _finish(account: Account) -> Account:
    return msgspec.structs.replace(account, text=account_text(account))
