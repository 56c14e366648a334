import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { watchAccount } from '../state/account';
import { usernameAtom } from '../state/viewer';
import { WelcomeNote } from '../portfolios/welcome-note';
import { OwnView } from '../formats/own-view';
import { CarryOn } from './carry-on';
import { TypedAgain } from './typed-again';

/** What a member alone needs on every page, in no place of its own. */
export function MemberParts() {
  const username = useAtomValue(usernameAtom);
  useEffect(() => (username === null ? undefined : watchAccount()), [username]);
  return (
    <>
      <OwnView />
      <TypedAgain />
      <CarryOn />
      <WelcomeNote />
    </>
  );
}
