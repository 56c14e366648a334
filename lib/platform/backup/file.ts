import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Header, pack, type Pack } from 'tar-stream';
import { z } from 'zod';
import { BackupProblem, type CopiedTable, type Manifest, manifestSchema, type Summary, summarySchema } from './schema';

const pieceBytes = 4 * 1024 * 1024;
const mostTextBytes = 16 * 1024 * 1024;
const keyFolder = 'keys/';

/** Where the parts of a backup are put while it is written: the table's bytes as they come, and at the end what they came to. */
export type BackupWriter = {
  writeManifest(manifest: Manifest): Promise<void>;
  writeTable(table: CopiedTable, bytes: AsyncIterable<Buffer>): Promise<Summary['tables'][number]>;
  writeKey(name: string, text: string): Promise<void>;
  writeSummary(summary: Summary): Promise<void>;
};

const digestOf = (value: object) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

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

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

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

/** Moves a file of the data folder out of the way, under a name that tells when. */
export async function setAside(file: string, at: Date): Promise<string> {
  const aside = `${file}.before-${at.toISOString().replace(/[:.]/g, '-')}`;
  await rename(file, aside);
  return aside;
}

/** Who takes the parts of a backup as they are read; `begin` comes first and `end` last, once every table was what the summary says. */
export type BackupReader = {
  begin(manifest: Manifest): Promise<void>;
  takeTable(table: CopiedTable, bytes: AsyncIterable<Buffer>): Promise<void>;
  takeKey(name: string, text: string): Promise<void>;
  end(summary: Summary): Promise<void>;
};

/** A part of the file as the archive gives it. */
type Part = { header: Header; bytes: AsyncIterable<Buffer> };

const noBackup = (file: string) =>
  new BackupProblem(`${file} is not a backup of Tipledger. Name a file that "npm run backup" wrote.`);
const broken = (file: string, what: string) =>
  new BackupProblem(
    `${file} is damaged: ${what}. Nothing was restored; take another copy of it, or an earlier backup.`,
  );

