/** @jest-environment node */
import { renderToStaticMarkup } from 'react-dom/server';
import { Units } from '@/components/ui/units';
import { Balance } from '@/components/stats/balance';
import { BreakdownTable } from '@/components/stats/breakdown-table';
import { FollowerTable } from '@/components/stats/follower-table';
import { MonthTable } from '@/components/stats/month-table';
import { ProfitChart } from '@/components/stats/profit-chart';
import { SummaryStats } from '@/components/stats/summary-stats';
import { LegTable } from '@/components/tips/leg-table';
import { TipFollowers } from '@/components/tips/tip-followers';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { PriceNow } from '@/components/formats/price-now';
import { TotalOdds } from '@/components/formats/total-odds';
import { defaultView } from '@/lib/pages/default-view';
import { formatUnits } from '@/lib/format';
import { totalOddsThousandths } from '@/lib/odds/rules';
import type { DetailedPublication } from '@/lib/record/schema';
import { TimeRange } from '@/lib/reference/schema';
import { type RecordedTip, settledTipIn } from '@/lib/stats/rules';
import type { TipLegView, TipView } from '@/lib/tips/schema';
import {
  expectedBreakdown,
  expectedCurve,
  expectedMonths,
  expectedStatistics,
  expectedTip,
  RecordNames,
} from '@/scripts/verify/expected';
import { recordPageDifferences, statsPageDifferences, tipPageDifferences } from '@/scripts/verify/pages';
import { noPrices, settlementOf, verdict } from '../unit/record/ledger';

const legOf = (home: string, key: 'home' | 'draw', oddsThousandths: number): DetailedPublication['legs'][number] => ({
  fixture: `${home.toLowerCase()}-v-rovers-2026-03-10`,
  startsAt: '2026-03-10T20:00:00.000Z',
  market: { kind: 'match-result', lineHundredths: 0, period: 'full-time', includesOvertime: false },
  selection: { key, name: key === 'home' ? home : 'Draw' },
  bookmaker: 'bet365',
  price: { oddsThousandths, fraction: null },
  eachWayTerms: null,
  details: {
    ...{
      sport: 'football',
      league: { reference: 'northern-league', name: 'Northern League' },
      fixtureName: `${home} v Rovers`,
      sides: { home, away: 'Rovers' },
    },
    ...{ listedKeys: [], participant: null, bookmakerName: 'bet365 & Co', priceAt: '2026-03-09T20:00:00.000Z' },
  },
});

const publication = (legs: DetailedPublication['legs']): DetailedPublication => ({
  legs,
  stakeHundredths: 250,
  eachWay: false,
  free: true,
  analysisHash: 'ab'.repeat(32),
});

function tipOf(own: DetailedPublication, sequence: number): RecordedTip & { publication: DetailedPublication } {
  const settlement = settlementOf(
    own,
    own.legs.map(({ selection }) => (selection.key === 'home' ? 'won' : 'lost')),
  );
  const closing = { oddsThousandths: 1850, fraction: null };
  const legs = settlement.legs.map((leg, index) => ({
    ...leg,
    facts: {
      win: verdict(own.legs[index]?.selection.key === 'home' ? 'won' : 'lost'),
      place: null,
      ...noPrices,
      closing,
      followers: {
        after5: own.legs[index]?.price ?? null,
        after15: null,
        after60: { oddsThousandths: 2000, fraction: null },
        close: { oddsThousandths: 1900, fraction: null },
      },
    },
  }));
  return {
    reference: `tip${sequence}`,
    portfolio: 'ann',
    sequence,
    publishedAt: '2026-03-09T21:00:00.000Z',
    publication: own,
    settlements: [
      {
        sequence: sequence + 1000,
        at: '2026-03-10T23:00:00.000Z',
        content: { ...settlement, legs },
        reason: null,
        actor: null,
      },
    ],
  };
}

