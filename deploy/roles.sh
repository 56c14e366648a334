#!/bin/sh
# Makes the two roles and the database, once; the passwords come from files, the administrator's rights from psql's own settings.
# In a container PostgreSQL's image runs it; elsewhere: SECRETS=/etc/tipledger/secrets PGUSER=postgres sh deploy/roles.sh
set -eu
secrets=${SECRETS:-/run/secrets}
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-${PGUSER:-postgres}}" --dbname postgres \
  -v owner="$(cat "$secrets/owner")" -v program="$(cat "$secrets/program")" <<'SQL'
create role tipledger_owner login password :'owner';
create role tipledger_program login password :'program' nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
create database tipledger owner tipledger_owner encoding 'UTF8' template template0;
revoke connect, temporary on database tipledger from public;
grant connect on database tipledger to tipledger_program;
-- Through PgBouncer no limit can be sent along, so the role brings its own.
alter role tipledger_program set timezone = 'UTC';
alter role tipledger_program set statement_timeout = '60s';
alter role tipledger_program set lock_timeout = '8s';
alter role tipledger_program set idle_in_transaction_session_timeout = '120s';
\connect tipledger
create extension if not exists pg_trgm;
grant usage, create on schema public to tipledger_owner;
grant usage on schema public to tipledger_program;
SQL
