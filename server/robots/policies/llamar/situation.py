"""Situation that the modules of ``llamar`` decide in, and the fields that tell them of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from episodes.seats import Seat
from server.robots.policies.llamar import prompt_fields
from server.robots.policies.llamar.board import Board, TrackRecord
from server.robots.policies.llamar.settings import LlamarSettings
from server.robots.policies.shared.team_prose import is_pair, labels_of, members_of
from server.robots.policy import PolicyView


@dataclass(frozen=True)
class Situation:
    """Facts that the modules may be told; ``views`` are of the seats decided for."""

    views: tuple[PolicyView, ...]
    board: Board
    records: Mapping[str, TrackRecord]
    new: frozenset[str] = frozenset()
    """Objects (handles) found since the last actions began."""

    @property
    def labels(self) -> dict[str, str]:
        """Names of all bodies by seat."""
        return labels_of(self.newest)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that are decided for."""
        return tuple(Seat(view.seat, view.kind) for view in self.views)

    @property
    def bodies(self) -> tuple[Seat, ...]:
        """Seats that somebody plays; a robot and a person are told of even where one is away."""
        every = self.newest.graph.seats
        return every if is_pair(every) else members_of(self.newest)

    @property
    def others(self) -> tuple[Seat, ...]:
        """Seats that are not decided for."""
        mine = {view.seat for view in self.views}
        return tuple(seat for seat in self.newest.graph.seats if seat.seat_id not in mine)

    @property
    def newest(self) -> PolicyView:
        return max(self.views, key=lambda view: view.tick)


class Briefing:
    """Composer of a situation's fields, as far as the settings let them be told."""

    def __init__(self, settings: LlamarSettings) -> None:
        self.settings = settings

    def _stable(self, now: Situation) -> list[str]:
        """Return the fields that change seldom or never."""
        view, board = now.newest, now.board
        fields = [prompt_fields.task(view.instruction), prompt_fields.furniture(view.graph)]
        if self.settings.planner:
            fields.append(prompt_fields.subtasks("Completed subtasks", board.completed))
            fields.append(prompt_fields.subtasks("Open subtasks", board.open))
        return fields

    def _objects(self, now: Situation) -> str:
        view, states = now.newest, self.settings.states
        seat = view.seat if len(now.views) == 1 else None
        if self.settings.objects == "known":
            return prompt_fields.objects(view.graph, seat, states=states)
        rooms = [view.graph.room_at(view.position) for view in now.views]
        return prompt_fields.objects_near(view.graph, seat, rooms, now.new, states=states)

    def for_planner(self, now: Situation) -> list[str]:
        return [*self._known(now), *self._about_partner(now), self._memory(now)]

    def for_actor(self, now: Situation) -> list[str]:
        corrects = self.settings.corrector != "off"
        team = self._about_team(now, fails=corrects, on=self.settings.planner)
        labels = now.labels
        corrections = [
            prompt_fields.correction(labels[v.seat], now.records[v.seat]) for v in now.views
        ]
        partner = self._about_partner(now)
        return [*self._known(now), *team, *corrections, *partner, self._memory(now)]

    def for_corrector(self, now: Situation) -> list[str]:
        about = [*self._about_team(now, fails=True), *self._about_partner(now)]
        return [*self._known(now), *about, self._memory(now)]

    def for_verifier(self, now: Situation) -> list[str]:
        about = [*self._about_team(now), *self._about_partner(now)]
        return [*self._known(now), *about, self._memory(now)]

    def _known(self, now: Situation) -> list[str]:
        return [*self._stable(now), self._objects(now)]

    def _about_team(self, now: Situation, *, fails: bool = False, on: bool = False) -> list[str]:
        fields = []
        for view in now.views:
            label, record = now.labels[view.seat], now.records[view.seat]
            fields.append(prompt_fields.whereabouts(label, view.graph, view.seat, view.room))
            fields.append(prompt_fields.last(label, record))
            if self.settings.trace:
                fields.append(prompt_fields.trace(label, view.history))
            if fails:
                fields.append(prompt_fields.failures(label, record))
            if on:
                fields.append(prompt_fields.working_on(label, record))
        return fields

    def _about_partner(self, now: Situation) -> list[str]:
        """Describe those who decide for themselves, and quote what they said."""
        view = now.newest
        team = {v.seat for v in now.views}
        fields = []
        for other in now.others:
            seat, label = other.seat_id, now.labels[other.seat_id]
            acts = [act for act in view.partner_acts if act.seat == seat]
            if acts or seat in view.graph.agents:
                fields.append(prompt_fields.partner(label, view.graph, seat, acts))
        if self.settings.hears:
            fields.append(prompt_fields.said(view, [h for h in view.chat if h.seat not in team]))
        return fields

    def _memory(self, now: Situation) -> str:
        return prompt_fields.memory(now.board.memory) if self.settings.memory else ""
