#!/usr/bin/env bash
# Run the tests without windows on the oldest and the newest Python that Waypost supports, where this
# machine has them, besides the one of .venv. Their environments are kept in build/python-3.X.
# Usage: scripts/test_other_pythons.sh [--whole | --prepare]
#
# Without --whole, as .ci/run calls it to stay under half an hour, kills, engines, what takes long and is the same
# on every Python, and the optional real data are tried on the Python of .venv alone, and properties with fewer
# examples; with it, before a release, everything is tried on all Pythons but for tests/faults/fuzz.
# --prepare only makes the environments that are needed without --whole.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/pythons.sh
chosen="not gui and not realdata and not faults and not conformance and not heavy"
examples=few
doing=testing
mode="${1:-}"
if [ "$mode" = --prepare ]; then doing=installing; fi
if [ "$mode" = --whole ]; then
  chosen="not gui"
  examples=patient
fi

# `python3.X` on the PATH, or a version that pyenv keeps.
find_python() { # MINOR
  local candidate
  for candidate in "python3.$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$1."*/bin/python; do
    if [ "$(minor_version "$candidate")" = "$1" ]; then
      echo "$candidate"
      return
    fi
  done
}

ours="$(minor_version .venv/bin/python)"
for ((minor = oldest; minor <= newest; minor++)); do
  if [ "$minor" -eq "$ours" ]; then continue; fi
  if [ "$mode" != --whole ] && [ "$minor" -ne "$oldest" ] && [ "$minor" -ne "$newest" ]; then
    echo "Python 3.$minor: neither the oldest nor the newest, left to --whole"
    continue
  fi
  python="$(find_python "$minor")"
  if [ -z "$python" ]; then
    echo "Python 3.$minor: not on this machine, not tested"
    continue
  fi
  environment="build/python-3.$minor"
  echo "Python 3.$minor: $doing with $("$python" -c 'import sys; print(sys.version.split()[0])')"
  if [ "$(minor_version "$environment/bin/python")" != "$minor" ]; then
    "$python" -m venv --clear "$environment"
  fi
  scripts/quietly.sh "$environment/bin/python" -m pip install --disable-pip-version-check -e ".[test]"
  if [ "$mode" = --prepare ]; then continue; fi
  "$environment/bin/python" -m pytest -q -n auto --dist loadfile --no-loadscope-reorder \
    -m "$chosen" --hypothesis-profile "$examples" --ignore tests/faults/fuzz
done
