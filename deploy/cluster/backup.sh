#!/bin/sh
# A full backup, on whichever machine is the primary: docker compose exec patroni1 backup.sh
set -eu
python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8008/primary')" \
  || { echo 'not the primary: run it on another machine' >&2; exit 1; }
pgbackrest --config=/etc/switchboard/pgbackrest.conf --stanza=switchboard stanza-create
pgbackrest --config=/etc/switchboard/pgbackrest.conf --stanza=switchboard --type=full backup
