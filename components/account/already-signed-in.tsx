'use client';

import { useLazy } from '../state/use-lazy';

const load = () => import('./go-on-as-member');

/** Where a member comes to the login, as when the cookie of the pages has gone, sends them on; shows nothing to a guest. */
export function AlreadySignedIn({ redirectTo }: { redirectTo: string }) {
  const parts = useLazy(load);
  return parts && <parts.GoOnAsMember redirectTo={redirectTo} />;
}
