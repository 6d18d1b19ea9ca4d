"""Language of programs: things are declared, then methods of theirs are called, a line each.

It looks like Python, and is read with Python's own parser, but nothing of it is ever run as Python:
a line whose syntax tree is not one of the few allowed here is refused, with a reason.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

MOST_LINES = 80
MOST_CHARS = 240
"""Longest line (characters); a longer one is refused unread."""
ONE, EVERY = "Thing", "All"
UNTIL_DONE, NOTHING = "wait_until_done", "do_nothing"
FUNCTIONS = (UNTIL_DONE, NOTHING)
REMEMBER = "remember_as"
ROUTINE_NAME = re.compile(r"[a-z0-9]+( [a-z0-9]+)*")
MOST_NAME_CHARS = 40

Form = Literal["alone", "other", "beside"]


class Method(NamedTuple):
    """Method of things; ``form`` says what stands in its brackets.

    That is nothing, a thing, or a thing and perhaps what to put it beside.
    """

    form: Form
    corrects: bool = False
    """Whether it is for repairs only."""


METHODS: Mapping[str, Method] = {
    "go_to": Method("alone"),
    "look_around": Method("alone"),
    "pick_up": Method("alone"),
    "put_on": Method("beside"),
    "put_in": Method("beside"),
    "put_down": Method("alone"),
    "bring_onto": Method("beside"),
    "bring_into": Method("beside"),
    "bring_next_to": Method("other"),
    "open": Method("alone"),
    "close": Method("alone"),
    "wash": Method("alone"),
    "fill": Method("alone"),
    "pour_into": Method("other"),
    "switch_on": Method("alone"),
    "switch_off": Method("alone"),
    "come_closer": Method("alone", corrects=True),
    "step_back": Method("alone", corrects=True),
    "other_viewpoint": Method("alone", corrects=True),
}


class Declared(NamedTuple):
    """Declaration ``name = Thing("word", near="word")``; ``every``: all that the word fits."""

    name: str
    word: str
    near: str = ""
    every: bool = False

    def __str__(self) -> str:
        near = f', near="{self.near}"' if self.near else ""
        return f'{self.name} = {EVERY if self.every else ONE}("{self.word}"{near})'


class Line(NamedTuple):
    """Call of a method of a thing, or (``thing`` is empty) of one of `FUNCTIONS`."""

    verb: str
    thing: str = ""
    other: str = ""
    beside: str = ""

    def __str__(self) -> str:
        if not self.thing:
            return f"{self.verb}()"
        beside = f", beside={self.beside}" if self.beside else ""
        return f"{self.thing}.{self.verb}({self.other}{beside})"


class RoutineStatement(NamedTuple):
    """Statement ``remember_as("name")`` below so many lines."""

    name: str
    above: int

    def __str__(self) -> str:
        return f'{REMEMBER}("{self.name}")'


class Program(NamedTuple):
    """Parsed program.

    ``refused`` are lines that mean nothing, each with its reason; ``kept`` is what is to be
    remembered.
    """

    declared: tuple[Declared, ...] = ()
    lines: tuple[Line, ...] = ()
    refused: tuple[str, ...] = ()
    kept: tuple[RoutineStatement, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.declared, *self.lines)))

    def excerpt(self, line: Line) -> str:
        """Return a line with the declarations that it uses."""
        used = {line.thing, line.other, line.beside}
        return "\n".join([*(str(d) for d in self.declared if d.name in used), str(line)])

    def first(self, count: int) -> Program:
        """Return the first ``count`` lines, with the declarations that they use."""
        lines = self.lines[:count]
        used = {name for x in lines for name in (x.thing, x.other, x.beside)}
        return Program(tuple(d for d in self.declared if d.name in used), lines)


class Words(NamedTuple):
    """Names (``cup_3``), and classes and groups (``cup``, ``toys``), that things can be called.

    ``also`` leads from a plural to its class.
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    also: Mapping[str, str] = {}

    def nearest(self, word: str) -> str:
        """Return the word that is meant, or nothing."""
        wanted = re.sub(r"[\s-]+", "_", word.strip().lower())
        if wanted in self.names or wanted in self.classes:
            return wanted
        if wanted in self.also:
            return self.also[wanted]
        stem = stem_of(wanted)
        if stem in self.classes:
            # A name that is not known (any more) still says its class.
            return stem
        named = next((name for name in self.names if stem_of(name) == stem), "")
        if named:
            return named
        close = difflib.get_close_matches(wanted, self.classes, 1, 0.8)
        return close[0] if close else ""


def stem_of(word: str) -> str:
    """Return a name without its number: ``cup`` for ``cup_3``."""
    stem, _, number = word.rpartition("_")
    return stem if stem and number.isdigit() else word


class LineError(Exception):
    """Error for a line that is not in the language; the message says why."""


def parse(
    text: str, words: Words, *, corrects: bool = False, groups: bool = True, keeps: bool = False
) -> Program:
    """Read a program. What cannot be read is refused line by line; nothing raises.

    ``corrects`` allows the methods for repairs, ``groups`` allows `EVERY`, ``keeps`` allows
    `REMEMBER`.
    """
    reader = _Reader(words, corrects, groups, keeps)
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.rstrip()
        if not line or line.startswith(("#", "```")):
            continue
        try:
            reader.read(line)
        except LineError as error:
            reader.refused.append(f"line {number} ({line[:60]}): {error}")
    return Program(
        tuple(reader.declared), tuple(reader.lines), tuple(reader.refused), tuple(reader.kept)
    )


