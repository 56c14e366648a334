import { sql } from 'kysely';
import { database } from './database';

type RoleRights = { role: string; superuser: boolean; owns: boolean; attributes: string[]; memberOf: string[] };

async function readRoleRights(): Promise<RoleRights> {
  const { rows } = await sql<RoleRights>`
    select rolname as role, rolsuper as superuser,
      exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relowner = me.oid) as owns,
      array_remove(array[case when rolcreatedb then 'create databases' end, case when rolcreaterole then 'create roles' end,
        case when rolreplication then 'replicate' end, case when rolbypassrls then 'pass by row security' end], null) as attributes,
      array(select granted.rolname::text from pg_auth_members join pg_roles granted on granted.oid = roleid where member = me.oid order by 1) as "memberOf"
    from pg_roles me where rolname = current_user
  `.execute(database());
  if (!rows[0]) throw new Error('The role of the database was not found.');
  return rows[0];
}

/** The role that the program connects as. */
export async function readRole(): Promise<string> {
  return (await readRoleRights()).role;
}

/** Says in one sentence each why the role that the program connects as could take down the guards of the record; empty when it cannot. */
export async function listRoleProblems(): Promise<string[]> {
  const { role, superuser, owns, attributes, memberOf } = await readRoleRights();
  return [
    ...(superuser ? [`The program connects as the superuser ${role}, whom no guard of the database holds.`] : []),
    ...(owns ? [`The program's role ${role} owns its tables, so it could switch off what guards them.`] : []),
    ...attributes
      .filter(() => !superuser)
      .map((attribute) => `The program's role ${role} may ${attribute}, which it does not need.`),
    ...memberOf.map((other) => `The program's role ${role} is a member of ${other}, whose privileges it has too.`),
  ];
}

/** Why the guards of the record are weaker than they could be, in one line, or null. */
export async function whyGuardsAreWeak(): Promise<string | null> {
  const [problem] = await listRoleProblems();
  return problem === undefined
    ? null
    : `${problem} Set DATABASE_OWNER_URL to the owner and DATABASE_URL to a role of its own.`;
}

/** A trigger by its table and name, with what it is and does in one hash, and whether it is on, if not for every session. */
export type Guard = { name: string; fingerprint: string; isOn: boolean };

/** The triggers of the schema as they stand: when each fires, for whom, whether it is on, and the text of its function. */
export async function listGuards(): Promise<Guard[]> {
  const { rows } = await sql<Guard>`
    select relname || '.' || tgname as name, encode(sha256(convert_to(concat_ws('|', tgenabled, tgtype,
      (select string_agg(attname, ',' order by attname) from pg_attribute where attrelid = tgrelid and attnum = any(tgattr)),
      -- Versions of PostgreSQL put other brackets around a condition.
      regexp_replace(coalesce(substring(pg_get_triggerdef(pg_trigger.oid, true) from 'WHEN (.*) EXECUTE'), ''), '[()[:space:]]', '', 'g'),
      encode(tgargs, 'hex'), tgnewtable, tgoldtable, proname, prosrc, lanname, prosecdef, replace(array_to_string(proconfig, ';'), current_schema(), 'ours')), 'UTF8')), 'hex') as fingerprint,
      tgenabled in ('A', 'O') as "isOn"
    from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid join pg_language on pg_language.oid = prolang
    where not tgisinternal and relnamespace = current_schema()::regnamespace order by name
  `.execute(database());
  return rows;
}

/** What the program's role could do beside its privileges on tables, each in one sentence: make objects, or act as somebody else through a function. */
export async function listLoopholes(): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select format('The program''s role may make objects in the schema %s.', nspname) as problem from pg_namespace where nspname !~ '^pg_' and has_schema_privilege(current_user, oid, 'create')
    union all
    select format('The program''s role may make schemas in the database.') where has_database_privilege(current_user, current_database(), 'create')
    union all
    select format('The program''s role may act as %s through the function %s.', rolname, pg_proc.oid::regprocedure) from pg_proc join pg_roles on pg_roles.oid = proowner
    where prosecdef and prorettype <> 'trigger'::regtype and rolname <> current_user and pronamespace <> 'pg_catalog'::regnamespace and has_function_privilege(current_user, pg_proc.oid, 'execute')
    order by problem
  `.execute(database());
  return rows.map(({ problem }) => problem);
}
