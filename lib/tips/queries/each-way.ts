import 'server-only';
import { sql } from 'kysely';
import { eachWayOffer } from '@/lib/fixtures/rules';
import type { EachWayTerms } from '@/lib/odds/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import type { OfferedLeg } from './legs';

type Field = { runners: number; handicap: boolean };

type Backed = Pick<OfferedLeg, 'fixtureId' | 'fixtureName' | 'sportReference' | 'kind'>;

/** Settlement §4: the place terms of each tip's legs as they stand at publication, or stood at `at`; null where `eachWay` is not asked. Failure 'invalid' where a leg cannot be backed each-way. */
export async function eachWayTermsOf(
  tips: readonly { eachWay: boolean; legs: readonly Backed[] }[],
  at: Date | null = null,
): Promise<(EachWayTerms | null)[][]> {
  const fields = await readFields(
    tips.filter(({ eachWay }) => eachWay).flatMap(({ legs }) => legs),
    at,
  );
  return tips.map(({ eachWay, legs }) =>
    legs.map((leg, index) => {
      if (!eachWay) return null;
      const terms = termsOf(leg, fields.get(leg.fixtureId));
      if (typeof terms === 'string')
        throw new Failure('invalid', `${leg.fixtureName}: ${terms}. Take the tip to win only.`, {
          [`legs.${index}`]: terms,
        });
      return terms;
    }),
  );
}

/** Settlement §4: the place terms at which each leg could be backed each-way now; null where it could not. */
export async function findEachWayTerms(legs: readonly Backed[]): Promise<(EachWayTerms | null)[]> {
  const fields = await readFields(legs);
  return legs.map((leg) => {
    const terms = termsOf(leg, fields.get(leg.fixtureId));
    return typeof terms === 'string' ? null : terms;
  });
}

/** The terms, or why there are none. */
function termsOf(
  { kind, sportReference }: Backed,
  { runners, handicap }: Field = { runners: 0, handicap: false },
): EachWayTerms | string {
  return eachWayOffer({ kind, sportReference, runners, handicap });
}

async function readFields(legs: readonly Backed[], at: Date | null = null): Promise<Map<number, Field>> {
  const fixtureIds = legs.filter(({ kind }) => kind === 'outright-winner').map(({ fixtureId }) => fixtureId);
  if (fixtureIds.length === 0) return new Map();
  const { rows } = await sql<Field & { fixtureId: number }>`
    select fixture.id as "fixtureId", count(*) filter (where withdrawn_at is null or withdrawn_at > ${at}::timestamptz)::int as runners, fixture.handicap
    from fixture join runner on runner.fixture_id = fixture.id where fixture.id = any(${fixtureIds}::int[]) group by fixture.id
  `.execute(database());
  return new Map(rows.map(({ fixtureId, ...field }) => [fixtureId, field]));
}
