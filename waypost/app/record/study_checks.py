"""What the form of a study says, and what is wrong with it, field by field, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.episode import normal_id
from waypost.domain.record.take_rules import NEW_TAKE_RULES, TakeRules
from waypost.services.study.making import EpisodeFileFacts

_Form = TypeVar("_Form", "NewStudy", TakeRules)


@dataclass(frozen=True, slots=True)
class NewStudy:
    """What a study is made of."""

    name: str
    episodes_path: str
    episodes_per_participant: int
    is_first_practice: bool
    """Whether the first episode of the file is practice that does not count."""

    consent_text: str
    split: str = ""
    """Empty: all."""

    practice: tuple[str, ...] = ()
    """Ids of further practice episodes."""

    overlap: int | None = None
    seed: int = 0
    agent_key: str = ""
    rules: TakeRules = NEW_TAKE_RULES
    """Under which participants drive."""

    counts_abandoned: bool = True
    """Whether an episode that its participant gave up counts."""

    break_after_episodes: int | None = 10
    break_after_min: float | None = 30.0
    connectivity_path: str = ""
    navmeshes_path: str = ""
    scenes_path: str = ""


def kept_where_untouched(given: _Form, shown: _Form, proposed: _Form) -> _Form:
    """What was given, with what was proposed in every field that nobody touched.

    A field may show less than it was given: minutes with one decimal, or no more than its most.

    Args:
        given: As the fields are now.
        shown: As the fields were when they showed ``proposed``.
        proposed: What they were to show.
    """
    names = [field.name for field in fields(given)]
    untouched = [name for name in names if getattr(given, name) == getattr(shown, name)]
    return replace(given, **{name: getattr(proposed, name) for name in untouched})


def practice_ids(text: str) -> tuple[str, ...]:
    """The ids in a list with commas or spaces."""
    return tuple(normal_id(word) for word in text.replace(",", " ").split())


def study_problems(values: NewStudy, file: EpisodeFileFacts | None) -> Mapping[str, str]:
    """Field of ``NewStudy`` → one sentence; nothing for a form that can be sent.

    Args:
        values: What was given.
        file: What the file of the episodes holds, once that is known.
    """
    problems: dict[str, str] = {}
    if not values.name:
        problems["name"] = "A study needs a name."
    if not values.episodes_path:
        problems["episodes_path"] = "Choose the file of the episodes."
    if not values.consent_text.strip():
        problems["consent_text"] = "Participants must have something to agree to."
    if file is None or file.path != values.episodes_path:
        return problems
    unknown = [own for own in values.practice if own not in file.ids]
    if unknown:
        problems["practice"] = f"The file has no episode {', '.join(unknown[:3])}."
    if values.split and values.split not in file.splits:
        problems["split"] = f"The file has no split {values.split}."
    left = len(file.ids) - len(set(values.practice)) - values.is_first_practice
    if left < 1 and not unknown:
        problems["practice"] = "No episode is left beside practice."
    if file.unplaced and not values.connectivity_path:
        problems["connectivity_path"] = (
            f"{counted(file.unplaced, 'episode names', 'episodes name')} viewpoints only;"
            " their graphs say where those are."
        )
    return problems


def file_sentence(file: EpisodeFileFacts) -> str:
    """What a file of episodes holds, in one line."""
    scenes = counted(len(file.scenes), "scene")
    splits = f", {', '.join(file.splits)}" if file.splits else ""
    paths = counted(file.paths, "different path")
    return f"{counted(file.count, 'episode')} along {paths} in {scenes}{splits}."
