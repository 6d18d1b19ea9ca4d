"""Open play with an operator's settings."""

from __future__ import annotations

from msgspec.structs import replace

from matchmaking.limits import Limits
from matchmaking.offers import Offers
from matchmaking.study import Study, StudyError
from matchmaking.study.conduct import Departures
from matchmaking.study.open_play import OPEN_PLAY
from server.settings import Settings
from server.settings_error import SettingsError


def open_play(settings: Settings, menu: Offers) -> Study:
    """Return the study that open play is with these settings. Raises SettingsError."""
    stands_in = settings.when_gone == "policy"
    try:
        return replace(
            OPEN_PLAY,
            menu=menu,
            limits=Limits(grace_s=settings.lobby_grace_s, wait_s=settings.lobby_wait_s),
            substitute=settings.stand_in if stands_in else "",
            departures=Departures(
                window_s=settings.reconnect_window_s,
                outcome="robot" if settings.when_gone == "policy" else settings.when_gone,
                idle_s=settings.idle_s,
                away_limit_s=settings.away_limit_s,
                is_paused=settings.pause_while_away,
            ),
        )
    except StudyError as error:
        raise SettingsError(f"open play cannot be as the settings say: {error}") from error
