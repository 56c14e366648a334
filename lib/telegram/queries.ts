import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import type { TelegramSettings } from './schema';

/** Whether this site has a bot, and the member's chat that is linked; Failure 'unauthorised' for a guest. */
export async function readTelegramSettings(viewer: Viewer): Promise<TelegramSettings> {
  requireMember(viewer);
  const { rows } = await sql<{ name: string; since: Date }>`
    select name, linked_at as since from telegram_link where account_id = ${viewer.accountId}
  `.execute(database());
  const [link] = rows;
  return {
    offered: env().TIPLEDGER_TELEGRAM_TOKEN !== undefined,
    linked: link ? { name: link.name, since: link.since.toISOString() } : null,
  };
}
