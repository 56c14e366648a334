import { sql } from 'kysely';
import { importFixtures, type ImportSummary, type LinedFixture } from '@/lib/fixtures/commands';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { worldNow } from './world';

/** Fixtures as the lines of a file whose first line is a header. */
export const lined = (fixtures: readonly FeedFixture[]): LinedFixture[] =>
  fixtures.map((fixture, index) => ({ line: index + 2, fixture }));

/** Imports fixtures as one batch of a source at the moment at which the tests stand. */
export const importAll = (
  fixtures: readonly FeedFixture[],
  source = 'football-data',
  now = worldNow,
): Promise<ImportSummary> => importFixtures(lined(fixtures), source, now);

const tables = [
  'league',
  'participant',
  'participant_alias',
  'fixture',
  'fixture_result',
  'market',
  'selection',
  'price',
  'price_change',
] as const;

/** Every row of every table that an import writes, to be compared whole. */
export async function everything(): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {};
  for (const table of tables) {
    const { rows } = await sql<{
      row: unknown;
    }>`select to_jsonb(t) as row from ${sql.table(table)} t order by to_jsonb(t)::text`.execute(database());
    contents[table] = rows.map(({ row }) => row);
  }
  return contents;
}

/** How many rows each of those tables holds. */
export async function counts(): Promise<Record<(typeof tables)[number], number>> {
  const contents = await everything();
  return Object.fromEntries(tables.map((table) => [table, contents[table]?.length ?? 0])) as Record<
    (typeof tables)[number],
    number
  >;
}

type StoredFixture = {
  reference: string;
  startsAt: string;
  startTimeKnown: boolean;
  status: string;
  sources: string[];
  closed: boolean;
};

/** The fixtures between two sides by name, in the order of their start. */
export async function fixturesBetween(home: string, away: string): Promise<StoredFixture[]> {
  const { rows } = await sql<Omit<StoredFixture, 'startsAt'> & { startsAt: Date }>`
    select fixture.reference, starts_at as "startsAt", start_time_known as "startTimeKnown", status, sources, closed_at is not null as closed
    from fixture join participant home on home.id = home_id join participant away on away.id = away_id
    where home.name = ${home} and away.name = ${away} order by starts_at, fixture.id
  `.execute(database());
  return rows.map(({ startsAt, ...row }) => ({ ...row, startsAt: startsAt.toISOString() }));
}

/** A stored price in thousandths: opening, present and closing. */
export type StoredPrice = { now: number; opening: number; closing: number | null };

/** The stored price of a bookmaker on a selection of a fixture's match result. */
export async function storedPrice(reference: string, key: string, bookmaker: string): Promise<StoredPrice | null> {
  const { rows } = await sql<StoredPrice>`
    select odds_thousandths as now, opening_thousandths as opening, closing_thousandths as closing
    from price join selection on selection.id = selection_id join market on market.id = market_id join fixture on fixture.id = fixture_id
    join bookmaker on bookmaker.id = bookmaker_id
    where fixture.reference = ${reference} and market.kind = 'match-result' and key = ${key} and bookmaker.reference = ${bookmaker}
  `.execute(database());
  return rows[0] ?? null;
}
