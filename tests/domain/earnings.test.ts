import { sql } from 'kysely';
import { readOrder, releaseEarnings } from '@/lib/memberships/commands';
import { getEarnings } from '@/lib/memberships/queries';
import { chooseOutcome } from '@/lib/money/commands';
import { listBalances } from '@/lib/money/queries/books';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join } from '../support/members';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { worldNow } from '../support/world';

onTestDatabase();

const daysAway = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);

/** Has somebody be a member from one day to another, as days from the present; still one where the second is null. */
async function memberFor(portfolio: string, username: string, [from, to]: [number, number | null]): Promise<void> {
  const buyer = await join(username, worldNow);
  await decidedAt(worldNow, async () => {
    const order = await orderMonth(buyer, portfolio, 1500, `order-${username}`);
    await chooseOutcome(pageOf(order), 'success');
    await readOrder(buyer, order.reference);
  });
  await asOwner(
    sql`update membership set starts_at = ${daysAway(from)}, ended_at = ${to === null ? null : daysAway(to)} where account_id = ${buyer.accountId}`,
  );
}

test(
  'churn is the share of the members of 30 days ago who have left since',
  undone(async () => {
    const { owner, reference } = await openMonthly({ owner: 'ann', portfolio: 'Ann Football' }, 1500, worldNow);
    const churn = async () => (await getEarnings(owner, reference, worldNow)).members;
    expect(await churn()).toMatchObject({ new: 0, left: 0, churnPercent: null });
    await memberFor(reference, 'new-and-gone', [-20, -10]);
    expect(await churn()).toMatchObject({ new: 1, left: 1, churnPercent: null });
    await memberFor(reference, 'stays', [-60, null]);
    await memberFor(reference, 'stays-too', [-31, null]);
    await memberFor(reference, 'gone', [-60, -1]);
    await memberFor(reference, 'gone-before', [-90, -40]);
    expect(await churn()).toMatchObject({ new: 1, left: 2, churnPercent: 33.3 });
  }),
);

test(
  'what is still to be released is looked at alone, and a sale that is booked late and dated back is released too',
  undone(async () => {
    const { owner, reference } = await openMonthly({ owner: 'ann', portfolio: 'Ann Football' }, 1500, worldNow);
    const release = (days: number) => decidedAt(daysAway(days), () => releaseEarnings(daysAway(days)));
    const due = async () =>
      (await sql<{ due: number }>`select count(*)::int as due from earning_due where kind = 'held'`.execute(database()))
        .rows[0]?.due;
    const payable = async () =>
      (await listBalances()).find(
        (each) => each.kind === 'payable' && each.owner === (owner.kind === 'member' ? owner.accountId : null),
      )?.balance ?? 0;
    await memberFor(reference, 'first', [-1, null]);
    expect([await release(13), await due(), await payable()]).toEqual([0, 1, 0]);
    expect([await release(15), await due()]).toEqual([1, 0]);
    const first = await payable();
    expect([first > 0, await release(16)]).toEqual([true, 0]);
    await memberFor(reference, 'dated-back', [-1, null]);
    expect([await release(15), await due(), await payable()]).toEqual([1, 0, 2 * first]);
  }),
);

test(
  'a sale that cannot be released keeps no other from it, and is told of',
  undone(async () => {
    const { owner, reference } = await openMonthly({ owner: 'ann', portfolio: 'Ann Football' }, 1500, worldNow);
    for (const username of ['first', 'second']) await memberFor(reference, username, [-1, null]);
    const { rows } = await sql<{ id: number }>`select min(id) as id from payment`.execute(database());
    await asOwner(
      sql`alter table posting add constraint none_of_the_first check (kind <> 'release' or payment_id <> ${sql.lit(rows[0]?.id ?? 0)}) not valid`,
    );
    await expect(decidedAt(daysAway(15), () => releaseEarnings(daysAway(15)))).rejects.toThrow('none_of_the_first');
    const released = await sql<{
      first: boolean;
    }>`select payment_id = ${rows[0]?.id} as first from posting where kind = 'release'`.execute(database());
    expect(released.rows).toEqual([{ first: false }]);
    expect((await listBalances()).find(({ kind }) => kind === 'payable')).toMatchObject({
      owner: owner.kind === 'member' ? owner.accountId : null,
    });
  }),
);
