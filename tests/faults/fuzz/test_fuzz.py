"""Two thousand wrong inputs, the same ones in every run; ``make fuzz`` runs others, and more."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from faults.fuzz.__main__ import main, shares
from faults.fuzz.families import FAMILIES
from faults.fuzz.family import Family, Sample, nth_input
from faults.fuzz.judging import judge, problem_of
from faults.fuzz.supervision import Job, run_jobs

from waypost.domain.base.errors import InputError, ReadError
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS

pytestmark = [pytest.mark.faults, pytest.mark.no_cover]

INPUTS, SEED = 2_000, 11


@pytest.mark.timeout(600)
def test_every_input_is_read_or_refused_in_one_line() -> None:
    jobs = [Job(name, SEED, 0, count) for name, count in shares(INPUTS, [*FAMILIES]).items()]
    results = run_jobs(jobs, lambda fault: None)
    told = [
        f"{result.job.family}: {signature}\n{same[0].detail}\nagain: {same[0].again}"
        for result in results
        for signature, same in result.faults.items()
    ]
    assert not told, "\n\n".join(told)
    for result in results:
        assert result.read + result.refused == result.job.end, result.job
        assert result.refused or result.job.family in {"caches", "settings", "exports", "replay"}
        assert result.read, result.job


@pytest.mark.realdata
def test_slices_of_real_files_are_read_or_refused_in_one_line(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    families = ("gltf", "usd-text", "episodes", "runs", "graphs")
    chosen = [word for name in families for word in ("--family", name)]
    code = main(["--inputs", "300", "--seed", "11", "--real", str(shared_data), *chosen])
    assert code == 0, capsys.readouterr().out


def test_a_number_gives_the_same_input_on_every_machine() -> None:
    sample = Sample("a.json", {"a.json": b'{"nodes": [{"id": "a", "at": [1, 2.5, 3]}]}'})
    family = Family("pinned", "Pinned", lambda folder: [sample], lambda path, rng: None)
    found = [nth_input(family, [sample], 5, number).files["a.json"] for number in range(300)]
    assert len(set(found)) > 200
    assert found.count(sample.files["a.json"]) < 30
    # To be replaced when a mutation changes; CPython 3.11, 3.12 and 3.13 agree on it.
    assert hashlib.sha256(b"\0".join(found)).hexdigest()[:16] == "e48a348974b4d777"


def test_the_samples_are_of_every_format(tmp_path: Path) -> None:
    for formats in (EPISODE_FORMATS, RUN_FORMATS):
        name = formats.what
        (tmp_path / name).mkdir()
        known = set()
        for number, sample in enumerate(FAMILIES[name].make_samples(tmp_path / name)):
            folder = tmp_path / name / f"given{number}"
            folder.mkdir()
            known.add(formats.find(sample.write(folder)).name)
        missing = {entry.name for entry in formats} - known
        assert missing <= {"vlnpe-lmdb"}, "has a family of its own"


class TestWhatCountsAsAFault:
    """Each kind of fault is noticed."""

    sample = Sample("a.txt", {"a.txt": b"a"})

    def outcome(self, folder: Path, read: object) -> object:
        family = Family("made", "Made up", lambda _: [self.sample], read)  # type: ignore[arg-type]
        self.sample.write(folder)
        return judge(family, self.sample, folder, 0, 0)

    def test_another_exception(self, tmp_path: Path) -> None:
        found = self.outcome(tmp_path, lambda path, rng: {}["gone"])
        assert found.signature.startswith("KeyError at")  # type: ignore[attr-defined]

    def test_reading_well_and_refusing_in_words_are_none(self, tmp_path: Path) -> None:
        def refuse(path: Path, rng: random.Random) -> None:
            raise ReadError(str(path), "line 1", "is wrong")

        assert self.outcome(tmp_path, lambda path, rng: None) == ""
        assert self.outcome(tmp_path, refuse) == f"ReadError: {tmp_path}/a.txt: line 1: is wrong"

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("{}/a: line 1: odd", ""),
            ("{}/a: line 1:\nodd \x1b[2J", ""),
            ("line 1: odd", "refusal that names no file"),
            ("", "empty refusal"),
            ("{}/a: " + "x" * 3_000, "refusal of more than 2,000 characters"),
        ],
    )
    def test_refusals(self, tmp_path: Path, text: str, problem: str) -> None:
        assert problem_of(InputError(text.format(tmp_path)), tmp_path) == problem


def test_an_input_that_kills_or_hangs_is_named_and_the_rest_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main(["--inputs", "12", "--family", "deadly", "--seed", "18", "--seconds", "5"])
    printed = capsys.readouterr().out
    assert code == 1
    assert "deadly: dies of SIGSEGV" in printed
    assert "deadly: takes more than 5 s" in printed
    assert "deadly: MemoryError" in printed
    assert "deadly: does what no reader may: writes /new" in printed
    assert "deadly: prints: hello" in printed
    assert "deadly: RuntimeWarning" in printed
    assert "make fuzz FAMILY=deadly SEED=18 INPUT=" in printed
