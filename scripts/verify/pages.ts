import { formatOdds, formatPercent, formatTotalOdds, formatUnits } from '@/lib/format';
import { totalOddsThousandths } from '@/lib/odds/rules/book';
import type { Publication } from '@/lib/record/schema';
import { defaultOddsDisplay } from '@/lib/reference/schema/enumerations';
import type { RecordedTip } from '@/lib/stats/rules/record-fold';
import type { BreakdownView, MonthOverview, StatisticsView } from '@/lib/stats/schema/views';
import type { TipLegView } from '@/lib/tips/schema';
import type { Difference } from './differences';
import { expectedTip } from './expected';
import { readPage, type ShownPage } from './html';

type Check = (what: string, shown: string | null | undefined, wanted: string | undefined) => void;

const outcomeWord = (outcome: string) => `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1).replace('-', ' ')}`;
const signedUnits = (hundredths: string | number) => formatUnits(BigInt(hundredths), { sign: true });
const signedPercent = (figure: { value: number } | null) =>
  figure ? formatPercent(figure.value, { sign: true }) : '–';

function compared(where: string, html: string, compare: (page: ShownPage, check: Check) => void): Difference[] {
  const found: Difference[] = [];
  const page = readPage(html);
  compare(page, (what, shown, wanted) => {
    if ((shown ?? undefined) !== wanted)
      found.push({ where: `${where}, ${what}`, site: shown ?? null, record: wanted ?? null });
  });
  return found;
}

// A publication of the older format tells no names of its legs.
type ShownLeg = Pick<TipLegView, 'price'> & Partial<TipLegView>;

/** What differs between the page of an open tip, as it is served to everybody, and the record: legs, names, prices, stake, outcome, profit and place in the ledger. */
export function tipPageDifferences(html: string, tip: RecordedTip, publication: Publication): Difference[] {
  const { settlements, ledgerSequence, stakeHundredths, ...expected } = expectedTip(tip, publication);
  const legs = expected.legs as readonly ShownLeg[];
  const [settled] = settlements;
  return compared(
    `${tip.portfolio}, page of tip ${tip.reference}`,
    html,
    ({ heading, figures, tables, text }, check) => {
      const [only] = legs;
      if (legs.length === 1 && only?.bet !== undefined) check('heading', heading, only.bet);
      check('stake', figures.get('Stake'), `${formatUnits(stakeHundredths)} u`);
      check(
        'odds',
        figures.get('Odds'),
        formatTotalOdds(totalOddsThousandths(publication.legs.map(({ price }) => price)), defaultOddsDisplay),
      );
      check('profit', figures.get('Profit'), settled ? signedUnits(settled.profitHundredths) : undefined);
      const place = `Entry ${ledgerSequence.toLocaleString('en-GB')} of the ledger${settled ? `, settled in entry ${settled.sequence.toLocaleString('en-GB')}` : ''}.`;
      check('place in the record', text.includes(place) ? place : null, place);
      const [, ...rows] = tables.get('Legs') ?? [[]];
      check('number of legs', `${rows.length}`, `${legs.length}`);
      legs.forEach((leg, index) => {
        const [bet = '', taken = '', , closing = '', outcome = ''] = rows[index] ?? [];
        const odds = formatOdds(leg.price, defaultOddsDisplay);
        const name = (what: string) => `leg ${index + 1}, ${what}`;
        if (leg.selectionName !== undefined) {
          const named = `${leg.selectionName} , price history ${leg.marketName} ${leg.fixtureName}`;
          check(name('names'), bet.slice(0, named.length), named);
          check(name('league'), bet.includes(`· ${leg.leagueName ?? ''}`) ? leg.leagueName : bet, leg.leagueName);
          check(name('price taken'), taken, `${odds} ${leg.bookmakerName}`);
        } else check(name('price taken'), taken.slice(0, odds.length), odds);
        if (leg.closingPrice !== undefined)
          check(
            name('closing price'),
            closing,
            leg.closingPrice ? formatOdds(leg.closingPrice, defaultOddsDisplay) : '–',
          );
        const word = leg.outcome ? outcomeWord(leg.outcome) : 'Open';
        check(name('outcome'), outcome.slice(0, word.length), word);
      });
    },
  );
}

const breakdownTitles: Record<BreakdownView['kind'], string> = {
  ...{
    bookmaker: 'Bookmaker',
    'bet-type': 'Bet type',
    hour: 'Hour of the start',
    month: 'Month',
    'odds-total': 'Odds',
  },
  ...{ sport: 'Sport', league: 'League', 'time-before': 'Time before the start', stake: 'Stake' },
};

const inOrder = (rows: readonly (readonly string[])[]) => JSON.stringify(rows.map((row) => row.join(' | ')).sort());

/** What the tipster's page of statistics of all time is to show. */
export type ExpectedStats = { statistics: StatisticsView; months: MonthOverview; breakdowns: readonly BreakdownView[] };

/** What differs between the tipster's page of statistics of all time, as it is served to everybody, and the record. */
export function statsPageDifferences(
  html: string,
  portfolio: string,
  { statistics, months, breakdowns }: ExpectedStats,
  { isOlder = false } = {},
): Difference[] {
  return compared(`${portfolio}, page of statistics`, html, ({ figures, tables }, check) => {
    const { advised, level, averageOdds, strikeRatePercent } = statistics;
    check('profit, advised stakes', figures.get('Profit, advised stakes'), signedUnits(advised.profitHundredths));
    check('yield', figures.get('Yield'), signedPercent(advised.yieldPercent));
    if (!isOlder)
      check('profit, level stakes', figures.get('Profit, level stakes'), signedUnits(level.profitHundredths));
    check('strike rate', figures.get('Strike rate'), strikeRatePercent ? formatPercent(strikeRatePercent.value) : '–');
    check('average odds', figures.get('Average odds'), averageOdds ? averageOdds.value.toFixed(2) : '–');
    check('deepest fall', figures.get('Deepest fall'), formatUnits(Number(advised.maxDrawdownHundredths)));
    if (months.years.length > 0) {
      const shown = [...tables].find(([caption]) => caption.startsWith('Profit by month'))?.[1].slice(1) ?? [];
      const wanted = months.years.map(({ year, months: own, total }) => [
        `${year}`,
        ...own.map((month) => (month ? signedUnits(month.advised.profitHundredths) : '–')),
        signedUnits(total.advised.profitHundredths),
        total.advised.yieldPercent ? `${signedPercent(total.advised.yieldPercent)} of ${total.tips}` : '–',
      ]);
      check('months', JSON.stringify(shown), JSON.stringify(wanted));
    }
    for (const { kind, rows } of breakdowns) {
      const wanted = rows
        .filter(({ tips, voids }) => tips + voids > 0)
        .map((row) => [
          row.label,
          `${row.tips}`,
          `${row.won}`,
          formatUnits(Number(row.advised.turnoverHundredths)),
          signedUnits(row.advised.profitHundredths),
          signedPercent(row.advised.yieldPercent),
        ]);
      if (wanted.length > 0)
        check(`breakdown by ${kind}`, inOrder(tables.get(breakdownTitles[kind])?.slice(1) ?? []), inOrder(wanted));
    }
  });
}
