"""Dealing by chance: the same for the same words, whatever they hold."""

from __future__ import annotations

import random

from waypost.domain.base.dealing import in_own_order, seeded


def test_chance_follows_from_words_as_python_seeds_by_them() -> None:
    assert seeded("7 order of ana").random() == random.Random("7 order of ana").random()


def test_a_name_that_is_no_utf_8_has_its_order() -> None:
    """A shell hands over bytes; half a pair stands for each that is no text."""
    items = [str(number) for number in range(9)]
    order = in_own_order(items, "ana\udcff", 7)
    assert (sorted(order), order) == (items, in_own_order(items, "ana\udcff", 7))
    assert order != in_own_order(items, "ana", 7)
