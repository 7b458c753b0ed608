"""Files of Habitat: read, written back byte for byte, and refused where they are damaged."""

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds.box_scenes import plate, scene

from waypost.domain.base.errors import InputError, ReadError
from waypost.geometry.navmesh.navmesh import make_navmesh
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.geometry.navmesh.tiles import read_polygons
from waypost.io.navmesh_files import (
    navmesh_file,
    read_navmesh,
    read_navmesh_file,
    write_navmesh,
)

SETTINGS = NavmeshSettings(radius_m=0.25, climb_m=0.3, cell_height_m=0.1)


@pytest.fixture(scope="module")
def made():
    return make_navmesh(scene(plate("floor", (0, -3), (10, 3), 0)), SETTINGS)


@pytest.mark.parametrize("version", [1, 2])
def test_a_round_trip_is_byte_for_byte(tmp_path, made, version):
    path = tmp_path / "room.navmesh"
    write_navmesh(path, made, version=version)
    read = read_navmesh_file(path)
    assert read.to_bytes() == path.read_bytes()
    assert read.settings == (SETTINGS if version == 2 else None)
    again = read_navmesh(path)
    assert again.file == made.file
    assert again.geodesics_m([(1, 0, 0)], (9, 0, 0)) == pytest.approx([8.0], abs=1e-5)
    assert navmesh_file(again, version=version).to_bytes() == path.read_bytes()


def test_version_2_is_version_1_with_56_bytes_of_settings_behind_the_header(made):
    one, two = (navmesh_file(made, version=version).to_bytes() for version in (1, 2))
    assert struct.unpack_from("<4s2i", two) == (b"TESM", 2, 1)
    assert two[8:40] + two[96:] == one[8:]
    stated = struct.unpack_from("<13f4B", two, 40)
    assert stated[:6] == pytest.approx((0.05, 0.1, 1.5, 0.25, 0.3, 45))
    assert stated[13:] == (1, 1, 1, 0)


def test_version_2_needs_the_settings(tmp_path, made):
    write_navmesh(tmp_path / "one.navmesh", made)
    with pytest.raises(InputError, match="what it was made for"):
        navmesh_file(read_navmesh(tmp_path / "one.navmesh"), version=2)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "0 bytes"),
        (b"glTF" + bytes(60), "no navmesh of Detour"),
        (struct.pack("<2i", 0x4D534554, 3) + bytes(60), "version 3"),
        (struct.pack("<3i", 0x4D534554, 1, 9) + bytes(60), "announces 9 tiles"),
        (struct.pack("<3i", 0x4D534554, 1, -1) + bytes(200), "announces -1 tiles"),
    ],
)
def test_other_files_are_refused_in_words(tmp_path, data, words):
    path = tmp_path / "odd.navmesh"
    path.write_bytes(data)
    with pytest.raises(ReadError, match=words):
        read_navmesh(path)


@given(st.data())
def test_damage_is_refused_or_harmless(made, data):
    file = bytearray(made.file)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(file) - 1))
        file[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(len(file) // 2, len(file)))
    with contextlib.suppress(InputError):
        assert read_polygons(bytes(file[:cut])).count >= 0
