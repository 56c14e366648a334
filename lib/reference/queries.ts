import 'server-only';
import { sql } from 'kysely';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import type { Bookmaker } from './schema/bookmakers';

const referenceTtlSeconds = 600;

/** Every bookmaker with all its fields, by id. */
export async function listBookmakers(): Promise<Bookmaker[]> {
  return cached('bookmakers', referenceTtlSeconds, ['bookmakers'], async () => {
    const { rows } = await sql<Bookmaker>`
      select id, reference, name, url, bonus_offer as "bonusOffer", bonus_terms as "bonusTerms", rating::float8 as rating, description,
        bullet_points as "bulletPoints", background_colour as "backgroundColour",
        show_on_markets as "showOnMarkets", markets_country_block as "marketsCountryBlock",
        show_on_live_odds as "showOnLiveOdds", live_odds_country_block as "liveOddsCountryBlock",
        show_on_add_tips as "showOnAddTips", add_tips_country_block as "addTipsCountryBlock", exchange, demo
      from bookmaker order by id
    `.execute(database());
    return rows;
  });
}
