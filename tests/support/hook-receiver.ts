import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came to the receiver. */
export type Received = { headers: IncomingHttpHeaders; body: string };

/** A receiver of webhooks as an owner would run it. */
export type HookReceiver = {
  host: string;
  address: string;
  received: Received[];
  /** The status of its answers, and where they lead with a redirect. */
  status: number;
  location: string | null;
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
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      receiver.received.push({ headers: request.headers, body });
      response.writeHead(receiver.status, receiver.location ? { location: receiver.location } : {}).end('ok');
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
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return receiver;
}
