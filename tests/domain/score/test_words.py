"""Words and sentences of texts in every script."""

from __future__ import annotations

import pytest

from waypost.domain.score.words import is_latin, sentences, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't pass the well-lit hall, 2nd door.", "Don't pass the well-lit hall 2nd door"),
        ("रसोई में जाओ।", "रसोई में जाओ"),
        ("走到厨房", "走 到 厨 房"),
        ("اذهب إلى المطبخ", "اذهب إلى المطبخ"),
        ("لך ישר 👩🏽‍🦽!", "لך ישר"),
        ("go\r\nleft\tnow", "go left now"),
        ("!? 🙂", ""),
    ],
)
def test_words_of_every_script(text: str, expected: str) -> None:
    assert " ".join(words(text)) == expected


def test_sentences_end_where_their_script_ends_them() -> None:
    assert sentences("Go 2.5 m. Stop! Why?") == ("Go 2.5 m", "Stop", "Why")
    assert sentences("रुको। चलो।") == ("रुको", "चलो")
    assert sentences("停。走") == ("停", "走")


def test_latin_letters() -> None:
    assert is_latin("Tür links, 3 m")
    assert not is_latin("走到 ok")
    assert not is_latin("12 🙂")
