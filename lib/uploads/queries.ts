import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { readPictureFile } from './rules';

/** True when an account uploaded the picture of this SHA-256. */
export async function hasUploaded(accountId: number, hash: string): Promise<boolean> {
  const { rows } = await sql`select 1 from picture_upload where account_id = ${accountId} and hash = ${hash}`.execute(
    database(),
  );
  return rows.length > 0;
}

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
