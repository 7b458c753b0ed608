from __future__ import annotations

import numpy as np
import pytest
import trimesh
from worlds.scene_files import usd_cube, usda

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import Progress, exhaust
from waypost.services.jobs import Job, JobState
from waypost.services.open_scene import open_scene_job


@pytest.fixture
def room(tmp_path):
    """A floor of 4 × 4 m as GLB; Y is up in the file."""
    floor = trimesh.creation.box((4, 0.1, 4))
    path = tmp_path / "room.glb"
    path.write_bytes(trimesh.Scene({"floor": floor}).export(file_type="glb"))
    return path


def test_a_scene_is_opened_with_storeys_and_rays(room):
    seen = []
    opened = exhaust(open_scene_job(room), seen.append)
    assert opened.scene.triangle_count == 12
    assert [s.floor_z_m for s in opened.scene.storeys] == pytest.approx([0.05], abs=0.02)
    hit = opened.rays.first_hit((0.5, 0.5, 3.0), (0.0, 0.0, -1.0))
    assert hit.point_m == pytest.approx((0.5, 0.5, 0.05), abs=1e-6)
    fractions = [p.fraction for p in seen]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    assert seen[-1].message == "room is open"


@pytest.mark.parametrize("kind", ["glb", "usda"])
def test_progress_says_what_is_done_in_words_for_people(tmp_path, kind):
    """Names of objects and of steps inside the program tell nobody anything."""
    path = tmp_path / f"home.{kind}"
    if kind == "glb":
        parts = {f"xq_{n}": trimesh.creation.box((4, 0.1, 4)) for n in range(5)}
        path.write_bytes(trimesh.Scene(parts).export(file_type="glb"))
    else:
        usda(path, "".join(usd_cube(f"xq_{n}", size=(4, 4, 3)) for n in range(5)))
    seen = []
    exhaust(open_scene_job(path), seen.append)
    fractions = [p.fraction for p in seen]
    assert fractions == sorted(fractions)
    said = {p.message for p in seen}
    assert not any("xq_" in message for message in said)
    known = ("home", "Placing object ", "Looking for storeys", "triangles ready for clicks")
    assert all(any(words in message for words in known) for message in said), said


def test_corrections_reach_the_reader(room):
    opened = exhaust(open_scene_job(room, up_axis="Z", metres_per_unit=2.0))
    assert np.allclose(opened.scene.size_m, (8, 0.2, 8), atol=1e-5)
    with pytest.raises(InputError, match="up axis"):
        exhaust(open_scene_job(room, up_axis="W"))


def test_a_damaged_file_is_one_sentence(tmp_path, qtbot):
    path = tmp_path / "empty.glb"
    path.touch()
    job = Job("Open", open_scene_job(path))
    with qtbot.waitSignal(job.failed) as failed:
        job.start()
    assert isinstance(failed.args[0], ReadError)
    assert str(failed.args[0]) == f"{path}: file: the file is empty"


def test_opening_can_be_cancelled_at_any_report(room):
    count = sum(1 for _ in open_scene_job(room))
    assert count > 5
    for stop_after in range(0, count, max(1, count // 8)):
        work = open_scene_job(room)
        for _ in zip(range(stop_after + 1), work, strict=False):
            pass
        work.close()
        assert list(work) == []


def test_opening_off_the_window_thread_gives_the_same(room, qapp):
    job = Job("Open", open_scene_job(room))
    job.start()
    assert job.wait(30)
    assert job.state is JobState.SUCCESS
    assert job.result.scene.content_hash == exhaust(open_scene_job(room)).scene.content_hash


def test_views_are_prepared_within_the_job(room):
    def prepare(scene):
        yield Progress(1, 2, "half way")
        return scene.triangle_count * 2

    seen = []
    opened = exhaust(open_scene_job(room, prepare=prepare), seen.append)
    assert opened.prepared == 24
    assert [p.fraction for p in seen if p.message == "half way"] == pytest.approx([0.925])
    assert exhaust(open_scene_job(room)).prepared is None
