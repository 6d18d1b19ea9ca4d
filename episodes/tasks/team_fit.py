"""Fit of tasks and teams: whether these bodies can do what a task asks for."""

from __future__ import annotations

from episodes.dataset import Proposition, Task
from episodes.dataset.vocabulary import PREDICATES
from episodes.rules.profiles import RuleProfile
from episodes.teams import Team


def state_holds_at_start(task: Task, proposition: Proposition) -> bool | None:
    """Tell whether enough of a proposition's things begin in its state; None: it names no state."""
    signature = PREDICATES.get(proposition.function_name)
    if signature is None or signature.state is None:
        return None
    # As sessions begin: a state that the task does not name is false.
    table = task.object_states.get(signature.state, {})
    handles = proposition.args["object_handles"]
    held = [h for h in handles if table.get(h, False) is not signature.negated]
    return len(held) >= int(proposition.args.get("number", 1))


def task_problem(team: Team, task: Task, profile: RuleProfile) -> str:
    """Return why a team's bodies cannot do a task under a profile, for people; empty if they can.

    What a task wants clean, filled or switched on needs a body that can change states, unless
    that is so from the start.
    """
    if any(seat.kind in profile.state_changers for seat in team.occupied):
        return ""
    for proposition in task.evaluation_propositions:
        if state_holds_at_start(task, proposition) is False:
            body = " or ".join(profile.state_changers)
            return (
                f"task {task.task_id} cannot be done by {team}: {proposition.function_name} takes "
                f"a {body} body, and there is none"
            )
    return ""