class _Reader:
    def __init__(self, words: Words, corrects: bool, groups: bool, keeps: bool) -> None:
        self.words = words
        self.corrects = corrects
        self.groups = groups
        self.keeps = keeps
        self.declared: list[Declared] = []
        self.lines: list[Line] = []
        self.refused: list[str] = []
        self.kept: list[RoutineStatement] = []
        self._names: dict[str, str] = {}
        """Name of each thing here, by what the program calls it."""

    def read(self, line: str) -> None:
        if len(self.lines) >= MOST_LINES:
            raise LineError(f"a program has at most {MOST_LINES} calls")
        if len(line) > MOST_CHARS:
            raise LineError(f"a line has at most {MOST_CHARS} characters")
        if line[0].isspace():
            raise LineError("there are no blocks: lines are not indented")
        try:
            body = ast.parse(line).body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise LineError("it is not one whole statement") from error
        if len(body) != 1:
            raise LineError("expected one statement")
        match body[0]:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                self._declare(name, call)
            case ast.Expr(value=ast.Call(func=ast.Name(id=name)) as call) if name == REMEMBER:
                self.kept.append(self._keep(call))
            case ast.Expr(value=ast.Call() as call):
                self.lines.append(self._call(call))
            case _:
                raise LineError(f"expected a declaration ({ONE} or {EVERY}) or a call")

    # Declarations

    def _declare(self, name: str, call: ast.Call) -> None:
        makers = {ONE, EVERY} if self.groups else {ONE}
        if not isinstance(call.func, ast.Name) or call.func.id not in makers:
            raise LineError(f"only {' or '.join(sorted(makers))} can be declared")
        if len(call.args) != 1 or [k.arg for k in call.keywords] not in ([], ["near"]):
            raise LineError(f'it is {ONE}("word") or {ONE}("word", near="word")')
        word = self._word(call.args[0])
        near = self._word(call.keywords[0].value) if call.keywords else ""
        self._add(name, word, near, every=call.func.id == EVERY)

    def _word(self, node: ast.expr) -> str:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            raise LineError("a thing is named by a word in quotes")
        word = self.words.nearest(node.value)
        if not word:
            raise LineError(f'"{node.value[:40]}" is no word for anything')
        return word

    def _add(self, name: str, word: str, near: str = "", *, every: bool = False) -> str:
        stem = stem_of(word)
        used = {declared.name for declared in self.declared}
        numbered = (f"{stem}_{number}" for number in range(2, 100))
        # Names that say what they stand for are kept: a repair speaks of the same things.
        wished = [name] if re.fullmatch(rf"{stem}(_[1-9][0-9]?)?", name) else []
        own = next((n for n in (*wished, stem, *numbered) if n not in used), "")
        if not own:
            raise LineError(f"too many are called {stem}")
        self.declared.append(Declared(own, word, near, every))
        self._names[name] = own
        return own

    def _thing(self, node: ast.expr) -> str:
        """Return the thing of a name; what was not declared is declared from its name."""
        if not isinstance(node, ast.Name):
            raise LineError("expected the name of a thing")
        if node.id in self._names:
            return self._names[node.id]
        word = self.words.nearest(node.id)
        if not word:
            raise LineError(f"{node.id[:40]} has not been declared")
        return self._add(node.id, word)

    def _keep(self, call: ast.Call) -> RoutineStatement:
        if not self.keeps:
            raise LineError("nothing can be remembered here")
        match call:
            case ast.Call(args=[ast.Constant(value=str() as said)], keywords=[]):
                name = " ".join(said.lower().split())
            case _:
                raise LineError(f'it is {REMEMBER}("name")')
        if not ROUTINE_NAME.fullmatch(name) or len(name) > MOST_NAME_CHARS:
            raise LineError(f"a name is made of letters and digits, {MOST_NAME_CHARS} at most")
        return RoutineStatement(name, len(self.lines))

    # Calls

    def _call(self, call: ast.Call) -> Line:
        match call.func:
            case ast.Name(id=name) if name in FUNCTIONS:
                if call.args or call.keywords:
                    raise LineError(f"it is {name}()")
                return Line(name)
            case ast.Attribute(value=ast.Name() as thing, attr=verb) if verb in METHODS:
                return self._method(thing, verb, call)
            case ast.Attribute(attr=verb):
                raise LineError(f"things have no method {verb[:40]}")
        raise LineError("only methods of things can be called")

    def _method(self, thing: ast.expr, verb: str, call: ast.Call) -> Line:
        method = METHODS[verb]
        if method.corrects and not self.corrects:
            raise LineError(f"{verb} is for repairs")
        keywords = [k.arg for k in call.keywords]
        wanted = 0 if method.form == "alone" else 1
        allowed = ([], ["beside"]) if method.form == "beside" else ([],)
        if len(call.args) != wanted or keywords not in allowed:
            raise LineError(f"it is {usage(verb)}")
        # Names are declared only once the whole line is known to be right.
        for node in (*call.args, *(k.value for k in call.keywords)):
            self._check(node)
        own = self._thing(thing)
        other = self._thing(call.args[0]) if call.args else ""
        beside = self._thing(call.keywords[0].value) if call.keywords else ""
        return Line(verb, own, other, beside)

    def _check(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Name):
            raise LineError("expected the name of a thing")
        if node.id not in self._names and not self.words.nearest(node.id):
            raise LineError(f"{node.id[:40]} has not been declared")


def usage(verb: str) -> str:
    """Return how a method is called."""
    inner = {"alone": "", "other": "other", "beside": "other, beside=third"}
    return f"thing.{verb}({inner[METHODS[verb].form]})"
