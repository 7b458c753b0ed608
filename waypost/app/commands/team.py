"""``waypost team``: who works on a project, what two of them label, and who decides."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any, Final

from waypost.app.commands.arguments.number_types import share
from waypost.app.commands.arguments.path_types import check_ending, file_to_write
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    opened_project,
)
from waypost.app.commands.team_server import add_server_actions, publish, secure
from waypost.app.terminal.output import write_report
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import EditError, InputError
from waypost.domain.project import Project
from waypost.domain.team_labels import own_labels, with_team
from waypost.domain.traverse.team import DoubleLabel, Person, Role, Team
from waypost.domain.traverse.team_edits import (
    accept_label,
    deal_second_labels,
    decide_label,
    labels_without_author,
    not_dealt_words,
    return_label,
    take_decision_back,
    with_people,
)
from waypost.domain.traverse.team_report import (
    annotator_progress,
    disagreements,
    standing_counts,
)
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Passage,
    Reason,
    TraversabilityLabel,
    Verdict,
    passages,
    with_places,
)
from waypost.io.labels.double_labels import write_double_labels
from waypost.metrics.agreement.label_agreement import ANSWER, label_agreement
from waypost.store.project_store import utc_now

_Report = tuple[dict[str, Any], list[str]]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    put = actions.add_parser("set", help="say who works on a project, and deal second labels")
    put.add_argument(
        "--people", type=_people, metavar="A:ROLE,B:ROLE",
        help=f"everybody, with one of the roles {', '.join(Role)} (default: as they are)",
    )  # fmt: skip
    put.add_argument(
        "--share", type=share, metavar="S",
        help="share of the passages that two annotators label, 0 to 1 (default: as it is)",
    )  # fmt: skip
    put.add_argument("--seed", type=int, help="of which passages and who (default: as it is)")
    progress = actions.add_parser("progress", help="how far everybody is, as far as one may see")
    differing = actions.add_parser("disagreements", help="what is to be decided, with both sides")
    agreement = actions.add_parser("agreement", help="how far two agree, by agent and reason")
    decide = actions.add_parser("decide", help="decide about a passage that two have labelled")
    for end in ("from", "to"):
        decide.add_argument(f"{end}_id", metavar=end.upper(), help=f"node that it leads {end}")
    decide.add_argument("agent", metavar="AGENT", help="key of the agent")
    how = decide.add_mutually_exclusive_group(required=True)
    how.add_argument("--verdict", choices=[str(v) for v in Verdict], help="the final answer")
    how.add_argument("--accept", metavar="NAME", help="make final what one of the two says")
    how.add_argument("--return", dest="back", metavar="NAME", help="have one of them label again")
    how.add_argument("--reopen", action="store_true", help="take a decision back")
    decide.add_argument("--reason", choices=[str(r) for r in Reason], help="of “does_not”")
    decide.add_argument("--comment", default="", help="why; what is returned needs it")
    export = actions.add_parser("export", help="write every round of labels of two as CSV")
    export.add_argument("--out", type=file_to_write, required=True, metavar="FILE", help="*.csv")
    add_server_actions(actions)
    for action in (put, progress, differing, agreement, decide, export):
        add_project_argument(action)
        add_author_argument(action)
        action.add_argument("--json", action="store_true", help="print one JSON document")


def _people(text: str) -> tuple[Person, ...]:
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, role = part.rpartition(":")
        if not name or role not in list(Role):
            raise argparse.ArgumentTypeError(f"{part!r} is no NAME:ROLE with {', '.join(Role)}")
        found.append(Person(name.strip(), Role(role)))
    return tuple(found)


def run(options: Namespace) -> int:
    """Run the chosen action; everything is shown as far as the author may see it."""
    report, lines = _ACTIONS[options.action](options)
    write_report(report, lines, as_json=options.json)
    return 0


def _seen(options: Namespace) -> Project:
    with opened_project(options.project, author_of(options)) as (_, project):
        return project


def _changed(options: Namespace, text: str, change: Callable[[Project], Team]) -> Project:
    with opened_project(options.project, author_of(options)) as (store, before):
        try:
            after = with_team(before, change(before))
        except (EditError, InputError) as error:
            raise InputError(f"{options.project}: team: {error}") from error
        store.save(before, after, before.team.viewer or author_of(options), text)
    return after


def _set(options: Namespace) -> _Report:
    def change(project: Project) -> Team:
        team = project.team
        role = team.role(team.viewer)
        if team.people and role is not Role.LEAD and _has_lead(team):
            raise EditError("only a lead says who does what")
        if options.people is not None:
            team = with_people(team, options.people)
        wanted = team.second_share if options.share is None else options.share
        seed = team.seed if options.seed is None else options.seed
        labels = {p: with_places(x, project.graph) for p, x in own_labels(project).items()}
        return deal_second_labels(team, _asked(project), labels, wanted, seed)

    project = _changed(options, "Change the team", change)
    team = project.team
    without = labels_without_author(team, _asked(project), own_labels(project))
    left = len(without) if team.second_share else 0
    report = {
        "people": {person.name: str(person.role) for person in team.people.values()},
        "share": team.second_share,
        "seed": team.seed,
        "double_passages": len(team.doubles),
        "without_author": left,
    }
    two = counted(len(team.doubles), "passage is", "passages are")
    lines = [f"{counted(len(team.people), 'person', 'people')}; {two} labelled by two"]
    return report, [*lines, *filter(None, [not_dealt_words(left)])]


def _asked(project: Project) -> list[Passage]:
    return [p for key in project.agents for p in passages(project.graph, key)]


def _has_lead(team: Team) -> bool:
    return any(person.role is Role.LEAD for person in team.people.values())


def _progress(options: Namespace) -> _Report:
    team = _seen(options).team
    rows = {name: annotator_progress(team, name) for name in team.annotators}
    counts = standing_counts(team)
    report = {
        "viewer": team.viewer,
        "double_passages": len(team.doubles),
        "standing": {str(standing): count for standing, count in counts.items()},
        "people": {
            person.name: {
                "role": str(person.role),
                "labels": None if (row := rows.get(person.name)) is None else row._asdict(),
            }
            for person in team.people.values()
        },
    }
    lines = [f"{counted(len(team.doubles), 'passage')} that two people label"]
    lines += [f"  {standing}: {count}" for standing, count in counts.items()]
    for person in team.people.values():
        row = rows.get(person.name)
        if person.role is not Role.ANNOTATOR:
            lines.append(f"{person.name}, {person.role}")
        elif row is None:
            lines.append(f"{person.name}, {person.role}: hidden from you")
        else:
            back = f", {row.returned} returned" if row.returned else ""
            labels = f"{row.given} of {counted(row.dealt, 'label')} given"
            lines.append(f"{person.name}, {person.role}: {labels}{back}")
    return report, lines


def _label_words(entry: DoubleLabel) -> str:
    label = entry.label
    words = str(label.verdict)
    if label.reason is not None:
        words += f" ({REASON_TITLES[label.reason]})"
    said = [f"{entry.key.author}: {words}", *([label.note] if label.note else []), *entry.evidence]
    return "; ".join(said)


def _label_object(entry: DoubleLabel) -> dict[str, Any]:
    return {
        "author": entry.key.author,
        "round": entry.key.round,
        "verdict": str(entry.label.verdict),
        "reason": None if entry.label.reason is None else str(entry.label.reason),
        "note": entry.label.note,
        "time_utc": entry.label.time_utc,
        "evidence": list(entry.evidence),
    }


def _disagreements(options: Namespace) -> _Report:
    found = list(disagreements(_seen(options).team))
    report = {
        "disagreements": [
            {
                "from_id": each.passage.from_id,
                "to_id": each.passage.to_id,
                "agent": each.passage.agent_key,
                "first": _label_object(each.first),
                "second": _label_object(each.second),
            }
            for each in found
        ]
    }
    lines = [f"{counted(len(found), 'passage')} to decide"]
    for each in found:
        lines.append(f"{each.passage.from_id} → {each.passage.to_id} of {each.passage.agent_key}")
        lines += [f"  {_label_words(entry)}" for entry in (each.first, each.second)]
    return report, lines


def _agreement(options: Namespace) -> _Report:
    rows = label_agreement(_seen(options).team)
    report = {
        "rows": [
            {
                "agent": row.agent_key or None,
                "about": row.about,
                "n": row.n,
                **{
                    name: {
                        "value": entry.value,
                        "ci95": None if entry.ci95 is None else list(entry.ci95),
                        "undefined": entry.undefined or None,
                    }
                    for name, entry in (
                        ("percentage", row.percentage),
                        ("alpha_nominal", row.alpha_nominal),
                    )
                },
            }
            for row in rows
        ]
    }
    lines = [
        f"{row.agent_key or 'all agents'}, "
        f"{row.about if row.about == ANSWER else REASON_TITLES[Reason(row.about)]}: equal pairs "
        f"{row.percentage.words}, α {row.alpha_nominal.words}, n = {row.n}"
        for row in rows
    ]
    return report, lines or ["no passage is labelled by two yet, as far as you may see"]


def _decide(options: Namespace) -> _Report:
    if options.reason is not None and options.verdict is None:
        raise InputError("--reason: belongs to --verdict")
    if options.comment and not (options.verdict or options.back is not None):
        raise InputError("--comment: belongs to --verdict and --return")
    passage = Passage(options.from_id, options.to_id, options.agent)
    now = utc_now()

    def change(project: Project) -> Team:
        team = project.team
        if options.back is not None:
            return return_label(team, passage, options.back, options.comment, now)
        if options.reopen:
            return take_decision_back(team, passage)
        if options.accept is not None:
            return accept_label(team, passage, options.accept, now)
        reason = None if options.reason is None else Reason(options.reason)
        label = TraversabilityLabel(
            passage, Verdict(options.verdict), reason, options.comment, team.viewer,
            now.isoformat(timespec="seconds"), _judged_on(team, passage),
        )  # fmt: skip
        return decide_label(team, label, now, options.comment)

    team = _changed(options, "Decide about a label", change).team
    final = team.finals.get(passage)
    report = {
        "from_id": passage.from_id,
        "to_id": passage.to_id,
        "agent": passage.agent_key,
        "standing": str(team.standing(passage)),
        "verdict": None if final is None else str(final.label.verdict),
    }
    way = f"{passage.from_id} → {passage.to_id} of {passage.agent_key}"
    if final is None:
        said = "to be decided again" if options.reopen else f"returned to {options.back}"
        return report, [f"{way}: {said}"]
    return report, [f"{way}: {final.label.verdict}, decided by {final.decided_by}"]


def _judged_on(team: Team, passage: Passage) -> Any:
    """What the two judged on: a decision about their labels becomes stale when those would."""
    both = team.both(passage)
    if both is None:
        raise EditError("both labels must be in before a passage is decided")
    return both[0].label.provenance


def _export(options: Namespace) -> _Report:
    check_ending(options.out, ".csv")
    project = _seen(options)
    rows = write_double_labels(options.out, project.team, project.graph)
    return {"out": str(options.out), "rows": rows}, [
        f"wrote {counted(rows, 'row')} to {options.out}"
    ]


_ACTIONS: Final[dict[str, Callable[[Namespace], _Report]]] = {
    "set": _set,
    "progress": _progress,
    "disagreements": _disagreements,
    "agreement": _agreement,
    "decide": _decide,
    "export": _export,
    "publish": publish,
    "secure": secure,
}
