import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { askForDueResults, closeMarkets, correctFixture, reportLiveScores } from '@/lib/fixtures/commands';
import type { FeedPrice } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { Role, sports } from '@/lib/reference/schema';
import { openStaff } from '../support/accounts';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { everything, fixturesBetween, importAll, storedPrice } from '../support/import';
import { match, worldNow } from '../support/world';

onTestDatabase();

const start = '2026-03-09T15:00:00.000Z';
const reference = 'swifts-v-dons-2026-03-09';
const minutes = (moment: string, count: number) => new Date(Date.parse(moment) + count * 60_000);

/** Swifts v Dons with prices of bet365 on the home win: minutes before the start, odds, and more. */
function priced(...prices: [number, number, Partial<FeedPrice>?][]) {
  const given = prices.map(
    ([before, oddsThousandths, more]): FeedPrice => ({
      ...{
        bookmakerReference: 'bet365',
        price: { oddsThousandths, fraction: null },
        at: minutes(start, -before).toISOString(),
        timeKnown: true,
        closing: false,
      },
      ...more,
    }),
  );
  return match('Swifts', 'Dons', start, {
    markets: [
      {
        kind: 'match-result',
        lineHundredths: 0,
        period: 'full-time',
        includesOvertime: false,
        selections: [{ key: 'home', name: 'Swifts', prices: given }],
      },
    ],
  });
}

const closing = async () => (await storedPrice(reference, 'home', 'bet365'))?.closing;

/** Closes all that is due, batch by batch, and says how many there were in each. */
async function closeAll(now: Date): Promise<number[]> {
  const closed: number[] = [];
  for (let count = await closeMarkets(now); count > 0; count = await closeMarkets(now)) closed.push(count);
  return closed;
}

async function massFixtures(count: number, sportId: number, startsAt: string): Promise<void> {
  await sql`insert into league (sport_id, reference, name) values (${sportId}, ${`mass-${sportId}`}, 'Mass')`.execute(
    database(),
  );
  await sql`
    insert into fixture (reference, league_id, name, starts_at, start_time_known, sources)
    select ${`mass-${sportId}-`}::text || n, league.id, 'Mass ' || n, ${startsAt}::timestamptz, true, '{test}' from league, generate_series(1, ${count}::int) n where reference = ${`mass-${sportId}`}
  `.execute(database());
}

