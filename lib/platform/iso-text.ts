import { type RawBuilder, sql } from 'kysely';

/** A moment of the database as text, as `Date.toISOString` writes it. */
export const isoText = (moment: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
