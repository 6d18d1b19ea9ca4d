"""What the pages work with: one object, made by the application factory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import HTTPConnection

from server.hosting.picture_service import PictureService
from server.hosting.session_manager import SessionManager
from server.lobby import Lobby
from server.lobby.robot_partners import Robots
from server.settings import Settings
from server.store import Database
from server.web.client_build import ClientBuild
from server.web.csrf import Csrf
from server.web.identity import Identity
from server.web.pages import Pages
from server.web.tokens import Tokens


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Site:
    settings: Settings
    database: Database
    lobby: Lobby
    book: SessionManager
    tokens: Tokens
    identity: Identity
    csrf: Csrf
    client: ClientBuild
    pages: Pages
    pictures: PictureService
    robots: Robots
    version: str
    now: Callable[[], datetime] = utc_now


def site_of(connection: HTTPConnection) -> Site:
    return cast(Site, connection.app.state.site)


InSite = Annotated[Site, Depends(site_of)]
