import { sql } from 'kysely';
import { resettleCorrectedBets, settleDueBets } from '@/lib/bets/commands';
import { auditWholeRecord } from '@/lib/audit/commands';
import { listFindings } from '@/lib/audit/queries';
import { closeMarkets, importFixtures, watchFixture } from '@/lib/fixtures/commands';
import { listPricesNow } from '@/lib/bets/queries';
import { getMarkets, getScore, listBestOdds } from '@/lib/fixtures/queries';
import { getFixture } from '@/lib/fixtures/queries/fixtures';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { guest } from '@/lib/http/viewer';
import { offeredChannels, spreadNews } from '@/lib/notifications/commands';
import { listNotifications } from '@/lib/notifications/queries';
import { writeSportCalendar } from '@/lib/pages/calendar';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { exportLedger } from '@/lib/record/queries';
import { readLedger, verifyLedger } from '@/lib/record/rules';
import { hastenSettlement, resettlePlayedFixtures } from '@/lib/rulings/commands';
import { getTip } from '@/lib/tips/queries';
import { after, athletic, bet, offerSecond } from '../support/bets';
import { onTestDatabase, undone } from '../support/database';
import { fixturesBetween, storedPrice } from '../support/import';
import { join, offer, openShop } from '../support/members';
import {
  openCommitments,
  placeBet,
  publishTip,
  resettleCorrected,
  settleDueTips,
  signLedger,
} from '../support/moments';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const won = { home: 1, away: 0, halfTime: null };

async function tell(startsAt: string, more: Partial<FeedFixture>, source: string, at: Date): Promise<void> {
  const fixture = match('Athletic', 'Wanderers', startsAt, more);
  const { rejections, decided } = await importFixtures([{ line: 1, fixture }], source, at);
  expect(rejections).toEqual([]);
  await hastenSettlement(decided, at);
}

/** The announced day as a source gives it that knows no new one. */
const callOff = (at: Date, postponed = true) =>
  tell('2026-03-10T00:00:00.000Z', { startTimeKnown: false, postponed }, 'openfootball', at);
const move = (hours: number, at: Date) => tell(after(hours).toISOString(), {}, 'football-data', at);
const play = (hours: number, at: Date, result = won) =>
  tell(after(hours).toISOString(), { result }, 'football-data', at);

/** A tip and a bet of a member on the home win, and what is read of the tip at a moment, once the jobs have run. */
async function backed() {
  const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
  const tip = await publishTip(owner, reference, { idempotencyKey: 'one', legs, stakeHundredths: 100 }, worldNow);
  await placeBet(await join('bob', worldNow), await bet(), 'bet', worldNow);
  return async (at: Date) => {
    await settleDueTips(at);
    await resettleCorrected(at);
    await decidedAt(at, () => settleDueBets(at));
    await decidedAt(at, () => resettleCorrectedBets(at));
    await decidedAt(at, () => resettlePlayedFixtures(at));
    const bets = await sql<{ outcome: string }>`select outcome from bet_settlement order by version`.execute(
      database(),
    );
    const { settlements, legs: read } = await getTip(owner, reference, tip.reference, at);
    const outcomes = settlements.map(({ outcome }) => outcome);
    expect(bets.rows.map(({ outcome }) => outcome)).toEqual(outcomes.toReversed());
    await auditWholeRecord(at, ['tips', 'settlements']);
    expect(await listFindings()).toEqual([]);
    return { outcomes, leg: read[0], reasons: settlements.map(({ reason }) => reason) };
  };
}

const waits = (rule: string | null, postponedUntil: string | null) => ({ outcomes: [], leg: { rule, postponedUntil } });
const postponed = waits(
  'Postponed: the stake is returned unless it is started within 48 hours of the announced start.',
  after(48).toISOString(),
);
const voided = {
  outcomes: ['void'],
  leg: { rule: 'Postponed and not started within 48 hours of the announced start, the stake was returned.' },
};

