import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { whyNotReachable } from '@/lib/platform/outgoing';
import { newToken } from '@/lib/platform/tokens';
import { lockOwnPortfolio } from '@/lib/portfolios/commands';
import { webhookInputSchema } from '../schema';

const newSecret = () => `whsec_${newToken()}`;

/** Sets where the events of the viewer's portfolio are sent, and lets a paused webhook go on; gives the secret when it is new, null when the webhook keeps the one it has. Failure 'invalid' for an address that nothing is sent to, and as with `lockOwnPortfolio`. */
export async function setWebhook(
  viewer: Viewer,
  portfolioReference: string,
  given: { address: string },
  now: Date,
): Promise<string | null> {
  const { address } = webhookInputSchema.parse(given);
  const problem = whyNotReachable(address);
  if (problem) throw new Failure('invalid', problem, { address: problem });
  return transact(async () => {
    const { id } = await lockOwnPortfolio(viewer, portfolioReference);
    const { numAffectedRows } = await sql`
      update webhook set address = ${address}, failures = 0, paused_at = null where portfolio_id = ${id}
    `.execute(database());
    if (numAffectedRows === 1n) return null;
    const secret = newSecret();
    await sql`insert into webhook (portfolio_id, address, secret, since) values (${id}, ${address}, ${secret}, ${now})`.execute(
      database(),
    );
    return secret;
  });
}

/** Makes another secret, which signs from now on, and gives it; Failure 'missing' where there is no webhook. */
export async function renewSecret(viewer: Viewer, portfolioReference: string): Promise<string> {
  return transact(async () => {
    const { id } = await lockOwnPortfolio(viewer, portfolioReference);
    const secret = newSecret();
    const { numAffectedRows } = await sql`update webhook set secret = ${secret} where portfolio_id = ${id}`.execute(
      database(),
    );
    if (numAffectedRows !== 1n) throw new Failure('missing', 'Set an address first: there is nothing to sign for.');
    return secret;
  });
}

/** Takes the webhook of the viewer's portfolio away, with its log. Failure 'missing' where there is none. */
export async function removeWebhook(viewer: Viewer, portfolioReference: string): Promise<void> {
  await transact(async () => {
    const { id } = await lockOwnPortfolio(viewer, portfolioReference);
    const { numAffectedRows } = await sql`delete from webhook where portfolio_id = ${id}`.execute(database());
    if (numAffectedRows !== 1n) throw new Failure('missing', 'This portfolio has no webhook.');
  });
}
