"""The log on a terminal: a line per event, whatever it quotes; libraries are told on request."""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

from waypost.services.terminal_log import TerminalLog

HOSTILE = "a\x1b[2J\nerror: forged"
SHOWN = "a⟨ESC⟩[2J⟨LF⟩error: forged"


def _told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.splitlines()


def test_a_record_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with TerminalLog():
        logging.getLogger("waypost.io").warning("%s: ignored", HOSTILE)
        logging.getLogger("waypost.io").info("not told")
    assert _told(capsys) == [f"WARNING waypost.io: {SHOWN}: ignored"]


@pytest.mark.filterwarnings("always")
def test_warnings_of_libraries_are_told_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    for is_verbose in (False, True):
        with TerminalLog() as log:
            log.is_verbose = is_verbose
            warnings.warn(HOSTILE, UserWarning, stacklevel=1)
            np.array([0.0]) / np.array([0.0])
            logging.getLogger("PIL").warning("odd picture")
        told = _told(capsys)
        assert len(told) == (3 if is_verbose else 0)
    assert told[0].endswith(f"UserWarning: {SHOWN}")
    assert "RuntimeWarning: invalid value" in told[1]


def test_a_traceback_is_told_on_request_and_no_line_of_it_stands_at_the_margin(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for is_verbose in (False, True):
        with TerminalLog() as log:
            log.is_verbose = is_verbose
            try:
                int(HOSTILE)
            except ValueError as error:
                found = RuntimeError(HOSTILE)
                found.__cause__ = error
                logging.getLogger("waypost").exception("unexpected", exc_info=found)
        told = _told(capsys)
        assert told[0] == "ERROR waypost: unexpected"
        assert all(line.startswith("    ") for line in told[1:])
        assert (len(told) > 1) is is_verbose
    assert told[-1] == f"    RuntimeError: {SHOWN}"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_exceptions_of_threads_are_a_line_and_those_of_destructors_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Fails:
        def __del__(self) -> None:
            raise RuntimeError(HOSTILE)

    def fail() -> None:
        raise ValueError(HOSTILE)

    with TerminalLog():
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        Fails()
        gc.collect()
    assert _told(capsys) == [f"ERROR waypost: unexpected ValueError: {SHOWN}; -v shows where"]


def test_everything_is_as_before_afterwards() -> None:
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook, warnings.showwarning)
    handlers = list(logging.getLogger().handlers)
    with TerminalLog() as log:
        log.is_verbose = True
        assert logging.getLogger().level == logging.DEBUG
    assert before == (
        sys.excepthook,
        threading.excepthook,
        sys.unraisablehook,
        warnings.showwarning,
    )
    assert handlers == logging.getLogger().handlers


def test_without_standard_error_nothing_is_told() -> None:
    program = (
        "import logging\nfrom waypost.services.terminal_log import TerminalLog\n"
        "with TerminalLog():\n    logging.getLogger('waypost').warning('x')\nprint('done')\n"
    )
    command = f'{sys.executable} -c "$PROGRAM" 2>&-'
    done = subprocess.run(
        ["sh", "-c", command],
        env={"PROGRAM": program, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n")
