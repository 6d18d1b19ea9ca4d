"""Teams that the lobby offers beside a pair, as the settings have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from episodes.seat_names import look_of
from episodes.tasks.words import listed
from episodes.teams import PERSON
from matchmaking.offers import AS_ROBOT, PAIR, Offer, OfferError, Offers, behind, parse_offers
from matchmaking.study import Study
from matchmaking.tutorials import HELPER
from server.lobby.lobby_status import duration
from server.lobby.robot_partners import RobotPartners
from server.robots.policy_spec import RobotError
from server.robots.registry.registry import lookup, spec_of
from server.robots.registry.team_checks import check_team, paper_ending
from server.settings import Settings
from server.settings_error import SettingsError

_AS_IN_A_PAIR = {("human", "person"), ("robot", "policy")}
_PLAYS_PEOPLE = "expert:partner"
"""Policy in the human seat where the settings' robot cannot play there."""
_NUMBERS = ("no", "one", "two", "three", "four", "five")


class TeamOffers:
    """Teams by name. Raises SettingsError for one that cannot be, or not with its policies."""

    def __init__(
        self, settings: Settings, robots: RobotPartners, studies: Sequence[Study] = ()
    ) -> None:
        self._robots = robots
        try:
            self.named = parse_offers(settings.teams, settings.robot)
            for offer in self.named.values():
                for team in offer.teams():
                    check_team(team)
                    paper_ending(team)
            self._person = _person_beside(settings.robot)
            policies = {settings.robot, self._person, HELPER}
            for offer in self.named.values():
                policies.update(offer.team.policies.values(), {offer.fill} - {""})
            for study in studies:
                policies.update(_policies_of(study))
            self._specs = {name: spec_of(name) for name in policies}
        except (OfferError, RobotError) as error:
            raise SettingsError(f"COHABIT_TEAMS: {error}") from error
        after_s = settings.robot_after_s
        pair = Offer("", PAIR.team, 1, after_s, settings.robot) if after_s else PAIR
        self.menu = Offers({**self.named, AS_ROBOT: behind(self._person)}, pair)

    def offers_robot_seat(self) -> bool:
        """Tell whether somebody can be the robot now, beside a policy in the human seat."""
        return self.answers(self._person)

    def take_up(self, study: Study) -> None:
        """Take up the policies of a study that was opened meanwhile. Raises RobotError."""
        self._specs.update({name: spec_of(name) for name in _policies_of(study)})

    def answers(self, name: str) -> bool:
        """Tell whether the policy of a name can be played with now."""
        spec = self._specs.get(name)
        return self._robots.is_offered(name) if spec is None else self._robots.works(spec)

    def title_of(self, name: str) -> str:
        """Return what people call a policy of a team."""
        if name not in self._specs:
            return ""
        # A configuration that is another kind of partner has a title of its own.
        return lookup(name).setup.title or self._specs[name].title

    def about(self, offer: Offer, seat: str = "") -> str:
        """Return a sentence or two on who plays which bodies, and which programs they are.

        ``seat`` is the place that the reader has; empty: theirs is drawn, where bodies differ.
        """
        titles = self._programs(offer)
        words = description(offer, is_drawn=not seat)
        return f"{words[:-1]}: {titles}." if titles else words

    def cards(self) -> list[TeamCard]:
        """Return the cards of the start page: alike ones are told apart by their programs."""
        offered = self.offered()
        alike = Counter(map(title, offered))
        return [
            TeamCard(offer, self.about(offer), self._programs(offer) * (alike[title(offer)] > 1))
            for offer in offered
        ]

    def _programs(self, offer: Offer) -> str:
        """Return the titles of the policies of an offer, as a list."""
        names = dict.fromkeys(filter(None, offer.team.policies.values()))
        return listed([found for name in names if (found := self.title_of(name))])

    def offered(self) -> list[Offer]:
        """Return the teams whose policies answer now, in the order of the settings."""
        return [
            offer
            for offer in self.named.values()
            if all(map(self.answers, offer.team.policies.values()))
        ]


class TeamCard:
    """Card of an offer on the start page."""

    def __init__(self, offer: Offer, about: str, programs: str = "") -> None:
        self.name, self.people = offer.name, offer.people
        self.title, self.about = title(offer), about
        if programs:
            self.title = f"{self.title}: {programs}"
        self.beginning = beginning(offer)
        self.looks = looks(offer)


def _count(number: int, one: str, several: str) -> str:
    return f"{_NUMBERS[number]} {one if number == 1 else several}"


def title(offer: Offer) -> str:
    """Return the heading of an offer: "Three people, two robots"."""
    words = [_count(offer.people, "person", "people")]
    are_robots = {(m.seat.kind, m.occupant.kind) for m in offer.team.members} <= _AS_IN_A_PAIR
    one, several = ("robot", "robots") if are_robots else ("program", "programs")
    if programs := offer.team.bodies - offer.people:
        words.append(_count(programs, one, several))
    return ", ".join(words).capitalize()


def description(offer: Offer, is_drawn: bool = True) -> str:
    """Return a sentence or two on who plays which bodies."""
    kinds = Counter(m.seat.kind for m in offer.team.members if m.occupant == PERSON)
    if kinds["robot"] and kinds["human"]:
        humans = _count(kinds["human"], "of you is a human", "of you are humans")
        robots = _count(kinds["robot"], "a robot", "robots")
        words = f"{humans}, {robots}{': who is what is drawn' if is_drawn else ''}"
    elif kinds["robot"]:
        words = "you are a robot" if offer.people == 1 else "all of you are robots"
    else:
        words = "you are a human" if offer.people == 1 else "all of you are humans"
    return f"{words[0].upper()}{words[1:]}.{_programs(offer)}"


def _programs(offer: Offer) -> str:
    kinds = Counter(m.seat.kind for m in offer.team.members if m.occupant.kind == "policy")
    words = [
        _count(kinds[kind], kind, f"{kind}s").replace("one ", "a ")
        for kind in ("human", "robot")
        if kinds[kind]
    ]
    if not words:
        return ""
    verb = "A program plays" if offer.team.bodies - offer.people == 1 else "Programs play"
    return f" {verb} {' and '.join(words)}."


def beginning(offer: Offer) -> str:
    """Return a sentence on when those who come begin; empty for one person."""
    if offer.people == 1:
        return ""
    everybody = "both" if offer.people == 2 else f"all {_NUMBERS[offer.people]}"
    if not offer.may_be_smaller:
        return f"You begin when {everybody} are here."
    fewer = _count(offer.least, "person", "people") + (" or more" if offer.least > 1 else "")
    others = ", with programs for the others" if offer.fill else ""
    return (
        f"You begin when {everybody} are here, or after {duration(offer.after_s)} with {fewer}"
        f"{others}."
    )


def looks(offer: Offer) -> list[str]:
    """Return the looks of an offer's bodies, those of people and of humans first."""
    members = sorted(offer.team.members, key=lambda m: (m.occupant != PERSON, m.seat.kind))
    return [look_of(member.seat) for member in members]


def _person_beside(robot: str) -> str:
    """Return the policy that is the person where somebody is the robot."""
    try:
        check_team(behind(robot).team)
    except RobotError:
        return _PLAYS_PEOPLE
    return robot


def _policies_of(study: Study) -> set[str]:
    """Return the whole names of the policies that a study needs."""
    named = {name for cell in study.cells for name in cell.team.policies.values()}
    return named | {study.substitute} - {""}
