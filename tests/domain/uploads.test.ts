import { sql } from 'kysely';
import sharp from 'sharp';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { changePortfolio } from '@/lib/portfolios/commands';
import { getPortfolio } from '@/lib/portfolios/queries';
import { deletePictures, uploadPicture } from '@/lib/uploads/commands';
import { getPicture } from '@/lib/uploads/queries';
import { onTestDatabase, undone } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

const draw = (width = 60, height = 40) => sharp({ create: { width, height, channels: 3, background: '#233f8f' } });
const fileOf = (path: string) => path.split('/').at(-1) ?? '';
const refused = (words: string) => ({
  kind: 'invalid',
  message: expect.stringContaining(words),
  fields: { picture: expect.any(String) },
});

test(
  'a picture is made anew: turned as it should be, bounded, without where and how it was taken',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const taken = await draw(2400, 1200)
      .withExif({ IFD0: { Copyright: 'Secret Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(taken).metadata()).exif).toBeDefined();
    const { path, width, height } = await uploadPicture(bob, taken, worldNow);
    expect([width, height]).toEqual([800, 1600]);
    const made = await getPicture(fileOf(path));
    const facts = await sharp(made).metadata();
    expect([facts.format, facts.exif, facts.xmp, facts.icc, facts.orientation]).toEqual([
      'webp',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(Buffer.from(made).includes('Secret Camera')).toBe(false);
  }),
);

test(
  'a face is a square of the middle, which its owner alone shows a portfolio by',
  undone(async () => {
    const { owner, reference } = await openShop('ann', { name: 'Ann tips' }, worldNow);
    const other = await openShop('bob', { name: 'Bob tips' }, worldNow);
    const taken = await draw(900, 400).jpeg().toBuffer();
    const face = await uploadPicture(owner, taken, worldNow, 'face');
    expect([face.width, face.height]).toEqual([256, 256]);
    const picture = fileOf(face.path);
    await changePortfolio(owner, { reference, picture }, 'face', worldNow);
    expect((await getPortfolio(guest(), reference)).picture).toBe(picture);
    const inText = fileOf((await uploadPicture(owner, taken, worldNow)).path);
    const nobodys = `${'a'.repeat(64)}-256x256.webp`;
    for (const [viewer, own, wrong] of [
      [owner, reference, inText],
      [owner, reference, nobodys],
      [other.owner, other.reference, picture],
    ] as const)
      await expect(changePortfolio(viewer, { reference: own, picture: wrong }, wrong, worldNow)).rejects.toMatchObject({
        kind: 'invalid',
        fields: { picture: expect.any(String) },
      });
    await changePortfolio(owner, { reference, name: 'Ann again' }, 'name', worldNow);
    expect((await getPortfolio(guest(), reference)).picture).toBe(picture);
    await changePortfolio(owner, { reference, picture: null }, 'none', worldNow);
    expect((await getPortfolio(guest(), reference)).picture).toBeNull();
  }),
);

test(
  'what is no picture, moves, is damaged or is a bomb is refused in words',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const frames = Buffer.from(Array.from({ length: 600 }, (_, index) => (index < 300 ? 250 : 5)));
    const moving = await sharp(frames, { raw: { width: 10, height: 20, channels: 3, pageHeight: 10 } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    const png = await draw().png().toBuffer();
    const jpeg = await draw(600, 400).jpeg().toBuffer();
    await expect(uploadPicture(bob, Buffer.from('<svg onload="alert(1)"/>'), worldNow)).rejects.toMatchObject(
      refused('no JPEG, PNG or WebP'),
    );
    await expect(uploadPicture(bob, Buffer.concat([png, Buffer.from('<html >')]), worldNow)).rejects.toMatchObject(
      refused('does not end'),
    );
    await expect(uploadPicture(bob, png.subarray(0, 20), worldNow)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(uploadPicture(bob, jpeg.subarray(0, jpeg.length / 2), worldNow)).rejects.toMatchObject(
      refused('damaged'),
    );
    await expect(
      uploadPicture(bob, await draw(10_000, 10_000).png({ compressionLevel: 9 }).toBuffer(), worldNow),
    ).rejects.toMatchObject(refused('10,000 × 10,000 pixels'));
    await expect(uploadPicture(bob, moving, worldNow)).rejects.toMatchObject(refused('it moves'));
    await expect(uploadPicture(guest(), png, worldNow)).rejects.toMatchObject({ kind: 'unauthorised' });
    const { rows } = await sql`select 1 from picture`.execute(database());
    expect(rows).toEqual([]);
  }),
);

test(
  'a member who goes takes the pictures along that nobody else uploaded',
  undone(async () => {
    const [bob, cat] = [await join('bob', worldNow), await join('cat', worldNow)];
    const shared = await draw().png().toBuffer();
    const both = [await uploadPicture(bob, shared, worldNow), await uploadPicture(cat, shared, worldNow)];
    const own = await uploadPicture(bob, await draw(7, 7).png().toBuffer(), worldNow);
    expect(both[0]).toEqual(both[1]);
    await deletePictures(bob.accountId);
    await expect(getPicture(fileOf(own.path))).rejects.toMatchObject({ kind: 'missing' });
    await expect(getPicture(fileOf(both[0]?.path ?? ''))).resolves.toBeInstanceOf(Uint8Array);
  }),
);

test(
  'a picture of more pixels than are taken is refused by a sentence that says how many are, before it is decoded',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const large = await draw(6_000, 4_001).png({ compressionLevel: 9 }).toBuffer();
    await expect(uploadPicture(bob, large, worldNow)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/6,000 × 4,001 pixels.*24 million pixels at most/),
    });
  }),
);

test(
  'many at once are made two at a time; beyond those that may wait one is told to come back, and none is lost',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const drawn = await Promise.all(
      Array.from({ length: 24 }, (_, count) =>
        draw(900 + count, 900)
          .jpeg()
          .toBuffer(),
      ),
    );
    const ends = await Promise.allSettled(drawn.map((bytes) => uploadPicture(bob, bytes, worldNow)));
    const refusedEnds = ends.filter((end) => end.status === 'rejected');
    expect(refusedEnds.map(({ reason }) => (reason as { kind: string }).kind)).toEqual(
      Array.from({ length: 6 }, () => 'unavailable'),
    );
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from picture_upload where account_id = ${bob.accountId}`.execute(database());
    expect(rows[0]?.count).toBe(18);
    await expect(uploadPicture(bob, drawn[23] ?? Buffer.of(), worldNow)).resolves.toMatchObject({ width: 923 });
  }),
);
