import re
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.catalogue import catalogue
from episodes.drawing import colours, draw_house
from episodes.drawing.free_space import Area, FreeSpace, beside
from episodes.drawing.plan import Plan
from episodes.drawing.svg import element, number, text_width, wrap
from episodes.drawing.symbols import LOOKS, symbol
from episodes.houses import first_house
from episodes.scene import Template

SVG = "{http://www.w3.org/2000/svg}"
TOKENS = Path(__file__).parents[3] / "client" / "src" / "styles" / "tokens.css"


def classes(drawn: ET.Element, tag: str, name: str) -> list[ET.Element]:
    return [e for e in drawn.iter(f"{SVG}{tag}") if name in (e.get("class") or "").split()]


def test_the_plan_shows_every_room_door_window_and_piece_of_furniture() -> None:
    scene, shapes = first_house()
    drawn = ET.fromstring(draw_house(scene, shapes))
    assert len(classes(drawn, "polygon", "plan-room")) == len(scene.rooms)
    furniture = classes(drawn, "g", "plan-furniture") + classes(drawn, "polygon", "plan-furniture")
    assert len(furniture) == len(scene.furniture)
    doors = [o for o in scene.openings if o.kind == "door"]
    assert len(classes(drawn, "line", "plan-door")) == len(doors)
    # A window is a pane and its frame.
    windows = [o for o in scene.openings if o.kind == "window"]
    assert len(classes(drawn, "line", "plan-window")) == 2 * len(windows)
    names = {"".join(e.itertext()).replace(" ", "") for e in classes(drawn, "text", "plan-label")}
    assert {r.class_name.replace("_", "") for r in scene.rooms} <= names


def test_the_same_house_gives_the_same_bytes() -> None:
    scene, shapes = first_house()
    assert draw_house(scene, shapes) == draw_house(scene, shapes)


def test_furniture_is_drawn_where_it_stands() -> None:
    scene, shapes = first_house()
    plan = Plan(scene, shapes, 1000.0, 16.0)
    for piece in scene.furniture:
        x, y = plan.at((piece.pose.position[0], piece.pose.position[2]))
        area = Area.of(plan.outline(piece.handle))
        room = Area.of(plan.outline(piece.room_id))
        assert area.x0 <= x <= area.x1
        assert area.y0 <= y <= area.y1
        # Half a centimetre of slack is for things that touch a wall.
        slack = 0.005 * plan.scale
        assert room.x0 - slack <= area.x0
        assert area.y1 <= room.y1 + slack


def test_a_scene_without_rooms_cannot_be_drawn() -> None:
    scene, shapes = first_house()
    with pytest.raises(ValueError, match="expected a scene with rooms"):
        draw_house(msgspec.structs.replace(scene, rooms=()), shapes)


@pytest.mark.parametrize("name", sorted(LOOKS))
def test_every_symbol_stays_within_its_furniture(name: str) -> None:
    found = [t for t in catalogue().templates.values() if t.class_name == name]
    for template in found:
        drawn = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{symbol(template)}</svg>')
        low, high = template.box
        for rect in drawn.iter(f"{SVG}rect"):
            x, y = float(rect.attrib["x"]), float(rect.attrib["y"])
            assert low[0] - 0.01 <= x
            assert x + float(rect.attrib["width"]) <= high[0] + 0.01
            assert low[2] - 0.01 <= y
            assert y + float(rect.attrib["height"]) <= high[2] + 0.01


def test_what_has_no_symbol_shows_its_solids() -> None:
    table = next(t for t in catalogue().templates.values() if t.class_name == "table")
    unknown = msgspec.structs.replace(table, class_name="loom")
    drawn = symbol(unknown)
    assert drawn.count("<rect") == len(table.solids)
    bare: Template = msgspec.structs.replace(unknown, solids=())
    assert symbol(bare).count("<rect") == 1


def test_colours_are_those_of_the_pages() -> None:
    tokens = dict(re.findall(r"^  --([\w-]+): (#\w+);$", TOKENS.read_text(), re.M))
    shared = "PAPER SURFACE SUNKEN INK INK_SOFT RULE RULE_STRONG HUMAN HUMAN_SOFT ROBOT ROBOT_SOFT"
    outcomes = "GOOD GOOD_SOFT BAD BAD_SOFT WARN WARN_SOFT"
    for name in f"{shared} {outcomes}".split():
        assert getattr(colours, name) == tokens[name.lower().replace("_", "-")], name


def test_text_is_escaped_and_lines_are_wrapped() -> None:
    assert element("text", x=1.0, aria_label='a "b" <c>') == (
        '<text x="1" aria-label="a &quot;b&quot; &lt;c&gt;"/>'
    )
    assert wrap("put the cup on the table", 100, 10, most=2) == ["put the cup on", "the table"]
    assert wrap("one two three four", 30, 10, most=2)[-1].endswith("…")


@given(st.text("abcdefg ", max_size=80), st.floats(60, 400))
def test_wrapped_lines_keep_every_word_and_fit(text: str, width: float) -> None:
    lines = wrap(text, width, 10)
    assert " ".join(lines).split() == text.split()
    assert all(text_width(line, 10) <= width or " " not in line for line in lines)


@given(st.floats(-1e4, 1e4, allow_nan=False))
def test_numbers_are_short_and_near(value: float) -> None:
    assert abs(float(number(value)) - value) <= 0.0005001


def test_words_go_where_nothing_is() -> None:
    free = FreeSpace(Area(0, 0, 200, 200))
    first = free.best(beside(100, 100, 5, "cup", 10))
    second = free.best(beside(100, 100, 5, "cup", 10))
    assert first.shared(second) == 0
    # Nothing is below a point at the lower edge.
    assert free.best(beside(100, 195, 5, "cup", 10)).y1 <= 200
