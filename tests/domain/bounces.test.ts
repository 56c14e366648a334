import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { keepTime } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { pruneMails, putMail, sendDueMails } from '@/lib/platform/mail';
import { takeBounce } from '@/lib/platform/mail-bounces';
import { longestReport, readMailReport } from '@/lib/platform/mail-report';
import { main } from '../../scripts/bounce';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink';
import { worldNow } from '../support/world';

const mockOpened = jest.fn();
// The command's own start would bring the test database up to date and close it.
jest.mock('@/lib/program/program', () => ({
  openProgram: async () => {
    mockOpened();
    return { close: async () => undefined };
  },
}));

onTestDatabase();

const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);

let sink: SmtpSink;
let messageId = '';
beforeAll(async () => {
  sink = await openSmtpSink();
  await putMail({ to: 'Ann@example.org', subject: 'News', text: 'Text.\n', html: '<p>Text.</p>' }, worldNow);
  await inEnvironment({ SMTP_URL: sink.url }, async () => void (await sendDueMails(worldNow)));
  messageId = /^Message-ID: (<[^>]+>)/im.exec(sink.mails[0]?.message ?? '')?.[1] ?? '';
});
afterAll(() => sink.close());
beforeEach(async () => void (await sql`delete from mail_stop`.execute(database())));

type Report = {
  type?: string;
  reportType?: string;
  recipient?: string;
  original?: string;
  action?: string;
  status?: string;
  diagnostic?: string;
  returned?: string;
  to?: string;
  id?: string;
  end?: string;
};

/** A report as mail servers write it. */
const report = (more: Report = {}) => {
  const { recipient = 'ann@example.org', original, action = 'failed', status = '5.1.1' } = more;
  return [
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
    'To: no-reply@localhost',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    `Content-Type: ${more.type ?? 'multipart/report'}; report-type=${more.reportType ?? 'delivery-status'};`,
    '\tboundary="BOUND/1"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--BOUND/1',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry to have to inform you that your message could not be delivered.',
    '',
    '--BOUND/1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    ...(original ? [`Original-Recipient: rfc822;${original}`] : []),
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    ...(more.diagnostic === undefined
      ? ['Diagnostic-Code: smtp; 550 5.1.1 <ann@example.org>: Recipient address', '    rejected: User unknown']
      : [`Diagnostic-Code: ${more.diagnostic}`]),
    '',
    '--BOUND/1',
    `Content-Type: ${more.returned ?? 'message/rfc822'}`,
    '',
    'From: Tipledger <no-reply@localhost>',
    `To: ${more.to ?? 'ann@example.org'}`,
    `Message-ID: ${more.id ?? messageId}`,
    'Subject: News',
    '',
    'Text.',
    more.end ?? '--BOUND/1--',
    '',
  ].join('\r\n');
};

const stops = async () =>
  (await sql<{ address: string; because: string }>`select address, because from mail_stop`.execute(database())).rows;

describe('a report that a mail of ours could not be delivered for good', () => {
  test('stops news to its address, however its mail server writes it, and says why', async () => {
    for (const more of [
      {},
      { returned: 'text/rfc822-headers' },
      { status: '5.2.1' },
      { status: '5.0.0' },
      { recipient: 'ANN@EXAMPLE.ORG' },
      { recipient: 'forwarded@elsewhere.example' },
      { recipient: 'forwarded@elsewhere.example', original: 'ann@example.org', to: 'undisclosed' },
    ]) {
      await sql`delete from mail_stop`.execute(database());
      expect(await takeBounce(report(more), later(1))).toEqual({ stopped: 'ann@example.org' });
      expect(await stops()).toEqual([
        {
          address: 'ann@example.org',
          because: 'Came back: smtp; 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown',
        },
      ]);
    }
  });

  test('is the same twice, with bare line ends, and with the line that a mailbox puts before it', async () => {
    const mail = `From MAILER-DAEMON Tue Mar 10 12:00:00 2026\n${report().replaceAll('\r\n', '\n')}`;
    await Promise.all([takeBounce(mail, later(1)), takeBounce(mail, later(1))]);
    expect(await stops()).toHaveLength(1);
  });

  test('counts no more once a mail that was asked for arrives there', async () => {
    await takeBounce(report(), later(1));
    await putMail({ to: 'ann@example.org', subject: 'A code', text: 'Text.\n', html: '<p>Text.</p>' }, later(2));
    await inEnvironment({ SMTP_URL: sink.url }, async () => void (await sendDueMails(later(2))));
    expect(await stops()).toEqual([]);
    await pruneMails(later(100));
  });
});

