import xml.etree.ElementTree as ET

import msgspec
import pytest

from episodes.dataset import Constraint, Proposition, Task
from episodes.drawing import draw_task
from episodes.drawing.free_space import Area
from episodes.drawing.plan import Plan
from episodes.drawing.steps import TaskSteps, start_of, steps_of
from episodes.drawing.svg import drawing, text_width
from episodes.drawing.task_plan import TaskPlan
from episodes.evaluation import EvaluationTask, Evaluator, FactTable, Verdict
from episodes.evaluation.account import Account, Named, Shortfall, Situation
from episodes.houses import first_house
from episodes.tasks import first_tasks
from episodes.world import AgentPose

SVG = "{http://www.w3.org/2000/svg}"
CUP, PLATE = "cup_1_:0000", "plate_1_:0000"


def of_class(name: str) -> list[str]:
    scene, shapes = first_house()
    return [f.handle for f in scene.furniture if shapes.templates[f.template].class_name == name]


def on(thing: str, *places: str) -> Proposition:
    return Proposition(
        "is_on_top",
        {"object_handles": [thing], "receptacle_handles": list(places), "number": 1},
    )


def a_task(*propositions: Proposition, constraints: tuple[Constraint, ...] = ()) -> Task:
    """Return a task with cup and plate on the counter in the kitchen."""
    scene, _ = first_house()
    counter = next(f for f in scene.furniture if f.handle in of_class("counter"))
    x, y, z = counter.pose.position
    matrices: list[list[list[float]]] = [
        [[1, 0, 0, x + 0.2 * n], [0, 1, 0, y + 0.9], [0, 0, 1, z], [0, 0, 0, 1]] for n in range(2)
    ]
    return Task(
        task_id="7",
        scene_id=scene.scene_id,
        instruction="Put the cup and the plate on a table.",
        info={"start_poses": {"human_0": [x, 0.0, z + 1.2, 0.0], "robot_0": [x, 0.0, z + 2, 1.0]}},
        rigid_objs=[("cup_1", matrices[0]), ("plate_1", matrices[1])],
        name_to_receptacle=dict.fromkeys((CUP, PLATE), f"{counter.handle}|top"),
        evaluation_propositions=list(propositions),
        evaluation_constraints=list(constraints),
    )


def order(*edges: tuple[int, int]) -> Constraint:
    return Constraint("TemporalConstraint", {"dag_edges": [list(e) for e in edges]})


def same(*indices: int) -> Constraint:
    return Constraint(
        "SameArgConstraint",
        {"proposition_indices": list(indices), "arg_names": ["receptacle_handles"] * len(indices)},
    )


def verdict_of(task: Task, *ticks: dict[str, str]) -> Verdict:
    """Return the verdict after ticks in which things are on top of furniture."""
    evaluator = Evaluator(EvaluationTask.from_task(task))
    for tick, above in enumerate(ticks):
        facts = FactTable(above={a: [b] for a, b in above.items()})
        evaluator.observe(tick, facts, {CUP: None, PLATE: None})
    evaluator.finish(len(ticks))
    return evaluator.verdict()


def steps(task: Task, verdict: Verdict | None = None) -> TaskSteps:
    return steps_of(task, *first_house(), verdict)


def drawn(task: Task, width: float = 1280.0, verdict: Verdict | None = None) -> ET.Element:
    return ET.fromstring(draw_task(*first_house(), task, width, verdict))


def count(root: ET.Element, tag: str, name: str) -> int:
    return sum(name in (e.get("class") or "").split() for e in root.iter(f"{SVG}{tag}"))


def texts(root: ET.Element) -> str:
    return " ".join("".join(e.itertext()) for e in root.iter(f"{SVG}tspan"))


