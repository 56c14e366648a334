import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { sendCode } from '@/lib/accounts/commands/sent-codes';
import { database, transact } from '@/lib/platform/database';
import { listWaitingMails, type Mail, pruneMails, putMail, putMails, sendDueMails } from '@/lib/platform/mail';
import { codeMailedTo, openAccount } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink';
import { worldNow } from '../support/world';

onTestDatabase();

const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);
const mail = (subject: string): Mail => ({ to: 'ann@example.org', subject, text: 'Text.\n', html: '<p>Text.</p>' });

let sink: SmtpSink;
beforeAll(async () => void (sink = await openSmtpSink()));
afterAll(() => sink.close());
beforeEach(async () => {
  sink.mails.length = 0;
  sink.refuse(false);
  sink.turnedAway.clear();
  await sql`delete from mail_outbox`.execute(database());
});

const withServer = (body: () => Promise<void>) =>
  inEnvironment({ SMTP_URL: sink.url, MAIL_FROM: 'Tipledger <post@tipledger.example>' }, body);

// Soft line breaks and encoded bytes of quoted-printable text.
const readable = (message: string) =>
  message.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

test('a code goes out as text and as HTML, from the site’s address to the member’s, once', async () => {
  const id = await openAccount('ann', { confirmed: false }, worldNow);
  await sendCode({ id, username: 'ann', email: 'ann@example.org' }, 'confirm', worldNow);
  const code = await codeMailedTo('ann@example.org');
  await withServer(async () => {
    expect([await sendDueMails(worldNow), await sendDueMails(after(3_600))]).toEqual([1, 0]);
  });
  expect(sink.mails.length).toBe(1);
  const [arrived] = sink.mails;
  expect([arrived?.from, arrived?.to]).toEqual(['post@tipledger.example', ['ann@example.org']]);
  const message = readable(arrived?.message ?? '');
  for (const part of [
    `Subject: ${code} is your Tipledger code`,
    'From: Tipledger <post@tipledger.example>',
    'multipart/alternative',
    'text/plain',
    'text/html',
    'Hello ann,',
    `>${code}</p>`,
    '/register/verify',
    'lang="en-GB"',
  ]) {
    expect(message).toContain(part);
  }
  expect(await listWaitingMails(10)).toEqual([]);
});

test('a mail waits where there is no mail server, and goes out once there is one', async () => {
  await putMail(mail('Later'), worldNow);
  expect(await sendDueMails(worldNow)).toBe(0);
  expect(await listWaitingMails(10)).toMatchObject([{ to: 'ann@example.org', subject: 'Later', attempts: 0 }]);
  await withServer(async () => void expect(await sendDueMails(after(86_400))).toBe(1));
});

test('what is not begun in the time that there is waits as before, and goes out with the next run', async () => {
  await putMails(
    Array.from({ length: 60 }, (_, index) => mail(`Mail ${index}`)),
    worldNow,
  );
  await withServer(async () => {
    sink.delay = 300;
    const sent = await sendDueMails(worldNow, { seconds: 0.5 });
    sink.delay = 0;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(60);
    const left = await listWaitingMails(60);
    expect([left.length, new Set(left.map(({ attempts }) => attempts))]).toEqual([60 - sent, new Set([0])]);
    expect(await sendDueMails(worldNow)).toBe(60 - sent);
  });
  expect(new Set(sink.mails.map(({ message }) => /^Subject: (.*)$/m.exec(message)?.[1])).size).toBe(60);
});

test('a mail that the server turns away is tried again, later each time, until it is taken', async () => {
  await putMail(mail('Try again'), worldNow);
  await withServer(async () => {
    sink.refuse(true);
    expect(await sendDueMails(worldNow)).toBe(0);
    expect(await sendDueMails(after(29))).toBe(0);
    expect(await listWaitingMails(1)).toMatchObject([{ attempts: 1 }]);
    expect(await sendDueMails(after(30))).toBe(0);
    expect(await listWaitingMails(1)).toMatchObject([{ attempts: 2 }]);
    sink.refuse(false);
    expect(await sendDueMails(after(89))).toBe(0);
    expect(await sendDueMails(after(90))).toBe(1);
  });
  expect(sink.mails.length).toBe(1);
});

test('mails are sent once each by two instances at once, with their own headers', async () => {
  for (let count = 0; count < 30; count += 1)
    await putMail(
      { ...mail(`Mail ${count}`), headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } },
      worldNow,
    );
  await withServer(async () => {
    const sent = await Promise.all([sendDueMails(worldNow), sendDueMails(worldNow)]);
    expect(sent[0] + sent[1]).toBe(30);
  });
  expect(new Set(sink.mails.map(({ message }) => /^Subject: (.*)\r$/m.exec(message)?.[1])).size).toBe(30);
  expect(sink.mails.every(({ message }) => message.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click'))).toBe(
    true,
  );
});

