"""Policies that can be played with now.

They are those that the settings name, or all that are for open play; of these, those that need no
model, and while a model server answers soon enough, the others. Those elsewhere are offered while
they are connected and answer.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable

from server.lobby.model_watch import ModelWatch
from server.robots.policy_spec import RobotError
from server.robots.registry.policy_names import AnySpec
from server.robots.registry.registry import POLICIES, lookup, one_mind, spec_of
from server.robots.remote.spec import is_remote, remote_name
from server.settings import Settings
from server.settings_error import SettingsError


class RobotPartners:
    """Policies that the lobby offers; run its `model_watch` in a task.

    Raises SettingsError for a policy that there is not.
    """

    def __init__(
        self, settings: Settings, is_there: Callable[[str], bool] = lambda name: False
    ) -> None:
        """Read the settings. ``is_there`` tells whether a remote policy answers now."""
        self._is_there = is_there
        self._default = _named("COHABIT_ROBOT", settings.robot)
        if settings.when_gone == "policy":
            _named("COHABIT_STAND_IN", settings.stand_in)
        named = dict.fromkeys(settings.robots.split())
        chosen = [_named("COHABIT_ROBOTS", name) for name in named]
        self.entries = chosen or _usual(self._default)
        self.model_watch = ModelWatch(settings)

    def offered(self) -> list[AnySpec]:
        """Return the policies to offer, in the order in which they are shown."""
        return [entry for entry in self.entries if self.works(entry)]

    def default(self) -> str:
        """Return the policy for somebody who asked for a robot and chose none.

        Empty: none works.
        """
        return self.automatic() or next((e.name for e in self.offered()), "")

    def automatic(self) -> str:
        """Return the policy for somebody who did not ask for one.

        It is that of the settings, and no other. Empty: it does not work.
        """
        return self._default.name if self.works(self._default) else ""

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

    def works(self, entry: AnySpec) -> bool:
        """Tell whether a policy can play now.

        One that needs a model needs an answer of it, one that lives elsewhere its program.
        """
        if is_remote(entry.name):
            return self._is_there(remote_name(entry.name))
        return self.model_watch.answers or not entry.needs_model


def public_name(name: str) -> str:
    """Return what pages call a policy.

    Whole names may have paths and options in them, which are the operator's.
    """
    policy, _, preset = name.partition(":")
    if name in POLICIES or (policy in POLICIES and preset in POLICIES[policy].presets):
        return name
    return f"robot-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def _usual(default: AnySpec) -> list[AnySpec]:
    """Return the policies for open play; first the default, as it is set up.

    It is what is chosen before anybody chooses.
    """
    usual = sorted((spec for spec in POLICIES.values() if spec.offered), key=lambda spec: spec.name)
    return [default, *(entry for entry in usual if entry.name != default.name)]


def _named(setting: str, name: str) -> AnySpec:
    """Return the entry of a whole name, under that name.

    Raises SettingsError for a name that ``setting`` must not have.
    """
    try:
        entry = spec_of(name)
        is_for_all = one_mind(name)
    except RobotError as error:
        raise SettingsError(f"{setting}: {error}") from error
    if is_for_all:
        raise SettingsError(
            f"{setting}: {name} is one mind for all bodies, and in the lobby a person has one; it "
            "plays in trials (`cohabit trial`)"
        )
    if entry.name == name:
        return entry
    preset = lookup(name).setup
    if preset.title:
        return dataclasses.replace(
            entry, name=name, title=preset.title, description=preset.description
        )
    # Options are for the operator: they may have paths in them.
    configuration = name.partition(":")[2].partition(",")[0]
    told = f" ({configuration})" if configuration and "=" not in configuration else ""
    return dataclasses.replace(entry, name=name, title=f"{entry.title}{told}")
