"""Which Python and packages the scripts take on machines of all kinds, made of stand-ins.

The real thing on real bare machines is ``scripts/fresh_machine.sh``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = [
    *("bash", "awk", "cat", "chmod", "cut", "dirname", "env", "grep"),
    *("mkdir", "mktemp", "rm", "sed", "sha256sum", "touch"),
]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")


class Machine:
    """A folder with the scripts, and one for all commands there are."""

    def __init__(self, folder: Path) -> None:
        self.home, self.commands = folder / "waypost", folder / "bin"
        self.commands.mkdir()
        (self.home / "scripts").mkdir(parents=True)
        for name in (
            "setup.sh",
            "packages.sh",
            "pythons.sh",
            "quietly.sh",
            "test_other_pythons.sh",
        ):
            shutil.copy(ROOT / "scripts" / name, self.home / "scripts")
        shutil.copy(ROOT / "pyproject.toml", self.home)
        for tool in TOOLS:
            (self.commands / tool).symlink_to(shutil.which(tool) or tool)
        self.command("id", "echo 1000")

    def command(self, name: str, script: str) -> Path:
        """Add a command; ``$LOG`` is where it may note what it was asked."""
        file = self.commands / name
        file.write_text(f"#!{shutil.which('bash')}\nLOG={self.home}/log\n{script}\n")
        file.chmod(0o755)
        return file

    def python(self, name: str, minor: int, *, pip: str = "exit 0") -> None:
        """A Python 3.``minor`` that makes environments, in which ``pip`` is carried out."""
        inner = f"""case "$*" in
          *print*) echo {minor} ;;
          *"-m pip install"*) {pip} ;;
          *"-m pytest"*) echo "3.{minor} $*" >> $LOG ;;
        esac"""
        self.command(
            name,
            f"""case "$*" in
              *print*) echo {minor} ;;
              *"-m venv"*) target="${{@: -1}}"; echo "{name} made $target" >> $LOG
                mkdir -p $target/bin; cat > $target/bin/python <<'END'
