"""Colours can be read in both themes, by everyone."""

from __future__ import annotations

import pytest

from waypost.domain.traversability import Verdict
from waypost.viewers.theme_colors import (
    DARK,
    LIGHT,
    VERDICT_SIGNS,
    ThemeColors,
    contrast,
    hex_text,
    rgb,
    theme_colors,
)

THEMES = [pytest.param(DARK, id="dark"), pytest.param(LIGHT, id="light")]


def test_contrast_follows_the_published_formula() -> None:
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21.0)
    assert contrast(rgb("#777777"), rgb("#ffffff")) == pytest.approx(4.478, abs=0.001)
    assert contrast(rgb("#ffffff"), rgb("#777777")) == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_is_readable_on_every_background(theme: ThemeColors) -> None:
    for text_name, text in theme.texts.items():
        for name, background in theme.backgrounds.items():
            assert contrast(text, background) >= 4.5, (text_name, name)


@pytest.mark.parametrize("theme", THEMES)
def test_labels_stay_readable_over_any_scene(theme: ThemeColors) -> None:
    alpha = theme.label[3]
    for behind in (0.0, 0.5, 1.0):
        seen = tuple(c * alpha + behind * (1 - alpha) for c in theme.label[:3])
        assert contrast(theme.label_text, (*seen, 1.0)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_each_verdict_has_its_own_colour_and_sign(theme: ThemeColors) -> None:
    answers: list[Verdict | None] = [*Verdict, None]
    assert len({theme.verdict(answer) for answer in answers}) == 4
    assert len({VERDICT_SIGNS[answer] for answer in answers}) == 4


def test_colours_survive_the_way_through_text() -> None:
    assert hex_text(rgb("#0b6b3a")) == "#0b6b3a"
    assert theme_colors(is_dark=False) is LIGHT
    assert theme_colors(is_dark=True) is DARK
