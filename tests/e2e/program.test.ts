import { existsSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { openBridge } from '../support/bridge';
import { newDataFolder, type RunningSite, startProgramOnly, startSite } from '../support/site';
import { expect, test } from '../support/visitor';

const json = async (url: string) => {
  const response = await fetch(url);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as unknown,
  };
};

test('it says that it lives and that it can serve', async ({ site }) => {
  const type = 'application/json; charset=utf-8';
  expect(await json(`${site.origin}/healthz`)).toEqual({ status: 200, type, body: { status: 'ok' } });
  expect(await json(`${site.origin}/readyz`)).toEqual({
    status: 200,
    type,
    body: { status: 'ready', record: expect.stringMatching(/^(agrees|unaudited)$/) as unknown },
  });
});

type Held = { underWay: Promise<void>; finish(): void; answered: Promise<{ status: number; body: string }> };

/** A call whose body is held back: the server says 100 once it has begun on it, and cannot end before it has the rest. */
function holdCall(origin: string): Held {
  const body = JSON.stringify({ PSBetMatchId: 1, SportId: 1, Provider: 'tipledger', FileName: 'score.json' });
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), expect: '100-continue' };
  const request = http.request(`${origin}/api/live-scores`, {
    method: 'POST',
    headers,
    agent: new http.Agent({ keepAlive: true }),
  });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      let text = '';
      response
        .on('data', (chunk) => (text += String(chunk)))
        .on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
  });
  const underWay = new Promise<void>((resolve) => request.once('continue', resolve));
  request.flushHeaders();
  request.write(body.slice(0, 10));
  return { underWay, finish: () => void request.end(body.slice(10)), answered };
}

async function onOwnSite(variables: Record<string, string>, body: (site: RunningSite) => Promise<void>): Promise<void> {
  const site = await startSite(variables);
  try {
    await body(site);
  } finally {
    await site.end('SIGKILL');
  }
}

test('told to stop, it takes no more, finishes what is under way, and ends with 0', async () => {
  const folder = newDataFolder();
  const dataFolder = path.join(folder, 'data');
  await onOwnSite({ TIPLEDGER_DATA: dataFolder }, async ({ origin, pid, said, end }) => {
    const { underWay, finish, answered } = holdCall(origin);
    await underWay;
    process.kill(pid, 'SIGTERM');
    await expect.poll(said).toContain('SIGTERM: finishing what is under way');
    await expect
      .poll(() =>
        fetch(`${origin}/healthz`).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused');
    finish();
    const { status, body } = await answered;
    expect([status, JSON.parse(body)]).toEqual([404, expect.objectContaining({ status: 404 })]);
    const asked = Date.now();
    expect(await end()).toBe(0);
    expect(Date.now() - asked).toBeLessThan(8_000);
    expect(said()).toContain('Tipledger has stopped.');
    expect(existsSync(path.join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);
  });
  rmSync(folder, { recursive: true, force: true });
});

test('without its database it says so on whole pages with status 503, and comes back by itself', async ({
  site,
  browser,
}) => {
  const { url, cut, mend } = await openBridge(
    `postgres://tipledger@localhost:5432/tipledger?host=${encodeURIComponent(path.join(site.dataFolder, 'postgres'))}`,
  );
  await onOwnSite({ DATABASE_URL: url }, async ({ origin, end }) => {
    const context = await browser.newContext({ baseURL: origin });
    const reader = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    const [page, plain] = [await context.newPage(), await reader.newPage()];
    expect((await page.goto('/football'))?.status()).toBe(200);
    await cut();
    expect(await json(`${origin}/readyz`)).toMatchObject({ status: 503, body: { status: 'unavailable' } });
    expect(await json(`${origin}/readyz?for=balancer`)).toMatchObject({ status: 200, body: { status: 'serving' } });
    expect(await json(`${origin}/healthz`)).toMatchObject({ status: 200 });
    const unread = `/fixture/${site.references.long}`;
    for (const visitor of [page, plain]) {
      expect((await visitor.goto(unread))?.status()).toBe(503);
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Back in a moment');
      await expect(visitor.getByRole('contentinfo')).toContainText('18+');
      expect(visitor.url()).toBe(`${origin}${unread}`);
    }
    expect(await json(`${origin}/api/fixture/${site.references.long}`)).toMatchObject({
      status: 503,
      body: { status: 503, message: 'The site cannot reach its database at the moment. Try again in a few seconds.' },
    });
    expect((await page.goto('/football'))?.status()).toBe(200);
    await mend();
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).status, { timeout: 15_000 }).toBe(200);
    expect((await page.goto(unread))?.status()).toBe(200);
    await context.close();
    await reader.close();
    expect(await end()).toBe(0);
  });
  await cut();
});

