import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { theOddsApi } from '@/lib/feeds/the-odds-api';
import type { FeedItem, FeedNotice } from '@/lib/fixtures/schema';
import { type OddsApiServer, startOddsApi } from '../../support/odds-api-server';

const event = (home: string) => ({
  id: home,
  sport_title: 'Any',
  commence_time: '2026-09-12T14:00:00Z',
  home_team: home,
  away_team: 'Southby',
  bookmakers: [],
});
const data = (home: string) => ({ odds: [event(home)], scores: [] });

let server: OddsApiServer;
beforeEach(
  async () =>
    void (server = await startOddsApi({
      soccer_epl: data('Northwick'),
      basketball_nba: data('Eastham'),
      baseball_mlb: data('Westley'),
    })),
);
afterEach(() => server.close());

/** What a reading of three sports gives, as short lines: a side for each fixture, otherwise what was said. */
async function read({
  apiKey = server.state.key,
  baseUrl = server.url,
  sports = ['soccer_epl', 'basketball_nba', 'baseball_mlb'],
} = {}): Promise<string[]> {
  const said: string[] = [];
  const write = (item: FeedItem | FeedNotice) =>
    item.kind === 'fixture'
      ? 'home' in item.fixture
        ? item.fixture.home
        : ''
      : item.kind === 'notice'
        ? item.text
        : item.kind === 'race'
          ? item.fixture.name
          : item.reason;
  for await (const item of theOddsApi.read({ baseUrl, apiKey, sports, fetch }))
    said.push(`${item.kind}: ${write(item)}`);
  return said;
}

const all = ['fixture: Northwick', 'fixture: Eastham', 'fixture: Westley'];

describe('the quota', () => {
  test('that is left and used is told at the end', async () => {
    expect(await read()).toEqual([...all, 'notice: Quota of the key: 476 left, 24 used.']);
  });

  test.each([429, 401] as const)(
    'that is spent on the way ends the reading, and what came before stays (%d)',
    async (status) => {
      Object.assign(server.state, { remaining: 10, used: 490, spentStatus: status });
      expect(await read()).toEqual([
        'fixture: Northwick',
        'damaged: basketball_nba odds: The quota of the key is spent; wait until it is renewed or take a larger plan.',
        'notice: Quota of the key: 0 left, 498 used.',
      ]);
      expect(server.calls).toHaveLength(3);
    },
  );
});

