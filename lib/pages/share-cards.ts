import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ContentKind } from '@/lib/content/schema';
import { sections } from '@/lib/content/schema';
import { getContent } from '@/lib/content/queries';
import { excerptOf } from '@/lib/content/rules';
import { callAddress } from '@/lib/calls';
import { bestPrice } from '@/lib/odds/rules';
import {
  countFixtures,
  countFixturesBySport,
  findLeague,
  getFixtureDetail,
  getMarkets,
  getTeam,
} from '@/lib/fixtures/queries';
import { daysAfter, dayTextOfFixture, endOfDay, isPostponed, resultText, territoryBeside } from '@/lib/fixtures/rules';
import { defaultFixtureDays } from '@/lib/fixtures/schema';
import { formatDate, formatNumber, formatOdds, formatPercent, formatUnits } from '@/lib/format';
import { guest } from '@/lib/http/viewer';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { getPost } from '@/lib/posts/queries';
import { PortfolioVisibility, sports, TimeRange } from '@/lib/reference/schema';
import { getStatistics } from '@/lib/stats/queries';
import { sharedTip } from '@/lib/tips/rules';
import type { TipView } from '@/lib/tips/schema';
import { defaultView } from './default-view';

/** The size of a picture that other sites show beside a link, in pixels. */
export const shareImageSize = { width: 1200, height: 630 } as const;

/** A figure on a picture, its sign told by colour and shape. */
export type CardFact = { name: string; value: string; tone?: 'plain' | 'profit' | 'loss' };

/** What a picture for sharing says, in words; the same for everybody. */
export type ShareCard = {
  corner: string;
  heading: string;
  text: string;
  facts: readonly CardFact[];
  foot: readonly [string, string];
};

// Another number for another look: what was kept at an address stays as it was.
const layout = 3;

/** Which state of what it shows a picture is of: the same for as long as it says the same. */
export function cardVersion(card: ShareCard): string {
  return createHash('sha256')
    .update(JSON.stringify([layout, card]))
    .digest('hex')
    .slice(0, 12);
}

const { timeZone, timeZoneName } = defaultView;
const adults = '18+';
const demoCorner = (demo: boolean, otherwise: string) => (demo ? 'Demo data' : otherwise);
const toneOf = (value: number): CardFact['tone'] => (value > 0 ? 'profit' : value < 0 ? 'loss' : 'plain');

/** Of a tip, by the view that it is given, which must be a guest's: whoever gets the link sees it. */
export function tipCard(tip: TipView): ShareCard {
  const { portfolio, what, where, odds, stake, state, when, demo } = sharedTip(tip, defaultView);
  return {
    corner: demoCorner(demo, 'Recorded before the start'),
    heading: what,
    text: where,
    facts: [
      ...(odds === null ? [] : [{ name: 'Price taken', value: odds }]),
      { name: 'Stake', value: stake },
      { name: 'State', value: state.text, tone: state.tone },
    ],
    foot: [portfolio, `${when} · ${adults}`],
  };
}

/** Where the picture of a tip is, as it looks now. */
export function shareAddress(tip: TipView): string {
  const { portfolioReference: reference, reference: of } = tip;
  return callAddress('GET /share/{reference}/{tip}/{version}', {
    params: { reference, tip: of, version: cardVersion(tipCard(tip)) },
  });
}

/** The kinds of pages that have a picture, beside tips, and how what stands after the kind names one. */
const readers: Record<string, (reference: string, now: Date) => Promise<ShareCard>> = {
  site: async () => siteCard,
  sport: sportCard,
  league: leagueCard,
  team: teamCard,
  fixture: fixtureCard,
  tipster: tipsterCard,
  post: postCard,
  ...Object.fromEntries(
    Object.keys(sections).map((kind) => [
      kind,
      (reference: string) => contentCard(kind as Exclude<ContentKind, 'pages'>, reference),
    ]),
  ),
};

/** What names a page among those of its kind; a post under its portfolio, a team under its sport. */
export const cardReferenceSchema = z
  .string()
  .max(401)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*(~[a-z0-9]+(-[a-z0-9]+)*)?$/, 'must be the reference of a page');

