from __future__ import annotations

import gc
import threading
import weakref

import pytest
import shiboken6
from patience import PATIENCE_MS, PATIENCE_S
from PySide6.QtCore import QObject

from waypost.domain.base.errors import Cancelled, InputError
from waypost.domain.base.progress import Progress, exhaust
from waypost.services.jobs import Job, JobRunner, JobState


def count_to(number):
    for i in range(number):
        yield Progress(i, number, f"step {i}")
    return number * 10


def fail_after(number):
    yield from count_to(number)
    raise InputError("a.glb: file: it is empty")


class Gate:
    """Work that waits at its second step until it is let through."""

    def __init__(self):
        self.is_open = threading.Event()
        self.has_begun = threading.Event()
        self.is_cleaned_up = False

    def work(self):
        try:
            yield Progress(0, 2, "first")
            self.has_begun.set()
            assert self.is_open.wait(PATIENCE_S)
            yield Progress(1, 2, "second")
            return "done"
        finally:
            self.is_cleaned_up = True


@pytest.fixture
def runner(qapp):
    runner = JobRunner()
    yield runner
    assert runner.shutdown() == ()


def test_a_generator_needs_no_thread():
    seen = []
    assert exhaust(count_to(3), seen.append) == 30
    assert [p.done for p in seen] == [0, 1, 2]
    with pytest.raises(InputError, match="it is empty"):
        exhaust(fail_after(1))


def test_success_is_delivered_in_the_owners_thread(runner, qtbot):
    job = runner.start("counting", count_to(4))
    threads, seen = [], []
    job.succeeded.connect(lambda _: threads.append(threading.current_thread()))
    job.progressed.connect(seen.append)
    with qtbot.waitSignal(job.succeeded) as signal:
        assert job.state is JobState.RUNNING
    assert signal.args == [40]
    assert threads == [threading.main_thread()]
    assert job.state is JobState.SUCCESS
    assert job.result == 40
    assert seen[-1] == Progress(3, 4, "step 3")
    assert not job._thread.isRunning()


def test_an_exception_is_delivered_whole(runner, qtbot):
    job = runner.start("failing", fail_after(2))
    with qtbot.waitSignal(job.failed) as signal:
        pass
    assert str(signal.args[0]) == "a.glb: file: it is empty"
    assert job.state is JobState.ERROR


def test_a_job_that_fails_before_its_first_yield_fails(runner, qtbot):
    job = runner.start("failing", fail_after(0))
    with qtbot.waitSignal(job.failed):
        pass
    assert isinstance(job.error, InputError)


def test_cancel_takes_effect_at_the_next_yield_and_cleans_up(runner, qtbot):
    gate = Gate()
    job = runner.start("waiting", gate.work())
    outcomes = []
    job.succeeded.connect(outcomes.append)
    job.failed.connect(outcomes.append)
    assert gate.has_begun.wait(PATIENCE_S)
    job.cancel()
    with qtbot.waitSignal(job.cancelled):
        gate.is_open.set()
    assert gate.is_cleaned_up
    assert job.state is JobState.CANCELLED
    assert outcomes == []


def test_cancel_wins_over_a_result_under_way(runner, qtbot):
    job = runner.start("counting", count_to(2))
    # Without an event loop the result stays under way until the signal below is awaited.
    assert job._thread.wait(PATIENCE_MS)
    assert job.state is JobState.RUNNING
    job.cancel()
    with qtbot.waitSignal(job.cancelled):
        pass
    assert job.result is None


def test_work_that_cancels_itself_is_cancelled(runner, qtbot):
    def work():
        yield Progress(0, 1, "asking")
        raise Cancelled("the user closed the dialog")

    job = runner.start("asking", work())
    with qtbot.waitSignal(job.cancelled):
        pass
    assert job.state is JobState.CANCELLED


def test_a_job_cancelled_before_its_start_never_runs(qapp):
    job = Job("never", Gate().work())
    job.cancel()
    job.start()
    assert job.state is JobState.CANCELLED
    assert not job._thread.isRunning()


def test_wait_delivers_without_an_event_loop(qapp):
    job = Job("counting", count_to(3))
    results = []
    job.succeeded.connect(results.append)
    job.start()
    assert job.wait(PATIENCE_S)
    assert results == [30]
    assert job.state is JobState.SUCCESS


def test_many_progresses_do_not_flood_the_window(runner, qtbot):
    job = runner.start("counting", count_to(20_000))
    seen = []
    job.progressed.connect(seen.append)
    # Without an event loop nothing is told; all of it waits as one piece of news.
    assert job._thread.wait(PATIENCE_MS)
    with qtbot.waitSignal(job.succeeded):
        pass
    assert seen == [Progress(19_999, 20_000, "step 19999")]


def test_shutdown_cancels_and_joins_every_job(qapp):
    runner = JobRunner()
    gates = [Gate(), Gate()]
    jobs = [runner.start(f"job {i}", gate.work()) for i, gate in enumerate(gates)]
    for gate in gates:
        gate.is_open.set()
    assert runner.shutdown(PATIENCE_S) == ()
    assert [job._thread.isRunning() for job in jobs] == [False, False]
    assert runner.jobs == ()
    with pytest.raises(RuntimeError, match="application ends"):
        runner.start("late", count_to(1))


def test_shutdown_is_bounded_and_names_what_is_stuck(qapp):
    """Such a job outlives its owner, and is named until it has ended, whoever shuts down."""
    owner = QObject()
    runner, other = JobRunner(owner), JobRunner()
    gate = Gate()
    job = runner.start("stuck in a long step", gate.work())
    assert gate.has_begun.wait(PATIENCE_S)
    # The step itself would go on for as long as the gate is closed.
    assert runner.shutdown(0.2) == ("stuck in a long step",)
    assert job.parent() is None
    # A running QThread that was destroyed with its owner would abort.
    shiboken6.delete(owner)
    assert job._thread.isRunning()
    assert other.shutdown(0.2) == ("stuck in a long step",)
    gate.is_open.set()
    assert job.wait(PATIENCE_S)
    assert not job._thread.isRunning()
    assert other.shutdown() == ()


def test_the_runner_forgets_ended_jobs(runner, qtbot):
    job = runner.start("counting", count_to(2))
    ended = []
    runner.job_ended.connect(ended.append)
    assert runner.jobs == (job,)
    qtbot.waitUntil(lambda: ended == [job])
    assert runner.jobs == ()


def test_a_job_that_ended_is_gone_though_its_listeners_hold_it(qtbot):
    runner = JobRunner()

    def ended() -> weakref.ref[Job]:
        job = runner.start("one", exhausted())
        job.succeeded.connect(lambda result: (job, result))
        qtbot.waitUntil(lambda: not runner.jobs)
        return weakref.ref(job)

    def exhausted():
        yield Progress(0.0, 0.0, "")
        return 1

    kept = [ended() for _ in range(5)]
    qtbot.waitUntil(lambda: gc.collect() >= 0 and not [job for job in kept if job() is not None])
    assert not runner.shutdown()
