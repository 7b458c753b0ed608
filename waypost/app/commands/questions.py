"""``waypost questions``: the questions of a project, what they need, and who can do them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    asset_options,
)
from waypost.app.commands.arguments.path_types import file_to_read, file_to_write, folder_to_write
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    add_project_argument,
    author_of,
    judged_scene_hash,
    opened_project,
)
from waypost.app.terminal.messages import note
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.project import Project
from waypost.domain.traverse.judged_graph import JudgedGraph, current_labels
from waypost.domain.traverse.places import places_of, with_place
from waypost.domain.traverse.question_routes import needed_by_questions, question_routes
from waypost.domain.traverse.questions import (
    FEASIBLE_WORDS,
    QuestionRoute,
    feasibility,
    feasibility_shares,
)
from waypost.domain.traverse.task import Task, asked_again, asked_again_words
from waypost.domain.traverse.traversability import passages
from waypost.io.datasets.capnav_prompts import write_prompts
from waypost.io.datasets.capnav_tasks import read_capnav_tasks, write_capnav_tasks
from waypost.services.judging import circumstances
from waypost.services.question_import import with_questions


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_import(actions)
    shown = actions.add_parser("list", help="what each question means and needs, and who can do it")
    add_project_argument(shown)
    add_author_argument(shown)
    add_asset_options(shown)
    shown.add_argument("--json", action="store_true", help="print one JSON document")
    mark = actions.add_parser("mark", help="say which node a place means, or leave a question out")
    add_project_argument(mark)
    mark.add_argument("number", type=int, metavar="N", help="number of the question, from 1")
    mark.add_argument(
        "--place",
        action="append",
        default=[],
        metavar="PLACE=NODE",
        help="node id that a place of it means; may be given several times",
    )
    state = mark.add_mutually_exclusive_group()
    state.add_argument(
        "--hallucinated",
        action="store_true",
        help="it asks about something that is not there: it stays and counts nowhere",
    )
    state.add_argument("--restore", action="store_true", help="it counts again")
    add_author_argument(mark)
    mark.add_argument("--json", action="store_true", help="print one JSON document")
    _add_exports(actions)


def _add_import(actions: _SubParsersAction[ArgumentParser]) -> None:
    load = actions.add_parser("import", help="put a CapNav question file into a project")
    load.add_argument("file", type=file_to_read, metavar="FILE", help="<scene>_QA.json")
    add_project_argument(load)
    how = load.add_mutually_exclusive_group()
    how.add_argument("--replace", action="store_true", help="in place of the project's questions")
    how.add_argument("--add", action="store_true", help="behind the project's questions")
    add_author_argument(load)
    load.add_argument("--json", action="store_true", help="print one JSON document")


def _add_exports(actions: _SubParsersAction[ArgumentParser]) -> None:
    save = actions.add_parser("export", help="write the questions as a CapNav question file")
    add_project_argument(save)
    save.add_argument("--out", type=file_to_write, required=True, metavar="FILE", help="*.json")
    save.add_argument(
        "--without-hallucinated", action="store_true", help="leave those out that count nowhere"
    )
    save.add_argument("--json", action="store_true", help="print one JSON document")
    prompts = actions.add_parser(
        "prompts",
        help="write node list and prompts for language models, one per question and agent",
    )
    add_project_argument(prompts)
    prompts.add_argument(
        "--out",
        type=folder_to_write,
        required=True,
        metavar="DIR",
        help="for a folder of the scene",
    )
    prompts.add_argument(
        "--agents", nargs="+", metavar="KEY", help="of these agents alone (default: all)"
    )
    prompts.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Run the chosen action.

    Returns:
        0 done, 1 some place of a question that counts means no node.
    """
    actions = {
        "import": _import,
        "list": _list,
        "mark": _mark,
        "export": _export,
        "prompts": _prompts,
    }
    return actions[options.action](options)


def _import(options: Namespace) -> int:
    with opened_project(options.project, author_of(options)) as (store, before):
        if before.tasks and not (options.replace or options.add):
            raise InputError(
                f"{options.project}: questions: it has {len(before.tasks)} already;"
                " --add puts the file's behind them, --replace in their place"
            )
        found = read_capnav_tasks(options.file, before.graph.extra)
        after = with_questions(before, found, is_added=options.add)
        store.save(before, after, author_of(options), f"Import {options.file.name}")
    for warning in found.warnings:
        note(warning)
    again = asked_again(before.tasks, found.tasks) if options.add else 0
    if again:
        note(asked_again_words(again))
    problems = _note_problems(after)
    if options.json:
        write_json(
            {
                "file": str(options.file),
                "read": len(found.tasks),
                "questions": len(after.tasks),
                "asked_again": again,
                "problems": problems,
                "warnings": list(found.warnings),
            }
        )
    else:
        write_line(f"imported {counted(len(found.tasks), 'question')}")
    return 1 if problems else 0


def _note_problems(project: Project) -> list[dict[str, Any]]:
    """Places that mean no node, told and returned."""
    problems = []
    for number, task in enumerate(project.tasks, start=1):
        if task.is_hallucinated:
            continue
        for match in places_of(task, project.graph):
            if match.problem:
                note(f"question {number}: {match.problem}{_which(match.candidates)}")
                problems.append(
                    {
                        "question": number,
                        "place": match.place,
                        "problem": match.problem,
                        "candidates": list(match.candidates),
                    }
                )
    return problems


def _which(candidates: tuple[str, ...]) -> str:
    return f" ({', '.join(candidates)}; see waypost questions mark --place)" if candidates else ""