async function textOf({ header, bytes }: Part): Promise<string> {
  if ((header.size ?? 0) > mostTextBytes)
    throw new BackupProblem('The file has a part that is too large for what it says it is.');
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function manifestOf(file: string, text: string): Manifest {
  const claimed = parsed(z.looseObject({ format: z.literal('tipledger-backup') }), text);
  if (!claimed) throw noBackup(file);
  const { sha256, ...said } = JSON.parse(text) as Record<string, unknown>;
  if (said.version === 1)
    throw new BackupProblem(
      `${file} was made by an older release of Tipledger (format 1). Restore it with that release and back it up with this one.`,
    );
  if (sha256 !== digestOf(said)) throw broken(file, 'its beginning is not what was written');
  if (said.version !== 2)
    throw new BackupProblem(
      `${file} was made by a newer release of Tipledger (format ${said.version}). Restore it with that release.`,
    );
  const manifest = parsed(manifestSchema, text);
  if (!manifest) throw broken(file, 'its list of tables cannot be read');
  return manifest;
}

/** Reads a backup from its beginning to its end; throws a BackupProblem for a file that is empty, foreign, cut off, altered or newer, after which nothing of it may be kept. */
export async function readBackupFile(file: string, reader: BackupReader): Promise<void> {
  const from = extract();
  const gunzip = createGunzip();
  const source = createReadStream(file);
  const streamed = pipeline(source, gunzip, from);
  // Its failure is that of the loop below, which reads what it writes.
  streamed.catch(() => undefined);
  const manifests: Manifest[] = [];
  try {
    await readParts(file, partsOf(from), reader, manifests);
    await streamed;
  } catch (error) {
    from.destroy();
    source.destroy();
    if (error instanceof BackupProblem) throw error;
    const streamProblem = await streamed.then(
      () => null,
      (problem: unknown) => problem,
    );
    throw explained(
      file,
      streamProblem && !/premature close|destroyed/i.test(String(streamProblem)) ? streamProblem : error,
      source.bytesRead,
      manifests.length > 0,
    );
  }
}

async function* partsOf(archive: ReturnType<typeof extract>): AsyncGenerator<Part> {
  for await (const entry of archive) yield { header: entry.header, bytes: entry as unknown as AsyncIterable<Buffer> };
}

function explained(file: string, error: unknown, bytesRead: number, begun: boolean): unknown {
  const code = codeOf(error);
  if (code === 'ENOENT') return new BackupProblem(`There is no file ${file}.`);
  if (['EACCES', 'EISDIR', 'EPERM', 'EIO'].includes(code))
    return new BackupProblem(`${file} cannot be read (${code}).`);
  if (code === 'Z_BUF_ERROR' && bytesRead === 0) return new BackupProblem(`${file} is empty.`);
  if (code === 'Z_BUF_ERROR') return broken(file, 'its end is missing');
  if (code.startsWith('Z_')) return begun ? broken(file, 'its content is not what was written') : noBackup(file);
  if (/tar|header|unexpected end/i.test(String((error as Error).message)))
    return begun ? broken(file, 'its content is not what was written') : noBackup(file);
  return error;
}

async function readParts(
  file: string,
  parts: AsyncGenerator<Part>,
  reader: BackupReader,
  manifests: Manifest[],
): Promise<void> {
  const first = await parts.next();
  if (first.done || first.value.header.name !== 'manifest.json') throw noBackup(file);
  const manifest = manifestOf(file, await textOf(first.value));
  manifests.push(manifest);
  await reader.begin(manifest);
  const found: Summary['tables'] = [];
  let summary: Summary | null = null;
  let next = await parts.next();
  while (!next.done) {
    if (summary) throw broken(file, 'something stands after its end');
    const { header } = next.value;
    if (header.name === 'summary.json') {
      summary = parsed(summarySchema, await textOf(next.value));
      if (!summary) throw broken(file, 'its end cannot be read');
      next = await parts.next();
    } else if (header.name.startsWith(keyFolder)) {
      await reader.takeKey(header.name.slice(keyFolder.length), await textOf(next.value));
      next = await parts.next();
    } else {
      const table = manifest.tables.find(({ name }) => header.name.startsWith(`data/${name}/`));
      if (!table || found.some(({ name }) => name === table.name))
        throw broken(file, `${header.name.slice(0, 100)} stands where it does not belong`);
      const pieces = new TablePieces(parts, next.value, `data/${table.name}/`);
      await reader.takeTable(table, pieces.bytes());
      if (!pieces.ended) throw broken(file, `the table ${table.name} was not read to its end`);
      found.push({ name: table.name, rows: pieces.rows, bytes: pieces.count, sha256: pieces.digest() });
      next = pieces.following;
    }
  }
  if (!summary) throw broken(file, 'its end is missing');
  for (const table of manifest.tables) {
    const said = summary.tables.find(({ name }) => name === table.name);
    const seen = found.find(({ name }) => name === table.name) ?? {
      rows: 0,
      sha256: createHash('sha256').digest('hex'),
    };
    if (said?.sha256 !== seen.sha256 || said.rows !== seen.rows)
      throw broken(file, `the table ${table.name} is not what was written`);
  }
  if (summary.tables.length !== manifest.tables.length)
    throw broken(file, 'it ends with other tables than it began with');
  await reader.end(summary);
}

/** The bytes of a table through all its pieces, with what they come to. */
class TablePieces {
  readonly #parts: AsyncGenerator<Part>;
  readonly #first: Part;
  readonly #prefix: string;
  readonly #hash = createHash('sha256');
  rows = 0;
  count = 0;
  ended = false;
  following: IteratorResult<Part> = { done: true, value: undefined };

  constructor(parts: AsyncGenerator<Part>, first: Part, prefix: string) {
    this.#parts = parts;
    this.#first = first;
    this.#prefix = prefix;
  }

  async *bytes(): AsyncGenerator<Buffer> {
    let part: Part | null = this.#first;
    while (part) {
      for await (const chunk of part.bytes) {
        this.#hash.update(chunk);
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.rows += 1;
        this.count += chunk.length;
        yield chunk;
      }
      this.following = await this.#parts.next();
      part =
        !this.following.done && this.following.value.header.name.startsWith(this.#prefix) ? this.following.value : null;
    }
    this.ended = true;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