describe('a tip on a match that a source calls postponed', () => {
  test(
    'waits for the end of the window, is void then, and stays so when the match is played months later',
    undone(async () => {
      const read = await backed();
      await callOff(after(-2));
      expect(await read(after(3))).toMatchObject(postponed);
      expect(await read(after(47))).toMatchObject(postponed);
      expect(await read(after(72))).toMatchObject(voided);
      await play(61 * 24, after(61 * 24 + 3));
      expect(await fixturesBetween('Athletic', 'Wanderers')).toHaveLength(2);
      expect(await read(after(61 * 24 + 4))).toMatchObject(voided);
    }),
  );

  test(
    'waits for its result again when the source no longer says so, or another one knows the new start',
    undone(async () => {
      const read = await backed();
      await callOff(after(-2));
      await callOff(after(3), false);
      expect(await read(after(4))).toMatchObject(waits(null, null));
      await callOff(after(5));
      await move(40, after(6));
      expect(await read(after(7))).toMatchObject(postponed);
      // The source still has the old day.
      await callOff(after(8));
      expect(await read(after(41))).toMatchObject(waits(null, null));
      expect(await read(after(200))).toMatchObject(waits(null, null));
      await play(40, after(201));
      expect(await read(after(202))).toMatchObject({ outcomes: ['won'] });
    }),
  );

  test(
    'is corrected when it turns out that it was played inside the window',
    undone(async () => {
      const read = await backed();
      await callOff(after(-2));
      expect(await read(after(60))).toMatchObject(voided);
      await play(47, after(61));
      expect(await read(after(62))).toMatchObject({
        outcomes: ['won', 'void'],
        reasons: ['A match that was postponed got its result.', null],
      });
    }),
  );

  test(
    'stays void when the source names the new day alone, and it was played then',
    undone(async () => {
      const read = await backed();
      await callOff(after(-2));
      expect(await read(after(60))).toMatchObject(voided);
      const day = `${after(240).toISOString().slice(0, 10)}T00:00:00.000Z`;
      await tell(day, { startTimeKnown: false }, 'openfootball', after(61));
      await tell(day, { startTimeKnown: false, result: won }, 'openfootball', after(260));
      expect(await read(after(262))).toMatchObject(voided);
    }),
  );

  test(
    'stays void when it was played after the window, whatever the result is corrected to',
    undone(async () => {
      const read = await backed();
      await callOff(after(-2));
      await read(after(60));
      await play(49, after(61));
      expect(await read(after(62))).toMatchObject(voided);
      await play(49, after(63), { home: 0, away: 1, halfTime: null });
      expect(await read(after(64))).toMatchObject(voided);
    }),
  );
});

