"""Docstrings, strings below constants and help of options: each names its subject first."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("server", "episodes", "matchmaking", "scripts")


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


HIDING = words(
    """
    of who whom whose whoever what whatever which where wherever when whenever why how so
    those these this one it its they them their theirs he she there here by with without from as for
    if until since something everything nothing somebody made told kept called given
    sent waited did
    """
)
"""First words after which a reader still looks for what is spoken of."""

SUBJECTLESS = words(
    """
    launches asks makes builds tells returns raises keeps applies is are was were has had
    return tell another instead now added only more
    """
)
"""First words that leave out the subject of a module, class, property or constant."""

IMPERATIVES = words(
    """
    accept act add align announce answer append archive ask assign become begin bind break bring
    build call carry check choose classify clean close compare compile complete compress compute
    connect convert copy count cut deal decide declare decode describe destroy divide do draft draw
    drop dump edit empty encode end estimate evaluate explain export face fill find finish fit flush
    fold forget form free furnish generate give go ground group hang have install join judge keep
    launch lay leave let list listen load log look lower make mark match measure merge mirror move
    name note open order outline pack parse pass phrase pick plan play pool print probe publish pull
    put queue quote raise rate read receive record reduce refer refuse relay release remember remove
    render reopen repeat replace report require restore return reverse run say score seal seat see
    seed send serve set settle share shorten show sign slow sort spend split stand start step stop
    store submit sum take tell tile time try turn undo unpack wait walk wire word write yield
    """
)
"""Verbs that the docstrings of functions begin with; another that fits is added here."""


@dataclass(frozen=True)
class Text:
    """A piece of prose in a source file: what it describes, and its first word in lower case."""

    kind: str
    line: int
    first: str
    boolean: bool = False


def first_word(text: str) -> str:
    """Return the first word in lower case, without the punctuation after it."""
    return re.sub(r"[.,:;…]+$", "", text.split()[0]).lower() if text.strip() else ""


def literal(node: ast.expr | None) -> str | None:
    """Return the text of a string, or what stands before the first value of an f-string."""
    if isinstance(node, ast.JoinedStr) and node.values:
        node = node.values[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_boolean(annotation: ast.expr | None, value: ast.expr | None) -> bool:
    """Tell whether an annotation, or else a value, is that of a boolean."""
    if annotation is not None:
        return re.search(r"\bbool\b", ast.unparse(annotation)) is not None
    return isinstance(value, ast.Compare | ast.BoolOp) or (
        isinstance(value, ast.Constant) and isinstance(value.value, bool)
    )


def kind_of(node: ast.AST) -> str:
    """Return what a docstring of a node describes."""
    if isinstance(node, ast.Module):
        return "module"
    if isinstance(node, ast.ClassDef):
        return "class"
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    if node.name.startswith("test_"):
        return "test"
    decorators = {ast.unparse(one).rpartition(".")[2] for one in node.decorator_list}
    return "property" if decorators & {"property", "cached_property"} else "function"


def below_constants(body: list[ast.stmt]) -> Iterator[Text]:
    """Yield the strings that stand below constants and attributes."""
    for above, below in pairwise(body):
        if not isinstance(above, ast.Assign | ast.AnnAssign) or not isinstance(below, ast.Expr):
            continue
        text = literal(below.value)
        if text is not None:
            annotation = above.annotation if isinstance(above, ast.AnnAssign) else None
            boolean = is_boolean(annotation, above.value)
            yield Text("constant", below.lineno, first_word(text), boolean)


def texts(source: str) -> Iterator[Text]:
    """Yield the prose of a source: docstrings, strings below constants, and help of options."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from below_constants(node.body)
            docstring = ast.get_docstring(node)
            if docstring:
                returns = getattr(node, "returns", None)
                boolean = returns is not None and is_boolean(returns, None)
                yield Text(kind_of(node), node.body[0].lineno, first_word(docstring), boolean)
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                text = literal(keyword.value) if keyword.arg in ("help", "description") else None
                if text:
                    yield Text("help", keyword.value.lineno, first_word(text))


def hides(text: Text) -> bool:
    """Tell whether a text begins with a word that hides its subject."""
    if text.first == "whether":
        return not (text.boolean and text.kind in ("constant", "property"))
    return text.first in HIDING or (
        text.kind in ("module", "class", "property", "constant") and text.first in SUBJECTLESS
    )


def offenders(source: str) -> list[Text]:
    """List the texts of a source that hide their subject, and functions without a verb."""
    return [
        text
        for text in texts(source)
        if hides(text) or (text.kind == "function" and text.first not in IMPERATIVES)
    ]


def named(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the source of every Python file of a folder."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text()


@pytest.mark.parametrize("folder", FOLDERS)
def test_prose_names_its_subject_first(folder: str) -> None:
    assert [
        f"{name}:{text.line}: a {text.kind} begins with {text.first!r}"
        for name, source in named(folder)
        for text in offenders(source)
    ] == []


def test_prose_of_tests_names_its_subject_first() -> None:
    assert [
        f"{name}:{text.line}: a {text.kind} begins with {text.first!r}"
        for name, source in named("tests")
        for text in texts(source)
        if text.kind in ("module", "class", "property", "function", "test") and hides(text)
    ] == []


@pytest.mark.parametrize(
    "source",
    [
        '"""Of one seat in one episode."""',
        'def act():\n    """Of one seat in one episode."""',
        'def act():\n    """Every seat of an episode."""',
        'async def act():\n    """So that it is done."""',
        'class Act:\n    """Who has waited so long for a person."""',
        'class Act:\n    @property\n    def seat(self) -> int:\n        """How far."""',
        'class Act:\n    @property\n    def seat(self) -> int:\n        """Return the seat."""',
        'WAIT_S = 3\n"""How long a seat waits (s)."""',
        'Act = Callable[[int], bool]\n"""Tells whether a seat acts."""',
        'class Act:\n    wait: int\n    """Whether, and for how long, a seat waits."""',
        'class Act:\n    def __init__(self):\n        self.seat = 3\n        """Its seat."""',
        'Option("--seat", help="of one seat in one episode")',
        'Option("--seat", help=f"Which seat of {EPISODE}.")',
        'def act() -> bool:\n    """Whether a seat acts."""',
    ],
)
def test_hidden_subjects_are_found(source: str) -> None:
    assert len(offenders(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        '"""The seats of an episode."""',
        'def act():\n    """Return the seats that act."""',
        'class Act:\n    """A seat that acts."""',
        'class Act:\n    acts: bool\n    """Whether the seat acts."""',
        'class Act:\n    @property\n    def acts(self) -> bool:\n        """Whether it acts."""',
        'WAIT_S = 3\n"""Seconds that a seat waits."""',
        'Option("--seat", help="Seat of the robot.")',
    ],
)
def test_named_subjects_pass(source: str) -> None:
    assert offenders(source) == []
