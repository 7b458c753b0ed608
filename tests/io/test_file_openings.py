"""Files are opened for reading in one place and written in one: every other call has a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import waypost

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]

ROOT = Path(waypost.__file__).parent

READING_CALLS = frozenset({
    "open", "io.open", "os.open", "os.fdopen", "codecs.open", "gzip.open",
    "bz2.open", "lzma.open", "zipfile.ZipFile", "tarfile.open", "sqlite3.connect", "lmdb.open",
    "np.load", "np.memmap", "np.fromfile", "np.loadtxt", "np.genfromtxt", "Image.open",
    "cv2.imread", "cv2.VideoCapture", "pq.read_table", "pq.ParquetFile",
    "pq.read_metadata", "tomllib.load", "json.load", "pickle.load", "pickle.Unpickler",
    "mmap.mmap", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree",
    "Usd.Stage.Open", "Sdf.Layer.FindOrOpen", "trimesh.load", "trimesh.load_scene",
    "QFile", "QImageReader", "QMovie", "linecache.getlines",
})  # fmt: skip
"""Calls that open a file for reading, by their whole name."""

READING_METHODS = frozenset({"read_bytes", "read_text", "OpenAsset"})

WRITING_CALLS = frozenset({
    "os.replace", "os.rename", "os.link", "os.symlink", "os.truncate", "os.mkfifo", "os.dup2",
    "tempfile.mkstemp", "tempfile.NamedTemporaryFile", "tempfile.TemporaryFile",
    "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.move",
    "np.save", "np.savez", "np.savez_compressed", "np.savetxt", "json.dump", "tomli_w.dump",
    "pickle.dump", "pq.write_table", "pq.ParquetWriter", "cv2.imwrite", "cv2.VideoWriter",
    "av.open", "lmdb.open", "sqlite3.connect", "gzip.GzipFile", "Usd.Stage.CreateNew",
    "Sdf.Layer.CreateNew", "logging.FileHandler",
})  # fmt: skip
"""Calls that make or change a file, by their whole name."""

WRITING_METHODS = frozenset({
    "write_bytes", "write_text", "savefig", "to_parquet", "to_csv", "tofile", "touch", "rename",
    "symlink_to", "hardlink_to", "link_to", "Export",
})  # fmt: skip

IN_PLACE = "this is the place"
SHIPPED = "comes with Waypost"
OURS = "a file or folder that Waypost made itself"
A_FOLDER = "a folder, to write the names in it to the disk"
IN_MEMORY = "what is in memory or a stream that was opened in the place, no path"
CHILD = "pipes and memory without a name, between a child and its parent"
BY_PATH = "the library wants a path; require_regular_file is asked before"
DATABASE = "SQLite opens by path; the store looks first at what is there"
SCENE = "read in a process of its own with limits, after a look at what is there"
MOVES = "only the name of a whole new file; what is no file keeps its own (target_of)"

READS = {
    "io/toml_reading.py: shipped_files": SHIPPED,
    "sample/sample_project.py: sample_project": SHIPPED,
    "app/window/start/job_pictures.py: _picture": SHIPPED,
    "geometry/navmesh/recast.py: _text": SHIPPED,
    "io/scores/word_lists.py: shipped_word_list": SHIPPED,
    "documents/kept_steps.py: read_history": OURS,
    "documents/kept_steps.py: HistoryFile.write": OURS,
    "io/atomic.py: _give_name": A_FOLDER,
    "io/atomic.py: _sync_folder": A_FOLDER,
    "io/camera_takes/encoders.py: codec_of": "a film that Waypost has just written",
    "io/camera_takes/video.py: count_pictures": "a film that Waypost has just written",
    "io/growing_folder.py: _owned": "only a new file, in a folder that was just made",
    "io/growing_folder.py: _open_owner": "a mark that Waypost left beside what it exports",
    "io/growing_folder.py: _computer": "what the system says of its start",
    "io/datasets/rxr_pose_traces.py: can_read": IN_MEMORY,
    "io/scenes/foreign_kinds.py: _kind_of_zip": IN_MEMORY,
    "io/datasets/rxr_pose_traces.py: _arrays": IN_MEMORY,
    "io/file_reading.py: open_for_reading": IN_PLACE,
    "io/confined/__main__.py: _own_pipes": CHILD,
    "io/confined/__main__.py: _opened": CHILD,
    "io/confined/array_block.py: arrays_in": CHILD,
    "io/confined/confinement.py: _untouched_bytes": "what the system says of this process",
    "io/logs/lmdb_records.py: hand_over_records": BY_PATH,
    "io/logs/vlnpe_lmdb.py: write": OURS,
    "io/occupancy_maps.py: _grey": IN_MEMORY,
    "io/picture_sources/decoding.py: picture_size": IN_MEMORY,
    "io/picture_sources/run_frames.py: _frame_array": BY_PATH,
    "io/picture_sources/run_frames.py: Film.__init__": BY_PATH,
    "io/recordings/parquet.py: _table": IN_MEMORY,
    "io/recordings/take_records.py: add_missing_end": "adds a line to records it has just read",
    "io/scenes/textures.py: _converted": IN_MEMORY,
    "io/scenes/usd_stage/layers.py: StageLayers._named_layers": SCENE,
    "io/scenes/usd_stage/layers.py: StageLayers.open_all": SCENE,
    "io/scenes/usd_stage/materials.py: _read_asset": SCENE,
    "io/scenes/usd_stage/reader.py: _open_stage": SCENE,
    "sample/sample_project.py: _copy": "files that come with Waypost",
    "services/engine/drawing_priority.py: put_physics_first": "names of this process's own threads",
    "services/evaluation/buckets.py: _items": OURS,
    "simulators/worker/bootstrap.py: main": "pipes that the worker was given",
    "simulators/backends/isaac_start.py: isaac_version": "a line beside Isaac Sim's own Python",
    "simulators/camera_feed.py: _file_in": OURS,
    "simulators/engine_search.py: _version_beside": "a line beside the Python of an engine",
    "simulators/worker/camera.py: WorkerCamera.open": OURS,
    "store/database.py: image_engine.connect": "a database in memory",
    "store/database.py: sqlite_engine.connect": DATABASE,
    "store/migration.py: keep_copy": DATABASE,
    "store/new_project.py: _sync_folder": A_FOLDER,
}
"""Who opens a file for reading by itself, and why."""

WRITES = {
    "app/terminal/output.py: drop_output": "the null device, in place of standard output",
    "demo/performance.py: take_picture": IN_MEMORY,
    "documents/kept_steps.py: read_history": OURS,
    "documents/kept_steps.py: HistoryFile.write": OURS,
    "report/step_pictures.py: _address": IN_MEMORY,
    "report/share.py: share_episode": IN_MEMORY,
    "report/share.py: _write_gif": IN_MEMORY,
    "services/study/export.py: _move_into": MOVES,
    "app/commands/team_server.py: secure": "only a new file, by O_EXCL",
    "app/window/start/exercise_run.py: _making_copy": "a name within a folder that was just made",
    "app/window/files.py: _making_sample_runs": "a new folder takes its name where none is",
    "io/atomic.py: _check_folder": "a nameless file, to see whether a folder takes one",
    "io/atomic.py: open_atomic": IN_PLACE,
    "io/atomic.py: _open_nameless": IN_PLACE,
    "io/atomic.py: _give_name": IN_PLACE,
    "io/camera_takes/encoders.py: _H264Encoder.__init__": "a new file that open_video then names",
    "io/camera_takes/encoders.py: by_opencv.begin": "a new file that open_video then names",
    "io/camera_takes/picture_files.py: open_folder": MOVES,
    "io/camera_takes/video.py: open_video": "a new file that takes its name when it is whole",
    "io/camera_takes/video.py: _take_name": MOVES,
    "io/growing_folder.py: _open_owner": "nothing is written; a lock needs it open for that",
    "io/kept_records.py: RecordWriter.__init__": "only a new file, in the cache",
    "io/logs/run_writing.py: open_text": IN_MEMORY,
    "io/confined/__main__.py: _own_pipes": CHILD,
    "io/confined/__main__.py: _opened": CHILD,
    "io/confined/array_block.py: new_block": CHILD,
    "io/logs/lmdb_records.py: hand_over_records": "opened with readonly",
    "io/logs/vlnpe_lmdb.py: write": "a folder that is made anew, never where something is",
    "io/recordings/parquet.py: write_parquet_recording": IN_MEMORY,
    "io/recordings/take_records.py: add_missing_end": "adds a line to records it has just read",
    "io/run_cache.py: RunCache.load": "the time of files in the cache",
    "io/run_cache.py: RunCache.keep": "a name within the cache",
    "io/score_parquet.py: ScoreParquetWriter.__init__": IN_MEMORY,
    "services/evaluation/buckets.py: BucketDealer._write": OURS,
    "services/object_deaths.py: watch_deaths_if_asked.tell": "a log that a developer asks for",
    "services/settings.py: SettingsFile._keep_aside": "only the name of a damaged file",
    "simulators/backends/habitat_stage.py: write_stage": OURS,
    "simulators/backends/isaac_session.py: IsaacSession.write_layer": OURS,
    "simulators/backends/ovphysx_session.py: OvphysxSession.write_layer": OURS,
    "simulators/camera_feed.py: _file_in": OURS,
    "simulators/worker/appended_file.py: AppendedFile.__init__": "only a new file, by O_EXCL",
    "simulators/worker/bootstrap.py: main": "pipes that the worker was given",
    "store/database.py: image_engine.connect": "a database in memory",
    "store/database.py: sqlite_engine.connect": DATABASE,
    "store/migration.py: keep_copy": "only a new file, beside the project",
    "store/new_project.py: create_file": "only the name of a whole new project",
    "tables/frames.py: write_parquet": IN_MEMORY,
}
"""Who makes or changes a file by itself, and why."""

NO_FILES = frozenset(
    {
        "store.save",
        "self._settings_file.save",
        "self._wishes.replace",
        "dataclasses.replace",
        "context.open",
        "picture.open",
    }
)
"""Calls that only sound as if they touched a file."""


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_name(node.value)}.{node.attr}".lstrip(".")
    return ""


def _mode(call: ast.Call, name: str) -> str | None:
    """The mode in which ``open`` is called; ``None`` if this is no opening of a file."""
    last = name.rpartition(".")[2]
    if last not in {"open", "fdopen"}:
        return None
    is_method = name not in {"open", "io.open", "codecs.open", "gzip.open", "os.fdopen"}
    given = call.args[0 if is_method else 1 :][:1]
    given += [word.value for word in call.keywords if word.arg == "mode"]
    stated = [word.value for word in given if isinstance(word, ast.Constant)]
    modes = [text for text in stated if isinstance(text, str) and set(text) <= set("rwaxbt+")]
    if modes:
        return modes[0]
    is_plain = not is_method or (not call.args and not call.keywords)
    return (
        "r"
        if is_plain and name.split(".", maxsplit=1)[0] not in {"dialog", "editor", "box"}
        else None
    )


def _does(call: ast.Call) -> Iterator[tuple[str, str]]:
    """What a call does to files (``reads``, ``writes``), with its name."""
    name = _name(call.func)
    if name in NO_FILES:
        return
    is_writing = any(flag in ast.unparse(call) for flag in ("O_WRONLY", "O_RDWR", "flags"))
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    mode = _mode(call, name)
    if name == "os.open":
        yield "writes" if is_writing else "reads", name
    elif (
        (mode is not None and not set(mode) & set("wax"))
        or (
            mode is None and name in READING_CALLS - {"open", "io.open", "codecs.open", "os.fdopen"}
        )
        or method in READING_METHODS
    ):
        yield "reads", name
    if (
        (mode is not None and set(mode) & set("wax+"))
        or name in WRITING_CALLS
        or method in WRITING_METHODS
        or (method == "replace" and len(call.args) == 1 and not call.keywords)
        or (method == "save" and call.args)
    ):
        yield "writes", name


def _functions(tree: ast.AST, name: str = "") -> Iterator[tuple[str, ast.Call]]:
    """Every call with the function, or class and method, that it stands in."""
    for node in ast.iter_child_nodes(tree):
        inner = name
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            inner = f"{name}.{node.name}".lstrip(".")
        if isinstance(node, ast.Call):
            yield inner, node
        yield from _functions(node, inner)


def _found(what: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        for function, call in _functions(ast.parse(path.read_text(encoding="utf-8"))):
            for does, name in _does(call):
                if does == what:
                    found.setdefault(f"{place}: {function}", set()).add(name)
    return found


def test_files_are_opened_for_reading_in_one_place() -> None:
    found = _found("reads")
    unknown = {place: names for place, names in found.items() if place not in READS}
    assert not unknown, "use io.file_reading, or say in READS why not"
    assert not set(READS) - set(found), "these open nothing any more"


def test_files_are_written_in_one_place() -> None:
    found = _found("writes")
    unknown = {place: names for place, names in found.items() if place not in WRITES}
    assert not unknown, "use io.atomic, or say in WRITES why not"
    assert not set(WRITES) - set(found), "these write nothing any more"


def test_the_walk_sees_what_it_is_for() -> None:
    source = """
