"""Errors of model doubles: how often they misread a task, and how often they answer badly.

All doubles draw on one source, the task as they believe it to be: a misreading is made there, so
that whichever policy asks, its double has misread the same goals of the same task.
"""

from __future__ import annotations

import os
import random
import re
from typing import Any

import msgspec

from episodes.dataset import Task
from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import TEMPORAL

NAME = re.compile(r"\b([a-z][a-z_]*)_(\d+)\b")
NOBODYS = 97
"""Number of a thing that no home has."""
FREE_TEXT = "I am sorry, I am not quite sure what is wanted here. Let me think about it again."
TIES = "proposition_indices"


class Errors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Shares of goals that are misread, and of answers that are bad."""

    wrong_goal: float = 0.0
    """Share of goals of a placement that are read as one on other furniture."""
    omitted_goal: float = 0.0
    """Share of goals that are left out; one is always left."""
    hallucinated_name: float = 0.0
    """Share of answers in which a name is of a thing that there is not."""
    free_text: float = 0.0
    """Share of answers that are in no form at all."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("wrong_goal", "omitted_goal", "hallucinated_name", "free_text"):
            share = getattr(self, name)
            if not 0.0 <= share <= 1.0:
                raise ValueError(f"expected a share from 0 to 1 as {name}, got {share}")

    @property
    def told(self) -> str:
        """The words that they are read from; empty: there are none."""
        given = {n: v for n in self.__struct_fields__ if (v := getattr(self, n))}
        return " ".join(
            f"{name}={value:g}" for name, value in given.items() if len(given) > 1 or name != "seed"
        )

    @classmethod
    def of_environment(cls) -> Errors:
        """Read them from ``DOUBLE_ERRORS``: ``wrong_goal=0.2 seed=3``; without it there are none.

        Raises ValueError for what is none of them.
        """
        return cls.of(os.environ.get("DOUBLE_ERRORS", ""))

    @classmethod
    def of(cls, text: str) -> Errors:
        """Read them from words: ``wrong_goal=0.2 seed=3``; of none there are none.

        Raises ValueError for what is none of them.
        """
        given = dict(word.split("=", 1) for word in text.split())
        return msgspec.convert(given, cls, strict=False)


def misread(task: Task, errors: Errors) -> Task:
    """Return a task as a double believes it to be, with the same instruction."""
    propositions = task.evaluation_propositions
    rolls = [random.Random(f"{errors.seed} {task.task_id} {n}") for n in range(len(propositions))]
    left_out = [roll.random() < errors.omitted_goal for roll in rolls]
    kept = [n for n, out in enumerate(left_out) if not out] or [0]
    read = [
        _elsewhere(task, propositions[n], rolls[n])
        if rolls[n].random() < errors.wrong_goal
        else propositions[n]
        for n in kept
    ]
    if len(kept) == len(propositions):
        return msgspec.structs.replace(task, evaluation_propositions=read)
    return _with(task, read, {old: new for new, old in enumerate(kept)})


def spoil(answer: str, errors: Errors, rng: random.Random) -> str:
    """Return an answer, or a bad one in its place."""
    if rng.random() < errors.free_text:
        return FREE_TEXT
    names = list(NAME.finditer(answer))
    if names and rng.random() < errors.hallucinated_name:
        found = rng.choice(names)
        return f"{answer[: found.start()]}{found[1]}_{NOBODYS}{answer[found.end() :]}"
    return answer


def _elsewhere(task: Task, proposition: Proposition, rng: random.Random) -> Proposition:
    """Return a placement with other furniture; what is none stays as it is."""
    wanted = proposition.args.get("receptacle_handles")
    known = sorted({r.partition("|")[0] for r in task.name_to_receptacle.values()})
    others = [f for f in known if wanted and f not in wanted and f != "floor"]
    if not others:
        return proposition
    args: dict[str, Any] = {**proposition.args, "receptacle_handles": [rng.choice(others)]}
    return msgspec.structs.replace(proposition, function_name="is_on_top", args=args)


def _with(task: Task, propositions: list[Proposition], new: dict[int, int]) -> Task:
    """Return a task with some of its propositions; ``new`` are their numbers by the old ones."""
    constraints = []
    for constraint in task.evaluation_constraints:
        args = dict(constraint.args)
        if constraint.type == TEMPORAL:
            edges = args["dag_edges"]
            args["dag_edges"] = [[new[a], new[b]] for a, b in edges if a in new and b in new]
            args["n_propositions"] = len(propositions)
        else:
            places = [n for n, index in enumerate(args[TIES]) if index in new]
            for key, values in constraint.args.items():
                if isinstance(values, list) and len(values) == len(constraint.args[TIES]):
                    args[key] = [values[n] for n in places]
            args[TIES] = [new[index] for index in args[TIES]]
            if not places:
                continue
        constraints.append(msgspec.structs.replace(constraint, args=args))
    dependencies = [
        msgspec.structs.replace(
            dependency,
            proposition_indices=[new[n] for n in dependency.proposition_indices if n in new],
            depends_on=[new[n] for n in dependency.depends_on if n in new],
        )
        for dependency in task.evaluation_proposition_dependencies
        if new.keys() & set(dependency.proposition_indices)
        and new.keys() & set(dependency.depends_on)
    ]
    return msgspec.structs.replace(
        task, evaluation_propositions=propositions, evaluation_constraints=constraints,
        evaluation_proposition_dependencies=dependencies,
    )  # fmt: skip
