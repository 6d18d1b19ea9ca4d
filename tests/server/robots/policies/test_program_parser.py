"""The language of ``helper``'s programs: what is read, what is refused, and its grammar."""

from __future__ import annotations

import random
import re

import pytest

from episodes.catalogue.table import OBJECT_CLASSES
from server.robots.grammar import Grammar
from server.robots.grammar.programs import PROGRAM_END, Language, places_of, program_of
from server.robots.policies.helper.answers import (
    Action,
    answer_grammar,
    question_grammar,
    read_answer,
    read_places,
    read_question,
)
from server.robots.policies.helper.api_prompts import api, methods
from server.robots.policies.helper.memory import memories_of
from server.robots.policies.helper.name_binding import words_of
from server.robots.policies.helper.program_parser import (
    EVERY,
    FUNCTIONS,
    METHODS,
    ONE,
    REMEMBER,
    Declared,
    Line,
    Program,
    Words,
    parse,
    stem_of,
)
from server.robots.policies.helper.requests import QUESTIONS
from tests.server.robots.grammar.grammar_sentences import accepts, sentence
from tests.server.robots.policies.test_golden_prompts import graph

WORDS = Words(
    ("cup_0", "cup_12", "table_3", "kitchen_1", "floor_kitchen_1"),
    ("cup", "bowl", "chest_of_drawers", "floor", "kitchen", "table", "toys"),
    {"cups": "cup", "drawers": "chest_of_drawers"},
)


def grammar(*, corrects: bool = False, words: Words = WORDS) -> Grammar:
    allowed = [(n, m.form) for n, m in METHODS.items() if corrects or not m.corrects]
    language = Language(
        names=words.names,
        classes=words.classes,
        stems=tuple(dict.fromkeys((*words.classes, *map(stem_of, words.names)))),
        methods=tuple(allowed),
        makers=(ONE, EVERY),
        functions=FUNCTIONS,
        most=12,
        explained=40 if corrects else 0,
        keeping="" if corrects else REMEMBER,
    )
    return program_of(language)


def test_a_program_is_declarations_and_calls() -> None:
    program = parse(
        """
# The cup first.
cup = Thing("cup", near="kitchen")
place = Thing("table_3")
toys = All("toys")
cup.bring_onto(place)
wait_until_done()
toys.put_in(place, beside=cup)
""",
        WORDS,
    )
    assert program.refused == ()
    assert program.declared == (
        Declared("cup", "cup", "kitchen"),
        Declared("table", "table_3"),
        Declared("toys", "toys", every=True),
    )
    assert program.lines == (
        Line("bring_onto", "cup", "table"),
        Line("wait_until_done"),
        Line("put_in", "toys", "table", "cup"),
    )


