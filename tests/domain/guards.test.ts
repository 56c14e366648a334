import path from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import { auditWholeRecord } from '@/lib/audit/commands';
import { listFindings } from '@/lib/audit/queries';
import { type AuditPart, auditParts } from '@/lib/audit/schema';
import { database, transact } from '@/lib/platform/database';
import { listRoleProblems } from '@/lib/platform/guards';
import { readGranted, readPrivileges, singlePrivileges } from '@/lib/platform/privileges';
import { asOwner, onTestDatabase } from '../support/database';
import { changedTo, foreignRows, type GuardedTable, guardedTables } from '../support/guarded-tables';
import { fillGuardedWorld } from '../support/guarded-world';

onTestDatabase();
jest.setTimeout(180_000);
beforeAll(fillGuardedWorld);

const now = new Date('2026-03-12T12:00:00.000Z');
const ofTheRecord = auditParts.filter((part) => part !== 'guards');
const undo = new Error('The trial is over; nothing of it stays.');

const next: Record<string, (column: string) => string> = {
  boolean: (column) => `not ${column}`,
  date: (column) => `${column} + 1`,
  jsonb: () => `'{"x": 1}'`,
  ARRAY: (column) => `array_append(${column}, null)`,
  'timestamp with time zone': (column) => `coalesce(${column}, 'epoch') + interval '1 hour'`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
};
const more = (column: string) => `coalesce(${column}, 0) + 1`;

type Change = { table: string; statement: string };

// A permission, a trigger or a constraint, and no other error.
const refusals = /^(42501|23\d{3}|428C9)$/;

// The part that found the last change of a table is likely to find the next.
const finders = new Map<string, AuditPart>();

/** Whether the audit finds what was changed in a table, part by part until one does. */
async function isFound(table: string): Promise<boolean> {
  const likely = finders.get(table);
  for (const part of new Set([...(likely ? [likely] : []), ...ofTheRecord])) {
    await auditWholeRecord(now, [part]);
    if ((await listFindings(1)).length === 0) continue;
    finders.set(table, part);
    return true;
  }
  return false;
}

/** What becomes of a change that is undone afterwards; the record is only audited where its outcome may be that it is found. */
async function outcomeOf(table: string, write: () => Promise<number>, expected: string): Promise<string> {
  let outcome = 'nothing';
  await transact(async () => {
    try {
      const rows = await transact(write);
      if (rows === 0) throw new Error('The change met no row.');
      if (expected !== 'found') outcome = expected === 'refused' ? 'allowed' : expected;
      else if (await isFound(table)) outcome = 'found';
    } catch (error) {
      if (!refusals.test(String((error as { code?: unknown }).code))) throw error;
      outcome = 'refused';
    }
    throw undo;
  }).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return outcome;
}

const byProgram =
  ({ statement }: Change) =>
  async () =>
    Number((await sql.raw(statement).execute(database())).numAffectedRows ?? 0n);
const byOwner =
  ({ table, statement }: Change) =>
  () =>
    asOwner(sql.raw(statement), { unguarded: table });

/** Both outcomes of a change, as the table says them. */
async function outcomes(change: Change, expected: string): Promise<string> {
  const [program = '', owner = ''] = expected.split(' ');
  return `${await outcomeOf(change.table, byProgram(change), program)} ${await outcomeOf(change.table, byOwner(change), owner)}`;
}

