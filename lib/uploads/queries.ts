import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { readPictureFile } from './rules';

/** The bytes of a picture, by the name of its file; Failure 'missing' when there is none. */
export async function getPicture(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const named = readPictureFile(file);
  const { rows } = named
    ? await sql<{
        bytes: Buffer;
      }>`select bytes from picture where hash = ${named.hash} and width = ${named.width} and height = ${named.height}`.execute(
        database(),
      )
    : { rows: [] };
  if (!rows[0]) throw new Failure('missing', 'There is no such picture.');
  return new Uint8Array(rows[0].bytes);
}