/** What the picture of a page says at the moment; Failure 'missing' where there is no such page, or not for everybody. */
export async function readCard(kind: string, reference: string, now: Date): Promise<ShareCard> {
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  if (!read) throw missing();
  return read(reference, now);
}

const missing = () => new Failure('missing', 'There is no such picture. The page that it is of names it.');

/** Where the picture of a page is, as it looks now, with what it shows in words. */
export function cardImage(kind: string, reference: string, card: ShareCard): { address: string; alt: string } {
  return {
    address: callAddress('GET /share/page/{kind}/{reference}/{version}', {
      params: { kind, reference, version: cardVersion(card) },
    }),
    alt: `${card.heading}. ${card.text}`,
  };
}

/** The picture of a page, of which `reference` is the one of its kind. */
export async function pageImage(kind: string, reference: string, now: Date): Promise<{ address: string; alt: string }> {
  return cardImage(kind, reference, await readCard(kind, reference, now));
}

const site = 'tipledger';

const siteCard: ShareCard = {
  corner: 'Betting tips, odds and results',
  heading: 'Tips with a record anyone can check',
  text: 'Every tip is recorded before the start at a price on offer. Nobody can change it afterwards.',
  facts: [],
  foot: ['Tipledger', adults],
};

/** The picture of the site, for pages without one of their own. */
export const siteImage = () => cardImage('site', site, siteCard);

const whatIsHere = 'Betting tips, odds and results';

// Whole days, so that the picture changes once a day, not with every clock.
function daysFrom(now: Date, days: number): { from: Date; until: Date } {
  const from = daysAfter(endOfDay(now, timeZone), -1);
  return { from, until: daysAfter(from, days) };
}

async function sportCard(reference: string, now: Date): Promise<ShareCard> {
  const sport = sports.find((each) => each.enabled && each.reference === reference);
  if (!sport) throw missing();
  const counts = await countFixturesBySport(guest(), daysFrom(now, defaultFixtureDays));
  return {
    corner: whatIsHere,
    heading: `${sport.name} tips and odds`,
    text: sport.description ?? '',
    facts: [{ name: 'Fixtures in seven days', value: formatNumber(counts.get(sport.id) ?? 0) }],
    foot: ['Tipledger', adults],
  };
}

async function leagueCard(reference: string, now: Date): Promise<ShareCard> {
  const league = await findLeague(guest(), reference);
  if (!league) throw missing();
  const sportName = sports.find(({ id }) => id === league.sportId)?.name;
  const count = await countFixtures(guest(), { leagueReference: reference, ...daysFrom(now, defaultFixtureDays) });
  return {
    corner: demoCorner(league.demo, whatIsHere),
    heading: league.name,
    text: [territoryBeside(league), sportName].filter(Boolean).join(' · '),
    facts: [{ name: 'Fixtures in seven days', value: formatNumber(count) }],
    foot: ['Tips and odds on Tipledger', adults],
  };
}

// Ours: in a week a team plays once.
const teamDays = 30;

async function teamCard(reference: string, now: Date): Promise<ShareCard> {
  const [sportReference = '', own = ''] = reference.split('~');
  const { id, name, demo, sportId, leagues } = await getTeam(guest(), sportReference, own);
  const sportName = sports.find((sport) => sport.id === sportId)?.name;
  const count = await countFixtures(guest(), { participantId: id, ...daysFrom(now, teamDays) });
  return {
    corner: demoCorner(demo, whatIsHere),
    heading: name,
    text: [leagues[0]?.name, sportName].filter(Boolean).join(' · '),
    facts: [{ name: `Fixtures in ${teamDays} days`, value: formatNumber(count) }],
    foot: ['Tips and odds on Tipledger', adults],
  };
}

const mostPrices = 3;

