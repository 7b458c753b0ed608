"""The process that reads the inputs: it may die, hang or take too much memory, and is watched.

Before each input it writes into a file which one begins, so that whoever started it knows what it
died of. What it finds goes out as JSON lines. Started by ``supervision``.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import pickle
import re
import resource
import shutil
import struct
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from faults.fuzz.families import EVERY_FAMILY
from faults.fuzz.family import Family, Sample, nth_input
from faults.fuzz.judging import Fault, begin_watching, judge
from faults.fuzz.real_samples import real_samples
from faults.fuzz.without_child import in_this_process

_SPECIAL = re.compile(r"0x[0-9a-f]+|-?\d+")
"""What differs between two prints of the same kind."""

STATUS = struct.Struct("<IIIId")
"""Index of the family among the jobs, number of the input; of this process and family: inputs read,
refused, and seconds."""

REAL = "real"
"""Names the folder of further good files, where there is one."""

SECONDS_PER_INPUT = 20.0
"""An input that takes longer counts as a hang; as a rule a machine under load is no reason."""

CAREFUL_EVERY = 25
"""Every so many inputs of a reader with a child are read with it at once."""

MEMORY_BYTES = 1 << 30
"""What reading one input may take beside what the process had before."""


def samples_of(family: Family, corpus: Path) -> list[Sample]:
    """The good files of a family, made once for all processes of a run."""
    kept = corpus / f"{family.name}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())  # noqa: S301 - written below
    with tempfile.TemporaryDirectory(dir=corpus) as folder:
        samples = family.make_samples(Path(folder))
    real = corpus / REAL
    if real.exists():
        found = real_samples(family.name, Path(real.read_text()))
        samples += [sample for sample in found if not _first_outcome(family, sample, corpus)]
    kept.write_bytes(pickle.dumps(samples))
    return samples


def _first_outcome(family: Family, sample: Sample, corpus: Path) -> Fault | str:
    """What becomes of a file as it is."""
    with tempfile.TemporaryDirectory(dir=corpus) as folder:
        sample.write(Path(folder))
        return judge(family, sample, Path(folder), 0, 0)


class _Worker:
    def __init__(self, corpus: Path, reports: int, seconds: float) -> None:
        self._seconds = seconds
        self._corpus = corpus
        # The input that the process before this one died of.
        shutil.rmtree(corpus / "in", ignore_errors=True)
        self._reports = reports
        self._status = os.open(corpus / "status", os.O_WRONLY | os.O_CREAT, 0o600)
        self._crashes = (corpus / "crash").open("wb")
        self._printed = os.open(corpus / "printed", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        for stream in (1, 2):
            os.dup2(self._printed, stream)
        faulthandler.enable(self._crashes)

    def report(self, **values: Any) -> None:
        os.write(self._reports, (json.dumps(values) + "\n").encode())

    def run(
        self, place: int, family: Family, seed: int, first: int, end: int, careful: list[int]
    ) -> None:
        _limit_memory(resource.RLIM_INFINITY)
        samples = samples_of(family, self._corpus)
        _warm_up(family, samples, self._corpus)
        _limit_memory(_taken_bytes() + MEMORY_BYTES)
        counts = {True: 0, False: 0}
        started = time.perf_counter()
        for number in range(first, end):
            status = (counts[True], counts[False], time.perf_counter() - started)
            os.pwrite(self._status, STATUS.pack(place, number, *status), 0)
            is_careful = number in careful or number % CAREFUL_EVERY == 0
            outcome = self._one(family, samples, seed, number, is_careful=is_careful)
            if isinstance(outcome, Fault):
                self.report(fault=asdict(outcome))
            else:
                counts[not outcome] += 1
        seconds = time.perf_counter() - started
        self.report(place=place, read=counts[True], refused=counts[False], seconds=seconds)

    def _one(
        self, family: Family, samples: list[Sample], seed: int, number: int, *, is_careful: bool
    ) -> Fault | str:
        """Judge an input; what looks like a fault without a child is judged again with it."""
        sample = nth_input(family, samples, seed, number)
        if family.has_child and not is_careful:
            with in_this_process():
                outcome = self._judged(family, sample, seed, number)
            if not isinstance(outcome, Fault):
                return outcome
        return self._judged(family, sample, seed, number)

    def _judged(self, family: Family, sample: Sample, seed: int, number: int) -> Fault | str:
        folder = self._corpus / "in" / str(number)
        folder.mkdir(parents=True)
        try:
            sample.write(folder)
            faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._crashes)
            outcome = judge(family, sample, folder, seed, number)
            faulthandler.cancel_dump_traceback_later()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return self._told(outcome, sample, family, seed, number)

    def _told(
        self, outcome: Fault | str, sample: Sample, family: Family, seed: int, number: int
    ) -> Fault | str:
        """The outcome, or that something was printed."""
        sys.stdout.flush()
        sys.stderr.flush()
        size = os.fstat(self._printed).st_size
        if not size:
            return outcome
        text = os.pread(self._printed, 2_000, 0).decode(errors="replace")
        os.ftruncate(self._printed, 0)
        os.lseek(self._printed, 0, os.SEEK_SET)
        is_known = family.may_print and not re.sub(family.may_print, "", text).strip()
        if isinstance(outcome, Fault) or is_known:
            return outcome
        first = _SPECIAL.sub("#", text.split("\n")[0].replace(str(self._corpus), ""))[:60]
        return Fault(family.name, seed, number, f"prints: {first}", text, sample.byte_count)


def _warm_up(family: Family, samples: list[Sample], corpus: Path) -> None:
    """Read every good file once: they must be readable, and imports count for no input."""
    for number, sample in enumerate(samples):
        folder = corpus / "in" / f"good{number}"
        folder.mkdir(parents=True)
        sample.write(folder)
        outcome = judge(family, sample, folder, 0, number)
        shutil.rmtree(folder)
        if outcome:
            names = ", ".join(sample.files)
            raise AssertionError(f"{family.name}: good sample {number} ({names}): {outcome}"[:3000])


def _taken_bytes() -> int:
    """Address space of this process."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _limit_memory(most_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, resource.RLIM_INFINITY))


def main() -> None:
    """Work through the jobs of a JSON argument.

    They are ``[[place, family, seed, first, end, careful], …]``; the last one lists numbers that
    are read with the child of their reader at once.
    """
    corpus, seconds, jobs = Path(sys.argv[1]), float(sys.argv[2]), json.loads(sys.argv[3])
    sys.dont_write_bytecode = True
    # What readers log is shown or not by whoever starts them; here it is no line on the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    worker = _Worker(corpus, os.dup(1), seconds)
    begin_watching()
    for place, name, seed, first, end, careful in jobs:
        worker.run(place, EVERY_FAMILY[name], seed, first, end, careful)


if __name__ == "__main__":
    main()
