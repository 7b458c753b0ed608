"""Files of scores in either form: whole batches as JSON lines, or a table of their rows."""

from __future__ import annotations

from pathlib import Path

from waypost.domain.score.comparison_rows import comparison_rows
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.score_merging import ScoreFile
from waypost.domain.score.score_rows import score_rows
from waypost.io.file_head import read_head
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import reader
from waypost.io.scores.comparison_csv import parse_comparison_csv, write_comparison_csv
from waypost.io.scores.score_csv import read_score_csv, write_score_csv
from waypost.io.scores.score_history import history_text, is_history, read_history, write_history

HISTORY_ENDING = ".jsonl"


@reader
def read_scores(path: Path) -> ScoreFile:
    """Read whole batches of a file that ``write_history`` wrote, else the rows of a table.

    Raises:
        ReadError: Naming the line, and what is wrong there.
    """
    head = read_head(path).text.split("\n", 1)[0]
    if is_history(head):
        return read_history(path)
    if {"better", "on_left"} <= {name.strip() for name in head.replace(";", ",").split(",")}:
        return parse_comparison_csv(read_file_text(path), str(path))
    return read_score_csv(path)


def write_scores(path: Path, book: ScoreBook, batch: str, viewer: str) -> None:
    """Write a batch as somebody may see it, by the ending of the file.

    ``HISTORY_ENDING`` gets the whole batch, every other one a table of the last rounds.

    Raises:
        WriteError: If the file cannot be written.
        InputError: If a text holds half a character, and the file is a table.
        EditError: If there is no such batch.
    """
    if path.suffix.lower() == HISTORY_ENDING:
        write_history(path, history_text(book, [batch], viewer))
    elif book.batch(batch).pairs:
        write_comparison_csv(path, comparison_rows(book, batch, viewer))
    else:
        write_score_csv(path, score_rows(book, batch, viewer))
