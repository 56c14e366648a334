import { longestTotalThousandths, nearestRung, writeOdds } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import type { OddsDisplay } from '@/lib/reference/schema';

/** A whole number; in digits where it may outgrow those that a number holds exactly. */
export type Whole = bigint | number | string;

/** Money in minor units of an ISO 4217 currency, or in hundredths of a unit where the currency is 'UNITS'. */
export type Money = { minor: Whole; currency: string };

/** `sign` also puts a plus before gains; a loss always has a true minus (U+2212), zero no sign. */
export type SignOption = { sign?: boolean };

/** How a date is shown: "Fri 15 Aug 2025", "15 Aug", "20:00", "Fri 15 Aug 2025, 20:00", "August 2025". */
export type DateStyle = 'day' | 'short-day' | 'time' | 'day-time' | 'month';

/** The values of `make` by their keys, `most` of them at once. */
function cachedBy<K, V>(make: (key: K) => V, most = 100): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (made.size >= most) made.clear();
    made.set(key, value);
    return value;
  };
}

const decimals = cachedBy(
  (places: number) => new Intl.NumberFormat('en-GB', { minimumFractionDigits: places, maximumFractionDigits: places }),
);
// Four digits are read as they are, more in groups.
const totals = cachedBy(
  (places: number) =>
    new Intl.NumberFormat('en-GB', {
      minimumFractionDigits: places,
      maximumFractionDigits: places,
      useGrouping: 'min2',
    }),
);
const currencies = cachedBy((currency: string) => new Intl.NumberFormat('en-GB', { style: 'currency', currency }));

/** The sign is ours, not Intl's: a true minus, and none before an amount that rounds to zero. */
function signed(format: Intl.NumberFormat, value: number | `${number}`, { sign = false }: SignOption): string {
  const parts = format.formatToParts(value);
  const isNegative = parts.some(({ type }) => type === 'minusSign');
  const isZero = parts.every(
    ({ type, value: digits }) => (type !== 'integer' && type !== 'fraction') || /^0+$/.test(digits),
  );
  const magnitude = parts.flatMap(({ type, value: text }) => (type === 'minusSign' ? [] : [text])).join('');
  return `${isZero ? '' : isNegative ? '−' : sign ? '+' : ''}${magnitude}`;
}

/** An integer of minor units as a decimal in text, which Intl formats exactly where a float would lose digits. */
const decimal = (minor: Whole, places: number) => `${BigInt(minor)}E-${places}` as `${number}`;

/** Odds in the display chosen: "1.91", "10/11", "−110"; a fraction as it was quoted, else the nearest rung of the bookmakers' ladder (0064). */
export function formatOdds(price: Price, display: OddsDisplay): string {
  return display === 'fraction'
    ? writeOdds({ ...price, fraction: price.fraction ?? nearestRung(price.oddsThousandths) }, display)
    : writeOdds(price, display);
}

/** What a price was and what it is now, as `formatOdds`; exactly where both would read alike. */
export function formatMove(was: Price, now: Price, display: OddsDisplay): [string, string] {
  const shown = [was, now].map((price) => formatOdds(price, display));
  const [from = '', to = ''] = shown[0] === shown[1] ? [was, now].map((price) => writeOdds(price, display)) : shown;
  return [from, to];
}

/** What a price is called where it stands for itself, as for who hears it: 'Rovers 2.52 at Tarnwick'. */
export function priceName(selectionName: string, odds: string, bookmakerName: string): string {
  return `${selectionName} ${odds} at ${bookmakerName}`;
}

