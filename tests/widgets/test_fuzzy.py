from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from waypost.widgets.fuzzy import best_matches, match_score


def test_letters_may_have_gaps_but_keep_their_order() -> None:
    assert match_score("tdc", "Top-down camera") is not None
    assert match_score("cdt", "Top-down camera") is None


def test_starts_of_words_come_first() -> None:
    texts = ("Bathroom door", "Door", "Outdoor")
    assert best_matches("door", texts, texts) == ("Door", "Bathroom door", "Outdoor")


def test_every_word_must_match() -> None:
    texts = ("Open scene", "Open project")
    assert best_matches("open pro", texts, texts) == ("Open project",)


def test_blank_query_keeps_order_and_limit() -> None:
    texts = tuple("cab")
    assert best_matches("  ", texts, texts, limit=2) == ("c", "a")


@given(st.text())
def test_a_text_answers_itself(text: str) -> None:
    assert match_score(text, text) is not None
