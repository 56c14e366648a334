import { quoted } from '../file-text';
import { type Layout, type PriceColumn, readPriceColumn } from './columns';

/** A column of prices with the places, from 0, of its own cell and of its handicap line. */
export type PlacedPrice = PriceColumn & { name: string; place: number; line: { name: string; place: number } | null };

/** A header line as the rows under it are read by. */
export type Header = {
  layout: Layout;
  placeByName: ReadonlyMap<string, number>;
  /** The number of named columns: a row with fewer values is short. */
  namedWidth: number;
  /** The number of fields of the header line, trailing empty ones among them. */
  width: number;
  prices: readonly PlacedPrice[];
};

/** A header, or the column (from 1) and one sentence that say why the line is none. */
export type HeaderReading = { ok: true; header: Header } | { ok: false; column: number; problem: string };

const required: Record<Layout, readonly string[]> = {
  main: ['Div', 'Date', 'HomeTeam', 'AwayTeam'],
  extra: ['Country', 'League', 'Season', 'Date', 'Home', 'Away'],
};

/** The columns of the score, which a file has together or not at all. */
export const scoreColumns: Record<Layout, { home: string; away: string; outcome: string }> = {
  main: { home: 'FTHG', away: 'FTAG', outcome: 'FTR' },
  extra: { home: 'HG', away: 'AG', outcome: 'Res' },
};

/** True for the fields of a header line, of whichever quality: it names the columns that rows cannot hold. */
export function isHeader(fields: readonly string[]): boolean {
  const names = namesOf(fields);
  return layoutOf(names) !== null && names.includes('Date');
}

/** Reads the fields of a header line; a column may stand anywhere, and unknown ones are left alone. */
export function readHeader(fields: readonly string[]): HeaderReading {
  const names = namesOf(fields);
  const layout = layoutOf(names);
  if (!layout)
    return {
      ok: false,
      column: 1,
      problem: `${quoted(fields.join(','))} is no header of football-data.co.uk${hint(fields)}`,
    };
  const duplicate = names.findIndex((name, place) => name !== '' && names.indexOf(name) < place);
  if (duplicate >= 0) {
    const first = names.indexOf(names[duplicate] ?? '') + 1;
    return {
      ok: false,
      column: duplicate + 1,
      problem: `the column ${quoted(names[duplicate] ?? '')} stands there twice, first as column ${first}; rename or remove one`,
    };
  }
  const { home, away } = scoreColumns[layout];
  const pair = names.includes(home) || names.includes(away) ? [home, away] : [];
  const missing = [...required[layout], ...pair].filter((name) => !names.includes(name));
  if (missing.length > 0) {
    return {
      ok: false,
      column: names.length,
      problem: `the header lacks the column ${missing.join(', ')}; download the file again`,
    };
  }
  const namedWidth = names.findLastIndex((name) => name !== '') + 1;
  const placeByName = new Map(names.flatMap((name, place): [string, number][] => (name === '' ? [] : [[name, place]])));
  return {
    ok: true,
    header: { layout, placeByName, namedWidth, width: names.length, prices: placePrices(placeByName, layout) },
  };
}

function namesOf(fields: readonly string[]): string[] {
  return fields.map((field) => field.replace(/^(\uFEFF|ï»¿)/, '').trim());
}

function layoutOf(names: readonly string[]): Layout | null {
  if (names.includes('Div') && (names.includes('HomeTeam') || names.includes('AwayTeam'))) return 'main';
  if (names.includes('Country') && names.includes('League')) return 'extra';
  return null;
}

function hint(fields: readonly string[]): string {
  if (fields.length === 1 && /[;\t]/.test(fields[0] ?? '')) return '; separate its fields by commas';
  return ': the first line must name the columns, beginning Div,Date or Country,League; download the file again or import it by the adapter it belongs to';
}

function placePrices(placeByName: ReadonlyMap<string, number>, layout: Layout): PlacedPrice[] {
  return [...placeByName].flatMap(([name, place]) => {
    const column = readPriceColumn(name, layout);
    if (!column) return [];
    const lineName = column.lineColumns.find((each) => placeByName.has(each));
    const linePlace = lineName === undefined ? undefined : placeByName.get(lineName);
    const line = lineName === undefined || linePlace === undefined ? null : { name: lineName, place: linePlace };
    return [{ ...column, name, place, line }];
  });
}
