"""What a participant is told before, between and after episodes, as pages of a card."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from waypost.app.record.session.participant_card import CardPage
from waypost.app.record.take_recorder import TakeEnd, TakeHalt, TakePhase
from waypost.domain.base.sentences import capitalised
from waypost.domain.record.study import (
    SETTLED,
    Assignment,
    AssignmentState,
    ConsentText,
    Study,
    Take,
    assignments_of,
)
from waypost.domain.record.take_rules import Question
from waypost.services.input.key_driving import DriveKey
from waypost.services.input.pad_state import PadButton
from waypost.services.input.shortcuts import named_key
from waypost.services.study.take_scoring import told_of

_STATES = {
    TakePhase.IDLE: "○ not recording",
    TakePhase.STARTING: "○ starting …",
    TakePhase.RECORDING: "● recording  {time}",
    TakePhase.PAUSED: "❚❚ paused  {time}",
    TakePhase.STOPPING: "○ saving …",
}
_HALTS = {
    TakeHalt.FOCUS: "the window lost the keyboard",
    TakeHalt.PAD: "the game controller was unplugged",
}
LEAVE = "Leave the session"

MOST_STARTS: Final = 2
"""So often in a row a recording may fail to begin before the participant is sent for help."""


def recording_text(phase: TakePhase, time_ns: int, limit_s: float | None = None) -> str:
    """Whether it is recording and for how long, in words.

    Args:
        phase: How far the take is.
        time_ns: Simulated time since its start.
        limit_s: When it ends by itself, seconds; ``None`` for never.
    """
    time = _clock(time_ns // 1_000_000_000)
    if limit_s is not None:
        time = f"{time} of {_clock(math.ceil(limit_s))}"
    return _STATES[phase].format(time=time)


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"


def moment_notice(phase: TakePhase, keys: Mapping[str, str], halt: TakeHalt | None) -> str:
    """What a driver has to know now; empty for nothing.

    Args:
        phase: How far the take is.
        keys: Of the session, by name.
        halt: Why the agent stands still until something is asked for.
    """
    if phase is TakePhase.PAUSED:
        return f"Paused. Press {keys['pause']} to go on"
    if phase is not TakePhase.RECORDING:
        return ""
    if halt is not None:
        return f"⚠ Standing still: {_HALTS[halt]}. Press a drive key to go on"
    return ""


def key_legend(
    keys: Mapping[str, str],
    drive: Mapping[str, DriveKey],
    *,
    can_look: bool = False,
    can_sidestep: bool = False,
    has_pad: bool = False,
) -> tuple[tuple[str, str], ...]:
    """Key and what it does; of two keys for one thing the changeable one.

    Args:
        keys: Of the session, by name.
        drive: Key → what it does.
        can_look: Whether the participant may look up and down.
        can_sidestep: Whether the agent can go sideways.
        has_pad: Whether a game controller is plugged in.
    """
    held = {meaning: key for key, meaning in drive.items()}
    words = {
        DriveKey.FORWARD: "forward",
        DriveKey.BACK: "back",
        DriveKey.TURN_LEFT: "turn left",
        DriveKey.TURN_RIGHT: "turn right",
    }
    if can_sidestep:
        words |= {DriveKey.STRAFE_LEFT: "step left", DriveKey.STRAFE_RIGHT: "step right"}
    if can_look:
        words |= {DriveKey.LOOK_UP: "look up", DriveKey.LOOK_DOWN: "look down"}
    return (
        *((held[meaning], word) for meaning, word in words.items() if held.get(meaning)),
        (named_key(keys["stop"]), "stop here"),
        (keys["pause"], "pause"),
        (keys["lost"], "cannot do this"),
        (keys["leave"], "leave"),
        *(_pad_legend(can_look=can_look) if has_pad else ()),
    )


def _pad_legend(*, can_look: bool) -> tuple[tuple[str, str], ...]:
    return (
        ("Left stick", "drive"),
        ("Right stick", "turn, look" if can_look else "turn"),
        (str(PadButton.STOP), "stop here"),
        (PadButton.PAUSE, "pause"),
        (PadButton.LOST, "cannot do this"),
    )


def consent_page(text: ConsentText, key: str) -> CardPage:
    """The consent text in force, to be agreed to."""
    return CardPage(
        "Do you agree to take part?",
        "Please read this. You can stop at any time.",
        long_text=text.text,
        primary=f"I agree  ({key})",
        secondary="I do not agree",
    )


def waiting_page(what: str) -> CardPage:
    """Something is read or opened before the next episode."""
    return CardPage("One moment, please", what, secondary=LEAVE, is_ready=False)


def ready_page(
    study: Study, assignment: Assignment, keys: Mapping[str, str], *, is_ready: bool
) -> CardPage:
    """Before an episode: which one, and that recording begins with the start."""
    own = assignments_of(study, assignment.key.participant)
    alike = [a for a in own if a.is_training == assignment.is_training]
    number = alike.index(assignment) + 1
    title = f"Episode {number} of {len(alike)}"
    stop = named_key(keys["stop"])
    lines = [f"Above you will read an instruction. Follow it; where it leads, press {stop}."]
    if assignment.is_training:
        title = f"Practice {number} of {len(alike)}"
        lines.append("This one is for practice and does not count.")
    if assignment.state is AssignmentState.IN_PROGRESS:
        lines.append("It was begun before and not ended; it starts again from its beginning.")
    lines.append(
        "Recording begins as soon as you start."
        if is_ready
        else "The physics engine is still preparing the scene …"
    )
    return CardPage(
        title,
        "\n\n".join(lines),
        primary=f"Start  ({keys['go']})",
        secondary=LEAVE,
        is_ready=is_ready,
    )


def question_page(take: Take, key: str) -> CardPage:
    """What is asked after an episode, before anything is told of it."""
    has_choices = bool({Question.REACHED, Question.SURENESS} & set(take.rules.questions))
    return CardPage(
        "A few questions",
        "Choose one answer in each row, then go on." if has_choices else "",
        questions=take.rules.questions,
        primary=f"Go on  ({key})",
        secondary="I would rather not answer",
    )


def result_page(
    take: Take, assignment: Assignment, key: str, break_reason: str | None, *, is_told: bool
) -> CardPage:
    """After an episode: how it went if that is told, and a break if one is due.

    Args:
        take: What was recorded.
        assignment: What was to be driven.
        key: Goes on.
        break_reason: Why a break is due; ``None`` if none is.
        is_told: Whether the rules tell how it went.
    """
    lines = []
    if assignment.is_training:
        lines.append("This was practice and does not count.")
    lines.append("Thank you.")
    if is_told:
        lines.append("The dashed line is the path that was meant, the coloured one is yours.")
    text = " ".join(lines)
    if break_reason is not None:
        text += f"\n\nTime for a break? {capitalised(break_reason)}."
    return CardPage(
        _ending(take, assignment),
        text,
        told=told_of(take) if is_told else "",
        primary=f"Next  ({key})" if break_reason is None else f"Take a break  ({key})",
        secondary="" if break_reason is None else "Go on without",
        is_aside=is_told,
    )


def _ending(take: Take, assignment: Assignment) -> str:
    if take.summary.has_timed_out:
        return "The time is over"
    if assignment.state is AssignmentState.ABANDONED:
        return "Noted: you could not do it"
    return "Stopped"


def break_page(key: str) -> CardPage:
    """During a break."""
    return CardPage(
        "Break", "Nothing is recorded now. Come back when you like.", primary=f"Go on  ({key})"
    )


def interrupted_page(reason: str, key: str, end: TakeEnd, *, is_engine_gone: bool) -> CardPage:
    """A take did not end as intended, or never began; in the end only help from others is left."""
    if end.starts_failed >= MOST_STARTS:
        text = (
            f"{_sentence(reason)}\n\nTrying again did not help. Please tell the person in charge;"
            " the same episode comes when you are back."
        )
        return CardPage("The recording cannot begin", text, primary=f"{LEAVE}  ({key})")
    action = "Restart the engine and go on" if is_engine_gone else "Try again"
    title, kept = "The recording could not begin", "The same episode comes again."
    if end.file is not None:
        title = "The recording was interrupted"
        kept = (
            f"What was recorded until then is kept and marked incomplete; it does not count. {kept}"
        )
    return CardPage(
        title,
        f"{_sentence(reason)}\n\n{kept}",
        primary=f"{action}  ({key})",
        secondary=LEAVE,
    )


def engine_page(key: str) -> CardPage:
    """Nothing can be driven until the engine runs again."""
    text = "Nothing was lost; the engine only has to be started again."
    return CardPage(
        "The physics engine has stopped",
        text,
        primary=f"Restart the engine  ({key})",
        secondary=LEAVE,
    )


def leaving_page(key: str, *, is_closing: bool) -> CardPage:
    """Before a session is left in the middle of an episode."""
    return CardPage(
        "Close the window?" if is_closing else "Leave the session?",
        "This episode is not finished. What was recorded is kept and marked incomplete; it does"
        " not count, and the same episode comes again.",
        primary=f"Go on driving  ({key})",
        secondary="Close the window" if is_closing else LEAVE,
    )


def finished_page(study: Study, code: str, key: str) -> CardPage:
    """Nothing is left to do."""
    own = assignments_of(study, code)
    done = sum(a.state in SETTLED and not a.is_training for a in own)
    if not own:
        text = f"No episodes are assigned to {code} yet. Please tell the person in charge."
        return CardPage("Nothing to do yet", text, primary=f"{LEAVE}  ({key})")
    episodes = "episode" if done == 1 else "episodes"
    text = f"That was everything: {done} {episodes}. Thank you for taking part!"
    return CardPage("All done", text, primary=f"{LEAVE}  ({key})")


def problem_page(sentence: str, key: str) -> CardPage:
    """The next episode cannot be shown."""
    text = f"{sentence}\n\nPlease tell the person in charge."
    return CardPage("This episode cannot be shown", text, primary=f"{LEAVE}  ({key})")


def _sentence(reason: str) -> str:
    return f"{capitalised(reason.rstrip('.'))}."
