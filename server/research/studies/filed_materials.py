"""Materials of a study for its preregistration: what people are told to do, asked, and paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from episodes.dataset import Task
from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.instruments.registry import INSTRUMENTS
from matchmaking.study.pages import Page, Play, questions_of
from matchmaking.study.pay import Measure
from matchmaking.study.questions import Kind, Question
from server.recruiting.payments import amount

MOST_TASKS = 100
"""Tasks whose texts are written out."""
_MEASURES = {
    Measure.FULL: "base, bonus and waiting",
    Measure.TIME: "the time that was spent",
    Measure.NONE: "nothing",
}


def task_lines(study: Study, tasks: Sequence[Task]) -> Iterator[str]:
    """Yield the texts of the tasks that groups play, one line each."""
    for task in tasks[:MOST_TASKS]:
        yield f"- `{task.task_id}`: {' '.join(task.instruction.split())}"
    if len(tasks) > MOST_TASKS:
        yield f"- … and {len(tasks) - MOST_TASKS} more of the set {study.tasks.set}."


def question_lines(study: Study) -> Iterator[str]:
    """Yield what people are asked, page by page; published questionnaires by their titles."""
    asked = [(page, questions_of(page)) for page in study.pages]
    for page, questions in asked:
        if not questions:
            continue
        yield f"- {_when(page)}:"
        names = {question.name for question in questions}
        published = [one for one in INSTRUMENTS.values() if names & {q.name for q in one.questions}]
        for instrument in published:
            items = [question.name for question in instrument.questions]
            kept = sum(name in names for name in items)
            part = "" if kept == len(items) else f", {kept} of its {len(items)} items"
            yield f"  - {instrument.title} (`{instrument.name}`{part})"
            names -= set(items)
        for question in questions:
            if question.name in names:
                yield f"  - `{question.name}`: {_question(study, question)}"
    if not any(questions for _, questions in asked):
        yield "Nobody is asked anything."


def _when(page: Page) -> str:
    return "After each attempt" if isinstance(page, Play) else f"On the page `{page.name}`"


def _question(study: Study, question: Question) -> str:
    language = study.languages[0]
    text = " ".join(question.text[language].split())
    match question.kind:
        case Kind.SCALE | Kind.NUMBER:
            ends = [f"{end:g}" for end in (question.least, question.most) if end is not None]
            answers = f"{question.kind}{' ' if ends else ''}{' to '.join(ends)}"
        case Kind.WORDS:
            answers = "in words"
        case _:
            answers = ", ".join(option.text[language].strip() for option in question.options)
    # The plan is public before people come, who could learn the right answers from it.
    right = "; it has right answers" if question.accepted else ""
    return f"{text} ({answers}{right})"


def pay_lines(study: Study) -> Iterator[str]:
    """Yield what people are paid, by ending."""
    pay = study.pay
    if not pay.is_paid:
        yield "Nobody is paid."
        return
    told = [f"base {amount(pay.base)}", f"an hour {amount(pay.hourly)}"]
    told.append(f"an hour of waiting {amount(pay.waiting_rate)}")
    if pay.waiting_free_s:
        told.append(f"of which {pay.waiting_free_s:g} s are in the base")
    if pay.bonus_per_success:
        told.append(f"each task that was done {amount(pay.bonus_per_success)}")
    yield f"In {pay.currency}: {', '.join(told)}."
    endings: dict[str, list[str]] = {}
    for ending in Ending:
        payment = pay.of(ending)
        paid = _MEASURES.get(payment.measure) or amount(payment.amount)
        endings.setdefault(paid, []).append(ending.value)
    by_ending = (f"{paid} for {_named(names)}" for paid, names in endings.items())
    yield f"By how a visit ends: {'; '.join(by_ending)}."
    most = study.most_of_a_visit
    if most is not None:
        yield f"A visit earns {amount(most)} at most."
    if pay.cap is not None:
        yield f"All visits together earn {amount(pay.cap)} at most."


def _named(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
