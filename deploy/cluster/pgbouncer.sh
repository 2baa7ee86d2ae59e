#!/bin/sh
set -eu
umask 077
printf '"switchboard" "%s"\n' "$POSTGRES_PASSWORD" > /tmp/users.txt
exec pgbouncer /etc/switchboard/pgbouncer.ini
