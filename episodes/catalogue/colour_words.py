"""Words for the colours of objects, where those of a class differ: *the red book*, *the blue book*.

Written down instead of read off the shapes, because those who name things (workers) load no shapes;
a test compares them with what is drawn.
"""

from __future__ import annotations

from types import MappingProxyType

# A class, then a word for each of its variants in order; "-" where none fits.
_TABLE = """
action_figure: blue, -; android_figure: grey, orange; apple: red, green; avocado: green, grey
backpack: blue, green; baseballbat: brown, blue; basket: brown, grey; basketball: orange, blue
bath_towel: yellow, blue; battery_charger: black, white; bell_pepper: red, yellow
belt: brown, black; blanket: red, blue; blender: white, -; board_game: blue, beige
book: red, blue; bottle: green, purple; bowl: beige, white; box: brown, blue; bucket: red, blue
bundt_pan: brown, grey; butter_dish: blue, white; cake: white, pink; calculator: grey, white
camera: black, grey; can_opener: black, red; candle: purple, yellow; candle_holder: yellow, grey
candy_bar: red, blue; canister: white, red; carrot: orange, purple; carrying_case: black, orange
casserole: red, teal; cereal_box: orange, green; cheese: yellow, beige; clamp: blue, orange
clock: red, teal; cloth: white, yellow; colander: red, grey; comb: black, pink
computer_mouse: black, white; credit_card: blue, yellow; cup: red, blue; cushion: orange, pink
desk_fan: white, grey; detergent: blue, white; doll: pink, blue; drill: yellow, teal
dumbbell: black, pink; dustpan: blue, grey; egg: beige, blue; electric_kettle: black, brown
electronic_cable: black, white; envelope: white, beige; file_sorter: grey, brown
flashlight: yellow, grey; folder: yellow, blue; fork: grey, blue; french_press: grey, brown
gaming_console: white, grey; glass: white, green; globe: blue, beige; glove: brown, red
grater: grey, white; hair_dryer: pink, white; hairbrush: purple, black; hammer: -, black
hand_mirror: yellow, pink; hand_towel: white, green; handbag: red, grey; hard_drive: black, blue
hat: purple, blue; headphones: black, -; helmet: red, blue; iron: blue, pink
jewelry_box: brown, white; jug: white, blue; kettle: red, teal; keyboard: black, white
keychain: grey, yellow; ladle: grey, brown; lamp: beige, orange; lantern: black, red
laptop: light grey, dark grey; laptop_cover: grey, teal; laptop_stand: grey, brown
laundry_basket: white, blue; lemon: yellow, green; lunch_box: yellow, white
magazine: pink, yellow; measuring_cup: white, yellow; milk_frother_cup: grey, black
mixer: pink, blue; monitor_stand: brown, white; mouse_pad: black, pink
multiport_hub: light grey, dark grey; notebook: blue, black; pear: green, yellow; pen: blue, black
pencil: yellow, green; pencil_case: blue, pink; phone_stand: grey, brown
picture_frame: brown, grey; pillow: white, blue; plant_container: green, white
plant_saucer: orange, grey; plate: blue, red; plunger: red, black; potato: brown, red
radio: brown, red; ramekin: white, beige; remote: black, white; rolling_pin: beige, white
ruler: yellow, light blue; salt_and_pepper_shaker: grey, brown; scarf: green, pink
scissors: orange, blue; scrub_brush: brown, blue; shirt: blue, orange; shoe: red, teal
slipper: purple, brown; soap: white, green; soap_dish: white, blue; soccer_ball: white, yellow
sock: red, blue; spatula: black, teal; speaker: brown, blue; spectacles: black, orange
spicemill: brown, beige; sponge: yellow, pink; spoon: grey, orange; spray_bottle: white, beige
squeezer: yellow, white; stapler: red, blue; statue: white, black; stuffed_toy: orange, blue
sushi_mat: yellow, brown; tape: brown, red; tape_measure: yellow, red; teapot: green, orange
tennis_racquet: red, teal; thermos: green, red; tie: red, blue; tissue_box: blue, beige
toaster: red, grey; toiletry: pink, teal; tomato: red, orange; toolbox: black, yellow
toothbrush: blue, pink; toothbrush_holder: white, blue; toothpaste: white, teal; towel: teal, pink
toy_airplane: white, blue; toy_animal: brown, grey; toy_fruits: brown, blue; toy_lamp: red, yellow
toy_pineapple: -, pink; toy_rattle: blue, -; toy_refrigerator: light blue, pink
toy_sink: white, -; toy_sofa: pink, blue; toy_swing: red, brown; toy_table: yellow, pink
toy_truck: yellow, white; toy_vehicle: blue, yellow; tray: brown, white; trophy: yellow, grey
umbrella: red, blue; vase: blue, orange; video_game_cartridge: grey, blue; wallet: brown, black
watering_can: green, yellow; wine_bottle: grey, green; wrench: light grey, dark grey
yoga_mat: purple, teal
"""


def _read() -> dict[str, str]:
    words = {}
    for row in _TABLE.replace("\n", "; ").strip("; ").split("; "):
        class_name, _, variants = row.partition(": ")
        for number, word in enumerate(variants.split(", "), 1):
            if word != "-":
                words[f"{class_name}_{number}"] = word
    return words


COLOUR_WORDS = MappingProxyType(_read())
"""The word by template; none where no single word would tell it from the others of its class."""
