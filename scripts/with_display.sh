#!/usr/bin/env bash
# Run a command on the display there is, or on a virtual one.
set -euo pipefail
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -z "${WAYPOST_XVFB:-}" ]; then
  exec "$@"
fi
exec xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX" "$@"
