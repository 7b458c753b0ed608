"""Fuzz the readers: ``make fuzz N=100000``, or one input again as a failure says."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path

from faults.fuzz.families import EVERY_FAMILY, FAMILIES
from faults.fuzz.family import nth_input
from faults.fuzz.judging import Fault
from faults.fuzz.supervision import Job, Result, run_jobs
from faults.fuzz.worker import REAL, SECONDS_PER_INPUT, samples_of


def shares(count: int, families: Sequence[str]) -> dict[str, int]:
    """How many of ``count`` inputs each family gets, by weight; at least one each."""
    total = sum(EVERY_FAMILY[name].weight for name in families)
    return {name: max(1, round(count * EVERY_FAMILY[name].weight / total)) for name in families}


def save(fault: Fault, folder: Path, real: Path | None) -> Path:
    """Put the files of an input into a folder of their own."""
    family = EVERY_FAMILY[fault.family]
    with tempfile.TemporaryDirectory() as scratch:
        if real is not None:
            (Path(scratch) / REAL).write_text(str(real.resolve()))
        samples = samples_of(family, Path(scratch))
        sample = nth_input(family, samples, fault.seed, fault.number)
    target = folder / f"{fault.family}-{fault.seed}-{fault.number}"
    target.mkdir(parents=True, exist_ok=True)
    sample.write(target)
    return target


def print_result(results: Sequence[Result]) -> None:
    """A table by family, then every kind of fault with its smallest input."""
    line = "{:<16} {:>8} {:>8} {:>8} {:>7} {:>6} {:>8}"
    print(line.format("family", "inputs", "read", "refused", "faults", "kinds", "seconds"))
    for result in results:
        counts = (
            result.job.end - result.job.first,
            result.read,
            result.refused,
            sum(map(len, result.faults.values())),
            len(result.faults),
        )
        seconds = f"{result.seconds:.1f}"
        print(line.format(result.job.family, *map("{:,}".format, counts), seconds))
    for result in results:
        for signature, same in result.faults.items():
            print(f"\n{result.job.family}: {signature} ({len(same)} inputs)\n  {same[0].again}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("make fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=2_000, help="over all families; default 2000")
    parser.add_argument("--family", action="append", choices=[*EVERY_FAMILY], help="only this one")
    parser.add_argument("--seed", type=int, help="default: a new one")
    parser.add_argument("--input", type=int, help="run the input of this number alone")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS_PER_INPUT, help="what one input may take"
    )
    parser.add_argument(
        "--real", type=Path, metavar="DIR", help="start from slices of the files below it as well"
    )
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep the inputs of faults there")
    options = parser.parse_args(arguments)
    if options.input is not None and (options.seed is None or not options.family):
        parser.error("--input needs --family and --seed")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 1 if there was a fault."""
    options = _options(arguments)
    seed = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    names = options.family or list(FAMILIES)
    print(f"seed {seed}", flush=True)
    if options.input is not None:
        jobs = [Job(names[0], seed, options.input, options.input + 1)]
    else:
        jobs = [Job(name, seed, 0, n) for name, n in shares(options.inputs, names).items()]

    more = f" REAL={options.real}" if options.real else ""

    def tell(fault: Fault) -> None:
        print(f"\n{fault.family}: {fault.signature}\n  again: {fault.again}{more}", flush=True)
        print(textwrap.indent(fault.detail[-1_500:], "    "))
        if options.save:
            print(f"  saved: {save(fault, options.save, options.real)}")

    started = time.perf_counter()
    results = run_jobs(jobs, tell, options.seconds, options.real)
    print_result(results)
    print(f"\nseed {seed}, {time.perf_counter() - started:.0f} s")
    return 1 if any(result.faults for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
