"""Ways back to recruiters: each ending has one code, and goes where the recruiter takes it."""

from __future__ import annotations

from typing import Any

import pytest

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.recruiter import Recruiter as Declared
from server.recruiting.recruiter import Fault, LinkError, Parameters, Recruiter, Way
from server.recruiting.registry import KINDS, UnknownRecruiterError, recruiter_of
from tests.matchmaking.study.made_studies import study

KEY = "k" * 40
CODES = {ending: f"C{number}" for number, ending in enumerate(Ending)}
MTURK = {"assignmentId": "3XYZ", "workerId": "A1", "turkSubmitTo": "https://www.mturk.com"}


def of(kind: str, **changes: Any) -> tuple[Study, Recruiter]:
    declared = study(recruiter=Declared(kind=kind, codes=CODES, **changes))
    return declared, recruiter_of(declared, KEY)


@pytest.mark.parametrize("ending", Ending)
def test_R1_each_ending_goes_to_prolific_with_its_own_code(ending: Ending) -> None:
    declared, prolific = of("prolific")
    way = prolific.way_back(declared, ending, {})
    assert way == Way(f"https://app.prolific.com/submissions/complete?cc={CODES[ending]}")


def test_R1_mechanical_turk_gets_a_form() -> None:
    declared, mturk = of("mturk")
    way = mturk.way_back(declared, Ending.NO_PARTNER, MTURK)
    assert way is not None
    assert way.url == "https://www.mturk.com/mturk/externalSubmit"
    assert way.fields == {"assignmentId": "3XYZ", "code": CODES[Ending.NO_PARTNER]}


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example",
        "http://www.mturk.com",
        "https://www.mturk.com.evil.example",
        "x",
        "http://[",
    ],
)
def test_R1_a_form_goes_nowhere_but_to_mechanical_turk(elsewhere: str) -> None:
    declared, mturk = of("mturk")
    given = {**MTURK, "turkSubmitTo": elsewhere}
    assert mturk.way_back(declared, Ending.COMPLETED, given) is None


def test_sona_is_asked_for_the_credit_of_the_code_that_came() -> None:
    declared, sona = of("sona", return_url="https://x.sona-systems.com/credit?survey_code={id}")
    way = sona.way_back(declared, Ending.COMPLETED, {"id": "47&11".replace("&", "")})
    assert way == Way("https://x.sona-systems.com/credit?survey_code=4711")


def test_there_is_no_way_back_by_an_id_that_is_kept_no_longer() -> None:
    declared, sona = of("sona", return_url="https://x.sona-systems.com/credit?survey_code={id}")
    assert sona.way_back(declared, Ending.COMPLETED, {}) is None


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_R1_an_ending_without_a_code_leads_nowhere(kind: str) -> None:
    declared = study(recruiter=Declared(kind=kind))
    given: Parameters = {**MTURK, "survey_code": "1"}
    assert recruiter_of(declared, KEY).way_back(declared, Ending.COMPLETED, given) is None


def test_R5_a_recruiter_is_one_class() -> None:
    class Panel(Recruiter):
        kind = "panel"
        id_parameter = "pid"
        title = "the panel"

        def way_back(self, study: Study, ending: Ending, parameters: Parameters) -> Way | None:
            return Way(f"https://panel.example/{ending}")

    declared, panel = study(), Panel(b"key")
    assert panel.external_id(declared, {"PID": "7"}) == "7"
    assert panel.way_back(declared, Ending.WITHDREW, {}) == Way("https://panel.example/withdrew")
    with pytest.raises(LinkError) as error:
        panel.external_id(declared, {"pid": "a@b.org"})
    assert error.value.fault is Fault.E_MAIL
    assert "a@b.org" not in str(error.value)


def test_a_study_of_no_recruiter_that_there_is_cannot_open() -> None:
    with pytest.raises(UnknownRecruiterError, match="direct, hitl, lab, mturk, prolific, sona"):
        recruiter_of(study(recruiter=Declared(kind="carrier_pigeon")), KEY)


def test_labels_are_signed_for_one_study_and_one_server() -> None:
    declared, lab = of("lab")
    other = study(name="others", recruiter=declared.recruiter)
    signature = lab.sign(declared, "a")  # type: ignore[attr-defined]
    given = {"participant_label": "a", "hash": signature}
    assert lab.external_id(declared, given) == "a"
    for wrong, recruiter in ((other, lab), (declared, recruiter_of(declared, "x" * 40))):
        with pytest.raises(LinkError) as error:
            recruiter.external_id(wrong, given)
        assert error.value.fault is Fault.FORGED
    assert len(signature) * 4 >= 128
