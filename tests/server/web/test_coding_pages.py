"""Coding of replays: what coders send, what they see of each other, and what is refused."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest

from server.coding.codebook import read_codebook
from server.operator_accounts import Role
from server.store import codings
from server.store.coding_models import CoderNoteRow
from server.wire.coding_messages import CodingProblem, CodingSheet
from tests.server.coding.test_codebook import HELPING
from tests.server.recording.short_recordings import record
from tests.server.sessions.first_house_sessions import write_first_house
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.doubles import ORIGIN, Browser, boot_of, proposition, verdict
from tests.server.web.operator_accounts import add_account, signed_in
from tests.server.web.test_pages import alone

KEY = "0123456789abcdef"


class Coder:
    """A coder at the page of an episode's replay."""

    def __init__(self, browser: Browser, path: str, token: str) -> None:
        self.browser, self.path, self._token = browser, path, token

    @classmethod
    async def at(cls, site: RunningSite, name: str, episode: str) -> Coder:
        browser = await signed_in(site, name)
        page = (await browser.get(f"/operator/replay/{episode}")).text
        token = re.search(r'id="form-token" name="form_token" value="(\w+)"', page)
        assert token, page
        path = boot_of(page)["codingPath"]
        assert path == f"/operator/replay/{episode}/coding"
        return cls(browser, path, token[1])

    async def sheet(self) -> CodingSheet:
        answer = await self.browser.get(self.path)
        assert answer.status_code == 200, answer.text
        return msgspec.json.decode(answer.content, type=CodingSheet)

    async def send(self, to: str, **fields: str) -> httpx.Response:
        return await self.browser.client.post(
            f"{self.path}/{to}",
            data={"form_token": self._token, **fields},
            headers={"origin": ORIGIN},
        )

    async def note(self, key: str = KEY, **fields: str) -> CodingSheet:
        answer = await self.send("notes", **(NOTE | {"key": key} | fields))
        assert answer.status_code == 200, answer.text
        return msgspec.json.decode(answer.content, type=CodingSheet)

    async def refused(self, to: str, **fields: str) -> str:
        answer = await self.send(to, **fields)
        assert answer.status_code == 409, answer.text
        return msgspec.json.decode(answer.content, type=CodingProblem).text


NOTE = {"key": KEY, "book": "helping", "code": "waits", "first": "20", "last": "40", "text": ""}


@pytest.fixture
async def site(make_site: MakeSite) -> AsyncIterator[RunningSite]:
    async with make_site().running() as site:
        write_first_house(site.settings.data_dir)
        for name in ("anna", "ben"):
            await add_account(site, name, Role.WATCH)
        async with site.state.database.transaction() as db:
            await codings.add_codebook(db, read_codebook(HELPING), site.state.now())
        yield site


async def episode_of(site: RunningSite) -> str:
    """Return an episode that was played and recorded."""
    session = await alone(site, site.browser())
    episode = site.host.opened[-1][1].episode_id
    site.settings.recordings_dir.mkdir(parents=True, exist_ok=True)
    record(site.settings.recordings_dir / f"{session}.jsonl", 3, episode_id=episode)
    return await site.host.finish(session, verdict(proposition(0)))


async def test_a_note_that_is_sent_twice_is_one_and_its_words_can_be_changed(
    site: RunningSite,
) -> None:
    anna = await Coder.at(site, "anna", await episode_of(site))
    (book,) = (await anna.sheet()).books
    assert [code.code for code in book.codes] == ["offers_help", "waits"]
    await anna.note(text=" at the door ")
    (note,) = (await anna.note(text="at the door")).notes
    assert (note.coder, note.code, note.first, note.last) == ("anna", "waits", 20, 40)
    assert (note.text, note.key) == ("at the door", KEY)
    (note,) = (await anna.note(text="by the window")).notes
    assert note.text == "by the window"
    await anna.note(key="f" * 24, code="offers_help", first="30", last="30")
    assert [n.code for n in (await anna.sheet()).notes] == ["waits", "offers_help"]
    assert (await anna.send("removed", note=note.note_id)).status_code == 200
    assert (await anna.send("removed", note=note.note_id)).status_code == 200, "it is gone"
    assert [n.code for n in (await anna.sheet()).notes] == ["offers_help"]


async def test_coders_see_each_others_notes_once_both_have_finished(site: RunningSite) -> None:
    episode = await episode_of(site)
    anna = await Coder.at(site, "anna", episode)
    ben = await Coder.at(site, "ben", episode)
    await anna.note()
    (mine,) = (await anna.sheet()).notes
    await anna.send("finished", book="helping", finished="yes")
    assert (await ben.sheet()).notes == ()
    # The same key of another coder is another note.
    await ben.note(first="22", last="44")
    assert [n.coder for n in (await ben.sheet()).notes] == ["ben"]
    await ben.send("finished", book="helping", finished="yes")
    seen = (await ben.sheet()).notes
    assert [(n.coder, n.key) for n in seen] == [("anna", ""), ("ben", KEY)]
    assert "another coder" in await ben.refused("removed", note=mine.note_id)
    # Who has finished changes nothing any more, until they go on.
    assert "finished" in await anna.refused("notes", **NOTE)
    assert "finished" in await anna.refused("removed", note=mine.note_id)
    # Having seen the other's notes, neither codes the episode again.
    assert "seen each other's" in await anna.refused("finished", book="helping", finished="no")


