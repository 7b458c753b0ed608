"""What a family of inputs is: good files to start from, how they go wrong, and who reads them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from faults.fuzz.file_mutation import mutate_file


@dataclass(frozen=True, slots=True)
class Sample:
    """Files that lie together, of which a reader is given one, or their folder."""

    target: str
    """Name of what is read; empty for the folder."""

    files: Mapping[str, bytes]
    """Relative name → content."""

    def write(self, folder: Path) -> Path:
        """Put the files into a folder; what is to be read."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder / self.target

    @property
    def byte_count(self) -> int:
        """Of all files."""
        return sum(map(len, self.files.values()))


Mutation = Callable[[random.Random, Sample, Sequence[Sample]], Sample]


def mutate_sample(rng: random.Random, sample: Sample, samples: Sequence[Sample]) -> Sample:
    """One file of a sample changed, as a rule the one that is read; seldom one taken away."""
    files = dict(sample.files)
    names = list(files)
    chosen = sample.target if sample.target in files and rng.random() < 0.7 else rng.choice(names)
    other = rng.choice(samples)
    files[chosen] = mutate_file(rng, files[chosen], tuple(other.files.values()))
    if len(files) > 1 and rng.random() < 0.02:
        del files[rng.choice(names)]
    return Sample(sample.target, files)


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of input."""

    name: str
    title: str
    """For people, e.g. ``Agent profiles (TOML)``."""

    make_samples: Callable[[Path], list[Sample]]
    """Good inputs, always the same; the folder is for writers that need one."""

    read: Callable[[Path, random.Random], None]
    """Reads, uses and checks what is there.

    Raises:
        WaypostError: If it is refused.
        WrongValueError: If it was read and what came out cannot be right.
    """

    mutate: Mutation = mutate_sample
    names_file: bool = True
    """Whether a refusal must name a file of the sample."""

    may_write: bool = False
    """Whether reading may change files in the folder of the sample."""

    may_print: str = ""
    """Pattern of lines that libraries below the reader print, by no means to be stopped."""

    has_child: bool = False
    """Whether the reader works in a child process of its own."""

    weight: int = 1
    """How many inputs it has for one of another family."""


def samples_of(folder: Path, target: str = "") -> Sample:
    """All files below a folder as one sample."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    return Sample(target, files)


def nth_input(family: Family, samples: Sequence[Sample], seed: int, number: int) -> Sample:
    """The input of a number; the same on every machine."""
    rng = random.Random(f"{family.name} {seed} {number}")
    return family.mutate(rng, rng.choice(samples), samples)
