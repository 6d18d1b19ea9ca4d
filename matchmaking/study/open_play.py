"""Open play as a study: people come by themselves, choose with whom they play, and get no pay."""

from __future__ import annotations

from matchmaking.offers import Offers
from matchmaking.study.pages import Lobby, Play
from matchmaking.study.study import Study

OPEN_PLAY = Study(
    name="open",
    title={"en": "Open play"},
    pages=(Lobby(), Play(episodes=None)),
    menu=Offers(),
    visit_limit_s=None,
    partners_again=True,
)
"""Open play as it is without settings; an operator's settings replace parts of it."""
