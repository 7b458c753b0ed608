"""The part of ``waypost team`` that sets a server up: ``publish`` and ``secure``."""

from __future__ import annotations

import csv
import os
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path
from typing import Any

from waypost.app.commands.arguments.path_types import file_to_write
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    opened_project,
)
from waypost.app.shell.project_address import without_password
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError, StoreError, WriteError
from waypost.domain.project import Project
from waypost.domain.score.fairness import hidden_from
from waypost.domain.traverse.team import Role
from waypost.store.project_store import ProjectStore
from waypost.store.row_security import secure_project, sees_all_rows


def add_server_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the two actions."""
    publish = actions.add_parser("publish", help="copy a project onto a PostgreSQL server")
    publish.add_argument("--to", required=True, metavar="URL", help="of an empty database")
    secure = actions.add_parser("secure", help="have the server hide what one may not see yet")
    secure.add_argument(
        "--logins", type=file_to_write, required=True, metavar="FILE",
        help="a new file for the passwords of people who had no login",
    )  # fmt: skip
    for action in (publish, secure):
        add_project_argument(action)
        add_author_argument(action)
        action.add_argument("--json", action="store_true", help="print one JSON document")


def publish(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    """Copy a project, with its pictures and driven paths."""
    author, place = author_of(options), without_password(options.to)
    if not options.to.startswith("postgresql://"):
        raise InputError(f"--to: {place!r} is no address like postgresql://USER@HOST/DATABASE")
    with opened_project(options.project, author) as (store, project):
        team = project.team
        if team.people and team.role(team.viewer) is not Role.LEAD:
            raise InputError(f"{options.project}: team: only a lead sees all that is to be copied")
        _check_scores_are_seen(options.project, project)
        target = ProjectStore.create(options.to, project, author)
        try:
            wanted = [measure.picture for measure in project.measures.values()]
            wanted += [drive.track for drive in project.drives.values()]
            for digest in filter(None, dict.fromkeys(wanted)):
                part = store.attachment(digest)
                target.put_attachments([] if part is None else [part])
        finally:
            target.close()
    return {"project": place, "labels": len(project.labels)}, [f"the project is at {place}"]


def _check_scores_are_seen(place: str, project: Project) -> None:
    """Refuse a copy without what a server hides from a lead who scores as well."""
    book, viewer = project.scoring, project.team.viewer
    hidden = [batch for batch in book.batches if hidden_from(book, batch, viewer)]
    if hidden and "://" in place and not sees_all_rows(place):
        reason = f"what others score in {hidden[0]} is hidden from {viewer} still"
        raise InputError(f"{place}: {reason}; who owns the database copies it")


def secure(options: Namespace) -> tuple[dict[str, Any], list[str]]:
    """Make a login for each person, and have the server hide what they may not see."""
    with opened_project(options.project, author_of(options)) as (_, project):
        people = project.team.people
    if "://" not in options.project:
        reason = "only a server hides rows from its own users; a file is trusted as it is"
        raise StoreError(options.project, "team", reason)
    path: Path = options.logins
    try:
        # Made before the passwords are, for its owner alone: none is to be lost or read by others.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise WriteError(str(path), error.strerror or "it is not known why") from error
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        made = secure_project(options.project, people)
        writer = csv.writer(file)
        writer.writerow(("name", "role", "password"))
        writer.writerows((name, people[name].role, word) for name, word in made.items())
    report = {"people": list(people), "new_logins": list(made)}
    words = "Everybody sees of others' labels and scores what they may"
    return report, [f"{words}; {counted(len(made), 'new login')} in {path}"]