@pytest.mark.parametrize("task", first_tasks(), ids=lambda task: task.task_id)
@pytest.mark.parametrize("width", [390.0, 1280.0])
def test_every_first_task_is_drawn_within_its_sheet(task: Task, width: float) -> None:
    root = drawn(task, width)
    _, _, wide, high = (float(v) for v in root.attrib["viewBox"].split())
    assert wide == width
    # On the plan, beside the words, and one in the legend.
    assert count(root, "g", "badge") == 2 * len(task.evaluation_propositions) + 1
    words = list(root.iter(f"{SVG}tspan"))
    assert all(
        0 <= float(e.attrib["x"]) <= wide and 0 <= float(e.attrib["y"]) <= high for e in words
    )
    assert " ".join(task.instruction.split()[:2]) in texts(root)


def test_arrows_lead_from_each_thing_to_its_place() -> None:
    table = of_class("table")[0]
    root = drawn(a_task(on(CUP, table), on(PLATE, table)))
    assert count(root, "g", "arrow") == 2
    # There are two starts, and one in the legend.
    assert count(root, "circle", "start") == 3
    assert count(root, "g", "seat-human") == count(root, "g", "seat-robot") == 2
    assert count(root, "polygon", "place") == 1


def test_of_several_places_the_nearest_gets_the_arrow_and_the_others_dashes() -> None:
    tables = of_class("table")[:3]
    root = drawn(a_task(on(CUP, *tables)))
    places = [e for e in root.iter(f"{SVG}polygon") if "place" in (e.get("class") or "").split()]
    assert len(places) == 3
    assert sum(e.get("stroke-dasharray") is not None for e in places) == 2
    assert count(root, "g", "arrow") == 1


def test_steps_are_numbered_in_the_order_of_the_task() -> None:
    couch, bed = of_class("couch")[0], of_class("bed")[0]
    found = steps(a_task(on(CUP, couch), on(PLATE, bed), constraints=(order((1, 0)),)))
    assert [(s.number, s.stage, s.expected.index) for s in found.steps] == [(1, 0, 1), (2, 1, 0)]
    assert [(e.before, e.after, e.broken) for e in found.edges] == [(1, 2, False)]
    assert found.number_of(0) == 2
    assert {s.status for s in found.steps} == {"open"}


def test_order_that_follows_from_other_order_is_not_drawn() -> None:
    couch = of_class("couch")[0]
    clean = Proposition("is_clean", {"object_handles": [CUP], "number": 1})
    task = a_task(
        clean, on(CUP, couch), on(PLATE, couch), constraints=(order((0, 1), (1, 2), (0, 2)),)
    )
    assert [(e.before, e.after) for e in steps(task).edges] == [(1, 2), (2, 3)]
    assert [len(stage) for stage in steps(task).stages()] == [1, 1, 1]


def test_a_step_done_too_early_breaks_its_edge_and_does_not_count() -> None:
    couch, bed = of_class("couch")[0], of_class("bed")[0]
    task = a_task(on(CUP, couch), on(PLATE, bed), constraints=(order((0, 1)),))
    verdict = verdict_of(task, {}, {PLATE: bed}, {PLATE: bed, CUP: couch})
    found = steps(task, verdict)
    assert [s.status for s in found.steps] == ["done", "void"]
    assert [e.broken for e in found.edges] == [True]
    root = drawn(task, verdict=verdict)
    # On the plan, beside the words, in the legend.
    assert count(root, "g", "badge-void") == 3
    assert "does not count" in texts(root)
    kept = steps(task, verdict_of(task, {}, {CUP: couch}, {CUP: couch, PLATE: bed}))
    assert [e.broken for e in kept.edges] == [False]
    assert {s.status for s in kept.steps} == {"done"}


def test_an_edge_is_not_broken_while_what_comes_after_is_not_done() -> None:
    couch, bed = of_class("couch")[0], of_class("bed")[0]
    task = a_task(on(CUP, couch), on(PLATE, bed), constraints=(order((0, 1)),))
    found = steps(task, verdict_of(task, {}, {}))
    assert [s.status for s in found.steps] == ["missing", "missing"]
    assert [e.broken for e in found.edges] == [False]


