import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { AuditStep } from '../schema';

/** The table and the last id that its rows were looked at up to, the last seal, or the last entry of the ledger that was looked at for a signed seal. */
export type KeptPlace =
  | { relation: string; about: number }
  | { seal: number; changes: string; digest: string }
  | { signed: number };

const leastId = -2_147_483_648;

type Kept = { relation: string; about: string; columns: string; condition: string };

// The guards' own fingerprints say whether what the triggers are called with was changed.
async function listKept(): Promise<Kept[]> {
  const { rows } = await sql<{ relation: string; args: string[] }>`
    select distinct relname::text as relation, string_to_array(encode(tgargs, 'escape'), '\\000') as args
    from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and relnamespace = current_schema()::regnamespace and proname = 'keep_change' order by relation
  `.execute(database());
  return rows.map(({ relation, args: [about = '', columns = '', condition = ''] }) => ({
    relation,
    about,
    columns,
    condition,
  }));
}

type Looked = { problems: string[]; ids: number; until: number | null };

/** Looks at the rows of the next ids of a table: as many as the limit says, up to `until`, or all that are left, when that is null. */
async function problemsOfRows(
  { relation, about, columns, condition }: Kept,
  after: number,
  limit: number,
): Promise<Looked> {
  const [table, id, values, kept] = [sql.id(relation), sql.id(about), sql.raw(columns), sql.raw(condition)];
  const { rows: bounds } = await sql<{ ids: number; last: number | null }>`
    select count(*)::int as ids, max(about) as last from (select about from (
      (select distinct about from kept_change where relation = ${relation} and about > ${after} order by about limit ${limit})
      union (select distinct ${id} from ${table} where ${id} > ${after} order by ${id} limit ${limit})) ids order by about limit ${limit}) looked
  `.execute(database());
  const { ids = 0, last = null } = bounds[0] ?? {};
  const until = ids < limit ? null : last;
  const range = (column: typeof id) =>
    sql`${column} > ${after} and (${until}::int is null or ${column} <= ${until}::int)`;
  const { rows } = await sql<{ about: number }>`
    select coalesce(own.about, known.about) as about
    from (
      select ${id} as about, sum(('x' || left(hash, 15))::bit(60)::bigint::numeric * 1152921504606846976 + ('x' || substr(hash, 16, 15))::bit(60)::bigint) as digest
      from ${table}, lateral (select encode(sha256(convert_to(row(${values})::text, 'UTF8')), 'hex') as hash) hashed where ${range(id)} and ${kept} group by 1
    ) own
    full join (select about, sum(digest) as digest from kept_change where relation = ${relation} and ${range(sql.id('about'))} group by about) known on known.about = own.about
    where coalesce(own.digest, 0) <> coalesce(known.digest, 0) order by 1 limit 100
  `.execute(database());
  return {
    problems: rows.map(
      (row) => `In ${relation}, what belongs to ${about} ${row.about} is not what was kept of its changes.`,
    ),
    ids,
    until,
  };
}

type Sealed = { number: number; changes: string; digest: string; wanted: string | null; counted: string };

async function problemsOfSeals(
  place: Extract<KeptPlace, { seal: number }>,
  limit: number,
): Promise<AuditStep<KeptPlace>> {
  const { rows } = await sql<Sealed>`
    select kept_seal.number, kept_seal.changes, kept_seal.digest, content.counted, encode(sha256(convert_to(
        coalesce((select digest from kept_seal before where before.number = kept_seal.number - 1), '') || E'\n' || content.text, 'UTF8')), 'hex') as wanted
    from kept_seal cross join lateral (
      select count(*) as counted, coalesce(string_agg(concat_ws('|', id, relation, about, kept_change.digest, salt), E'\n' order by id), '') as text from kept_change where seal = number
    ) content
    where number > ${place.seal} order by number limit ${limit}
  `.execute(database());
  const problems: string[] = [];
  let last = place;
  for (const { number, changes, digest, wanted, counted } of rows) {
    if (number !== last.seal + 1 || digest !== wanted || BigInt(changes) !== BigInt(last.changes) + BigInt(counted))
      problems.push(`Seal ${number} does not stand over the changes that were kept under it.`);
    last = { seal: number, changes, digest };
  }
  const isEnd = rows.length < limit;
  if (isEnd && (await hasUnsealed())) problems.push('Changes are kept under a seal that is not there.');
  return { problems, next: isEnd ? { signed: 0 } : last };
}

/** Whether a change is kept under a seal before the first or beyond the last; a seal that is missing between two is found as they are gone through. */
async function hasUnsealed(): Promise<boolean> {
  const { rows } = await sql`
    select from kept_change where seal > (select max(number) from kept_seal) union all select from kept_change where seal < 1 limit 1
  `.execute(database());
  return rows.length > 0;
}

/** The seals that the next so many entries of the ledger signed are there. */
async function problemsOfSigned(after: number, limit: number): Promise<AuditStep<KeptPlace>> {
  const { rows } = await sql<{ sequence: number; isMissing: boolean }>`
    select sequence, kind = 'portfolios-counted' and coalesce((
      select not exists (select from kept_seal where digest = kept ->> 'digest' and changes = (kept ->> 'changes')::bigint)
      from (select entry::jsonb -> 'content' -> 'kept' as kept) told where kept is not null), false) as "isMissing"
    from ledger_entry where sequence > ${after} order by sequence limit ${limit}
  `.execute(database());
  const problems = rows
    .filter(({ isMissing }) => isMissing)
    .map(({ sequence }) => `Entry ${sequence} of the ledger signs a seal over kept changes that is not there.`);
  const last = rows.at(-1);
  if (last && rows.length === limit) return { problems, next: { signed: last.sequence } };
  return { problems: [...problems, ...(await problemsOfFirst())], next: null };
}

async function problemsOfFirst(): Promise<string[]> {
  const { rows } =
    await sql`select from kept_seal where number = 0 and changes = 0 and digest = repeat('0', 64)`.execute(database());
  return rows.length > 0 ? [] : ['The first seal over kept changes is not as it was made.'];
}

/**
 * Goes through what is shown and stands on no public record: the rows of the next so many ids, table by table, come to the sum of what was kept of
 * their changes; and at the end, the seals stand over those changes, and are the ones that the record signed.
 */
export async function auditKept(after: KeptPlace | null, limit: number): Promise<AuditStep<KeptPlace>> {
  const seals = { seal: 0, changes: '0', digest: '' };
  if (after && 'seal' in after) return problemsOfSeals(after, 20);
  if (after && 'signed' in after) return problemsOfSigned(after.signed, 2000);
  await sql`select set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true), set_config('extra_float_digits', '1', true)`.execute(
    database(),
  );
  const kept = await listKept();
  const from = after ? kept.findIndex(({ relation }) => relation === after.relation) : 0;
  const tables = from < 0 ? [] : kept.slice(from);
  if (tables.length === 0)
    return {
      problems: ['What the database keeps of changes was changed meanwhile, or is not kept at all.'],
      next: null,
    };
  let about = after?.about ?? leastId;
  let left = limit;
  for (const [index, table] of tables.entries()) {
    const { problems, ids, until } = await problemsOfRows(table, about, left);
    if (until !== null) return { problems, next: { relation: table.relation, about: until } };
    const following = tables[index + 1];
    // A table after this one that cannot be read would end the step, and what was found with it.
    if (problems.length > 0)
      return { problems, next: following ? { relation: following.relation, about: leastId } : seals };
    about = leastId;
    left -= ids;
  }
  return { problems: [], next: seals };
}
