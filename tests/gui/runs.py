"""Runs to replay in the window: folders with results, annotations, graphs and pictures."""

from __future__ import annotations

from pathlib import Path

from fixtures.picture_folders import four_views
from fixtures.replay_files import RunFiles, write_run
from gui.user import User

from waypost.app.replay.workspace import ReplayWorkspace
from waypost.domain.episode.run_source import RunSource

WALKED = {"7_0": "ABABC", "7_1": "ABCDE", "7_2": "ABU"}
"""Back and forth, too far, upstairs; the reference is A, B, C."""


def write_line(folder: Path, walked: dict[str, str] | None = None, **options: str) -> RunFiles:
    """A run of three episodes on the line graph, with four views of every viewpoint."""
    folder.mkdir()
    files = write_run(folder, WALKED if walked is None else walked, **options)
    for name in "ABCDEU":
        four_views(folder / "pictures", f"line/{name}/{{}}.jpg")
    return files


def asked(files: RunFiles, name: str, pictures: Path | None = None) -> RunSource:
    """The same as the window asks for it."""
    return RunSource(
        (files.results,),
        (files.annotations,),
        files.connectivity,
        pictures=pictures,
        name=name,
    )


def add_run(user: User, files: RunSource) -> str:
    """Put a run into the open project and wait until it is read; its name."""
    replay = user.window.replay
    name = replay.desk.add(files)
    replay.show_runs([name])
    wait_for_rows(user, replay, name)
    return name


def wait_for_rows(user: User, replay: ReplayWorkspace, name: str) -> None:
    """Wait until a run is read, or failed."""

    def is_read() -> bool:
        has_ended = replay.desk.rows(name) is not None or bool(replay.desk.failure(name))
        return has_ended and not replay.desk.is_reading(name)

    user.wait(is_read)
    user.settle()


def open_episode(user: User, episode_id: str, attempt: int = 1) -> None:
    """Replay an episode of the chosen runs and wait for it."""
    replay = user.window.replay
    replay.open_episode(episode_id, attempt)
    user.wait(lambda: replay.opening.is_there and at_hand(replay) == (episode_id, attempt))
    user.settle()


def at_hand(replay: ReplayWorkspace) -> tuple[str, int] | None:
    """Episode and attempt that are replayed."""
    run = replay.views.run
    return None if run is None else (run.shown.replay.episode.episode_id, run.shown.attempt)


def shown_ids(replay: ReplayWorkspace) -> list[str]:
    """Episodes of the table as it is sorted and filtered."""
    model = replay.table.model
    rows = (model.row_at(number) for number in range(model.rowCount()))
    return [row.episode_id for row in rows if row is not None]
