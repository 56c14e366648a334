import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { Role } from '@/lib/reference/schema';
import { bearer, logIn, openStaff } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { type Ask, describeCall, hostileNumbers } from '../support/request';
import { buildStaffWorld, type StaffWorld } from '../support/staff-world';
import { worldNow } from '../support/world';

onTestDatabase();

let world: StaffWorld;
const who: Record<'admin' | 'superAdmin' | 'member', Record<string, string>> = {
  admin: {},
  superAdmin: {},
  member: {},
};
const reason = 'A test needs it.';

beforeAll(async () => {
  standAt(worldNow);
  world = await buildStaffWorld();
  who.admin = bearer((await openStaff('ada', Role.admin, worldNow)).session);
  who.superAdmin = bearer((await openStaff('sue', Role.superAdmin, worldNow)).session);
  who.member = bearer(await logIn(world.bob, worldNow));
});

function refusesNonsense(ask: Ask, params: () => Record<string, string>): void {
  test('refuses a body that orders nothing, or what is ordered elsewhere', async () => {
    for (const body of [{}, { action: 'nothing', reason }, { action: 'user.suspend', reason }, [], 'no JSON'])
      expect((await ask({ params: params(), body, headers: who.admin })).status).toBe(400);
  });
}

/** Every way to write a number that is none is refused, with the body that would do for a right one. */
function takesNumbers(ask: Ask, name: string, action: string): void {
  test.each([...hostileNumbers, ['zero', '0'], ['SQL', "1' or '1'='1"]])(
    'takes no %s for a number',
    async (_, given) => {
      const sent = { params: { [name]: given }, body: { action, reason }, headers: who.admin };
      expect((await ask(sent)).status).toBe(400);
    },
  );
}

describeCall('/admin/notifications/{delivery}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ delivery: world.news.failed }));
  takesNumbers(ask, 'delivery', 'delivery.retry');

  test(
    'is tried again or given up once, and what was sent never again',
    undone(async () => {
      const send = (action: string, delivery: string, headers = who.admin) =>
        ask({ params: { delivery }, body: { action, reason }, headers });
      expect((await send('delivery.retry', '999999')).status).toBe(404);
      for (const action of ['delivery.retry', 'delivery.give-up'])
        expect((await send(action, world.news.sent)).status).toBe(409);
      expect((await send('delivery.give-up', world.news.failed)).status).toBe(409);
      expect((await send('delivery.retry', world.news.failed)).view).toMatchObject({
        entry: expect.any(Number),
        before: { state: 'Failed', tries: 10, 'next try': null },
        after: { state: 'Due', tries: 0, 'the reader': 'does not take such news this way, so it would be left out' },
      });
      expect((await send('delivery.retry', world.news.failed, who.superAdmin)).status).toBe(409);
      expect((await send('delivery.give-up', world.news.failed)).view).toMatchObject({ after: { state: 'Given up' } });
      expect((await send('delivery.retry', world.news.failed)).status).toBe(200);
    }),
  );
});

describeCall('/admin/mails/{mail}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ mail: world.news.mail }));
  takesNumbers(ask, 'mail', 'mail.retry');

  test(
    'is tried again or given up, and keeps its code to itself',
    undone(async () => {
      const send = (action: string, mail = world.news.mail) =>
        ask({ params: { mail }, body: { action, reason }, headers: who.admin });
      expect((await send('mail.retry', '999999')).status).toBe(404);
      expect((await send('mail.give-up')).status).toBe(409);
      const { text, view } = await send('mail.retry');
      expect(view).toMatchObject({ before: { state: 'Failed', tries: 12 }, after: { state: 'Due', tries: 0 } });
      expect(text).not.toMatch(/123456|bob/);
      expect((await send('mail.retry')).status).toBe(409);
      expect((await send('mail.give-up')).view).toMatchObject({ after: { state: 'Given up', 'next try': null } });
      expect((await send('mail.give-up')).status).toBe(409);
      expect((await send('mail.retry')).status).toBe(200);
      // Its reader has quiet hours.
      await sql`update mail_outbox set attempts = 0, next_at = ${worldNow}::timestamptz + interval '8 hours' where id = ${Number(world.news.mail)}`.execute(
        database(),
      );
      expect((await send('mail.retry')).text).toContain('Its reader has quiet hours');
    }),
  );
});

