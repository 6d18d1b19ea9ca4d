"""The lobby: who waits, who gets a home, and which homes are open. Rules are `matchmaking`'s."""

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
