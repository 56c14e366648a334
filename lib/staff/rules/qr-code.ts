import encodeQR from 'qr';
import type { QrPicture } from '../schema/factor';

/** ISO/IEC 18004: light modules on every side, without which cameras do not find the code. */
const quietZone = 4;

/** A text as a QR code that is read with up to 15 % of it hidden: a square of modules with its quiet zone, and the path of the dark ones. */
export function qrPicture(text: string): QrPicture {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const path = rows.flatMap((modules, y) => modules.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { size: rows.length, path };
}
