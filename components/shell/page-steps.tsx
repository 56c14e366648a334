import { useAtomValue } from 'jotai';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { watchSteps } from '../state/page-steps';
import { viewerAtom } from '../state/viewer';

/** 0027: members step from page to page within the document; once they have left, links lead to documents again. */
export function PageSteps() {
  const router = useRouter();
  const isMember = useAtomValue(viewerAtom).kind === 'member';
  useEffect(() => (isMember ? watchSteps(router) : undefined), [isMember, router]);
  return null;
}
