"""How far two annotators agree about passages, per agent and per reason."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final, NamedTuple

from waypost.domain.score.given_score import GivenScore
from waypost.domain.traverse.team import DoubleLabel, Team
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.metrics.agreement.score_agreement import Coefficient, score_agreement

EVERY_AGENT: Final = ""
"""Key of the rows over all agents."""

ANSWER: Final = "answer"
"""Name of the rows about the answer, beside those about each reason."""

_CODES: Final = MappingProxyType({verdict: float(n) for n, verdict in enumerate(Verdict)})


class LabelAgreement(NamedTuple):
    """How far annotators agree about the answer, or about one reason, for an agent."""

    agent_key: str
    """``EVERY_AGENT`` for all together."""

    about: str
    """``ANSWER``: travels, does not, uncertain; or a reason: whether it is given or not."""

    n: int
    """Passages that two have labelled without seeing each other's label."""

    percentage: Coefficient
    alpha_nominal: Coefficient


def label_agreement(team: Team) -> tuple[LabelAgreement, ...]:
    """Agreement per agent and reason over the labels that ``team.viewer`` may see.

    Counted is what each of the two said last before seeing what the other said, also where a
    label was returned or decided about since; passages with only one such label do not count.
    A reason that nobody gave of an agent has no row.
    """
    pairs = [(p, pair) for p in team.doubles if (pair := blind_pair(team, p)) is not None]
    agents = dict.fromkeys(passage.agent_key for passage, _ in pairs)
    found = []
    for key in (EVERY_AGENT, *agents):
        own = [(p, pair) for p, pair in pairs if key in (EVERY_AGENT, p.agent_key)]
        by_name = score_agreement(given for p, pair in own for given in _scores(p, pair))
        for name, row in by_name.items():
            given = row.coefficients
            if name == ANSWER or any(_reason_is(name, entry) for _, pair in own for entry in pair):
                found.append(
                    LabelAgreement(
                        key,
                        name,
                        row.overlapping_items,
                        given["percentage"],
                        given["alpha_nominal"],
                    )
                )
    return tuple(found)


def blind_pair(team: Team, passage: Passage) -> tuple[DoubleLabel, DoubleLabel] | None:
    """The last label that each of the two gave before seeing the other's; ``None`` without both."""
    found = []
    for author in team.doubles[passage].annotators:
        blind = [
            entry
            for entry in team.rounds(passage, author)
            if team.is_blind(entry) and entry.submitted_at is not None
        ]
        found += blind[-1:]
    return (found[0], found[1]) if len(found) == 2 else None


def _scores(passage: Passage, pair: tuple[DoubleLabel, DoubleLabel]) -> Iterator[GivenScore]:
    item = "\0".join(passage)
    for entry in pair:
        author, label = entry.key.author, entry.label
        yield GivenScore(item, author, ANSWER, _CODES[label.verdict])
        for reason in Reason:
            yield GivenScore(item, author, reason.value, float(label.reason is reason))


def _reason_is(name: str, entry: DoubleLabel) -> bool:
    return entry.label.reason is not None and entry.label.reason.value == name