describe('a tip on a match whose sides its source switches', () => {
  const sourceId = 'event-1';
  const events = async (home: string, away: string, more: Partial<FeedFixture> = {}, at = worldNow) => {
    const fixture = match(home, away, after(0).toISOString(), { sourceId, ...more });
    const summary = await importFixtures([{ line: 1, fixture }], 'the-odds-api', at);
    await hastenSettlement(summary.decided, at);
    return summary;
  };
  const switchedRule = 'Home and away were switched, the stake was returned.';

  test(
    'is void at once, and neither price nor score comes to the wrong side',
    undone(async () => {
      const read = await backed();
      await events('Athletic', 'Wanderers');
      const markets = [matchResult('Wanderers', 'Athletic', worldNow.toISOString(), { pinnacle: [1500, 4000, 7000] })];
      expect(await events('Wanderers', 'Athletic', { markets })).toMatchObject({ created: 1, rejections: [] });
      expect(await read(after(-2))).toMatchObject({ outcomes: ['void'], leg: { rule: switchedRule } });
      const quotes = async (reference: string) => (await storedPrice(reference, 'home', 'pinnacle'))?.now ?? null;
      expect([await quotes(athletic), await quotes('wanderers-v-athletic-2026-03-10')]).toEqual([null, 1500]);
      expect(await events('Wanderers', 'Athletic', { markets })).toMatchObject({ unchanged: 1 });
      await events('Wanderers', 'Athletic', { result: { home: 0, away: 2, halfTime: null } }, after(3));
      expect(await fixturesBetween('Athletic', 'Wanderers')).toMatchObject([{ status: 'awaiting-result' }]);
      expect(await fixturesBetween('Wanderers', 'Athletic')).toMatchObject([{ status: 'complete' }]);
      expect(await read(after(4))).toMatchObject({
        outcomes: ['void'],
        leg: { rule: switchedRule },
      });
    }),
  );

  test(
    'is void whoever else had postponed it or gives it a new start, and counts when it is played after all',
    undone(async () => {
      const read = await backed();
      await callOff(after(-7));
      await events('Athletic', 'Wanderers', {}, after(-6.5));
      await events('Wanderers', 'Athletic', {}, after(-6));
      await move(40, after(-5));
      await callOff(after(-4), false);
      expect(await read(after(-3))).toMatchObject({ outcomes: ['void'], leg: { rule: switchedRule } });
      await play(40, after(42));
      expect(await read(after(43))).toMatchObject({
        outcomes: ['won', 'void'],
        reasons: ['A match that was postponed got its result.', null],
      });
    }),
  );

  test(
    'is postponed as staff have said once they are switched back',
    undone(async () => {
      const read = await backed();
      const told = async () => {
        const { rows } =
          await sql`select postponed_by as by, switched_by as switched from fixture where reference = ${athletic}`.execute(
            database(),
          );
        return rows[0];
      };
      await sql`update fixture set postponed_by = 'staff' where reference = ${athletic}`.execute(database());
      await events('Athletic', 'Wanderers');
      await events('Wanderers', 'Athletic');
      expect(await told()).toEqual({ by: 'staff', switched: 'the-odds-api' });
      await events('Athletic', 'Wanderers');
      expect(await told()).toEqual({ by: 'staff', switched: null });
      expect(await read(after(72))).toMatchObject(voided);
    }),
  );

  test(
    'is taken no more, and a bet that was taken before has its price',
    undone(async () => {
      const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const bob = await join('bob', worldNow);
      const leg = await offer(athletic, 'match-result', 'home', 'bet365');
      const { id } = await getFixture(guest(), athletic, worldNow);
      const all = { showAll: true, pinnacleOnly: false };
      const offered = async () => {
        const { markets } = await getMarkets(guest(), athletic, all, worldNow);
        const selections = markets.flatMap((market) => market.selections);
        return [
          (await listBestOdds(guest(), [id])).length,
          selections.some(({ odds }) => odds.some(({ pulled }) => !pulled)),
          // Only a runner is withdrawn.
          selections.some(({ withdrawn }) => withdrawn),
          (await listPricesNow(bob, [leg], worldNow)).map(({ state }) => state),
        ];
      };
      expect(await offered()).toEqual([1, true, false, ['offered']]);
      await events('Athletic', 'Wanderers');
      await events('Wanderers', 'Athletic');
      expect(await offered()).toEqual([0, false, false, ['switched']]);
      const refusal = {
        kind: 'conflict',
        message:
          'Athletic v Wanderers is announced with home and away the other way round now, and bets on it are void. Take it out of the tip and choose Wanderers v Athletic.',
      };
      const tip = { idempotencyKey: 'late', legs: [leg], stakeHundredths: 100 };
      await expect(publishTip(owner, reference, tip, worldNow)).rejects.toMatchObject(refusal);
      await expect(placeBet(bob, await bet(), 'late', worldNow)).rejects.toMatchObject(refusal);
      const earlier = await placeBet(bob, await bet({ takenAt: worldNow.toISOString() }), 'earlier', after(-1));
      expect(earlier.legs[0]).toMatchObject({ ownPrice: false });
    }),
  );

  test(
    'stands as long as the row that switches them is refused, and its name with it',
    undone(async () => {
      const read = await backed();
      await events('Athletic', 'Wanderers');
      await importFixtures(
        [{ line: 1, fixture: match('Wanderers', 'Athletic', after(-24).toISOString()) }],
        'football-data',
        worldNow,
      );
      await sql`update fixture set off_at = starts_at where reference like 'wanderers-v-athletic-%'`.execute(
        database(),
      );
      expect(await events('Wanderers', 'Athletic', {}, after(-2))).toMatchObject({
        rejections: [{ reason: expect.stringContaining('it cannot start later') }],
      });
      expect(await events('Athletic', 'Wanderers', {}, after(-1))).toMatchObject({ unchanged: 1, rejections: [] });
      expect(await read(after(3))).toMatchObject(waits(null, null));
    }),
  );

  test(
    'stands when they are switched back before the match',
    undone(async () => {
      const read = await backed();
      await events('Athletic', 'Wanderers');
      await events('Wanderers', 'Athletic');
      await events('Athletic', 'Wanderers', { result: won }, after(3));
      expect(await read(after(4))).toMatchObject({ outcomes: ['won'] });
      expect(await fixturesBetween('Wanderers', 'Athletic')).toMatchObject([{ status: 'awaiting-result' }]);
      expect(await events('Wanderers', 'Athletic', {}, after(5))).toMatchObject({
        rejections: [{ reason: 'The source called Athletic v Wanderers by this name before, which has a result.' }],
      });
    }),
  );

  test(
    'is void when the window is over where another opponent takes the place of one',
    undone(async () => {
      const read = await backed();
      await events('Athletic', 'Wanderers');
      expect(await events('Athletic', 'Swifts')).toMatchObject({ created: 1 });
      await events('Athletic', 'Swifts', { result: won }, after(3));
      expect(await read(after(4))).toMatchObject(postponed);
      expect(await read(after(72))).toMatchObject(voided);
    }),
  );
});

