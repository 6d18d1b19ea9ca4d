"""Planning examples that a memory starts with: what somebody said, and the program for it.

Eleven dialogues, seven tasks, seven tasks with steps and three rooms to tidy, as HELPER-X has them;
the homes, things and words are ours. `EXTENDED` has what only the extended language can say.
"""

from __future__ import annotations

DIALOGUES: dict[str, tuple[str, str]] = {
    "dialogue_cup_to_table": (
        "Robot: What can I do? Person: Please bring me a cup. Robot: Where is it? Person: On the "
        "counter in the kitchen. Put it on the table in the living room.",
        """\
# The person said where the cup is.
cup = Thing("cup", near="kitchen")
table = Thing("table", near="living_room")
cup.bring_onto(table)""",
    ),
    "dialogue_wash_plate": (
        "Robot: Hello, what is there to do? Person: The plate in the dining room is dirty. Wash it "
        "and put it into the kitchen cabinet. Robot: On my way.",
        """\
plate = Thing("plate", near="dining_room")
cabinet = Thing("cabinet", near="kitchen")
# First it is washed, then put away.
plate.wash()
plate.bring_into(cabinet)""",
    ),
    "dialogue_all_bowls": (
        "Person: We have to clean both bowls. Robot: Where are they? Person: One is in the office, "
        "the other one in the bedroom.",
        """\
# Two bowls are two things, each with a name of its own.
bowl = Thing("bowl", near="office")
bowl_2 = Thing("bowl", near="bedroom")
bowl.wash()
bowl_2.wash()""",
    ),
    "dialogue_water_plant_vase": (
        "Robot: What shall I do today? Person: Fill the vase with water please. Robot: And then? "
        "Person: It belongs on the stand in the hallway.",
        """\
vase = Thing("vase")
stand = Thing("stand", near="hallway")
vase.fill()
vase.bring_onto(stand)""",
    ),
    "dialogue_lamp": (
        "Person: It is dark in the bedroom. Robot: Shall I bring something? Person: Bring the "
        "flashlight to the bed and switch on the lamp.",
        """\
flashlight = Thing("flashlight")
bed = Thing("bed", near="bedroom")
lamp = Thing("lamp", near="bedroom")
flashlight.bring_onto(bed)
lamp.switch_on()""",
    ),
    "dialogue_set_table": (
        "Person: Can you set the table with me? Robot: What do you need? Person: A plate and a "
        "fork next to it. Robot: Which table? Person: The one in the dining room.",
        """\
plate = Thing("plate")
fork = Thing("fork")
table = Thing("table", near="dining_room")
# What something is put beside has to stand there already.
plate.bring_onto(table)
fork.bring_onto(table, beside=plate)""",
    ),
    "dialogue_breakfast": (
        "Person: Make breakfast ready. Robot: What do you want? Person: The bread and the butter "
        "dish from the kitchen on the dining table, and the kettle filled.",
        """\
bread = Thing("bread", near="kitchen")
dish = Thing("butter_dish", near="kitchen")
kettle = Thing("kettle")
table = Thing("table", near="dining_room")
kettle.fill()
bread.bring_onto(table)
dish.bring_onto(table)""",
    ),
    "dialogue_scrub_brushes": (
        "Person: Put all the scrub brushes on one counter. Robot: How many are there? Person: "
        "Three, I think. Look in the bathroom.",
        """\
brush = Thing("scrub_brush", near="bathroom")
brush_2 = Thing("scrub_brush", near="bathroom")
brush_3 = Thing("scrub_brush", near="bathroom")
# One counter for all of them: it is declared once.
counter = Thing("counter")
brush.bring_onto(counter)
brush_2.bring_onto(counter)
brush_3.bring_onto(counter)""",
    ),
    "dialogue_drawer": (
        "Robot: What is next? Person: I need the book. Robot: I do not see it. Person: Look in the "
        "drawer beside the bed. Put it on the couch.",
        """\
# It may be shut in: that is opened first.
drawer = Thing("chest_of_drawers", near="bedroom")
book = Thing("book", near="chest_of_drawers")
couch = Thing("couch")
drawer.open()
book.bring_onto(couch)
drawer.close()""",
    ),
    "dialogue_two_rooms": (
        "Person: The toys are everywhere. Take the ball to the bedroom floor and the toy truck to "
        "the shelves. Robot: All right. Person: Thanks!",
        """\
ball = Thing("ball")
truck = Thing("toy_truck")
floor = Thing("floor", near="bedroom")
shelves = Thing("shelves")
ball.bring_onto(floor)
truck.bring_onto(shelves)""",
    ),
    "dialogue_first_then": (
        "Robot: Hi, how can I help? Person: First put the laptop on the office table. Robot: Done "
        "soon. Person: Only then bring the phone next to it.",
        """\
laptop = Thing("laptop")
phone = Thing("phone")
table = Thing("table", near="office")
laptop.bring_onto(table)
# What comes after "then" has to wait.
wait_until_done()
phone.bring_onto(table, beside=laptop)""",
    ),
}

