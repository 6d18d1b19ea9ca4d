"""Authority of clients: what they send is of the seat that their connection has."""

from __future__ import annotations

from typing import get_args

import msgspec

from server.wire.client_messages import ClientMessage

NAMES_OF_SEATS = {"seat", "seat_id", "by", "agent", "body", "participant", "player", "owner"}


def test_X4_no_message_of_a_client_names_the_seat_that_it_moves() -> None:
    kinds = get_args(ClientMessage)
    assert len(kinds) > 5
    for kind in kinds:
        fields = {field.name for field in msgspec.structs.fields(kind)}
        assert not fields & NAMES_OF_SEATS, kind
