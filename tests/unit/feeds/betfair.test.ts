import { existsSync, readFileSync } from 'node:fs';
import { betfair } from '@/lib/feeds/betfair';
import { footballData } from '@/lib/feeds/football-data';
import { openfootball } from '@/lib/feeds/openfootball';
import type { FeedRace } from '@/lib/fixtures/schema';
import { defined, lines, odds, only, prices, racesOf, stream, text } from './betfair-stream';
import { read, rejectionsOf, sharedFile } from './reading';

describe('a stream file of Betfair', () => {
  const items = read(betfair, text);
  const race = only(text);

  test('gives the race under its course, named by the clock there', () => {
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['race 1']);
    expect({ ...race, runners: [], markets: [], result: null }).toEqual({
      sourceId: '1.900000001',
      sportReference: 'horse-racing',
      league: {
        reference: 'horse-racing-gb-ayr',
        name: 'Ayr',
        countryIso2: 'GB',
        territory: 'United Kingdom',
        rank: 300,
      },
      season: '',
      name: '15:30 Ayr, 6f Hcap',
      reference: 'ayr-2026-05-09-1530',
      handicap: true,
      startsAt: '2026-05-09T14:30:00.000Z',
      startTimeKnown: true,
      offAt: '2026-05-09T14:31:30.040Z',
      runners: [],
      result: null,
      markets: [],
    });
  });

  test('gives every runner with its starting price, withdrawn ones with the last price before', () => {
    expect(race.runners).toEqual([
      { name: 'Copper Lantern', number: null, withdrawal: null, startingPrice: odds(3100) },
      { name: 'Quiet Tuesday', number: null, withdrawal: null, startingPrice: odds(4620) },
      { name: 'Bramble Bank', number: null, withdrawal: null, startingPrice: odds(8400) },
      { name: 'Slate Roof', number: null, withdrawal: null, startingPrice: odds(11500) },
      {
        name: 'Tin Whistle',
        number: null,
        withdrawal: { at: '2026-05-09T09:14:30.000Z', price: odds(5500) },
        startingPrice: null,
      },
      {
        name: 'Marsh Lad',
        number: null,
        withdrawal: { at: '2026-05-09T11:00:05.000Z', price: null },
        startingPrice: null,
      },
    ]);
  });

  test('tells the winner and leaves the places of the others open', () => {
    expect(race.result).toEqual({ positions: [{ position: 1, name: 'Copper Lantern' }], placesKnown: 1 });
  });

  test('holds each change of the price at its moment, the last before the off as the closing one', () => {
    expect(prices(race, 'Copper Lantern')).toEqual([
      '08:05:00 3.5',
      '09:15:00 3.25',
      '14:29:40 3.05',
      '14:30:50 3.1 C',
      '14:31:30 2.2',
      '14:32:30 1.01',
      '14:34:00 pulled',
    ]);
    expect(prices(race, 'Bramble Bank')).toEqual(['08:40:00 9', '14:29:40 8.6 C', '14:32:30 480', '14:34:00 pulled']);
    expect(race.markets[0]?.selections[0]?.prices[0]).toEqual({
      bookmakerReference: 'betfair-exchange',
      price: odds(3500),
      at: '2026-05-09T08:05:00.120Z',
      timeKnown: true,
      closing: false,
    });
  });

  test('pulls the price of a withdrawn runner, which has no closing one, and none that never traded', () => {
    expect(prices(race, 'Tin Whistle')).toEqual(['08:40:00 6', '09:10:00 5.5', '09:15:00 pulled']);
    expect(prices(race, 'Marsh Lad')).toEqual([]);
  });

  test('has one market, of who wins, with a key for each runner that does not depend on the source', () => {
    expect(race.markets.map(({ selections, ...market }) => [market, selections.map(({ key }) => key)])).toEqual([
      [
        { kind: 'outright-winner', lineHundredths: 0, period: 'full-time', includesOvertime: false },
        [
          'runner-copper-lantern',
          'runner-quiet-tuesday',
          'runner-bramble-bank',
          'runner-slate-roof',
          'runner-tin-whistle',
          'runner-marsh-lad',
        ],
      ],
    ]);
  });

  test('that ends before the race gives it without result, off and closing prices', () => {
    const early = only(lines.slice(0, 8).join('\n'));
    expect([early.result, early.offAt, early.runners[0]?.startingPrice]).toEqual([null, null, null]);
    expect(prices(early, 'Copper Lantern')).toEqual(['08:05:00 3.5', '09:15:00 3.25', '14:29:40 3.05']);
  });

  test('may have Windows line ends and empty lines', () => {
    expect(read(betfair, `${lines.join('\r\n\r\n')}\r\n`)).toEqual(items);
  });

  test('may hold several markets, one after the other or mixed', () => {
    const second = lines.map((line) => line.replace('1.900000001', '1.900000002').replaceAll('T14:30:00', 'T15:05:00'));
    const mixed = lines.flatMap((line, index) => [line, second[index] ?? '']);
    for (const content of [[...lines, ...second], mixed]) {
      const races = racesOf(read(betfair, content.join('\n')));
      expect(races.map(({ reference, sourceId }) => [reference, sourceId])).toEqual([
        ['ayr-2026-05-09-1530', '1.900000001'],
        ['ayr-2026-05-09-1605', '1.900000002'],
      ]);
      expect(prices(races[1] as FeedRace, 'Bramble Bank')).toEqual(prices(race, 'Bramble Bank'));
    }
  });
});

