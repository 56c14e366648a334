import { readPriceColumn } from '@/lib/feeds/football-data/columns';
import { sourceBookmakers } from '@/lib/reference/schema';

const real: [name: string, meaning: string][] = [
  ['B365H', 'bet365 match-result home'],
  ['B365D', 'bet365 match-result draw'],
  ['B365CA', 'bet365 match-result away closing'],
  ['B365>2.5', 'bet365 total over'],
  ['B365C<2.5', 'bet365 total under closing'],
  ['B365AHH', 'bet365 asian-handicap home B365AH,AHh'],
  ['B365CAHA', 'bet365 asian-handicap away closing B365CAH,AHCh'],
  ['BFDH', 'betfred match-result home'],
  ['BFDA', 'betfred match-result away'],
  ['BFDCD', 'betfred match-result draw closing'],
  ['BFD', 'betfair-sportsbook match-result draw'],
  ['BFH', 'betfair-sportsbook match-result home'],
  ['BFCH', 'betfair-sportsbook match-result home closing'],
  ['BFCD', 'betfair-sportsbook match-result draw closing'],
  ['BFEH', 'betfair-exchange match-result home'],
  ['BFECAHH', 'betfair-exchange asian-handicap home closing BFECAH,AHCh'],
  ['BFE>2.5', 'betfair-exchange total over'],
  ['BMGMCD', 'betmgm match-result draw closing'],
  ['BVA', 'betvictor match-result away'],
  ['VCH', 'betvictor match-result home'],
  ['VCCH', 'betvictor match-result home closing'],
  ['BWD', 'bwin match-result draw'],
  ['CLH', 'coral match-result home'],
  ['CLCA', 'coral match-result away closing'],
  ['LBD', 'ladbrokes match-result draw'],
  ['LBAHH', 'ladbrokes asian-handicap home LBAH,AHh'],
  ['GBAHA', 'gamebookers asian-handicap away GBAH,AHh'],
  ['PSH', 'pinnacle match-result home'],
  ['PSCD', 'pinnacle match-result draw closing'],
  ['PH', 'pinnacle match-result home'],
  ['P>2.5', 'pinnacle total over'],
  ['PC<2.5', 'pinnacle total under closing'],
  ['PCAHH', 'pinnacle asian-handicap home closing PCAH,AHCh'],
  ['WHH', 'william-hill match-result home'],
  ['IWA', 'interwetten match-result away'],
  ['1XBCH', '1xbet match-result home closing'],
  ['SBD', 'sportingbet match-result draw'],
  ['SJA', 'stan-james match-result away'],
  ['SYH', 'stanleybet match-result home'],
  ['SOD', 'sporting-odds match-result draw'],
  ['BSA', 'blue-square match-result away'],
];

const withoutPrice = [
  ...['Div', 'Date', 'HomeTeam', 'FTHG', 'FTR', 'HTHG', 'HTR', 'Referee', 'Attendance', 'Country', 'HG', 'AG', 'Res'],
  ...[
    'HS',
    'AS',
    'HST',
    'AST',
    'HHW',
    'AHW',
    'HC',
    'AC',
    'HF',
    'AF',
    'HFKC',
    'HO',
    'AO',
    'HY',
    'AY',
    'HR',
    'AR',
    'HBP',
    'ABP',
  ],
  ...[
    'AHh',
    'AHCh',
    'B365AH',
    'GBAH',
    'LBAH',
    'Bb1X2',
    'BbOU',
    'BbAH',
    'BbAHh',
    'BbMxH',
    'BbAvA',
    'BbMx>2.5',
    'BbAvAHH',
  ],
  ...['MaxH', 'MaxCA', 'AvgD', 'MaxAHH', 'b365h', 'B365', 'B365X', 'B365CC', 'C', ''],
];

describe('the columns of football-data.co.uk', () => {
  test.each(real)('%s holds %s', (name, meaning) => {
    const column = readPriceColumn(name);
    const words = column && [
      column.bookmakerReference,
      column.kind,
      column.selectionKey,
      ...(column.closing ? ['closing'] : []),
      column.lineColumns.join(),
    ];
    expect(words?.join(' ').trim()).toBe(meaning);
  });

  test.each(withoutPrice)('"%s" holds no bookmaker’s price', (name) => {
    expect(readPriceColumn(name)).toBeNull();
  });

  test.each(['H', 'D', 'A', '>2.5', '<2.5', 'AHH', 'AHA'])(
    'AvgC%s holds the average of the closing prices, which is no bookmaker’s',
    (suffix) => {
      const { selectionKey, kind } = readPriceColumn(`B365C${suffix}`) ?? {};
      expect(readPriceColumn(`AvgC${suffix}`)).toMatchObject({
        bookmakerReference: null,
        closing: true,
        selectionKey,
        kind,
      });
    },
  );

  test('of an extra league are closing prices, with the C and in older files without it', () => {
    for (const name of ['PSC', 'P', 'AvgC', 'Avg'].flatMap((prefix) =>
      ['H', 'D', 'A'].map((suffix) => prefix + suffix),
    ))
      expect([name, readPriceColumn(name, 'extra')]).toEqual([
        name,
        expect.objectContaining({ closing: true, bookmakerReference: name.startsWith('P') ? 'pinnacle' : null }),
      ]);
    expect(readPriceColumn('MaxH', 'extra')).toBeNull();
  });

  test('name bookmakers that the site knows', () => {
    const known = sourceBookmakers.map(({ reference }) => reference);
    expect(
      real
        .map(([name]) => readPriceColumn(name)?.bookmakerReference)
        .filter((reference) => !known.includes(reference ?? '')),
    ).toEqual([]);
  });

  test('a name that two ways of cutting would make does not exist', () => {
    const prefixes = [
      'B365',
      'BFD',
      'BFE',
      'BF',
      'BMGM',
      'BS',
      'BV',
      'BW',
      'CL',
      'GB',
      'IW',
      'LB',
      'P',
      'PS',
      'SB',
      'SJ',
      'SO',
      'SY',
      'VC',
      'WH',
      '1XB',
    ];
    const suffixes = ['H', 'D', 'A', '>2.5', '<2.5', 'AHH', 'AHA'];
    const names = prefixes.flatMap((prefix) =>
      ['', 'C'].flatMap((mark) => suffixes.map((suffix) => `${prefix}${mark}${suffix}`)),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !readPriceColumn(name))).toEqual([]);
  });
});
