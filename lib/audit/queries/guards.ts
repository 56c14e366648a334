import 'server-only';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CompiledQuery } from 'kysely';
import { z } from 'zod';
import { database } from '@/lib/platform/database';
import { type Guard, listGuards, listLoopholes, listRoleProblems, readRole } from '@/lib/platform/guards';
import { listMigrations, listNewer } from '@/lib/platform/migrations';
import { type Query, readGranted, readPrivileges, singlePrivileges } from '@/lib/platform/privileges';
import type { AuditStep } from '../schema';

const guardsSchema = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));

/** The guards that must stand, by table and trigger with their fingerprints, as the migrations of `folder` make them. */
export async function readExpectedGuards(folder: string): Promise<Record<string, string>> {
  return guardsSchema.parse(JSON.parse(await readFile(path.join(folder, 'guards.json'), 'utf8')));
}

// Beside a newer release (0107) this one knows neither what its guards do since nor which others there are.
function problemsOfGuards(standing: readonly Guard[], expected: Record<string, string>, isNewest: boolean): string[] {
  const found = new Set(standing.map(({ name }) => name));
  const missing = Object.keys(expected).filter((name) => !found.has(name));
  const isChanged = ({ name, fingerprint, isOn }: Guard) => (isNewest ? fingerprint !== expected[name] : !isOn);
  const changed = standing.filter((guard) => expected[guard.name] !== undefined && isChanged(guard));
  const foreign = isNewest ? standing.filter(({ name }) => expected[name] === undefined) : [];
  return [
    ...missing.map((name) => `The guard ${name} is missing.`),
    ...changed.map(({ name }) => `The guard ${name} is switched off or was changed.`),
    ...foreign.map(({ name }) => `The trigger ${name} is none of ours.`),
  ];
}

const query: Query = (text, values) =>
  database().executeQuery(CompiledQuery.raw(text, values)) as Promise<{ rows: Record<string, unknown>[] }>;

async function problemsOfPrivileges(folder: string, isNewest: boolean): Promise<string[]> {
  // An owner has all of them, and is told of by itself.
  if ((await listRoleProblems()).length > 0) return [];
  const wanted = await readPrivileges(folder);
  const granted = await readGranted(query, await readRole());
  const beyond = [...granted].flatMap(([table, { own, everybodys }]) => {
    const allowed = singlePrivileges(wanted[table] ?? []);
    // No release gives everybody anything.
    return [...(isNewest ? own : []), ...everybodys]
      .filter((privilege) => !allowed.has(privilege) && !allowed.has(privilege.replace(/ \(.*\)$/, '')))
      .map((privilege) => `The program's role may ${privilege} on ${table}, which is more than it needs.`);
  });
  return [...new Set(beyond), ...(await listLoopholes())];
}

/**
 * Looks whether the guards stand: every trigger as the migrations of `folder` made it, and no privilege of the program's role beyond its table.
 * Beside a newer release it looks only for guards that are gone or off, for privileges of everybody, and for loopholes.
 */
export async function auditGuards(folder = path.join(process.cwd(), 'migrations')): Promise<AuditStep<never>> {
  const isNewest = (await listNewer(query, await listMigrations(folder))).length === 0;
  return {
    problems: [
      ...problemsOfGuards(await listGuards(), await readExpectedGuards(folder), isNewest),
      ...(await problemsOfPrivileges(folder, isNewest)),
    ],
    next: null,
  };
}
