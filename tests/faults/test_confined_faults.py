"""The child that reads a scene dies, loops or takes all memory; its parent lives and says so."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
from faults.failing_children import let_children_fail
from faults.processes import lives, wait_for_end
from worlds.scene_files import cube_glb

from waypost.domain.base.errors import ReadError
from waypost.io.confined.limits import chosen_limits, put_in_force
from waypost.io.scenes.open_scene import open_scene, read_scene

pytestmark = pytest.mark.faults

_READ = """
import sys
from pathlib import Path
from waypost.io.scenes.open_scene import open_scene

for report in open_scene(Path(sys.argv[1])):
    if report.total:
        print(report.message.split()[-1], flush=True)
"""


@pytest.fixture
def scene_file(tmp_path: Path) -> Path:
    return cube_glb().write(tmp_path / "house.glb")


@pytest.fixture
def left_over(tmp_path, monkeypatch):
    """What a child could leave: temporary files, shared memory, open files, processes."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)

    def all_of_it() -> set[str]:
        shared = Path("/dev/shm")  # noqa: S108 - looked at, not written to
        names = {path.name for path in temporary.iterdir()}
        names |= {path.name for path in shared.glob("waypost*")}
        this = psutil.Process()
        names |= {f"process {child.pid}" for child in this.children()}
        return names | {f"open file {number}" for number in range(this.num_fds())}

    # What is opened once and stays is opened now.
    psutil.Process().children()
    return all_of_it


def child_of(steps) -> psutil.Process:
    """Go on until the child tells its number."""
    report = next(report for report in steps if report.total)
    return psutil.Process(int(report.message.split()[-1]))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("kill", "ended from outside"),
        ("segmentation_fault", r"its reader failed \(SIGSEGV\)"),
        ("abort", r"its reader failed \(SIGABRT\)"),
        ("bus_error", r"its reader failed \(SIGBUS\)"),
        ("stack_overflow", r"its reader failed \(SIGSEGV\)"),
        ("leave", "its reader failed"),
        ("nonsense", "nonsense"),
        ("bad_alloc", "of memory to be read; raise it with --read-memory-gb"),
        ("allocate", "needs more than 0.5 GB of memory to be read; raise it"),
        ("allocate_at_once", "of memory to be read; raise it with --read-memory-gb"),
    ],
)
def test_every_end_of_the_child_is_one_sentence(
    fault, words, scene_file, tmp_path, monkeypatch, left_over
):
    let_children_fail(fault, tmp_path / "ahead", monkeypatch)
    before = left_over()
    with pytest.raises(ReadError, match=words) as caught:
        read_scene(scene_file)
    assert (caught.value.file, caught.value.place) == (str(scene_file), "file")
    assert "\n" not in str(caught.value)
    assert left_over() <= before


def test_what_takes_too_long_is_ended(scene_file, tmp_path, monkeypatch):
    let_children_fail("loop", tmp_path / "ahead", monkeypatch)
    monkeypatch.setenv("WAYPOST_READ_MINUTES", "")
    put_in_force(chosen_limits(None, 0.05))
    steps = open_scene(scene_file)
    child = child_of(steps)
    with pytest.raises(ReadError, match=r"takes more than 0\.05 minutes to be read; raise it with"):
        list(steps)
    assert not lives(child)


def test_a_person_raises_the_memory(scene_file, tmp_path, monkeypatch):
    let_children_fail("allocate", tmp_path / "ahead", monkeypatch)
    monkeypatch.setenv("WAYPOST_READ_MEMORY_GB", "0.8")
    with pytest.raises(ReadError, match=r"needs more than 0\.8 GB of memory"):
        read_scene(scene_file)


def test_cancelling_ends_a_child_in_the_midst_of_one_long_call(
    scene_file, tmp_path, monkeypatch, left_over
):
    let_children_fail("loop", tmp_path / "ahead", monkeypatch)
    before = left_over()
    steps = open_scene(scene_file)
    child = child_of(steps)
    # It goes on reporting although the child says nothing any more.
    assert [next(steps).message for _ in range(3)] == [f"process {child.pid}"] * 3
    steps.close()
    assert not lives(child)
    assert left_over() <= before


@pytest.mark.parametrize("fault", ["loop", "allocate"])
def test_a_child_ends_with_its_parent(fault, scene_file, tmp_path, monkeypatch, left_over):
    let_children_fail(fault, tmp_path / "ahead", monkeypatch)
    monkeypatch.setenv("WAYPOST_READ_MEMORY_GB", "3")
    before = left_over()
    command = [sys.executable, "-c", _READ, str(scene_file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        assert lives(child)
        parent.kill()
    wait_for_end(child)
    assert left_over() <= before


def test_the_command_line_ends_with_one_line(scene_file, tmp_path, monkeypatch):
    let_children_fail("segmentation_fault", tmp_path / "ahead", monkeypatch)
    command = [sys.executable, "-m", "waypost.app.main", "scene", "info", scene_file.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    reason = "cannot be read: its reader failed (SIGSEGV); it may be damaged"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {scene_file.name}: file: {reason}\n"
