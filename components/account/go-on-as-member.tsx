'use client';

import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { leaveFor } from '../state/auth-navigation';
import { refresh } from '../state/session';
import { recall, remember } from '../state/tab-storage';
import { viewerAtom } from '../state/viewer';
import { FormMessage } from '../ui/form-message';

const key = 'tipledger:sent-on';
const gapMilliseconds = 60_000;

/** Sends on once a minute at most, and not at all where that cannot be remembered: without cookies the pages would only send back. */
function maySendOn(): boolean {
  const last = Number(recall(key) ?? 0);
  if (Date.now() - last < gapMilliseconds) return false;
  return remember(key, String(Date.now()));
}

/** Renews the tokens of a member, and with them the cookie by which pages know who looks, then leaves for where they wanted to go. */
export function GoOnAsMember({ redirectTo }: { redirectTo: string }) {
  const viewer = useAtomValue(viewerAtom);
  const first = useRef<'guest' | 'member' | null>(null);

  useEffect(() => {
    if (viewer.kind === 'unknown' || first.current) return;
    first.current = viewer.kind;
    if (viewer.kind === 'member' && viewer.user.emailConfirmed && maySendOn()) {
      void refresh().then((isRenewed) => {
        if (isRenewed) leaveFor(redirectTo);
      });
    }
  }, [viewer, redirectTo]);

  if (viewer.kind !== 'member') return null;
  return (
    <FormMessage kind="success">
      You are logged in as {viewer.user.username}. <a href={redirectTo}>Go on</a>
    </FormMessage>
  );
}
