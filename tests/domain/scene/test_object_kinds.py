from __future__ import annotations

import pytest

from waypost.domain.scene.object_kinds import ObjectKind, object_kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("/home/Bed_01", ObjectKind.FURNITURE),
        ("/World/Bed_01_001/mesh_0", ObjectKind.FURNITURE),
        ("coffeeTable", ObjectKind.FURNITURE),
        ("Dumbbell_rack_2", ObjectKind.FURNITURE),
        ("Bed: oak", ObjectKind.FURNITURE),
        ("Bathroom wall: wall tiles", ObjectKind.OTHER),
        ("SM_Stools.003", ObjectKind.FURNITURE),
        ("floor", ObjectKind.GROUND),
        ("Bathroom_floor_tiles", ObjectKind.GROUND),
        ("stair_07", ObjectKind.GROUND),
        ("table_rug", ObjectKind.GROUND),
        ("Front door", ObjectKind.DOOR_LEAF),
        ("doorLeft", ObjectKind.DOOR_LEAF),
        ("Front door: red door", ObjectKind.DOOR_LEAF),
        ("Front door: trim", ObjectKind.OTHER),
        ("Door mat", ObjectKind.GROUND),
        ("Door_02_frame", ObjectKind.OTHER),
        ("doorway", ObjectKind.OTHER),
        ("outdoor wall", ObjectKind.OTHER),
        ("Mesh_12", ObjectKind.OTHER),
        ("", ObjectKind.OTHER),
        ("/", ObjectKind.OTHER),
        ("椅子", ObjectKind.OTHER),
    ],
)
def test_the_words_of_a_name_say_what_it_is(name: str, kind: ObjectKind) -> None:
    assert object_kind(name) is kind
