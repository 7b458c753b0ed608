"""What can be done with a study, its takes and in a session; the keys of the Record workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.menu_columns import in_groups
from waypost.app.shell.workspace import LazyWorkspace, Surroundings
from waypost.services.input.shortcuts import DRIVING_SCOPE

if TYPE_CHECKING:
    from waypost.app.record.workspace import RecordWorkspace

RECORD_SCOPE: Final = "record"

_Run = Callable[["RecordWorkspace"], object]
_Condition = Callable[["RecordWorkspace"], bool]


def record_actions(
    the: LazyWorkspace[RecordWorkspace], _around: Surroundings
) -> tuple[ActionSpec, ...]:
    """The actions of the workspace, in the order of the menu."""
    return in_groups(
        (*_study_actions(the), *_review_actions(the), *_session_actions(the)),
        ("Go through the take", "record.forward", "record.slower"),
        ("Look", "record.chase", "record.top"),
    )


def _has_study(record: RecordWorkspace) -> bool:
    return record.has_study()


def _can_play(record: RecordWorkspace) -> bool:
    return record.review.can_play()


def _is_taking(record: RecordWorkspace) -> bool:
    return record.session.is_taking()


def _has_voice(record: RecordWorkspace) -> bool:
    return record.session.is_taking() and record.session.voice.has_voice


def _study_actions(the: LazyWorkspace[RecordWorkspace]) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, enabled: _Condition, run: _Run) -> ActionSpec:
        may, doing = the.asking(enabled), the.doing(run)
        return ActionSpec(f"record.{key}", text, shortcut, "Record", may, doing, scope=RECORD_SCOPE)

    return (
        spec("begin", "Begin the session of the participant", "B",
             lambda record: record.can_begin(),
             lambda record: record.begin()),
        spec("add", "Add a participant", "N", _has_study, lambda record: record.add()),
        spec("assign", "Assign episodes", "A", _has_study, lambda record: record.assign()),
        spec("new_study", "New study from an episode file …", "",
             lambda record: record.can_create(),
             lambda record: record.files.ask_new_study()),
        spec("rules", "Change the rules of the study …", "", _has_study,
             lambda record: record.files.ask_rules()),
        spec("consent", "New consent text …", "", _has_study,
             lambda record: record.files.ask_consent()),
        spec("withdraw", "Withdraw the consent of the participant", "",
             lambda record: record.can_withdraw(), lambda record: record.withdraw()),
        spec("export", "Export the study …", "", _has_study,
             lambda record: record.files.ask_export()),
        spec("search", "Search the participants", "Ctrl+F", _has_study,
             lambda record: record.people.focus_search()),
    )  # fmt: skip


def _review_actions(the: LazyWorkspace[RecordWorkspace]) -> tuple[ActionSpec, ...]:
    """Those of a review; they work only while a take can be played."""

    def spec(
        key: str,
        text: str,
        shortcut: str,
        run: _Run,
        enabled: _Condition = _can_play,
        *,
        repeats: bool = False,
    ) -> ActionSpec:
        return ActionSpec(
            f"record.{key}", text, shortcut, "Take under review",
            the.asking(enabled), the.doing(run), scope=RECORD_SCOPE, repeats=repeats,
        )  # fmt: skip

    def look(mode: str) -> _Run:
        return lambda record: record.review.look(mode)

    def move(samples: int) -> _Run:
        return lambda record: record.review.playback.move_by(samples)

    def move_s(time_s: float) -> _Run:
        return lambda record: record.review.playback.move_by_seconds(time_s)

    return (
        spec("play", "Play the take, or pause", "Space",
             lambda record: record.review.playback.toggle_play()),
        spec("forward", "Next sample", "Right", move(1), repeats=True),
        spec("back", "Sample before", "Left", move(-1), repeats=True),
        spec("second_forward", "A second on", "Shift+Right", move_s(1.0), repeats=True),
        spec("second_back", "A second back", "Shift+Left", move_s(-1.0), repeats=True),
        spec("first", "Start of the take", "Home",
             lambda record: record.review.playback.go_first()),
        spec("last", "End of the take", "End", lambda record: record.review.playback.go_last()),
        spec("collision", "Next collision", "C",
             lambda record: record.review.go_to_next_collision(),
             lambda record: record.review.has_collisions()),
        spec("next_pause", "Next pause", "P", lambda record: record.review.go_to_next_pause(),
             lambda record: record.review.has_pauses()),
        spec("faster", "Play faster", ".", lambda record: record.review.playback.step_speed(1)),
        spec("slower", "Play slower", ",", lambda record: record.review.playback.step_speed(-1)),
        spec("chase", "Look at the take from behind", "1", look("chase")),
        spec("first_person", "Look with the eyes of the driver", "2", look("first_person")),
        spec("top", "Look at the take from above", "3", look("top")),
        spec("close", "Close the review", "Esc", lambda record: record.close_review(),
             lambda record: record.review.is_open()),
    )  # fmt: skip


def _session_actions(the: LazyWorkspace[RecordWorkspace]) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, enabled: _Condition, run: _Run) -> ActionSpec:
        return ActionSpec(
            f"record.{key}",
            text,
            shortcut,
            "Recording",
            the.asking(enabled),
            the.doing(run),
            scope=DRIVING_SCOPE,
        )

    return (
        spec("go", "Start, or go on", "Space", lambda record: record.session.has_next,
             lambda record: record.session.go_on()),
        spec("stop", "Stop here (asks)", "Return", _is_taking,
             lambda record: record.session.stop()),
        spec("pause", "Pause, or go on", "P", _is_taking,
             lambda record: record.session.toggle_pause()),
        spec("lost", "I cannot do this", "L", _is_taking,
             lambda record: record.session.toggle_lost()),
        spec("voice", "Play the voice of the instruction, or pause it", "V", _has_voice,
             lambda record: record.session.voice.toggle()),
        spec("voice_again", "Play the voice of the instruction again", "G", _has_voice,
             lambda record: record.session.voice.again()),
        spec("leave", "Leave the session", "Ctrl+Shift+Esc",
             lambda record: record.session.is_running,
             lambda record: record.session.ask_to_leave()),
    )  # fmt: skip
