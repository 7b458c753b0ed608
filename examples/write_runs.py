"""Write runs of any agent in Waypost's open form (docs/run-schema.md); standard library only."""

import json
import sys
from pathlib import Path


def run_line(episode_id, poses, thoughts, stopped):
    """One attempt; poses are (viewpoint, [x, y, z], heading), the start first."""
    return {
        "waypost_run": 1,
        "episode_id": episode_id,
        "model": "my-agent",
        "frame": "habitat",
        "heading_convention": "habitat",
        "viewpoints": [pose[0] for pose in poses],
        "positions": [pose[1] for pose in poses],
        "headings": [pose[2] for pose in poses],
        "decisions": [
            {"first_pose": step, "end_pose": step + 1, "thought": thought, "action": poses[step][0]}
            for step, thought in enumerate(thoughts, start=1)
        ],
        "end": {"called_stop": stopped},
    }


with Path(sys.argv[1]).open("w", encoding="utf-8") as file:
    walked = [("a", [0.0, 0.0, 0.0], 0.0), ("b", [0.0, 0.0, -2.0], 0.0)]
    file.write(json.dumps(run_line("1940_1", walked, ["the door is ahead"], True)) + "\n")
