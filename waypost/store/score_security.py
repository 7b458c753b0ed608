"""What a server hides of scores, and from whom: its functions, policies and triggers.

The rules are those of ``domain.score.fairness``; reviewers and leads who score nothing in a batch
see all of it, as of labels.
"""

from __future__ import annotations

from typing import Final

SCORE_FUNCTIONS: Final = {
    "waypost_is_dealt(b text, i text) RETURNS boolean": (
        "SELECT EXISTS (SELECT 1 FROM dealt_items"
        " WHERE (batch, item, rater) = (b, i, session_user::text))"
    ),
    "waypost_has_scored(b text, i text) RETURNS boolean": (
        "SELECT coalesce((SELECT state IN ('submitted', 'skipped', 'accepted') FROM sheets"
        " WHERE (batch, item, rater) = (b, i, session_user::text) ORDER BY round DESC LIMIT 1),"
        " (SELECT state IN ('submitted', 'skipped', 'accepted') FROM comparisons"
        " WHERE (batch, pair, rater) = (b, i, session_user::text)), false)"
    ),
    "waypost_to_score() RETURNS TABLE (b text, i text)": (
        "SELECT batch, item FROM dealt_items"
        " WHERE rater = session_user AND NOT waypost_has_scored(batch, item)"
    ),
    "waypost_led_batches() RETURNS SETOF text": (
        "SELECT name FROM batches WHERE coalesce(waypost_role() IN ('reviewer', 'lead'), false)"
        " AND NOT EXISTS (SELECT 1 FROM dealt_items WHERE batch = name AND rater = session_user)"
    ),
    "waypost_follows(b text, i text, who text, n integer) RETURNS boolean": (
        "SELECT n = 1 OR (who = session_user OR b IN (SELECT waypost_led_batches()))"
        " AND EXISTS (SELECT 1 FROM sheets"
        " WHERE (batch, item, rater, round) = (b, i, who, n - 1) AND state <> 'open')"
    ),
    "waypost_is_shown(what text, k jsonb) RETURNS boolean": (
        "SELECT CASE WHEN k->>4 = 'decision' THEN k->>0 IN (SELECT waypost_led_batches())"
        " WHEN k->>4 = 'reason' THEN k->>2 = session_user"
        " ELSE k->>2 = session_user OR k->>0 IN (SELECT waypost_led_batches())"
        " OR ((NOT waypost_is_dealt(k->>0, k->>1) OR waypost_has_scored(k->>0, k->>1))"
        " AND CASE what WHEN 'sheet' THEN EXISTS (SELECT 1 FROM sheets"
        " WHERE (batch, item, rater, round) = (k->>0, k->>1, k->>2, (k->>3)::integer)"
        " AND state <> 'open') ELSE EXISTS (SELECT 1 FROM comparisons"
        " WHERE (batch, pair, rater) = (k->>0, k->>1, k->>2) AND state <> 'open') END) END"
    ),
}
"""Name and arguments → what it gives; ``b`` is a batch and ``i`` an item or pair of it."""

SCORE_PROCEDURES: Final = {
    # A name that JSON has and the server's JSON has not is of nobody who is logged in.
    "waypost_shows_entry(what text, entry text) RETURNS boolean": (
        "STABLE",
        (
            "BEGIN RETURN coalesce(waypost_is_shown(what, entry::jsonb), false);"
            " EXCEPTION WHEN data_exception OR program_limit_exceeded THEN RETURN false; END"
        ),
    ),
    # Code points that the server's JSON has not are spelt.
    "waypost_json(payload text) RETURNS jsonb": (
        "IMMUTABLE",
        (
            r"BEGIN RETURN regexp_replace(payload, '\\u(0000|d[89a-f][0-9a-f]{2})',"
            r" '\\u0020\1', 'g')::jsonb; END"
        ),
    ),
    # Without what is decided about it.
    "waypost_said(payload text) RETURNS jsonb": (
        "IMMUTABLE",
        (
            "BEGIN RETURN waypost_json(payload)"
            " - '{decided_by,decided_at,decision_comment}'::text[]; END"
        ),
    ),
    # Every round of a comparison, the one of now last.
    "waypost_pair_rounds(payload text, state text) RETURNS jsonb": (
        "IMMUTABLE",
        (
            "DECLARE p jsonb := waypost_json(payload);"
            " BEGIN RETURN coalesce(p->'earlier', '[]')"
            " || jsonb_build_array(p - 'earlier' || jsonb_build_object('state', state)); END"
        ),
    ),
    # The first so many rounds, without some fields of each.
    "waypost_first(rounds jsonb, many integer, without text[]) RETURNS jsonb": (
        "IMMUTABLE",
        (
            "BEGIN RETURN (SELECT coalesce(jsonb_agg(r - without ORDER BY place), '[]')"
            " FROM jsonb_array_elements(rounds) WITH ORDINALITY AS e (r, place)"
            " WHERE place <= many); END"
        ),
    ),
    "waypost_keep_said() RETURNS trigger": (
        "VOLATILE",
        (
            "BEGIN IF pg_has_role(session_user, TG_ARGV[0], 'USAGE') THEN RETURN NEW; END IF;"
            " IF (OLD.batch, OLD.item, OLD.rater, OLD.round)"
            " <> (NEW.batch, NEW.item, NEW.rater, NEW.round) OR (OLD.rater <> session_user"
            " AND waypost_said(OLD.payload) <> waypost_said(NEW.payload)) THEN"
            " RAISE insufficient_privilege USING MESSAGE = 'a sheet is changed by its rater only';"
            " END IF; RETURN NEW; END"
        ),
    ),
    # Its rater changes the round of now; who decides, only what is decided. Either may begin the
    # next round, or take one back that nobody has changed.
    "waypost_keep_pair() RETURNS trigger": (
        "VOLATILE",
        (
            "DECLARE o jsonb; n jsonb; a integer; b integer; most jsonb;"
            " decided text[] := '{state,decided_by,decided_at,decision_comment}';"
            " anew text[] := decided"
            " || '{round,submitted_at,changed_at,active_s,skip_reason,is_seeing}'::text[];"
            " BEGIN IF pg_has_role(session_user, TG_ARGV[0], 'USAGE') THEN RETURN NEW; END IF;"
            " o := waypost_pair_rounds(OLD.payload, OLD.state);"
            " n := waypost_pair_rounds(NEW.payload, NEW.state);"
            " a := jsonb_array_length(o); b := jsonb_array_length(n);"
            " most := CASE WHEN a < b THEN n ELSE o END;"
            " IF (OLD.batch, OLD.pair, OLD.rater) = (NEW.batch, NEW.pair, NEW.rater)"
            " AND abs(a - b) < 2 AND (CASE WHEN OLD.rater = session_user"
            " THEN waypost_first(o, least(a, b) - (a = b)::integer, '{}')"
            " = waypost_first(n, least(a, b) - (a = b)::integer, '{}')"
            " ELSE waypost_first(o, least(a, b), decided) = waypost_first(n, least(a, b), decided)"
            " AND (a = b OR (most->-1->>'state' = 'open'"
            " AND (most->-1) - anew = (most->-2) - anew))"
            " END) THEN RETURN NEW; END IF; RAISE insufficient_privilege"
            " USING MESSAGE = 'a comparison is changed by its rater only'; END"
        ),
    ),
}
"""Name and arguments → how far it changes by itself, and what it does."""

