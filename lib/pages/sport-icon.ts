import { env } from '@/lib/platform/env';
import type { Sport } from '@/lib/reference/schema';

/** Spec §2.2: where the two icons of a sport lie, packaged with the site or under the address that TIPLEDGER_SPORT_ICONS names. */
export function sportIcon({ reference }: Pick<Sport, 'reference'>): { src: string; whiteSrc: string } {
  const base = env().TIPLEDGER_SPORT_ICONS;
  return { src: `${base}/${reference}.svg`, whiteSrc: `${base}/${reference}-white.svg` };
}
