import { leaveFor } from './auth-navigation';
import { viewerNow } from './viewer';

/** Leaves for where a member wanted to go; whose e-mail address is not confirmed is on the way to do that, and is left to it. */
export function goOn(address: string): void {
  const viewer = viewerNow();
  if (viewer.kind !== 'member' || viewer.user.emailConfirmed) leaveFor(address);
}
