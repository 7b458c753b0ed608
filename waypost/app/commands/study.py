"""``waypost study``: make a study, let people join, assign, follow, queue again and export."""

from __future__ import annotations

import os
import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from waypost.app.commands.arguments.number_types import seed
from waypost.app.commands.arguments.path_types import (
    file_to_read,
    folder_to_read,
    folder_to_write,
    path_to_read,
    project_to_make,
    project_to_open,
)
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    opened_project,
)
from waypost.app.commands.evaluate import aggregate_object
from waypost.app.commands.output.study_report import assignment_document, progress_document
from waypost.app.commands.study_rules import (
    add_rule_arguments,
    rules_document,
    rules_lines,
    with_rules,
)
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_report
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.base.counted_words import counted, few_of
from waypost.domain.base.errors import EditError, InputError, ReadError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.episode import normal_id
from waypost.domain.project import Project
from waypost.domain.record.assignment import assign, shortfall_words
from waypost.domain.record.study import (
    AssignmentKey,
    Study,
    StudyRules,
    consent_in_force,
    new_code,
)
from waypost.domain.record.study_edits import (
    add_participant,
    adopt_takes,
    change_rules,
    give_consent,
    know_paths,
    publish_consent,
    put_scores,
    requeue_episode,
    withdraw_consent,
)
from waypost.domain.record.study_progress import counted_takes, left_out_line
from waypost.io.agent_files import shipped_agents
from waypost.io.file_reading import read_file_text
from waypost.services.navmesh_distances import check_navmeshes
from waypost.services.study.episodes import read_study_episodes, unknown_paths
from waypost.services.study.export import export_study
from waypost.services.study.frame_export import frames_line, measure_frames
from waypost.services.study.making import StudyWish, known_agent, make_study, stated_path
from waypost.services.study.scoring_anew import score_anew
from waypost.services.study.submissions import KINDS, ExportWish
from waypost.services.study.take_run import replay_takes
from waypost.services.study.takes import find_new_takes
from waypost.store.project_store import ProjectStore, utc_now

_MOST_AT_ONCE = 10_000
_LONGEST_MIN = 24 * 60


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(
        name: str, text: str, project: Callable[[str], str] = project_to_open
    ) -> ArgumentParser:
        own = actions.add_parser(name, help=text)
        add_project_argument(own, project)
        add_author_argument(own)
        own.add_argument("--json", action="store_true", help="print one JSON document")
        return own

    about = "make the study of a project, or the project as well"
    _add_create_arguments(action("create", about, project_to_make))
    join = action("add-participant", "let people join; each gets a code nobody can guess")
    join.add_argument("--number", type=int, default=1, metavar="N", help="how many (default: 1)")
    join.add_argument("--code", help="a code of your own for one participant; never a name")
    join.add_argument(
        "--consented", action="store_true", help="they have agreed to the text in force"
    )
    consent = action("consent", "record a consent or its withdrawal, or put a new text in force")
    consent.add_argument("--participant", metavar="CODE", help="who agrees, or withdraws")
    consent.add_argument("--withdraw", action="store_true", help="nothing of them is exported")
    consent.add_argument("--text", type=file_to_read, metavar="FILE", help="the new text")
    share = action("assign", "give participants their training and their episodes")
    share.add_argument(
        "--participant", action="append", metavar="CODE", help="only this one; may be repeated"
    )
    action("progress", "where every participant stands, and what to look at")
    _add_requeue_arguments(action("requeue", "have one episode driven once more"))
    adopt = action("adopt", "take in recordings that the project did not hear of")
    adopt.add_argument(
        "--folder",
        type=folder_to_read,
        metavar="DIR",
        help="where to look, at every depth (default: the project's folder)",
    )
    adopt.add_argument(
        "--connectivity",
        type=folder_to_read,
        metavar="DIR",
        help="graphs, to score R2R episodes on (default: those of the study)",
    )
    add_rule_arguments(action("rules", "rules from now on; options change them"), is_new=False)
    _add_out(action("report", "one HTML page of the takes that count"), "for report.html")
    _add_export_arguments(action("export", "write takes, scores, averages and submission files"))


