import { formatDate, formatOdds, formatPercent, formatTotalOdds, formatUnits } from '@/lib/format';
import { totalOddsThousandths } from '@/lib/odds/rules';
import type { Publication } from '@/lib/record/schema';
import { defaultOddsDisplay, type TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { type RecordedTip, tabledPoints } from '@/lib/stats/rules';
import {
  type BreakdownView,
  type CurvePoint,
  type FollowerMoment,
  followerMoments,
  type MonthOverview,
  recordTimeZone,
  type StatisticsView,
} from '@/lib/stats/schema';
import type { TipLegView } from '@/lib/tips/schema';
import type { Difference } from './differences';
import { expectedTip } from './expected';
import { type Drawing, readPage, type ShownPage } from './html';

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

const followerWords: Record<FollowerMoment, string> = {
  after5: '5 minutes later',
  after15: '15 minutes later',
  after60: '1 hour later',
  close: 'At the close',
};
const postponedWord = 'Postponed';
const day = (at: string) => formatDate(at, { timeZone: recordTimeZone, style: 'day' });

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
    ({ heading, figures, tables, text, priceNow }, check) => {
      const [only] = legs;
      if (legs.length === 1 && only?.bet !== undefined) check('heading', heading, only.bet);
      check('stake', figures.get('Stake'), `${formatUnits(stakeHundredths)} u`);
      check(
        'odds',
        figures.get('Odds'),
        formatTotalOdds(totalOddsThousandths(publication.legs.map(({ price }) => price)), defaultOddsDisplay),
      );
      // It is told while the price can still be taken.
      if (priceNow !== null)
        check(
          'least price',
          / min\. (.+)$/.exec(priceNow)?.[1],
          expected.minPrice ? formatOdds(expected.minPrice, defaultOddsDisplay) : undefined,
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
        // The record does not tell what is postponed.
        const isPostponed = !leg.outcome && outcome.startsWith(postponedWord);
        const word = leg.outcome ? outcomeWord(leg.outcome) : isPostponed ? postponedWord : 'Open';
        check(name('outcome'), outcome.slice(0, word.length), word);
      });
      const followed = expected.followers.map(
        ({ moment, at, totalOddsThousandths: odds, stillThere, profitHundredths }) => [
          `${followerWords[moment]}${at ? ` ${formatDate(at, { timeZone: recordTimeZone, style: 'day-time' })}` : ''}`,
          odds === null ? 'None' : formatTotalOdds(odds, defaultOddsDisplay),
          stillThere === null ? '–' : stillThere ? 'Yes' : 'No, shorter',
          profitHundredths === null ? '–' : signedUnits(profitHundredths),
        ],
      );
      if (followed.length > 0)
        check(
          'what followers had',
          JSON.stringify(tables.get('What followers had of this tip')?.slice(1) ?? []),
          JSON.stringify(followed),
        );
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

const drawnTo = 0.3;

const amountIn = (label: string) => Math.round(100 * Number(label.replace('−', '-').replaceAll(',', '')));

/** True when a drawing goes through these points: evenly along the tips, and at the heights that its own scale gives their profits. */
function isDrawn({ path, scale }: Drawing, points: readonly CurvePoint[]): boolean {
  const numbers = (path.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const at = (index: number) => ({ x: numbers[2 * index] ?? NaN, y: numbers[2 * index + 1] ?? NaN });
  const [low, high] = [scale[0], scale.at(-1)];
  const last = points.at(-1);
  if (numbers.length !== 2 * points.length || !low || !high || !last) return false;
  const [from, to] = [at(0).x, at(points.length - 1).x];
  const span = amountIn(high.label) - amountIn(low.label);
  const heightOf = (profit: number) =>
    low.y + (span === 0 ? 0 : ((profit - amountIn(low.label)) * (high.y - low.y)) / span);
  const isNear = (drawn: number, wanted: number) => Math.abs(drawn - wanted) <= drawnTo;
  return (
    to > from &&
    (span > 0 ? high.y < low.y : true) &&
    scale.every(({ label, y }) => isNear(y, heightOf(amountIn(label)))) &&
    points.every(
      ({ tips, profitHundredths }, index) =>
        isNear(at(index).x, from + ((to - from) * tips) / last.tips) &&
        isNear(at(index).y, heightOf(Number(profitHundredths))),
    )
  );
}

/** Checks the chart of a curve: what is said of it, its table and its drawings. */
function checkChart({ charts, tables }: ShownPage, points: readonly CurvePoint[], check: Check): void {
  const [first, last] = [points[0], points.at(-1)];
  const chart = charts.find(({ label }) => label.startsWith('Profit over '));
  if (!first || !last || points.length < 2) {
    check('chart', chart?.label, undefined);
    return;
  }
  check(
    'chart',
    chart?.label,
    `Profit over ${last.tips} tips, from ${day(first.at)} to ${day(last.at)}: ${signedUnits(last.profitHundredths)} units`,
  );
  const rows = tabledPoints(points).map(({ tips, at, profitHundredths }) => [
    `${tips}`,
    day(at),
    signedUnits(profitHundredths),
  ]);
  check(
    'chart as a table',
    JSON.stringify(tables.get('Cumulative profit in units')?.slice(1) ?? []),
    JSON.stringify(rows),
  );
  const drawings = chart?.drawings ?? [];
  const wrong = drawings.length === 0 ? 'none' : drawings.find((drawing) => !isDrawn(drawing, points))?.path;
  check('drawing of the chart', wrong, undefined);
}

function checkFollowers({ tables }: ShownPage, followers: StatisticsView['followers'], check: Check): void {
  const result = (tips: number, hundredths: string | number, percent: number | null) =>
    tips === 0
      ? '–'
      : [
          signedUnits(hundredths),
          ...(percent === null ? [] : [`${formatPercent(percent, { sign: true })} yield`]),
        ].join(' ');
  const rows = followerMoments.map((moment) => {
    const { tips, stillThere, stillTherePercent, advised } = followers[moment];
    return [
      followerWords[moment],
      `${stillTherePercent === null ? '–' : formatPercent(stillTherePercent)} ${stillThere} of ${tips} tips`,
      result(tips, advised.profitHundredths, advised.yieldPercent),
      result(tips, advised.ownProfitHundredths, advised.ownYieldPercent),
    ];
  });
  const isEmpty = followerMoments.every((moment) => followers[moment].tips === 0);
  const shown = tables.get('At followers’ prices, in units at advised stakes')?.slice(1);
  check('followers’ prices', shown && JSON.stringify(shown), isEmpty ? undefined : JSON.stringify(rows));
}

/** What the tipster's own page is to show of all time. */
export type ExpectedRecord = { statistics: StatisticsView; curve: readonly CurvePoint[] };

/** What differs between the tipster's own page, as it is served to everybody, and the record: its account and its curve. */
export function recordPageDifferences(
  html: string,
  portfolio: string,
  { statistics: { advised, tips, voids }, curve }: ExpectedRecord,
): Difference[] {
  return compared(`${portfolio}, page of the record`, html, (page, check) => {
    checkChart(page, curve, check);
    if (tips + voids === 0) return;
    const [staked, profit] = [BigInt(advised.turnoverHundredths), BigInt(advised.profitHundredths)];
    check('staked', page.figures.get('Staked'), formatUnits(staked));
    check('returned', page.figures.get('Returned'), formatUnits(staked + profit));
    check('profit', page.figures.get(profit < 0n ? 'Lost' : 'Won'), formatUnits(profit, { sign: true }));
  });
}

/** What the tipster's page of statistics of a time range is to show; the months and the curve, at level stakes, are of all time. */
export type ExpectedStats = {
  range: TimeRange;
  statistics: StatisticsView;
  months: MonthOverview;
  breakdowns: readonly BreakdownView[];
  curve: readonly CurvePoint[];
};

/** What differs between the tipster's page of statistics of a time range, as it is served to everybody, and the record. */
export function statsPageDifferences(
  html: string,
  portfolio: string,
  { range, statistics, months, breakdowns, curve }: ExpectedStats,
  { isOlder = false } = {},
): Difference[] {
  const where = `${portfolio}, page of statistics, ${timeRangeNames[range].toLowerCase()}`;
  return compared(where, html, (page, check) => {
    const { figures, tables } = page;
    const { advised, level, averageOdds, strikeRatePercent, clvPercent, noVigClvPercent, followers } = statistics;
    if (!isOlder) {
      checkChart(page, curve, check);
      checkFollowers(page, followers, check);
      check('closing line value', figures.get('Closing line value'), signedPercent(clvPercent));
      check('no-vig closing line value', figures.get('No-vig CLV'), signedPercent(noVigClvPercent));
    }
    check('profit, advised stakes', figures.get('Profit, advised stakes'), signedUnits(advised.profitHundredths));
    check('yield', figures.get('Yield'), signedPercent(advised.yieldPercent));
    if (!isOlder)
      check('profit, level stakes', figures.get('Profit, level stakes'), signedUnits(level.profitHundredths));
    check('strike rate', figures.get('Strike rate'), strikeRatePercent ? formatPercent(strikeRatePercent.value) : '–');
    check('average odds', figures.get('Average odds'), averageOdds ? averageOdds.value.toFixed(2) : '–');
    check('max drawdown', figures.get('Max drawdown'), formatUnits(Number(advised.maxDrawdownHundredths)));
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