async function fixtureCard(reference: string, now: Date): Promise<ShareCard> {
  const fixture = await getFixtureDetail(guest(), reference, now);
  const { score, league, startsAt, startTimeKnown, name, demo, sportName } = fixture;
  const when = isPostponed(score)
    ? 'Postponed'
    : startTimeKnown
      ? `${formatDate(startsAt, { timeZone, style: 'day-time' })} ${timeZoneName}`
      : dayTextOfFixture(fixture, { timeZone, style: 'day' });
  const result = score.abandoned ? 'Abandoned' : resultText(fixture);
  const facts: CardFact[] = result
    ? [{ name: 'Result', value: result }]
    : fixture.started
      ? []
      : await bestPrices(reference, now);
  return {
    corner: demoCorner(demo, sportName),
    heading: name,
    text: [league.name === name ? sportName : league.name, ...(!result && facts.length > 0 ? ['best odds'] : [])].join(
      ' · ',
    ),
    facts,
    foot: ['Tips and odds on Tipledger', `${when} · ${adults}`],
  };
}

const sideOrder = ['home', 'draw', 'away'];

/** The best price of each selection of who wins: the sides in the order in which they are read, of a field the first. */
async function bestPrices(reference: string, now: Date): Promise<CardFact[]> {
  const { markets } = await getMarkets(guest(), reference, { showAll: true, pinnacleOnly: false }, now);
  const main = markets.find(
    ({ kind, period }) => ['match-result', 'moneyline', 'outright-winner'].includes(kind) && period === 'full-time',
  );
  const place = (key: string) => sideOrder.indexOf(key);
  return (main?.selections ?? [])
    .toSorted((a, b) => place(a.key) - place(b.key))
    .flatMap(({ name, odds }): CardFact[] => {
      const [best] = bestPrice(odds.filter(({ pulled }) => !pulled));
      return best ? [{ name, value: formatOdds(best.price, 'decimal') }] : [];
    })
    .slice(0, mostPrices);
}

async function tipsterCard(reference: string, now: Date): Promise<ShareCard> {
  const portfolio = await getPortfolio(guest(), reference);
  if (portfolio.type === PortfolioVisibility.personal) throw missing();
  const { tips, tooFew, advised, strikeRatePercent } = await getStatistics(
    guest(),
    reference,
    { range: TimeRange.allTime },
    now,
  );
  const profit = Number(advised.profitHundredths);
  const figures: CardFact[] = [
    {
      name: 'Profit, advised stakes',
      value: `${formatUnits(advised.profitHundredths, { sign: true })} u`,
      tone: toneOf(profit),
    },
    ...(advised.yieldPercent
      ? [{ name: 'Yield', value: formatPercent(advised.yieldPercent.value, { sign: true }), tone: toneOf(profit) }]
      : []),
    ...(strikeRatePercent
      ? [{ name: 'Strike rate', value: formatPercent(strikeRatePercent.value, { places: 0 }) }]
      : []),
    { name: 'Settled tips', value: formatNumber(tips) },
  ];
  return {
    corner:
      tooFew && tips > 0
        ? `${demoCorner(portfolio.demo, 'All time')}, too few to judge`
        : demoCorner(portfolio.demo, 'All time, every tip counted'),
    heading: portfolio.name,
    text: excerptOf(portfolio.description, 110) || 'A betting record that nobody can change and anyone can check.',
    facts: tips > 0 ? figures : [{ name: 'Settled tips', value: '0' }],
    foot: ['Check the record on Tipledger', adults],
  };
}

async function postCard(reference: string, now: Date): Promise<ShareCard> {
  const [portfolio = '', post = ''] = reference.split('~');
  const { title, portfolioName, publishedAt, excerpt, demo, lock } = await getPost(guest(), portfolio, post, now);
  return {
    corner: demoCorner(demo, lock ? 'For members' : 'Post'),
    heading: title,
    text: excerpt ?? '',
    facts: [],
    foot: [`by ${portfolioName}`, `${formatDate(publishedAt, { timeZone, style: 'day' })} · ${adults}`],
  };
}

async function contentCard(kind: Exclude<ContentKind, 'pages'>, reference: string): Promise<ShareCard> {
  const { title, summary, demo, facts } = await getContent(kind, reference);
  const rating = 'rating' in facts ? facts.rating : null;
  return {
    corner: demoCorner(demo, sections[kind].title),
    heading: title,
    text: summary,
    facts: typeof rating === 'number' ? [{ name: 'Rating', value: `${rating} of 5` }] : [],
    foot: ['Tipledger', adults],
  };
}
