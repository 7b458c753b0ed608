"""Model outputs as their prompts ask for them, and as they come."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from fixtures.card_examples import no_move_replay
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.episode.run import Decision, Event, EventKind, Option
from waypost.domain.replay.output_parts import OutputPart, output_parts, why_no_move


def pairs(text: str) -> list[tuple[str, str]]:
    return [(part.name, part.text) for part in output_parts(text)]


def test_vln_mme_tags_closed_and_open() -> None:
    text = "<Reasoning>go <b>left</b></Reasoning>\n<Reflection>hm\n<Final Decision>: B"
    assert pairs(text) == [
        ("Reasoning", "go <b>left</b>"),
        ("Reflection", "hm"),
        ("Final Decision", "B"),
    ]


def test_text_around_tags_is_kept_with_its_own_labels() -> None:
    assert pairs("First. <think>a</think> Action: B") == [
        ("", "First."),
        ("think", "a"),
        ("Action", "B"),
    ]


def test_navgpt() -> None:
    assert pairs('Thought: x\ny\nAction: action_maker\nAction Input: "abc"') == [
        ("Thought", "x\ny"),
        ("Action", "action_maker"),
        ("Action Input", '"abc"'),
    ]


def test_numbered_and_marked_labels() -> None:
    text = "**Thought**: a\n### Action 2 Input 3: b\nNew Planning: c\nObservation: d"
    assert pairs(text) == [
        ("Thought", "a"),
        ("Action 2 Input 3", "b"),
        ("New Planning", "c"),
        ("Observation", "d"),
    ]


def test_json_answers() -> None:
    text = '```json\n{"Thought": "a", "New Planning": ["b", "c"], "Action": 2}\n```'
    assert pairs(text) == [("Thought", "a"), ("New Planning", "- b\n- c"), ("Action", "2")]


@pytest.mark.parametrize("text", ['{"a": 1', "{}", "[1]", '{"a": 1} and more', "{" * 5_000])
def test_what_is_no_lone_object_stays_text(text: str) -> None:
    assert pairs(text) == [("", text)]


def test_words_in_a_sentence_are_no_labels() -> None:
    text = "I had a thought: go left. My action: none"
    assert pairs(text) == [("", text)]


def test_nothing() -> None:
    assert output_parts(" \n") == ()


@given(st.lists(st.sampled_from(["Thought:", "go", "<Reasoning>", "\n", "</x>", "Action 1:", "é"])))
def test_no_text_gets_lost(pieces: list[str]) -> None:
    text = " ".join(pieces)
    shown = " ".join(f"{part.name} {part.text}" for part in output_parts(text))
    for word in ("go", "é", "</x>"):
        assert shown.count(word) == text.count(word)


def test_what_lies_beyond_the_longest_answer_stays_with_the_last_part() -> None:
    text = "Thought: " + "x" * 300_000 + "\nAction: B"
    (part,) = output_parts(text)
    assert (part.name, part.text) == ("Thought", text[9:])


def test_hostile_size_is_few_parts() -> None:
    for text in ("<Think>" * 100_000, "Thought: a\n" * 90_000, "\n*" * 500_000, "{" * 190_000):
        assert len(output_parts(text)) <= 62


def test_why_there_was_no_move() -> None:
    decision = no_move_replay().step(1).decision
    assert decision is not None
    assert why_no_move(decision) == (
        "The text names no valid move; the agent stayed.",
        "It names option Z; offered were A, B.",
        "The program answered: “Invalid Format: Missing 'Action:'”",
    )


def test_valid_moves_need_no_words() -> None:
    fine = Decision(
        1,
        2,
        action="A",
        options=(Option("A"),),
        events=(Event(EventKind.STOP, "done"),),
        extra=MappingProxyType({"result": "Current viewpoint: hall"}),
    )
    assert why_no_move(fine) == ()


def test_parts_are_equal_by_value() -> None:
    assert output_parts("x") == (OutputPart("", "x"),)
