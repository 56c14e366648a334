import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { runApart } from '@/lib/platform/apart';
import type { TimeRange } from '@/lib/reference/schema';
import { type Luck, luckOf, type LuckBets } from '../rules/luck';

const ttlSeconds = 600;

/** What tells apart all that the chance is computed from: the same bets that came to the same have the same digest. */
export function digestOf({ bets, totals: { tips, advised, level } }: LuckBets): string {
  const inOrder = Object.entries(bets).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sums = [
    tips,
    ...[advised, level].flatMap(({ stakedHundredths, profitMicrounits }) => [
      String(stakedHundredths),
      String(profitMicrounits),
    ]),
  ];
  return createHash('sha256')
    .update(JSON.stringify([sums, inOrder]))
    .digest('base64url');
}

/** Computes the chance that a record is luck, off the main thread. */
export function computeLuck({ bets, totals }: LuckBets): Promise<Luck> {
  return runApart('luck', { bets, totals }, luckOf);
}

/** The chance that a portfolio's record in a sport, or in all (0), over a time range is luck: as it was computed when the record changed, or now where that is still to come. */
export async function readLuck(
  portfolioId: number,
  { range, sportId }: { range: TimeRange; sportId: number },
  rollup: LuckBets,
): Promise<Luck> {
  const digest = digestOf(rollup);
  // No tag: of the same bets it never changes.
  return cached(`luck:${digest}`, ttlSeconds, [], async () => {
    const { rows } =
      await sql<Luck>`select advised, level from portfolio_luck where portfolio_id = ${portfolioId} and sport_id = ${sportId} and period = ${range} and digest = ${digest}`.execute(
        database(),
      );
    return rows[0] ?? computeLuck(rollup);
  });
}
