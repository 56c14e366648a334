import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { runnerKey } from '@/lib/fixtures/rules';
import { type FeedFixture, type FeedMarket, fixtureCorrectionSchema } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decidedAt } from '@/lib/platform/moment';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { orderCorrection } from '@/lib/rulings/commands';
import { openStaff } from '../support/accounts';
import { after, start } from '../support/bets';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip, resettleCorrected, settleDueTips } from '../support/moments';
import { match, worldNow } from '../support/world';

onTestDatabase();

let ada: Viewer;
beforeAll(async () => {
  ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
});

const market = (
  kind: FeedMarket['kind'],
  keys: readonly string[],
  more: Partial<Pick<FeedMarket, 'lineHundredths' | 'period'>> = {},
): FeedMarket => ({
  ...{ kind, lineHundredths: 0, period: 'full-time', includesOvertime: false },
  ...more,
  selections: keys.map((key) => ({
    key,
    name: key,
    prices: [
      {
        ...{ bookmakerReference: 'bet365', price: { oddsThousandths: 2000, fraction: null } },
        ...{ at: '2026-03-09T09:00:00.000Z', timeKnown: true, closing: false },
      },
    ],
  })),
});

const league = { reference: 'cup', name: 'Cup', countryIso2: null, territory: null, rank: 9 };
const sets = (more: Partial<FeedFixture> = {}) =>
  match('A. Ash', 'B. Oak', start.toISOString(), {
    ...{ sportReference: 'tennis', league },
    markets: [
      market('moneyline', ['home', 'away']),
      market('set-betting', ['2-0', '2-1']),
      market('total', ['over', 'under'], { lineHundredths: 2050 }),
    ],
    ...more,
  });
const players = ['R. Vane', 'P. Cole', 'T. Ash'];
const goals = (more: Partial<FeedFixture> = {}) =>
  match('Elms', 'Oaks', start.toISOString(), {
    markets: [
      market('match-result', ['home', 'draw', 'away'], { period: 'half-time' }),
      {
        ...market('scorer', players.map(runnerKey)),
        selections: market('scorer', players.map(runnerKey)).selections.map((selection, place) => ({
          ...selection,
          name: players[place] ?? '',
        })),
      },
    ],
    ...more,
  });
const tennis = 'a-ash-v-b-oak-2026-03-10';
const football = 'elms-v-oaks-2026-03-10';

const tell = (fixture: FeedFixture, at = worldNow) =>
  importFixtures([{ line: 1, fixture }], fixture.sportReference === 'tennis' ? 'the-odds-api' : 'openfootball', at);

async function tipped(reference: string, on: readonly (readonly [kind: string, key: string])[]): Promise<void> {
  const { owner, reference: portfolio } = await openShop(
    'ann',
    { name: 'Ann', visibility: PortfolioVisibility.public },
    worldNow,
  );
  for (const [place, [kind, key]] of on.entries()) {
    const legs = [await offer(reference, kind, key, 'bet365')];
    await publishTip(owner, portfolio, { idempotencyKey: `tip-${place}`, legs, stakeHundredths: 100 }, worldNow);
  }
}

/** What became of each tip by now, in the order of their publication. */
async function outcomes(at: Date): Promise<(string | null)[]> {
  await settleDueTips(at);
  await resettleCorrected(at);
  const { rows } = await sql<{ outcome: string | null }>`
    select (select outcome from tip_settlement where tip_id = tip.id order by version desc limit 1) as outcome from tip order by id
  `.execute(database());
  return rows.map(({ outcome }) => outcome);
}

const enter = (reference: string, body: Record<string, string>, at = after(4)) =>
  decidedAt(at, () =>
    orderCorrection({
      staff: ada,
      reference,
      correction: fixtureCorrectionSchema.parse({ reason: 'As it was played.', ...body }),
    }),
  );

const refusal = async (reference: string, body: Record<string, string>) => {
  const error: unknown = await enter(reference, body).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof Failure ? [error.kind, Object.keys(error.fields ?? {})] : error;
};

