"""Policies that can be played with now.

They are those that the settings name, or all that are for open play; of these, those that need no
model, and while a model server answers soon enough, the others.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib

import structlog

from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.models.request import Message, ModelError, ModelRequest, RefusedError
from server.robots.policy_spec import RobotError
from server.robots.registry.policy_names import AnySpec
from server.robots.registry.registry import POLICIES, plays_both, spec_of
from server.settings import Settings, SettingsError

log = structlog.get_logger(__name__)

WATCH_S = 10.0
"""Seconds between two looks at the model server."""
_ONE_WORD = ModelRequest(
    purpose="watch",
    prompt=(Message("user", "Are you there? Answer with one word."),),
    max_tokens=1,
    may_retry=False,
)
"""A request for one word: a server may list its models and yet answer nothing, or too late, so it
is really asked."""


class RobotPartners:
    """Policies that the lobby offers; run `watch` in a task.

    Raises SettingsError for a policy that there is not.
    """

    def __init__(self, settings: Settings) -> None:
        self._default = _named("COHABIT_ROBOT", settings.robot)
        if settings.when_gone == "policy":
            _named("COHABIT_STAND_IN", settings.stand_in)
        named = dict.fromkeys(settings.robots.split())
        chosen = [_named("COHABIT_ROBOTS", name) for name in named]
        self.entries = chosen or _usual(self._default)
        server = ModelServer.of(settings)
        self._server = server and dataclasses.replace(server, deadline_s=settings.model_slow_s)
        self._model_answers: bool | None = None
        """Whether the model server answers; None: it has not been asked yet."""

    def offered(self) -> list[AnySpec]:
        """Return the policies to offer, in the order in which they are shown."""
        return [entry for entry in self.entries if self._works(entry)]

    def default(self) -> str:
        """Return the policy for somebody who asked for a robot and chose none.

        Empty: none works.
        """
        return self.automatic() or next((e.name for e in self.offered()), "")

    def automatic(self) -> str:
        """Return the policy for somebody who did not ask for one.

        It is that of the settings, and no other. Empty: it does not work.
        """
        return self._default.name if self._works(self._default) else ""

    def of_page(self, public: str) -> str:
        """Return the whole name of a policy that a page calls by its `public_name`.

        Empty: there is none.
        """
        names = {self._default.name, *(entry.name for entry in self.entries)}
        return next((name for name in names if public_name(name) == public), "")

    def is_offered(self, name: str) -> bool:
        """Tell whether a policy may be asked for.

        The default may be, too, wherever it is not shown.
        """
        shown = {entry.name for entry in self.offered()}
        return name in shown or (bool(name) and name == self.default())

    def _works(self, entry: AnySpec) -> bool:
        return bool(self._model_answers) or not entry.needs_model

    async def watch(self) -> None:
        """Ask the model server now and then; runs until cancelled."""
        while self._server is not None:
            try:
                await self.look()
            except Exception:
                # One look that goes wrong must not be the last.
                log.exception("model_server.look_failed")
            await asyncio.sleep(WATCH_S)

    async def look(self) -> None:
        """Ask the model server whether it would answer policies soon enough, as they would ask."""
        if self._server is None:
            return
        reason = ""
        try:
            async with ModelClient(self._server) as client:
                await _ask(client)
        except ModelError as error:
            reason = str(error)
        answers = not reason
        if answers == self._model_answers:
            return
        self._model_answers = answers
        if answers:
            log.info("model_server.answers")
        else:
            log.warning("model_server.silent", reason=reason)


def public_name(name: str) -> str:
    """Return what pages call a policy.

    Whole names may have paths and options in them, which are the operator's.
    """
    if name in POLICIES:
        return name
    return f"robot-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


async def _ask(client: ModelClient) -> None:
    """Ask for one word. Raises ModelError where no answer comes."""
    try:
        await client.complete(_ONE_WORD)
    except RefusedError:
        # A model without a chat template only continues texts.
        await client.complete(dataclasses.replace(_ONE_WORD, prompt="Are you there?"))


def _usual(default: AnySpec) -> list[AnySpec]:
    """Return the policies for open play, with the default as it is set up among them.

    It is what is chosen before anybody chooses.
    """
    policy = default.name.partition(":")[0]
    usual = sorted((spec for spec in POLICIES.values() if spec.offered), key=lambda spec: spec.name)
    if all(entry.name != policy for entry in usual):
        return [default, *usual]
    return [default if entry.name == policy else entry for entry in usual]


def _named(setting: str, name: str) -> AnySpec:
    """Return the entry of a whole name, under that name.

    Raises SettingsError for a name that ``setting`` must not have.
    """
    try:
        entry = spec_of(name)
        is_both = plays_both(name)
    except RobotError as error:
        raise SettingsError(f"{setting}: {error}") from error
    if is_both:
        raise SettingsError(
            f"{setting}: {name} is one mind for both seats, and in the lobby a person has one; it "
            "plays in trials (`cohabit trial`)"
        )
    if entry.name == name:
        return entry
    # Options are for the operator: they may have paths in them.
    configuration = name.partition(":")[2].partition(",")[0]
    told = f" ({configuration})" if configuration and "=" not in configuration else ""
    return dataclasses.replace(entry, name=name, title=f"{entry.title}{told}")
