import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { readBreakdowns } from '@/lib/stats/queries/breakdowns';
import { foldBreakdowns } from '@/lib/stats/rules';
import { foldVersion, storedDay } from '@/lib/stats/rules/stored-day';
import { breakdownKinds, type SettledTip } from '@/lib/stats/schema';
import { onTestDatabase } from '../support/database';
import { openShop } from '../support/members';
import { randomFrom } from '../support/random-tips';
import { worldNow } from '../support/world';

onTestDatabase();

const hour = 3_600_000;
const begin = Date.parse('2026-01-05T12:00:00.000Z');
const ofDay = (day: number) => new Date(begin + day * 24 * hour).toISOString();
const dateOf = (day: number) => ofDay(day).slice(0, 10);

function tipOf(random: () => number, day: number, sequence: number): SettledTip {
  const isVoid = random() < 0.1;
  // Beyond what a number holds exactly, so that a sum that goes through one is seen.
  const profit = isVoid ? 0n : BigInt(Math.floor((random() - 0.5) * 1e9)) * 10_000_000_019n;
  return {
    tipId: sequence,
    settledSequence: sequence,
    settledAt: ofDay(day),
    publishedAt: new Date(begin + day * 24 * hour - random() * 200 * hour).toISOString(),
    firstStartsAt: new Date(begin + day * 24 * hour - random() * 20 * hour).toISOString(),
    stakeHundredths: 1 + Math.floor(random() * 900),
    stakedHundredths: isVoid ? 0 : 1 + Math.floor(random() * 900),
    profitMicrounits: String(profit),
    levelStakedHundredths: isVoid ? 0 : 100,
    levelProfitMicrounits: isVoid ? 0 : Math.floor((random() - 0.5) * 1e8),
    oddsMillionths: 1_000_001 + Math.floor(random() * 2e7),
    placeOddsMillionths: null,
    sportId: random() < 0.2 ? null : 1 + Math.floor(random() * 5),
    leagueId: random() < 0.2 ? null : 1 + Math.floor(random() * 9),
    bookmakerId: random() < 0.2 ? null : 1 + Math.floor(random() * 9),
    betType: random() < 0.5 ? 'match-result' : 'accumulator',
    clvBillionths: random() < 0.3 ? null : Math.floor((random() - 0.5) * 1e9),
    noVigClvBillionths: random() < 0.3 ? null : Math.floor((random() - 0.5) * 1e9),
    followers: { after5: null, after15: null, after60: null, close: null },
  };
}

test('the database adds the days of a record up as the fold of their tips does, over any days', async () => {
  await openShop('adder', { name: 'Adder' }, worldNow);
  const random = randomFrom(7);
  const { rows } = await sql<{ id: number }>`select max(id)::int as id from portfolio`.execute(database());
  const id = rows[0]?.id ?? 0;
  const days = Array.from({ length: 12 }, (_, day) =>
    Array.from({ length: 1 + Math.floor(random() * 9) }, (_, place) => tipOf(random, day, day * 100 + place + 1)),
  );
  for (const [day, tips] of days.entries()) {
    const { rollup, breakdowns } = storedDay(tips);
    await sql`insert into portfolio_day (portfolio_id, day, rollup, breakdowns, fold)
      values (${id}, ${dateOf(day)}::date, ${JSON.stringify(rollup)}::jsonb, ${JSON.stringify(breakdowns)}::jsonb, ${foldVersion})`.execute(
      database(),
    );
  }
  for (const [first, last] of [
    [null, 11],
    [0, 11],
    [3, 7],
    [5, 5],
    [null, 0],
  ] as const) {
    const read = await readBreakdowns(id, { first: first === null ? null : dateOf(first), last: dateOf(last) });
    expect(read).toEqual(foldBreakdowns(days.slice(first ?? 0, last + 1).flat()));
  }
  const none = await readBreakdowns(id, { first: dateOf(20), last: dateOf(30) });
  expect(none).toEqual(Object.fromEntries(breakdownKinds.map((kind) => [kind, {}])));
});
