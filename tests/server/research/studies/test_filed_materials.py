"""Materials in a preregistration: texts of tasks, questions, pay, and how many groups there are."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from episodes.dataset import Task
from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.instruments.registry import INSTRUMENTS
from matchmaking.study.pages import Survey
from matchmaking.study.pay import Measure, Pay, Payment
from matchmaking.study.questions import Kind, Question
from matchmaking.study_file import read_study
from server.research.power.adequacy import adequacies
from server.research.studies.filed_materials import MOST_TASKS
from server.research.studies.preregistration import preregistration
from server.research.studies.ready_studies import ready_text
from tests.server.research.study_report.test_split_plots import split_plot


def filed(study: Study, n_tasks: int = 1) -> list[str]:
    assert study.analysis is not None
    text = "Put the cup\non the table. "
    tasks = [Task(task_id=f"t{n}", scene_id="house_0001", instruction=text) for n in range(n_tasks)]
    return preregistration(study, study.analysis, adequacies(study, 8), "abc", tasks).splitlines()


@pytest.fixture(scope="module")
def explanation() -> Study:
    return read_study(ready_text("explanation")).study


def test_texts_of_tasks_are_filed(explanation: Study) -> None:
    assert "- `t0`: Put the cup on the table." in filed(explanation)
    told = [line for line in filed(explanation, MOST_TASKS + 3) if line.startswith(("- `t", "- …"))]
    assert len(told) == MOST_TASKS + 1
    assert told[-1] == "- … and 3 more of the set first."


def test_questions_are_filed_and_instruments_by_their_title(explanation: Study) -> None:
    scale = Question(name="trusts", kind=Kind.SCALE, text={"en": "Trusted?"}, least=1, most=7)
    words = Question(name="why", kind=Kind.WORDS, text={"en": "Why\nso?"})
    tlx = INSTRUMENTS["nasa_tlx"]
    last = Survey(name="last", questions=(scale, words, tlx.questions[0]))
    *before, debrief = explanation.pages
    told = filed(replace(explanation, pages=(*before, last, debrief)))
    assert (
        "  - `goal`: What are you asked to do? (To do the household task that is written at the "
        "top, To be faster than everybody else; it has right answers)"
    ) in told
    after_each = told.index("- After each attempt:")
    assert told[after_each + 1] == f"  - {tlx.title} (`nasa_tlx`)"
    end = told.index("- On the page `last`:")
    assert told[end + 1 : end + 4] == [
        f"  - {tlx.title} (`nasa_tlx`, 1 of its {len(tlx.questions)} items)",
        "  - `trusts`: Trusted? (scale 1 to 7)",
        "  - `why`: Why so? (in words)",
    ]


def test_pay_is_filed_by_ending(explanation: Study) -> None:
    told = filed(explanation)
    assert "In GBP: base 7.00, an hour 12.00, an hour of waiting 12.00." in told
    assert "All visits together earn 4000.00 at most." in told
    (by_ending,) = [line for line in told if line.startswith("By how a visit ends: ")]
    assert "base, bonus and waiting for `completed`, `partner_left`, `over_recruited`" in by_ending
    assert "nothing for `no_consent`" in by_ending
    pay = replace(
        explanation.pay,
        endings={Ending.TIMED_OUT: Payment(Measure.FIXED, 250)},
        bonus_per_success=50,
    )
    told = filed(replace(explanation, pay=pay))
    assert any("2.50 for `timed_out`" in line for line in told)
    assert any("each task that was done 0.50" in line for line in told)
    assert "Nobody is paid." in filed(replace(explanation, pay=Pay()))


def test_groups_are_counted_once_however_many_conditions_they_play(explanation: Study) -> None:
    told = filed(split_plot())
    # Four conditions, of which each group plays the two of its briefing.
    assert sum(line.endswith("played by 42 groups.") for line in told) == 4
    assert (
        "- In all 84 groups of 168 people: 42 with briefing short, 42 with briefing full."
    ) in told
    within = read_study(ready_text("latency")).study
    target = within.cells[0].target
    assert f"- In all {target} groups of {2 * target} people." in filed(within)
    assert "- In all 320 groups of 320 people." in filed(explanation)
    assert "- Condition ours: 1human, explanation ours, 80 groups." in filed(explanation)
