'use client';

import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { restoreTyped, whenFormsAlive } from '../state/kept-typing';
import { showFeedback } from '../state/modals';
import { shownPathAtom } from '../state/shown-path';
import { viewerAtom } from '../state/viewer';

/** Gives a member who had to sign in anew what they had typed on the page before. */
export function TypedAgain() {
  const viewer = useAtomValue(viewerAtom);
  const path = useAtomValue(shownPathAtom);
  const username = viewer.kind === 'member' ? viewer.user.username : null;

  useEffect(() => {
    if (username === null) return undefined;
    return whenFormsAlive(() => {
      if (restoreTyped(username))
        showFeedback({ title: 'Nothing is lost', text: 'We kept what you had typed.', kind: 'success' });
    });
  }, [username, path]);

  return null;
}
