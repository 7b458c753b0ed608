"""What a job that a form has started comes to, said in the form while it is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import shiboken6

from waypost.services.jobs import Job
from waypost.widgets.form_dialog import FormDialog

REFUSED: Final = "That is not possible; the message strip says why."
"""In a form whose edit the project refused."""


def answer_form(dialog: FormDialog, job: Job, take: Callable[[Any], str]) -> None:
    """Let a job answer the form that has started it.

    Whoever leaves the form has it kept, and nothing made.

    Args:
        dialog: Open; deleted once it is left.
        job: Of its submission.
        take: Does with a result what the form asks for; gives the reason if that was not possible,
            else empty.
    """

    def fail(reason: object) -> None:
        # It is gone once somebody has left it.
        if shiboken6.isValid(dialog):
            dialog.fail(str(reason))

    def succeed(result: object) -> None:
        problem = take(result)
        if problem:
            fail(problem)
        else:
            dialog.accept()

    job.succeeded.connect(succeed)
    job.failed.connect(fail)
    job.cancelled.connect(lambda: fail(f"{job.title} was cancelled."))
    dialog.rejected.connect(job.cancel)
