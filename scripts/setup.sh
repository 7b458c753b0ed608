#!/usr/bin/env bash
# Make .venv and install what is missing; fast when nothing is.
# Usage: scripts/setup.sh [EXTRAS]     e.g. scripts/setup.sh test,lint
set -euo pipefail
cd "$(dirname "$0")/.."
extras="${1:-}"
source scripts/pythons.sh

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

# Sets `missing` to what is not installed, by the names that this machine's apt knows, and
# `unknown` to what it has no name for.
find_missing() { # PACKAGE|OTHER_NAME …
  local all installed known="" names name wanted=()
  missing=() unknown=()
  IFS='| ' read -r -a all <<<"$*"
  installed="$(dpkg-query -W -f '${Package} ${Status}\n' "${all[@]}" 2>/dev/null |
    sed -n 's/ install ok installed$//p')" || true
  for names in "$@"; do
    for name in ${names//|/ }; do
      if grep -qxF "$name" <<<"$installed"; then continue 2; fi
    done
    wanted+=("$names")
  done
  if [ ${#wanted[@]} -eq 0 ]; then return; fi
  known="$(LC_ALL=C apt-cache policy "${all[@]}" |
    awk '/^[^ ]/ { name = $1; sub(/:$/, "", name) } /Candidate: [^(]/ { print name }')"
  for names in "${wanted[@]}"; do
    for name in ${names//|/ }; do
      if grep -qxF "$name" <<<"$known"; then
        missing+=("$name")
        continue 2
      fi
    done
    unknown+=("${names//|/ or }")
  done
}

install_system_packages() { # PACKAGE|OTHER_NAME …
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
  find_missing "$@"
  [ ${#missing[@]} -eq 0 ] && [ ${#unknown[@]} -eq 0 ] && return 0
  local as_root="" for_root="Please run this once as root, then start again:"
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null; then
      as_root="sudo " for_root="Please run this once, then start again:"
    fi
    if ! sudo -n true 2>/dev/null; then
      if [ ${#unknown[@]} -gt 0 ]; then
        echo "apt knows no package ${unknown[*]} yet. $for_root" >&2
        echo "  ${as_root}apt-get update" >&2
      else
        echo "Missing system packages. $for_root" >&2
        echo "  ${as_root}apt-get update && ${as_root}apt-get install -y --no-install-recommends ${missing[*]}" >&2
      fi
      exit 1
    fi
  fi
  $as_root scripts/quietly.sh apt-get update
  find_missing "$@"
  if [ ${#unknown[@]} -gt 0 ]; then
    echo "apt knows no package ${unknown[*]}. Please install it in another way, then start again." >&2
    exit 1
  fi
  echo "installing ${missing[*]}"
  $as_root env DEBIAN_FRONTEND=noninteractive scripts/quietly.sh \
    apt-get install -y --no-install-recommends "${missing[@]}"
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
