import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { maxBodyBytes } from '@/lib/api/handle';
import { importFixtures, reportLiveScores } from '@/lib/fixtures/commands';
import type { FixtureView } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { type Ask, describeCall, doors, hostileNumbers, request } from '../support/request';
import { match, worldNow } from '../support/world';

onTestDatabase();
beforeAll(() => standAt(worldNow));

// Every test comes from an address of its own: the call counts hits.
let addresses = 0;
const fromAnew = () => ({ 'x-tipledger-address': `192.0.2.${(addresses += 1)}` });

async function playedBody(): Promise<Record<string, unknown>> {
  const { rows } = await sql<{
    id: number;
  }>`select id from fixture where reference = 'rovers-v-town-2026-03-07'`.execute(database());
  return { PSBetMatchId: rows[0]?.id, SportId: 1, Provider: 'tipledger', FileName: 'score.json' };
}

describeCall('/live-scores', 'POST', (ask) => {
  const send = async (change: Record<string, unknown> = {}, headers: Record<string, string> = fromAnew()) =>
    ask({ body: { ...(await playedBody()), ...change }, headers });

  test('answers with the fixture and its score, and lets nobody keep it', async () => {
    const { status, view, headers } = await send();
    expect(status).toBe(200);
    const { fixture, score } = view as { fixture: FixtureView; score: FixtureView['score'] };
    expect([fixture.reference, score.finalScore?.displayName]).toEqual(['rovers-v-town-2026-03-07', '2–1']);
    expect(fixture).not.toHaveProperty('score');
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
  });

  test('takes the numbers as text too', async () => {
    const { PSBetMatchId } = await playedBody();
    expect((await send({ PSBetMatchId: String(PSBetMatchId), SportId: '1' })).status).toBe(200);
  });

  test('takes a content type with a character set, in any case', async () => {
    expect((await send({}, { ...fromAnew(), 'content-type': 'Application/JSON; charset=UTF-8' })).status).toBe(200);
  });

  test('answers 404 for a fixture that does not exist or is of another sport', async () => {
    for (const change of [
      { PSBetMatchId: 2_147_483_647 },
      { PSBetMatchId: '999999999' },
      { PSBetMatchId: '0' },
      { SportId: 16 },
    ]) {
      const { status, refusal } = await send(change);
      expect([status, refusal?.message]).toEqual([
        404,
        'Not Found. There is no such fixture. Find one on the page of its sport.',
      ]);
    }
  });

  describe.each(['PSBetMatchId', 'SportId'])('the field %s', (name) => {
    const wrong: unknown[] = [
      ...hostileNumbers.map(([, text]) => text),
      null,
      true,
      {},
      [],
      [1],
      { $gt: 0 },
      -1,
      1.5,
      1e21,
      1e300,
    ];
    test.each(wrong)('refuses %j, names the field and says what it should be', async (value) => {
      const { status, refusal, text } = await send({ [name]: value });
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [name]]);
      expect(refusal?.fields?.[name]).toContain(name);
      expect(text.length).toBeLessThan(500);
    });

    test('refuses to be missing', async () => {
      const { [name]: _left, ...rest } = await playedBody();
      expect(Object.keys((await ask({ body: rest, headers: fromAnew() })).refusal?.fields ?? {})).toEqual([name]);
    });
  });

  test.each([7, 0, 22, 2_147_483_647])('refuses the sport %d, which is not on offer', async (SportId) => {
    expect((await send({ SportId })).refusal?.fields).toEqual({
      SportId: 'SportId must be the id of a sport on offer',
    });
  });

  test.each([
    ['Provider', "Provider must be 'tipledger'"],
    ['FileName', "FileName must be 'score.json'"],
  ])('refuses any other %s', async (name, message) => {
    for (const value of [
      '',
      'Tipledger',
      '../score.json',
      'score.json\u0000',
      '<b>',
      1,
      null,
      ['tipledger'],
      { toString: 'tipledger' },
    ]) {
      expect((await send({ [name]: value })).refusal?.fields).toEqual({ [name]: message });
    }
  });

  test('refuses fields that it does not know', async () => {
    for (const extra of [
      { hack: 1 },
      { constructor: { prototype: {} } },
      { toString: 1 },
      { '': 1 },
      { psbetmatchid: 1 },
    ]) {
      expect((await send(extra)).status).toBe(400);
    }
  });

  test('takes no prototype from a body', async () => {
    const body = JSON.stringify(await playedBody()).replace(/}$/, ',"__proto__":{"Provider":"x","polluted":true}}');
    expect([200, 400]).toContain((await ask({ body, headers: fromAnew() })).status);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const inherited = '{"__proto__":{"PSBetMatchId":1,"SportId":1,"Provider":"tipledger","FileName":"score.json"}}';
    expect((await ask({ body: inherited, headers: fromAnew() })).status).toBe(400);
  });

  test.each([['null'], ['[]'], ['"text"'], ['1'], ['true'], ['[[[[]]]]'], ['{"a":{"b":{"c":{}}}}']])(
    'refuses the JSON %s, which is no such body',
    async (body) => {
      const { status, refusal } = await ask({ body, headers: fromAnew() });
      expect(status).toBe(400);
      expect(Object.keys(refusal?.fields ?? {}).length).toBeGreaterThan(0);
    },
  );

  const gzipped = new Uint8Array(gzipSync('{}'));
  const noJson: [string, string | Uint8Array][] = [
    ...(
      ['', ' ', '{', '{"a":1,}', "{'a':1}", '{} {}', 'PSBetMatchId=1', '<xml/>', '{"a":NaN}', '\uFEFF{}'] as const
    ).map((text): [string, string] => [JSON.stringify(text), text]),
    ['a gzipped body', gzipped],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x0a, 0x22])],
    ['NULs', new Uint8Array(64)],
    ['a bracket opened thirty thousand times', '['.repeat(30_000)],
  ];
  test.each(noJson)('refuses %s as no JSON', async (_, body) => {
    for (const headers of [fromAnew(), { ...fromAnew(), 'content-encoding': 'gzip' }]) {
      expect(await ask({ body, headers })).toMatchObject({
        status: 400,
        refusal: { message: 'The body is not valid JSON. Correct it and send it again.' },
      });
    }
  });

  test('refuses JSON nested as deep as a body can be without falling', async () => {
    expect((await ask({ body: `${'['.repeat(30_000)}${']'.repeat(30_000)}`, headers: fromAnew() })).status).toBe(400);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'json',
    'text/html; application/json',
  ])('refuses the content type %s', async (type) => {
    const { status, refusal } = await send({}, { ...fromAnew(), 'content-type': type });
    expect([status, refusal?.message]).toEqual([
      400,
      'Send the body as JSON, with the header Content-Type: application/json.',
    ]);
  });

  test('refuses a request without a body', async () => {
    expect((await ask({ headers: fromAnew() })).status).toBe(400);
    expect((await ask({ headers: { ...fromAnew(), 'content-type': 'application/json' } })).refusal?.message).toBe(
      'The body is not valid JSON. Correct it and send it again.',
    );
  });

  test('takes a body of 64 KiB and refuses one of a byte more', async () => {
    const text = JSON.stringify(await playedBody());
    expect((await ask({ body: text.padEnd(maxBodyBytes), headers: fromAnew() })).status).toBe(200);
    expect((await ask({ body: text.padEnd(maxBodyBytes + 1), headers: fromAnew() })).refusal?.message).toBe(
      'The body is too large: 65536 bytes at most.',
    );
    expect(
      (await ask({ body: text, headers: { ...fromAnew(), 'content-length': String(maxBodyBytes + 1) } })).status,
    ).toBe(400);
  });

  test('stops reading a body that is far too large', async () => {
    let pulled = 0;
    const huge = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        if (pulled > 100) controller.close();
        else controller.enqueue(new Uint8Array(16 * 1024).fill(32));
      },
    });
    expect((await ask({ body: huge, headers: fromAnew() })).refusal?.message).toBe(
      'The body is too large: 65536 bytes at most.',
    );
    expect(pulled).toBeLessThan(10);
  });

  test('blames the sender for a body that breaks off', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
    expect((await ask({ body: broken, headers: fromAnew() })).status).toBe(400);
  });

  describeRate(ask);
});

