"""Forms of claims and refusals: the sentences by which somebody keeps a thing for themselves.

Each is the form of one whole part of a line, over lemmas and marks (`words.py`), so that nothing
else is meant by it: *I carry the book myself*, *leave it*, *not that one*, *that one is mine*.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from server.robots.baselines.partner.first_request import pattern_of
from server.robots.baselines.partner.words import Clause, Mention

Form = Literal["claim", "refusal", "halt", "reason", "name", "filler"]
"""Role of a part of a line: it claims a thing, refuses one to the robot, stops, gives only a
reason, only names a thing, or says nothing."""


class Part(NamedTuple):
    """A part of a line that has one of these forms."""

    form: Form
    thing: Mention | None = None
    room: Mention | None = None
    others: tuple[Mention, ...] = ()
    """Further things of a list: *I take the cup and the plate*."""
    refuses: bool = False
    """Whether a claim says no as well: *no, I take it*."""


# Where two loops could take the same words, the first keeps what it took (``*+``): a line of chat
# is read in a time that grows with its length, whatever somebody types.
_LEAD = r"(?:(?:no|not|yes|right|well|but|and|so|then|now|first|stop|wait|look|because|since) )*"
_I = (
    r"I (?:(?:can|be|must|want|like|go|need|have|plan|mean|prefer|try|better|rather|about|almost|"
    r"nearly|glad|happy|first|now|then|also|the|one|who|that|come|on my way|able|be|to|and) )*"
)
_TAKES = (
    r"(?:take|have|do|doing|handle|get|own|bring|put|clean|fill|turn|open|close|see to|look after|"
    r"deal with|work on|work with|go for|go after|start with|start on|keep|hold|tidy|on|at|after|"
    r"with|stick with)(?: (?:care of|charge of|hold of|get|up|over|on|off|down|for|out))*+"
)
_AT = (
    r"(?: (?:in|on|at|from|by|near|next to|inside|of|under|off|out of)"
    r" (?:PLACE(?: drawers?| shelf)?|here|there|drawers?))"
)
_THE = (
    r"(?:(?:both|all|of|my|PLACE|other) )*(?:THING|it|that|this|them|those|one)"
    rf"(?: (?:one|ones|thing|job|task|part|bit)\b)*+{_AT}*+"
)
_LIST = rf"{_THE}(?: (?:and |plus |with )*{_THE})*"
_MORE = (
    r"(?: (?:(?:over |back |down )?(?:to|in|into|on|onto|inside|next to|at|by|near|under) "
    r"(?:PLACE|there|here|THING)|myself|alone|by myself|on my own|by my own|now|then|first|instead|"
    r"thank|you|over|there|here|for now|for myself|too|up|away|back|soon|later|next|with me|"
    r"not you|in (?:moment|second|minute|bit)|though|from here|down|so|anyway|again|fine|"
    r"on my way|today|of course|no worry|not worry|in any case|after all|and not you|in hand)\b)*+"
)
_MINE = r"(?:mine|my (?:job|task|part|share|turn|one|thing|business|duty|responsibility))"
_CLAIMS = tuple(
    re.compile(f"{_LEAD}(?:{form})")
    for form in (
        rf"{_I}{_TAKES} {_LIST}{_MORE}",
        # *The red one I carry myself*.
        rf"{_LIST} {_I}{_TAKES}(?: (?:it|that|this))?{_MORE}",
        rf"(?:REQ )?let me(?: (?:{_TAKES}|go))*+(?: {_LIST})?{_MORE}",
        rf"(?:REQ )?(?:leave|let|give|keep)(?: me)?(?: have)? {_LIST} (?:to|for|with) me{_MORE}",
        rf"(?:REQ )?let me have {_LIST}{_MORE}",
        rf"{_LIST} (?:be )?(?:all )?(?:{_MINE}|for me|on me|with me){_MORE}",
        rf"(?:it be |that be )?{_MINE}{_MORE}",
        rf"(?:REQ )?(?:dib|dibs|shotgun)(?: on)? {_LIST}{_MORE}",
        rf"{_LIST} (?:and )?me{_MORE}",
        r"(?:me|I (?:can|do))(?: (?:myself|first|now|thank|you))*",
        rf"{_I}(?:handle|manage|do so){_MORE}",
        rf"I (?:can |want |rather |prefer )+(?:to )?(?:{_TAKES}) {_LIST}{_MORE}",
    )
)
_NOT_TO = (
    r"(?:take|touch|get|put|bring|do|handle|clean|fill|bother|bother with|worry about|go|go for|"
    r"go near|come|come for|move|pick|mess with|open|close|try|dare|start)"
)
_REFUSALS = tuple(
    re.compile(f"(?:REQ )?(?:(?:no|nope|please|well|but|hey|thank|you) )*(?:{form})")
    for form in (
        r"no(?: (?:thank|you|need|need to|need for (?:it|that)|way|necessary|sir|not|for you))*",
        r"(?:be )?not (?:necessary|need|you|really|now|yet|at all)",
        rf"not (?:you )?{_THE}{_MORE}",
        r"(?:I )?(?:can )?(?:rather|better|prefer|please)(?: you)? not(?: to)?"
        rf"(?: {_NOT_TO}(?: {_THE})?)?",
        r"not|not please",
        r"(?:you )?(?:can |must |need |have |better )*not "
        r"(?:have |need |to |you )*"
        rf"{_NOT_TO}(?: up| on| with| over)*(?: {_THE})?{_MORE}",
        rf"no need (?:for you )?to(?: {_NOT_TO}(?: {_THE})?)?{_MORE}",
        rf"(?:leave|let|drop|skip|forget|never mind|let go of|ignore)(?: about)? {_THE}"
        r"(?: (?:alone|be|go|there|here|lie|down|for now|where it be|stay))*",
        rf"put {_THE} (?:back )?down|never mind|forget it",
        r"(?:keep|stay|get|take|hand)?(?: your)?(?: ?(?:hand|hands))? ?"
        rf"(?:off|away from|off of) {_THE}",
        r"(?:your )?(?:hand|hands) off",
    )
)  # fmt: skip
# *I would rather not have the blue one*: they do not want it themselves, whoever said that it is
# theirs; *I would rather you not take it* is a refusal to the robot.
_HAS = r"(?:have|take|do|doing|handle|get|own|bring|keep|hold|see to|deal with)"
_GIVES_UP = re.compile(
    r"(?:(?:no|nope|not|well|but|and|so|thank|you|please|sorry|actually) )*+"
    r"(?:I (?:(?:can|really|actually|just|still|be) )*+"
    rf"(?:(?:rather|prefer|want|better|like) not(?: to)?(?: {_HAS})?|"
    rf"not (?:really |actually )?(?:want|like|feel like)(?: to)?(?: {_HAS})?) {_THE}{_MORE}"
    rf"|{_THE} (?:be )?not (?:for me|mine|my (?:job|task|part|share|one)){_MORE})"
)
_HALTS = re.compile(
    r"(?:(?:no|hey|please|REQ) )*(?:stop|wait|halt|hold on|hang on)(?: (?:it|that))?"
)
_REASONS = re.compile(
    r"(?:(?:because|since|and|but) )*(?:I (?:be |can be )?(?:(?:almost|nearly|close|closer|near|"
    r"nearer|right|there|here|next|to|it|at|by|in|PLACE|on|my|way|front|of|that|stand|same|room|"
    r"one) ?)+|(?:it|that|THING) be (?:(?:right|close|near|next|to|in|front|of|here|by|at|"
    r"with|my|hand) ?)*(?:me|here|my hand)|I (?:can )?(?:want|need) (?:it|that|this))"
)
_PAST = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:just |already )*(?:put|took|brought|found|did|left|saw|set|shut|"
    r"(?!need)\w+ed)\b"
)
"""Words of what a speaker has done, which is no claim."""


def part_of(clause: Clause) -> Part | None:
    """Return what a part of a line does as a whole; None: it has none of these forms."""
    pattern = pattern_of(clause)
    if not pattern or pattern == "REQ ":
        return Part("filler")
    if clause.asks:
        return None
    things = tuple(m for m in clause.mentions if not m.is_place)
    rooms = tuple(m for m in clause.mentions if m.is_place)
    goes = re.search(r"\bput\b", pattern) is not None and " from PLACE" not in pattern
    room = rooms[0] if rooms and _is_there(pattern) and not goes else None
    thing = things[0] if things else None
    if re.fullmatch(r"(?:(?:and|no|so|right) )*(?:PLACE )?THING", pattern):
        return Part("name", thing, rooms[0] if rooms else None)
    if any(form.fullmatch(pattern) for form in _CLAIMS) and not _PAST.search(clause.raw):
        refuses = re.match(r"(?:\w+ )*?(?:no|not|stop)\b", pattern) is not None
        return Part("claim", thing, room, things[1:], refuses)
    if any(form.fullmatch(pattern) for form in _REFUSALS):
        return Part("refusal", thing, room)
    if _HALTS.fullmatch(pattern):
        return Part("halt")
    return Part("reason") if _REASONS.fullmatch(pattern) else None


def given_up(clause: Clause) -> Part | None:
    """Return what a part of a line says that its speaker does not want; None: it says nothing."""
    pattern = pattern_of(clause)
    if clause.asks or not _GIVES_UP.fullmatch(pattern) or _PAST.search(clause.raw):
        return None
    things = tuple(m for m in clause.mentions if not m.is_place)
    return Part("refusal", things[0] if things else None, others=things[1:])


def _is_there(pattern: str) -> bool:
    """Tell whether a part says where its thing is, and not only where it goes."""
    there = rf"\bPLACE (?:THING|one)\b|\b(?:THING|one)(?: one)?{_AT}"
    return re.search(there, pattern) is not None
