"""Whose stop ended a run of MapGPT: the model's, or the limit of pictures that its program has.

MapGPT asks the model with a picture of every place that was seen. Once there are more than 20, the
program stops the run and writes the choice 0, which is also the model's own stop. Forks have other
limits, and with GPT-4V there is none.
Source: chen-judge/MapGPT:vln/gpt_agent.py, GPT/one_stage_prompt_manager.py.
"""

from __future__ import annotations

import dataclasses
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

MOST_PLACES: Final = 20
"""So many places seen, visited ones included, are still asked about."""

UNTOLD_STOP: Final = (
    "stop, or cut off by the program: the case file does not tell, its console log does"
)
"""Reason of an end that a case file gives as the choice 0."""

IMAGE_LIMIT: Final = "cut off by the image limit"
"""Reason of an end that the limit made."""

NO_OPTION: Final = "cut off: the answer named no option"
"""Reason of an end that the program made of an answer it could not read."""


def _below_limit(seen: int) -> str:
    return (
        f"stop, or cut off as the answer named no option: {counted(seen, 'place')} seen, so the"
        f" limit of {MOST_PLACES} pictures was not reached"
    )


def with_image_limit(run: EpisodeRun, graph: ViewpointGraph) -> EpisodeRun:
    """The run, called cut off if the graph shows that the limit was passed where it ended.

    That is so if the run ended by a choice 0 of which the file does not say whose it was, at the
    very step at which more than ``MOST_PLACES`` places had been seen for the first time. Where so
    many never were, the limit is ruled out; an answer without an option is not.
    """
    if run.end.reason != UNTOLD_STOP:
        return run
    asked = [decision.at_viewpoint_id for decision in run.decisions]
    if any(name not in graph.index for name in asked):
        return run
    seen: set[int] = set()
    passed = None
    for step, name in enumerate(asked):
        place = graph.index[name]
        seen |= {place, *graph.neighbours[place]}
        if passed is None and len(seen) > MOST_PLACES:
            passed = step
    if passed is None:
        end = dataclasses.replace(run.end, reason=_below_limit(len(seen)))
    elif passed == len(asked) - 1:
        end = dataclasses.replace(run.end, called_stop=False, reason=IMAGE_LIMIT)
    else:
        return run
    return dataclasses.replace(run, end=end)
