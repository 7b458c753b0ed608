"""Has the inputs of families read by a process that may die, and goes on behind what killed it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults.fuzz.families import EVERY_FAMILY
from faults.fuzz.family import nth_input
from faults.fuzz.judging import Fault
from faults.fuzz.worker import REAL, SECONDS_PER_INPUT, STATUS, samples_of

_OUR_FRAME = re.compile(r'File ".*?/waypost/(\S+)", line (\d+) in (\w+)')
_TESTS = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Job:
    """Inputs of one family, by their numbers."""

    family: str
    seed: int
    first: int
    end: int


@dataclass(slots=True)
class Result:
    """What became of the inputs of one family."""

    job: Job
    read: int = 0
    refused: int = 0
    seconds: float = 0.0
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    """By signature, the smallest input first."""

    def count(self, read: int, refused: int, seconds: float) -> None:
        """Add what a worker did."""
        self.read += read
        self.refused += refused
        self.seconds += seconds

    def add(self, fault: Fault) -> bool:
        """Note a fault; whether its kind is new."""
        same = self.faults.setdefault(fault.signature, [])
        same.append(fault)
        same.sort(key=lambda entry: entry.byte_count)
        return len(same) == 1


def run_jobs(
    jobs: Sequence[Job],
    tell: Callable[[Fault], None],
    seconds_per_input: float = SECONDS_PER_INPUT,
    real: Path | None = None,
) -> list[Result]:
    """Read all inputs; ``tell`` hears of the first fault of each kind at once.

    Args:
        jobs: What to read.
        tell: Called at once.
        seconds_per_input: What one may take.
        real: Folder of further good files to start from.
    """
    results = [Result(job) for job in jobs]
    shared = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a private folder in it
    with tempfile.TemporaryDirectory(prefix="waypost-fuzz-", dir=shared) as folder:
        if real is not None:
            (Path(folder) / REAL).write_text(str(real.resolve()))
        run = _Run(Path(folder), results, tell, seconds_per_input)
        waiting = [(n, job.family, job.seed, job.first, job.end, []) for n, job in enumerate(jobs)]
        while waiting:
            waiting = run.until_death(waiting)
    return results


_Waiting = list[tuple[int, str, int, int, int, list[int]]]


class _Run:
    def __init__(
        self,
        folder: Path,
        results: list[Result],
        tell: Callable[[Fault], None],
        seconds: float,
    ) -> None:
        self._seconds = seconds
        self._folder = folder
        self._results = results
        self._tell = tell

    def until_death(self, waiting: _Waiting) -> _Waiting:
        """Start a worker; the jobs that are left when it ends."""
        (self._folder / "status").write_bytes(STATUS.pack(waiting[0][0], waiting[0][3], 0, 0, 0.0))
        command = [sys.executable, "-m", "faults.fuzz.worker", str(self._folder)]
        done: set[int] = set()
        with subprocess.Popen(
            [*command, str(self._seconds), json.dumps(waiting)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_TESTS), *_import_path()])},
        ) as worker:
            for line in worker.stdout or ():
                self._hear(json.loads(line), done)
        code = worker.returncode
        left = [job for job in waiting if job[0] not in done]
        if code == 0 and not left:
            return []
        place, number, read, refused, seconds = STATUS.unpack(
            (self._folder / "status").read_bytes()
        )
        if all(job[0] != place for job in left):
            crash = (self._folder / "crash").read_text(errors="replace")[-2000:]
            raise RuntimeError(f"{left[0][1]}: code {code} over its good files: {crash}")
        self._results[place].count(read, refused, seconds)
        careful = next(job[5] for job in left if job[0] == place)
        if EVERY_FAMILY[self._results[place].job.family].has_child and number not in careful:
            # Its reader has a child for that; only what becomes of it there is known not to be.
            careful, number = [number], number - 1
        else:
            self._died(place, number, code)
        return [
            (n, name, seed, number + 1 if n == place else first, end, careful if n == place else [])
            for n, name, seed, first, end, _ in left
            if n != place or number + 1 < end
        ]

    def _hear(self, told: dict[str, Any], done: set[int]) -> None:
        if "fault" in told:
            self._note(Fault(**told["fault"]))
            return
        self._results[told["place"]].count(told["read"], told["refused"], told["seconds"])
        done.add(told["place"])

    def _note(self, fault: Fault) -> None:
        result = next(r for r in self._results if r.job.family == fault.family)
        if result.add(fault):
            self._tell(fault)

    def _died(self, place: int, number: int, code: int) -> None:
        result = self._results[place]
        crash = (self._folder / "crash").read_text(errors="replace")
        printed = (self._folder / "printed").read_text(errors="replace")
        if "good sample" in printed or (not crash and code == 1):
            raise RuntimeError(f"{result.job.family}: the worker failed: {printed[-3000:]}")
        frame = _OUR_FRAME.search(crash)
        if code < 0:
            where = f" at {frame[1]}:{frame[2]} {frame[3]}" if frame else ""
            what = f"dies of {signal.Signals(-code).name}{where}"
        else:
            # Which line it was at when the time was over is chance.
            what = f"takes more than {self._seconds:g} s" + (f" in {frame[1]}" if frame else "")
        job = result.job
        family = EVERY_FAMILY[job.family]
        sample = nth_input(family, samples_of(family, self._folder), job.seed, number)
        detail = (crash[-3000:] + printed[-1000:]).strip()
        self._note(Fault(job.family, job.seed, number, what, detail, sample.byte_count))


def _import_path() -> list[str]:
    return [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
