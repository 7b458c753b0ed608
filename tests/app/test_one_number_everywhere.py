"""One number of each run and take everywhere: a model's three runs, and 12 × 50 simulated people.

No path comes twice. Six scenes are rows of nine viewpoints, 2 m apart. People walk straight along
them and stop at a viewpoint, so that R2R's error is 2 m for every viewpoint between the end and
the goal.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fixtures.recorded_takes import write_walk
from fixtures.replay_files import write_run
from fixtures.study_examples import LATER, NOON

import waypost
from waypost.app.main import main
from waypost.app.record.review.take_scores import score_lines, take_report
from waypost.app.replay.cards.metrics_card import metric_rows as card_rows
from waypost.app.replay.table.episode_model import EpisodeTableModel, format_value
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.domain.record.assignment import AssignmentReport, assign
from waypost.domain.record.study import Study, StudyRules, Take, TakeKey, assignments_of
from waypost.domain.record.study_edits import (
    abandon_episode,
    add_participant,
    begin_episode,
    exclude_take,
    finish_episode,
    give_consent,
    withdraw_consent,
)
from waypost.domain.record.study_progress import counted_takes
from waypost.domain.replay.run_rows import RunRows
from waypost.metrics.registry import PROFILES
from waypost.metrics.value_text import value_text
from waypost.notebook import values as notebook
from waypost.report.page import metric_rows, write_report
from waypost.report.words import run_blocks
from waypost.services.replay.run_index import index_run
from waypost.services.study.episodes import StudyEpisodes, read_study_episodes
from waypost.services.study.export import export_study
from waypost.services.study.making import StudyWish, make_study
from waypost.services.study.submissions import ExportWish
from waypost.services.study.take_index import TakeIndex, index_takes
from waypost.services.study.take_run import replay_takes
from waypost.services.study.take_scoring import told_of
from waypost.services.study.takes import take_of_file
from waypost.tables.episode_table import write_episode_table

pytestmark = pytest.mark.heavy

PEOPLE, EACH, SCENES, SPOTS, GAP_M = 12, 50, 6, 9, 2.0
NAMES = [f"v{spot}" for spot in range(SPOTS)]
SHOWN = ("TL", "NE", "SR", "OSR", "SPL", "nDTW")


def write_graph(folder: Path, scan: str) -> None:
    entries = [
        {
            "image_id": name,
            "pose": [1, 0, 0, GAP_M * spot, 0, 1, 0, 0, 0, 0, 1, 1.5, 0, 0, 0, 1],
            "included": True,
            "visible": [abs(spot - other) == 1 for other in range(SPOTS)],
            "unobstructed": [abs(spot - other) == 1 for other in range(SPOTS)],
            "height": 1.5,
        }
        for spot, name in enumerate(NAMES)
    ]
    folder.mkdir(exist_ok=True)
    (folder / f"{scan}_connectivity.json").write_text(json.dumps(entries))


def write_episodes(folder: Path) -> Path:
    """Every way of two to four moves with two instructions, and each way back with one."""
    records = []
    for scan in (f"scan{scene}" for scene in range(SCENES)):
        write_graph(folder / "connectivity", scan)
        for first, last in combinations(range(SPOTS), 2):
            if not 2 <= last - first <= 4:
                continue
            way = NAMES[first : last + 1]
            for path, instructions in ((way, ["Go.", "Walk."]), (way[::-1], ["Back."])):
                records.append(
                    {
                        "distance": GAP_M * (last - first),
                        "scan": scan,
                        "path_id": len(records),
                        "path": path,
                        "heading": 0.0,
                        "instructions": instructions,
                    }
                )
    file = folder / "R2R_val_unseen.json"
    file.write_text(json.dumps(records))
    return file


@dataclass
class Everything:
    """The study with what everybody drove."""

    study: Study
    root: Path
    episodes: StudyEpisodes
    report: AssignmentReport
    ends: dict[TakeKey, int]
    """Where somebody stopped: spot of the row."""


def drive(every: Everything, code: str, chance: random.Random) -> None:
    """Drive all that one participant has; every twentieth episode is given up."""
    for assignment in assignments_of(every.study, code):
        key = assignment.key
        episode = every.episodes.find(key.episode)
        assert episode is not None
        start = NAMES.index(episode.reference.viewpoint_ids[0])
        end = chance.choice([spot for spot in range(SPOTS) if spot != start])
        file = every.root / "takes" / f"{code}_{key.scene_id}_{key.episode_id}.csv"
        corners = [(GAP_M * start, 0.0), (GAP_M * end, 0.0)]
        names = {"dataset": key.dataset, "scene_id": key.scene_id, "episode_id": key.episode_id}
        write_walk(file, corners, step_m=0.5, participant=code, **names)
        study = begin_episode(every.study, key, NOON)
        of = every.episodes
        take = take_of_file(study, every.root, file, of.find, of.scenery_of)
        every.ends[take.key] = end
        if chance.random() < 0.05:
            every.study = abandon_episode(study, key, "I am lost", LATER, take)
        else:
            every.study = finish_episode(study, take, LATER)


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    root = tmp_path_factory.mktemp("study")
    rules = StudyRules("12 × 50", 7, episodes_per_participant=EACH)
    wish = StudyWish(
        rules,
        write_episodes(root),
        "I agree.",
        is_first_training=True,
        connectivity=root / "connectivity",
    )
    study = exhaust(make_study(wish, root, NOON)).study
    for number in range(PEOPLE):
        study = add_participant(study, f"P-{number:02}", NOON)
        study = give_consent(study, f"P-{number:02}", 1, NOON)
    study, report = assign(study)
    found = Everything(study, root, exhaust(read_study_episodes(study, root)), report, {})
    for code in study.participants:
        drive(found, code, random.Random(code))
    kept_out = next(key for key in found.study.takes if key.participant == "P-01")
    study = exclude_take(withdraw_consent(found.study, "P-00", LATER), kept_out, "asleep")
    return replace(found, study=study)


@pytest.fixture(scope="module")
def takes(every: Everything) -> tuple[Take, ...]:
    return counted_takes(every.study)[0]


@pytest.fixture(scope="module")
def index(every: Everything) -> TakeIndex:
    return exhaust(index_takes(every.study, every.root, every.episodes, "Human takes"))


def test_no_person_meets_a_path_twice_and_everybody_has_fifty(every: Everything) -> None:
    for code in every.study.participants:
        own = assignments_of(every.study, code)
        assert sum(not assignment.is_training for assignment in own) == EACH
        ways = []
        for assignment in own:
            episode = every.episodes.find(assignment.key.episode)
            assert episode is not None
            way = episode.reference.viewpoint_ids
            ways.append((episode.scene_id, min(way, way[::-1])))
        assert len(set(ways)) == EACH + 1
    assert not [short for short in every.report.shortfalls if short.assigned < EACH]


def test_what_does_not_count_is_nowhere(every: Everything, takes: tuple[Take, ...]) -> None:
    # Of P-00 nothing, of the others the fifty, of P-01 without practice, which was excluded.
    assert Counter(take.key.participant for take in takes) == {
        f"P-{number:02}": EACH for number in range(1, PEOPLE)
    }
    assert len(every.study.takes) == PEOPLE * (EACH + 1)


def test_the_error_is_what_the_hand_finds(every: Everything, takes: tuple[Take, ...]) -> None:
    for take in takes:
        episode = every.episodes.find(take.key.assignment.episode)
        assert episode is not None
        goal = NAMES.index(episode.reference.viewpoint_ids[-1])
        error_m = GAP_M * abs(every.ends[take.key] - goal)
        assert take.profile == "r2r"
        assert take.scores["r2r.NE"] == pytest.approx(error_m)
        assert take.scores["r2r.SR"] == float(error_m < 3.0)


def test_the_card_and_the_review_say_it(takes: tuple[Take, ...]) -> None:
    for take in takes:
        lines = {line.name: line.value for line in score_lines(take)}
        assert take_report(take).scores == score_lines(take)
        said = {name.split()[0]: value for name, value in lines.items() if "(r2r)" in name}
        assert said.keys() == {name.removeprefix("r2r.") for name in take.scores}
        for name, told in said.items():
            value = take.scores[f"r2r.{name}"]
            assert value is not None
            is_length = name in {"TL", "NE"}
            assert told == (f"{value:.2f}\N{NO-BREAK SPACE}m" if is_length else f"{value:.3f}")
        counted = replace(take, profile="reverie", scores={"reverie.steps": 12.0})
        assert "12" in {line.value for line in score_lines(counted) if "steps" in line.name}
        told = told_of(take)
        assert f"{take.scores['r2r.NE']:.1f} m" in told
        assert bool(re.search("reached the goal", told)) is (take.scores["r2r.SR"] == 1.0)


def test_replay_says_it(takes: tuple[Take, ...], index: TakeIndex) -> None:
    names = [column.key for column in index.rows.columns]
    rows = {(r.participant, r.scene_id, r.episode_id, r.take): r for r in index.rows.rows}
    assert len(rows) == len(index.rows.rows) == len(takes)
    assert index.rows.profile_key == "r2r"
    for take in takes:
        key = take.key
        row = rows[key.participant, key.scene_id, key.episode_id, key.number]
        assert dict(zip(names, row.values, strict=True)) == {
            name: take.scores[f"r2r.{name}"] for name in names
        }
        assert row.is_success == (take.scores["r2r.SR"] == 1.0)
    (line,) = index.warnings
    assert line == f"{EACH + PEOPLE} takes left out: {EACH + 1} consent was withdrawn, 11 training"


def cells(page: str) -> Iterator[tuple[str, list[str]]]:
    for row in re.finditer(r'<tr data-id="([^"]*)".*?</tr>', page, re.DOTALL):
        yield row[1], re.findall(r"<td[^>]*>(.*?)</td>", row[0], re.DOTALL)


def test_the_report_says_it(every: Everything, takes: tuple[Take, ...], tmp_path: Path) -> None:
    run = exhaust(replay_takes(every.study, every.root, every.episodes, "Human takes"))
    page = write_report(tmp_path, run, most_in_full=3).read_text(encoding="utf-8")
    found = dict(cells(page))
    assert len(found) == len(takes)
    metrics = [metric.key for metric in run.profile.metrics]
    for take in takes:
        own = found[f"{take.key.episode_id} · {take.key.participant}, take {take.key.number}"]
        shown = own[5 : 5 + len(metrics)]
        values = [take.scores[f"r2r.{name}"] for name in metrics]
        assert shown == ["—" if value is None else f"{value:.3f}" for value in values]
    assert (run.coverage["expected"], run.coverage["found"]) == (len(takes), len(takes))
    rate = next(row for row in metric_rows(run) if row.key == "SR").result.value
    mean = sum(take.scores["r2r.SR"] or 0.0 for take in takes) / len(takes)
    assert rate == pytest.approx(mean)


def test_the_export_says_it(every: Everything, takes: tuple[Take, ...], tmp_path: Path) -> None:
    document = exhaust(export_study(tmp_path / "out", ExportWish(), every.study, every.root))
    text = (tmp_path / "out" / "scores.csv").read_text(encoding="utf-8-sig")
    rows = {
        (row["participant"], row["scene_id"], row["episode_id"], int(row["take"])): row
        for row in csv.DictReader(text.splitlines())
    }
    assert len(rows) == len(takes)
    for take in takes:
        key = take.key
        row = rows[key.participant, key.scene_id, key.episode_id, key.number]
        assert row["profile"] == "r2r"
        for name, value in take.scores.items():
            assert (float(row[name]) if row[name] else None) == value
    assert document["takes"]["left_out"] == {"consent was withdrawn": EACH + 1, "training": 11}
    others = {name.partition(".")[0] for name in next(iter(rows.values())) if "." in name}
    assert others == {"r2r"}


def test_the_table_its_file_and_a_notebook_say_it(
    every: Everything, takes: tuple[Take, ...], index: TakeIndex, tmp_path: Path
) -> None:
    shown, written = window_cells(index.rows), file_cells(index.rows, tmp_path / "takes.csv")
    frame = notebook.Study(every.study, notebook.Source("study", "waypost")).to_frame()
    assert len(shown) == len(written) == len(takes)
    told = frame.set_index(["participant", "scene_id", "episode_id", "take"])
    for row in index.rows.rows:
        take = every.study.takes[
            TakeKey("r2r", row.scene_id, row.episode_id, row.participant, row.take or 0)
        ]
        own = told.loc[(row.participant, row.scene_id, row.episode_id, row.take)]
        for name in SHOWN:
            value = take.scores[f"r2r.{name}"]
            unit = "_m" if name in {"TL", "NE"} else ""
            assert value == own[f"r2r.{name}{unit}"] == float(written[row.key][name])
            assert shown[row.key][name] == f"{value:.2f}"
        assert shown[row.key]["✓"] == ("✓" if take.scores["r2r.SR"] else "✕")


def test_a_run_of_a_model_has_one_number_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A, B, … lie 2 m apart: there and back and on, beyond the goal, and up beside the way."""
    files = write_run(tmp_path, {"7_0": "ABABC", "7_1": "ABCDE", "7_2": "ABU"})
    given = [*files.options()[1:], "--profile", "duet"]
    scores = tmp_path / "scores.parquet"
    asked = ["--results", str(files.results), "--json", "--per-episode", str(scores)]
    assert main(["evaluate", *given, *asked]) == 0
    document = json.loads(capsys.readouterr().out)
    assert main(["report", str(files.results), *given, "--out", str(tmp_path / "report")]) == 0
    page = dict(cells((tmp_path / "report" / "report.html").read_text(encoding="utf-8")))
    source = RunSource(
        (files.results,), (files.annotations,), files.connectivity, profile_key="duet"
    )
    index = exhaust(index_run(source, tmp_path / "cache"))
    shown, written = window_cells(index.rows), file_cells(index.rows, tmp_path / "run.csv")
    runs, episodes = waypost.read_runs(files.results), waypost.read_episodes(files.annotations)
    frame = waypost.score(runs, episodes, "duet", connectivity=files.connectivity).to_frame()
    by_hand = {"7_0": (4, 1.0, 0.5, 0.0), "7_1": (4, 0.0, 0.0, 4.0)}
    for number, told in enumerate(pq.read_table(scores).to_pylist()):
        key = (told["episode_id"], 1)
        found = [told[name] for name in ("steps", "SR", "SPL", "NE")]
        assert found == list(by_hand.get(key[0], found))
        card = card_rows(index.replayed(*key).scores)
        row = index.rows.find(*key)
        assert row is not None
        if key[0] in by_hand:
            assert row.step_count == told["steps"]
            assert run_blocks(index.replayed(*key))[0].text == f"{row.step_count} steps"
        for place, metric in enumerate(PROFILES["duet"].metrics):
            value = told[metric.key]
            column = f"{metric.key}_m" if metric.unit == "m" else metric.key
            assert value == frame[column][number] == row.values[place]
            assert value == float(written[key][metric.key])
            assert shown[key][metric.key] == format_value(value, metric.unit)
            assert card[place].title == f"{metric.key}  {value_text(value, metric.unit)}"
            assert page[key[0]][5 + place] == f"{value:.3f}"
        sign = "✓" if told["SR"] else "✕"
        assert (shown[key]["✓"], page[key[0]][2]) == (sign, sign)
        assert written[key]["success"] == str(bool(told["SR"])).lower()
        assert row.is_success is index.replayed(*key).is_success is bool(told["SR"])
    for name, mean in document["metrics"].items():
        values = [dict(zip(columns(index.rows), row.values, strict=True))[name]
                  for row in index.rows.rows]  # fmt: skip
        assert mean["value"] == pytest.approx(sum(values) / 3, rel=1e-12)


def columns(rows: RunRows) -> list[str]:
    return [column.key for column in rows.columns]


def window_cells(rows: RunRows) -> dict[tuple[str, int], dict[str, str]]:
    """What the table of the window shows, by episode and attempt, then by column."""
    model = EpisodeTableModel()
    model.set_runs((rows,))
    titles = [column.metric or column.title for column in model.columns]
    return {
        shown.key: {title: model.index(at, place).data() for place, title in enumerate(titles)}
        for at in range(model.rowCount())
        if (shown := model.row_at(at))
    }


def file_cells(rows: RunRows, path: Path) -> dict[tuple[str, int], dict[str, str]]:
    """The lines of the table that is written, by episode and attempt."""
    write_episode_table(path, rows)
    lines = csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines())
    return {(line["episode_id"], int(line["attempt"])): line for line in lines}
