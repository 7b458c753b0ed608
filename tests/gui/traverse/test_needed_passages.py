"""The queue can hold only what the questions of the project need."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gui.user import User
from passage_lists import said_words, shown_titles

from waypost.annotators.traverse.passage_list import PassageList
from waypost.app.traverse.needed_passages import NOTHING_NEEDED
from waypost.domain.traverse.task import Task

pytestmark = pytest.mark.gui

TO_KITCHEN = Task("Can I go from the hall to the kitchen?", "Hall", "Kitchen")


@pytest.fixture
def labeller(at_house: User) -> User:
    at_house.press("Ctrl+2")
    return at_house


def ask(user: User, *tasks: Task) -> None:
    user.document.edit("Ask", replace(user.project, tasks=tasks))
    user.settle()


def queue(user: User) -> PassageList:
    found: PassageList = user.find(PassageList)
    return found


def test_only_the_way_from_start_to_end_is_asked_about(labeller: User) -> None:
    ask(labeller, TO_KITCHEN)
    everything = shown_titles(queue(labeller))
    labeller.press("Alt+Q")
    assert shown_titles(queue(labeller)) == ["Hall → Door", "Door → Kitchen"]
    assert any("FOR QUESTIONS" in words for words in said_words(queue(labeller)))
    assert "0 of 2 directed edges decided" in said_words(queue(labeller))
    labeller.press("Alt+Q")
    assert shown_titles(queue(labeller)) == everything


def test_it_follows_the_questions_and_the_graph(labeller: User) -> None:
    ask(labeller, TO_KITCHEN)
    labeller.press("Alt+Q")
    ask(labeller, TO_KITCHEN, Task("And to the pantry?", "Kitchen", "Pantry"))
    assert shown_titles(queue(labeller))[-1] == "Kitchen → Pantry"
    labeller.press("Ctrl+Z")
    assert len(shown_titles(queue(labeller))) == 2


def test_without_a_question_everything_stays_and_the_reason_is_said(labeller: User) -> None:
    said: list[str] = []
    labeller.window.bench.refused.connect(said.append)
    before = shown_titles(queue(labeller))
    labeller.press("Alt+Q")
    assert shown_titles(queue(labeller)) == before
    assert said == [NOTHING_NEEDED]


def test_another_project_begins_with_everything(labeller: User, sample: Path) -> None:
    ask(labeller, TO_KITCHEN)
    labeller.press("Alt+Q")
    labeller.open(sample)
    assert not any("FOR QUESTIONS" in words for words in said_words(queue(labeller)))
