"""Rows of tables of scores, whose cells are read by type."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime

from waypost.domain.base.errors import ReadError
from waypost.domain.base.rounds import RoundState
from waypost.io.table_cells import TableRow, number_in


@dataclass(frozen=True)
class TypedRow:
    """A row whose cells are read by type."""

    row: TableRow
    file: str

    def error(self, column: str, reason: str) -> ReadError:
        """What is wrong with a cell."""
        return ReadError(self.file, f"line {self.row.line}, {column}", reason)

    def text(self, column: str) -> str:
        """A cell; empty where it is absent."""
        return self.row.cells.get(column, "")

    def name(self, column: str) -> str:
        """A cell that names something.

        Raises:
            ReadError: If it is empty.
        """
        text = self.text(column)
        if not text:
            raise self.error(column, "is empty")
        return text

    def whole(self, column: str, default: int) -> int:
        """A whole number.

        Raises:
            ReadError: If it is none.
        """
        text = self.text(column).strip()
        number = number_in(text) if text else float(default)
        if number is None or not number.is_integer():
            raise self.error(column, f"{text!r} is no whole number")
        return int(number)

    def seconds(self, column: str) -> float:
        """A number of seconds, 0 where there is none.

        Raises:
            ReadError: If it is none, below 0 or not finite.
        """
        text = self.text(column).strip()
        number = number_in(text) if text else 0.0
        if number is None or not 0 <= number < math.inf:
            raise self.error(column, f"{text!r} is no number of seconds")
        return number

    def truth(self, column: str) -> bool:
        """True or false, the latter where there is neither.

        Raises:
            ReadError: If it is something else.
        """
        text = self.text(column).strip().lower()
        if text not in {"", "true", "false"}:
            raise self.error(column, f"{text!r} is neither true nor false")
        return text == "true"

    def state(self, default: RoundState = RoundState.SUBMITTED) -> RoundState:
        """How far a sheet or a comparison is.

        Raises:
            ReadError: If it is no state.
        """
        text = self.text("state").strip() or default
        if text not in list(RoundState):
            raise self.error("state", f"{text!r} is none of {', '.join(RoundState)}")
        return RoundState(text)

    def moment(self, column: str) -> datetime | None:
        """A time, UTC where it states no zone; ``None`` where there is none.

        Raises:
            ReadError: If it is none.
        """
        text = self.text(column).strip()
        try:
            found = datetime.fromisoformat(text) if text else None
        except ValueError as error:
            raise self.error(column, f"{text!r} is no time") from error
        return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found
