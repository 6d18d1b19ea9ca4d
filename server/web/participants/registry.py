"""Registry of views: the one place that names them."""

from __future__ import annotations

from matchmaking.visits import Place
from server.web.participants.view import View
from server.web.participants.views.consent import ConsentView
from server.web.participants.views.device import DeviceView
from server.web.participants.views.eligibility import EligibilityView
from server.web.participants.views.lobby import LobbyView
from server.web.participants.views.play import PlayView
from server.web.participants.views.questions import SurveyView
from server.web.participants.views.quiz import QuizView
from server.web.participants.views.reading import ReadingView
from server.web.participants.views.tutorial import TutorialView

VIEWS: dict[Place, View] = {
    Place.DEVICE: DeviceView(),
    Place.CONSENT: ConsentView(),
    Place.ELIGIBILITY: EligibilityView(),
    Place.INSTRUCTIONS: ReadingView(),
    Place.TUTORIAL: TutorialView(),
    Place.QUIZ: QuizView(),
    Place.LOBBY: LobbyView(),
    Place.PLAY: PlayView(),
    Place.EPISODE_SURVEY: SurveyView(),
    Place.SURVEY: SurveyView(),
    Place.DEBRIEF: ReadingView(),
}
"""Views of the places at which a visit goes on."""
