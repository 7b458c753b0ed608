"""Object lists of MSNav: R2R annotations to which a model added the objects it reads in them.

Source: MrCapricornLiu/MSNav:Spatial/scripts/infer_instr_obj.py, eval_obj_metrics.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.run import Answer, EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.item_reading import Item
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_format import RunFormat
from waypost.io.logs.run_records import others, read_records, top_record
from waypost.io.logs.run_writing import record_or, write_array
from waypost.io.read_log import ReadLog

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {"direct_obj": "direct", "potential_obj": "inferred"}
)
"""Key of a record → kind of ``object_lists``."""

_KNOWN: Final = frozenset({*KINDS, "scan", "instr_id", "instruction", "instructions"})


def can_read(head: FileHead) -> bool:
    """Whether the first record has both lists; they stand at its end."""
    return _is_own(top_record(head))


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and record.keys() >= KINDS.keys()


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield one run per record; the lists belong to its first instruction."""
    return read_records(path, log, _run, as_lines=True)


def object_lists(record: JsonValue) -> Mapping[str, tuple[str, ...]]:
    """The lists of a record by kind, in the order of the file; empty if it has none.

    Raises:
        ReadError: If a list holds something else than text.
    """
    return MappingProxyType(
        {
            kind: tuple(name.as_text() for name in record.field(key).items())
            for key, kind in KINDS.items()
            if record.has(key)
        }
    )


def _run(item: Item, _log: ReadLog) -> EpisodeRun:
    record = item.json
    if not _is_own(record.value):
        raise record.error(f"has no {' and '.join(KINDS)}")
    instruction = record.text_of("instruction")
    if record.has("instructions"):
        instruction = next((text.as_text() for text in record.field("instructions").items()), "")
    episode_id = ""
    if record.has("instr_id"):
        episode_id = normal_id(record.value["instr_id"])
    elif record.has("path_id") and record.has("instructions"):
        episode_id = f"{normal_id(record.value['path_id'])}_0"
    return EpisodeRun(
        episode_id=episode_id,
        answer=Answer(object_lists=object_lists(record)),
        scene_id=record.text_of("scan"),
        instruction=instruction,
        extra=others(record.value, _KNOWN),
        record=record.value,
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the lists of the runs, one record each."""
    write_array(path, (record_or(run, _is_own, _record) for run in runs))
    log.warn(f"{path.name} holds object lists only; routes, thoughts and scores stay behind")


def _record(run: EpisodeRun) -> dict[str, Any]:
    lists = run.answer.object_lists
    return {
        "instr_id": run.episode_id,
        "scan": run.scene_id,
        "instruction": run.instruction,
        **{key: list(lists.get(kind, ())) for key, kind in KINDS.items()},
    }


FORMAT: Final = RunFormat(
    name="msnav-objects",
    title="MSNav object lists",
    can_read=can_read,
    read=read,
    conventions=(
        "objects named in the first instruction of each record (direct_obj) and inferred from it"
        " (potential_obj), most important first; no route; written from the public program, no"
        " published sample was found"
    ),
    source="MrCapricornLiu/MSNav:Spatial/scripts/infer_instr_obj.py",
    write=write,
    keys=("direct_obj", "potential_obj"),
)
