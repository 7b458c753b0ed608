"""The shipped rubrics are those of the benchmarks; own ones are read back, mistakes named."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixtures.score_examples import RUBRIC

from waypost.domain.base.errors import ReadError
from waypost.domain.score.rubric import CheckKind, Condition, Rubric, ScaleKind
from waypost.io.scores.rubric_files import (
    format_rubric,
    parse_rubric,
    read_rubric,
    shipped_rubrics,
    write_rubric,
)

HEAD = 'schema_version = 1\nkey = "r"\nversion = 1\ntitle = "R"\n'
ONE = '[[criteria]]\nkey = "c"\ntitle = "C"\nscale = "likert"\nmost = 5\n'


def points(key: str) -> dict[str, int]:
    return {entry.title: entry.most for entry in shipped_rubrics()[key].criteria}


def test_vlnverse_scores_three_criteria_from_one_to_five() -> None:
    for key in ("vlnverse-fine", "vlnverse-coarse"):
        rubric = shipped_rubrics()[key]
        assert [entry.title for entry in rubric.criteria] == ["Clarity", "Naturalness", "Accuracy"]
        for entry in rubric.criteria:
            assert (entry.scale, entry.scores) == (ScaleKind.LIKERT, (1, 2, 3, 4, 5))
            assert all(entry.level(score) for score in entry.scores)
        assert rubric.total is None


def test_navbench_has_three_rubrics_of_ten_points() -> None:
    assert points("navbench-simple") == {
        "Clarity and fluency": 1, "No location mentioned": 2, "Mentions only provided objects": 2,
        "Human expression and grammar": 2, "Matches the vision of using a robot": 3,
    }  # fmt: skip
    assert points("navbench-abstract") == {
        "Target not named": 2, "No objects outside the set": 1, "No location": 1,
        "Not overly simple": 1, "Human expression and grammar": 2,
        "Matches the vision of using a robot": 3,
    }  # fmt: skip
    assert points("navbench-step-by-step") == {
        "All landmarks": 2, "No unfounded actions": 2, "Actions": 2, "At most 80 words": 1,
        "Human expression and grammar": 2, "Matches the vision of using a robot": 3,
    }  # fmt: skip
    assert {shipped_rubrics()[key].total for key in shipped_rubrics() if "nav" in key} == {10}
    steps = shipped_rubrics()["navbench-step-by-step"]
    conditions = {entry.key: entry.only_if for entry in steps.criteria if entry.only_if}
    assert conditions == {
        "no_unfounded_actions": Condition("actions_given", is_set=False),
        "actions": Condition("actions_given"),
    }
    (check,) = [entry.check for entry in steps.criteria if entry.check]
    assert (check.kind, check.words) == (CheckKind.AT_MOST_WORDS, 80)


@pytest.mark.parametrize("rubric", [RUBRIC, *shipped_rubrics().values()], ids=lambda r: r.key)
def test_a_rubric_is_read_as_it_was_written(rubric: Rubric, tmp_path: Path) -> None:
    write_rubric(tmp_path / "r.toml", rubric)
    assert read_rubric(tmp_path / "r.toml") == rubric
    assert parse_rubric(format_rubric(rubric), "x") == rubric


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "sum = 1\n" + ONE, "r.toml: sum: is none of schema_version, key"),
        (HEAD, "r.toml: criteria: are missing"),
        (HEAD + ONE + "leest = 1", "r.toml: criteria[0].leest: is none of key"),
        (HEAD + ONE.replace("likert", "stars"), "criteria[0].scale: 'stars' is none of likert"),
        (HEAD + ONE.replace("most = 5", ""), "criteria[0].most: is missing"),
        (HEAD + ONE.replace("5", '"5"'), "criteria[0].most: is not a whole number"),
        (HEAD + ONE + "levels = [{score = 9, title = 't'}]", "c.levels: 9 is not on the scale"),
        (HEAD + ONE + "only_if = {criterion = 'x'}", "c.only_if: 'x' is no criterion before it"),
        (HEAD + ONE + "check = {kind = 'rhymes'}", "criteria[0].check.kind: 'rhymes' is none of"),
        (HEAD + "total = 4\n" + ONE, "r.toml: total: is 4, the scales add up to 5"),
        (HEAD.replace("= 1\nkey", "= 2\nkey") + ONE, "schema_version: is 2, newer than 1"),
        (HEAD.replace("\nversion = 1", "\nversion = 1000000000") + ONE, "1000000000 is above"),
        (HEAD + ONE.replace("likert", "points") + "least = 1", "least: stands only on a likert"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_by_its_place(text: str, said: str) -> None:
    with pytest.raises(ReadError) as error:
        parse_rubric(text, "r.toml")
    assert said in str(error.value)
