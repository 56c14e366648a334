/** @jest-environment node */
import { renderToStaticMarkup } from 'react-dom/server';
import { Units } from '@/components/portfolios/units';
import { BreakdownTable } from '@/components/stats/breakdown-table';
import { MonthTable } from '@/components/stats/month-table';
import { SummaryStats } from '@/components/stats/summary-stats';
import { LegTable } from '@/components/tips/leg-table';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { TotalOdds } from '@/components/viewing/total-odds';
import { viewing } from '@/lib/entry/viewing';
import { formatUnits } from '@/lib/format';
import { totalOddsThousandths } from '@/lib/odds/rules/book';
import type { DetailedPublication } from '@/lib/record/schema';
import { TimeRange } from '@/lib/reference/schema/enumerations';
import { type RecordedTip, settledTipIn } from '@/lib/stats/rules/record-fold';
import type { TipLegView } from '@/lib/tips/schema';
import {
  expectedBreakdown,
  expectedMonths,
  expectedStatistics,
  expectedTip,
  RecordNames,
} from '@/scripts/verify/expected';
import { statsPageDifferences, tipPageDifferences } from '@/scripts/verify/pages';
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
    },
  }));
  return {
    reference: `tip${sequence}`,
    portfolio: 'ann',
    sequence,
    publishedAt: '2026-03-09T21:00:00.000Z',
    publication: own,
    settlements: [
      { sequence: sequence + 1000, at: '2026-03-10T23:00:00.000Z', content: { ...settlement, legs }, reason: null },
    ],
  };
}

/** A tip's page as its parts make it. */
function tipPage(tip: RecordedTip & { publication: DetailedPublication }): string {
  const { legs, settlements, stakeHundredths, ledgerSequence } = expectedTip(tip, tip.publication);
  const shown = (legs as Partial<TipLegView>[]).map((leg) => ({
    selectionId: 7,
    priceNow: null,
    finalScore: '2–0',
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
            display={viewing.oddsDisplay}
          />
        </Stat>
        {settlements[0] && (
          <Stat label="Profit" note="returned 1.00">
            <Units hundredths={settlements[0].profitHundredths} />
          </Stat>
        )}
      </Stats>
      <LegTable legs={shown} timeZone={viewing.timeZone} oddsDisplay={viewing.oddsDisplay} />
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
    ['a leg', /<tbody>.*<\/tbody>/, '<tbody></tbody>', /number of legs/],
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
  const shown = {
    statistics: expectedStatistics(settled, TimeRange.allTime, now),
    months: expectedMonths(settled, now),
    breakdowns: kinds.map((kind) => expectedBreakdown(settled, kind, { now, names })),
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
      <SummaryStats statistics={shown.statistics} />
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
  ])('with %s changed is told of', (_, from, to, where) => {
    expect(page).toContain(from);
    expect(statsPageDifferences(page.replaceAll(from, to), 'ann', shown).map(({ where: place }) => place)).toEqual(
      expect.arrayContaining([expect.stringMatching(where)]),
    );
  });
});