const statuses = async (prefix: string) => {
  const { rows } = await sql<{
    status: string;
    count: number;
  }>`select status, count(*)::int as count from fixture where reference like ${`${prefix}%`} group by 1 order by 1`.execute(
    database(),
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

describe('closing the markets of what has started', () => {
  test(
    'marks the last price before the start, the one at the start included, none after it',
    undone(async () => {
      await importAll([priced([300, 2000], [60, 2100], [0, 2200], [-1, 5000])]);
      await closeAll(worldNow);
      expect(await storedPrice(reference, 'home', 'bet365')).toEqual({ now: 5000, opening: 2000, closing: 2200 });
    }),
  );

  test(
    'marks nothing where the last price has no known time, or where it was pulled',
    undone(async () => {
      await importAll([priced([300, 2000], [60, 2100, { timeKnown: false }])]);
      await closeAll(worldNow);
      expect(await closing()).toBeNull();
      await importAll([priced([30, 2200])]);
      await sql`
        insert into price_change (selection_id, bookmaker_id, at, time_known)
        select selection_id, bookmaker_id, ${minutes(start, -10)}, true from price_change where odds_thousandths = 2200
      `.execute(database());
      await sql`update fixture set closed_at = null where reference = ${reference}`.execute(database());
      await closeAll(worldNow);
      expect(await closing()).toBeNull();
    }),
  );

  test(
    'leaves the closing price that a source has given, also when others come in late or the start moves',
    undone(async () => {
      await importAll([priced([60, 2100], [30, 2150, { closing: true }], [10, 2200])]);
      await closeAll(worldNow);
      expect(await closing()).toBe(2150);
      await importAll([priced([5, 2250])]);
      await importAll([{ ...priced(), startsAt: minutes(start, -2).toISOString() }]);
      expect(await closing()).toBe(2150);
    }),
  );

  test(
    'takes a last price from before the start that comes in late, none from after it, and what a source then names before either',
    undone(async () => {
      await importAll([priced([10, 2100])]);
      await closeAll(worldNow);
      await importAll([priced([1, 1950], [-2, 1800])]);
      expect(await closing()).toBe(1950);
      await importAll([priced([20, 2500])]);
      expect(await closing()).toBe(1950);
      await importAll([priced([0.5, 0, { price: null }])]);
      expect(await closing()).toBeNull();
      await importAll([priced([0.25, 2000])]);
      expect(await closing()).toBe(2000);
      await importAll([priced([0, 2000, { closing: true, timeKnown: false }])]);
      await importAll([priced([0.125, 1900])]);
      expect(await closing()).toBe(2000);
    }),
  );

  test(
    'takes the first price from before the start where none was known when it closed',
    undone(async () => {
      await importAll([priced()]);
      await closeAll(worldNow);
      await importAll([priced([-1, 1800])]);
      expect(await closing()).toBeNull();
      await importAll([priced([1, 1950])]);
      expect(await closing()).toBe(1950);
    }),
  );

  test(
    'goes by the start that a source gives later, as long as that has passed too',
    undone(async () => {
      const moved = (by: number) => importAll([{ ...priced(), startsAt: minutes(start, by).toISOString() }]);
      await importAll([priced([10, 2100], [-2, 1950])]);
      await closeAll(worldNow);
      const closings = [await closing()];
      for (const by of [5, -20, 0]) {
        await moved(by);
        closings.push(await closing());
      }
      expect(closings).toEqual([2100, 1950, null, 2100]);
    }),
  );

  test(
    'waits for the start, to the millisecond',
    undone(async () => {
      await importAll([priced([60, 2100])]);
      await closeAll(new Date(Date.parse(start) - 1));
      expect([await closing(), (await fixturesBetween('Swifts', 'Dons'))[0]?.closed]).toEqual([null, false]);
      await closeAll(new Date(start));
      expect([await closing(), (await fixturesBetween('Swifts', 'Dons'))[0]?.closed]).toEqual([2100, true]);
    }),
  );

  test(
    'changes nothing the second time',
    undone(async () => {
      await importAll([priced([60, 2100])]);
      expect(await closeAll(worldNow)).toEqual([3]);
      const kept = await everything();
      expect(await closeAll(new Date(worldNow.getTime() + 60_000))).toEqual([]);
      expect(await everything()).toEqual(kept);
    }),
  );

  test(
    'goes by batches of 200',
    undone(async () => {
      await massFixtures(450, 4, start);
      expect(await closeAll(worldNow)).toEqual([200, 200, 52]);
    }),
  );
});

describe('a start that staff move', () => {
  let ada: Viewer;
  beforeAll(async () => {
    ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
  });
  const frost = '2026-03-14T15:00:00.000Z';
  const move = (startsAt: string, fixture = reference) =>
    decidedAt(worldNow, () =>
      correctFixture({
        staff: ada,
        reference: fixture,
        correction: { action: 'fixture.start', startsAt: new Date(startsAt), reason: 'Frost.', preview: false },
      }),
    );
  const standing = async () => (await fixturesBetween('Swifts', 'Dons'))[0];
  const report = {
    ...{ fixtureReference: reference, homeTeamScore: 0, awayTeamScore: 0, period: 'First half' },
    ...{ clock: null, scores: [], ended: false },
  };

  test(
    'to come, after it had passed, opens the fixture again until then',
    undone(async () => {
      await importAll([priced([60, 2100])]);
      await closeAll(worldNow);
      await askForDueResults(worldNow);
      await move(frost);
      expect([await standing(), await closing()]).toEqual([
        expect.objectContaining({ startsAt: frost, closed: false, status: 'awaiting-result' }),
        null,
      ]);
      await importAll([{ ...priced([60, 2100], [-1200, 2500]), startsAt: frost }]);
      await closeAll(new Date(frost));
      expect([(await standing())?.closed, await closing()]).toEqual([true, 2500]);
    }),
  );

  test(
    'opens nothing that a source says has begun, and nothing where the new start has passed too',
    undone(async () => {
      await importAll([priced([60, 2100], [3, 2200])]);
      await closeAll(worldNow);
      expect(await closing()).toBe(2200);
      await move(minutes(start, -5).toISOString());
      expect([(await standing())?.closed, await closing()]).toEqual([true, 2100]);
      await reportLiveScores([report], worldNow);
      await expect(move(frost)).rejects.toMatchObject({ kind: 'conflict' });
      await sql`update fixture set off_at = ${minutes(start, 2)} where reference = 'town-v-city-2026-03-08'`.execute(
        database(),
      );
      await expect(move(frost, 'town-v-city-2026-03-08')).rejects.toMatchObject({ kind: 'conflict' });
      await move(start);
      expect([(await standing())?.closed, await closing()]).toEqual([true, 2200]);
    }),
  );
});

describe('a start that a source moves to come', () => {
  test(
    'is refused where a source says that the match has begun',
    undone(async () => {
      await importAll([priced([60, 2100])]);
      await closeAll(worldNow);
      const report = {
        homeTeamScore: 1,
        awayTeamScore: 0,
        period: 'First half',
        clock: null,
        scores: [],
        ended: false,
      };
      await reportLiveScores([{ fixtureReference: reference, ...report }], worldNow);
      const later = { ...priced(), startsAt: minutes(start, 7200).toISOString() };
      expect(await importAll([later], 'another')).toMatchObject({
        changed: 0,
        rejections: [
          {
            reason:
              'A source says that it has begun, so it cannot start later. If it was given up, say that it was abandoned.',
          },
        ],
      });
      expect(await fixturesBetween('Swifts', 'Dons')).toMatchObject([{ startsAt: start, closed: true }]);
      const { rows } = await sql`select home_score from live_score`.execute(database());
      expect(rows).toEqual([{ home_score: 1 }]);
    }),
  );
});

describe('asking for results', () => {
  test.each(sports.map(({ reference: sport, id, minutesBeforeResult }) => [sport, id, minutesBeforeResult] as const))(
    'begins for %s (sport %d) %d minutes after the start, not before',
    (sport, id, wait) =>
      undone(async () => {
        await massFixtures(3, id, start);
        await askForDueResults(new Date(minutes(start, wait).getTime() - 1));
        expect(await statuses(`mass-${id}-`)).toEqual({ 'awaiting-result': 3 });
        await askForDueResults(minutes(start, wait));
        expect(await statuses(`mass-${id}-`)).toEqual({ pending: 3 });
      })(),
  );

  test(
    'asks once, and never for what is complete or in hand',
    undone(async () => {
      await massFixtures(4, 4, start);
      const inHand = ['complete', 'processing', 'retry'];
      for (const [index, status] of inHand.entries())
        await asOwner(sql`update fixture set status = ${status} where reference = ${`mass-4-${index + 1}`}`, {
          unguarded: 'fixture',
        });
      await askForDueResults(worldNow);
      expect(await statuses('mass-4-')).toEqual({ complete: 1, processing: 1, retry: 1, pending: 1 });
      expect(await askForDueResults(worldNow)).toBe(0);
    }),
  );

  test(
    'asks for the football of the named world that is due',
    undone(async () => {
      expect(await askForDueResults(worldNow)).toBe(1);
      expect(await fixturesBetween('Town', 'City')).toMatchObject([{ status: 'pending' }]);
      expect(await fixturesBetween('Rovers', 'Town')).toMatchObject([{ status: 'complete' }]);
    }),
  );
});

describe('several programs at once', () => {
  test('close each fixture once', async () => {
    await massFixtures(150, 5, start);
    const closed = await Promise.all(Array.from({ length: 4 }, () => closeMarkets(worldNow)));
    expect(closed.reduce((sum, count) => sum + count, 0)).toBe(152);
    expect(await closeMarkets(worldNow)).toBe(0);
  });

  test('ask for each fixture once', async () => {
    await massFixtures(150, 6, start);
    const asked = await Promise.all(Array.from({ length: 4 }, () => askForDueResults(worldNow)));
    // Town v City of the named world and the 150 of the test before are due too.
    expect(asked.reduce((sum, count) => sum + count, 0)).toBe(150 + 150 + 1);
    expect(await askForDueResults(worldNow)).toBe(0);
  });
});
