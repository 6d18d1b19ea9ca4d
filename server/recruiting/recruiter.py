"""Recruiter classes: what all of them have in common, and what one of them says."""

from __future__ import annotations

import hmac
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from matchmaking.study import Study
from matchmaking.study.endings import Ending

LONGEST_VALUE = 128
"""Most characters of a parameter of a link."""
MOST_PARAMETERS = 24
_TEMPLATE = re.compile(r"\{\{|\}\}|\$\{|^%[A-Za-z_]+%$|^\[\[|^<[A-Za-z_ ]+>$")
"""Signs of text that the recruiter should have filled in."""
_E_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:~+/=-]*")
_NO_IDS = frozenset({"null", "none", "undefined", "nan"})
"""Words that programs write where they know no id."""

PREVIEW = "preview"
"""Parameter of a link that shows the first page and begins nothing."""
Parameters = Mapping[str, str]
"""Parameters of a link as they came."""


class Fault(StrEnum):
    """Reason why a link leads nowhere; each has a page of its own."""

    UNFILLED = "unfilled"
    """Template text that was left in it."""
    E_MAIL = "e_mail"
    """E-mail address where an id belongs."""
    MISSING = "missing"
    """Id that is not in it."""
    MALFORMED = "malformed"
    """Values that are too long, or have letters that no id has."""
    FORGED = "forged"
    """Signature that is not right."""
    NOT_PILOT = "not_pilot"
    """Kind of link that only pilots take."""


class LinkError(Exception):
    """Error for a link that leads nowhere. It says what is wrong and never with whose id."""

    def __init__(self, fault: Fault, parameter: str = "") -> None:
        super().__init__(f"{fault} {parameter}".strip())
        self.fault, self.parameter = fault, parameter


class Way(NamedTuple):
    """Way back to a recruiter: a link to follow, or a form to send there."""

    url: str = ""
    fields: Parameters = MappingProxyType({})
    """Fields of the form; empty: the way is a link."""
    origin: str = ""
    """Origin to which a form goes, for the page's policy."""


class Recruiter(ABC):
    """Kind of recruiter. ``key`` is the secret with which this server signs labels."""

    kind: ClassVar[str]
    id_parameter: ClassVar[str] = ""
    """Parameter that says who somebody is; empty: none does."""
    proof: ClassVar[tuple[str, ...]] = ()
    """Parameters that, all together, nobody has but the person themselves; empty: an id of this
    kind can be guessed or is known to others."""
    names_people: ClassVar[bool] = False
    """Whether an id is the same person's in every study; others are given anew for each."""
    title: ClassVar[str]
    """Name by which people know it."""
    link_template: ClassVar[Parameters] = MappingProxyType({})
    """Parameters of the link that a researcher posts there, with what the recruiter fills in."""
    trial_parameters: ClassVar[Parameters] = MappingProxyType({})
    """Parameters of a link that a researcher tries in a pilot."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def external_id(self, study: Study, parameters: Parameters) -> str | None:
        """Return who somebody is there; None: it does not say. Raises LinkError."""
        given = _by_lower_name(parameters)
        value = given.get(self.id_parameter.lower(), "").strip()
        if not value:
            raise LinkError(Fault.MISSING, self.id_parameter)
        _check_id(self.id_parameter, value)
        return value

    def is_preview(self, parameters: Parameters) -> bool:
        """Tell whether somebody only looks at what they might take on."""
        return PREVIEW in _lower_names(parameters)

    def is_proven(self, kept: Parameters, given: Parameters) -> bool:
        """Tell whether a link can only be from the person who came with the link that was kept."""
        try:
            stored, shown = _by_lower_name(kept), _by_lower_name(given)
        except LinkError:
            return False
        pairs = [(stored.get(name.lower()), shown.get(name.lower())) for name in self.proof]
        return bool(pairs) and all(
            known and got and hmac.compare_digest(known.encode(), got.encode())
            for known, got in pairs
        )

    @abstractmethod
    def way_back(self, study: Study, ending: Ending, parameters: Parameters) -> Way | None:
        """Return how somebody goes back with the code of an ending; None: they stay."""
        ...


def check_parameters(parameters: Parameters) -> None:
    """Refuse parameters that no recruiter sends. Raises LinkError."""
    if len(parameters) > MOST_PARAMETERS:
        raise LinkError(Fault.MALFORMED)
    for name, value in parameters.items():
        if len(name) > LONGEST_VALUE or len(value) > LONGEST_VALUE or not value.isprintable():
            raise LinkError(Fault.MALFORMED)
        if _TEMPLATE.search(value):
            raise LinkError(Fault.UNFILLED, name)


def code_of(study: Study, ending: Ending) -> str | None:
    """Return the code of an ending; None: the recruiter knows none for it."""
    return study.recruiter.codes.get(ending)


def _check_id(name: str, value: str) -> None:
    if _TEMPLATE.search(value) or value.lower() in {*_NO_IDS, name.lower()}:
        raise LinkError(Fault.UNFILLED, name)
    if _E_MAIL.fullmatch(value):
        raise LinkError(Fault.E_MAIL, name)
    if _ID.fullmatch(value) is None or len(value) > LONGEST_VALUE:
        raise LinkError(Fault.MALFORMED, name)


def _lower_names(parameters: Parameters) -> frozenset[str]:
    return frozenset(name.lower() for name in parameters)


def _by_lower_name(parameters: Parameters) -> dict[str, str]:
    """Return parameters by their names in small letters: recruiters differ in how they write them.

    Raises LinkError where a name is there twice.
    """
    found: dict[str, str] = {}
    for name, value in parameters.items():
        if name.lower() in found:
            raise LinkError(Fault.MALFORMED)
        found[name.lower()] = value
    return found
