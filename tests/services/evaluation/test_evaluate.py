"""Whole evaluations: coverage, buckets, processes, Dask, Parquet."""

import dataclasses
import json
import random

import pyarrow.parquet as pq
import pytest
from worlds.vln_worlds import write_line_scan

from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.services.evaluation import buckets
from waypost.services.evaluation import evaluate as module
from waypost.services.evaluation.evaluate import EvaluationOptions, evaluate, run_names
from waypost.services.evaluation.executors import Executor

pytestmark = pytest.mark.heavy

HOW = {field.name for field in dataclasses.fields(EvaluationOptions)}


def exhaust(request):
    steps = evaluate(*request)
    messages = []
    while True:
        try:
            messages.append(next(steps))
        except StopIteration as end:
            return end.value, messages


def write(path, value):
    path.write_text(json.dumps(value))
    return path


def annotation(path_id, path="ABC", instructions=1):
    return {
        "distance": 2.0 * (len(path) - 1),
        "scan": "line",
        "path_id": path_id,
        "path": list(path),
        "heading": 0.0,
        "instructions": ["go"] * instructions,
    }


def result(instr_id, path):
    return {"instr_id": instr_id, "trajectory": [[name, 0.0, 0.0] for name in path]}


@pytest.fixture
def line(tmp_path):
    return write_line_scan(tmp_path / "connectivity", 2, 2, 2)


def request_of(tmp_path, line, annotations, *results, **options):
    paths = [write(tmp_path / f"run{n}.json", found) for n, found in enumerate(results)]
    given = {
        "profile_key": "r2r",
        "annotations": (write(tmp_path / "R2R_val.json", annotations),),
        "results": tuple(paths),
        "connectivity": line,
    }
    how = {name: options.pop(name) for name in HOW & options.keys()}
    return RunSource(**{**given, **options}), EvaluationOptions(**how)


def test_coverage_counts_each_kind_apart(tmp_path, line):
    """Three runs of one id (two the same), two missing, one foreign, one ambiguous, one jump."""
    annotations = [annotation(n) for n in (1, 2, 3, 4, 7)]
    results = [
        result("1_0", "ABC"),
        result("1_0", "ABC"),
        result("1_0", "AB"),
        result("2_0", "AC"),
        result("99_0", "ABC"),
        result("007_0", "ABC"),
        result("7_0", "A"),
        {"instr_id": "3_0"},
    ]
    found, _ = exhaust(request_of(tmp_path, line, annotations, results))
    (run,) = found.runs
    assert run.coverage == {
        "expected": 5,
        "found": 3,
        "missing": 2,
        "duplicated_identical": 1,
        "duplicated_conflicting": 1,
        "foreign": 2,
        "invalid": 2,
    }
    kinds = {(finding.kind, finding.item_id) for finding in run.findings}
    assert (ImportKind.MISSING, "4_0") in kinds
    assert (ImportKind.AMBIGUOUS_ID, "007_0") in kinds
    assert (ImportKind.FOREIGN, "99_0") in kinds
    assert run.metrics["SR"].n == 2
    assert run.metrics["SR"].value == 0.5
    assert run.metrics["TL"].undefined == {"two viewpoints in a row have no edge between them": 1}


def test_the_first_of_conflicting_runs_counts(tmp_path, line):
    results = [result("1_0", "AB"), result("1_0", "ABC")]
    found, _ = exhaust(request_of(tmp_path, line, [annotation(1)], results))
    assert found.runs[0].metrics["NE"].value == 2.0


def random_inputs(count, seed):
    generator = random.Random(seed)
    annotations, results, others = [], [], []
    for n in range(count):
        path = "ABCD"[: generator.randint(2, 4)]
        annotations.append(annotation(n, path))
        for target in (results, others):
            place, walked = 0, "A"
            for _ in range(generator.randint(0, 6)):
                place = min(3, max(0, place + generator.choice((-1, 1))))
                walked += "ABCD"[place]
            if generator.random() < 0.95:
                target.append(result(f"{n}_0", walked))
    generator.shuffle(results)
    return annotations, results, others


def summary(found):
    return [
        (
            run.coverage,
            {key: (value.value, value.n, value.undefined) for key, value in run.metrics.items()},
            {
                key: (value.difference, value.n, value.higher)
                for key, value in run.comparison.items()
            },
        )
        for run in found.runs
    ]


def assert_same(one, other):
    for (coverage, metrics, gaps), (coverage2, metrics2, gaps2) in zip(one, other, strict=True):
        assert coverage == coverage2
        assert gaps.keys() == gaps2.keys()
        for mine, theirs in ((metrics, metrics2), (gaps, gaps2)):
            for key, (value, *rest) in mine.items():
                assert theirs[key][0] == pytest.approx(value, abs=1e-12)
                assert list(theirs[key][1:]) == rest


