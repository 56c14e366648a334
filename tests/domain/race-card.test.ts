import { listPricesNow } from '@/lib/bets/queries';
import { guest } from '@/lib/http/viewer';
import { closeMarkets, importFixtures } from '@/lib/fixtures/commands';
import { getFixtureDetail, getMarkets, listFixtures } from '@/lib/fixtures/queries';
import { raceCard, runnerKey } from '@/lib/fixtures/rules';
import { type FeedRunner, fixtureDetailSchema } from '@/lib/fixtures/schema';
import type { FixtureCorrection } from '@/lib/fixtures/schema/staff';
import { forget } from '@/lib/platform/cache';
import { decidedAt } from '@/lib/platform/moment';
import { Role, sports } from '@/lib/reference/schema';
import { orderCorrection } from '@/lib/rulings/commands';
import { getTip } from '@/lib/tips/queries';
import { openStaff } from '../support/accounts';
import { after as afterStart, legOf, runRace } from '../support/bets';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { placeBet, publishTip } from '../support/moments';
import { importSampleRace, sampleRace } from '../support/races';
import { worldNow } from '../support/world';

onTestDatabase();

const { reference, before, after } = sampleRace;
const ayr = 'ayr-2026-03-10-2000';
const sportId = sports.find((sport) => sport.reference === 'horse-racing')?.id;
const odds = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });

async function cardAt(now: Date) {
  await forget([`fixture:${reference}`]);
  const fixture = await getFixtureDetail(guest(), reference, now);
  const view = await getMarkets(guest(), reference, { showAll: true, pinnacleOnly: false }, now);
  return { fixture: fixtureDetailSchema.parse(fixture), card: raceCard(fixture, view) };
}

const pricesOf = ({ rows }: ReturnType<typeof raceCard>) =>
  rows.map(({ runner: { name, startingPrice }, best, finish }) => [
    name,
    best?.price.oddsThousandths ?? null,
    startingPrice?.oddsThousandths ?? null,
    finish?.position ?? null,
  ]);

const runnerOf = (name: string, more: Partial<FeedRunner> = {}): FeedRunner => ({
  name,
  number: null,
  withdrawal: null,
  startingPrice: null,
  ...more,
});

/** The sample race again, as a source tells of it that knows every place. */
async function importFinish(positions: [name: string, position: number][], placesKnown: number): Promise<void> {
  const fixture = {
    ...{
      sportReference: 'horse-racing',
      season: '',
      name: '15:30 Ayr, 6f Hcap',
      reference,
      handicap: true,
      startTimeKnown: true,
      offAt: null,
      markets: [],
    },
    league: {
      reference: 'horse-racing-gb-ayr',
      name: 'Ayr',
      countryIso2: 'GB',
      territory: 'United Kingdom',
      rank: 300,
    },
    startsAt: '2026-05-09T14:30:00.000Z',
    runners: positions.map(([name], index) => runnerOf(name, { number: index + 1 })),
    result: { positions: positions.map(([name, position]) => ({ name, position })), placesKnown },
  };
  await importFixtures([{ line: 1, fixture }], 'another', after);
}

