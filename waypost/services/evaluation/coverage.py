"""What to say about ids that come twice and about runs that belong to no episode."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import EpisodeRun
from waypost.io.read_log import ReadLog

_NOTHING: Final[MappingProxyType[str, Any]] = MappingProxyType({})


def unique_episodes(episodes: Iterable[Episode], log: ReadLog) -> dict[str, Episode]:
    """The episodes by id; a further one of an id is reported, and the first counts."""
    found: dict[str, Episode] = {}
    for episode in episodes:
        first = found.setdefault(episode.episode_id, episode)
        if first is episode:
            continue
        is_same = _asked(first) == _asked(episode)
        log.add(
            ImportKind.DUPLICATED_IDENTICAL if is_same else ImportKind.DUPLICATED_CONFLICTING,
            f"the annotations hold episode {episode.episode_id} again, and it says"
            f" {'the same' if is_same else 'otherwise'}; the first counts",
            item_id=episode.episode_id,
        )
    return found


def _asked(episode: Episode) -> Episode:
    # What large inputs do not keep counts in small ones neither, nor does the file it came from.
    return replace(
        episode, split="", instruction=Instruction(episode.instruction.text), extra=_NOTHING
    )


def note_foreign(name: str, episodes: dict[str, Episode], log: ReadLog) -> None:
    """Say that a run belongs to no episode, and which one its id may mean."""
    if not name:
        message = "a run without id has an instruction that no episode, or more than one, has"
        log.add(ImportKind.FOREIGN, message)
        return
    plain = name.lstrip("0")
    if plain != name and plain in episodes:
        message = f"{name} is not an episode; {plain} is, and may be meant"
        log.add(ImportKind.AMBIGUOUS_ID, message, item_id=name, value=plain)
    else:
        log.add(ImportKind.FOREIGN, f"{name} is not among the episodes asked for", item_id=name)


def note_duplicate(first: EpisodeRun, run: EpisodeRun, log: ReadLog) -> ImportKind:
    """Say that an episode has another run, and whether it says the same as the first."""
    is_same = first == run
    kind = ImportKind.DUPLICATED_IDENTICAL if is_same else ImportKind.DUPLICATED_CONFLICTING
    log.add(
        kind,
        f"{run.episode_id} has another run that says {'the same' if is_same else 'otherwise'};"
        " the first counts",
        item_id=run.episode_id,
    )
    return kind
