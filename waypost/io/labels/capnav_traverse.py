"""CapNav labels (``<scene>-traverse.json``) to and from domain values, without loss.

Source: makeabilitylab/CapNav:annotator/src/annotation.js (what the annotator writes) and
makeabilitylab/CapNav:scripts/capnav_score.py (how the scorer looks labels up).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from waypost.domain.base.errors import InputError
from waypost.domain.scene.graph import Extra, NavigationGraph
from waypost.domain.traverse.traversability import (
    Labels,
    Passage,
    Provenance,
    TraversabilityLabel,
    Verdict,
)
from waypost.io.foreign_errors import reader
from waypost.io.graphs.capnav_names import (
    agent_key_of,
    note_with_reason,
    section_of,
    split_note,
)
from waypost.io.graphs.capnav_source import overlay, remember, remembered
from waypost.io.json_reading import JsonDocument, JsonValue, read_json
from waypost.io.json_writing import write_json_file
from waypost.io.labels.capnav_hallucinated import HALLUCINATED_KEY

UNCERTAIN_KEY = "waypost_verdict"
"""Key we add to an entry that says ``uncertain``, which CapNav cannot express."""

KIND_KEY = "waypost_label"
"""Which of the labels of a passage that two label an entry is."""

GAPS_KEY = "waypost_scene_gaps"
"""Key we add to an entry that was judged in a scene without some of its geometry: their names."""


@dataclass(frozen=True, slots=True)
class CapnavLabels:
    """What a traverse file holds."""

    labels: Labels
    """Every label of a passage of the graph, in the order of the file."""

    extra: Extra
    """To be kept as ``extra`` of the graph: sections, orphans and keys of the whole file."""

    orphans: tuple[str, ...]
    """Places of labels whose passage is not in the graph; kept and written back as long as it is
    not."""

    warnings: tuple[str, ...]
    """Oddities that did not prevent reading."""

    sections: frozenset[str]
    """Agents as the file names them, e.g. ``ROBOT``."""


@dataclass(frozen=True, slots=True)
class TraverseOptions:
    """How labels are written."""

    humanoid: str | None = None
    """``ROBOT`` or ``HUMANOID``; by default as in the file the labels came from, else ``ROBOT``."""

    uncertain_as_blocked: bool = False
    """Write ``uncertain`` as not traversable with a key that says so, instead of leaving it out."""

    left_out: frozenset[Passage] = field(default_factory=frozenset)
    """Passages that are not written, e.g. those whose label is stale."""

    kinds: Mapping[Passage, str] = field(default_factory=lambda: MappingProxyType({}))
    """``first``, ``second``, ``agreed`` or ``final``, of passages that two label."""

    hallucinated: tuple[str, ...] | None = None
    """Questions to list as hallucinated; ``None`` for those of the file the labels came from."""


def find_traverse(graph_file: Path) -> Path | None:
    """The labels that belong to ``X-graph.json``: ``X-traverse.json``, or ``None``.

    They stand beside it, or in ``traverse/`` beside its folder, as the benchmark lays them out.
    """
    name = f"{graph_file.name.removesuffix('.gz').removesuffix('-graph.json')}-traverse.json"
    folder = graph_file.parent
    places = (folder / name, folder.parent / "traverse" / name)
    return next((place for place in places if place.is_file()), None)


@reader
def read_capnav_traverse(path: Path, graph: NavigationGraph) -> CapnavLabels:
    """Read the labels of a graph's passages; see ``labels_from_capnav``.

    Raises:
        ReadError: Naming the place, e.g. ``HUMAN["node_1|node_2"].traversable``.
    """
    return labels_from_capnav(read_json(path), graph)


def labels_from_capnav(document: JsonDocument, graph: NavigationGraph) -> CapnavLabels:
    """Convert a traverse file; passages without a label stay undecided.

    Raises:
        ReadError: Naming the place and what is wrong there.
    """
    root = document.root
    if root.has("nodes") or root.has("questions"):
        raise root.error("this is a CapNav graph or task file, not a traverse file")
    sections = _sections(root)
    reading = _Reading(graph)
    top: dict[str, Any] = {}
    for name, value in root.entries():
        if name not in sections:
            top[name] = {"value": value.value}
            continue
        top[name] = {"agent": sections[name]}
        reading.add_section(sections[name], value)
        if reading.orphans_of_section:
            top[name]["orphans"] = reading.orphans_of_section
    unread = [
        f"{root.file}: {name}: another section of the same agent is read; kept as it is"
        for name, value in root.entries()
        if _is_section(name, value) and name not in sections
    ]
    extra = remember(graph.extra, traverse=top)
    labels = MappingProxyType(reading.labels)
    warnings = (*document.warnings, *unread)
    return CapnavLabels(labels, extra, tuple(reading.orphan_places), warnings, frozenset(sections))


class _Reading:
    """Collects the labels of one file while its sections are walked through."""

    def __init__(self, graph: NavigationGraph) -> None:
        self.labels: dict[Passage, TraversabilityLabel] = {}
        self.orphan_places: list[str] = []
        self.orphans_of_section: list[list[Any]] = []
        self._joined = graph.joined_pairs()

    def add_section(self, agent_key: str, section: JsonValue) -> None:
        """Read one agent's entries."""
        self.orphans_of_section = []
        for index, (key, entry) in enumerate(section.entries()):
            ends = _ends(key, self._joined)
            if ends is None:
                self.orphan_places.append(entry.place)
                self.orphans_of_section.append([index, key, entry.value])
                continue
            passage = Passage(*ends, agent_key)
            self.labels[passage] = _label(passage, entry, index)


