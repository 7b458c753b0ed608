"""Statistics of texts against counts by hand."""

from __future__ import annotations

import pytest

from waypost.domain.score.instruction_text import InstructionText
from waypost.io.scores.word_lists import shipped_word_list
from waypost.metrics import instruction_stats as stats_module
from waypost.metrics.instruction_stats import InstructionStats, NearDuplicate, instruction_stats


def stats_of(*texts: str, language: str = "") -> InstructionStats:
    found = [InstructionText(str(n), text, language=language) for n, text in enumerate(texts)]
    return instruction_stats(found, shipped_word_list("en"))


def test_counts_by_hand() -> None:
    found = stats_of(
        "Walk past the dining room table. Stop at the two doors.",
        "Go up the Stairs and turn left",
        "Turn left, then turn right",
    )
    assert (found.count, found.words.mean, found.words.least, found.words.most) == (
        3,
        23 / 3,
        5,
        11,
    )
    assert (found.sentences.mean, found.characters.most) == (4 / 3, 55)
    # walk past the dining room table stop at two doors go up stairs and turn left then right
    assert (found.vocabulary, found.running_words, found.once) == (18, 23, 15)
    assert found.landmarks is not None
    assert dict(found.landmarks.counts) == {"dining room": 1, "table": 1, "door": 1, "stairs": 1}
    assert found.landmarks.without == ("2",)
    assert found.actions is not None
    assert found.actions.counts[0] == ("turn", 3)
    assert found.missing_end_point == ("2",)
    assert (found.listed, found.assumed) == (3, 3)


def test_texts_of_other_languages_have_no_landmarks_rather_than_none() -> None:
    for found in (stats_of("रसोई में जाओ"), stats_of("Gehe zur Tür", language="de-DE")):
        assert found.landmarks is found.actions is found.missing_end_point is None
    assert stats_of("Go", language="en-IN").assumed == 0


def test_near_duplicates_are_found_whatever_stands_between_their_words() -> None:
    found = stats_of("Go to the red door", "go to the RED door!", "Go to the red doors", "Stop")
    assert found.near_duplicates is not None
    assert found.near_duplicates[0] == NearDuplicate("0", "1", 100.0)
    # 18 letters and 19: 2 · 18 / 37
    assert found.near_duplicates[1][:2] == ("0", "2")
    assert found.near_duplicates[1].similarity == pytest.approx(100 * 36 / 37, abs=1e-3)
    assert len(found.near_duplicates) == 2


def test_too_many_texts_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stats_module, "MOST_COMPARED", 1)
    assert stats_of("Go", "Stop").near_duplicates is None
