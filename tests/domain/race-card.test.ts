import { guest } from '@/lib/http/viewer';
import { closeMarkets, importFixtures } from '@/lib/fixtures/commands';
import { getFixtureDetail, getMarkets } from '@/lib/fixtures/queries';
import { raceCard } from '@/lib/fixtures/rules';
import { type FeedRunner, fixtureDetailSchema } from '@/lib/fixtures/schema';
import { forget } from '@/lib/platform/cache';
import { onTestDatabase, undone } from '../support/database';
import { importSampleRace, sampleRace } from '../support/races';
import { worldNow } from '../support/world';

onTestDatabase();

const { reference, before, after } = sampleRace;
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