@pytest.mark.parametrize("executor", ["here", "pool", "dask"])
def test_buckets_and_executors_change_nothing(tmp_path, line, monkeypatch, executor):
    inputs = random_inputs(200, 1)
    whole, _ = exhaust(request_of(tmp_path, line, *inputs))
    monkeypatch.setattr(buckets, "IN_MEMORY_BYTES", 0)
    monkeypatch.setattr(buckets, "BUCKET_BYTES", 20_000)
    options = {
        "here": {"workers": 1},
        "pool": {"workers": 2},
        "dask": {"executor": "dask://local", "workers": 2},
    }[executor]
    dealt, messages = exhaust(request_of(tmp_path, line, *inputs, **options))
    assert_same(summary(whole), summary(dealt))
    assert messages[-1].done == messages[-1].total > 2
    assert whole.runs[0].coverage["missing"] > 0


def test_nothing_is_left_of_large_inputs(tmp_path, line, monkeypatch):
    monkeypatch.setattr(buckets, "IN_MEMORY_BYTES", 0)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    exhaust(request_of(tmp_path, line, *random_inputs(20, 2), scratch=scratch, workers=1))
    assert list(scratch.iterdir()) == []


def test_parquet_holds_every_episode(tmp_path, line):
    out = tmp_path / "scores.parquet"
    annotations = [annotation(1), annotation(2), annotation(3, "A") | {"distance": 0.0}]
    results = [result("1_0", "ABC"), result("2_0", "AC"), result("3_0", "A")]
    request = request_of(tmp_path, line, annotations, results, results[:1], per_episode=out)
    exhaust(request)
    table = pq.read_table(out)
    rows = {(row["run"], row["episode_id"]): row for row in table.to_pylist()}
    assert set(rows) == {("run0", "1_0"), ("run0", "2_0"), ("run0", "3_0"), ("run1", "1_0")}
    assert rows["run0", "1_0"]["SPL"] == 1.0
    assert rows["run0", "1_0"]["SPL_undefined"] is None
    assert rows["run0", "2_0"]["SPL"] is None
    assert "no edge" in rows["run0", "2_0"]["SPL_undefined"]
    assert "0/0" in rows["run0", "3_0"]["SPL_undefined"]
    assert rows["run0", "3_0"]["SR"] == 1.0
    definitions = json.loads(table.schema.metadata[b"waypost.definitions"])
    assert "shortest way from start to goal" in definitions["SPL"]
    assert table.schema.metadata[b"waypost.profile"] == b"r2r"


def test_a_failed_run_leaves_no_parquet(tmp_path, line):
    out = tmp_path / "scores.parquet"
    (line / "line_connectivity.json").write_text("[7]")
    inputs = request_of(tmp_path, line, [annotation(1)], [result("1_0", "AB")], per_episode=out)
    with pytest.raises(InputError, match="not an object"):
        exhaust(inputs)
    assert not [path for path in tmp_path.iterdir() if "parquet" in path.name]


def test_comparison_on_shared_episodes(tmp_path, line):
    annotations = [annotation(n) for n in range(4)]
    first = [result(f"{n}_0", "A") for n in (0, 1, 2)]
    second = [result(f"{n}_0", "ABC") for n in (1, 2, 3)]
    found, _ = exhaust(request_of(tmp_path, line, annotations, first, second))
    assert found.runs[0].comparison == {}
    gap = found.runs[1].comparison["NE"]
    assert (gap.n, gap.difference, gap.lower, gap.higher) == (2, -4.0, 2, 0)


def test_a_scan_without_graph_is_undefined(tmp_path, line):
    elsewhere = annotation(1) | {"scan": "attic"}
    found, _ = exhaust(
        request_of(tmp_path, line, [elsewhere, annotation(2)], [result("1_0", "AB")])
    )
    assert found.runs[0].metrics["NE"].value is None
    assert found.runs[0].metrics["NE"].undefined == {
        "the connectivity of the scan was not given": 1
    }


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"connectivity": None}, "needs --connectivity"),
        ({"results": ()}, "are needed"),
        ({"profile_key": "best"}, "no metric profile"),
        ({"executor": "ray://x"}, "no executor"),
    ],
)
def test_what_cannot_be_done(tmp_path, line, options, reason):
    with pytest.raises(InputError, match=reason):
        exhaust(request_of(tmp_path, line, [annotation(1)], [result("1_0", "A")], **options))


def test_files_that_cannot_be_used(tmp_path, line):
    with pytest.raises(InputError, match="is no folder"):
        exhaust(request_of(tmp_path, tmp_path / "no", [annotation(1)], [result("1_0", "A")]))
    with pytest.raises(InputError, match="no episodes in a known format"):
        exhaust(request_of(tmp_path, line, [{}], [result("1_0", "A")]))
    broken = annotation(1) | {"path": []}
    with pytest.raises(InputError, match="no episode that can be used"):
        exhaust(request_of(tmp_path, line, [broken], [result("1_0", "A")]))


