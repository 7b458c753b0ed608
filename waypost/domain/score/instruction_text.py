"""An instruction as people score it: its words, where they came from, what is known beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from waypost.domain.base.frames import Vec3
from waypost.domain.episode.episode import Episode


@dataclass(frozen=True, slots=True)
class InstructionText:
    """One instruction, in one wording."""

    item: str
    """Its id, unique among those that are scored together."""

    text: str
    """As written: every script, direction and line end."""

    source: str = ""
    """Who or what wrote it, e.g. ``human`` or the name of a model; raters do not see it."""

    task: str = ""
    """Kind or style of the instruction, e.g. ``casual`` or ``abstract``."""

    language: str = ""
    """As the file says, e.g. ``en-IN``."""

    dataset: str = ""
    """Key of the format of its episode; empty without one."""

    scene_id: str = ""
    episode_id: str = ""
    names: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """What a rubric can ask about → its names, e.g. ``target`` → (``mug``,)."""

    path_m: tuple[Vec3, ...] = ()
    """The path that it describes, metres, scene frame; empty where nobody says."""

    facts: tuple[str, ...] = ()
    """What holds of it, e.g. ``actions_given``; conditions of a rubric ask for them."""

    extra: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further columns of its file."""


PlaceOf = Callable[[str, str], Vec3 | None]
"""Scene and viewpoint → where that is, metres, scene frame; ``None`` where nobody knows."""


def episode_instructions(
    episodes: Iterable[Episode], place_of: PlaceOf = lambda *_: None
) -> tuple[InstructionText, ...]:
    """The instructions of episodes, one per wording; episodes without words give none.

    An id that several have gets its scene, and what is then still the same a number.

    Args:
        episodes: Of any format.
        place_of: Finds the viewpoints of paths that have no positions.
    """
    found = [wording for episode in episodes for wording in _wordings(episode, place_of)]
    seen: dict[str, int] = {}
    unique = []
    for entry in found:
        item = entry.item
        if item in seen:
            item = f"{entry.scene_id}/{item}"
        if item in seen:
            seen[item] += 1
            item = f"{item} ({seen[item]})"
        seen.setdefault(item, 1)
        unique.append(entry if item == entry.item else replace(entry, item=item))
    return tuple(unique)


def _wordings(episode: Episode, place_of: PlaceOf) -> list[InstructionText]:
    said = episode.instruction
    styles = dict(said.styles)
    if said.text not in styles.values():
        styles = {"": said.text, **styles}
    targets = {goal.target.name for goal in episode.goals if goal.target and goal.target.name}
    names = MappingProxyType({"target": tuple(sorted(targets))} if targets else {})
    path = _path(episode, place_of)
    return [
        InstructionText(
            f"{episode.episode_id} {style}" if style else episode.episode_id,
            text,
            task=style,
            language=said.language,
            dataset=episode.dataset,
            scene_id=episode.scene_id,
            episode_id=episode.episode_id,
            names=names,
            path_m=path,
        )
        for style, text in styles.items()
        if text.strip()
    ]


def _path(episode: Episode, place_of: PlaceOf) -> tuple[Vec3, ...]:
    """The reference, as far as its places are known; nothing if one of them is not."""
    positions = episode.reference.positions_m
    if positions is not None:
        return tuple((float(x), float(y), float(z)) for x, y, z in positions)
    found = [place_of(episode.scene_id, node) for node in episode.reference.viewpoint_ids]
    known = tuple(place for place in found if place is not None)
    return known if len(known) == len(found) else ()
