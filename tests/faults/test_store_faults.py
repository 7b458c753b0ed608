from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from faults.programs.editing_session import script
from import_path import IMPORT_PATH
from stored_rows import stored_rows

from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.base.errors import EditError, ReadError
from waypost.domain.project import Project
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel, Verdict
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.faults, pytest.mark.no_cover]
PROGRAMS = Path(__file__).parent / "programs"
SEED = 20261127
NOBODY = 65534
SHARED = "/tmp"  # noqa: S108 - TMPDIR may be a folder that other users cannot enter
HEARD_MOST, AHEAD_MOST = 12, 6
"""Edits of a session that are waited for before the kill, and those it may be ahead by then."""


def integrity(file: Path) -> str:
    ((found,),) = stored_rows(file, "PRAGMA integrity_check")
    return str(found)


def last_promised(file: Path, first: int, way: str, chance: random.Random) -> int:
    """Let a session edit, kill it at a random moment; the last edit it promised was saved."""
    heard = chance.randint(1, HEARD_MOST)
    span = [str(SEED), str(first), str(first + heard + AHEAD_MOST)]
    arguments = [sys.executable, PROGRAMS / "editing_session.py", file, *span, way]
    session = subprocess.Popen(arguments, stdout=subprocess.PIPE)
    assert session.stdout is not None
    lines = [session.stdout.readline() for _ in range(heard)]
    time.sleep(chance.uniform(0.0, 0.006))
    session.kill()
    lines += session.stdout.read().splitlines()
    session.stdout.close()
    assert session.wait() == -9
    return int(lines[-1])


@pytest.mark.parametrize(("way", "kills"), [("store", 50), ("document", 8)])
def test_kill_9_at_any_moment_loses_at_most_the_edit_in_flight(
    tmp_path: Path, way: str, kills: int
) -> None:
    steps = script(SEED)
    chance = random.Random(way)
    file = tmp_path / "session.waypost"
    ProjectStore.create(file, steps[0].project, "ana").close()
    position = done = interrupted = 0
    # It proves nothing until a kill has met a transaction.
    while done < kills or not interrupted:
        promised = last_promised(file, position, way, chance)
        assert promised > position
        interrupted += file.with_name(file.name + "-journal").exists()
        assert integrity(file) == "ok"
        store = ProjectStore.open(file)
        found = store.load()
        store.close()
        candidates = [k for k in (promised, promised + 1) if steps[k].project == found]
        assert candidates, f"edit {promised} was promised but is not in the file"
        position = candidates[0]
        done += 1
    store = ProjectStore.open(file)
    store.save(store.load(), steps[position + 1].project, "ana")
    assert store.load() == steps[position + 1].project
    store.close()
    assert [f.name for f in tmp_path.iterdir()] == [file.name]


def renamed(project: Project, name: str) -> Project:
    return replace(project, name=name)


def on_disk(file: Path) -> Project:
    with closing(ProjectStore.open(file)) as store:
        return store.load()