def test_ties_are_told_and_broken_ones_marked() -> None:
    one, two = of_class("table")[:2]
    task = a_task(on(CUP, one, two), on(PLATE, one, two), constraints=(same(0, 1),))
    assert "Steps 1 and 2: the same place." in texts(drawn(task))
    (bond,) = steps(task, verdict_of(task, {}, {CUP: one}, {CUP: one, PLATE: two})).bonds
    assert bond.broken
    (bond,) = steps(task, verdict_of(task, {}, {CUP: one}, {CUP: one, PLATE: one})).bonds
    assert not bond.broken


def test_what_was_left_elsewhere_is_shown_there() -> None:
    couch, bed = of_class("couch")[0], of_class("bed")[0]
    task = a_task(on(CUP, couch))
    verdict = verdict_of(task, {}, {CUP: bed})

    def left(at: str) -> int:
        now = Situation(Named(CUP, "the cup"), "on", Named(at, "it"))
        account = Account(shortfalls=(Shortfall(0, "never", 0, (now,), "", ()),))
        told = msgspec.structs.replace(verdict, account=account)
        return count(drawn(task, verdict=told), "g", "left")

    # One is in the legend.
    assert left(bed) == 2
    assert left(of_class("counter")[0]) == 1, "it is where it began"


def test_a_state_is_shown_at_the_thing_and_a_relation_where_it_comes_about() -> None:
    couch = of_class("couch")[0]
    near = {"entity_handles_a": [CUP], "entity_handles_b": [PLATE], "number": 1}
    task = a_task(
        on(CUP, couch),
        on(PLATE, couch),
        Proposition("is_next_to", near),
        Proposition("is_clean", {"object_handles": [CUP], "number": 1}),
        Proposition("is_on_floor", {"object_handles": [PLATE], "number": 1}),
        Proposition("is_clustered", {"*args": [[CUP], [PLATE]], "number": [1, 1]}),
    )
    assert count(drawn(task), "g", "badge") == 2 * 6 + 1


def test_starts_are_read_from_the_matrices() -> None:
    task = first_tasks()[0]
    start = start_of(task)
    assert set(start) == set(task.name_to_receptacle)
    (first, matrix), handle = task.rigid_objs[0], next(iter(start))
    assert handle.startswith(first.partition(".")[0])
    assert start[handle] == tuple(row[3] for row in matrix[:3])


def test_a_thing_that_the_house_does_not_have_is_named() -> None:
    with pytest.raises(KeyError, match="spoon_9"):
        drawn(
            msgspec.structs.replace(
                a_task(), name_to_receptacle={"spoon_9_:0000": "x|y", PLATE: "x|y"}
            )
        )


def test_the_label_of_a_body_lies_within_the_plan_and_on_no_name() -> None:
    """A body at the outer wall of the outermost room had half of its label cut off."""
    scene, catalogue = first_house()
    plan = Plan(scene, catalogue, 720.0, 20.0)
    corners = [point for room in scene.rooms for point in room.polygon]
    right = max(x for x, _ in corners)
    room = next(r for r in scene.rooms if any(x == right for x, _ in r.polygon))
    down = [z for _, z in room.polygon]
    pose = AgentPose((right - 0.3, 0.0, (min(down) + max(down)) / 2), 0.0, 0.0)
    task = a_task(on(CUP, *of_class("table")))
    picture = TaskPlan(plan, task, steps(task), bodies={"human_2": pose}, labels={"human_2": "P3"})
    root = ET.fromstring(drawing(plan.width, plan.height, "", picture.draw()))
    (label,) = (e for e in root.iter(f"{SVG}text") if e.get("class") == "body-label")
    own = _area(label)
    assert own.x1 <= plan.width
    names = [e for e in root.iter(f"{SVG}text") if e.get("class") == "plan-label"]
    assert len(names) == len(scene.rooms)
    assert all(own.shared(_area(name)) == 0 for name in names)


def _area(text: ET.Element) -> Area:
    """Return the space of a text that stands about its middle."""
    size = float(text.get("font-size") or 0)
    spans = [(float(s.get("x") or 0), float(s.get("y") or 0), s.text or "") for s in text]
    wide = max(text_width(words, size) for _, _, words in spans)
    x, y = spans[0][0], [at for _, at, _ in spans]
    return Area(x - wide / 2, min(y) - 0.75 * size, x + wide / 2, max(y))
