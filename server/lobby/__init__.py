"""The lobby: who waits, who gets a home, and which homes are open. Rules are `matchmaking`'s."""

from server.lobby.lobby import Lobby
from server.lobby.outcomes import Closed, Matched, Outcome, StartError
from server.lobby.sessions import SessionBook, SessionGoneError

__all__ = [
    "Closed",
    "Lobby",
    "Matched",
    "Outcome",
    "SessionBook",
    "SessionGoneError",
    "StartError",
]
