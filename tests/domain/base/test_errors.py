"""Errors cross processes."""

import copy

from waypost.domain.base.errors import ReadError, WriteError


def test_errors_come_back_from_another_process():
    for error in (ReadError("a.json", "line 3", "is empty"), WriteError("b.json", "disk full")):
        again = copy.copy(error)  # by the same way that pickles take
        assert (type(again), str(again)) == (type(error), str(error))
        assert again.file == error.file
