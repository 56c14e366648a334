import { Feed } from 'feed';
import { listContent } from '@/lib/content/queries';
import type { ContentSummary } from '@/lib/content/schema';
import { daysAfter } from '@/lib/fixtures/rules';
import { escapedXml, xmlText } from '@/lib/format';
import { guest } from '@/lib/http/viewer';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { listPosts } from '@/lib/posts/queries';
import type { PostSummary } from '@/lib/posts/schema';
import { type Sport, sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { listTips, listTopTips } from '@/lib/tips/queries';
import type { TipView } from '@/lib/tips/schema';
import { feedTypes } from './feeds';
import { tipHeading, tipWords } from './titles';

/** How a feed is written. */
export type FeedFormat = 'xml' | 'json';

/** Ours: how long a feed is kept, in seconds. */
export const feedTtlSeconds = 300;

const mostEntries = 30;

type Entry = { title: string; path: string; at: string; changedAt?: string; summary: string; author?: string };

type Source = { title: string; description: string; page: string; at: (format: FeedFormat) => string };

const tipEntry = (tip: TipView): Entry => ({
  title: `${tipHeading(tip)} (${tip.portfolioName})`,
  path: routes.tip(tip.portfolioReference, tip.reference),
  at: tip.publishedAt,
  summary: tipWords(tip).description,
  author: tip.portfolioName,
});

const postEntry = (post: PostSummary): Entry => ({
  title: post.title,
  path: routes.post(post.portfolioReference, post.reference),
  at: post.publishedAt,
  changedAt: post.editedAt ?? post.publishedAt,
  summary: post.excerpt ?? '',
  author: post.portfolioName,
});

const contentEntry = ({ kind, reference, title, summary, publishedOn, updatedOn }: ContentSummary): Entry => ({
  title,
  path: routes.content(kind, reference),
  at: `${publishedOn}T00:00:00.000Z`,
  changedAt: `${updatedOn ?? publishedOn}T00:00:00.000Z`,
  summary,
});

const isOpen = ({ lock }: { lock: unknown }) => lock === null;

// The package writes texts of RSS into CDATA, whose end they must not hold.
const ofRss = (text: string) => xmlText(text).replace(/\]\]>/g, ']] >');

function write(
  { title, description, page, at }: Source,
  entries: readonly Entry[],
  format: FeedFormat,
  now: Date,
): string {
  const { siteUrl } = env();
  const newest = entries.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, mostEntries);
  const plain = format === 'xml' ? ofRss : (text: string) => text;
  const feed = new Feed({
    id: `${siteUrl}${page}`,
    title: plain(title),
    description: plain(description),
    link: `${siteUrl}${page}`,
    language: 'en-GB',
    favicon: `${siteUrl}/icon.svg`,
    copyright: 'Tipledger',
    generator: 'Tipledger',
    updated: new Date(newest[0]?.changedAt ?? newest[0]?.at ?? now),
    feedLinks: { rss: `${siteUrl}${at('xml')}`, json: `${siteUrl}${at('json')}` },
  });
  for (const entry of newest)
    feed.addItem({
      id: `${siteUrl}${entry.path}`,
      link: `${siteUrl}${entry.path}`,
      title: plain(entry.title),
      // Readers take both for HTML, the description of RSS as well.
      description: format === 'xml' ? escapedXml(entry.summary) : entry.summary,
      content: escapedXml(entry.summary),
      date: new Date(entry.changedAt ?? entry.at),
      published: new Date(entry.at),
      ...(entry.author ? { author: [{ name: plain(entry.author) }] } : {}),
    });
  return format === 'xml' ? feed.rss2() : feed.json1();
}

/** The media type of a feed. */
export const feedType = (format: FeedFormat): string => (format === 'xml' ? feedTypes.rss : feedTypes.json);

const missing = () => new Failure('missing', 'There is no such feed. The pages of the site name those that there are.');

/** Product §13: the feed of the articles, of the tips of the day, or of a sport; what is locked to a guest is in none. Failure 'missing' for any other. */
export async function writeFeed(of: string, format: FeedFormat, now: Date): Promise<string> {
  const at = (each: FeedFormat) => routes.feed(of, each);
  if (of === 'articles') {
    const { items } = await listContent('articles', { skip: 0, limit: mostEntries });
    const source = {
      title: 'Articles on Tipledger',
      description: 'How markets are read, how prices move and how records are checked.',
      page: routes.section('articles'),
      at,
    };
    return write(source, items.map(contentEntry), format, now);
  }
  if (of === 'tips-of-the-day') {
    const top = await listTopTips(guest(), { until: daysAfter(now, 1), limit: mostTopTips }, now);
    const source = {
      title: 'Free betting tips of the day',
      description: 'The tips of today that everybody may read, of the tipsters with the best year.',
      page: routes.section('tip-of-the-day'),
      at,
    };
    return write(
      source,
      top
        .map(({ tip }) => tip)
        .filter(isOpen)
        .map(tipEntry),
      format,
      now,
    );
  }
  const sport = sports.find(({ enabled, reference }) => enabled && reference === of);
  if (!sport) throw missing();
  return writeSport(sport, at, format, now);
}

const mostTopTips = 10;
const sportDays = 7;

async function writeSport(sport: Sport, at: Source['at'], format: FeedFormat, now: Date): Promise<string> {
  const [top, articles] = await Promise.all([
    listTopTips(guest(), { until: daysAfter(now, sportDays), limit: mostTopTips, sportId: sport.id }, now),
    listContent('articles', { skip: 0, limit: mostEntries, sport: sport.reference }),
  ]);
  const source = {
    title: `${sport.name} tips and articles`,
    description: `${sport.name} tips of the tipsters with the best year, and what is written about the sport.`,
    page: routes.sport(sport.reference),
    at,
  };
  return write(
    source,
    [
      ...top
        .map(({ tip }) => tip)
        .filter(isOpen)
        .map(tipEntry),
      ...articles.items.map(contentEntry),
    ],
    format,
    now,
  );
}

/** Product §13: the feed of what a portfolio publishes for everybody; Failure 'missing' where a guest finds no such portfolio. */
export async function writePortfolioFeed(reference: string, format: FeedFormat, now: Date): Promise<string> {
  const portfolio = await getPortfolio(guest(), reference);
  const [tips, posts] = await Promise.all([
    listTips(guest(), reference, { state: 'all', skip: 0, limit: mostEntries, openOnly: true }, now),
    listPosts(guest(), reference, { skip: 0, limit: mostEntries, openOnly: true }, now),
  ]);
  const source = {
    title: `${portfolio.name}: tips and posts`,
    description: `What ${portfolio.name} publishes for everybody, each tip recorded before the start.`,
    page: routes.portfolio(reference),
    at: (each: FeedFormat) => routes.portfolioFeed(reference, each),
  };
  return write(
    source,
    [...tips.items.filter(isOpen).map(tipEntry), ...posts.items.filter(isOpen).map(postEntry)],
    format,
    now,
  );
}
