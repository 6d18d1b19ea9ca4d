"""Addresses of visitors: nothing that is stored has them."""

from __future__ import annotations

from matchmaking.study.recruiter import Recruiter
from tests.server.web.conftest import MakeSite
from tests.server.web.participants.visitors import (
    AGREES,
    ALL_CODES,
    Visitor,
    play_to_the_end,
    short_study,
    through,
)

ADDRESS = "203.0.113.77"


async def test_X7_no_file_of_the_server_has_the_address_of_a_visitor(make_site: MakeSite) -> None:
    study = short_study(recruiter=Recruiter(kind="prolific", codes=ALL_CODES))
    site = make_site(study)
    async with site.running():
        ann = Visitor(site, site.browser(ADDRESS))
        await ann.begin("/s/short?PROLIFIC_PID=5f3a00000000000000000001&STUDY_ID=b&SESSION_ID=c")
        await ann.send(AGREES)
        await ann.open("/visit/i-have-a-problem")
        await ann.send({"text": "It is dark"})
        await ann.open("/visit")
        await ann.send({})
        await play_to_the_end(site, ann)
        await through(ann)
        visit = (await ann.row()).visit_id
    folders = (site.settings.data_dir, site.settings.keys)
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert any(path.name.startswith("cohabit.db") for path in files)
    stored = b"".join(path.read_bytes() for path in files)
    assert visit.encode() in stored
    assert b"It is dark" not in stored, "words are sealed"
    assert ADDRESS.encode() not in stored
