import pg from 'pg';
import { onConnection } from './connection';

/** Gives a database a clock of its own in the place of PostgreSQL's, for every connection that is opened from then on. */
export async function takeDatabaseClock(ownerUrl: string): Promise<void> {
  await onConnection(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query(`
      create table trial_clock (ahead interval not null);
      insert into trial_clock values ('0');
      create function public.clock_timestamp() returns timestamptz language sql volatile security definer as 'select pg_catalog.clock_timestamp() + ahead from public.trial_clock';
      alter database ${pg.escapeIdentifier(rows[0]?.name ?? '')} set search_path = public, pg_catalog`);
  });
}

/** Sets the clock that `takeDatabaseClock` gave, so many seconds ahead of the machine's. */
export async function setDatabaseClock(ownerUrl: string, seconds: number): Promise<void> {
  await onConnection(ownerUrl, (client) =>
    client.query('update trial_clock set ahead = make_interval(secs => $1)', [seconds]),
  );
}
