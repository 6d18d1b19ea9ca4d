"""The deduplication of prompts in the log: each is written with what is new in it alone.

A conversation that only grows is sent whole with every call; written whole every time, it would
take the square of its length. So a call's record names, by its hash, an earlier prompt of the
episode, how many characters it shares with its start, and the rest. A grammar is written once.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from server.sessions.policy_records import CallRecord

KEPT = 8
"""The prompts that are remembered to go on from: two seats, and what each looks up in between."""
LEAST_CHARS = 200
"""The shortest shared start: below it, naming another prompt costs more than it saves."""


class PromptDeduplicator:
    """A shortener of records before they are written.

    There is one per log, begun anew with each episode.
    """

    def __init__(self) -> None:
        self._prompts: deque[tuple[str, str]] = deque(maxlen=KEPT)
        """Hash and whole text, the latest last."""
        self._grammars: set[str] = set()

    def begin(self) -> None:
        """Begin an episode: what was written before is not gone back to."""
        self._prompts.clear()
        self._grammars.clear()

    def shorten(self, call: CallRecord) -> CallRecord:
        """Return the call shortened, for `restored` to restore from it and those before it."""
        prompt, sha256 = call.prompt, call.prompt_sha256
        if prompt and sha256:
            shared, base = max(
                ((shared_chars(text, prompt), known) for known, text in reversed(self._prompts)),
                default=(0, ""),
                key=lambda found: found[0],
            )
            self._prompts.append((sha256, prompt))
            if shared >= LEAST_CHARS:
                call = msgspec.structs.replace(
                    call, prompt=prompt[shared:], prompt_base=base, prompt_shared=shared
                )
        if call.grammar and call.grammar_sha256 in self._grammars:
            call = msgspec.structs.replace(call, grammar="")
        elif call.grammar:
            self._grammars.add(call.grammar_sha256)
        return call


def restored(calls: Iterable[CallRecord]) -> Iterator[CallRecord]:
    """Restore the whole prompts and grammars of one episode's calls, in the order of the log.

    Where what a prompt goes on from is not among them (part of the log was lost), the prompt is
    empty: its hash is still that of the whole.
    """
    prompts: deque[tuple[str, str]] = deque(maxlen=KEPT)
    grammars: dict[str, str] = {}
    for call in calls:
        prompt = call.prompt
        if call.prompt_shared:
            start = next((text for known, text in prompts if known == call.prompt_base), None)
            prompt = "" if start is None else start[: call.prompt_shared] + prompt
            if hashlib.sha256(prompt.encode()).hexdigest() != call.prompt_sha256:
                prompt = ""
        if prompt and call.prompt_sha256:
            prompts.append((call.prompt_sha256, prompt))
        if call.grammar:
            grammars[call.grammar_sha256] = call.grammar
        yield msgspec.structs.replace(
            call,
            prompt=prompt,
            prompt_base="",
            prompt_shared=0,
            grammar=call.grammar or grammars.get(call.grammar_sha256, ""),
        )


def shared_chars(one: str, other: str) -> int:
    """Count the characters that two texts have in common at their start."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while low < high - 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low