TASKS: dict[str, tuple[str, str]] = {
    "task_one": (
        "Put the candle from the bathroom on the stand in the hallway.",
        """\
candle = Thing("candle", near="bathroom")
stand = Thing("stand", near="hallway")
candle.bring_onto(stand)""",
    ),
    "task_two": (
        "Bring both pillows to the bed and the book to a different piece of furniture.",
        """\
pillow = Thing("pillow")
pillow_2 = Thing("pillow")
book = Thing("book")
bed = Thing("bed")
table = Thing("table")
pillow.bring_onto(bed)
pillow_2.bring_onto(bed)
book.bring_onto(table)""",
    ),
    "task_beside": (
        "Place the vase and the clock next to each other on the shelves in the living room.",
        """\
vase = Thing("vase")
clock = Thing("clock")
shelves = Thing("shelves", near="living_room")
vase.bring_onto(shelves)
clock.bring_onto(shelves, beside=vase)""",
    ),
    "task_wash": (
        "Clean the glass. Afterwards store it in the cabinet in the dining room.",
        """\
glass = Thing("glass")
cabinet = Thing("cabinet", near="dining_room")
glass.wash()
glass.bring_into(cabinet)""",
    ),
    "task_fill_and_switch": (
        "Fill the kettle at the tap, set it on the stove and turn it on.",
        """\
kettle = Thing("kettle")
stove = Thing("stove", near="kitchen")
kettle.fill()
kettle.bring_onto(stove)
kettle.switch_on()""",
    ),
    "task_order": (
        "First move the soccer ball to the bench. When that is done, put the trophy on the same "
        "bench. Finally, take the ladle to a counter.",
        """\
ball = Thing("soccer_ball")
trophy = Thing("trophy")
ladle = Thing("ladle")
bench = Thing("bench")
counter = Thing("counter")
ball.bring_onto(bench)
wait_until_done()
trophy.bring_onto(bench)
wait_until_done()
ladle.bring_onto(counter)""",
    ),
    "task_different_places": (
        "Put two watches on a different chest of drawers each, and the hat on the bedroom floor.",
        """\
watch = Thing("watch")
watch_2 = Thing("watch")
hat = Thing("hat")
# Two names are two pieces of furniture.
chest = Thing("chest_of_drawers")
chest_2 = Thing("chest_of_drawers")
floor = Thing("floor", near="bedroom")
watch.bring_onto(chest)
watch_2.bring_onto(chest_2)
hat.bring_onto(floor)""",
    ),
}

STEPS: dict[str, tuple[str, str]] = {
    "steps_one": (
        "Goal: put a bar of soap in the cabinet. Steps: 1. Go to the bathroom. 2. Take the soap "
        "from the sink. 3. Open the cabinet. 4. Put the soap inside.",
        """\
soap = Thing("soap", near="bathroom")
cabinet = Thing("cabinet", near="bathroom")
soap.pick_up()
cabinet.open()
soap.put_in(cabinet)""",
    ),
    "steps_two": (
        "Goal: move two pencils to the table. Steps: 1. Find a pencil in the office. 2. Carry it "
        "to the table. 3. Find the other pencil. 4. Put it there too.",
        """\
pencil = Thing("pencil", near="office")
pencil_2 = Thing("pencil", near="office")
table = Thing("table")
pencil.bring_onto(table)
pencil_2.bring_onto(table)""",
    ),
    "steps_beside": (
        "Goal: a spoon beside the bowl. Steps: 1. Walk to the kitchen. 2. Pick up the spoon. 3. "
        "Go to the bowl on the counter. 4. Put the spoon next to it.",
        """\
spoon = Thing("spoon", near="kitchen")
bowl = Thing("bowl", near="counter")
spoon.bring_next_to(bowl)""",
    ),
    "steps_wash": (
        "Goal: a clean pan on the stove. Steps: 1. Get the pan. 2. Rinse it in the sink. 3. Turn "
        "to the stove. 4. Put it down.",
        """\
pan = Thing("pan")
stove = Thing("stove")
pan.wash()
pan.bring_onto(stove)""",
    ),
    "steps_pour": (
        "Goal: water in the vase. Steps: 1. Fill the pitcher at the sink. 2. Pour it into the "
        "vase. 3. Leave the pitcher on the counter.",
        """\
pitcher = Thing("pitcher")
vase = Thing("vase")
counter = Thing("counter", near="kitchen")
pitcher.fill()
pitcher.pour_into(vase)
pitcher.bring_onto(counter)""",
    ),
    "steps_light": (
        "Goal: look at the book under the lamp. Steps: 1. Find the book on the shelves. 2. Bring "
        "it to the stand with the lamp. 3. Turn on the lamp.",
        """\
book = Thing("book", near="shelves")
lamp = Thing("lamp")
book.bring_next_to(lamp)
lamp.switch_on()""",
    ),
    "steps_look_first": (
        "Goal: the remote control on the couch. Steps: 1. Look around in the living room. 2. Take "
        "the remote control. 3. Go back to the couch and drop it there.",
        """\
room = Thing("living_room")
remote = Thing("remote", near="living_room")
couch = Thing("couch", near="living_room")
room.look_around()
remote.pick_up()
remote.put_on(couch)""",
    ),
}

