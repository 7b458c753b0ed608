#!/usr/bin/env bash
# The two commands of the README on a bare Debian, made by debootstrap in a folder and deleted after.
# Usage: scripts/fresh_machine.sh [bookworm|trixie …]     as root; both if none is named
#
# What is committed is cloned in. A user without privileges runs `make run`, is told which packages
# are missing, has root run exactly the printed command, then runs `make run` and `make test`. Either
# printing a warning fails. The last line is the row of the table in docs/reliability.md.
# Of this machine the bare one is given only what the network may need: name servers, certificates,
# proxies, and settings of apt and pip.
#
# FRESH_FOLDER: where to make it, build/fresh unless set (2 GB for each).
# FRESH_KEEP=1: leave it there. FRESH_COMMANDS: instead of "run test".
set -euo pipefail
cd "$(dirname "$0")/.."
repository="$PWD"
folder="$(realpath -m "${FRESH_FOLDER:-build/fresh}")"
warnings='warning|debconf:|QStandardPaths|XDG_RUNTIME_DIR|propagateSizeHints|^qt\.|Traceback'

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
  echo "This needs root, and debootstrap (apt-get install debootstrap)." >&2
  exit 2
fi
# Mounts and processes of its own: whatever happens, the kernel takes both back at the end.
if [ -z "${FRESH_INSIDE:-}" ]; then
  FRESH_INSIDE=1 exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

make_bare_debian() { # RELEASE ROOT
  local mirror
  mirror="$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian Debian //p' | head -n 1)" || true
  scripts/quietly.sh debootstrap --variant=minbase --include=git,make,python3,python3-venv \
    "$1" "$2" ${mirror:+"$mirror"}
  mount -t proc proc "$2/proc"
  mount --rbind /dev "$2/dev"
  mount -t tmpfs -o mode=1777 tmpfs "$2/dev/shm"
  chroot "$2" useradd --create-home --shell /bin/bash newcomer
}

bring_network() { # ROOT
  local file
  cp /etc/resolv.conf /etc/hosts "$1/etc/"
  for file in /etc/apt/auth.conf.d /etc/pip.conf /etc/xdg/pip /etc/ssl/certs/ca-certificates.crt \
    /usr/local/share/ca-certificates $(grep -ls 'Acquire::' /etc/apt/apt.conf /etc/apt/apt.conf.d/*); do
    if [ -e "$file" ]; then
      mkdir -p "$1$(dirname "$file")"
      cp -rL "$file" "$1$(dirname "$file")/"
    fi
  done
  if [ -d ~/.config/pip ]; then
    mkdir -p "$1/home/newcomer/.config"
    cp -r ~/.config/pip "$1/home/newcomer/.config/"
  fi
}

inside() { # ROOT USER COMMAND
  local home="/home/$2" settings=()
  if [ "$2" = root ]; then home=/root; fi
  mapfile -t settings < <(env | grep -E '^([a-z]+_proxy|[A-Z]+_PROXY|PIP_[A-Z_]+|SSL_CERT_[A-Z]+|[A-Z]+_CA_BUNDLE)=')
  chroot --userspec="$2:$2" "$1" /usr/bin/env -i "${settings[@]}" HOME="$home" USER="$2" \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c "cd ~; [ ! -d waypost ] || cd waypost; $3"
}

# Runs a command as the newcomer, shows and keeps what it says.
newcomer() { # ROOT COMMAND
  echo "── $2"
  inside "$1" newcomer "$2" 2>&1 | tee "$1/said"
}

install_what_is_asked_for() { # ROOT
  local command
  for _ in 1 2 3; do
    if newcomer "$1" "scripts/setup.sh"; then return 0; fi
    command="$(sed -n '/^.*[Pp]lease run this/,$ s/^  //p' "$1/said")"
    if [ -z "$command" ]; then return 1; fi
    echo "── as root: $command"
    DEBIAN_FRONTEND=noninteractive inside "$1" root "export DEBIAN_FRONTEND=noninteractive; $command" \
      >"$1/installed" 2>&1 || { cat "$1/installed"; return 1; }
  done
  return 1
}

row() { # ROOT RELEASE PASSED
  inside "$1" newcomer "
    version() { dpkg-query -W -f '\${Version}' \$1 | sed 's/^[0-9]*://; s/[-+].*//'; }
    debian=\$(cat /etc/debian_version)
    libraries=\$(.venv/bin/python -c 'from importlib.metadata import version as v
print(\"PySide6\", v(\"PySide6-Essentials\") + \", numpy\", v(\"numpy\"))')
    echo \"| Debian \$debian ($2) | \$(python3 -V | cut -c8-) | glibc \$(version libc6), Mesa \$(version libgl1-mesa-dri), Xvfb \$(version xvfb), Linux \$(uname -r | sed 's/-.*//') | \$libraries | \$(date +%F) | $3 |\""
}

try_release() { # RELEASE
  local root="$folder/$1" command passed
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  echo "── making a bare Debian ($1)"
  make_bare_debian "$1" "$root"
  bring_network "$root"
  git clone --quiet --no-hardlinks "$repository" "$root/home/newcomer/waypost"
  chroot "$root" chown -R newcomer:newcomer /home/newcomer
  install_what_is_asked_for "$root"
  for command in ${FRESH_COMMANDS:-run test}; do
    newcomer "$root" "make $command"
    if grep -iE "$warnings" "$root/said"; then
      echo "make $command prints what a newcomer should not read" >&2
      return 1
    fi
  done
  passed="$(sed -n 's/^=*[ ]*\([0-9]* passed\(, [0-9]* skipped\)*\) in .*/\1/p' "$root/said" | paste -sd+ | sed 's/+/ + /g')"
  row "$root" "$1" "$passed"
  if [ -z "${FRESH_KEEP:-}" ]; then
    umount -R "$root/dev" "$root/proc"
    rm -rf --one-file-system "$root"
  fi
}

for release in "${@:-bookworm trixie}"; do
  # shellcheck disable=SC2086
  for name in $release; do try_release "$name"; done
done
