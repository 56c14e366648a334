import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';

/** Has an owner paid out to a connected account at Stripe from now on. Failure 'missing' for a username that nobody has, 'invalid' for what is no such account, 'conflict' for an account of another's. */
export async function setPayee(username: string, account: string): Promise<void> {
  if (!/^acct_[A-Za-z0-9]+$/.test(account))
    throw new Failure('invalid', 'A connected account at Stripe is named such as acct_1PgafTB7WZ01zgkW.');
  await transact(async () => {
    const { rows } = await sql<{ id: number }>`
      select id from account where username = ${username} and deleted_at is null
    `.execute(database());
    if (!rows[0]) throw new Failure('missing', `Nobody is called ${username}.`);
    const owner = String(rows[0].id);
    const { rows: others } = await sql`
      select from stripe_account where stripe_id = ${account} and owner <> ${owner}
    `.execute(database());
    if (others.length > 0) throw new Failure('conflict', 'This account is where somebody else is paid out to.');
    await sql`
      insert into stripe_account (owner, stripe_id, changed_at) values (${owner}, ${account}, ${await decisionMoment()})
      on conflict (owner) do update set stripe_id = excluded.stripe_id, changed_at = excluded.changed_at
    `.execute(database());
  });
}