/** The product of several prices, which is on no ladder: "12.35", "+1135", "1,000,000,000+". Ours: decimal for readers of fractions too (0064), rounded to the hundredth, the moneyline to the point; the longest total is said to be more. */
export function formatTotalOdds(oddsThousandths: number, display: OddsDisplay): string {
  const isLongest = !(oddsThousandths < longestTotalThousandths);
  const odds = isLongest ? longestTotalThousandths : oddsThousandths;
  const [winnings, more, places] = isLongest ? [odds, '+', 0] : [odds - 1000, '', 2];
  switch (display) {
    case 'decimal':
    case 'fraction':
      return `${totals(places).format(odds / 1000)}${more}`;
    case 'moneyline':
      return winnings >= 1000
        ? `+${totals(0).format(winnings / 10)}${more}`
        : `−${totals(0).format(100_000 / winnings)}`;
  }
}

/** A number of hundredths of a unit to two decimals, without the word: "1,234.50", with `sign` "+1.50". */
export function formatUnits(hundredths: Whole, options: SignOption = {}): string {
  return signed(decimals(2), decimal(hundredths, 2), options);
}

/** Money with its currency, exact: "£12.50", "−US$3.00", "JP¥500", "10.00 units"; throws a RangeError for what is no currency code. */
export function formatMoney({ minor, currency }: Money, options: SignOption = {}): string {
  if (currency === 'UNITS') return `${formatUnits(minor, options)} units`;
  const format = currencies(currency);
  return signed(format, decimal(minor, format.resolvedOptions().maximumFractionDigits ?? 2), options);
}

/** A percentage given in per cent (5.26 for 5.26%), rounded to `places` decimals (1 unless told): "5.3%", with `sign` "+5.3%". */
export function formatPercent(
  percent: number,
  { places = 1, ...options }: SignOption & { places?: number } = {},
): string {
  return `${signed(decimals(places), percent, options)}%`;
}

/** A whole number with its thousands parted: 1,045. */
export function formatNumber(count: number): string {
  return signed(decimals(0), count, {});
}

/** A count with its noun: "1 match", "1,045 matches". */
export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

const months = 'January February March April May June July August September October November December'.split(' ');

/** A month given as "2026-11": "November 2026". */
export function formatMonth(month: string): string {
  return `${months[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

const clocks = cachedBy(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      day: 'numeric',
      month: 'numeric',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    }),
);

const minuteMilliseconds = 60_000;
const mostMinutes = 2_000;

/** What a minute is called in a time zone: a page tells the same ones again and again. */
const minutes = cachedBy((timeZone: string) => {
  const clock = clocks(timeZone);
  return cachedBy((minute: number): Record<DateStyle, string> => {
    const parts = new Map(clock.formatToParts(minute * minuteMilliseconds).map(({ type, value }) => [type, value]));
    const month = months[Number(parts.get('month')) - 1] as string;
    const shortDay = `${Number(parts.get('day'))} ${month.slice(0, 3)}`;
    const day = `${parts.get('weekday')} ${shortDay} ${parts.get('year')}`;
    const time = `${parts.get('hour')}:${parts.get('minute')}`;
    return { day, 'short-day': shortDay, time, 'day-time': `${day}, ${time}`, month: `${month} ${parts.get('year')}` };
  }, mostMinutes);
});

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * An instant as text in a time zone; throws a RangeError unless it is ISO 8601 with its offset and the zone is known.
 * Only figures and weekdays come from Intl: its order, commas and "Sept" differ between a server and a browser.
 */
export function formatDate(iso: string, { timeZone, style }: { timeZone: string; style: DateStyle }): string {
  const time = instant.test(iso) ? Date.parse(iso) : NaN;
  if (Number.isNaN(time)) throw new RangeError(`"${iso}" is no instant; write one such as 2026-08-15T19:00:00Z.`);
  return minutes(timeZone)(Math.floor(time / minuteMilliseconds))[style];
}

const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const xmlSigns: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text without the characters that XML 1.0 has no place for: one of them makes a whole document unreadable. */
export function xmlText(text: string): string {
  return text.replace(notInXml, '');
}

/** A text as it stands in XML and HTML, between tags and in quoted attributes. */
export function escapedXml(text: string): string {
  return xmlText(text).replace(/[&<>"']/g, (sign) => xmlSigns[sign] ?? sign);
}
