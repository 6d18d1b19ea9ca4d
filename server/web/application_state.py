"""State of the application: one object with all that requests and sockets work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, cast

from fastapi import Depends, FastAPI
from starlette.requests import HTTPConnection

from server.hosting.archivist import Archivist
from server.hosting.episode_programs import EpisodeProgram
from server.hosting.session_host import SessionHost
from server.hosting.session_manager import SessionManager
from server.lobby import Lobby
from server.lobby.robot_partners import RobotPartners
from server.lobby.team_offers import TeamOffers
from server.log_throttle import LogThrottle
from server.recruiting.open_studies import OpenStudies
from server.recruiting.recruiting_watch import RecruitingWatch
from server.replays.film import Film
from server.reports.pictures import Pictures
from server.settings import Settings
from server.store import Database
from server.web.admission import Admission
from server.web.client_build import ClientBuild
from server.web.csrf import Csrf
from server.web.hosts import Hosts
from server.web.identity import Identity
from server.web.newcomers import Newcomers
from server.web.oidc.provider_sign_ins import ProviderSignIns
from server.web.operator_access import Operators
from server.web.operator_looks import Looks
from server.web.operator_refusals import OperatorRefusals
from server.web.pages import Pages
from server.web.preflight_runs import PreflightRuns
from server.web.readiness import Readiness
from server.web.session_sockets import SessionSockets
from server.web.tokens import Tokens


@dataclass(frozen=True)
class ApplicationState:
    """Parts of the web process, wired by `server.app.make_state`."""

    settings: Settings
    version: str
    database: Database
    sessions: SessionManager
    lobby: Lobby
    robots: RobotPartners
    teams: TeamOffers
    archivist: Archivist
    pictures: EpisodeProgram[Pictures]
    films: EpisodeProgram[Film]
    tokens: Tokens
    identity: Identity
    hosts: Hosts
    operators: Operators
    provider_sign_ins: ProviderSignIns | None
    refusals: OperatorRefusals
    csrf: Csrf
    client: ClientBuild
    pages: Pages
    sockets: SessionSockets
    admission: Admission
    newcomers: Newcomers
    readiness: Readiness
    studies: OpenStudies
    recruiting: RecruitingWatch
    preflights: PreflightRuns
    now: Callable[[], datetime]
    """Time of day that no setting of the clock moves while the process runs."""
    looks: Looks = field(default_factory=Looks)
    """Looks of operators that are in their log."""
    log_throttle: LogThrottle = field(default_factory=LogThrottle)
    """Throttle of lines that anybody can cause while something is wrong."""

    @property
    def host(self) -> SessionHost:
        return self.sessions.host


def attach(app: FastAPI, state: ApplicationState) -> None:
    """Make ``state`` that of an application, for `state_of`."""
    app.state.application = state


def state_of_app(app: FastAPI) -> ApplicationState:
    return cast(ApplicationState, app.state.application)


def state_of(connection: HTTPConnection) -> ApplicationState:
    """Return the state of the application that a request or a websocket came to."""
    return state_of_app(connection.app)


AppState = Annotated[ApplicationState, Depends(state_of)]


def sockets_of(connection: HTTPConnection) -> SessionSockets:
    return state_of(connection).sockets


Sockets = Annotated[SessionSockets, Depends(sockets_of)]
"""Parts that the websockets of sessions need; a load program serves them without the rest."""
