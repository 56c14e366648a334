import 'server-only';
import { sql } from 'kysely';
import type { EventKind } from '@/lib/events/schema';
import { areSidesSwitched, isOfWithdrawn } from '@/lib/fixtures/queries';
import type { FixtureView } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { receiptsOf } from '@/lib/money/queries';
import type { Receipt } from '@/lib/money/schema';
import { listBookmakers } from '@/lib/reference/queries';
import type { PortfolioVisibility } from '@/lib/reference/schema';
import { selectTips, type tipOf } from '@/lib/tips/queries';

/** What a message is made of: an event with what it is about, whole: nothing of it leaves before `messageFor` has taken out what its reader may not see. */
export type NewsEvent = {
  id: number;
  kind: EventKind;
  at: Date;
  version: number | null;
  details: unknown;
  tipId: number | null;
  portfolio: {
    id: number;
    reference: string;
    name: string;
    visibility: PortfolioVisibility;
    tipledgerPro: boolean;
    demo: boolean;
    isClosed: boolean;
  } | null;
  post: { reference: string; title: string; body: string; premiumOnly: boolean } | null;
  /** With its result as the event tells it; without one, nothing of it is known. */
  fixture: {
    reference: string;
    name: string;
    sportId: number;
    home: { name: string } | null;
    away: { name: string } | null;
    homeScore: number | null;
    awayScore: number | null;
    positions: FixtureView['score']['positions'] | null;
    abandoned: boolean | null;
    ending: FixtureView['score']['ending'];
    finish: string | null;
  } | null;
  /** What was issued of the order that it is about in its moment. */
  receipts: Receipt[];
};

type TipRecord = Parameters<typeof tipOf>[1];

/** A price on offer for a leg of a tip, by the leg's place. */
export type Offer = { tipId: number; leg: number; bookmakerId: number; price: [number, number | null, number | null] };

/** Events with the tips that they are about and what is on offer for these now. */
export type Sources = {
  events: ReadonlyMap<number, NewsEvent>;
  tips: ReadonlyMap<number, TipRecord>;
  offers: ReadonlyMap<number, readonly Offer[]>;
  bookmakers: Awaited<ReturnType<typeof listBookmakers>>;
};

/** Reads the events of these ids with all that their messages say. */
export async function readSources(eventIds: readonly number[]): Promise<Sources> {
  const { rows } = await sql<NewsEvent>`
    select event.id::float8 as id, kind, event.at, event.version, details, tip_id as "tipId",
      case when portfolio.id is not null then jsonb_build_object('id', portfolio.id, 'reference', portfolio.reference, 'name', portfolio.name, 'visibility', portfolio.visibility,
        'tipledgerPro', portfolio.tipledger_pro, 'demo', portfolio.demo, 'isClosed', portfolio.abandoned_at is not null) end as portfolio,
      case when post.id is not null then jsonb_build_object('reference', post.reference, 'title', post.title, 'body', left(post.body, 2000), 'premiumOnly', post.premium_only) end as post,
      case when fixture.id is not null then jsonb_build_object('reference', fixture.reference, 'name', fixture.name, 'sportId', league.sport_id,
        'home', case when home.id is not null then jsonb_build_object('name', home.name) end, 'away', case when away.id is not null then jsonb_build_object('name', away.name) end,
        'homeScore', result.home_score, 'awayScore', result.away_score, 'positions', result.positions, 'abandoned', result.abandoned, 'ending', result.ending, 'finish', result.finish) end as fixture,
      case when kind = 'membership' and details ? 'order' then ${receiptsOf(sql`event.account_id`, sql`event.details ->> 'order'`, sql`event.at`)} else '[]' end as receipts
    from event left join portfolio on portfolio.id = event.portfolio_id left join post on post.id = event.post_id left join fixture on fixture.id = event.fixture_id
    left join league on league.id = fixture.league_id left join participant home on home.id = fixture.home_id left join participant away on away.id = fixture.away_id
    left join fixture_result result on result.fixture_id = event.fixture_id and result.version = event.version
    where event.id = any(${[...new Set(eventIds)]}::bigint[])
  `.execute(database());
  const tipIds = [...new Set(rows.flatMap(({ tipId }) => tipId ?? []))];
  const [tips, offers, bookmakers] = await Promise.all([
    tipIds.length === 0
      ? []
      : selectTips(sql`where tip.id = any(${tipIds}::int[])`)
          .execute(database())
          .then((found) => found.rows),
    tipIds.length === 0 ? [] : readOffers(tipIds),
    listBookmakers(),
  ]);
  return {
    events: new Map(rows.map((row) => [row.id, row])),
    tips: new Map(tips.map((tip) => [tip.id, tip])),
    offers: byTip(offers),
    bookmakers,
  };
}

function byTip(offers: readonly Offer[]): Map<number, Offer[]> {
  const found = new Map<number, Offer[]>();
  for (const offer of offers) {
    const own = found.get(offer.tipId);
    if (own) own.push(offer);
    else found.set(offer.tipId, [offer]);
  }
  return found;
}

async function readOffers(tipIds: readonly number[]): Promise<Offer[]> {
  const { rows } = await sql<Offer>`
    select tip_id as "tipId", position - 1 as leg, price.bookmaker_id as "bookmakerId", jsonb_build_array(price.odds_thousandths, price.numerator, price.denominator) as price
    from tip_leg join price on price.selection_id = tip_leg.selection_id join fixture on fixture.id = tip_leg.fixture_id
    where tip_id = any(${[...tipIds]}::int[]) and price.pulled_at is null and not ${areSidesSwitched} and not ${isOfWithdrawn(sql`tip_leg.selection_id`)}
    order by tip_id, position
  `.execute(database());
  return rows;
}
