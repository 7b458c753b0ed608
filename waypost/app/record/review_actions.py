"""What can be done with a take under review, as data; the keys of the Record workspace."""

from __future__ import annotations

from collections.abc import Callable

from waypost.app.record.workspace import RECORD_SCOPE, RecordWorkspace
from waypost.app.shell.actions import ActionSpec


def review_actions(record: RecordWorkspace) -> tuple[ActionSpec, ...]:
    """The actions of a review; they work only while a take can be played."""
    review, playback = record.review, record.review.playback

    def spec(
        key: str,
        text: str,
        shortcut: str,
        run: Callable[[], None],
        enabled: Callable[[], bool] = review.can_play,
        *,
        repeats: bool = False,
    ) -> ActionSpec:
        return ActionSpec(
            f"record.{key}", text, shortcut, "Take under review", enabled, run,
            scope=RECORD_SCOPE, repeats=repeats,
        )  # fmt: skip

    def look(mode: str) -> Callable[[], None]:
        return lambda: review.look(mode)

    return (
        spec("play", "Play the take, or pause", "Space", playback.toggle_play),
        spec("forward", "Next sample", "Right", lambda: playback.move_by(1), repeats=True),
        spec("back", "Sample before", "Left", lambda: playback.move_by(-1), repeats=True),
        spec("second_forward", "A second on", "Shift+Right",
             lambda: playback.move_by_seconds(1.0), repeats=True),
        spec("second_back", "A second back", "Shift+Left",
             lambda: playback.move_by_seconds(-1.0), repeats=True),
        spec("first", "Start of the take", "Home", playback.go_first),
        spec("last", "End of the take", "End", playback.go_last),
        spec("collision", "Next collision", "C", review.go_to_next_collision,
             review.has_collisions),
        spec("next_pause", "Next pause", "P", review.go_to_next_pause, review.has_pauses),
        spec("faster", "Play faster", ".", lambda: playback.step_speed(1)),
        spec("slower", "Play slower", ",", lambda: playback.step_speed(-1)),
        spec("chase", "Look at the take from behind", "1", look("chase")),
        spec("first_person", "Look with the eyes of the driver", "2", look("first_person")),
        spec("top", "Look at the take from above", "3", look("top")),
        spec("close", "Close the review", "Esc", record.close_review, review.is_open),
    )  # fmt: skip
