import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';

/** A difference between a provider of payments and the books as staff see it. */
export type StaffDifference = {
  id: number;
  provider: string;
  kind: string;
  /** The provider's name of what differs, and ours. */
  entry: string | null;
  reference: string | null;
  order: string | null;
  /** The payout that it is of. */
  payout: string | null;
  what: string;
  foundAt: string;
  seenAt: string;
  closedAt: string | null;
  settled: boolean;
};

type Row = Omit<StaffDifference, 'foundAt' | 'seenAt' | 'closedAt'> & {
  foundAt: Date;
  seenAt: Date;
  closedAt: Date | null;
};

const columns = sql`id, provider, kind, entry, reference, order_reference as "order", (select payout.reference from payout where payout.reference = money_difference.reference) as payout, what,
  found_at as "foundAt", seen_at as "seenAt", closed_at as "closedAt", settled`;

const viewOf = ({ foundAt, seenAt, closedAt, ...row }: Row): StaffDifference => ({
  ...row,
  foundAt: foundAt.toISOString(),
  seenAt: seenAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
});

/** Where the page is of what differs: its order's, its payout's, or that of the books. */
export function placeOfDifference({ order, payout }: Pick<StaffDifference, 'order' | 'payout'>): string {
  if (order !== null) return routes.staff('orders', { id: order });
  return payout === null ? routes.staff('books') : routes.staff('payouts', { id: payout });
}

const states: Readonly<Record<string, RawBuilder<unknown>>> = {
  open: sql`and closed_at is null`,
  settled: sql`and settled`,
  gone: sql`and closed_at is not null and not settled`,
};

/** Product §11: what did not agree between the providers of payments and the books, the newest first. */
export const staffDifferences: StaffList<StaffDifference> = {
  name: 'reconciliation',
  title: 'Reconciliation',
  lead: 'Where the providers of payments and the books differ, as the daily comparison found it. A difference that is gone is closed by itself; open one to say that it is settled.',
  none: 'No such difference is known.',
  searched: 'order, payment or the provider’s reference',
  filters: [
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'open', title: 'Open' },
        { value: 'settled', title: 'Settled by staff' },
        { value: 'gone', title: 'Gone' },
      ],
    },
  ],
  columns: [
    {
      key: 'id',
      title: 'Difference',
      cell: ({ id }) => `No. ${id}`,
      href: ({ id }) => routes.staff('reconciliation', { id: String(id) }),
    },
    { key: 'found', title: 'Found', cell: ({ foundAt }) => ({ at: foundAt }) },
    { key: 'provider', title: 'Provider', cell: ({ provider }) => provider },
    { key: 'kind', title: 'Kind', cell: ({ kind }) => kind },
    {
      key: 'of',
      title: 'Of',
      cell: ({ order, payout, reference, entry }) =>
        order === null ? (payout ?? reference ?? entry ?? 'the books') : `order ${order}`,
      href: placeOfDifference,
    },
    { key: 'what', title: 'What differs', wide: true, cell: ({ what }) => what },
    {
      key: 'state',
      title: 'State',
      cell: ({ closedAt, settled }) =>
        closedAt === null ? { state: 'open', tone: 'notice' } : settled ? 'settled by staff' : 'gone',
    },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const { rows } = await sql<Row>`
      select ${columns} from money_difference
      where (${wholeNumberOf(after)}::int is null or id < ${wholeNumberOf(after)}::int) ${states[chosen['state'] ?? ''] ?? sql``}
        and (${q}::text is null or ${q}::text in (order_reference, reference, entry))
      order by id desc limit ${limit + 1}
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** A difference as staff see it. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such difference. */
export async function getDifferenceForStaff(viewer: Viewer, id: string): Promise<StaffDifference> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`
    select ${columns} from money_difference where id = ${wholeNumberOf(id)}::int
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such difference.');
  return viewOf(rows[0]);
}

/** How many differences between the providers of payments and the books are open. */
export async function countDifferences(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from money_difference where closed_at is null
  `.execute(database());
  return rows[0]?.count ?? 0;
}
