import http from 'node:http';
import https from 'node:https';

/** A request of a trial; `from` is the address of this machine that it comes from, which a proxy sees. */
export type Sent = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  from?: string;
  /** How long it may stand still; for ever with 0. */
  timeoutMilliseconds?: number;
};

/** What came back, whole. */
export type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string };

const agents = new Map<string, http.Agent>();

// One set of connections for each address, kept between requests as browsers keep theirs.
function agentOf(origin: URL, from: string): http.Agent {
  const name = `${origin.origin} ${from}`;
  const made =
    agents.get(name) ??
    (origin.protocol === 'https:'
      ? new https.Agent({ keepAlive: true, rejectUnauthorized: false, localAddress: from })
      : new http.Agent({ keepAlive: true, localAddress: from }));
  agents.set(name, made);
  return made;
}

/** Opens a request and gives the response as soon as its head is here; throws when the connection breaks before. */
export function open(
  origin: string,
  { method = 'GET', path, headers = {}, body, from = '127.0.0.1', timeoutMilliseconds = 30_000 }: Sent,
): Promise<http.IncomingMessage> {
  const url = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(
      {
        hostname: url.hostname,
        port: url.port,
        method,
        path,
        agent: agentOf(url, from),
        timeout: timeoutMilliseconds,
        headers: {
          host: 'tipledger.example',
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      resolve,
    );
    request.once('timeout', () => request.destroy(new Error('There was no answer in time.'))).once('error', reject);
    request.end(body);
  });
}

/** Sends a request and gives the whole answer; throws when the connection breaks, also in the middle of it. */
export async function send(origin: string, sent: Sent): Promise<Answer> {
  const response = await open(origin, sent);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Ends the connections that are kept. */
export function closeKept(): void {
  for (const agent of agents.values()) agent.destroy();
  agents.clear();
}
