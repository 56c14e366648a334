import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { enabledSportIds } from '@/lib/fixtures/queries';
import { cached, reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { isoText } from '@/lib/platform/iso-text';
import { sports } from '@/lib/reference/schema';
import { routeTable } from '@/lib/route-table';
import { routes } from '@/lib/routes';
import { isOpenToAll } from '@/lib/tips/queries';
import { mostInSitemap, type SitemapEntry, type SitemapNews, type SitemapPart } from '../schema/sitemap';
import { isFindable } from './sources';

/** Ours: how long the list of the parts is kept, in seconds. */
export const sitemapTtlSeconds = 600;

type Row = { id: number; reference: string; parent: string };

/**
 * A kind of pages, each from a row with an id that only grows. `rows` selects id, reference and what the page stands under; `changes` selects
 * (id, at) of whatever changes one of its pages; `paths` are the pages of a row.
 */
type Kind = {
  rows: (now: Date) => RawBuilder<unknown>;
  changes: (now: Date) => RawBuilder<unknown>;
  paths: (row: Row) => string[];
};

const sportOf = (id: string) => sports.find((sport) => sport.id === Number(id))?.reference ?? '';

const mainMarkets = ['match-result', 'moneyline', 'outright-winner'];

const kinds: Record<string, Kind> = {
  fixtures: {
    rows: () =>
      sql`select fixture.id, fixture.reference, '' as parent from fixture join league on league.id = league_id where sport_id = any(${enabledSportIds}::int[])`,
    changes: (now) => sql`
      select fixture_id as id, recorded_at as at from fixture_result
      union all select id, closed_at from fixture where closed_at is not null
      union all select coming.id, price.changed_at from fixture coming
        join market on market.fixture_id = coming.id and market.kind = any(${mainMarkets}::text[]) and market.line_hundredths = 0
        join selection on selection.market_id = market.id join price on price.selection_id = selection.id
        where coming.starts_at > ${now}`,
    paths: ({ reference }) => [routes.fixture(reference)],
  },
  leagues: {
    rows: () =>
      sql`select league.id, league.reference, sport_id::text as parent from league where sport_id = any(${enabledSportIds}::int[]) and exists (select from fixture where league_id = league.id)`,
    changes: () =>
      sql`select league_id as id, recorded_at as at from fixture_result join fixture on fixture.id = fixture_id`,
    paths: ({ parent, reference }) => [routes.league(sportOf(parent), reference)],
  },
  teams: {
    rows: () => sql`
      select participant.id, participant.reference, sport_id::text as parent from participant where sport_id = any(${enabledSportIds}::int[])
        and (exists (select from fixture where home_id = participant.id) or exists (select from fixture where away_id = participant.id)
          or exists (select from runner where participant_id = participant.id))`,
    changes: () => sql`
      select home_id as id, recorded_at as at from fixture_result join fixture on fixture.id = fixture_id where home_id is not null
      union all select away_id, recorded_at from fixture_result join fixture on fixture.id = fixture_id where away_id is not null
      union all select participant_id, recorded_at from fixture_result join runner using (fixture_id)`,
    paths: ({ parent, reference }) => [routes.team(sportOf(parent), reference)],
  },
  tipsters: {
    rows: () => sql`select portfolio.id, portfolio.reference, '' as parent from portfolio where ${isFindable}`,
    changes: () => sql`
      select id, created_at as at from portfolio
      union all select portfolio_id, published_at from tip
      union all select portfolio_id, settled_at from tip_settlement join tip on tip.id = tip_id
      union all select portfolio_id, coalesce(edited_at, published_at) from post`,
    paths: ({ reference }) => [
      routes.portfolio(reference),
      ...(['stats', 'results', 'tips', 'posts'] as const).map((page) => routes.portfolioPage(reference, page)),
    ],
  },
  tips: {
    rows: (now) =>
      sql`select tip.id, tip.reference, portfolio.reference as parent from tip join portfolio on portfolio.id = portfolio_id where ${isFindable} and ${isOpenToAll(now)}`,
    changes: (now) => sql`
      select id, published_at as at from tip
      union all select id, first_starts_at from tip where first_starts_at <= ${now}
      union all select tip_id, settled_at from tip_settlement`,
    paths: ({ parent, reference }) => [routes.tip(parent, reference)],
  },
  posts: {
    rows: () =>
      sql`select post.id, post.reference, portfolio.reference as parent from post join portfolio on portfolio.id = portfolio_id where ${isFindable} and not premium_only`,
    changes: () => sql`select id, coalesce(edited_at, published_at) as at from post`,
    paths: ({ parent, reference }) => [routes.post(parent, reference)],
  },
  content: {
    rows: () => sql`select id, reference, kind as parent from content_page where kind <> 'pages'`,
    changes: () =>
      sql`select id, coalesce(updated_on, published_on)::timestamp at time zone 'UTC' as at from content_page`,
    paths: ({ parent, reference }) => [routes.content(parent, reference)],
  },
};

const pages = 'pages';

const pathsEach = ({ paths }: Kind) => paths({ id: 0, reference: '', parent: '' }).length;

/** How many ids the parts of a kind span: what stands in one stays there, however many come after it. */
const spanOf = (kind: Kind) => Math.floor(mostInSitemap / pathsEach(kind));

/** The pages that stand at an address of their own, with the day of their text where they have one. */
async function listPages(): Promise<SitemapEntry[]> {
  reads(['content'], sitemapTtlSeconds);
  const { rows } = await sql<{ kind: string; reference: string | null; changedAt: string }>`
    select kind, case when kind = 'pages' then reference end as reference, ${isoText(sql`max(coalesce(updated_on, published_on))::timestamp at time zone 'UTC'`)} as "changedAt"
    from content_page group by 1, 2
  `.execute(database());
  const changed = new Map(
    rows.map(({ kind, reference, changedAt }) => [
      reference === null ? routes.section(kind) : routes.content(kind, reference),
      changedAt,
    ]),
  );
  return routeTable
    .filter(({ access, kept, path }) => access === 'public' && kept !== null && !path.includes('{'))
    .map(({ path }) => path)
    .concat(routes.register(), routes.newPortfolio())
    .map((path) => ({ path, changedAt: changed.get(path) ?? null }));
}

const newest = (entries: readonly SitemapEntry[]) =>
  entries.reduce<string | null>(
    (last, { changedAt }) => (changedAt && (!last || changedAt > last) ? changedAt : last),
    null,
  );

async function partsOf(name: string, kind: Kind, now: Date): Promise<SitemapPart[]> {
  const span = spanOf(kind);
  const { rows } = await sql<{ part: number; changedAt: string | null }>`
    with part as (select distinct (id - 1) / ${span}::int as part from (${kind.rows(now)}) row),
      changed as (select (id - 1) / ${span}::int as part, max(at) as at from (${kind.changes(now)}) change group by 1)
    select part.part, ${isoText(sql`changed.at`)} as "changedAt" from part left join changed on changed.part = part.part order by 1
  `.execute(database());
  return rows.map(({ part, changedAt }) => ({ name: `${name}-${part + 1}`, changedAt }));
}

/** Product §13: the parts of the sitemap, of 50,000 addresses at most each. */
export async function listSitemapParts(now: Date): Promise<SitemapPart[]> {
  return cached('sitemap:parts', sitemapTtlSeconds, ['sitemap'], async () => {
    const parts = [{ name: `${pages}-1`, changedAt: newest(await listPages()) }];
    // One after another: each may read whole tables.
    for (const [name, kind] of Object.entries(kinds)) parts.push(...(await partsOf(name, kind, now)));
    return parts;
  });
}

// Few enough to be held, many enough that the way to the database is no matter.
const batchSize = 1_000;

const largestId = 2_147_483_647;
// What Google reads of one file.
const mostNews = 1_000;

async function* batchesOf(kind: Kind, part: number, now: Date): AsyncGenerator<SitemapEntry[]> {
  const span = spanOf(kind);
  for (let after = (part - 1) * span; ; ) {
    const { rows } = await sql<Row & { changedAt: string | null }>`
      select row.*, ${isoText(sql`(select max(at) from (${kind.changes(now)}) change where change.id = row.id)`)} as "changedAt"
      from (select * from (${kind.rows(now)}) source where id > ${after} and id <= ${part * span} order by id limit ${batchSize}) row order by id
    `.execute(database());
    const last = rows.at(-1);
    if (!last) return;
    yield rows.flatMap(({ changedAt, ...row }) => kind.paths(row).map((path) => ({ path, changedAt })));
    after = last.id;
  }
}

async function* together<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

async function* none<T>(): AsyncGenerator<T> {}

/** The addresses of a part in batches, which are read no faster than they are taken; Failure 'missing' when there is no such part. */
export async function readSitemapPart(name: string, now: Date): Promise<AsyncGenerator<SitemapEntry[]>> {
  const [kindName = '', number = ''] = name.split('-');
  if (kindName === pages && number === '1') return together(await listPages(), none());
  const kind = Object.hasOwn(kinds, kindName) ? kinds[kindName] : undefined;
  const part = Number(number);
  // Beyond what an id can be there is nothing to ask the database for.
  const batches = kind && part * spanOf(kind) <= largestId ? batchesOf(kind, part, now) : none<SitemapEntry[]>();
  const first = await batches.next();
  if (first.done)
    throw new Failure(
      'missing',
      'The sitemap has no such part. Its index, at /sitemap.xml, names those that there are.',
    );
  return together(first.value, batches);
}

const newsDays = 2;

/** What search engines take for news: the articles of the last two days, newest first. */
export async function listSitemapNews(now: Date): Promise<SitemapNews[]> {
  reads(['content:articles'], sitemapTtlSeconds);
  const { rows } = await sql<{ reference: string; title: string; publishedOn: string }>`
    select reference, title, published_on::text as "publishedOn" from content_page
    where kind = 'articles' and published_on > (${now}::timestamptz at time zone 'UTC')::date - ${newsDays}::int and published_on <= (${now}::timestamptz at time zone 'UTC')::date
    order by published_on desc, id desc limit ${mostNews}
  `.execute(database());
  return rows.map(({ reference, ...row }) => ({ path: routes.content('articles', reference), ...row }));
}
