import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { holdLogin } from '@/lib/accounts/commands';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { holdAccount } from '@/lib/platform/held-account';
import { log } from '@/lib/platform/log';
import { hashToken, newToken } from '@/lib/platform/tokens';
import { codeMinutes } from '../schema';
import { botName } from './bot-api';

function memberId(viewer: Viewer): number {
  requireMember(viewer);
  return viewer.accountId;
}

/** Makes the code by which a chat shows that it is the member's, in the address that opens the chat; an earlier one is good no longer. Failure 'missing' where this site has no bot, 'unavailable' while it cannot be asked, 'unauthorised' where the member's login has ended. */
export async function inviteToTelegram(viewer: Viewer, now: Date): Promise<{ url: string; expiresAt: string }> {
  requireMember(viewer);
  if (!env().TIPLEDGER_TELEGRAM_TOKEN)
    throw new Failure('missing', 'This site does not send notifications by Telegram.');
  const name = await botName().catch((error: unknown) => {
    log.warn({ event: 'telegram_failed', why: error instanceof Error ? error.message : String(error) });
    throw new Failure('unavailable', 'Telegram does not answer now. Try again in a minute.');
  });
  const code = newToken();
  const expiresAt = new Date(now.getTime() + codeMinutes * 60_000);
  await transact(async () => {
    await holdAccount(viewer.accountId);
    await holdLogin(viewer);
    await sql`
      insert into telegram_code (account_id, code_hash, expires_at) values (${viewer.accountId}, ${hashToken(code)}, ${expiresAt})
      on conflict (account_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at
    `.execute(database());
  });
  return { url: `https://t.me/${name}?start=${code}`, expiresAt: expiresAt.toISOString() };
}

/** Takes the member's chat away; Failure 'missing' where none is linked. */
export async function unlinkTelegram(viewer: Viewer): Promise<void> {
  const { numAffectedRows } = await sql`delete from telegram_link where account_id = ${memberId(viewer)}`.execute(
    database(),
  );
  if (numAffectedRows !== 1n) throw new Failure('missing', 'No chat is linked. Load the page again.');
}
