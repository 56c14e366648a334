import { responseOf } from '@/lib/api/answer';
import { waitingEvents } from '@/lib/stream/event-stream';
import { countStreams, openStream } from '@/lib/stream/stream';
import { streamLimits } from '@/lib/stream/hub';
import { guest } from '@/lib/http/viewer';
import { importFixtures, reportLiveScores } from '@/lib/fixtures/commands';
import { pollForgotten } from '@/lib/platform/cache';
import { standAt } from '../support/clock';
import { onOwnConnection, onTestDatabase } from '../support/database';
import { EventReader } from '../support/events';
import { match, worldNow } from '../support/world';

onTestDatabase();
const underWay = 'kings-v-queens-2026-03-10';
beforeAll(async () => {
  standAt(worldNow);
  await importFixtures(
    [{ line: 1, fixture: match('Kings', 'Queens', '2026-03-10T11:00:00.000Z') }],
    'football-data',
    worldNow,
  );
  await pollForgotten();
});
afterEach(() => expect(countStreams()).toBe(0));

const request = () => new Request('http://localhost/api/stream');
const topics = ['live', `fixture:${underWay}`];
const live = (homeTeamScore: number) => ({
  fixtureReference: underWay,
  homeTeamScore,
  awayTeamScore: 0,
  period: 'First half',
  clock: null,
  scores: [],
  ended: false,
});

async function listen(address: string, lastEventId: string | null = null): Promise<EventReader> {
  return new EventReader(
    responseOf((await openStream({ viewer: guest(), topics, address, lastEventId })).answer(request())),
  );
}

const toldScore =
  (home: number) =>
  ({ name, data }: { name: string; data: { topic?: string; facts?: unknown } }) =>
    name === 'change' &&
    data.topic === `fixture:${underWay}` &&
    (data.facts as { live: { homeTeamScore: number } | null }).live?.homeTeamScore === home;

test('two hundred who listen hear of a score, all by one event', async () => {
  const readers = await Promise.all(Array.from({ length: 200 }, (_, index) => listen(`192.0.2.${index}`)));
  expect(countStreams()).toBe(200);
  const began = performance.now();
  await reportLiveScores([live(1)], worldNow);
  const heard = await Promise.all(readers.map((reader) => reader.until(toldScore(1))));
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(1);
  await Promise.all(readers.map((reader) => reader.end()));
});

test('what another instance changed is heard at the next poll', async () => {
  const reader = await listen('192.0.2.1');
  await reader.next();
  await onOwnConnection(async (client) => {
    await client.query(`update live_score set home_score = 2`);
    await client.query(
      `update cache_version set version = version + 1, changed_at = clock_timestamp() where topic in ('live', 'fixture:${underWay}')`,
    );
  });
  await pollForgotten();
  expect((await reader.until(toldScore(2))).data.facts).toMatchObject({ live: { homeTeamScore: 2 } });
  await reader.end();
});

test('whoever comes while nobody listened hears that what they were shown is over', async () => {
  const bees = match('Bees', 'Ants', '2026-03-10T11:00:00.000Z');
  await importFixtures([{ line: 1, fixture: bees }], 'football-data', worldNow);
  const report = async (home: number, ended: boolean) =>
    reportLiveScores([{ ...live(home), fixtureReference: 'bees-v-ants-2026-03-10', ended }], worldNow);
  const listenToLive = async () =>
    new EventReader(
      responseOf(
        (await openStream({ viewer: guest(), topics: ['live'], address: '192.0.2.9', lastEventId: null })).answer(
          request(),
        ),
      ),
    );
  const areLive = (count: number) => (event: { name: string; data: { facts?: unknown } }) =>
    event.name !== 'open' &&
    (event.data.facts as { matches: { home: string }[] }).matches.filter(({ home }) => home === 'Bees').length ===
      count;

  await report(1, true);
  const first = await listenToLive();
  // Told of the other match, with this one over.
  await reportLiveScores([live(50)], worldNow);
  await first.until(({ name }) => name === 'change');
  await first.end();
  await report(2, false);
  const second = await listenToLive();
  await second.until(areLive(1));
  await report(2, true);
  expect((await second.until(areLive(0))).name).toBe('change');
  await second.end();
});

test('what changes while a stream opens is told as it begins', async () => {
  const stream = await openStream({ viewer: guest(), topics, address: '192.0.2.5', lastEventId: null });
  await reportLiveScores([live(100)], worldNow);
  const reader = new EventReader(responseOf(stream.answer(request())));
  await reader.until(toldScore(100));
  await reader.end();
});

test('one who does not read is cut off, and the others go on', async () => {
  const answer = (await openStream({ viewer: guest(), topics, address: '192.0.2.2', lastEventId: null })).answer(
    request(),
  );
  const reader = await listen('192.0.2.3');
  for (let home = 3; home <= waitingEvents + 10 && countStreams() === 2; home += 1) {
    await reportLiveScores([live(home)], worldNow);
    await reader.until(toldScore(home));
  }
  expect(countStreams()).toBe(1);
  await expect(responseOf(answer).text()).rejects.toThrow('The reader is too slow.');
  await reader.end();
});

test('one whose request is broken off is let go of', async () => {
  const gone = new AbortController();
  const stream = await openStream({ viewer: guest(), topics, address: '192.0.2.4', lastEventId: null });
  stream.answer(new Request(request(), { signal: gone.signal }));
  expect(countStreams()).toBe(1);
  gone.abort();
  expect(countStreams()).toBe(0);
});

test('all addresses of a line share its streams', async () => {
  const readers = [];
  for (let count = 0; count < streamLimits.perNetwork; count += 1)
    readers.push(await listen(`2001:db8:7:1::${count.toString(16)}`));
  await expect(listen('2001:db8:7:1:ffff::1')).rejects.toMatchObject({ kind: 'too-many' });
  readers.push(await listen('2001:db8:7:2::1'));
  await readers.shift()?.end();
  readers.push(await listen('2001:db8:7:1:ffff::1'));
  await Promise.all(readers.map((reader) => reader.end()));
});

test('the limits leave room for a house behind one address, and a pulse before proxies hang up', () => {
  expect(streamLimits.perNetwork).toBeGreaterThanOrEqual(20);
  expect(streamLimits.pulseSeconds).toBeGreaterThanOrEqual(15);
  expect(streamLimits.pulseSeconds).toBeLessThanOrEqual(25);
});
