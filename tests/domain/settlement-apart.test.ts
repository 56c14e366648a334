import { sql } from 'kysely';
import { resettleCorrectedBets, settleDueBets } from '@/lib/bets/commands';
import { getBet } from '@/lib/bets/queries/bets';
import { guest } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { exportLedger } from '@/lib/record/queries';
import { readLedger, reportSentences, verifyLedger } from '@/lib/record/rules';
import type { LedgerEntry } from '@/lib/record/schema';
import { CurrencyId, TimeRange } from '@/lib/reference/schema';
import { countSetAside } from '@/lib/settlement/queries';
import { getMonthOverview, getProfitCurve, getStatistics } from '@/lib/stats/queries';
import { getTip } from '@/lib/tips/queries';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { placeBet, publishTip, resettleCorrected, settleDueTips, signLedger } from '../support/moments';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const startsAt = '2026-03-10T20:00:00.000Z';
const after = (hours: number) => new Date(Date.parse(startsAt) + hours * 3_600_000);
const athletic = 'athletic-v-wanderers-2026-03-10';

async function finish(home: number, away: number, at: Date): Promise<void> {
  await importFixtures(
    [{ line: 2, fixture: match('Athletic', 'Wanderers', startsAt, { result: { home, away, halfTime: null } }) }],
    'football-data',
    at,
  );
}

async function publishOn(keys: readonly ('home' | 'draw' | 'away')[]) {
  const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const tips: string[] = [];
  for (const [index, key] of keys.entries()) {
    const legs = [await offer(athletic, 'match-result', key, 'bet365')];
    tips.push(
      (await publishTip(owner, reference, { idempotencyKey: `tip-${index}`, legs, stakeHundredths: 100 }, worldNow))
        .reference,
    );
  }
  return { owner, reference, tips };
}

/** Makes the database refuse to store settlements of a tip, as a fault nobody thought of would. */
async function refuse(tip: string, code = 'P0001'): Promise<void> {
  await asOwner(sql`create or replace function refuse_settlement() returns trigger language plpgsql as $$
    begin
      if new.tip_id = (select id from tip where reference = tg_argv[0]) then raise exception 'this one is refused' using errcode = tg_argv[1]; end if;
      return new;
    end $$`);
  await asOwner(
    sql`create trigger settlement_refused before insert on tip_settlement for each row execute function refuse_settlement(${sql.lit(tip)}, ${sql.lit(code)})`,
  );
}

const letThrough = () => asOwner(sql`drop trigger settlement_refused on tip_settlement`);

async function openTips(): Promise<unknown[]> {
  const { rows } =
    await sql`select tip.reference, attempts, failure from open_tip join tip on tip.id = tip_id order by tip.id`.execute(
      database(),
    );
  return rows;
}

async function* bytes(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), 'ndjson')) yield new TextEncoder().encode(piece);
}

