from __future__ import annotations

import math

import pytest

from waypost.domain.base.errors import InputError
from waypost.io.confined.limits import (
    BASE_BYTES,
    DEFAULT_MINUTES,
    ReadingLimits,
    chosen_limits,
    limits_in_force,
    memory_sentence,
    put_in_force,
    say_limits_are_in,
    time_sentence,
)


@pytest.fixture(autouse=True)
def own_environment(monkeypatch):
    """Of which nothing stays."""
    for name in ("MEMORY_GB", "MINUTES", "LIMITS_PLACE"):
        monkeypatch.setenv(f"WAYPOST_READ_{name}", "")
        monkeypatch.delenv(f"WAYPOST_READ_{name}")


def test_memory_grows_with_the_files_up_to_a_limit():
    limits = ReadingLimits(8.0)
    assert limits.memory_bytes(0) == BASE_BYTES == 500_000_000
    assert limits.memory_bytes(10_000_000) == 2_500_000_000
    assert limits.memory_bytes(10**12) == 8_000_000_000


def test_what_a_person_chose_is_the_limit_of_every_file():
    limits = chosen_limits(3.0, None)
    assert (limits.memory_bytes(0), limits.memory_bytes(10**12)) == (3_000_000_000,) * 2
    assert limits.seconds == 60 * DEFAULT_MINUTES == 600


def test_the_choice_is_in_force_until_the_next():
    assert limits_in_force().grows
    put_in_force(chosen_limits(12.5, 90))
    assert limits_in_force() == ReadingLimits(12.5, 90, grows=False)
    put_in_force(chosen_limits(None, None))
    assert limits_in_force() == chosen_limits(None, None)


@pytest.mark.parametrize("text", ["", "much", "nan", "-1", "0", "inf"])
def test_an_environment_that_is_no_limit_does_not_count(text, monkeypatch):
    monkeypatch.setenv("WAYPOST_READ_MEMORY_GB", text)
    monkeypatch.setenv("WAYPOST_READ_MINUTES", text)
    assert limits_in_force() == chosen_limits(None, None)


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_a_limit_is_above_zero(value):
    with pytest.raises(InputError, match=r"read_memory_gb: .* is not above 0"):
        chosen_limits(value, None)
    with pytest.raises(InputError, match=r"read_minutes: .* is not above 0"):
        chosen_limits(None, value)


def test_sentences_say_the_limit_and_where_it_is_raised():
    memory = "needs more than 0.5 GB of memory to be read; raise it "
    time = "takes more than 10 minutes to be read; raise it "
    assert memory_sentence(500_000_000) == memory + "with --read-memory-gb"
    assert time_sentence(600) == time + "with --read-minutes"
    say_limits_are_in("under Edit, Limits of reading")
    assert memory_sentence(500_000_000) == memory + "under Edit, Limits of reading"
    assert time_sentence(600) == time + "under Edit, Limits of reading"
