import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, lstat, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { codeOf, digestOf, keyFolder } from './parts';
import { BackupProblem, type CopiedTable, type Manifest, type Summary } from './schema';

const pieceBytes = 4 * 1024 * 1024;

/** Where the parts of a backup are put while it is written: the table's bytes as they come, and at the end what they came to. */
export type BackupWriter = {
  writeManifest(manifest: Manifest): Promise<void>;
  writeTable(table: CopiedTable, bytes: AsyncIterable<Buffer>): Promise<Summary['tables'][number]>;
  writeKey(name: string, text: string): Promise<void>;
  writeSummary(summary: Summary): Promise<void>;
};

function writerTo(into: Pack): BackupWriter {
  const put = (name: string, bytes: Buffer | string) =>
    new Promise<void>((resolve, reject) => {
      const entry = into.entry({ name, size: Buffer.byteLength(bytes), mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      );
      // A file that can take no more destroys the archive, and every part of it under way with an event of its own.
      entry.on('error', reject);
      entry.end(bytes);
    });
  return {
    writeManifest: (manifest) =>
      put('manifest.json', `${JSON.stringify({ ...manifest, sha256: digestOf(manifest) }, null, 1)}\n`),
    writeKey: (name, text) => put(`${keyFolder}${name}`, text),
    writeSummary: (summary) => put('summary.json', `${JSON.stringify(summary, null, 1)}\n`),
    writeTable: async ({ name }, bytes) => {
      const hash = createHash('sha256');
      let [rows, written, pieces, waiting, kept] = [0, 0, 0, 0, [] as Buffer[]];
      const flush = async () => {
        if (waiting === 0) return;
        const piece = Buffer.concat(kept);
        [waiting, kept] = [0, []];
        pieces += 1;
        await put(`data/${name}/${String(pieces).padStart(6, '0')}.copy`, piece);
      };
      for await (const chunk of bytes) {
        hash.update(chunk);
        // COPY writes a line break within a value as \n, so each byte of one ends a row.
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
        written += chunk.length;
        waiting += chunk.length;
        kept.push(chunk);
        if (waiting >= pieceBytes) await flush();
      }
      await flush();
      return { name, rows, bytes: written, sha256: hash.digest('hex') };
    },
  };
}

const leftMilliseconds = 15 * 60_000;

/** Begins a file of this user alone; one that a backup began in its folder, and that nobody has written to for a quarter of an hour, was left by a program that was killed, with all that members entrusted to it, and is removed. */
async function begin(unfinished: string): Promise<void> {
  const handle = await open(unfinished, 'wx', 0o600);
  const own = await handle.stat().finally(() => handle.close());
  const folder = path.dirname(unfinished);
  // A folder that may not be listed is left as it is.
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/\.new-[0-9a-f]{12}$/.test(name)) continue;
    const file = path.join(folder, name);
    const found = await lstat(file).catch(() => null);
    if (found === null || !found.isFile() || found.uid !== own.uid || (found.mode & 0o777) !== 0o600) continue;
    if (own.mtimeMs - found.mtimeMs > leftMilliseconds) await rm(file, { force: true }).catch(() => undefined);
  }
}

/** Writes a backup under a name that is not there yet, whole or not at all, for this user alone, and on the disk when it returns. */
export async function writeBackupFile(file: string, fill: (writer: BackupWriter) => Promise<void>): Promise<void> {
  const unfinished = `${file}.new-${randomBytes(6).toString('hex')}`;
  const into = pack();
  const failed = (error: unknown) => into.destroy(error as Error);
  try {
    await begin(unfinished);
    const filled = fill(writerTo(into)).then(() => into.finalize());
    filled.catch(failed);
    await Promise.all([
      pipeline(into, createGzip(), createWriteStream(unfinished, { flags: 'a', flush: true })),
      filled,
    ]);
    await link(unfinished, file);
    await flushFolder(path.dirname(file));
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new BackupProblem(`${file} is there already. Name another file; a backup is never written over.`);
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOSPC', 'EDQUOT'].includes(codeOf(error)))
      throw new BackupProblem(
        `${file} cannot be written (${codeOf(error)}). Name a place that this user may write to and that has room.`,
      );
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
