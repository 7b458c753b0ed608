"""How plans change: going on, refining, planning anew."""

from __future__ import annotations

from types import MappingProxyType

from fixtures.replay_examples import graph_replay

from waypost.domain.episode.run import Decision, Event, EventKind
from waypost.domain.replay.plans import PlanFeedback, next_state, parse_plan, plan_states


def test_items_of_a_plan() -> None:
    assert parse_plan("1. Go out.\n2) Turn left\n- Stop") == ("Go out.", "Turn left", "Stop")
    assert parse_plan("Plan:\n1. Go out.") == ("Go out.",)
    assert parse_plan("Go out.\n\nStop.") == ("Go out.", "Stop.")


def test_a_tail_made_anew() -> None:
    state = next_state(("a", "b", "c"), "1. a\n2. x\n3. y", 4, "out-of-plan: the door is shut")
    assert (state.kept, state.struck_out, state.added) == (1, ("b", "c"), ("x", "y"))
    assert state.feedback is PlanFeedback.OUT_OF_PLAN


def test_done_items_are_not_struck_out() -> None:
    state = next_state(("a", "b", "c"), "1. b\n2. c", 1, "In plan")
    assert (state.kept, state.struck_out, state.added) == (2, (), ())
    assert state.feedback is PlanFeedback.IN_PLAN


def test_plans_answer_the_feedback_before_them() -> None:
    decisions = (
        Decision(1, 2, plan="a\nb", events=(Event(EventKind.OTHER, "feedback: out of plan"),)),
        Decision(2, 2, plan=" "),
        Decision(2, 3, plan="a\nc", extra=MappingProxyType({"feedback": "fine"})),
    )
    states = plan_states(graph_replay("ABC", decisions=decisions))
    assert [(s.step, s.items, s.kept, s.feedback_text) for s in states] == [
        (0, ("a", "b"), 0, ""),
        (2, ("a", "c"), 1, ""),
    ]
    told = plan_states(graph_replay("ABC", decisions=(decisions[0], decisions[2])))
    assert (told[1].feedback, told[1].feedback_text) == (PlanFeedback.OUT_OF_PLAN, "out of plan")


def test_a_plan_made_before_the_run_stands_from_the_start() -> None:
    """NavGPT asks for its action plan once; plans of decisions come before it."""
    extra = MappingProxyType({"action_plan": "1. Go out.\n2. Stop"})
    decision = Decision(1, 2, thought="on")
    (state,) = plan_states(graph_replay("AB", decisions=(decision,), extra=extra))
    assert (state.step, state.items, state.struck_out) == (0, ("Go out.", "Stop"), ())
    planned = Decision(1, 2, plan="a")
    (state,) = plan_states(graph_replay("AB", decisions=(planned,), extra=extra))
    assert state.items == ("a",)
    assert plan_states(graph_replay("", extra=extra)) == ()