describe('a tip on a match whose start is moved', () => {
  test(
    'past the window is void when that is over, though it is still to be played',
    undone(async () => {
      const read = await backed();
      await move(240, after(1));
      expect(await read(after(3))).toMatchObject(postponed);
      expect(await read(after(72))).toMatchObject(voided);
      await play(240, after(243));
      expect(await read(after(244))).toMatchObject(voided);
    }),
  );

  test(
    'not at all, and without a result, stays open',
    undone(async () => {
      const read = await backed();
      expect(await read(after(2_000))).toMatchObject(waits(null, null));
    }),
  );
});

async function* exported(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), 'ndjson')) yield new TextEncoder().encode(piece);
}

test(
  'a hidden tip whose match is brought forward is settled once its commitment is open, so that the record verifies',
  undone(async () => {
    const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
    const away = await offer(athletic, 'match-result', 'away', 'bet365');
    const published = new Map<string, string>();
    for (const [name, legs, hidden] of [
      ['open', [away], false],
      ['single', [away], true],
      ['double', [away, await offerSecond()], true],
    ] as const)
      published.set(
        (
          await publishTip(
            owner,
            reference,
            { idempotencyKey: name, legs: [...legs], stakeHundredths: 100, hidden },
            worldNow,
          )
        ).reference,
        name,
      );
    const settled = async (at: Date) => {
      await settleDueTips(at);
      const { rows } = await sql<{ reference: string; outcome: string }>`
        select reference, outcome from tip join tip_settlement on tip_id = tip.id order by tip.id
      `.execute(database());
      return rows.map((row) => [published.get(row.reference), row.outcome]);
    };
    await move(-6, after(-7));
    await play(-6, after(-4));
    expect(await settled(after(-3.9))).toEqual([['open', 'lost']]);
    // Corrected while they are sealed: that does not settle them either.
    await play(-6, after(-3), { home: 2, away: 0, halfTime: null });
    await resettleCorrected(after(-2.9));
    expect(await settled(after(-2.9))).toEqual([['open', 'lost']]);
    // Not even when the commitments are opened late.
    expect(await settled(after(0.01))).toEqual([['open', 'lost']]);
    await openCommitments(after(0.02));
    expect(await settled(after(0.03))).toEqual([
      ['open', 'lost'],
      ['single', 'lost'],
      ['double', 'lost'],
    ]);
    await signLedger(after(1));
    expect(await verifyLedger(readLedger(exported()))).toMatchObject({ ok: true, counted: true });
    await auditWholeRecord(after(1), ['tips', 'settlements']);
    expect(await listFindings()).toEqual([]);
  }),
);

test(
  'a match that is called postponed is called so to everybody, until it has a new start',
  undone(async () => {
    const seen = async (at: Date) => {
      const { postponed: isPostponed } = await getScore(guest(), athletic, at);
      const calendar = await writeSportCalendar('football', at);
      const [event = ''] = calendar.split('BEGIN:VEVENT').filter((each) => each.includes(athletic));
      return [isPostponed, /^STATUS:(\w+)/m.exec(event)?.[1]];
    };
    expect(await seen(after(-3))).toEqual([false, 'CONFIRMED']);
    await callOff(after(-2));
    expect(await seen(after(-1))).toEqual([true, 'TENTATIVE']);
    expect(await seen(after(3))).toEqual([true, 'TENTATIVE']);
    await move(40, after(6));
    expect(await seen(after(7))).toEqual([false, 'CONFIRMED']);
  }),
);

describe('who watches a match', () => {
  /** What a watcher is told at a moment, once the jobs have run. */
  const watched = async () => {
    const bob = await join('bob', worldNow);
    await watchFixture(bob, athletic, worldNow);
    return async (at: Date) => {
      await closeMarkets(at);
      await spreadNews(offeredChannels(), at);
      return (await listNotifications(bob, at)).items.map(({ title }) => title);
    };
  };
  const started = 'Athletic v Wanderers has started';

  test(
    'that is called postponed is told of no start until it has one',
    undone(async () => {
      const read = await watched();
      await callOff(after(-2));
      expect(await read(after(1))).toEqual([]);
      await move(40, after(6));
      expect(await read(after(39))).toEqual([]);
      expect([await read(after(40)), await read(after(41))]).toEqual([[started], [started]]);
    }),
  );

  test(
    'whose start is moved once it was to start is told of the new one, once, too',
    undone(async () => {
      const read = await watched();
      expect(await read(after(0))).toEqual([started]);
      await move(3, after(1));
      expect(await read(after(2))).toEqual([started]);
      expect([await read(after(3)), await read(after(4))]).toEqual([
        [started, started],
        [started, started],
      ]);
    }),
  );
});
