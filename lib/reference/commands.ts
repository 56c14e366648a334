import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getEditableBookmaker, listHelpLines } from './queries';
import { whyNotBookmaker } from './rules/bookmakers';
import { bundledBookmakers, furtherBookmakers } from './schema/bookmaker-list';
import { sourceBookmakers } from './schema/source-bookmakers';
import type { BookmakerEdit, EditableBookmaker, HelpLine } from './schema/bookmakers';
import { countries, defaultCountry } from './schema/countries';
import { firstHelpLines } from './schema/help-lines';

/** Sees that every bookmaker that the program knows is in the database; those that are there keep what staff made of them. */
export async function storeBookmakers(): Promise<void> {
  await transact(async () => {
    let stored = 0n;
    for (const bookmaker of [...bundledBookmakers, ...furtherBookmakers, ...sourceBookmakers]) {
      const { numAffectedRows } = await sql`
        insert into bookmaker (id, reference, name, url, bonus_offer, bonus_terms, rating, description, bullet_points, background_colour,
          show_on_markets, markets_country_block, show_on_live_odds, live_odds_country_block, show_on_add_tips, add_tips_country_block, exchange, demo, rank)
        values (${bookmaker.id}, ${bookmaker.reference}, ${bookmaker.name}, ${bookmaker.url}, ${bookmaker.bonusOffer}, ${bookmaker.bonusTerms},
          ${bookmaker.rating}, ${bookmaker.description}, ${[...bookmaker.bulletPoints]}::text[], ${bookmaker.backgroundColour},
          ${bookmaker.showOnMarkets}, ${[...bookmaker.marketsCountryBlock]}::int[], ${bookmaker.showOnLiveOdds}, ${[...bookmaker.liveOddsCountryBlock]}::int[],
          ${bookmaker.showOnAddTips}, ${[...bookmaker.addTipsCountryBlock]}::int[], ${bookmaker.exchange}, ${bookmaker.demo}, ${bookmaker.rank})
        on conflict do nothing
      `.execute(database());
      stored += numAffectedRows ?? 0n;
    }
    if (stored > 0n) await forget(['bookmakers']);
    await storeHelpLines();
  });
}

async function storeHelpLines(): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into help_line (country_id, name, url, telephone, shown)
    select * from jsonb_to_recordset(${JSON.stringify(firstHelpLines)}::jsonb)
      as line ("countryId" int, name text, url text, telephone text, shown boolean)
    on conflict do nothing
  `.execute(database());
  if (numAffectedRows) await forget(['help-lines']);
}

const overtaken = () =>
  new Failure(
    'conflict',
    'Somebody changed this meanwhile. Load the page again, and make your change to what is there now.',
  );

/**
 * Ours (0078): changes what staff may change of a bookmaker, and returns it as it was and as it is. What was made of it anywhere is forgotten. The caller
 * holds a transaction and has seen to who may do it. Failure 'missing', 'invalid', or 'conflict' when another revision is there than the one seen.
 */
export async function changeBookmaker(
  reference: string,
  revision: number,
  bookmaker: BookmakerEdit,
): Promise<{ before: EditableBookmaker; after: EditableBookmaker }> {
  await sql`select 1 from bookmaker where reference = ${reference} for update`.execute(database());
  const before = await getEditableBookmaker(reference);
  if (before.revision !== revision) throw overtaken();
  const wrong = whyNotBookmaker(bookmaker);
  const [why] = Object.values(wrong);
  if (why) throw new Failure('invalid', why, wrong);
  const unknown = [
    ...bookmaker.marketsCountryBlock,
    ...bookmaker.liveOddsCountryBlock,
    ...bookmaker.addTipsCountryBlock,
  ].find((id) => !countries.some((country) => country.id === id));
  if (unknown !== undefined) throw new Failure('invalid', `There is no country ${unknown}. Choose from the list.`);
  await sql`
    update bookmaker set url = ${bookmaker.url}, bonus_offer = ${bookmaker.bonusOffer}, bonus_terms = ${bookmaker.bonusTerms}, rating = ${bookmaker.rating},
      description = ${bookmaker.description}, bullet_points = ${bookmaker.bulletPoints}::text[], background_colour = ${bookmaker.backgroundColour},
      show_on_markets = ${bookmaker.showOnMarkets}, markets_country_block = ${bookmaker.marketsCountryBlock}::int[],
      show_on_live_odds = ${bookmaker.showOnLiveOdds}, live_odds_country_block = ${bookmaker.liveOddsCountryBlock}::int[],
      show_on_add_tips = ${bookmaker.showOnAddTips}, add_tips_country_block = ${bookmaker.addTipsCountryBlock}::int[],
      rank = ${bookmaker.rank}, revision = revision + 1
    where id = ${before.id}
  `.execute(database());
  await forget(['bookmakers']);
  return { before, after: await getEditableBookmaker(reference) };
}

/**
 * Ours (0078): sets the help line of a country, and returns it as it was, null where there was none, and as it is. The caller holds a transaction and has
 * seen to who may do it. Failure 'missing' for an unknown country, 'conflict' when another revision is there than the one seen.
 */
export async function changeHelpLine(
  countryId: number,
  revision: number,
  line: Omit<HelpLine, 'countryId'>,
): Promise<{ before: HelpLine | null; after: HelpLine }> {
  if (!countries.some(({ id }) => id === countryId))
    throw new Failure('missing', 'There is no such country. Choose one from the list.');
  const { name, url, telephone, shown } = line;
  await sql`select 1 from help_line where country_id = ${countryId} for update`.execute(database());
  const before = (await listHelpLines()).find((known) => known.countryId === countryId) ?? null;
  if ((before?.revision ?? 0) !== revision) throw overtaken();
  if (countryId === defaultCountry.id && !shown)
    throw new Failure(
      'invalid',
      'This line stands wherever a country has none, so it cannot be hidden. Change it instead.',
      {
        shown: 'cannot be hidden',
      },
    );
  const { rows } = await sql`
    insert into help_line (country_id, name, url, telephone, shown, revision) values (${countryId}, ${name}, ${url}, ${telephone}, ${shown}, 1)
    on conflict (country_id) do update set name = excluded.name, url = excluded.url, telephone = excluded.telephone, shown = excluded.shown,
      revision = help_line.revision + 1
    where help_line.revision = ${revision} returning country_id
  `.execute(database());
  if (rows.length === 0) throw overtaken();
  await forget(['help-lines']);
  return { before, after: { countryId, ...line } };
}
