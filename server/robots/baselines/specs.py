"""The declarations of the baselines."""

from __future__ import annotations

import msgspec

from episodes.seats import Seat
from episodes.teams import MOST_BODIES
from server.robots.baselines.settings import (
    ExpertSettings,
    GhostSettings,
    PartnerManner,
    PartnrExpertSettings,
    PersonManner,
)
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.llamar.spec import LLAMAR, build_llamar
from server.robots.policy import Policy
from server.robots.policy_spec import DEFAULT, PolicySpec, Preset, RobotError, SeatSetup
from server.sessions.player import Player


def _expert(
    manner: ExpertSettings | PartnerManner | PartnrExpertSettings, setup: SeatSetup
) -> Player:
    if isinstance(manner, PartnrExpertSettings):
        from server.robots.baselines.partnr_expert.player import PartnrExpert, PartnrPlan

        plan = setup.shared(lambda: PartnrPlan(manner.seed))
        return PartnrExpert(setup.seat, plan, setup.options.seed)
    if isinstance(manner, PartnerManner):
        from server.robots.baselines.partner.player import PartnerPlayer
        from server.robots.baselines.partner.sharing import SharedWork

        return PartnerPlayer(setup.seat, setup.shared(SharedWork), manner, seed=setup.options.seed)
    from server.robots.baselines.expert import Agenda, Expert

    return Expert(setup.seat, setup.shared(lambda: Agenda(())), setup.options.seed)


def _tutor(_: None, setup: SeatSetup) -> Player:
    from server.robots.baselines.tutor import Tutor

    return Tutor(setup.seat, seed=setup.options.seed)


def _scripted(manner: PersonManner, setup: SeatSetup) -> Player:
    from server.robots.baselines.expert import Agenda
    from server.robots.baselines.scripted_people import ScriptedPerson

    return ScriptedPerson(setup.seat, manner, setup.shared(lambda: Agenda(())))


def _seeded(manner: PersonManner, seed: int) -> PersonManner:
    return msgspec.structs.replace(manner, seed=manner.seed + seed)


def _ghost(settings: GhostSettings, setup: SeatSetup) -> Player:
    return _ghost_of(settings, setup.seat)


def _ghost_of(settings: GhostSettings, seat: str) -> Player:
    from server.recording.recordings import RecordingError
    from server.robots.baselines.ghost import Ghost

    try:
        return Ghost.of(seat, settings)
    except (RecordingError, OSError) as error:
        raise RobotError(f"ghost: {error}") from error


def _check_ghost(settings: GhostSettings, seat: str) -> None:
    _ghost_of(settings, seat)


def _oracle(settings: LlamarSettings, setup: SeatSetup) -> Player:
    from server.robots.baselines.oracle import CompletedSubtasks, OraclePlayer

    oracle = CompletedSubtasks()
    llamar = build_llamar(settings, setup, oracle)
    return OraclePlayer(setup.seat, llamar, oracle, setup.options.thinker, setup.seating)


def _random(_: None, setup: SeatSetup) -> Policy:
    from server.robots.baselines.random_moves import RandomMoves

    # Each further body draws for itself: those of a kind are five at most.
    seat = Seat.of(setup.seat)
    number = seat.ordinal + (MOST_BODIES if seat.kind == "human" else 0)
    return RandomMoves(setup.options.seed + 1_000_003 * number)


EXPERT = PolicySpec(
    name="expert",
    title="Scripted expert",
    description="No language model: a script that knows the goal. It does its part and does not "
    "talk.",
    build=_expert,
    presets={
        DEFAULT: Preset(settings=ExpertSettings()),
        "partner": Preset(
            settings=PartnerManner(),
            title="Scripted partner",
            description="No language model: a script that knows the goal. It shares the work, says "
            "what it does and why, and answers from a list of sentences: ask it where things are, "
            "to bring something, to stop or to help.",
        ),
        "partnr": Preset(
            settings=PartnrExpertSettings(),
            title="PARTNR's expert",
            description="No language model: PARTNR's heuristic expert as published, one plan for "
            "all bodies. It draws at once which thing goes where, and mends nothing.",
        ),
    },
    one_mind=lambda settings: isinstance(settings, PartnrExpertSettings),
    least_bodies=1,
    needs_model=False,
    privileged=True,
)
TUTOR = PolicySpec(
    name="tutor",
    title="Tutorial's helper",
    description="A script that waits, answers, and in a human body washes, fills and switches "
    "what it is asked for.",
    build=_tutor,
    needs_model=False,
    privileged=True,
    offered=False,
)
SCRIPTED = PolicySpec(
    name="scripted",
    title="Scripted person",
    build=_scripted,
    presets={
        DEFAULT: Preset(settings=PersonManner()),
        "slow": Preset(settings=PersonManner(pause_s=8.0, patience_s=20.0)),
        "erring": Preset(settings=PersonManner(errs=0.5, patience_s=20.0)),
        "passive": Preset(settings=PersonManner(does="what only people can", patience_s=120.0)),
        "contrary": Preset(settings=PersonManner(undoes=2, patience_s=60.0)),
    },
    seeded=_seeded,
    needs_model=False,
    privileged=True,
    is_person=True,
    offered=False,
)
GHOST = PolicySpec(
    name="ghost",
    title="Ghost",
    build=_ghost,
    check_seat=_check_ghost,
    files=lambda settings: (settings.recording,),
    presets={DEFAULT: Preset(settings=GhostSettings())},
    needs_model=False,
    privileged=True,
    offered=False,
)
LLAMAR_ORACLE = PolicySpec(
    name="llamar-oracle",
    title="LLaMAR with an oracle",
    description="Is told by the evaluator what is done, in place of a part that checks.",
    build=_oracle,
    presets={name: LLAMAR.presets[name] for name in (DEFAULT, "paper", "paper-centralised")},
    seeded=LLAMAR.seeded,
    one_mind=LLAMAR.one_mind,
    least_bodies=LLAMAR.least_bodies,
    privileged=True,
    offered=False,
)
RANDOM = PolicySpec(
    name="random",
    title="Random",
    description="Carries things about.",
    build=_random,
    needs_model=False,
    offered=False,
)
