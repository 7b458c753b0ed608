"""Studies and takes get the rules that were in force; takes are scored in one profile alone."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_RULES = {
    "feedback": "after_each",
    "shows_scale_bar": False,
    "shows_compass": False,
    "shows_map": False,
    "time_limit_s": None,
    "questions": [],
}


def upgrade() -> None:
    """Put the gaze, which was a rule already, among the others; write all of them into each take.

    Of its scores each take keeps those of its data set. The gaze of a take stands in its file
    alone, and files are not read here: a take gets that of its study, whose rules hold for
    everyone who takes part.
    """
    connection = op.get_bind()
    settings = sa.table(
        "study_settings",
        *(sa.column(n) for n in ("setting", "payload", *_STAMPS)),
    )
    rows = {row["setting"]: row for row in connection.execute(sa.select(settings)).mappings()}
    if not rows:
        return
    gaze = rows.get("can_look")
    rules = {**_RULES, "can_look": gaze is not None and json.loads(gaze["payload"])}
    stamps = gaze or next(iter(rows.values()))
    connection.execute(sa.delete(settings).where(settings.c.setting == "can_look"))
    own: dict[str, Any] = {"setting": "of_takes", "payload": json.dumps(rules)}
    connection.execute(sa.insert(settings), own | {name: stamps[name] for name in _STAMPS})
    takes = sa.table("takes", *(sa.column(n) for n in (*_TAKE, "payload")))
    for row in connection.execute(sa.select(takes)).mappings().all():
        stored = json.loads(row["payload"])
        payload = {**stored, **_scores(row["dataset"], stored), "rules": rules}
        is_it = sa.and_(*(takes.c[name] == row[name] for name in _TAKE))
        connection.execute(sa.update(takes).where(is_it).values(payload=json.dumps(payload)))


def _scores(dataset: str, stored: dict[str, Any]) -> dict[str, Any]:
    """The scores of a take in the profile of its data set; there were those of every profile."""
    own = _PROFILES.get(dataset, "")
    if not own:
        own = next((key for key in ("r2r", "vlnverse") if f"{key}.SR" in stored["scores"]), "")
    kept = {
        part: {k: v for k, v in stored[part].items() if k.startswith(f"{own}.")}
        for part in ("scores", "score_notes")
    }
    return {**kept, "profile": own if kept["scores"] else ""}


_PROFILES = {
    "rxr-follower": "r4r", "rxr": "r4r", "r4r": "r4r", "cvdn": "cvdn", "soon": "soon",
    "reverie": "reverie", "navbench": "navbench", "vlnce-rxr": "vlnce", "vlnce-r2r": "vlnce",
    "capnav": "capnav",
}  # fmt: skip
"""Data set → profile that models were scored by then; of others by the scores that there are."""

_STAMPS = ("ordinal", "row_version", "changed_by", "changed_utc")
_TAKE = ("dataset", "scene_id", "episode_id", "participant", "number")
