"""Text of unknown origin hides nothing."""

from __future__ import annotations

import json
import unicodedata

import pytest
from fixtures.card_examples import HOSTILE
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.visible_text import (
    breakable,
    one_line,
    plain_tip,
    shortened,
    visible_json,
    visible_line,
    visible_text,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nhere", "plain\ttext\nhere"),
        ("\x1b[31mred\x1b[0m", "⟨ESC⟩[31mred⟨ESC⟩[0m"),
        ("a\u202eb\u202c", "a⟨RLO⟩b⟨PDF⟩"),
        ("a\r\nb\rc", "a\nb⟨CR⟩c"),
        ("\x00\u200b\ufeff", "⟨NUL⟩⟨ZWSP⟩⟨BOM⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\u2028", "⟨U+2028⟩"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("क्\u200dष 中 עברית", "क्\u200dष 中 עברית"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(text: str, shown: str) -> None:
    assert visible_text(text) == shown


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    shown = visible_text(text)
    hidden = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    kept = set("\n\t\u200c\u200d")
    assert not {c for c in shown if unicodedata.category(c) in hidden} - kept
    assert visible_text(shown) == shown
    shown.encode("utf-8")


def test_long_text_is_cut_and_counted() -> None:
    assert shortened("abc", 10) == ("abc", 0)
    assert shortened("a" * 11, 10) == ("a" * 11, 0)
    assert shortened("a" * 25, 10) == ("a" * 10, 15)


def test_one_line() -> None:
    assert one_line("a\n b\t c") == "a b c"
    assert one_line("abcdef", 3) == "abc…"
    assert one_line(" " * 10_000, 5) == "…"
    assert "\u202e" not in one_line(HOSTILE)


def test_tool_tips_show_markup_as_it_is_written() -> None:
    assert plain_tip("3 < 4 & <img src='x'>\nnext") == (
        '<p style="white-space: pre-wrap">3 &lt; 4 &amp; &lt;img src=&#x27;x&#x27;&gt;\nnext</p>'
    )
    assert plain_tip("a & b") == "a & b"


def test_only_words_that_no_line_has_room_for_get_places_to_break() -> None:
    told = "a wheelchair-accessible way, internationalisation"
    assert breakable(told) == ("a wheelcha\u200bir-acces\u200bsible way, internationalisation")
    assert breakable("x" * 20) == "x" * 20
    assert breakable("x" * 24) == "\u200b".join(["x" * 8] * 3)
    assert breakable("\u202e") == "⟨RLO⟩"


@given(st.text())
def test_places_to_break_change_nothing_else(text: str) -> None:
    told = breakable(text)
    assert told.replace("\u200b", "") == visible_text(text)
    assert all(len(piece) <= 20 for word in told.split() for piece in word.split("\u200b"))


@given(st.text())
def test_a_line_stays_one_line_and_steers_nothing(text: str) -> None:
    shown = visible_line(text)
    hidden = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not {c for c in shown if unicodedata.category(c) in hidden} - set("\u200c\u200d")
    assert len(shown.splitlines()) <= 1
    assert visible_line(shown) == shown


def test_line_ends_and_tabs_of_a_line_are_spelled_out() -> None:
    assert visible_line("a\tb\nc\r\nd") == "a⟨TAB⟩b⟨LF⟩c⟨CR⟩⟨LF⟩d"


@given(st.text(), st.booleans())
def test_json_made_visible_holds_the_same_and_steers_nothing(text: str, is_ascii: bool) -> None:
    shown = visible_json(json.dumps([text, {text: text}], indent=1, ensure_ascii=is_ascii))
    assert json.loads(shown) == [text, {text: text}]
    hidden = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not {c for c in shown if unicodedata.category(c) in hidden} - set("\n\u200c\u200d")
