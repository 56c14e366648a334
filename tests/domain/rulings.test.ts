import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { auditWholeRecord } from '@/lib/audit/commands';
import { listFindings } from '@/lib/audit/queries';
import { resettleCorrectedBets, settleDueBets } from '@/lib/bets/commands';
import { runnerKey } from '@/lib/fixtures/rules';
import { importFixtures } from '@/lib/fixtures/commands';
import type { FixtureCorrection } from '@/lib/fixtures/schema/staff';
import { judgeGuarantees, readOrder, renewMemberships, setPlans, startCheckout } from '@/lib/memberships/commands';
import { chooseOutcome } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility, Role, TimeRange } from '@/lib/reference/schema';
import { orderCorrection, orderRuling, resettlePlayedFixtures } from '@/lib/rulings/commands';
import { changedFigures } from '@/lib/rulings/rules';
import type { Effects } from '@/lib/rulings/schema';
import { latePricesReason } from '@/lib/settlement/rules';
import { getStatistics } from '@/lib/stats/queries';
import { getTip } from '@/lib/tips/queries';
import { offeredChannels, spreadNews } from '@/lib/notifications/commands';
import { openStaff } from '../support/accounts';
import {
  after,
  athletic,
  before,
  homeWin,
  legOf,
  offerSecond,
  onRunner,
  play,
  playAthletic,
  race,
  runRace,
} from '../support/bets';
import { onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { countLateClosings, placeBet, publishTip, resettleCorrected, settleDueTips, voidTip } from '../support/moments';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

type Shop = Awaited<ReturnType<typeof openShop>>;
type Score = Extract<FixtureCorrection, { action: 'fixture.score' }>;

let ada: Viewer;
beforeAll(async () => {
  ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
});

const score = (home: number, away: number, preview: boolean): Score => ({
  ...{ action: 'fixture.score', home, away, halfTimeHome: null, halfTimeAway: null },
  ...{ reason: 'The feed had the sides switched.', preview },
});
const correct = (correction: FixtureCorrection, at: Date, reference = athletic) =>
  decidedAt(at, () => orderCorrection({ staff: ada, reference, correction }));

async function tip({ owner, reference }: Shop, keys: ('home' | 'draw' | 'away')[], name: string): Promise<string> {
  const legs = await Promise.all(
    keys.map((key, index) =>
      offer(index === 0 ? athletic : 'harriers-v-rangers-2026-03-10', 'match-result', key, 'bet365'),
    ),
  );
  return (await publishTip(owner, reference, { idempotencyKey: name, legs, stakeHundredths: 200 }, worldNow)).reference;
}

/** Two portfolios with tips on the match, some with a leg on a second one, a third that staff decide on, and a member with bets. */
async function world() {
  const ann = await openShop('ann', { name: 'Ann', visibility: PortfolioVisibility.public }, worldNow);
  const own = await openShop('own', { name: 'Own', visibility: PortfolioVisibility.personal }, worldNow);
  await offerSecond();
  const tips = {
    home: await tip(ann, ['home'], 'a'),
    draw: await tip(ann, ['draw'], 'b'),
    away: await tip(ann, ['away'], 'c'),
    both: await tip(ann, ['home', 'home'], 'd'),
    own: await tip(own, ['home'], 'e'),
  };
  const cat = await join('cat', worldNow);
  await placeBet(cat, { legs: [await homeWin()], stakeMinor: 500, currencyId: CurrencyId.GBP }, 'one', worldNow);
  await placeBet(
    cat,
    { legs: [legOf(await offer(athletic, 'match-result', 'away', 'bet365'))], stakeMinor: 300 },
    'two',
    worldNow,
  );
  await sql`insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) values (${cat.accountId}, ${ann.id}, 100, ${worldNow})`.execute(
    database(),
  );
  return { ann, own, tips, cat };
}

const jobs = async (at: Date) => {
  await settleDueTips(at);
  await resettleCorrected(at);
  await decidedAt(at, () => settleDueBets(at));
  await decidedAt(at, () => resettleCorrectedBets(at));
  await decidedAt(at, () => resettlePlayedFixtures(at));
};

/** Everything that a preview might have left behind, as a digest of each table. */
async function traces(): Promise<unknown> {
  const tables = [
    'tip_settlement',
    'bet_settlement',
    'ledger_entry',
    'ledger_head',
    'portfolio_day',
    'portfolio_standing',
    'event',
    'event_spread',
    'fixture',
    'fixture_result',
    'runner',
    'open_tip',
    'resettlement',
    'staff_action',
    'cache_version',
    'kept_change',
  ];
  const digests: unknown[] = [];
  for (const table of tables) {
    const { rows } =
      await sql`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from ${sql.table(table)} t`.execute(
        database(),
      );
    digests.push([table, rows]);
  }
  return digests;
}

const latest = async (reference: string) => {
  const { rows } = await sql<{ outcome: string; profit: number }>`
    select outcome, round(profit_microunits / 10000.0)::float8 as profit from tip_settlement join tip on tip.id = tip_id where reference = ${reference} order by version desc limit 1
  `.execute(database());
  return rows[0] ? { outcome: rows[0].outcome, profitHundredths: rows[0].profit } : null;
};

const bets = async () =>
  (
    await sql<{ outcome: string; profit: number }>`
      select distinct on (bet_id) outcome, round(profit_microunits / 10000.0)::float8 as profit from bet_settlement order by bet_id, version desc`.execute(
      database(),
    )
  ).rows;

const statistics = ({ owner, reference }: Shop, at: Date) =>
  getStatistics(owner, reference, { range: TimeRange.allTime }, at);

async function foreseenThenDone(
  shops: Shop[],
  doIt: (preview: boolean) => Promise<{ effects: Effects | null }>,
  at: Date,
) {
  const stood = await traces();
  const figures = await Promise.all(shops.map((shop) => statistics(shop, at)));
  const events = async () =>
    (
      await sql<{
        kind: string;
        count: number;
      }>`select kind, count(*)::int from event group by kind order by kind`.execute(database())
    ).rows;
  const told = await events();
  const { effects } = await doIt(true);
  expect(await traces()).toEqual(stood);
  if (!effects) throw new Error('The preview says nothing of what it touches.');
  expect((await doIt(false)).effects).toBeNull();
  await jobs(at);
  for (const each of effects.tips) expect([each.bet, await latest(each.reference)]).toEqual([each.bet, each.after]);
  for (const [index, shop] of shops.entries()) {
    const before = figures[index];
    const own = effects.records.find(({ portfolio }) => portfolio === shop.reference);
    const really = before && changedFigures(before, await statistics(shop, at));
    expect([shop.reference, own?.figures ?? []]).toEqual([shop.reference, really]);
  }
  const more = (await events()).flatMap(({ kind, count }) => {
    const before = told.find((each) => each.kind === kind)?.count ?? 0;
    return count > before ? [{ kind, events: count - before }] : [];
  });
  expect(
    effects.news
      .map(({ kind, events: count }) => ({ kind, events: count }))
      .toSorted((a, b) => a.kind.localeCompare(b.kind)),
  ).toEqual(more);
  return effects;
}

const ayr = 'ayr-2026-03-10-2000';

describe('a withdrawal', () => {
  const gone = {
    at: after(-2).toISOString(),
    price: { oddsThousandths: 3500, fraction: { numerator: 5, denominator: 2 } },
  };
  const asTold = (withdrawn: boolean) => ({
    runners: race().runners.map((each) =>
      withdrawn && each.name === 'Slate Roof' ? { ...each, withdrawal: gone } : each,
    ),
    result: {
      positions: ['Tin Whistle', 'Old Ferry', 'North Wall'].map((name, index) => ({ position: index + 1, name })),
      placesKnown: 3,
    },
  });

  test(
    'that a source tells after the result has tips and bets settled anew, and is no finding of the audit',
    undone(async () => {
      await runRace(before(1));
      const shop = await openShop('rae', { name: 'Rae', visibility: PortfolioVisibility.public }, worldNow);
      const tipOn = async (name: string) => {
        const legs = [await offer(ayr, 'outright-winner', runnerKey(name), 'bet365')];
        const input = { idempotencyKey: runnerKey(name), legs, stakeHundredths: 1000 };
        return (await publishTip(shop.owner, shop.reference, input, worldNow)).reference;
      };
      const [winner, gone] = [await tipOn('Tin Whistle'), await tipOn('Slate Roof')];
      await placeBet(
        await join('cat', worldNow),
        { legs: [await onRunner('Slate Roof')], stakeMinor: 300 },
        'one',
        worldNow,
      );
      const figures = async () => [await latest(winner), await latest(gone), ...(await bets())];
      await runRace(after(1), asTold(false));
      await jobs(after(2));
      expect(await figures()).toEqual([
        { outcome: 'won', profitHundredths: 8000 },
        { outcome: 'lost', profitHundredths: -1000 },
        { outcome: 'lost', profit: -300 },
      ]);
      await runRace(after(3), asTold(true));
      await jobs(after(4));
      expect(await figures()).toEqual([
        { outcome: 'won', profitHundredths: 6000 },
        { outcome: 'void', profitHundredths: 0 },
        { outcome: 'void', profit: 0 },
      ]);
      await auditWholeRecord(after(5), ['settlements']);
      expect(await listFindings()).toEqual([]);
      await runRace(after(6), asTold(true));
      const { rows } = await sql`
        select version, source from fixture_result join fixture on fixture.id = fixture_id where reference = ${ayr} order by version
      `.execute(database());
      expect(rows).toEqual([1, 2].map((version) => ({ version, source: 'betfair' })));
    }),
  );

  test(
    'is completed, put right and taken back by staff after the result, and its tips are settled anew each time',
    undone(async () => {
      await runRace(before(1));
      const shop = await openShop('rae', { name: 'Rae', visibility: PortfolioVisibility.public }, worldNow);
      const legs = [await offer(ayr, 'outright-winner', runnerKey('Tin Whistle'), 'bet365')];
      const { reference } = await publishTip(
        shop.owner,
        shop.reference,
        { idempotencyKey: 'eight', legs, stakeHundredths: 1000 },
        worldNow,
      );
      const withdraw = (more: { at?: Date; odds?: string }, preview = false): FixtureCorrection => ({
        ...{ action: 'fixture.withdraw', runner: 'Slate Roof', at: null, odds: '', reason: 'Lame.', preview },
        ...more,
      });
      const reinstate = (preview: boolean): FixtureCorrection => ({
        ...{ action: 'fixture.reinstate', runner: 'Slate Roof', reason: 'It was another horse.', preview },
      });
      await correct(withdraw({ at: after(-1) }), after(-1), ayr);
      await runRace(after(1), asTold(false));
      await jobs(after(2));
      expect(await latest(reference)).toBeNull();

      const settled: unknown[] = [];
      const steps: ((preview: boolean) => FixtureCorrection)[] = [
        (preview) => withdraw({ odds: '10/3' }, preview),
        (preview) => withdraw({ odds: '5/2' }, preview),
        (preview) => withdraw({ at: before(1) }, preview),
        (preview) => withdraw({ at: after(-3), odds: '1/3' }, preview),
        reinstate,
      ];
      for (const [index, step] of steps.entries()) {
        await foreseenThenDone([shop], (preview) => correct(step(preview), after(3 + index), ayr), after(3.5 + index));
        settled.push((await latest(reference))?.profitHundredths);
      }
      expect(settled).toEqual([6400, 6000, 8000, 2400, 8000]);
      await expect(correct(reinstate(false), after(9), ayr)).rejects.toMatchObject({ kind: 'invalid' });

      await runRace(after(10), asTold(true));
      await jobs(after(11));
      expect((await latest(reference))?.profitHundredths).toBe(8000);
      const { rows } = await sql`
        select withdrawn_at from runner join participant on participant.id = participant_id where withdrawn_at is not null
      `.execute(database());
      expect(rows).toEqual([]);
      const log = await sql<{ action: string; withdrawn: string | null }>`
        select action, after ->> 'withdrawn' as withdrawn from staff_action where subject = ${ayr} order by id
      `.execute(database());
      expect(log.rows.map(({ action, withdrawn }) => [action, withdrawn])).toEqual([
        ['fixture.withdraw', 'Slate Roof at 2026-03-10T19:00:00.000Z, no price known'],
        ['fixture.withdraw', 'Slate Roof at 2026-03-10T19:00:00.000Z, 10/3'],
        ['fixture.withdraw', 'Slate Roof at 2026-03-10T19:00:00.000Z, 5/2'],
        ['fixture.withdraw', 'Slate Roof at 2026-03-10T11:00:00.000Z, 5/2'],
        ['fixture.withdraw', 'Slate Roof at 2026-03-10T17:00:00.000Z, 1/3'],
        ['fixture.reinstate', null],
      ]);
    }),
  );

  test(
    'that no source gave a price for is completed by staff, and what stands so is not entered again',
    undone(async () => {
      const noPrice = { at: gone.at, price: null };
      const { runners, result } = asTold(false);
      await runRace(after(1), {
        runners: runners.map((each) => (each.name === 'Slate Roof' ? { ...each, withdrawal: noPrice } : each)),
        result,
      });
      const order: FixtureCorrection = {
        ...{ action: 'fixture.withdraw', runner: 'slate roof', at: null, odds: '4.333', reason: 'Told by phone.' },
        preview: false,
      };
      expect((await correct(order, after(2), ayr)).after).toMatchObject({
        withdrawn: `Slate Roof at ${gone.at}, 10/3`,
        'version of the result': 2,
      });
      await expect(correct(order, after(3), ayr)).rejects.toMatchObject({ kind: 'conflict' });
      await runRace(after(4), asTold(true));
      const { rows } =
        await sql`select withdrawal_numerator, withdrawal_denominator from runner where withdrawn_at is not null`.execute(
          database(),
        );
      expect(rows).toEqual([{ withdrawal_numerator: 10, withdrawal_denominator: 3 }]);
    }),
  );
});

describe('the preview of a corrected result', () => {
  test(
    'says what the jobs then do to each tip, record and bet, and leaves nothing behind',
    undone(async () => {
      const { ann, own, tips } = await world();
      await play('Harriers', 'Rangers', after(1).toISOString(), [1, 0], after(4));
      await playAthletic([2, 0], after(4));
      await jobs(after(5));
      const effects = await foreseenThenDone(
        [ann, own],
        (preview) => correct(score(0, 2, preview), after(6)),
        after(7),
      );
      expect(Object.fromEntries(effects.tips.map((each) => [each.reference, [each.before, each.after]]))).toEqual({
        [tips.home]: [
          { outcome: 'won', profitHundredths: 300 },
          { outcome: 'lost', profitHundredths: -200 },
        ],
        [tips.away]: [
          { outcome: 'lost', profitHundredths: -200 },
          { outcome: 'won', profitHundredths: 380 },
        ],
        [tips.both]: [
          { outcome: 'won', profitHundredths: 800 },
          { outcome: 'lost', profitHundredths: -200 },
        ],
        [tips.own]: [
          { outcome: 'won', profitHundredths: 300 },
          { outcome: 'lost', profitHundredths: -200 },
        ],
      });
      expect(effects.stay).toEqual({ same: 1, open: 0, byStaff: 0 });
      expect(effects.bets).toEqual([
        {
          currencyId: CurrencyId.GBP,
          before: 'won',
          after: 'lost',
          count: 1,
          profitMinorBefore: 750,
          profitMinorAfter: -500,
        },
        {
          currencyId: CurrencyId.UNITS,
          before: 'lost',
          after: 'won',
          count: 1,
          profitMinorBefore: -300,
          profitMinorAfter: 570,
        },
      ]);
      expect(await bets()).toEqual([
        { outcome: 'lost', profit: -500 },
        { outcome: 'won', profit: 570 },
      ]);
      expect(effects.news).toMatchObject([{ kind: 'correction', events: 3 }]);
    }),
  );

  test(
    'that won back a leg of a lost accumulator says what it waits for, and the result of the other match what it then comes to',
    undone(async () => {
      const { ann, own, tips } = await world();
      await playAthletic([0, 2], after(4));
      await jobs(after(5));
      const first = await foreseenThenDone([ann, own], (preview) => correct(score(2, 0, preview), after(6)), after(7));
      const lost = { outcome: 'lost', profitHundredths: -200 };
      expect(first.tips.find(({ reference }) => reference === tips.both)).toMatchObject({
        before: lost,
        after: lost,
        toCome:
          'It keeps its present settlement until its other matches have their results. Settle it again if one of them stays without.',
      });
      const harriers = 'harriers-v-rangers-2026-03-10';
      const moved = { action: 'fixture.start', startsAt: after(8), reason: 'Fog.', preview: true } as const;
      expect((await correct(moved, after(7), harriers)).effects?.tips).toMatchObject([
        {
          reference: tips.both,
          toCome:
            'The result is awaited. It keeps its present settlement until then. Settle it again if no result comes.',
        },
      ]);
      const second = await foreseenThenDone(
        [ann, own],
        (preview) => correct(score(1, 0, preview), after(8), harriers),
        after(9),
      );
      expect(second.tips).toMatchObject([
        { reference: tips.both, before: lost, after: { outcome: 'won', profitHundredths: 800 }, toCome: null },
      ]);
      const { settlements } = await getTip(ann.owner, ann.reference, tips.both, after(10));
      expect(settlements.map(({ outcome, reason }) => [outcome, reason])).toEqual([
        ['won', 'A result was corrected.'],
        ['lost', null],
      ]);
    }),
  );

  test(
    'says the same of a first result, of tips that wait for another match, and of what staff decided',
    undone(async () => {
      const { ann, own, tips } = await world();
      await decidedAt(after(1), () =>
        orderRuling({ staff: ada, reference: tips.draw, action: 'tip.void', reason: 'Listed twice.', preview: false }),
      );
      const effects = await foreseenThenDone(
        [ann, own],
        (preview) => correct(score(1, 1, preview), after(4)),
        after(5),
      );
      expect(effects.tips.map(({ reference, before: was, after: is }) => [reference, was, is?.outcome])).toEqual(
        [tips.home, tips.away, tips.both, tips.own].map((reference) => [reference, null, 'lost']),
      );
      expect(effects.stay).toEqual({ same: 0, open: 0, byStaff: 1 });
    }),
  );

  test(
    'tells of an abandoned match what waits, and then what is returned',
    undone(async () => {
      const { ann, own } = await world();
      const abandon = (preview: boolean, at: Date) =>
        correct({ action: 'fixture.abandon', home: null, away: null, reason: 'Fog.', preview }, at);
      // What stood when it was given up decides no result.
      const at = after(60);
      const held = await correct({ action: 'fixture.abandon', home: 2, away: 0, reason: 'Fog.', preview: true }, at);
      expect(held.effects?.tips.map(({ after: is }) => is?.outcome)).toEqual(['void', 'void', 'void', 'void']);
      const early = await abandon(true, after(3));
      expect(early.effects?.tips.map(({ after: is, toCome }) => [is, toCome])).toEqual(
        Array.from({ length: 5 }, () => [null, expect.stringContaining('resumed within 48 hours')]),
      );
      const effects = await foreseenThenDone([ann, own], (preview) => abandon(preview, after(60)), after(61));
      expect(effects.tips.map(({ after: is }) => is?.outcome)).toEqual(['void', 'void', 'void', 'void']);
      expect(effects.stay).toEqual({ same: 0, open: 1, byStaff: 0 });
    }),
  );

  test(
    'tells of a start that is moved too far, and of a withdrawal with its Rule 4',
    undone(async () => {
      const { tips } = await world();
      const late = await correct(
        { action: 'fixture.start', startsAt: after(49), reason: 'Frost.', preview: true },
        worldNow,
      );
      expect(late.effects?.tips).toHaveLength(5);
      expect(late.effects?.tips[0]).toMatchObject({
        reference: tips.home,
        after: null,
        toCome: expect.stringContaining('48 hours'),
      });
      await runRace(before(1));
      const shop = await openShop('rae', { name: 'Rae', visibility: PortfolioVisibility.public }, worldNow);
      for (const [index, name] of ['Slate Roof', 'Tin Whistle'].entries()) {
        const leg = await offer('ayr-2026-03-10-2000', 'outright-winner', runnerKey(name), 'bet365');
        await publishTip(
          shop.owner,
          shop.reference,
          {
            idempotencyKey: `r${index}`,
            legs: [leg],
            stakeHundredths: 100,
          },
          worldNow,
        );
      }
      const at = new Date(worldNow.getTime() + 3_600_000);
      const gone = await correct(
        { action: 'fixture.withdraw', runner: 'Slate Roof', at, odds: '4.5', reason: 'Lame.', preview: true },
        after(-1),
        'ayr-2026-03-10-2000',
      );
      expect(gone.effects?.tips.map(({ toCome }) => toCome)).toEqual([
        'A non-runner: the stake is returned once the race has a result.',
        'Rule 4 takes 20p in the pound of its winnings.',
      ]);
    }),
  );

  test.each([
    ['a start that is moved past the window', { action: 'fixture.start', startsAt: after(240) }],
    ['what is said to be postponed', { action: 'fixture.postpone' }],
  ] as const)('tells of %s that it waits, and then what is returned', (_, correction) =>
    undone(async () => {
      const { ann, own, tips } = await world();
      const order = (preview: boolean, at: Date) => correct({ ...correction, reason: 'Frost.', preview }, at);
      await play('Harriers', 'Rangers', after(1).toISOString(), [1, 0], after(4));
      await jobs(after(5));
      const early = await order(true, after(10));
      expect(early.effects?.tips.map(({ after: is, toCome }) => [is, toCome])).toEqual(
        Array.from({ length: 5 }, () => [null, expect.stringContaining('within 48 hours of the announced start')]),
      );
      // A day apart, as late looks are.
      await sql`update open_tip set due_at = ${after(90)}`.execute(database());
      await sql`update bet set due_at = ${after(90)}`.execute(database());
      const effects = await foreseenThenDone([ann, own], (preview) => order(preview, after(60)), after(61));
      const outcomes = Object.fromEntries(effects.tips.map(({ reference, after: is }) => [reference, is?.outcome]));
      expect(outcomes).toEqual({
        ...{ [tips.home]: 'void', [tips.draw]: 'void', [tips.away]: 'void', [tips.own]: 'void' },
        [tips.both]: 'won',
      });
      expect(await bets()).toEqual([
        { outcome: 'void', profit: 0 },
        { outcome: 'void', profit: 0 },
      ]);
    })(),
  );

  test(
    'counts the members whose guarantee is answered otherwise, as it is then judged',
    undone(async () => {
      const shop = await openShop('pat', { name: 'Pat', visibility: PortfolioVisibility.premium }, worldNow);
      const prices = [{ currencyId: CurrencyId.GBP, amountMinor: 1000 }];
      const plans = [{ period: 'week' as const, onSale: true, prices, tipsPromised: 1 }];
      await decidedAt(before(1), () =>
        setPlans(shop.owner, shop.reference, { mainCurrencyId: CurrencyId.GBP, plans }, undefined, before(1)),
      );
      const bob = await join('bob', worldNow);
      await decidedAt(before(1), async () => {
        const order = await startCheckout(bob, { portfolio: shop.reference, period: 'week', amountMinor: 1000 }, 'one');
        await chooseOutcome(order.payUrl?.split('/').at(-1) ?? '', 'success');
        await readOrder(bob, order.reference);
      });
      await tip(shop, ['home'], 'a');
      await playAthletic([2, 0], after(4));
      await jobs(after(5));
      const abandon = (preview: boolean) =>
        correct({ action: 'fixture.abandon', home: null, away: null, reason: 'Fog.', preview }, after(60));
      const effects = await foreseenThenDone([shop], abandon, after(61));
      expect(effects.guarantees).toEqual([{ portfolio: shop.reference, name: 'Pat', missed: 1, kept: 0 }]);
      expect(effects.news).toMatchObject([{ kind: 'correction', events: 1, people: 1 }]);
      const later = new Date(worldNow.getTime() + 8 * 86_400_000);
      const weekOn = new Date(worldNow.getTime() + 7 * 86_400_000);
      await decidedAt(weekOn, () => renewMemberships(weekOn));
      await decidedAt(later, () => judgeGuarantees(later));
      const { rows } = await sql`select tips, kept from guarantee_verdict`.execute(database());
      expect(rows).toEqual([{ tips: 0, kept: false }]);
    }),
  );

  test(
    'of a void says what becomes of the record, and whom the news would reach as it then does',
    undone(async () => {
      const { ann, tips } = await world();
      await playAthletic([2, 0], after(4));
      await jobs(after(5));
      const rule = (preview: boolean) =>
        decidedAt(after(6), () =>
          orderRuling({ staff: ada, reference: tips.home, action: 'tip.void', reason: 'Listed twice.', preview }),
        );
      const effects = await foreseenThenDone([ann], rule, after(7));
      expect(effects).toMatchObject({
        tips: [{ after: { outcome: 'void', profitHundredths: 0 } }],
        bets: [],
        left: { tips: 0, records: 0 },
      });
      expect(effects.news).toEqual([
        { kind: 'correction', events: 1, people: 1, ways: [{ channel: 'app', people: 1 }] },
      ]);
      await sql`delete from delivery`.execute(database());
      await decidedAt(after(7), () => spreadNews(offeredChannels(), after(7)));
      const { rows } = await sql`
        select kind, channel, count(distinct delivery.account_id)::int as people from delivery join event on event.id = event_id where kind = 'correction' group by 1, 2
      `.execute(database());
      expect(rows).toEqual([{ kind: 'correction', channel: 'app', people: 1 }]);
    }),
  );

  test(
    'names so many tips and counts the rest, and holds nothing that publishing or settling waits for',
    undone(async () => {
      const shop = await openShop('max', { name: 'Max', visibility: PortfolioVisibility.public }, worldNow);
      for (let number = 0; number < 205; number += 1) await tip(shop, ['home'], `m${number}`);
      await playAthletic([2, 0], after(4));
      await jobs(after(5));
      const { effects } = await correct(score(0, 2, true), after(6));
      expect([effects?.tips.length, effects?.left, effects?.stay.same]).toEqual([200, { tips: 5, records: 0 }, 0]);
      expect(effects?.records[0]?.figures).toContainEqual({
        name: 'Profit (units)',
        before: '+615.00',
        after: '−410.00',
      });
      expect(await statistics(shop, after(6))).toMatchObject({ advised: { profitHundredths: 61_500 } });
    }),
  );
});

test(
  'a tip says of each correction in which role it was ordered, as it was sealed: late prices are the program’s, whoever ruled before',
  undone(async () => {
    const { ann, own, tips } = await world();
    await playAthletic([2, 0], after(4));
    await jobs(after(5));
    await voidTip(ada, tips.home, 'A palpable error.', after(6));
    await voidTip(ada, tips.own, 'A palpable error.', after(6));
    await correct(score(0, 2, false), after(7));
    await jobs(after(8));
    await importFixtures(
      [
        {
          line: 1,
          fixture: match('Athletic', 'Wanderers', after(0).toISOString(), {
            markets: [
              matchResult('Athletic', 'Wanderers', after(0).toISOString(), { bet365: [2000, 3400, 4000] }, true),
            ],
          }),
        },
      ],
      'football-data',
      after(9),
    );
    await countLateClosings(after(9));
    const told = async ({ owner, reference }: Shop, tipReference: string) =>
      (await getTip(owner, reference, tipReference, after(10))).settlements
        .map(({ version, reason, actor }) => [version, reason, actor])
        .reverse();
    for (const [shop, reference] of [
      [ann, tips.home],
      [own, tips.own],
    ] as const)
      expect(await told(shop, reference)).toEqual([
        [1, null, null],
        [2, 'A palpable error.', 'admin'],
        [3, latePricesReason, 'system'],
      ]);
    expect(await told(ann, tips.away)).toEqual([
      [1, null, null],
      [2, expect.any(String), 'system'],
      [3, latePricesReason, 'system'],
    ]);
    const { rows } = await sql`
      select actor from tip_settlement join tip on tip.id = tip_id where reference = ${tips.home} order by version desc limit 1
    `.execute(database());
    expect(rows).toEqual([{ actor: 'admin' }]);
  }),
);
