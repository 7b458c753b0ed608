"""What a program can see in an instruction, as proposals: people decide."""

from __future__ import annotations

from typing import NamedTuple

from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import CheckKind, Criterion
from waypost.domain.score.words import words


class ScoreProposal(NamedTuple):
    """A score that a program would give, and why."""

    score: int
    because: str


def proposed_score(criterion: Criterion, instruction: InstructionText) -> ScoreProposal | None:
    """What is proposed for a criterion; ``None`` where no program can tell."""
    check = criterion.check
    if check is None:
        return None
    if check.kind is CheckKind.AT_MOST_WORDS:
        count, most = len(words(instruction.text)), check.words or 0
        return ScoreProposal(
            criterion.most if count <= most else criterion.least,
            f"{count} words, at most {most} are allowed",
        )
    names = instruction.names.get(check.name, ())
    if not names:
        return None
    said = f" {' '.join(words(instruction.text))} ".casefold()
    found = [name for name in names if f" {' '.join(words(name))} ".casefold() in said]
    if found:
        return ScoreProposal(criterion.least, f"it says “{found[0]}”")
    return ScoreProposal(criterion.most, f"it says none of {', '.join(names)}")
