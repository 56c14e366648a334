import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { formatNumber } from '@/lib/format';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { holdAccount } from '@/lib/platform/held-account';
import { Queue } from '@/lib/platform/queue';
import { singleton } from '@/lib/platform/singleton';
import { callAddress } from '@/lib/calls';
import { pictureFile, pictureKind, whyNotPicture } from './rules';
import { pictureLimits, type PictureUse, type UploadedPicture } from './schema';

type Picture = { hash: string; width: number; height: number; bytes: Buffer };

const refusal = (why: string, next: string) =>
  new Failure('invalid', `This picture cannot be taken: ${why}. ${next}`, { picture: why });

/**
 * Keeps a picture of the viewer's, made anew from its pixels alone (0030): whatever else was in the file, such as the place where it was taken,
 * is gone. The same picture again is the same file. Failure 'unauthorised', 'invalid' for what is no picture or too large, 'conflict' for one too many, 'unavailable' when too many wait to be made.
 */
export async function uploadPicture(
  viewer: Viewer,
  bytes: Uint8Array,
  now: Date,
  use: PictureUse = 'text',
): Promise<UploadedPicture> {
  requireMember(viewer);
  const { accountId } = viewer;
  const picture = await making().run(() => remake(bytes, use));
  const { hash, width, height } = picture;
  await transact(async () => {
    await holdAccount(accountId);
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from picture_upload where account_id = ${accountId} and hash <> ${hash}`.execute(
      database(),
    );
    if ((rows[0]?.count ?? 0) >= pictureLimits.perMember)
      throw new Failure(
        'conflict',
        `A member may keep ${pictureLimits.perMember} pictures. Use one that you have uploaded already.`,
      );
    await sql`insert into picture (hash, width, height, bytes) values (${hash}, ${width}, ${height}, ${picture.bytes}) on conflict (hash) do nothing`.execute(
      database(),
    );
    await sql`insert into picture_upload (account_id, hash, uploaded_at) values (${accountId}, ${hash}, ${now}) on conflict do nothing`.execute(
      database(),
    );
  });
  return { path: callAddress('GET /images/{file}', { params: { file: pictureFile(picture) } }), width, height };
}

/** Product §3: removes the pictures that an account alone uploaded. */
export async function deletePictures(accountId: number): Promise<void> {
  const { rows } = await sql<{
    hash: string;
  }>`delete from picture_upload where account_id = ${accountId} returning hash`.execute(database());
  const hashes = rows.map(({ hash }) => hash);
  await sql`delete from picture where hash = any(${hashes}::text[]) and not exists (select 1 from picture_upload where picture_upload.hash = picture.hash)`.execute(
    database(),
  );
}

/** The library of pictures, which a start does without (0097). */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // 0050: a picture of the most pixels takes some 150 MB while it is made anew. One thread each and nothing kept, so that the memory comes back.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

const making = () => singleton('pictures', () => new Queue({ atOnce: 2, waiting: 16 }));

const otherPicture = 'Use a JPEG, PNG or WebP picture, saved anew by a picture program if need be.';
const secondsToDecode = 10;

async function remake(bytes: Uint8Array, use: PictureUse): Promise<Picture> {
  const kind = pictureKind(bytes);
  if (!kind) throw refusal('it is no JPEG, PNG or WebP', otherPicture);
  const why = whyNotPicture(bytes, kind);
  if (why) throw refusal(why, otherPicture);
  const sharp = await loadSharp();
  const { width, height, format, pages } = await decode(() => sharp(bytes, { limitInputPixels: false }).metadata());
  if (format !== kind) throw refusal('it is not what it says', otherPicture);
  if (width > pictureLimits.side || height > pictureLimits.side || width * height > pictureLimits.pixels) {
    const size = `${formatNumber(width)} × ${formatNumber(height)}`;
    throw refusal(`it has ${size} pixels`, `Use one of ${pictureLimits.pixels / 1_000_000} million pixels at most.`);
  }
  if ((pages ?? 1) > 1) throw refusal('it moves', 'Use one that stands still.');
  const { madeSide, faceSide, pixels } = pictureLimits;
  const side = use === 'face' ? faceSide : madeSide;
  const made = await decode(() =>
    sharp(bytes, { limitInputPixels: pixels, failOn: 'error', sequentialRead: true })
      .timeout({ seconds: secondsToDecode })
      .rotate()
      .resize({
        width: side,
        height: side,
        fit: use === 'face' ? 'cover' : 'inside',
        withoutEnlargement: use === 'text',
      })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true }),
  );
  return {
    hash: createHash('sha256').update(made.data).digest('hex'),
    width: made.info.width,
    height: made.info.height,
    bytes: made.data,
  };
}

async function decode<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw refusal('it is damaged', otherPicture);
  }
}
