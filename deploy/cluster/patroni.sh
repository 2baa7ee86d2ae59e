#!/bin/sh
# One member of the cluster: NAME, POSTGRES_PASSWORD. Writes Patroni's settings, with the passwords, to memory.
set -eu
umask 077
cat > /tmp/after-bootstrap.sh <<SQL
#!/bin/sh
psql -v ON_ERROR_STOP=1 -d "\$1" -c "create role switchboard login password '$POSTGRES_PASSWORD'" -c 'create database switchboard owner switchboard'
SQL
chmod 700 /tmp/after-bootstrap.sh
cat > /tmp/patroni.yml <<YAML
scope: switchboard
name: $NAME
restapi: { listen: '0.0.0.0:8008', connect_address: '$NAME:8008' }
# Debian's Patroni 3.0.2 must not use API 3 of etcd: a primary that was paused would take the lock of its successor away.
etcd: { hosts: 'etcd1:2379,etcd2:2379,etcd3:2379' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    primary_start_timeout: 0
    synchronous_mode: true
    synchronous_mode_strict: true
    failsafe_mode: true
    postgresql:
      use_pg_rewind: true
      use_slots: false
      remove_data_directory_on_rewind_failure: true
      parameters:
        max_connections: 200
        wal_keep_size: 1GB
        wal_sender_timeout: 5s
        wal_retrieve_retry_interval: 200ms
        archive_mode: 'on'
        archive_timeout: 60s
        archive_command: pgbackrest --config=/etc/switchboard/pgbackrest.conf --stanza=switchboard archive-push %p
  initdb: [ { encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums, { auth-host: scram-sha-256 } ]
  pg_hba:
    - local all all trust
    - host all all 0.0.0.0/0 scram-sha-256
    - host replication all 0.0.0.0/0 scram-sha-256
  post_bootstrap: /tmp/after-bootstrap.sh
postgresql:
  listen: '0.0.0.0:5432'
  connect_address: '$NAME:5432'
  data_dir: /var/lib/postgresql/data/main
  bin_dir: /usr/lib/postgresql/15/bin
  pgpass: /tmp/pgpass
  parameters: { unix_socket_directories: /tmp }
  authentication:
    superuser: { username: postgres, password: '$POSTGRES_PASSWORD' }
    replication: { username: replicator, password: '$POSTGRES_PASSWORD' }
    rewind: { username: rewind, password: '$POSTGRES_PASSWORD' }
YAML
exec patroni /tmp/patroni.yml
