"""How the rooms upstairs, the roof terrace and the deck are furnished."""

from __future__ import annotations

from tools.sample_home.furniture import bathroom, bedroom, decor, seating, storage, tables
from tools.sample_home.ground_rooms import EASTWARD, NORTHWARD, SOUTHWARD, WESTWARD
from tools.sample_home.pieces import Pieces, placed
from tools.sample_home.plan import (
    CORRIDOR_SOUTH_M,
    EAST_M,
    HALF,
    MIDEAST_M,
    MIDWEST_M,
    NORTH_M,
    SOUTH_M,
    WEST_M,
)
from tools.sample_home.scene_builder import SceneBuilder
from tools.sample_home.stairs import STOREY_M

_W, _E = WEST_M + HALF, EAST_M - HALF
_S, _N = SOUTH_M + HALF, NORTH_M - HALF


def add_upper_rooms(scene: SceneBuilder) -> None:
    """Furnish bedrooms, bathroom, landing, roof terrace, and the deck in the garden."""
    _bedroom(scene)
    _small_bedroom(scene)
    _bathroom(scene)
    _landing(scene)
    _terrace(scene)
    _deck(scene)


def _up(pieces: Pieces, x: float, y: float, yaw_deg: float = SOUTHWARD) -> Pieces:
    return placed(pieces, x, y, STOREY_M, yaw_deg)


def _bedroom(scene: SceneBuilder) -> None:
    north, east = CORRIDOR_SOUTH_M - HALF, MIDWEST_M - HALF
    bed = bedroom.bed(1.7, 2.05, "oak", "navy cloth", "mustard cloth")
    scene.add("Bed", _up(bed, _W + 1.03, 2.45, EASTWARD))
    scene.add("Bedroom rug", _up(decor.rug(2.8, 2.0, "rug cool"), 1.9, 2.45, EASTWARD))
    for number, y in enumerate((1.3, 3.6), start=1):
        night = tables.bedside_table("oak")
        scene.add(f"Bedside table {number}", _up(night, _W + 0.22, y, EASTWARD))
    closet = storage.wardrobe(1.9, "oak", "white wood", 4)
    scene.add("Wardrobe", _up(closet, east - 0.3, 1.3, WESTWARD))
    chest = storage.chest(1.3, 0.85, 0.45, "oak", "white wood")
    scene.add("Chest of drawers", _up(chest, 1.7, north - 0.23))
    scene.add("Chest vase", _up(storage.vase_and_bowl(0.85), 1.7, north - 0.23))
    art = decor.picture(1.3, 0.8, "picture sea", 1.25)
    scene.add("Bedroom painting", _up(art, _W, 2.45, EASTWARD))
    scene.add("Bedroom plant", _up(decor.plant(1.1, 31), _W + 0.36, _S + 0.36))
    for number, x in enumerate((1.02, 3.18), start=1):
        curtain = decor.curtain(0.34, 0.1, 2.3, "rose cloth")
        scene.add(f"Bedroom curtain {number}", _up(curtain, x, _S, NORTHWARD))


def _small_bedroom(scene: SceneBuilder) -> None:
    south, east = CORRIDOR_SOUTH_M + HALF, MIDWEST_M - HALF
    bed = bedroom.bed(0.95, 2.0, "white wood", "leaf cloth", "coral cloth")
    scene.add("Small bed", _up(bed, _W + 1.0, _N - 0.5, EASTWARD))
    scene.add("Small bedside table", _up(tables.bedside_table("birch"), _W + 0.22, 7.6, EASTWARD))
    scene.add("Small desk", _up(tables.desk(1.25, 0.6, "birch"), 1.0, south + 0.31, NORTHWARD))
    scene.add("Small chair", _up(seating.chair("birch", "coral cloth"), 0.95, 5.75, 10.0))
    shelf = storage.bookshelf(1.0, 1.5, 0.28, "white wood", 4)
    scene.add("Small bookcase", _up(shelf, 2.45, south + 0.14, NORTHWARD))
    closet = storage.wardrobe(1.05, "white wood", "blue wood", 2)
    scene.add("Small wardrobe", _up(closet, east - 0.3, south + 0.54, WESTWARD))
    scene.add("Small bedroom rug", _up(decor.rug(1.9, 1.4, "rug warm"), 2.1, 6.95))
    scene.add("Small bedroom plant", _up(decor.plant(0.8, 32, "white pot"), 3.2, south + 0.24))
    art = decor.picture(0.6, 0.75, "picture shapes", 1.2)
    scene.add("Small bedroom painting", _up(art, _W, 5.75, EASTWARD))
    for number, x in enumerate((1.52, 3.68), start=1):
        curtain = decor.curtain(0.34, 0.7, 2.3, "mustard cloth")
        scene.add(f"Small bedroom curtain {number}", _up(curtain, x, _N))