describe('a race', () => {
  test.each([
    ['6f Hcap', true],
    ['2m Hcap Hrd', true],
    ['1m2f Handicap', true],
    ['7f Nursery', true],
    ['1m Mdn Stks', false],
    ['2m Nov Chs', false],
  ])('called %s is a handicap: %p', (name, handicap) => expect(only(defined({ name })).handicap).toBe(handicap));

  test('of greyhounds is kept apart from horses at a course of the same name, and has the numbers of its traps', () => {
    const race = only(
      stream({
        at: '12:00:00',
        define: { eventTypeId: '4339', name: 'A5 480m' },
        runner: { name: '3. Swift  Ballad' },
      }),
    );
    expect(race).toMatchObject({
      sportReference: 'greyhounds',
      league: { reference: 'greyhounds-gb-ayr' },
      runners: [
        { name: 'Swift Ballad', number: 3 },
        { name: 'Second Home', number: null },
      ],
    });
    expect(race.markets[0]?.selections[0]?.key).toBe('runner-swift-ballad');
  });

  test.each([
    ['Australia/Sydney', 'AU', '00:30 Ayr, 6f Mdn', 'ayr-2026-05-10-0030', 'Australia'],
    ['US/Eastern', 'US', '10:30 Ayr, 6f Mdn', 'ayr-2026-05-09-1030', 'United States'],
    ['UTC', 'QQ', '14:30 Ayr, 6f Mdn', 'ayr-2026-05-09-1430', null],
  ])('is named by the clocks of %s', (timezone, countryCode, name, reference, territory) => {
    expect(only(stream({ at: '12:00:00', define: { timezone, countryCode } }))).toMatchObject({
      name,
      reference,
      league: { territory },
      startsAt: '2026-05-09T14:30:00.000Z',
    });
  });

  test('that is put back keeps its name and starts later', () => {
    const race = only(
      stream({ at: '12:00:00', define: {} }, { at: '14:20:00', define: { marketTime: '2026-05-09T14:45:00.000Z' } }),
    );
    expect(race).toMatchObject({
      name: '15:30 Ayr, 6f Mdn',
      reference: 'ayr-2026-05-09-1530',
      startsAt: '2026-05-09T14:45:00.000Z',
    });
  });

  test('without betting in play is off when its market is suspended for the last time', () => {
    const race = only(
      stream(
        { at: '12:00:00', define: {}, traded: [[1, 2]] },
        { at: '13:00:00', define: { status: 'SUSPENDED' } },
        { at: '13:05:00', define: {}, traded: [[1, 2.5]] },
        { at: '14:31:00', define: { status: 'SUSPENDED' } },
        { at: '14:35:00', define: { status: 'CLOSED' }, statuses: ['LOSER', 'WINNER'] },
      ),
    );
    expect([race.offAt, prices(race, 'First Past')]).toEqual([
      '2026-05-09T14:31:00.000Z',
      ['12:00:00 2', '13:05:00 2.5 C', '14:35:00 pulled'],
    ]);
  });

  test('that was called off again after a false start is off when it starts', () => {
    const race = only(
      stream(
        { at: '14:30:00', define: { inPlay: true }, traded: [[1, 2]] },
        { at: '14:31:00', define: {} },
        { at: '14:36:00', define: { inPlay: true } },
      ),
    );
    expect([race.offAt, prices(race, 'First Past')]).toEqual(['2026-05-09T14:36:00.000Z', ['14:30:00 2 C']]);
  });

  test('that two win is a dead heat over two places', () => {
    const race = only(
      stream(
        { at: '12:00:00', define: {} },
        { at: '14:35:00', define: { status: 'CLOSED' }, statuses: ['WINNER', 'WINNER'] },
      ),
    );
    expect(race.result).toEqual({
      positions: [
        { position: 1, name: 'First Past' },
        { position: 1, name: 'Second Home' },
      ],
      placesKnown: 2,
    });
  });

  test('whose market closes without a winner has no result, and that is said', () => {
    const items = read(
      betfair,
      stream(
        { at: '12:00:00', define: {} },
        { at: '14:35:00', define: { status: 'CLOSED' }, statuses: ['REMOVED', 'REMOVED'] },
      ),
    );
    expect(racesOf(items)[0]).toMatchObject({
      result: null,
      runners: [{ withdrawal: { at: '2026-05-09T14:35:00.000Z', price: null } }, {}],
    });
    expect(rejectionsOf(items)).toEqual([
      {
        kind: 'rejected',
        line: 1,
        column: 'status',
        reason:
          '15:30 Ayr, 6f Mdn: the market closed without a winner, so the race has no result; the rest of it was kept.',
      },
    ]);
  });

  test('takes a withdrawn runner back when the stream does', () => {
    const race = only(
      stream(
        { at: '12:00:00', define: {}, traded: [[1, 2]] },
        { at: '12:10:00', define: {}, statuses: ['REMOVED', 'ACTIVE'] },
        { at: '12:20:00', define: {}, traded: [[1, 2.2]] },
      ),
    );
    expect([race.runners[0]?.withdrawal, prices(race, 'First Past')]).toEqual([
      null,
      ['12:00:00 2', '12:10:00 pulled', '12:20:00 2.2'],
    ]);
  });

  test.each([
    [4.147392819, 4147],
    [1.01, 1010],
    [1000, 1_000_000],
  ])('has a starting price of %p to the thousandth', (bsp, thousandths) => {
    expect(
      only(stream({ at: '12:00:00', define: { bspReconciled: true }, runner: { bsp } })).runners[0]?.startingPrice,
    ).toEqual(odds(thousandths));
  });

  test.each(['NaN', 'Infinity', 0, null])('has no starting price when it says %p', (bsp) => {
    expect(
      only(stream({ at: '12:00:00', define: { bspReconciled: true }, runner: { bsp } })).runners[0]?.startingPrice,
    ).toBeNull();
  });

  test('has one price a moment, the last that was said', () => {
    expect(
      prices(
        only(
          stream(
            {
              at: '12:00:00',
              define: {},
              traded: [
                [1, 2],
                [1, 2.2],
              ],
            },
            { at: '12:00:00', traded: [[1, 2.4]] },
          ),
        ),
        'First Past',
      ),
    ).toEqual(['12:00:00 2.4']);
  });
});

