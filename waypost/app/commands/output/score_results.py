"""Results of a batch as ``waypost score results`` prints them, as JSON and as lines."""

from __future__ import annotations

from typing import Any

from waypost.app.commands.agreement import agreement_object
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import exhaust
from waypost.domain.score.fairness import batch_progress
from waypost.domain.score.score_book import ScoreBook
from waypost.metrics.agreement.score_agreement import COEFFICIENTS, CriterionAgreement
from waypost.metrics.batch_results import batch_results
from waypost.metrics.pair_results import PairResults, SidesChosen, pair_results
from waypost.metrics.pair_strengths import PairStrengths
from waypost.metrics.score_means import ScoreMean, ScoreSpread

_Told = tuple[dict[str, Any], list[str]]


def results_report(book: ScoreBook, name: str, viewer: str) -> _Told:
    """What came of a batch, as somebody may see it.

    Raises:
        EditError: If there is no such batch.
    """
    batch = book.batch(name)
    progress = {rater: batch_progress(book, name, rater, viewer) for rater in batch.raters}
    head = {
        "batch": name,
        "rubric": batch.rubric.key,
        "rubric_version": batch.rubric.version,
        "progress": {r: None if own is None else own._asdict() for r, own in progress.items()},
    }
    noun = "pair" if batch.pairs else "instruction"
    lines = [
        f"{rater}: "
        + ("hidden" if own is None else f"{own.settled:,} of {counted(own.total, noun)} done")
        for rater, own in progress.items()
    ]
    report, told = _of_pairs(book, name, viewer) if batch.pairs else _of_sheets(book, name, viewer)
    return head | report, lines + told


def _of_sheets(book: ScoreBook, name: str, viewer: str) -> _Told:
    found = exhaust(batch_results(book, name, viewer))
    report = {
        "criteria": {key: agreement_object(row) for key, row in found.agreement.items()},
        "means": [_mean_object(mean) for mean in found.means],
        "score_counts": {entry.criterion: _spread_object(entry) for entry in found.counts},
        "worst_items": [entry._asdict() for entry in found.worst],
        "hidden_items": found.hidden_items,
        "sheets_of_earlier_versions": found.earlier_sheets,
        "sheets_after_seeing_others": found.seeing_sheets,
        "missed_attention_checks": [entry._asdict() for entry in found.missed],
    }
    lines = [_agreement_line(key, row) for key, row in found.agreement.items()]
    lines += [_mean_line(mean) for mean in found.means]
    return report, [*lines, *found.notes]


def _of_pairs(book: ScoreBook, name: str, viewer: str) -> _Told:
    found = exhaust(pair_results(book, name, viewer))
    report = {
        "criteria": {key: agreement_object(row) for key, row in found.agreement.items()},
        "strengths": {
            by.value: {row.criterion: _strengths_object(row) for row in rows}
            for by, rows in found.strengths.items()
        },
        "answers": {row.criterion: _answers_object(row) for row in found.counts},
        "disputed_pairs": [entry._asdict() for entry in found.disputed],
        "hidden_pairs": found.hidden_pairs,
        "comparisons_after_seeing_others": found.seeing_comparisons,
    }
    lines = [_agreement_line(key, row) for key, row in found.agreement.items()]
    lines += _strength_lines(found)
    return report, [*lines, *found.notes]


def _answers_object(row: SidesChosen) -> dict[str, Any]:
    return {key: value for key, value in row._asdict().items() if key != "criterion"}


def _strengths_object(row: PairStrengths) -> dict[str, Any]:
    strengths = None
    if row.strengths is not None:
        strengths = {
            name: {"value": own.value, "ci95": None if own.ci95 is None else list(own.ci95)}
            for name, own in row.strengths.items()
        }
    return {
        "comparisons": row.comparisons,
        "strengths": strengths,
        "undefined": row.undefined or None,
    }


def _strength_lines(found: PairResults) -> list[str]:
    lines = []
    for by, rows in found.strengths.items():
        for row in rows:
            where = f"{row.criterion} by {by.value}"
            if row.strengths is None:
                lines.append(f"{where}: strengths undefined: {row.undefined}")
                continue
            for name, own in row.strengths.items():
                lines.append(f"{where}: {name or 'none stated'} {own.words}")
    return lines


def _agreement_line(name: str, row: CriterionAgreement) -> str:
    alpha, title = row.coefficients["alpha_ordinal"], COEFFICIENTS["alpha_ordinal"].title
    return f"{name}: {title} {alpha.words}, n = {row.overlapping_items}"


def _mean_object(mean: ScoreMean) -> dict[str, Any]:
    return {
        **mean.key._asdict(),
        "mean": mean.mean,
        "ci95": None if mean.ci95 is None else list(mean.ci95),
        "items": mean.items,
        "scores": mean.scores,
        "undefined": mean.undefined or None,
    }


def _spread_object(spread: ScoreSpread) -> dict[str, Any]:
    given = {str(score): len(items) for score, items in spread.items_by_score.items()}
    return {"scores": given, "cannot_judge": len(spread.cannot_judge)}


def _mean_line(mean: ScoreMean) -> str:
    where = ", ".join(part for part in mean.key[:2] if part) or "all"
    count = "" if mean.mean is None else f", {counted(mean.items, 'item')}"
    return f"{where}: {mean.key.criterion} {mean.words}{count}"
