import net from 'node:net';
import nodemailer from 'nodemailer';
import { noteTrouble, ofDatabase, recentTroubles, troubleOf } from '@/lib/platform/database-trouble';

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error,
  );

async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a mail server or another site that cannot be reached is no trouble of the database', async () => {
  const port = await closedPort();
  const ofMail = await failureOf(
    nodemailer.createTransport({ host: '127.0.0.1', port }).sendMail({ from: 'a@example.com', to: 'b@example.com' }),
  );
  const ofSite = await failureOf(fetch(`http://127.0.0.1:${port}/`));
  const { cause } = ofSite as Error;
  const ofSocket = await failureOf(new Promise((_, reject) => net.connect(port, '127.0.0.1').once('error', reject)));
  for (const error of [ofMail, ofSite, cause, ofSocket]) expect([error, noteTrouble(error)]).toEqual([error, null]);
  expect((ofSocket as NodeJS.ErrnoException).code).toBe('ECONNREFUSED');
  expect(recentTroubles()).toEqual([]);
  expect(troubleOf(ofDatabase(ofSocket))).toBe('away');
});

test('an error that the database itself sent is one of it, wherever it comes from', () => {
  const sent = (code: string) => Object.assign(new Error('x'), { code });
  expect(['57P01', '53100', '25006', '53300', '57014', '23505'].map((code) => troubleOf(sent(code)))).toEqual([
    'away',
    'full',
    'read-only',
    'crowded',
    'slow',
    null,
  ]);
  expect(troubleOf(new Error('the upstream said: Connection terminated'))).toBe(null);
});

// PgBouncer 1.18 answers with the code of a broken protocol, and says what it is in words.
test.each([
  ['server conn crashed?', 'away'],
  ['query_wait_timeout', 'away'],
  ['pgbouncer cannot connect to server', 'away'],
  ['server login has been failing, try again later (server_login_retry)', 'away'],
  ['no more connections allowed (max_client_conn)', 'crowded'],
  ['bind message supplies 2 parameters, but prepared statement "" requires 1', null],
])('an error "%s" of the code 08P01 tells of %s', (message, trouble) => {
  expect(troubleOf(Object.assign(new Error(message), { code: '08P01' }))).toBe(trouble);
});
