'use client';

import { useAtomValue } from 'jotai';
import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { routes } from '@/lib/routes';
import { addressNow } from '../state/auth-navigation';
import { recordedAtom } from '../state/bet-slip';
import { isOnlineAtom } from '../state/connection';
import { watchReplay } from '../state/edit-queue';
import { accessOf, viewerAtom } from '../state/viewer';
import { FormMessage } from '../ui/form-message';

/**
 * Asks the server for the page anew when settings change, in this tab or another: its times and odds are made there; when the member may read more or less than before; and when a bet was recorded. Where pages know
 * the member and the browser does not, as after signing in while script was switched off, it says how to go on.
 */
export function DashboardInStep() {
  const viewer = useAtomValue(viewerAtom);
  const isOnline = useAtomValue(isOnlineAtom);
  const router = useRouter();
  const shown = useRef<string | null>(null);
  const known = viewer.kind === 'member' ? JSON.stringify([viewer.settings, accessOf(viewer)]) : null;

  useEffect(() => {
    // Without a connection the router would leave the page for one that cannot come.
    if (!isOnline) return;
    if (known !== null && shown.current !== null && shown.current !== known) router.refresh();
    shown.current = known;
  }, [known, isOnline, router]);

  useEffect(
    () =>
      watchReplay(({ path }, outcome) => {
        if (path === '/user' && outcome === 'saved') router.refresh();
      }),
    [router],
  );

  const recorded = useAtomValue(recordedAtom);
  useEffect(() => {
    if (recorded > 0) router.refresh();
  }, [recorded, router]);

  if (viewer.kind !== 'guest') return null;
  return (
    <FormMessage kind="error">
      You logged in with JavaScript off, so nothing can be changed from here yet.{' '}
      <a href={routes.login({ redirect_to: addressNow() })}>Log in again</a> to change your account.
    </FormMessage>
  );
}
