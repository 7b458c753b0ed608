#!/usr/bin/env bash
# Make .venv and install what is missing; fast when nothing is.
# Usage: scripts/setup.sh [EXTRAS]     e.g. scripts/setup.sh test,lint
set -euo pipefail
cd "$(dirname "$0")/.."
extras="${1:-}"

# What Qt, OpenGL and the virtual display need on Debian and Ubuntu.
system_packages=(
  xvfb xauth libgl1 libgl1-mesa-dri libglx-mesa0 libegl1 libegl-mesa0 libopengl0
  libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0
  libxcb-xinerama0 libxcb-randr0 libxcb-render-util0 libxcb-image0 libdbus-1-3
  libfontconfig1 fonts-dejavu-core
)

find_python() {
  for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
    [ -n "$candidate" ] || continue
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "Waypost needs Python 3.11 or newer; set PYTHON=/path/to/python3 and run again." >&2
  exit 1
}

install_system_packages() {
  command -v dpkg-query >/dev/null 2>&1 || return 0
  local wanted=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || wanted+=("$package")
  done
  [ ${#wanted[@]} -eq 0 ] && return 0
  local as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    if sudo -n true 2>/dev/null; then as_root="sudo -n"; else
      echo "Missing system packages. Please run this once, then start again:" >&2
      echo "  sudo apt-get update && sudo apt-get install -y ${wanted[*]}" >&2
      exit 1
    fi
  fi
  echo "installing ${wanted[*]}"
  $as_root apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends \
    "${wanted[@]}" >/dev/null
}

python="$(find_python)"
install_system_packages "${system_packages[@]}"
if [ ! -x .venv/bin/python ]; then
  if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    install_system_packages "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
  fi
  "$python" -m venv .venv
fi

# Install again only when the project file changed or an extra was not there yet.
stamp=".venv/installed-$(sha256sum pyproject.toml | cut -c1-12)-${extras//,/-}"
if [ ! -e "$stamp" ]; then
  target="."
  [ -n "$extras" ] && target=".[$extras]"
  echo "installing Python packages into .venv (a few minutes the first time) …"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -e "$target"
  touch "$stamp"
fi
