"""What a server hides scores by: how far sheets are, who is dealt what, and origins apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_ESCAPE = "\ufdd0"
_STAMPS = ("ordinal", "row_version", "changed_by", "changed_utc")
_ITEM = ("batch", "item")
_PASSAGE = ("from_id", "to_id", "agent_key")


def upgrade() -> None:
    """Make sheets and comparisons anew, take origins out of items, and mark labels of before."""
    connection = op.get_bind()
    sheets = _rows(connection, "sheets", _with_state)
    comparisons = _rows(connection, "comparisons", _with_pair_state)
    op.drop_table("sheets")
    op.drop_table("comparisons")
    dealt = op.create_table(
        "dealt_items",
        *_keys("batch", "item", "rater"),
        sa.ForeignKeyConstraint(["batch"], ["batches.name"], ondelete="CASCADE"),
    )
    of_item = [f"batch_items.{name}" for name in _ITEM]
    origins = _items(
        "item_origins",
        *_keys(*_ITEM),
        sa.ForeignKeyConstraint(list(_ITEM), of_item, ondelete="CASCADE"),
    )
    made_sheets = _items(
        "sheets",
        *_keys("batch", "item", "rater"),
        sa.Column("round", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(list(_ITEM), of_item),
    )
    made_comparisons = _items(
        "comparisons",
        *_keys("batch", "pair", "rater"),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["batch"], ["batches.name"]),
    )
    _items(
        "score_drafts",
        *_keys("batch", "item", "rater"),
        sa.Column("round", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text(), primary_key=True),
        sa.ForeignKeyConstraint(["batch"], ["batches.name"], ondelete="CASCADE"),
    )
    _put(connection, dealt, list(_dealt(connection)))
    _put(connection, origins, _split_origins(connection))
    _put(connection, made_sheets, sheets)
    _put(connection, made_comparisons, comparisons)
    _mark_earlier_labels(connection)
    if connection.dialect.name == "postgresql":
        _name_changes_alike(connection)


def _rows(
    connection: sa.Connection, table: str, change: Callable[[dict[str, Any], Any], None]
) -> list[dict[str, Any]]:
    """Every row of a table, each changed together with what its payload says."""
    rows = []
    # The name is our own.
    query = sa.text(f"SELECT * FROM {table} ORDER BY ordinal")  # noqa: S608
    for place, found in enumerate(connection.execute(query).mappings(), 1):
        row = dict(found)
        try:
            said = json.loads(row["payload"])
            change(row, said)
            row["payload"] = _text(said)
        except Exception as error:
            raise ValueError(f"{table}, row {place}: {error}") from error
        rows.append(row)
    return rows


def _with_state(row: dict[str, Any], said: Any) -> None:
    row["state"] = said.pop("state", "open")


def _with_pair_state(row: dict[str, Any], said: Any) -> None:
    said_of = "skipped" if said.get("skip_reason") else "submitted"
    row["state"] = "open" if said.get("submitted_at") is None else said_of


def _dealt(connection: sa.Connection) -> Iterator[dict[str, Any]]:
    for name, payload in connection.execute(sa.text("SELECT name, payload FROM batches")).all():
        for rater, own in json.loads(payload).get("assigned", {}).items():
            for item in dict.fromkeys(own):
                yield {"batch": name, "item": _stored(item), "rater": _stored(rater)}


def _split_origins(connection: sa.Connection) -> list[dict[str, Any]]:
    """Take the origins out of the items."""
    origins: list[dict[str, Any]] = []

    def split(row: dict[str, Any], said: Any) -> None:
        origin = {"source": said["instruction"].get("source", "")}
        origin["expected"] = said.get("expected", {})
        said["instruction"]["source"], said["expected"] = "", {}
        kept = {name: row[name] for name in (*_ITEM, *_STAMPS)}
        origins.append({**kept, "payload": _text(origin)})

    _rewrite(connection, "batch_items", _ITEM, split)
    return origins


def _mark_earlier_labels(connection: sa.Connection) -> None:
    """Mark passages that had a label, for all to see, before they were dealt to two.

    That label was taken over with the time that stands on it; any other has the time of its saving,
    which is finer, and what was measured and driven then.
    """
    found = set()

    def look(row: dict[str, Any], said: Any) -> None:
        given = said.get("submitted_at")
        is_as_stated = given is None or _time(given) == _time(said["label"].get("time_utc"))
        if row["round"] == 1 and is_as_stated and not said.get("evidence"):
            found.add((*(row[name] for name in _PASSAGE), row["author"]))

    def mark(row: dict[str, Any], said: Any) -> None:
        said["had_label"] = (*(row[name] for name in _PASSAGE), row["first_annotator"]) in found

    _rows(connection, "double_labels", look)
    _rewrite(connection, "double_passages", _PASSAGE, mark)


def _rewrite(
    connection: sa.Connection,
    table: str,
    key: tuple[str, ...],
    change: Callable[[dict[str, Any], Any], None],
) -> None:
    rows = _rows(connection, table, change)
    where = " AND ".join(f"{name} = :{name}" for name in key)
    statement = sa.text(f"UPDATE {table} SET payload = :payload WHERE {where}")  # noqa: S608
    wanted = (*key, "payload")
    if rows:
        connection.execute(statement, [{name: row[name] for name in wanted} for row in rows])


def _name_changes_alike(connection: sa.Connection) -> None:
    """On a server all read what changes are called; those of scores would tell of skips."""
    connection.execute(
        sa.text(
            "UPDATE changes SET text = 'Score instructions' WHERE change_id IN"
            " (SELECT change_id FROM history WHERE kind IN ('sheet', 'comparison'))"
        )
    )


def _time(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _stored(text: str) -> str:
    """Text as its column holds it: what a database refuses as JSON behind a mark."""
    has_surrogate = any("\ud800" <= character <= "\udfff" for character in text)
    is_refused = has_surrogate or "\0" in text or text.startswith(_ESCAPE)
    return _ESCAPE + json.dumps(text) if is_refused else text


def _put(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(sa.insert(table), rows)


def _items(name: str, *columns: sa.Column[Any] | sa.ForeignKeyConstraint) -> sa.Table:
    return op.create_table(
        name,
        *columns,
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.BigInteger(), nullable=False),
        sa.Column("row_version", sa.Integer(), nullable=False),
        sa.Column("changed_by", sa.Text(), nullable=False),
        sa.Column("changed_utc", sa.Text(), nullable=False),
    )


def _keys(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), primary_key=True) for name in names]
