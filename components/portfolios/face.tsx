import { callAddress } from '@/lib/calls';
import styles from './face.module.scss';

type FaceProps = { reference: string; picture: string | null; size?: 'small' | 'medium' | 'large' };

const pixels = { small: 32, medium: 44, large: 72 };

// Silks as owners of racehorses wear them: two colours in one of these patterns, on a ground of 24 by 24.
const patterns = [
  'M0 0h12v24h-12z',
  'M0 0h12v12h-12z M12 12h12v12h-12z',
  'M0 4h24v5h-24z M0 15h24v5h-24z',
  'M4 0h5v24h-5z M15 0h5v24h-5z',
  'M0 4l12 9l12-9v7l-12 9l-12-9z',
  'M0 0h8l16 16v8h-8l-16-16z',
  'M12 3l9 9l-9 9l-9-9z',
  'M9 0h6v9h9v6h-9v9h-6v-9h-9v-6h9z',
  'M0 0l12 12l12-12z M0 24l12-12l12 12z',
  'M12 5a7 7 0 1 0 0.01 0z',
];
const colours = 6;

/** FNV-1a over the reference, so that a mark stays what it is on every page, server and day. */
function hashOf(reference: string): number {
  let hash = 2_166_136_261;
  for (const letter of reference) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash >>> 0;
}

/** What a tipster is known by at a glance, beside the name: the picture that they uploaded, else silks drawn of the portfolio's reference. */
export function Face({ reference, picture, size = 'medium' }: FaceProps) {
  if (picture)
    return (
      <img
        className={styles.face}
        data-size={size}
        src={callAddress('GET /images/{file}', { params: { file: picture } })}
        width={pixels[size]}
        height={pixels[size]}
        loading="lazy"
        alt=""
      />
    );
  const hash = hashOf(reference);
  const ground = hash % colours;
  const over = (ground + 1 + ((hash >>> 8) % (colours - 1))) % colours;
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={styles.face} data-size={size}>
      <path d="M0 0h24v24h-24z" className={styles[`colour${ground}`]} />
      <path d={patterns[(hash >>> 16) % patterns.length]} className={styles[`colour${over}`]} />
    </svg>
  );
}