/** A tip's page as its parts make it. */
function tipPage(
  tip: RecordedTip & { publication: DetailedPublication },
  now: Partial<Pick<TipLegView, 'postponedUntil'>> = {},
): string {
  const { legs, settlements, stakeHundredths, ledgerSequence, followers, minPrice } = expectedTip(tip, tip.publication);
  const shown = (legs as Partial<TipLegView>[]).map((leg) => ({
    selectionId: 7,
    priceNow: null,
    bestNow: null,
    finalScore: '2–0',
    ...now,
    ...leg,
  })) as TipLegView[];
  return renderToStaticMarkup(
    <main>
      <h1>{shown.length === 1 ? shown[0]?.bet : `${shown.length} legs by Ann`}</h1>
      <Stats>
        <Stat label="Stake">{formatUnits(stakeHundredths)} u</Stat>
        <Stat label="Odds">
          <TotalOdds
            thousandths={totalOddsThousandths(tip.publication.legs.map(({ price }) => price))}
            display={defaultView.oddsDisplay}
          />
        </Stat>
        {settlements[0] && (
          <Stat label="Profit" note="returned 1.00">
            <Units hundredths={settlements[0].profitHundredths} />
          </Stat>
        )}
      </Stats>
      <PriceNow
        tip={
          { ...{ reference: 'abcdefghjk', legs: shown, minPrice, lock: null, started: false }, settlements } as TipView
        }
        oddsDisplay={defaultView.oddsDisplay}
      />
      <LegTable
        tip={{ reference: 'abcdefghjk', legs: shown }}
        timeZone={defaultView.timeZone}
        oddsDisplay={defaultView.oddsDisplay}
      />
      {followers.length > 0 && (
        <TipFollowers followers={followers} timeZone={defaultView.timeZone} oddsDisplay={defaultView.oddsDisplay} />
      )}
      <p>
        Entry {ledgerSequence.toLocaleString('en-GB')} of the ledger
        {settlements[0] && `, settled in entry ${settlements[0].sequence.toLocaleString('en-GB')}`}. Nobody can change
        it.
      </p>
    </main>,
  );
}

const single = tipOf(publication([legOf('Athletic', 'home', 2100)]), 5);
const double = tipOf(publication([legOf('Athletic', 'home', 2100), legOf('Harriers', 'draw', 3400)]), 9);

describe('the page of a tip', () => {
  it.each([
    ['one leg', single],
    ['two legs', double],
    ['no settlement yet', { ...single, settlements: [] }],
  ])('with %s shows what the record says', (_, tip) => {
    expect(tipPageDifferences(tipPage(tip), tip, tip.publication)).toEqual([]);
  });

  it('shows the least price that an open tip was published with, and none of another', () => {
    const open = { ...single, settlements: [] };
    const bounded = { ...open.publication, minPrice: { oddsThousandths: 1900, fraction: null } };
    const page = tipPage({ ...open, publication: bounded });
    expect(tipPageDifferences(page, { ...open, publication: bounded }, bounded)).toEqual([]);
    const told = [{ where: expect.stringMatching(/least price$/), site: '1.90' }];
    for (const other of [open.publication, { ...bounded, minPrice: { oddsThousandths: 2000, fraction: null } }])
      expect(tipPageDifferences(page, open, other)).toMatchObject(told);
  });

  it('may call a match postponed, which no record tells, until the tip is settled', () => {
    const open = { ...single, settlements: [] };
    const page = tipPage(open, { postponedUntil: '2026-03-12T20:00:00.000Z' });
    expect(page).toContain('Postponed');
    expect(tipPageDifferences(page, open, open.publication)).toEqual([]);
    expect(
      tipPageDifferences(tipPage(single).replaceAll('>Won<', '>Postponed<'), single, single.publication),
    ).toMatchObject([{ where: expect.stringMatching(/leg 1, outcome/) }]);
  });

  it.each([
    ['a price', '>2.10<', '>2.90<', /leg 1, price taken/],
    ['the fixture', 'Athletic v Rovers', 'United v Rovers', /leg 1, names/],
    ['the selection', '>Athletic<', '>United<', /leg 1, names/],
    ['the league', 'Northern League', 'Premier League', /league/],
    ['the bookmaker', 'bet365 &amp; Co', 'Other &amp; Co', /price taken/],
    ['the stake', '2.50 u', '9.50 u', /stake/],
    ['the outcome', '>Won<', '>Lost<', /outcome/],
    ['the profit', '+2.75', '+9.75', /profit/],
    ['the closing price', '>1.85<', '>1.95<', /closing price/],
    ['the place in the record', 'Entry 5 ', 'Entry 6 ', /place in the record/],
    ['a followers’ price', '>1.90<', '>2.90<', /what followers had/],
    ['whether a price was still there', 'No, shorter', 'Yes', /what followers had/],
    ['a leg', /<tbody>.*?<\/tbody>/, '<tbody></tbody>', /number of legs/],
  ])('with %s changed is told of', (_, from, to, where) => {
    const page = tipPage(single);
    const changed = page.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'gs'), to);
    expect(changed).not.toBe(page);
    expect(tipPageDifferences(changed, single, single.publication).map(({ where: place }) => place)).toEqual(
      expect.arrayContaining([expect.stringMatching(where)]),
    );
  });
});

