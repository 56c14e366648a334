import 'server-only';
import { Failure } from '@/lib/platform/errors';
import { signInFirst } from './rules';
import type { Viewer } from './schema';

/** Lets members go on; Failure 'unauthorised' for a guest. */
export function requireMember(viewer: Viewer): asserts viewer is Viewer & { kind: 'member' } {
  if (viewer.kind === 'guest') throw new Failure('unauthorised', signInFirst);
}
