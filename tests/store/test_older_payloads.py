"""What was stored before a field was there: it opens, and says no more than it did."""

from __future__ import annotations

from fixtures.whole_projects import MEASURE, whole_project

from waypost.domain.base.value_codec import decode, encode
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import PassageMeasure, what_changed_since
from waypost.domain.traverse.passage_rule import PassageRule
from waypost.domain.traverse.traversability import Circumstances


def test_a_measure_of_before_opens_and_is_told_apart() -> None:
    payload = encode(MEASURE)
    for name in ("rule", "measuring_version", "headings_rad", "clear_width_at_m"):
        del payload[name]
    measure = decode(PassageMeasure, payload)
    assert (measure.rule, measure.measuring_version) == (PassageRule(), 0)
    assert (measure.headings_rad, measure.clear_width_at_m) == ((), None)
    assert measure.path_m == MEASURE.path_m
    now = Circumstances(passage_rule=PassageRule())
    assert "it was measured in an older way" in list(what_changed_since(measure, now))


def test_an_agent_of_before_has_no_colour_and_the_same_digest() -> None:
    (agent,) = whole_project().agents.values()
    payload = encode(agent)
    assert "colour" not in payload
    again = decode(AgentProfile, payload)
    assert again == agent
    assert again.profile_hash == agent.profile_hash
