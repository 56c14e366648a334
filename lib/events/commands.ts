import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { wake } from '@/lib/platform/wake';
import type { NewEvent } from './schema';

/**
 * Product §12: writes events down in the caller's transaction, which is the one that does what they tell of; those of a key that is known
 * already are left out. Whoever they are for hears of them once it is committed.
 */
export async function noteEvents(events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const of = (event: NewEvent) => ({
    portfolioId: null,
    tipId: null,
    postId: null,
    fixtureId: null,
    version: null,
    accountId: null,
    details: {},
    ...event,
  });
  const rows = events.map(of);
  await sql`
    with noted as (
      insert into event (key, kind, at, portfolio_id, tip_id, post_id, fixture_id, version, account_id, details)
      select key, kind, at, portfolio_id, tip_id, post_id, fixture_id, version, account_id, details
      from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ at }) => at)}::timestamptz[],
        ${rows.map(({ portfolioId }) => portfolioId)}::int[], ${rows.map(({ tipId }) => tipId)}::int[], ${rows.map(({ postId }) => postId)}::int[],
        ${rows.map(({ fixtureId }) => fixtureId)}::int[], ${rows.map(({ version }) => version)}::smallint[], ${rows.map(({ accountId }) => accountId)}::int[],
        ${rows.map(({ details }) => JSON.stringify(details))}::jsonb[])
        with ordinality as e (key, kind, at, portfolio_id, tip_id, post_id, fixture_id, version, account_id, details, place)
      order by place
      on conflict (key) do nothing
      returning id
    )
    insert into event_spread (event_id) select id from noted
  `.execute(database());
  wake('events');
}
