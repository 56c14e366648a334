'use client';

import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { follow, loadFollowing, unfollow } from '../state/auth-user';
import { showFeedback } from '../state/modals';
import { followingAtom, viewerAtom } from '../state/viewer';
import { Button } from '../ui/button';
import { failureTitle, queuedMessage } from './settings-messages';

type FollowControlProps = { portfolioReference: string; name: string; size: 'medium' | 'small'; entrance: ReactNode };

/** The follow button of a member, who does not follow their own; the way to the login for a guest. */
export function FollowControl({ portfolioReference, name, size, entrance }: FollowControlProps) {
  const viewer = useAtomValue(viewerAtom);
  const following = useAtomValue(followingAtom);
  const [isSending, setSending] = useState(false);
  const isMember = viewer.kind === 'member';

  useEffect(() => {
    if (isMember && following === null) loadFollowing().catch(() => undefined);
  }, [isMember, following]);

  if (!isMember) return entrance;
  if (viewer.portfolios.some(({ reference }) => reference === portfolioReference)) return null;
  const isFollowed = following?.some((entry) => entry.portfolioReference === portfolioReference) ?? false;

  async function toggle(): Promise<void> {
    setSending(true);
    try {
      const written = await (isFollowed ? unfollow : follow)(portfolioReference);
      if (following === null) await loadFollowing();
      if (written === 'queued') showFeedback({ ...queuedMessage, kind: 'success' });
    } catch (error) {
      showFeedback({ title: failureTitle, text: error instanceof Error ? error.message : 'Try again later.', kind: 'error' });
    } finally {
      setSending(false);
    }
  }

  return (
    <Button look={isFollowed ? 'secondary' : 'primary'} size={size} aria-label={`${isFollowed ? 'Unfollow' : 'Follow'} ${name}`} disabled={isSending} onClick={() => void toggle()}>
      {isFollowed ? 'Unfollow' : 'Follow'}
    </Button>
  );
}