def test_what_was_not_declared_is_declared_from_its_name() -> None:
    program = parse("cups.bring_onto(table_3)\ncup_12.wash()\nCup_77.wash()", WORDS)
    assert program.refused == ()
    assert program.declared == (
        Declared("cup", "cup"),
        Declared("table_3", "table_3"),
        Declared("cup_12", "cup_12"),
        # A name that is not known says its class at least.
        Declared("cup_2", "cup"),
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("import os", "expected a declaration"),
        ('__import__("os").system("true")', "things have no method system"),
        ("for n in range(3): cup.wash()", "expected a declaration"),
        ("for n in range(3):", "it is not one whole statement"),
        ("    cup.wash()", "lines are not indented"),
        ("cup.wash(); bowl.wash()", "expected one statement"),
        ("cup = lambda: 1", "expected a declaration"),
        ('cup = open("cup")', "only All or Thing can be declared"),
        ('cup = Thing("cup" + "s")', "a thing is named by a word in quotes"),
        ('cup = Thing(f"cup")', "a thing is named by a word in quotes"),
        ('cup = Thing("spaceship")', '"spaceship" is no word for anything'),
        ('cup = Thing("cup", 3)', 'it is Thing("word")'),
        ('cup = Thing("cup", where="kitchen")', 'it is Thing("word")'),
        ("cup.__class__()", "things have no method __class__"),
        ("cup.wash.now()", "things have no method now"),
        ("cup.fly()", "things have no method fly"),
        ("cup.wash(bowl)", "it is thing.wash()"),
        ("cup.bring_onto()", "it is thing.bring_onto(other, beside=third)"),
        ("cup.bring_onto(table, under=bowl)", "it is thing.bring_onto(other, beside=third)"),
        ("cup.bring_onto(*table)", "expected the name of a thing"),
        ("cup.bring_onto(table.cup)", "expected the name of a thing"),
        ("cup.bring_onto(spaceship)", "spaceship has not been declared"),
        ("cup.come_closer()", "come_closer is for repairs"),
        ("wait_until_done(5)", "it is wait_until_done()"),
        ("exec('x')", "only methods of things can be called"),
        ("cup.wash() if cup else bowl.wash()", "expected a declaration"),
        ("[cup.wash() for cup in bowl]", "expected a declaration"),
        ("(((" * 70, "it is not one whole statement"),
        ("cup.wash() #" + "x" * 300, "a line has at most 240 characters"),
    ],
)
def test_everything_else_is_refused(line: str, told: str) -> None:
    program = parse(f"{line}\nbowl.wash()", WORDS)
    assert [bool(told in problem) for problem in program.refused] == [True], program.refused
    # The rest of the program stands, and nothing of the refused line is left in it.
    assert program == Program((Declared("bowl", "bowl"),), (Line("wash", "bowl"),), program.refused)


def test_without_the_extension_all_is_refused() -> None:
    program = parse('toys = All("toys")', WORDS, groups=False)
    assert "only Thing can be declared" in program.refused[0]


def test_a_program_has_an_end() -> None:
    program = parse("cup.wash()\n" * 100, WORDS)
    assert len(program.lines) == 80
    assert "at most 80 calls" in program.refused[0]


@pytest.mark.parametrize("corrects", [False, True])
def test_every_sentence_of_the_grammar_is_a_program(corrects: bool) -> None:
    rng = random.Random(7)
    made = grammar(corrects=corrects)
    for _ in range(200):
        text = sentence(made, rng)
        assert text.endswith(f"\n{PROGRAM_END}")
        body = text.removesuffix(f"\n{PROGRAM_END}")
        assert body.startswith("Explain: ") == corrects
        body = "\n".join(x for x in body.splitlines() if not x.startswith("Explain:"))
        program = parse(body, WORDS, corrects=corrects, keeps=not corrects)
        assert program.refused == (), text
        calls = [x for x in body.splitlines() if not x.startswith("#") and " = " not in x]
        assert len(program.lines) + len(program.kept) == len(calls)


def test_every_program_that_is_read_is_in_the_grammar_and_read_again_the_same() -> None:
    """Programs that were written otherwise than the grammar would have it count too."""
    rng = random.Random(8)
    made = grammar()
    variables = ["cup", "cup_2", "it", "the_table", "bowl", "toys", "floor_kitchen"]
    words = [*WORDS.names, *WORDS.classes, "Cups", "drawers"]
    plain = [(n, m.form) for n, m in METHODS.items() if not m.corrects]
    for _ in range(60):
        lines = [f"{v} = {rng.choice((ONE, EVERY))}('{rng.choice(words)}' )" for v in variables]
        for _ in range(4):
            name, form = rng.choice(plain)
            inner = "" if form == "alone" else rng.choice(variables)
            if form == "beside" and rng.random() < 0.5:
                inner += f", beside = {rng.choice(variables)}"
            lines.append(f"{rng.choice(variables)}.{name}( {inner})")
        program = parse("\n".join(lines), WORDS)
        assert program.refused == ()
        for line in (*str(program).splitlines(), 'remember_as("tea time")'):
            assert accepts(made, f"{line}\n{PROGRAM_END}"), line
        assert parse(str(program), WORDS) == program


