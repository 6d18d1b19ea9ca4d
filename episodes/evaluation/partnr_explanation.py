"""PARTNR's explanation of a failure, in words and as data: section 9 of the specification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import GROUPS_ARG, PREDICATES, SAME_ARG
from episodes.evaluation.constraints import AnyConstraint, Temporal, Terminal, Tie
from episodes.evaluation.errors import EvaluationError

ClassOf = Callable[[str], str]
Category = Literal["none", "missing_steps", "constraints_broken"]
About = Literal["object", "room", "furniture"]


MISSING_STEPS = "Episode failed. Missing steps:"
CONSTRAINTS_BROKEN = "Episode failed. All steps were completed, but constraints were broken:"
"""First lines of PARTNR's text."""


class OutOfOrder(msgspec.Struct, frozen=True):
    """A proposition and the ones after which it should have been completed."""

    prop: int
    after: tuple[int, ...]


class Section(msgspec.Struct, frozen=True, omit_defaults=True):
    """A broken constraint. ``about`` is given for ties: what should have been the same."""

    constraint: int
    type: str
    items: tuple[int | OutOfOrder, ...]
    about: About | None = None


class Explanation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The failure as data: unsatisfied propositions, or one section per broken constraint."""

    category: Category
    items: tuple[int, ...] = ()
    sections: tuple[Section, ...] = ()


_TIE_HEADINGS: dict[tuple[bool, About], str] = {
    (True, "object"): "The same object should have been used for the following placements:",
    (False, "object"): "Different objects should have been used for the following placements:",
    (True, "room"): "Placements should have been made with the same room:",
    (False, "room"): "Placements should have been made with different rooms:",
    (True, "furniture"): "Placements should have been made with the same furniture:",
    (False, "furniture"): "Placements should have been made with different furniture:",
}


def structure(
    constraints: Sequence[AnyConstraint],
    satisfied_at: Sequence[int],
    matrix: Sequence[Sequence[bool]],
) -> Explanation:
    """Decide what is reported: missing steps only, else broken constraints, else nothing."""
    missing = tuple(index for index, at in enumerate(satisfied_at) if at == -1)
    if missing:
        return Explanation("missing_steps", items=missing)
    sections = []
    for number, (rule, row) in enumerate(zip(constraints, matrix, strict=True)):
        invalid = [index for index, good in enumerate(row) if not good]
        if not invalid:
            continue
        match rule:
            case Temporal():
                late = tuple(OutOfOrder(i, tuple(rule.direct_predecessors(i))) for i in invalid)
                sections.append(Section(number, rule.type, late))
            case Terminal():
                sections.append(Section(number, rule.type, tuple(invalid)))
            case Tie():
                about = _about(rule.arg_names)
                sections.append(Section(number, rule.type, tuple(rule.members), about))
    if sections:
        return Explanation("constraints_broken", sections=tuple(sections))
    return Explanation("none")


def _about(arg_names: Iterable[str]) -> About:
    names = set(arg_names)
    if names & {"object_handles", "entity_handles_a"}:
        return "object"
    return "room" if "room_ids" in names else "furniture"


def text(explanation: Explanation, propositions: Sequence[Proposition], class_of: ClassOf) -> str:
    """Return the text that PARTNR shows, empty where nothing is to be explained.

    ``propositions`` are the unrolled ones. Raises EvaluationError for a class that is not
    known.
    """
    if explanation.category == "none":
        return ""
    if explanation.category == "missing_steps":
        lines = [MISSING_STEPS]
        lines += [
            f" - {describe(propositions[index], class_of, should=True)}"
            for index in explanation.items
        ]
        return "\n".join(lines)
    lines = [CONSTRAINTS_BROKEN]
    for section in explanation.sections:
        lines.append(_heading(section))
        for item in section.items:
            if isinstance(item, OutOfOrder):
                late = describe(propositions[item.prop], class_of)
                lines.append(f" - {late} should have been completed after:")
                lines += [f"   - {describe(propositions[i], class_of)}" for i in item.after]
            else:
                lines.append(f" - {describe(propositions[item], class_of)}")
    return "\n".join(lines)


def _heading(section: Section) -> str:
    if section.about is not None:
        return _TIE_HEADINGS[section.type == SAME_ARG, section.about]
    if section.items and isinstance(section.items[0], OutOfOrder):
        return "Steps were completed out of order:"
    return "Completed steps were later undone:"


def describe(proposition: Proposition, class_of: ClassOf, *, should: bool = False) -> str:
    """Put a proposition in words, with class names only (section 9.4).

    Alternatives are in alphabetical order, because PARTNR's order is arbitrary. Raises
    EvaluationError for an unknown predicate or class.
    """
    signature = PREDICATES.get(proposition.function_name)
    if signature is None:
        raise EvaluationError(f"expected a known predicate, got {proposition.function_name!r}")
    verb = " should have been" if should else ""
    args = proposition.args
    if signature.is_clustered:
        groups = [_alternatives(group, class_of) for group in args[GROUPS_ARG]]
        return " and ".join(f"({g})" if " or " in g else g for g in groups) + f"{verb} clustered"
    first = _alternatives(args[signature.first], class_of)
    if signature.state is not None:
        words = signature.name.removeprefix("is_").replace("_", " ")
        return f"Object {first}{verb} {words}"
    if signature.second is None:
        return f"{first}{verb} placed on the floor"
    if signature.second == "room_ids":
        rooms = {f'"{room.partition(".")[0]}"' for room in args[signature.second]}
        return f"{first}{verb} moved to the {' or '.join(sorted(rooms))}"
    second = _alternatives(args[signature.second], class_of)
    if signature.name == "is_inside":
        return f"{first}{verb} placed inside the {second}"
    if signature.name == "is_on_top":
        return f"{first}{verb} placed on top of the {second}"
    return f"{first}{verb} placed next to {second}"


def _alternatives(handles: Iterable[str], class_of: ClassOf) -> str:
    try:
        names = {class_of(handle).replace("_", " ") for handle in handles}
    except LookupError as error:
        raise EvaluationError(f"expected a thing of known class, got {error}") from None
    return " or ".join(sorted(f'"{name}"' for name in names))


def short_name(handle: str) -> str:
    """Return the name of a template in a handle: no path, no file extension, no instance number."""
    return handle.rpartition("/")[2].partition(".")[0].partition("_:")[0]


def forgiving(class_of: ClassOf) -> ClassOf:
    """Return a ``class_of`` that answers with the template's name where the class is not known."""

    def name(handle: str) -> str:
        try:
            return class_of(handle)
        except LookupError:
            return short_name(handle)

    return name
