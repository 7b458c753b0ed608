#!/usr/bin/env bash
# Run a command beside a PostgreSQL server of its own, made for it and deleted after it. It listens
# on a socket in its own folder only; WAYPOST_TEST_POSTGRESQL tells the command its address.
# Usage: scripts/with_postgresql.sh COMMAND [ARGUMENT …]
set -euo pipefail
source "$(dirname "$0")/packages.sh"

# Debian keeps the server's programs off the PATH, one folder for each version.
find_programs() { find /usr/lib/postgresql -path '*/bin/initdb' -printf '%h\n' 2>/dev/null | sort -V | tail -n 1; }
if [ -z "$(find_programs)" ]; then (cd "$(dirname "$0")/.." && install_system_packages postgresql); fi
programs="$(find_programs)"
if [ -z "$programs" ]; then
  echo "PostgreSQL's server is not on this machine: please install it (Debian: apt-get install postgresql)." >&2
  exit 1
fi

folder="$(mktemp -d /tmp/waypost-postgresql-XXXXXX)"
# The server refuses to run as root; Debian's package brings a user for it.
as_owner=()
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$folder"
  chmod 755 "$folder"
  as_owner=(setpriv --reuid postgres --regid postgres --init-groups)
fi
in_its_folder() { (cd "$folder" && "$@"); }
stop() {
  in_its_folder "${as_owner[@]}" "$programs/pg_ctl" --pgdata="$folder/data" --mode=immediate --silent stop || true
  rm -rf "$folder"
}
trap stop EXIT
quietly="$(realpath "$(dirname "$0")/quietly.sh")"
in_its_folder "$quietly" "${as_owner[@]}" "$programs/initdb" --pgdata="$folder/data" --username=waypost \
  --auth=trust --encoding=UTF8 --no-locale --no-sync
in_its_folder "$quietly" "${as_owner[@]}" "$programs/pg_ctl" --pgdata="$folder/data" --silent --wait \
  --log="$folder/log" --options="-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off" start
WAYPOST_TEST_POSTGRESQL="postgresql://waypost@/postgres?host=$folder" "$@"
