"""Table of object classes: what they are called, what can be done with them, where they belong.

Class names are those of PARTNR's objects (OVMM's categories), completed with everyday things. Where
things usually belong is the "common sense" that decorates houses and writes tasks; it names classes
of rooms and of furniture, not all of which stand in every house. Shapes are elsewhere, in one
module per theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from episodes.scene import Affordance

Home = tuple[str, tuple[str, ...]]
"""A class of room, and the classes of furniture there on or in which a thing is usual."""


@dataclass(frozen=True, slots=True)
class ObjectClass:
    """A row of the table."""

    name: str
    """The class as in handles and data sets: ``spray_bottle``."""
    noun: str
    """The class as people say it: ``spray bottle``."""
    plural: str
    affords: tuple[Affordance, ...]
    cleaned_under_faucet: bool
    """Whether cleaning takes a faucet nearby (PARTNR: "cleaned under a faucet if dirty").

    What can be cleaned otherwise is cleaned with a brush.
    """
    group: str
    """The group that the class is in, as a plural that people say: ``toys``, ``dishes``."""
    homes: tuple[Home, ...]

    @property
    def cleanable(self) -> bool:
        return "is_clean" in self.affords

    @property
    def fillable(self) -> bool:
        """Whether it can be filled at a faucet, poured into and, once filled, poured from."""
        return "is_filled" in self.affords

    @property
    def powerable(self) -> bool:
        return "is_powered_on" in self.affords

    @property
    def rooms(self) -> tuple[str, ...]:
        return tuple(room for room, _ in self.homes)

    def furniture_in(self, room_class: str) -> tuple[str, ...]:
        """Return the furniture classes where it is usual in a class of room, or an empty tuple."""
        return next((furniture for room, furniture in self.homes if room == room_class), ())


def object_class(name: str) -> ObjectClass:
    """Return the row of a class. Raises KeyError when there is none."""
    return OBJECT_CLASSES[name]


def classes_usual_in(room_class: str) -> list[str]:
    """Return the classes that are usual in a room of a class, sorted."""
    return sorted(c.name for c in OBJECT_CLASSES.values() if room_class in c.rooms)


def classes_of_group(group: str) -> list[str]:
    """Return the classes of a group (``toys``), sorted."""
    return sorted(c.name for c in OBJECT_CLASSES.values() if c.group == group)


_HOMES: dict[str, str] = {
    "cooking": "kitchen: counter cabinet shelves stove",
    "drawer": "kitchen: counter cabinet; dining_room: table cabinet",
    "tableware": "kitchen: counter cabinet table; dining_room: table cabinet",
    "food": "kitchen: counter fridge table; dining_room: table",
    "pantry": "kitchen: counter cabinet shelves; dining_room: table cabinet; garage: shelves",
    "drinks": "kitchen: counter fridge table; dining_room: table; office: table; "
    "living_room: table; workout_room: bench",
    "sink": "kitchen: counter; bathroom: sink; laundry_room: washer_dryer shelves",
    "bath": "bathroom: sink bathtub cabinet shelves",
    "vanity": "bathroom: sink cabinet; bedroom: chest_of_drawers stand",
    "linen": "bathroom: bathtub cabinet shelves; laundry_room: washer_dryer shelves; "
    "closet: shelves; bedroom: chest_of_drawers",
    "laundry": "laundry_room: washer_dryer shelves cabinet; closet: shelves; garage: shelves",
    "desk": "office: table shelves cabinet; bedroom: table; living_room: table",
    "reading": "living_room: table couch shelves; office: table shelves; bedroom: stand bed; "
    "family_room: table couch",
    "electronics": "office: table shelves; living_room: stand table; bedroom: stand table; "
    "tv_room: stand table",
    "media": "living_room: stand table couch; tv_room: stand table couch; bedroom: stand; "
    "family_room: stand table",
    "decor": "living_room: table stand shelves; bedroom: chest_of_drawers stand; "
    "hallway: stand cabinet; dining_room: cabinet table; office: shelves table; "
    "entryway: stand cabinet; family_room: shelves table",
    "plants": "living_room: table stand shelves; hallway: stand; kitchen: counter; "
    "office: shelves; bathroom: sink; entryway: stand",
    "soft": "living_room: couch chair; bedroom: bed chair; family_room: couch; tv_room: couch",
    "clothes": "bedroom: wardrobe chest_of_drawers bed chair; closet: shelves wardrobe; "
    "laundry_room: washer_dryer",
    "outdoor": "entryway: bench stand cabinet; hallway: bench stand cabinet; closet: shelves; "
    "bedroom: wardrobe",
    "pocket": "entryway: stand cabinet; hallway: stand cabinet; bedroom: stand chest_of_drawers; "
    "living_room: table; office: table",
    "storage": "closet: shelves; garage: shelves; living_room: shelves; bedroom: wardrobe; "
    "hallway: cabinet bench; laundry_room: shelves",
    "tools": "garage: shelves cabinet table; laundry_room: shelves cabinet; closet: shelves",
    "sport": "garage: shelves; closet: shelves; bedroom: wardrobe bench; workout_room: bench "
    "shelves; entryway: bench",
    "toys": "bedroom: bed shelves chest_of_drawers; living_room: table couch shelves; "
    "play_room: table shelves; family_room: table couch shelves",
}
"""Usual places by theme: ``room: furniture furniture; room: ...``."""

# [group, theme of places], then its classes: name, states and, where they do not follow from the
# name, noun and plural after colons. States: c cleanable under a faucet, b cleanable with a brush,
# f fillable, p powerable, - none.
_TABLE = """
[dishes tableware]
cup cf; bowl cf; plate c; dish c::dishes; glass cf::glasses; wine_glass cf::wine glasses; saucer c
ramekin cf; butter_dish c::butter dishes; tray c; pitcher cf; jug cf; teapot cf; gravy_boat cf
[cookware cooking]
kettle cfp; electric_kettle cfp; pan c; pot cf; casserole c; cake_pan c; bundt_pan c; colander c
milk_frother_cup cf:milk frother; french_press cf::french presses; cutting_board c
measuring_cup cf; toaster p; blender cfp; mixer p:hand mixer
[utensils drawer]
spoon c; fork c; knife c::knives; ladle c; spatula c; whisk c; rolling_pin c; grater c
tongs c:pair of tongs:pairs of tongs; can_opener c; squeezer c:lemon squeezer; sushi_mat c
utensil_holder_cup c:utensil holder; salt_and_pepper_shaker c; spicemill c:spice mill
[drinks drinks]
bottle f; wine_bottle f; thermos cf::thermoses; can -
[provisions pantry]
canister c; jar cf; lunch_box c::lunch boxes; cereal_box -::cereal boxes; milk_carton -
candy_bar -; bread -:loaf of bread:loaves of bread; cake -; egg -
cheese -:piece of cheese:pieces of cheese
[fruit food]
apple -; banana -; orange -; lemon -; pear -; avocado -
[vegetables food]
tomato -::tomatoes; potato -::potatoes; carrot -; lettuce -:head of lettuce:heads of lettuce
bell_pepper -
[cleaning_supplies sink]
sponge -; cloth c; spray_bottle f; scrub_brush -::scrub brushes; bucket cf
detergent -:bottle of detergent:bottles of detergent; dustpan b
[toiletries bath]
soap -:bar of soap:bars of soap; soap_dish c::soap dishes; soap_dispenser f
toothbrush -::toothbrushes; toothpaste -:tube of toothpaste:tubes of toothpaste
toiletry -:shampoo bottle; toilet_paper -:roll of toilet paper:rolls of toilet paper; plunger b
toothbrush_holder c
[toiletries vanity]
hairbrush -::hairbrushes; comb -; hair_dryer p; hand_mirror b; tissue_box -::tissue boxes
[linen linen]
towel -; bath_towel -; hand_towel -
[laundry laundry]
iron bp; laundry_basket b
[books reading]
book -; notebook -; newspaper -; magazine -
[office_supplies desk]
pen -; pencil -; pencil_case -; stapler -; scissors -:pair of scissors:pairs of scissors
tape -:roll of tape:rolls of tape; ruler -; calculator p; folder -; file_sorter -; envelope -
globe b; keyboard bp; computer_mouse bp::computer mice; mouse_pad -; laptop_stand b
laptop_cover -; monitor_stand b; phone_stand -
[electronics electronics]
laptop p; phone p; tablet p; camera p; speaker p
headphones -:pair of headphones:pairs of headphones; hard_drive -; multiport_hub -
electronic_cable -; battery_charger p; radio p; desk_fan bp; flashlight p
[electronics media]
remote -:remote control; gaming_console bp; video_game_cartridge -; board_game -
[decorations decor]
candle p; candle_holder b; clock -; picture_frame -; vase cf; statue b; lamp p; lantern p
jewelry_box -::jewelry boxes; trophy b::trophies
[decorations plants]
plant_container -; plant_saucer c; watering_can cf
[soft_furnishings soft]
cushion -; blanket -; pillow -
[clothes clothes]
hat -; shirt -; sock -; tie -; belt -
[outdoor_things outdoor]
shoe b; slipper b; glove -; scarf -::scarves; umbrella -; helmet b; handbag -; backpack b
carrying_case -
[accessories pocket]
wallet -; watch -::watches; spectacles -:pair of glasses:pairs of glasses; keychain -
credit_card -
[containers storage]
basket -; box -::boxes
[tools tools]
hammer -; screwdriver -; wrench -::wrenches; clamp -; drill p; tape_measure -
toolbox b::toolboxes
[sports_equipment sport]
dumbbell -; basketball b; soccer_ball b; tennis_racquet -; baseballbat -:baseball bat; ball -
yoga_mat -
[toys toys]
stuffed_toy -; toy_truck -; toy_airplane b; toy_animal b; toy_bee b; toy_cactus b::toy cacti
toy_construction_set -; toy_fire_truck b; toy_food c
toy_fruits -:set of toy fruit:sets of toy fruit; toy_lamp p; toy_pineapple c; toy_rattle c
toy_refrigerator b; toy_sink b; toy_sofa b; toy_swing b; toy_table b; toy_vehicle b; toy_train b
toy_boat c; action_figure c; android_figure b:toy robot; doll b; puzzle_cube -
"""

_STATES: dict[str, tuple[Affordance, ...]] = {
    "c": ("is_clean",),
    "b": ("is_clean",),
    "f": ("is_filled",),
    "p": ("is_powered_on",),
    "-": (),
}


def _homes(spec: str) -> tuple[Home, ...]:
    homes = []
    for part in spec.split(";"):
        room, _, furniture = part.partition(":")
        homes.append((room.strip(), tuple(furniture.split())))
    return tuple(homes)


def _row(group: str, theme: str, spec: str) -> ObjectClass:
    first, *names = spec.split(":")
    name, states = first.split()
    noun = (names[0] if names else "") or name.replace("_", " ")
    plural = names[1] if len(names) > 1 else f"{noun}s"
    affords = tuple(a for letter in states for a in _STATES[letter])
    words = group.replace("_", " ")
    return ObjectClass(name, noun, plural, affords, "c" in states, words, _homes(_HOMES[theme]))


def _rows(table: str) -> Iterable[ObjectClass]:
    group = theme = ""
    for line in table.strip().splitlines():
        if line.startswith("["):
            group, theme = line.strip("[]").split()
            continue
        for spec in line.split(";"):
            yield _row(group, theme, spec.strip())


OBJECT_CLASSES: Mapping[str, ObjectClass] = MappingProxyType({c.name: c for c in _rows(_TABLE)})
"""All classes by name."""
