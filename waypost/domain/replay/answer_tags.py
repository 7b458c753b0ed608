"""What is wrong with an answer to a CapNav question: tags with the step they start at."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.answer_judgement import AnswerJudgement, FaultKind
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.tags import Tag, TagKind
from waypost.domain.traverse.traversability import REASON_TITLES, PassageState

_FAULTS: Final = MappingProxyType({kind: TagKind(kind.value) for kind in FaultKind})


def find_answer_tags(replay: Replay, judgement: AnswerJudgement) -> tuple[Tag, ...]:
    """All tags of an answer, in the order of ``TagKind``; ``TAG_RULES`` says how each is found.

    Args:
        replay: The answer; each node of its path is a step.
        judgement: Of the same answer, as the benchmark is described.
    """
    found = [*_answers(judgement), *_paths(judgement)]
    if judgement.is_right and not judgement.says_yes and not replay.run.answer.reason.strip():
        found.append(wrong_reason_tag("gives no reason"))
    if judgement.is_right and not found:
        is_known = all(move.state is PassageState.TRAVELS for move in judgement.moves)
        if judgement.path and (is_known or judgement.says_yes is False):
            last = len(judgement.path) - 1
            found.append(Tag(TagKind.PERFECT, last, "the right answer with a valid path"))
    order = list(TagKind)
    at = {int(pose): step for step, pose in reversed(list(enumerate(replay.poses.tolist())))}
    return tuple(
        sorted(
            (Tag(tag.kind, at.get(tag.step or 0, 0), tag.reason) for tag in found),
            key=lambda tag: order.index(tag.kind),
        )
    )


def wrong_reason_tag(told: str) -> Tag:
    """The tag of a right answer whose reason is wrong; the answer is given at step 0."""
    return Tag(TagKind.WRONG_REASON, 0, told)


def _answers(judgement: AnswerJudgement) -> Iterator[Tag]:
    if judgement.says_yes is None:
        yield Tag(TagKind.FORMAT_ERROR, 0, judgement.format_problem)
        return
    if judgement.is_right is False and judgement.says_yes:
        blocked = judgement.states(PassageState.DOES_NOT)
        step = blocked[0].pose if blocked else 0
        yield Tag(TagKind.FALSE_YES, step, "says yes, but the agent has no way")
    if judgement.is_right is False and not judgement.says_yes:
        yield Tag(TagKind.FALSE_NO, 0, "says no, but there is a way for the agent")
    if not judgement.says_yes and not judgement.path:
        yield Tag(TagKind.EMPTY_NO, 0, "says no and names no path")


def _paths(judgement: AnswerJudgement) -> Iterator[Tag]:
    told: set[FaultKind] = set()
    for fault in judgement.faults:
        if fault.kind not in told:
            told.add(fault.kind)
            yield Tag(_FAULTS[fault.kind], fault.pose, fault.reason)
    blocked = judgement.states(PassageState.DOES_NOT)
    if blocked and judgement.says_yes:
        first = blocked[0]
        why = ""
        if first.label is not None and first.label.reason is not None:
            parts = (REASON_TITLES[first.label.reason], first.label.note)
            why = f": {': '.join(part for part in parts if part)}"
        yield Tag(TagKind.BLOCKED_EDGE, first.pose, f"uses an edge the agent does not travel{why}")