def _bathroom(scene: SceneBuilder) -> None:
    west, east = MIDWEST_M + HALF, MIDEAST_M - HALF
    scene.add("Shower", _up(bathroom.shower(), east - 0.45, _S + 0.45, NORTHWARD))
    scene.add("Upper toilet", _up(bathroom.toilet(), east - 0.33, 1.6, WESTWARD))
    scene.add(
        "Upper wash basin", _up(bathroom.basin(0.65, "walnut"), west + 0.36, _S + 0.22, NORTHWARD)
    )
    scene.add("Upper towel rail", _up(bathroom.towel_rail("leaf cloth"), west, 1.6, EASTWARD))
    scene.add("Upper bath mat", _up(decor.mat(0.7, 0.45, "leaf cloth"), 6.0, 0.8, EASTWARD))


def _landing(scene: SceneBuilder) -> None:
    west, east = MIDWEST_M + HALF, MIDEAST_M - HALF
    chair = seating.armchair("coral cloth", "linen")
    scene.add("Reading chair", _up(chair, east - 0.55, _N - 0.6, -30.0))
    shelf = storage.bookshelf(0.95, 1.4, 0.28, "oak", 5)
    scene.add("Landing bookcase", _up(shelf, west + 0.14, _N - 0.52, EASTWARD))
    scene.add("Landing rug", _up(decor.rug(1.5, 1.1, "rug warm"), 6.0, 8.0))
    plant = decor.plant(0.5, 33, "white pot")
    scene.add("Landing plant", placed(plant, west + 0.15, _N - 0.52, STOREY_M + 1.4))
    art = decor.picture(0.9, 0.65, "picture hills", 1.3)
    scene.add("Landing painting", _up(art, west, 5.4, EASTWARD))


def _terrace(scene: SceneBuilder) -> None:
    for number, y in enumerate((2.0, 3.2), start=1):
        bed = seating.lounger("linen")
        scene.add(f"Lounger {number}", _up(bed, 10.2, y, EASTWARD))
    scene.add("Terrace table", _up(tables.garden_table(), 10.4, 6.9))
    for number, (dx, dy, yaw) in enumerate(
        ((-0.72, 0.0, EASTWARD), (0.72, 0.0, WESTWARD), (0.0, 0.72, SOUTHWARD)), start=1
    ):
        chair = seating.chair("walnut", "mustard cloth")
        scene.add(f"Terrace chair {number}", _up(chair, 10.4 + dx, 6.9 + dy, yaw))
    for number, (x, y) in enumerate(
        ((_E - 0.4, _N - 0.4), (_E - 0.4, _S + 0.4), (_E - 0.4, 4.9)), start=1
    ):
        plant = decor.plant(1.0 + 0.1 * number, 50 + number)
        scene.add(f"Terrace plant {number}", _up(plant, x, y))
    hedge = decor.hedge(2.4, 0.55, 60)
    scene.add("Terrace hedge", _up(hedge, MIDEAST_M + HALF + 1.6, _S + 0.32))


def _deck(scene: SceneBuilder) -> None:
    scene.add("Deck table", placed(tables.garden_table(), 10.7, 10.3))
    for number, (dx, dy, yaw) in enumerate(
        (
            (-0.74, 0.0, EASTWARD),
            (0.74, 0.0, WESTWARD),
            (0.0, 0.74, SOUTHWARD),
            (0.0, -0.74, NORTHWARD),
        ),
        start=1,
    ):
        chair = seating.chair("oak", "coral cloth")
        scene.add(f"Deck chair {number}", placed(chair, 10.7 + dx, 10.3 + dy, 0, yaw))
    scene.add("Deck plant", placed(decor.plant(1.0, 61), 11.6, 9.45))
