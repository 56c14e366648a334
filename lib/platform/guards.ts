import { sql } from 'kysely';
import { database } from './database';

/** The tables' owner as the program's role stands to it. */
type Standing = { role: string; superuser: boolean; owns: boolean; attributes: string[]; memberOf: string[] };

async function readStanding(): Promise<Standing> {
  const { rows } = await sql<Standing>`
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

/** Says in one sentence each why the role that the program connects as could take down the guards of the record; empty when it cannot. */
export async function listRoleProblems(): Promise<string[]> {
  const { role, superuser, owns, attributes, memberOf } = await readStanding();
  return [
    ...(superuser ? [`The program connects as the superuser ${role}, whom no guard of the database holds.`] : []),
    ...(owns ? [`The program's role ${role} owns its tables, so it could switch off what guards them.`] : []),
    ...attributes.filter(() => !superuser).map((attribute) => `The program's role ${role} may ${attribute}, which it does not need.`),
    ...memberOf.map((other) => `The program's role ${role} is a member of ${other}, whose privileges it has too.`),
  ];
}

/** Why the guards of the record are weaker than they could be, in one line, or null. */
export async function whyGuardsAreWeak(): Promise<string | null> {
  const [problem] = await listRoleProblems();
  return problem === undefined ? null : `${problem} Set DATABASE_OWNER_URL to the owner and DATABASE_URL to a role of its own.`;
}
