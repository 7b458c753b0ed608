"""What differs between two states of a mapping, by the quick way and the thorough one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.mapping_changes import mapping_changes

_STATES = st.dictionaries(st.integers(0, 6), st.lists(st.integers(0, 2), max_size=1))


@given(_STATES, _STATES)
def test_every_difference_is_found_once(
    before: dict[int, object], after: dict[int, object]
) -> None:
    found = mapping_changes(before, after)
    assert list(found.added) == [key for key in after if key not in before]
    assert set(found.removed) == before.keys() - after.keys()
    both = before.keys() & after.keys()
    assert set(found.changed) == {key for key in both if before[key] != after[key]}
    assert len(found.changed) == len(set(found.changed))


def test_what_comes_or_goes_at_the_end_moves_nothing() -> None:
    state = {"a": 1, "b": 2}
    assert mapping_changes(state, {**state, "a": 3, "c": 4}) == (("c",), ("a",), (), False)
    assert mapping_changes(state, {"a": 1}) == ((), (), ("b",), False)
    assert mapping_changes(state, {"b": 2, "a": 1}) == ((), (), (), True)
    assert mapping_changes(state, {"b": 2}) == ((), (), ("a",), True)
