#!/usr/bin/env bash
# The main job: the window on the sample project, or the demonstration where there is no display.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" != Linux ]; then
  project=out/sample
  [ -e "$project/home.waypost" ] || .venv/bin/waypost sample "$project"
  exec .venv/bin/waypost "$project/home.waypost"
fi
echo "No display: performing the main job on a virtual one (make run on a desktop opens the window)."
WAYPOST_XVFB=1 scripts/with_display.sh .venv/bin/waypost demo --out out/demo
