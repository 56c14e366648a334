/** @jest-environment node */
import sharp from 'sharp';
import { pictureFile, pictureKind, readPictureFile, whyNotPicture } from '@/lib/uploads/rules';

const draw = () => sharp({ create: { width: 30, height: 20, channels: 3, background: '#a6262b' } });
const files = {
  png: () => draw().png().toBuffer(),
  jpeg: () => draw().jpeg().toBuffer(),
  webp: () => draw().webp().toBuffer(),
};
const kinds = Object.keys(files) as (keyof typeof files)[];

test.each(kinds)('a %s is what it is, and is whole', async (kind) => {
  const bytes = await files[kind]();
  expect([pictureKind(bytes), whyNotPicture(bytes, kind)]).toEqual([kind, null]);
});

test.each(kinds)('a %s that goes on as a page, a program or an archive is refused', async (kind) => {
  const bytes = await files[kind]();
  for (const more of [
    '<script>alert(1)</script>',
    '<HTML ><body>',
    '<svg/onload=alert(1)>',
    '<?php system("id");',
    '%PDF-1.7',
    `PK\u0003\u0004 PK\u0005\u0006${'\0'.repeat(18)}`,
  ]) {
    expect(whyNotPicture(Buffer.concat([bytes, Buffer.from(more, 'latin1')]), kind)).toEqual(expect.any(String));
  }
});

test('a PNG with a page in its text, and one whose chunks lead nowhere, are refused', async () => {
  const bytes = await files.png();
  const text = Buffer.from('Comment\0<script>alert(1)</script>');
  const chunk = Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from('tEXt'), text, Buffer.alloc(4)]);
  expect(whyNotPicture(Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)]), 'png')).toMatch(/besides/);
  expect(
    whyNotPicture(
      Buffer.concat([bytes.subarray(0, 33), Buffer.from([0xff, 0xff, 0xff, 0xff]), bytes.subarray(33)]),
      'png',
    ),
  ).toMatch(/end/);
});

test.each([
  ['nothing', ''],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a page', '<!doctype html><p>'],
  ['GIF', 'GIF89a<script>'],
  ['BMP', 'BM'],
  ['PDF', '%PDF-1.7'],
  ['a RIFF that is sound', 'RIFF\0\0\0\0WAVE'],
  ['half a mark', '\u0089PN'],
])('%s is no picture', (_, text) => {
  expect(pictureKind(Buffer.from(text, 'latin1'))).toBeNull();
});

test('the name of its file says what a picture is, and no other name says anything', () => {
  const picture = { hash: 'ab'.repeat(32), width: 1600, height: 9 };
  expect(readPictureFile(pictureFile(picture))).toEqual(picture);
  for (const file of [
    '',
    'x.webp',
    `${'ab'.repeat(32)}-0x9.webp`,
    `${'ab'.repeat(32)}-16x9.webp\n`,
    `../${pictureFile(picture)}`,
  ])
    expect(readPictureFile(file)).toBeNull();
});
