# Which Pythons Waypost runs on; to be sourced at the root of the repository.
# shellcheck shell=bash

# The project file states what the tests pass on: Python 3.$oldest to 3.$newest.
read -r oldest newest < <(
  sed -n 's/^requires-python = ">=3\.\([0-9]*\),<3\.\([0-9]*\)"$/\1 \2/p' pyproject.toml
)
newest=$((newest - 1))

# Prints the X of 3.X; fails for what does not run, like the stand-ins of version managers.
minor_version() { # PYTHON
  "$1" -c 'import sys; print(sys.version_info[1]); sys.exit(sys.version_info[0] != 3)' 2>/dev/null
}
