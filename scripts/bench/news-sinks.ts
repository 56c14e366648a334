import { createECDH, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setInterval as every } from 'node:timers';
import { SMTPServer } from 'smtp-server';
import { decryptPush } from '../../tests/support/push-service';

/** What arrived: by which way, for which reader, when (milliseconds of the epoch), and whether it names the word that only members may read. */
export type Arrival = { way: 'mail' | 'push'; reader: number; at: number; tells: boolean };

/** Where the sinks listen, and the keys of every browser of theirs. */
export type Sinks = { smtp: string; push: string; p256dh: string; auth: string };

const numberIn = (text: string) => Number(/\d+/.exec(text)?.[0] ?? 0);

/** A mail server and a push service that take everything, as a program of its own: tells where they are, and, asked by the message 'report', what arrived. The argument is the word of members. */
export async function main([word = '']: string[]): Promise<number> {
  const mails: Arrival[] = [];
  const pushes: (Omit<Arrival, 'tells'> & { body: Buffer })[] = [];
  const browser = { pair: createECDH('prime256v1'), auth: randomBytes(16) };
  browser.pair.generateKeys();

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const reader = numberIn(envelope.rcptTo[0]?.address ?? '');
        const tells = Buffer.concat(pieces).toString('latin1').replaceAll('=\r\n', '').includes(word);
        mails.push({ way: 'mail', reader, at: Date.now(), tells });
        done();
      });
    },
  });
  const push = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      pushes.push({ way: 'push', reader: numberIn(request.url ?? ''), at: Date.now(), body: Buffer.concat(pieces) });
      response.writeHead(201).end();
    });
  });
  // A program that is ended resets its connections.
  smtp.on('error', () => undefined);
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => void push.listen(0, '127.0.0.1', resolve));
  const portOf = (address: unknown) => (address as AddressInfo).port;
  const sinks: Sinks = {
    smtp: `smtp://127.0.0.1:${portOf(smtp.server.address())}`,
    push: `http://127.0.0.1:${portOf(push.address())}`,
    p256dh: browser.pair.getPublicKey('base64url'),
    auth: browser.auth.toString('base64url'),
  };
  process.send?.(sinks);
  process.on('message', (asked) => {
    if (asked === 'count') process.send?.(mails.length + pushes.length);
    else
      process.send?.([
        ...mails,
        ...pushes.map(({ body, ...arrival }) => ({ ...arrival, tells: decryptPush(body, browser).includes(word) })),
      ]);
  });
  // Whoever asked for them is gone: they do not outlive them.
  every(() => !process.connected && process.exit(0), 1_000);
  return new Promise(() => undefined);
}
