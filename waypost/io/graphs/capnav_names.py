"""CapNav's names of agents and its way of saying why a passage is blocked."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final, NamedTuple

from waypost.domain.traverse.traversability import REASON_TITLES, Reason

GRAPH_NAME: Final = "-graph.json"
"""What follows the scene in the name of CapNav's graph file."""

CAPNAV_AGENTS: Final = MappingProxyType(
    {
        "human": "HUMAN",
        "wheelchair": "WHEELCHAIR",
        "humanoid": "ROBOT",
        "sweeper": "SWEEPER",
        "quadruped": "QUADRUPEDAL",
    }
)
"""Key of a shipped profile → section of the traverse files that CapNav's annotator writes."""

_AGENT_KEYS: Final = MappingProxyType(
    {
        **{section: key for key, section in CAPNAV_AGENTS.items()},
        "HUMANOID": "humanoid",
        "QUADRUPED": "quadruped",
    }
)

_REASONS_BY_TITLE: Final = MappingProxyType({title: key for key, title in REASON_TITLES.items()})


class ExportNames(NamedTuple):
    """What the files of a scene are called that CapNav's scripts read."""

    graph: str
    labels: str
    questions: str

    @classmethod
    def of(cls, scene_path: str, name: str) -> ExportNames:
        """By the name of the scene file; without one, that of the project."""
        stem = PurePosixPath(scene_path).stem or name
        return cls(f"{stem}{GRAPH_NAME}", f"{stem}-traverse.json", f"{stem}_QA.json")


def agent_key_of(section: str) -> str:
    """The agent key of a section name, e.g. ``humanoid`` of ``ROBOT`` or ``HUMANOID``."""
    known = _AGENT_KEYS.get(section.upper())
    return known or re.sub(r"[^a-z0-9_-]+", "_", section.lower()) or "_"


def section_of(agent_key: str, *, humanoid: str = CAPNAV_AGENTS["humanoid"]) -> str:
    """The section name of an agent key; other agents are written in capitals.

    Args:
        agent_key: Key of a profile.
        humanoid: ``ROBOT``, as the annotator writes it, or ``HUMANOID``, as the questions do.
    """
    return humanoid if agent_key == "humanoid" else CAPNAV_AGENTS.get(agent_key, agent_key.upper())


def note_with_reason(reason: Reason, note: str) -> str:
    """The note that says both, e.g. ``too narrow: armchair``; ``other`` is left unsaid."""
    title = REASON_TITLES[reason]
    if reason is Reason.OTHER and note and split_note(note) == (Reason.OTHER, note):
        return note
    return f"{title}: {note}" if note else title


def split_note(text: str) -> tuple[Reason, str]:
    """Reason and note of a text; ``other`` when it begins with none of our reasons."""
    if text in _REASONS_BY_TITLE:
        return _REASONS_BY_TITLE[text], ""
    title, separator, note = text.partition(": ")
    if separator and note and title in _REASONS_BY_TITLE:
        return _REASONS_BY_TITLE[title], note
    return Reason.OTHER, text