describe('a tip that cannot be settled', () => {
  test(
    'is set aside with the reason while all others are settled, and is tried again',
    undone(async () => {
      const { owner, reference, tips } = await publishOn(['home', 'draw', 'away', 'home', 'home']);
      const [, , bad = ''] = tips;
      await refuse(bad);
      await finish(2, 0, after(4));
      expect(await settleDueTips(after(5))).toBe(4);
      expect(await openTips()).toEqual([{ reference: bad, attempts: 1, failure: 'this one is refused' }]);
      expect(await countSetAside()).toEqual({ tips: 1, bets: 0 });
      // Before its time it is left alone; after it, it fails once more and waits longer.
      expect([await settleDueTips(after(5)), await settleDueTips(after(6))]).toEqual([0, 0]);
      expect(await openTips()).toEqual([{ reference: bad, attempts: 2, failure: 'this one is refused' }]);
      await letThrough();
      expect(await settleDueTips(after(7))).toBe(1);
      expect(await openTips()).toEqual([]);
      expect(await getStatistics(owner, reference, { range: TimeRange.allTime }, after(8))).toMatchObject({
        tips: 5,
        won: 3,
      });
      await signLedger(after(9));
      expect(await verifyLedger(readLedger(bytes()))).toMatchObject({
        ok: true,
        counts: { settled: 5, recomputed: 5 },
      });
    }),
  );

  test.each([
    ['for which a lock did not come free', '55P03'],
    ['that took the database too long', '57014'],
    ['for which the disk was full', '53100'],
    ['that lost to another', '40001'],
  ])('%s is not to blame: all are tried again with it', (_, code) =>
    undone(async () => {
      const { tips } = await publishOn(['home', 'draw', 'away']);
      await refuse(tips[1] ?? '', code);
      await finish(2, 0, after(4));
      await expect(transact(() => settleDueTips(after(5)))).rejects.toMatchObject({ code });
      expect(await countSetAside()).toEqual({ tips: 0, bets: 0 });
      await letThrough();
      expect(await settleDueTips(after(5))).toBe(3);
    })(),
  );

  test(
    'whose publication no rule can read is set aside too',
    undone(async () => {
      const { tips } = await publishOn(['home', 'draw']);
      const [bad = ''] = tips;
      await asOwner(sql`alter table tip disable trigger tip_kept`);
      await asOwner(
        sql`update tip set publication = jsonb_set(publication, '{legs,0,market,kind}', '"no-such-market"') where reference = ${bad}`,
      );
      await finish(2, 0, after(4));
      expect(await settleDueTips(after(5))).toBe(1);
      expect(await openTips()).toMatchObject([{ reference: bad, attempts: 1, failure: expect.any(String) as string }]);
    }),
  );

  test(
    'anew after a correction keeps its settlement until it can',
    undone(async () => {
      const { owner, reference, tips } = await publishOn(['home', 'draw', 'away']);
      const [bad = '', other = ''] = tips;
      await finish(2, 0, after(4));
      expect(await settleDueTips(after(5))).toBe(3);
      await refuse(bad);
      await finish(1, 1, after(6));
      expect(await resettleCorrected(after(6))).toBe(1);
      expect((await getTip(owner, reference, other, after(7))).settlements).toMatchObject([
        { version: 2, outcome: 'won' },
        { version: 1, outcome: 'lost' },
      ]);
      expect((await getTip(owner, reference, bad, after(7))).settlements).toMatchObject([
        { version: 1, outcome: 'won' },
      ]);
      expect(await openTips()).toMatchObject([{ reference: bad, failure: 'this one is refused' }]);
      await letThrough();
      await settleDueTips(after(30));
      expect((await getTip(owner, reference, bad, after(31))).settlements).toMatchObject([
        { version: 2, outcome: 'lost', reason: 'A result was corrected.' },
        { version: 1, outcome: 'won' },
      ]);
      expect(await openTips()).toEqual([]);
    }),
  );
});

const longOdds = 1_000_000;
const names = Array.from({ length: 12 }, (_, index) => `Home ${index}`);
const reachOf = (home: string, more = {}) => match(home, `Away of ${home}`, startsAt, more);

async function offerLongShots(): Promise<Awaited<ReturnType<typeof offer>>[]> {
  const markets = (home: string) => [
    matchResult(home, `Away of ${home}`, worldNow.toISOString(), { bet365: [longOdds, 1100, 1100] }),
  ];
  await importFixtures(
    names.map((home, index) => ({ line: index + 1, fixture: reachOf(home, { markets: markets(home) }) })),
    'football-data',
    worldNow,
  );
  const { rows } = await sql<{
    reference: string;
  }>`select reference from fixture where name like 'Home%' order by id`.execute(database());
  return Promise.all(rows.map(({ reference }) => offer(reference, 'match-result', 'home', 'bet365')));
}

const allWon = (at: Date) =>
  importFixtures(
    names.map((home, index) => ({
      line: index + 1,
      fixture: reachOf(home, { result: { home: 1, away: 0, halfTime: null } }),
    })),
    'football-data',
    at,
  );

describe('twelve legs at 1000.0, ten units, all won', () => {
  // In hundredths of a unit: 10^37 units, and those less the ten staked.
  const returned = `1${'0'.repeat(39)}`;
  const profit = `${'9'.repeat(36)}000`;

  test(
    'settle, show and verify, to the last digit',
    undone(async () => {
      const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const legs = await offerLongShots();
      const tip = await publishTip(owner, reference, { idempotencyKey: 'one', legs, stakeHundredths: 1000 }, worldNow);
      await allWon(after(4));
      expect(await settleDueTips(after(5))).toBe(1);
      const shown = await getTip(owner, reference, tip.reference, after(6));
      expect(shown.settlements).toMatchObject([
        { outcome: 'won', returnHundredths: returned, profitHundredths: profit },
      ]);
      const { advised, level } = await getStatistics(owner, reference, { range: TimeRange.allTime }, after(6));
      expect(advised.profitHundredths).toBe(profit);
      expect(level.profitHundredths).toBe(`${'9'.repeat(36)}00`);
      expect((await getProfitCurve(owner, reference, 'advised')).at(-1)?.profitHundredths).toBe(profit);
      await signLedger(after(7));
      expect(await verifyLedger(readLedger(bytes()))).toMatchObject({
        ok: true,
        counts: { settled: 1, recomputed: 1 },
      });
    }),
  );

  test(
    'settle and show as a bet of a member’s own',
    undone(async () => {
      const bettor = await join('bob', worldNow);
      const legs = (await offerLongShots()).map(({ fixtureReference, selectionId, bookmakerId, oddsThousandths }) => ({
        fixtureReference,
        selectionId,
        bookmakerId,
        price: { oddsThousandths, fraction: null },
      }));
      const bet = await placeBet(
        bettor,
        { legs, stakeMinor: 1000, currencyId: CurrencyId.UNITS, eachWay: false },
        'one',
        worldNow,
      );
      await allWon(after(4));
      expect(await settleDueBets(after(5))).toBe(1);
      expect((await getBet(bettor, bet.reference)).settlement).toMatchObject({
        outcome: 'won',
        returnMinor: returned,
        profitMinor: profit,
      });
      expect(await resettleCorrectedBets(after(6))).toBe(0);
    }),
  );
});

