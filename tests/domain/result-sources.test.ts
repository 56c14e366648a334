import { sql } from 'kysely';
import { correctFixture } from '@/lib/fixtures/commands';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { openStaff } from '../support/accounts';
import { after, athletic, start } from '../support/bets';
import { onTestDatabase, undone } from '../support/database';
import { importAll } from '../support/import';
import { match, worldNow } from '../support/world';

onTestDatabase();

let ada: Viewer;
beforeAll(async () => {
  ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
});

type Score = { home: number; away: number; halfTime: { home: number; away: number } | null };

const tellAll = (source: string, ...results: Score[]) =>
  importAll(
    results.map((result) => match('Athletic', 'Wanderers', start.toISOString(), { result })),
    source,
    after(4),
  );
const tell = (source: string, home: number, away: number) => tellAll(source, { home, away, halfTime: null });
const correct = (home: number, away: number) =>
  decidedAt(after(5), () =>
    correctFixture({
      staff: ada,
      reference: athletic,
      correction: {
        ...{ action: 'fixture.score', home, away, halfTimeHome: null, halfTimeAway: null },
        ...{ reason: 'The feed had the sides switched.', preview: false },
      },
    }),
  );
const versions = async () =>
  (
    await sql<{ told: string }>`
      select source || ' ' || home_score || '-' || away_score as told from fixture_result
      join fixture on fixture.id = fixture_id where reference = ${athletic} order by version`.execute(database())
  ).rows.map(({ told }) => told);

describe('two sources that differ about a result', () => {
  test(
    'say each their own once: a file that is read again changes nothing, until its source says something else',
    undone(async () => {
      await tell('football-data', 2, 1);
      await tell('openfootball', 2, 2);
      for (let again = 0; again < 2; again += 1) {
        expect(await tell('football-data', 2, 1)).toMatchObject({ results: 0, unchanged: 1 });
        expect(await tell('openfootball', 2, 2)).toMatchObject({ results: 0, unchanged: 1 });
      }
      expect(await versions()).toEqual(['football-data 2-1', 'openfootball 2-2']);
      await tell('football-data', 3, 1);
      await tell('openfootball', 2, 2);
      expect(await versions()).toEqual(['football-data 2-1', 'openfootball 2-2', 'football-data 3-1']);
    }),
  );

  test(
    'leave what one of them corrected as it is, when the other still has what both had said',
    undone(async () => {
      await tell('football-data', 2, 1);
      await tell('openfootball', 2, 1);
      await tell('football-data', 2, 2);
      await tell('openfootball', 2, 1);
      expect(await versions()).toEqual(['football-data 2-1', 'football-data 2-2']);
    }),
  );
});

describe('a third source', () => {
  test(
    'is heard when it says for the first time what the first one said, and once',
    undone(async () => {
      await tell('openfootball', 2, 1);
      await tell('the-odds-api', 1, 1);
      await tell('football-data', 2, 1);
      for (const source of ['openfootball', 'football-data']) await tell(source, 2, 1);
      await tell('the-odds-api', 1, 1);
      expect(await versions()).toEqual(['openfootball 2-1', 'the-odds-api 1-1', 'football-data 2-1']);
    }),
  );

  test(
    'is held to what it said last, as a version or by agreeing',
    undone(async () => {
      await tell('openfootball', 2, 1);
      await tell('football-data', 2, 1);
      await tell('the-odds-api', 1, 1);
      await tell('football-data', 2, 1);
      await tell('football-data', 1, 1);
      await tell('openfootball', 2, 2);
      await tell('football-data', 1, 1);
      expect(await versions()).toEqual(['openfootball 2-1', 'the-odds-api 1-1', 'openfootball 2-2']);
      await tell('football-data', 2, 1);
      await tell('openfootball', 2, 2);
      await tell('football-data', 2, 1);
      expect(await versions()).toHaveLength(4);
      expect((await versions()).at(-1)).toBe('football-data 2-1');
    }),
  );

  test(
    'does not bring back what staff had put right before it spoke',
    undone(async () => {
      await tell('openfootball', 1, 2);
      await correct(2, 1);
      await tell('football-data', 1, 2);
      expect(await versions()).toEqual(['openfootball 1-2', 'staff 2-1']);
      await tell('football-data', 3, 1);
      expect((await versions()).at(-1)).toBe('football-data 3-1');
      await tell('the-odds-api', 1, 2);
      expect((await versions()).at(-1)).toBe('football-data 3-1');
    }),
  );

  test(
    'that agrees with what staff put right has spoken, and overrides nobody by saying it again',
    undone(async () => {
      await tell('openfootball', 2, 1);
      await tell('football-data', 1, 2);
      await correct(2, 1);
      await tell('the-odds-api', 2, 1);
      await tell('football-data', 3, 3);
      await tell('the-odds-api', 2, 1);
      expect(await versions()).toEqual(['openfootball 2-1', 'football-data 1-2', 'staff 2-1', 'football-data 3-3']);
    }),
  );
});