TIDY: dict[str, tuple[str, str]] = {
    "tidy_house": (
        "Tidy up. Out of place are the toothbrush, the toy truck and the pan.",
        """\
toothbrush = Thing("toothbrush")
truck = Thing("toy_truck")
pan = Thing("pan")
# Toothbrushes belong at the sink in the bathroom.
sink = Thing("sink", near="bathroom")
toothbrush.bring_onto(sink)
# Toys belong on shelves in a bedroom.
shelves = Thing("shelves", near="bedroom")
truck.bring_onto(shelves)
# Pans belong on the kitchen counter.
counter = Thing("counter", near="kitchen")
pan.bring_onto(counter)""",
    ),
    "tidy_room": (
        "The living room is a mess: the hand towel, the drill and the book are out of place. Put "
        "each of them where it belongs.",
        """\
towel = Thing("hand_towel", near="living_room")
drill = Thing("drill", near="living_room")
book = Thing("book", near="living_room")
# Towels are kept in the bathroom.
cabinet = Thing("cabinet", near="bathroom")
towel.bring_onto(cabinet)
# Tools are kept on shelves in the garage.
shelves = Thing("shelves", near="garage")
drill.bring_onto(shelves)
# Books lie on the table in the office.
table = Thing("table", near="office")
book.bring_onto(table)""",
    ),
    "tidy_back": (
        "Help me tidy the house: please bring the shirt, the apple and the basketball back to "
        "where they usually are.",
        """\
shirt = Thing("shirt")
apple = Thing("apple")
basketball = Thing("basketball")
# Shirts hang in the wardrobe or lie on it.
wardrobe = Thing("wardrobe", near="bedroom")
shirt.bring_onto(wardrobe)
# Fruit lies on the counter.
counter = Thing("counter", near="kitchen")
apple.bring_onto(counter)
# Balls are kept on shelves.
shelves = Thing("shelves", near="garage")
basketball.bring_onto(shelves)""",
    ),
}

EXTENDED: dict[str, tuple[str, str, str]] = {
    "task_all_of_a_group": (
        "task",
        "All the toys need to be moved to the couch in the living room.",
        """\
# How many there are is not said: all that are found.
toys = All("toys")
couch = Thing("couch", near="living_room")
toys.bring_onto(couch)""",
    ),
    "task_all_of_a_class": (
        "task",
        "Put all the cups and all the plates from the dining room on the counter.",
        """\
cups = All("cup", near="dining_room")
plates = All("plate", near="dining_room")
counter = Thing("counter", near="kitchen")
cups.bring_onto(counter)
plates.bring_onto(counter)""",
    ),
    "dialogue_all": (
        "dialogue",
        "Robot: What shall I do? Person: Clear the bed, all the clothes belong in the wardrobe. "
        "Robot: Anything else? Person: No.",
        """\
clothes = All("clothes", near="bed")
wardrobe = Thing("wardrobe")
clothes.bring_into(wardrobe)""",
    ),
    "tidy_without_a_list": (
        "tidy",
        "Please bring the things that are out of place in the kitchen to where they belong.",
        """\
# Nobody says which they are: these are seldom in a kitchen, if they are there.
toys = All("toys", near="kitchen")
clothes = All("clothes", near="kitchen")
bed = Thing("bed", near="bedroom")
wardrobe = Thing("wardrobe", near="bedroom")
toys.bring_onto(bed)
clothes.bring_onto(wardrobe)""",
    ),
}
