"""Declaration by a policy, for those who offer it, name it and build players of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import msgspec

from episodes.bodies import SeatKind
from episodes.houses.splits import Split
from episodes.teams import MOST_BODIES
from server.robots.models import Completes
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import Thinker
from server.sessions.spec import Ending

DEFAULT = "default"
"""The preset of a policy's name alone: ours, for playing with people."""

Settings = TypeVar("Settings")
Built = TypeVar("Built", covariant=True)
Shared = TypeVar("Shared")


class RobotError(Exception):
    """A policy that does not exist or lacks something; the text says which part and why."""


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """Partners, tasks and houses that a configuration was tuned on."""

    beside: tuple[str, ...]
    """Whole names of the partners."""
    tasks: str
    """The tasks, in words: ``30 tasks``."""
    split: Split
    """The split that their houses are of."""


class Preset(msgspec.Struct, Generic[Settings], frozen=True, kw_only=True):
    """A named setting of a policy: the policy's own settings and how it sits in its seat."""

    settings: Settings
    seating: SeatOptions = SeatOptions()
    title: str = ""
    """The title that people who choose a partner read; empty: that of its policy."""
    description: str = ""
    asymmetric: bool = False
    """The human's graph has only what its own body sees, the robot's what both see (PARTNR)."""
    ending: Ending | None = None
    """The end of its episodes, as in its paper; None: as the session's settings say."""
    tuned: Tuning | None = None
    """Partners, tasks and houses that it was tuned on: tables say so, and which are new to it.

    None: nothing is known.
    """

    def seating_of(self, kind: SeatKind) -> SeatOptions:
        """Return the options for a seat with that kind of body."""
        if self.asymmetric and kind == "human":
            return msgspec.structs.replace(self.seating, shares_views=False)
        return self.seating


@dataclass(frozen=True)
class PlayerOptions:
    """Options that every player of an episode is built with, whatever its policy."""

    thinker: Thinker
    model: Completes | None = None
    seed: int = 0
    """Number added to the seeds of a policy's settings: repetitions of a trial differ by it."""
    company: dict[str, Any] = field(default_factory=dict)
    """State that the players of one episode share: a mind that plays several seats is kept here."""
    remote_policies: Path | None = None
    """Socket at which policies elsewhere are asked; None: there are none here."""


@dataclass(frozen=True)
class SeatSetup:
    """The seat that a player is built for, under the whole name of its policy."""

    name: str
    seat: str
    seating: SeatOptions
    options: PlayerOptions

    @property
    def model(self) -> Completes:
        """The model's client; the registry has seen to it that there is one if it is needed."""
        assert self.options.model is not None
        return self.options.model

    def shared(self, make: Callable[[], Shared]) -> Shared:
        """Return what the players of this name share in an episode; the first one makes it."""
        company = self.options.company
        if self.name not in company:
            company[self.name] = make()
        return cast(Shared, company[self.name])


def _unseeded(settings: Any, seed: int) -> Any:
    return settings


def _any_seat(settings: Any, seat: str) -> None:
    """Check nothing."""


def _no_files(settings: Any) -> tuple[str, ...]:
    return ()


def _one_seat(settings: Any) -> bool:
    return False


@dataclass(frozen=True, kw_only=True, eq=False)
class PolicySpec(Generic[Settings, Built]):
    """A policy's declaration, in the policy's own package; the registry collects them.

    ``title`` and ``description`` are for people who choose a partner. ``Built`` is what ``build``
    makes: a `Policy`, which the registry seats, or a player of its own kind.
    """

    name: str
    title: str
    description: str = ""
    build: Callable[[Settings, SeatSetup], Built]
    """Builder of it; raises RobotError where something that the settings name is missing."""
    presets: Mapping[str, Preset[Settings]] = field(default_factory=dict)
    """Named settings, `DEFAULT` among them; none: the policy has no options."""
    seeded: Callable[[Settings, int], Settings] = _unseeded
    """Function that returns the settings with a repetition's seed added to their own."""
    files: Callable[[Settings], tuple[str, ...]] = _no_files
    """Function that returns the paths of files that it reads with these settings: a trial goes on
    over the same contents only. Files that it writes itself are none of them."""
    one_mind: Callable[[Settings], bool] = _one_seat
    """Function that tells whether it is, with these settings, one mind for all bodies of a team."""
    check_seat: Callable[[Settings, str], None] = _any_seat
    """Function that raises RobotError where it cannot play a seat with these settings, as far as
    that is known before anything starts."""
    bodies: tuple[SeatKind, ...] = ("robot", "human")
    """The kinds of body that it plays."""
    most_bodies: int = MOST_BODIES
    """Bodies of the largest team that it plays in."""
    least_bodies: int = 2
    """Bodies that it needs at least where it is one mind for all."""
    beside_its_kind: bool = True
    """Whether it plays beside another body of its own kind; false where what its model reads speaks
    of a robot and a person."""
    needs_model: bool = True
    privileged: bool = False
    """Whether the policy reads the goal: no partner, but a yardstick."""
    offered: bool = True
    """Whether open play offers it when the settings name no policies."""
    is_person: bool = False
    """Whether it is a scripted person: in a human body of a trial its finish counts as a person's,
    and robots that lag are waited for as long as in live play."""
    held_out: bool = False
    """Whether no policy is to be tuned beside it: it is a person to measure with, and tables say
    so."""
