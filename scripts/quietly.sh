#!/usr/bin/env bash
# Run a command that talks a lot; what it said is shown only if it failed.
# Usage: scripts/quietly.sh COMMAND [ARGUMENT …]
set -uo pipefail
said="$(mktemp)"
trap 'rm -f "$said"' EXIT
status=0
"$@" >"$said" 2>&1 || status=$?
[ "$status" -eq 0 ] || cat "$said" >&2
exit "$status"
