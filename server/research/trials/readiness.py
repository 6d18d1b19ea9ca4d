"""Readiness of a trial: whether it can be played here, before hours are spent on it."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterable
from typing import Any

from episodes.houses.files import HouseError, read_scene
from server.research.trials.plan import Run, Trial, TrialError
from server.research.trials.runs import Place, tasks_of
from server.robots.models import ModelError
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions, RobotError
from server.robots.registry.models_named import models_of
from server.robots.registry.registry import make_player, spec_of
from server.robots.remote.spec import is_remote, remote_name

ANSWERS_WITHIN_S = 10.0


def check_ready(place: Place, trial: Trial, runs: Iterable[Run]) -> None:
    """Check that everything for what is left to play is there.

    Reads its houses, makes every player once, and asks the model server for its models. Raises
    TrialError: a house is not there or of another version, a policy lacks something (a model
    server, a library, a recording), or the server does not answer, or has no such model.
    """
    left = [run for run in runs if not place.recording(run).exists()]
    tasks = tasks_of(place.data_dir, trial.dataset)
    for scene_id in dict.fromkeys(tasks[run.task_id].scene_id for run in left):
        try:
            read_scene(place.data_dir, scene_id)
        except HouseError as error:
            raise TrialError(str(error)) from error
    played = {(name, seat): None for run in left for seat, name in run.team.policies.items()}
    asyncio.run(_check(place, list(played)))


def model_told(place: Place, runs: Iterable[Run]) -> str:
    """Return what the model server says of the models that policies ask; nothing if none does.

    Raises TrialError where it does not answer.
    """
    names = {name for run in runs for name in run.team.policies.values()}
    if place.server is None or not any(spec_of(name).needs_model for name in names):
        return ""
    asking = [name for name in names if spec_of(name).needs_model]
    return asyncio.run(_told(_quick(place.server), asking))


async def _told(server: ModelServer, asking: Iterable[str]) -> str:
    client = ModelClient(server)
    try:
        there, cards = await client.models(), await client.model_cards()
        wanted = {server.model or there[0], *(m for name in asking for m in models_of(name))}
        asked = (card for card in cards if any(card.startswith(f"{m} of ") for m in wanted))
        # Its parts are told apart by semicolons.
        return "; ".join(card.replace("; ", ", ") for card in asked)
    except ModelError as error:
        raise TrialError(
            f"the model server of COHABIT_MODEL_URL does not answer: {error}"
        ) from error
    finally:
        await client.close()


def remote_policies(trial: Trial) -> list[str]:
    """Return the names of the policies elsewhere that a trial asks, without ``remote:``."""
    names = dict.fromkeys(name for team in trial.all_teams() for name in team.policies.values())
    return [remote_name(name) for name in names if is_remote(name)]


async def _check(place: Place, played: list[tuple[str, str]]) -> None:
    client = None if place.server is None else ModelClient(_quick(place.server))
    try:
        company: dict[str, Any] = {}
        thinker = ChargedThinker(asyncio.get_running_loop())
        for name, seat in played:
            try:
                make_player(
                    name,
                    seat,
                    PlayerOptions(
                        thinker, client, company=company, remote_policies=place.remote_policies
                    ),
                )
            except RobotError as error:
                raise TrialError(str(error)) from error
        asking = [name for name, _ in played if spec_of(name).needs_model]
        if client is not None and asking:
            await _check_models(client, asking)
    finally:
        if client is not None:
            await client.close()


async def _check_models(client: ModelClient, asking: list[str]) -> None:
    server = client.server
    try:
        there = await client.models()
    except ModelError as error:
        raise TrialError(
            f"{asking[0]} needs the model server of COHABIT_MODEL_URL, which does not answer: "
            f"{error}"
        ) from error
    for name in asking:
        for model in {server.model or there[0], *models_of(name)}:
            if model not in there:
                raise TrialError(
                    f"{name} asks for the model {model}, which {server.url} does not have; it "
                    f"has: {', '.join(there)}"
                )


def _quick(server: ModelServer) -> ModelServer:
    return dataclasses.replace(server, deadline_s=min(server.deadline_s, ANSWERS_WITHIN_S))
