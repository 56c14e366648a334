import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { listWithOwnPortfolio } from '@/lib/portfolios/queries';
import { webhookLimits, type WebhookView } from '../schema';

type Row = {
  id: string;
  kind: string;
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  createdAt: Date;
  answeredAt: Date | null;
  nextAt: Date;
  status: number | null;
  problem: string | null;
};

/** The webhook of the viewer's portfolio with its newest deliveries; null where there is none. Failures as with `listWithOwnPortfolio`. */
export async function findWebhook(viewer: Viewer, portfolioReference: string): Promise<WebhookView | null> {
  const [own] = await listWithOwnPortfolio([{ viewer, portfolioReference }]);
  const portfolioId = own?.portfolio.id ?? 0;
  const { rows } = await sql<{ address: string; pausedAt: Date | null; failures: number }>`
    select address, paused_at as "pausedAt", failures from webhook where portfolio_id = ${portfolioId}
  `.execute(database());
  const [webhook] = rows;
  if (!webhook) return null;
  const { rows: deliveries } = await sql<Row>`
    select id::text, kind, state, attempts, created_at as "createdAt", answered_at as "answeredAt", next_at as "nextAt", status, problem
    from webhook_delivery where portfolio_id = ${portfolioId} order by webhook_delivery.id desc limit ${webhookLimits.logged}
  `.execute(database());
  return {
    ...webhook,
    pausedAt: webhook.pausedAt?.toISOString() ?? null,
    deliveries: deliveries.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      answeredAt: row.answeredAt?.toISOString() ?? null,
      nextAt: row.state === 'waiting' ? row.nextAt.toISOString() : null,
    })),
  };
}
