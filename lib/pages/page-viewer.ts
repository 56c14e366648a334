import { cookies } from 'next/headers';
import { cache } from 'react';
import type { Viewer } from '@/lib/access/schema';
import { formCookieName, sessionCookieName } from '@/lib/accounts/schema';
import { now } from '@/lib/platform/clock';
import type { CallPath } from '@/lib/calls';
import { type FormFlash, readFlashCookie } from '@/lib/http/form-flash';
import { viewerOfCookie } from '@/lib/http/viewer-identity';

/** Who looks at a private page, by the session cookie; a guest without one that holds. Read once a request. */
export const pageViewer = cache(
  async (): Promise<Viewer> => viewerOfCookie((await cookies()).get(sessionCookieName)?.value ?? null, now()),
);

/** What a form of this call (its path under /api) was refused with a moment ago, for its page; null when none was. */
export async function readFlash(...calls: readonly CallPath[]): Promise<Omit<FormFlash, 'call'> | null> {
  return readFlashCookie((await cookies()).get(formCookieName)?.value, calls);
}