def _ends(key: str, joined: Collection[frozenset[str]]) -> tuple[str, str] | None:
    """The two nodes of an entry; ``None`` where the graph does not join them."""
    # An id may itself contain "|", so every split is tried.
    parts = key.split("|")
    for cut in range(1, len(parts)):
        ends = ("|".join(parts[:cut]), "|".join(parts[cut:]))
        if frozenset(ends) in joined:
            return ends
    return None


def labels_to_capnav(
    labels: Labels, graph: NavigationGraph, options: TraverseOptions | None = None
) -> dict[str, Any]:
    """Return the JSON object of a traverse file.

    Entries that came from a file keep their place in it; the others follow in the order of the
    labels. Labels of passages that are no longer in the graph are left out.

    Raises:
        InputError: If two agents would have one section.
    """
    options = options or TraverseOptions()
    joined = graph.joined_pairs()
    entries: dict[str, list[tuple[float, str, Any]]] = {}
    for passage, label in labels.items():
        if passage in options.left_out or frozenset(passage[:2]) not in joined:
            continue
        item = _entry(label, options)
        if item is not None:
            if passage in options.kinds:
                item[2][KIND_KEY] = options.kinds[passage]
            entries.setdefault(passage.agent_key, []).append(item)
    document: dict[str, Any] = {}
    top: Mapping[str, Any] = remembered(graph.extra).get("traverse", {})
    for name, kept in top.items():
        if "agent" not in kept:
            document[name] = kept["value"]
            continue
        key = kept["agent"]
        if key == "humanoid" and options.humanoid and options.humanoid not in top:
            name = options.humanoid  # noqa: PLW2901 - the section is renamed in place
        # A passage that the graph has by now is another place: its label is the project's, or none.
        rows = [
            (float(index), entry, value)
            for index, entry, value in kept.get("orphans", [])
            if _ends(entry, joined) is None
        ]
        document[name] = _in_order(rows + entries.pop(key, []))
    if options.hallucinated or (options.hallucinated == () and HALLUCINATED_KEY in document):
        document[HALLUCINATED_KEY] = list(options.hallucinated)
    for key, rows in entries.items():
        name = section_of(key, humanoid=options.humanoid or "ROBOT")
        if name in document:
            raise InputError(f"labels: CapNav has one {name}, and so another agent beside {key!r}")
        document[name] = _in_order(rows)
    return document


def write_capnav_traverse(
    path: Path, labels: Labels, graph: NavigationGraph, options: TraverseOptions | None = None
) -> None:
    """Write a traverse file; see ``labels_to_capnav``.

    Raises:
        InputError: If two agents would have one section.
        WriteError: If the file cannot be written.
    """
    write_json_file(path, labels_to_capnav(labels, graph, options))