describe('a profit that ends in half a hundredth', () => {
  test(
    'is shown rounded away from zero on the tip, in the statistics and in its months',
    undone(async () => {
      const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const price = {
        bookmakerReference: 'bet365',
        price: { oddsThousandths: 1900, fraction: null },
        at: worldNow.toISOString(),
        timeKnown: true,
        closing: false,
      };
      const selections = ['over', 'under'].map((key) => ({ key, name: key, prices: [price] }));
      await importFixtures(
        [
          {
            line: 2,
            fixture: match('Athletic', 'Wanderers', startsAt, {
              markets: [
                { kind: 'total', lineHundredths: 225, period: 'full-time', includesOvertime: false, selections },
              ],
            }),
          },
        ],
        'football-data',
        worldNow,
      );
      const tip = await publishTip(
        owner,
        reference,
        { idempotencyKey: 'one', legs: [await offer(athletic, 'total', 'over', 'bet365')], stakeHundredths: 33 },
        worldNow,
      );
      await finish(1, 1, after(4));
      await settleDueTips(after(5));
      // Half of 0.33 is lost: −0.165, of which −0.17 is shown.
      expect((await getTip(owner, reference, tip.reference, after(6))).settlements).toMatchObject([
        { outcome: 'half-lost', profitHundredths: -17, returnHundredths: 17 },
      ]);
      expect(
        (await getStatistics(owner, reference, { range: TimeRange.allTime }, after(6))).advised.profitHundredths,
      ).toBe(-17);
      expect((await getMonthOverview(owner, reference, after(6))).years[0]?.total.advised.profitHundredths).toBe(-17);
    }),
  );
});

describe('the entry of a settlement', () => {
  const entries = async (): Promise<LedgerEntry[]> => {
    const { rows } = await sql<{ entry: string }>`select entry from ledger_entry order by sequence`.execute(database());
    return rows.map(({ entry }) => JSON.parse(entry) as LedgerEntry);
  };

  test(
    'states the verdict and the market’s prices of each leg, is dated by the end of the ledger, and is kept beside the settlement',
    undone(async () => {
      await publishOn(['home']);
      await finish(2, 0, after(4));
      await settleDueTips(after(5));
      const [, entry] = await entries();
      expect(entry).toMatchObject({
        kind: 'tip-settled',
        at: after(5).toISOString(),
        content: {
          outcome: 'won',
          stakedHundredths: 100,
          legs: [
            {
              facts: {
                win: { voidHalves: 0, won: true, deadHeat: { numerator: 1, denominator: 1 }, rule4Pence: 0 },
                place: null,
                closing: null,
              },
            },
          ],
        },
      });
      const { rows } = await sql<{
        facts: unknown;
        at: Date;
      }>`select facts, settled_at as at from tip_settlement`.execute(database());
      expect(rows).toEqual([
        { facts: entry?.kind === 'tip-settled' ? entry.content.legs.map(({ facts }) => facts) : null, at: after(5) },
      ]);
      expect(reportSentences(await verifyLedger(readLedger(bytes()))).join(' ')).toContain(
        '1 settlement or correction recomputed from what was published and found right.',
      );
    }),
  );

  test(
    'is not written while the clock stands before the end of the ledger, and nobody is set aside for it',
    undone(async () => {
      await publishOn(['home']);
      await finish(2, 0, after(4));
      await sql`update ledger_head set at = ${after(9)}`.execute(database());
      await expect(decidedAt(after(5), () => settleDueTips(after(5)))).rejects.toMatchObject({ kind: 'unavailable' });
      expect(await countSetAside()).toEqual({ tips: 0, bets: 0 });
      expect(await openTips()).toMatchObject([{ attempts: 0, failure: null }]);
    }),
  );
});
