import fc from 'fast-check';
import decodeQR from 'qr/decode.js';
import { qrPicture } from '@/lib/staff/rules/qr-code';
import { authenticatorAddress } from '@/lib/staff/rules/totp';

const pixelsOfModule = 4;

/** What a camera sees of a picture, light but for what its path draws. */
function photographed({ size, path }: ReturnType<typeof qrPicture>) {
  const side = size * pixelsOfModule;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let down = 0; down < pixelsOfModule; down++)
      for (let across = 0; across < pixelsOfModule; across++) {
        const pixel = (Number(y) * pixelsOfModule + down) * side + Number(x) * pixelsOfModule + across;
        data.fill(0, pixel * 4, pixel * 4 + 3);
      }
  return { width: side, height: side, data };
}

test('a camera reads the address of a key', () => {
  const address = authenticatorAddress('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'ada-of-the-staff', 'Tipledger');
  expect(decodeQR(photographed(qrPicture(address)))).toBe(address);
});

test('a camera reads any text of the length that addresses have', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{20,200}$/), (text) => {
      expect(decodeQR(photographed(qrPicture(text)))).toBe(text);
    }),
    { numRuns: 25 },
  );
});

test('four modules on every side stay light', () => {
  const { size, path } = qrPicture('otpauth://totp/Tipledger:ada?secret=ABCDEFGH');
  const places = [...path.matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
  expect(Math.min(...places)).toBe(4);
  expect(Math.max(...places)).toBe(size - 5);
});
