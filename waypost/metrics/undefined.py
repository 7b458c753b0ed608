"""Why a score does not exist, so that it is shown as undefined and never enters a mean."""

from __future__ import annotations

from typing import Final


class UndefinedScoreError(Exception):
    """A score that its definition does not give for this episode.

    The text is one of few sentences, without ids, so that reasons can be counted.
    """


class InvalidRunError(UndefinedScoreError):
    """The run itself breaks a rule of the profile, such as a jump where moves need an edge."""


NO_GROUND_TRUTH: Final = "no ground truth: the split publishes none, or its episodes were not given"
"""Why nothing can be compared with a reference or a goal."""
