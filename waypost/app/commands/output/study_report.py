"""Where a study stands, as the documents that its commands print."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from waypost.domain.record.assignment import AssignmentReport, episode_loads
from waypost.domain.record.study import Assignment, Study, consent_in_force, has_consented
from waypost.domain.record.study_progress import break_reason, counted_takes, participant_progress
from waypost.domain.record.take_quality import DEFAULT_LIMITS, quality_flags
from waypost.io.study_exports import ACTIVE_TIME_RULE, key_values


def assignment_document(report: AssignmentReport) -> dict[str, Any]:
    """What an assignment came to."""
    return {
        "added": report.added,
        "people_per_episode": {"least": report.least_load, "most": report.greatest_load},
        "paths": report.paths,
        "shortfalls": [
            {
                "participant": short.participant,
                "wanted": short.wanted,
                "assigned": short.assigned,
                "repeated_scenes": dict(short.repeated_scenes),
                "repeated_paths": sum(count - 1 for count in short.repeated_paths.values()),
            }
            for short in report.shortfalls
        ],
    }


def progress_document(study: Study) -> dict[str, Any]:
    """Every participant's progress, and the takes with flags."""
    loads = episode_loads(study)
    counted, left_out = counted_takes(study)
    return {
        "study": "" if study.rules is None else study.rules.name,
        "participants": [_participant(study, code) for code in study.participants],
        "episodes": len(loads),
        "people_per_episode": {"least": min(loads.values()), "most": max(loads.values())},
        "takes": {"counted": len(counted), "left_out": len(left_out)},
        "flagged": [
            {
                **key_values(take.key),
                "flags": [asdict(flag) for flag in flags],
            }
            for take in counted
            if (flags := quality_flags(take.summary))
        ],
        "active_time_rule": ACTIVE_TIME_RULE,
    }


def _participant(study: Study, code: str) -> dict[str, Any]:
    progress = participant_progress(study, code, DEFAULT_LIMITS)
    return {
        "code": code,
        "consent": _consent(study, code),
        "expected": progress.expected,
        "settled": progress.settled,
        "excluded": progress.excluded,
        "states": {state.value: count for state, count in progress.states.items()},
        "training": {
            "expected": progress.training_expected,
            "settled": progress.training_settled,
        },
        "active_s": progress.active_ns / 1e9,
        "flags": {kind.value: count for kind, count in progress.flags.items()},
        "next": _next(progress.next),
        "break": break_reason(study, code),
    }


def _consent(study: Study, code: str) -> str:
    participant, text = study.participants[code], consent_in_force(study)
    if participant.withdrawn_utc is not None:
        return "withdrawn"
    if has_consented(study, code) and text is not None:
        return f"version {text.version}"
    return "outdated" if participant.consents else "missing"


def _next(assignment: Assignment | None) -> dict[str, Any] | None:
    if assignment is None:
        return None
    return {
        "dataset": assignment.key.dataset,
        "scene_id": assignment.key.scene_id,
        "episode_id": assignment.key.episode_id,
        "place": assignment.place,
        "training": assignment.is_training,
        "state": assignment.state.value,
        "reason": assignment.reason,
    }
