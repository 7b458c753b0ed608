"""Places in questions and paths, as CapNav's released scorer reads them."""

from __future__ import annotations

import pytest

from waypost.domain.episode.question_places import matched_nodes, named_ends, plain_words

NAMES = {
    "node_1": "Living room",
    "node_2": "Room",
    "node_3": "Hallway",
    "node_4": "Bath-room",
    "node_5": "Hallway",
}


def test_words_without_case_and_punctuation() -> None:
    assert plain_words("  The Bath-room, \n 2nd ") == "the bathroom 2nd"


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        # “living room” and “room” end at one place; the longer one is nearer to “from”.
        ("Can I move from the living room to the bathroom?", ("node_1", "node_4")),
        # Of two nodes of one name the later one counts.
        ("Go from hallway to the bathroom", ("node_5", "node_4")),
        # Both parts name the same place: another one of the second part is taken.
        ("Go from the hallway to the hallway by the bathroom", ("node_5", "node_4")),
        # No “from … to”: the first and the last.
        ("Is there a way between hallway and bathroom?", ("node_5", "node_4")),
        # Nothing between “from” and “to”: the nearest behind “from”.
        ("Go from here to the bathroom past the hallway", ("node_4", "node_5")),
    ],
)
def test_ends_of_a_question(question: str, ends: tuple[str, str]) -> None:
    assert named_ends(question, NAMES) == ends


def test_questions_without_places() -> None:
    assert named_ends("Can I go home?", NAMES) is None
    assert named_ends("A bathroom is where I come from to eat.", NAMES) is None


def test_ids_count_only_together() -> None:
    assert matched_nodes(("node_1", "node_3"), NAMES) == ("node_1", "node_3")
    # One entry is no id, so all are taken for names, and “node_1” is like none.
    assert matched_nodes(("node_1", "Hallway"), NAMES) == (None, "node_5")
    assert matched_nodes((), NAMES) == ()


def test_names_are_matched_by_words_parts_and_likeness() -> None:
    found = matched_nodes(("bathroom", "the big living room", "halway", "!", "xyz"), NAMES)
    assert found == ("node_4", "node_1", "node_5", None, None)
    assert matched_nodes(("anything",), {}) == (None,)