describe('a match in sets', () => {
  const onSets = [
    ['moneyline', 'home'],
    ['set-betting', '2-0'],
    ['set-betting', '2-1'],
    ['total', 'under'],
  ] as const;

  test(
    'is settled by the sets that staff enter, which must come to the score',
    undone(async () => {
      await tell(sets());
      await tipped(tennis, onSets);
      const score = { action: 'fixture.score', home: '2', away: '0' };
      expect([
        await refusal(tennis, score),
        await refusal(tennis, { ...score, sets: '6-4\n3-6' }),
        await refusal(tennis, { ...score, sets: '6-4' }),
        await refusal(tennis, { ...score, sets: '6-4\n6-3\n1-0' }),
        await refusal(tennis, { ...score, home: '1', away: '1', sets: '6-4\n3-6' }),
        await refusal(football, { ...score, sets: '6-4\n6-3' }),
      ]).toEqual([...Array.from({ length: 4 }, () => ['invalid', ['sets']]), ['invalid', ['home']], ['missing', []]]);
      expect(await outcomes(after(4))).toEqual([null, null, null, null]);
      await enter(tennis, { ...score, sets: '6-4\r\n6 – 3' });
      expect(await outcomes(after(5))).toEqual(['won', 'won', 'lost', 'won']);
      await enter(tennis, { ...score, away: '1', sets: '6-4\n6-7\n7-6' }, after(6));
      expect(await outcomes(after(7))).toEqual(['won', 'lost', 'won', 'lost']);
    }),
  );

  test(
    'of which a source tells the sets won alone has only what needs more wait',
    undone(async () => {
      await tell(sets());
      await tipped(tennis, onSets);
      await tell(sets({ result: { home: 2, away: 0, halfTime: null } }), after(4));
      expect(await outcomes(after(5))).toEqual(['won', 'won', 'lost', null]);
    }),
  );

  test(
    'can be a walkover, and can end by a retirement',
    undone(async () => {
      await tell(sets());
      await tipped(tennis, onSets);
      const end = { action: 'fixture.end', ending: 'away-retired', home: '1', away: '0' };
      expect([
        await refusal(tennis, end),
        await refusal(tennis, { ...end, ending: 'walkover' }),
        await refusal(tennis, { ...end, sets: '4-6' }),
      ]).toEqual([
        ['invalid', ['sets']],
        ['invalid', ['home']],
        ['invalid', ['sets']],
      ]);
      await enter(tennis, { ...end, sets: '7-6\n5-4' });
      // A source knows of no retirement: it tells less of the same.
      await tell(sets({ result: { home: 1, away: 0, halfTime: null } }), after(4.5));
      expect(await outcomes(after(5))).toEqual(['void', 'void', 'void', 'lost']);
      await enter(tennis, { action: 'fixture.end', ending: 'walkover', home: '', away: '', sets: '' }, after(6));
      expect(await outcomes(after(7))).toEqual(['void', 'void', 'void', 'void']);
    }),
  );
});

describe('a match with scorers', () => {
  const onGoals = [['match-result', 'away'], ...players.map((name) => ['scorer', runnerKey(name)] as const)] as const;
  const scorers = {
    goals: [
      { name: 'P. Cole', ownGoal: true, period: 'first-half' as const },
      { name: 'R. Vane', ownGoal: false, period: 'second-half' as const },
    ],
    absentees: ['T. Ash'],
  };
  const result = { home: 1, away: 1, halfTime: { home: 0, away: 1 } };

  test(
    'has the bets on them settled as a feed tells them, and waits where it does not',
    undone(async () => {
      await tell(goals());
      await tipped(football, onGoals);
      await tell(goals({ result }), after(4));
      expect(await outcomes(after(5))).toEqual(['won', null, null, null]);
      await tell(goals({ result: { ...result, scorers: { ...scorers, goals: scorers.goals.slice(1) } } }), after(30));
      expect(await outcomes(after(31))).toEqual(['won', null, null, null]);
      await tell(goals({ result: { ...result, scorers } }), after(32));
      await tell(goals({ result }), after(33));
      expect(await outcomes(after(90))).toEqual(['won', 'won', 'lost', 'void']);
    }),
  );

  test(
    'takes them from staff, who must tell every goal of the score',
    undone(async () => {
      await tell(goals());
      await tipped(football, onGoals);
      const score = { action: 'fixture.score', home: '1', away: '1', halfTimeHome: '0', halfTimeAway: '1' };
      expect([
        await refusal(football, { ...score, scorers: '2 R. Vane' }),
        await refusal(football, { ...score, scorers: '2 P. Cole (own goal)\n2 R. Vane' }),
        await refusal(football, { ...score, scorers: '1 P. Cole\n2 R. Vane', absentees: 'Nobody' }),
        await refusal(football, { ...score, scorers: '1 P. Cole\n2 R. Vane', absentees: 'P. Cole' }),
        await refusal(football, { ...score, halfTimeAway: '2' }),
      ]).toEqual([
        ...['scorers', 'scorers', 'absentees', 'absentees', 'halfTimeHome'].map((field) => ['invalid', [field]]),
      ]);
      await enter(football, { ...score, scorers: '1 P. Cole (own goal)\n2 r. vane', absentees: 'T. Ash' });
      expect(await outcomes(after(5))).toEqual(['won', 'won', 'lost', 'void']);
      await enter(football, { ...score, home: '0', away: '0', halfTimeAway: '0' }, after(6));
      expect(await outcomes(after(7))).toEqual(['lost', 'lost', 'lost', 'lost']);
    }),
  );

  test(
    'that is abandoned keeps the bets that were decided: on the first half, and on who had scored',
    undone(async () => {
      await tell(goals());
      await tipped(football, onGoals);
      const abandon = { action: 'fixture.abandon', home: '1', away: '1' };
      await enter(football, { ...abandon, scorers: '1 P. Cole (own goal)\n2 R. Vane' });
      expect(await outcomes(after(5))).toEqual([null, 'won', null, null]);
      await enter(football, { ...abandon, halfTimeHome: '0', halfTimeAway: '1' }, after(6));
      expect(await outcomes(after(90))).toEqual(['won', 'won', 'void', 'void']);
      await expect(enter(football, abandon, after(91))).rejects.toThrow('This is how it stands already.');
      const unreached = { ...abandon, firstHalf: 'not-reached' };
      expect(await refusal(football, { ...unreached, halfTimeHome: '0', halfTimeAway: '1' })).toEqual([
        'invalid',
        ['halfTimeHome'],
      ]);
      await enter(football, unreached, after(93));
      expect((await outcomes(after(94)))[0]).toBe('void');
    }),
  );
});
