"""How well a list of objects matches the one asked for.

Source: MrCapricornLiu/MSNav:Spatial/scripts/eval_obj_metrics.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def f1(named: Sequence[str], wanted: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of two sets; 0 where nothing agrees.

    Empty lists count as in the public scorer: both empty is 0, not undefined.
    """
    given, asked = set(named), set(wanted)
    common = len(given & asked)
    precision = common / max(len(given), 1)
    recall = common / max(len(asked), 1)
    return 2 * precision * recall / max(precision + recall, 1e-6)


def ndcg(
    direct: Sequence[str],
    inferred: Sequence[str],
    wanted_direct: Sequence[str],
    wanted_inferred: Sequence[str],
) -> float:
    """Gain of the named order over the best order; direct objects weigh 2, inferred ones 1.

    The public scorer walks over unordered sets; here the order of the lists counts, which is
    what the gain is about. Nothing wanted is 0.
    """
    worth = {**dict.fromkeys(wanted_inferred, 1.0), **dict.fromkeys(wanted_direct, 2.0)}
    order = list(dict.fromkeys(direct))
    places = list(enumerate(order))
    places += [
        (index + len(order), name)
        for index, name in enumerate(dict.fromkeys(inferred))
        if name not in order
    ]
    gain = sum(worth.get(name, 0.0) / math.log2(place + 2) for place, name in places)
    best = sum(
        weight / math.log2(place + 2)
        for place, weight in enumerate(sorted(worth.values(), reverse=True))
    )
    return gain / max(best, 1e-6)
