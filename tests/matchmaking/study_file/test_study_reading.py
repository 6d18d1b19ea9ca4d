"""Study files: read into the value, refused with line, key and the nearest known one."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from episodes.teams import Team
from matchmaking.study.instruments.nasa_tlx import NASA_TLX
from matchmaking.study.pages import Play
from matchmaking.study_file import FileProblem, StudyFileError, read_study
from matchmaking.study_file.nodes import LONGEST
from matchmaking.study_file.schema import study_schema

FILE = """\
name: my-study
title: Partners at home
languages: [en]
recruiter: {kind: direct, codes: {completed: 123}}
treatment: {profile: partnr, viewport: [1280, 720]}
pages:
  - page: consent
    version: 1
    text: |
      We record you.
  - page: lobby
  - page: play
    episodes: 2
    after_each: {name: each, instruments: [nasa_tlx]}
factors:
  - {name: partner, levels: [person, robot]}
cells:
  - name: pair
    team: pair
    target: 20
    levels: {partner: person}
  - name: robot
    team: human=person,robot=expert
    target: 20
    levels: {partner: robot}
    treatment: {explanation: none}
"""


def refused(text: str) -> str:
    """Return what is said of a text that is no study."""
    with pytest.raises(StudyFileError) as failure:
        read_study(text)
    return str(failure.value)


def test_a_file_is_read_into_the_value() -> None:
    read = read_study(FILE)
    study = read.study
    assert study.title == {"en": "Partners at home"}
    assert study.recruiter.codes == {"completed": "123"}, "a code is a text, whatever it looks like"
    assert [cell.team for cell in study.cells] == [
        Team.parse("pair"),
        Team.parse("human=person,robot=expert"),
    ]
    pair, robot = (cell.treatment for cell in study.cells)
    assert (pair.profile, pair.viewport, pair.explanation) == ("partnr", (1280, 720), "ours")
    assert (robot.profile, robot.explanation) == ("partnr", "none")
    play = study.page_of(Play)
    assert play is not None
    assert play.after_each is not None
    assert play.after_each.questions == NASA_TLX.questions


def test_parts_know_their_lines() -> None:
    read = read_study(FILE)
    lines = FILE.split("\n")
    for where, text in {
        ("name",): "name: my-study",
        ("pages", 0, "text"): "    text: |",
        ("cells", 1, "target"): "    target: 20",
        ("cells", 1, "treatment", "explanation"): "    treatment: {explanation: none}",
    }.items():
        assert lines[read.line_of(where) - 1] == text
    assert read.line_of(("pay", "cap")) == 1, "what is not written is the file's"
    assert read.line_of(("cells", 1, "most_begun")) == 22


CHANGES: list[tuple[str, str, str]] = [
    # What is written, what instead, and what is said
    ("target: 20", "targt: 20", "line 18: cells 1: expected the key 'target', and it is not there"),
    (
        "target: 20",
        "targt: 20",
        "line 20: cells 1: there is no key 'targt': did you mean 'target'?",
    ),
    ("title:", "titel:", "line 2: there is no key 'titel': did you mean 'title'?"),
    ("page: lobby", "page: loby", "line 11: pages 2, page: expected one of device, consent"),
    ("page: lobby", "page: loby", "got 'loby'; the nearest is 'lobby'"),
    ("- page: lobby", "- lobby", "line 11: pages 2: expected `page:` and its keys, got 'lobby'"),
    ("- page: lobby", "- {name: x}", "line 11: pages 2: expected `page:` with one of ['device'"),
    (
        "episodes: 2",
        "episodes: two",
        "line 13: pages 3, episodes: expected a whole number, got 'two'",
    ),
    ("episodes: 2", "episodes: 2.5", "line 13: pages 3, episodes: expected a whole number"),
    ("[nasa_tlx]", "[nasa]", "line 14: pages 3, after_each, instruments: there is no instrument"),
    ("[nasa_tlx]", "[nasa]", "did you mean 'nasa_tlx'?"),
    ("team: pair", "team: pear", "line 19: cells 1, team: no team has the short name 'pear'"),
    (
        "team: pair",
        "team: [pair]",
        "line 19: cells 1, team: expected a team such as pair, got a list",
    ),
    ("[1280, 720]", "[1280]", "line 5: treatment, viewport: expected 2 values, got 1"),
    ("partner: robot", "partner: cat", "line 25: cells 2, levels, partner: 'cat' is none of its"),
    ("target: 20", "target: 0", "line 24: cells 2, target: expected 1 group or more, got 0"),
    (
        "levels: [person, robot]",
        "levels: [person]",
        "line 16: factors 1, levels: expected two levels",
    ),
    ("explanation: none", "explanation: non", "line 26: cells 2, treatment, explanation: expected"),
    ("completed: 123", "complete: 123", "line 4: recruiter, codes, complete: expected one of"),
    ("recruiter:", "contact: ", "line 1: expected the key 'recruiter', and it is not there"),
    ("languages: [en]", "languages: [en, de]", "line 2: title: expected a text in 'de'"),
    ("languages: [en]", "languages: en", "line 3: languages: expected a list, got 'en'"),
    ("languages: [en]", "name: twice", "line 3: 'name' is there already, on line 1"),
    ("languages: [en]", "[a]: b", "line 3: expected a word as key, got a list"),
    ("languages: [en]", "menu: {}", "line 3: there is no key 'menu'"),
    ("title: Partners at home", "title:", "line 2: title: expected a text in 'en'"),
    ("name: my-study", "name: [", "it is no YAML"),
    ("name: my-study", "name: !!python/object:os.system x", "line 1: name: expected no tag"),
    (
        "    version: 1\n",
        "    version: 1\n    on_pay: Less.\n",
        "line 9: pages 1, on_pay, en: expected",
    ),
]


@pytest.mark.parametrize(("written", "instead", "told"), CHANGES)
def test_what_is_wrong_is_told_with_its_line(written: str, instead: str, told: str) -> None:
    assert written in FILE
    assert told in refused(FILE.replace(written, instead))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: the file is empty: `cohabit study new` writes one"),
        ("- a list", "line 1: expected keys with values, got a list"),
        ("a: 1\n---\nb: 2", "line 2: it is no YAML: expected a single document"),
        ("[" * 5000, "line 1: it is nested too deeply"),
        ("#" * (LONGEST + 1), "line 1: expected at most 1000000 characters"),
        ("name: \x00", "it is no YAML"),
    ],
)
def test_what_is_no_mapping_is_refused(text: str, told: str) -> None:
    assert told in refused(text)


def test_aliases_do_not_multiply_without_end() -> None:
    tenfold = "".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 10)}]\n" for n in range(1, 9))
    assert "there is no key 'x0'" in refused(f"x0: &x0 [a]\n{tenfold}")
    many = "cells: [" + ", ".join(["*c"] * 40_000) + "]"
    anchored = f"factors: [&c {{name: a, team: pair, target: 1}}]\n{many}\n"
    assert "it has too many values" in refused(anchored)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_with_lines(text: str) -> None:
    with pytest.raises(StudyFileError) as failure:
        read_study(text)
    assert all(problem.line >= 1 for problem in failure.value.problems)


@given(st.data())
def test_a_file_with_a_piece_cut_out_is_read_or_refused(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(FILE)))
    end = data.draw(st.integers(start, len(FILE)))
    text = FILE[:start] + FILE[end:]
    try:
        read_study(text)
        problems: tuple[FileProblem, ...] = ()
    except StudyFileError as error:
        problems = error.problems
    assert all(1 <= problem.line <= FILE.count("\n") + 1 for problem in problems)


def test_the_schema_takes_what_is_read_and_refuses_other_keys() -> None:
    schema = json.loads(json.dumps(study_schema()))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    validator.validate(yaml.safe_load(FILE))
    assert not validator.is_valid(yaml.safe_load(FILE.replace("target:", "targt:")))
    assert not validator.is_valid(yaml.safe_load(FILE.replace("page: lobby", "page: loby")))
    assert not validator.is_valid(yaml.safe_load(FILE.replace("- page: lobby", "- name: lobby")))
    target = schema["$defs"]["Cell"]["properties"]["target"]
    assert target["description"] == "Groups that are to complete it."
