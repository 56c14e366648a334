import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { providers } from './provider';

const moving = () =>
  providers()
    .filter(({ listMoves }) => listMoves !== null)
    .map(({ name }) => name);

/** Until when all was reconciled with the providers that change our money by themselves; of one that never was, until our first payment there. Null where there is nothing to reconcile with. */
export async function readReconciled(): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select min(coalesce(reconciled_until, (select min(created_at) from payment where payment.provider = asked.name))) as until
    from unnest(${moving()}::text[]) asked (name) left join reconciliation on provider = asked.name
  `.execute(database());
  return rows[0]?.until ?? null;
}

/** Keeps until when all was reconciled; never less than before. */
export async function keepReconciled(until: Date): Promise<void> {
  await sql`
    insert into reconciliation (provider, reconciled_until) select name, ${until} from unnest(${moving()}::text[]) asked (name)
    on conflict (provider) do update set reconciled_until = greatest(reconciliation.reconciled_until, excluded.reconciled_until)
  `.execute(database());
}
