"""Give runs without an id the one episode that has their instruction.

DiscussNav and console logs know an episode by its text only. Texts are compared after joining
their words by single spaces; where several episodes share a text, the logged ground-truth path
decides, and where that does not tell either, the run keeps no id.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import EpisodeRun
from waypost.io.read_log import ReadLog

PATH_KEY = "gt_path"
"""Key of ``EpisodeRun.extra`` under which a reader leaves the logged ground-truth path."""


@dataclass(slots=True)
class _Index:
    """Episodes by instruction text."""

    entries: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = field(default_factory=dict)
    """Text → id of every episode that has it → scene and reference path; the first of an id."""

    def add(self, episode: Episode) -> None:
        texts = {episode.instruction.text, *episode.instruction.styles.values()}
        entry = (episode.scene_id, episode.reference.viewpoint_ids)
        for text in {_normal(text) for text in texts} - {""}:
            self.entries.setdefault(text, {}).setdefault(episode.episode_id, entry)

    def ids_of(self, run: EpisodeRun) -> tuple[list[tuple[str, str]], int]:
        """Id and scene of the episodes that a run fits, and how many share its text."""
        sharing = self.entries.get(_normal(run.instruction), {})
        path = tuple(run.extra.get(PATH_KEY, ()))
        fitting = [
            (name, scene) for name, (scene, way) in sharing.items() if not path or way == path
        ]
        return fitting, len(sharing)


def name_runs(
    runs: Iterable[EpisodeRun], episodes: Callable[[], Iterable[Episode]], log: ReadLog
) -> Iterator[EpisodeRun]:
    """Yield the runs, those without an id with the id of the episode they belong to.

    Args:
        runs: Of any reader; runs that have an id pass untouched.
        episodes: Reads the annotations; called once, and only if some run lacks an id.
        log: Told of texts that several episodes share (``AMBIGUOUS_ID``). A text that no
            episode has leaves the run without id, which makes it foreign.
    """
    index: _Index | None = None
    for run in runs:
        if run.episode_id or not run.instruction:
            yield run
            continue
        if index is None:
            index = _Index()
            for episode in episodes():
                index.add(episode)
        found, sharing = index.ids_of(run)
        if len(found) == 1:
            episode_id, scene_id = found[0]
            yield dataclasses.replace(run, episode_id=episode_id, scene_id=run.scene_id or scene_id)
            continue
        if sharing > 1:
            names = ", ".join(name for name, _ in found)
            log.add(
                ImportKind.AMBIGUOUS_ID,
                f"{sharing} episodes have this instruction and the log does not tell which is"
                " meant; the run is left without id",
                value=names or run.instruction[:120],
            )
        yield run


def _normal(text: str) -> str:
    return " ".join(text.split())