async def test_a_coder_goes_on_while_nobody_else_has_finished(site: RunningSite) -> None:
    anna = await Coder.at(site, "anna", await episode_of(site))
    await anna.note()
    await anna.send("finished", book="helping", finished="yes")
    assert "finished" in await anna.refused("removed", note=(await anna.sheet()).notes[0].note_id)
    await anna.send("finished", book="helping", finished="no")
    await anna.note(text="later")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"code": "sleeps"}, "no code 'sleeps'"),
        ({"book": "other"}, "no codebook other"),
        ({"first": "40", "last": "20"}, "outside the episode"),
        ({"last": "999999"}, "outside the episode"),
        ({"first": "20", "last": "20"}, "noted on a stretch"),
        ({"code": "offers_help"}, "noted on a moment"),
        ({"first": "x"}, "no time"),
        ({"first": "9" * 5000}, "no time"),
        ({"key": "short"}, "no key"),
        ({"text": "x" * 2001}, "at most 2000 characters, got 2001"),
    ],
)
async def test_what_is_no_note_is_refused_with_what_to_do(
    site: RunningSite, fields: dict[str, str], said: str
) -> None:
    anna = await Coder.at(site, "anna", await episode_of(site))
    assert said in await anna.refused("notes", **(NOTE | fields))
    assert (await anna.sheet()).notes == ()


async def test_strangers_players_and_other_sites_note_nothing(site: RunningSite) -> None:
    episode = await episode_of(site)
    anna = await Coder.at(site, "anna", episode)
    stranger = site.browser("192.0.2.9")
    assert (await stranger.get(anna.path)).status_code == 403
    answer = await stranger.client.post(f"{anna.path}/notes", data=NOTE, headers={"origin": ORIGIN})
    assert answer.status_code == 403
    for origin in ("https://elsewhere.example", "null"):
        answer = await anna.browser.client.post(
            f"{anna.path}/notes",
            data={"form_token": anna._token, **NOTE},
            headers={"origin": origin},
        )
        assert answer.status_code == 403
    assert (await anna.browser.get(anna.path.replace("epi_", "epi_x"))).status_code == 404
    assert (await anna.sheet()).notes == ()


async def test_a_note_stays_with_its_episode(site: RunningSite) -> None:
    one, other = await episode_of(site), await episode_of(site)
    await (await Coder.at(site, "anna", one)).note()
    anna = await Coder.at(site, "anna", other)
    assert "stays with its episode" in await anna.refused("notes", **NOTE)


async def test_words_of_notes_go_with_a_forgotten_participant_and_codes_stay(
    site: RunningSite,
) -> None:
    episode = await episode_of(site)
    anna = await Coder.at(site, "anna", episode)
    await anna.note(text="she says her name")
    await anna.note(key="e" * 16, first="1", last="9")
    row = await site.state.sessions.episode(episode, 0.0)
    assert row is not None
    people = [occupancy.participant_id for occupancy in row.session.occupancies]
    async with site.state.database.transaction() as db:
        await codings.blank_words(db, [person for person in people if person])
    assert [(n.code, n.text) for n in (await anna.sheet()).notes] == [("waits", ""), ("waits", "")]


async def test_a_codebook_that_is_used_stays_as_it_is(site: RunningSite) -> None:
    anna = await Coder.at(site, "anna", await episode_of(site))
    changed = read_codebook(HELPING.replace("Stands while", "Sits while"))
    now = site.state.now()
    async with site.state.database.transaction() as db:
        assert await codings.add_codebook(db, changed, now), "nobody has used it"
        assert not await codings.add_codebook(db, changed, now)
    await anna.note()
    async with site.state.database.transaction() as db:
        with pytest.raises(codings.CodingError, match="new name"):
            await codings.add_codebook(db, read_codebook(HELPING), now)
        with pytest.raises(codings.CodingError, match="it stays"):
            await codings.remove_codebook(db, "helping")


async def test_notes_go_with_their_session(site: RunningSite) -> None:
    episode = await episode_of(site)
    anna = await Coder.at(site, "anna", episode)
    await anna.note()
    await anna.send("finished", book="helping", finished="yes")
    async with site.state.database.transaction() as db:
        (found,) = await codings.finished_codings(db)
        assert [note.code for note in found.notes] == ["waits"]
        row = await db.get(CoderNoteRow, found.notes[0].note_id)
        assert row is not None
        played = await site.state.sessions.episode(episode, 0.0)
        assert played is not None
        await codings.remove_codings(db, [played.session.session_id])
    async with site.state.database.transaction() as db:
        assert await codings.finished_codings(db) == []
    assert (await anna.sheet()).notes == ()
