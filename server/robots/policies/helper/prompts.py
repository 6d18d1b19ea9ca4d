"""Prompts of ``helper``: planning, repair, Locator, questions and their answers, feedback.

Each begins with the same text about the language, so that a server keeps it; what changes most
stands last. What people wrote is quoted as JSON and can neither end a prompt nor add a method.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from episodes.bodies import SeatKind
from server.robots.policies.helper.api_prompts import api, rules
from server.robots.policies.helper.requests import QUESTIONS
from server.robots.policies.shared.quotations import quoted
from server.robots.policies.shared.team_prose import (
    abilities,
    is_pair,
    labels_of,
    listed,
    meant,
    members_of,
    the,
)
from server.robots.policy import PolicyView


class Shown(NamedTuple):
    """Example as it stands in a prompt; ``why`` is of repairs, ``name`` of routines."""

    key: str
    program: str
    why: str = ""
    name: str = ""


class Template(NamedTuple):
    """Planning prompt of one kind of input."""

    role: str
    rules: tuple[str, ...]
    label: str


class Body(NamedTuple):
    """Body that it thinks for, in words, and how the input is to be read."""

    whose: str
    reading: str


_BODY: dict[SeatKind, Body] = {
    "robot": Body(
        "a robot that helps a person in a home",
        'What is asked for is asked by that person, your partner: "you" is the robot, "I" and "me" '
        "are the person.",
    ),
    "human": Body(
        "a person in a home, who is helped by a robot",
        'What is asked for is asked by this person: "I" and "me" are the person, "you" is the '
        "robot, the partner.",
    ),
}
TEMPLATES: dict[str, Template] = {
    "dialogue": Template(
        "You are told a conversation between a person and a robot, and write the program that does "
        "what the person wants done by the end of it.",
        (
            "The input is talk: only what is to be done becomes lines. Never answer the talk.",
            "What was said later counts where two things that were said do not fit together.",
        ),
        "Conversation",
    ),
    "task": Template(
        "You are told what somebody wants done in the home, and write the program that does it.",
        (
            "Everything that is asked for gets a line, and nothing else does.",
            "What is to be opened, and what has doors, follows from its kind.",
        ),
        "Task",
    ),
    "steps": Template(
        "You are told a goal and the steps towards it, and write the program that reaches the "
        "goal.",
        (
            "Goal and steps both have to be satisfied: what is said may be in only one of them.",
            "Look whether each step can be done with such furniture; open what is closed before "
            "something is put in.",
        ),
        "Goal and steps",
    ),
    "tidy": Template(
        "You are told which things are out of place, and write the program that brings each of "
        "them to where such things are kept.",
        (
            "Take one thing after the other: a comment that says where such things are kept, then "
            "its lines.",
            "Go by what is usual in homes: rooms first, then furniture.",
        ),
        "Out of place",
    ),
}
NEUTRAL = Template(
    "You are told what somebody wants, and write the program that does it.", (), "Input"
)


def body(view: PolicyView) -> Body:
    """Say whose body it thinks for, and how the input is to be read."""
    seats = view.graph.seats
    if is_pair(seats):
        return _BODY[view.kind]
    members, names = members_of(view), labels_of(view)
    others = [the(names[seat.seat_id]) for seat in members if seat.seat_id != view.seat]
    whose = f"{the(names[view.seat])} in a home"
    if not others:
        return Body(f"{whose}, which is alone there", f"{meant(members)} {abilities(members)}")
    partners = listed(others)
    whose = f"{whose}, where {partners} {'works' if len(others) == 1 else 'work'} on the same"
    reading = " ".join(filter(None, (meant(members), abilities(members))))
    word = f"Your partners are {partners}" if len(others) > 1 else f"Your partner is {partners}"
    return Body(whose, f"{word}. {reading}")


def system(
    whom: Body, tools: Iterable[str], kinds: Sequence[str], *, extended: bool, keeps: bool
) -> str:
    """Return what every prompt begins with.

    ``whom`` is `body`; ``kinds`` are the words that are no names; with ``keeps`` routines can be
    remembered.
    """
    whose, reading = whom
    return (
        f"You think for {whose}. What is done there is written as short programs in a small "
        f"language of its own, which looks like Python and is not. {reading}\n\n"
        f"{api(tools, extended=extended, corrects=True, keeps=keeps)}\n\n"
        f"Kinds and groups of things: {', '.join(kinds)}"
    )


def recalled(shown: Sequence[Shown], routines: Sequence[Shown] = ()) -> list[str]:
    """Return examples from memory, the nearest first, then the routines that were named."""
    parts = []
    if shown:
        parts.append("Examples from other homes, for reference:")
    for number, example in enumerate(shown, start=1):
        why = f"\nExplain: {example.why}" if example.why else ""
        parts.append(
            f"Example {number}\nInput: {quoted(example.key)}{why}\nProgram:\n{example.program}\nEND"
        )
    if routines:
        parts.append(
            "Routines that your partner has taught. Who names one wants these lines, all of them, "
            "in the words of this home and with every change that is said; nothing else is changed:"
        )
    parts += [
        f"Routine {quoted(routine.name)}\nTaught with: {quoted(routine.key)}\n"
        f"Program:\n{routine.program}\nEND"
        for routine in routines
    ]
    return parts


def plan(
    template: Template, instruction: str, home: str, examples: Sequence[str], talk: str = ""
) -> str:
    """Return the prompt for a program.

    ``home`` is what is known of it, ``talk`` what has been said since; for ``examples`` see
    `recalled`.
    """
    parts = [
        template.role,
        f"Rules:\n{rules(template.rules)}",
        *examples,
        "Keep to the form of the examples: say in comments why a line is needed, and end with a "
        "line END.",
        home,
        f"{template.label}: {quoted(instruction)}",
    ]
    if talk:
        parts.append(talk)
    parts.append("Program:")
    return "\n\n".join(filter(None, parts))


def said(lines: Iterable[tuple[str, str]]) -> str:
    """Return chat as lines of who said what."""
    chat = "\n".join(f"{who}: {quoted(text)}" for who, text in lines)
    return f"Said since then:\n{chat}" if chat else ""


def feedback(
    template: Template, instruction: str, home: str, examples: Sequence[str], talk: str, report: str
) -> str:
    """Return the prompt after the partner spoke of a program that runs or has run (``report``)."""
    parts = [
        template.role,
        f"Rules:\n{rules(template.rules)}",
        *examples,
        home,
        f"{template.label}: {quoted(instruction)}",
        f"The program for it, and what has become of it:\n{report}",
        talk,
        "Write the program for what is still to be done now, with what was said; leave out what is "
        "done, and what somebody else takes care of. Nothing is left, or nothing was asked for: "
        "do_nothing(). End with a line END.",
        "Program:",
    ]
    return "\n\n".join(filter(None, parts))


def again(problems: Sequence[str]) -> str:
    """Return the message after an answer that was no program."""
    listed = "\n".join(problems[:8]) or "there is no call in it"
    return f"That is not a program:\n{listed}\nWrite the whole program again."


def repair(instruction: str, home: str, examples: Sequence[str], code: str, error: str) -> str:
    """Return the prompt for the repair of one line that failed."""
    parts = [
        "A line of a program failed. Say in one sentence why: is a step missing, what does the "
        "error tell? Then write lines that put it right and also do what the line was to do.",
        "Rules:\n"
        + rules(
            (
                "Repair this line only, nothing else of the task.",
                "Where nothing has to be repaired, the program is do_nothing().",
            )
        ),
        *examples,
        home,
        f"The whole task: {quoted(instruction)}",
        f"Failed:\n{code}\nError: {quoted(error)}",
        "Answer with a line that begins with Explain: and then the program, and end with a line "
        "END.",
    ]
    return "\n\n".join(filter(None, parts))


def locate(instruction: str, home: str, what: str, count: int, talk: str = "") -> str:
    """Return the prompt that asks where something could be."""
    parts = [
        f"Name {count} places where something is most likely found: rooms, or furniture that it "
        "may lie on or in. Go by what is said, and else by where such things are usually kept; "
        "the likeliest first.",
        f"For example: for a toothbrush, names of the bathroom's sink, of its cabinet and of the "
        f"bathroom itself, {count} in all, with commas.",
        home,
        f"The whole task: {quoted(instruction)}",
        talk,
        f"Looked for: {what}",
        "Answer with the names on one line, then a line END.",
    ]
    return "\n\n".join(filter(None, parts))


_KINDS_OF_QUESTION = {
    "ask_where": "in which place it is",
    "ask_which": "which one of several is meant",
    "ask_appearance": "what it looks like",
    "ask_direction": "which way it is from here",
    "ask_who": "whether the partner takes care of it",
}
assert tuple(_KINDS_OF_QUESTION) == QUESTIONS


def choose_question(instruction: str, context: str, what: str) -> str:
    """Return the prompt that asks which one question helps most."""
    kinds = "\n".join(f'{verb}("{what}")  {says}' for verb, says in _KINDS_OF_QUESTION.items())
    return "\n\n".join(
        [
            "You may ask your partner one question, the one whose answer helps most:",
            kinds,
            "For example: nobody has seen the comb, so ask_where is asked. There are two "
            "lamps and one is meant, so ask_which is asked.",
            f"The whole task: {quoted(instruction)}",
            context,
            "Answer with one call on one line, then a line END.",
        ]
    )


def read_answer(instruction: str, home: str, context: str, asked: str, answer: str) -> str:
    """Return the prompt that asks what an answer means."""
    return "\n\n".join(
        [
            "Your partner has answered a question. Say what follows from the answer:\n"
            'look_at("name")   it is there, in this room or on or in this furniture\n'
            'take("name")      this thing is meant\n'
            "leave_it()        the partner takes care of it\n"
            "no_idea()         the answer does not help",
            "Read it in the simplest way. A thing that is named tells more than a place, and "
            "furniture tells more than a room; use all that is told, the best first.",
            home,
            f"The whole task: {quoted(instruction)}",
            context,
            f"Question: {quoted(asked)}\nAnswer: {quoted(answer)}",
            "Answer with one to three calls, each on a line of its own, then a line END.",
        ]
    )