test('with its jobs switched off it says so, serves, and stops at once', async () => {
  const folder = newDataFolder();
  await onOwnSite(
    { TIPLEDGER_DATA: path.join(folder, 'data'), TIPLEDGER_JOBS: 'off' },
    async ({ origin, pid, end, said }) => {
      expect(said()).toContain('This instance runs no jobs');
      expect(await json(`${origin}/readyz`)).toMatchObject({
        status: 200,
        body: { status: 'ready', warnings: expect.arrayContaining([expect.stringContaining('TIPLEDGER_JOBS')]) },
      });
      process.kill(pid, 'SIGTERM');
      expect(await end()).toBe(0);
    },
  );
});

test('told to stop behind a proxy, it says so and serves on until the proxy has heard it; streams are told to come again', async () => {
  const folder = newDataFolder();
  await onOwnSite(
    { TIPLEDGER_DATA: path.join(folder, 'data'), DRAIN_SECONDS: '3' },
    async ({ origin, pid, end, said }) => {
      const stream = fetch(`${origin}/api/stream?topics=live`).then((response) => response.text());
      expect((await fetch(`${origin}/football`)).status).toBe(200);
      process.kill(pid, 'SIGTERM');
      await expect.poll(said).toContain('SIGTERM: finishing what is under way');
      for (const asked of ['/readyz', '/readyz?for=balancer'])
        expect(await json(`${origin}${asked}`)).toMatchObject({ status: 503, body: { status: 'draining' } });
      expect((await json(`${origin}/healthz`)).status).toBe(200);
      for (const address of ['/football', '/tennis', '/api/edge/version']) {
        const answer = await fetch(`${origin}${address}`);
        expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
      }
      expect(await stream).toMatch(/\nretry: \d+\nevent: close\ndata: \{"reason":"restart"\}\n\n$/);
      expect(await end()).toBe(0);
    },
  );
  rmSync(folder, { recursive: true, force: true });
});

test('interrupted while it makes the demo world, it leaves no PostgreSQL behind; three that are started then finish it together', async () => {
  test.setTimeout(400_000);
  const folder = newDataFolder();
  const dataFolder = path.join(folder, 'data');
  const first = startProgramOnly({ TIPLEDGER_DATA: dataFolder, TIPLEDGER_DEMO: 'small' });
  const sites: RunningSite[] = [];
  try {
    await expect.poll(first.said, { timeout: 120_000 }).toMatch(/Making the demo world: [1-9]/);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(130);
    expect(existsSync(path.join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);
    // The setting of later starts changes nothing of a world that was begun.
    const start = async (demo: string) =>
      sites.push(await startSite({ TIPLEDGER_DATA: dataFolder, TIPLEDGER_DEMO: demo }));
    await Promise.all(['small', 'on', 'small'].map(start));
    for (const { said } of sites) expect(said()).toContain('The demo world is made.');
    expect(
      sites.filter(({ said }) => said().includes('Another instance is making the demo world: waiting for it…')).length,
    ).toBeGreaterThan(0);
    for (const { origin } of sites) expect(await (await fetch(`${origin}/tipster`)).text()).toContain('/tipster/');
    for (const { end } of sites) expect(await end()).toBe(0);
    expect(existsSync(path.join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);
  } finally {
    first.child.kill('SIGKILL');
    await Promise.all(sites.map(({ end }) => end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a port that is taken is named, with what to do', async ({ site }) => {
  const { port } = new URL(site.origin);
  await expect(startSite({ TIPLEDGER_DATA: site.dataFolder, PORT: port })).rejects.toThrow(
    new RegExp(`Port ${port} is taken\\. Stop what uses it, or choose another`),
  );
});

test('a request to upgrade is answered like any other and leaves no socket open', async ({ site }) => {
  const { hostname, port } = new URL(site.origin);
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = net.connect(Number(port), hostname, () =>
        socket.write(
          `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: Upgrade, close\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
        ),
      );
      socket.setTimeout(5_000, () => socket.destroy(new Error(`${path} was neither answered nor closed.`)));
      socket
        .on('data', (chunk) => (text += String(chunk)))
        .on('error', reject)
        .on('close', () => resolve(text));
    });
  expect(await ask('/create-portfolio')).toMatch(/^HTTP\/1\.1 301 /);
  expect(await ask('/football')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask('/_next/webpack-hmr')).toMatch(/^HTTP\/1\.1 404 /);
});
