"""Tasks in the forms of other papers: four tiers of ambiguity, tidying up, and dialogues.

MAP-THOR (LLaMAR) tells one goal in four ways, from everything said to hardly anything; TIDEE and
HELPER have a robot put back what is out of place; TEACh gives a chat in place of an instruction.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, get_args

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.dataset import Task
from episodes.houses.body_starts import NoStartError, start_poses
from episodes.scene import Template
from episodes.tasks.checks import check_task
from episodes.tasks.draft import Draft, TaskError
from episodes.tasks.generator import ATTEMPTS, CLUTTER, GENERATOR
from episodes.tasks.goals import Move, Target, write_goals
from episodes.tasks.household import Household, room_class
from episodes.tasks.instructions import put_into_words
from episodes.tasks.sampler import Sampler, rooms_of
from episodes.tasks.task_types import TASK_TYPES, draw_plan
from episodes.tasks.words import listed, noun, number, room_noun, sentence

Form = Literal["tier_1", "tier_2", "tier_3", "tier_4", "tidy", "dialogue"]
FORMS: tuple[Form, ...] = get_args(Form)
TIERS: dict[str, tuple[bool, bool, bool]] = {
    "tier_1": (True, True, True),
    "tier_2": (True, False, True),
    "tier_3": (False, False, True),
    "tier_4": (False, False, False),
}
"""Whether an instruction says the kinds of things, how many, and where to (MAP-THOR, section 3)."""


def generate_forms(
    household: Household, seed: int, index: int, rejected: Counter[str] | None = None
) -> list[Task]:
    """Generate one task of each form, the tiers of one and the same goal; ids are the forms.

    They are the same for the same house, seed and generator. Raises TaskError when no draft was
    good.
    """
    rng = random.Random(f"cohabit forms {GENERATOR} {household.scene.scene_id} {seed} {index}")
    tiers = _good(household, rng, _tiers, rejected)
    tidy = _good(household, rng, _tidy, rejected)
    return [*tiers, *tidy, *_good(household, rng, _dialogue, rejected)]


def _good(
    household: Household,
    rng: random.Random,
    draw: Callable[[Household, random.Random], list[Task]],
    rejected: Counter[str] | None,
) -> list[Task]:
    last = "nothing was drawn"
    for _ in range(ATTEMPTS):
        try:
            tasks = draw(household, rng)
        except (TaskError, NoStartError) as error:
            last, reason = str(error), "the house has no place for it"
        else:
            scene, catalogue = household.scene, household.catalogue
            problems = [p for task in tasks for p in check_task(task, scene, catalogue)]
            if not problems:
                return tasks
            last, reason = str(problems[0]), problems[0].what.partition("[")[0]
        if rejected is not None:
            rejected[reason] += 1
    raise TaskError(f"{household.scene.scene_id}: {last}")


class _Sketch:
    """A draft with its household, and what all forms do alike."""

    def __init__(self, household: Household, rng: random.Random) -> None:
        self.household = household
        self.rng = rng
        self.draft = Draft(household.scene, household.catalogue, rng, household.places)
        self.sampler = Sampler(household, self.draft, rng)

    def put_out_of_place(self, template: Template, room: str | None = None) -> str:
        """Put a thing where it does not belong, in a room of a class if one is given."""
        homes = self.household.homes(template)
        if not homes:
            raise TaskError(f"a {template.class_name} belongs nowhere in this house")
        away = [Target("on", tuple(homes), "", "")]
        places = [
            p
            for p in self.household.starts(template, away, usual_only=False)
            if p.receptacle.part is None
            and (room is None or room_class(p.furniture.room_id) == room)
        ]
        self.rng.shuffle(places)
        handle = self.draft.put(template, places)
        self.sampler.used_classes.add(template.class_name)
        return handle

    def belongs(self, handle: str) -> None:
        """Add the goal that a thing is where things like it belong."""
        homes = self.household.homes(self.household.catalogue.of_handle(handle))
        self.draft.goal("is_on_top", object_handles=[handle], receptacle_handles=homes)

    def task(self, form: Form, title: str, instruction: str, **about: object) -> Task:
        starts = start_poses(self.household.floors, self.sampler.start_rooms(), self.rng)
        return self.draft.task(
            form, instruction, starts, title=title, form=form, generator=GENERATOR, **about
        )


# Four tiers of one goal


def _tiers(household: Household, rng: random.Random) -> list[Task]:
    # Each tier draws the same again: the same things at the same places, told in another way.
    state = rng.random()
    return [_tier(household, random.Random(state), tier) for tier in FORMS[:4]]


def _tier(household: Household, rng: random.Random, tier: Form) -> Task:
    sketch = _Sketch(household, rng)
    target, group, names = _one_goal(sketch)
    room = rng.choice(household.rooms())
    handles: list[str] = []
    for name, count in zip(names, (2, 1), strict=True):
        for _ in range(count):
            options = [v for v in household.variants[name] if household.takes(target, v)]
            template = rng.choice(options)
            sketch.sampler.charge(target, template)
            handles.append(sketch.put_out_of_place(template, room))
    sketch.sampler.used_groups.add(group)
    sketch.sampler.clutter(rng.randint(*CLUTTER), [target])
    counts = Counter({names[0]: 2, names[1]: 1})
    items, quantity, place = TIERS[tier]
    for handle in handles:
        if place:
            homes = list(target.handles)
            sketch.draft.goal("is_on_top", object_handles=[handle], receptacle_handles=homes)
        else:
            sketch.belongs(handle)
    where = f"on the {noun(target.furniture)}"
    where += f" in the {room_noun(target.room)}"
    if tier == "tier_1":
        said = [f"the {number(n)} {noun(c, n)}" if n > 1 else f"the {noun(c)}"
                for c, n in counts.items()]  # fmt: skip
        text = rng.choice(["put {} {}", "please put {} {}", "can you put {} {}?"])
        text = text.format(listed(said), where)
    elif tier == "tier_2":
        said = [f"all the {noun(c, 2)}" for c in counts]
        text = rng.choice(["put {} {}", "please put {} {}", "can you put {} {}?"])
        text = text.format(listed(said), where)
    elif tier == "tier_3":
        text = rng.choice(["put all the {} {}", "please put all the {} {}",
                           "can you put all the {} {}?"]).format(group, where)  # fmt: skip
    else:
        text = rng.choice(
            ["clear up the {}: put what does not belong there where it belongs",
             "please bring the things that are out of place in the {} to where they belong",
             "tidy the {}. Everything that does not belong there should go to its usual place"]
        ).format(room_noun(room))  # fmt: skip
    return sketch.task(
        tier,
        f"{group.capitalize()}, tier {tier[-1]}",
        sentence(text),
        task_type="constraint_free",
        tier=int(tier[-1]),
        explicit={"items": items, "quantity": quantity, "target": place},
    )


def _one_goal(sketch: _Sketch) -> tuple[Target, str, list[str]]:
    """Return a place, a group of things, and two classes of it that belong there."""
    household, rng = sketch.household, sketch.rng
    # What belongs somewhere lies on it: the last tier asks for that.
    targets = [t for t in household.targets if t.relation == "on" and t.room]
    rng.shuffle(targets)
    for target in targets:
        if len(target.handles) > 1:
            continue
        belonging: dict[str, list[str]] = {}
        for name, variants in household.variants.items():
            row = OBJECT_CLASSES[name]
            at_home = target.furniture in row.furniture_in(target.room)
            if at_home and any(household.takes(target, v) for v in variants):
                belonging.setdefault(row.group, []).append(name)
        groups = sorted(g for g, names in belonging.items() if len(names) > 1)
        if groups:
            group = rng.choice(groups)
            return target, group, rng.sample(belonging[group], 2)
    raise TaskError("no place where two kinds of a group belong")


# Tidying up


def _tidy(household: Household, rng: random.Random) -> list[Task]:
    sketch = _Sketch(household, rng)
    names = sorted(household.variants)
    rng.shuffle(names)
    handles: list[str] = []
    wanted = rng.choice([3, 4, 4, 5, 5, 6])
    for name in names:
        if len(handles) == wanted:
            break
        try:
            handles.append(sketch.put_out_of_place(rng.choice(household.variants[name])))
        except TaskError:
            continue
    if len(handles) < wanted:
        raise TaskError("too few things have a place where they belong")
    for handle in handles:
        sketch.belongs(handle)
    sketch.sampler.clutter(rng.randint(*CLUTTER), [])
    out = listed([f"the {noun(household.catalogue.of_handle(h).class_name)}" for h in handles])
    text = rng.choice(
        ["Tidy up. Out of place are {}.",
         "Please tidy up the house: {} are out of place. Put each of them where it belongs.",
         "Let's tidy up. Put {} back to where such things are usually kept.",
         "The house is a mess. Can you help me bring {} to where they belong?"]
    )  # fmt: skip
    return [sketch.task("tidy", "Tidy up", text.format(out), task_type="constraint_free")]


# Dialogues

GREETINGS = ("Hi, what can I do for you?", "I am ready. What shall we do today?",
             "Hello! How can I help?", "What is there to do?")  # fmt: skip
ANSWERS = ("Okay.", "Sure.", "All right, anything else?", "Got it. What next?", "Will do.",
           "On my way. Is there more?")  # fmt: skip
GOODBYES = ("That is all, thank you.", "No, that is everything.", "That's it. Thanks!",
            "Then we are done for today.")  # fmt: skip


def _dialogue(household: Household, rng: random.Random) -> list[Task]:
    sketch = _Sketch(household, rng)
    task_type = rng.choice(TASK_TYPES)
    plan = draw_plan(task_type, sketch.sampler, rng)
    write_goals(plan, sketch.draft)
    clauses = [c for group in plan.groups for c in group]
    targets = [c.target for c in clauses if isinstance(c, Move)]
    sketch.sampler.clutter(rng.randint(*CLUTTER), targets)
    worded = put_into_words(plan, rng, rooms_of(targets, household))
    turns = [("robot", rng.choice(GREETINGS))]
    for said in worded.sentences:
        turns += [("person", said), ("robot", rng.choice(ANSWERS))]
    turns[-1:] = _question(sketch, [c.things.handles for c in clauses])
    turns.append(("person", rng.choice(GOODBYES)))
    return [
        sketch.task(
            "dialogue",
            worded.title,
            "\n".join(f"{speaker.capitalize()}: {text}" for speaker, text in turns),
            task_type=task_type,
            phenomena=list(worded.phenomena),
            dialogue=[{"speaker": speaker, "text": text} for speaker, text in turns],
        )
    ]


def _question(sketch: _Sketch, asked: Sequence[tuple[str, ...]]) -> list[tuple[str, str]]:
    """Return the turns in which the robot asks where something is, and is told."""
    single = [h[0] for h in asked if len(h) == 1 and h[0] not in sketch.household.furniture]
    if not single:
        return [("robot", "I think I know what to do.")]
    handle = sketch.rng.choice(single)
    name = noun(sketch.household.catalogue.of_handle(handle).class_name)
    place = sketch.draft.place_of(handle)
    furniture = noun(sketch.household.class_of[place.furniture.handle])
    room = room_noun(room_class(place.furniture.room_id))
    word = "on" if place.receptacle.kind == "on" else "in"
    return [
        ("robot", f"Where is the {name}?"),
        ("person", f"You will find it {word} the {furniture} in the {room}."),
        ("robot", "Thank you. Anything else?"),
    ]
