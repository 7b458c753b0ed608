"""The exercise of Traverse: each step ends when it was done, and nothing real is labelled."""

from __future__ import annotations

from pathlib import Path

import pytest
from cut_text import cut_texts
from gui.user import User
from PySide6.QtWidgets import QLabel

from waypost.app.traverse.exercise import FIRST, SECOND
from waypost.app.window.start.introduction_card import IntroductionCard
from waypost.domain.traverse.traversability import Reason, Verdict
from waypost.services.settings import SettingsFile, settings_path
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui


def card(user: User) -> IntroductionCard:
    """The card, seen or not."""
    (found,) = user.window.findChildren(IntroductionCard)
    return found


def title(user: User) -> str:
    """What the card is about; empty while it is not there."""
    made = card(user)
    if not made.isVisible():
        return ""
    return next(w.text() for w in made.findChildren(QLabel) if w.property("role") == "title")


def waits_for(user: User, wanted: str) -> None:
    """Wait for a step; the card can be read, and asks for the thing itself to be done."""
    user.wait(lambda: title(user) == wanted)
    user.settle()
    assert cut_texts(card(user)) == []
    assert card(user).next.isVisible() is (wanted in {"Learn it by doing it", "Done"})


@pytest.mark.heavy
def test_measure_accept_overrule_see_the_map_and_the_project_is_as_it_was(at_house: User) -> None:
    window, own = at_house.window, at_house.document.store.location
    before, recent = at_house.project, window.bench.settings.recent_projects
    window.introduction.start_with_first_project()
    assert title(at_house)
    at_house.press("Esc", "Ctrl+2")
    waits_for(at_house, "Learn it by doing it")
    at_house.click_widget(card(at_house).next)

    waits_for(at_house, "Let it be measured")
    copy = Path(at_house.document.store.location)
    assert copy != own
    assert window.traverse.current == FIRST
    at_house.press("Alt+Right")
    assert title(at_house) == "Let it be measured"
    at_house.press("Ctrl+M")

    waits_for(at_house, "Accept it")
    assert at_house.project.measures[FIRST].answer is Verdict.TRAVELS
    at_house.wait(lambda: not window.traverse.measuring.is_running())
    at_house.press("Return")
    accepted = at_house.project.labels[FIRST]
    assert accepted.verdict is Verdict.TRAVELS
    # It rests on where the nodes stood, so that moving one has it go stale.
    ends = [at_house.graph.nodes[node].position_m for node in FIRST[:2]]
    assert [accepted.provenance.from_m, accepted.provenance.to_m] == ends

    waits_for(at_house, "Overrule another")
    assert window.traverse.current == SECOND
    at_house.wait(lambda: SECOND in at_house.project.measures)
    at_house.wait(lambda: not window.traverse.measuring.is_running())
    at_house.press("B")
    assert at_house.project.labels[SECOND].reason is Reason.OBSTACLE

    waits_for(at_house, "See the map")
    at_house.press("T")
    waits_for(at_house, "Done")
    assert window.bench.settings.recent_projects == recent
    at_house.click_widget(card(at_house).next)

    at_house.wait(lambda: at_house.document.store.location == own)
    assert at_house.project == before
    assert title(at_house) == ""
    assert window.bench.settings.recent_projects == recent
    at_house.wait(lambda: not copy.exists())
    store = ProjectStore.open(own)
    assert store.load().labels == {}
    store.close()
    assert window.traverse.current is not None
    at_house.press("Ctrl+1", "Ctrl+2")
    assert title(at_house) == ""


def test_leaving_it_brings_the_project_back_and_another_answer_does_not_count(
    at_house: User,
) -> None:
    window, own = at_house.window, at_house.document.store.location
    scene = window.bench.scene
    assert window.actions_set.trigger("help.practise")
    waits_for(at_house, "Let it be measured")
    # To answer without a measure is no step of it.
    at_house.press("Y")
    at_house.settle()
    assert title(at_house) == "Let it be measured"
    assert window.traverse.current == FIRST
    # In another workspace its keys do nothing, so it waits out of sight, and Esc does not leave it.
    for back in ("Ctrl+2", "Shift+F1"):
        at_house.press("Ctrl+1", "Esc", "Alt+Right")
        assert title(at_house) == ""
        at_house.press(back)
        waits_for(at_house, "Let it be measured")
        assert window.workspaces.current is window.traverse
    at_house.press("Esc")
    assert title(at_house) == ""
    at_house.wait(lambda: at_house.document.store.location == own)
    assert at_house.project.labels == {}
    # Its own scene was kept, and not read again.
    assert window.bench.scene is scene


@pytest.mark.heavy
def test_a_window_that_ends_in_the_middle_leaves_the_project_and_the_recent_ones_as_they_were(
    at_house: User, tmp_path: Path
) -> None:
    window, own = at_house.window, at_house.document.store.location
    at_house.press("Ctrl+2", "Y")
    labels, recent = at_house.project.labels, window.bench.settings.recent_projects
    assert len(labels) == 1
    assert recent == (str(own),)
    assert window.actions_set.trigger("help.practise")
    waits_for(at_house, "Let it be measured")

    def check_kept() -> None:
        """What the next start finds: settings and project are read from their files."""
        settings, problem = SettingsFile(tmp_path / "config" / settings_path().name).load()
        assert (settings.recent_projects, problem) == (recent, "")
        store = ProjectStore.open(own)
        assert store.load().labels == labels
        store.close()

    # As after a crash here.
    check_kept()
    copy = at_house.document.store.location
    assert window.close()
    check_kept()
    assert not copy.parent.exists()
