import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { routes } from '@/lib/routes';
import { dropIntent, type Intent, readIntent } from '../state/after-login';
import { ApiError } from '../state/api';
import { follow } from '../state/auth-user';
import { openModal, showFeedback } from '../state/modals';
import { shownPathAtom } from '../state/shown-path';
import { hasBeenGuest, viewerAtom } from '../state/viewer';
import { showWelcome } from '../state/welcome';
import { queuedMessage } from './settings-messages';

async function carryOut(intent: Intent): Promise<void> {
  if (intent.kind === 'slip') {
    await dropIntent();
    openModal('bet slip', {});
    return;
  }
  const { portfolioReference, name } = intent;
  try {
    const written = await follow(portfolioReference);
    await dropIntent();
    showFeedback({
      ...(written === 'queued' ? queuedMessage : { title: 'Following', text: `You now follow ${name}.` }),
      kind: 'success',
    });
    if (written === 'saved') showWelcome({ portfolioReference, name });
  } catch (error) {
    // What is refused once is refused again; what failed on its way is done on the next page.
    if (!(error instanceof ApiError && error.status > 0 && error.status < 500)) return;
    await dropIntent();
    showFeedback({ title: 'Error', text: error.message, kind: 'error' });
  }
}

/** Does what a member wanted as a guest: once they are back on a page of the site with a confirmed address. */
export function CarryOn() {
  const viewer = useAtomValue(viewerAtom);
  const path = useAtomValue(shownPathAtom);
  // A page on which somebody has just signed in is about to be left.
  const isBack = viewer.kind === 'member' && viewer.user.emailConfirmed && !hasBeenGuest() && path !== routes.verify();

  useEffect(() => {
    if (isBack) void readIntent().then((intent) => intent && carryOut(intent));
  }, [isBack]);

  return null;
}
