import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { arrayOf, database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { Role } from '@/lib/reference/schema';
import { whyNotStaff } from '../rules/permits';
import {
  type StaffAction,
  type StaffActionFacts,
  staffActions,
  type StaffFacts,
  type StaffOutcome,
  staffReasonSchema,
  type StaffSubject,
} from '../schema/actions';

/** What a member of staff is about to do; `accounts` are those that the action is on, `others` those that it concerns besides: all are locked first, with the actor's own. */
export type StaffOrdered = {
  staff: Viewer;
  action: StaffAction;
  subject: StaffSubject;
  reason: string;
  preview?: boolean;
  accounts?: readonly number[];
  others?: readonly number[];
};

class Undone extends Error {}

/** Refuses whoever is not staff of the rank that the action is for. Failure 'unauthorised' or 'forbidden'. */
function permitted(staff: Viewer, action: StaffAction): Extract<Viewer, { kind: 'member' }> {
  const { rank }: StaffActionFacts = staffActions[action];
  const why = whyNotStaff(staff, rank);
  if (why || staff.kind === 'guest')
    throw new Failure(why?.kind ?? 'unauthorised', why?.message ?? 'Sign in as a member of staff.');
  return staff;
}

/**
 * Product §11: does what staff ordered and writes it down, both or neither. The accounts are locked in ascending order, the actor's role is read
 * again under the lock, nobody acts on themselves and on staff only super admins do (0077), then `body` does the work with the locks of its own and says how its subject was before and is after. A preview does the
 * same and undoes it, so what it shows is what would be; its reason may be empty. Failure 'unauthorised' or 'forbidden' for whoever may not,
 * 'invalid' without a reason, and whatever `body` refuses with.
 */
export async function act(
  { staff, action, subject, reason, preview = false, accounts = [], others = [] }: StaffOrdered,
  body: () => Promise<{ before: StaffFacts; after: StaffFacts }>,
): Promise<StaffOutcome> {
  const { accountId } = permitted(staff, action);
  const why = staffReasonSchema.safeParse(reason);
  if (!preview && !why.success) {
    const message = why.error.issues[0]?.message ?? 'Say why.';
    throw new Failure('invalid', message, { reason: message });
  }
  let outcome: StaffOutcome | null = null;
  try {
    return await transact(async () => {
      const role = await holdActor(accountId, { accounts, others }, action);
      const { before, after } = await body();
      outcome = { entry: null, before, after };
      if (preview) throw new Undone();
      const entry = await writeEntry({
        actor: { id: accountId, role },
        action,
        subject,
        reason: why.data ?? '',
        before,
        after,
      });
      return { entry, before, after };
    });
  } catch (error) {
    if (error instanceof Undone && outcome) return outcome;
    throw error;
  }
}

async function holdActor(
  accountId: number,
  { accounts, others }: Required<Pick<StaffOrdered, 'accounts' | 'others'>>,
  action: StaffAction,
): Promise<'admin' | 'super-admin'> {
  const { rows } = await sql<{ id: number; role: Role; closed: boolean }>`
    select id, role, deleted_at is not null or exists (select 1 from suspension where account_id = account.id) as closed
    from account where id = any(${arrayOf([accountId, ...accounts, ...others])}::int[]) order by id for no key update
  `.execute(database());
  const actor = rows.find(({ id }) => id === accountId);
  const { rank }: StaffActionFacts = staffActions[action];
  const isAble = actor?.role === Role.superAdmin || (actor?.role === Role.admin && rank === 'admin');
  if (!actor || actor.closed || !isAble)
    throw new Failure('forbidden', 'Your role was changed a moment ago. Ask a super admin for it.');
  if (accounts.includes(accountId))
    throw new Failure('forbidden', 'This is about your own account. Ask a super admin other than yourself to do it.');
  if (others.includes(accountId))
    throw new Failure('forbidden', 'This is about a customer of your own. Ask somebody else of staff to do it.');
  if (actor.role === Role.superAdmin) return 'super-admin';
  if (rows.some(({ id, role }) => role !== Role.user && accounts.includes(id)))
    throw new Failure('forbidden', 'This is about an account of staff. Ask a super admin to do it.');
  return 'admin';
}

type Entry = {
  actor: { id: number; role: 'admin' | 'super-admin' } | 'machine';
  action: StaffAction;
  subject: StaffSubject;
  reason: string;
  before: StaffFacts;
  after: StaffFacts;
};

/** Writes a line into the log of staff, in the transaction of what it tells of; gives its number. `machine` is whoever works at the machine itself. */
export async function writeEntry({ actor, action, subject, reason, before, after }: Entry): Promise<number> {
  const [id, role] = actor === 'machine' ? [null, 'machine'] : [actor.id, actor.role];
  const { rows } = await sql<{ id: number }>`
    insert into staff_action (actor_id, actor_role, action, subject_kind, subject, reason, before, after)
    values (${id}::int, ${role}, ${action}, ${subject.kind}, ${subject.id}, ${reason}, ${JSON.stringify(before)}, ${JSON.stringify(after)}) returning id
  `.execute(database());
  if (!rows[0]) throw new Error('The log of staff took no entry.');
  return rows[0].id;
}
