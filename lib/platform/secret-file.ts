import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

const isMissing = (error: unknown) => (error as { code?: unknown }).code === 'ENOENT';

function flushFolder(folder: string): void {
  const file = openSync(folder, 'r');
  fsyncSync(file);
  closeSync(file);
}

const ownerOf = (file: string) => statSync(file, { throwIfNoEntry: false });

// Root writes for whoever runs the site: the file is theirs whose it was, or whose folder it is.
function giveToOwner(handle: number, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = ownerOf(file) ?? statSync(path.dirname(file));
  fchownSync(handle, uid, gid);
}

// Whole and on the disk under another name first, so that whoever finds the file finds all of it.
function writeBeside(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.new-${randomBytes(6).toString('hex')}`;
  const handle = openSync(unfinished, 'wx', 0o600);
  try {
    giveToOwner(handle, file);
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return unfinished;
}

/** The text of a file, or null where there is none. */
export function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Writes a file that only this user may read, whole or not at all and on the disk when it returns; false, and nothing is written, where there is one. */
export function createSecretFile(file: string, text: string): boolean {
  const unfinished = writeBeside(file, text);
  try {
    linkSync(unfinished, file);
    flushFolder(path.dirname(file));
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Why such a file cannot be written, as the code of the system's error, or null; its folder is not made. */
export function whyNotWritable(file: string): string | null {
  let folder = path.dirname(file);
  while (!existsSync(folder)) folder = path.dirname(folder);
  const tried = path.join(folder, `${path.basename(file)}.new-${randomBytes(6).toString('hex')}`);
  try {
    closeSync(openSync(tried, 'wx', 0o600));
    rmSync(tried);
    return null;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

/** Removes such a file, where there is one. */
export function removeSecretFile(file: string): void {
  rmSync(file, { force: true });
}

/** Puts a text in the place of a file that only this user may read, whole or not at all, and on the disk when it returns. */
export function replaceSecretFile(file: string, text: string): void {
  renameSync(writeBeside(file, text), file);
  flushFolder(path.dirname(file));
}

/** Moves a file out of the way, under a name that tells when. */
export function setAside(file: string, at: Date): string {
  const aside = `${file}.before-${at.toISOString().replace(/[:.]/g, '-')}`;
  renameSync(file, aside);
  return aside;
}
