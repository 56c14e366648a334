import { getDefaultStore } from 'jotai';
import { alertsAppAtom } from './preferences';
import { readStored, removeStored, writeStored } from './storage';

const key = 'affiliate';
const dayMilliseconds = 86_400_000;
const longestCode = 64;

/** Spec §5: an affiliate code without anything but letters and digits; null when nothing is left. */
export function cleanAffiliateCode(given: string): string | null {
  return given.replace(/[^a-zA-Z0-9]/g, '').slice(0, longestCode) || null;
}

/** Spec §5: the code in what was stored; null when it is expired, its expiry cannot be read, or it is none. */
export function affiliateCodeIn(stored: unknown, now: number): string | null {
  if (typeof stored !== 'object' || stored === null || !('code' in stored) || !('expiresAt' in stored)) return null;
  const { code, expiresAt } = stored;
  if (typeof code !== 'string' || typeof expiresAt !== 'string' || !(Date.parse(expiresAt) > now)) return null;
  return cleanAffiliateCode(code);
}

/** The affiliate that the visitor came by; one that is not valid any more is removed. */
export async function readAffiliateCode(now = Date.now()): Promise<string | null> {
  const stored = await readStored(key);
  const code = affiliateCodeIn(stored, now);
  if (code === null && stored !== undefined) await removeStored(key);
  return code;
}

/** Spec §5: keeps what an address carries: `ref-a` for so many days, and `alerts-app`, of which 1 means on and anything else off. */
export async function keepAddressParameters(search: string, affiliateDays: number, now = Date.now()): Promise<void> {
  const parameters = new URLSearchParams(search);
  const code = cleanAffiliateCode(parameters.get('ref-a') ?? '');
  if (code) {
    await writeStored(key, { code, expiresAt: new Date(now + affiliateDays * dayMilliseconds).toISOString() });
    countVisit(code);
  } else await readAffiliateCode(now);
  const alerts = parameters.get('alerts-app');
  if (alerts !== null) await getDefaultStore().set(alertsAppAtom, alerts === '1');
}

/** Product §8: tells that somebody came by an affiliate's link: the code and nothing of the visitor. A visit that is not counted stops nothing. */
function countVisit(code: string): void {
  void import('./api')
    .then(({ api }) => api('POST /affiliates/visits', { body: { code }, bearer: 'none' }))
    .catch(() => undefined);
}
