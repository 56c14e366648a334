import 'server-only';
import type { Viewer } from '@/lib/access/schema';
import { Failure } from '@/lib/platform/errors';
import { changeBookmaker, changeHelpLine } from '@/lib/reference/commands';
import { type Bookmaker, bookmakerEditSchema, countries, type HelpLine, helpLineSchema } from '@/lib/reference/schema';
import { act } from '@/lib/staff/commands';
import type { StaffFacts, StaffOutcome } from '@/lib/staff/schema';
import type { BookmakerOrder, HelpLineOrder } from '../schema/bookmakers';

const namesOf = (ids: readonly number[]) =>
  ids.map((id) => countries.find((country) => country.id === id)?.iso2 ?? String(id)).join(', ');

function factsOf(bookmaker: Bookmaker): StaffFacts {
  return {
    'Home page': bookmaker.url,
    Offer: bookmaker.bonusOffer,
    Terms: bookmaker.bonusTerms,
    Rating: bookmaker.rating,
    Description: bookmaker.description,
    Points: bookmaker.bulletPoints.join('\n'),
    Colour: bookmaker.backgroundColour,
    Rank: bookmaker.rank,
    'On markets': bookmaker.showOnMarkets,
    'Markets blocked in': namesOf(bookmaker.marketsCountryBlock),
    'On live odds': bookmaker.showOnLiveOdds,
    'Live odds blocked in': namesOf(bookmaker.liveOddsCountryBlock),
    'On add tips': bookmaker.showOnAddTips,
    'Add tips blocked in': namesOf(bookmaker.addTipsCountryBlock),
  };
}

function countryIdsOf(name: string, codes: readonly string[]): number[] {
  const ids = codes.map((code) => {
    const country = countries.find(({ iso2 }) => iso2 === code);
    if (!country)
      throw new Failure('invalid', `There is no country ${code}. Write two-letter codes, such as GB.`, {
        [name]: `${code} is no country`,
      });
    return country.id;
  });
  return [...new Set(ids)].sort((one, other) => one - other);
}

const refused = (issues: readonly { path: PropertyKey[]; message: string }[]) =>
  new Failure(
    'invalid',
    'Correct the fields that are marked, then try again.',
    Object.fromEntries(issues.map(({ path, message }) => [path.map(String).join('.'), message])),
  );

/** Ours (0078): changes the texts, the offer, the rank and the country blocks of a bookmaker, or tries it. Failure 'missing', 'invalid', or 'conflict' when somebody changed it since `revision`. */
export async function editBookmaker(viewer: Viewer, reference: string, order: BookmakerOrder): Promise<StaffOutcome> {
  const { action, reason, preview, revision, ...given } = order;
  return act({ staff: viewer, action, subject: { kind: 'bookmaker', id: reference }, reason, preview }, async () => {
    const read = bookmakerEditSchema.safeParse({
      ...given,
      marketsCountryBlock: countryIdsOf('marketsCountryBlock', given.marketsCountryBlock),
      liveOddsCountryBlock: countryIdsOf('liveOddsCountryBlock', given.liveOddsCountryBlock),
      addTipsCountryBlock: countryIdsOf('addTipsCountryBlock', given.addTipsCountryBlock),
    });
    if (!read.success) throw refused(read.error.issues);
    const { before, after } = await changeBookmaker(reference, revision, read.data);
    return { before: factsOf(before), after: factsOf(after) };
  });
}

const lineFacts = ({ name, url, telephone, shown }: HelpLine): StaffFacts => ({
  Name: name,
  Address: url,
  Telephone: telephone,
  Shown: shown,
});

/** Ours (0078): sets the help line of a country by its two letters, or tries it. Failure 'missing', 'invalid', or 'conflict' when somebody changed it since `revision`. */
export async function editHelpLine(viewer: Viewer, iso2: string, order: HelpLineOrder): Promise<StaffOutcome> {
  const { action, reason, preview, revision, ...given } = order;
  return act({ staff: viewer, action, subject: { kind: 'help-line', id: iso2 }, reason, preview }, async () => {
    const country = countries.find((known) => known.iso2 === iso2);
    if (!country) throw new Failure('missing', 'There is no such country. Find it in the list of help lines.');
    const read = helpLineSchema.safeParse(given);
    if (!read.success) throw refused(read.error.issues);
    const { before, after } = await changeHelpLine(country.id, revision, read.data);
    return { before: before ? lineFacts(before) : {}, after: lineFacts(after) };
  });
}