function describeRate(ask: Ask): void {
  test('answers 429 from the 121st hit of a minute on, to that address alone, until the minute is over', async () => {
    const body = await playedBody();
    const [one, other] = [fromAnew(), fromAnew()];
    const hits = await Promise.all(Array.from({ length: 130 }, () => ask({ body, headers: one })));
    expect(hits.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(120).fill(200),
      ...Array<number>(10).fill(429),
    ]);
    const refused = await ask({ body, headers: one });
    expect([refused.status, refused.headers.get('retry-after'), refused.refusal?.message]).toEqual([
      429,
      '60',
      'Too many requests. Wait a minute, then try again.',
    ]);
    expect((await ask({ body, headers: other })).status).toBe(200);
    standAt(new Date(worldNow.getTime() + 59_999));
    expect((await ask({ body, headers: one })).status).toBe(429);
    standAt(new Date(worldNow.getTime() + 60_000));
    expect((await ask({ body, headers: one })).status).toBe(200);
    standAt(worldNow);
  });

  test('counts refused requests too, and does not take an address from what a client can send', async () => {
    const from = fromAnew();
    await Promise.all(Array.from({ length: 120 }, () => ask({ body: '{', headers: from })));
    expect(
      (await ask({ body: await playedBody(), headers: { ...from, 'x-forwarded-for': '198.51.100.1' } })).status,
    ).toBe(429);
  });

  test('leaves the other calls alone', async () => {
    const call = doors['/fixture/{reference}']?.GET;
    if (!call) throw new Error('The call is gone.');
    const from = fromAnew();
    const answers = await Promise.all(
      Array.from({ length: 125 }, () =>
        request(call, '/fixture/{reference}', { params: { reference: 'rovers-v-town-2026-03-07' }, headers: from }),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
}

describeCall('/live-scores', 'GET', (ask) => {
  test('answers with the matches under way, and with none when none is', async () => {
    expect((await ask()).view).toEqual({ matches: [] });
    await importFixtures(
      [{ line: 1, fixture: match('Kings', 'Queens', '2026-03-10T11:00:00.000Z') }],
      'football-data',
      worldNow,
    );
    const live = {
      homeTeamScore: 1,
      awayTeamScore: 1,
      period: 'Second half',
      clock: { minutes: 45, until: 90, since: '2026-03-10T11:58:00.000Z' },
      scores: [],
      ended: false,
    };
    await reportLiveScores([{ fixtureReference: 'kings-v-queens-2026-03-10', ...live }], worldNow);
    const { status, view, headers } = await ask();
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=0, must-revalidate']);
    expect(view).toEqual({
      matches: [
        {
          reference: 'kings-v-queens-2026-03-10',
          sportId: 1,
          sportReference: 'football',
          sportName: 'Football',
          leagueName: 'Northern League',
          home: 'Kings',
          away: 'Queens',
          live,
          demo: false,
        },
      ],
    });
  });
});