SCORE_TRIGGERS: Final = {"sheets": "waypost_keep_said", "comparisons": "waypost_keep_pair"}
"""Table → what looks at each change of a row; it is told who owns the tables."""

_OWN: Final = "rater = session_user"
_FILLED_IN: Final = "state IN ('open', 'submitted', 'skipped')"
_LED: Final = "batch IN (SELECT waypost_led_batches())"
_NOT_TO_SCORE: Final = "NOT IN (SELECT * FROM waypost_to_score())"
_EVERYTHING_IN: Final = "batch NOT IN (SELECT b FROM waypost_to_score())"
_OWN_PAIR: Final = f"{_OWN} AND waypost_is_dealt(batch, pair)"
_OWN_DRAFT: Final = f"(kind = 'reason' AND {_OWN}) OR (kind = 'decision' AND {_LED})"

SCORE_POLICIES: Final = {
    "sheets": {
        "SELECT": f"USING ({_OWN} OR {_LED}"
        f" OR (state <> 'open' AND (batch, item) {_NOT_TO_SCORE}))",
        "INSERT": f"WITH CHECK (waypost_follows(batch, item, rater, round) AND (({_OWN}"
        f" AND {_FILLED_IN} AND waypost_is_dealt(batch, item))"
        f" OR (state = 'open' AND round > 1 AND {_LED})))",
        "UPDATE": f"USING (({_OWN} AND {_FILLED_IN}) OR (state <> 'open' AND {_LED}))"
        f" WITH CHECK (({_OWN} AND {_FILLED_IN}) OR (state <> 'open' AND {_LED}))",
        "DELETE": f"USING (({_OWN} AND {_FILLED_IN}) OR (state = 'open' AND round > 1 AND {_LED}))",
    },
    "comparisons": {
        "SELECT": f"USING ({_OWN} OR {_LED}"
        f" OR (state <> 'open' AND (batch, pair) {_NOT_TO_SCORE}))",
        "INSERT": f"WITH CHECK ({_OWN_PAIR} AND {_FILLED_IN})",
        "UPDATE": f"USING (({_OWN} AND {_FILLED_IN}) OR {_LED})"
        f" WITH CHECK (({_OWN_PAIR} AND {_FILLED_IN}) OR {_LED})",
        "DELETE": f"USING ({_OWN} AND {_FILLED_IN}"
        " AND jsonb_array_length(waypost_pair_rounds(payload, state)) = 1)",
    },
    "score_drafts": {
        "SELECT": f"USING ({_OWN_DRAFT})",
        "INSERT": f"WITH CHECK ({_OWN_DRAFT})",
        "UPDATE": f"USING ({_OWN_DRAFT}) WITH CHECK ({_OWN_DRAFT})",
        "DELETE": f"USING ({_OWN_DRAFT})",
    },
    # Only a lead may write these at all.
    "item_origins": {
        "SELECT": f"USING ({_EVERYTHING_IN})",
        "INSERT": "WITH CHECK (true)",
        "UPDATE": "USING (true)",
        "DELETE": "USING (true)",
    },
    "history": {
        "SELECT": "USING (CASE WHEN kind IN ('sheet', 'comparison', 'score draft')"
        " THEN waypost_shows_entry(kind, item) ELSE true END)",
        "INSERT": "WITH CHECK (true)",
    },
}
"""Table → action → what rows it may be done to."""

ONLY_LEADS_WRITE: Final = ("rubrics", "batches", "batch_items", "item_origins", "dealt_items")
