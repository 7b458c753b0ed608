"""A spoken instruction can be heard, or its participant is told in words that it cannot."""

from __future__ import annotations

import math
import struct
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest
from gui.participants import begun, phase, press, record, session, stop, title
from gui.studies import write_study
from gui.user import User
from PySide6.QtWidgets import QPushButton

from waypost.app.record.session.instruction_voice import NO_CODEC, NO_OUTPUT, NO_PLAYER
from waypost.app.record.take_recorder import TakePhase
from waypost.domain.record.recording import VOICE_PAUSE, VOICE_PLAY
from waypost.io.recordings.read_recording import read_recording

pytestmark = [pytest.mark.gui, pytest.mark.conformance]


def write_tone(path: Path, seconds: float) -> None:
    """A tone of 440 Hz, 16 bit, mono."""
    rate = 8000
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        tones = (math.sin(k * 440 * math.tau / rate) for k in range(int(rate * seconds)))
        file.writeframes(b"".join(struct.pack("<h", round(8000 * tone)) for tone in tones))


def can_be_heard() -> bool:
    """Whether this machine has Qt's multimedia part and a sound output."""
    try:
        from PySide6.QtMultimedia import QMediaDevices
    except ImportError:
        return False
    return not QMediaDevices.defaultAudioOutput().isNull()


@pytest.fixture
def spoken(user: User, tmp_path: Path) -> Iterator[User]:
    """The practice episode is recorded; its instruction is spoken in a file beside the episodes."""
    project = write_study(tmp_path / "house")
    write_tone(project.parent / "audio" / "house_1.wav", 30.0)
    begun(user, project)
    record(user)
    yield user
    session(user).leave()


def test_without_audio_nothing_is_offered(user: User, tmp_path: Path) -> None:
    begun(user, write_study(tmp_path / "house"))
    record(user)
    assert not session(user)._voice_bar.isVisible()
    assert not session(user).voice.has_voice
    session(user).leave()


@pytest.mark.skipif(can_be_heard(), reason="this machine can play sound")
def test_where_nothing_can_play_the_participant_is_told_in_words(spoken: User) -> None:
    bar = session(spoken)._voice_bar
    assert bar.isVisible()
    assert bar._problem.text() in {NO_PLAYER, NO_OUTPUT, NO_CODEC}
    assert not bar.play.isVisible()
    press(spoken, "V")
    assert phase(spoken) is TakePhase.RECORDING
    stop(spoken)
    spoken.wait(lambda: title(spoken) == "Stopped")


@pytest.mark.skipif(not can_be_heard(), reason="no sound output here")
def test_play_pause_and_again_are_noted_in_the_take(spoken: User) -> None:
    voice = session(spoken).voice
    press(spoken, "V")
    spoken.wait(lambda: voice.is_playing and voice._player.position() > 300)
    press(spoken, "V")
    spoken.wait(lambda: not voice.is_playing)
    spoken.click_widget(spoken.find(QPushButton, "Again", session(spoken)._voice_bar))
    spoken.wait(lambda: voice.is_playing)
    press(spoken, "P")
    spoken.wait(lambda: not voice.is_playing)
    press(spoken, "P")
    stop(spoken)
    spoken.wait(lambda: title(spoken) == "Stopped")
    (take,) = spoken.project.study.takes.values()
    events = read_recording(spoken.window.record.desk.root / take.path).events
    said = [event for event in events if event.kind in {VOICE_PLAY, VOICE_PAUSE}]
    assert [event.kind for event in said] == [VOICE_PLAY, VOICE_PAUSE, VOICE_PLAY, VOICE_PAUSE]
    places_s = [float(event.detail) for event in said]
    assert places_s[0] == places_s[2] == 0.0
    assert places_s[1] > 0.3
