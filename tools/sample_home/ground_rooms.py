"""How the rooms downstairs are furnished."""

from __future__ import annotations

from tools.sample_home.features import LAMP_M, PASSAGE_M, TABLE_M
from tools.sample_home.furniture import bathroom, decor, kitchen, seating, storage, tables
from tools.sample_home.pieces import placed
from tools.sample_home.plan import (
    CEILING_M,
    CORRIDOR_NORTH_M,
    CORRIDOR_SOUTH_M,
    EAST_M,
    HALF,
    KITCHEN_Y_M,
    MIDEAST_M,
    MIDWEST_M,
    NORTH_M,
    SOUTH_M,
    WEST_M,
)
from tools.sample_home.scene_builder import SceneBuilder

NORTHWARD, EASTWARD, SOUTHWARD, WESTWARD = 180.0, 90.0, 0.0, 270.0
"""Turns that make a piece of furniture face that way."""

_W, _E = WEST_M + HALF, EAST_M - HALF
_S, _N = SOUTH_M + HALF, NORTH_M - HALF


def add_ground_rooms(scene: SceneBuilder) -> None:
    """Furnish hall, living room, kitchen, dining room, bathroom, corridor and study."""
    _living_room(scene)
    _hall(scene)
    _kitchen(scene)
    _dining_room(scene)
    _bathroom(scene)
    _study(scene)


def _living_room(scene: SceneBuilder) -> None:
    north = CORRIDOR_SOUTH_M - HALF
    bookcase_depth = 0.34
    bookcase_face = MIDWEST_M - HALF - bookcase_depth
    sofa_x = bookcase_face - PASSAGE_M - 0.45
    sofa = seating.sofa(2.0, "teal cloth", ("mustard cloth", "coral cloth"))
    scene.add("Sofa", placed(sofa, sofa_x, 2.5, 0, WESTWARD))
    shelf = storage.bookshelf(1.25, 2.0, bookcase_depth, "oak", 1)
    x = bookcase_face + bookcase_depth / 2
    scene.add("Bookcase", placed(shelf, x, 2.175, 0, WESTWARD))
    low_table = tables.table(1.15, 0.72, TABLE_M, "walnut", 0.05)
    scene.add("Low table", placed(low_table, 1.65, 2.5, 0, EASTWARD))
    scene.add("Living room rug", placed(decor.rug(3.0, 2.0, "rug warm"), 1.75, 2.5, 0, EASTWARD))
    bench = storage.chest(1.8, 0.48, 0.4, "oak", "white wood")
    scene.add("TV bench", placed(bench, _W + 0.2, 2.5, 0, EASTWARD))
    scene.add("Television", placed(decor.television(1.25), _W + 0.18, 2.5, 0.48, EASTWARD))
    scene.add("Living room plant", placed(decor.plant(1.25, 7), _W + 0.36, _S + 0.38))
    scene.add("Living room lamp", placed(decor.floor_lamp(), _W + 0.36, north - 0.34))
    art = decor.picture(1.1, 0.8, "picture hills", 1.2)
    scene.add("Painting of hills", placed(art, 2.9, north))
    for number, x in enumerate((0.92, 3.68), start=1):
        curtain = decor.curtain(0.36, 0.1, 2.3, "curtain")
        scene.add(f"Living room curtain {number}", placed(curtain, x, _S, 0, NORTHWARD))


def _hall(scene: SceneBuilder) -> None:
    west = MIDWEST_M + HALF
    scene.add("Door mat", placed(decor.mat(0.9, 0.55, "navy cloth"), 5.45, 0.65))
    scene.add("Hall runner", placed(decor.rug(2.2, 0.85, "rug cool"), 5.42, 3.2, 0, EASTWARD))
    coats = decor.coats(("mustard cloth", "navy cloth", "coral cloth"))
    scene.add("Coats", placed(coats, west, 0.85, 0, EASTWARD))
    art = decor.picture(0.7, 0.9, "picture shapes", 1.15)
    scene.add("Painting of circles", placed(art, west, 2.5, 0, EASTWARD))
    art = decor.picture(0.9, 0.65, "picture sea", 1.3)
    scene.add("Painting of the sea", placed(art, MIDEAST_M - HALF, 2.35, 0, WESTWARD))
    pendant = decor.pendant(2.12, CEILING_M, 0.2, "brass")
    scene.add("Hall lamp", placed(pendant, 5.45, 2.9))


def _kitchen(scene: SceneBuilder) -> None:
    front = "green wood"
    south, east = _S + kitchen.DEPTH_M / 2, _E - kitchen.DEPTH_M / 2
    corner = _E - kitchen.DEPTH_M
    scene.add(
        "Counter south", placed(kitchen.sink_counter(1.6, front), corner - 0.8, south, 0, NORTHWARD)
    )
    scene.add("Counter corner", placed(kitchen.counter(1.3, front), east, _S + 0.65, 0, WESTWARD))
    scene.add("Stove", placed(kitchen.stove(), east, _S + 1.6, 0, WESTWARD))
    scene.add("Counter east", placed(kitchen.counter(1.15, front), east, _S + 2.475, 0, WESTWARD))
    scene.add("Fridge", placed(kitchen.fridge(), _E - 0.34, _S + 3.42, 0, WESTWARD))
    scene.add("Extractor hood", placed(kitchen.hood(), _E - 0.3, _S + 1.6, 0, WESTWARD))
    for number, (length, y) in enumerate(((1.2, 0.66), (1.15, 2.5)), start=1):
        cupboard = kitchen.wall_cupboards(length, front)
        scene.add(f"Wall cupboard {number}", placed(cupboard, _E - 0.3, _S + y, 0, WESTWARD))
    scene.add("Kitchen block", placed(kitchen.island(1.5, 0.85), 9.95, 2.5, 0, WESTWARD))
    for number, y in enumerate((2.05, 2.5, 2.95), start=1):
        scene.add(f"Stool {number}", placed(seating.stool("oak", 0.64), 9.62, y))
    for number, y in enumerate((2.2, 2.85), start=1):
        pendant = decor.pendant(1.65, CEILING_M, 0.15, "coral cloth")
        scene.add(f"Block lamp {number}", placed(pendant, 9.95, y))
    pot = placed(decor.plant(0.4, 3, "white pot"), _E - 0.25, _S + 2.8, kitchen.HEIGHT_M)
    scene.add("Herbs", pot)
    art = decor.picture(0.5, 0.65, "picture shapes", 1.25)
    scene.add("Kitchen painting", placed(art, MIDEAST_M + HALF, 2.7, 0, EASTWARD))


