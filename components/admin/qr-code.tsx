import type { QrPicture } from '@/lib/staff/schema';
import styles from './qr-code.module.scss';

/** A QR code for a camera, dark on light whatever the colours of the page, as many cameras read no other. */
export function QrCode({ picture, label }: { picture: QrPicture; label: string }) {
  const { size, path } = picture;
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
