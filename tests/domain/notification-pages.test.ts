import { sql } from 'kysely';
import { noteEvents } from '@/lib/events/commands';
import { readNotifications } from '@/lib/notifications/commands';
import { listNotifications } from '@/lib/notifications/queries';
import { notificationLimits } from '@/lib/notifications/schema';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { onTestDatabase, undone } from '../support/database';
import { openShop } from '../support/members';
import { after, pass, reader } from '../support/news';
import { worldNow } from '../support/world';

onTestDatabase();

const { items: most } = notificationLimits;

test(
  'the list goes on to older ones, and only what was shown of it is read',
  undone(async () => {
    const ann = await reader();
    // What it tells of is not hers to see: it is no item, and still one of those that its page is of.
    const { id } = await openShop('eve', { name: 'Eve', visibility: PortfolioVisibility.personal }, worldNow);
    await sql`
      with noted as (insert into event (key, kind, at, portfolio_id) values ('unseen', 'tip', ${after(1)}, ${id}) returning id)
      insert into delivery (event_id, account_id, channel, state, next_at) select id, ${ann.accountId}, 'app', 'sent', ${after(1)} from noted
    `.execute(database());
    await noteEvents(
      Array.from({ length: most + 1 }, (_, place) => ({
        ...{ kind: 'staff' as const, key: `page:${place}`, at: after(2), accountId: ann.accountId },
        details: { title: `News ${place}`, body: 'Words.', path: null },
      })),
    );
    await pass();
    const first = await listNotifications(ann, after(20));
    expect(first.items.map(({ title }) => title)).toEqual(
      Array.from({ length: most }, (_, place) => `News ${most - place}`),
    );
    expect(first).toMatchObject({ unread: most + 2, next: first.items.at(-1)?.id });
    await readNotifications(ann, { ids: first.unreadIds }, after(21));
    const second = await listNotifications(ann, after(22), first.next ?? 0);
    expect(second).toMatchObject({ items: [{ title: 'News 0', read: false }], unread: 2, next: null });
    await readNotifications(ann, { ids: second.unreadIds }, after(23));
    expect(await listNotifications(ann, after(24))).toMatchObject({ unread: 0, unreadIds: [] });
  }),
);
