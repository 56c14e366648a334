import type { FixtureDetail, FixtureView } from '@/lib/fixtures/schema';
import type { ScoreView } from '@/lib/fixtures/schema/fixtures';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { importSampleRace, sampleRace } from '../support/races';
import { type Ask, describeCall, hostileTexts } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();
beforeAll(() => standAt(worldNow));

const played = { params: { reference: 'rovers-v-town-2026-03-07' } };
const coming = { params: { reference: 'athletic-v-wanderers-2026-03-10' } };
const nowhere = { params: { reference: 'nobody-v-noone-2026-03-07' } };

/** What holds for every call about one fixture. */
function refusesWhatIsNoFixture(ask: Ask): void {
  test('answers 404 for a fixture that does not exist and says where to look', async () => {
    const answer = await ask(nowhere);
    expect(answer.status).toBe(404);
    expect(answer.refusal?.message).toBe('Not Found. There is no such fixture. Find one on the page of its sport.');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each([['constructor'], ['tostring'], ['hasownproperty']])('knows no fixture called %s', async (reference) => {
    expect((await ask({ params: { reference } })).status).toBe(404);
  });

  test.each(hostileTexts)('refuses %s as a reference and names the field', async (_, reference) => {
    const answer = await ask({ params: { reference } });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.refusal?.fields ?? {})).toEqual(['reference']);
    expect(answer.text.length).toBeLessThan(1_000);
  });

  test('takes a reference of 200 characters for one that might exist', async () => {
    expect((await ask({ params: { reference: 'a'.repeat(200) } })).status).toBe(404);
  });

  test('heeds neither parameters that it does not know nor a stranger’s headers', async () => {
    const plain = await ask(played);
    const decorated = await ask({
      ...played,
      query: '__proto__=1&constructor=2&x=1&x=2&%00=%00',
      headers: { cookie: 'session=nonsense', 'x-forwarded-for': '10.0.0.1', 'content-encoding': 'gzip' },
    });
    expect([decorated.status, decorated.text]).toEqual([200, plain.text]);
  });

  test('answers 304 without a body to who has the answer already, 200 to who has another', async () => {
    const first = await ask(played);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask({ ...played, headers: { 'if-none-match': held } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
    }
    for (const held of ['"other"', 'W/"other"', etag.slice(1, -1), '', '"']) {
      expect((await ask({ ...played, headers: { 'if-none-match': held } })).status).toBe(200);
    }
    expect((await ask({ ...coming, headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('tells HEAD what it tells GET', async () => {
    const [get, head] = [await ask(played), await ask(played, 'HEAD')];
    for (const name of ['etag', 'cache-control', 'content-type'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect(head.headers.get('etag')).not.toBeNull();
  });
}

describeCall('/fixture/{reference}', 'GET', (ask) => {
  test('answers with a played fixture, its league, sport, sides and score', async () => {
    const { status, view } = await ask(played);
    const side = (name: string) => ({ id: expect.any(Number), reference: name.toLowerCase(), name });
    expect(status).toBe(200);
    expect(view).toEqual({
      id: expect.any(Number),
      reference: 'rovers-v-town-2026-03-07',
      name: 'Rovers v Town',
      sportId: 1,
      sportReference: 'football',
      sportName: 'Football',
      league: {
        id: expect.any(Number),
        reference: 'england-northern-league',
        name: 'Northern League',
        sportId: 1,
        territory: 'England',
      },
      season: '2025-26',
      home: side('Rovers'),
      away: side('Town'),
      startsAt: '2026-03-07T15:00:00.000Z',
      startTimeKnown: true,
      started: true,
      score: {
        status: 'complete',
        finalScore: { displayName: '2–1', homeTeamScore: 2, awayTeamScore: 1 },
        scores: [{ displayName: 'Half-time', homeTeamScore: 1, awayTeamScore: 1 }],
        positions: [],
        abandoned: false,
        postponed: false,
        ending: null,
        finish: null,
        version: 1,
        live: null,
      },
      sources: ['football-data'],
      demo: false,
      handicap: false,
      placesKnown: 0,
      runners: [],
    });
  });

  test('answers with a race, its runners, their prices and who won', async () => {
    await importSampleRace(sampleRace.after);
    standAt(sampleRace.after);
    const { status, view } = await ask({ params: { reference: sampleRace.reference } });
    standAt(worldNow);
    const odds = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });
    const runner = (name: string, reference: string) => ({
      name,
      reference,
      number: null,
      withdrawal: null,
      startingPrice: null,
      position: null,
      selectionId: expect.any(Number),
      jockey: null,
      trainer: null,
      weightPounds: null,
      draw: null,
      form: [],
    });
    expect(status).toBe(200);
    expect(view).toMatchObject({ name: '15:30 Ayr, 6f Hcap', home: null, away: null, handicap: true, placesKnown: 1 });
    expect((view as FixtureDetail).runners).toEqual([
      { ...runner('Copper Lantern', 'copper-lantern'), startingPrice: odds(3100), position: 1 },
      { ...runner('Quiet Tuesday', 'quiet-tuesday'), startingPrice: odds(4620) },
      { ...runner('Bramble Bank', 'bramble-bank'), startingPrice: odds(8400) },
      { ...runner('Slate Roof', 'slate-roof'), startingPrice: odds(11_500) },
      { ...runner('Tin Whistle', 'tin-whistle'), withdrawal: { at: '2026-05-09T09:14:30.000Z', price: odds(5500) } },
      { ...runner('Marsh Lad', 'marsh-lad'), withdrawal: { at: '2026-05-09T11:00:05.000Z', price: null } },
    ]);
  });

  test('says that a coming fixture has not started, and from its start on that it has', async () => {
    expect((await ask(coming)).view).toMatchObject({
      started: false,
      score: { status: 'awaiting-result', finalScore: null },
    });
    standAt(new Date('2026-03-10T19:59:59.999Z'));
    expect((await ask(coming)).view).toMatchObject({ started: false });
    standAt(new Date('2026-03-10T20:00:00.000Z'));
    expect((await ask(coming)).view).toMatchObject({ started: true });
    standAt(worldNow);
  });

  refusesWhatIsNoFixture(ask);
});

describeCall('/fixture/{reference}/score', 'GET', (ask) => {
  test('answers with the score of a played fixture, the one that the fixture carries', async () => {
    const { status, view } = await ask(played);
    expect(status).toBe(200);
    expect((view as ScoreView).finalScore).toEqual({ displayName: '2–1', homeTeamScore: 2, awayTeamScore: 1 });
  });

  test('answers with the awaiting-result record while there is no result', async () => {
    const { status, view } = await ask(coming);
    expect(status).toBe(200);
    expect(view).toEqual({
      status: 'awaiting-result',
      finalScore: null,
      scores: [],
      positions: [],
      abandoned: false,
      postponed: false,
      ending: null,
      finish: null,
      version: 0,
      live: null,
    } satisfies FixtureView['score']);
  });

  refusesWhatIsNoFixture(ask);
});
