import { env } from '@/lib/platform/env';

/** The page of ours that a request comes from, by what it says of `referer` and `host`: the name that we go by counts, and whichever the visitor knows us by (0113); null from elsewhere. */
export function ownReferer({ referer, host }: { referer?: string | null; host?: string | null }): URL | null {
  const from = URL.parse(referer ?? '');
  const isOurs = from !== null && (from.host === host || from.origin === new URL(env().siteUrl).origin);
  return isOurs ? from : null;
}
