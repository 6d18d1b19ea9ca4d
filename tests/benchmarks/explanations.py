"""A benchmark of explanations: whether they suffice to mend a failure.

    python tests/benchmarks/explanations.py [RUNS] [SEED]

Failures are injected into solutions of generated tasks (`failures.py`); a rule-based fixer
(`fixer.py`) that has never seen the task tries again from the start, once with our structured
explanation without its advice, once with PARTNR's text. It remembers what it did, sees the scene,
and looks before it finishes whether things are as it left them. The partner does again what it did
the first time, except with things that it is asked not to touch. Prints both success rates.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).parents[2]))

from episodes.dataset import Task
from episodes.evaluation import (
    Account,
    Verdict,
    WorldWhere,
    explain,
    player_names,
    surroundings_of,
    without_mending,
)
from episodes.houses import first_house
from episodes.tasks import TaskError, generate_tasks
from server.robots.baselines.expert import UnsolvableError, solve
from server.robots.baselines.scripted_player import Done, PutAnywhere, ScriptedPlayer, Step, Take
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Finish, Intent
from server.sessions.player import Player
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run
from tests.benchmarks.failures import INJECTIONS, Attempt, units_of, with_decoys
from tests.benchmarks.fixer import Deed, Fixer, Goal, Plan, steps_for, undone_goals
from tests.benchmarks.text_reader import TextReader

HUMAN, PARTNER = "human_0", "robot_0"
MAX_TICKS = 20_000
ROUNDS = 4
"""So often a fixer looks whether all is as it should be, and does what is not."""


class Bench:
    def __init__(self) -> None:
        self.scene, self.catalogue = first_house()
        self.library = HouseLibrary.of(self.catalogue, [self.scene])

    def core(self, task: Task) -> SessionCore:
        return SessionCore(
            SessionSpec.pair("ses_1", 1),
            EpisodeSpec("epi_1", "first", task.task_id),
            task,
            HouseholdSimulator(self.library),
        )

    def where(self, core: SessionCore) -> WorldWhere:
        about = surroundings_of(self.scene, self.catalogue, core.names.labels)
        return WorldWhere(core.world, about)

    def account(self, core: SessionCore, verdict: Verdict) -> Account:
        about = surroundings_of(self.scene, self.catalogue, core.names.labels)
        where = WorldWhere(core.world, about)
        return explain(verdict, core.scorer.task, where, player_names(about, where))


class SecondTry(Player):
    """A player of a plan, who looks whether it worked, does again what did not, then finishes."""

    def __init__(self, seat: str, plan: Plan, partner: str) -> None:
        self.seat = seat
        self.partner = partner
        self.plan = plan
        self.rounds = 0
        self.script = ScriptedPlayer(seat, steps_for(plan.goals))
        self.done = False
        self.failures: list[str] = []

    def intents(self, core: SessionCore) -> Sequence[Intent]:
        if self.done:
            return []
        if not self.script.finished:
            return self.script.intents(core)
        if self.script.failure is not None:
            self.failures.append(str(self.script.failure))
            self.script.failure = None
        # The partner may still undo something: wait for it, as one would.
        if not core.seats[self.partner].finished:
            return []
        left = undone_goals(core, self.plan.goals)
        if left and self.rounds < ROUNDS:
            self.rounds += 1
            self.script = ScriptedPlayer(self.seat, self._again(core, left), seed=self.rounds)
            return self.script.intents(core)
        self.done = True
        return [Finish()]

    def _again(self, core: SessionCore, left: list[Goal]) -> list[Step]:
        """Return what is not so, in the order of the plan, and what has to come after it again."""
        steps = steps_for([g for g in self.plan.goals if g in left])
        held = core.world.held.get(self.seat)
        if held is None or (isinstance(steps[0], Take) and steps[0].target == held):
            return steps
        return [PutAnywhere(), *steps]

    def see(self, tick: Tick) -> None:
        self.script.see(tick)


class First(NamedTuple):
    """The first try: how it ended, what was done, and the world at its end."""

    core: SessionCore
    verdict: Verdict
    deeds: list[Deed]


def first_try(bench: Bench, task: Task, attempt: Attempt) -> First | None:
    """None where the injected steps themselves could not be played."""
    core = bench.core(task)
    deeds: list[Deed] = []

    def watch(tick: Tick) -> None:
        deeds.extend(
            Deed(e.seat, e.verb, e.target, e.where) for e in tick.events if isinstance(e, Did)
        )

    human = ScriptedPlayer(HUMAN, attempt.steps())
    partner = ScriptedPlayer(PARTNER, attempt.harm or [Done()])
    run(core, [human, partner], MAX_TICKS, watch=watch)
    if human.failure or partner.failure or core.phase != "ended":
        return None
    return First(core, core.verdict(), deeds)


def second_try(bench: Bench, task: Task, attempt: Attempt, plan: Plan) -> SecondTry | None:
    """None for a success, else the player, which knows what failed."""
    core = bench.core(task)
    human = SecondTry(HUMAN, plan, PARTNER)
    touched = {s.target for s in attempt.harm if isinstance(s, Take)}
    harm = attempt.harm if not touched & plan.hands_off else [Done()]
    players: list[Player] = [human, ScriptedPlayer(PARTNER, harm or [Done()])]
    run(core, players, MAX_TICKS)
    human.failures.append(core.verdict().explanation)
    return None if core.verdict().success else human


class Trial(NamedTuple):
    kind: str
    episode: Task
    attempt: Attempt


def trials(bench: Bench, runs: int, seed: int) -> list[Trial]:
    """Failing attempts, drawn evenly over kinds of failure and tasks."""
    rng = random.Random(seed)
    solved: dict[tuple[int, int], tuple[Task, list[Step]]] = {}
    found: list[Trial] = []
    kinds = [*INJECTIONS, "two at once"]
    misses: Counter[str] = Counter()
    while len(found) < runs and sum(misses.values()) < 40 * runs:
        kind = kinds[len(found) % len(kinds)]
        key = (rng.randrange(8), rng.randrange(6))
        if key not in solved:
            task = _solved(bench, *key, rng)
            if task is None:
                misses["unsolved"] += 1
                continue
            solved[key] = task
        episode, steps = solved[key]
        attempt = Attempt(deepcopy(units_of(steps)))
        core = bench.core(episode)
        names = rng.sample([*INJECTIONS][:6], 2) if kind == "two at once" else [kind]
        if not all(INJECTIONS[name](attempt, core, rng) for name in names):
            misses[kind] += 1
            continue
        first = first_try(bench, episode, attempt)
        if first is None or first.verdict.success or first.verdict.status != "ok":
            misses[kind] += 1
            continue
        found.append(Trial(kind, episode, attempt))
    return found


def _solved(
    bench: Bench, seed: int, number: int, rng: random.Random
) -> tuple[Task, list[Step]] | None:
    """Return a task with look-alikes and the steps that solve it: so it can be fixed."""
    try:
        tasks = _tasks(bench, seed)
    except TaskError:
        return None
    episode = with_decoys(bench.core(tasks[number]), rng)
    try:
        steps = solve(bench.core(episode))
    except UnsolvableError:
        return None
    first = first_try(bench, episode, Attempt(units_of(steps)))
    return (episode, steps) if first is not None and first.verdict.success else None


_TASKS: dict[int, list[Task]] = {}


def _tasks(bench: Bench, seed: int) -> list[Task]:
    if seed not in _TASKS:
        _TASKS[seed] = generate_tasks(bench.scene, bench.catalogue, seed)
    return _TASKS[seed]


class Outcome(NamedTuple):
    ours: bool
    theirs: bool
    """Tell whether the second try succeeded, with our explanation and with PARTNR's text."""


