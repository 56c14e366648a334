import { csvLine, decimalText } from '@/lib/record/rules';
import { currencies, type CurrencyId } from '@/lib/reference/schema';
import type { Exact } from '@/lib/stats/schema';
import type { BetView } from '../schema/bets';

const columns = [
  'bet',
  'placed at',
  'entered at',
  'entered after the start',
  'first start',
  'fixtures',
  'markets',
  'selections',
  'bookmakers',
  'odds',
  'own price',
  'total odds',
  'each-way',
  'stake',
  'currency',
  'outcome',
  'staked',
  'return',
  'profit',
  'settled at',
  'tip',
];

/** The first line of the CSV export of bets, without its end. */
export const csvHeader = columns.join(',');

function amount(minor: Exact, currencyId: CurrencyId): string {
  const places = currencies.find(({ id }) => id === currencyId)?.minorDigits ?? 2;
  return places === 0 ? String(minor) : decimalText(BigInt(minor), places);
}

const yesNo = (is: boolean) => (is ? 'yes' : 'no');

/** A bet as a line of CSV (RFC 4180), without its end; the legs of an accumulator stand in one cell, joined by ' + '. */
export function csvRow(bet: BetView): string {
  const { legs, settlement, tip, currencyId } = bet;
  const joined = (textOf: (leg: BetView['legs'][number]) => string) => legs.map(textOf).join(' + ');
  const money = (minor: Exact | undefined) => (minor === undefined ? '' : amount(minor, currencyId));
  return csvLine([
    ...[bet.reference, bet.placedAt, bet.enteredAt, yesNo(bet.enteredLate), bet.firstStartsAt],
    ...[
      joined((leg) => leg.fixtureName),
      joined((leg) => leg.marketName),
      joined((leg) => leg.selectionName),
      joined((leg) => leg.bookmakerName),
    ],
    ...[
      joined((leg) => decimalText(BigInt(leg.price.oddsThousandths), 3)),
      joined((leg) => yesNo(leg.ownPrice)),
      decimalText(BigInt(Math.round(bet.totalOddsThousandths)), 3),
    ],
    ...[yesNo(bet.eachWay), money(bet.stakeMinor), currencies.find(({ id }) => id === currencyId)?.code ?? ''],
    ...[
      settlement?.outcome ?? 'open',
      money(settlement?.stakedMinor),
      money(settlement?.returnMinor),
      money(settlement?.profitMinor),
      settlement?.settledAt ?? '',
    ],
    tip ? `${tip.portfolioReference}/${tip.reference}` : '',
  ]);
}
