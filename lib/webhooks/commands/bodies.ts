import 'server-only';
import { sql } from 'kysely';
import type { EventKind } from '@/lib/events/schema';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { totalOddsThousandths } from '@/lib/odds/rules';
import type { DetailedPublication } from '@/lib/record/schema';
import { routes } from '@/lib/routes';
import { hundredthsOf } from '@/lib/stats/rules';
import { sealedLegView } from '@/lib/tips/rules';

/** An event of a portfolio with all that its owner is told of it. */
export type FreshEvent = {
  key: string;
  kind: EventKind;
  at: Date;
  portfolioId: number;
  portfolioReference: string;
  portfolioName: string;
  tip: {
    reference: string;
    publishedAt: Date;
    firstStartsAt: Date;
    free: boolean;
    hidden: boolean;
    publication: DetailedPublication;
  } | null;
  post: { reference: string; title: string } | null;
  settlement: { version: number; outcome: string; profit: string; reason: string | null } | null;
};

type Row = Pick<
  FreshEvent,
  'key' | 'kind' | 'at' | 'portfolioId' | 'portfolioReference' | 'portfolioName' | 'post' | 'settlement'
> & {
  tip: Omit<NonNullable<FreshEvent['tip']>, 'publishedAt' | 'firstStartsAt'> | null;
  publishedAt: Date | null;
  firstStartsAt: Date | null;
};

// An event may become visible after one of a later number, so what is new is what was not put down, within a day.
const lookedBackHours = 24;
/** How many new events are read at once. */
export const freshAtOnce = 500;

/** The events of portfolios with a webhook that is not paused that were not put down for it yet, oldest first: its tips, posts and settlements, nothing about any member. */
export async function listFreshEvents(now: Date): Promise<FreshEvent[]> {
  const { rows } = await sql<Row>`
    select event.key, event.kind, event.at, portfolio.id as "portfolioId", portfolio.reference as "portfolioReference", portfolio.name as "portfolioName",
      case when tip.id is not null then jsonb_build_object('reference', tip.reference, 'free', tip.free, 'hidden', tip.hidden, 'publication', tip.publication) end as tip,
      tip.published_at as "publishedAt", tip.first_starts_at as "firstStartsAt",
      case when post.id is not null then jsonb_build_object('reference', post.reference, 'title', post.title) end as post,
      case when settlement.tip_id is not null then jsonb_build_object('version', settlement.version, 'outcome', settlement.outcome, 'profit', settlement.profit_microunits::text, 'reason', settlement.reason) end as settlement
    from event
    join webhook on webhook.portfolio_id = event.portfolio_id and event.at >= webhook.since and paused_at is null
    join portfolio on portfolio.id = event.portfolio_id
    left join tip on tip.id = event.tip_id
    left join post on post.id = event.post_id
    left join tip_settlement settlement on settlement.tip_id = event.tip_id and settlement.version = event.version
    where event.at > ${now}::timestamptz - make_interval(hours => ${lookedBackHours}) and event.account_id is null
      and event.kind in ('tip', 'post', 'settlement', 'correction')
      and not exists (select from webhook_delivery delivery where delivery.portfolio_id = event.portfolio_id and delivery.event_key = event.key)
    order by event.id limit ${freshAtOnce}
  `.execute(database());
  return rows.map(({ tip, publishedAt, firstStartsAt, ...rest }) => ({
    ...rest,
    tip: tip && publishedAt && firstStartsAt ? { ...tip, publishedAt, firstStartsAt } : null,
  }));
}

/** What is sent of an event, as JSON: the tip as it was sealed, the post by name, the settlement; moments as ISO strings, amounts in hundredths of a unit. */
export function bodyOf(event: FreshEvent): string {
  const { key, kind, at, portfolioReference, portfolioName, tip, post, settlement } = event;
  const link = (path: string) => `${env().siteUrl}${path}`;
  return JSON.stringify({
    id: key,
    kind,
    at: at.toISOString(),
    portfolio: { reference: portfolioReference, name: portfolioName, link: link(routes.portfolio(portfolioReference)) },
    ...(tip && {
      tip: {
        reference: tip.reference,
        publishedAt: tip.publishedAt.toISOString(),
        firstStartsAt: tip.firstStartsAt.toISOString(),
        stakeHundredths: tip.publication.stakeHundredths,
        eachWay: tip.publication.eachWay,
        free: tip.free,
        hidden: tip.hidden,
        minPrice: tip.publication.minPrice ?? null,
        totalOddsThousandths: totalOddsThousandths(tip.publication.legs.map(({ price }) => price)),
        legs: tip.publication.legs.map(sealedLegView),
        link: link(routes.tip(portfolioReference, tip.reference)),
      },
    }),
    ...(post && { post: { ...post, link: link(routes.post(portfolioReference, post.reference)) } }),
    ...(settlement && {
      settlement: {
        version: settlement.version,
        outcome: settlement.outcome,
        profitHundredths: hundredthsOf(BigInt(settlement.profit)),
        reason: settlement.reason,
      },
    }),
  });
}
