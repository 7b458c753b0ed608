"""What runs go by where no annotations are given: two scenes may number their episodes alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource


def told_apart(runs: Iterable[EpisodeRun], source: RunSource) -> Iterator[EpisodeRun]:
    """Yield the runs; one whose id an earlier run of another scene has is ``SCENE/ID``.

    Where annotations are given, their ids say which episode is meant, whatever the scene.

    Args:
        runs: As they were read.
        source: Where they are from; says whether there are annotations.
    """
    if source.annotations:
        yield from runs
        return
    scenes: dict[str, str] = {}
    for run in runs:
        if run.episode_id and not scenes.get(run.episode_id):
            scenes[run.episode_id] = run.scene_id
        if run.scene_id and run.scene_id != scenes.get(run.episode_id, run.scene_id):
            name = scene_and_id(run.episode_id, run.scene_id)
            yield dataclasses.replace(run, episode_id=name)
        else:
            yield run


def own_id(name: str, scene_id: str) -> str:
    """The id in a name that ``told_apart`` may have given.

    Args:
        name: What a run goes by.
        scene_id: The scene it states.
    """
    return name.removeprefix(f"{scene_id}/") if scene_id else name


def scene_and_id(name: str, scene_id: str) -> str:
    """What ``told_apart`` calls a run of another scene.

    Args:
        name: What it goes by, be it so already.
        scene_id: The scene it states.
    """
    return f"{scene_id}/{own_id(name, scene_id)}"
