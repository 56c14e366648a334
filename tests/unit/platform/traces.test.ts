import { execFile } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program that records one span and ends; what it says of itself. */
async function runTraced(settings: Record<string, string>): Promise<{ loaded: boolean; milliseconds: number }> {
  const { stdout } = await execute(process.execPath, ['tests/support/traced.mjs'], {
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: '', ...settings },
    timeout: 50_000,
  });
  return JSON.parse(stdout);
}

async function onCollector(
  answer: (response: ServerResponse) => void,
  body: (endpoint: string, received: { path: string; body: string }[]) => Promise<void>,
): Promise<void> {
  const received: { path: string; body: string }[] = [];
  const collector = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push({ path: request.url ?? '', body: Buffer.concat(pieces).toString('utf8') });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${(collector.address() as AddressInfo).port}`, received);
  } finally {
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
  }
}

test('nothing is loaded without a collector', async () => {
  expect(await runTraced({})).toMatchObject({ loaded: false });
});

test('spans reach the collector before the program ends, under the name that was set', () =>
  onCollector(
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    async (endpoint, received) => {
      expect(
        await runTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`, OTEL_SERVICE_NAME: 'tipledger-test' }),
      ).toMatchObject({ loaded: true });
      expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
      const [{ resource, scopeSpans }] = JSON.parse(received[0]?.body ?? '').resourceSpans;
      expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'tipledger-test' } });
      expect(scopeSpans[0].spans.map(({ name }: { name: string }) => name)).toEqual(['GET /tips']);
    },
  ));

test('a collector that never answers holds the end up for five seconds at most', () =>
  onCollector(
    () => undefined,
    async (endpoint, received) => {
      const { milliseconds } = await runTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
      expect(received).toHaveLength(1);
      expect(milliseconds).toBeGreaterThan(3_000);
      expect(milliseconds).toBeLessThan(6_000);
    },
  ));
