#!/usr/bin/env bash
# Build the wheel, install it into an environment of its own, and run it there.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf build/wheel build/wheel-venv
scripts/quietly.sh .venv/bin/python -m pip wheel --disable-pip-version-check --no-deps -w build/wheel .
python3_of_venv="$(readlink -f .venv/bin/python)"
"$python3_of_venv" -m venv build/wheel-venv
scripts/quietly.sh build/wheel-venv/bin/python -m pip install --disable-pip-version-check build/wheel/*.whl
(
  cd build
  wheel-venv/bin/waypost --version
  rm -rf wheel-sample
  wheel-venv/bin/waypost sample wheel-sample
  wheel-venv/bin/waypost scene info wheel-sample/scenes/home.glb
)
echo "wheel installed and ran"
