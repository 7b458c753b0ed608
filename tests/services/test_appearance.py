"""Colours can be read in both themes, by everyone, and states differ without them."""

from __future__ import annotations

from typing import Final

import pytest
from contrast import contrast_ratio, seen_through

from waypost.domain.scene.graph import EdgeKind
from waypost.domain.traverse.traversability import PassageState
from waypost.services.appearance import (
    DARK,
    EDGE_KIND_MARKS,
    LABEL_OPACITY,
    LIGHT,
    SIGNS,
    ThemeTokens,
    channels,
)

TEXT_ON_BACKGROUND: Final = (
    *((text, ground)
      for text in ("text", "muted", "accent", "travels", "does_not", "uncertain", "undecided",
                   "stale", "disagreement", "agent")
      for ground in ("window", "panel", "field")),
    ("text", "stage"),
    ("highlight", "stage"),
    ("highlight", "panel"),
    ("label_text", "label"),
    ("text", "raised"),
    ("text", "raised_hover"),
    ("muted", "raised"),
    ("on_accent", "accent"),
    ("on_selection", "selection"),
    ("on_fill", "travels_fill"),
    ("on_fill", "does_not_fill"),
    ("on_fill", "uncertain_fill"),
)  # fmt: skip
"""Every pair of tokens in which the first is written on the second."""


def test_contrast_of_black_and_white_is_21() -> None:
    assert contrast_ratio("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast_ratio("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON_BACKGROUND)
def test_text_can_be_read(tokens: ThemeTokens, text: str, ground: str) -> None:
    assert contrast_ratio(getattr(tokens, text), getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
def test_focus_ring_and_edges_of_controls_can_be_seen(tokens: ThemeTokens) -> None:
    for ground in ("window", "panel", "field"):
        assert contrast_ratio(tokens.accent, getattr(tokens, ground)) >= 3.0


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("behind", ["#000000", "#808080", "#ffffff"])
def test_labels_stay_readable_over_any_scene(tokens: ThemeTokens, behind: str) -> None:
    ground = seen_through(tokens.label, LABEL_OPACITY, behind)
    assert contrast_ratio(tokens.label_text, ground) >= 4.5


@pytest.mark.parametrize("tokens", [DARK, LIGHT], ids=["dark", "light"])
def test_each_state_has_its_own_sign_and_word_and_a_colour(tokens: ThemeTokens) -> None:
    assert set(SIGNS) == set(PassageState)
    assert len({sign.mark for sign in SIGNS.values()}) == len(PassageState)
    assert len({sign.word for sign in SIGNS.values()}) == len(PassageState)
    colours = {getattr(tokens, sign.colour) for sign in SIGNS.values()}
    assert len(colours) == len(PassageState)


def test_each_kind_of_edge_has_its_own_mark() -> None:
    assert len(set(EDGE_KIND_MARKS.values())) == len(EdgeKind)


def test_a_translucent_colour_lies_between_both() -> None:
    assert channels("#ff8000") == pytest.approx((1.0, 128 / 255, 0.0))
    assert seen_through("#ffffff", 0.25, "#000000") == "#404040"
    assert seen_through("#123456", 1.0, "#ffffff") == "#123456"
