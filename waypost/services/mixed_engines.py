"""What is said where one export holds what several engines, or versions of one, have driven."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import one_line
from waypost.domain.project import Project
from waypost.domain.traverse.traversability import Passage

_MOST_NAME = 80


def engine_text(name: str, version: str) -> str:
    """An engine as exports name it: ``physx 3.0.3``; empty if nothing was driven."""
    return one_line(f"{name} {version}".strip(), _MOST_NAME)


def engine_of_header(header: Mapping[str, Any]) -> str:
    """The engine that a take names in its header; empty if it names none."""
    engine = header.get("engine")
    if not isinstance(engine, dict):
        return ""
    return engine_text(str(engine.get("name", "")), str(engine.get("version", "")))


def engines_of_labels(project: Project, left_out: Collection[Passage]) -> list[str]:
    """The engine of every label that rests on a drive.

    Args:
        project: Whose labels are written.
        left_out: Those that are not.
    """
    judged = [label.provenance for p, label in project.labels.items() if p not in left_out]
    return [engine_text(known.engine, known.engine_version) for known in judged if known.engine]


def mixture_note(engines: Iterable[str], one: str) -> str:
    """What to say of things that different engines drove; empty if it was one or none.

    Args:
        engines: Of each thing, as ``engine_text`` has it; empty ones do not count.
        one: What it is: ``label``.
    """
    counts = Counter(engine for engine in engines if engine)
    if len(counts) < 2:
        return ""
    parts = [f"{counted(count, one)} by {name}" for name, count in counts.most_common()]
    return (
        f"several engines drove what is written here ({', '.join(parts)}): their numbers differ"
        " where an agent is jammed, so compare within one engine only"
    )
