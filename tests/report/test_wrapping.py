"""Text is broken where it fits, and what is left out is marked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetricsF

from waypost.report.wrapping import TextBlock, height_of, wrapped

pytestmark = pytest.mark.usefixtures("qapp")

FONT_PX = 15


def lines(text: str, width: float = 200, most: int = 3) -> list[str]:
    return wrapped(text, TextBlock("", "#000000", FONT_PX).font, width, most)


def test_short_texts_stay_and_blanks_are_one() -> None:
    assert lines("Walk  \n on.") == ["Walk on."]
    assert lines("") == [""]


def test_nothing_reorders_a_line() -> None:
    assert lines("see \u202egnp.exe") == ["see ⟨RLO⟩gnp.exe"]


def test_long_texts_end_with_a_mark() -> None:
    found = lines("word " * 100)
    assert len(found) == 3
    assert found[-1].endswith("…")
    assert not found[0].endswith("…")


def test_names_stay_beside_their_values() -> None:
    text = " · ".join(f"NAME{i}\u00a0{i}.5" for i in range(20))
    joined = lines(text, 300, 50)
    assert all("NAME" not in line.split("\u00a0")[-1] for line in joined)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300), st.integers(1, 5))
def test_lines_fit_whatever_the_text(text: str, most: int) -> None:
    metrics = QFontMetricsF(TextBlock("", "#000000", FONT_PX).font)
    found = lines(text, 240, most)
    assert 0 <= len(found) <= most
    if text.isascii() and text.isprintable():
        assert all(metrics.horizontalAdvance(line) <= 242 for line in found)
        if len(found) < most:
            assert "".join(found).replace(" ", "") == text.replace(" ", "")


def test_heights_add_up() -> None:
    block = TextBlock("Walk on.", "#000000", FONT_PX, gap_px=6)
    spacing = QFontMetricsF(block.font).lineSpacing()
    assert height_of([block, block], 500) == pytest.approx(2 * (spacing + 6))
