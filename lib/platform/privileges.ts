import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { z } from 'zod';

const privilegeSchema = z
  .string()
  .regex(
    /^(select|insert|update|delete)( \([a-z_0-9]+(, [a-z_0-9]+)*\))?$/,
    'must be a privilege such as "select" or "update (name, answer)"',
  );
const privilegesSchema = z.record(z.string().regex(/^[a-z_0-9]+$/), z.array(privilegeSchema));

/** What the program's role may do, by table: privileges such as `select` or `update (name, answer)`. */
export type Privileges = z.infer<typeof privilegesSchema>;

/** The privileges that stand beside the migrations, in privileges.json of their folder; none where there is no such file. */
export async function readPrivileges(folder: string): Promise<Privileges> {
  const text = await readFile(path.join(folder, 'privileges.json'), 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? '{}' : Promise.reject(error),
  );
  return privilegesSchema.parse(JSON.parse(text));
}

/** What is done with a connection. */
export type Query = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

// A role's own privileges and those of everybody, of tables and of single columns, in one spelling.
const grantedPrivileges = `
  select c.relname as table, acl.grantee = 0 as public,
    lower(acl.privilege_type) || coalesce(' (' || acl.attname || ')', '') as privilege
  from pg_class c
  cross join lateral (
    select null::name as attname, (aclexplode(coalesce(c.relacl, acldefault('r', c.relowner)))).*
    union all
    select attname, (aclexplode(attacl)).* from pg_attribute where attrelid = c.oid and attacl is not null and not attisdropped
  ) acl
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace = current_schema()::regnamespace
    and (acl.grantee = 0 or acl.grantee = (select oid from pg_roles where rolname = $1))`;

/** The privileges that the role has on each table of the schema, its own and everybody's, spelt a column at a time. */
export async function readGranted(
  query: Query,
  role: string,
): Promise<Map<string, { own: Set<string>; everybodys: Set<string> }>> {
  const { rows } = await query(grantedPrivileges, [role]);
  const granted = new Map<string, { own: Set<string>; everybodys: Set<string> }>();
  for (const row of rows) {
    const { table, privilege, public: everybodys } = row as { table: string; privilege: string; public: boolean };
    const known = granted.get(table) ?? { own: new Set(), everybodys: new Set() };
    known[everybodys ? 'everybodys' : 'own'].add(privilege);
    granted.set(table, known);
  }
  return granted;
}

/** The privileges of a table, a column at a time: `update (a, b)` is `update (a)` and `update (b)`. */
export function singlePrivileges(privileges: readonly string[]): Set<string> {
  return new Set(
    privileges.flatMap((privilege) => {
      const [, action = privilege, columns] = /^(\w+) \((.*)\)$/.exec(privilege) ?? [];
      return columns === undefined ? [action] : columns.split(', ').map((column) => `${action} (${column})`);
    }),
  );
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a.size === b.size && [...a].every((each) => b.has(each));

/** Gives the role exactly these privileges on the tables of the schema, where it has others; the client is the owner's, and no other program does it at the same time. */
export async function grantPrivileges(client: pg.Client, role: string, privileges: Privileges): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const granted = await readGranted((text, values) => client.query(text, values), role);
  const { rows } = await client.query<{ table: string; schema: string; usage: boolean }>(
    `
    select relname as table, current_schema() as schema, has_schema_privilege($1, current_schema(), 'usage') as usage
    from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by relname`,
    [role],
  );
  const [first] = rows;
  if (first && !first.usage)
    await client.query(`grant usage on schema ${pg.escapeIdentifier(first.schema)} to ${name}`);
  for (const { table } of rows) {
    const wanted = privileges[table] ?? [];
    if (isSame(granted.get(table)?.own ?? new Set(), singlePrivileges(wanted))) continue;
    await client.query(`revoke all on ${pg.escapeIdentifier(table)} from ${name}`);
    if (wanted.length > 0) await client.query(`grant ${wanted.join(', ')} on ${pg.escapeIdentifier(table)} to ${name}`);
  }
}