def reads(path):
    open(path); path.open("rb"); path.read_text(); np.load(path); os.open(path, 0)
    path.open(); Image.open(path); lmdb.open(path); cv2.VideoCapture(path)
def writes(path):
    path.open("w"); open(path, mode="a"); path.write_text(""); a.replace(b); os.replace(a, b)
    picture.save(path); shutil.copyfile(a, b); path.touch(); path.open("r+b")
def neither(text):
    text.replace("a", "b"); dialog.open(); store.open(location, root=root); painter.save()
"""
    told: dict[str, list[str]] = {"reads": [], "writes": [], "neither": []}
    for function, call in _functions(ast.parse(source)):
        told[function] += [f"{does} {_name(call.func)}" for does, _ in _does(call)]
    assert [t for t in told["reads"] if t.startswith("reads")] == [
        "reads open", "reads path.open", "reads path.read_text", "reads np.load", "reads os.open",
        "reads path.open", "reads Image.open", "reads lmdb.open", "reads cv2.VideoCapture",
    ]  # fmt: skip
    assert [t for t in told["writes"] if t.startswith("writes")] == [
        "writes path.open", "writes open", "writes path.write_text", "writes a.replace",
        "writes os.replace", "writes picture.save", "writes shutil.copyfile", "writes path.touch",
        "writes path.open",
    ]  # fmt: skip
    assert told["neither"] == []
