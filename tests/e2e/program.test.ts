import { existsSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { newDataFolder, type RunningSite, startSite } from '../support/site';
import { expect, test } from '../support/visitor';

const json = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, type: response.headers.get('content-type'), body: (await response.json()) as unknown };
};

test('it says that it lives and that it can serve', async ({ site }) => {
  const type = 'application/json; charset=utf-8';
  expect(await json(`${site.origin}/healthz`)).toEqual({ status: 200, type, body: { status: 'ok' } });
  expect(await json(`${site.origin}/readyz`)).toEqual({ status: 200, type, body: { status: 'ready', record: expect.stringMatching(/^(agrees|unaudited)$/) as unknown } });
});

type Held = { underWay: Promise<void>; finish(): void; answered: Promise<{ status: number; body: string }> };

/** A call whose body is held back: the server says 100 once it has begun on it, and cannot end before it has the rest. */
function holdCall(origin: string): Held {
  const body = JSON.stringify({ PSBetMatchId: 1, SportId: 1, Provider: 'tipledger', FileName: 'score.json' });
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), expect: '100-continue' };
  const request = http.request(`${origin}/api/live-scores`, { method: 'POST', headers, agent: new http.Agent({ keepAlive: true }) });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk))).on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
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
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow('fetch failed');
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

/** A way to the database that can be cut: a port of this machine that leads to its socket. */
async function bridge(socket: string): Promise<{ port: number; cut(): Promise<void>; mend(): Promise<void> }> {
  const open = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(socket);
    for (const [one, other] of [[near, far], [far, near]] as const) {
      open.add(one);
      one.on('error', () => other.destroy()).on('close', () => open.delete(one)).pipe(other);
    }
  });
  const listen = (port: number) => new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const each of open) each.destroy();
    await closed;
  };
  return { port, cut, mend: () => listen(port) };
}

test('without its database it says so on whole pages with status 500, and comes back by itself', async ({ site, browser }) => {
  const { port, cut, mend } = await bridge(path.join(site.dataFolder, 'postgres', '.s.PGSQL.5432'));
  await onOwnSite({ DATABASE_URL: `postgres://tipledger@127.0.0.1:${port}/tipledger?sslmode=disable` }, async ({ origin, end }) => {
    const context = await browser.newContext({ baseURL: origin });
    const reader = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    const [page, plain] = [await context.newPage(), await reader.newPage()];
    expect((await page.goto('/football'))?.status()).toBe(200);
    await cut();
    expect(await json(`${origin}/readyz`)).toMatchObject({ status: 503, body: { status: 'unavailable' } });
    expect(await json(`${origin}/healthz`)).toMatchObject({ status: 200 });
    const unread = `/fixture/${site.references.long}`;
    for (const visitor of [page, plain]) {
      expect((await visitor.goto(unread))?.status()).toBe(500);
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('This page could not be made');
      await expect(visitor.getByRole('contentinfo')).toContainText('18+');
      expect(visitor.url()).toBe(`${origin}${unread}`);
    }
    expect(await json(`${origin}/api/fixture/${site.references.long}`)).toMatchObject({ status: 500, body: { status: 500, message: 'Internal Server Error' } });
    await mend();
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).status, { timeout: 15_000 }).toBe(200);
    expect((await page.goto(unread))?.status()).toBe(200);
    await context.close();
    await reader.close();
    expect(await end()).toBe(0);
  });
  await cut();
});

test('a port that is taken is named, with what to do', async ({ site }) => {
  const { port } = new URL(site.origin);
  await expect(startSite({ TIPLEDGER_DATA: site.dataFolder, PORT: port })).rejects.toThrow(new RegExp(`Port ${port} is taken\\. Stop what uses it, or choose another`));
});

test('a request to upgrade is answered like any other and leaves no socket open', async ({ site }) => {
  const { hostname, port } = new URL(site.origin);
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = net.connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: Upgrade, close\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`));
      socket.setTimeout(5_000, () => socket.destroy(new Error(`${path} was neither answered nor closed.`)));
      socket.on('data', (chunk) => (text += String(chunk))).on('error', reject).on('close', () => resolve(text));
    });
  expect(await ask('/create-portfolio')).toMatch(/^HTTP\/1\.1 301 /);
  expect(await ask('/football')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask('/_next/webpack-hmr')).toMatch(/^HTTP\/1\.1 404 /);
});
