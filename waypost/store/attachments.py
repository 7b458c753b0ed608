"""Large parts of measures and drives, kept under the digest of their bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, insert, select, update

from waypost.store.item_kinds import DRIVE, MEASURE
from waypost.store.schema import ATTACHMENTS, CHANGES, HISTORY

_AT_ONCE = 500
"""Keys of one question; SQLite takes some thousand."""


def digest_of(data: bytes) -> str:
    """The name of an attachment: SHA-256 over its bytes, 32 hex digits."""
    return hashlib.sha256(data).hexdigest()[:32]


def put_attachments(connection: Connection, parts: Iterable[bytes], time_utc: str) -> None:
    """Add those that are not there yet; those that are count as added now.

    Args:
        connection: In a transaction.
        parts: The bytes of each.
        time_utc: When.
    """
    named = {digest_of(data): data for data in parts}
    there = _added_again(connection, list(named), time_utc)
    new = [
        {"digest": digest, "bytes": data, "added_utc": time_utc}
        for digest, data in named.items()
        if digest not in there
    ]
    if new:
        connection.execute(insert(ATTACHMENTS), new)


def get_attachment(connection: Connection, digest: str) -> bytes | None:
    """The bytes of one; ``None`` if it is not there.

    Raises:
        ValueError: If they are not those that were added.
    """
    data = connection.scalar(select(ATTACHMENTS.c.bytes).where(ATTACHMENTS.c.digest == digest))
    if data is None:
        return None
    found = bytes(data)
    if digest_of(found) != digest:
        raise ValueError(f"the attachment {digest} does not match its digest")
    return found


def unused_attachments(
    connection: Connection, wanted: Iterable[str], before_utc: str
) -> tuple[str, ...]:
    """What nothing refers to, nor has since a time: an undo in any window may still want it.

    Args:
        connection: In a transaction.
        wanted: What measures and drives refer to.
        before_utc: What was added at this time or later is left out. Where a measure or a drive
            was changed since, any may have been referred to: then it is nothing.
    """
    recent = (
        select(HISTORY.c.item)
        .join_from(HISTORY, CHANGES)
        .where(HISTORY.c.kind.in_((MEASURE.name, DRIVE.name)), CHANGES.c.time_utc >= before_utc)
        .limit(1)
    )
    columns = ATTACHMENTS.c
    old = connection.scalars(select(columns.digest).where(columns.added_utc < before_utc)).all()
    unused = tuple(sorted(set(old) - set(wanted)))
    return () if unused and connection.execute(recent).first() else unused


def drop_attachments(connection: Connection, digests: Sequence[str]) -> None:
    """Forget some."""
    for first in range(0, len(digests), _AT_ONCE):
        some = digests[first : first + _AT_ONCE]
        connection.execute(delete(ATTACHMENTS).where(ATTACHMENTS.c.digest.in_(some)))


def _added_again(connection: Connection, digests: list[str], time_utc: str) -> set[str]:
    columns = ATTACHMENTS.c
    found: set[str] = set()
    for first in range(0, len(digests), _AT_ONCE):
        some = digests[first : first + _AT_ONCE]
        added = update(ATTACHMENTS).where(columns.digest.in_(some)).values(added_utc=time_utc)
        found.update(connection.scalars(added.returning(columns.digest)))
    return found