def test_names_of_runs(tmp_path):
    a, b = tmp_path / "a" / "preds.json", tmp_path / "b" / "preds.json"
    assert run_names((tmp_path / "x.json.gz", tmp_path / "y.json")) == ["x", "y"]
    assert run_names((a, b)) == [str(a), str(b)]


def test_a_scheduler_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        list(Executor("dask://127.0.0.1:9").run(len, [[1]]))


def test_straight_lines_are_said(tmp_path):
    name, definitions = module.described(module.find_profile("vlnce"), "straight-line")
    assert name == "vlnce (straight-line)"
    assert "standing in for the navmesh" in definitions["NE"]
    assert module.described(module.find_profile("r2r"), "straight-line")[0] == "r2r"


def test_a_cache_by_instruction_is_scored_by_its_episode(tmp_path, line):
    annotations = [annotation(1) | {"instructions": ["Walk on."]}]
    stated = {
        "trajectory_length": 4.0, "nav_error": 0.0, "success": 1, "oracle_success": 1,
        "spl": 1.0, "time": 3.0,
    }  # fmt: skip
    results = {"Walk on.": stated, "Who knows?": stated}
    found, _ = exhaust(request_of(tmp_path, line, annotations, results))
    (run,) = found.runs
    assert run.format == "discussnav-cache"
    assert (run.coverage["found"], run.coverage["foreign"], run.coverage["invalid"]) == (1, 1, 0)
    assert run.metrics["SR"].undefined == {"the source states scores without a path": 1}
    told = run.stated["trajectory_length"]
    assert (told.value, told.n) == (4.0, 1)


@pytest.mark.parametrize("is_large", [False, True])
def test_an_episode_that_comes_twice_is_reported(tmp_path, line, monkeypatch, is_large):
    if is_large:
        monkeypatch.setattr(buckets, "IN_MEMORY_BYTES", 0)
    twice = [annotation(1), annotation(2), annotation(1), annotation(2, "AB")]
    request = request_of(tmp_path, line, twice, [result("1_0", "ABC")], workers=1)
    found, _ = exhaust(request)
    kept = {(finding.kind, finding.item_id) for finding in found.annotations.findings}
    assert kept == {
        (ImportKind.DUPLICATED_IDENTICAL, "1_0"),
        (ImportKind.DUPLICATED_CONFLICTING, "2_0"),
    }
    counts = found.annotations.duplicated_identical, found.annotations.duplicated_conflicting
    assert counts == (1, 1)
    assert found.runs[0].coverage["expected"] == 2


def test_what_a_worker_doubts_reaches_the_report(tmp_path, line, monkeypatch):
    """Two files beside each other in two processes: both logs come back, errors too."""
    monkeypatch.setattr(buckets, "IN_MEMORY_BYTES", 0)
    degrees = [annotation(1) | {"heading": 270.0}, annotation(2)]
    results = [result("1_0", "ABC"), {"instr_id": "2_0"}]
    found, messages = exhaust(request_of(tmp_path, line, degrees, results, workers=2))
    assert [f.kind for f in found.annotations.findings] == [ImportKind.DEGREES_FOR_RADIANS]
    assert found.runs[0].coverage["invalid"] == 1
    assert "2 of 2 inputs read" in [message.message for message in messages]
    broken = request_of(tmp_path, line, degrees, results, workers=2)
    broken[0].results[0].write_text('[{"instr_id": "1_0", "trajectory": []} {')
    with pytest.raises(InputError, match=r"run0\.json: "):
        exhaust(broken)


@pytest.mark.parametrize("most", [buckets.IN_MEMORY_BYTES, 0])
def test_runs_that_differ_in_their_thoughts_conflict_in_files_of_any_size(
    tmp_path, line, monkeypatch, most
):
    monkeypatch.setattr(buckets, "IN_MEMORY_BYTES", most)
    told = ("on", "on", "back")
    lines = [
        {
            "waypost_run": 1, "episode_id": "7_0", "viewpoints": list("ABC"), "note": {"a": 1},
            "decisions": [{"first_pose": 1, "end_pose": 3, "thought": thought}],
        }
        for thought in told
    ]  # fmt: skip
    results = tmp_path / "runs.jsonl"
    results.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    annotations = write(tmp_path / "R2R_val.json", [annotation(7)])
    source = RunSource((results,), (annotations,), line, profile_key="r2r")
    (report,) = exhaust((source,))[0].runs
    assert report.coverage["duplicated_identical"] == 1
    assert report.coverage["duplicated_conflicting"] == 1
    assert report.metrics["SR"].value == 1
