"""``waypost scene set``: what a project says of its scene: file, up axis, unit, allowed gaps."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import platformdirs

from waypost.app.commands.arguments.asset_options import asset_options, note_outside
from waypost.app.commands.arguments.project_files import (
    author_of,
    opened_project,
)
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.project import Project, allow_gaps, set_graph, set_scene_file
from waypost.domain.scene.corrections import carried_along, is_drawn_in
from waypost.domain.scene.gaps import gap_lines, geometry_gaps
from waypost.domain.scene.scene import Scene
from waypost.io.scenes.corrections import lacks_frame
from waypost.io.scenes.open_scene import read_scene
from waypost.services.open_project import LoadedProject
from waypost.services.open_scene import open_scene_job
from waypost.services.project_places import stated_scene
from waypost.services.same_house import compare_houses_job
from waypost.store.project_store import ProjectStore

STATED: Final = "stated"
"""Takes a correction back."""


def run_set(options: Namespace) -> int:
    """Change the project, and print what it says of its scene."""
    _check(options)
    with opened_project(options.project, author_of(options)) as (store, before):
        after = before
        if options.file is not None:
            after = _with_file(options, store, after)
        elif not after.scene_path:
            raise InputError(
                f"{options.project}: scene: the project has none; name one with --file"
            )
        elif options.up_axis or options.metres_per_unit:
            after = _corrected(options, store, after)
        scene = _scene(options, store, after)
        if options.allow_gaps or options.refuse_gaps:
            gaps = geometry_gaps(scene) if options.allow_gaps else ()
            after = allow_gaps(after, after.scene_path, gaps)
        store.save(before, after, author_of(options), "Set the scene")
    document = _document(after, scene)
    if options.json:
        write_json(document)
    else:
        for name, value in document.items():
            write_line(f"{name.replace('_', ' '):<24} {_text(value)}")
    for line in gap_lines(scene):
        note(f"missing: {line}")
    return 0


def _check(options: Namespace) -> None:
    """Refuse what could not be done, before scenes are read for it."""
    if options.although_different and options.file is None:
        raise InputError("--although-different: belongs to --file")
    is_corrected = options.up_axis or options.metres_per_unit is not None
    if options.leave_nodes and not is_corrected:
        raise InputError("--leave-nodes: belongs to --up-axis and --metres-per-unit")
    if options.metres_per_unit is not None:
        _unit(options.metres_per_unit)


def _with_file(options: Namespace, store: ProjectStore, project: Project) -> Project:
    """The project with another file for its scene, if both look like the same house.

    Corrections that are given as well are those of that file: nodes were drawn in the other one,
    and stay.

    Raises:
        InputError: If they do not, and that was not allowed.
    """
    assets = asset_options(options)
    axis, unit = _corrections(options, None, None)
    opened = exhaust_shown(
        open_scene_job(options.file, up_axis=axis, metres_per_unit=unit, **assets)
    )
    found = exhaust_shown(compare_houses_job(LoadedProject(store, project), opened, assets))
    said = [*found.differences, *filter(None, [found.unread])]
    if said and project.scene_path and not options.although_different:
        raise InputError(
            f"{options.file}: scene: is not the house of {options.project}: {'; '.join(said)};"
            " --although-different takes it even so"
        )
    for line in said:
        note(line)
    data = Path(platformdirs.user_data_dir("waypost", appauthor=False))
    file = store.location if isinstance(store.location, Path) else store.root / "project"
    pointed = set_scene_file(project, stated_scene(file, options.file, data))
    return replace(pointed, scene_up_axis=axis, scene_metres_per_unit=unit)


def _corrected(options: Namespace, store: ProjectStore, project: Project) -> Project:
    axis, unit = _corrections(options, project.scene_up_axis, project.scene_metres_per_unit)
    after = replace(project, scene_up_axis=axis, scene_metres_per_unit=unit)
    if options.leave_nodes or not project.graph.nodes:
        return after
    try:
        was = _scene(options, store, project)
    except ReadError as error:
        if lacks_frame(error):  # nothing was ever drawn in a scene that could not be read
            return after
        raise
    if not is_drawn_in(project.graph, was):
        return after
    return set_graph(after, carried_along(project.graph, was, _scene(options, store, after)))


def _corrections(
    options: Namespace, axis: str | None, unit: float | None
) -> tuple[str | None, float | None]:
    """Up axis and unit as they are given, else as they were."""
    if options.up_axis:
        axis = None if options.up_axis == STATED else options.up_axis
    if options.metres_per_unit:
        unit = _unit(options.metres_per_unit)
    return axis, unit


def _unit(text: str) -> float | None:
    if text == STATED:
        return None
    try:
        unit = float(text)
    except ValueError as error:
        raise InputError(f"--metres-per-unit: {text}: is no number") from error
    if not 0 < unit < float("inf"):
        raise InputError(f"--metres-per-unit: {text}: is not above 0")
    return unit


def _scene(options: Namespace, store: ProjectStore, project: Project) -> Scene:
    path = store.root / project.scene_path
    scene = read_scene(
        path,
        up_axis=project.scene_up_axis,
        metres_per_unit=project.scene_metres_per_unit,
        **asset_options(options),
    )
    return note_outside(scene)


def _document(project: Project, scene: Scene) -> dict[str, Any]:
    return {
        "scene_path": project.scene_path,
        "up_axis": scene.source_up_axis,
        "metres_per_unit": scene.metres_per_unit,
        "is_up_axis_corrected": project.scene_up_axis is not None,
        "is_unit_corrected": project.scene_metres_per_unit is not None,
        "size_m": list(scene.size_m),
        "scene_hash": scene.content_hash,
        "scene_gaps": list(geometry_gaps(scene)),
        "allowed_gaps": list(project.allowed_gaps.get(project.scene_path, ())),
    }


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(f"{part:.2f}" if isinstance(part, float) else str(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
