"""The rules of a study as options of ``waypost study``, and as what it prints."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from dataclasses import asdict, replace
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.record.study import StudyRules
from waypost.domain.record.take_rules import Feedback, Question

_SHOWN: Final = {
    "scale-bar": "shows_scale_bar",
    "compass": "shows_compass",
    "map": "shows_map",
    "frames": "shows_frames",
}
"""What participants can be shown beside the scene → the rule."""

_NOTHING: Final = "nothing"


def add_rule_arguments(parser: ArgumentParser, *, is_new: bool) -> None:
    """Declare the rules; none of them changes what is there unless it is given.

    Args:
        parser: Takes them.
        is_new: Whether they are those of a new study, which begins with the defaults.
    """

    def default(rule: str) -> str:
        return f"default: {rule if is_new else 'as it is'}"

    parser.add_argument(
        "--feedback",
        choices=[str(one).replace("_", "-") for one in Feedback],
        help=f"when participants are told how an episode went ({default('after-practice')})",
    )
    parser.add_argument(
        "--show",
        action="append",
        choices=[*_SHOWN, _NOTHING],
        help=f"what participants see beside the scene; may be repeated ({default('nothing')})",
    )
    parser.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help=f"simulated seconds after which an episode ends; 0: never ({default('0')})",
    )
    parser.add_argument(
        "--look",
        action=BooleanOptionalAction,
        help=f"whether participants may look up and down ({default('--no-look')})",
    )
    parser.add_argument(
        "--ask",
        action="append",
        choices=[*map(str, Question), _NOTHING],
        help=f"asked after each episode; may be repeated ({default('all three')})",
    )
    parser.add_argument(
        "--abandoned",
        choices=["count", "leave-out"],
        help=f"whether episodes that somebody gave up count ({default('count')})",
    )


def with_rules(rules: StudyRules, options: Namespace) -> StudyRules:
    """The rules with those that were given.

    Raises:
        InputError: If a rule cannot be.
    """
    for name in ("show", "ask"):
        chosen = set(getattr(options, name) or ())
        if _NOTHING in chosen and len(chosen) > 1:
            raise InputError(f"--{name}: {_NOTHING} goes with nothing else")
    changes: dict[str, Any] = {}
    if options.feedback is not None:
        changes["feedback"] = Feedback(options.feedback.replace("-", "_"))
    if options.show is not None:
        changes |= {rule: name in options.show for name, rule in _SHOWN.items()}
    if options.time_limit is not None:
        changes["time_limit_s"] = options.time_limit or None
    if options.look is not None:
        changes["can_look"] = options.look
    if options.ask is not None:
        changes["questions"] = tuple(one for one in Question if one in options.ask)
    try:
        of_takes = replace(rules.of_takes, **changes)
    except ValueError as error:
        raise InputError(f"study: {error}") from error
    counts = rules.counts_abandoned
    if options.abandoned is not None:
        counts = options.abandoned == "count"
    return replace(rules, of_takes=of_takes, counts_abandoned=counts)


def rules_document(rules: StudyRules) -> dict[str, Any]:
    """The rules as JSON values."""
    return {**asdict(rules.of_takes), "counts_abandoned": rules.counts_abandoned}


def rules_lines(rules: StudyRules) -> list[str]:
    """The rules for people, one a line."""
    return [f"{name}: {_shown(value)}" for name, value in rules_document(rules).items()]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(value) or _NOTHING
    return "never" if value is None else str(value)
