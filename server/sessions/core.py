"""The session core: intents in, changes and events out. No I/O, no clock, no asyncio.

Ticks run at 30 per second of session time from the first reset and never start again: a second
episode continues the count. Ticks of a verdict count from the start of its episode.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import UNSET

from episodes.dataset import Task, check_in_scene
from episodes.evaluation import (
    PropositionChange,
    SafeEvaluator,
    Surroundings,
    Verdict,
    explained_in,
    surroundings_of,
    unavailable,
)
from episodes.names import Names, name_things
from episodes.rules import profile_named
from episodes.world import Change, WorldState
from server.sessions import phase_rules
from server.sessions.aim import Aim
from server.sessions.effects import Effects
from server.sessions.evaluation import (
    EpisodeScorer,
    changed_in,
    classes_of,
    questions_for,
    task_of,
)
from server.sessions.events import (
    AimChanged,
    Begun,
    ClockStarted,
    DoingChanged,
    EndReason,
    Event,
    LimitChanged,
    OccupantChanged,
    Phase,
    PhaseChanged,
    PlacementPreview,
    Presence,
    PresenceChanged,
)
from server.sessions.facts import FactChanged, LiveFacts
from server.sessions.initial_world import populate, surfaces_of
from server.sessions.intake import Aims, Arrived, Intake
from server.sessions.intents import Drive, Intent, Look, Place, check_numbers
from server.sessions.placement_help import inside as find_inside
from server.sessions.placement_help import settle
from server.sessions.results import EpisodeResult, episode_result
from server.sessions.rule_view import SessionRuleView
from server.sessions.selections import Selections
from server.sessions.spec import TICK_RATE, EpisodeSpec, SessionSpec
from server.sessions.starts import start_apart
from server.sessions.state import ChatEntry, EpisodeState, Heard, Seated
from server.sessions.steps import move_bodies
from server.sessions.surfaces import Surfaces
from server.sessions.task_clock import is_a_start, rule_now
from server.simulators.contract import Simulator


class Tick(NamedTuple):
    """Outcome of one step, in order.

    ``by`` says which seat changed a thing by an action. ``propositions`` have ticks counted from
    the start of the episode.
    """

    tick: int
    changes: tuple[Change, ...]
    events: tuple[Event, ...]
    intents: tuple[Heard, ...]
    facts: tuple[FactChanged, ...]
    propositions: tuple[PropositionChange, ...]
    by: Mapping[str, str]


class SessionCore:
    """A session: its seats, and the episode that is played now."""

    def __init__(
        self, spec: SessionSpec, episode_spec: EpisodeSpec, task: Task, simulator: Simulator
    ) -> None:
        """Load the session's first episode.

        Raises SimulatorError when the task cannot be loaded, DatasetError when it names what is not
        in its scene, ValueError for an unknown rule profile.
        """
        self.spec = spec
        self.rules = profile_named(spec.profile)
        """Rule profile of the session, whatever people do without in an episode."""
        self.simulator = simulator
        self._inbox: list[Arrived] = []
        self._aims: Aims = {}
        self._ending: EndReason | None = None
        self._load(episode_spec, task, EpisodeState(spec))

    @classmethod
    def restore(
        cls,
        spec: SessionSpec,
        episode_spec: EpisodeSpec,
        task: Task,
        simulator: Simulator,
        state: EpisodeState,
        scorer: EpisodeScorer,
    ) -> SessionCore:
        """Go on from a state and a scorer that were folded from a log.

        Raises as the constructor does.
        """
        core = cls(spec, episode_spec, task, simulator)
        world = state.world
        for (furniture, part), value in world.joints.items():
            simulator.set_joint(furniture, part, value)
        for seat, pose in world.agents.items():
            simulator.set_agent(seat, pose)
        for handle in world.objects:
            simulator.set_pose(handle, world.pose(handle))
        facts = LiveFacts(scorer.questions, simulator, world)
        facts.learn(scorer.facts.everything())
        core._enter(state, EpisodeScorer(scorer.task, scorer.evaluator, facts), facts)
        return core

    def _load(self, episode_spec: EpisodeSpec, task: Task, state: EpisodeState) -> None:
        self.episode_spec = episode_spec
        self.task = task
        seed = self.spec.seed if episode_spec.seed is UNSET else episode_spec.seed
        self.profile = self.rules.without(self.spec.left_out_of(episode_spec))
        self.simulator.reset(task, state.bodies, seed)
        start_apart(self.simulator, task, state.bodies, seed)
        scene, catalogue = self.simulator.scene, self.simulator.catalogue
        check_in_scene(task, scene, catalogue, episode_spec.dataset)
        self.surfaces: Surfaces = surfaces_of(scene, catalogue)
        populate(state.world, task, self.simulator, self.surfaces)
        self.names: Names = name_things(scene, catalogue, state.world.objects, self.spec.labels)
        state.limit = state.full_limit = phase_rules.limit_ticks(episode_spec.time_limit_s)
        evaluated = task_of(task, classes_of(task, catalogue))
        evaluator = SafeEvaluator(evaluated, semantics=self.spec.semantics)
        facts = LiveFacts(questions_for(evaluator), self.simulator, state.world)
        # Known from the first tick on, so that a log's first keyframe has them.
        facts.ask_all()
        self._enter(state, EpisodeScorer(evaluated, evaluator, facts), facts)

    def _enter(self, state: EpisodeState, scorer: EpisodeScorer, facts: LiveFacts) -> None:
        """Connect everything that looks at a state with it."""
        self.state = state
        self.scorer = scorer
        self._facts = facts
        self._next_look: float = 0
        self.view = SessionRuleView(state.world, self.simulator, self.surfaces, self.names)
        self.effects = Effects(state, self.simulator, self.view, self.profile)
        self._selections = Selections(state, self.view, self.profile)
        words = self.spec.hidden_words
        self._intake = Intake(state, self.view, self.effects, self._selections, self.profile, words)

    # What can be asked

    @property
    def world(self) -> WorldState:
        return self.state.world

    @property
    def tick(self) -> int:
        """The last tick that was stepped; 0 before the first."""
        return self.state.tick

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def started_tick(self) -> int | None:
        """The tick at which the episode began to run; None before."""
        return self.state.started_tick

    @property
    def clock_waits(self) -> bool:
        """Whether the episode runs, but its task's clock does not yet: programs wait too."""
        return self.state.phase == "running" and self.state.clock_waits

    @property
    def time_limit_ticks(self) -> int | None:
        """The ticks after its start at which the episode ends, as it looks now; None: no limit."""
        return self.state.limit

    @property
    def seats(self) -> Mapping[str, Seated]:
        """Presence, finish and selection of every seat."""
        return self.state.seats

    @property
    def chat(self) -> list[ChatEntry]:
        """All that was said in the session, its earlier episodes included."""
        return self.state.chat

    @property
    def task_text(self) -> str:
        return self.task.instruction

    def shut_in(self, handle: str) -> str | None:
        """Return the furniture in a closed part of which an object lies, unseen by all."""
        return self.view.shut_in(handle)

    def verdict(self) -> Verdict:
        """Return the verdict so far; the final one once the episode has ended."""
        return self.scorer.verdict()

    def result(self) -> EpisodeResult:
        """Return what the episode came to. Raises ValueError before it has ended."""
        if self.state.ended_tick is None:
            raise ValueError(f"expected an ended episode, phase is {self.state.phase}")
        verdict = explained_in(self.verdict(), self.scorer.task, self.world, self.surroundings())
        return self._result(verdict, self.state)

    def failed_result(self) -> EpisodeResult:
        """Return what the episode came to when the session broke. Never raises."""
        try:
            return self._result(self.verdict(), self.state)
        except Exception as error:
            why = f"the session broke: {error!r}"
            return self._result(unavailable(why, self.spec.semantics), None)

    def _result(self, verdict: Verdict, state: EpisodeState | None) -> EpisodeResult:
        return episode_result(
            self.spec, self.episode_spec, verdict, state, task_text=self.task_text
        )

    def surroundings(self) -> Surroundings:
        """Return what explanations need of the scene."""
        simulator = self.simulator
        return surroundings_of(simulator.scene, simulator.catalogue, self.names.labels)

    def preview(
        self, seat: str, place: Place, *, inside: bool = False, part: int | None = None
    ) -> PlacementPreview:
        """Tell whether what the seat holds would fit where it aims, and where it would stand.

        Where the rules help players, a place right beside the aim is found for it; ``inside``, the
        nearest one within the furniture that is aimed at, behind its ``part`` if one is named.
        """
        target, point, yaw = place.target, place.point, place.yaw
        if inside and target is not None:
            landing = find_inside(self.profile, self.view, seat, target, part, point, yaw)
        else:
            landing = settle(self.profile, self.view, seat, point, yaw)
        pose, reason = landing.placement.pose, landing.reason
        return PlacementPreview(pose, not reason, reason, landing.placement.support or "")

    # What can be told

    def submit(self, seat: str, intent: Intent) -> None:
        """Queue an intent for the next step.

        Of several drives (or looks) of one tick only the last counts. Raises KeyError for a seat
        that is not there, and ValueError for a number that is not finite or beyond any house.
        """
        if seat not in self.state.seats:
            raise KeyError(seat)
        check_numbers(intent)
        if isinstance(intent, Drive):
            self._aims[seat, "drive"] = intent
        elif isinstance(intent, Look):
            self._aims[seat, "look"] = intent
        else:
            self._inbox.append((seat, intent))

    def set_presence(
        self, seat: str, presence: Presence, seconds_left: float | None = None
    ) -> None:
        """Note for the next step how a seat's occupant is connected.

        While gathering, ``connected`` means ``loading``: being ready is the occupant's to say.
        """
        if seat not in self.state.seats:
            raise KeyError(seat)
        self._inbox.append(PresenceChanged(seat, presence, seconds_left))

    def set_occupant(self, seat: str, policy: str, stands_in: bool = False) -> None:
        """Let a policy drive a seat from the next step on, or (empty) its participant again."""
        if seat not in self.state.seats:
            raise KeyError(seat)
        self._inbox.append(OccupantChanged(seat, policy, stands_in))

    def set_doing(self, seat: str, text: str) -> None:
        """Note for the next step what a policy says it is doing.

        Without effect where the rules do not let players see what the partner is up to.
        """
        if seat not in self.state.seats:
            raise KeyError(seat)
        told = self.spec.tells_doing and not self.state.seats[seat].stands_in
        if told and self.profile.allows("partner_status"):
            self._inbox.append(DoingChanged(seat, text))

    def set_aim(self, seat: str, aim: Aim | None) -> None:
        """Note for the next step what a policy is about to do.

        Without effect where players are not told what the partner is doing, or not so much of it.
        """
        if seat not in self.state.seats:
            raise KeyError(seat)
        spec = self.spec
        told = spec.tells_aims is True and spec.tells_doing and not self.state.seats[seat].stands_in
        if told and self.profile.allows("partner_status"):
            self._inbox.append(AimChanged(seat, aim))

    def end(self, reason: EndReason) -> None:
        """End the episode at the next step, whatever its phase (operator, failure, left)."""
        self._ending = reason

    def begin(self, episode_spec: EpisodeSpec, task: Task) -> None:
        """Go to another episode of the session: everybody loads and gets ready again.

        Ticks and chat continue. Raises ValueError while one is still being played.
        """
        if self.state.phase != "ended":
            raise ValueError(f"expected an ended episode, phase is {self.state.phase}")
        self._inbox.clear()
        self._aims.clear()
        self._ending = None
        again = episode_spec.is_same_task(self.episode_spec)
        self._load(episode_spec, task, self.state.next_episode(self.spec, again=again))

    def close(self) -> None:
        """Release the simulator. Idempotent."""
        self.simulator.close()

    # Stepping

    def step(self) -> Tick:
        """Make one tick: intents in order of arrival, motion, facts, evaluation, start or end."""
        state, effects, intake = self.state, self.effects, self._intake
        state.tick += 1
        before = state.phase
        effects.begin()
        intake.begin()
        if self._inbox or self._aims:
            aims, self._aims = self._aims, {}
            inbox, self._inbox = self._inbox, []
            intake.take(aims, inbox)
        if before == "running":
            move_bodies(state, effects, self.simulator, self.profile, intake.happen)
        changed = changed_in(effects.changes, effects.by, state.world)
        facts = self._facts.refresh(changed) if changed else []
        propositions = self.scorer.score(state, changed, self._decide)
        if self._selections.waiting or effects.changes:
            intake.events += self._selections.updates(effects.changes, bool(effects.by))
        return Tick(
            state.tick,
            tuple(effects.changes),
            tuple(intake.events),
            tuple(intake.heard),
            tuple(facts),
            propositions,
            effects.by,
        )

    def _decide(self, found: tuple[PropositionChange, ...]) -> None:
        """Decide by the phase rules whether the episode starts, waits, goes on or ends."""
        state, intake = self.state, self._intake
        if state.phase != "running":
            self._decide_before_or_between()
            return
        happened = intake.events or found or self.effects.by or self._ending
        if not happened and state.tick < self._next_look:
            return
        assert state.started_tick is not None
        running_for = state.tick - state.started_tick
        if state.clock_waits:
            self._look_at_clock(running_for)
        if intake.events:
            limit = phase_rules.limit_now(state, running_for, self.spec.finish_wait_s)
            if limit is not None:
                intake.happen(limit)
        ends_well = bool(found or self.effects.by) and self._ends_well(found)
        reason = self._ending or phase_rules.end_of(state, running_for, ends_well)
        if reason is not None:
            intake.happen(PhaseChanged("ended", reason))
        elif self.spec.pause_while_away and phase_rules.is_waited_for(state.seats):
            intake.happen(PhaseChanged("paused"))
        self._next_look = 0 if intake.events else phase_rules.next_look(state)

    def _look_at_clock(self, running_for: int) -> None:
        """Start the task's clock if its people have begun, or have been waited for long enough."""
        state, intake = self.state, self._intake
        wait_s = self.spec.clock_wait_s
        assert state.clock is not UNSET
        assert wait_s is not UNSET
        assert state.started_tick is not None
        people = phase_rules.people_of(state.seats)
        for seat, intent, refusal in intake.heard:
            seated = state.seats[seat]
            if refusal is None and seated in people and not seated.begun and is_a_start(intent):
                intake.happen(Begun(seat))
        begun = [seated.begun is True for seated in people]
        wait = round(wait_s * TICK_RATE)
        rule = rule_now(state.clock, begun, state.started_tick, state.tick, wait)
        if rule is None:
            return
        intake.happen(ClockStarted(rule))
        full = phase_rules.limit_ticks(self.episode_spec.time_limit_s)
        if full is not None and state.limit is not None and state.full_limit is not None:
            # Limits count from the start of the episode.
            full += running_for
            intake.happen(LimitChanged(state.limit + full - state.full_limit, full))

    def _ends_well(self, found: tuple[PropositionChange, ...]) -> bool:
        """Tell whether success ends the episode at a tick in which things changed."""
        ending = self.spec.ending
        if ending is UNSET:
            return bool(found) and self.spec.end_on_success and self.scorer.succeeded()
        # A thing that is put down may change no proposition and yet be what was waited for.
        if not ending.on_success:
            return False
        in_hands = self.scorer.watched.intersection(self.world.held.values())
        return not in_hands and self.scorer.succeeded()

    def _decide_before_or_between(self) -> None:
        state, intake = self.state, self._intake
        if state.phase == "ended":
            return
        reason = self._ending or ("left" if phase_rules.all_gone(state.seats) else None)
        if reason is not None:
            intake.happen(PhaseChanged("ended", reason))
        elif state.phase == "paused":
            intake.go_on_with_all()
        elif phase_rules.may_start(state.seats):
            intake.happen(PhaseChanged("running"))
            for seat, seated in state.seats.items():
                if seated.presence == "ready":
                    intake.happen(PresenceChanged(seat, "connected"))
