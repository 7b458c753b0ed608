"""Puts the current state into the status strip: saved, who, which scene, agent and engine."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from waypost.app.shell.bench_scenes import is_same_file
from waypost.app.shell.scene_gaps import gaps_in_force
from waypost.app.shell.workbench import Workbench, at_window
from waypost.app.window.status_strip import EngineLevel, SavedLevel, StatusStrip, saved_text
from waypost.documents.save_state import SaveKind
from waypost.domain.traverse.agent import AgentProfile
from waypost.services.agent_marks import agent_names
from waypost.services.engine.driven_engine import DrivenEngine, EngineState

_SAVED = {
    SaveKind.SAVED: SavedLevel.SAVED,
    SaveKind.SAVING: SavedLevel.SAVING,
    SaveKind.NOT_SAVED: SavedLevel.NOT_SAVED,
    SaveKind.READ_ONLY: SavedLevel.READ_ONLY,
}
_ENGINE = {
    EngineState.OFF: (EngineLevel.OFF, "off"),
    EngineState.STARTING: (EngineLevel.STARTING, "starting"),
    EngineState.LOADING: (EngineLevel.STARTING, "loading the scene"),
    EngineState.READY: (EngineLevel.READY, "ready"),
    EngineState.DRIVING: (EngineLevel.READY, "driving"),
    EngineState.AUTOMATIC: (EngineLevel.READY, "driving by itself"),
    EngineState.FAILED: (EngineLevel.FAILED, "stopped; click to restart"),
}


def show_status(
    strip: StatusStrip,
    bench: Workbench,
    engine: DrivenEngine,
    now: datetime,
    *,
    is_driven: bool,
) -> None:
    """Refresh every cell; time alone changes only what ``show_saved`` shows.

    Args:
        strip: The cells.
        bench: What is open.
        engine: The physics engine.
        now: For how long ago it was saved.
        is_driven: Whether somebody drives; an agent that was driven stays in the engine after it.
    """
    show_saved(strip, bench, now)
    strip.set_annotator(at_window(bench))
    scene = bench.scene
    count = scene.triangle_count if scene else 0
    strip.set_scene(scene.name if scene else "", count, _place_of_project(bench))
    strip.set_gaps(gaps_in_force(bench))
    strip.set_agent(_agent_text(bench.agent, bench.project.agents))
    is_left = engine.state is EngineState.DRIVING and not is_driven
    level, word = _ENGINE[EngineState.READY if is_left else engine.state]
    title = engine.info.title if engine.info else "engine"
    is_off = engine.state is EngineState.OFF
    tip = "It starts with the Traverse workspace" if is_off else "Click to restart it"
    strip.set_engine(level, f"{title} · {word}", f"Physics engine. {tip}")


def show_saved(strip: StatusStrip, bench: Workbench, now: datetime) -> None:
    """Refresh the first cell: whether everything is in the file, and since when."""
    document = bench.document
    if document:
        state = document.save_state
        text = {
            SaveKind.SAVED: saved_text((now - document.last_saved_at).total_seconds()),
            SaveKind.SAVING: "saving",
            SaveKind.NOT_SAVED: "NOT SAVED",
            SaveKind.READ_ONLY: "read-only",
        }[state.kind]
        strip.set_saved(_SAVED[state.kind], text, state.reason)


def _place_of_project(bench: Workbench) -> str:
    """The file of a project that does not lie beside its scene; empty if it does."""
    document, scene = bench.document, bench.own_scene_path
    if document is None or scene is None or not isinstance(document.store.location, Path):
        return ""
    place = document.store.location
    if is_same_file(scene.parent, place.parent):
        return ""
    is_at_home = place.is_relative_to(Path.home())
    return f"~/{place.relative_to(Path.home()).as_posix()}" if is_at_home else str(place)


def _agent_text(agent: AgentProfile | None, agents: Mapping[str, AgentProfile]) -> str:
    if agent is None:
        return ""
    name = agent_names(agents)[agent.key]
    return f"{name} {agent.width_m:.2f} × {agent.depth_m:.2f} × {agent.height_m:.2f} m"
