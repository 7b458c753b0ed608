# Installs packages of Debian and Ubuntu, or says how to; to be sourced at the root of the repository.
# shellcheck shell=bash

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
