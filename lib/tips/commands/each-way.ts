import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { sports } from '@/lib/reference/schema/sports';
import { golfTerms, racingSports, standardTerms } from '@/lib/settlement/rules/each-way';
import type { EachWayTerms } from '@/lib/settlement/schema';
import type { OfferedLeg } from './legs';

type Field = { runners: number; handicap: boolean };

/** Settlement §4: the place terms of each tip's legs as they stand at publication; null where `eachWay` is not asked. Failure 'invalid' where a leg cannot be backed each-way. */
export async function eachWayTermsOf(tips: readonly { eachWay: boolean; legs: readonly OfferedLeg[] }[]): Promise<(EachWayTerms | null)[][]> {
  const wanted = tips.filter(({ eachWay }) => eachWay).flatMap(({ legs }) => legs.map(({ fixtureId }) => fixtureId));
  const fields = wanted.length > 0 ? await readFields(wanted) : new Map<number, Field>();
  return tips.map(({ eachWay, legs }) => legs.map((leg, index) => (eachWay ? termsOf(leg, index, fields.get(leg.fixtureId)) : null)));
}

function termsOf(leg: OfferedLeg, index: number, field: Field = { runners: 0, handicap: false }): EachWayTerms {
  const sport = sports.find(({ id }) => id === leg.sportId)?.reference ?? '';
  const refuse = (why: string) => new Failure('invalid', `${leg.fixtureName}: ${why}. Take the tip to win only.`, { [`legs.${index}`]: why });
  if (leg.kind !== 'outright-winner') throw refuse('only an outright winner can be backed each-way');
  if (sport === 'golf') return { ...golfTerms, basis: 'standard' };
  if (!racingSports.includes(sport)) throw refuse('this sport has no place terms');
  const terms = standardTerms(field.runners, field.handicap);
  if (!terms) throw refuse('with fewer than five runners nothing is paid for a place');
  return { ...terms, basis: 'standard' };
}

async function readFields(fixtureIds: readonly number[]): Promise<Map<number, Field>> {
  const { rows } = await sql<Field & { fixtureId: number }>`
    select fixture.id as "fixtureId", count(*) filter (where withdrawn_at is null)::int as runners, fixture.handicap
    from fixture join runner on runner.fixture_id = fixture.id where fixture.id = any(${[...fixtureIds]}::int[]) group by fixture.id
  `.execute(database());
  return new Map(rows.map(({ fixtureId, ...field }) => [fixtureId, field]));
}
