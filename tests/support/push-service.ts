import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';

/** A message as the browser of a subscription would read it, with what the service was told beside it. */
export type Pushed = { text: string; ttl: string; topic: string; urgency: string; subject: string };

/** A push service with its browsers, which takes nothing that does not follow RFC 8030, 8291 and 8292. */
export type PushService = {
  origin: string;
  /** The subscription of a new browser, for the public key of a site. */
  subscribe(publicKey: string): { endpoint: string; keys: { p256dh: string; auth: string } };
  /** What was taken for a browser. */
  messages(endpoint: string): Pushed[];
  /** Answers for a browser with this status from now on, as with 410 once it has unsubscribed. */
  answerWith(endpoint: string, status: number): void;
  /** Why messages were refused. */
  refusals: string[];
  close(): Promise<void>;
};

type Browser = {
  pair: ReturnType<typeof createECDH>;
  auth: Buffer;
  publicKey: string;
  messages: Pushed[];
  status: number;
};

const bytes = (text: string) => Buffer.from(text, 'base64url');

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** RFC 8292: the subject of a token that this site signed for this service; throws where it did not. */
async function subjectOf(authorization: string, origin: string, publicKey: string): Promise<string> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  if (key !== publicKey) throw new Error('The key is not the one of the subscription.');
  const point = bytes(key);
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
    algorithms: ['ES256'],
    audience: origin,
  });
  if ((payload.exp ?? Infinity) > Date.now() / 1000 + 86_400) throw new Error('The token is good for over a day.');
  if (!/^(mailto:|https:)/.test(payload.sub ?? '')) throw new Error('The token names nobody.');
  return payload.sub ?? '';
}

const hmac = (key: Buffer, ...parts: Buffer[]) => createHmac('sha256', key).update(Buffer.concat(parts)).digest();

/** RFC 8188, 8291: the one record of a message, by the keys of its browser. */
export function decryptPush(message: Buffer, { pair, auth }: Pick<Browser, 'pair' | 'auth'>): string {
  const salt = message.subarray(0, 16);
  const keyLength = message.readUInt8(20);
  const sender = message.subarray(21, 21 + keyLength);
  const record = message.subarray(21 + keyLength);
  const shared = pair.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const secret = hmac(hmac(auth, shared), info, Buffer.from([1]));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  return plain.subarray(0, end).toString('utf8');
}

async function take(request: IncomingMessage, browser: Browser, origin: string): Promise<Pushed> {
  const header = (name: string) => String(request.headers[name] ?? '');
  const body = await bodyOf(request);
  if (body.length > 4096) throw new Error(`The message has ${body.length} bytes.`);
  if (header('content-encoding') !== 'aes128gcm') throw new Error('The message is not encrypted as RFC 8291 asks.');
  if (!/^\d+$/.test(header('ttl'))) throw new Error('The message has no time to live.');
  if (header('topic') && !/^[\w-]{1,32}$/.test(header('topic'))) throw new Error('The topic is too long.');
  const subject = await subjectOf(header('authorization'), origin, browser.publicKey);
  return {
    text: decryptPush(body, browser),
    ttl: header('ttl'),
    topic: header('topic'),
    urgency: header('urgency'),
    subject,
  };
}

/** Starts the service on a free port of this machine. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>();
  const refusals: string[] = [];
  let origin = '';
  const server = createServer((request, response) => {
    const browser = browsers.get(`${origin}${request.url}`);
    const answer = (status: number) => response.writeHead(status).end();
    if (!browser) return answer(404);
    if (browser.status !== 201) return answer(browser.status);
    take(request, browser, origin).then(
      (message) => {
        browser.messages.push(message);
        answer(201);
      },
      (error: unknown) => {
        refusals.push(String(error));
        answer(400);
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    refusals,
    subscribe: (publicKey) => {
      const pair = createECDH('prime256v1');
      pair.generateKeys();
      const auth = randomBytes(16);
      const endpoint = `${origin}/send/${randomBytes(12).toString('base64url')}`;
      browsers.set(endpoint, { pair, auth, publicKey, messages: [], status: 201 });
      return { endpoint, keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') } };
    },
    messages: (endpoint) => browsers.get(endpoint)?.messages ?? [],
    answerWith: (endpoint, status) => {
      const browser = browsers.get(endpoint);
      if (browser) browser.status = status;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
