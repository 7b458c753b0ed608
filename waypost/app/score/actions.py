"""What can be done on a sheet; the keys of the Score workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.menu_columns import in_groups
from waypost.app.shell.workspace import LazyWorkspace, Surroundings

if TYPE_CHECKING:
    from waypost.app.score.pairs.pair_work import PairWork
    from waypost.app.score.path.path_ground import PathGround
    from waypost.app.score.workspace import ScoreWorkspace

SCORE_SCOPE: Final = "score"

_Run = Callable[["ScoreWorkspace"], object]
_Condition = Callable[["ScoreWorkspace"], bool]


def _can_score(score: ScoreWorkspace) -> bool:
    return score.can_fill()


def _can_compare(score: ScoreWorkspace) -> bool:
    # Not while the results are shown instead.
    return score.pairs.can_fill() and score.pairs.face.isVisible()


def _can_fill(score: ScoreWorkspace) -> bool:
    return _can_score(score) or _can_compare(score)


def _can_comment(score: ScoreWorkspace) -> bool:
    return score.panel.can_comment and not score.shows_results


def _either(of_sheet: _Run, of_pair: Callable[[PairWork], object]) -> _Run:
    """What is done with the sheet at hand, or with the pair."""

    def run(score: ScoreWorkspace) -> object:
        return of_pair(score.pairs) if score.pairs.is_at_hand else of_sheet(score)

    return run


def _has_item(score: ScoreWorkspace) -> bool:
    return bool(score.item)


def score_actions(
    the: LazyWorkspace[ScoreWorkspace], around: Surroundings
) -> tuple[ActionSpec, ...]:
    """The actions of the workspace, in the order of the menu."""
    return in_groups(
        (
            *_sheet_actions(the),
            *_going_actions(the),
            *_path_actions(the),
            *_batch_actions(the, around),
        ),
        ("Score", "score.score_0", "score.score_9"),
        ("Pair", "score.left_better", "score.right_better"),
        ("Sheet", "score.cannot_judge", "score.comment"),
        ("Go to", "score.next_criterion", "score.search"),
        ("Path", "score.play", "score.folder"),
        ("Batch", "score.results", "score.export"),
    )


def _spec(
    the: LazyWorkspace[ScoreWorkspace], key: str, text: str, shortcut: str,
    enabled: _Condition, run: _Run, *, repeats: bool = False,
) -> ActionSpec:  # fmt: skip
    may, doing = the.asking(enabled), the.doing(run)
    return ActionSpec(
        f"score.{key}", text, shortcut, "Score", may, doing, scope=SCORE_SCOPE, repeats=repeats
    )


def _sheet_actions(the: LazyWorkspace[ScoreWorkspace]) -> tuple[ActionSpec, ...]:
    def give(score: int) -> _Run:
        return lambda workspace: workspace.give(score)

    def spec(
        key: str, text: str, shortcut: str, run: _Run, enabled: _Condition = _can_fill
    ) -> ActionSpec:
        return _spec(the, key, text, shortcut, enabled, run)

    def answer(said: str) -> _Run:
        return lambda score: score.pairs.answer_by_key(said)

    return (
        *(spec(f"score_{n}", f"Score {n}", str(n), give(n), _can_score) for n in range(10)),
        spec("left_better", "Left is better", "J", answer("left"), _can_compare),
        spec("tie", "Tie: neither is better", "K", answer("tie"), _can_compare),
        spec("right_better", "Right is better", "L", answer("right"), _can_compare),
        spec(
            "cannot_judge", "Cannot judge", "X",
            _either(
                lambda score: score.judge_cannot(),
                lambda pairs: pairs.answer_by_key("cannot_judge"),
            ),
        ),
        spec("submit", "Submit and go on", "Return", lambda score: score.submit()),
        spec("skip", "Skip, with a reason", "S", lambda score: score.panel.ask_reason()),
        # There is nothing to frame beside a sheet.
        replace(
            spec("flag", "Flag, or take the flag back", "F", lambda score: score.flag()),
            instead_of="view.frame",
        ),
        spec("comment", "Comment on the criterion, or to the rater", "C",
             lambda score: score.focus_comment(), _can_comment),
    )  # fmt: skip


def _going_actions(the: LazyWorkspace[ScoreWorkspace]) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, run: _Run, *, repeats: bool = False) -> ActionSpec:
        return _spec(the, key, text, shortcut, _has_item, run, repeats=repeats)

    return (
        spec("next_criterion", "Next criterion", "Tab",
             _either(lambda score: score.face.step_criterion(1),
                     lambda pairs: pairs.face.step_criterion(1))),
        spec("previous_criterion", "Previous criterion", "Shift+Tab",
             _either(lambda score: score.face.step_criterion(-1),
                     lambda pairs: pairs.face.step_criterion(-1))),
        spec("cancel", "Leave the field", "Esc", lambda score: score.leave_field()),
        spec("next", "Next instruction", ".", lambda score: score.step(1), repeats=True),
        spec("previous", "Previous instruction", ",", lambda score: score.step(-1), repeats=True),
        spec("unscored", "Next instruction that is not in", "N",
             lambda score: score.go_to_open()),
        spec("next_wording", "Another instruction for the same path", "W",
             lambda score: score.face.step_wording(1)),
        spec("search", "Search the instructions", "Ctrl+F",
             lambda score: score.list.focus_search()),
    )  # fmt: skip


def _ground(score: ScoreWorkspace) -> PathGround:
    """What lies around the path of the sheet, or of the pair, at hand."""
    return score.pairs.ground if score.pairs.is_at_hand else score.ground


def _can_play(score: ScoreWorkspace) -> bool:
    return _ground(score).playing.can_play


def _path_actions(the: LazyWorkspace[ScoreWorkspace]) -> tuple[ActionSpec, ...]:
    def spec(key: str, text: str, shortcut: str, run: _Run, *, repeats: bool = False) -> ActionSpec:
        return _spec(the, key, text, shortcut, _can_play, run, repeats=repeats)

    def by_seconds(time_s: float) -> _Run:
        return lambda score: _ground(score).playing.cursor.move_by_seconds(time_s)

    def by_speeds(places: int) -> _Run:
        return lambda score: _ground(score).playing.cursor.step_speed(places)

    return (
        spec("play", "Play the path, or pause", "Space",
             lambda score: _ground(score).playing.cursor.toggle_play()),
        spec("forward", "A second on along the path", "Right", by_seconds(1.0), repeats=True),
        spec("back", "A second back along the path", "Left", by_seconds(-1.0), repeats=True),
        spec("at_start", "Start of the path", "Home",
             lambda score: _ground(score).playing.cursor.go_first()),
        spec("at_goal", "Goal of the path", "End",
             lambda score: _ground(score).playing.cursor.go_last()),
        spec("faster", "Play the path faster", "=", by_speeds(1)),
        spec("slower", "Play the path slower", "-", by_speeds(-1)),
        _spec(the, "folder", "Folder with scenes, graphs or pictures …", "", _has_item,
              lambda score: _ground(score).ask_folder()),
    )  # fmt: skip


def _batch_actions(
    the: LazyWorkspace[ScoreWorkspace], around: Surroundings
) -> tuple[ActionSpec, ...]:
    def has_project(_: ScoreWorkspace) -> bool:
        return around.bench.has_project()

    def has_batch(score: ScoreWorkspace) -> bool:
        return bool(score.batch)

    return (
        _spec(the, "results", "Results, or back to the sheet", "R", has_batch,
              lambda score: score.toggle_results()),
        _spec(the, "new_batch", "New batch of instructions …", "", has_project,
              lambda score: score.files.ask_new_batch()),
        _spec(the, "rubric", "Make or change a rubric …", "", has_project,
              lambda score: score.rubrics.ask()),
        _spec(the, "import", "Import scores …", "", has_project,
              lambda score: score.files.ask_import()),
        _spec(the, "export", "Export scores …", "", has_batch,
              lambda score: score.files.ask_export()),
    )  # fmt: skip
