"""What a rater is told of decisions about what they said."""

from __future__ import annotations

from fixtures.score_examples import NOON, book_of, scored

from waypost.domain.score.decision_words import decision_words
from waypost.domain.score.sheet_edits import accept_sheet, return_sheet


def test_a_rater_is_told_who_decided_what_and_others_are_told_nothing() -> None:
    before = book_of()
    for item in ("i0", "i2", "i3"):
        before = scored(before, item, "ana", 4, 4)
    after = return_sheet(before, before.sheet("demo", "i0", "ana"), "lea", "look\nagain", NOON)
    for item in ("i2", "i3"):
        after = accept_sheet(after, after.sheet("demo", item, "ana"), "lea", NOON)
    said = decision_words(before, after, "ana")
    assert "lea returned your sheet on “Go to the kitchen.” in demo: “look again”" in said
    assert "lea accepted 2 of your sheets in demo; they are locked." in said
    back = decision_words(after, before, "ana")
    assert "What was decided about 3 of your sheets in demo is taken back." in back
    assert decision_words(before, after, "ben") == ""
