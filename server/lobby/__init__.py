"""Lobby: who waits, and who is given a session. The rules are `matchmaking`'s."""

from server.lobby.lobby_rules import LobbyRules
from server.lobby.owner_task import Lobby
from server.lobby.study_draws import NoGroupsError
from server.lobby.ticket_outcomes import Closed, Matched, Outcome, StartError

__all__ = [
    "Closed",
    "Lobby",
    "LobbyRules",
    "Matched",
    "NoGroupsError",
    "Outcome",
    "StartError",
]
