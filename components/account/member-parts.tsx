import { WelcomeNote } from '../portfolios/welcome-note';
import { OwnView } from '../viewing/own-view';
import { CarryOn } from './carry-on';
import { TypedAgain } from './typed-again';

/** What a member alone needs on every page, in no place of its own. */
export function MemberParts() {
  return (
    <>
      <OwnView />
      <TypedAgain />
      <CarryOn />
      <WelcomeNote />
    </>
  );
}