describe('too many requests', () => {
  test('are answered by waiting as long as the source says, and asking again', async () => {
    Object.assign(server.state, { busyCalls: 2, retryAfterSeconds: '0.2' });
    const begun = performance.now();
    expect(await read()).toEqual([...all, 'notice: Quota of the key: 476 left, 24 used.']);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(400);
    expect(server.calls).toHaveLength(8);
  });

  test('are answered by waiting a second where it does not say how long', async () => {
    Object.assign(server.state, { busyCalls: 1 });
    const begun = performance.now();
    expect(await read({ sports: ['soccer_epl'] })).toEqual([
      'fixture: Northwick',
      'notice: Quota of the key: 492 left, 8 used.',
    ]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  });

  test('end the reading at once when the wait is longer than we wait', async () => {
    Object.assign(server.state, { busyCalls: 1, retryAfterSeconds: '31' });
    const begun = performance.now();
    expect(await read()).toEqual([
      'damaged: soccer_epl odds: The source answers too many requests (429) and asks to wait 31 s; import again later.',
      'notice: Quota of the key: 500 left, 0 used.',
    ]);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test('end the reading after a few tries, and what came before stays', async () => {
    const reading = theOddsApi.read({
      baseUrl: server.url,
      apiKey: server.state.key,
      sports: ['soccer_epl', 'basketball_nba'],
      fetch,
    });
    const kinds: string[] = [];
    for await (const item of reading) {
      kinds.push(item.kind);
      Object.assign(server.state, { busyCalls: 100, retryAfterSeconds: '0' });
    }
    expect([kinds, server.calls.length]).toEqual([['fixture', 'damaged', 'notice'], 1 + 4]);
  });
});

describe('a refusal', () => {
  test('of the key ends the reading, says what to do and does not repeat the key', async () => {
    const said = await read({ apiKey: 'somebody-elses-key' });
    expect(said).toEqual([
      'damaged: soccer_epl odds: The source refuses the key (INVALID_KEY); put the key of your subscription into THE_ODDS_API_KEY.',
    ]);
    expect(server.calls).toHaveLength(1);
  });

  test('of a sport is told, and the others are read', async () => {
    delete server.state.sports.basketball_nba;
    const said = await read();
    expect(said).toEqual([
      'fixture: Northwick',
      'damaged: basketball_nba odds: The source refuses the call (404, "Unknown sport"); check the key of the sport.',
      'fixture: Westley',
      'notice: Quota of the key: 484 left, 16 used.',
    ]);
  });

  test('never repeats the key, whatever the source says', async () => {
    server.state.instead['soccer_epl/odds'] = {
      status: 422,
      body: JSON.stringify({ message: `a-key-of-the-tests!\u0007`, error_code: 'ODD' }),
    };
    expect((await read({ sports: ['soccer_epl'] }))[0]).toBe(
      'damaged: soccer_epl odds: The source refuses the call (422, "…!�"); check the key of the sport.',
    );
  });

  test('for its own trouble ends the reading', async () => {
    server.state.instead['basketball_nba/odds'] = { status: 503, type: 'text/html', body: '<h1>Down</h1>' };
    expect((await read()).slice(0, 2)).toEqual([
      'fixture: Northwick',
      'damaged: basketball_nba odds: The source is in trouble (503); import again later.',
    ]);
    expect(server.calls).toHaveLength(3);
  });
});

describe('an answer', () => {
  test('that is a web page ends the reading', async () => {
    server.state.instead['soccer_epl/odds'] = { type: 'text/html', body: '<!doctype html><title>Log in</title>' };
    expect((await read())[0]).toBe(
      'damaged: soccer_epl odds: The source answers with a web page, not with JSON; check the address, and whether a proxy or a login stands between.',
    );
    expect(server.calls).toHaveLength(1);
  });

  test.each([
    ['[{"id":"e1","home_te', 'is cut off after 20 characters; import again.'],
    ['[{"id":}]', 'is not JSON at character 8; import again.'],
    ['', 'is cut off after 0 characters; import again.'],
    ['{"message":"hello"}', 'is not a list of events; check the address.'],
  ])('%j is told, and the next ones are read', async (body, problem) => {
    server.state.instead['soccer_epl/odds'] = { body };
    expect(await read()).toEqual([
      `damaged: soccer_epl odds: The answer ${problem}`,
      'fixture: Eastham',
      'fixture: Westley',
      'notice: Quota of the key: 484 left, 16 used.',
    ]);
  });

  test('that breaks off in the middle ends the reading, and what came before stays', async () => {
    server.state.instead['basketball_nba/odds'] = { body: '[{"id":"e1",', cutOff: true };
    const said = await read();
    expect(said[0]).toBe('fixture: Northwick');
    expect(said[1]).toMatch(
      /^damaged: basketball_nba odds: 127\.0\.0\.1:\d+ does not answer, or breaks off \(\w+\); check the address and the network, and import again\.$/,
    );
    expect(server.calls).toHaveLength(3);
  });
});

describe('an address', () => {
  test('at which nobody answers is told without the key', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    expect(await read({ baseUrl: `http://127.0.0.1:${port}/` })).toEqual([
      `damaged: soccer_epl odds: 127.0.0.1:${port} does not answer, or breaks off (ECONNREFUSED); check the address and the network, and import again.`,
    ]);
  });

  test('that is none is told', async () => {
    expect((await read({ baseUrl: 'nowhere' }))[0]).toMatch(/^damaged: soccer_epl odds: "nowhere" does not answer/);
  });

  test('may end in slashes', async () => {
    expect(await read({ baseUrl: `${server.url}//`, sports: ['soccer_epl'] })).toContain('fixture: Northwick');
  });
});
