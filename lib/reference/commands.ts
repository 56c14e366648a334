import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { bundledBookmakers, furtherBookmakers, sourceBookmakers } from './schema/bookmaker-list';

/** Sees that every bookmaker that the program knows is in the database; those that are there keep what staff made of them. */
export async function storeBookmakers(): Promise<void> {
  await transact(async () => {
    let stored = 0n;
    for (const bookmaker of [...bundledBookmakers, ...furtherBookmakers, ...sourceBookmakers]) {
      const { numAffectedRows } = await sql`
        insert into bookmaker (id, reference, name, url, bonus_offer, bonus_terms, rating, description, bullet_points, background_colour,
          show_on_markets, markets_country_block, show_on_live_odds, live_odds_country_block, show_on_add_tips, add_tips_country_block, exchange, demo)
        values (${bookmaker.id}, ${bookmaker.reference}, ${bookmaker.name}, ${bookmaker.url}, ${bookmaker.bonusOffer}, ${bookmaker.bonusTerms},
          ${bookmaker.rating}, ${bookmaker.description}, ${[...bookmaker.bulletPoints]}::text[], ${bookmaker.backgroundColour},
          ${bookmaker.showOnMarkets}, ${[...bookmaker.marketsCountryBlock]}::int[], ${bookmaker.showOnLiveOdds}, ${[...bookmaker.liveOddsCountryBlock]}::int[],
          ${bookmaker.showOnAddTips}, ${[...bookmaker.addTipsCountryBlock]}::int[], ${bookmaker.exchange}, ${bookmaker.demo})
        on conflict do nothing
      `.execute(database());
      stored += numAffectedRows ?? 0n;
    }
    if (stored > 0n) await forget(['bookmakers']);
  });
}
