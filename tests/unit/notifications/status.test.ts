import { bounceKind } from '@/lib/notifications/rules/bounces';
import { isOldNews, spreadStatus } from '@/lib/notifications/rules/spreading';
import { deliveryStatus, mailStatus, type StoredDelivery, whyNotSent } from '@/lib/notifications/rules/status';
import { webhookStatus } from '@/lib/webhooks/rules';

const now = new Date('2026-03-10T12:00:00.000Z');
const after = (seconds: number) => new Date(now.getTime() + 1000 * seconds);

describe('a delivery', () => {
  const waiting: StoredDelivery = {
    channel: 'push',
    state: 'waiting',
    because: null,
    digest: false,
    nextAt: now,
    attempts: 0,
  };
  test.each<[string, Partial<StoredDelivery>]>([
    ['due', {}],
    ['due', { attempts: 3, nextAt: after(-1) }],
    ['held', { nextAt: after(1) }],
    ['held', { channel: 'email', nextAt: after(3_600) }],
    ['daily', { channel: 'email', digest: true, nextAt: after(3_600) }],
    ['daily', { channel: 'email', digest: true }],
    // The pause after the first try is 30 seconds, so this was taken in hand at this moment.
    ['sending', { attempts: 1, nextAt: after(30) }],
    ['sending', { attempts: 1, nextAt: after(1) }],
    ['sending', { attempts: 4, nextAt: after(240 - 29) }],
    ['tried', { attempts: 4, nextAt: after(240 - 30) }],
    ['tried', { attempts: 2, nextAt: after(1) }],
    // Held by quiet hours after it was taken in hand: its next try is later than any pause.
    ['held', { attempts: 1, nextAt: after(8 * 3_600) }],
    // Mails are put down in the transaction that takes them in hand.
    ['held', { channel: 'email', attempts: 1, nextAt: after(30) }],
    ['sent', { state: 'sent' }],
    ['failed', { state: 'dropped', because: 'refused', attempts: 10 }],
    ['dropped', { state: 'dropped', because: 'not wanted any more' }],
    ['given-up', { state: 'dropped', because: 'given up by staff' }],
  ])('is %s as %j', (name, more) => {
    const standing = deliveryStatus({ ...waiting, ...more }, now);
    expect(standing.name).toBe(name);
    expect(standing.title).toMatch(/\S/);
    expect(standing.meaning).toMatch(/\.$|\)$/);
  });

  test('says why it was not sent in words, and a reason that nobody wrote down as it is', () => {
    expect(whyNotSent(null)).toBeNull();
    expect(whyNotSent('started')).toBe('The tip had started: it is no news then.');
    expect(whyNotSent('a new reason')).toBe('a new reason');
  });
});

describe('a mail of the outbox', () => {
  const tries = { most: 12, firstPauseSeconds: 30, longestPauseSeconds: 3_600, givenUp: 'No more.', serverKnown: true };
  test.each([
    ['due', { attempts: 0, nextAt: now, failure: null }],
    ['sending', { attempts: 1, nextAt: after(30), failure: null }],
    ['tried', { attempts: 3, nextAt: after(60), failure: '421' }],
    ['sending', { attempts: 12, nextAt: after(3_599), failure: '421' }],
    ['failed', { attempts: 12, nextAt: after(3_000), failure: '421' }],
    ['given-up', { attempts: 12, nextAt: after(3_599), failure: 'No more.' }],
    ['due', { attempts: 0, nextAt: now, failure: 'No more.' }],
    ['held', { attempts: 0, nextAt: after(3_600), failure: null }],
    ['held', { attempts: 2, nextAt: after(28_800), failure: '421' }],
  ])('is %s as %j', (name, mail) => expect(mailStatus(mail, tries, now).name).toBe(name));

  test('that nothing can send says what is missing', () => {
    const mail = { attempts: 0, nextAt: now, failure: null };
    expect(mailStatus(mail, tries, now).meaning).not.toContain('SMTP_URL');
    expect(mailStatus(mail, { ...tries, serverKnown: false }, now).meaning).toContain('SMTP_URL');
  });
});

test.each([
  ['spread', { stage: null, afterAccount: null, failure: null, at: after(-10) }],
  ['waiting', { stage: 0, afterAccount: 0, failure: null, at: after(-10) }],
  ['under-way', { stage: 0, afterAccount: 9, failure: null, at: after(-10) }],
  ['under-way', { stage: 1, afterAccount: 0, failure: null, at: after(-10) }],
  ['failing', { stage: 1, afterAccount: 0, failure: 'deadlock', at: after(-10) }],
  ['old', { stage: 1, afterAccount: 0, failure: 'deadlock', at: after(-3 * 86_400) }],
])('the spreading of an event is %s as %j', (name, spread) => expect(spreadStatus(spread, now).name).toBe(name));

test('an event is old news once it is more than two days old', () => {
  expect([isOldNews(after(-2 * 86_400), now), isOldNews(after(-2 * 86_400 - 1), now)]).toEqual([false, true]);
});

test.each([
  ['staff', 'Came back: 550', true],
  ['returned', 'Came back: 550', false],
  ['refused', '550 No such user', false],
])('a stop is %s where it says %s', (kind, because, byStaff) => expect(bounceKind(because, byStaff)).toBe(kind));

const hook = { state: 'waiting' as const, attempts: 0, nextAt: now, answeredAt: null, pausedAt: null };
test.each([
  ['due', {}],
  ['sending', { attempts: 1, nextAt: after(60) }],
  ['tried', { attempts: 1, answeredAt: after(-1), nextAt: after(29) }],
  // Tried again: the answer that is known is of the try before.
  ['sending', { attempts: 2, answeredAt: after(-31), nextAt: after(59) }],
  ['due', { attempts: 2, answeredAt: after(-61), nextAt: after(-1) }],
  ['paused', { pausedAt: now }],
  ['tried', { attempts: 2, answeredAt: after(-31), nextAt: after(61) }],
  ['failed', { state: 'failed' as const, pausedAt: now }],
  ['sent', { state: 'sent' as const }],
])('a webhook delivery is %s as %j', (name, more) => expect(webhookStatus({ ...hook, ...more }, now).name).toBe(name));