def is_written(label: TraversabilityLabel, *, uncertain_as_blocked: bool) -> bool:
    """Whether a label goes into a traverse file: uncertain ones only if they came from one."""
    if label.verdict is not Verdict.UNCERTAIN or uncertain_as_blocked:
        return True
    entry = remembered(label.extra).get("entry", {})
    return bool(entry.get(UNCERTAIN_KEY) == Verdict.UNCERTAIN)


def with_author(labels: Labels, author: str) -> Labels:
    """Say who gave the labels that do not say it themselves."""
    named = {p: x if x.author else replace(x, author=author) for p, x in labels.items()}
    return MappingProxyType(named)


def _sections(root: JsonValue) -> dict[str, str]:
    """Section name → agent key; of two sections for one agent the scorer's first choice."""
    names = [name for name, value in root.entries() if _is_section(name, value)]
    names.sort(key=lambda name: name != "HUMANOID")
    chosen: dict[str, str] = {}
    for name in names:
        key = agent_key_of(name)
        if key not in chosen.values():
            chosen[name] = key
    return chosen


def _is_section(name: str, value: JsonValue) -> bool:
    return not name.startswith("_") and isinstance(value.value, dict)


def _label(passage: Passage, entry: JsonValue, index: int) -> TraversabilityLabel:
    is_open = entry.field("traversable").as_flag()
    raw = entry.as_object()
    note = entry.text_of("note")
    reason = None
    verdict = Verdict.TRAVELS if is_open else Verdict.DOES_NOT
    if not is_open and raw.get(UNCERTAIN_KEY) == Verdict.UNCERTAIN:
        verdict = Verdict.UNCERTAIN
    elif not is_open:
        reason, note = split_note(note)
    return TraversabilityLabel(
        passage,
        verdict,
        reason,
        note,
        time_utc=entry.text_of("timestamp"),
        provenance=Provenance(scene_gaps=_gaps(raw.get(GAPS_KEY))),
        extra=remember(MappingProxyType({}), entry=raw, index=index),
    )


def _gaps(found: object) -> tuple[str, ...]:
    names = found if isinstance(found, list) else []
    return tuple(name for name in names if isinstance(name, str))


def _entry(
    label: TraversabilityLabel, options: TraverseOptions
) -> tuple[float, str, dict[str, Any]] | None:
    kept = remembered(label.extra)
    raw: dict[str, Any] = dict(kept.get("entry", {}))
    if not is_written(label, uncertain_as_blocked=options.uncertain_as_blocked):
        return None
    was_uncertain = raw.get(UNCERTAIN_KEY) == Verdict.UNCERTAIN
    is_uncertain = label.verdict is Verdict.UNCERTAIN
    now: dict[str, Any] = {
        "traversable": label.verdict is Verdict.TRAVELS,
        "note": note_with_reason(label.reason, label.note) if label.reason else label.note,
        "timestamp": label.time_utc,
    }
    then = {"note": raw.get("note") or "", "timestamp": raw.get("timestamp") or ""}
    if label.reason and split_note(then["note"]) == (label.reason, label.note):
        then["note"] = now["note"]
    if raw:
        then["traversable"] = raw["traversable"]
    else:
        now["question"] = ""
        then = {}
    entry = overlay(raw, now, then)
    if is_uncertain:
        entry[UNCERTAIN_KEY] = str(Verdict.UNCERTAIN)
    elif was_uncertain:
        del entry[UNCERTAIN_KEY]
    gaps = label.provenance.scene_gaps
    if gaps != _gaps(raw.get(GAPS_KEY)):
        entry.pop(GAPS_KEY, None)
        if gaps:
            entry[GAPS_KEY] = list(gaps)
    if entry != raw:
        # What a file says it was, such as final, it is no more.
        entry.pop(KIND_KEY, None)
    order = float(kept.get("index", float("inf")))
    return order, f"{label.passage.from_id}|{label.passage.to_id}", entry


def _in_order(rows: list[tuple[float, str, Any]]) -> dict[str, Any]:
    return {key: value for _, key, value in sorted(rows, key=lambda row: row[0])}
