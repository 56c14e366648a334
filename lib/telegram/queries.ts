import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import type { TelegramSettings } from './schema';

/** Whether this site has a bot, and the member's chat that is linked; Failure 'unauthorised' for a guest. */
export async function readTelegramSettings(viewer: Viewer): Promise<TelegramSettings> {
  if (viewer.kind === 'guest') throw new Failure('unauthorised', 'Forbidden. Sign in, then send the request again.');
  const { rows } = await sql<{ name: string; since: Date }>`
    select name, linked_at as since from telegram_link where account_id = ${viewer.accountId}
  `.execute(database());
  const [link] = rows;
  return {
    offered: env().TIPLEDGER_TELEGRAM_TOKEN !== undefined,
    linked: link ? { name: link.name, since: link.since.toISOString() } : null,
  };
}