const hamilton = sharedFile('betfair_win_Hamilton_2017-06-14.jsonl');

(existsSync(hamilton) ? describe : describe.skip)('the 19:55 at Hamilton on 14 June 2017', () => {
  const items = existsSync(hamilton) ? read(betfair, readFileSync(hamilton)) : [];
  const race = racesOf(items)[0] as FeedRace;

  test('is read whole', () => {
    expect(items).toHaveLength(1);
    expect(race).toMatchObject({
      name: '19:55 Hamilton, 1m Hcap',
      reference: 'hamilton-2017-06-14-1955',
      startsAt: '2017-06-14T18:55:00.000Z',
      offAt: '2017-06-14T18:55:42.053Z',
    });
    const all = race.markets.flatMap(({ selections }) => selections.flatMap(({ prices: own }) => own));
    expect([all.length, all.filter(({ price }) => !price).length]).toEqual([1222, 14]);
  });

  test('had 14 runners, of which two were withdrawn, last traded at 16.0 and 28.0, so that 12 ran a handicap (vector 16)', () => {
    expect([race.runners.length, race.runners.filter(({ withdrawal }) => !withdrawal).length, race.handicap]).toEqual([
      14,
      12,
      true,
    ]);
    expect(
      race.runners.flatMap(({ name, withdrawal }) => (withdrawal ? [[name, withdrawal.price?.oddsThousandths]] : [])),
    ).toEqual([
      ['Hellavashock', 16_000],
      ['Hymn For The Dudes', 28_000],
    ]);
  });

  test('was won by the favourite, and every runner has a starting price and a closing one', () => {
    expect(race.result).toEqual({ positions: [{ position: 1, name: 'Brother Mcgonagall' }], placesKnown: 1 });
    const ran = race.runners.filter(({ withdrawal }) => !withdrawal);
    expect(ran.every(({ startingPrice }) => startingPrice)).toBe(true);
    expect(ran[0]?.startingPrice).toEqual(odds(4150));
    expect(
      race.markets[0]?.selections.filter(({ prices: own }) => own.filter(({ closing }) => closing).length === 1),
    ).toHaveLength(12);
  });

  test('is refused by the feeds of other files', () => {
    for (const feed of [footballData, openfootball])
      expect(() => read(feed, readFileSync(hamilton))).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });
});
