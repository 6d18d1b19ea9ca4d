"""Lobby: who waits, and who is given a session. The rules are `matchmaking`'s."""

from server.lobby.outcomes import Closed, Matched, Outcome, StartError
from server.lobby.owner_task import Lobby, LobbyRules

__all__ = [
    "Closed",
    "Lobby",
    "LobbyRules",
    "Matched",
    "Outcome",
    "StartError",
]
