"""How agreement between analysts is laid out: a row per question, agreed and disputed apart."""

from __future__ import annotations

from collections.abc import Sequence

from waypost.charts.bars import BarPart, BarRow
from waypost.charts.picture import ChartTarget, ChartTone, share_text
from waypost.domain.base.counted_words import counted
from waypost.metrics.analyst_agreement import Agreement


def agreement_rows(agreements: Sequence[Agreement]) -> tuple[BarRow, ...]:
    """A row per question over blind answers, and one with the others where there are any.

    Where nothing can be compared, the reason stands beside it.
    """
    rows = []
    for entry in agreements:
        rows.append(_row(entry, f"{entry.title}, blind"))
        if entry.over_all is not None:
            rows.append(_row(entry.over_all, f"{entry.title}, with {entry.left_out}"))
    return tuple(rows)


def agreement_text(entry: Agreement) -> str:
    """The coefficients that are defined, and how much they rest on."""
    values = (("α", entry.alpha), ("κ", entry.kappa))
    told = [f"{sign} {value:.2f}" for sign, value in values if value is not None]
    return " · ".join((*told, f"n = {entry.n:,}")).replace("-", "\N{MINUS SIGN}")


def _row(entry: Agreement, title: str) -> BarRow:
    count = entry.n
    ids = (*entry.disputed_ids, *entry.agreed_ids)
    agreed, disputed = len(entry.agreed_ids), len(entry.disputed_ids)
    reasons = "; ".join(dict.fromkeys(entry.reasons.values()))
    others = f"; left out: {entry.left_out}" if entry.left_out else ""
    detail = agreement_text(entry) + (f"; {reasons}" if reasons else "") + others
    return BarRow(
        title,
        ChartTarget(title, detail, entry.episodes_of(ids)),
        (
            BarPart(
                agreed / count if count else 0.0,
                ChartTone.SUCCESS,
                ChartTarget(
                    f"{title}: ✓ agreed",
                    _share(agreed, count, entry),
                    entry.episodes_of(entry.agreed_ids),
                ),
            ),
            BarPart(
                disputed / count if count else 0.0,
                ChartTone.ERROR,
                ChartTarget(
                    f"{title}: ≠ disputed",
                    _share(disputed, count, entry),
                    entry.episodes_of(entry.disputed_ids),
                ),
            ),
        ),
        "—" if entry.percent is None else f"{100 * entry.percent:.0f} %",
        agreement_text(entry) if count else reasons,
    )


def _share(part: int, count: int, entry: Agreement) -> str:
    """How many of what was judged, which need not be episodes."""
    if not entry.episodes:
        return share_text(part, count)
    return f"{part:,} of {counted(count, 'edge')}" + (
        f" ({100 * part / count:.1f} %)" if count else ""
    )