describe('the page of statistics', () => {
  const names = new RecordNames();
  for (const tip of [single, double]) names.take(tip.publication);
  const settled = [single, double].flatMap((tip) => settledTipIn(tip, names.numberOf)?.tip ?? []);
  const now = new Date('2026-03-12T00:00:00.000Z');
  const kinds = ['bookmaker', 'league', 'sport', 'bet-type', 'odds-total'] as const;
  const range = TimeRange.month;
  const shown = {
    range,
    statistics: expectedStatistics(settled, range, now),
    months: expectedMonths(settled, now),
    breakdowns: kinds.map((kind) => expectedBreakdown(settled, kind, { now, names, range })),
    curve: expectedCurve(settled, 'level'),
  };
  const titles = {
    bookmaker: 'Bookmaker',
    league: 'League',
    sport: 'Sport',
    'bet-type': 'Bet type',
    'odds-total': 'Odds',
  };
  const page = renderToStaticMarkup(
    <main>
      <MonthTable overview={shown.months} />
      <ProfitChart points={shown.curve} timeZone={defaultView.timeZone} />
      <SummaryStats statistics={shown.statistics} />
      <FollowerTable followers={shown.statistics.followers} />
      {shown.breakdowns.map((breakdown) => (
        <BreakdownTable
          key={breakdown.kind}
          title={titles[breakdown.kind as keyof typeof titles]}
          breakdown={breakdown}
        />
      ))}
    </main>,
  );

  it('shows what the record says', () => {
    expect(page).toContain('Northern League');
    expect(statsPageDifferences(page, 'ann', shown)).toEqual([]);
  });

  it.each([
    ['a profit', '+0.25', '+9.25', /profit, advised stakes/],
    ['a name in a breakdown', 'Northern League', 'Premier League', /breakdown by league/],
    ['a name of a bookmaker', 'bet365 &amp; Co', 'Other &amp; Co', /breakdown by bookmaker/],
    ['a year of months', '>2026<', '>2025<', /months/],
    ['a strike rate', '50.0%', '90.0%', /strike rate/],
    ['what is said of the chart', 'Profit over 2 tips', 'Profit over 9 tips', /, chart$/],
    ['a row of the chart', '<th scope="row">2</th>', '<th scope="row">3</th>', /chart as a table/],
    ['a point of the chart', /(<path d="M[\d.]+),[\d.]+L/g, '$1,1L', /drawing of the chart/],
    ['the scale of the chart', /(<text[^>]*dy="0.32em"[^>]*>\+)/g, '$19', /drawing of the chart/],
    ['a followers’ profit', '−0.25', '+9.25', /followers’ prices/],
    ['how often a price was still there', '0 of 2 tips', '1 of 2 tips', /followers’ prices/],
    ['the closing line value', '+61.1%', '+91.1%', /closing line value/],
  ])('with %s changed is told of', (_, from, to, where) => {
    const changed = page.replaceAll(from, to);
    expect(changed).not.toBe(page);
    expect(statsPageDifferences(changed, 'ann', shown).map(({ where: place }) => place)).toEqual(
      expect.arrayContaining([expect.stringMatching(where)]),
    );
  });

  it('is not taken for that of another time range', () => {
    const today = {
      ...shown,
      range: TimeRange.day,
      statistics: expectedStatistics(settled, TimeRange.day, now),
      breakdowns: kinds.map((kind) => expectedBreakdown(settled, kind, { now, names, range: TimeRange.day })),
    };
    expect(statsPageDifferences(page, 'ann', today)).toContainEqual({
      where: 'ann, page of statistics, today, profit, advised stakes',
      site: '+0.25',
      record: '0.00',
    });
  });

  describe('beside it the page of the record', () => {
    const record = {
      statistics: expectedStatistics(settled, TimeRange.allTime, now),
      curve: expectedCurve(settled, 'advised'),
    };
    const served = renderToStaticMarkup(
      <main>
        <Balance statistics={record.statistics} timeZone={defaultView.timeZone} />
        <ProfitChart points={record.curve} timeZone={defaultView.timeZone} />
      </main>,
    );

    it.each([20, 25, 90, 401])('with the curve of %i tips shows what the record says', (count) => {
      const tips = Array.from({ length: count }, (_, index) =>
        tipOf(index % 3 === 0 ? double.publication : single.publication, index),
      );
      const many = tips.flatMap((tip) => settledTipIn(tip, names.numberOf)?.tip ?? []);
      const curve = expectedCurve(many, 'advised');
      const long = { statistics: expectedStatistics(many, TimeRange.allTime, now), curve };
      const drawn = renderToStaticMarkup(
        <main>
          <Balance statistics={long.statistics} timeZone={defaultView.timeZone} />
          <ProfitChart points={curve} timeZone={defaultView.timeZone} />
        </main>,
      );
      expect(recordPageDifferences(drawn, 'ann', long)).toEqual([]);
    });

    it('shows what the record says, and nothing where there is nothing to draw', () => {
      expect(recordPageDifferences(served, 'ann', record)).toEqual([]);
      const empty = { statistics: expectedStatistics([], TimeRange.allTime, now), curve: [] };
      expect(recordPageDifferences('<main></main>', 'ann', empty)).toEqual([]);
      expect(recordPageDifferences(served, 'ann', empty)).toHaveLength(1);
    });

    it.each([
      ['what was staked', '<dd>5.00', '<dd>9.00', /staked/],
      ['what was returned', '<dd>5.25', '<dd>9.25', /returned/],
      ['the profit', '<dd>+0.25', '<dd>+9.25', /profit/],
      ['the narrow drawing alone', /(<path d="M52,[\d.]+)(L212),/g, '$1$2,9', /drawing of the chart/],
      ['a drawing upside down', /(y="[\d.]+" dy="0.32em"[^>]*>)\+/g, '$1−', /drawing of the chart/],
      ['a drawing left out', /<svg viewBox="0 0 [37].*?<\/svg>/g, '', /drawing of the chart/],
      ['a day of the chart', 'Tue 10 Mar 2026</time>', 'Tue 17 Mar 2026</time>', /chart as a table/],
    ])('with %s changed is told of', (_, from, to, where) => {
      const changed = served.replaceAll(from, to);
      expect(changed).not.toBe(served);
      expect(recordPageDifferences(changed, 'ann', record).map(({ where: place }) => place)).toEqual(
        expect.arrayContaining([expect.stringMatching(where)]),
      );
    });
  });
});