def compare(bench: Bench, trial: Trial, seed: int, *, verbose: bool = False) -> Outcome:
    first = first_try(bench, trial.episode, trial.attempt)
    assert first is not None
    account = without_mending(bench.account(first.core, first.verdict))
    fixer = Fixer(bench.core(trial.episode), HUMAN, first.deeds, seed)
    plan = fixer.read(account, PARTNER)
    failed = second_try(bench, trial.episode, trial.attempt, plan)
    if failed is not None and verbose:
        print(f"--- {trial.kind}, task {trial.episode.task_id}")
        print("tried   ", trial.attempt)
        print("told    ", bench.account(first.core, first.verdict).text)
        print("planned ", plan)
        print("failed  ", failed.failures)
    start = bench.core(trial.episode)
    text = TextReader(start, bench.where(first.core)).read(first.verdict.explanation)
    other = Fixer(start, HUMAN, first.deeds, seed).read(text, PARTNER, exact=False)
    theirs = second_try(bench, trial.episode, trial.attempt, other)
    return Outcome(failed is None, theirs is None)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    bench = Bench()
    begun = time.perf_counter()
    found = trials(bench, runs, seed)
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for number, trial in enumerate(found):
        outcome = compare(bench, trial, number, verbose="-v" in sys.argv)
        by_kind[trial.kind].append(outcome)
    print(f"{'failure':18}{'runs':>6}{'ours':>9}{'PARTNR':>9}")
    every = [o for outcomes in by_kind.values() for o in outcomes]
    for kind, outcomes in [*sorted(by_kind.items()), ("all", every)]:
        ours = sum(o.ours for o in outcomes) / len(outcomes)
        theirs = sum(o.theirs for o in outcomes) / len(outcomes)
        print(f"{kind:18}{len(outcomes):6}{ours:9.1%}{theirs:9.1%}")
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
