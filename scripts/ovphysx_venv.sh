#!/usr/bin/env bash
# Make build/ovphysx-venv with the pinned ovphysx (1.1 GB) and print its Python.
# WAYPOST_OVPHYSX_PYTHON names one that is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -n "${WAYPOST_OVPHYSX_PYTHON:-}" ]; then
  echo "$WAYPOST_OVPHYSX_PYTHON"
  exit
fi
folder=build/ovphysx-venv
pins="$(.venv/bin/python - <<'PINS'
import tomllib
with open("pyproject.toml", "rb") as file:
    extras = tomllib.load(file)["project"]["optional-dependencies"]
print("\n".join(extras["ovphysx"]))
PINS
)"
stamp="$folder/installed-$(sha256sum <<<"$pins" | cut -c1-12)"
if [ ! -e "$stamp" ]; then
  mkdir -p build
  .venv/bin/python -m venv --clear "$folder"
  "$folder/bin/pip" install --quiet -r <(printf '%s\nnumpy\n' "$pins") >&2
  touch "$stamp"
fi
echo "$PWD/$folder/bin/python"