#!{self.commands}/bash
LOG={self.home}/log
{inner}
END
                chmod +x $target/bin/python ;;
            esac""",
        )

    def apt(self, *known: str, installed: str = "") -> None:
        """Debian's commands, which know some packages."""
        self.command("apt-get", 'echo "apt-get $*" >> $LOG')
        self.command(
            "dpkg-query", f'for name in {installed}; do echo "$name install ok installed"; done'
        )
        entries = "".join(f"{name}:\n  Installed: (none)\n  Candidate: 1.0\n" for name in known)
        self.command("apt-cache", f"cat <<'E'\n{entries}gone:\n  Candidate: (none)\nE")

    def set_up(
        self, *arguments: str, script: str = "setup.sh", **environment: str
    ) -> tuple[int, str]:
        """Run the script; its exit code, and all it said."""
        done = subprocess.run(
            [self.home / "scripts" / script, *arguments],
            env={"PATH": str(self.commands), "HOME": str(self.home), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    @property
    def log(self) -> list[str]:
        """What the commands noted."""
        file = self.home / "log"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def all_packages() -> list[str]:
    """The packages of the script, by each of their names."""
    text = (ROOT / "scripts" / "setup.sh").read_text()
    listed = text.split("system_packages=(")[1].split(")")[0]
    return listed.replace("'", " ").replace("|", " ").split()


def test_python3_is_taken_where_it_fits(machine: Machine) -> None:
    machine.python("python3", 12)
    machine.python("python3.13", 13)
    assert machine.set_up()[0] == 0
    assert machine.log == ["python3 made .venv"]


def test_beside_one_that_is_too_new_the_newest_that_fits_is_taken(machine: Machine) -> None:
    machine.python("python3", 99)
    machine.command("python3.13", "exit 127")  # as the stand-ins of version managers do
    machine.python("python3.12", 12)
    machine.python("python3.11", 11)
    assert machine.set_up()[0] == 0
    assert machine.log == ["python3.12 made .venv"]


def test_beside_one_that_is_too_old_the_newest_that_fits_is_taken(machine: Machine) -> None:
    machine.python("python3", 9)
    machine.python("python3.11", 11)
    assert machine.set_up()[0] == 0
    assert machine.log == ["python3.11 made .venv"]


def test_too_new_a_python_alone_is_said_in_words(machine: Machine) -> None:
    machine.python("python3", 14)
    code, said = machine.set_up()
    assert code == 1
    assert said == (
        "Waypost needs Python 3.11 to 3.13. python3 is Python 3.14, too new: Waypost is not tried "
        "on it yet. Please install one, or set PYTHON=/path/to/python3.13, and run again.\n"
    )
    assert machine.log == []


def test_a_python_that_was_asked_for_is_not_replaced_by_another(machine: Machine) -> None:
    machine.python("python3", 12)
    machine.python("python3.9", 9)
    assert "python3.9 is Python 3.9, too old. " in machine.set_up(PYTHON="python3.9")[1]
    code, said = machine.set_up(PYTHON="/no/python")
    assert (code, "/no/python is no Python 3 that runs. " in said) == (1, True)
    assert machine.log == []


def test_an_environment_that_fits_stays_and_a_broken_one_is_made_anew(machine: Machine) -> None:
    machine.python("python3", 12)
    assert machine.set_up()[0] == 0
    machine.python("python3", 15)
    assert machine.set_up()[0] == 0
    (machine.home / ".venv/bin/python").unlink()
    machine.python("python3", 13)
    assert machine.set_up()[0] == 0
    assert machine.log == ["python3 made .venv"] * 2


@pytest.mark.parametrize(
    ("unknown", "taken"),
    [("libglib2.0-0", "libglib2.0-0t64"), ("libglib2.0-0t64", "libglib2.0-0")],
)
def test_packages_are_named_as_this_apt_knows_them(
    machine: Machine, unknown: str, taken: str
) -> None:
    machine.python("python3", 12)
    machine.apt(*(name for name in all_packages() if name != unknown))
    code, said = machine.set_up()
    command = said.splitlines()[1]
    assert code == 1
    assert said.startswith("Missing system packages. Please run this once as root, then")
    assert command.startswith(
        "  apt-get update && apt-get install -y --no-install-recommends xvfb "
    )
    assert taken in command.split()
    assert unknown not in command.split()


def test_with_sudo_the_command_says_so(machine: Machine) -> None:
    machine.python("python3", 12)
    machine.apt(*all_packages())
    machine.command("sudo", "exit 1")  # it asks for a password
    _, said = machine.set_up()
    assert "  sudo apt-get update && sudo apt-get install -y " in said


def test_either_name_of_an_installed_package_will_do(machine: Machine) -> None:
    machine.python("python3", 12)
    installed = [name for name in all_packages() if name != "libglib2.0-0"]
    machine.apt(installed=" ".join(installed))
    assert machine.set_up()[0] == 0


def test_an_apt_that_knows_nothing_yet_is_updated_first(machine: Machine) -> None:
    machine.python("python3", 12)
    machine.apt()
    code, said = machine.set_up()
    assert code == 1
    assert "libglib2.0-0t64 or libglib2.0-0" in said
    assert said.endswith("as root, then start again:\n  apt-get update\n")


def test_root_installs_what_is_missing_itself(machine: Machine) -> None:
    machine.python("python3", 12)
    packages = [name for name in all_packages() if name != "libglib2.0-0"]
    machine.apt(*packages)
    machine.command("id", "echo 0")
    machine.command(
        "apt-get",
        'echo "debconf: delaying package configuration" >&2\necho "apt-get $*" >> $LOG',
    )
    code, said = machine.set_up()
    assert code == 0
    assert "debconf" not in said
    install = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    assert machine.log == ["apt-get update", install, "python3 made .venv"]


CHATTER = "WARNING: Location /opt/wheels is ignored"


@pytest.mark.parametrize(("ending", "is_shown"), [("exit 0", False), ("exit 3", True)])
def test_what_pip_says_is_shown_only_if_it_fails(
    machine: Machine, ending: str, is_shown: bool
) -> None:
    machine.python("python3", 12, pip=f'echo "{CHATTER}" >&2; {ending}')
    code, said = machine.set_up()
    assert (code, CHATTER in said) == ((3, True) if is_shown else (0, False))
    assert list((machine.home / ".venv").glob("installed-*")) == [] or not is_shown


def test_other_pythons_are_found_with_pyenv(machine: Machine) -> None:
    machine.python("python3", 11)
    assert machine.set_up()[0] == 0
    machine.command("python3.13", "exit 127")  # pyenv's stand-in; the version itself runs
    versions = machine.home / "pyenv" / "versions"
    for version in ("3.12.1", "3.13.0"):  # the former without its program
        (versions / version / "bin").mkdir(parents=True)
    machine.python("kept", 13)
    (machine.commands / "kept").rename(versions / "3.13.0" / "bin" / "python")
    code, said = machine.set_up(
        script="test_other_pythons.sh", PYENV_ROOT=str(machine.home / "pyenv")
    )
    assert code == 0
    assert "Python 3.12: neither the oldest nor the newest, left to --whole" in said
    chosen = (
        "-m not gui and not realdata and not faults and not conformance and not heavy"
        " --hypothesis-profile few --ignore tests/faults/fuzz"
    )
    words = f"-m pytest -q -n auto --dist loadfile --no-loadscope-reorder {chosen}"
    assert machine.log[1:] == [
        "kept made build/python-3.13",
        f"3.13 {words}",
    ]


def test_pythons_in_between_are_left_to_whole(machine: Machine) -> None:
    machine.python("python3", 13)
    assert machine.set_up()[0] == 0
    machine.python("python3.12", 12)
    code, said = machine.set_up("--whole", script="test_other_pythons.sh", PYENV_ROOT="/none")
    assert (code, "Python 3.11: not on this machine, not tested" in said) == (0, True)
    assert machine.log[2].startswith("3.12 -m pytest ")


def test_other_pythons_are_prepared_and_taken_from_the_path(machine: Machine) -> None:
    machine.python("python3", 13)
    assert machine.set_up()[0] == 0
    machine.python("python3.11", 11)
    for way in ("--prepare", ""):
        code, said = machine.set_up(way, script="test_other_pythons.sh", PYENV_ROOT="/none")
        assert (code, f"Python 3.11: {'installing' if way else 'testing'} with" in said) == (
            0,
            True,
        )
    # Prepared, it is not made once more, and only then tested.
    assert machine.log[1] == "python3.11 made build/python-3.11"
    assert machine.log[2].startswith("3.11 -m pytest ")


def test_a_failure_on_another_python_is_a_failure(machine: Machine) -> None:
    machine.python("python3", 12)
    assert machine.set_up()[0] == 0
    machine.python("python3.11", 11, pip='echo "no wheel"; exit 1')
    code, said = machine.set_up(script="test_other_pythons.sh", PYENV_ROOT="/none")
    assert (code, "no wheel" in said) == (1, True)