def _list(options: Namespace) -> int:
    with opened_project(options.project, author_of(options)) as (store, project):
        now = circumstances(project, judged_scene_hash(store, project, **asset_options(options)))
    labels = current_labels(project.labels, now)
    judged = JudgedGraph(project.graph, labels)
    routes = question_routes(project.tasks, project.graph)
    needed = needed_by_questions(project.tasks, routes)
    rows = [
        _row(number, task, route, judged, tuple(project.agents))
        for number, (task, route) in enumerate(zip(project.tasks, routes, strict=True), start=1)
    ]
    shares = feasibility_shares(project.tasks, judged, project.agents)
    document = {
        "questions": rows,
        "needed_passages": len(needed),
        "passages": len(passages(project.graph, "")),
        "agents": {
            key: {
                "feasible": share.feasible,
                "infeasible": share.infeasible,
                "undecided": share.undecided,
                "share": share.share,
            }
            for key, share in shares.items()
        },
    }
    if options.json:
        write_json(document)
    else:
        _write_list(document)
    asked = [row for row in rows if not row["is_hallucinated"]]
    return 1 if any(row["problem"] for row in asked) else 0


def _row(
    number: int, task: Task, route: QuestionRoute, judged: JudgedGraph, agents: tuple[str, ...]
) -> dict[str, Any]:
    return {
        "number": number,
        "question": task.question,
        "places": [
            {"place": match.place, "node": match.node_id or None, "fits": list(match.candidates)}
            for match in route.matches
        ],
        "is_hallucinated": task.is_hallucinated,
        "problem": route.problem or None,
        "needed_passages": len(route.moves),
        "feasible": {key: feasibility(task, judged, key) for key in agents},
    }


def _write_list(document: dict[str, Any]) -> None:
    for row in document["questions"]:
        left_out = " (hallucinated)" if row["is_hallucinated"] else ""
        write_line(f"{row['number']}. {row['question']}{left_out}")
        places = " → ".join(f"{p['place']} ({p['node'] or '?'})" for p in row["places"])
        write_line(f"   {places}, {counted(row['needed_passages'], 'passage')}")
        if row["problem"]:
            write_line(f"   {row['problem']}")
        told = (f"{key} {FEASIBLE_WORDS[found]}" for key, found in row["feasible"].items())
        write_line(f"   {', '.join(told)}")
    for key, share in document["agents"].items():
        shown = "—" if share["share"] is None else f"{share['share']:.0%}"
        write_line(
            f"{key}: {shown} feasible ({share['feasible']} of"
            f" {share['feasible'] + share['infeasible']} decided, {share['undecided']} open)"
        )
    write_line(
        f"the questions need {document['needed_passages']} of {document['passages']} passages"
        " per agent"
    )


def _mark(options: Namespace) -> int:
    with opened_project(options.project, author_of(options)) as (store, before):
        task = _task_of(options, before)
        for given in options.place:
            task = _with_place(task, given, before)
        if options.hallucinated or options.restore:
            task = replace(task, is_hallucinated=options.hallucinated)
        index = options.number - 1
        tasks = (*before.tasks[:index], task, *before.tasks[index + 1 :])
        after = replace(before, tasks=tasks)
        store.save(before, after, author_of(options), f"Mark question {options.number}")
    matches = places_of(task, after.graph)
    if options.json:
        write_json(
            {
                "number": options.number,
                "is_hallucinated": task.is_hallucinated,
                "places": [{"place": m.place, "node": m.node_id or None} for m in matches],
            }
        )
    else:
        places = " → ".join(f"{match.place} ({match.node_id or '?'})" for match in matches)
        write_line(f"{options.number}. {places}{' (hallucinated)' * task.is_hallucinated}")
    return 0


def _task_of(options: Namespace, project: Project) -> Task:
    if not 1 <= options.number <= len(project.tasks):
        raise InputError(
            f"{options.project}: question {options.number}: there are"
            f" {counted(len(project.tasks), 'question')}"
        )
    index: int = options.number - 1
    return project.tasks[index]


def _with_place(task: Task, given: str, project: Project) -> Task:
    place, separator, node_id = given.rpartition("=")
    if not separator or node_id not in project.graph.nodes:
        raise InputError(f"--place {given}: must be PLACE=NODE with a node of the graph")
    found = [index for index, name in enumerate(task.places) if name == place]
    if not found:
        raise InputError(f"--place {given}: the question has {', '.join(task.places)}")
    for index in found:
        task = with_place(task, index, node_id)
    return task


def _export(options: Namespace) -> int:
    with opened_project(options.project, author_of(options)) as (_, project):
        tasks = project.tasks
    if options.without_hallucinated:
        tasks = tuple(task for task in tasks if not task.is_hallucinated)
    write_capnav_tasks(options.out, tasks, project.graph.extra, project.graph)
    if options.json:
        write_json({"out": str(options.out), "questions": len(tasks)})
    else:
        write_line(f"wrote {counted(len(tasks), 'question')} to {options.out}")
    return 0


def _prompts(options: Namespace) -> int:
    with opened_project(options.project, author_of(options)) as (_, project):
        graph, tasks = project.graph, project.tasks
    keys = options.agents or list(project.agents)
    unknown = [key for key in keys if key not in project.agents]
    if unknown:
        raise InputError(f"--agents: the project has no agent {', '.join(unknown)}")
    scene = PurePosixPath(project.scene_path).stem or project.name
    agents = tuple(project.agents[key] for key in keys)
    written = write_prompts(options.out, scene, tasks, agents, graph)
    if options.json:
        write_json(
            {
                "out": str(options.out),
                "nodes": str(written.nodes),
                "prompts": written.count,
                "older_prompts": list(written.older),
            }
        )
    else:
        write_line(written.sentence)
    return 0
