import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came to the receiver. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string };

/** A receiver of webhooks as an owner would run it. */
export type HookReceiver = {
  host: string;
  address: string;
  received: Received[];
  /** The status of its answers, and where they lead with a redirect. */
  status: number;
  location: string | null;
  /** How long an answer takes at a path, in milliseconds, and how many were under way there at once. */
  delays: Record<string, number>;
  most: Record<string, number>;
  /** Hears of what came as it comes. */
  heard: (came: Received) => void;
  close(): Promise<void>;
};

/** True when what came was signed with the secret, at the moment that it says and over the very body. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const [, seconds = '', signature = ''] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['tipledger-signature'])) ?? [];
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex') === signature;
}

/** Starts the receiver on a free port of this machine. */
export async function startReceiver(): Promise<HookReceiver> {
  const underWay = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const path = request.url ?? '';
      const came = { path, headers: request.headers, body };
      receiver.received.push(came);
      receiver.heard(came);
      underWay.set(path, (underWay.get(path) ?? 0) + 1);
      receiver.most[path] = Math.max(receiver.most[path] ?? 0, underWay.get(path) ?? 0);
      const answer = () => {
        underWay.set(path, (underWay.get(path) ?? 1) - 1);
        response.writeHead(receiver.status, receiver.location ? { location: receiver.location } : {}).end('ok');
      };
      const delay = receiver.delays[path];
      if (delay === undefined) answer();
      else setTimeout(answer, delay);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: HookReceiver = {
    host,
    address: `http://${host}/hook`,
    received: [],
    status: 200,
    location: null,
    delays: {},
    most: {},
    heard: () => undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return receiver;
}