test('what somebody waits for goes before any news, in the order of its writing, over few connections', async () => {
  const headers = { 'List-Unsubscribe': '<https://tipledger.example/unsubscribe/x>' };
  await putMails(
    Array.from({ length: 40 }, (_, count) => ({ ...mail(`News ${count}`), headers })),
    worldNow,
  );
  await putMail(mail('A code'), after(1));
  const before = sink.connections();
  await withServer(async () => void expect(await sendDueMails(after(2))).toBe(41));
  const subjects = sink.mails.map(({ message }) => /^Subject: (.*)\r$/m.exec(message)?.[1]);
  expect(new Set(subjects).size).toBe(41);
  // Eight are under way at once.
  expect(subjects.indexOf('A code')).toBeLessThan(8);
  expect(subjects.indexOf('News 0')).toBeLessThan(16);
  expect(sink.connections() - before).toBeLessThanOrEqual(8);
});

test('an address or subject with line breaks adds no header', async () => {
  await putMail({ ...mail('Hello\r\nBcc: victim@example.org'), to: 'ann@example.org' }, worldNow);
  await withServer(async () => void (await sendDueMails(worldNow)));
  expect(sink.mails.map(({ to }) => to)).toEqual([['ann@example.org']]);
  expect(sink.mails[0]?.message).not.toMatch(/^Bcc:/m);
});

test('a mail of a transaction that is undone was never written, and one of a month ago is thrown away', async () => {
  await transact(async () => {
    await putMail(mail('Undone'), worldNow);
    throw new Error('undone');
  }).catch(() => undefined);
  await putMail(mail('Old'), after(-31 * 86_400));
  await putMail(mail('New'), worldNow);
  await pruneMails(worldNow);
  expect((await listWaitingMails(10)).map(({ subject }) => subject)).toEqual(['New']);
});

test('an address that is refused for good gets no more tries, and is taken up again once a mail arrives there', async () => {
  const stopped = async () =>
    (await sql<{ address: string }>`select address from mail_stop`.execute(database())).rows.map(
      ({ address }) => address,
    );
  await putMail({ ...mail('Nobody'), to: 'Gone@example.org' }, worldNow);
  await withServer(async () => {
    sink.unknown.add('Gone@example.org');
    expect(await sendDueMails(worldNow)).toBe(0);
    expect([await listWaitingMails(10), await stopped()]).toEqual([[], ['gone@example.org']]);
    sink.unknown.clear();
    await putMail({ ...mail('A code that was asked for'), to: 'Gone@example.org' }, after(1));
    expect([await sendDueMails(after(1)), await stopped()]).toEqual([1, []]);
  });
});

describe('a mail server that takes no mail for an address', () => {
  const turnAway = async (code: number, text: string) => {
    await sql`delete from mail_stop`.execute(database());
    await putMail(mail('A code'), worldNow);
    await withServer(async () => {
      sink.turnedAway.set('ann@example.org', [code, text]);
      expect(await sendDueMails(worldNow)).toBe(0);
    });
    const { rows } = await sql<{ address: string }>`select address from mail_stop`.execute(database());
    return [(await listWaitingMails(10)).length, rows.map(({ address }) => address)];
  };

  test.each([
    [550, '5.1.1 <ann@example.org>: Recipient address rejected: User unknown'],
    [550, '5.1.10 RESOLVER.ADR.RecipientNotFound'],
    [550, '#5.1.0 Address rejected.'],
    [553, '5.1.3 The recipient address is not a valid RFC 5321 address'],
    [550, '5.2.1 The email account that you tried to reach is inactive'],
    [550, 'No such user'],
    [551, 'User not local'],
    [553, 'Mailbox name not allowed'],
  ])('and says of it %d %s gets no more', async (code, text) => {
    expect(await turnAway(code, text)).toEqual([0, ['ann@example.org']]);
  });

  test.each([
    [554, '5.7.1 <ann@example.org>: Relay access denied'],
    [554, '5.7.1 Service unavailable; Client host [192.0.2.9] blocked using zen.spamhaus.org'],
    [550, '5.7.1 Message rejected due to the reputation of the sender'],
    [550, '#5.7.1 Your access to this mail system has been rejected'],
    [550, '5.7.26 Unauthenticated mail is prohibited'],
    [553, '5.1.8 <post@tipledger.example>: Sender address rejected: Domain not found'],
    [552, '5.2.2 The mailbox is full'],
    [554, 'Transaction failed'],
    [535, '5.7.8 Authentication credentials invalid'],
  ])('and has something against us, %d %s, is asked again: the mail waits and news go on', async (code, text) => {
    expect(await turnAway(code, text)).toEqual([1, []]);
    sink.turnedAway.clear();
    await withServer(async () => void expect(await sendDueMails(after(30))).toBe(1));
  });
});

test('a mail is signed where a key is set', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await putMail(mail('Signed'), worldNow);
  await inEnvironment(
    { SMTP_URL: sink.url, DKIM_DOMAIN: 'tipledger.example', DKIM_SELECTOR: 'mail', DKIM_PRIVATE_KEY: key },
    async () => void expect(await sendDueMails(worldNow)).toBe(1),
  );
  expect(sink.mails[0]?.message).toMatch(/^DKIM-Signature: [^]*d=tipledger\.example;[^]*s=mail;/m);
});
