"""What released scorers call their numbers, and which score of Waypost each of them is.

``names`` of an ``expected*.json`` says it for the scores that both have under one name. Here stands
the rest: what the profile has under a name of its own, and what is no score of a profile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.metrics.efficiency import polyline_m

Columns = Mapping[str, NDArray[np.float64]]


_INTERNNAV: Final = (
    "InternRobotics/InternNav:internnav/env/utils/internutopia_extension/metrics/vln_pe_metrics.py"
)
_VLNVERSE: Final = (
    "sihaoevery/vlnverse_emr:vlnverse/projects/internutopia_vln_extension/metrics/vln_pe_metrics.py"
)


class Own(NamedTuple):
    """The score that a released number is."""

    metric: str
    divisor: float = 1.0
    """Of the mean: 100 where the scorer prints percent."""


_STEPS: Final = {
    "steps": Own("trajectory_steps"),
    "trajectory_steps": Own("trajectory_steps"),
}
_DECISIONS: Final = {"action_steps": Own("action_steps")}
_GRAPH: Final = {"oracle_error": Own("OE"), "DTW": Own("DTW")}
_FIDELITY: Final = {name: Own(name) for name in ("nDTW", "SDTW", "CLS")}

_OWN_NAMES: Final[Mapping[str, Mapping[str, Own]]] = {
    "cshizhe/VLN-DUET:map_nav_src/r2r/env.py": _GRAPH | _STEPS,
    "cshizhe/VLN-HAMT:finetune_src/r2r/env.py": _GRAPH,
    "NavBench/Evaluation_Code:Exec_code/vln/env.py": _GRAPH | _STEPS | _DECISIONS | _FIDELITY,
    "cshizhe/VLN-DUET:map_nav_src/reverie/env.py": _STEPS | _DECISIONS,
    "cshizhe/VLN-DUET:map_nav_src/soon/env.py": _GRAPH
    | _STEPS
    | _DECISIONS
    | {"goal_progress": Own("GP")},
    "YuankaiQi/REVERIE:tasks/REVERIE/eval_release.py": {
        "spl": Own("SPL_REVERIE"),
        "rgspl": Own("RGSPL_REVERIE"),
    },
    "mmurray/cvdn:tasks/NDH/eval.py": {"oracle path_success_rate": Own("OPSR")},
    "cshizhe/VLN-HAMT:finetune_src/cvdn/env.py": {
        "steps": Own("steps"),
        "trajectory_steps": Own("steps"),
        "lengths": Own("TL"),
        "trajectory_lengths": Own("TL"),
        "spl": Own("SPL_room", 100),
    },
    "google-research/google-research:r4r/cls.py, r4r/dtw.py": {"dtw": Own("DTW")},
    "google-research/valan:r2r/eval_metric.py": {
        "sr": Own("SR_VALAN"),
        "spl": Own("SPL_VALAN"),
        "sdtw": Own("SDTW_VALAN"),
        "oracle_success": Own("OSR_VALAN"),
    },
    "jacobkrantz/VLN-CE:habitat_extensions/measures.py": {
        "ndtw_fastdtw": Own("nDTW_fastdtw"),
        "steps_taken": Own("steps"),
    },
    "YanyuanQiao/Open-Nav:vlnce_baselines/common/base_il_trainer_llm.py": {
        "steps_taken": Own("steps"),
    },
    _INTERNNAV: {"spl": Own("SPL_InternNav")},
    "makeabilitylab/CapNav:scripts/capnav_score.py": {
        "capnav_components.f1": Own("Feas_F1"),
        "capnav_components.pv": Own("PV"),
        "capnav_components.rta": Own("RTA"),
        "capnav_components.rv": Own("RV"),
        "binary_classification.accuracy": Own("accuracy"),
    },
}

PROFILES: Final[Mapping[str, str]] = {
    "expected_planner_path": "cvdn-planner",
    "expected_player_path": "cvdn-player",
}
"""Stem of an expected file that states no profile → the one that is meant."""


def own_names(scorer: str, names: Mapping[str, Any]) -> dict[str, Own]:
    """Released name, of a mean or per episode → the score it is.

    Args:
        scorer: As the expected file has it.
        names: Of the expected file: metric → name of the mean, divisor, name per episode.
    """
    found: dict[str, Own] = {}
    for metric, (mean, divisor, per_episode) in names.items():
        found |= {name: Own(metric, divisor) for name in (mean, per_episode) if name}
    for name, one in _OWN_NAMES.get(scorer, {}).items():
        # Whether the scorer prints percent is a matter of its own name.
        found[name] = one._replace(divisor=found[name].divisor) if name in found else one
    return found


def _stated_m(episode: Episode, _run: EpisodeRun) -> float:
    stated = episode.geodesic_in_file_m
    assert stated is not None
    return stated


def _stated_or_reference_m(episode: Episode, _run: EpisodeRun) -> float:
    if episode.geodesic_m is not None:
        return episode.geodesic_m
    assert episode.reference.positions_m is not None
    return polyline_m(episode.reference.positions_m)


def _poses(_episode: Episode, run: EpisodeRun) -> float:
    return float(len(run.route))


ECHOES: Final[Mapping[str, Mapping[str, Callable[[Episode, EpisodeRun], float]]]] = {
    _INTERNNAV: {"shortest_path_length": _stated_m, "steps": _poses},
    _VLNVERSE: {"shortest_path_length": _stated_or_reference_m, "steps": _poses},
}
"""Scorer → numbers that only repeat what was put in: the distance and how many poses there are."""

_WORDS: Final = (
    "printed",
    "fail_reason",
    "fail_reason_count.",
    "derive_method_count.",
    "format_error_details.",
    "n_input_files_scanned",
    "id",
    "entry_idx",
)


def is_no_number(name: str) -> bool:
    """Whether a released name is a word, a count of reasons in words, or a place in a file."""
    return name in _WORDS or any(word.endswith(".") and name.startswith(word) for word in _WORDS)


def _n(key: str) -> Callable[[Columns], float]:
    return lambda columns: float((~np.isnan(columns[key])).sum())


def _sum(key: str) -> Callable[[Columns], float]:
    return lambda columns: float(np.nansum(columns[key]))


def _share(key: str) -> Callable[[Columns], float]:
    return lambda columns: _n(key)(columns) / _n("accuracy")(columns)


def _answers(columns: Columns, *, is_right: bool, says_yes: bool) -> float:
    """One of TP, FP, FN, TN; a format error is a wrong answer of the other kind."""
    feasible = columns["feasible"]
    is_error = columns["format_error"] == 1
    said = np.where(is_error, feasible == 0, columns["says_yes"] == 1)
    counts = (~np.isnan(feasible)) & (said == says_yes)
    return float((counts & ((said == (feasible == 1)) == is_right)).sum())


COUNTS: Final[Mapping[str, Callable[[Columns], float]]] = {
    "n_records": lambda columns: float(len(columns["accuracy"])),
    "n_ok": _n("accuracy"),
    "n_fail": lambda columns: float(np.isnan(columns["accuracy"]).sum()),
    "n_correct": _sum("accuracy"),
    "pv_total": _n("PV"),
    "pv_valid": _sum("PV"),
    "rta_count": _n("RTA"),
    "rta_sum": _sum("RTA"),
    "rv_count": _n("RV"),
    "rv_sum": _sum("RV"),
    "format_errors": _sum("format_error"),
    "coverage.pv_applicable_frac_over_ok": _share("PV"),
    "coverage.rta_applicable_frac_over_ok": _share("RTA"),
    "coverage.rv_applicable_frac_over_ok": _share("RV"),
    "binary_classification.TP": lambda c: _answers(c, is_right=True, says_yes=True),
    "binary_classification.FP": lambda c: _answers(c, is_right=False, says_yes=True),
    "binary_classification.FN": lambda c: _answers(c, is_right=False, says_yes=False),
    "binary_classification.TN": lambda c: _answers(c, is_right=True, says_yes=False),
}
"""Numbers of CapNav's scorer that count and add up what single answers have."""

TOTALS: Final[Mapping[str, str]] = {
    "TL": "TL", "NE": "NE", "FR": "FR", "StR": "StR", "OS": "OSR", "SR": "SR",
    "SPL": "SPL_InternNav",
}  # fmt: skip
"""Totals that InternNav writes, rounded to four decimals → the score each is the mean of."""
