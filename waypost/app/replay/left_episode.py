"""Where somebody was in Replay, as plain values that outlive the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from waypost.app.replay.desk import OpenedRun, ReplayDesk
from waypost.app.replay.episode import EpisodeViews
from waypost.app.replay.faces import OF_THE_RUN
from waypost.app.replay.opening import ReplayOpening
from waypost.app.replay.replay_header import FACES
from waypost.app.replay.scene import ReplayScene


@dataclass(frozen=True, slots=True)
class LeftEpisode:
    """The runs that were chosen, and the episode, step, face, page and strip that were shown."""

    runs: tuple[str, ...]
    episode_id: str = ""
    """Empty where none was replayed."""

    attempt: int = 1
    step: int = 0
    face: str = "table"
    page: str = ""
    """Title of the page at right."""

    is_strip_folded: bool | None = None
    """Whether the panoramas were chosen folded; ``None`` if nobody chose."""

    @property
    def key(self) -> tuple[str, int]:
        """Episode and attempt."""
        return self.episode_id, self.attempt

    def values(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)


def left_episode(values: Mapping[str, Any]) -> LeftEpisode | None:
    """What ``values`` gave; ``None`` for anything else, such as a place of another version."""
    runs, face = values.get("runs"), values.get("face")
    episode_id, page = values.get("episode_id"), values.get("page")
    attempt, step = values.get("attempt"), values.get("step")
    are_texts = all(isinstance(each, str) for each in (episode_id, page, face))
    are_numbers = all(type(each) is int and each >= 0 for each in (attempt, step))
    if not isinstance(runs, list | tuple) or not all(isinstance(run, str) for run in runs):
        return None
    if not (are_texts and are_numbers and face in FACES):
        return None
    fold = values.get("is_strip_folded")
    is_folded = fold if isinstance(fold, bool) else None
    return LeftEpisode(
        tuple(runs),
        str(episode_id),
        int(attempt or 1),
        int(step or 0),
        str(face),
        str(page),
        is_folded,
    )


class PlacedReplay(Protocol):
    """What has a place in Replay."""

    desk: ReplayDesk
    views: EpisodeViews
    scene: ReplayScene
    opening: ReplayOpening

    @property
    def face(self) -> str:
        """What fills the middle."""

    @property
    def chosen_runs(self) -> tuple[str, ...]:
        """Names of the chosen runs, the leading one first."""

    def show_runs(self, names: Sequence[str]) -> None:
        """Choose runs, and read those that have not been read."""

    def show_face(self, face: str) -> None:
        """Show another face."""

    def browse(self, episode_id: str, attempt: int = 1) -> None:
        """Show an episode beside whatever is shown."""


class ReplayPlace:
    """Says where somebody is, and goes where they were as the rows come in.

    Args:
        replay: What is shown.
    """

    def __init__(self, replay: PlacedReplay) -> None:
        self._replay = replay
        self._left: LeftEpisode | None = None

    def values(self) -> dict[str, Any]:
        """The runs, episode and step at hand; where that is still on its way, that place."""
        if self._left is not None:
            return self._left.values()
        views = self._replay.views
        episode_id, attempt = (self._replay.opening.key if views.run else None) or ("", 1)
        step, page = views.cursor.step if views.run else 0, views.page
        runs, face = self._replay.chosen_runs, self._replay.face
        fold = views.strip.chosen_fold
        return LeftEpisode(runs, episode_id, attempt, step, face, page, fold).values()

    def go(self, values: Mapping[str, Any]) -> None:
        """Choose the runs again, and replay the episode as soon as it is read."""
        left, replay = left_episode(values), self._replay
        names = [name for name in left.runs if name in replay.desk.names] if left else []
        if left is None or not names:
            return
        replay.show_runs(names)
        replay.views.show_page(left.page)
        if left.is_strip_folded is not None:
            replay.views.strip.set_folded(left.is_strip_folded)
        if left.face in OF_THE_RUN or not left.episode_id:
            replay.show_face(left.face)
        self._left = left if left.episode_id else None
        self.follow()

    def follow(self) -> None:
        """Replay the episode that was left once its row is there; forget it if it never comes."""
        left, replay = self._left, self._replay
        rows = [replay.desk.rows(name) for name in replay.chosen_runs]
        if left is None or not rows or rows[0] is None:
            return
        is_whole = all(each is not None and each.is_whole for each in rows)
        # Without the leading run another one waits for all, lest it shows the episode alone.
        if any(each and each.find(*left.key) for each in (rows if is_whole else rows[:1])):
            replay.browse(*left.key)
        elif is_whole:
            self._left = None

    def drop(self, key: tuple[str, int] | None = None) -> None:
        """Go nowhere any more, unless this very episode is what is wanted."""
        if self._left is not None and self._left.key != key:
            self._left = None

    def arrive(self, run: OpenedRun) -> str:
        """Go to the step of an episode that was left; the face to show, empty for another run."""
        left, self._left = self._left, None
        if left is None or left.key != self._replay.opening.key:
            return ""
        self._replay.views.cursor.move_to(min(left.step, len(run.shown.replay) - 1))
        self._replay.scene.spare_camera()
        return left.face
