import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';
import { discountText } from '../rules/coupons';
import type { Coupon } from '../schema/coupons';

/** A coupon of the site as staff see it. */
export type SiteCoupon = Coupon & { createdAt: string };

type Row = Omit<SiteCoupon, 'endsAt' | 'endedAt' | 'createdAt'> & {
  endsAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
};

const columns = sql`id, code, percent, amount_minor as "amountMinor", currency_id as "currencyId", periods, coalesce(plan_periods, '{}') as plans, most_uses as "mostUses",
  once_each as "onceEach", ends_at as "endsAt", withdrawn_at as "endedAt", created_at as "createdAt",
  (select count(*)::int from customer_order used where used.coupon_id = coupon.id and used.kind = 'first' and used.status in ('open', 'processing', 'paid')) as uses`;

const viewOf = ({ endsAt, endedAt, createdAt, ...coupon }: Row): SiteCoupon => ({
  ...coupon,
  endsAt: endsAt?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

/** Product §11: the coupons of the site, the newest first. */
export const staffCoupons: StaffList<SiteCoupon> = {
  name: 'coupons',
  title: 'Coupons of the site',
  lead: 'A coupon of the site is taken by every portfolio and by Pro. It lowers what the buyer pays, and with it what the tipster earns of the order.',
  none: 'There is none. Make one above.',
  searched: 'code',
  filters: [
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'running', title: 'Can be used' },
        { value: 'ended', title: 'Ended or used up' },
      ],
    },
  ],
  columns: [
    {
      key: 'code',
      title: 'Code',
      cell: ({ code }) => code,
      href: ({ code }) => routes.staff('coupons', { id: code }),
    },
    { key: 'off', title: 'Discount', cell: (coupon) => discountText(coupon) },
    {
      key: 'uses',
      title: 'Used',
      figure: true,
      cell: ({ uses, mostUses }) => (mostUses === null ? uses : `${uses} of ${mostUses}`),
    },
    { key: 'made', title: 'Made', cell: ({ createdAt }) => ({ at: createdAt }) },
    { key: 'until', title: 'Until', cell: ({ endsAt }) => ({ at: endsAt }) },
    { key: 'ended', title: 'Ended', cell: ({ endedAt }) => ({ at: endedAt }) },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const state = chosen['state'] ?? null;
    const before = wholeNumberOf(after);
    const { rows } = await sql<Row>`
      select * from (select ${columns} from coupon where portfolio_id is null and (${before}::int is null or id < ${before}::int) and (${q}::text is null or code = upper(${q}::text))) known
      where ${state}::text is null or (${state}::text = 'running') = ("endedAt" is null and ("endsAt" is null or "endsAt" > ${present()}) and ("mostUses" is null or uses < "mostUses"))
      order by id desc limit ${limit + 1}
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** A coupon of the site. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such coupon. */
export async function getSiteCoupon(viewer: Viewer, code: string): Promise<SiteCoupon> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`
    select ${columns} from coupon where portfolio_id is null and code = upper(${code})
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'The site has no coupon of this code.');
  return viewOf(rows[0]);
}
