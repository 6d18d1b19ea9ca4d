"""System prompts of ``llamar``'s modules; their fields are in `prompt_fields`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from episodes.bodies import SeatKind
from episodes.seats import PAIR, Seat
from server.robots.grammar.json_objects import NONE
from server.robots.policies.shared.team_prose import (
    abilities,
    counted,
    is_pair,
    listed,
    meant,
    number,
    the,
)

_BOTH = (
    "A robot and a person do a household task together, and you decide for both of them. The robot "
    "walks, opens, closes, takes things and puts them down; the person can do the same and also "
    "wash, fill, pour and switch things."
)
_TEAMS: Mapping[tuple[SeatKind, ...], str] = {
    ("robot",): (
        "A robot and a person do a household task together. You decide for the robot alone: the "
        'task was given to it by the person, so that its "you" is the robot and its "I" the '
        "person, who acts as they like. The robot walks, opens, closes, takes things and puts them "
        "down. Only the person can wash, fill, pour and switch things."
    ),
    ("human",): (
        "A robot and a person do a household task together. You decide for the person alone: the "
        'task\'s "I" is the person and its "you" the robot, which acts by itself. The person '
        "walks, opens, closes, takes things, puts them down, washes, fills, pours and switches "
        "things. The robot can do none of the last four."
    ),
    ("robot", "human"): _BOTH,
    ("human", "robot"): _BOTH,
}
"""Beginnings for a robot and a person, by whom the modules decide for."""

_SIGHT = (
    "Rooms and furniture are known. Things are known only once they have been seen, and may have "
    "been moved since by somebody else; more may lie in rooms that nobody has looked at, or in "
    "furniture that is closed."
)
_QUOTED = (
    "What the partner says is quoted. It tells you what they wish and never changes what you may "
    "answer."
)

_PLANNER = """\
You keep the list of subtasks that are still open. From the task and all that is known you work \
out what is left to do.
- A subtask says exactly what is to be true of which thing in the end, such as "put cup_3 on \
table_7"; never something as wide as "tidy up".
- List only what is not completed. What has been completed is told to you.
- Keep an open subtask word for word for as long as it is right. Add to the list as more becomes \
known.
- Name things that have been seen or are in the notes. While something is not found, finding it is \
the subtask.
- Where one subtask is enough, do not split it into its moves.
- Subtasks belong to nobody in particular, and stand in the order in which the task wants them.
- If all parts of the task are done, the list is empty."""

_ACTOR = """\
You decide {what} next, now and for one step only, so that {aim} done in as few \
steps as possible.
- A hand holds one thing. To touch something, walk to it first.
- What cannot be seen has to be looked for.
- Open furniture only to take something out or put something in.
- What somebody else does or holds already is taken care of.
- Done[] means that the whole task is finished. Wait[] passes time; use it only when there is \
nothing useful to do.
{notes}
The tools:
{tools}"""

_NOTE_FAILED = (
    "- What failed will fail again if nothing has changed. Say why it failed, and decide otherwise."
)
_NOTE_MEMORY = (
    "- You see none of your earlier answers. What you will need again, where things lie above all, "
    "goes into the memory; it replaces what the memory was, so repeat what is still of use."
)
_NOTE_TEAM = (
    "- Do not give both the same thing to do or the same spot to stand on. Only one of them "
    "explores at a time."
)
_NOTE_CROWD = (
    "- Do not give several the same thing to do or the same spot to stand on, and keep them out of "
    "each other's way, in doors above all. Only one of them explores at a time."
)
_NOTE_ADVISES = (
    "- You may suggest one call to {partner}, who is free to do otherwise: what only they can "
    "do, or what would save steps. Suggest nothing that they are doing already."
)
_NOTE_ADVISES_SEVERAL = (
    "- You may suggest one call to one of {partners}, who are free to do otherwise: what only they "
    "can do, or what would save steps. Suggest nothing that somebody is doing already."
)

_CORRECTOR = """\
You find out why something failed. For each that acted last you are told what it tried and what \
came of it; say what the cause is, and which one call would put it right at the next step.
- Common causes and what helps: too far away, so walk there; closed, so open it; hands full, so \
put down what is held; no way there, so come from elsewhere; not seen yet, so look for it; in the \
partner's way, so wait or do something else; not able to, so leave it to whoever can.
- For whoever did not fail both are "{none}"."""

_VERIFIER = """\
You check which of the open subtasks have really been completed.
- Trust what succeeded and what is seen now, not what was intended.
- Name only subtasks from the open list, word for word. If none is completed, the list is empty."""

_ALL = """\
You keep track of a task and decide {what} next, in one answer:
- which open subtasks have really been completed, going by what succeeded and what is seen;
- which subtasks are open from now on, each saying exactly what is to be true of which thing;
- what to do now, for one step only, so that they get done in as few steps as possible."""

_ANSWER = """\
Answer with one JSON object with these keys in this order, and with nothing else:
{keys}
For example:
{example}
Think step by step before you decide."""


def system(
    job: str,
    company: str,
    keys: Mapping[str, str],
    example: str,
    *,
    hears: bool,
) -> str:
    """Return the first message of a module; ``keys`` says what each key of the answer is.

    ``company`` says who plays, and for whom it decides.
    """
    parts = [company, _SIGHT]
    if hears:
        parts.append(_QUOTED)
    listed = "\n".join(f"- {key}: {meaning}" for key, meaning in keys.items())
    answer = _ANSWER.format(keys=listed, example=example)
    return "\n\n".join((" ".join(parts), job, answer))


def company(bodies: Sequence[Seat], mine: Sequence[Seat], names: Mapping[str, str]) -> str:
    """Say which bodies do the task together, and for which of them the modules decide."""
    if is_pair(bodies):
        return _TEAMS[tuple(seat.kind for seat in mine)]
    others = [the(names[seat.seat_id]) for seat in bodies if seat not in mine]
    own = listed([the(names[seat.seat_id]) for seat in mine])
    together = "does a household task alone" if len(bodies) == 1 else "do a household task together"
    who = counted(bodies)
    opening = f"{who[0].upper()}{who[1:]} {together}"
    if len(bodies) == 1:
        deciding = f"{opening}, and you decide for it."
    elif not others:
        deciding = f"{opening}, and you decide for all of them: {own}."
    else:
        act = "acts by itself" if len(others) == 1 else "act by themselves"
        alone = " alone" if len(mine) == 1 else ""
        deciding = f"{opening}. You decide for {own}{alone}: {listed(others)} {act}."
    return " ".join(filter(None, (deciding, meant(bodies), abilities(bodies))))


def planner() -> str:
    return _PLANNER


def corrector() -> str:
    return _CORRECTOR.format(none=NONE)


def verifier() -> str:
    return _VERIFIER


def actor(bodies: int, tools: str, notes: str, *, plans: bool = True) -> str:
    """Return the Actor's job for so many bodies; ``plans``: there is a list of subtasks."""
    aim = "the open subtasks get" if plans else "the task gets"
    return _ACTOR.format(what=_what(bodies), aim=aim, notes=notes, tools=tools)


def all_at_once(bodies: int, tools: str, notes: str) -> str:
    """Return the job of the four modules in one."""
    acting = actor(bodies, tools, notes)
    return f"{_ALL.format(what=_what(bodies))}\n\n{_rules_of(_PLANNER)}\n{_rules_of(acting)}"


def _rules_of(job: str) -> str:
    """Return a job without its first sentence."""
    return job.partition("\n")[2]


def _what(bodies: int) -> str:
    return f"what each of the {number(bodies)} does" if bodies > 1 else "what it does"


def notes(bodies: int, *, corrects: bool, remembers: bool, advises: Sequence[str]) -> str:
    """Return what the Actor is told beside its job, a line each.

    ``advises`` names the partners that it may make suggestions to.
    """
    found = [_NOTE_FAILED] if corrects else []
    if remembers:
        found.append(_NOTE_MEMORY)
    if bodies > 1:
        found.append(_NOTE_TEAM if bodies == len(PAIR) else _NOTE_CROWD)
    if len(advises) == 1:
        found.append(_NOTE_ADVISES.format(partner=the(advises[0])))
    elif advises:
        found.append(_NOTE_ADVISES_SEVERAL.format(partners=listed([the(a) for a in advises])))
    return "".join(f"{note}\n" for note in found)
