'use client';

import { useAtomValue } from 'jotai';
import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { restoreTyped } from '../state/kept-typing';
import { showFeedback } from '../state/modals';
import { viewerAtom } from '../state/viewer';

/** Gives a member who had to sign in anew what they had typed on the page before. */
export function TypedAgain() {
  const viewer = useAtomValue(viewerAtom);
  const path = usePathname();
  const username = viewer.kind === 'member' ? viewer.user.username : null;

  useEffect(() => {
    if (username !== null && restoreTyped(username))
      showFeedback({ title: 'Nothing is lost', text: 'What you had typed here is back.', kind: 'success' });
  }, [username, path]);

  return null;
}
