import { ReadingParts } from '../portfolios/reading-parts';
import { WelcomeNote } from '../portfolios/welcome-note';
import { PageSteps } from '../shell/page-steps';
import { OwnView } from '../viewing/own-view';
import { FollowControls } from './follow-controls';
import { TypedAgain } from './typed-again';

/** What a member alone needs on every page. */
export function MemberParts() {
  return (
    <>
      <PageSteps />
      <OwnView />
      <FollowControls />
      <TypedAgain />
      <ReadingParts />
      <WelcomeNote />
    </>
  );
}
