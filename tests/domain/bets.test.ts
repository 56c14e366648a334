import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { removeBet, resettleCorrectedBets, settleDueBets } from '@/lib/bets/commands';
import { getBet } from '@/lib/bets/queries/bets';
import { betsAPage, findBetPlace, listBets } from '@/lib/bets/queries';
import { betFilterSchema } from '@/lib/bets/schema';
import { betsKept } from '@/lib/bets/schema/limits';
import { guest } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { CurrencyId } from '@/lib/reference/schema';
import {
  after,
  athletic,
  before,
  bet,
  copyBet,
  homeWin,
  legOf,
  offerSecond,
  onRunner,
  play,
  playAthletic,
  race,
  runners,
  runRace,
  start,
} from '../support/bets';
import { onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { placeBet, publishTip, settleDueTips } from '../support/moments';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const everything = betFilterSchema.parse({});

const outcomeOf = async (viewer: Viewer, reference: string) => {
  const { settlement } = await getBet(viewer, reference);
  return settlement && { outcome: settlement.outcome, staked: settlement.stakedMinor, profit: settlement.profitMinor };
};

describe('placing a bet of one’s own', () => {
  test(
    'takes the price on offer now, puts nothing on the public record and shows it to nobody else',
    undone(async () => {
      const [cat, dan] = [await join('cat', worldNow), await join('dan', worldNow)];
      const placed = await placeBet(cat, await bet(), 'one', worldNow);
      expect(placed).toMatchObject({
        stakeMinor: 100,
        currencyId: CurrencyId.UNITS,
        enteredLate: false,
        settlement: null,
        legs: [
          { selectionName: 'Athletic', bookmakerName: 'bet365', ownPrice: false, price: { oddsThousandths: 2500 } },
        ],
      });
      expect((await sql`select 1 from ledger_entry`.execute(database())).rows).toEqual([]);
      await expect(getBet(dan, placed.reference)).rejects.toMatchObject({ kind: 'missing' });
      expect(await listBets(dan, { ...everything, skip: 0 }, worldNow)).toEqual({ items: [], next: null, count: 0 });
      await expect(placeBet(guest(), await bet(), 'one', worldNow)).rejects.toMatchObject({ kind: 'unauthorised' });
    }),
  );

  test(
    'is refused beyond what a record takes in a day, until the day is over',
    undone(async () => {
      const [cat, dan] = [await join('cat', worldNow), await join('dan', worldNow)];
      const day = before(24);
      await placeBet(cat, await bet(), 'one', worldNow);
      await copyBet(betsKept.aDay - 2, new Date(day.getTime() + 1));
      expect(await placeBet(cat, await bet(), 'last', worldNow)).toMatchObject({ stakeMinor: 100 });
      await expect(placeBet(cat, await bet(), 'more', worldNow)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('again tomorrow'),
      });
      expect(await placeBet(cat, await bet(), 'last', worldNow)).toMatchObject({ stakeMinor: 100 });
      await placeBet(dan, await bet(), 'more', worldNow);
      await placeBet(cat, await bet(), 'more', new Date(worldNow.getTime() + 1));
    }),
  );

  test(
    'stands on a page of the list of its currency, wherever its member looks for it, and nobody else finds it',
    undone(async () => {
      const [cat, dan] = [await join('cat', worldNow), await join('dan', worldNow)];
      const first = await placeBet(cat, await bet(), 'one', worldNow);
      await copyBet(betsAPage + 4);
      const pounds = await placeBet(cat, await bet({ currencyId: CurrencyId.GBP }), 'two', worldNow);
      expect(await findBetPlace(cat, pounds.reference)).toEqual({ currencyId: CurrencyId.GBP, skip: 0 });
      const place = await findBetPlace(cat, first.reference);
      expect(place).toEqual({ currencyId: CurrencyId.UNITS, skip: betsAPage });
      const page = await listBets(cat, { ...everything, currency: CurrencyId.UNITS, skip: betsAPage }, worldNow);
      expect(page.items.map(({ reference }) => reference)).toContain(first.reference);
      for (const reference of [pounds.reference, 'zzzzzzzzzz']) expect(await findBetPlace(dan, reference)).toBeNull();
    }),
  );

  test(
    'is refused once a record is full, and taken when a bet was taken out',
    undone(async () => {
      const cat = await join('cat', worldNow);
      const { reference } = await placeBet(cat, await bet(), 'one', worldNow);
      await copyBet(betsKept.inAll - 1, before(48));
      await expect(placeBet(cat, await bet(), 'more', worldNow)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('Take out bets'),
      });
      await removeBet(cat, reference);
      await placeBet(cat, await bet(), 'more', worldNow);
    }),
  );

  test(
    'is refused at the second of the start, and with the price now when it became shorter',
    undone(async () => {
      const cat = await join('cat', worldNow);
      const input = await bet();
      await expect(placeBet(cat, input, 'one', start)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('has started'),
      });
      await importFixtures(
        [
          {
            line: 1,
            fixture: match('Athletic', 'Wanderers', start.toISOString(), {
              markets: [
                matchResult('Athletic', 'Wanderers', '2026-03-10T11:00:00.000Z', { bet365: [2400, 3200, 3100] }),
              ],
            }),
          },
        ],
        'football-data',
        worldNow,
      );
      await expect(placeBet(cat, input, 'one', worldNow)).rejects.toMatchObject({
        kind: 'conflict',
        details: { moved: [{ now: { oddsThousandths: 2400 } }] },
      });
    }),
  );

  test(
    'is done once for one key, and the key is refused for another bet',
    undone(async () => {
      const cat = await join('cat', worldNow);
      const first = await placeBet(cat, await bet(), 'one', worldNow);
      expect(await placeBet(cat, await bet(), 'one', after(-1))).toEqual(first);
      await expect(placeBet(cat, await bet({ stakeMinor: 200 }), 'one', worldNow)).rejects.toMatchObject({
        kind: 'conflict',
      });
      expect((await listBets(cat, { ...everything, skip: 0 }, worldNow)).count).toBe(1);
    }),
  );

  test(
    'marks a price that was not on offer then as one’s own, and knows one that was',
    undone(async () => {
      const cat = await join('cat', worldNow);
      const leg = await homeWin();
      const takenAt = before(3).toISOString();
      const seen = await placeBet(cat, { legs: [leg], stakeMinor: 100, takenAt }, 'seen', worldNow);
      const better = await placeBet(
        cat,
        { legs: [{ ...leg, price: { oddsThousandths: 2600, fraction: null } }], stakeMinor: 100, takenAt },
        'better',
        worldNow,
      );
      const tooEarly = await placeBet(
        cat,
        { legs: [leg], stakeMinor: 100, takenAt: before(48).toISOString() },
        'early',
        worldNow,
      );
      expect([seen, better, tooEarly].map(({ legs }) => legs[0]?.ownPrice)).toEqual([false, true, true]);
      expect(seen.placedAt).toBe(takenAt);
    }),
  );

  test(
    'takes a bookmaker that is none of ours by its name, and every price of it is one’s own',
    undone(async () => {
      const cat = await join('cat', worldNow);
      const legs = [{ ...(await homeWin()), bookmakerId: null }];
      await expect(
        placeBet(cat, { legs, stakeMinor: 100, bookmakerName: 'The Shop Round the Corner' }, 'now', worldNow),
      ).rejects.toThrow('say when the bet was taken');
      const placed = await placeBet(
        cat,
        {
          legs,
          stakeMinor: 1250,
          currencyId: CurrencyId.EUR,
          bookmakerName: 'The Shop Round the Corner',
          takenAt: before(1).toISOString(),
        },
        'one',
        worldNow,
      );
      expect(placed.legs[0]).toMatchObject({ bookmakerName: 'The Shop Round the Corner', ownPrice: true });
      await playAthletic([1, 0], after(2));
      await settleDueBets(after(5));
      expect(await outcomeOf(cat, placed.reference)).toEqual({ outcome: 'won', staked: 1250, profit: 1875 });
    }),
  );

  test(
    'says honestly that a bet was entered after the start, and takes none from the future or taken in play',
    undone(async () => {
      const cat = await join('cat', worldNow);
      const input = await bet({ takenAt: worldNow.toISOString() });
      expect(await placeBet(cat, input, 'late', after(1))).toMatchObject({
        enteredLate: true,
        placedAt: worldNow.toISOString(),
        enteredAt: after(1).toISOString(),
      });
      await expect(
        placeBet(cat, { ...input, takenAt: after(1).toISOString() }, 'future', worldNow),
      ).rejects.toMatchObject({ kind: 'invalid', fields: { takenAt: 'lies in the future' } });
      await expect(
        placeBet(cat, { ...input, takenAt: start.toISOString() }, 'in-play', after(1)),
      ).rejects.toMatchObject({ kind: 'invalid', fields: { takenAt: 'lies after the start' } });
    }),
  );

  test(
    'can name the tip that it follows, if the tip can be seen and is on the same selections',
    undone(async () => {
      const { owner, reference: portfolioReference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const cat = await join('cat', worldNow);
      const leg = await offer(athletic, 'match-result', 'home', 'bet365');
      const open = await publishTip(
        owner,
        portfolioReference,
        { idempotencyKey: 'open', legs: [leg], stakeHundredths: 100 },
        worldNow,
      );
      const hidden = await publishTip(
        owner,
        portfolioReference,
        { idempotencyKey: 'hidden', legs: [leg], stakeHundredths: 100, hidden: true },
        worldNow,
      );
      const following = async (tip: { reference: string }, legs = [legOf(leg)]) =>
        placeBet(
          cat,
          { legs, stakeMinor: 100, tip: { portfolioReference, reference: tip.reference } },
          `on ${tip.reference}`.replace(' ', '-'),
          worldNow,
        );
      const draw = legOf(await offer(athletic, 'match-result', 'draw', 'bet365'));
      await expect(following(open, [draw])).rejects.toMatchObject({
        kind: 'invalid',
        fields: { tip: 'is on other selections' },
      });
      await expect(following(hidden)).rejects.toMatchObject({ kind: 'forbidden' });
      expect((await following(open)).tip).toEqual({
        portfolioReference,
        portfolioName: 'Ann Football',
        reference: open.reference,
      });
    }),
  );

  test(
    'can be taken back until it is settled, and by nobody else',
    undone(async () => {
      const [cat, dan] = [await join('cat', worldNow), await join('dan', worldNow)];
      const [wrong, right] = [
        await placeBet(cat, await bet(), 'wrong', worldNow),
        await placeBet(cat, await bet(), 'right', worldNow),
      ];
      await expect(removeBet(dan, wrong.reference)).rejects.toMatchObject({ kind: 'missing' });
      await removeBet(cat, wrong.reference);
      await playAthletic([0, 1], after(2));
      await settleDueBets(after(5));
      await expect(removeBet(cat, right.reference)).rejects.toMatchObject({ kind: 'conflict' });
      expect(
        (await listBets(cat, { ...everything, skip: 0 }, after(5))).items.map(({ reference }) => reference),
      ).toEqual([right.reference]);
    }),
  );
});