describeCall('/admin/bounces', 'POST', (ask) => {
  refusesNonsense(ask, () => ({}));
  const send = (address: unknown, headers = who.admin) =>
    ask({ body: { action: 'bounce.stop', reason, address }, headers });

  test.each([
    undefined,
    '',
    'bob',
    7,
    ['bob@example.org'],
    '@',
    'a b@example.org',
    `${'a'.repeat(250)}@x.org`,
    'a\0@b.org',
  ])('refuses %j for an address', async (address) => {
    const { status, refusal } = await send(address);
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['address']]);
  });

  test(
    'stops news to the address of a member, whom the log names by number alone',
    undone(async () => {
      expect((await send('nobody@example.org')).refusal?.fields).toEqual({ address: 'No member has this address.' });
      expect((await send('nobody@example.org', who.member)).status).toBe(403);
      expect((await send('BOB@example.org')).view).toMatchObject({ after: { because: 'By staff' } });
      expect((await send('bob@example.org')).status).toBe(409);
      const { rows } = await sql`select * from staff_action where action = 'bounce.stop'`.execute(database());
      expect(rows).toMatchObject([{ subject_kind: 'user', subject: String(world.bob) }]);
      expect(JSON.stringify(rows)).not.toContain('example.org');
    }),
  );
});

describeCall('/admin/bounces/{bounce}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ bounce: world.news.bounce }));
  takesNumbers(ask, 'bounce', 'bounce.lift');

  test(
    'allows news again once, and the log holds no address',
    undone(async () => {
      const send = () =>
        ask({ params: { bounce: world.news.bounce }, body: { action: 'bounce.lift', reason }, headers: who.admin });
      expect((await send()).view).toMatchObject({
        before: { 'news by mail': 'stopped', because: 'Refused' },
        after: { 'news by mail': 'go out', because: null },
      });
      expect((await send()).status).toBe(404);
      const { rows } = await sql`select * from staff_action where action = 'bounce.lift'`.execute(database());
      expect(rows).toMatchObject([{ subject_kind: 'bounce', subject: world.news.bounce }]);
      expect(JSON.stringify(rows)).not.toContain('example.org');
    }),
  );
});

describeCall('/admin/webhooks/{delivery}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ delivery: world.news.webhook }));
  takesNumbers(ask, 'delivery', 'webhook.retry');

  test(
    'is tried again or given up once; one of a paused webhook waits for its owner',
    undone(async () => {
      const send = (action: string, delivery = world.news.webhook) =>
        ask({ params: { delivery }, body: { action, reason }, headers: who.admin });
      expect((await send('webhook.retry', '999999')).status).toBe(404);
      expect((await send('webhook.give-up')).status).toBe(409);
      await sql`update webhook set paused_at = ${worldNow}`.execute(database());
      expect((await send('webhook.retry')).refusal?.message).toContain('paused');
      await sql`update webhook set paused_at = null`.execute(database());
      const { text, view } = await send('webhook.retry');
      expect(view).toMatchObject({ before: { state: 'Failed' }, after: { state: 'Due', tries: 0 } });
      expect(text).not.toMatch(/a-key-in-the-path|secret/);
      expect((await send('webhook.retry')).status).toBe(409);
      expect((await send('webhook.give-up')).status).toBe(200);
    }),
  );
});

describeCall('/admin/news-events/{event}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ event: world.news.spread }));
  takesNumbers(ask, 'event', 'event.spread');

  test(
    'is spread again or given up once, and never once it is old news',
    undone(async () => {
      const send = (action: string, event: string) =>
        ask({ params: { event }, body: { action, reason }, headers: who.admin });
      const { spread, unspread } = world.news;
      expect((await send('event.spread', '999999')).status).toBe(404);
      expect((await send('event.give-up', spread)).status).toBe(409);
      expect((await send('event.spread', unspread)).status).toBe(409);
      expect((await send('event.spread', spread)).view).toMatchObject({ after: { spreading: 'Waits' } });
      expect((await send('event.give-up', unspread)).view).toMatchObject({ before: { spreading: 'Waits' } });
      expect((await send('event.give-up', unspread)).status).toBe(409);
      standAt(new Date(worldNow.getTime() + 3 * 86_400_000));
      const late = bearer((await openStaff('ida', Role.admin, new Date(worldNow.getTime() + 3 * 86_400_000))).session);
      const old = { params: { event: unspread }, body: { action: 'event.spread', reason }, headers: late };
      expect((await ask(old)).refusal?.message).toContain('older than two days');
      standAt(worldNow);
    }),
  );
});
