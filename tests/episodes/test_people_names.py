"""Labels that people use: unique, with the noun of the class, told apart by what one sees."""

from __future__ import annotations

import colorsys
from collections import Counter

import numpy as np
import pytest

from episodes.catalogue import catalogue, colour_areas
from episodes.catalogue.colour_words import COLOUR_WORDS
from episodes.houses import first_house, generate_house
from episodes.names import name_things, noun_of
from episodes.poses import yaw_of
from episodes.tasks import first_tasks


def _labels(seed: int | None = None) -> dict[str, str]:
    scene = first_house().scene if seed is None else generate_house(seed, catalogue()).scene
    return name_things(scene, catalogue(), (), "people").labels


@pytest.mark.parametrize("seed", [None, 3, 11, 42])
def test_furniture_has_labels_of_its_own_with_the_noun_of_its_class(seed: int | None) -> None:
    scene = first_house().scene if seed is None else generate_house(seed, catalogue()).scene
    labels = name_things(scene, catalogue(), (), "people").labels
    told = [labels[f.handle] for f in scene.furniture]
    assert len(set(told)) == len(told)
    for piece in scene.furniture:
        noun = noun_of(catalogue().templates[piece.template].class_name)
        assert noun in labels[piece.handle]


def test_stands_beside_a_bed_are_nightstands_left_and_right_of_who_faces_it() -> None:
    scene, _ = first_house()
    labels = _labels()
    pieces = {labels[f.handle]: f for f in scene.furniture}
    left, right = pieces["left nightstand"], pieces["right nightstand"]
    assert left.room_id == right.room_id == pieces["bed"].room_id
    # Its front is to the west: who faces it looks east, and has the south (+Z) at the right hand.
    assert yaw_of(left.pose.rotation) == pytest.approx(np.pi / 2)
    assert right.pose.position[2] > left.pose.position[2]


def test_what_there_is_once_has_no_more_than_its_kind_for_a_name() -> None:
    told = set(_labels().values())
    assert {"fridge", "bed", "couch", "TV", "TV stand", "dining table", "coffee table"} <= told
    assert {"kitchen cabinet", "wall cabinet", "hallway bench"} <= told


def test_few_labels_are_told_apart_by_a_number() -> None:
    scene, _ = first_house()
    labels = _labels()
    numbered = [labels[f.handle] for f in scene.furniture if labels[f.handle][-1].isdigit()]
    # Chairs around one table: nobody can tell which is the third, nor has to.
    assert {label.rpartition(" ")[0] for label in numbered} == {"dining room chair"}


def test_objects_of_a_kind_are_told_apart_by_colour_then_by_number() -> None:
    scene, made = first_house()
    objects = ["book_1_:0000", "book_2_:0000", "book_2_:0001", "cup_1_:0000"]
    labels = name_things(scene, made, objects, "people").labels
    assert [labels[h] for h in objects] == ["red book", "blue book", "blue book 2", "cup"]


def test_an_object_with_the_noun_of_furniture_has_another_label() -> None:
    scene, made = first_house()
    for task in first_tasks():
        labels = name_things(scene, made, task.name_to_receptacle, "people").labels
        things = [*(f.handle for f in scene.furniture), *task.name_to_receptacle]
        assert len({labels[h] for h in things}) == len(things)


def test_graph_names_are_the_same_whatever_the_labels() -> None:
    scene, made = first_house()
    objects = ["book_1_:0000", "book_2_:0000"]
    people, numbers = (name_things(scene, made, objects, n) for n in ("people", "numbers"))
    assert people.graph == numbers.graph
    assert people.labels != numbers.labels
    rooms = [room.room_id for room in scene.rooms]
    assert [people.labels[r] for r in rooms] == [numbers.labels[r] for r in rooms]


def test_colour_words_are_of_colours_that_are_drawn() -> None:
    """A word stands for a fifth of what is drawn, at least, and tells the variants apart."""
    templates = catalogue().templates
    assert set(COLOUR_WORDS) <= set(templates)
    per_class = Counter((templates[t].class_name, w) for t, w in COLOUR_WORDS.items())
    assert max(per_class.values()) == 1
    wrong = {
        template: word for template, word in COLOUR_WORDS.items() if _share(template, word) < 0.2
    }
    assert wrong == {}


def _share(template: str, word: str) -> float:
    areas = colour_areas(template)
    basic = word.removeprefix("light ").removeprefix("dark ")
    fitting = sum(area for colour, area in areas.items() if _fits(colour, basic))
    return fitting / sum(areas.values())


HUES = {"red": (340, 20), "orange": (8, 45), "yellow": (33, 70), "green": (55, 178),
        "teal": (155, 205), "blue": (165, 255), "purple": (245, 320), "pink": (290, 20),
        "brown": (5, 50), "beige": (15, 65)}  # fmt: skip


def _fits(colour: str, word: str) -> bool:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, _ = colorsys.rgb_to_hls(red, green, blue)
    chroma = max(red, green, blue) - min(red, green, blue)
    if word in ("white", "grey", "black"):
        bounds = {"white": (0.7, 1.0), "grey": (0.18, 0.85), "black": (0.0, 0.32)}[word]
        return chroma < 0.25 and bounds[0] <= light <= bounds[1]
    low, high = HUES[word]
    degrees = hue * 360
    inside = low <= degrees <= high if low < high else degrees >= low or degrees <= high
    return inside and chroma > 0.05
