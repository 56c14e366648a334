import fc from 'fast-check';
import { guest } from '@/lib/http/viewer';
import { listResults } from '@/lib/fixtures/queries';
import { readCursor, writeCursor } from '@/lib/fixtures/rules';
import type { ResultCursor } from '@/lib/fixtures/rules/cursor';
import type { FixtureRow } from '@/lib/fixtures/schema';
import { undone, onTestDatabase } from '../support/database';
import { importAll } from '../support/import';
import { match, worldNow } from '../support/world';

onTestDatabase();

const viewer = guest();
const fromNow: ResultCursor = { startsAt: worldNow, id: 0 };

/** Every page from a cursor on, each begun by the text that stands in the link to it. */
async function pagesOf(choice: { sportId?: number; leagueReference?: string }, limit: number): Promise<FixtureRow[][]> {
  const pages: FixtureRow[][] = [];
  for (let before: ResultCursor | null = fromNow; before && pages.length < 100; ) {
    const { items, next }: { items: FixtureRow[]; next: ResultCursor | null } = await listResults(
      viewer,
      { ...choice, before, limit },
      worldNow,
    );
    pages.push(items);
    before = next && readCursor(writeCursor(next));
  }
  return pages;
}

describe('the pages of results', () => {
  test('hold what has started, newest first', async () => {
    const { items, next } = await listResults(viewer, { before: fromNow, limit: 10 }, worldNow);
    expect([items.map(({ name }) => name), next]).toEqual([['Town v City', 'Rovers v Town'], null]);
  });

  test('end without a page that is empty', async () => {
    expect((await pagesOf({}, 1)).map((items) => items.map(({ name }) => name))).toEqual([
      ['Town v City'],
      ['Rovers v Town'],
    ]);
    expect((await pagesOf({}, 2)).map((items) => items.length)).toEqual([2]);
  });

  test('narrow to a league', async () => {
    expect(
      (await listResults(viewer, { before: fromNow, limit: 10, leagueReference: 'england-southern-league' }, worldNow))
        .items,
    ).toEqual([]);
  });

  test('begin exactly where they are told to, to the millisecond, whatever was asked before in that minute', async () => {
    const from = async (before: ResultCursor) =>
      (await listResults(viewer, { before, limit: 10 }, worldNow)).items.map(({ name }) => name);
    const [rovers] = (await listResults(viewer, { before: fromNow, limit: 10 }, worldNow)).items.slice(-1);
    const [startsAt, id] = [new Date(rovers?.startsAt ?? 0), rovers?.id ?? 0];
    expect(await from({ startsAt, id })).toEqual([]);
    expect(await from({ startsAt: new Date(startsAt.getTime() + 59_000), id })).toEqual(['Rovers v Town']);
    expect(await from({ startsAt, id })).toEqual([]);
    expect(await from({ startsAt, id: id + 1 })).toEqual(['Rovers v Town']);
  });

  test('lose no fixture and repeat none, however many start at once and however long a page is', async () => {
    const fixtures = fc.array(
      fc.record({ minute: fc.integer({ min: 0, max: 2 }), millisecond: fc.constantFrom(0, 1, 30_000) }),
      { maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(fixtures, fc.integer({ min: 1, max: 5 }), (starts, limit) =>
        undone(async () => {
          const league = { reference: 'ties', name: 'Ties', countryIso2: null, territory: null, rank: 1 };
          const at = (start: (typeof starts)[number]) =>
            new Date(Date.UTC(2026, 1, 1, 12, start.minute) + start.millisecond).toISOString();
          await importAll(starts.map((start, index) => match(`Home ${index}`, `Away ${index}`, at(start), { league })));
          const pages = await pagesOf({ leagueReference: 'ties' }, limit);
          const all = pages.flat();
          expect(all.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
            [...new Set(all.map(({ id }) => id))].toSorted((a, b) => a - b),
          );
          expect(all).toHaveLength(starts.length);
          expect(all).toEqual(all.toSorted((a, b) => b.startsAt.localeCompare(a.startsAt) || b.id - a.id));
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        })(),
      ),
      { numRuns: 25 },
    );
  });
});
