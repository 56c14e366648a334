import { createHash } from 'node:crypto';
import { escapedXml, formatDate, formatNumber, formatPercent, formatUnits } from '@/lib/format';
import { guest } from '@/lib/http/viewer';
import { env } from '@/lib/platform/env';
import { getPortfolio } from '@/lib/portfolios/queries';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { TimeRange } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { getStatistics } from '@/lib/stats/queries';
import type { StatisticsView } from '@/lib/stats/schema';
import { defaultView } from './default-view';

/** The size of the badge of a record, in pixels. */
export const badgeSize = { width: 360, height: 132 } as const;

/** Ours: how long a badge is kept at most, in seconds; what changes its record drops it before. */
export const badgeTtlSeconds = 60;

const margin = 16;
const nameSize = 17;

/** Ours: how wide a letter is at most in a bold font of those that a browser may take, in ems. */
function widthOf(letter: string): number {
  const [base = ''] = letter.normalize('NFD');
  if (/[ .,:;'!|ijlfrtI()-]/.test(base)) return 0.5;
  if (/[mwMW]/.test(base)) return 1.1;
  return /\p{Lu}/u.test(base) ? 0.85 : /[\p{Ll}\d]/u.test(base) ? 0.72 : 1.1;
}

/** A name as far as it fits in one line of the badge. */
function fittingName(name: string): string {
  const most = (badgeSize.width - 2 * margin) / nameSize;
  const letters = [...name];
  const widths = letters.map(widthOf);
  const whole = widths.reduce((sum, width) => sum + width, 0);
  if (whole <= most) return name;
  let left = most - widthOf('…');
  const cut = widths.findIndex((width) => (left -= width) < 0);
  return `${letters.slice(0, cut).join('').trimEnd()}…`;
}

type Badge = { portfolio: PortfolioView; statistics: StatisticsView };

async function read(reference: string, now: Date): Promise<Badge> {
  const portfolio = await getPortfolio(guest(), reference);
  return { portfolio, statistics: await getStatistics(guest(), reference, { range: TimeRange.allTime }, now) };
}

const figuresOf = ({ tips, advised, strikeRatePercent }: StatisticsView) => [
  { name: 'Profit', value: `${formatUnits(advised.profitHundredths, { sign: true })} u` },
  { name: 'Yield', value: advised.yieldPercent ? formatPercent(advised.yieldPercent.value, { sign: true }) : '–' },
  { name: 'Won', value: strikeRatePercent ? formatPercent(strikeRatePercent.value, { places: 0 }) : '–' },
  { name: 'Tips', value: formatNumber(tips) },
];

function sinceText({ firstSettledAt, tips, tooFew }: StatisticsView): string {
  if (!firstSettledAt) return 'No tips have been settled yet';
  const day = formatDate(firstSettledAt, { timeZone: defaultView.timeZone, style: 'day' }).replace(/^\w+ /, '');
  return tooFew && tips > 0
    ? `Too few to judge: all tips since ${day}, advised stakes`
    : `All settled tips since ${day}, advised stakes`;
}

const stateText = ({ demo, abandoned }: PortfolioView) =>
  demo ? 'Demo data' : abandoned ? 'Closed' : 'Record on Tipledger';

const inWords = ({ portfolio, statistics }: Badge) =>
  `${portfolio.name} on Tipledger: ${figuresOf(statistics)
    .map(({ name, value }) => `${name} ${value}`)
    .join(', ')}. ${sinceText(statistics)}. ${stateText(portfolio)}.`;

const columns = [margin, 132, 230, 300];

/** Product §13: the record of a portfolio as it is now, as a picture for other sites. Nothing but the record decides what it says; Failure 'missing' where a guest finds none. */
export async function drawBadge(reference: string, now: Date): Promise<string> {
  const badge = await read(reference, now);
  const { portfolio, statistics } = badge;
  const { width, height } = badgeSize;
  const figures = figuresOf(statistics).map(
    ({ name, value }, index) =>
      `<text x="${columns[index]}" y="66" font-size="12" fill="#6a6356">${name}</text>` +
      `<text x="${columns[index]}" y="88" font-size="17" font-weight="600" fill="#1c1a17">${escapedXml(value)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-sans-serif, system-ui, Arial, sans-serif">`,
    `<title>${escapedXml(inWords(badge))}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="#fbf8f1" stroke="#ddd5c4"/>`,
    `<rect width="${width}" height="4" fill="#1c1a17"/>`,
    `<text x="${width - margin}" y="21" font-size="11" text-anchor="end" fill="${portfolio.demo ? '#a6262b' : '#6a6356'}">${stateText(portfolio)}</text>`,
    `<text x="${margin}" y="42" font-size="${nameSize}" font-weight="600" fill="#1c1a17">${escapedXml(fittingName(portfolio.name))}</text>`,
    ...figures,
    `<text x="${margin}" y="118" font-size="11" fill="#6a6356">${escapedXml(sinceText(statistics))}</text>`,
    '</svg>',
  ].join('');
}

const style =
  'body{margin:0;font:13px/1.4 ui-sans-serif,system-ui,Arial,sans-serif}img{display:block;border:0}a{color:#1c1a17}p{margin:4px 0 0}';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the page of a badge may do: show its picture and its style, in any frame. */
export const badgePolicy = `default-src 'none'; img-src 'self'; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'; frame-ancestors *`;

/** What the picture may do: nothing. */
export const badgePicturePolicy = "default-src 'none'; frame-ancestors *";

/** The size of the page of a badge, in pixels: the picture and the line below it. */
export const badgeFrameSize = { width: badgeSize.width, height: badgeSize.height + 26 } as const;

/** The page of a badge, for frames on other sites: the picture, which leads to the record, and the way to its proof. */
export async function writeBadgePage(reference: string, now: Date): Promise<string> {
  const badge = await read(reference, now);
  const { siteUrl } = env();
  const link = (path: string, text: string) => `<a href="${siteUrl}${path}" target="_blank" rel="noopener">${text}</a>`;
  const picture = `<img src="${routes.badgePicture(reference)}" width="${badgeSize.width}" height="${badgeSize.height}" alt="${escapedXml(inWords(badge))}">`;
  return [
    `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${escapedXml(badge.portfolio.name)} on Tipledger</title>`,
    `<meta name="robots" content="noindex"><style>${style}</style></head><body>`,
    `${link(routes.portfolio(reference), picture)}<p>${link(routes.portfolio(reference), 'Every tip')} · ${link(routes.ledger(), 'Check the record')}</p>`,
    '</body></html>',
  ].join('');
}

/** What a tipster puts into a page of their own to show the badge there: a frame, or a picture that leads to the record. */
export function badgeSnippets({ reference, name }: Pick<PortfolioView, 'reference' | 'name'>): {
  frame: string;
  picture: string;
} {
  const { siteUrl } = env();
  const title = escapedXml(`The record of ${name} on Tipledger`);
  return {
    frame: `<iframe src="${siteUrl}${routes.badge(reference)}" title="${title}" width="${badgeFrameSize.width}" height="${badgeFrameSize.height}" style="border:0" loading="lazy"></iframe>`,
    picture: `<a href="${siteUrl}${routes.portfolio(reference)}"><img src="${siteUrl}${routes.badgePicture(reference)}" alt="${title}" width="${badgeSize.width}" height="${badgeSize.height}"></a>`,
  };
}

/** An answer of oEmbed (oembed.com). */
export type OEmbed = Readonly<Record<string, string | number>>;

/** Product §13: how an address of a portfolio is shown on another site; null for any other address. Failure 'missing' where a guest finds no such portfolio. */
export async function readOEmbed(
  address: string,
  { maxwidth = badgeFrameSize.width, maxheight = badgeFrameSize.height }: { maxwidth?: number; maxheight?: number },
): Promise<OEmbed | null> {
  const { siteUrl } = env();
  const reference = address.startsWith(`${siteUrl}/`)
    ? /^\/tipster\/([a-z0-9-]+)(?:\/(?:stats|results|tips|posts))?\/?$/.exec(
        address.slice(siteUrl.length).split(/[?#]/)[0] ?? '',
      )?.[1]
    : undefined;
  if (!reference) return null;
  const portfolio = await getPortfolio(guest(), reference);
  const { width, height } = badgeFrameSize;
  const isWhole = maxwidth >= width && maxheight >= height;
  return {
    version: '1.0',
    // The standard takes nothing that is larger than was asked for.
    ...(isWhole ? { type: 'rich', html: badgeSnippets(portfolio).frame, width, height } : { type: 'link' }),
    title: `The record of ${portfolio.name}`,
    author_name: portfolio.name,
    author_url: `${siteUrl}${routes.portfolio(reference)}`,
    provider_name: 'Tipledger',
    provider_url: siteUrl,
    cache_age: 3600,
  };
}
