import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { z } from 'zod';
import { codeOf, digestOf, keyFolder } from './parts';
import { BackupProblem, type CopiedTable, type Manifest, manifestSchema, type Summary, summarySchema } from './schema';

const mostTextBytes = 16 * 1024 * 1024;

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
