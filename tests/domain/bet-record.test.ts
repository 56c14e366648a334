import { sql } from 'kysely';
import pg from 'pg';
import type { Viewer } from '@/lib/access/schema';
import { deleteAccount } from '@/lib/accounts/commands';
import { exportUser } from '@/lib/accounts/queries';
import { settleDueBets } from '@/lib/bets/commands';
import { exportBets, getBetRecord, listBets } from '@/lib/bets/queries';
import { type BetRecord, betFilterSchema } from '@/lib/bets/schema';
import { maxStakeMinor } from '@/lib/bets/schema/bets';
import { member } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { CurrencyId, Role } from '@/lib/reference/schema';
import { after, bet, copyBet, homeWin, legOf, offerSecond, play, playAthletic, start } from '../support/bets';
import { onTestDatabase, undone } from '../support/database';
import { join } from '../support/members';
import { placeBet } from '../support/moments';
import { scansDuring } from '../support/scans';
import { worldNow } from '../support/world';

onTestDatabase();

const everything = betFilterSchema.parse({});

describe('the record of one’s bets', () => {
  async function season(viewer: Viewer) {
    const second = await offerSecond();
    await placeBet(viewer, await bet({ stakeMinor: 200 }), 'won', worldNow);
    await placeBet(viewer, { legs: [legOf(second)], stakeMinor: 100 }, 'lost', worldNow);
    await placeBet(viewer, { legs: [legOf(second)], stakeMinor: 5000, currencyId: CurrencyId.GBP }, 'pounds', worldNow);
    await playAthletic([1, 0], after(2));
    await play('Harriers', 'Rangers', after(1).toISOString(), [0, 0], after(4));
    expect(await settleDueBets(after(8))).toBe(3);
  }

  test(
    'has the statistics of a portfolio, by currency',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await season(cat);
      const record = await getBetRecord(cat, everything, after(9));
      expect(record).toMatchObject({
        ...{
          all: 3,
          currencyId: CurrencyId.UNITS,
          currencies: [CurrencyId.UNITS, CurrencyId.GBP],
          sports: ['football'],
        },
        statistics: {
          tips: 2,
          won: 1,
          longestLosingRun: 1,
          tooFew: true,
          strikeRatePercent: { value: 50, count: 2 },
          advised: {
            profitHundredths: 200,
            turnoverHundredths: 300,
            maxDrawdownHundredths: 100,
            yieldPercent: { value: 66.6667 },
          },
          level: { profitHundredths: 50 },
        },
        curve: [
          { tips: 0, profitHundredths: 0 },
          { tips: 1, profitHundredths: 300 },
          { tips: 2, profitHundredths: 200 },
        ],
        months: { years: [{ year: 2026 }] },
      });
      expect((await getBetRecord(cat, { ...everything, currency: CurrencyId.GBP }, after(9))).statistics).toMatchObject(
        { tips: 1, won: 0, advised: { profitHundredths: -5000 } },
      );
    }),
  );

  test(
    'holds the largest stake of a currency without a smaller unit',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await placeBet(cat, await bet({ stakeMinor: maxStakeMinor, currencyId: CurrencyId.JPY }), 'yen', worldNow);
      await playAthletic([1, 0], after(2));
      expect(await settleDueBets(after(8))).toBe(1);
      const { statistics } = await getBetRecord(cat, everything, after(9));
      expect(statistics.advised).toMatchObject({
        turnoverHundredths: 100 * maxStakeMinor,
        profitHundredths: 150 * maxStakeMinor,
      });
    }),
  );

  test(
    'is computed a hundred bets at a time, of a member one question after the other',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await placeBet(cat, await bet({ stakeMinor: 200 }), 'won', worldNow);
      await playAthletic([1, 0], after(2));
      await settleDueBets(after(8));
      await copyBet(249);
      const asked = jest.spyOn(pg.Client.prototype, 'query');
      const record = await getBetRecord(cat, everything, after(9));
      const read = asked.mock.calls.filter(([text]) => String(text).includes('bet.id = any')).length;
      asked.mockRestore();
      expect(read).toBe(3);
      expect(record).toMatchObject({
        statistics: { tips: 250, won: 250, longestLosingRun: 0, advised: { profitHundredths: 75_000 } },
        months: { years: [{ year: 2026 }] },
      });
      expect(record.curve.at(-1)).toMatchObject({ tips: 250, profitHundredths: 75_000 });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, () => getBetRecord(cat, everything, after(9))),
      );
      expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused'))).toEqual([
        ...Array<BetRecord>(5).fill(record),
        'refused',
      ]);
    }),
  );

  test(
    'is exported some bets at a time, all of them in their order, and once at a time for a member',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await placeBet(cat, await bet({ stakeMinor: 200 }), 'won', worldNow);
      await copyBet(410);
      const asked = jest.spyOn(pg.Client.prototype, 'query');
      const { bets } = await exportUser(cat, after(9));
      const read = asked.mock.calls.filter(([text]) => String(text).includes('where id = any')).length;
      asked.mockRestore();
      expect([read, bets.length, new Set(bets.map(({ reference }) => reference)).size]).toEqual([3, 411, 411]);
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => exportUser(cat, after(9))));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    }),
  );

  test(
    'is filtered by sport, by currency and by when a bet was placed, the list as the figures',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await season(cat);
      const count = async (query: object, at = after(9)) => {
        const filter = betFilterSchema.parse(query);
        return [
          (await listBets(cat, { ...filter, skip: 0 }, at)).count,
          (await getBetRecord(cat, filter, at)).statistics.tips,
        ];
      };
      expect(await count({ sport: 'football', currency: '2' })).toEqual([2, 2]);
      expect(await count({ sport: 'tennis', currency: '2' })).toEqual([0, 0]);
      expect(await count({ period: '0', currency: '2' }, after(9))).toEqual([0, 0]);
      expect(await count({ period: '1', currency: '2' }, after(9))).toEqual([2, 2]);
    }),
  );

  test(
    'goes from page to page without a bet left out or twice',
    undone(async () => {
      const cat = await join('cat', worldNow);
      for (let index = 0; index < 25; index += 1)
        await placeBet(cat, await bet(), `bet-${index}`, new Date(worldNow.getTime() + (index >> 1)));
      const first = await listBets(cat, { ...everything, skip: 0 }, start);
      const second = await listBets(cat, { ...everything, skip: first.next ?? 0 }, start);
      expect([first.items.length, first.count, second.items.length, second.next]).toEqual([20, 25, 5, null]);
      expect(new Set([...first.items, ...second.items].map(({ reference }) => reference)).size).toBe(25);
    }),
  );

  test(
    'is read by the page, and what is skipped or comes after it is not computed; exported it is read once',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await placeBet(cat, await bet(), 'one', worldNow);
      await copyBet(444);
      const page = (skip: number) => listBets(cat, { ...everything, skip }, start);
      const scans = (body: () => Promise<unknown>) => scansDuring('bet_leg', body);
      expect(await scans(() => page(400))).toBe(await scans(() => page(0)));
      let text = '';
      const read = async () => {
        for await (const piece of exportBets(cat, everything, start)) text += piece;
      };
      expect(await scans(read)).toBeLessThan(460);
      const references = text
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]);
      expect([references.length, new Set(references).size]).toEqual([445, 445]);
    }),
  );

  test(
    'is exported whole as CSV in which nothing can run as a formula',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await season(cat);
      await placeBet(
        cat,
        {
          legs: [{ ...(await homeWin()), bookmakerId: null }],
          stakeMinor: 500,
          currencyId: CurrencyId.JPY,
          bookmakerName: '=HYPERLINK("https://evil.example")',
          takenAt: worldNow.toISOString(),
        },
        'own',
        after(1),
      );
      let text = '';
      for await (const piece of exportBets(cat, everything, after(9))) text += piece;
      const lines = text.trimEnd().split('\r\n');
      expect(lines).toHaveLength(5);
      expect(lines[0]).toMatch(/^bet,placed at,/);
      expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
      expect(text).toContain(',no,500,JPY,open,');
      expect(text).toMatch(/,no,2\.00,UNITS,won,2\.00,5\.00,3\.00,/);
    }),
  );

  test(
    'belongs to what a member can take away, and goes with the account',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await season(cat);
      const { bets } = await exportUser(cat, after(9));
      expect(bets).toHaveLength(3);
      expect(bets[0]).toMatchObject({
        stake_minor: 200,
        legs: [{ odds_thousandths: 2500 }],
        settlements: [{ outcome: 'won' }],
      });
      await deleteAccount(
        member({ accountId: cat.accountId, role: Role.user, pro: false, owns: [], subscribes: [] }),
        after(9),
      );
      const { rows } =
        await sql`select 1 from bet union all select 1 from bet_leg union all select 1 from bet_settlement`.execute(
          database(),
        );
      expect(rows).toEqual([]);
    }),
  );
});
