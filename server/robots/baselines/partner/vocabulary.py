"""Names by which people may call the things of a house: labels, nouns, colours, other words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from episodes.catalogue.colour_words import COLOUR_WORDS
from episodes.names import noun_of
from episodes.scene import template_name
from server.robots.baselines.partner.words import Name
from server.sessions.core import SessionCore

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "hat": ("cap",),
    "cup": ("mug",),
    "couch": ("sofa",),
    "fridge": ("refrigerator",),
    "TV": ("television", "telly"),
    "nightstand": ("bedside table", "night table", "night stand"),
    "stand": ("side table",),
    "wardrobe": ("closet",),
    "chest of drawers": ("dresser", "drawers", "commode"),
    "shelves": ("shelf", "bookshelf", "bookcase", "bookshelves"),
    "washer dryer": ("washing machine", "washer", "dryer"),
    "toy truck": ("truck", "lorry"),
    "stuffed toy": ("teddy", "teddy bear", "plush", "stuffed animal", "bear"),
    "picture frame": ("picture", "frame", "photo"),
    "plant container": ("plant", "flower pot", "plant pot", "flowerpot"),
    "laptop": ("computer", "notebook"),
    "phone": ("telephone", "mobile", "cell phone", "smartphone"),
    "stove": ("cooker", "oven"),
    "counter": ("worktop", "countertop", "kitchen top"),
    "table": ("desk",),
    "can": ("tin",),
    "cushion": ("pillow",),
    "remote control": ("remote",),
    "plate": ("dish",),
    "bathtub": ("tub", "bath"),
    "sink": ("basin", "washbasin"),
    "cabinet": ("cupboard",),
    "living room": ("lounge",),
    "hallway": ("hall", "corridor"),
    "office": ("study",),
    "bathroom": ("restroom",),
    "glass": ("tumbler",),
    "towel": ("hand towel",),
    "ball": ("toy ball",),
    "candle": ("light",),
    "lamp": ("light",),
}
"""Other words for a noun."""


def vocabulary(core: SessionCore) -> tuple[Name, ...]:
    """Return the names of everything in a session that can be talked of."""
    labels, scene = core.names.labels, core.simulator.scene
    found = [Name(r.room_id, True, tuple(_calls(labels[r.room_id], r.class_name, "")))
             for r in scene.rooms]  # fmt: skip
    for key in (*(f.handle for f in scene.furniture), *core.world.objects):
        template = core.view.template(key)
        colour = COLOUR_WORDS.get(template_name(key), "")
        names = tuple(dict.fromkeys(_calls(labels[key], template.class_name, colour)))
        found.append(Name(key, template.kind == "furniture", names))
    return tuple(found)


def _calls(label: str, class_name: str, colour: str) -> Iterator[str]:
    """Yield what something may be called."""
    noun = noun_of(class_name)
    yield label
    # *The floor lamp by the couch* is no couch.
    label = label.partition(" by the ")[0]
    for kind in dict.fromkeys((noun, label.rpartition(" ")[2], *_compounds(label))):
        # A room is called by its kind: *room* alone may be any.
        if kind.isdecimal() or kind == "room":
            continue
        for word in (kind, *SYNONYMS.get(kind, ())):
            yield word
            if word != kind and kind in label:
                yield label.replace(kind, word)
            if colour:
                yield f"{colour} {word}"
    if colour:
        yield f"{colour} one"


def _compounds(label: str) -> Iterator[str]:
    """Yield the ends of a label: of *left kitchen cabinet* also *kitchen cabinet*."""
    words = label.split()
    for start in range(1, len(words)):
        yield " ".join(words[start:])
