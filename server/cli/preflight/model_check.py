"""Check of the model server: what it has, whether it answers as robots ask, and in time."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence

from matchmaking.study import Study
from server.cli.doctor_checks import check_model_server
from server.cli.preflight.checks import Found, Subject, fail, in_thread, ok, warn, worst
from server.cli.preflight.machine_checks import in_database, of_doctor
from server.research.studies.model_readings import (
    changes_since,
    frozen_models,
    read_models_of,
    told_error,
)
from server.research.studies.model_users import model_users, models_asked, untold_operator
from server.robots.models import Message, ModelError, ModelRequest
from server.robots.models.backoff import Backoff
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.serving.served_model import ServedModel
from server.robots.serving.server_check import constraints_held, timing
from server.settings import Settings

TOGETHER = 4
"""Answers that are asked for at once: as several groups play."""
DEADLINE_S = 60.0
"""Seconds in which each answer comes, or the server counts as too slow."""
_SERVES = "cohabit robots serve MODEL, or see COHABIT_MODEL_URL"


async def check_models(subject: Subject) -> Found:
    """Check the models that robots of the study ask, or say that none does."""
    study, settings = subject.the_study, subject.settings
    users = list(dict.fromkeys(user.policy for user in model_users(study)))
    if not users:
        return ok("needs none: no robot of it asks a model")
    if (untold := untold_operator(study, settings.model_url)) is not None:
        return fail(untold.text, "name them in `models_run_by` and in the consent text")
    server = ModelServer.of(settings)
    if server is None:
        return fail(f"{users[0]} needs a model server, and COHABIT_MODEL_URL names none", _SERVES)
    found = of_doctor(await in_thread(check_model_server, settings), note="fail")
    if found.level != "ok":
        return found
    try:
        served = await read_models_of(study, settings, facts_only=True)
    except ModelError as error:
        return fail(told_error(error), "serve it, or name another in the study's policies")
    return worst([*await _probes(server, settings, study), *await _changed(subject, served)])


async def _changed(subject: Subject, served: Sequence[ServedModel]) -> list[Found]:
    """Return what of the models is not as it was when the study was opened."""
    if not subject.is_open:
        return []
    frozen = await in_database(
        subject.settings, lambda db: frozen_models(db, subject.the_study.key)
    )
    if not frozen:
        return []
    others = [c.text for c in changes_since(frozen, served).values() if c.facts]
    if others:
        return [
            fail(
                f"not what it was at the opening: {'; '.join(others)}",
                "serve what was frozen, or open a new version of the study",
            )
        ]
    return [ok("its server says of it what it said at the opening")]


async def _probes(server: ModelServer, settings: Settings, study: Study) -> list[Found]:
    """Ask each model as robots do: a word, forms that it has to keep to, and several at once."""
    patient = dataclasses.replace(server, deadline_s=DEADLINE_S, concurrency=TOGETHER)
    found: list[Found] = []
    async with ModelClient(patient, backoff=Backoff(most_retries=0)) as client:
        first = server.model or (await client.models())[0]
        names = list(dict.fromkeys(name or first for name in models_asked(study)))
        found += [await _one_word(client, name, settings) for name in names]
    if any(each.level == "fail" for each in found):
        return found
    for name in names:
        # Each by its name: an adapter may answer otherwise than the model that it belongs to.
        async with ModelClient(dataclasses.replace(patient, model=name)) as client:
            found += await _forms_and_times(client, name, settings)
    return found


async def _one_word(client: ModelClient, name: str, settings: Settings) -> Found:
    request = ModelRequest(
        purpose="check",
        prompt=(Message("user", "Are you there? Answer with one word."),),
        max_tokens=4,
        model=name,
        may_retry=False,
    )
    begun = time.monotonic()
    try:
        text = (await client.complete(request)).text
    except ModelError as error:
        return fail(f"{name} does not answer ({told_error(error)})", _SERVES)
    took_s = time.monotonic() - begun
    if not text.strip():
        return fail(f"{name} answers with nothing", "look at its chat template, and its log")
    if took_s > settings.model_slow_s:
        return fail(
            f"{name} takes {took_s:.1f} s for a word; beyond {settings.model_slow_s:g} s "
            "(COHABIT_MODEL_SLOW_S) no robot that asks it is offered",
            "a faster machine, fewer others on it, or a smaller model",
        )
    return ok(f"{name} answers a word in {took_s:.1f} s")


async def _forms_and_times(client: ModelClient, name: str, settings: Settings) -> list[Found]:
    broken = [held for held in await constraints_held(client, tries=1) if not held.did]
    if broken:
        kinds = ", ".join(f"{held.kind} ({held.answer[:60]!r})" for held in broken)
        return [
            fail(
                f"{name} keeps to no {kinds}: its robots could not be understood",
                "serve it with structured outputs (cohabit robots check tells more)",
            )
        ]
    try:
        slowest_s = (await timing(client, TOGETHER)).slowest_s
    except ModelError as error:
        return [fail(f"{name} fails {TOGETHER} at once ({told_error(error)})", _SERVES)]
    told = f"{TOGETHER} answers at once in {slowest_s:.1f} s, forms kept"
    if slowest_s > settings.model_deadline_s:
        return [
            fail(
                f"{name}: {told}, and a decision may take {settings.model_deadline_s:g} s "
                "(COHABIT_MODEL_DEADLINE_S)",
                "a faster machine, fewer others on it, or a smaller model",
            )
        ]
    if slowest_s > settings.model_deadline_s / 2:
        return [warn(f"{name}: {told}, half of what it may take", "have more room for it")]
    return [ok(f"{name}: {told}")]
