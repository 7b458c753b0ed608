from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from waypost.store.difference import ORDINAL_GAP, new_ordinals


def test_appending_writes_only_the_new_key() -> None:
    assert new_ordinals(["a", "b"], {"a": 5}) == {"b": 5 + ORDINAL_GAP}


def test_a_key_put_back_in_front_or_between_fits_in() -> None:
    assert new_ordinals(["a", "b"], {"b": 5}) == {"a": 5 - ORDINAL_GAP}
    assert new_ordinals(["a", "b", "c", "d"], {"a": 0, "d": 9}) == {"b": 3, "c": 6}


def test_a_used_up_gap_renumbers_everything() -> None:
    expected = {"a": ORDINAL_GAP, "b": 2 * ORDINAL_GAP, "c": 3 * ORDINAL_GAP}
    assert new_ordinals(["a", "b", "c"], {"a": 1, "c": 2}) == expected


def test_a_changed_order_renumbers_everything() -> None:
    assert new_ordinals(["b", "a"], {"a": 1, "b": 2}) == {"b": ORDINAL_GAP, "a": 2 * ORDINAL_GAP}


@given(st.lists(st.integers(), unique=True), st.dictionaries(st.integers(), st.integers(-50, 50)))
def test_the_ordinals_always_sort_into_the_order_wanted(
    keys: list[int], known: dict[int, int]
) -> None:
    ordinals = {key: known[key] for key in keys if key in known} | dict(new_ordinals(keys, known))
    assert sorted(keys, key=ordinals.__getitem__) == keys
    assert len(set(ordinals.values())) == len(keys)
