"""“Measure all” in the real window: in the background, to be stopped, shown and kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from gui.user import User
from PySide6.QtWidgets import QPushButton

from waypost.annotators.traverse.measure_bar import MeasureBar
from waypost.domain.project import set_measures
from waypost.domain.traverse.measure import MEASURING_VERSION, PassageMeasure
from waypost.domain.traverse.traversability import (
    Passage,
    TraversabilityLabel,
    Verdict,
    judged_on,
)
from waypost.services.judging import circumstances
from waypost.services.measuring import measure_passages as measuring_module
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.gui, pytest.mark.conformance]


@pytest.fixture
def measurer(at_house: User) -> User:
    """Before an unmeasured queue."""
    at_house.press("Ctrl+2")
    return at_house


def test_everything_is_measured_kept_and_proposed(
    measurer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    traverse = measurer.window.traverse
    bar = measurer.find(MeasureBar)
    (button,) = bar.findChildren(QPushButton)
    assert button.text() == "Measure all  M"
    measurer.click_widget(button)
    measurer.wait(lambda: measurer.project.measures)
    assert button.text().startswith("Stop measuring")
    measurer.wait(lambda: not traverse.measuring.is_running())
    measurer.settle()
    measures = measurer.project.measures
    assert len(measures) == 8 * len(measurer.project.agents)
    # The door is 0.90 m wide, straight on the way: a wheelchair passes.
    through = measures[Passage("node_2", "node_3", "wheelchair")]
    assert through.answer is Verdict.TRAVELS
    store = ProjectStore.open(measurer.document.store.location)
    assert store.load().measures == measures
    store.close()
    # What measures takes most of a second to import: never here, whatever is left to measure.
    monkeypatch.setitem(sys.modules, measuring_module.__name__, None)
    measurer.press("M")
    assert measurer.message() == "Every passage is measured."
    assert not traverse.measuring.is_running()
    assert not measurer.document.undo_stack.canUndo()


def test_what_is_accepted_with_others_keeps_the_note_that_was_begun(measurer: User) -> None:
    traverse, scene_hash = measurer.window.traverse, measurer.window.bench.scene_hash
    now = circumstances(measurer.project, scene_hash)
    asked = traverse.walk.queue.passages[:3]
    found = [
        PassageMeasure(
            passage, Verdict.TRAVELS, Verdict.TRAVELS, None, "As wide as that.",
            provenance=judged_on(passage, now), measuring_version=MEASURING_VERSION,
        )
        for passage in asked
    ]  # fmt: skip
    judged = judged_on(asked[1], replace(now, scene_hash="the scene before"))
    stale = TraversabilityLabel(asked[1], Verdict.TRAVELS, note="narrow door", provenance=judged)
    project = replace(measurer.project, labels={asked[1]: stale})
    measurer.document.edit("Label", set_measures(project, found))
    traverse.go_to_passage(asked[0])
    measurer.press("C")
    measurer.type("a mat lies here")
    traverse.go_to_passage(asked[2])
    traverse.list.select_all()
    traverse.accept()
    labels = measurer.project.labels
    assert [labels[passage].note for passage in asked] == ["a mat lies here", "narrow door", ""]
    assert not any(labels[passage].is_stale(now) for passage in asked)


def test_measuring_can_be_stopped_and_what_was_found_stays(measurer: User) -> None:
    traverse = measurer.window.traverse
    measurer.press("M")
    measurer.wait(lambda: measurer.project.measures)
    measurer.press("M")
    measurer.wait(lambda: not traverse.measuring.is_running())
    found = len(measurer.project.measures)
    assert 0 < found <= 8 * len(measurer.project.agents)
    message = measurer.window.notices.messages.message
    assert message is not None
    kept = "1 measure is kept" if found == 1 else f"{found} measures are kept"
    assert message.text == f"Measuring is stopped; {kept}."
    assert not measurer.document.undo_stack.canUndo()


def test_the_strip_stops_the_processes_that_measure_at_once(
    measurer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring, asked = measurer.window.traverse.measuring, []
    measure_passages = measuring_module.measure_passages

    def spied(*args: Any, cancelled: Callable[[], bool], **named: Any) -> Any:
        asked.append(cancelled)
        return measure_passages(*args, cancelled=cancelled, **named)

    monkeypatch.setattr(measuring_module, "measure_passages", spied)
    measurer.press("M")
    measurer.wait(lambda: measurer.project.measures)
    (job,) = measurer.window._jobs.jobs
    cancel = measurer.window.notices.progress.findChild(QPushButton)
    measurer.click_widget(cancel)
    assert [is_cancelled() for is_cancelled in asked] == [True]
    measurer.wait(lambda: job.state.is_final)
    assert not measuring.is_running()


def test_measuring_ends_with_its_project(measurer: User) -> None:
    traverse = measurer.window.traverse
    measurer.press("M")
    measurer.open(measurer.document.store.location)
    measurer.wait(lambda: not traverse.measuring.is_running())
    assert not measurer.project.measures
