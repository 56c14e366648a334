import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail that arrived: its envelope and the message as it came over the wire. */
export type ArrivedMail = { from: string; to: string[]; message: string };

/** A mail server that takes mails and keeps them; `refuse` makes it turn every mail away until told otherwise. */
export type SmtpSink = {
  url: string;
  mails: ArrivedMail[];
  refuse(yes: boolean): void;
  /** How many milliseconds it takes for each mail. */
  delay: number;
  /** The addresses that it does not know. */
  unknown: Set<string>;
  /** What it answers to other addresses that it takes no mail for: the code, and the text. */
  turnedAway: Map<string, readonly [number, string]>;
  /** How many connections were made. */
  connections(): number;
  close(): Promise<void>;
};

/** Opens a mail server on a free port of this machine. */
export async function openSmtpSink(): Promise<SmtpSink> {
  const mails: ArrivedMail[] = [];
  let refusing = false;
  const unknown = new Set<string>();
  const turnedAway = new Map<string, readonly [number, string]>();
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onRcptTo({ address }, _session, done) {
      if (unknown.has(address)) return done(Object.assign(new Error('No such user'), { responseCode: 550 }));
      const [responseCode, text] = turnedAway.get(address) ?? [];
      if (responseCode !== undefined) return done(Object.assign(new Error(text), { responseCode }));
      done();
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        await new Promise((resolve) => setTimeout(resolve, sink.delay));
        if (refusing) return done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
        mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
  });
  // A program that is killed resets its connection.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    delay: 0,
    unknown,
    turnedAway,
    connections: () => connections,
    refuse: (yes) => void (refusing = yes),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return sink;
}
