#!/usr/bin/env bash
# Make .venv and install what is missing; fast when nothing is.
# Usage: scripts/setup.sh [EXTRAS]     e.g. scripts/setup.sh test,lint
set -euo pipefail
cd "$(dirname "$0")/.."
extras="${1:-}"
source scripts/pythons.sh
source scripts/packages.sh

# What Qt, OpenGL and the virtual display need on Debian and Ubuntu. Where releases name a package
# differently, its names are joined by |.
system_packages=(
  xvfb xauth libgl1 libgl1-mesa-dri libglx-mesa0 libegl1 libegl-mesa0 libopengl0
  libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0
  libxcb-xinerama0 libxcb-randr0 libxcb-render-util0 libxcb-image0 libdbus-1-3
  libwayland-cursor0 libwayland-egl1 'libglib2.0-0t64|libglib2.0-0'
  libfontconfig1 fonts-dejavu-core
)

# The one asked for, else what is called python3, else the newest beside it that fits.
find_python() {
  local candidates=("${PYTHON:-python3}") candidate minor refused=""
  if [ -z "${PYTHON:-}" ]; then
    for ((minor = newest; minor >= oldest; minor--)); do candidates+=("python3.$minor"); done
  fi
  for candidate in "${candidates[@]}"; do
    if ! minor="$(minor_version "$candidate")"; then
      if [ -n "${PYTHON:-}" ]; then refused="$candidate is no Python 3 that runs. "; fi
    elif [ "$minor" -gt "$newest" ]; then
      refused+="$candidate is Python 3.$minor, too new: Waypost is not tried on it yet. "
    elif [ "$minor" -lt "$oldest" ]; then
      refused+="$candidate is Python 3.$minor, too old. "
    else
      echo "$candidate"
      return
    fi
  done
  echo "Waypost needs Python 3.$oldest to 3.$newest. ${refused}Please install one, or set" \
    "PYTHON=/path/to/python3.$newest, and run again." >&2
  exit 1
}

# Made anew where it is half made, or was made by a Python that is gone or does not fit.
python=.venv/bin/python
if ! $python -c "import pip, sys; sys.exit(not $oldest <= sys.version_info[1] <= $newest)" 2>/dev/null; then
  python="$(find_python)"
fi
install_system_packages "${system_packages[@]}"
if [ "$python" != .venv/bin/python ]; then
  if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    install_system_packages "python3.$(minor_version "$python")-venv"
  fi
  "$python" -m venv --clear .venv
fi

# Install again only when the project file changed or an extra was not there yet.
stamp=".venv/installed-$(sha256sum pyproject.toml | cut -c1-12)-${extras//,/-}"
if [ ! -e "$stamp" ]; then
  target="."
  [ -n "$extras" ] && target=".[$extras]"
  echo "installing Python packages into .venv (a few minutes the first time) …"
  scripts/quietly.sh .venv/bin/python -m pip install --disable-pip-version-check -e "$target"
  touch "$stamp"
fi