def _add_create_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--name", default="", help="of the study (default: the project's)")
    parser.add_argument("--episodes", type=file_to_read, required=True, help="file of episodes")
    parser.add_argument("--format", default="", help="of the episodes, if content does not tell")
    parser.add_argument("--split", default="", help="only episodes of this split")
    parser.add_argument(
        "--training", action="append", default=[], metavar="ID", help="practice; may be repeated"
    )
    parser.add_argument(
        "--consent", type=file_to_read, required=True, metavar="FILE", help="the text"
    )
    parser.add_argument("--count", type=int, default=50, help="episodes per person (default: 50)")
    parser.add_argument(
        "--overlap", type=int, metavar="N", help="people per episode at most (default: no limit)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of choice and order (default: 0)")
    parser.add_argument("--agent", default="", metavar="KEY", help="who is driven (default: human)")
    parser.add_argument(
        "--connectivity",
        type=folder_to_read,
        metavar="DIR",
        help="graphs, where episodes name viewpoints only; kept in the study",
    )
    parser.add_argument(
        "--navmesh",
        type=folder_to_read,
        metavar="DIR",
        help="folder of <scene>.navmesh, or of scenes, for distances over the floor; kept too",
    )
    parser.add_argument(
        "--scenes",
        type=path_to_read,
        metavar="DIR",
        help="scenes by id, or a JSON list of them; kept in the study",
    )
    add_rule_arguments(parser, is_new=True)
    until = "this many until a break is offered; 0: never for this reason"
    parser.add_argument(
        "--break-episodes", type=int, default=10, metavar="N", help=f"{until} (default: 10)"
    )
    parser.add_argument(
        "--break-minutes", type=float, default=30.0, metavar="M", help=f"{until} (default: 30)"
    )


def run(options: Namespace) -> int:
    """Run the chosen action.

    Returns:
        0 done, 1 done with something to look at.

    Raises:
        InputError: If a rule of the study refuses it.
    """
    runner = {
        "create": _create,
        "add-participant": _join,
        "consent": _consent,
        "assign": _assign,
        "progress": _progress,
        "requeue": _requeue,
        "adopt": _adopt,
        "rules": _rules,
        "report": _report,
        "export": _export,
    }[options.action]
    try:
        return runner(options)
    except EditError as error:
        raise InputError(f"{options.project}: study: {error}") from error


@contextmanager
def _opened_study(options: Namespace) -> Iterator[tuple[ProjectStore, Project, Study]]:
    with opened_project(options.project, author_of(options)) as (store, project):
        if project.study.rules is None:
            raise ReadError(options.project, "study", "the project has none; use study create")
        yield store, project, project.study


def _say(options: Namespace, document: dict[str, Any], *lines: str) -> None:
    write_report(document, lines, as_json=options.json)


def _now() -> str:
    return utc_now().isoformat()


def _create(options: Namespace) -> int:
    if not 0 <= options.break_minutes <= _LONGEST_MIN:
        raise InputError(f"--break-minutes: {options.break_minutes:g} is not 0 to {_LONGEST_MIN}")
    is_new = "://" not in options.project and not os.path.lexists(options.project)
    if is_new:
        new = Project(Path(options.project).stem, agents=shipped_agents())
        ProjectStore.create(Path(options.project), new, author_of(options)).close()
    try:
        with opened_project(options.project, author_of(options)) as (store, project):
            study = _new_study(options, store, project)
            after = replace(project, study=study)
            store.save(project, after, author_of(options), "Create study")
    except BaseException:
        if is_new:
            Path(options.project).unlink()
        raise
    count = sum(not episode.is_training for episode in study.episodes.values())
    document = {
        "project": options.project,
        "study": study.rules.name if study.rules else "",
        "episodes": count,
        "training": len(study.episodes) - count,
        "scenes": len({k.scene_id for k, e in study.episodes.items() if not e.is_training}),
        "consent_version": 1,
        "consent_sha256": study.consent_texts[1].text_hash,
        "seed": options.seed,
    }
    scenes = counted(document["scenes"], "scene")
    _say(options, document, f"a study of {counted(count, 'episode')} in {scenes}")
    return 0


def _new_study(options: Namespace, store: ProjectStore, project: Project) -> Study:
    if project.study.rules is not None:
        raise EditError("the project has one already")
    rules = StudyRules(
        name=options.name or project.name,
        seed=options.seed,
        episodes_per_participant=options.count,
        overlap=options.overlap,
        break_after_episodes=options.break_episodes or None,
        break_after_min=options.break_minutes or None,
        agent_key=known_agent(options.agent, project),
    )
    wish = StudyWish(
        with_rules(rules, options),
        options.episodes,
        read_file_text(options.consent),
        options.format,
        options.split,
        frozenset(normal_id(own) for own in options.training),
        own_scene=store.root / project.scene_path if project.scene_path else None,
        connectivity=options.connectivity,
        navmeshes=options.navmesh,
        scenes_place=options.scenes,
    )
    made = exhaust(make_study(wish, store.root, _now()))
    if options.navmesh is not None:
        check_navmeshes(options.navmesh, {key.scene_id for key in made.study.episodes})
    for text in made.notes:
        note(text)
    return made.study


def _join(options: Namespace) -> int:
    if options.number < 1 or (options.code is not None and options.number != 1):
        raise InputError("--number: must be at least 1, and 1 with --code")
    if options.number > _MOST_AT_ONCE:
        raise InputError(f"--number: {options.number} is above {_MOST_AT_ONCE}")
    with _opened_study(options) as (store, project, before):
        after, codes = before, []
        for _ in range(options.number):
            own = options.code
            codes.append(new_code(after.participants, secrets.choice) if own is None else own)
            after = add_participant(after, codes[-1], _now())
            text = consent_in_force(after)
            if options.consented and text is not None:
                after = give_consent(after, codes[-1], text.version, _now())
        store.save(project, replace(project, study=after), author_of(options), "Add participant")
    _say(options, {"codes": codes, "participants": len(after.participants)}, *codes)
    return 0


def _consent(options: Namespace) -> int:
    if bool(options.text) == bool(options.participant) or (options.text and options.withdraw):
        raise InputError("consent: give either --participant, also with --withdraw, or --text")
    with _opened_study(options) as (store, project, study):
        if options.text is not None:
            after = publish_consent(study, read_file_text(options.text), _now())
        elif options.withdraw:
            after = withdraw_consent(study, options.participant, _now())
        else:
            version = max(study.consent_texts, default=0)
            after = give_consent(study, options.participant, version, _now())
        store.save(project, replace(project, study=after), author_of(options), "Record consent")
    text = consent_in_force(after)
    document = {
        "consent_version": (version := 0 if text is None else text.version),
        "consent_sha256": None if text is None else text.text_hash,
        "participant": options.participant,
        "withdrawn": bool(options.withdraw),
    }
    done = f"{options.participant} has {'withdrawn' if options.withdraw else 'agreed'}; "
    in_force = f"version {version} of the consent text is in force"
    _say(options, document, (done if options.participant else "") + in_force)
    return 0


def _assign(options: Namespace) -> int:
    with _opened_study(options) as (store, project, study):
        episodes = exhaust(read_study_episodes(study, store.root))
        known = know_paths(study, unknown_paths(study, episodes))
        after, report = assign(known, options.participant)
        store.save(project, replace(project, study=after), author_of(options), "Assign episodes")
    document = assignment_document(report)
    for short in report.shortfalls:
        note(shortfall_words(short, report.paths))
    load = f"{report.least_load} to {counted(report.greatest_load, 'person', 'people')}"
    _say(options, document, f"{counted(report.added, 'new assignment')}; {load} per episode")
    return 1 if report.shortfalls else 0


def _progress(options: Namespace) -> int:
    with _opened_study(options) as (_, _, study):
        document = progress_document(study)
    lines = [
        f"{one['code']}  {one['settled']}/{one['expected']} settled"
        + (f", {one['excluded']} excluded" if one["excluded"] else "")
        + f", {one['active_s'] / 60:.0f} min active, consent {one['consent']}"
        + (f", next {one['next']['episode_id']}" if one["next"] else "")
        for one in document["participants"]
    ]
    _say(options, document, *lines)
    return 0


def _requeue(options: Namespace) -> int:
    with _opened_study(options) as (store, project, study):
        key = _assigned_key(study, options)
        after = requeue_episode(study, key, options.reason, author_of(options), _now())
        store.save(project, replace(project, study=after), author_of(options), "Queue again")
    document = {
        "dataset": key.dataset,
        "scene_id": key.scene_id,
        "episode_id": key.episode_id,
        "participant": key.participant,
        "state": after.assignments[key].state.value,
        "reason": after.assignments[key].reason,
    }
    _say(options, document, f"{key.participant} drives {key.episode_id} once more")
    return 0


def _assigned_key(study: Study, options: Namespace) -> AssignmentKey:
    wanted = normal_id(options.episode)
    found = [
        key
        for key in study.assignments
        if key.participant == options.participant
        and key.episode_id == wanted
        and options.scene in {None, key.scene_id}
    ]
    if not found:
        raise EditError(f"episode {wanted} is not assigned to {options.participant}")
    if len(found) > 1:
        scenes = few_of([key.scene_id for key in found])
        raise EditError(f"episode {wanted} is in several scenes ({scenes}); choose with --scene")
    return found[0]


def _adopt(options: Namespace) -> int:
    with _opened_study(options) as (store, project, study):
        episodes = exhaust(read_study_episodes(study, store.root, options.connectivity))
        folder = options.folder or store.root
        takes, problems = find_new_takes(
            study, store.root, folder, episodes.find, episodes.scenery_of
        )
        scored = put_scores(study, exhaust(score_anew(study, store.root, episodes)))
        after = adopt_takes(scored, takes, _now())
        store.save(project, replace(project, study=after), author_of(options), "Adopt takes")
    for text in (*episodes.notes, *problems):
        note(text)
    document = {
        "added": [{"file": take.path, "complete": take.summary.is_complete} for take in takes],
        "problems": list(problems),
    }
    _say(options, document, f"{counted(len(takes), 'recording')} taken in")
    return 1 if problems else 0


def _rules(options: Namespace) -> int:
    with _opened_study(options) as (store, project, study):
        before = study.rules or StudyRules("", 0)
        rules = with_rules(before, options)
        if rules != before:
            after = replace(project, study=change_rules(study, rules))
            store.save(project, after, author_of(options), "Change the rules of the study")
    _say(options, rules_document(rules), *rules_lines(rules))
    return 0


def _report(options: Namespace) -> int:
    # Charts and plans of a report take half a second to import.
    from waypost.report.page import metric_rows, write_report  # noqa: PLC0415

    with _opened_study(options) as (store, _, study):
        episodes = exhaust(read_study_episodes(study, store.root))
        replayed = exhaust_shown(replay_takes(study, store.root, episodes, "Human takes"))
    page = write_report(options.out, replayed)
    for text in replayed.warnings:
        note(text)
    document = {
        "report": str(page),
        "coverage": dict(replayed.coverage),
        "profile": replayed.profile.key,
        "metrics": {row.key: aggregate_object(row.result) for row in metric_rows(replayed)},
        "warnings": list(replayed.warnings),
    }
    _say(options, document, str(page), f"{counted(len(replayed.attempts), 'take')} of people")
    return 0


def _export(options: Namespace) -> int:
    with _opened_study(options) as (store, _, study):
        graphs = study.rules.connectivity_path if study.rules else ""
        wish = _export_wish(options, stated_path(store.root, graphs) if graphs else None)
        if wish.has_frames:
            samples = [store.root / take.path for take in counted_takes(study)[0]]
            note(f"to be copied: {exhaust_shown(measure_frames(samples)).words}")
        document = exhaust_shown(export_study(options.out, wish, study, store.root, options.seed))
    for text in document["notes"]:
        note(text)
    if frames := frames_line(document["camera_frames"]):
        note(frames)
    if left_out := left_out_line(counted_takes(study)[1]):
        note(left_out)
    _say(options, document, f"{counted(document['takes']['copied'], 'take')} in {options.out}")
    return 1 if document["notes"] else 0


def _add_requeue_arguments(parser: ArgumentParser) -> None:
    """Declare which episode of whom is driven once more."""
    parser.add_argument("--participant", required=True, metavar="CODE", help="who drives it")
    parser.add_argument("--episode", required=True, metavar="ID", help="done, or abandoned")
    parser.add_argument("--scene", metavar="ID", help="where several have the episode id")
    parser.add_argument("--reason", required=True, help="why; it is kept")


def _add_out(parser: ArgumentParser, what: str) -> None:
    parser.add_argument("--out", type=folder_to_write, required=True, metavar="DIR", help=what)


def _add_export_arguments(parser: ArgumentParser) -> None:
    """Declare the options of the export."""
    _add_out(parser, "for the files")
    parser.add_argument(
        "--submission", action="append", default=[], choices=list(KINDS), help="may be repeated"
    )
    parser.add_argument(
        "--connectivity",
        type=folder_to_read,
        metavar="DIR",
        help="graphs, for R2R-style submissions (default: those of the study)",
    )
    parser.add_argument(
        "--parquet", action="store_true", help="every take as Parquet beside its CSV as well"
    )
    parser.add_argument(
        "--frames", action="store_true", help="the camera frames that were kept with takes as well"
    )
    parser.add_argument("--seed", type=seed, default=0, help="of the bootstrap (default: 0)")


def _export_wish(options: Namespace, own_graphs: Path | None) -> ExportWish:
    """What was asked for; graphs are the study's own where no others are named."""
    return ExportWish(
        tuple(options.submission),
        options.connectivity or own_graphs,
        options.parquet,
        options.frames,
    )
