import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';
import { type StoredWebhookDelivery, type WebhookStatus, webhookStatus } from '../rules';

/** A webhook delivery as staff see it: of its address the host alone, since such addresses carry keys; its body is not read. */
export type StaffWebhookDelivery = {
  id: number;
  portfolio: string;
  host: string;
  kind: string;
  at: string;
  attempts: number;
  nextAt: string | null;
  answeredAt: string | null;
  answer: string | null;
  standing: WebhookStatus;
};

type Row = StoredWebhookDelivery &
  Pick<StaffWebhookDelivery, 'id' | 'portfolio' | 'kind'> & {
    address: string;
    at: Date;
    status: number | null;
    problem: string | null;
  };

const columns = sql`delivery.id::float8 as id, portfolio.reference as portfolio, address, delivery.kind, delivery.created_at as at, delivery.state, delivery.attempts, delivery.next_at as "nextAt",
  delivery.answered_at as "answeredAt", delivery.status, delivery.problem, paused_at as "pausedAt"`;

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : 'unreadable');

const viewOf = ({ address, at, status, problem, ...row }: Row, now: Date): StaffWebhookDelivery => {
  const { state: _state, pausedAt: _pausedAt, nextAt, answeredAt, ...rest } = row;
  return {
    ...rest,
    host: hostOf(address),
    at: at.toISOString(),
    nextAt: row.state === 'waiting' && row.pausedAt === null ? nextAt.toISOString() : null,
    answeredAt: answeredAt?.toISOString() ?? null,
    answer: [status === null ? null : `HTTP ${status}`, problem].filter((part) => part !== null).join(': ') || null,
    standing: webhookStatus(row, now),
  };
};

const states: Readonly<Record<string, RawBuilder<unknown>>> = {
  waiting: sql`and state = 'waiting'`,
  failed: sql`and state = 'failed'`,
  sent: sql`and state = 'sent'`,
};

/** Product §11, §12: what is sent to the addresses of portfolios, the newest first. */
export const staffWebhooks: StaffList<StaffWebhookDelivery> = {
  name: 'webhooks',
  title: 'Webhook deliveries',
  lead: 'Events of portfolios on their way to the addresses that their owners gave. Each is tried ten times; after 20 failures in a row the webhook pauses until its owner saves the address again. Of addresses only the host is shown.',
  none: 'Nothing matches. Search by the whole reference of a portfolio.',
  searched: 'reference of a portfolio',
  filters: [
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'waiting', title: 'Waits' },
        { value: 'failed', title: 'Failed' },
        { value: 'sent', title: 'Sent' },
      ],
    },
  ],
  columns: [
    { key: 'id', title: 'Number', cell: ({ id }) => String(id), href: ({ id }) => routes.staff('webhooks', { id }) },
    { key: 'at', title: 'Written', cell: ({ at }) => ({ at }) },
    {
      key: 'portfolio',
      title: 'Portfolio',
      cell: ({ portfolio }) => portfolio,
      href: ({ portfolio }) => routes.staff('portfolios', { id: portfolio }),
    },
    { key: 'host', title: 'Host', wide: true, cell: ({ host }) => host },
    { key: 'kind', title: 'Event', cell: ({ kind }) => kind },
    { key: 'state', title: 'State', cell: ({ standing: { title, tone } }) => ({ state: title, tone }) },
    { key: 'answer', title: 'Last answer', wide: true, cell: ({ answer }) => answer },
    { key: 'tries', title: 'Tries', figure: true, cell: ({ attempts }) => attempts },
    { key: 'next', title: 'Next try', cell: ({ nextAt }) => (nextAt === null ? null : { at: nextAt }) },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const before = wholeNumberOf(after, 'bigint');
    const of = q === null ? sql`` : sql`and portfolio_id = (select id from portfolio where reference = ${q})`;
    const page = sql`
      select * from webhook_delivery where (${before}::bigint is null or id < ${before}::bigint) ${of} ${states[chosen['state'] ?? ''] ?? sql``}
      order by id desc limit ${limit + 1}`;
    const { rows } = await sql<Row>`
      select ${columns} from (${page}) delivery join webhook using (portfolio_id) join portfolio on portfolio.id = portfolio_id order by delivery.id desc
    `.execute(database());
    const now = present();
    return {
      rows: rows.slice(0, limit).map((row) => viewOf(row, now)),
      next: rows.length > limit ? String(rows[limit - 1]?.id) : null,
    };
  },
};

/** A webhook delivery as staff see it. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such delivery. */
export async function getWebhookDeliveryForStaff(viewer: Viewer, id: number): Promise<StaffWebhookDelivery> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`
    select ${columns} from webhook_delivery delivery join webhook using (portfolio_id) join portfolio on portfolio.id = portfolio_id where delivery.id = ${id}::bigint
  `.execute(database());
  if (!rows[0])
    throw new Failure(
      'missing',
      'There is no such delivery: those that are over go after thirty days, and all with their webhook.',
    );
  return viewOf(rows[0], present());
}
