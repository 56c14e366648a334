import type { IssuedSession } from '@/lib/accounts/schema';
import { suspendUser } from '@/lib/accounts/commands';
import { pauseViewSchema } from '@/lib/pauses/schema';
import { ownHelpLineSchema, Role } from '@/lib/reference/schema';
import { countryByIso2 } from '@/lib/reference/schema/countries';
import { storeBookmakers } from '@/lib/reference/commands';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { bearer, logIn, openAccount, openStaff } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { describeCall, hostileTexts } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const logins: Record<string, IssuedSession> = {};
const ids: Record<string, number> = {};
const as = (name: string) => bearer(logins[name] ?? { token: '' });

beforeAll(async () => {
  standAt(worldNow);
  await storeBookmakers();
  for (const name of ['bob', 'newcomer']) {
    const id = await openAccount(name, { confirmed: name !== 'newcomer' }, worldNow);
    ids[name] = id;
    logins[name] = await logIn(id, worldNow);
  }
});

describeCall('/user/pause', 'GET', (ask) => {
  test('tells a member what they take and can take, and guests nothing', async () => {
    expect((await ask({})).status).toBe(401);
    const { status, view } = await ask({ headers: as('bob') });
    expect([status, pauseViewSchema.safeParse(view).success]).toEqual([200, true]);
    expect(view).toMatchObject({ since: null, until: null, lengths: { length: 5 } });
  });
});

describeCall('/user/pause', 'POST', (ask) => {
  const begin = (body: unknown, name = 'bob', headers: Record<string, string> = {}) =>
    ask({ headers: { ...as(name), ...headers }, body });

  test(
    'begins one, for who has yet to confirm an address and who is suspended as well',
    undone(async () => {
      const { viewer: boss } = await openStaff('boss', Role.superAdmin, worldNow);
      expect((await begin({ length: 'week' }, 'newcomer')).status).toBe(200);
      await suspendUser({ staff: boss, user: ids.bob ?? 0, reason: 'For a test.', preview: false });
      const { status, view } = await begin({ length: 'day' });
      expect([status, view]).toMatchObject([200, { until: expect.any(String) }]);
    }),
  );

  test(
    'is refused to guests, without a length that there is, and where it is no longer; one key is one break',
    undone(async () => {
      expect((await ask({ body: { length: 'day' } })).status).toBe(401);
      for (const length of [...hostileTexts.slice(0, 5), 'hour', 'year', '', null, -1, { $gt: 0 }])
        expect((await begin({ length })).status).toBe(400);
      expect((await begin({})).status).toBe(400);
      expect((await begin({ length: 'day', until: '2026-03-10T12:00:01Z' })).status).toBe(400);
      const key = { 'idempotency-key': 'break-1' };
      const first = await begin({ length: 'month' }, 'bob', key);
      expect((await begin({ length: 'month' }, 'bob', key)).view).toEqual(first.view);
      expect((await begin({ length: 'day' }, 'bob', key)).status).toBe(409);
      expect((await begin({ length: 'week' })).status).toBe(409);
    }),
  );
});

describeCall('/user/help-line', 'GET', (ask) => {
  test(
    'names who helps in the member’s own country, and the site’s where nobody is named there',
    undone(async () => {
      expect((await ask({})).status).toBe(401);
      const from = async (countryId: number | null) => {
        await sql`update account set country_id = ${countryId} where id = ${ids.bob ?? 0}`.execute(database());
        const { view } = await ask({ headers: as('bob') });
        expect(ownHelpLineSchema.safeParse(view).success).toBe(true);
        return view;
      };
      expect(await from(countryByIso2.DE.id)).toMatchObject({
        help: { name: 'Check dein Spiel', telephone: '0800 1372700' },
      });
      expect(await from(countryByIso2.NP.id)).toMatchObject({ help: { name: 'National Gambling Helpline' } });
    }),
  );
});
