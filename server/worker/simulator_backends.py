"""The backends that a worker brings to its sessions: simulators, and policies for their seats.

What makes them is imported only when it is needed: a worker under another interpreter lacks some.
"""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from pathlib import Path

from server.sessions.player import Player
from server.simulators.contract import Simulator
from server.worker.policy_seats import Company, PolicyBuilder
from server.worker.session_loader import MakeSimulator


def household(data_dir: Path) -> MakeSimulator:
    """Return a maker of household simulators that share their houses."""
    from server.simulators.household import HouseholdSimulator, HouseLibrary

    library = HouseLibrary(data_dir)
    return lambda: HouseholdSimulator(library)


def policies(leaving: AsyncExitStack, remote_policies: Path | None = None) -> PolicyBuilder:
    """Return the builders of all policies, by the name that settings and specs use.

    The model server is the one that the launcher has put into the environment; ``leaving`` closes
    what is open to it. ``remote_policies`` is the socket at which policies elsewhere are asked.
    """
    from server.robots.models.client import ModelClient
    from server.robots.models.model_server import from_environment
    from server.robots.playing.thinkers import ConcurrentThinker
    from server.robots.policy_spec import PlayerOptions
    from server.robots.registry.registry import PlayersByName, make_player

    server = from_environment(os.environ)
    clients: list[ModelClient] = []

    def make(name: str, seat: str, company: Company) -> Player:
        # One client for all seats of this process, made inside its event loop.
        if server is not None and not clients:
            clients.append(ModelClient(server))
            leaving.push_async_callback(clients[0].close)
        model = clients[0] if clients else None
        options = PlayerOptions(
            ConcurrentThinker(), model, company=company, remote_policies=remote_policies
        )
        return make_player(name, seat, options)

    return PlayersByName(make)


def habitat(exported_dir: Path) -> MakeSimulator:
    """Return a maker of Habitat simulators over an exported data set.

    It needs an interpreter with habitat-sim.
    """

    def make() -> Simulator:
        from server.simulators.habitat.simulator import habitat as make_habitat

        return make_habitat(exported_dir)

    return make
