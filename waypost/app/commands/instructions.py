"""``waypost instructions stats``: what the texts of instructions are made of."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any, Final

from waypost.app.commands.arguments.path_types import path_to_read
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted
from waypost.io.scores.instruction_files import InstructionFile, read_instructions
from waypost.io.scores.word_lists import shipped_word_list
from waypost.metrics.instruction_stats import (
    NEAR,
    NO_WORD_LIST,
    TOO_MANY,
    InstructionStats,
    NamedWords,
    Spread,
    instruction_stats,
)

_SHOWN: Final = 10


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the one action."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    stats = actions.add_parser("stats", help="lengths, words, landmarks, actions, near-duplicates")
    stats.add_argument(
        "file",
        type=path_to_read,
        metavar="FILE",
        help="episodes in any known form, or a table, JSON list or JSON lines with texts",
    )
    stats.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Print the statistics of a file."""
    found = read_instructions(options.file)
    for sentence in found.warnings:
        note(sentence)
    stats = instruction_stats(found.instructions, shipped_word_list("en"))
    if options.json:
        write_json(_object(str(options.file), found, stats))
        return 0
    for line in _lines(found, stats):
        write_line(line)
    return 0


def _object(file: str, found: InstructionFile, stats: InstructionStats) -> dict[str, Any]:
    ends, near = stats.missing_end_point, stats.near_duplicates
    return {
        "file": file,
        "format": found.format,
        "instructions": stats.count,
        "languages": dict(stats.languages),
        "characters": _spread_object(stats.characters),
        "words": _spread_object(stats.words),
        "sentences": _spread_object(stats.sentences),
        "vocabulary": {
            "different_words": stats.vocabulary,
            "running_words": stats.running_words,
            "words_used_once": stats.once,
        },
        "with_word_list": {"instructions": stats.listed, "assumed_english": stats.assumed},
        "landmarks": _named_object(stats.landmarks),
        "actions": _named_object(stats.actions),
        "missing_end_point": {
            "count": None if ends is None else len(ends),
            "items": None if ends is None else list(ends),
            "undefined": NO_WORD_LIST if ends is None else None,
        },
        "near_duplicates": {
            "similarity_from_percent": NEAR,
            "pairs": None if near is None else [pair._asdict() for pair in near],
            "undefined": TOO_MANY if near is None else None,
        },
    }


def _spread_object(spread: Spread) -> dict[str, float]:
    return {
        "mean": spread.mean, "median": spread.median, "min": spread.least, "max": spread.most,
    }  # fmt: skip


def _named_object(named: NamedWords | None) -> dict[str, Any]:
    if named is None:
        return {"per_instruction": None, "counts": None, "without": None, "undefined": NO_WORD_LIST}
    return {
        "per_instruction": _spread_object(named.per_text),
        "counts": dict(named.counts),
        "without": list(named.without),
        "undefined": None,
    }


def _lines(found: InstructionFile, stats: InstructionStats) -> list[str]:
    lines = [
        f"{counted(stats.count, 'instruction')} ({found.format})",
        *(
            f"{title:<12} mean {spread.mean:.1f}, median {spread.median:g},"
            f" {spread.least} to {spread.most}"
            for title, spread in (
                ("characters", stats.characters),
                ("words", stats.words),
                ("sentences", stats.sentences),
            )
        ),
        (
            f"{'vocabulary':<12} {stats.vocabulary:,} different of {stats.running_words:,} words,"
            f" {stats.once:,} used once"
        ),
    ]
    listed = counted(stats.listed, "instruction")
    for title, named in (("landmarks", stats.landmarks), ("actions", stats.actions)):
        if named is None:
            lines.append(f"{title:<12} undefined: {NO_WORD_LIST}")
            continue
        most = ", ".join(f"{word} {count:,}" for word, count in named.counts[:_SHOWN])
        told = f"mean {named.per_text.mean:.1f}, none in {len(named.without):,} of {listed}"
        lines.append(f"{title:<12} {told}" + (f"; most often {most}" if most else ""))
    ends, near = stats.missing_end_point, stats.near_duplicates
    said = f"undefined: {NO_WORD_LIST}" if ends is None else _some(ends, stats.listed)
    lines.append(f"{'no end point':<12} {said}")
    if near is None:
        lines.append(f"{'near-duplicates':<12} undefined: {TOO_MANY}")
    else:
        lines.append(f"near-duplicates {counted(len(near), 'pair')} from {NEAR:g} %")
        lines += [f"  {p.similarity:.0f} % {p.first} and {p.second}" for p in near[:_SHOWN]]
    return lines


def _some(items: tuple[str, ...], of: int) -> str:
    rest = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return f"{len(items):,} of {of:,}" + (f": {', '.join(items[:_SHOWN])}{rest}" if items else "")
