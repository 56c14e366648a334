import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { sports } from '@/lib/reference/schema/sports';
import { golfTerms, racingSports, standardTerms } from '@/lib/settlement/rules/each-way';
import type { EachWayTerms } from '@/lib/settlement/schema';
import type { OfferedLeg } from './legs';

/** Settlement §4: the place terms of a leg as they stand at publication. Failure 'invalid' where a leg cannot be backed each-way. */
export async function eachWayTermsOf(leg: OfferedLeg, index: number): Promise<EachWayTerms> {
  const sport = sports.find(({ id }) => id === leg.sportId)?.reference ?? '';
  const refuse = (why: string) => new Failure('invalid', `${leg.fixtureName}: ${why}. Take the tip to win only.`, { [`legs.${index}`]: why });
  if (leg.kind !== 'outright-winner') throw refuse('only an outright winner can be backed each-way');
  if (sport === 'golf') return { ...golfTerms, basis: 'standard' };
  if (!racingSports.includes(sport)) throw refuse('this sport has no place terms');
  const { rows } = await sql<{ runners: number; handicap: boolean }>`
    select count(*) filter (where withdrawn_at is null)::int as runners, coalesce(bool_or(fixture.handicap), false) as handicap
    from fixture join runner on runner.fixture_id = fixture.id where fixture.id = ${leg.fixtureId}
  `.execute(database());
  const terms = standardTerms(rows[0]?.runners ?? 0, rows[0]?.handicap ?? false);
  if (!terms) throw refuse('with fewer than five runners nothing is paid for a place');
  return { ...terms, basis: 'standard' };
}
