import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';
import { askFollowing, follow, unfollow } from '../state/auth-user';
import { showFeedback } from '../state/modals';
import { followingAtom, isFollowingLostAtom, viewerAtom } from '../state/viewer';
import { showWelcome } from '../state/welcome';
import { Button } from '../ui/button';
import { singlePress } from '../ui/single-press';
import styles from '../portfolios/follow-button.module.scss';
import { failureTitle, queuedMessage } from './settings-messages';

type FollowControlProps = { portfolioReference: string; name: string };

/** The follow button of a member, once it is known whom they follow; they do not follow their own. */
export function FollowControl({ portfolioReference, name }: FollowControlProps) {
  const viewer = useAtomValue(viewerAtom);
  const following = useAtomValue(followingAtom);
  const isLost = useAtomValue(isFollowingLostAtom);
  const [isSending, setSending] = useState(false);
  const username = viewer.kind === 'member' ? viewer.user.username : null;

  useEffect(() => {
    if (username !== null) askFollowing(username);
  }, [username]);

  if (viewer.kind !== 'member' || (following === null && !isLost)) return null;
  if (viewer.portfolios.some(({ reference }) => reference === portfolioReference))
    return <span className={styles.own}>Yours</span>;
  // Where that is not found out, following does no harm to whoever follows already (0118).
  const isFollowed = following?.some((entry) => entry.portfolioReference === portfolioReference) ?? false;

  async function toggle(): Promise<void> {
    setSending(true);
    try {
      const written = await (isFollowed ? unfollow : follow)(portfolioReference);
      if (written === 'queued') showFeedback({ ...queuedMessage, kind: 'success' });
      else if (!isFollowed) showWelcome({ portfolioReference, name });
    } catch (error) {
      showFeedback({
        title: failureTitle,
        text: error instanceof Error ? error.message : 'Try again later.',
        kind: 'error',
      });
    } finally {
      setSending(false);
    }
  }

  return (
    <Button
      look={isFollowed ? 'quiet' : 'secondary'}
      size="small"
      aria-label={`${isFollowed ? 'Unfollow' : 'Follow'} ${name}`}
      disabled={isSending}
      onClick={singlePress(() => void toggle())}
    >
      {isFollowed ? 'Unfollow' : 'Follow'}
    </Button>
  );
}
