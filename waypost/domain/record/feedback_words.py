"""What a participant is told of an episode, in full words and without the names of scores."""

from __future__ import annotations

from waypost.domain.record.take_quality import TakeSummary


def feedback_words(summary: TakeSummary, *, is_reached: bool | None, error_m: float | None) -> str:
    """How an episode went, in one or two short sentences.

    Args:
        summary: Tells how the take ended.
        is_reached: Whether the goal was reached, by the profile of the data set; ``None`` where
            that cannot be said.
        error_m: From the end to the goal, as that profile measures it, metres; ``None`` where it
            is undefined.
    """
    away = "" if error_m is None else f"{error_m:.1f} m"
    if is_reached:
        return f"{_at_the_goal(summary)} the goal.{f' {away} away.' if away else ''}"
    if summary.has_timed_out:
        where = f" You were {away} from the goal." if away else ""
        return f"The time was over before you stopped.{where}"
    if not summary.has_stopped:
        return f"You gave up {away} from the goal." if away else "You gave up."
    if is_reached is None:
        return f"You stopped {away} from the goal." if away else "You stopped."
    where = f" You stopped {away} from it." if away else ""
    return f"You did not reach the goal.{where}"


def _at_the_goal(summary: TakeSummary) -> str:
    """How somebody ended who reached it, up to its name."""
    if summary.has_timed_out:
        return "The time was over, and you had reached"
    return "You reached" if summary.has_stopped else "You gave up, but you had reached"