def _dining_room(scene: SceneBuilder) -> None:
    south = KITCHEN_Y_M + HALF
    lamp = decor.linear_pendant(LAMP_M, CEILING_M, 1.5, "shade")
    scene.add("Low lamp", placed(lamp, 8.6, 5.15))
    x, y = 10.5, 6.5
    scene.add("Dining rug", placed(decor.rug(3.1, 2.5, "rug cool"), x, y, 0, EASTWARD))
    scene.add("Dining table", placed(tables.dining_table(1.9, 0.95), x, y, 0, EASTWARD))
    seats = [(x - 0.62, y + dy, EASTWARD) for dy in (-0.55, 0.0, 0.55)]
    seats += [(x + 0.62, y + dy, WESTWARD) for dy in (-0.55, 0.0, 0.55)]
    for number, (cx, cy, yaw) in enumerate(seats, start=1):
        turn = 8.0 if number in {1, 5} else 0.0
        scene.add(
            f"Chair {number}", placed(seating.chair("oak", "teal cloth"), cx, cy, 0, yaw + turn)
        )
    for number, dy in enumerate((-0.45, 0.45), start=1):
        pendant = decor.pendant(1.55, CEILING_M, 0.22, "brass")
        scene.add(f"Dining lamp {number}", placed(pendant, x, y + dy))
    chest = storage.chest(1.5, 0.82, 0.38, "walnut", "oak")
    west = MIDEAST_M + HALF
    scene.add("Sideboard", placed(chest, west + 0.19, 6.5, 0, EASTWARD))
    scene.add("Sideboard vase", placed(storage.vase_and_bowl(0.82), west + 0.19, 6.5, 0, EASTWARD))
    art = decor.picture(1.0, 0.75, "picture sea", 1.3)
    scene.add("Dining room painting", placed(art, west, 6.5, 0, EASTWARD))
    scene.add("Dining room plant", placed(decor.plant(1.4, 11), _E - 0.42, _N - 0.42))
    scene.add("Palm", placed(decor.plant(1.1, 12, "white pot"), _E - 0.4, south + 0.4))
    for number, y in enumerate((5.12, 7.88), start=1):
        curtain = decor.curtain(0.36, 0.1, 2.3, "curtain")
        scene.add(f"Dining room curtain {number}", placed(curtain, _E, y, 0, WESTWARD))


def _bathroom(scene: SceneBuilder) -> None:
    east, west = MIDEAST_M - HALF, MIDWEST_M + HALF
    scene.add("Bathtub", placed(bathroom.bathtub(), east - 0.375, _N - 0.93, 0, WESTWARD))
    scene.add("Toilet", placed(bathroom.toilet(), east - 0.33, 6.68, 0, WESTWARD))
    scene.add("Wash basin", placed(bathroom.basin(0.7, "oak"), west + 0.5, _N - 0.22))
    scene.add("Towel rail", placed(bathroom.towel_rail("coral cloth"), west, 7.35, 0, EASTWARD))
    scene.add("Bath mat", placed(decor.mat(0.8, 0.5, "teal cloth"), 6.25, 7.95, 0, EASTWARD))


def _study(scene: SceneBuilder) -> None:
    east, nook_south = MIDWEST_M - HALF, CORRIDOR_SOUTH_M + HALF
    scene.add("Desk", placed(tables.desk(1.5, 0.7, "walnut"), east - 0.36, 7.7, 0, WESTWARD))
    scene.add("Desk chair", placed(seating.desk_chair("navy cloth"), 3.45, 7.75, 0, 105.0))
    shelf = storage.bookshelf(1.6, 2.05, 0.3, "walnut", 2)
    bay_south = CORRIDOR_NORTH_M + HALF
    scene.add("Study bookcase", placed(shelf, 3.55, bay_south + 0.15, 0, NORTHWARD))
    shelf = storage.bookshelf(1.1, 2.05, 0.28, "walnut", 3)
    scene.add("Nook bookcase", placed(shelf, _W + 0.56, nook_south + 0.14, 0, NORTHWARD))
    chair = seating.armchair("mustard cloth", "navy cloth")
    scene.add("Armchair", placed(chair, _W + 0.56, 5.95, 0, NORTHWARD - 8.0))
    scene.add("Study rug", placed(decor.rug(2.4, 1.5, "rug warm"), 2.1, 7.9))
    scene.add("Study plant", placed(decor.plant(1.1, 21), _W + 0.34, _N - 0.34))
    scene.add("Study lamp", placed(decor.floor_lamp(), east - 0.3, _N - 0.26))
    art = decor.picture(0.8, 0.6, "picture hills", 1.3)
    scene.add("Study painting", placed(art, east, 7.7, 0, WESTWARD))