describe('settling bets of one’s own', () => {
  test(
    'goes by the rules of tips: the same bet comes to the same, once however often it runs',
    undone(async () => {
      const { owner, reference: portfolioReference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const leg = await offer(athletic, 'match-result', 'home', 'bet365');
      await publishTip(
        owner,
        portfolioReference,
        { idempotencyKey: 'one', legs: [leg], stakeHundredths: 250 },
        worldNow,
      );
      const own = await placeBet(owner, { legs: [legOf(leg)], stakeMinor: 250 }, 'one', worldNow);
      expect(await settleDueBets(after(3))).toBe(0);
      await playAthletic([2, 0], after(4));
      expect([await settleDueBets(after(5)), await settleDueBets(after(5))]).toEqual([1, 0]);
      await settleDueTips(after(5));
      const { rows } = await sql<{
        outcome: string;
        profit: string;
      }>`select outcome, profit_microunits::text as profit from tip_settlement union all select outcome, profit_microunits::text from bet_settlement`.execute(
        database(),
      );
      expect(rows).toEqual([
        { outcome: 'won', profit: '3750000' },
        { outcome: 'won', profit: '3750000' },
      ]);
      expect(await outcomeOf(owner, own.reference)).toEqual({ outcome: 'won', staked: 250, profit: 375 });
    }),
  );

  test(
    'leaves a void leg out of an accumulator, which pays by the other',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await runRace(worldNow);
      const [second, runner] = [await offerSecond(), await onRunner('Slate Roof')];
      const double = await placeBet(cat, { legs: [legOf(second), runner], stakeMinor: 100 }, 'double', worldNow);
      expect(double.totalOddsThousandths).toBe(18_000);
      await play('Harriers', 'Rangers', after(1).toISOString(), [3, 0], after(4));
      const withdrawn = race().runners.map((each) =>
        each.name === 'Slate Roof' ? { ...each, withdrawal: { at: after(-1).toISOString(), price: null } } : each,
      );
      await runRace(after(1), {
        runners: withdrawn,
        result: {
          positions: runners
            .filter((name) => name !== 'Slate Roof')
            .map((name, index) => ({ position: index + 1, name })),
          placesKnown: 7,
        },
      });
      await settleDueBets(after(8));
      expect(await outcomeOf(cat, double.reference)).toEqual({ outcome: 'won', staked: 100, profit: 100 });
    }),
  );

  test(
    'pays both parts of an each-way bet, less Rule 4 for a withdrawal after it was struck',
    undone(async () => {
      const cat = await join('cat', worldNow);
      await runRace(worldNow);
      const leg = await onRunner('Copper Lantern');
      const struck = await placeBet(cat, { legs: [leg], stakeMinor: 100, eachWay: true }, 'first', worldNow);
      expect(struck.legs[0]?.eachWay).toEqual({
        places: 3,
        fraction: { numerator: 1, denominator: 5 },
        basis: 'standard',
      });
      const withdrawnAt = new Date(worldNow.getTime() + 3_600_000);
      const withdrawn = race().runners.map((each) =>
        each.name === 'North Wall'
          ? { ...each, withdrawal: { at: withdrawnAt.toISOString(), price: { oddsThousandths: 4000, fraction: null } } }
          : each,
      );
      const placings = runners
        .filter((name) => name !== 'North Wall')
        .map((name, index) => ({ position: index + 1, name }));
      await runRace(new Date(withdrawnAt.getTime() + 60_000), { runners: withdrawn });
      const later = await placeBet(
        cat,
        { legs: [leg], stakeMinor: 100, eachWay: true },
        'second',
        new Date(withdrawnAt.getTime() + 120_000),
      );
      await runRace(after(1), { runners: withdrawn, result: { positions: placings, placesKnown: 7 } });
      await settleDueBets(after(8));
      // Seven ran: two places at a quarter. 8/1 less 25p in the pound pays 6 to win, a quarter of that for the place.
      expect(await outcomeOf(cat, struck.reference)).toEqual({ outcome: 'won', staked: 200, profit: 750 });
      expect(await outcomeOf(cat, later.reference)).toEqual({ outcome: 'won', staked: 200, profit: 1000 });
    }),
  );

  test(
    'takes an each-way bet that was taken earlier on the terms of the field that ran then',
    undone(async () => {
      const cat = await join('cat', worldNow);
      const five = race().runners.slice(0, 5);
      const hours = (count: number) => new Date(worldNow.getTime() + count * 3_600_000);
      await runRace(worldNow, { runners: five });
      const leg = await onRunner('Copper Lantern');
      const withdrawal = { at: hours(1).toISOString(), price: { oddsThousandths: 4000, fraction: null } };
      await runRace(hours(1.5), {
        runners: five.map((each) => (each.name === 'Long Meadow' ? { ...each, withdrawal } : each)),
      });
      const input = { legs: [leg], stakeMinor: 100, eachWay: true };
      const takenAt = worldNow.toISOString();
      const placed = await placeBet(cat, { ...input, takenAt }, 'then', hours(2));
      expect(placed.legs[0]?.eachWay).toMatchObject({ places: 2, fraction: { numerator: 1, denominator: 4 } });
      await expect(
        placeBet(cat, { ...input, takenAt: hours(1.8).toISOString() }, 'after', hours(2)),
      ).rejects.toMatchObject({ kind: 'invalid' });
      await expect(placeBet(cat, input, 'now', hours(2))).rejects.toMatchObject({ kind: 'invalid' });
    }),
  );

  test(
    'settles anew with a reason when a result is corrected, and leaves alone what the correction does not change',
    undone(async () => {
      const cat = await join('cat', worldNow);
      const [home, away] = [
        await placeBet(cat, await bet(), 'home', worldNow),
        await placeBet(
          cat,
          { legs: [legOf(await offer(athletic, 'match-result', 'away', 'bet365'))], stakeMinor: 100 },
          'away',
          worldNow,
        ),
      ];
      await playAthletic([2, 0], after(3));
      expect(await settleDueBets(after(5))).toBe(2);
      expect(await resettleCorrectedBets(after(5))).toBe(0);
      await playAthletic([2, 2], after(6));
      expect([await resettleCorrectedBets(after(7)), await resettleCorrectedBets(after(7))]).toEqual([1, 0]);
      const taken = await sql`select version from bet_resettlement order by version`.execute(database());
      expect(taken.rows).toEqual([{ version: 2 }]);
      expect((await getBet(cat, home.reference)).settlement).toMatchObject({
        version: 2,
        outcome: 'lost',
        profitMinor: -100,
        reason: `The result of ${athletic} was corrected to version 2.`,
      });
      expect((await getBet(cat, away.reference)).settlement).toMatchObject({
        version: 1,
        outcome: 'lost',
        reason: null,
      });
      await playAthletic([3, 2], after(8));
      expect([await resettleCorrectedBets(after(9)), await resettleCorrectedBets(after(9))]).toEqual([1, 0]);
      expect((await getBet(cat, home.reference)).settlement).toMatchObject({ version: 3, outcome: 'won' });
    }),
  );
});