describe('nothing is changed by', () => {
  const id = () => messageId.slice(1, -1);
  test.each<[string, () => string]>([
    ['a report of a delay', () => report({ action: 'delayed', status: '4.4.1' })],
    ['a report of a failure that may pass', () => report({ status: '4.2.2' })],
    ['a report that it was delivered', () => report({ action: 'delivered', status: '2.0.0' })],
    ['a report that a server has something against us', () => report({ status: '5.7.1' })],
    [
      'a report whose status says nothing, and the reply of the server nothing of the address',
      () =>
        report({ status: '5.0.0', diagnostic: 'smtp; 554 5.7.1 Service unavailable; blocked using zen.spamhaus.org' }),
    ],
    ['a report that a mailbox is full', () => report({ status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 Mailbox full' })],
    ['a status that is none', () => report({ status: '5' })],
    [
      'a report about another address with our Message-ID',
      () => report({ recipient: 'bob@example.org', to: 'bob@example.org' }),
    ],
    ['a Message-ID of another number', () => report({ id: `<${id().replace(/^outbox-\d+/, 'outbox-999999')}>` })],
    ['a Message-ID of another day', () => report({ id: `<${id().replace(/\.\d{8}\./, '.20260309.')}>` })],
    ['a Message-ID with another code', () => report({ id: `<${id().replace(/[0-9a-f]{32}/, 'a'.repeat(32))}>` })],
    ['a Message-ID without a code', () => report({ id: '<outbox-1@localhost>' })],
    ['no Message-ID', () => report({ id: '' })],
    ['another kind of report', () => report({ reportType: 'disposition-notification' })],
    ['another kind of mail', () => report({ type: 'multipart/mixed' })],
    ['a report that never ends', () => report({ end: '' })],
    [
      'a reply by a person who quotes a report',
      () => `From: bob@example.org\r\nContent-Type: text/plain\r\n\r\n${report()}`,
    ],
    ['nothing', () => ''],
    ['a mail without a header', () => '\r\n\r\n'],
    ['zeros', () => '\0'.repeat(1_000)],
    ['a report that is too long', () => report() + ' '.repeat(longestReport)],
    ['SQL in its fields', () => report({ recipient: "'; drop table mail_stop; --@x", to: "'; drop table mail_stop" })],
  ])('%s', async (_, mail) => {
    expect(await takeBounce(mail(), later(1))).toEqual({ stopped: null });
    expect(await stops()).toEqual([]);
  });

  test('a report that comes weeks after its mail, or before it', async () => {
    expect(await takeBounce(report(), later(22))).toEqual({ stopped: null });
    expect(await takeBounce(report(), later(-1))).toEqual({ stopped: null });
  });

  test('a mail that says much: it is read in no time', () => {
    const parts = Array.from({ length: 20_000 }, () => '--BOUND/1\r\nContent-Type: message/delivery-status\r\n').join(
      '\r\n',
    );
    const head = `Content-Type: multipart/report; report-type=delivery-status; boundary="BOUND/1"\r\n${'X: y\r\n\t'.repeat(20_000)}\r\n\r\n`;
    const begun = performance.now();
    readMailReport(head + parts);
    readMailReport(`Content-Type: ${';'.repeat(400_000)}\r\n\r\n`);
    readMailReport(report({ recipient: `${'a@'.repeat(200_000)}` }));
    readMailReport(report({ recipient: 'a'.repeat(400_000) }));
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

test('npm run bounce goes by the clock of the database, not by that of a machine', async () => {
  const heard = performance.now();
  mockOpened.mockImplementationOnce(() => keepTime(later(1), heard, heard));
  const input = jest.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(report())]) as never);
  const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    expect(await main([])).toBe(0);
    expect(output.mock.calls).toEqual([['No more notifications go to ann@example.org.\n']]);
  } finally {
    input.mockRestore();
    output.mockRestore();
  }
  const { rows } = await sql<{ at: Date }>`select at from mail_stop`.execute(database());
  expect(rows.map(({ at }) => at.toISOString().slice(0, 10))).toEqual([later(1).toISOString().slice(0, 10)]);
});
