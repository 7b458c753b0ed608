"""Each kind of item a project holds, and how its values become table rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.project import Project
from waypost.domain.scene.graph import Edge, EdgeKind, Extra, Node
from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.store import schema
from waypost.store.item_kind import ItemKind, RowValues, from_json, single, to_json
from waypost.store.replay_rows import REPLAY_KINDS
from waypost.store.row_types import check_field
from waypost.store.study_rows import STUDY_KINDS


def _extra(text: str) -> Extra:
    value = from_json(text)
    if not isinstance(value, dict):
        raise ValueError("extra: must be an object")  # noqa: TRY004 - a bad file, not a bad call
    return MappingProxyType(value)


def _facts(project: Project) -> Mapping[str, Any]:
    return {
        "name": project.name,
        "scene_path": project.scene_path,
        "scene_up_axis": project.scene_up_axis,
        "scene_metres_per_unit": project.scene_metres_per_unit,
        "graph_extra": project.graph.extra,
    }


_FACTS: Final = frozenset(
    {"name", "scene_path", "scene_up_axis", "scene_metres_per_unit", "graph_extra"}
)


def project_facts(stored: Mapping[str, Any]) -> dict[str, Any]:
    """What a project says about itself as a whole, by the name of its field.

    Raises:
        ValueError: If something is missing or of a wrong type.
    """
    for name in _FACTS:
        if name not in stored:
            raise ValueError(f"{name!r} is missing")
        if name != "graph_extra":
            check_field(Project, name, stored[name])
        elif not isinstance(stored[name], dict):
            raise ValueError(f"{name}: must be an object")
    unit = stored["scene_metres_per_unit"]
    if unit is not None and not unit > 0:
        raise ValueError(f"scene_metres_per_unit: {unit:g} is not above 0")
    return {name: stored[name] for name in _FACTS}


def _node_row(node: Node) -> dict[str, Any]:
    x, y, z = map(float, node.position_m)
    return {
        "name": node.name,
        "x_m": x,
        "y_m": y,
        "z_m": z,
        "description": node.description,
        "extra": to_json(node.extra),
    }


def _node(row: RowValues) -> Node:
    return Node(
        row["node_id"],
        row["name"],
        (float(row["x_m"]), float(row["y_m"]), float(row["z_m"])),
        row["description"],
        _extra(row["extra"]),
    )


def _edge_row(edge: Edge) -> dict[str, Any]:
    return {
        "from_id": edge.from_id,
        "to_id": edge.to_id,
        "kind": edge.kind.value,
        "extra": to_json(edge.extra),
    }


def _edge(row: RowValues) -> Edge:
    return Edge(
        row["edge_id"], row["from_id"], row["to_id"], EdgeKind(row["kind"]), _extra(row["extra"])
    )


_AGENT_SCALARS = (
    "name",
    "width_m",
    "depth_m",
    "height_m",
    "step_limit_m",
    "climbs_stairs",
    "opens_doors",
    "operates_elevators",
    "min_turning_radius_m",
    "top_speed_mps",
    "description",
)


def _agent_row(profile: AgentProfile) -> dict[str, Any]:
    scalars = {name: getattr(profile, name) for name in _AGENT_SCALARS}
    return {**scalars, "shape": profile.shape.value, "drive": profile.drive.value}


def _agent(row: RowValues) -> AgentProfile:
    return AgentProfile(
        key=row["agent_key"],
        shape=BodyShape(row["shape"]),
        drive=DriveType(row["drive"]),
        **{name: row[name] for name in _AGENT_SCALARS},
    )


_PROVENANCE = ("scene_hash", "profile_hash", "engine", "engine_version", "mover_hash")


def _label_row(label: TraversabilityLabel) -> dict[str, Any]:
    return {
        "verdict": label.verdict.value,
        "reason": None if label.reason is None else label.reason.value,
        "note": label.note,
        "author": label.author,
        "time_utc": label.time_utc,
        **{name: getattr(label.provenance, name) for name in _PROVENANCE},
        "extra": to_json(label.extra),
    }


def _label(row: RowValues) -> TraversabilityLabel:
    return TraversabilityLabel(
        Passage(row["from_id"], row["to_id"], row["agent_key"]),
        Verdict(row["verdict"]),
        None if row["reason"] is None else Reason(row["reason"]),
        row["note"],
        row["author"],
        row["time_utc"],
        Provenance(**{name: row[name] for name in _PROVENANCE}),
        _extra(row["extra"]),
    )


def _task_row(task: Task) -> dict[str, Any]:
    return {
        "question": task.question,
        "start_place": task.start,
        "end_place": task.end,
        "start_detail": task.start_detail,
        "end_detail": task.end_detail,
        "intermediate": to_json(list(task.intermediate)),
        "extra": to_json(task.extra),
    }


def _task(row: RowValues) -> Task:
    return Task(
        row["question"],
        row["start_place"],
        row["end_place"],
        row["start_detail"],
        row["end_detail"],
        tuple(from_json(row["intermediate"])),
        _extra(row["extra"]),
    )


FACT: Final = ItemKind(
    "project setting",
    schema.FACTS,
    ("fact",),
    _facts,
    single,
    lambda value: {"value": to_json(value)},
    lambda row: from_json(row["value"]),
    lambda key, _: f"the project's {key.replace('_', ' ')}",
)
NODE: Final = ItemKind(
    "node",
    schema.NODES,
    ("node_id",),
    lambda project: project.graph.nodes,
    single,
    _node_row,
    _node,
    lambda key, node: f"node “{node.name}” ({key})",
)
EDGE: Final = ItemKind(
    "edge",
    schema.EDGES,
    ("edge_id",),
    lambda project: project.graph.edges,
    single,
    _edge_row,
    _edge,
    lambda key, edge: f"edge {key} ({edge.from_id} – {edge.to_id})",
)
AGENT: Final = ItemKind(
    "agent",
    schema.AGENTS,
    ("agent_key",),
    lambda project: project.agents,
    single,
    _agent_row,
    _agent,
    lambda key, agent: f"agent “{agent.name}” ({key})",
)
LABEL: Final = ItemKind(
    "label",
    schema.LABELS,
    ("from_id", "to_id", "agent_key"),
    lambda project: project.labels,
    lambda parts: Passage(*parts),
    _label_row,
    _label,
    lambda key, _: f"the label {key.from_id} → {key.to_id} of {key.agent_key}",
)
TASK: Final = ItemKind(
    "task",
    schema.TASKS,
    ("place",),
    lambda project: dict(enumerate(project.tasks)),
    single,
    _task_row,
    _task,
    lambda key, task: f"task {key + 1} (“{task.question}”)",
)

KINDS: Final = (FACT, NODE, EDGE, AGENT, LABEL, TASK, *STUDY_KINDS, *REPLAY_KINDS)
"""In an order in which rows can be added: nodes before the edges that name them."""