async function typesOf(table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = ${table} order by ordinal_position
  `.execute(database());
  return new Map(rows.map(({ name, type }) => [name, type]));
}

const columnsOf = ({ update, unshown }: GuardedTable) =>
  [...Object.values(update), ...(unshown ? [unshown] : [])].flatMap((columns) => columns.split(' '));

test('the record that is tried has nothing that differs', async () => {
  await auditWholeRecord(now, ofTheRecord);
  expect(await listFindings()).toEqual([]);
});

describe('what is shown', () => {
  test('stands in the table column by column, so that a new one is thought of', async () => {
    const real = new Map<string, string[]>();
    for (const { table } of guardedTables) real.set(table, [...(await typesOf(table)).keys()].toSorted());
    expect(guardedTables.map((each) => [each.table, columnsOf(each).toSorted()])).toEqual(
      guardedTables.map(({ table }) => [table, real.get(table)]),
    );
  });

  test('is said to be live only with a reason', () => {
    const said = guardedTables.filter(({ update, remove }) =>
      /live/.test(`${Object.keys(update).join(' ')} ${remove}`),
    );
    expect(said.filter(({ because = '' }) => because.length < 20)).toEqual([]);
  });

  test.each(guardedTables.map((each) => [`${each.table} where ${each.row}`, each] as const))(
    'cannot be changed without being refused or found: %s',
    async (_, each) => {
      const { table, row } = each;
      const types = await typesOf(table);
      const found: Record<string, string> = {};
      const expected: Record<string, string> = {};
      for (const [outcome, columns] of Object.entries(each.update)) {
        for (const column of columns.split(' ')) {
          const value = changedTo[`${table}.${column}`] ?? (next[types.get(column) ?? ''] ?? more)(column);
          expected[column] = outcome;
          found[column] = await outcomes(
            { table, statement: `update ${table} set ${column} = ${value} where ${row}` },
            outcome,
          );
        }
      }
      expect(found).toEqual(expected);
      expect(await outcomes({ table, statement: `delete from ${table} where ${row}` }, each.remove)).toBe(each.remove);
    },
  );

  test.each(foreignRows)(
    'takes no row that nobody made without its being refused or found: %s',
    async (table, statement, outcome) => {
      expect(await outcomes({ table, statement }, outcome)).toBe(outcome);
    },
  );

  test('can be emptied by nobody while the guards stand', async () => {
    const answers: string[] = [];
    for (const table of [
      'tip',
      'tip_leg',
      'tip_settlement',
      'tip_commitment',
      'ledger_entry',
      'ledger_node',
      'ledger_head',
      'ledger_checkpoint',
      'signing_key',
      'fixture_result',
      'price_change',
    ]) {
      const statement = sql.raw(`truncate ${table} cascade`);
      const by = [() => asOwner(statement), () => statement.execute(database()).then(() => 1)];
      for (const write of by) answers.push(`${table}: ${await outcomeOf(table, write, 'refused')}`);
    }
    expect(answers.filter((answer) => !answer.endsWith(': refused'))).toEqual([]);
  });
});

/** Tables of which nothing is shown, counted or settled by: what the program keeps for itself, who may sign in, what staff did (tests/domain/staff.test.ts tries its log), and the rules by which members record bets for themselves. */
const shownNowhere = [
  ...[
    'account_code',
    'audit_finding',
    'audit_progress',
    'autobet',
    'autobet_progress',
    'autobet_rule',
    'bet_resettlement',
    'cache_version',
    'closing_update',
    'code_request',
    'code_try',
    'content_file',
    'content_outcome',
    'content_page',
    'content_source',
    'content_version',
    'delivery',
    'demo_world',
    'event',
    'event_spread',
    'fixture_source',
    'fixture_watch',
    'job_run',
    'login_attempt',
    'mail_link',
    'luck_due',
  ],
  ...[
    'mail_outbox',
    'mail_stop',
    'migration',
    'migration_lock',
    'named_write',
    'news_choice',
    'news_hours',
    'page_view',
    'participant_alias',
    'picture',
    'picture_upload',
    'rate_limit',
    'refresh_token',
    'search_entry',
    'search_word',
    'secret',
    'session',
    'played_due',
    'sketch_due',
  ],
  // tests/domain/pauses.test.ts tries it.
  'betting_pause',
  ...['portfolio_feature', 'portfolio_hold', 'spent_proof', 'staff_action', 'staff_factor', 'staff_recovery_code'],
  ...['staff_session', 'standing_due', 'suspension', 'token_key'],
  // How news reach people outside the site.
  ...['push_subscription', 'telegram_code', 'telegram_link', 'telegram_progress', 'webhook', 'webhook_delivery'],
  // What feeds do by themselves, and where help is found: none of it stands in the record.
  ...[
    'feed_reject',
    'feed_run',
    'feed_setting',
    'feed_unmatched',
    'feed_waiting',
    'help_line',
    'league_alias',
    'told_result',
    'told_start',
  ],
];

/** The tables of money, which tests/domain/books.test.ts tries, and what a tipster sells, which the tipster changes. */
const ofMoney = [
  ...[
    'card_change',
    'coupon',
    'customer_order',
    'earning_due',
    'money_account',
    'money_balance',
    'money_difference',
    'monthly_payout',
    'payment',
    'payment_method',
    'payout',
    'plan',
  ],
  ...['plan_price', 'portfolio_sale', 'posting', 'posting_line', 'receipt', 'receipt_end', 'refund'],
  ...['sandbox_payment', 'sandbox_transfer', 'stripe_account', 'stripe_customer', 'stripe_payment'],
  ...['affiliate_fee', 'affiliate_visit', 'guarantee_verdict', 'pro_share', 'pro_team'],
  ...['reconciliation', 'referral', 'tax_rate'],
];

test('a function of a trigger finds our tables and no others, and writes by the right of their owner', async () => {
  const { rows } = await sql<{ name: string; isFixed: boolean; writes: boolean; isOwners: boolean }>`
    select proname as name, coalesce(array_to_string(proconfig, ','), '') like '%search_path=%' as "isFixed",
      prosrc ~* '(insert into|delete from|^\s*update) ' as writes, prosecdef as "isOwners"
    from pg_proc where pronamespace = current_schema()::regnamespace and prorettype = 'trigger'::regtype
  `.execute(database());
  expect(rows.length).toBeGreaterThan(10);
  expect(
    rows.filter(({ isFixed, writes, isOwners }) => !isFixed || (writes && !isOwners)).map(({ name }) => name),
  ).toEqual([]);
});

describe('a table', () => {
  const names = async () =>
    (
      await sql<{
        name: string;
      }>`select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`.execute(
        database(),
      )
    ).rows.map(({ name }) => name);

  test('is guarded or shown nowhere, and a new one is thought of', async () => {
    const guarded = new Set(guardedTables.map(({ table }) => table));
    expect((await names()).filter((name) => !guarded.has(name))).toEqual([...shownNowhere, ...ofMoney].toSorted());
  });

  test('has a line that says what the program’s role may do with it, and no more than that is granted', async () => {
    const privileges = await readPrivileges(path.resolve('migrations'));
    expect((await names()).filter((name) => privileges[name] === undefined)).toEqual([]);
    const granted = await readGranted(
      (text, values) =>
        database().executeQuery(CompiledQuery.raw(text, values)) as Promise<{ rows: Record<string, unknown>[] }>,
      'tipledger_program',
    );
    for (const name of await names())
      expect([name, granted.get(name)?.own ?? new Set()]).toEqual([name, singlePrivileges(privileges[name] ?? [])]);
    expect(await listRoleProblems()).toEqual([]);
  });
});