describe('the runners of a race', () => {
  test(
    'stand before the off with what is offered on them, and the withdrawn with their price',
    undone(async () => {
      await importSampleRace(before, 9);
      const { fixture, card } = await cardAt(before);
      expect(fixture).toMatchObject({ handicap: true, placesKnown: 0, started: false });
      expect(fixture.runners.map(({ name, position }) => [name, position])).toEqual(
        ['Copper Lantern', 'Quiet Tuesday', 'Bramble Bank', 'Slate Roof', 'Tin Whistle', 'Marsh Lad'].map((name) => [
          name,
          null,
        ]),
      );
      expect(card.basis).toBe('now');
      expect(pricesOf(card)).toEqual([
        ['Copper Lantern', 3100, null, null],
        ['Quiet Tuesday', 4400, null, null],
        ['Bramble Bank', 8600, null, null],
        ['Slate Roof', 11_000, null, null],
      ]);
      expect(card.rows[0]?.best?.bookmakers).toEqual(['Betfair Exchange']);
      expect(card.withdrawn).toMatchObject([
        { name: 'Tin Whistle', withdrawal: { at: '2026-05-09T09:14:30.000Z', price: odds(5500) } },
        { name: 'Marsh Lad', withdrawal: { at: '2026-05-09T11:00:05.000Z', price: null } },
      ]);
    }),
  );

  test(
    'stand after the result with closing and starting prices, the winner first and nobody else placed where the source tells no more',
    undone(async () => {
      await importSampleRace(after);
      await closeMarkets(after);
      const { fixture, card } = await cardAt(after);
      expect(fixture).toMatchObject({ placesKnown: 1, started: true });
      expect(card).toMatchObject({ basis: 'closing', isDecided: true });
      expect(pricesOf(card)).toEqual([
        ['Copper Lantern', 3100, 3100, 1],
        ['Quiet Tuesday', 4400, 4620, null],
        ['Bramble Bank', 8600, 8400, null],
        ['Slate Roof', 11_000, 11_500, null],
      ]);
    }),
  );

  test(
    'have the places of the newest result, shared ones too, and their numbers; a withdrawn one has none whatever a source says',
    undone(async () => {
      await importSampleRace(after);
      await importFinish(
        [
          ['Copper Lantern', 1],
          ['Slate Roof', 2],
          ['Bramble Bank', 2],
          ['Quiet Tuesday', 4],
          ['Tin Whistle', 5],
        ],
        5,
      );
      const { fixture, card } = await cardAt(after);
      expect(fixture.placesKnown).toBe(5);
      expect(card.rows.map(({ runner: { name, number }, finish }) => [name, number, finish])).toEqual([
        ['Copper Lantern', 1, { position: 1, level: 1 }],
        ['Bramble Bank', 3, { position: 2, level: 2 }],
        ['Slate Roof', 2, { position: 2, level: 2 }],
        ['Quiet Tuesday', 4, { position: 4, level: 1 }],
      ]);
      expect(card.withdrawn[0]).toMatchObject({ name: 'Tin Whistle', number: 5, position: null });
    }),
  );

  test(
    'that staff withdraw before the off are on offer nowhere, to nobody, until they are reinstated',
    undone(async () => {
      const ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
      const ann = await openShop('ann', { name: 'Ann' }, worldNow);
      await runRace(worldNow);
      const tip = await offer(ayr, 'outright-winner', runnerKey('Slate Roof'), 'bet365');
      const leg = { selectionId: tip.selectionId, bookmakerId: tip.bookmakerId };
      const order = (correction: FixtureCorrection) =>
        decidedAt(worldNow, () => orderCorrection({ staff: ada, reference: ayr, correction }));
      const isOffered = async () => {
        const [row] = await listFixtures(guest(), { from: worldNow, until: afterStart(1), sportId }, worldNow);
        const { markets } = await getMarkets(guest(), ayr, { showAll: true, pinnacleOnly: false }, worldNow);
        const [now] = await listPricesNow(ann.owner, [leg], worldNow);
        const selection = markets[0]?.selections.find(({ id }) => id === leg.selectionId);
        return {
          list: row?.bestOdds.some(({ selectionId }) => selectionId === leg.selectionId),
          grid: [selection?.withdrawn, selection?.selectedOdds, selection?.odds.map(({ pulled }) => pulled)],
          slip: [now?.state, now?.price?.oddsThousandths],
        };
      };
      const publish = (idempotencyKey: string) =>
        publishTip(ann.owner, ann.reference, { idempotencyKey, legs: [tip], stakeHundredths: 100 }, worldNow);
      const place = (key: string) => placeBet(ann.owner, { legs: [legOf(tip)], stakeMinor: 100 }, key, worldNow);
      const offered = { list: true, grid: [false, 9, [false]], slip: ['offered', 9000] };
      expect(await isOffered()).toEqual(offered);
      const { reference } = await publish('before');

      await order({
        ...{ action: 'fixture.withdraw', runner: 'Slate Roof', at: worldNow, odds: '8/1' },
        ...{ reason: 'Lame.', preview: false },
      });
      expect(await isOffered()).toEqual({ list: false, grid: [true, null, [true]], slip: ['nonRunner', undefined] });
      const shown = await getTip(ann.owner, ann.reference, reference, worldNow);
      expect(shown.legs[0]).toMatchObject({ priceNow: null, bestNow: null });
      await expect(publish('meanwhile')).rejects.toMatchObject({
        kind: 'conflict',
        message: 'Slate Roof was withdrawn from 20:00 Ayr. Choose another.',
        fields: { 'legs.0.selectionId': 'was withdrawn' },
      });
      await expect(place('meanwhile')).rejects.toMatchObject({ kind: 'conflict' });

      await order({ action: 'fixture.reinstate', runner: 'Slate Roof', reason: 'Another horse.', preview: false });
      expect(await isOffered()).toEqual(offered);
      await publish('again');
      await place('again');
    }),
  );

  test('are none where two sides meet', async () => {
    expect(await getFixtureDetail(guest(), 'rovers-v-town-2026-03-07', worldNow)).toMatchObject({
      handicap: false,
      placesKnown: 0,
      runners: [],
    });
  });

  test('of a fixture that does not exist are missing', async () => {
    await expect(getFixtureDetail(guest(), 'nobody-v-noone-2026-03-07', worldNow)).rejects.toMatchObject({
      kind: 'missing',
    });
  });
});
