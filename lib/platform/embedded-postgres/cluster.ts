import { chmodSync, chownSync, closeSync, existsSync, fsyncSync, mkdirSync, mkdtempSync } from 'node:fs';
import { openSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { giveTo, type Program, runAs } from './account';
import { refusal, remedyFor, textOf } from './refusal';

const initSeconds = 120;

/** The role that owns the tables of a private cluster, its superuser: for migrations and set-up only. */
export const ownerRole = 'tipledger';

/** The role as which a program queries its private cluster: it owns nothing and may do what the owner grants it. */
export const programRole = 'tipledger_program';

/** Makes the data folder where it is missing and gives its real path; what root makes belongs to the owner of the folder around it and lets others pass. */
export function makeDataFolder(wanted: string): string {
  const folder = path.resolve(wanted);
  const first = mkdirSync(folder, { recursive: true });
  if (first && process.geteuid?.() === 0) {
    const { uid, gid } = statSync(path.dirname(first));
    for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
      chownSync(made, uid, gid);
      chmodSync(made, statSync(made).mode | 0o111);
    }
  }
  return realpathSync(folder);
}

/** True when the folder holds a finished cluster of this major version, false when there is nothing yet; throws what to do about anything else. */
function isCluster(folder: string, { major }: Program): boolean {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return false;
  const versionFile = path.join(folder, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw refusal(
      `${folder} holds files that are not a PostgreSQL database.`,
      'Move them away, or set TIPLEDGER_DATA to another folder',
    );
  }
  const made = readFileSync(versionFile, 'utf8').trim();
  if (made === String(major)) return true;
  throw refusal(
    `The database in ${folder} was made by PostgreSQL ${made}, and the packaged one is ${major}, which cannot read it.`,
    `Move that folder away to start with an empty database, or serve it with a PostgreSQL ${made} of your own`,
  );
}

function flushFolder(folder: string): void {
  const file = openSync(folder, 'r');
  fsyncSync(file);
  closeSync(file);
}

function whyNotMade(error: unknown, dataFolder: string): Error {
  const said = textOf(error, 'stderr') || String(error);
  return refusal(`PostgreSQL could not make its database in ${dataFolder}.`, remedyFor(said), { cause: error, said });
}

/** Removes what killed runs left half-made; one that a killed run's initdb is still filling may resist, and goes at a later start. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder).filter((found) => /^postgres(ql)?\.new-/.test(found))) {
    try {
      rmSync(path.join(folder, name), { recursive: true, force: true });
    } catch (error) {
      if (textOf(error, 'code') !== 'ENOTEMPTY') throw error;
    }
  }
}

/**
 * Makes the cluster where there is none, whole or not at all: a run that is killed leaves only a folder of another name. The caller holds the start lock.
 * Trust is safe for the socket, which lies inside the cluster's folder: PostgreSQL itself insists that only the owner may enter that.
 */
export async function ensureCluster(program: Program, cluster: string, say: (line: string) => void): Promise<void> {
  const parent = path.dirname(cluster);
  sweep(parent);
  if (isCluster(cluster, program)) return giveTo(program.account, cluster);
  say(`Preparing a private PostgreSQL in ${parent} (first start only)…`);
  const unfinished = mkdtempSync(path.join(parent, 'postgres.new-'));
  giveTo(program.account, unfinished);
  const initdb = path.join(program.binaries.folder, 'bin', 'initdb');
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${ownerRole}`, '--auth-local=trust', '--auth-host=reject'];
  try {
    await runAs(program.account, initdb, [`--pgdata=${unfinished}`, ...locale, ...access], initSeconds);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw whyNotMade(error, parent);
  }
  renameSync(unfinished, cluster);
  flushFolder(parent);
}
