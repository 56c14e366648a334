import { auditRecord } from '@/lib/audit/commands';
import { formatCount } from '@/lib/format';
import { reconcileOn, renewMemberships } from '@/lib/memberships/commands';
import { countDueMemberships } from '@/lib/memberships/queries';
import { countDifferences } from '@/lib/money/queries';
import { countSetAside } from '@/lib/settlement/queries';
import { noteOfRecord } from './record-note';

/** What a job may have to say of its run, although it went well. */
type Noted = { note: string | null };

/** Settles, and says how many bets or tips were set aside. */
export async function noting(what: 'tips' | 'bets', settle: () => Promise<number>): Promise<Noted> {
  await settle();
  const { [what]: setAside } = await countSetAside();
  return {
    note:
      setAside === 0
        ? null
        : `${setAside === 1 ? `1 ${what.slice(0, -1)} could not be settled and is` : `${setAside} ${what} could not be settled and are`} tried again; the log says why.`,
  };
}

/** Renews memberships, and says how many are still due. */
export async function renewing(now: Date): Promise<Noted> {
  await renewMemberships(now);
  const left = await countDueMemberships(now);
  return {
    note:
      left === 0
        ? null
        : `${left === 1 ? '1 membership is due and waits for its' : `${left} memberships are due and wait for their`} turn.`,
  };
}

/** Compares the providers of payments with the books, and says how many differences are open. */
export async function reconciling(now: Date): Promise<Noted> {
  await reconcileOn(now);
  const open = await countDifferences();
  return {
    note:
      open === 0
        ? null
        : `${formatCount(open, 'difference', 'differences')} between the providers of payments and the books: see /admin/reconciliation.`,
  };
}

/** Audits the record, and says what is wrong with it. */
export async function auditing(now: Date): Promise<Noted> {
  await auditRecord(now);
  return { note: await noteOfRecord() };
}
