"""What the plan of a study says about driving: by which agent, and whether gazes move."""

from __future__ import annotations

from waypost.app.shell.workbench import Workbench
from waypost.domain.record.study import Study
from waypost.domain.traverse.agent import AgentProfile
from waypost.io.agent_files import shipped_agents

DEFAULT_AGENT = "human"


def driven_profile(bench: Workbench, study: Study) -> AgentProfile:
    """The agent that participants drive."""
    plan, agents = study.plan, bench.project.agents
    key = (plan.agent_key if plan else "") or DEFAULT_AGENT
    return agents.get(key) or shipped_agents()[DEFAULT_AGENT]


def may_look(study: Study) -> bool:
    """Whether participants may look up and down."""
    return study.plan is not None and study.plan.can_look
