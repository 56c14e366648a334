import 'server-only';
import { sql } from 'kysely';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import type { Bookmaker, EditableBookmaker, HelpLine } from './schema/bookmakers';
import { defaultCountry } from './schema/countries';

const referenceTtlSeconds = 600;

const columns = sql`id, reference, name, url, bonus_offer as "bonusOffer", bonus_terms as "bonusTerms", rating::float8 as rating, description,
  bullet_points as "bulletPoints", background_colour as "backgroundColour",
  show_on_markets as "showOnMarkets", markets_country_block as "marketsCountryBlock",
  show_on_live_odds as "showOnLiveOdds", live_odds_country_block as "liveOddsCountryBlock",
  show_on_add_tips as "showOnAddTips", add_tips_country_block as "addTipsCountryBlock", exchange, demo, rank`;

/** Every bookmaker with all its fields, by id. */
export async function listBookmakers(): Promise<Bookmaker[]> {
  return cached('bookmakers', referenceTtlSeconds, ['bookmakers'], async () => {
    const { rows } = await sql<Bookmaker>`
      select ${columns} from bookmaker order by id
    `.execute(database());
    return rows;
  });
}

/** A bookmaker as it is in the database now, for its editor; Failure 'missing' when there is none of this reference. */
export async function getEditableBookmaker(reference: string): Promise<EditableBookmaker> {
  const { rows } = await sql<EditableBookmaker>`
    select ${columns}, revision from bookmaker where reference = ${reference}
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such bookmaker. Find it in the list.');
  return rows[0];
}

/** Product §9: where somebody of a country finds help with gambling: its own line, or that of the default country; null when neither is shown. */
export async function findHelpLine(countryId: number): Promise<HelpLine | null> {
  const lines = await listShownHelpLines();
  const of = (id: number) => lines.find((line) => line.countryId === id);
  const { countryId: id, name, url, telephone, shown } = of(countryId) ?? of(defaultCountry.id) ?? none;
  return id === none.countryId ? null : { countryId: id, name, url, telephone, shown };
}

/** Product §9: the help lines that everybody may see, by country. */
export async function listShownHelpLines(): Promise<HelpLine[]> {
  return cached('help-lines', referenceTtlSeconds, ['help-lines'], async () =>
    (await listHelpLines()).filter(({ shown }) => shown),
  );
}

const none: HelpLine = { countryId: 0, name: '', url: '', telephone: '', shown: false };

/** Every help line for staff, those that are not shown too, by country, with how often it was changed. */
export async function listHelpLines(): Promise<(HelpLine & { revision: number })[]> {
  const { rows } = await sql<HelpLine & { revision: number }>`
    select country_id as "countryId", name, url, telephone, shown, revision from help_line order by country_id
  `.execute(database());
  return rows;
}