def test_the_words_of_a_home() -> None:
    known = graph(found=False)
    words = words_of(known, names=True)
    rooms = ("kitchen_1", "bedroom_1", "floor_kitchen_1", "counter_2", "table_3")
    assert words.names == (*rooms, "floor_bedroom_1", "bed_4", "bowl_1")
    assert "cup_0" not in words.names
    assert {"kitchen", "table", "cup", "toys", "cleaning_supplies", "floor"} <= set(words.classes)
    assert words.nearest("Spray bottles") == "spray_bottle"
    assert words.nearest("wine-glass") == "wine_glass"
    assert words.nearest("toy") == "toys"
    assert words.nearest("spaceship") == ""
    assert words_of(known, names=False).names == ()
    for word in words.classes:
        assert re.fullmatch("[a-z][a-z_]*[a-z]", word), word


def test_the_examples_are_in_the_language() -> None:
    rooms = ("bathroom", "bedroom", "dining_room", "garage", "hallway", "kitchen", "living_room")
    furniture = ("bed", "bench", "cabinet", "chest_of_drawers", "couch", "counter", "shelves",
                 "sink", "stand", "stove", "table", "wardrobe")  # fmt: skip
    groups = ("clothes", "toys", "floor", "office")
    words = Words((), (*OBJECT_CLASSES, *rooms, *furniture, *groups))
    records = memories_of().records
    refused = [
        f"{record.name}: {problem}"
        for record in records
        for problem in parse(record.program, words, corrects=record.kind == "repair").refused
    ]
    assert refused == []
    # As many of each kind as HELPER-X has, and what only the extended language can say.
    plain = [r for r in records if r.kind == "plan" and not r.extended]
    counts = [sum(r.domain == d for r in plain) for d in ("dialogue", "task", "steps", "tidy")]
    assert counts == [11, 7, 7, 3]
    assert sum(r.kind == "repair" for r in records) >= 11
    assert not any("wait_until_done" in r.program for r in memories_of().plans(extended=False))


def test_a_tool_that_is_missing_is_not_told_and_not_allowed() -> None:
    tools = ["Navigate", "Pick", "Place", "Clean"]
    told = api(tools, extended=False)
    assert "look_around" not in told
    assert "open()" not in told
    assert "All(" not in told
    assert "wait_until_done" not in told
    assert "wash()                         make it clean\n" in told
    assert "fill it with water; your body cannot: your partner is asked" in told
    assert set(methods(tools)) == set(re.findall(r"^(\w+)\(", told, re.M)) - {
        "Thing",
        "do_nothing",
    }
    assert "come_closer" in methods(tools, corrects=True)


# Answers that are no programs


def test_places_are_read_as_they_are_allowed() -> None:
    rng = random.Random(3)
    made = places_of(("kitchen_1", "table_3"), 3)
    for _ in range(20):
        text = sentence(made, rng)
        assert set(read_places(text, WORDS, 3)) <= {"kitchen_1", "table_3"}
        assert read_places(text, WORDS, 3)
    assert read_places("\n 'Kitchen_1', spaceship, cups., table_3, bowl", WORDS, 3) == [
        "kitchen_1",
        "cup",
        "table_3",
    ]


def test_questions_and_what_answers_mean() -> None:
    rng = random.Random(4)
    for _ in range(20):
        text = sentence(question_grammar(QUESTIONS, "cup"), rng)
        assert read_question(text, QUESTIONS) in QUESTIONS
        text = sentence(answer_grammar(("kitchen_1",), ("cup_0", "cup_12")), rng)
        assert read_answer(text, WORDS)
        text = sentence(answer_grammar(("kitchen_1",), ()), rng)
        assert "take" not in text
    assert read_question("what?", QUESTIONS) == "ask_where"
    assert read_answer('look_at("kitchen_1")\nrm()\ntake("cup_0")\nleave_it()', WORDS) == [
        Action("look_at", "kitchen_1"),
        Action("take", "cup_0"),
        Action("leave_it"),
    ]
