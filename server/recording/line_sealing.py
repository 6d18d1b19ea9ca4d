"""Sealing of words in a log, each line under the keys of those who may be quoted in it.

What a person says is sealed under their key. What a policy says, is asked and answers may quote
everybody who has spoken before: it is sealed under the keys of all of them, so that it is forgotten
with the first; before anybody has spoken it stays as it is. A sealed line is written and summed up
like any other, and is opened when it is decoded, where the keys are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from server.personal.key_folder import ForgottenError, KeyFolder, KeysError
from server.personal.sealing import joint_key, seal_with
from server.recording.log_records import LoggedEvent
from server.sessions.events import Said
from server.sessions.intents import Say
from server.sessions.policy_records import CallRecord, SkillRecord
from server.sessions.state import Heard

_WORDS = re.compile(r"\[[^\]]*\s|^Say\[")
"""A call that has words in it, and not names of things alone."""


class LineSealer:
    """Sealer of one session's log; ``people`` are the participants of its seats.

    Whoever is among ``spoke`` has said something before. Raises ForgottenError for people who were
    forgotten, and KeysError for those whose keys are not there: each was made before they came to
    the lobby. No file is read after that: a tick waits for nothing.
    """

    def __init__(
        self, keys: KeyFolder, people: Mapping[str, str], spoke: Iterable[str] = ()
    ) -> None:
        self._people = dict(people)
        self._keys = {person: _key(keys, person) for person in set(people.values())}
        self._spoke = set(spoke)
        self._joint: dict[frozenset[str], tuple[bytes, str]] = {}
        for person in self._keys:
            # The first words load what seals, which takes longer than a tick.
            self._seal(frozenset({person}), "")

    def events(
        self, events: tuple[LoggedEvent, ...], programs: Mapping[str, str]
    ) -> tuple[LoggedEvent, ...]:
        """Return the events of a tick as they are written; ``programs`` are the policies by seat.

        The order counts: who speaks may be quoted from then on.
        """
        if not any(isinstance(event, Said) for event in events):
            return events
        return tuple(
            Said(event.seat, self._said(event.seat, event.text, programs))
            if isinstance(event, Said)
            else event
            for event in events
        )

    def heard(self, heard: tuple[Heard, ...], programs: Mapping[str, str]) -> tuple[Heard, ...]:
        """Return the intents of a tick as they are written."""
        return tuple(
            h._replace(intent=Say(self._said(h.seat, h.intent.text, programs)))
            if isinstance(h.intent, Say)
            else h
            for h in heard
        )

    def call(self, call: CallRecord) -> CallRecord:
        """Return a model call as it is written."""
        return msgspec.structs.replace(
            call,
            prompt=self._quoting(call.prompt),
            completion=self._quoting(call.completion),
            parsed=self._quoting(call.parsed),
            error=self._quoting(call.error),
            stale=self._quoting(call.stale),
        )

    def skill(self, skill: SkillRecord) -> SkillRecord:
        """Return a skill call as it is written: one that names things alone quotes nobody."""
        if _WORDS.search(skill.call) is None:
            return skill
        return msgspec.structs.replace(
            skill, call=self._quoting(skill.call), response=self._quoting(skill.response)
        )

    def _said(self, seat: str, text: str, programs: Mapping[str, str]) -> str:
        person = self._people.get(seat)
        if person is None or programs.get(seat):
            return self._quoting(text)
        self._spoke.add(person)
        return self._seal(frozenset({person}), text)

    def _quoting(self, text: str) -> str:
        return self._seal(frozenset(self._spoke), text) if self._spoke and text else text

    def _seal(self, people: frozenset[str], text: str) -> str:
        if people not in self._joint:
            self._joint[people] = joint_key({person: self._keys[person] for person in people})
        return seal_with(*self._joint[people], text)


def _key(keys: KeyFolder, person: str) -> bytes:
    if keys.is_forgotten(person):
        raise ForgottenError(f"{person} was forgotten")
    key = keys.key(person)
    if key is None:
        raise KeysError(f"{keys.path}, the folder of keys, lacks the key of {person}")
    return key
