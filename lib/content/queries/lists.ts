import 'server-only';
import { listBookmakers, listHelpLines } from '@/lib/reference/queries';
import { byPreference } from '@/lib/reference/rules';
import { type Bookmaker, countries, type HelpLine } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList, StaffRows } from '@/lib/staff/schema';
import { contentKinds } from '../schema/pages';
import type { EditableRow } from '../schema/versions';
import { listEditable } from './versions';

const sources = {
  file: { state: 'File', tone: 'plain' },
  edit: { state: 'Edited', tone: 'notice' },
  'staff alone': { state: 'Staff alone', tone: 'plain' },
} as const;

/** Product §11: the texts of the site, as a list of staff. */
export const staffContent: StaffList<EditableRow> = {
  name: 'content',
  title: 'Texts',
  lead: 'Every guide, article, review and page: what comes from a file of the program, and what staff wrote over it.',
  none: 'No matching texts.',
  searched: 'titles and references',
  filters: [
    { name: 'kind', title: 'Section', choices: contentKinds.map((kind) => ({ value: kind, title: kind })) },
    {
      name: 'only',
      title: 'Only',
      choices: [
        { value: 'edited', title: 'Edited by staff' },
        { value: 'waiting', title: 'Waiting for a date' },
        { value: 'file-changed', title: 'File changed under an edit' },
        { value: 'off', title: 'Taken off the site' },
      ],
    },
  ],
  columns: [
    {
      key: 'title',
      title: 'Title',
      cell: ({ title }) => title,
      href: ({ kind, reference }) => routes.staffContent(kind, reference),
    },
    { key: 'kind', title: 'Section', cell: ({ kind }) => kind },
    { key: 'source', title: 'Text of', cell: ({ source }) => sources[source] },
    { key: 'versions', title: 'Versions', figure: true, cell: ({ versions }) => versions },
    { key: 'waiting', title: 'Next date', cell: ({ waitingUntil }) => (waitingUntil ? { at: waitingUntil } : '') },
    {
      key: 'fileChanged',
      title: 'File',
      cell: ({ fileChanged }) => (fileChanged ? { state: 'Changed under the edit', tone: 'notice' } : ''),
    },
    {
      key: 'shownOn',
      title: 'Last changed',
      cell: ({ shownOn, isOff }) => (isOff ? { state: 'Off the site', tone: 'loss' } : shownOn),
    },
  ],
  read: (viewer, { q, chosen, after, limit }) =>
    listEditable(viewer, { kind: chosen['kind'] ?? null, text: q, only: chosen['only'] ?? null, after, limit }),
};

function part<R>(rows: readonly R[], keyOf: (row: R) => string, after: string | null, limit: number): StaffRows<R> {
  const start = after === null ? 0 : rows.findIndex((row) => keyOf(row) === after) + 1;
  const shown = rows.slice(start, start + limit);
  const last = shown.at(-1);
  return { rows: shown, next: last && start + limit < rows.length ? keyOf(last) : null };
}

const isLike = (q: string | null, ...texts: string[]) =>
  q === null || texts.some((text) => text.toLowerCase().includes(q.toLowerCase()));

/** Product §11: the bookmakers, as a list of staff, in the order in which the site shows them. */
export const staffBookmakers: StaffList<Bookmaker> = {
  name: 'bookmakers',
  title: 'Bookmakers',
  lead: 'What the site says of each bookmaker, where it stands in lists, and in which countries it is left out.',
  none: 'No matching bookmakers.',
  searched: 'names',
  filters: [],
  columns: [
    {
      key: 'name',
      title: 'Name',
      cell: ({ name }) => name,
      href: ({ reference }) => routes.staff('bookmakers', { id: reference }),
    },
    { key: 'rank', title: 'Rank', figure: true, cell: ({ rank }) => rank },
    { key: 'rating', title: 'Rating', figure: true, cell: ({ rating }) => rating },
    { key: 'offer', title: 'Offer', cell: ({ bonusOffer }) => bonusOffer },
    { key: 'markets', title: 'On markets', cell: ({ showOnMarkets }) => (showOnMarkets ? 'Yes' : 'No') },
    {
      key: 'blocked',
      title: 'Countries blocked',
      figure: true,
      cell: ({ marketsCountryBlock }) => marketsCountryBlock.length,
    },
    { key: 'demo', title: 'Kind', cell: ({ demo }) => (demo ? 'Fictional' : 'Real') },
  ],
  read: async (viewer, { q, after, limit }) => {
    refuseUnlessStaff(viewer);
    const found = (await listBookmakers()).toSorted(byPreference).filter(({ name }) => isLike(q, name));
    return part(found, ({ reference }) => reference, after, limit);
  },
};

type CountryLine = { iso2: string; country: string; line: (HelpLine & { revision: number }) | null };

/** Product §9, §11: the help lines of all countries, as a list of staff, those that have one first. */
export const staffHelpLines: StaffList<CountryLine> = {
  name: 'help-lines',
  title: 'Help lines',
  lead: 'Where those who gamble too much find help. A country without a line shows that of the United Kingdom.',
  none: 'No matching countries.',
  searched: 'countries',
  filters: [],
  columns: [
    {
      key: 'country',
      title: 'Country',
      cell: ({ country }) => country,
      href: ({ iso2 }) => routes.staff('help-lines', { id: iso2 }),
    },
    { key: 'name', title: 'Service', cell: ({ line }) => line?.name ?? '' },
    { key: 'url', title: 'Address', cell: ({ line }) => line?.url ?? '' },
    { key: 'telephone', title: 'Telephone', cell: ({ line }) => line?.telephone ?? '' },
    { key: 'shown', title: 'Shown', cell: ({ line }) => (line ? (line.shown ? 'Yes' : 'No') : '') },
  ],
  read: async (viewer, { q, after, limit }) => {
    refuseUnlessStaff(viewer);
    const lines = new Map((await listHelpLines()).map((line) => [line.countryId, line]));
    const found = countries
      .map(({ id, iso2, name }) => ({ iso2, country: name, line: lines.get(id) ?? null }))
      .filter(({ country, iso2 }) => isLike(q, country, iso2))
      .toSorted((one, other) => Number(one.line === null) - Number(other.line === null));
    return part(found, ({ iso2 }) => iso2, after, limit);
  },
};