describe('a file that holds a match twice', () => {
  const [first, second] = [
    { home: 2, away: 1, halfTime: null },
    { home: 2, away: 2, halfTime: null },
  ] as const;

  test(
    'with two results gives the last of them, and the other is reported, however often it is read',
    undone(async () => {
      for (const results of [1, 0, 0])
        expect(await tellAll('football-data', first, second)).toMatchObject({
          results,
          rejections: [
            {
              line: 2,
              column: null,
              reason:
                'Row 3 gives another result for this fixture, and that one was taken. If it is wrong, correct the result of the fixture.',
            },
          ],
        });
      expect(await versions()).toEqual(['football-data 2-2']);
    }),
  );

  test(
    'names the row that was taken, and reports none that agrees with it',
    undone(async () => {
      for (const results of [1, 0])
        expect(await tellAll('football-data', first, second, first)).toMatchObject({
          results,
          rejections: [{ line: 3, reason: expect.stringMatching(/^Row 4 gives another result/) }],
        });
      expect(await versions()).toEqual(['football-data 2-1']);
    }),
  );

  test(
    'with what one row knows of the first half and the other does not keeps it, and reports nothing',
    undone(async () => {
      const half = { ...first, halfTime: { home: 1, away: 0 } };
      expect(await tellAll('football-data', half, first)).toMatchObject({ results: 1, rejections: [] });
      expect(await tellAll('football-data', half, first)).toMatchObject({ results: 0, rejections: [] });
      expect(await versions()).toEqual(['football-data 2-1']);
    }),
  );
});

describe('what staff entered', () => {
  test(
    'stands when the file that they corrected is read again, and gives way when its source says something else',
    undone(async () => {
      await tell('football-data', 1, 2);
      await correct(2, 1);
      await tell('football-data', 1, 2);
      expect(await versions()).toEqual(['football-data 1-2', 'staff 2-1']);
      await tell('football-data', 2, 2);
      await correct(2, 1);
      await tell('football-data', 2, 2);
      expect(await versions()).toEqual(['football-data 1-2', 'staff 2-1', 'football-data 2-2', 'staff 2-1']);
      await tell('football-data', 1, 2);
      expect((await versions()).at(-1)).toBe('football-data 1-2');
    }),
  );

  test(
    'stands against another source that had said the same as the first, and gives way to one that differs',
    undone(async () => {
      await tell('football-data', 1, 2);
      await tell('openfootball', 1, 2);
      await correct(2, 1);
      await tell('openfootball', 1, 2);
      expect(await versions()).toEqual(['football-data 1-2', 'staff 2-1']);
      await tell('openfootball', 3, 1);
      expect((await versions()).at(-1)).toBe('openfootball 3-1');
    }),
  );
});

describe('an abandonment that staff entered', () => {
  const newStart = (hours: number) => after(hours).toISOString();
  const playedAt = (hours: number, at: number, source = 'the-odds-api') =>
    importAll(
      [
        match('Athletic', 'Wanderers', newStart(hours), {
          sourceId: 'e1',
          result: { home: 1, away: 0, halfTime: null },
        }),
      ],
      source,
      after(at),
    );
  const abandon = (at: number) =>
    decidedAt(after(at), () =>
      correctFixture({
        staff: ada,
        reference: athletic,
        correction: { action: 'fixture.abandon', home: null, away: null, reason: 'Floodlights.', preview: false },
      }),
    );
  const sources = async () =>
    (
      await sql<{ source: string }>`
        select source from fixture_result join fixture on fixture.id = fixture_id where reference = ${athletic} order by version`.execute(
        database(),
      )
    ).rows.map(({ source }) => source);

  test(
    'gives way to a match that was played later, once: what that source said stays put right by staff',
    undone(async () => {
      await importAll([match('Athletic', 'Wanderers', newStart(0), { sourceId: 'e1' })], 'the-odds-api', worldNow);
      await abandon(3);
      await playedAt(240, 243);
      expect(await sources()).toEqual(['staff', 'the-odds-api']);
      await abandon(250);
      await playedAt(240, 251);
      await playedAt(240, 300);
      expect(await sources()).toEqual(['staff', 'the-odds-api', 'staff']);
    }),
  );
});