@contextmanager
def as_nobody() -> Iterator[None]:
    """Permissions do not bind root; become somebody they bind."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def create_for_nobody(file: Path) -> None:
    """A project that the user of `as_nobody` owns."""
    ProjectStore.create(file, Project("House"), "ana").close()
    if os.geteuid() == 0:
        os.chown(file, NOBODY, NOBODY)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that nobody may write; the parents of ``tmp_path`` are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="waypost-faults-", dir=SHARED))
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


def found_in_shed(project: Project) -> Project:
    if project.name != "Shed":
        raise EditError("there is no shed")
    return replace(project, scene_path="shed.glb")


@pytest.mark.parametrize("protected", ["file", "folder"])
def test_a_read_only_file_or_folder_is_edited_in_memory_and_saved_when_it_opens(
    open_folder: Path, protected: str, qtbot
) -> None:
    file = open_folder / "house.waypost"
    create_for_nobody(file)
    target, open_mode, closed_mode = (
        (file, 0o644, 0o444) if protected == "file" else (open_folder, 0o777, 0o555)
    )
    target.chmod(closed_mode)
    with as_nobody():
        document = ProjectDocument(ProjectStore.open(file), "ana", retry_interval_ms=20)
        assert document.save_state.kind is SaveKind.READ_ONLY
        document.note_again("Find", lambda project: replace(project, scene_path="found.glb"))
        assert document.save_state.kind is SaveKind.READ_ONLY, "it is found again"
        document.edit("Rename", renamed(document.project, "Attic"))
        document.note_again("Find", lambda project: replace(project, scene_path="more.glb"))
        assert document.save_state.kind is SaveKind.NOT_SAVED
        document.undo()
        assert document.save_state.kind is SaveKind.READ_ONLY
        assert not document._saving._retry.isActive()
        document.edit("Rename", renamed(document.project, "Shed"))
        document.note_again("Find", found_in_shed)
        document.undo()
        assert document.project.scene_path == "shed.glb"
        assert document.save_state.kind is SaveKind.NOT_SAVED, "it hangs on an edit not in the file"
        document.note("Measure", replace(document.project, scene_path="measured.glb"))
        assert document.save_state.kind is SaveKind.NOT_SAVED, "measuring takes its time"
        document.edit("Rename", renamed(document.project, "Flat"))
        document.edit("Rename", renamed(document.project, "Hut"))
        assert document.save_state.kind is SaveKind.NOT_SAVED
        assert "the file or its folder is read-only" in document.save_state.reason
        assert document.project.name == "Hut"
    assert on_disk(file).name == "House"
    target.chmod(open_mode)
    with as_nobody():
        qtbot.waitUntil(lambda: document.save_state.kind is SaveKind.SAVED)
        assert on_disk(file) == document.project
        document.close()


def test_a_folder_that_becomes_read_only_while_open_is_noticed(open_folder: Path, qtbot) -> None:
    file = open_folder / "house.waypost"
    create_for_nobody(file)
    with as_nobody():
        document = ProjectDocument(ProjectStore.open(file), "ana", retry_interval_ms=20)
        document.edit("Rename", renamed(document.project, "Flat"))
        assert document.save_state.kind is SaveKind.SAVED
    open_folder.chmod(0o555)
    with as_nobody():
        document.edit("Rename", renamed(document.project, "Hut"))
        assert document.save_state.kind is SaveKind.NOT_SAVED
    assert on_disk(file).name == "Flat"
    open_folder.chmod(0o777)
    with as_nobody():
        qtbot.waitUntil(lambda: document.save_state.kind is SaveKind.SAVED)
        assert on_disk(file).name == "Hut"
        document.close()


def test_a_file_that_may_not_grow_keeps_edits_in_memory(tmp_path: Path, qtbot) -> None:
    resource = pytest.importorskip("resource", reason="needs RLIMIT_FSIZE")
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, Project("House"), "ana").close()
    document = ProjectDocument(ProjectStore.open(file), "ana", retry_interval_ms=20)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 8192, before[1]))
    try:
        document.edit("Rename", renamed(document.project, "x" * 1_000_000))
        document.edit("Rename", renamed(document.project, "y" * 1_000_000))
        state = document.save_state
        assert on_disk(file).name == "House"
        assert integrity(file) == "ok"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert state.kind is SaveKind.NOT_SAVED
    assert "it may be full" in state.reason
    qtbot.waitUntil(lambda: document.save_state.kind is SaveKind.SAVED)
    assert on_disk(file).name == "y" * 1_000_000
    document.close()


@pytest.fixture
def namespace(tmp_path: Path) -> list[str]:
    """The command in front of a program that may mount; works for root and for users."""
    command = ["unshare", "--user", "--map-root-user", "--mount"]
    probe = [*command, "mount", "-t", "tmpfs", "none", str(tmp_path)]
    if shutil.which("unshare") is None or subprocess.run(probe, check=False).returncode != 0:
        pytest.skip("this system lets nobody mount a small disk in a namespace")
    return command


@pytest.mark.parametrize(
    ("disk", "first", "reason"),
    [
        ("full", "saved", "the disk is full"),
        ("read_only", "read_only", "the file or its folder is read-only"),
    ],
)
def test_a_full_or_read_only_disk_says_not_saved_and_recovers(
    tmp_path: Path, namespace: list[str], disk: str, first: str, reason: str
) -> None:
    program = [sys.executable, str(PROGRAMS / "small_disk.py"), disk, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    done = subprocess.run(
        [*namespace, *program], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    start, edited, said, recovered = done.stdout.splitlines()
    assert (start, edited, recovered) == (first, "not_saved", "saved")
    assert said.endswith(reason)


def full_project() -> Project:
    """Enough rows that every table has content and the big ones have several pages."""
    nodes = [Node(f"node_{i}", f"Place {i}", (i * 0.1, 2.0, 0.0), "text " * 20) for i in range(80)]
    edges = [Edge(f"edge_{i}", f"node_{i}", f"node_{i + 1}") for i in range(79)]
    labels = [
        TraversabilityLabel(Passage(f"node_{i}", f"node_{i + 1}", "cat"), Verdict.TRAVELS)
        for i in range(79)
    ]
    cat = AgentProfile("cat", "Cat", BodyShape.CAPSULE, 0.2, 0.2, 0.4, 0.3, True, False, False)
    return Project(
        "House",
        graph=build_graph(nodes, edges),
        labels=MappingProxyType({label.passage: label for label in labels}),
        agents=MappingProxyType({"cat": cat}),
        tasks=tuple(Task(f"Question {i}", "Kitchen", "Hall") for i in range(20)),
    )


def counts(project: Project) -> tuple[int, ...]:
    graph = project.graph
    parts = (graph.nodes, graph.edges, project.labels, project.agents, project.tasks)
    return tuple(map(len, parts))


def damaged_copies(content: bytes, chance: random.Random) -> Iterator[bytes]:
    """Every byte of the header changed, then random bytes, blocks and cuts anywhere."""
    for place in range(100):
        for mask in (0xFF, 0x01):
            copy = bytearray(content)
            copy[place] ^= mask
            yield bytes(copy)
    for _ in range(250):
        copy = bytearray(content)
        for _ in range(chance.choice((1, 1, 4, 32))):
            copy[chance.randrange(len(copy))] = chance.randrange(256)
        yield bytes(copy)
    for _ in range(50):
        copy = bytearray(content)
        size = chance.choice((64, 512, 4096))
        start = chance.randrange(len(copy) // size) * size
        copy[start : start + size] = chance.choice((bytes(size), chance.randbytes(size)))
        yield bytes(copy)
    for _ in range(20):
        yield content[: chance.randrange(len(content))]


def test_a_damaged_file_opens_whole_or_is_refused(tmp_path: Path) -> None:
    original = full_project()
    clean = tmp_path / "clean.waypost"
    ProjectStore.create(clean, original, "ana").close()
    content = clean.read_bytes()
    refusals: list[ReadError] = []
    unchanged: list[bool] = []
    for number, copy in enumerate(damaged_copies(content, random.Random(SEED))):
        file = tmp_path / f"{number}.waypost"
        file.write_bytes(copy)
        try:
            found = on_disk(file)
        except ReadError as error:
            refusals.append(error)
            unchanged.append(file.read_bytes() == copy)
        else:
            assert counts(found) == counts(original)
        for leftover in tmp_path.glob(f"{number}.waypost*"):
            leftover.unlink()
    assert len(refusals) > 200
    assert all(str(tmp_path) in str(error) for error in refusals)
    assert all(unchanged)
