'use client';

import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { openModal } from '../state/modals';
import { viewerAtom } from '../state/viewer';

/** Opens the modal that waits for an order, once the browser knows who is here. */
export function OrderWatch({ order }: { order: string }) {
  const viewer = useAtomValue(viewerAtom);
  const isMember = viewer.kind === 'member';
  useEffect(() => {
    if (isMember) openModal('product processing', { order });
  }, [isMember, order]);
  return null;
}
