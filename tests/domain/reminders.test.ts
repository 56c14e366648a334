import { sql } from 'kysely';
import { readOrder, remindMembers, startCheckout } from '@/lib/memberships/commands';
import { chooseOutcome } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId } from '@/lib/reference/schema';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join } from '../support/members';
import { openMonthly, pageOf } from '../support/sales';
import { worldNow } from '../support/world';

onTestDatabase();

test(
  'a reminder that cannot be noted keeps no other from it, is told of, and comes once',
  undone(async () => {
    const prices = [{ currencyId: CurrencyId.GBP, amountMinor: 20_000 } as const];
    const { id, reference } = await decidedAt(worldNow, () =>
      openMonthly({ owner: 'yearly', portfolio: 'Yearly' }, 2000, worldNow, {
        plans: [{ period: 'year', onSale: true, prices }],
      }),
    );
    for (const username of ['first-reader', 'second-reader']) {
      const viewer = await join(username, worldNow);
      await decidedAt(worldNow, async () => {
        const asked = { portfolio: reference, period: 'year', amountMinor: 20_000 } as const;
        const order = await startCheckout(viewer, asked, username);
        await chooseOutcome(pageOf(order), 'success');
        await readOrder(viewer, order.reference);
      });
    }
    const late = new Date(worldNow.getTime() + 360 * 86_400_000);
    const remind = () => decidedAt(late, () => remindMembers(late));
    const reminded = async () =>
      (
        await sql<{ id: number; is: boolean }>`
          select id, reminded_of is not null as is from membership where portfolio_id = ${id} order by id`.execute(
          database(),
        )
      ).rows;
    const [first] = await reminded();
    await asOwner(
      sql`alter table membership add constraint none_of_it check (id <> ${sql.lit(first?.id)} or reminded_of is null) not valid`,
    );
    await expect(remind()).rejects.toThrow('none_of_it');
    expect((await reminded()).map((each) => each.is)).toEqual([false, true]);
    await asOwner(sql`alter table membership drop constraint none_of_it`);
    expect([await remind(), await remind()]).toEqual([1, 0]);
    expect((await reminded()).map((each) => each.is)).toEqual([true, true]);
  }),
);
